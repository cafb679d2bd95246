"""DPZero: private zeroth-order fine-tuning (Zhang, Li, Thekumparampil, Oh, He, ICML 2024; arXiv:2310.09639)."""

from __future__ import annotations

from typing import Any

from bounds.contents import OnDemand, proof, statement

THEOREMS = OnDemand(
    {
        "dpzero.lemma_2_2": statement("bounds.dpzero.composition:LEMMA_2_2"),
        "dpzero.lemma_c1": statement("bounds.dpzero.sphere:LEMMA_C1"),
        "dpzero.lemma_c2": statement("bounds.dpzero.smoothing:LEMMA_C2"),
        "dpzero.section4_tail": statement("bounds.dpzero.sphere:SECTION_4_TAIL"),
        "dpzero.theorem1": statement("bounds.dpzero.theorem1:THEOREM"),
        "dpzero.theorem2": statement("bounds.dpzero.theorem2:THEOREM"),
        "dpzero.theorem3": statement("bounds.dpzero.theorem3:THEOREM"),
        "dpzero.corollary_f2": statement("bounds.dpzero.corollary_f2:THEOREM"),
        "dpzero.corollary_f3": statement("bounds.dpzero.corollary_f3:THEOREM"),
        "dpzero.corollary_f4": statement("bounds.dpzero.corollary_f4:THEOREM"),
        "dpzero.corollary_f4_as_printed": statement("bounds.dpzero.corollary_f4:AS_PRINTED"),
        "dpzero.remark_f5": statement("bounds.dpzero.remark_f5:REMARK_F5"),
        "dpzero.dp_gd": statement("bounds.dpzero.dp_gd:THEOREM"),
        "dpzero.table1_dpgd_0th": statement("bounds.dpzero.table1:DPGD_0TH"),
        "dpzero.table1_dpzero": statement("bounds.dpzero.table1:DPZERO"),
        "dpzero.table1_dp_gd": statement("bounds.dpzero.table1:DP_GD"),
    }
)

DERIVATIONS = OnDemand(
    {
        "dpzero.lemma_2_2": proof("bounds.dpzero.composition:proof"),
        "dpzero.lemma_c1": proof("bounds.dpzero.sphere:proof"),
        "dpzero.lemma_c2": proof("bounds.dpzero.smoothing:proof"),
        "dpzero.section4_tail": proof("bounds.dpzero.sphere:section_4_proof"),
        "dpzero.theorem1": proof("bounds.dpzero.theorem1:proof"),
        "dpzero.theorem2": proof("bounds.dpzero.theorem2:proof"),
        "dpzero.theorem3": proof("bounds.dpzero.theorem3_proof:proof"),
        "dpzero.corollary_f2": proof("bounds.dpzero.corollary_f2:proof"),
        "dpzero.corollary_f3": proof("bounds.dpzero.corollary_f3:proof"),
        "dpzero.corollary_f4": proof("bounds.dpzero.corollary_f4:proof"),
        "dpzero.dp_gd": proof("bounds.dpzero.dp_gd:proof"),
        "dpzero.integer_t_dp_gd": proof("bounds.dpzero.dp_gd:integer_t_proof"),
        "dpzero.integer_t_theorems_1_2": proof("bounds.dpzero.integer_t_any:proof"),
        "dpzero.integer_t_theorem_3": proof("bounds.dpzero.integer_t_proof:theorem_3"),
        "dpzero.integer_t_corollaries": proof("bounds.dpzero.integer_t_corollaries:proof"),
    }
)


def __getattr__(name: str) -> Any:
    if name != "integer_T":
        raise AttributeError(f"module 'bounds.dpzero' has no attribute {name!r}")
    from bounds.dpzero.remark_f5 import integer_T  # here: it needs SymPy

    return integer_T


__all__ = ["DERIVATIONS", "THEOREMS", "integer_T"]
