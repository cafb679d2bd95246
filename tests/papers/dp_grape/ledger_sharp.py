"""What the ledger of DP-GRAPE must keep of the corrected and the sharp theorem."""

LEAST = {"printed": 0, "reading": 0, "question": 15}  # claims, of each kind
