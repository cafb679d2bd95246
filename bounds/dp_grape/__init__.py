"""DP-GRAPE: private training with gradients projected at random (Mulrooney, Gupta, Flemings, Zhang and others, arXiv:2506.15588)."""

from bounds.contents import tables

# a result, the page where it stands, the names of its statement and of its proof there
# corrected_... hold where the paper's statement does not, sharp_... are sharper; both are ours
THEOREMS, DERIVATIONS = tables(
    "dp_grape",
    """
    theorem_2_1              theorems_2_1_and_4_1  THEOREM_2_1      -
    theorem_4_1              theorems_2_1_and_4_1  THEOREM_4_1      theorem_4_1
    theorem_d10              theorem_d10           THEOREM          proof
    theorem_d10_schedule     theorem_d10           -                schedule
    lemma_d4                 lemmas_d4_to_d9       LEMMA_D4         lemma_d4
    lemma_d5                 lemmas_d4_to_d9       LEMMA_D5         lemma_d5
    lemma_d6                 lemmas_d4_to_d9       LEMMA_D6         lemma_d6
    lemma_d7                 lemmas_d4_to_d9       LEMMA_D7         lemma_d7
    lemma_d8                 lemmas_d4_to_d9       LEMMA_D8         lemma_d8
    lemma_d9                 lemmas_d4_to_d9       LEMMA_D9         -
    moments                  moments               MOMENTS          proof
    moments_orthonormal      moments               ORTHONORMAL      -
    moments_tail             moments               TAIL             tail_proof
    quadratic                quadratic             THEOREM          proof
    corrected_noise          theorems_2_1_and_4_1  CORRECTED_NOISE  corrected_noise
    corrected_coordinates    corrected             COORDINATES      coordinates_proof
    corrected_concentration  corrected             CONCENTRATION    concentration_proof
    sharp_clip               sharp                 LEMMA            clip_proof
    sharp_clip_bias          sharp                 THEOREM          proof
    """,
)

__all__ = ["DERIVATIONS", "THEOREMS"]
