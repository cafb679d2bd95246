"""DP-GRAPE: private training with gradients projected at random (Mulrooney, Gupta, Flemings, Zhang and others, arXiv:2506.15588)."""

from bounds.contents import tables

# a result, the page where it stands, the names of its statement and of its proof there
# corrected_... hold where the paper's statement does not, sharp_... are sharper; both are ours
THEOREMS, DERIVATIONS = tables(
    "dp_grape",
    """
    moments              moments  MOMENTS      proof
    moments_orthonormal  moments  ORTHONORMAL  orthonormal_proof
    moments_tail         moments  TAIL         tail_proof
    quadratic            quadratic  THEOREM    proof
    """,
)

__all__ = ["DERIVATIONS", "THEOREMS"]
