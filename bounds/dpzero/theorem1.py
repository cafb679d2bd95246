"""Theorem 1: DPGD-0th, a private two-point method with noise in every coordinate; error of order d^(3/2).

Setting   f(.; xi) L-Lipschitz for every xi, F_S ell-smooth, gap = F_S(x_0) - F_S^* finite (Assumption 3.1).
Method    x_{t+1} = x_t - alpha (mean of clip_C(g_i) + z_t),  g_i two-point gradient along u_t,  z_t ~ N(0, sigma^2 I_d).
Measure   E ||grad F_S(x_tau)||^2, tau uniform on 0, ..., T - 1: the points where gradients were taken.
Source    DPZero, Theorem 1, equations (3) and (12); proof in Appendix D.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Cited, Derivation, Given, Identity, NonNegative, Step, Substitution
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
    half_is_left,
    never_clipped,
    shorter,
)
from bounds.dpzero.smoothing import BIAS, second_moment
from bounds.symbols import A, C, L, T, alpha, d, ell, epsilon, gap, lam, n, sigma, symbols
from bounds.theorem import Part, Theorem

F_now, F_next, F_first, F_last, F_star = symbols("F_now F_next F_first F_last F_star")
grad_sq, smooth_sq, grad_smooth, bias_sq, G_sq, z_sq = symbols("grad_sq smooth_sq grad_smooth bias_sq G_sq z_sq")
grad_G, grad_z, G_z = symbols("grad_G grad_z G_z")

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
)

without_moments = -alpha * (grad_G + grad_z) + ell / 2 * alpha**2 * (G_sq + 2 * G_z + z_sq)
one_gradient = 4 / alpha * (F_now - F_next) + (1 + 2 * ell * alpha) / 2 * ell**2 * lam**2 * d**3 + 2 * ell * alpha * d * sigma**2
below, ALPHA_RULE, any_alpha = shorter(largest_alpha)


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.theorem1",
        title="DPGD-0th under Assumption 3.1",
        source=f"{PAPER}, Appendix D",
        proves="dpzero.theorem1",
        steps=(
            never_clipped(
                "nothing is clipped: ||g_i|| <= L ||2 lam u_t|| / (2 lam) ||u_t|| = L d <= C, so x_{t+1} = x_t - alpha (G + z_t)"
            ),
            Step(
                2,
                "F_S(x_{t+1}) <= F_S(x_t) + <grad F_S(x_t), x_{t+1} - x_t> + (ell/2) ||x_{t+1} - x_t||^2",
                None,
                "<=",
                None,
                "F_S is ell-smooth",
                Cited("the descent lemma, Nesterov (2018), Lectures on Convex Optimization, Lemma 1.2.3"),
            ),
            Step(
                3,
                "with x_{t+1} - x_t = -alpha (G + z_t) the last two terms are",
                -alpha * grad_G - alpha * grad_z + ell / 2 * alpha**2 * G_sq + ell * alpha**2 * G_z + ell / 2 * alpha**2 * z_sq,
                "=",
                without_moments,
                "multiply out",
                Identity(),
            ),
            Step(
                4,
                "in expectation over z_t",
                without_moments,
                "=",
                -alpha * grad_G + ell / 2 * alpha**2 * G_sq + ell / 2 * alpha**2 * d * sigma**2,
                "z_t is independent of x_t and u_t, has mean 0 and E ||z_t||^2 = d sigma^2",
                Substitution({grad_z: 0, G_z: 0, z_sq: d * sigma**2}),
            ),
            Step(
                5,
                "in expectation over u_t, E G = grad F_lam; polarisation",
                -alpha * grad_G,
                "=",
                -alpha / 2 * grad_sq - alpha / 2 * smooth_sq + alpha / 2 * bias_sq,
                "Lemma C.2 (i), and ||a - b||^2 = ||a||^2 + ||b||^2 - 2 a'b",
                Substitution({grad_G: grad_smooth, bias_sq: grad_sq + smooth_sq - 2 * grad_smooth}),
            ),
            Step(
                6,
                "equation (12): F_S(x_{t+1}) in expectation over the step",
                F_now - alpha / 2 * grad_sq - alpha / 2 * smooth_sq + alpha / 2 * bias_sq + ell / 2 * alpha**2 * (G_sq + d * sigma**2),
                "<=",
                one_step,
                "drop the smoothed gradient, insert Lemma C.2 (ii) twice",
                NonNegative(
                    (
                        (alpha / 2, smooth_sq),
                        (alpha / 2, BIAS**2 - bias_sq),
                        (ell / 2 * alpha**2, second_moment(grad_sq) - G_sq),
                    ),
                    given=(
                        Given(BIAS**2 - bias_sq, "bias of Lemma C.2 (ii)"),
                        Given(second_moment(grad_sq) - G_sq, "second moment of Lemma C.2 (ii)"),
                    ),
                ),
                ranges={bias_sq: (0, BIAS**2), G_sq: (0, second_moment(grad_sq))},
            ),
            half_is_left(7, d, largest_alpha),
            Step(
                8,
                "and leaves at least a quarter of the lam term unused",
                (1 + 2 * ell * alpha) / 2,
                "<=",
                sp.Rational(3, 4),
                "d >= 1",
                NonNegative(((ell, below), (1 / (4 * d), d - 1)), given=(ALPHA_RULE, Given(d - 1, "d >= 1"))),
                ranges=any_alpha,
            ),
            Step(
                9,
                "so the squared gradient norm at x_t is at most",
                grad_sq,
                "<=",
                one_gradient,
                "4/alpha times (12)",
                NonNegative(
                    ((4 / alpha, one_step - F_next), (4 * d * ell * grad_sq, below)),
                    given=(Given(one_step - F_next, "(12)"), ALPHA_RULE),
                ),
                ranges={**any_alpha, F_next: (one_step - 10, one_step)},
            ),
            Step(
                10,
                "the noise of Lemma 2.2",
                2 * ell * alpha * d * sigma**2,
                "=",
                noise,
                "insert sigma",
                Substitution({sigma: SIGMA}),
            ),
            Step(
                11,
                "averaged over t = 0, ..., T - 1 the decreases telescope, and F_S(x_T) >= F_S^*",
                4 * (F_first - F_last) / (alpha * T),
                "<=",
                4 * gap / (alpha * T),
                "gap = F_S(x_0) - F_S^*",
                NonNegative(
                    ((4 / (alpha * T), F_last - F_star),),
                    given=(Given(F_last - F_star, "F_S^* is the smallest value"),),
                    at={gap: F_first - F_star},
                ),
                ranges={F_star: (-1000, F_last)},
            ),
            Step(
                12,
                "the bound for any T and lam, with the whole lam term",
                kept,
                "<=",
                before,
                "(1 + 2 ell alpha)/2 <= 1",
                NonNegative(
                    ((ell**2 * lam**2 * d**3 / (4 * d), 2 * d - 1), (ell**3 * lam**2 * d**3, below)),
                    given=(Given(2 * d - 1, "d >= 1"), ALPHA_RULE),
                ),
                ranges=any_alpha,
            ),
            Step(
                13,
                "with the printed T",
                alpha * T,
                "=",
                1 / (4 * ell * d * rate),
                "insert alpha and T",
                Substitution({alpha: largest_alpha, T: best_T}),
            ),
            Step(
                14,
                "the first term",
                4 * gap / (alpha * T),
                "=",
                16 * ell * gap * d * rate,
                "insert alpha and T",
                Substitution({alpha: largest_alpha, T: best_T}),
            ),
            Step(
                15,
                "the lam term, for every lam up to the printed one",
                ell**2 * lam**2 * d**3,
                "<=",
                16 * L**2 * d * rate,
                "lam is at most its printed value",
                NonNegative(
                    ((ell**2 * d**3, largest_lam - lam, largest_lam + lam),),
                    given=(Given(largest_lam - lam, "the rule for lam"),),
                ),
                ranges={lam: (largest_lam / 10**9, largest_lam)},
            ),
            Step(
                16,
                "the noise term",
                noise,
                "=",
                16 * L**2 * d * rate,
                "insert alpha, T and C",
                Substitution({alpha: largest_alpha, T: best_T, C: L * d}),
            ),
            Step(
                17,
                "equation (3): the sum, lam at its largest",
                before,
                "=",
                bound,
                "insert the printed schedule",
                Substitution({alpha: largest_alpha, T: best_T, C: L * d, lam: largest_lam}),
            ),
        ),
    )
