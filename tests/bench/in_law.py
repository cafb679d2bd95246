"""Benchmark runs in distribution against the grid engine on data, timed in one process: ``python -m tests.bench.in_law``.

n = 10,000, d = 2,000, eigenvalues 1/i, the same settings; then runs in distribution alone at d = 1e12.
"""

import sys
import time

import numpy as np

from synthetic.distribution.quadratic import Conditions, final_measures
from synthetic.grids.grid import last_iterates, train_test_quadratics
from synthetic.grids.settings import Settings
from synthetic.groups import group_eigenvalues

METHODS = ("dpzero", "dpgd_0th", "dp_gd")
N, D, T = 10_000, 2000, 40
RATIO = 1.0  # target at d = 2000: runs in distribution are made for dimensions that the engine cannot reach


def bench_settings(T):
    """Return eight settings with T steps: two step sizes times four clipping thresholds."""
    return Settings.product(np.array([1e-3, 1e-2]), np.array([T]), np.array([0.1, 1.0, 3.0, 30.0]), np.full((1, 4), 1e-2))


def steps_per_second(call, chosen):
    """Return the steps per second of a call on chosen settings, after a call that compiles."""
    call(bench_settings(2))  # compiles, and reads the data
    began = time.perf_counter()
    call(chosen)
    return float(chosen.T.sum()) / (time.perf_counter() - began)


def main():
    """Time the methods and print the ratios; return 1 where one is below the target, else 0."""
    train, _ = train_test_quadratics("inverse", D, N, 0)
    small, large = (Conditions(group_eigenvalues("inverse", d), N, replicates=1) for d in (D, 10**12))
    good = True
    for method in METHODS:
        on_data = steps_per_second(lambda s, m=method: last_iterates((m,), train, s, threads=1), bench_settings(T))
        chain, huge = (
            steps_per_second(lambda s, m=method, o=of: final_measures((m,), s, o, threads=1), bench_settings(20 * T))
            for of in (small, large)
        )
        good &= chain / on_data >= RATIO
        print(
            f"{method:9s} steps a second: on data {on_data:9,.0f}; in law {chain:9,.0f}, {chain / on_data:,.0f} times as many "
            f"(at least {RATIO:g} is asked for); d = 1e12 {huge:9,.0f}, {len(large.groups.value)} groups",
            flush=True,
        )
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
