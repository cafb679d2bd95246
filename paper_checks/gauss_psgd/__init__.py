"""The ledger of Gauss-PSGD (Tao, Zhang, Yu, Cheng, Dressler, Wang): every claim, cheap ones first."""

from __future__ import annotations

from paper_checks.gauss_psgd import algebra

CLAIMS = (*algebra.CLAIMS,)
