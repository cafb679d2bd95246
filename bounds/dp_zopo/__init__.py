"""DP-ZOSO and DP-ZOPO: private zeroth-order descent in stages, and with pruning (Liu, Lou and others, NDSS 2025, arXiv:2402.07818)."""

from bounds.contents import tables

# a result, the page where it stands, the names of its statement and of its proof there
# corrected_... hold where the paper's statement does not, sharp_... are sharper; both are ours
THEOREMS, DERIVATIONS = tables(
    "dp_zopo",
    """
    sharp_stage              smooth                THEOREM          proof
    """,
)

__all__ = ["DERIVATIONS", "THEOREMS"]
