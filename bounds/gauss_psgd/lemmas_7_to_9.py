"""The error of an estimate of Ada-DP-SPIDER, and of the mean of m clients, and how often a fresh gradient is asked for: Lemmas 7 to 9.

Setting   estimates by O_1 from b_1 samples where the drift has reached kappa, else corrected by O_2 from b_2 samples; for m > 1 clients
          the server averages. Neighbours differ in one replaced record. Lemma 8 holds along a path without restarts.
Source    Gauss-PSGD, Lemmas 7 to 9; Appendix C, (80) to (97), (106) to (117).

Constants are written where the paper writes O(.): 1 in the sampling error, c in front of the noise. Where the paper has log(d), which is
0 in one dimension, the proofs have log(2 d), the form in which Corollary 3 is proved (`lemmas_10_to_17`).
"""

from typing import Any

import sympy as sp

from bounds.derivation import Derivation
from bounds.gauss_psgd.lemmas_3_and_4 import sq_est
from bounds.gauss_psgd.meanings import PSI
from bounds.gauss_psgd.paper import ASSUMPTION_1, ASSUMPTION_2, CLASSICAL, GAUSSIAN_C, SMALL_STEP, TILDE, letters, proved, stated
from bounds.inequalities import Instance
from bounds.lines import Reasoned, line
from bounds.meanings import DELTA_BELOW_ONE, introduce_average
from bounds.symbols import introduce
from bounds.theorem import Part, Theorem

a_i, a_j, b_1, b_2, c, chi, d, delta, drift, epsilon, err = letters("a_i a_j b_1 b_2 c chi d delta drift epsilon err_norm")
err_old, est, eta, F_first, F_last, F_next, F_now, G = letters("err_old est_norm eta F_first F_last F_next F_now G")
grad, grad_est, grad_new, grad_old, kappa, M, m, psi = letters("grad_norm grad_est grad_new grad_old kappa M m psi")
r, resets, sigma, step_diff, T, U, xi_new = letters("r resets sigma step_diff T U xi_new")

INSIDE = "every O2 call is made while the drift, all displacements since the last O1 call counted, is below drift_limit"
SIZES = (
    "the error of an estimate is carried on from one O1 call to the next",
    "sampling is from the data without replacement, although Algorithms 2 and 3 say from the distribution",
    "at d = 1 the sampling error comes out as 0, because Corollary 3 has log(d) where its proof needs log(2 d)",
)


def sampling(m: Any) -> Any:
    """Return sigma of Lemma 7 (m = 1) or Lemma 9, absolute constants 1."""
    return sp.log(d) * sp.sqrt(G**2 / (m * b_1) + M**2 * kappa / (m * b_2))


def added(m: Any, c: Any = 1) -> Any:
    """Return r of Lemma 7 (m = 1) or Lemma 9 with c in place of c_1 = c_2."""
    return sp.sqrt(c * sp.log(1 / delta) / (m * epsilon**2) * (G**2 / b_1**2 + M**2 * kappa / b_2**2))


def lemma(title: str, m: Any) -> Theorem:
    """Return Lemma 7 or 9."""
    return stated(
        title,
        claim="rate",
        measure="sampling error sigma of an estimate (nSG constant)",
        method="gauss_psgd",
        assumptions=(*ASSUMPTION_1, INSIDE),
        bound=sampling(m),
        parts=(
            Part("r", "added noise r of an estimate", "O", added(m)),
            Part("r by Definition 8", "added noise r of an estimate", "<=", added(m, GAUSSIAN_C)),
            Part("psi", "sqrt(sigma^2 + r^2 d)", "<=", sp.sqrt(sampling(m) ** 2 + d * added(m, GAUSSIAN_C) ** 2)),
        ),
        conditions=(CLASSICAL,),
        notes=(TILDE, "only an upper bound on r; escape needs r from below", *SIZES),
    )


LEMMA_7 = lemma("Lemma 7 (error of Ada-DP-SPIDER)", 1)
LEMMA_9 = lemma("Lemma 9 (error of distributed Ada-DP-SPIDER)", m)
client_noise = introduce("client_noise", r"r_j^2", "variance of the noise of one client", 1e-30, 1e9, "proof")
mean_noise = introduce("mean_noise", r"\mathbb{V}\tfrac1m\sum\xi_j", "variance of the mean of the noises", 1e-30, 1e9, "proof")
privacy = sp.log(1 / delta)
LOG_2D = sp.log(2 * d)
SAMPLING_SQ = (G**2 / b_1 + M**2 / b_2 * kappa) * LOG_2D**2  # sigma^2 of Lemma 7
ADDED_SQ = c * privacy / epsilon**2 * (G**2 / b_1**2 + M**2 / b_2**2 * kappa)  # r^2 of Lemma 7
below_limit = (
    line("below_limit", drift, "<=", kappa).says("O_2 is called only while the drift is below its limit; no restart in between").assumed()
)
add_up = Reasoned("independent normal noises: variances add up")


def lemma7() -> Derivation:
    """Carry errors on from call to call: Corollary 3 for the sampling, variances for the noise, a drift of at most kappa."""
    share = c * M**2 / (b_2**2 * epsilon**2)
    return proved(
        "lemma7",
        "the error of an estimate along a path without restarts",
        "Lemma 7, (80) to (91); the path is taken as given, see the last step",
        instances=({b_1: m * b_1, b_2: m * b_2},),  # m clients together
        facts=(
            below_limit,
            DELTA_BELOW_ONE,
            line("dynamics", a_i, "=", grad_old + err_old + step_diff + xi_new)
            .says("g_hat_t = g_hat_{t-1} + O_2 + xi_t, and g_hat_{t-1} = grad F(x_{t-2}) + nu_{t-1}; a_i a coordinate of g_hat_t")
            .reasoned("Algorithm 2"),
            line("constants", sigma**2, "<=", LOG_2D * (G**2 * LOG_2D / b_1 + M**2 * LOG_2D / b_2 * drift))
            .says("(88), (89): the squared constants of (81) and (86) add up, and the sum gets one more logarithm")
            .cited("Corollary 3 of the paper, with log(2 d), for errors that are martingale differences", using=("fresh", "difference")),
            line("noises", r**2, "<=", c * G**2 * privacy / (b_1**2 * epsilon**2) + c * M**2 * privacy / (b_2**2 * epsilon**2) * drift)
            .says("(90): the variances of the added noises add up")
            .certified(add_up),
            PSI,
        ),
        steps=(
            line("fresh")
            .says("(81): at an O_1 call the sampling error is norm-subGaussian with G sqrt(log(2 d) / b_1)")
            .because("a mean of b_1 independent errors, each of norm at most 2 G")
            .cited("Corollary 3 of the paper, with log(2 d)"),
            line("carried_on", a_i - grad_new, "=", err_old + (step_diff - (grad_new - grad_old)) + xi_new)
            .says("(83) to (85), a coordinate a_i of g_hat_t: an O_2 call adds its own error to the old one", "insert g_hat_t")
            .identity((1, "dynamics")),
            line("no_martingale")
            .says("so the mean of nu_t given the past is nu_{t-1}, not 0: these are no martingale differences, as Lemmas 18 to 20 need")
            .because("the two new terms have mean 0")
            .reasoned("conditional expectation of the last step", using=("carried_on",)),
            line("difference")
            .says("(86): the new sampling error is norm-subGaussian with M ||x_{i-1} - x_{i-2}|| sqrt(log(2 d) / b_2)")
            .because("a mean of b_2 independent errors, each of norm at most 2 M ||x_{i-1} - x_{i-2}||")
            .cited("Corollary 3 of the paper, with log(2 d)"),
            line("sampling", sigma**2, "<=", SAMPLING_SQ)
            .says("(89): sigma^2, the drift is at most kappa", "the drift is at most kappa")
            .by("constants", (LOG_2D**2 * M**2 / b_2, "below_limit")),
            line("added", r**2, "<=", ADDED_SQ)
            .says("(91): r^2, the drift is at most kappa", "the drift is at most kappa, and delta at most 1")
            .by("noises", (share, Instance("exponential", sp.log(delta)), "below_limit"), (share, "delta < 1", "below_limit")),
            line("together", psi**2, "<=", SAMPLING_SQ + d * ADDED_SQ)
            .says("so the size psi of the error is, squared, at most", "psi^2 = sigma^2 + r^2 d")
            .by("sampling", (d, "added"), at=("psi",)),
            line("open")
            .says("the movements are random, and Corollary 3 is for fixed constants; a jump back to the saddle is not in the drift")
            .because("what the proof leaves open")
            .reasoned("the statement holds for a path that is fixed in advance and has no restarts"),
        ),
    )


SHARPER = 6 * eta / kappa * (U + sp.Rational(3, 4) * T * eta * chi**2)
LEMMA_8 = stated(
    "Lemma 8 (number of fresh gradients)",
    "(93) to (97)",
    measure="times the drift reaches drift_limit",
    method="gauss_psgd",
    assumptions=(*ASSUMPTION_1, *ASSUMPTION_2, "eta <= 1/ell", "||nu_t|| <= chi for all t <= T", "no step is taken back"),
    bound=6 * eta / kappa * (U + 5 * T * eta * chi**2),
    measured=resets,
    in_letters=(sp.Le(err, chi), sp.Le(eta, 1 / M)),
    parts=(
        Part("order", "the same, as the lemma states it", "O", U * eta / kappa),
        Part("sharper", "the same with the least constant that the proof allows", "<=", SHARPER, resets),
    ),
    notes=(
        "one more O1 call is made at the start",
        "a failed round of escape puts x back to its start, which can raise F: the telescoping sum (97) does not cover that",
    ),
)
mean_est = introduce("mean_est", r"\overline{\|\hat g\|^2}", "squared norm of the estimate, averaged over steps", 0, 1e6, "proof")
introduce_average(sq_est, mean_est)
ERROR_WITHIN_CHI = line("error", err, "<=", chi).says("Lemma 5: every error is at most chi").assumed()


def lemma8() -> Derivation:
    """Find what a step does to F at large and at small gradients, telescoped; every reset takes a drift of kappa."""
    near = Reasoned("triangle inequality on g_hat = grad F + nu")
    after = eta * err * est - eta / 2 * est**2
    return proved(
        "lemma8",
        "how often a fresh gradient is asked for, along a path without restarts",
        "Lemma 8, (92) to (97)",
        proves=LEMMA_8,
        shows={"sharper": "sharper"},
        facts=(
            SMALL_STEP,
            ERROR_WITHIN_CHI,
            line("smooth", F_next, "<=", F_now - eta * grad_est + M / 2 * eta**2 * est**2)
            .says("F is M-smooth, and the step is -eta g_hat")
            .reasoned("Taylor's theorem, as in Lemma 3"),
            line("cauchy", est**2 - grad_est, "<=", err * est)
            .says("(92): <g_hat - grad F, g_hat> <= ||nu|| ||g_hat||")
            .reasoned("Cauchy-Schwarz", using=("in_coordinates",)),
            line("estimate_is_near", est, "<=", grad + err).says("||g_hat|| against the gradient").certified(near),
            line("gradient_is_near", grad, "<=", est + err).says("the gradient against ||g_hat||").certified(near),
            line("large", grad, ">=", 4 * chi).says("a gradient of at least 4 chi").case(),
            line("small", grad, "<=", 4 * chi).says("a gradient of at most 4 chi").case(),
            line("square", sq_est, "=", est**2).says("the squared norm of the estimate").reasoned("what the letters stand for"),
            line("drifts", resets * kappa, "<=", eta**2 * T * mean_est)
            .says("(96): between two resets the squared steps eta^2 ||g_hat||^2 add up to kappa at least, and so they do before the first")
            .reasoned("the drift adds up squared movements, is reset to 0 and reaches kappa again; along one path"),
            line("falls", F_first - F_last, "<=", U).says("F falls by U at most").reasoned("Assumption 2: max F - min F <= U"),
        ),
        steps=(
            line("in_coordinates", -eta * a_i * a_j + eta / 2 * a_j**2, "=", eta * (a_j - a_i) * a_j - eta / 2 * a_j**2)
            .says("(92), a coordinate a_i of the gradient and a_j of the estimate")
            .because("Cauchy-Schwarz then bounds the first term by eta ||nu|| ||g_hat||")
            .identity(),
            line("after_a_step", F_next - F_now, "<=", after)
            .says("(92): the change of the loss in a step", "smoothness, eta M <= 1")
            .by("smooth", (M * eta / 2 * est**2, "small_step"), (eta, "cauchy")),
            line("at_a_large_gradient", after, "<=", -eta / 6 * est**2)
            .says("(93): a gradient of at least 4 chi makes the estimate at least 3 times its error", "||g_hat|| >= 3 chi >= 3 ||nu||")
            .by((eta / 3 * est, "gradient_is_near"), (eta / 3 * est, "large"), (4 * eta / 3 * est, "error")),
            line("at_a_small_gradient", after, "<=", 5 * eta * chi**2)
            .says("(94): a gradient of at most 4 chi, in the norm of the estimate and its error", "||g_hat|| <= 5 chi")
            .by((eta * chi, "estimate_is_near"), (eta * chi, "small"), (eta * chi, "error"), (eta * est, "error"), eta / 2 * est**2),
            line("in_both_cases", after + eta / 6 * est**2, "<=", sp.Rational(3, 4) * eta * chi**2)
            .says("(95), the form that is summed, holds in both cases, whatever the estimate; 3/4 would do for 5", "complete the square")
            .by((eta / 3, (est - sp.Rational(3, 2) * chi) ** 2), (eta * est, "error")),
            line("per_step", F_next, "<=", F_now - eta / 6 * sq_est + sp.Rational(3, 4) * eta * chi**2)
            .says("so the loss after the step is at most", "(92), (95)")
            .by("after_a_step", "in_both_cases", modulo=((-eta / 6, "square"),)),
            line("averaged", eta / 6 * mean_est, "<=", (F_first - F_last) / T + sp.Rational(3, 4) * eta * chi**2)
            .says("(97): averaged over the steps, the decreases of F telescope; in the estimates", "along one path")
            .averaging("per_step"),
            line("sharper", resets, "<=", SHARPER)
            .says("(97) solved for the number of steps that reach the limit of the drift, with 3/4")
            .because("F falls by at most U, and kappa is reached at every reset")
            .by((1 / kappa, "drifts"), (6 * eta * T / kappa, "averaged"), (6 * eta / kappa, "falls")),
            line("restarts")
            .says("a round that fails is followed by a jump back to the saddle, which can raise F: (97) then does not telescope")
            .because("the printed proof sums over all steps as if they were one path")
            .reasoned("F at the end of a failed round may be below F at the saddle; the order of the lemma is not refuted by this"),
            line("bound", resets, "<=", 6 * eta / kappa * (U + 5 * T * eta * chi**2))
            .says("(97) solved for the number of steps that reach the limit of the drift", "5 >= 3/4")
            .by("sharper", (6 * eta / kappa, sp.Rational(17, 4) * T * eta * chi**2)),
        ),
    )


def lemma9() -> Derivation:
    """Lemma 7 with m b samples, and the mean of m independent noises."""
    fresh = c * G**2 * privacy / (b_1**2 * epsilon**2)
    share = c * M**2 / (m * b_2**2 * epsilon**2)
    return proved(
        "lemma9",
        "the error of the mean of m clients",
        "Lemma 9, (106) to (117)",
        facts=(
            below_limit,
            DELTA_BELOW_ONE,
            line("client_noise", client_noise, "=", fresh)
            .says("Lemma 7: the noise of one client at a fresh gradient")
            .reasoned("Algorithm 3"),
            line("mean_noise", mean_noise, "=", client_noise / m).says("the mean of m independent noises").certified(add_up),
            line("sampling", sigma**2, "<=", SAMPLING_SQ.xreplace({b_1: m * b_1, b_2: m * b_2}))
            .says("Lemma 7 with m b for b")
            .shown("gauss_psgd.lemma7", "sampling", {b_1: m * b_1, b_2: m * b_2}),
            line("noises", r**2, "<=", (fresh + c * M**2 * privacy / (b_2**2 * epsilon**2) * drift) / m)
            .says("(108): the variances of the clients' noises, over m")
            .certified(add_up),
        ),
        steps=(
            line("fresh_noise", mean_noise, "=", c * G**2 * privacy / (m * b_1**2 * epsilon**2))
            .says("(107): the mean of m independent noises has a variance m times smaller, r^2 that of one client")
            .because("variances add up; a fresh gradient")
            .identity((1, "mean_noise"), (1 / m, "client_noise")),
            line("means_of_means")
            .says("the mean over clients of means over b samples is a mean over m b independent samples, of laws that may differ")
            .because("each error has mean 0 for its own client")
            .reasoned("Corollary 3 needs no equal laws"),
            line("sampling_of_the_mean", sigma**2, "<=", SAMPLING_SQ / m)
            .says("sigma^2 of the mean is that of Lemma 7 over m", "Lemma 7 with m b for b")
            .by("sampling"),
            line("added", r**2, "<=", ADDED_SQ / m)
            .says("r^2: Lemma 7 over m", "the drift is at most kappa, and delta at most 1")
            .by("noises", (share, Instance("exponential", sp.log(delta)), "below_limit"), (share, "delta < 1", "below_limit")),
        ),
    )
