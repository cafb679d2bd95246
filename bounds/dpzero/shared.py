"""Lines that the proofs of DPZero share: what is drawn, what clipping does not touch, Lemma C.2 as it is used, and the sum over steps."""

import sympy as sp

from bounds.symbols import L, symbols

u_norm, slope, estimate_norm, mean_grad_sq = symbols("u_norm slope estimate_norm mean_grad_sq")

LIPSCHITZ = sp.Le(slope, L * u_norm)  # f(.; xi) is L-Lipschitz, for a two-point difference
