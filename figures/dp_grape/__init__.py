"""Figures of DP-GRAPE: `memory`, `digits` (accuracy), `projection` (spectra, directions), `rate` (error on quadratics, subspaces)."""
