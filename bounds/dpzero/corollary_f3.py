"""Corollary F.3: DPGD-0th under the PL inequality and low effective rank, last iterate; error of order r d^2.

Setting   that of Theorem 2, and ||grad F_S(x)||^2 >= 2 mu (F_S(x) - F_S^*) for every x.
Method    DPGD-0th, as in Theorems 1 and 2.
Measure   E F_S(x_T) - F_S^*.
Source    DPZero, Corollary F.3; proof in Appendix F, whose first line drops the gradient sign in ||grad F_S(x_t)||^2.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import GIVENS, Assumed, Defined, Derivation, Identity, NonNegative, Shown, Step, Substitution, fact, line
from bounds.dpzero.common import (
    ASSUMPTION_3_5,
    ASSUMPTION_F_1,
    GAP_UNDER_PL,
    LOG_TERM,
    LOG_Y,
    ONE_STEP_PL,
    PAPER,
    PL_IS_VACUOUS,
    PRIVATE,
    REAL_T,
    RESOLVED_DOUBLE,
    RESOLVED_SINGLE,
    SIGMA,
    WELL_CONDITIONED,
    below_trivial_gap,
)
from bounds.dpzero.pl import Y_ABOVE_ONE, b_step, contraction_factor, first_term, recursion_facts, resolved, x_step
from bounds.dpzero.shared import IN_NORM_OF_H, IS_LIPSCHITZ, LIPSCHITZ, LOW_RANK, largest_step, smoothing_radius
from bounds.dpzero.theorem2 import F_now, grad_sq, largest_alpha, one_step
from bounds.meanings import FIRST_ABOVE_LEAST, GAP, STEP_ABOVE_LEAST
from bounds.symbols import A, C, L, T, Y, alpha, d, ell, epsilon, gap, kappa, lam, mu, n, r, sigma, symbols
from bounds.theorem import Part, Theorem

F_next, F_first, F_star, D_now, D_next, D_first, D_last = symbols("F_next F_first F_star D_now D_next D_first D_last")

rate = r * d**2 * A / (mu * n**2 * epsilon**2)

# any schedule with alpha <= 1/(4 ell (r + 2)) and C >= L d: after T steps
added = alpha / 4 * ell**2 * lam**2 * d**3 + ell / 2 * alpha**2 * r * sigma**2
noise = 32 * ell * C**2 * alpha * T * r * A / (mu * n**2 * epsilon**2)
before = sp.exp(-mu * alpha * T / 2) * gap + ell**2 * lam**2 * d**3 / (2 * mu) + noise

# its best schedule
log_argument = n**2 * epsilon**2 / (kappa * r * d**2 * A)
best_T = 8 * kappa * (r + 2) * sp.log(Y)
largest_lam = 2 * L / (ell * sp.sqrt(d)) * sp.sqrt(r * A) / (n * epsilon)
bound = (ell * gap + 64 * L**2 * kappa * sp.log(Y) + 2 * L**2) * rate

THEOREM = Theorem(
    key="dpzero.corollary_f3",
    title="Corollary F.3 (DPGD-0th under PL, low effective rank, last iterate)",
    source=f"{PAPER}, Corollary F.3",
    claim="upper",
    measure="E F_S(x_T) - F_S^*",
    method="dpgd_0th",
    assumptions=(*ASSUMPTION_3_5, ASSUMPTION_F_1),
    definitions={"A": LOG_TERM, "kappa": ell / mu, "Y": log_argument},
    schedule={"alpha": largest_alpha, "T": best_T, "C": L * d, "lam": largest_lam, "sigma": SIGMA},
    bound=bound,
    any_schedule=before,
    valid_if=(alpha <= largest_alpha, sp.Ge(C, L * d), mu <= ell),
    parts=(Part("count", "two-point gradients n T", "=", n * T),),
    conditions=(
        PRIVATE,
        LOG_Y,
        ONE_STEP_PL,
        WELL_CONDITIONED,
        GAP_UNDER_PL,
        below_trivial_gap(bound),
        RESOLVED_SINGLE,
        RESOLVED_DOUBLE,
    ),
    notes=(REAL_T, PL_IS_VACUOUS),
    measured=D_last,
    in_letters=(LIPSCHITZ, *LOW_RANK, sp.Ge(grad_sq, 2 * mu * D_now)),
)

lam_term = ell**2 * lam**2 * d**3 / (2 * mu)


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.corollary_f3",
        title="DPGD-0th under the PL inequality and low effective rank",
        source=f"{PAPER}, Appendix F",
        proves=THEOREM,
        signs={"T": (Y_ABOVE_ONE.name,)},
        facts=(
            IS_LIPSCHITZ,
            fact("threshold", "C >= L d", C, ">=", L * d, Assumed()),
            *IN_NORM_OF_H,
            largest_step(largest_alpha),
            smoothing_radius(largest_lam),
            fact("pl", "the PL inequality, in expectation", grad_sq, ">=", 2 * mu * D_now, Assumed()),
            fact("one_step", "(15) of Theorem 2", F_next, "<=", one_step, Shown("dpzero.theorem2", "one_step")),
            fact("D_now", "D_t is how far the loss is above F_S^*", D_now, "=", F_now - F_star, Defined(signs=("now_above_least",))),
            fact("D_next", "the same after step t", D_next, "=", F_next - F_star, Defined(signs=("next_above_least",))),
            fact("D_first", "the same at the start", D_first, "=", F_first - F_star, Defined(signs=("first_above_least",))),
            *recursion_facts(added, D_last),
            *STEP_ABOVE_LEAST,
            FIRST_ABOVE_LEAST,
            Y_ABOVE_ONE,
            GAP,
        ),
        steps=(*_recursion(), *resolved(D_last, lam_term + ell * alpha * r * sigma**2 / mu), *_any_schedule(), *_printed_schedule()),
    )


def _recursion() -> tuple[Step, ...]:
    """Return the steps to D_{t+1} <= (1 - x) D_t + b."""
    return (
        line(
            "decrease",
            "(15) of Theorem 2 for alpha <= 1/(4 ell (r + 2)): F_next in F_now and the squared norm of the gradient",
            F_next,
            "<=",
            F_now - alpha / 4 * grad_sq + added,
            "(d + 2 r ell alpha)/8 <= d/4",
            NonNegative(
                (
                    ("one_step",),
                    (alpha * ell**2 * lam**2 * d**2 / 8, "d >= 1"),
                    (alpha * ell**2 * lam**2 * d**2 / 8 * (r + 4) / (2 * (r + 2)),),
                    (alpha * ell * (r + 2) * grad_sq + alpha * ell**3 * lam**2 * d**2 * r / 4, "step_size"),
                )
            ),
            where=GIVENS,
        ),
        line(
            "recursion",
            "the PL inequality turns the gradient into a contraction: D_next in D_now",
            D_next,
            "<=",
            (1 - x_step) * D_now + b_step,
            "||grad F_S||^2 >= 2 mu (F_S - F_S^*)",
            NonNegative(
                (("decrease",), (alpha / 4, "pl")),
                modulo=((1, "D_now"), (-1, "D_next"), (-D_now, "x_step"), (1, "b_step")),
            ),
            where=GIVENS,
        ),
        contraction_factor(r + 2, (r + 1,)),
    )


def _any_schedule() -> tuple[Step, ...]:
    """Return the steps to the bound before the schedule is chosen."""
    return (
        line("start", "D_0 is gap", D_first, "<=", gap, "the start", NonNegative((), modulo=((1, "gap"), (-1, "D_first"))), where=GIVENS),
        line(
            "noise_term",
            "the noise that the schedule prescribes, sigma inserted",
            ell * alpha * r * sigma**2 / mu,
            "=",
            noise,
            "insert sigma",
            Substitution(("sigma",)),
        ),
        line(
            "any_schedule",
            "the expected loss at the end above the smallest one, for any schedule",
            D_last,
            "<=",
            before,
            "x = mu alpha / 2",
            NonNegative(
                (("summed",), (sp.exp(-x_step * T), "start")),
                at=("x_step",),
                modulo=((-1, "geometric_sum"), (-1, "noise_term")),
            ),
            where=GIVENS,
        ),
    )


def _printed_schedule() -> tuple[Step, ...]:
    """Return the steps to the printed bound."""
    return (
        *first_term(rate, r + 2),
        line(
            "noise_at_schedule",
            "the noise term with the printed alpha, T and C",
            noise,
            "=",
            64 * L**2 * kappa * sp.log(Y) * rate,
            "insert them",
            Identity(
                modulo=(
                    (noise / (alpha * T), "alpha_T"),
                    (2 / mu * sp.log(Y) * noise / (alpha * T * C**2) * (C + L * d), "C"),
                    (-64 * L**2 * sp.log(Y) * rate, "kappa"),
                )
            ),
            where=GIVENS,
        ),
        line(
            "bound",
            "the sum: the expected loss at the end above the smallest one at the printed schedule, for every lam up to the printed one",
            D_last,
            "<=",
            bound,
            "the paper writes an equality, true when lam is at its largest",
            NonNegative(
                (("any_schedule",), ("first_term",), (ell**2 * d**3 / (2 * mu), "smoothing_radius", largest_lam + lam)),
                modulo=((-1, "noise_at_schedule"),),
            ),
            where=GIVENS,
        ),
    )
