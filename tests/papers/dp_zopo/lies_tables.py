"""Planted faults in DP-ZOPO's tables: cells that a claim rests on, and how they are compared, counted and judged."""

from tests.paper_checks.lies import Lie

CELLS, TABLES, KEY = "paper_checks/dp_zopo/tables.txt", "paper_checks/dp_zopo/tables.py", "dp_zopo."

LIES = (
    Lie("Table II with the zero-shot number of MNLI", CELLS, "50.2 51.4 32.0", "50.2 48.8 32.0", (f"{KEY}table2.zero_shot",)),
    Lie("Table II with a digit off", CELLS, "93.6 51.1 80.7 74.9 92.0", "93.6 51.1 80.7 74.8 92.0", (f"{KEY}gains",)),
    Lie("Table VI with the totals of its incremental rows", CELLS, "3.30 4.79 2.89", "3.30 4.79 5.75", (f"{KEY}table6.half",)),
    Lie("Table VII with the best run of Table XVIII", CELLS, "50.3 79.3 69.5 87.6\ndynamic", "48.8 79.3 69.5 87.6\ndynamic",
        (f"{KEY}table7.constant",)),
    Lie("Table XVIII with two columns exchanged", CELLS, "81.4 71.6 85.4\n0.5*", "71.6 81.4 85.4\n0.5*", (f"{KEY}copies",)),
    Lie("TREC with an odd tenth", CELLS, "48.2 77.6 71.3 85.2", "48.2 77.6 71.3 85.3", (f"{KEY}section5_a.trec",)),
    Lie("the smallest of several is the best", f"{TABLES}:cells", "best = [max(", "best = [min(", (f"{KEY}table7.static",)),
    Lie("a tie counts as above", f"{TABLES}:above", "least: float = 1e-6", "least: float = -1e-6", (f"{KEY}table3.dpzero",)),
    Lie("a half is most", f"{TABLES}:above", "2 * won > len(off)", "8 * won > len(off)", (f"{KEY}section5_b.table17",)),
    Lie("overlaps that are not in percent", f"{TABLES}:overlap", "/ 100 / two[1]", "/ two[1]", (f"{KEY}table6.overlap",)),
    Lie("standard errors of a million examples", f"{TABLES}:examples", "else 1000", "else 10**6", (f"{KEY}chance.strategies",)),
    Lie("equal cells are not rare", f"{TABLES}:rare", "< 0.01", "< RARE", (f"{KEY}chance.staged", f"{KEY}section5_a.cb")),
)  # fmt: skip
