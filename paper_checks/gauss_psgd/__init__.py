"""Gauss-PSGD: what was run, and what its claims came to."""
