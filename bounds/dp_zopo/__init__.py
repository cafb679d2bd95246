"""DP-ZOSO and DP-ZOPO: private zeroth-order descent in stages, and with pruning (Liu, Lou and others, NDSS 2025, arXiv:2402.07818)."""

from bounds.contents import tables

# a result, the page where it stands, the names of its statement and of its proof there
# corrected_... hold where the paper's statement does not, sharp_... are sharper; both are ours
THEOREMS, DERIVATIONS = tables(
    "dp_zopo",
    """
    lemma1                    theorem1   LEMMA_1             -
    lemma2                    theorem1   LEMMA_2             -
    theorem1                  theorem1   THEOREM_1           theorem_1
    theorem3                  theorem3   THEOREM_3           -
    corrected_noise           theorem1   CORRECTED_NOISE     corrected_noise
    floor                     floor      THEOREM             proof
    lemma3                    lemma4     LEMMA3              lemma3
    lemma4                    lemma4     LEMMA4              lemma4
    corrected_moments         corrected  MOMENTS             moments_proof
    corrected_clip_bias       corrected  CLIP_BIAS           clip_bias_proof
    corrected_smoothness      corrected  SMOOTHNESS          smoothness_proof
    corrected_gradient_error  corrected  GRADIENT_ERROR      error_proof
    corrected_poisson_error   corrected  POISSON_ERROR       poisson_proof
    lemma5                    lemma5     LEMMA_5             proof
    lemma5_steps              lemma5     -                   steps
    theorem2                  theorem2   THEOREM_2           proof
    lemma8                    theorem4   LEMMA_8             lemma8
    theorem4                  theorem4   THEOREM_4           proof
    corrected_stage           stages     CORRECTED_STAGE     corrected_proof
    corrected_theorem2        stages     CORRECTED_THEOREM2  corrected_theorem2_proof
    sharp_moment              stages     SHARP_MOMENT        moment_proof
    sharp_stage               stages     SHARP_STAGE         sharp_proof
    sharp_growth              stages     SHARP_GROWTH        sharp_growth_proof
    sharp_theorem2            stages     SHARP_THEOREM2      sharp_theorem2_proof
    sharp_suffix              suffix     SUFFIX              proof
    sharp_smooth              smooth     THEOREM             proof
    """,
)

__all__ = ["DERIVATIONS", "THEOREMS"]
