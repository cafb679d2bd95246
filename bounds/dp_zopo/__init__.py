"""DP-ZOSO and DP-ZOPO: private zeroth-order descent in stages, and with pruning (Liu, Lou and others, NDSS 2025, arXiv:2402.07818)."""

from bounds.pages.contents import page_tables

# the pages with statements or proofs, in the order in which they are listed
# corrected_... hold where the paper's statement does not, sharp_... are sharper; both are ours
THEOREMS, DERIVATIONS = page_tables(
    "dp_zopo",
    """
    lemma1 lemma2 theorem1 theorem3 corrected_noise floor lemma3 lemma4 corrected_moments corrected_clip_bias corrected_smoothness
    corrected_gradient_error corrected_poisson_error lemma5 lemma5_steps theorem2 lemma8 theorem4 corrected_stage
    corrected_theorem2 sharp_moment sharp_stage sharp_growth sharp_theorem2 sharp_suffix sharp_smooth
    """,
)

__all__ = ["DERIVATIONS", "THEOREMS"]
