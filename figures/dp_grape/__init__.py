"""Figures of DP-GRAPE: `memory`, `digits`, and two figures each in `projection` and `rate`."""
