"""DP-GRAPE: simulation."""
