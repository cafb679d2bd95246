"""The privacy curve of one iterate drawn at random: the mean over k = 0..T-1 of delta(epsilon; mu sqrt(k)), rounded up.

The docstring of `bounds.privacy.random_iterate` proves that it is the delta of x_tau, and that grouping the k keeps it an upper bound.
"""

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bounds.privacy.gaussian import LARGEST_MU, TINY, log_privacy_curve

GROUPS = 2048  # grouping k costs less than 1e-3 of delta where that is above 1e-20, and 1e-5 of sigma
_SUMMED = 2.0**-40  # rounding errors of the weights and of the sum, relatively


def _group_ends(T: int) -> npt.NDArray[np.float64]:
    """Return the last k of each group of 1..T-1, (groups,); groups are larger at large k, because delta rises steeply in k."""
    if T <= GROUPS:
        return np.arange(1.0, T)
    ends: npt.NDArray[np.float64] = np.unique(np.ceil((T - 1.0) * (np.arange(1, GROUPS + 1) / GROUPS) ** 2))
    return ends


@lru_cache(maxsize=4096)
def log_mean_delta(epsilon: float, mu: float, T: int) -> float:
    """Return an upper bound on the logarithm of the mean over k = 0..T-1 of delta(epsilon; mu sqrt(k)), for T >= 2."""
    if mu * math.sqrt(T) > LARGEST_MU:
        return 0.0
    last = _group_ends(T)
    before = np.append(0.0, last[:-1])
    size = last - before
    turn = 2 * epsilon * epsilon / (math.hypot(1, epsilon) + 1)
    convex, concave = last * mu * mu < turn * (1 - 2.0**-40), before * mu * mu > turn * (1 + 2.0**-40)
    at = np.where(concave, (before + 1 + last) / 2 * (1 + 2.0**-51), last)
    value = log_privacy_curve(epsilon, np.maximum(mu * np.sqrt(at), TINY))
    left = np.append(-math.inf, value[:-1])
    with np.errstate(divide="ignore"):
        chord = np.logaddexp(np.log((size - 1) / 2) + left, np.log((size + 1) / 2) + value)
    logs = np.where(convex, chord, np.log(size) + value)
    top = logs.max()
    return float(min(0.0, top + math.log(np.exp(logs - top).sum() / T) + _SUMMED))
