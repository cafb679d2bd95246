"""Gauss-PSGD and Ada-DP-SPIDER: private second-order stationary points (Tao, Zhang, Yu, Cheng, Dressler, Wang)."""

from __future__ import annotations

from typing import Any

from bounds.contents import OnDemand

THEOREMS: OnDemand[Any] = OnDemand({})

DERIVATIONS: OnDemand[Any] = OnDemand({})

__all__ = ["DERIVATIONS", "THEOREMS"]
