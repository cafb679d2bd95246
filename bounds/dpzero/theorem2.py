"""Theorem 2: DPGD-0th on a loss of low effective rank; error of order d sqrt(r).

Setting   f(.; xi) L-Lipschitz and ell-smooth, -H <= Hessian of F_S <= H, ||H|| <= ell, Tr(H) <= r ||H|| (Assumption 3.5).
Method    as in Theorem 1: x_{t+1} = x_t - alpha (mean of clip_C(g_i) + z_t),  z_t ~ N(0, sigma^2 I_d).
Measure   E ||grad F_S(x_tau)||^2, tau uniform on 0, ..., T - 1.
Source    DPZero, Theorem 2, equations (5), (13), (14), (15); proof in Appendix D.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Cited, Derivation, Given, Identity, NonNegative, Step, Substitution
from bounds.dpzero.common import (
    ASSUMPTION_3_5,
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
from bounds.dpzero.smoothing import BIAS
from bounds.symbols import A, C, L, T, alpha, d, ell, epsilon, gap, lam, n, r, sigma, symbols, trace
from bounds.theorem import Part, Theorem

F_now, F_next, F_first, F_last, F_star = symbols("F_now F_next F_first F_last F_star")
grad_sq, smooth_sq, grad_smooth, bias_sq, grad_H, G_H, u_H, z_H = symbols("grad_sq smooth_sq grad_smooth bias_sq grad_H G_H u_H z_H")
grad_G, grad_z, G_z = symbols("grad_G grad_z G_z")

rate = sp.sqrt(r * A) / (n * epsilon)

# lemma: E G'HG, then one step, for every step size (equation (15))
curvature = 2 * ell * (r + 2) * grad_sq + ell**3 / 2 * lam**2 * d**2 * r
one_step = F_now - alpha / 2 * (1 - 2 * (r + 2) * ell * alpha) * grad_sq + ell**2 * alpha * lam**2 * d**2 * (d + 2 * r * ell * alpha) / 8
one_step += ell * alpha**2 * r * sigma**2 / 2

# any schedule with alpha <= 1/(4 ell (r + 2)) and C >= L d: the average, with what is left of the lam term and without
noise = 64 * ell * C**2 * alpha * T * r * A / (n**2 * epsilon**2)
kept = 4 * gap / (alpha * T) + ell**2 * lam**2 * d**2 * (d + 2 * r * ell * alpha) / 2 + noise
before = 4 * gap / (alpha * T) + ell**2 * lam**2 * d**3 + noise

# its best schedule
largest_alpha = 1 / (4 * ell * (r + 2))
best_T = n * (r + 2) * epsilon / (d * sp.sqrt(r * A))
largest_lam = 4 * L / (ell * d) * sp.sqrt(rate)
bound = 16 * (ell * gap + 2 * L**2) * d * rate

THEOREM = Theorem(
    key="dpzero.theorem2",
    title="Theorem 2 (DPGD-0th, low effective rank)",
    source=f"{PAPER}, Theorem 2, equation (5)",
    claim="upper",
    measure="E ||grad F_S(x_tau)||^2",
    method="dpgd_0th",
    assumptions=ASSUMPTION_3_5,
    definitions={"A": LOG_TERM},
    schedule={"alpha": largest_alpha, "T": best_T, "C": L * d, "lam": largest_lam, "sigma": SIGMA},
    bound=bound,
    any_schedule=before,
    valid_if=(alpha <= largest_alpha, sp.Ge(C, L * d)),
    parts=(Part("count", "two-point gradients n T", "=", n * T),),
    conditions=(PRIVATE, ONE_STEP, below_trivial(bound), RESOLVED_SINGLE, RESOLVED_DOUBLE),
    notes=(REAL_T,),
)

without_moments = -alpha * (grad_G + grad_z) + alpha**2 / 2 * (G_H + 2 * G_z + z_H)
one_gradient = 4 / alpha * (F_now - F_next) + ell**2 * lam**2 * d**2 * (d + 2 * r * ell * alpha) / 2 + 2 * ell * alpha * r * sigma**2
below, ALPHA_RULE, any_alpha = shorter(largest_alpha)
at_schedule = {alpha: largest_alpha, T: best_T, C: L * d}
rank = (Given(r * ell - trace, "Tr(H) <= r ||H|| <= r ell"), Given(ell * grad_sq - grad_H, "||H|| <= ell"))


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.theorem2",
        title="DPGD-0th under Assumption 3.5",
        source=f"{PAPER}, Appendix D",
        proves="dpzero.theorem2",
        steps=(
            never_clipped("nothing is clipped: ||g_i|| <= L d <= C, so x_{t+1} = x_t - alpha (G + z_t)"),
            Step(
                2,
                "F_S(x_{t+1}) <= F_S(x_t) + <grad F_S(x_t), x_{t+1} - x_t> + (1/2) ||x_{t+1} - x_t||_H^2",
                None,
                "<=",
                None,
                "the Hessian of F_S is at most H",
                Cited("Taylor's theorem with Lagrange's remainder"),
            ),
            Step(
                3,
                "with x_{t+1} - x_t = -alpha (G + z_t) the last two terms are",
                -alpha * grad_G - alpha * grad_z + alpha**2 / 2 * G_H + alpha**2 * G_z + alpha**2 / 2 * z_H,
                "=",
                without_moments,
                "multiply out; G_z stands for G' H z here",
                Identity(),
            ),
            Step(
                4,
                "equation (13), in expectation over z_t",
                without_moments,
                "=",
                -alpha * grad_G + alpha**2 / 2 * G_H + alpha**2 * sigma**2 / 2 * trace,
                "z_t is independent of x_t and u_t, has mean 0 and E z_t' H z_t = sigma^2 Tr(H)",
                Substitution({grad_z: 0, G_z: 0, z_H: sigma**2 * trace}),
            ),
            Step(
                5,
                "E G'HG, by equation (14) times u'Hu >= 0 and Lemma C.1 (iv)",
                2 * d / (d + 2) * (2 * grad_H + grad_sq * trace) + ell**2 / 2 * lam**2 * d**2 * trace,
                "<=",
                curvature,
                "d/(d + 2) <= 1, ||H|| <= ell, Tr(H) <= r ell",
                NonNegative(
                    (
                        (4 * d / (d + 2), ell * grad_sq - grad_H),
                        (2 * d / (d + 2) * grad_sq, r * ell - trace),
                        (4 / (d + 2) * ell * (r + 2) * grad_sq,),
                        (ell**2 / 2 * lam**2 * d**2, r * ell - trace),
                    ),
                    given=rank,
                ),
                ranges={trace: (0, r * ell), grad_H: (0, ell * grad_sq)},
            ),
            Step(
                6,
                "in expectation over u_t, E G = grad F_lam; polarisation",
                -alpha * grad_G,
                "=",
                -alpha / 2 * grad_sq - alpha / 2 * smooth_sq + alpha / 2 * bias_sq,
                "Lemma C.2 (i), and ||a - b||^2 = ||a||^2 + ||b||^2 - 2 a'b",
                Substitution({grad_G: grad_smooth, bias_sq: grad_sq + smooth_sq - 2 * grad_smooth}),
            ),
            Step(
                7,
                "equation (15): F_S(x_{t+1}) in expectation over the step",
                F_now - alpha / 2 * (grad_sq + smooth_sq - bias_sq) + alpha**2 / 2 * G_H + alpha**2 * sigma**2 / 2 * trace,
                "<=",
                one_step,
                "drop the smoothed gradient, insert the bias of Lemma C.2 (ii), step 5 and Tr(H) <= r ell",
                NonNegative(
                    (
                        (alpha / 2, smooth_sq),
                        (alpha / 2, BIAS**2 - bias_sq),
                        (alpha**2 / 2, curvature - G_H),
                        (alpha**2 * sigma**2 / 2, r * ell - trace),
                    ),
                    given=(Given(BIAS**2 - bias_sq, "bias of Lemma C.2 (ii)"), Given(curvature - G_H, "step 5"), rank[0]),
                ),
                ranges={bias_sq: (0, BIAS**2), G_H: (0, curvature), trace: (0, r * ell)},
            ),
            half_is_left(8, r + 2, largest_alpha),
            Step(
                9,
                "and leaves at least a quarter of the lam term unused",
                (1 + 2 * r * ell * alpha / d) / 2,
                "<=",
                sp.Rational(3, 4),
                "2 r ell alpha <= r / (2 (r + 2)) < 1/2 and d >= 1",
                NonNegative(
                    ((1 / (4 * d), d - 1), (1 / (2 * d * (r + 2)),), (r * ell / d, below)),
                    given=(Given(d - 1, "d >= 1"), ALPHA_RULE),
                ),
                ranges=any_alpha,
            ),
            Step(
                10,
                "so the squared gradient norm at x_t is at most",
                grad_sq,
                "<=",
                one_gradient,
                "4/alpha times (15)",
                NonNegative(
                    ((4 / alpha, one_step - F_next), (4 * (r + 2) * ell * grad_sq, below)),
                    given=(Given(one_step - F_next, "(15)"), ALPHA_RULE),
                ),
                ranges={**any_alpha, F_next: (one_step - 10, one_step)},
            ),
            Step(
                11,
                "the noise of Lemma 2.2",
                2 * ell * alpha * r * sigma**2,
                "=",
                noise,
                "insert sigma",
                Substitution({sigma: SIGMA}),
            ),
            Step(
                12,
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
                13,
                "the bound for any T and lam, with the whole lam term",
                kept,
                "<=",
                before,
                "(d + 2 r ell alpha)/2 <= d",
                NonNegative(
                    (
                        (ell**2 * lam**2 * d**2 / 2, d - 1),
                        (ell**2 * lam**2 * d**2 * (r + 4) / (4 * (r + 2)),),
                        (ell**3 * lam**2 * d**2 * r, below),
                    ),
                    given=(Given(d - 1, "d >= 1"), ALPHA_RULE),
                ),
                ranges=any_alpha,
            ),
            Step(
                14,
                "with the printed T",
                alpha * T,
                "=",
                1 / (4 * ell * d * rate),
                "insert alpha and T",
                Substitution(at_schedule),
            ),
            Step(
                15,
                "the first term",
                4 * gap / (alpha * T),
                "=",
                16 * ell * gap * d * rate,
                "insert alpha and T",
                Substitution(at_schedule),
            ),
            Step(
                16,
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
                17,
                "the noise term",
                noise,
                "=",
                16 * L**2 * d * rate,
                "insert alpha, T and C",
                Substitution(at_schedule),
            ),
            Step(
                18,
                "equation (5): the sum, lam at its largest",
                before,
                "=",
                bound,
                "insert the printed schedule",
                Substitution({**at_schedule, lam: largest_lam}),
            ),
        ),
    )
