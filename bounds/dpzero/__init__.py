"""DPZero: private zeroth-order fine-tuning (Zhang, Li, Thekumparampil, Oh, He, ICML 2024; arXiv:2310.09639)."""

from typing import Any

from bounds.contents import tables

# a result, the page where it stands, the names of its statement and of its proof there
# sharp_... are sharper than the paper, and ours
THEOREMS, DERIVATIONS = tables(
    "dpzero",
    """
    lemma_2_2                  composition            LEMMA_2_2            proof
    lemma_c1                   sphere                 LEMMA_C1             proof
    lemma_c2                   smoothing              LEMMA_C2             proof
    section4_tail              sphere                 SECTION_4_TAIL       section_4_proof
    theorem1                   theorem1               THEOREM              proof
    theorem2                   theorem2               THEOREM              proof
    theorem3                   theorem3               THEOREM              proof
    corollary_f2               corollaries_f2_f3      THEOREM_F2           proof_f2
    corollary_f3               corollaries_f2_f3      THEOREM_F3           proof_f3
    corollary_f4               corollary_f4           THEOREM              proof
    corollary_f4_as_printed    corollary_f4           AS_PRINTED           -
    remark_f5                  remark_f5              REMARK_F5            -
    dp_gd                      dp_gd                  THEOREM              proof
    table1_dpgd_0th            table1                 DPGD_0TH             -
    table1_dpzero              table1                 DPZERO               -
    table1_dp_gd               table1                 DP_GD                -
    integer_t_dp_gd            dp_gd                  -                    integer_t_proof
    integer_t_theorems_1_2     integer_t              -                    theorems_1_2
    integer_t_theorem_3        integer_t              -                    theorem_3
    integer_t_corollaries      integer_t_corollaries  -                    proof
    sharp_tail_linear          sharp_tail             LINEAR               linear_proof
    sharp_tail_lipschitz       sharp_tail             LIPSCHITZ            lipschitz_proof
    random_directions          random_directions      LEMMA                proof
    sharp_bias                 sharp_bias             LEMMA                proof
    sharp_clip                 sharp_clip             LEMMA                proof
    sharp_clip_lipschitz       sharp_clip_lipschitz   LEMMA                proof
    sharp_descent              sharp_descent          -                    proof
    sharp_event                sharp_event            THEOREM              proof
    sharp_clip_bias            sharp                  CLIP_BIAS            clip_bias_proof
    sharp_lipschitz            sharp                  LIPSCHITZ            lipschitz_proof
    sharp_never_clip           sharp                  NEVER_CLIP           never_clip_proof
    sharp_dpgd_0th             sharp                  DPGD_0TH             dpgd_0th_proof
    sharp_dpgd_0th_never_clip  sharp                  DPGD_0TH_NEVER_CLIP  dpgd_0th_never_clip_proof
    sharp_dp_gd                sharp_first_order      DP_GD                dp_gd_proof
    sharp_start                sharp_first_order      START                start_proof
    """,
)


def __getattr__(name: str) -> Any:
    if name != "integer_T":
        raise AttributeError(f"module 'bounds.dpzero' has no attribute {name!r}")
    from bounds.dpzero.remark_f5 import integer_T  # here: it needs SymPy

    return integer_T


__all__ = ["DERIVATIONS", "THEOREMS", "integer_T"]
