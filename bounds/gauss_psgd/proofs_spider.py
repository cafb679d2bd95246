"""The oracle Ada-DP-SPIDER and its distributed form: Lemmas 7, 8 and 9.

Setting   an O_1 call estimates the gradient from b_1 samples; between such calls an O_2 call adds an estimated difference from b_2 samples.
Source    Gauss-PSGD, Appendix C, (80) to (97), (106) to (117).

Constants are written where the paper writes O(.): 1 in the sampling error, c in front of the noise. Where the paper has log(d), which is
0 in one dimension, this is log(2 d), the form in which Corollary 3 is proved (`proofs_concentration`).
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Cited, Derivation, Given, Identity, NonNegative, Reasoned, Substitution
from bounds.gauss_psgd.proofs_block import (
    PAPER,
    G,
    M,
    T,
    U,
    b_1,
    b_2,
    c,
    chain,
    chi,
    d,
    delta,
    epsilon,
    eta,
    kappa,
    line,
    m,
    r,
    words,
)
from bounds.symbols import symbols

F_now, F_next, grad, est, err, grad_est, resets, drift = symbols("F_now F_next grad_norm est_norm err_norm grad_est resets drift")
err_old, grad_old, grad_new, step_diff, xi_new, a_i, a_j = symbols("err_old grad_old grad_new step_diff xi_new a_i a_j")

half = sp.Rational(1, 2)
privacy = sp.log(1 / delta)
LOG_2D = sp.log(2 * d)
SAMPLING_SQ = (G**2 / b_1 + M**2 / b_2 * kappa) * LOG_2D**2  # sigma^2 of Lemma 7
ADDED_SQ = c * privacy / epsilon**2 * (G**2 / b_1**2 + M**2 / b_2**2 * kappa)  # r^2 of Lemma 7
below_limit = Given(kappa - drift, "O_2 is called only while the drift is below its limit; no restart in between")
WITHIN = {drift: (0, kappa)}


def lemma7() -> Derivation:
    """Write the proof out."""
    return chain(
        "lemma7",
        "the error of an estimate along a path without restarts",
        f"{PAPER}, Lemma 7, (80) to (91); the path is taken as given, see the last step",
        words(
            "(81): at an O_1 call the sampling error is norm-subGaussian with G sqrt(log(2 d) / b_1)",
            "a mean of b_1 independent errors, each of norm at most 2 G",
            Cited("Corollary 3 of the paper, with log(2 d)"),
        ),
        line(
            "(83) to (85), a coordinate a_i of g_hat_t: an O_2 call adds its own error to the old one",
            a_i - grad_new,
            "=",
            err_old + (step_diff - (grad_new - grad_old)) + xi_new,
            "g_hat_t = g_hat_{t-1} + O_2 + xi_t, and g_hat_{t-1} = grad F(x_{t-2}) + nu_{t-1}",
            Substitution({a_i: grad_old + err_old + step_diff + xi_new}),
        ),
        words(
            "so the mean of nu_t given the past is nu_{t-1}, not 0: these errors are no martingale differences, as Lemmas 18 to 20 need",
            "the two new terms have mean 0",
            Reasoned("conditional expectation of the last step"),
        ),
        words(
            "(86): the new sampling error is norm-subGaussian with M ||x_{i-1} - x_{i-2}|| sqrt(log(2 d) / b_2)",
            "a mean of b_2 independent errors, each of norm at most 2 M ||x_{i-1} - x_{i-2}||",
            Cited("Corollary 3 of the paper, with log(2 d)"),
        ),
        line(
            "(88), (89): the squared constants add up, and the sum gets one more logarithm",
            LOG_2D * (G**2 * LOG_2D / b_1 + M**2 * LOG_2D / b_2 * drift),
            "<=",
            SAMPLING_SQ,
            "the drift is at most kappa",
            NonNegative(((LOG_2D**2 * M**2 / b_2, kappa - drift),), given=(below_limit, Given(LOG_2D**2 * M**2 / b_2, "squares"))),
            ranges=WITHIN,
        ),
        line(
            "(90), (91): the variances of the added noises add up",
            c * G**2 * privacy / (b_1**2 * epsilon**2) + c * M**2 * privacy / (b_2**2 * epsilon**2) * drift,
            "<=",
            ADDED_SQ,
            "independent normal noises",
            NonNegative(
                ((c * M**2 * privacy / (b_2**2 * epsilon**2), kappa - drift),),
                given=(below_limit, Given(c * M**2 * privacy / (b_2**2 * epsilon**2), "delta < 1")),
            ),
            ranges=WITHIN,
        ),
        words(
            "the movements are random, and Corollary 3 is for fixed constants; a jump back to the saddle is not in the drift",
            "what the proof leaves open",
            Reasoned("the statement holds for a path that is fixed in advance and has no restarts"),
        ),
    )


def lemma8() -> Derivation:
    """Write the proof out."""
    good_error, good_estimate = Given(chi - err, "Lemma 5"), Given(5 * chi - est, "||g_hat|| <= 4 chi + chi")
    descent = F_now - eta * grad_est + M / 2 * eta**2 * est**2 - F_next
    per_reset = kappa / (6 * eta)
    return chain(
        "lemma8",
        "how often a fresh gradient is asked for, along a path without restarts",
        f"{PAPER}, Lemma 8, (92) to (97)",
        line(
            "smoothness, eta M <= 1",
            F_next - F_now,
            "<=",
            -eta * grad_est + eta / 2 * est**2,
            "as in Lemma 3",
            NonNegative(
                ((descent,), (eta / 2 * est**2, 1 - eta * M)),
                given=(Given(descent, "F is M-smooth"), Given(1 - eta * M, "eta <= 1/M")),
            ),
            ranges={
                eta: (sp.Integer(10) ** -9 / M, 1 / M),
                F_next: (F_now - eta * grad_est + M / 2 * eta**2 * est**2 - 1000, F_now - eta * grad_est + M / 2 * eta**2 * est**2),
            },
        ),
        line(
            "(92), coordinate by coordinate, a_i of the gradient and a_j of the estimate",
            -eta * a_i * a_j + eta / 2 * a_j**2,
            "=",
            eta * (a_j - a_i) * a_j - eta / 2 * a_j**2,
            "Cauchy-Schwarz then bounds the first term by eta ||nu|| ||g_hat||",
            Identity(),
        ),
        line(
            "(93): a gradient of at least 4 chi makes the estimate at least 3 times its error",
            eta * err * est - eta / 2 * est**2,
            "<=",
            -eta / 6 * est**2,
            "||g_hat|| >= 3 chi >= 3 ||nu||",
            NonNegative(((eta / 3 * est, est - 3 * err),), given=(Given(est - 3 * err, "4 chi - chi >= 3 ||nu||"),)),
            ranges={err: (0, est / 3)},
        ),
        line(
            "(94): a gradient of at most 4 chi",
            eta * err * est - eta / 2 * est**2,
            "<=",
            5 * eta * chi**2,
            "||g_hat|| <= 5 chi",
            NonNegative(
                ((eta * chi, 5 * chi - est), (eta * est, chi - err), (eta / 2 * est**2,)),
                given=(good_estimate, good_error),
            ),
            ranges={err: (0, chi), est: (0, 5 * chi)},
        ),
        line(
            "(95), the form that is summed, holds in both cases; 3/4 would do for 5",
            eta * err * est - eta / 2 * est**2 + eta / 6 * est**2,
            "<=",
            sp.Rational(3, 4) * eta * chi**2,
            "complete the square",
            NonNegative(((eta / 3, (est - sp.Rational(3, 2) * chi) ** 2), (eta * est, chi - err)), given=(good_error,)),
            ranges={err: (0, chi)},
        ),
        words(
            "(96): between two steps of the set the sum of eta^2 ||g_hat||^2 is at least kappa, so eta/6 times it gives kappa / (6 eta)",
            "the drift is reset to 0 and reaches kappa again; |T| resets make |T| - 1 such pairs and one from the start",
            Reasoned("drift adds up squared movements; along one path"),
        ),
        line(
            "(97) solved for their number",
            resets,
            "<=",
            6 * eta / kappa * (U + 5 * T * eta * chi**2),
            "F falls by at most U",
            NonNegative(
                ((6 * eta / kappa, U + 5 * T * eta * chi**2 - resets * per_reset),),
                given=(Given(U + 5 * T * eta * chi**2 - resets * per_reset, "(97), for a path without restarts: see the last step"),),
            ),
            ranges={resets: (0, 6 * eta / kappa * (U + 5 * T * eta * chi**2))},
        ),
        words(
            "a round that fails is followed by a jump back to the saddle, which can raise F: (97) then does not telescope",
            "the printed proof sums over all steps as if they were one path",
            Reasoned("F at the end of a failed round may be below F at the saddle; the order of the lemma is not refuted by this"),
        ),
    )


def lemma9() -> Derivation:
    """Write the proof out."""
    mean_of_clients = Given(LOG_2D**2 * M**2 / (m * b_2), "squares")
    return chain(
        "lemma9",
        "the error of the mean of m clients",
        f"{PAPER}, Lemma 9, (106) to (117)",
        line(
            "(107): the mean of m independent noises has a variance m times smaller, r^2 that of one client",
            m * r**2 / m**2,
            "=",
            c * G**2 * privacy / (m * b_1**2 * epsilon**2),
            "variances add up; a fresh gradient",
            Substitution({r: sp.sqrt(c * privacy) * G / (b_1 * epsilon)}),
        ),
        words(
            "the mean over clients of means over b samples is a mean over m b independent samples, of laws that may differ",
            "each error has mean 0 for its own client",
            Reasoned("Corollary 3 needs no equal laws"),
        ),
        line(
            "sigma^2: Lemma 7 with m b for b",
            LOG_2D * (G**2 * LOG_2D / (m * b_1) + M**2 * LOG_2D / (m * b_2) * drift),
            "<=",
            SAMPLING_SQ / m,
            "the drift is at most kappa",
            NonNegative(((LOG_2D**2 * M**2 / (m * b_2), kappa - drift),), given=(below_limit, mean_of_clients)),
            ranges=WITHIN,
        ),
        line(
            "r^2: Lemma 7 over m",
            (c * G**2 * privacy / (b_1**2 * epsilon**2) + c * M**2 * privacy / (b_2**2 * epsilon**2) * drift) / m,
            "<=",
            ADDED_SQ / m,
            "the drift is at most kappa",
            NonNegative(
                ((c * M**2 * privacy / (m * b_2**2 * epsilon**2), kappa - drift),),
                given=(below_limit, Given(c * M**2 * privacy / (m * b_2**2 * epsilon**2), "delta < 1")),
            ),
            ranges=WITHIN,
        ),
    )
