"""Experiments and checks of the papers' claims, on top of `bounds` and `synthetic`."""
