"""Comparing a simulated mean with a bound, with a false-alarm probability that holds for every law of the samples.

Samples of |grad F_S|^2 lie in [0, L^2], whatever the method does; so the empirical Bernstein inequality applies to them as it
stands (Maurer, Pontil 2009, arXiv:0907.3740v1, Theorem 4), and no normal approximation enters a verdict.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from paper_checks.verdict import Finding, Outcome

LEVEL = 1e-9  # false-alarm probability of one comparison; a thousand of them stay within that of a run


def mean_interval(samples: NDArray[np.float64], ceiling: float, level: float = LEVEL) -> tuple[float, float]:
    """Return an interval that misses the mean of independent samples in [0, ceiling] with probability at most `level`."""
    n = len(samples)
    if n < 2 or samples.min() < 0 or samples.max() > ceiling * (1 + 1e-9):
        raise ValueError(f"samples: at least two numbers from 0 to {ceiling!r} are needed")
    log = math.log(4 / level)  # two sides, and two events a side
    reach = math.sqrt(2 * float(samples.var(ddof=1)) * log / n) + 7 * ceiling * log / (3 * (n - 1))
    mean = float(samples.mean())
    return max(0.0, mean - reach), min(ceiling, mean + reach)


def below(samples: NDArray[np.float64], bound: float, *, ceiling: float, seed: int, where: str) -> Finding:
    """Return REFUTED if the mean of independent samples in [0, ceiling] is above the bound beyond chance, CONSISTENT otherwise."""
    low, high = mean_interval(samples, ceiling)
    mean = float(samples.mean())
    numbers = {
        "bound": bound,
        "mean": mean,
        "low": low,
        "high": high,
        "runs": len(samples),
        "bound / mean": bound / mean if mean else math.inf,
    }
    if low > bound:
        sentence = f"{where}: the mean of {len(samples)} runs is at least {low:.4g}, above the bound {bound:.4g}"
        return Finding(Outcome.REFUTED, sentence, numbers, {"mean is at least": low, "bound": bound}, LEVEL, seed)
    sentence = f"{where}: the mean of {len(samples)} runs is {mean:.4g} (between {low:.4g} and {high:.4g}), the bound {bound:.4g}"
    return Finding(Outcome.CONSISTENT, sentence, numbers, {}, LEVEL, seed)
