"""The ledger of Gauss-PSGD (Tao, Zhang, Yu, Cheng, Dressler, Wang): every claim, the theorems' first, simulations last."""

from __future__ import annotations

from paper_checks.gauss_psgd import algebra, budget, choosing, descending, discussion, escaping, gaps, loop, oracles, pilot, privacy

CLAIMS = (
    *algebra.CLAIMS,
    *budget.CLAIMS,
    *privacy.CLAIMS,
    *choosing.CLAIMS,
    *oracles.CLAIMS,
    *loop.CLAIMS,
    *gaps.CLAIMS,
    *discussion.CLAIMS,
    *descending.CLAIMS,
    *escaping.CLAIMS,
    *pilot.CLAIMS,
)
