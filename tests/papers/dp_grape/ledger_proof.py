"""What the ledger of DP-GRAPE must keep of Theorem D.10 and its lemmas."""

from paper_checks.errata import HELD

LEAST = {"printed": 35, "reading": 7, "question": 18}  # claims, of each kind
MARKED = {
    "repairable": "E5 E6 E7 E8 E9 E10 E16 E24 E41",
    "harmless": "E11 E12 E13 E17 E38 E39",
}
SUBJECTS = {
    "E5": "theorem_d10.printed_bound", "E6": "theorem_d10.printed_17", "E7": "theorem_d10.printed_five", "E8": "lemma_d5.printed_d5",
    "E9": "lemma_d8.printed_d8", "E10": "equation_5.printed_columns", "E11": "equation_5.printed_variance",
    "E12": "equation_4.printed_jensen", "E13": "theorem_d10.root_L", "E16": "theorem_d10.kept_subspace",
    "E17": "theorem_d10.printed_no_d", "E24": "theorem_d10.bounded_loss", "E38": "theorem_d10.slack", "E39": "theorem_d10.batch_fits",
    "E41": "lemma_d9.all_samples",
}  # fmt: skip
NOT_SHOWN = {"E38": HELD}
