"""DP-GRAPE at the front door: in what the previews of its figures are less, their made-up records, and pictures of these."""

from theory_lab.methods.record import resolved

LESS = {  # in what the preview is less
    "grape-rate": "dimensions 64 to 1024 (3) of 64 to 4096 (4), budgets 1000 to 10000 (3) of 1000 to 10000 (5), most 3e+06 of 6e+07, "
    "replicates 8 of 16",
    "grape-subspace": "stays 1 to 100 (4) of 1 to 200 (5), ranks 1 to 32 (3) of 1 to 32 (5), subspaces 1 to 10 (2) of 1 to 20 (4), "
    "replicates 40 of 300, wide_replicates 10 of 50",
    "grape-spectrum": "m 256 of 768, shown 48 of 64, replicates 3 of 5, pairs 20 of 50",
    "grape-direction": "snrs 0.03 to 1 (4) of 0.02 to 4 (12), replicates 30 of 100",
    "grape-digits": "epsilons 2 to 8 (2) of 1 to 8 (4), epochs 3 of 20, Cs 1 of 0.1 to 10 (3), "
    "alphas 0.01 to 0.03 (2) of 0.003 to 0.3 (5), search_replicates 1 of 3, replicates 3 of 12",
}
DRAWN = "tests.figures.dp_grape.test_drawn"
RECORDS = {  # made-up numbers of the figures that say of themselves where they come from
    f"grape-{name}": f"{DRAWN}:{name}_record" for name in ("rate", "subspace", "spectrum", "direction", "digits")
}


def pictures():
    """Figures of made-up numbers."""
    from figures.dp_grape import digits as grape_digits
    from figures.dp_grape import projection as grape_projection
    from figures.dp_grape import rate as grape_rate

    parts = (grape_rate.RATE, grape_rate.SUBSPACE, grape_projection.SPECTRUM, grape_projection.DIRECTION, grape_digits)
    return {one.NAME: one.draw(resolved(RECORDS[one.NAME])()) for one in parts}
