"""What the pages of the sharper theorems share: letters of their proofs, what is assumed of H, moments beyond a threshold, one quadratic.

Throughout c is the clipping threshold in units of the spread of what is clipped (C / L unless a page says otherwise), N a standard
normal variable, u uniform on the sphere of radius sqrt(d), w = u'Hu, p = u' grad F_S(x_t), G = ||grad F_S(x_t)||. The matrix H is the
one of Assumption 3.5: 0 <= H <= ell I, Tr(H) <= r ell, r >= 1.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.derivation import Assumed, fact
from bounds.symbols import C, L, Letter, d, ell, introduce, r, trace

c = introduce(Letter("c_clip", "c", "clipping threshold in units of the spread of what is clipped", 1e-6, 20, "proof"))
s = introduce(Letter("s_point", "s", "point of integration, or squared length of a Gaussian vector over d", 1e-2, 30, "proof"))
k = introduce(Letter("k_order", "k", "order of a moment", 0, 100, "proof"))
grad = introduce(Letter("grad_size", r"\|\nabla F_S(x_t)\|", "norm of the gradient", 0, 1e3, "step"))
unit_H = introduce(Letter("unit_H", r"\hat a^{\top}H\hat a", "a'Ha for a unit vector a", 0, 1e3, "proof"))
lead_unit = introduce(
    Letter("lead_unit", r"\mathbb{E}(u^{\top}\hat a)^2u^{\top}Hu", "mean of (u'a)^2 u'Hu, unit vector a", 0, 1e6, "proof")
)

THRESHOLD = C / L
R2 = d * (r + 2) / (d + 2)  # E p^2 w <= ell R2 G^2
R4 = d * (r + 4) / (d + 4)  # E w^2 <= ell^2 r R2 and E w^3 <= ell^3 r R2 R4

# what Assumption 3.5 says of H in the letters of the proofs
H_IN_LETTERS = (sp.Le(trace, r * ell), sp.Le(unit_H, ell))
RANK = fact("effective_rank", "the trace of H is at most r ell", trace, "<=", r * ell, Assumed())
NORM = fact("norm_of_H", "H <= ell I, along a unit vector", unit_H, "<=", ell, Assumed())


def weight(x: Any) -> Any:
    """Return the density of |N| at x."""
    return sp.sqrt(2 / sp.pi) * sp.exp(-(x**2) / 2)


def beyond(x: Any) -> Any:
    """Return P(|N| > x), which is also E (|N| - x)_+ |N|."""
    return sp.erfc(x / sp.sqrt(2))


def beyond_squared(x: Any) -> Any:
    """Return E (|N| - x)_+^2; E (|N| - x)_+^2 N^2 is twice `beyond` more."""
    return (1 + x**2) * beyond(x) - x * weight(x)


def beyond_fourth(x: Any) -> Any:
    """Return E (|N| - x)_+^4."""
    return (x**4 + 6 * x**2 + 3) * beyond(x) - (x**3 + 5 * x) * weight(x)


def largest_root(a: Any, linear: Any, constant: Any) -> Any:
    """Return the y >= 0 with (1 - a) y^2 - linear y = constant."""
    return (linear + sp.sqrt(linear**2 + 4 * (1 - a) * constant)) / (2 * (1 - a))
