"""DP-ZOPO at the front door: in what the previews of its figures are less, their made-up records, and pictures of these."""

from theory_lab.methods.record import resolved

LESS = {  # in what the preview is less
    "zopo-lemma4": "batches 1 to 64 (3) of 1 to 64 (7), many 1 to 100 (2) of 1 to 10000 (5), "
    "slopes 0.1 to 10 (2) of 0.01 to 100 (5), radii 0.01 to 1 (2) of 0.001 to 10 (5), replicates 300 of 2000",
    "zopo-floor": "ratios 0.9 to 1.1 (2) of 0.9 to 2 (5), rounds 100 of 300, samples 1000 to 1e+06 (2) of 1000 to 1e+08 (6)",
    "zopo-stages": "stages 3 of 6, ratios 1.41421 to 6.63636 (2) of 1 to 6.63636 (6), replicates 4 of 16, steps_replicates 20 of 200",
    "zopo-pruning": "d 200 of 1000, support 10 of 20, snrs 2 to 6 (2) of 0.5 to 6 (6), replicates 10 of 100",
    "zopo-scores": "width 20 of 60, several 1 to 1024 (3) of 1 to 16384 (8), replicates 3 of 12",
    "zopo-digits": "epsilons 2 to 8 (2) of 1 to 8 (3), epochs 10 of 100, alphas 0.01 to 0.1 (2) of 0.003 to 0.3 (5), "
    "search_replicates 1 of 2, replicates 3 of 8",
}
DRAWN = "tests.figures.dp_zopo.test_drawn"
RECORDS = {  # made-up numbers of the figures that say of themselves where they come from
    "zopo-lemma4": f"{DRAWN}:error_record", "zopo-floor": f"{DRAWN}:floor_record", "zopo-stages": f"{DRAWN}:stages_record",
    "zopo-pruning": f"{DRAWN}:masks_record", "zopo-scores": f"{DRAWN}:scores_record", "zopo-digits": f"{DRAWN}:digits_record",
}  # fmt: skip


def pictures():
    """Figures of made-up numbers."""
    from figures.dp_zopo import digits as zopo_digits
    from figures.dp_zopo import pruning as zopo_pruning
    from figures.dp_zopo import stages as zopo_stages
    from figures.dp_zopo import theory as zopo_theory

    parts = (zopo_theory.LEMMA_4, zopo_theory.FLOOR, zopo_stages, zopo_pruning.PRUNING, zopo_pruning.SCORES, zopo_digits)
    return {one.NAME: one.draw(resolved(RECORDS[one.NAME])()) for one in parts}
