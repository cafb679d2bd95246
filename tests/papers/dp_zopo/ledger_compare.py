"""What the ledger of DP-ZOPO must keep of the comparison with DPZero."""

LEAST = {"printed": 0, "reading": 2, "question": 10}  # claims, of each kind
MARKED = {"repairable": "E58"}
SUBJECTS = {"E58": "comparison.improved_power"}
COMPILED = {"comparison.run_batches"}
