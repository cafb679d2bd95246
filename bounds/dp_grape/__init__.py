"""DP-GRAPE: private training with gradients projected at random (Mulrooney, Gupta, Flemings, Zhang and others, arXiv:2506.15588)."""

from bounds.contents import tables

# a result, the page where it stands, the names of its statement and of its proof there
# corrected_... hold where the paper's statement does not, sharp_... are sharper; both are ours
THEOREMS, DERIVATIONS = tables(
    "dp_grape",
    """
    corrected_coordinates    corrected  COORDINATES    coordinates_proof
    corrected_concentration  corrected  CONCENTRATION  concentration_proof
    sharp_clip               sharp      LEMMA          clip_proof
    sharp_clip_bias          sharp      THEOREM        proof
    """,
)

__all__ = ["DERIVATIONS", "THEOREMS"]
