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

DERIVATIONS = {
    derivation.key: derivation
    for derivation in (
        composition.PROOF,
        sphere.PROOF,
        smoothing.PROOF,
        sphere.SECTION_4,
        theorem1.PROOF,
        theorem2.PROOF,
        theorem3.PROOF,
        corollary_f2.PROOF,
        corollary_f3.PROOF,
        corollary_f4.PROOF,
        dp_gd.PROOF,
        integer_t_proof.THEOREMS_1_2,
        integer_t_proof.THEOREM_3,
        integer_t_proof.COROLLARIES,
    )
}

__all__ = ["DERIVATIONS", "THEOREMS", "integer_T"]
