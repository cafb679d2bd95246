"""Figures of DP-ZOSO and DP-ZOPO: `stages`, `pruning` (masks and scores), `theory` (Lemma 4, Theorem 2), `digits` (accuracy)."""
