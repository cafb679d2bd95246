"""Theorem 3: DPZero, a private two-point method with scalar noise; error of order log(d) sqrt(r).

Setting   Assumption 3.5 (f(.; xi) L-Lipschitz and ell-smooth, Hessian of F_S between -H and H, Tr(H) <= r ell), |F_S(x_t)| <= B.
Method    x_{t+1} = x_t - alpha (mean of clip_C(s_i) + z_t) u_t,  s_i finite difference along u_t,  z_t ~ N(0, sigma^2) a scalar.
Measure   E ||grad F_S(x_tau)||^2, tau uniform on 0, ..., T - 1.
Source    DPZero, Theorem 3, equations (7) and (16) to (23); proof in Appendix E.

Q_t is the event that step t clips no sample, Q that no step does. The threshold splits as C >= C_0 + ell lam d / 2: C_0 for the
linear part of the finite difference, which has a Gaussian-like tail, the rest for its curvature.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Cited, Derivation, Given, Identity, NonNegative, Reasoned, Step, Substitution
from bounds.dpzero.common import (
    ASSUMPTION_3_5,
    B_IS_GLOBAL,
    BELOW_WORST_CASE,
    GLOBAL_B,
    LOG_TERM,
    LOG_X,
    ONE_STEP,
    PAPER,
    PRIVATE,
    REAL_T,
    RESOLVED_DOUBLE,
    RESOLVED_SINGLE,
    SIGMA,
    below_trivial,
    half_is_left,
)
from bounds.dpzero.smoothing import BIAS
from bounds.dpzero.theorem2 import ALPHA_RULE, any_alpha, below, curvature, rate
from bounds.symbols import A, B, C, L, L_tilde, Max, Min, T, X, alpha, d, ell, epsilon, gap, lam, n, r, sigma, symbols
from bounds.theorem import Part, Theorem

F_now, F_next, F_first, F_last, F_star = symbols("F_now F_next F_first F_last F_star")
grad_sq, smooth_sq, grad_smooth, bias_sq, a_sq = symbols("grad_sq smooth_sq grad_smooth bias_sq a_sq")
grad_G, grad_z, G_H, G_z, u_H, z_H, W, W_clear, W_clipped = symbols("grad_G grad_z G_H G_z u_H z_H W W_clear W_clipped")
grad_G_clear, grad_G_clipped, G_H_clear, u_H_clear = symbols("grad_G_clear grad_G_clipped G_H_clear u_H_clear")
p_t, q_t, q, s_t, drop_t, drop_Q, drop_late, C_0 = symbols("p_t q_t q s_t drop_t drop_Q drop_late C_0")

# probability that some sample is clipped at some step
failure = 2 * sp.sqrt(2 * sp.pi) * n * T * sp.exp(-(C_0**2) / (8 * L**2))

# lemma: one step given that it clips nothing, for every step size (equation (22))
smoothing = ell**2 * alpha * (d + 2 * ell * alpha * r) * lam**2 * d**2 / 8
one_step = F_now - alpha / 2 * (1 - 2 * (r + 2) * ell * alpha) * grad_sq / p_t + ell * alpha**2 * r * sigma**2 / (2 * p_t)
one_step += smoothing / p_t + alpha * L**2 * d * q_t / p_t

# any schedule with alpha <= 1/(4 ell (r + 2)) and C >= C_0 + ell lam d / 2
noise = 64 * ell * C**2 * alpha * T * r * A / (n**2 * epsilon**2)
clipping = (4 * L**2 * d + 8 * B / alpha) * failure
kept = 4 * gap / (alpha * T) + noise + ell**2 * lam**2 * d**2 * (d + 2 * ell * alpha * r) / 2 + clipping
before = 4 * gap / (alpha * T) + noise + ell**2 * d**3 * lam**2 + clipping
largest_C_0 = Max(0, C - ell * lam * d / 2)
kept_at_threshold = kept.xreplace({C_0: 2 * sp.sqrt(2) * L_tilde})  # C = sqrt(2) C_0, as printed

# its best schedule
log_argument = 2 * sp.sqrt(2 * sp.pi) * n**3 * epsilon**2 * (r + 2) * (d + 8 * ell * B * (r + 2) / L**2) / (r * A)
largest_alpha = 1 / (4 * ell * (r + 2))
best_T = n * (r + 2) * epsilon / (4 * sp.sqrt(r * A))
lam_for_clipping = 4 * (2 - sp.sqrt(2)) * L_tilde / (ell * d)
lam_for_bias = L / (ell * d ** sp.Rational(3, 2)) * sp.sqrt(rate)
bound = (64 * (ell * gap + L_tilde**2) + 2 * L**2) * rate

THEOREM = Theorem(
    key="dpzero.theorem3",
    title="Theorem 3 (DPZero)",
    source=f"{PAPER}, Theorem 3, equation (7)",
    claim="upper",
    measure="E ||grad F_S(x_tau)||^2",
    method="dpzero",
    assumptions=(*ASSUMPTION_3_5, "|F_S(x_t)| <= B for t = 0, ..., T"),
    definitions={"A": LOG_TERM, "X": log_argument, "L_tilde": L * sp.sqrt(sp.log(X))},
    schedule={
        "alpha": largest_alpha,
        "T": best_T,
        "C": 4 * L_tilde,
        "lam": Min(lam_for_clipping, lam_for_bias),
        "sigma": SIGMA,
    },
    bound=bound,
    any_schedule=before.xreplace({C_0: largest_C_0}),
    valid_if=(alpha <= largest_alpha,),
    parts=(Part("count", "two-point gradients n T", "=", n * T),),
    conditions=(PRIVATE, LOG_X, GLOBAL_B, ONE_STEP, below_trivial(bound), BELOW_WORST_CASE, RESOLVED_SINGLE, RESOLVED_DOUBLE),
    notes=(REAL_T, B_IS_GLOBAL),
)

without_moments = -alpha * (grad_G + grad_z) + alpha**2 / 2 * (G_H + 2 * G_z + z_H)
inner_product = grad_sq / (2 * p_t) - ell**2 * lam**2 * d**3 / (8 * p_t) - L**2 * d * q_t / p_t  # (21)
one_gradient = 4 / alpha * drop_t * p_t + 2 * ell * alpha * r * sigma**2 + ell**2 * d**3 * lam**2 + 4 * L**2 * d * q
at_alpha = {alpha: largest_alpha}
with_log = {alpha: largest_alpha, T: best_T, C_0: sp.sqrt(8 * L**2 * sp.log(log_argument))}


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.theorem3",
        title="DPZero under Assumption 3.5",
        source=f"{PAPER}, Appendix E",
        proves="dpzero.theorem3",
        steps=(
            Step(
                1,
                "equation (16): |finite difference| - |u_t'grad f(x_t; xi_i)| is at most two Taylor remainders over 2 lam",
                2 * (ell / 2 * (lam * sp.sqrt(d)) ** 2) / (2 * lam),
                "=",
                ell * lam * d / 2,
                "f(.; xi) is ell-smooth, ||u_t|| = sqrt(d)",
                Identity(),
            ),
            Step(
                2,
                "the exponent of the tail of u_t'grad f(x_t; xi_i) beyond C_0, by Lemma C.1 (ii)",
                -(C_0**2) / (8 * a_sq),
                "<=",
                -(C_0**2) / (8 * L**2),
                "||grad f||^2 = ||a||^2 <= L^2",
                NonNegative(((C_0**2 / (8 * a_sq * L**2), L**2 - a_sq),), given=(Given(L**2 - a_sq, "f(.; xi) is L-Lipschitz"),)),
                ranges={a_sq: (L**2 / 10**6, L**2)},
            ),
            Step(
                3,
                "so with C >= C_0 + ell lam d/2, P(step t clips sample i) <= 2 sqrt(2 pi) exp(-C_0^2/(8 L^2)), "
                "and P(not Q) <= 2 sqrt(2 pi) n T exp(-C_0^2/(8 L^2))",
                None,
                "<=",
                None,
                "u_t is independent of x_t; n samples, T steps",
                Reasoned("inclusion of events, and the union bound"),
            ),
            Step(
                4,
                "F_S(x_{t+1}) <= F_S(x_t) + <grad F_S(x_t), x_{t+1} - x_t> + (1/2) ||x_{t+1} - x_t||_H^2",
                None,
                "<=",
                None,
                "the Hessian of F_S is at most H",
                Cited("Taylor's theorem with Lagrange's remainder"),
            ),
            Step(
                5,
                "equation (17), given Q_t, where the step is -alpha (G + z_t u_t)",
                without_moments,
                "=",
                -alpha * grad_G_clear + alpha**2 / 2 * G_H_clear + alpha**2 * sigma**2 / 2 * u_H_clear,
                "z_t is independent of x_t, u_t and Q_t, has mean 0 and variance sigma^2",
                Substitution({grad_G: grad_G_clear, G_H: G_H_clear, grad_z: 0, G_z: 0, z_H: sigma**2 * u_H_clear}),
            ),
            Step(
                6,
                "equation (18): a variable W >= 0 has E[W | Q_t] <= E[W] / P(Q_t)",
                W_clear,
                "<=",
                W / p_t,
                "total probability",
                NonNegative(
                    ((W_clipped / p_t, 1 - p_t),),
                    given=(Given(1 - p_t, "a probability"),),
                    at={W: W_clear * p_t + W_clipped * (1 - p_t)},
                ),
            ),
            Step(
                7,
                "equation (19): G'HG given Q_t",
                G_H_clear,
                "<=",
                curvature / p_t,
                "(18), and E G'HG as in the proof of Theorem 2, step 5",
                NonNegative(
                    ((G_H / p_t - G_H_clear,), (1 / p_t, curvature - G_H)),
                    given=(Given(G_H / p_t - G_H_clear, "(18)"), Given(curvature - G_H, "proof of Theorem 2, step 5")),
                ),
                ranges={G_H: (0, curvature), G_H_clear: (0, G_H / p_t)},
            ),
            Step(
                8,
                "equation (20): u'Hu given Q_t",
                u_H_clear,
                "<=",
                r * ell / p_t,
                "(18), and E u'Hu = Tr(H) <= r ell",
                NonNegative(
                    ((u_H / p_t - u_H_clear,), (1 / p_t, r * ell - u_H)),
                    given=(Given(u_H / p_t - u_H_clear, "(18)"), Given(r * ell - u_H, "Lemma C.1 (iv) and the effective rank")),
                ),
                ranges={u_H: (0, r * ell), u_H_clear: (0, u_H / p_t)},
            ),
            Step(
                9,
                "|<grad F_S, G>| <= L ||G|| <= L L ||2 lam u_t|| / (2 lam) ||u_t|| on every event",
                L * (L * (2 * lam * sp.sqrt(d)) / (2 * lam) * sp.sqrt(d)),
                "=",
                L**2 * d,
                "F_S is L-Lipschitz, ||u_t|| = sqrt(d)",
                Identity(),
            ),
            Step(
                10,
                "equation (21): the inner product given Q_t",
                grad_G_clear,
                ">=",
                inner_product,
                "total probability, E G = grad F_lam, polarisation, bias of Lemma C.2 (ii), step 9",
                NonNegative(
                    ((smooth_sq / (2 * p_t),), (1 / (2 * p_t), BIAS**2 - bias_sq), (q_t / p_t, L**2 * d - grad_G_clipped)),
                    given=(Given(BIAS**2 - bias_sq, "Lemma C.2 (ii)"), Given(L**2 * d - grad_G_clipped, "step 9")),
                    at={grad_G_clear: ((grad_sq + smooth_sq - bias_sq) / 2 - grad_G_clipped * q_t) / p_t},
                ),
                ranges={bias_sq: (0, BIAS**2), grad_G_clipped: (-(L**2) * d, L**2 * d), q_t: (0, 1)},
            ),
            Step(
                11,
                "equation (22): F_S(x_{t+1}) given Q_t",
                F_now - alpha * grad_G_clear + alpha**2 / 2 * G_H_clear + alpha**2 * sigma**2 / 2 * u_H_clear,
                "<=",
                one_step,
                "(19), (20) and (21) in (17)",
                NonNegative(
                    (
                        (alpha, grad_G_clear - inner_product),
                        (alpha**2 / 2, curvature / p_t - G_H_clear),
                        (alpha**2 * sigma**2 / 2, r * ell / p_t - u_H_clear),
                    ),
                    given=(
                        Given(grad_G_clear - inner_product, "(21)"),
                        Given(curvature / p_t - G_H_clear, "(19)"),
                        Given(r * ell / p_t - u_H_clear, "(20)"),
                    ),
                ),
                ranges={
                    G_H_clear: (0, curvature / p_t),
                    u_H_clear: (0, r * ell / p_t),
                    grad_G_clear: (inner_product, inner_product + 1000),
                },
            ),
            half_is_left(12, r + 2, largest_alpha),
            Step(
                13,
                "so the expected squared gradient norm at x_t is at most",
                grad_sq,
                "<=",
                one_gradient,
                "4 P(Q_t)/alpha times (22), P(not Q_t) <= P(not Q), (d + 2 ell alpha r)/2 <= d",
                NonNegative(
                    (
                        (4 * p_t / alpha, drop_t - F_now + one_step),
                        (4 * L**2 * d, q - q_t),
                        (ell**2 * lam**2 * d**2 / 2, d - 1),
                        (ell**2 * lam**2 * d**2 * (r + 4) / (4 * (r + 2)),),
                        (4 * (r + 2) * ell * grad_sq + ell**3 * lam**2 * d**2 * r, below),
                    ),
                    given=(Given(drop_t - F_now + one_step, "(22)"), Given(q - q_t, "Q is inside Q_t"), Given(d - 1, "d >= 1"), ALPHA_RULE),
                ),
                ranges={**any_alpha, q_t: (0, q), drop_t: (F_now - one_step, F_now - one_step + 100)},
            ),
            Step(
                14,
                "the decrease given Q_t, split by Q: E[F_S(x_t) - F_S(x_{t+1}) | Q_t] P(Q_t)",
                drop_Q * (1 - q) + drop_late * s_t,
                "<=",
                drop_Q * (1 - q) + 2 * B * q,
                "Q is inside Q_t, s_t = P(Q_t and not Q) <= P(not Q), |F_S| <= B",
                NonNegative(
                    ((2 * B, q - s_t), (s_t, 2 * B - drop_late)),
                    given=(Given(q - s_t, "an event inside another"), Given(2 * B - drop_late, "|F_S| <= B")),
                ),
                ranges={drop_late: (-2 * B, 2 * B)},
            ),
            Step(
                15,
                "equation (23)",
                one_gradient,
                "<=",
                4 / alpha * drop_Q * (1 - q) + 2 * ell * alpha * r * sigma**2 + ell**2 * d**3 * lam**2 + (4 * L**2 * d + 8 * B / alpha) * q,
                "4/alpha times step 14",
                NonNegative(
                    ((4 / alpha, drop_Q * (1 - q) + 2 * B * q - drop_t * p_t),),
                    given=(Given(drop_Q * (1 - q) + 2 * B * q - drop_t * p_t, "step 14"),),
                ),
                ranges={drop_t: ((drop_Q * (1 - q) + 2 * B * q) / p_t - 100, (drop_Q * (1 - q) + 2 * B * q) / p_t)},
            ),
            Step(
                16,
                "averaged over t = 0, ..., T - 1 the decreases given Q telescope, and F_S(x_T) >= F_S^*",
                4 * (F_first - F_last) * (1 - q) / (alpha * T),
                "<=",
                4 * gap / (alpha * T),
                "gap = F_S(x_0) - F_S^*; F_last is E[F_S(x_T) | Q] here",
                NonNegative(
                    (
                        (4 / (alpha * T), 1 - q, F_last - F_star),
                        (4 / (alpha * T), q, F_first - F_star),
                    ),
                    given=(
                        Given(1 - q, "a probability"),
                        Given(F_last - F_star, "F_S^* is the smallest value"),
                        Given(F_first - F_star, "F_S^* is the smallest value"),
                    ),
                    at={gap: F_first - F_star},
                ),
                ranges={F_star: (-1000, sp.Min(F_first, F_last))},
            ),
            Step(
                17,
                "the noise of Lemma 2.2",
                2 * ell * alpha * r * sigma**2,
                "=",
                noise,
                "insert sigma",
                Substitution({sigma: SIGMA}),
            ),
            Step(
                18,
                "the bound for any C_0, C >= C_0 + ell lam d/2, T and lam",
                4 * gap / (alpha * T) + noise + ell**2 * d**3 * lam**2 + (4 * L**2 * d + 8 * B / alpha) * q,
                "<=",
                before,
                "the union bound of step 3",
                NonNegative(((4 * L**2 * d + 8 * B / alpha, failure - q),), given=(Given(failure - q, "step 3"),)),
                ranges={q: (0, sp.Min(1, failure)), C_0: (sp.Rational(1, 100) * L, 30 * L)},
            ),
            Step(19, "with the printed alpha", 8 * B / alpha, "=", 32 * ell * B * (r + 2), "insert alpha", Substitution(at_alpha)),
            Step(
                20,
                "the first term and the noise term at the printed T",
                4 * gap / (alpha * T) + noise,
                "=",
                (64 * ell * gap + 4 * C**2) * rate,
                "insert alpha and T: alpha T = 1/(16 ell rate)",
                Substitution({alpha: largest_alpha, T: best_T}),
            ),
            Step(
                21,
                "the clipping term, with C_0^2 = 8 L^2 log(X)",
                clipping,
                "=",
                L**2 * rate,
                "insert alpha, T and C_0",
                Substitution(with_log),
            ),
            Step(
                22,
                "the lam term, for every lam up to the second end of the rule",
                ell**2 * d**3 * lam**2,
                "<=",
                L**2 * rate,
                "insert lam",
                NonNegative(
                    ((ell**2 * d**3, lam_for_bias - lam, lam_for_bias + lam),),
                    given=(Given(lam_for_bias - lam, "the rule for lam"),),
                ),
                ranges={lam: (lam_for_bias / 10**9, lam_for_bias)},
            ),
            Step(
                23,
                "C = sqrt(2) C_0 is large enough, for every lam up to the first end of the rule",
                sp.sqrt(2) * C_0,
                ">=",
                C_0 + ell * lam * d / 2,
                "lam <= 2 (sqrt(2) - 1) C_0 / (ell d)",
                NonNegative(
                    ((ell * d / 2, 2 * (sp.sqrt(2) - 1) * C_0 / (ell * d) - lam),),
                    given=(Given(2 * (sp.sqrt(2) - 1) * C_0 / (ell * d) - lam, "the rule for lam"),),
                ),
                ranges={lam: (C_0 / (ell * d) / 10**9, 2 * (sp.sqrt(2) - 1) * C_0 / (ell * d))},
            ),
            Step(
                24,
                "that end in the paper's letters, where C = sqrt(2) C_0 = 4 L_tilde",
                2 * (sp.sqrt(2) - 1) * C_0 / (ell * d),
                "=",
                lam_for_clipping,
                "C_0 = 2 sqrt(2) L_tilde",
                Substitution({C_0: 2 * sp.sqrt(2) * L_tilde}),
            ),
            Step(
                25,
                "equation (7): the sum",
                (64 * ell * gap + 4 * C**2) * rate + L**2 * rate + L**2 * rate,
                "=",
                bound,
                "insert C = 4 L_tilde",
                Substitution({C: 4 * L_tilde}),
            ),
        ),
    )
