"""DP-GD, the first-order baseline: error of order sqrt(r), and of order sqrt(d) without low effective rank.

Setting   Assumption 3.5; with r = d it covers every loss that is Lipschitz, smooth and twice differentiable.
Method    x_{t+1} = x_t - alpha (mean of clip_C(grad f(x_t; xi_i)) + z_t),  z_t ~ N(0, sigma^2 I_d).
Measure   E ||grad F_S(x_tau)||^2, tau uniform on 0, ..., T - 1.
Source    DPZero gives the update (Section 2.1) and the order (Table 1), but no schedule; the schedule, the constants and the proof
          are ours.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Cited, Derivation, Given, Identity, NonNegative, Reasoned, Step, Substitution
from bounds.dpzero.common import ASSUMPTION_3_5, LOG_TERM, ONE_STEP, PAPER, PRIVATE, REAL_T, SIGMA, below_trivial
from bounds.symbols import A, C, L, T, alpha, ell, epsilon, gap, n, r, sigma, symbols, trace
from bounds.theorem import Part, Theorem

F_now, F_next, F_first, F_last, F_star = symbols("F_now F_next F_first F_last F_star")
grad_sq, grad_H, grad_z, G_z, z_H = symbols("grad_sq grad_H grad_z G_z z_H")
T_star, a_T, b_T = symbols("T_star a_T b_T")

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
)

without_moments = -alpha * (grad_sq + grad_z) + alpha**2 / 2 * (grad_H + 2 * G_z + z_H)
one_gradient = 2 / alpha * (F_now - F_next) + ell * alpha * r * sigma**2
rank = (Given(r * ell - trace, "Tr(H) <= r ||H|| <= r ell"), Given(ell * grad_sq - grad_H, "||H|| <= ell"))


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.dp_gd",
        title="DP-GD under Assumption 3.5",
        source="our proof",
        proves="dpzero.dp_gd",
        steps=(
            Step(
                1,
                "nothing is clipped at C >= L, and F_S(x_{t+1}) <= F_S(x_t) + <grad F_S, x_{t+1} - x_t> + (1/2) ||x_{t+1} - x_t||_H^2",
                None,
                "<=",
                None,
                "f(.; xi) is L-Lipschitz; the Hessian of F_S is at most H",
                Cited("Taylor's theorem with Lagrange's remainder"),
            ),
            Step(
                2,
                "with x_{t+1} - x_t = -alpha (grad F_S + z_t) the last two terms are",
                -alpha * grad_sq - alpha * grad_z + alpha**2 / 2 * grad_H + alpha**2 * G_z + alpha**2 / 2 * z_H,
                "=",
                without_moments,
                "multiply out; G_z stands for (grad F_S)' H z here",
                Identity(),
            ),
            Step(
                3,
                "in expectation over z_t",
                without_moments,
                "=",
                -alpha * grad_sq + alpha**2 / 2 * grad_H + alpha**2 * sigma**2 / 2 * trace,
                "z_t is independent of x_t, has mean 0 and E z_t' H z_t = sigma^2 Tr(H)",
                Substitution({grad_z: 0, G_z: 0, z_H: sigma**2 * trace}),
            ),
            Step(
                4,
                "F_S(x_{t+1}) in expectation over the step",
                F_now - alpha * grad_sq + alpha**2 / 2 * grad_H + alpha**2 * sigma**2 / 2 * trace,
                "<=",
                one_step,
                "||H|| <= ell and Tr(H) <= r ell",
                NonNegative(((alpha**2 / 2, ell * grad_sq - grad_H), (alpha**2 * sigma**2 / 2, r * ell - trace)), given=rank),
                ranges={trace: (0, r * ell), grad_H: (0, ell * grad_sq)},
            ),
            Step(
                5,
                "for alpha <= 1/ell the squared gradient norm at x_t is at most",
                grad_sq,
                "<=",
                one_gradient,
                "2/alpha times step 4, and 1 - ell alpha/2 >= 1/2",
                NonNegative(
                    ((2 / alpha, one_step - F_next), (1 - ell * alpha, grad_sq)),
                    given=(Given(one_step - F_next, "step 4"), Given(1 - ell * alpha, "alpha <= 1/ell")),
                ),
                ranges={alpha: (1e-6 / ell, 1 / ell), F_next: (one_step - 10, one_step)},
            ),
            Step(
                6,
                "the noise of Lemma 2.2",
                ell * alpha * r * sigma**2,
                "=",
                32 * ell * C**2 * alpha * T * r * A / (n**2 * epsilon**2),
                "insert sigma",
                Substitution({sigma: SIGMA}),
            ),
            Step(
                7,
                "averaged over t = 0, ..., T - 1 the decreases telescope, and F_S(x_T) >= F_S^*",
                2 * (F_first - F_last) / (alpha * T),
                "<=",
                2 * gap / (alpha * T),
                "gap = F_S(x_0) - F_S^*",
                NonNegative(
                    ((2 / (alpha * T), F_last - F_star),),
                    given=(Given(F_last - F_star, "F_S^* is the smallest value"),),
                    at={gap: F_first - F_star},
                ),
                ranges={F_star: (-1000, F_last)},
            ),
            Step(
                8,
                "the sum at alpha = 1/ell, C = L and T = 1/rate",
                before,
                "=",
                bound,
                "insert the schedule",
                Substitution({alpha: 1 / ell, C: L, T: best_T}),
            ),
        ),
    )


up, down = T - T_star, T_star - T  # how far the ceiling is above T*, and the floor below


def integer_t_proof() -> Derivation:
    """Write out why the better of floor and ceiling of T* keeps the printed bound."""
    return Derivation(
        key="dpzero.integer_t_dp_gd",
        title="the better of floor and ceiling of T* keeps DP-GD",
        source="our proof",
        steps=(
            Step(
                1,
                "the gradients at x_0, ..., x_{T-1} keep their law when z_{T-1} is 0, and the decreases telescope as before",
                None,
                "=",
                None,
                "z_{T-1} enters x_T alone, and F_S(x_T) >= F_S^* with it or without",
                Reasoned("the average is over points that the last update does not reach"),
            ),
            Step(
                2,
                "the noise terms of the proof of DP-GD, step 5, averaged",
                (T - 1) * ell * alpha * r * sigma**2 / T,
                "=",
                32 * ell * C**2 * alpha * (T - 1) * r * A / (n**2 * epsilon**2),
                "T - 1 steps with the noise of Lemma 2.2 for T releases, one without; the decreases telescope as before",
                Substitution({sigma: SIGMA}),
            ),
            Step(
                3,
                "the certified bound at the printed alpha and C is a/T + b (T - 1)",
                kept,
                "=",
                a_T / T + b_T * (T - 1),
                "a = 2 ell gap, b = 32 L^2 / T*^2",
                Substitution({alpha: 1 / ell, C: L, a_T: 2 * ell * gap, b_T: 32 * L**2 * rate**2}),
            ),
            Step(
                4,
                "and the printed one a/T* + b T*",
                bound,
                "=",
                a_T / T_star + b_T * T_star,
                "insert a, b and T*",
                Substitution({T_star: best_T, a_T: 2 * ell * gap, b_T: 32 * L**2 * rate**2}),
            ),
            Step(
                5,
                "T* >= 1, a >= b T*^2, T the ceiling",
                a_T / T + b_T * (T - 1),
                "<=",
                a_T / T_star + b_T * T_star,
                "a/T + b T exceeds a/T* + b T* by at most b (T - T*)^2 / T <= b",
                NonNegative(
                    (
                        (1 / (T * T_star), up, a_T - b_T * T_star**2),
                        (b_T, 1 - up),
                        (b_T, up, 1 - up),
                        (b_T / T, up, up, T - 1),
                    ),
                    given=(
                        Given(up, "ceiling"),
                        Given(1 - up, "ceiling"),
                        Given(a_T - b_T * T_star**2, "this case"),
                        Given(T - 1, "at least one step"),
                    ),
                ),
                ranges={T_star: (1, 1e9), T: (T_star, T_star + 1), a_T: (b_T * T_star**2, 100 * b_T * T_star**2 + 1)},
            ),
            Step(
                6,
                "T* >= 1, a < b T*^2, T the floor",
                a_T / T + b_T * (T - 1),
                "<=",
                a_T / T_star + b_T * T_star,
                "a/T + b T exceeds a/T* + b T* by at most b (T* - T)^2 / T <= b",
                NonNegative(
                    (
                        (1 / (T * T_star), down, b_T * T_star**2 - a_T),
                        (b_T, 1 - down),
                        (b_T, down, 1 - down),
                        (b_T / T, down, down, T - 1),
                    ),
                    given=(
                        Given(down, "floor"),
                        Given(1 - down, "floor"),
                        Given(b_T * T_star**2 - a_T, "this case"),
                        Given(T - 1, "at least one step"),
                    ),
                ),
                ranges={T_star: (T, T + 1), a_T: (0, b_T * T_star**2)},
            ),
            Step(
                7,
                "T* <= 1: T = 1, and the printed bound exceeds L^2",
                a_T / T_star + b_T * T_star,
                ">",
                L**2,
                "b T* = 32 L^2 / T*",
                NonNegative(
                    ((a_T / T_star,), (32 * L**2 / T_star, 1 - T_star), (31 * L**2,)),
                    given=(Given(1 - T_star, "this case"),),
                    at={b_T: 32 * L**2 / T_star**2},
                ),
                ranges={T_star: (1e-6, 1)},
            ),
        ),
    )
