"""How much F falls in a round that succeeds: Lemma 4, as far as its proof goes.

Source    Gauss-PSGD, Lemma 4; Appendix B.5, (63) to (72).

Lemma 4 as printed is false: (71) gives R^2/(4 eta Gamma) a factor iota too much. A slope g x_1 with g a little above R/(eta Gamma)
passes the drift test and falls by only 9.6 Phi/iota.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Derivation
from bounds.gauss_psgd import paper
from bounds.gauss_psgd.lemma3 import BY_LEMMA_3, STEP_BELOW_1_OVER_M
from bounds.gauss_psgd.paper import by_block, letters, proved, stated
from bounds.lines import Reasoned, Step, line
from bounds.theorem import Condition, Part

alpha, c, C, change, eta, Gamma, iota, M, moved_sq, mu, Phi, psi, R = letters("alpha c C change eta Gamma iota M moved_sq mu Phi psi R")
rho, s, sum_err, sum_grad, tau = letters("rho s sum_err sum_grad tau")

proved_change = -(R**2) / (4 * eta * Gamma) + c * eta * psi**2 * (Gamma + iota)  # (70)
ENOUGH_DECREASE = Condition(
    sp.Le(proved_change, -Phi), "the proof gives a change of F of at most {value}, not {limit} = -decrease: (71) does not follow"
)
LEMMA_4 = stated(
    "Lemma 4 (decrease by an escape)",
    measure="F(x_{t_0+tau}) - F(x_{t_0})",
    assumptions=(*paper.ASSUMPTION_1, *paper.ORACLE, "a round from x_{t_0} is the radius away after tau <= Gamma steps"),
    **paper.AT_BLOCK,
    bound=-Phi,
    measured=change,
    parts=(
        Part("failure", "probability of the contrary", "<=", 2 * sp.exp(-iota)),
        Part("proof", "what the proof gives, up to (70)", "<=", proved_change),
    ),
    conditions=(paper.STANDING, STEP_BELOW_1_OVER_M, ENOUGH_DECREASE),
    notes=("as printed it is false by a factor iota; the proof does not count a union over tau", paper.GIVEN_MU, paper.ABSOLUTE),
)


def lemma4() -> Derivation:
    """Lemma 3 and Cauchy-Schwarz up to (70); what is left of it is less than (71) says."""
    noise = c * psi**2
    root = sp.sqrt(rho * alpha)
    small = rho * alpha / (M**2 * s * mu**2)
    return proved(
        "lemma4",
        "how much the loss falls in a round that succeeds, as far as the proof goes",
        "Lemma 4, (63) to (70)",
        facts=(
            *paper.PRINTED_LINES,
            paper.ALPHA_SMALL,
            paper.SMALL_STEP_BY_5,
            *of_a_round(),
            line("errors_of_the_round", sum_err, "<=", noise * (tau + iota))
            .says("(65): sum ||nu||^2, with c = 16 times the constant of Lemma 13; for a fixed tau, the paper has no union over tau")
            .cited("Lemmas 10 and 13 of the paper, as in Corollary 2"),
        ),
        steps=(
            *a_round(tau + iota),
            line("change_of_the_round", -change, ">=", R**2 / (4 * eta * Gamma) - eta * noise * (Gamma + iota))
            .says("(69), (70): for tau <= Gamma, the change of F", "both terms are smallest at tau = Gamma")
            .by("change_after_tau", (R**2 / (4 * eta * tau * Gamma), "in_time"), (eta * noise, "in_time")),
            by_block("comparison", "the number that compares iota with Gamma: s eta sqrt(rho alpha)", s * eta * root, small),
            line("two_Gamma", Gamma + iota, "<=", 2 * Gamma)
            .says("so Gamma + iota <= 2 Gamma", "Gamma = iota / (s eta sqrt(rho alpha)), rho alpha <= M^2, s >= 1 and mu >= 1")
            .by(
                (iota * M**2 * mu**2 / (rho * alpha), "s >= 1"),
                (iota * M**2 * (mu + 1) / (rho * alpha), "log_factor >= 1"),
                (iota / alpha, "standing"),
                at=("Gamma", "eta", "iota"),
            ),
            by_block(
                "first_term",
                "the first term of (70): iota^4 where (71) prints iota^3, see printed_71",
                R**2 / (4 * eta * Gamma),
                2 * Phi / iota,
            ),
            by_block("second_term", "the second, with c over 16 C", 2 * eta * noise * Gamma, c / (16 * C) * Phi),
            line("left", -change, ">=", (2 / iota - c / (16 * C)) * Phi)
            .says("which leaves a decrease of (2/iota - c/(16 C)) Phi, not Phi; it is not even positive once iota >= 32 C / c")
            .because("Gamma + iota <= 2 Gamma")
            .by("change_of_the_round", (eta * noise, "two_Gamma"), modulo=((1, "first_term"), (-1, "second_term"))),
        ),
    )


def of_a_round() -> tuple[Step, ...]:
    """Return what is taken about a round that succeeds; `small_step`, and `errors_of_the_round` on its errors, come with the block."""
    succeeds = Reasoned("that is what it is to succeed")
    return (
        BY_LEMMA_3,
        line("moved", moved_sq, "<=", 2 * eta**2 * tau * (sum_grad + sum_err))
        .says("(63), (64): ||x_tau - x_0||^2 <= eta^2 tau sum ||g_hat||^2 <= 2 eta^2 tau (sum ||grad F||^2 + sum ||nu||^2)")
        .reasoned("Cauchy-Schwarz, then ||a + b||^2 <= 2 ||a||^2 + 2 ||b||^2"),
        line("succeeds", moved_sq, ">=", R**2).says("the round ends at the distance R at least").certified(succeeds),
        line("in_time", tau, "<=", Gamma).says("after at most Gamma steps").certified(succeeds),
    )


def a_round(count: sp.Expr) -> tuple[Step, ...]:
    """Return the steps to (68), where the squared errors sum to c psi^2 times this count."""
    return (
        line("gradients", sum_grad, "<=", -2 / eta * change + sum_err)
        .says("(66): Lemma 3 solved for the gradients, summed over the steps", "divide by eta/2")
        .by((2 / eta, "lemma_3")),
        line("covered", moved_sq, "<=", -4 * eta * tau * change + 4 * eta**2 * tau * c * psi**2 * count)
        .says("(67): so the squared distance that the round covers", "(66), (65)")
        .by("moved", (2 * eta**2 * tau, "gradients"), (4 * eta**2 * tau, "errors_of_the_round")),
        line("change_after_tau", -change, ">=", R**2 / (4 * eta * tau) - eta * c * psi**2 * count)
        .says("(68): solved for the change of F", "||x_tau - x_0|| >= R")
        .by((1 / (4 * eta * tau), "covered"), (1 / (4 * eta * tau), "succeeds")),
    )
