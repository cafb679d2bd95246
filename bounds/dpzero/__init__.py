"""DPZero: private zeroth-order fine-tuning (Zhang, Li, Thekumparampil, Oh, He, ICML 2024; arXiv:2310.09639)."""

from __future__ import annotations

from bounds.dpzero import (
    composition,
    corollary_f2,
    corollary_f3,
    corollary_f4,
    dp_gd,
    integer_t_proof,
    remark_f5,
    smoothing,
    sphere,
    table1,
    theorem1,
    theorem2,
    theorem3,
)
from bounds.dpzero.remark_f5 import integer_T
from bounds.proofs import Proofs

THEOREMS = {
    theorem.key: theorem
    for theorem in (
        composition.LEMMA_2_2,
        sphere.LEMMA_C1,
        smoothing.LEMMA_C2,
        sphere.SECTION_4_TAIL,
        theorem1.THEOREM,
        theorem2.THEOREM,
        theorem3.THEOREM,
        corollary_f2.THEOREM,
        corollary_f3.THEOREM,
        corollary_f4.THEOREM,
        corollary_f4.AS_PRINTED,
        remark_f5.REMARK_F5,
        dp_gd.THEOREM,
        *table1.ROWS,
    )
}

DERIVATIONS = Proofs(
    {
        "dpzero.lemma_2_2": composition.proof,
        "dpzero.lemma_c1": sphere.proof,
        "dpzero.lemma_c2": smoothing.proof,
        "dpzero.section4_tail": sphere.section_4_proof,
        "dpzero.theorem1": theorem1.proof,
        "dpzero.theorem2": theorem2.proof,
        "dpzero.theorem3": theorem3.proof,
        "dpzero.corollary_f2": corollary_f2.proof,
        "dpzero.corollary_f3": corollary_f3.proof,
        "dpzero.corollary_f4": corollary_f4.proof,
        "dpzero.dp_gd": dp_gd.proof,
        "dpzero.integer_t_theorems_1_2": integer_t_proof.theorems_1_2,
        "dpzero.integer_t_theorem_3": integer_t_proof.theorem_3,
        "dpzero.integer_t_corollaries": integer_t_proof.corollaries,
    }
)

__all__ = ["DERIVATIONS", "THEOREMS", "integer_T"]
