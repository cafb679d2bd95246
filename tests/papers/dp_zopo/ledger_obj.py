"""What the ledger of DP-ZOPO must keep of pruning."""

from paper_checks.errata import HELD

LEAST = {"printed": 3, "reading": 2, "question": 11}  # claims, of each kind
MARKED = {"repairable": "E63", "harmless": "E13"}
SUBJECTS = {"E13": "pruning.estimator", "E63": "pruning.one_direction"}
NOT_SHOWN = {"E13": HELD}
COMPILED = {f"pruning.{name}" for name in ("as_computed", "accuracy", "accuracy_dynamic", "restricted", "ends")}
