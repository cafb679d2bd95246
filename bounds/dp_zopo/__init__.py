"""DP-ZOSO and DP-ZOPO: private zeroth-order descent in stages, and with pruning (Liu, Lou and others, NDSS 2025, arXiv:2402.07818)."""

from bounds.contents import tables

# a result, the page where it stands, the names of its statement and of its proof there
# corrected_... hold where the paper's statement does not, sharp_... are sharper; both are ours
THEOREMS, DERIVATIONS = tables(
    "dp_zopo",
    """
    lemma1                   theorem1              LEMMA_1          -
    lemma2                   theorem1              LEMMA_2          -
    theorem1                 theorem1              THEOREM_1        theorem_1
    theorem3                 theorem3              THEOREM_3        -
    corrected_noise          theorem1              CORRECTED_NOISE  corrected_noise
    floor                    floor                 THEOREM          proof
    lemma3                    lemma4     LEMMA3          lemma3
    lemma4                    lemma4     LEMMA4          lemma4
    corrected_moments         corrected  MOMENTS         moments_proof
    corrected_clip_bias       corrected  CLIP_BIAS       clip_bias_proof
    corrected_smoothness      corrected  SMOOTHNESS      smoothness_proof
    corrected_gradient_error  corrected  GRADIENT_ERROR  error_proof
    corrected_poisson_error   corrected  POISSON_ERROR   poisson_proof
    """,
)

__all__ = ["DERIVATIONS", "THEOREMS"]
