"""DPZero: private zeroth-order fine-tuning (Zhang, Li, Thekumparampil, Oh, He, ICML 2024; arXiv:2310.09639)."""

from __future__ import annotations

from typing import Any

from bounds.contents import tables

# a result, the page where it stands, the names of its statement and of its proof there, and the place of the proof among the proofs
# sharp_... are sharper than the paper, and ours
THEOREMS, DERIVATIONS = tables(
    "dpzero",
    """
    lemma_2_2                  composition            LEMMA_2_2            proof                      1
    lemma_c1                   sphere                 LEMMA_C1             proof                      2
    lemma_c2                   smoothing              LEMMA_C2             proof                      3
    section4_tail              sphere                 SECTION_4_TAIL       section_4_proof            4
    theorem1                   theorem1               THEOREM              proof                      5
    theorem2                   theorem2               THEOREM              proof                      6
    theorem3                   theorem3               THEOREM              proof                      7
    corollary_f2               corollaries_f2_f3      THEOREM_F2           proof_f2                   8
    corollary_f3               corollaries_f2_f3      THEOREM_F3           proof_f3                   9
    corollary_f4               corollary_f4           THEOREM              proof                      10
    corollary_f4_as_printed    corollary_f4           AS_PRINTED           -
    remark_f5                  remark_f5              REMARK_F5            -
    dp_gd                      dp_gd                  THEOREM              proof                      11
    table1_dpgd_0th            table1                 DPGD_0TH             -
    table1_dpzero              table1                 DPZERO               -
    table1_dp_gd               table1                 DP_GD                -
    integer_t_dp_gd            dp_gd                  -                    integer_t_proof            12
    integer_t_theorems_1_2     integer_t              -                    theorems_1_2               13
    integer_t_theorem_3        integer_t              -                    theorem_3                  14
    integer_t_corollaries      integer_t_corollaries  -                    proof                      15
    sharp_tail_linear          sharp_tail             LINEAR               linear_proof               16
    sharp_tail_lipschitz       sharp_tail             LIPSCHITZ            lipschitz_proof            17
    sharp_bias                 sharp_bias             LEMMA                proof                      18
    sharp_clip                 sharp_clip             LEMMA                proof                      19
    sharp_clip_lipschitz       sharp_clip_lipschitz   LEMMA                proof                      20
    sharp_descent              sharp_descent          -                    proof                      21
    sharp_event                sharp_event            THEOREM              proof                      22
    sharp_clip_bias            sharp                  CLIP_BIAS            clip_bias_proof            23
    sharp_lipschitz            sharp                  LIPSCHITZ            lipschitz_proof            24
    sharp_never_clip           sharp                  NEVER_CLIP           never_clip_proof           25
    sharp_dpgd_0th             sharp                  DPGD_0TH             dpgd_0th_proof             26
    sharp_dpgd_0th_never_clip  sharp                  DPGD_0TH_NEVER_CLIP  dpgd_0th_never_clip_proof  27
    sharp_dp_gd                sharp_first_order      DP_GD                dp_gd_proof                28
    sharp_start                sharp_first_order      START                start_proof                29
    """,
)


def __getattr__(name: str) -> Any:
    if name != "integer_T":
        raise AttributeError(f"module 'bounds.dpzero' has no attribute {name!r}")
    from bounds.dpzero.remark_f5 import integer_T  # here: it needs SymPy

    return integer_T


__all__ = ["DERIVATIONS", "THEOREMS", "integer_T"]
