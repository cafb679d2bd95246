"""What the ledger of DP-GRAPE must keep of the corrected and the sharp theorem."""

LEAST = {"printed": 0, "reading": 0, "question": 15}  # claims, of each kind
MARKED = {"fatal": "", "repairable": "", "harmless": ""}
UNCORRECTED: tuple[str, ...] = ()
SUBJECTS: dict[str, str] = {}
WITHDRAWN: set[str] = set()
NOT_SHOWN: dict[str, str] = {}
COMPILED: set[str] = set()
