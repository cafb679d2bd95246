"""Theorem 1: DPGD-0th, a private two-point method with noise in every coordinate; error of order d^(3/2).

Setting   f(.; xi) L-Lipschitz for every xi, F_S ell-smooth, gap = F_S(x_0) - F_S^* finite (Assumption 3.1).
Method    x_{t+1} = x_t - alpha (mean of clip_C(g_i) + z_t),  g_i two-point gradient along u_t,  z_t ~ N(0, sigma^2 I_d).
Measure   E ||grad F_S(x_tau)||^2, tau uniform on 0, ..., T - 1: the points where gradients were taken.
Source    DPZero, Theorem 1, equations (3) and (12); proof in Appendix D.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import GIVENS, Cited, Derivation, NonNegative, Step, Substitution, fact, line
from bounds.dpzero.common import (
    ASSUMPTION_3_1,
    LOG_TERM,
    ONE_STEP,
    PAPER,
    PRIVATE,
    REAL_T,
    RESOLVED_DOUBLE,
    RESOLVED_SINGLE,
    SIGMA,
    below_trivial,
)
from bounds.dpzero.shared import (
    BIASED,
    LIPSCHITZ,
    NEVER_CLIPS,
    NOISE,
    POLARISED,
    SECOND_MOMENT,
    averaged,
    largest_step,
    never_clipped,
    smoothing_radius,
)
from bounds.meanings import GAP, LAST_ABOVE_LEAST
from bounds.symbols import A, C, L, T, alpha, d, ell, epsilon, gap, lam, n, sigma, symbols
from bounds.theorem import Part, Theorem

F_now, F_next, F_first, F_last, mean_grad_sq = symbols("F_now F_next F_first F_last mean_grad_sq")
grad_sq, smooth_sq, G_sq, z_sq, grad_G, grad_z, G_z = symbols("grad_sq smooth_sq G_sq z_sq grad_G grad_z G_z")

rate = sp.sqrt(d * A) / (n * epsilon)

# lemma: one step, for every step size (equation (12))
one_step = F_now - alpha / 2 * (1 - 2 * d * ell * alpha) * grad_sq + ell**2 / 8 * alpha * (1 + 2 * ell * alpha) * lam**2 * d**3
one_step += ell / 2 * alpha**2 * d * sigma**2

# any schedule with alpha <= 1/(4 ell d) and C >= L d: the average over T steps, with what is left of the lam term and without
noise = 64 * ell * C**2 * alpha * T * d * A / (n**2 * epsilon**2)
kept = 4 * gap / (alpha * T) + (1 + 2 * ell * alpha) / 2 * ell**2 * lam**2 * d**3 + noise
before = 4 * gap / (alpha * T) + ell**2 * lam**2 * d**3 + noise

# its best schedule
largest_alpha = 1 / (4 * ell * d)
best_T = n * epsilon / sp.sqrt(d * A)
largest_lam = 4 * L / (ell * d) * sp.sqrt(rate)
bound = 16 * (ell * gap + 2 * L**2) * d * rate

THEOREM = Theorem(
    key="dpzero.theorem1",
    title="Theorem 1 (DPGD-0th)",
    source=f"{PAPER}, Theorem 1, equation (3)",
    claim="upper",
    measure="E ||grad F_S(x_tau)||^2",
    method="dpgd_0th",
    assumptions=ASSUMPTION_3_1,
    definitions={"A": LOG_TERM},
    schedule={"alpha": largest_alpha, "T": best_T, "C": L * d, "lam": largest_lam, "sigma": SIGMA},
    bound=bound,
    any_schedule=before,
    valid_if=(alpha <= largest_alpha, sp.Ge(C, L * d)),
    parts=(Part("count", "two-point gradients n T", "=", n * T),),
    conditions=(PRIVATE, ONE_STEP, below_trivial(bound), RESOLVED_SINGLE, RESOLVED_DOUBLE),
    notes=(REAL_T,),
    measured=mean_grad_sq,
    in_letters=(LIPSCHITZ,),
)

per_step = 4 / alpha * (F_now - F_next) + (1 + 2 * ell * alpha) / 2 * ell**2 * lam**2 * d**3 + 2 * ell * alpha * d * sigma**2
per_run = per_step - 4 / alpha * (F_now - F_next) + 4 / (alpha * T) * (F_first - F_last)


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.theorem1",
        title="DPGD-0th under Assumption 3.1",
        source=f"{PAPER}, Appendix D",
        proves=THEOREM,
        facts=(
            *NEVER_CLIPS,
            largest_step(largest_alpha),
            smoothing_radius(largest_lam),
            fact(
                "descent",
                "the descent lemma along x_{t+1} - x_t = -alpha (G + z_t), which nothing clips",
                F_next,
                "<=",
                F_now - alpha * (grad_G + grad_z) + ell / 2 * alpha**2 * (G_sq + 2 * G_z + z_sq),
                Cited("Nesterov (2018), Lectures on Convex Optimization, Lemma 1.2.3", using=("never_clipped",)),
            ),
            *NOISE,
            POLARISED,
            BIASED,
            SECOND_MOMENT,
            LAST_ABOVE_LEAST,
            GAP,
        ),
        steps=(never_clipped(), *_one_step(), *_any_schedule(), *_printed_schedule()),
    )


def _one_step() -> tuple[Step, ...]:
    """Return the steps to (12) and to what it says of one gradient."""
    return (
        line(
            "noise_averaged",
            "the loss F_next in expectation over z_t",
            F_next,
            "<=",
            F_now - alpha * grad_G + ell / 2 * alpha**2 * (G_sq + d * sigma**2),
            "the descent lemma, with the moments of the noise",
            NonNegative(
                (("descent",),),
                modulo=(
                    (alpha, "noise_and_gradient"),
                    (-ell * alpha**2, "noise_and_step"),
                    (-ell / 2 * alpha**2, "noise_length"),
                ),
            ),
            where=GIVENS,
        ),
        line(
            "one_step",
            "(12): F_S(x_{t+1}) in expectation over the step, in F_now and the squared norm of the gradient",
            F_next,
            "<=",
            one_step,
            "polarisation; drop the smoothed gradient, insert Lemma C.2 (ii) twice",
            NonNegative(
                (("noise_averaged",), (alpha / 2, smooth_sq), (alpha / 2, "bias"), (ell / 2 * alpha**2, "second_moment")),
                modulo=((alpha, "polarised"),),
            ),
            where=GIVENS,
        ),
        line(
            "per_step",
            "so the squared norm of the gradient at x_t is at most",
            grad_sq,
            "<=",
            per_step,
            "4/alpha times (12); alpha <= 1/(4 ell d) leaves at least half of the gradient term",
            NonNegative(((4 / alpha, "one_step"), (4 * d * ell * grad_sq, "step_size"))),
            where=GIVENS,
        ),
    )


def _any_schedule() -> tuple[Step, ...]:
    """Return the steps to the bound before the schedule is chosen."""
    return (
        averaged("per_step", per_run),
        line(
            "noise_term",
            "the noise that the schedule prescribes, sigma inserted",
            2 * ell * alpha * d * sigma**2,
            "=",
            noise,
            "insert sigma",
            Substitution(("sigma",)),
        ),
        line(
            "kept",
            "the average of the squared gradient norms for any schedule, with what is left of the lam term",
            mean_grad_sq,
            "<=",
            kept,
            "F_S(x_T) >= F_S^*",
            NonNegative((("averaged",), (4 / (alpha * T), "last_above_least")), modulo=((4 / (alpha * T), "gap"), (-1, "noise_term"))),
            where=GIVENS,
        ),
        line(
            "quarter",
            "alpha and d leave at least a quarter of the lam term unused",
            (1 + 2 * ell * alpha) / 2,
            "<=",
            sp.Rational(3, 4),
            "2 ell alpha <= 1/(2 d) <= 1/2",
            NonNegative(((ell, "step_size"), (1 / (4 * d), "d >= 1"))),
            where=GIVENS,
        ),
        line(
            "any_schedule",
            "the average of the squared gradient norms for any schedule",
            mean_grad_sq,
            "<=",
            before,
            "with the whole lam term",
            NonNegative((("kept",), (ell**2 * lam**2 * d**3, "quarter"), (ell**2 * lam**2 * d**3 / 4,))),
            where=GIVENS,
        ),
    )


def _printed_schedule() -> tuple[Step, ...]:
    """Return the steps to (3)."""
    return (
        line(
            "first_term",
            "the term of gap, with the printed alpha and T",
            4 * gap / (alpha * T),
            "=",
            16 * ell * gap * d * rate,
            "alpha T = 1/(4 ell d rate)",
            Substitution(("alpha", "T")),
        ),
        line(
            "noise_at_schedule",
            "the noise term with the printed alpha, T and C",
            noise,
            "=",
            16 * L**2 * d * rate,
            "insert them",
            Substitution(("alpha", "T", "C")),
        ),
        line(
            "bound",
            "(3): the average of the squared gradient norms at the printed schedule, for every lam up to the printed one",
            mean_grad_sq,
            "<=",
            bound,
            "the sum of the three terms",
            NonNegative(
                (("any_schedule",), (ell**2 * d**3, "smoothing_radius", largest_lam + lam)),
                modulo=((-1, "first_term"), (-1, "noise_at_schedule")),
            ),
            where=GIVENS,
        ),
    )
