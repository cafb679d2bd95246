"""What the ledger must keep of DP-GRAPE's memory claims and experiments."""

from paper_checks.errata import IN_WORDS

LEAST = {"printed": 40, "reading": 7, "question": 8}
MARKED = {"repairable": "E27 E31 E32 E40", "harmless": "E28 E29 E30 E33 E34 E35"}
SUBJECTS = {
    "E27": "abstract.over_70", "E28": "section5_2.reduction", "E29": "section5_1.naive_cifar10", "E30": "table10.hours",
    "E31": "section5_1.final", "E32": "table2.all_gradients", "E33": "section_c1.one_unit", "E34": "table4.bold",
    "E35": "section_c4.citation", "E40": "introduction.naive",
}  # fmt: skip
NOT_SHOWN = {"E31": IN_WORDS}
