"""DP-GRAPE: bounds."""
