"""DP-GRAPE: ledger."""
