"""What the pages of the sharper theorems share: letters of their proofs, what is assumed of H, moments beyond a threshold, one quadratic.

Throughout c is the clipping threshold in units of the spread of what is clipped (C / L unless a page says otherwise), N a standard
normal variable, u uniform on the sphere of radius sqrt(d), w = u'Hu, p = u' grad F_S(x_t), G = ||grad F_S(x_t)||. The matrix H is the
one of Assumption 3.5: 0 <= H <= ell I, Tr(H) <= r ell, r >= 1.
"""

import sympy as sp

from bounds.dpzero.sharp_numbers import Functions, Point
from bounds.symbols import C, L, T, alpha, d, ell, gap, introduce, lam, r, sigma, trace

unit_H = introduce("unit_H", r"\hat a^{\top}H\hat a", "a'Ha for a unit vector a", 0, 1e3, "proof")

THRESHOLD = C / L
AT = Point(alpha, T, C, lam, sigma, d, r, L, ell, gap, Functions(sp.sqrt, sp.exp, sp.erfc, sp.pi, sp.Integer))  # the formulas in letters
R2, R4, weight, beyond, beyond_squared, beyond_fourth = AT.R2, AT.R4, AT.weight, AT.beyond, AT.beyond_squared, AT.beyond_fourth

# what Assumption 3.5 says of H in the letters of the proofs
H_IN_LETTERS = (sp.Le(trace, r * ell), sp.Le(unit_H, ell))
