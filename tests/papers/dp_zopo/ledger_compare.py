"""What the ledger of DP-ZOPO must keep of the comparison with DPZero."""

LEAST = {"printed": 0, "reading": 2, "question": 10}  # claims, of each kind
MARKED = {"fatal": "", "repairable": "E58", "harmless": ""}
UNCORRECTED: tuple[str, ...] = ()
SUBJECTS = {"E58": "comparison.improved_power"}
WITHDRAWN: set[str] = set()
NOT_SHOWN: dict[str, str] = {}
COMPILED = {"comparison.run_batches"}
