"""The ledger of Gauss-PSGD (Tao, Zhang, Yu, Cheng, Dressler, Wang): every claim, cheap ones first."""

from __future__ import annotations

from paper_checks.gauss_psgd import loop, oracles

CLAIMS = (
    *oracles.CLAIMS,
    *loop.CLAIMS,
)
