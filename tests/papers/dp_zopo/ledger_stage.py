"""What the ledger of DP-ZOPO must keep of what is repaired and sharper."""

LEAST = {"printed": 0, "reading": 0, "question": 16}  # claims, of each kind
MARKED = {"fatal": "", "repairable": "", "harmless": ""}
UNCORRECTED: tuple[str, ...] = ()
SUBJECTS: dict[str, str] = {}
WITHDRAWN: set[str] = set()
NOT_SHOWN: dict[str, str] = {}
COMPILED: set[str] = set()
