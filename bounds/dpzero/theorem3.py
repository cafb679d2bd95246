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

from bounds.derivation import Assumed, fact
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
)
from bounds.dpzero.shared import IN_NORM_OF_H, IS_LIPSCHITZ, LIPSCHITZ, LOW_RANK, largest_step
from bounds.dpzero.theorem2 import rate
from bounds.symbols import A, B, C, L, L_tilde, Letter, Max, Min, T, X, alpha, d, ell, epsilon, gap, introduce, lam, n, r, sigma, symbols
from bounds.theorem import Part, Theorem

F_now, F_first, mean_grad_sq, grad_sq, a_sq, C_0 = symbols("F_now F_first mean_grad_sq grad_sq a_sq C_0")
F_Q_now, F_Q_next, F_Q_last = symbols("F_Q_now F_Q_next F_Q_last")
p_t, q_t, q, drop_t, drop_Q, drop_late = symbols("p_t q_t q drop_t drop_Q drop_late")
threshold = introduce(Letter("threshold", "c", "a threshold for |u'grad f|", 1e-3, 1e6, "proof"))
tail_0 = introduce(Letter("tail_0", r"\mathbb{P}(|u^{\top}\nabla f|\ge C_0)", "probability of |u'grad f| >= C_0", 0, 1, "probability"))
clip_one = introduce(
    Letter("clip_one", r"\max\mathbb{P}(\text{clip})", "largest probability that a step clips a sample", 0, 1, "probability")
)

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
    measured=mean_grad_sq,
    in_letters=(
        *(LIPSCHITZ, *LOW_RANK, sp.Le(a_sq, L**2), sp.Le(drop_late, 2 * B)),
        *(sp.Le(lam, lam_for_clipping), sp.Le(lam, lam_for_bias)),  # lam is at most the smaller one
    ),
)

inner_product = grad_sq / (2 * p_t) - ell**2 * lam**2 * d**3 / (8 * p_t) - L**2 * d * q_t / p_t  # (21)
tail_L = 2 * sp.sqrt(2 * sp.pi) * sp.exp(-(C_0**2) / (8 * L**2))  # Section 4 at C_0
kept_lam = ell**2 * lam**2 * d**2 * (d + 2 * ell * alpha * r) / 2
per_step = 4 / alpha * drop_t * p_t + 2 * ell * alpha * r * sigma**2 + kept_lam + 4 * L**2 * d * q
kept_per_step = 4 / alpha * (1 - q) * (F_Q_now - F_Q_next) + 2 * ell * alpha * r * sigma**2 + kept_lam + (4 * L**2 * d + 8 * B / alpha) * q
given_Q = 4 / alpha * drop_Q * (1 - q) + 2 * ell * alpha * r * sigma**2 + ell**2 * d**3 * lam**2 + (4 * L**2 * d + 8 * B / alpha) * q
per_run = kept_per_step - 4 / alpha * (1 - q) * (F_Q_now - F_Q_next) + 4 / (alpha * T) * (1 - q) * (F_first - F_Q_last)
cost = 2 * sp.sqrt(2 * sp.pi) * n * T * (4 * L**2 * d + 8 * B / alpha)  # times exp(-C_0^2/(8 L^2)) it is the clipping term

HYPOTHESES = (  # of Theorem 3, in the letters of the proof
    IS_LIPSCHITZ,
    fact("gradient", "f(.; xi) is L-Lipschitz, so is its gradient a = grad f(x_t; xi) at most L long", a_sq, "<=", L**2, Assumed()),
    *IN_NORM_OF_H,
    fact("loss_bound", "|F_S| <= B, so no decrease of the loss is above 2 B", drop_late, "<=", 2 * B, Assumed()),
    largest_step(largest_alpha),
)
