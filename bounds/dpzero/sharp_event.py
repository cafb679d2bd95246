"""Theorem 3 along the paper's own chain, with any lam and C = C_0, the sharp tail and no bound B (S1, S4, S6 of `sharp`).

Setting   f(.; xi) L-Lipschitz, -H <= Hessian of F_S <= H, d >= 4.  Q_t: step t clips nothing;  Q: no step does;  bars: complements.
Method    Algorithm 2 with alpha <= 1 / (4 ell (r + 2)) and any T, C, lam, sigma.
Measure   E ||grad F_S(x_tau)||^2
Lemma     P(a sample is clipped at a step) <= P(|N| > C sqrt((d - 3)/d) / L) =: q_1  for every lam (dpzero.sharp_tail_lipschitz)
Theorem   4 gap / (alpha T) + 2 ell alpha r sigma^2 + ell^2 d^3 lam^2 + (4 L^2 d + 4 L sqrt(d) (C + sigma sqrt(2/pi))) n T q_1
Source    ours; DPZero, Appendix E, Eqs. (17) to (23).

It is here to show what each change buys: `sharp_clip_bias` is smaller, because n T q_1 must be small here and P(|N| > C/L) there.
"""

import sympy as sp

from bounds.dpzero.common import ON_F_S, below_trivial, stated
from bounds.dpzero.shared import LIPSCHITZ
from bounds.dpzero.sharp_common import H_IN_LETTERS
from bounds.dpzero.sharp_tail import ENOUGH_DIMENSIONS, LIPSCHITZ_TAIL
from bounds.symbols import C, L, T, alpha, d, ell, gap, lam, n, r, sigma, symbols
from bounds.theorem import Condition

q, q_t, grad_sq, mean_grad_sq, smooth_sq, grad_G, G_H, u_norm = symbols("q q_t grad_sq mean_grad_sq smooth_sq grad_G G_H u_norm")

LARGEST_ALPHA = 1 / (4 * ell * (r + 2))
CLIPPED_STEP = 4 * L**2 * d + 4 * L * sp.sqrt(d) * (C + sigma * sp.sqrt(2 / sp.pi))  # what a clipped run costs, times its probability
FAILURE = n * T * LIPSCHITZ_TAIL
BOUND = 4 * gap / (alpha * T) + 2 * ell * alpha * r * sigma**2 + ell**2 * d**3 * lam**2 + CLIPPED_STEP * FAILURE

THEOREM = stated(
    "sharp_event",
    "Theorem 3 without B and without per-sample smoothness, by conditioning",
    "ours; DPZero, Appendix E, changed at Eqs. (16) and (23)",
    measure="E ||grad F_S(x_tau)||^2, tau uniform on 0..T-1",
    assumptions=("f(.; xi) is L-Lipschitz for every xi", *ON_F_S),
    bound=BOUND,
    any_schedule=BOUND,
    valid_if=(alpha <= LARGEST_ALPHA, ENOUGH_DIMENSIONS.relation),
    method="dpzero",
    conditions=(
        ENOUGH_DIMENSIONS,
        Condition(alpha <= LARGEST_ALPHA, "alpha = {value} is above 1 / (4 ell (r + 2)) = {limit}: the descent step needs it"),
        below_trivial(BOUND),
    ),
    notes=("sigma need only make x_tau private, where nothing else is published (bounds.mixture)",),
    measured=mean_grad_sq,
    in_letters=(*H_IN_LETTERS, LIPSCHITZ),
)
