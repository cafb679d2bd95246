"""Exact moments of random projections: the effect of a projection and its transpose on a layer and on noise.

Setting   P (k, r) with independent N(0, 1/r) entries, or P = sqrt(k/r) Q with orthonormal columns, uniform. G (k, n) is a layer whose
          columns are projected (Algorithm 1, from the left: k = m), or one column, a flattened block of k = m n entries (Algorithm 6).
          G, a, H and Z do not depend on P; Z (r, n) has independent N(0, sigma^2) entries.
Measure   moments of P up to order 4, and the tail of ||P'G||_F.
Source    ours; Appendix D uses E PP' = I, and prints (d + r - 1)/r for the stretch; Section 6 names other projections.

Bounds depend on a projection through its stretch: E ||PP'G||_F^2 = stretch ||G||_F^2. It is (k + r + 1)/r with Gaussian entries, k/r with
orthonormal columns and 1 without a projection. Noise does not depend on it: E ||PZ||_F^2 is sigma^2 times the number of parameters for
all of them. `paper_checks.dp_grape.moments` finds the same by a sum over all pairings of the entries, and derives the formulas for
orthonormal columns.
"""

from fractions import Fraction
from typing import Literal, get_args

import sympy as sp

from bounds.symbols import symbols
from bounds.validate import one_of, positive_integer, validated

Projection = Literal["left", "flattened", "orthonormal", "none"]
PROJECTIONS = get_args(Projection)

k, r, n_l, a_sq, a_H, trace_H, layer_sq, layer_fourth, x = symbols(
    "block subspace columns a_sq a_H trace_H layer_sq layer_fourth tail_level"
)

ALLOWED = layer_sq * (1 + 2 * sp.sqrt(x / r) + 2 * x / r)  # C^2 of the tail


@validated
def stretch(projection: Projection, *, rows: int, columns: int = 1, r: int = 1) -> float:
    """Return the stretch E ||PP'G||_F^2 / ||G||_F^2 of a layer with `rows` rows and `columns` columns.

    projection   "left": P has r columns of `rows` Gaussian entries;   "flattened": of rows * columns;   "orthonormal": from the left, with
                 orthonormal columns scaled by sqrt(rows/r), r <= rows;   "none": no projection, 1
    """
    own, shared = moment_coefficients(projection, rows=rows, columns=columns, r=r)
    return float(own + shared * (rows * columns if projection == "flattened" else rows))


@validated
def moment_coefficients(projection: Projection, *, rows: int, columns: int = 1, r: int = 1) -> tuple[Fraction, Fraction]:
    """Return the coefficients (own, shared) of E PP'HPP' = own H + shared Tr(H) I as fractions; arguments as for `stretch`."""
    one_of(PROJECTIONS, projection=projection)
    positive_integer(rows=rows, columns=columns, r=r)
    if projection in ("left", "flattened"):
        return Fraction(r + 1, r), Fraction(1, r)
    if projection == "orthonormal" and r > rows:
        raise ValueError(f"r = {r!r}: an integer of at most rows = {rows!r} is needed, there are no more orthonormal columns")
    if projection == "none" or rows == 1:
        return Fraction(1), Fraction(0)
    shared = Fraction(rows * (rows - r), r * (rows + 2) * (rows - 1))
    return Fraction(rows, r) - rows * shared, shared
