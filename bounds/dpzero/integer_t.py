"""Why an integer T keeps the printed guarantees of Theorems 1, 2 and 3, although they prescribe a real T*.

Setting   the certified bound cert(T): the bound before the schedule is chosen, at the printed alpha, C and lam, with sigma computed
          from the integer T, and capped by the trivial bound (L^2, under PL L^2/(2 mu)). D is d for Theorem 1, r + 2 for Theorems 2, 3.
Measure   cert(T) against the printed bound.
Source    ours; Remark F.5 of DPZero only says T = max(T*, 1) and min(bound, L^2).

Theorems 1, 2   any rounding to an integer of at least 1: (1 + 2 ell alpha)/2 <= 3/4 leaves a quarter of the lam term.
Theorem 3       the better of floor and ceiling when T* >= 1, for the same quarter of the lam term. DP-GD too: `dp_gd.integer_t_proof`.
F.2, F.3, F.4   the floor when T* >= 1 and Y > 1, with the whole lam term: see `integer_t_corollaries`.
When T* < 1, T = 1 in the theorems: the output is x_0, no noise is used, and the printed bound exceeds L^2.
"""

import sympy as sp

from bounds.symbols import B, L, d, ell, gap, n, r, symbols

T_star, D, slack, a_T, b_T, log_X, mean_grad_sq = symbols("T_star D slack a_T b_T log_X mean_grad_sq")


claim_3 = 16 * ell * D * gap / T_star + (64 * log_X + 2) * L**2 * D / (4 * T_star)
front = 32 * sp.sqrt(2 * sp.pi)
big_X = front * n * T_star**2 * (d + 8 * ell * B * (r + 2) / L**2) / (r + 2)
