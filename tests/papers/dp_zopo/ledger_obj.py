"""What the ledger of DP-ZOPO must keep of pruning."""

LEAST = {"printed": 3, "reading": 2, "question": 11}  # claims, of each kind
MARKED = {"repairable": "E171"}
UNCORRECTED: tuple[str, ...] = ()
SUBJECTS = {"E171": "pruning.one_direction"}
WITHDRAWN: set[str] = set()
NOT_SHOWN: dict[str, str] = {}
LONG: tuple[str, ...] = ()
COMPILED = {f"pruning.{name}" for name in ("as_computed", "accuracy", "accuracy_dynamic", "restricted", "ends")}
