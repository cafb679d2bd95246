"""DP-GRAPE: private training with gradients projected at random (Mulrooney, Gupta, Flemings, Zhang and others, arXiv:2506.15588)."""

from bounds.pages.contents import page_tables

# the pages with statements or proofs, in the order in which they are listed
# corrected_... hold where the paper's statement does not, sharp_... are sharper; both are ours
THEOREMS, DERIVATIONS = page_tables(
    "dp_grape",
    """
    theorem_2_1 theorem_4_1 theorem_d10 theorem_d10_schedule lemma_d4 lemma_d5 lemma_d6 lemma_d7 lemma_d8 lemma_d9 moments
    moments_orthonormal moments_tail quadratic corrected_noise corrected_coordinates corrected_concentration sharp_clip
    sharp_clip_bias
    """,
)

__all__ = ["DERIVATIONS", "THEOREMS"]
