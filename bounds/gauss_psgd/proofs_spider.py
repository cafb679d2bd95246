"""The oracle Ada-DP-SPIDER and its distributed form: Lemmas 7 and 8; `proofs_clients` has Lemma 9.

Setting   an O_1 call estimates the gradient from b_1 samples; between such calls an O_2 call adds an estimated difference from b_2 samples.
Source    Gauss-PSGD, Appendix C, (80) to (97), (106) to (117).

Constants are written where the paper writes O(.): 1 in the sampling error, c in front of the noise. Where the paper has log(d), which is
0 in one dimension, this is log(2 d), the form in which Corollary 3 is proved (`proofs_concentration`).
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import (
    GIVENS,
    Assumed,
    Case,
    Cited,
    Derivation,
    Identity,
    NonNegative,
    Reasoned,
    Step,
    Telescoped,
    fact,
    line,
    words,
)
from bounds.gauss_psgd.oracle import LEMMA_8, SHARPER
from bounds.gauss_psgd.proofs_block import PAPER, SPELLED, G, M, T, U, b_1, b_2, c, chi, d, delta, epsilon, eta, kappa, m, psi, r, sigma
from bounds.gauss_psgd.proofs_descent import small_step, sq_est
from bounds.inequalities import Instance
from bounds.meanings import BELOW_ONE, PSI, introduce_average
from bounds.symbols import Letter, introduce, symbols

F_now, F_next, grad, est, err, grad_est, resets, drift = symbols("F_now F_next grad_norm est_norm err_norm grad_est resets drift")
err_old, grad_old, grad_new, step_diff, xi_new, a_i, a_j = symbols("err_old grad_old grad_new step_diff xi_new a_i a_j")
F_first, F_last = symbols("F_first F_last")
mean_est = introduce(Letter("mean_est", r"\overline{\|\hat g\|^2}", "squared norm of the estimate, averaged over steps", 0, 1e6, "proof"))
introduce_average(sq_est, mean_est)
client_noise = introduce(Letter("client_noise", r"r_j^2", "variance of the noise of one client", 1e-30, 1e9, "proof"))
mean_noise = introduce(Letter("mean_noise", r"\mathbb{V}\tfrac1m\sum\xi_j", "variance of the mean of the noises", 1e-30, 1e9, "proof"))

half = sp.Rational(1, 2)
privacy = sp.log(1 / delta)
LOG_2D = sp.log(2 * d)
SAMPLING_SQ = (G**2 / b_1 + M**2 / b_2 * kappa) * LOG_2D**2  # sigma^2 of Lemma 7
ADDED_SQ = c * privacy / epsilon**2 * (G**2 / b_1**2 + M**2 / b_2**2 * kappa)  # r^2 of Lemma 7
below_limit = fact(
    "below_limit", "O_2 is called only while the drift is below its limit; no restart in between", drift, "<=", kappa, Assumed()
)
add_up = Reasoned("independent normal noises: variances add up")


def lemma7() -> Derivation:
    """Write the proof out."""
    share = c * M**2 / (b_2**2 * epsilon**2)
    return Derivation(
        key="gauss_psgd.lemma7",
        title="the error of an estimate along a path without restarts",
        source=f"{PAPER}, Lemma 7, (80) to (91); the path is taken as given, see the last step",
        spelled=SPELLED,
        instances=({b_1: m * b_1, b_2: m * b_2},),  # m clients together
        facts=(
            below_limit,
            BELOW_ONE["delta"],
            fact(
                "dynamics",
                "g_hat_t = g_hat_{t-1} + O_2 + xi_t, and g_hat_{t-1} = grad F(x_{t-2}) + nu_{t-1}; a_i a coordinate of g_hat_t",
                a_i,
                "=",
                grad_old + err_old + step_diff + xi_new,
                Reasoned("Algorithm 2"),
            ),
            fact(
                "constants",
                "(88), (89): the squared constants of (81) and (86) add up, and the sum gets one more logarithm",
                sigma**2,
                "<=",
                LOG_2D * (G**2 * LOG_2D / b_1 + M**2 * LOG_2D / b_2 * drift),
                Cited("Corollary 3 of the paper, with log(2 d), for errors that are martingale differences", using=("fresh", "difference")),
            ),
            fact(
                "noises",
                "(90): the variances of the added noises add up",
                r**2,
                "<=",
                c * G**2 * privacy / (b_1**2 * epsilon**2) + c * M**2 * privacy / (b_2**2 * epsilon**2) * drift,
                add_up,
            ),
            PSI,
        ),
        steps=(
            words(
                "fresh",
                "(81): at an O_1 call the sampling error is norm-subGaussian with G sqrt(log(2 d) / b_1)",
                "a mean of b_1 independent errors, each of norm at most 2 G",
                Cited("Corollary 3 of the paper, with log(2 d)"),
            ),
            line(
                "carried_on",
                "(83) to (85), a coordinate a_i of g_hat_t: an O_2 call adds its own error to the old one",
                a_i - grad_new,
                "=",
                err_old + (step_diff - (grad_new - grad_old)) + xi_new,
                "insert g_hat_t",
                Identity(modulo=((1, "dynamics"),)),
                where=GIVENS,
            ),
            words(
                "no_martingale",
                "so the mean of nu_t given the past is nu_{t-1}, not 0: these are no martingale differences, as Lemmas 18 to 20 need",
                "the two new terms have mean 0",
                Reasoned("conditional expectation of the last step", using=("carried_on",)),
            ),
            words(
                "difference",
                "(86): the new sampling error is norm-subGaussian with M ||x_{i-1} - x_{i-2}|| sqrt(log(2 d) / b_2)",
                "a mean of b_2 independent errors, each of norm at most 2 M ||x_{i-1} - x_{i-2}||",
                Cited("Corollary 3 of the paper, with log(2 d)"),
            ),
            line(
                "sampling",
                "(89): sigma^2, the drift is at most kappa",
                sigma**2,
                "<=",
                SAMPLING_SQ,
                "the drift is at most kappa",
                NonNegative((("constants",), (LOG_2D**2 * M**2 / b_2, "below_limit"))),
                where=GIVENS,
            ),
            line(
                "added",
                "(91): r^2, the drift is at most kappa",
                r**2,
                "<=",
                ADDED_SQ,
                "the drift is at most kappa, and delta at most 1",
                NonNegative(
                    (
                        ("noises",),
                        (share, Instance("exponential", sp.log(delta)), "below_limit"),
                        (share, "delta < 1", "below_limit"),
                    )
                ),
                where=GIVENS,
            ),
            line(
                "together",
                "so the size psi of the error is, squared, at most",
                psi**2,
                "<=",
                SAMPLING_SQ + d * ADDED_SQ,
                "psi^2 = sigma^2 + r^2 d",
                NonNegative((("sampling",), (d, "added")), at=("psi",)),
                where=GIVENS,
            ),
            words(
                "open",
                "the movements are random, and Corollary 3 is for fixed constants; a jump back to the saddle is not in the drift",
                "what the proof leaves open",
                Reasoned("the statement holds for a path that is fixed in advance and has no restarts"),
            ),
        ),
    )


def lemma8() -> Derivation:
    """Write the proof out."""
    near = Reasoned("triangle inequality on g_hat = grad F + nu")
    return Derivation(
        key="gauss_psgd.lemma8",
        title="how often a fresh gradient is asked for, along a path without restarts",
        source=f"{PAPER}, Lemma 8, (92) to (97)",
        proves=LEMMA_8,
        shows={"sharper": "sharper"},
        spelled=SPELLED,
        facts=(
            small_step,
            fact("error", "Lemma 5: every error is at most chi", err, "<=", chi, Assumed()),
            fact(
                "smooth",
                "F is M-smooth, and the step is -eta g_hat",
                F_next,
                "<=",
                F_now - eta * grad_est + M / 2 * eta**2 * est**2,
                Reasoned("Taylor's theorem, as in Lemma 3"),
            ),
            fact(
                "cauchy",
                "(92): <g_hat - grad F, g_hat> <= ||nu|| ||g_hat||",
                est**2 - grad_est,
                "<=",
                err * est,
                Reasoned("Cauchy-Schwarz", using=("ninety_two",)),
            ),
            fact("estimate_is_near", "||g_hat|| against the gradient", est, "<=", grad + err, near),
            fact("gradient_is_near", "the gradient against ||g_hat||", grad, "<=", est + err, near),
            fact("large", "a gradient of at least 4 chi", grad, ">=", 4 * chi, Case()),
            fact("small", "a gradient of at most 4 chi", grad, "<=", 4 * chi, Case()),
            fact("square", "the squared norm of the estimate", sq_est, "=", est**2, Reasoned("what the letters stand for")),
            fact(
                "drifts",
                "(96): between two resets the squared steps eta^2 ||g_hat||^2 add up to kappa at least, and so they do before the first",
                resets * kappa,
                "<=",
                eta**2 * T * mean_est,
                Reasoned("the drift adds up squared movements, is reset to 0 and reaches kappa again; along one path"),
            ),
            fact("falls", "F falls by U at most", F_first - F_last, "<=", U, Reasoned("Assumption 2: max F - min F <= U")),
        ),
        steps=(*_one_step(), *_all_steps()),
    )


def _one_step() -> tuple[Step, ...]:
    """Return (92) to (95): what a step does to F."""
    after = eta * err * est - eta / 2 * est**2
    return (
        line(
            "ninety_two",
            "(92), a coordinate a_i of the gradient and a_j of the estimate",
            -eta * a_i * a_j + eta / 2 * a_j**2,
            "=",
            eta * (a_j - a_i) * a_j - eta / 2 * a_j**2,
            "Cauchy-Schwarz then bounds the first term by eta ||nu|| ||g_hat||",
            Identity(),
        ),
        line(
            "after_a_step",
            "(92): the change of the loss in a step",
            F_next - F_now,
            "<=",
            after,
            "smoothness, eta M <= 1",
            NonNegative((("smooth",), (M * eta / 2 * est**2, "small_step"), (eta, "cauchy"))),
            where=GIVENS,
        ),
        line(
            "at_a_large_gradient",
            "(93): a gradient of at least 4 chi makes the estimate at least 3 times its error",
            after,
            "<=",
            -eta / 6 * est**2,
            "||g_hat|| >= 3 chi >= 3 ||nu||",
            NonNegative(((eta / 3 * est, "gradient_is_near"), (eta / 3 * est, "large"), (4 * eta / 3 * est, "error"))),
            where=GIVENS,
        ),
        line(
            "at_a_small_gradient",
            "(94): a gradient of at most 4 chi, in the norm of the estimate and its error",
            after,
            "<=",
            5 * eta * chi**2,
            "||g_hat|| <= 5 chi",
            NonNegative(
                (
                    (eta * chi, "estimate_is_near"),
                    (eta * chi, "small"),
                    (eta * chi, "error"),
                    (eta * est, "error"),
                    (eta / 2 * est**2,),
                )
            ),
            where=GIVENS,
        ),
        line(
            "in_both_cases",
            "(95), the form that is summed, holds in both cases, whatever the estimate; 3/4 would do for 5",
            after + eta / 6 * est**2,
            "<=",
            sp.Rational(3, 4) * eta * chi**2,
            "complete the square",
            NonNegative(((eta / 3, (est - sp.Rational(3, 2) * chi) ** 2), (eta * est, "error"))),
            where=GIVENS,
        ),
        line(
            "per_step",
            "so the loss after the step is at most",
            F_next,
            "<=",
            F_now - eta / 6 * sq_est + sp.Rational(3, 4) * eta * chi**2,
            "(92), (95)",
            NonNegative((("after_a_step",), ("in_both_cases",)), modulo=((-eta / 6, "square"),)),
            where=GIVENS,
        ),
    )


def _all_steps() -> tuple[Step, ...]:
    """Return (96), (97) and the number of resets."""
    return (
        line(
            "averaged",
            "(97): averaged over the steps, the decreases of F telescope; in the estimates",
            eta / 6 * mean_est,
            "<=",
            (F_first - F_last) / T + sp.Rational(3, 4) * eta * chi**2,
            "along one path",
            Telescoped("per_step"),
            where=GIVENS,
        ),
        line(
            "sharper",
            "(97) solved for the number of steps that reach the limit of the drift, with 3/4",
            resets,
            "<=",
            SHARPER,
            "F falls by at most U, and kappa is reached at every reset",
            NonNegative(((1 / kappa, "drifts"), (6 * eta * T / kappa, "averaged"), (6 * eta / kappa, "falls"))),
            where=GIVENS,
        ),
        words(
            "restarts",
            "a round that fails is followed by a jump back to the saddle, which can raise F: (97) then does not telescope",
            "the printed proof sums over all steps as if they were one path",
            Reasoned("F at the end of a failed round may be below F at the saddle; the order of the lemma is not refuted by this"),
        ),
        line(
            "bound",
            "(97) solved for the number of steps that reach the limit of the drift",
            resets,
            "<=",
            6 * eta / kappa * (U + 5 * T * eta * chi**2),
            "5 >= 3/4",
            NonNegative((("sharper",), (6 * eta / kappa, sp.Rational(17, 4) * T * eta * chi**2))),
            where=GIVENS,
        ),
    )
