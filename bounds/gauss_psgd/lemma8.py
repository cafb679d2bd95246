"""How often a fresh gradient is asked for: Lemma 8, along a path without restarts.

Source    Gauss-PSGD, Lemma 8; Appendix C, (92) to (97).
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Derivation
from bounds.gauss_psgd.lemma3 import sq_est
from bounds.gauss_psgd.paper import ASSUMPTION_1, ASSUMPTION_2, SMALL_STEP, letters, proved, stated
from bounds.lines import Reasoned, line
from bounds.meanings import introduce_average
from bounds.symbols import introduce
from bounds.theorem import Part

a_i, a_j, chi, eta, F_first, F_last, F_next, F_now, grad_est, kappa = letters("a_i a_j chi eta F_first F_last F_next F_now grad_est kappa")
M, resets, T, U, err, est, grad = letters("M resets T U err_norm est_norm grad_norm")

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
