"""DP-GD, the first-order baseline: error of order sqrt(r), and of order sqrt(d) without low effective rank.

Setting   Assumption 3.5; with r = d it covers every loss that is Lipschitz, smooth and twice differentiable.
Method    x_{t+1} = x_t - alpha (mean of clip_C(grad f(x_t; xi_i)) + z_t),  z_t ~ N(0, sigma^2 I_d).
Measure   E ||grad F_S(x_tau)||^2, tau uniform on 0, ..., T - 1.
Source    DPZero gives the update (Section 2.1) and the order (Table 1), but no schedule; the schedule, the constants and the proof
          are ours.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import (
    GIVENS,
    Assumed,
    Case,
    Cited,
    Defined,
    Derivation,
    NonNegative,
    Reasoned,
    Shown,
    Step,
    Substitution,
    fact,
    line,
)
from bounds.dpzero.common import ASSUMPTION_3_5, LOG_TERM, ONE_STEP, PAPER, PRIVATE, REAL_T, SIGMA, below_trivial
from bounds.dpzero.shared import CEILING, FLOOR, IN_NORM_OF_H, LOW_RANK, NOISE_IN_NORM_OF_H, averaged, largest_step
from bounds.meanings import GAP, LAST_ABOVE_LEAST
from bounds.symbols import A, C, L, Letter, T, alpha, ell, epsilon, gap, introduce, n, r, sigma, symbols, trace
from bounds.theorem import Part, Theorem

F_now, F_next, F_first, F_last, mean_grad_sq = symbols("F_now F_next F_first F_last mean_grad_sq")
grad_sq, grad_H, grad_z, z_H, T_star, a_T, b_T = symbols("grad_sq grad_H grad_z z_H T_star a_T b_T")
grad_Hz = introduce(Letter("grad_Hz", r"\langle\nabla F_S,Hz_t\rangle", "inner product of gradient and H z", -1e6, 1e6, "step"))
sample_grad = introduce(Letter("sample_grad", r"\|\nabla f(x_t;\xi_i)\|", "length of the gradient of a sample", 0, 1e6, "proof"))

rate = sp.sqrt(r * A) / (n * epsilon)

# lemma: one step, for every step size
one_step = F_now - alpha * (1 - ell * alpha / 2) * grad_sq + ell * alpha**2 * r * sigma**2 / 2

# any schedule with alpha <= 1/ell and C >= L: the average over T steps
before = 2 * gap / (alpha * T) + 32 * ell * C**2 * alpha * T * r * A / (n**2 * epsilon**2)

# the same with what is left: x_tau never uses the update of step T - 1, so only T - 1 of the T noises count
kept = 2 * gap / (alpha * T) + 32 * ell * C**2 * alpha * (T - 1) * r * A / (n**2 * epsilon**2)

best_T = 1 / rate
bound = (2 * ell * gap + 32 * L**2) * rate

THEOREM = Theorem(
    key="dpzero.dp_gd",
    title="DP-GD (first-order baseline)",
    source=f"{PAPER}, Section 2.1 and Table 1; schedule and constants ours",
    claim="upper",
    measure="E ||grad F_S(x_tau)||^2",
    method="dp_gd",
    assumptions=ASSUMPTION_3_5,
    definitions={"A": LOG_TERM},
    schedule={"alpha": 1 / ell, "T": best_T, "C": L, "sigma": SIGMA},
    bound=bound,
    any_schedule=before,
    valid_if=(alpha <= 1 / ell, sp.Ge(C, L)),
    parts=(Part("count", "gradients n T", "=", n * T),),
    conditions=(PRIVATE, ONE_STEP, below_trivial(bound)),
    notes=(REAL_T,),
    measured=mean_grad_sq,
    in_letters=(sp.Le(sample_grad, L), *LOW_RANK),
)

per_step = 2 / alpha * (F_now - F_next) + ell * alpha * r * sigma**2
per_run = per_step - 2 / alpha * (F_now - F_next) + 2 / (alpha * T) * (F_first - F_last)
HYPOTHESES = (  # of the theorem, in the letters of the proofs
    fact("lipschitz", "f(.; xi) is L-Lipschitz, so its gradient is no longer than L", sample_grad, "<=", L, Assumed()),
    *IN_NORM_OF_H,
)


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.dp_gd",
        title="DP-GD under Assumption 3.5",
        source="our proof",
        proves=THEOREM,
        facts=(
            *HYPOTHESES,
            fact("threshold", "C >= L", C, ">=", L, Assumed()),
            largest_step(1 / ell),
            fact(
                "taylor",
                "along x_{t+1} - x_t = -alpha (grad F_S + z_t), which nothing clips; the Hessian of F_S is at most H",
                F_next,
                "<=",
                F_now - alpha * (grad_sq + grad_z) + alpha**2 / 2 * (grad_H + 2 * grad_Hz + z_H),
                Cited("Taylor's theorem with Lagrange's remainder", using=("never_clipped",)),
            ),
            NOISE_IN_NORM_OF_H[0],
            fact("noise_and_step", "z_t is independent of x_t", grad_Hz, "=", 0, Reasoned("E z_t = 0 given the past")),
            NOISE_IN_NORM_OF_H[2],
            LAST_ABOVE_LEAST,
            GAP,
        ),
        steps=(*_one_step(), *_any_schedule(), *_our_schedule()),
    )


def _one_step() -> tuple[Step, ...]:
    """Return the steps to the lemma and to what it says of one gradient."""
    return (
        line(
            "never_clipped",
            "nothing is clipped: the length of the gradient of a sample is at most C",
            sample_grad,
            "<=",
            C,
            "||grad f(x; xi)|| <= L",
            NonNegative((("lipschitz",), ("threshold",))),
            where=GIVENS,
        ),
        line(
            "noise_averaged",
            "the loss F_next in expectation over z_t",
            F_next,
            "<=",
            F_now - alpha * grad_sq + alpha**2 / 2 * grad_H + alpha**2 * sigma**2 / 2 * trace,
            "Taylor's theorem, with the moments of the noise",
            NonNegative(
                (("taylor",),),
                modulo=(
                    (alpha, "noise_and_gradient"),
                    (-(alpha**2), "noise_and_step"),
                    (-(alpha**2) / 2, "noise_length"),
                ),
            ),
            where=GIVENS,
        ),
        line(
            "one_step",
            "F_S(x_{t+1}) in expectation over the step, in F_now and the squared norm of the gradient",
            F_next,
            "<=",
            one_step,
            "||H|| <= ell and Tr(H) <= r ell",
            NonNegative((("noise_averaged",), (alpha**2 / 2, "largest_eigenvalue"), (alpha**2 * sigma**2 / 2, "effective_rank"))),
            where=GIVENS,
        ),
        line(
            "per_step",
            "for alpha <= 1/ell the squared norm of the gradient at x_t is at most",
            grad_sq,
            "<=",
            per_step,
            "2/alpha times the line before, and 1 - ell alpha/2 >= 1/2",
            NonNegative(((2 / alpha, "one_step"), (ell * grad_sq, "step_size"))),
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
            ell * alpha * r * sigma**2,
            "=",
            32 * ell * C**2 * alpha * T * r * A / (n**2 * epsilon**2),
            "insert sigma",
            Substitution(("sigma",)),
        ),
        line(
            "any_schedule",
            "the average of the squared gradient norms for any schedule",
            mean_grad_sq,
            "<=",
            before,
            "F_S(x_T) >= F_S^*",
            NonNegative((("averaged",), (2 / (alpha * T), "last_above_least")), modulo=((2 / (alpha * T), "gap"), (-1, "noise_term"))),
            where=GIVENS,
        ),
    )


def _our_schedule() -> tuple[Step, ...]:
    """Return the steps to the bound at alpha = 1/ell, C = L and T = 1/rate."""
    return (
        line(
            "sum",
            "the sum at alpha = 1/ell, C = L and T = 1/rate",
            before,
            "=",
            bound,
            "insert the schedule",
            Substitution(("alpha", "T", "C")),
        ),
        line(
            "bound",
            "so the average of the squared gradient norms at that schedule is at most",
            mean_grad_sq,
            "<=",
            bound,
            "the last two lines",
            NonNegative((("any_schedule",),), modulo=((-1, "sum"),)),
            where=GIVENS,
        ),
    )


certified, printed = a_T / T + b_T * (T - 1), a_T / T_star + b_T * T_star


def integer_t_proof() -> Derivation:
    """Write out why the better of floor and ceiling of T* keeps the printed bound."""
    return Derivation(
        key="dpzero.integer_t_dp_gd",
        title="the better of floor and ceiling of T* keeps DP-GD",
        source="our proof",
        facts=(
            *HYPOTHESES,
            fact("alpha", "the step size of the schedule", alpha, "=", 1 / ell, Defined()),
            fact("C", "the threshold of the schedule", C, "=", L, Defined()),
            fact("sigma", "the noise of Lemma 2.2 for T releases", sigma, "=", SIGMA, Defined()),
            fact("T_star", "the T of the schedule", T_star, "=", best_T, Defined()),
            fact("a_T", "what is divided by T", a_T, "=", 2 * ell * gap, Defined()),
            fact("b_T", "what is multiplied by T", b_T, "=", 32 * L**2 / T_star**2, Defined()),
            fact(
                "per_step",
                "the squared norm of a gradient, as in the proof of DP-GD",
                grad_sq,
                "<=",
                per_step,
                Shown("dpzero.dp_gd", "per_step", meets={"threshold": "threshold", "step_size": "step_size"}),
            ),
            fact(
                "averaged",
                "z_{T-1} enters x_T alone: x_0, ..., x_{T-1} keep their law when it is 0, and the decreases telescope as before",
                mean_grad_sq,
                "<=",
                2 / (alpha * T) * (F_first - F_last) + (T - 1) * ell * alpha * r * sigma**2 / T,
                Reasoned("the average is over points that the last update does not reach", using=("per_step",)),
            ),
            LAST_ABOVE_LEAST,
            GAP,
            *CEILING,
            *FLOOR,
            fact("first_larger", "the first term is the larger one at T*", a_T, ">=", b_T * T_star**2, Case()),
            fact("first_smaller", "the first term is the smaller one at T*", a_T, "<=", b_T * T_star**2, Case()),
            fact("no_step", "no step is prescribed", T_star, "<=", 1, Case()),
        ),
        steps=(*_certified(), *_rounded()),
    )


def _certified() -> tuple[Step, ...]:
    """Return the steps to the certified bound and the printed one, as a/T + b (T - 1) and a/T* + b T*."""
    return (
        line("step_size", "the schedule has the largest alpha", alpha, "<=", 1 / ell, "it is that", Substitution(("alpha",))),
        line("threshold", "the schedule has the least C", C, ">=", L, "it is that", Substitution(("C",))),
        line(
            "noise_term",
            "the noise terms of T - 1 steps with the sigma for T releases, averaged",
            (T - 1) * ell * alpha * r * sigma**2 / T,
            "=",
            32 * ell * C**2 * alpha * (T - 1) * r * A / (n**2 * epsilon**2),
            "insert sigma",
            Substitution(("sigma",)),
        ),
        line(
            "kept",
            "the average of the squared gradient norms, with one noise less than steps",
            mean_grad_sq,
            "<=",
            kept,
            "F_S(x_T) >= F_S^*",
            NonNegative((("averaged",), (2 / (alpha * T), "last_above_least")), modulo=((2 / (alpha * T), "gap"), (-1, "noise_term"))),
            where=GIVENS,
        ),
        line(
            "certified",
            "that is a/T + b (T - 1) at the printed alpha and C, with a_T = 2 ell gap and b_T = 32 L^2 / T*^2",
            kept,
            "=",
            certified,
            "insert alpha, C, T*, a and b",
            Substitution(("alpha", "C", "T_star", "a_T", "b_T")),
        ),
        line(
            "printed",
            "and the printed bound is a/T* + b T*, with the same a_T and b_T",
            bound,
            "=",
            printed,
            "insert T*, a and b",
            Substitution(("T_star", "a_T", "b_T")),
        ),
    )


def _rounded() -> tuple[Step, ...]:
    """Return the three cases."""
    up, down = T - T_star, T_star - T  # how far the ceiling is above T*, and the floor below
    return (
        line(
            "up",
            "a >= b T*^2, T the ceiling: a_T/T + b_T (T - 1) is at most a_T/T* + b_T T*",
            certified,
            "<=",
            printed,
            "a/T + b T exceeds a/T* + b T* by at most b (T - T*)^2 / T <= b",
            NonNegative(
                (
                    (1 / (T * T_star), "ceiling", "first_larger"),
                    (b_T, "ceiling_below"),
                    (b_T, "ceiling", "ceiling_below"),
                    (b_T / T, up**2, "T >= 1"),
                )
            ),
            where=GIVENS,
        ),
        line(
            "at_ceiling",
            "so the average of the squared gradient norms is at most the printed bound",
            mean_grad_sq,
            "<=",
            bound,
            "the certified bound is at most the printed one",
            NonNegative((("kept",), ("up",)), modulo=((-1, "certified"), (1, "printed"))),
            where=GIVENS,
        ),
        line(
            "down",
            "a <= b T*^2, T the floor: a_T/T + b_T (T - 1) is at most a_T/T* + b_T T*",
            certified,
            "<=",
            printed,
            "a/T + b T exceeds a/T* + b T* by at most b (T* - T)^2 / T <= b",
            NonNegative(
                (
                    (1 / (T * T_star), "floor", "first_smaller"),
                    (b_T, "floor_above"),
                    (b_T, "floor", "floor_above"),
                    (b_T / T, down**2, "T >= 1"),
                )
            ),
            where=GIVENS,
        ),
        line(
            "at_floor",
            "so the average of the squared gradient norms is at most the printed bound",
            mean_grad_sq,
            "<=",
            bound,
            "the certified bound is at most the printed one",
            NonNegative((("kept",), ("down",)), modulo=((-1, "certified"), (1, "printed"))),
            where=GIVENS,
        ),
        line(
            "no_step_taken",
            "T* <= 1: T = 1, and the printed bound exceeds L^2",
            bound,
            ">",
            L**2,
            "b T* = 32 L^2 / T*",
            NonNegative(
                ((a_T / T_star,), (32 * L**2 / T_star, "no_step"), (31 * L**2,)),
                modulo=((1, "printed"), (T_star, "b_T")),
            ),
            where=GIVENS,
        ),
    )
