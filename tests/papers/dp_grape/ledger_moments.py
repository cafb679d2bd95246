"""DP-GRAPE, moments, rates and projections: what their ledger pages must keep."""

LEAST = {"printed": 7, "reading": 14, "question": 25}  # claims, of each kind, of these three pages
MARKED = {"harmless": "E25 E26"}
SUBJECTS = {"E25": "remark1.optimal_nonconvex", "E26": "remark1.llama_layers"}
COMPILED = {"rates.runs_n_epsilon_left"}
