"""Simulation: objectives, kernels of the algorithms, the exact grid engine, sweeps. Knows nothing of `bounds`."""
