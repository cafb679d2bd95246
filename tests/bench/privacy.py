"""Benchmark audits and calibrations against plain computations: ``python -m tests.bench.privacy``.

Audit          100,000 runs on each of two neighbouring data sets, T = 4, n = 3, against the same runs alone, step by step in NumPy, without
               tests, scores and bounds. The NumPy loop is timed on few runs and extrapolated.
Calibration    the noise for x_tau at T = 4,672, in units of the time of one delta; the noise for batches of fixed size, in units of one
               epsilon.
"""

import sys
from itertools import count

import numpy as np

from bounds.privacy.random_iterate import delta_uniform, sigma_uniform
from bounds.privacy.subsampled import epsilon_subsampled, sigma_subsampled
from paper_checks.shared.audit import LONG_GRADIENT, attack_full_batches
from synthetic.audits.sums import worst_case_rows
from synthetic.methods.dpzero import KERNELS
from tests.bench.psgd import median_seconds, print_ratio

AUDIT_RATIO = 5.0  # target: an audit against plain runs on both data sets
OF_DELTA, OF_EPSILON = 150.0, 10.0  # targets: the most units of time that a calibration may take
RUNS, T, N, D, FEW = 100_000, 4, 3, 2, 500
BUDGET = {"epsilon": 2.0, "delta": 1e-6}
FIXED = {"delta": 1e-5, "T": 1000, "q": 64 / 1024, "sensitivity": 2 / 64, "neighbours": "replace_one", "sampling": "without_replacement"}


def plain_runs(method):
    """Make FEW runs of T steps on each of two neighbouring data sets, in plain NumPy."""
    rng, sigma, C, lam = np.random.default_rng(0), 3.0, 1.0, 1.0
    for rows in worst_case_rows(D, N, LONG_GRADIENT):
        for _ in range(FEW):
            x = np.zeros(D)
            for _ in range(T):
                if method == "dp_gd":
                    clipped = rows * np.minimum(1.0, C / np.maximum(np.linalg.norm(rows, axis=1), 1e-300))[:, None]
                    x = x - (clipped.mean(axis=0) + sigma * rng.standard_normal(D))
                    continue
                u = rng.standard_normal(D)
                u *= np.sqrt(D) / np.linalg.norm(u)
                s = (rows @ (x + lam * u) - rows @ (x - lam * u)) / (2 * lam)
                if method == "dpzero":
                    x = x - (np.clip(s, -C, C).mean() + sigma * rng.standard_normal()) * u
                else:
                    x = x - (np.clip(s, -C / np.sqrt(D), C / np.sqrt(D)).mean() * u + sigma * rng.standard_normal(D))


def time_audits():
    """Time the audit of each private method of DPZero against plain runs; return whether all reach the target."""
    good = True
    for method in ("dpzero", "dpgd_0th", "dp_gd"):
        took = median_seconds(lambda m=method: attack_full_batches(KERNELS[m], **BUDGET, T=T, n=N, runs=RUNS, seed=0), 3)
        plain = median_seconds(lambda m=method: plain_runs(m), 3) * RUNS / FEW
        good &= print_ratio(f"audit of {method}, {2 * RUNS / took:,.0f} runs a second", plain, took, AUDIT_RATIO)
    return good


def time_calibrations():
    """Time calibrations (privacy to noise) in units of an evaluation (noise to privacy); return whether all reach the targets.

    Both cache their results, so the arguments are new at every call.
    """
    of_tau, of_batches = {"T": 4672, "sensitivity": 2e-4}, {name: value for name, value in FIXED.items() if name != "delta"}
    new, good = count(1), True

    def near(value):
        return value * (1 + 1e-6 * next(new))

    for name, call, curve, most in (
        (
            "x_tau at T = 4,672",
            lambda: sigma_uniform(epsilon=near(2.0), delta=1e-6, **of_tau),
            lambda s: delta_uniform(epsilon=2.0, sigma=near(s), **of_tau),
            OF_DELTA,
        ),
        (
            "64 of 1,024 without replacement, T = 1,000",
            lambda: sigma_subsampled(epsilon=near(2.0), delta=1e-5, **of_batches),
            lambda s: epsilon_subsampled(delta=1e-5, sigma=near(s), **of_batches),
            OF_EPSILON,
        ),
    ):
        sigma = call()
        took, once = median_seconds(call, 3), median_seconds(lambda c=curve, s=sigma: c(s), 3)
        good &= took / once <= most
        print(f"noise: {name}: {took:.3f} s, {took / once:,.1f} times the unit (at most {most:g} is asked for)", flush=True)
    return good


def main():
    """Run both benchmarks; return 1 where a target is missed, else 0."""
    return int(not all([time_audits(), time_calibrations()]))


if __name__ == "__main__":
    sys.exit(main())
