"""Compare a simulated mean with a bound; the false-alarm probability holds for every distribution of the samples.

Samples of |grad F_S|^2 lie in [0, L^2], whatever the method does; so the mean can be bounded by betting on it (Waudby-Smith, Ramdas
2024, J. R. Stat. Soc. B 86(1), Section 4; here with fixed bets), and no normal approximation enters these verdicts.
"""

import math

import numpy as np
from numpy.typing import NDArray

from paper_checks.record import Record
from paper_checks.verdict import Finding

LEVEL = 1e-9  # false-alarm probability of one comparison; a thousand of them stay within that of a run


BETS = (0.05, 0.1, 0.2, 0.4, 0.7, 1.0)


def mean_interval(samples: NDArray[np.float64], ceiling: float, level: float = LEVEL) -> tuple[float, float]:
    """Return an interval (low, high) for the mean of independent samples (n,) in [0, ceiling], wrong with probability <= `level`."""
    n = len(samples)
    if n < 2 or samples.min() < 0 or samples.max() > ceiling * (1 + 1e-9):
        raise ValueError(f"samples: at least two numbers from 0 to {ceiling!r} are needed")
    shares = np.minimum(samples / ceiling, 1.0)
    return mean_lower_limit(shares, level / 2) * ceiling, (1 - mean_lower_limit(1 - shares, level / 2)) * ceiling


def mean_lower_limit(shares: NDArray[np.float64], level: float) -> float:
    """Return a lower confidence limit of the mean of independent samples (n,) in [0, 1]; it errs with probability <= `level`.

    If the mean is m or less, prod_i (1 + c (x_i / m - 1)) has expectation 1 at most for every c in [0, 1], and so has the average over
    BETS; by Markov's inequality it reaches 1/level with probability `level` at most. It decreases in m, so bisection finds the largest m
    that is excluded.
    """
    if shares.max() == 0:
        return 0.0
    excluded, left = 0.0, 1.0
    for _ in range(60):
        m = (excluded + left) / 2
        with np.errstate(divide="ignore"):  # the bet c = 1 loses all at a sample of 0
            capital = [float(np.log1p(c * (shares / m - 1)).sum()) for c in BETS]
        top = max(capital)
        if top + math.log(sum(math.exp(one - top) for one in capital) / len(BETS)) >= -math.log(level):
            excluded = m
        else:
            left = m
    return excluded


def check_mean_below(samples: NDArray[np.float64], bound: float, *, ceiling: float, seed: int, where: str) -> Finding:
    """Check by a confidence interval that the mean of independent samples (n,) in [0, ceiling] is <= `bound`; return a Finding.

    A comparison that could not refute a bound a thousand times smaller either is INCONCLUSIVE.
    """
    low, high = mean_interval(samples, ceiling)
    mean = float(samples.mean())
    looseness = bound / mean if mean else math.inf
    numbers = {"bound": bound, "mean": mean, "low": low, "high": high, "runs": len(samples), "bound / mean": looseness}
    record, said = Record(numbers, false_alarm=LEVEL, seed=seed), f"{where}: the mean of {len(samples)} runs is"
    if low > bound:
        return record.refute(f"{said} at least {low:.4g}, above the bound {bound:.4g}", {"mean is at least": low, "bound": bound})
    said += f" {mean:.4g} (between {low:.4g} and {high:.4g}), the bound {bound:.4g}"
    if low < bound / 1000:
        return record.leave_open(f"{said}; more runs would settle it")
    return record.conclude(f"{said}; a bound {bound / low:.3g} times smaller is refuted")
