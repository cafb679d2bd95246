"""Benchmark the grid engine against plain NumPy loops, timed in one process: ``python -m tests.bench``.

n = 10,000, d = 2,000, eigenvalues 1/i, all 880 settings of Table 6. The plain version is a NumPy loop for each setting: one
matrix-vector product per zeroth-order step and two per DP-GD step. It is timed on a few steps and extrapolated.
"""

import argparse
import sys
import time

import numpy as np

from paper_checks.dpzero.experiments.figure_runs import PAPER
from synthetic.grids.grid import grids, train_test_quadratics

TARGETS = {"dpzero": 500, "dpgd_0th": 400, "dp_gd": 40}
STEPS = 40


def plain_seconds_per_step(method, objective):
    """Return the seconds per step of one setting in plain NumPy, the fastest of three timings, which favours NumPy."""
    a, X = objective.eigenvalues, objective.data
    n, d = X.shape
    rng, C, alpha, sigma = np.random.default_rng(0), 3.0, 1e-3, 1e-3
    Y = X * a  # rows A x_i, computed in advance in favour of NumPy
    times = []
    for _ in range(3):
        x = np.zeros(d)
        began = time.perf_counter()
        for _ in range(STEPS):
            if method == "dp_gd":
                e = a * x
                norms = np.sqrt(e @ e - 2 * (Y @ e) + row_norms_sq(Y))
                w = np.minimum(1.0, C / norms)
                x = x - alpha * ((w.sum() * e - w @ Y) / n + sigma * rng.standard_normal(d))
            else:
                u = rng.standard_normal(d)
                u *= np.sqrt(d) / np.linalg.norm(u)
                v = a * u
                s = v @ x - X @ v
                if method == "dpzero":
                    x = x - alpha * (np.clip(s, -C, C).mean() + sigma * rng.standard_normal()) * u
                else:
                    bound = C / np.sqrt(d)
                    x = x - alpha * (np.clip(s, -bound, bound).mean() * u + sigma * rng.standard_normal(d))
        times.append((time.perf_counter() - began) / STEPS)
    return min(times)


def row_norms_sq(Y, known={}):  # noqa: B006
    """Return the squared norms of the rows of Y, (n,), computed once for each array."""
    if id(Y) not in known:
        known[id(Y)] = np.einsum("nd,nd->n", Y, Y)
    return known[id(Y)]


def engine_seconds(methods, objective, test, **options):
    """Return the seconds that the grid engine takes for all settings of the paper's grid."""
    e = PAPER
    began = time.perf_counter()
    grids(methods, objective, test=test, alphas=e.alphas, horizons=e.horizons, clips=e.clips, sigma=e.sigma(), **options)
    return time.perf_counter() - began


def main():
    """Time the methods and print the ratios; return 1 where one is below its target at d = 2000, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--d", type=int, default=2000)
    parser.add_argument("--methods", default="dpzero,dpgd_0th,dp_gd")
    arguments = parser.parse_args()
    small, small_test = train_test_quadratics("inverse", 4, 50, 0)
    engine_seconds(("dpzero", "dp_gd"), small, small_test, precision="single", prune=True)  # compiles
    objective, test = train_test_quadratics("inverse", arguments.d, PAPER.n, 0)
    steps = len(PAPER.alphas) * len(PAPER.clips) * sum(PAPER.horizons)
    print(f"n = {PAPER.n:,}, d = {arguments.d:,}, eigenvalues 1/i, {steps:,} steps a method", flush=True)
    short = False
    for method in arguments.methods.split(","):
        options = {"precision": "single", "prune": True} if method == "dp_gd" else {}
        plain = plain_seconds_per_step(method, objective)
        seconds = engine_seconds((method,), objective, test, **options)
        ratio = plain * steps / seconds
        short |= arguments.d == 2000 and ratio < TARGETS[method]
        print(
            f"{method:9s} engine {seconds:7.1f} s; plain {plain * 1e3:6.2f} ms a step, {plain * steps:9,.0f} s in all; "
            f"ratio {ratio:7,.0f} (at least {TARGETS[method]} is asked for)",
            flush=True,
        )
    both = engine_seconds(("dpgd_0th", "dpzero"), objective, test)
    print(f"dpgd_0th and dpzero together, as the figures run them: {both:.1f} s")
    return int(short)


if __name__ == "__main__":
    sys.exit(main())
