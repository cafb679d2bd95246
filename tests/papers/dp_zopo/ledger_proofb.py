"""What the ledger of DP-ZOPO must keep of Lemmas 5 and 8 and Theorems 2 and 4."""

from paper_checks.errata import HELD

LEAST = {"printed": 20, "reading": 19, "question": 11}  # claims, of each kind
MARKED = {"repairable": "E5 E7 E9 E10 E11 E12 E57", "harmless": "E8 E16 E18 E24 E25 E27"}
SUBJECTS = {
    "E5": "theorem2.on_a_ball", "E7": "assumption2.printed_everywhere", "E8": "assumption2.pl", "E9": "theorem2.printed_stages",
    "E10": "theorem2.step_cap", "E11": "equation_44.printed_44", "E12": "theorem4.printed_mask",
    "E16": "equation_37.printed_equality", "E18": "equation_50.printed_50", "E24": "lemma5.single_run", "E25": "section4.radius",
    "E27": "theorem2.as_printed", "E57": "theorem2.stages_pay",
}  # fmt: skip
NOT_SHOWN = {"E27": HELD}
