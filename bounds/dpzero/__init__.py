"""DPZero: private zeroth-order fine-tuning (Zhang, Li, Thekumparampil, Oh, He, ICML 2024; arXiv:2310.09639)."""

from typing import Any

from bounds.pages.contents import page_tables

# the pages with statements or proofs, in the order in which they are listed
# sharp_... are sharper than the paper, and ours; below them are lemmas of ours that checks rest on
THEOREMS, DERIVATIONS = page_tables(
    "dpzero",
    """
    lemma_2_2 lemma_c1 lemma_c2 section4_tail theorem1 theorem2 theorem3 corollary_f2 corollary_f3 corollary_f4
    corollary_f4_as_printed remark_f5 dp_gd table1_dpgd_0th table1_dpzero table1_dp_gd integer_t_dp_gd integer_t_theorems_1_2
    integer_t_theorem_3 integer_t_corollaries sharp_tail_linear sharp_tail_lipschitz random_directions sharp_bias sharp_clip
    sharp_clip_lipschitz sharp_descent sharp_event sharp_clip_bias sharp_lipschitz sharp_never_clip sharp_dpgd_0th
    sharp_dpgd_0th_never_clip sharp_dp_gd sharp_start
    lower_x least_rank harmonic_rank threshold_order exceeds_L_squared pl_leaves_constants lemma_2_2_fails count_f2 count_f3 count_f4
    clipped_mean
    """,
)


def __getattr__(name: str) -> Any:
    if name != "integer_T":
        raise AttributeError(f"module 'bounds.dpzero' has no attribute {name!r}")
    from bounds.dpzero.remark_f5 import integer_T  # here: it needs SymPy

    return integer_T


__all__ = ["DERIVATIONS", "THEOREMS", "integer_T"]
