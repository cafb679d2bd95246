"""DP-GRAPE: private training with gradients projected at random (Mulrooney, Gupta, Flemings, Zhang and others, arXiv:2506.15588)."""

from bounds.contents import tables

# a result, the page where it stands, the names of its statement and of its proof there
# corrected_... hold where the paper's statement does not, sharp_... are sharper; both are ours
THEOREMS, DERIVATIONS = tables(
    "dp_grape",
    """
    theorem_2_1            theorem_2_1                THEOREM_2_1                       -
    theorem_4_1            theorem_4_1                THEOREM_4_1                       theorem_4_1
    corrected_noise        theorem_4_1                CORRECTED_NOISE                   corrected_noise
    """,
)

__all__ = ["DERIVATIONS", "THEOREMS"]
