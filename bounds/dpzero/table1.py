"""Table 1: how the three rates depend on dimension and effective rank.

Setting   left column without Assumption 3.5, right column with it; logarithms other than log d are hidden.
Measure   the order of E ||grad F_S(x_tau)||^2 in d and r.
Source    DPZero, Table 1. `Theorem.leading` derives the same orders from the bounds of Theorems 1, 2, 3 and of DP-GD.

The left entry of DPZero is Theorem 3 at r = d. Theorem 3 is proved under Assumption 3.5 only, which with r = d is still stronger
than Assumption 3.1: it asks for smooth samples and a second derivative.
"""

import sympy as sp

from bounds.dpzero.common import PAPER, stated
from bounds.symbols import d, r
from bounds.theorem import Part, Theorem

MEASURE = "E ||grad F_S(x_tau)||^2"
WITHOUT, WITH = "without Assumption 3.5", "with Assumption 3.5"


def row(name: str, method: str, without: sp.Expr, with_rank: sp.Expr, notes: tuple[str, ...] = ()) -> Theorem:
    """Return one row of the table; the bound is its right entry."""
    return stated(
        f"table1_{method}",
        f"Table 1, row {name}",
        f"{PAPER}, Table 1",
        claim="rate",
        measure=MEASURE,
        method=method,
        bound=with_rank,
        parts=(Part(WITHOUT, MEASURE, "O", without), Part(WITH, MEASURE, "O", with_rank)),
        notes=notes,
    )


DPGD_0TH = row("DPGD-0th", "dpgd_0th", d * sp.sqrt(d), d * sp.sqrt(r))
DPZERO = row(
    "DPZero",
    "dpzero",
    sp.log(d) * sp.sqrt(d),
    sp.log(d) * sp.sqrt(r),
    ("Theorem 3 is proved under Assumption 3.5 only, so the left entry does not follow from it as proved",),
)
DP_GD = row("DP-GD", "dp_gd", sp.sqrt(d), sp.sqrt(r), ("the paper gives no theorem for this row; dpzero.dp_gd is our proof of it",))
