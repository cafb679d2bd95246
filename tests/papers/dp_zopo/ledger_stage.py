"""What the ledger of DP-ZOPO must keep of what is repaired and sharper."""

LEAST = {"printed": 0, "reading": 0, "question": 16}  # claims, of each kind
