"""DP-GRAPE: commands."""
