"""Figures of DP-ZOSO and DP-ZOPO: `stages`, `pruning`, `theory`, `digits`."""
