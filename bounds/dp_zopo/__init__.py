"""DP-ZOSO and DP-ZOPO: private zeroth-order descent in stages, and with pruning (Liu, Lou and others, NDSS 2025, arXiv:2402.07818)."""

from bounds.contents import tables

# a result, the page where it stands, the names of its statement and of its proof there
# corrected_... hold where the paper's statement does not, sharp_... are sharper; both are ours
THEOREMS, DERIVATIONS = tables(
    "dp_zopo",
    """
    lemma3                    lemma4     LEMMA3          lemma3
    lemma4                    lemma4     LEMMA4          lemma4
    corrected_moments         corrected  MOMENTS         moments_proof
    corrected_clip_bias       corrected  CLIP_BIAS       clip_bias_proof
    corrected_smoothness      corrected  SMOOTHNESS      smoothness_proof
    corrected_gradient_error  corrected  GRADIENT_ERROR  error_proof
    corrected_poisson_error   corrected  POISSON_ERROR   poisson_proof
    lemma5                    lemma5     LEMMA_5         proof
    lemma5_steps              lemma5     -               steps
    theorem2                  theorem2   THEOREM_2       proof
    lemma8                    theorem4   LEMMA_8         lemma8
    theorem4                  theorem4   THEOREM_4       proof
    """,
)

__all__ = ["DERIVATIONS", "THEOREMS"]
