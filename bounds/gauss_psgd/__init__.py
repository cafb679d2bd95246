"""Gauss-PSGD and Ada-DP-SPIDER: private second-order stationary points (Tao, Zhang, Yu, Cheng, Dressler, Wang)."""

from __future__ import annotations

from typing import Any

from bounds.contents import OnDemand, statement
from bounds.gauss_psgd.proofs_contents import DERIVATIONS

THEOREMS: OnDemand[Any] = OnDemand(
    {
        "gauss_psgd.lemma1": statement("bounds.gauss_psgd.escape:LEMMA_1"),
        "gauss_psgd.corollary1": statement("bounds.gauss_psgd.escape:COROLLARY_1"),
        "gauss_psgd.lemma2": statement("bounds.gauss_psgd.escape:LEMMA_2"),
        "gauss_psgd.lemma3": statement("bounds.gauss_psgd.descent:LEMMA_3"),
        "gauss_psgd.corollary2": statement("bounds.gauss_psgd.descent:COROLLARY_2"),
        "gauss_psgd.lemma4": statement("bounds.gauss_psgd.descent:LEMMA_4"),
        "gauss_psgd.lemma5": statement("bounds.gauss_psgd.descent:LEMMA_5"),
        "gauss_psgd.lemma6": statement("bounds.gauss_psgd.descent:LEMMA_6"),
        "gauss_psgd.theorem1": statement("bounds.gauss_psgd.descent:THEOREM_1"),
        "gauss_psgd.repaired": statement("bounds.gauss_psgd.descent:THEOREM_1_REPAIRED"),
        "gauss_psgd.lemma7": statement("bounds.gauss_psgd.oracle:LEMMA_7"),
        "gauss_psgd.lemma8": statement("bounds.gauss_psgd.oracle:LEMMA_8"),
        "gauss_psgd.theorem2": statement("bounds.gauss_psgd.oracle:THEOREM_2"),
        "gauss_psgd.lemma9": statement("bounds.gauss_psgd.oracle:LEMMA_9"),
        "gauss_psgd.theorem3": statement("bounds.gauss_psgd.oracle:THEOREM_3"),
        "gauss_psgd.theorem4": statement("bounds.gauss_psgd.theorem4:THEOREM_4"),
        "gauss_psgd.remark4": statement("bounds.gauss_psgd.theorem4:REMARK_4"),
        "gauss_psgd.lemma10": statement("bounds.gauss_psgd.concentration:LEMMA_10"),
        "gauss_psgd.lemma11": statement("bounds.gauss_psgd.concentration:LEMMA_11"),
        "gauss_psgd.corollary3": statement("bounds.gauss_psgd.concentration:COROLLARY_3"),
        "gauss_psgd.lemma12": statement("bounds.gauss_psgd.concentration:LEMMA_12"),
        "gauss_psgd.lemma13": statement("bounds.gauss_psgd.concentration:LEMMA_13"),
        "gauss_psgd.lemma14": statement("bounds.gauss_psgd.concentration:LEMMA_14"),
        "gauss_psgd.lemma15": statement("bounds.gauss_psgd.concentration:LEMMA_15"),
        "gauss_psgd.lemma16": statement("bounds.gauss_psgd.concentration:LEMMA_16"),
        "gauss_psgd.lemma17": statement("bounds.gauss_psgd.concentration:LEMMA_17"),
        "gauss_psgd.lemma18": statement("bounds.gauss_psgd.escape:LEMMA_18"),
        "gauss_psgd.lemma19": statement("bounds.gauss_psgd.escape:LEMMA_19"),
        "gauss_psgd.lemma20": statement("bounds.gauss_psgd.escape:LEMMA_20"),
    }
)

__all__ = ["DERIVATIONS", "THEOREMS"]
