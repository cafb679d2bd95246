"""Gauss-PSGD and Ada-DP-SPIDER: private second-order stationary points (Tao, Zhang, Yu, Cheng, Dressler, Wang)."""

from bounds.pages.contents import page_tables

# the pages with statements or proofs, in the order in which they are listed; below are lemmas of ours that checks rest on
THEOREMS, DERIVATIONS = page_tables(
    "gauss_psgd",
    """
    parameter_block lemma1 corollary1 lemma2 lemma3 corollary2 lemma4 lemma5 lemma6 theorem1 repaired_block repaired lemma7 lemma8
    theorem2 remark2 exponents lemma9 theorem3 theorem4 remark4 lemma10 lemma11 corollary3 lemma12 lemma13 lemma14 lemma15 lemma16
    lemma17 lemma18 lemma19 lemma20
    in_place growth_power equation_46 equation_46_at_27 advanced_composition largest_u
    """,
)

__all__ = ["DERIVATIONS", "THEOREMS"]
