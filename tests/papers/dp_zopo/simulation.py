"""DP-ZOPO: simulation."""
