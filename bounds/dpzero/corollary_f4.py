"""Corollary F.4: DPZero under the PL inequality, last iterate; error of order r, up to logarithms.

Setting   that of Theorem 3, ||grad F_S(x)||^2 >= 2 mu (F_S(x) - F_S^*) for every x, and |F_S^*| <= B too.
Method    DPZero, as in Theorem 3.
Measure   E F_S(x_T) - F_S^*.
Source    DPZero, Corollary F.4; proof in Appendix F. L_tilde is not that of Theorem 3: L_tilde^2 = 64 L^2 log(X), C = L_tilde / 2.

The ICML text prints the bound with a misplaced parenthesis, in the statement and in the last line of the proof:
(ell gap + log Y) (L^2 + 16 L_tilde^2 kappa) + 2 L^2 rate. The proof gives, and the arXiv text prints,
(ell gap + log Y (L^2 + 16 L_tilde^2 kappa) + 2 L^2) rate. Both are here; only the second is proved.
"""

from dataclasses import replace

import sympy as sp

from bounds.derivation import Derivation
from bounds.dpzero import common, theorem3
from bounds.dpzero.common import PAPER, proved, scheduled
from bounds.dpzero.meanings import OVER_Q, Q_STEP_ABOVE_LEAST
from bounds.dpzero.pl import START, Y_ABOVE_ONE, b_step, contraction_factor, first_term, of_lam_sq, recursion_facts, resolved, x_step
from bounds.dpzero.shared import X_ABOVE_ONE, at_threshold, inverse_of_X, lam_relations, lam_rule, noise_term
from bounds.dpzero.theorem3 import C_0, HYPOTHESES, F_Q_next, F_Q_now, drop_Q, failure, given_Q, grad_sq, largest_alpha, largest_C_0, q
from bounds.lines import line, times
from bounds.symbols import A, B, C, L, L_tilde, Min, T, X, Y, alpha, d, ell, epsilon, gap, kappa, lam, mu, n, r, sigma, symbols
from bounds.theorem import AtIntegerT

D_now, D_next, D_all, D_rest, D_first, D_end, D_last, D_over = symbols("D_now D_next D_all D_rest D_first D_end D_last D_over")
F_first, F_star = symbols("F_first F_star")

rate = r * A / (mu * n**2 * epsilon**2)

# any schedule with alpha <= 1/(4 ell (r + 2)) and C >= C_0 + ell lam d / 2: after T steps
added = alpha / 4 * ell**2 * lam**2 * d**3 + ell / 2 * alpha**2 * r * sigma**2 + (L**2 * d * alpha + 2 * B) * q
noise = 32 * ell * C**2 * alpha * T * r * A / (mu * n**2 * epsilon**2)
clipping = ((2 * L**2 * d + 4 * B / alpha) / mu + 2 * B) * failure
smoothing = ell**2 * lam**2 * d**3 / (2 * mu)
before = sp.exp(-mu * alpha * T / 2) * gap + noise + clipping + smoothing
before_at_threshold = before.xreplace({C_0: L_tilde / (2 * sp.sqrt(2))})  # C = sqrt(2) C_0, as printed

# its best schedule
log_argument = 32 * sp.sqrt(2 * sp.pi) * kappa * n**3 * epsilon**2 * (r + 2) * (d + (8 * ell * (r + 2) + mu) * B / L**2) / (r * A)
log_argument_T = n**2 * epsilon**2 / (kappa * r * A)
best_T = 8 * kappa * (r + 2) * sp.log(Y)
lam_for_clipping = (2 - sp.sqrt(2)) * L_tilde / (2 * ell * d)
lam_for_bias = 2 * L / (ell * d ** sp.Rational(3, 2)) * sp.sqrt(r * A) / (n * epsilon)
bound = (ell * gap + sp.log(Y) * (L**2 + 16 * L_tilde**2 * kappa) + 2 * L**2) * rate
BELOW_TRIVIAL = common.below_trivial_gap(bound)
misprinted = (ell * gap + sp.log(Y)) * (L**2 + 16 * L_tilde**2 * kappa) + 2 * L**2 * rate

THEOREM = scheduled(
    "corollary_f4",
    "Corollary F.4 (DPZero under PL, last iterate)",
    "Corollary F.4, as in the arXiv text",
    method="dpzero",
    assumptions=(*common.ASSUMPTION_3_5, common.ASSUMPTION_F_1, "|F_S(x_t)| <= B for t = 0, ..., T, and |F_S^*| <= B"),
    definitions={"kappa": ell / mu, "X": log_argument, "Y": log_argument_T, "L_tilde": 8 * L * sp.sqrt(sp.log(X))},
    schedule={"alpha": largest_alpha, "T": best_T, "C": L_tilde / 2, "lam": Min(lam_for_clipping, lam_for_bias)},
    bound=bound,
    any_schedule=before.xreplace({C_0: largest_C_0}),
    asks=(mu <= ell,),
    at_integer_T=AtIntegerT(before_at_threshold, trivial=Min(L**2 / (2 * mu), 2 * B), rounding="floor"),
    conditions=(common.LOG_X, *common.UNDER_PL, common.GLOBAL_B, BELOW_TRIVIAL, common.BELOW_WORST_CASE),
    notes=(common.B_IS_GLOBAL, common.PL_IS_VACUOUS),
    measured=D_last,
    in_letters=(
        *(*theorem3.IN_LETTERS, sp.Ge(grad_sq, 2 * mu * D_all), sp.Le(D_over, 2 * B)),
        *lam_relations(lam_for_clipping, lam_for_bias),
    ),
)

AS_PRINTED = replace(
    THEOREM,
    key="dpzero.corollary_f4_as_printed",
    title="Corollary F.4 as printed, with a misplaced parenthesis",
    source=f"{PAPER}, Corollary F.4, as in the ICML text",
    bound=misprinted,
    conditions=tuple(common.below_trivial_gap(misprinted) if one == BELOW_TRIVIAL else one for one in THEOREM.conditions),
    any_schedule=None,
    valid_if=(),
    step_size=None,
    at_integer_T=None,
    notes=(
        "the parenthesis after log(Y) closes too early, so the rate multiplies 2 L^2 only: the proof does not give this, "
        "it does not scale with the loss, and it does not vanish as n grows; dpzero.corollary_f4 is what is proved",
        *THEOREM.notes,
    ),
)

cost = 2 * sp.sqrt(2 * sp.pi) * n * T * ((2 * L**2 * d + 4 * B / alpha) / mu + 2 * B)  # times exp(-C_0^2/(8 L^2)): the clipping term
front = 32 * sp.sqrt(2 * sp.pi) * n * kappa * (r + 2) * sp.log(Y)
summands = ell * gap * rate + L**2 * sp.log(Y) * rate + 16 * L_tilde**2 * kappa * sp.log(Y) * rate + 2 * L**2 * rate


OVER = line("over", D_over, "<=", 2 * B).says("|F_S| <= B and |F_S^*| <= B").assumed()


def proof() -> Derivation:
    """Write the proof out."""
    lemma = "dpzero.theorem3"
    facts = (
        *HYPOTHESES,
        *lam_rule(lam_for_clipping, lam_for_bias),
        line("pl", grad_sq, ">=", 2 * mu * D_all).says("the PL inequality, in expectation").assumed(),
        OVER,
        *X_ABOVE_ONE,
        # what is taken from the proof of Theorem 3
        line("drop_Q", drop_Q, "=", F_Q_now - F_Q_next).says("what a step takes off the loss, given Q").defined(),
        line("given_Q", grad_sq, "<=", given_Q).says("(23) of Theorem 3").shown(lemma, "given_Q"),
        theorem3.LEFT_OF_C,
        line("part_of_C", C_0, ">=", C - ell * lam * d / 2).says("the larger of two numbers").shown(lemma, "part_of_C"),
        line("failure", q, "<=", failure).says("the union bound on P(not Q)").shown(lemma, "failure"),
        *OVER_Q,
        # what D_t is here: E[F_S(x_t) - F_S^* | Q] P(Q)
        line("D_now", D_now, "=", (F_Q_now - F_star) * (1 - q))
        .says("D_t = E[F_S(x_t) - F_S^* | Q] P(Q)")
        .defined(signs=("now_above_least", "q <= 1")),
        line("D_next", D_next, "=", (F_Q_next - F_star) * (1 - q))
        .says("the same after step t")
        .defined(signs=("next_above_least", "q <= 1")),
        line("D_first", D_first, "=", (F_first - F_star) * (1 - q))
        .says("the same at the start")
        .defined(signs=("first_above_least", "q <= 1")),
        *recursion_facts(added, D_end),
        *Q_STEP_ABOVE_LEAST,
        *START,
    )
    steps = (
        # the steps to D_{t+1} <= (1 - x) D_t + b
        line("pl_given_Q", grad_sq, ">=", 2 * mu * D_now)
        .says("the PL inequality gives E ||grad F_S(x_t)||^2 >= 2 mu D_t, the squared norm of the gradient with D_now")
        .because("total probability, and E[F_S(x_t) - F_S^* | not Q] P(not Q) >= 0")
        .by("pl", (2 * mu, D_rest), modulo=((2 * mu, "total_gap"),)),
        line("recursion", D_next, "<=", (1 - x_step) * D_now + b_step)
        .says("(23) of Theorem 3 times alpha/4, where the decrease given Q times P(Q) is D_now - D_next", "with the line before")
        .by(
            *times(alpha / 4, "given_Q", "pl_given_Q"),
            modulo=((1, "D_now"), (-1, "D_next"), (-(1 - q), "drop_Q"), (-D_now, "x_step"), (1, "b_step")),
        ),
        contraction_factor(r + 2, (r + 1,)),
        *resolved(D_end, smoothing + ell * alpha * r * sigma**2 / mu + (2 * L**2 * d + 4 * B / alpha) * q / mu),
        # the steps to the bound before the schedule is chosen
        line("start", D_first, "<=", gap)
        .says("D_0 is at most gap", "F_S(x_0) >= F_S^*")
        .by((q, "first_above_least"), modulo=((1, "gap"), (-1, "D_first"))),
        noise_term(ell * alpha * r * sigma**2 / mu, noise),
        line("for_C_0", D_last, "<=", before)
        .says("the expected loss at the end above the smallest one, for any schedule, in C_0")
        .because("E[F_S(x_T) - F_S^*] = D_T + E[F_S(x_T) - F_S^* | not Q] P(not Q), and P(not Q) is bounded in both clipping terms")
        .by(
            "summed",
            (sp.exp(-x_step * T), "start"),
            (q, "over"),
            ((2 * L**2 * d + 4 * B / alpha) / mu + 2 * B, "failure"),
            at=("x_step",),
            modulo=((-1, "total_last"), (-1, "geometric_sum"), (-1, "noise_term")),
        ),
        line("any_schedule", D_last, "<=", THEOREM.any_schedule)
        .says("the expected loss at the end above the smallest one, for any schedule", "insert C_0")
        .by("for_C_0", at=("C_0",)),
        *at_threshold(1 / (2 * sp.sqrt(2)), 8),
        line("at_threshold", D_last, "<=", before_at_threshold)
        .says("the expected loss at the end above the smallest one at the printed threshold, for any T", "insert the line before")
        .by("for_C_0", (cost, "exponential")),
        # the steps to the printed bound
        *first_term(rate, r + 2),
        *inverse_of_X(8),
        line("clipping_at_schedule", cost / X, "=", L**2 * sp.log(Y) * rate)
        .says("the clipping term with the printed alpha, T and X", "insert them")
        .identity(
            (cost / (T * X), "T"),
            (-front * 8 * (r + 2) * ell * B / (mu * alpha * X), "alpha"),
            (-front * (L**2 * (d + 8 * ell * B * (r + 2) / L**2) + mu * B) / (mu * X * log_argument), "X"),
        ),
        line("noise_at_schedule", noise, "=", 16 * L_tilde**2 * kappa * sp.log(Y) * rate)
        .says("the noise term with the printed alpha, T and C = L_tilde / 2", "insert them")
        .identity(
            (noise / (alpha * T), "alpha_T"),
            (2 / mu * sp.log(Y) * noise / (alpha * T * C**2) * (C + L_tilde / 2), "C"),
            (-16 * L_tilde**2 * sp.log(Y) * rate, "kappa"),
        ),
        line("sum", summands, "=", bound)
        .says("the sum of the terms of gap, clipping, noise and lam, with the parenthesis where the proof puts it", "collect")
        .identity(),
        line("bound", D_last, "<=", bound)
        .says("the expected loss at the end above the smallest one at the printed schedule, for every lam up to the printed one", "the sum")
        .by(
            "any_schedule",
            "first_term",
            *times(cost, "exponential", "one_over_X"),
            (of_lam_sq, "lam_for_bias", lam_for_bias + lam),
            at=("C_0",),
            modulo=times(-1, "clipping_at_schedule", "noise_at_schedule", "sum"),
        ),
    )
    signs = {"T": (Y_ABOVE_ONE.name,), "L_tilde": ("X_larger_than_1",)}
    return proved(THEOREM, "DPZero under the PL inequality", f"{PAPER}, Appendix F", facts, steps, signs=signs)
