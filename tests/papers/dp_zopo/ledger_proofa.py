"""What the ledger of DP-ZOPO must keep of Lemmas 3 and 4."""

LEAST = {"printed": 26, "reading": 2, "question": 14}  # claims, of each kind
MARKED = {"repairable": "E1 E2 E3 E4", "harmless": "E17 E23"}
SUBJECTS = {
    "E1": "lemma4.printed_shared", "E2": "equation_27.printed_27", "E3": "lemma4.printed_floor", "E4": "lemma4.printed_sampling",
    "E17": "equation_36.printed_36", "E23": "equation_31.printed_31",
}  # fmt: skip
