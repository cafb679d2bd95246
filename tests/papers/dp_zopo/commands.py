"""DP-ZOPO: commands."""
