"""Estimates with confidence intervals: means, quantiles, proportions and log-log slopes."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from synthetic.draws import FloatArray
from synthetic.validate import array_of, float_array, inside_unit, is_real, positive_array, positive_integer, short_repr, validated


@dataclass(frozen=True)
class Interval:
    """An estimate with a two-sided interval of the stated coverage."""

    value: float
    low: float
    high: float
    coverage: float

    @property
    def half_width(self) -> float:
        """Half of the interval's width, (high - low) / 2."""
        return (self.high - self.low) / 2


SIZE = (0.0, np.inf)  # the range of norms, squares and losses that are at least 0
SHARE = (0.0, 1.0)
ANY = (-np.inf, np.inf)


@validated
def clustered_mean(values: FloatArray, coverage: float = 0.95, within: tuple[float, float] = ANY) -> Interval:
    """Return the mean of values (clusters, replicates) with a t-interval over the means of the clusters.

    Replicates on one dataset share the dataset, so only the means of the datasets are independent. The interval has one degree of freedom
    less than there are clusters; it counts the variation between datasets as well as that within.
    `within` is the range in which every value lies. The interval is cut off there, which does not change its coverage. Raises ValueError
    for a value outside.
    """
    inside_unit(coverage=coverage)
    means = array_of((None, None), values=values).mean(axis=1)
    if len(means) < 2:
        raise ValueError(f"values has {len(means)} cluster: at least 2 are needed for an interval")
    least, most = within
    if np.any((means < least) | (means > most)):
        raise ValueError(f"within = {within!r}: there are values outside of it, from {means.min():.6g} to {means.max():.6g}")
    half = stats.t.ppf((1 + coverage) / 2, len(means) - 1) * means.std(ddof=1) / np.sqrt(len(means))
    mean = float(means.mean())
    return Interval(mean, float(max(mean - half, least)), float(min(mean + half, most)), coverage)


@validated
def loglog_slope(x: FloatArray, y: FloatArray, coverage: float = 0.95) -> Interval:
    """Return the exponent p of the least-squares fit log y = c + p log x to x (k,) and y (k,), with the t-interval of the regression.

    The interval treats deviations from a power law as independent noise. For a curve that bends it describes a chord.
    """
    inside_unit(coverage=coverage)
    x, y = positive_array((None,), x=x), positive_array((None,), y=y)
    if len(x) != len(y) or len(np.unique(x)) < 3:
        given = f"x has {len(x)} entries, {len(np.unique(x))} of them different, and y has {len(y)}"
        raise ValueError(f"{given}: as many y as x, and at least 3 different x, are needed")
    fit = stats.linregress(np.log(x), np.log(y))
    half = stats.t.ppf((1 + coverage) / 2, len(x) - 2) * fit.stderr
    return Interval(float(fit.slope), float(fit.slope - half), float(fit.slope + half), coverage)


@validated
def proportion(successes: int, trials: int, coverage: float = 0.95) -> Interval:
    """Return successes / trials with the interval of Clopper and Pearson (1934), whose coverage is at least the stated one."""
    inside_unit(coverage=coverage)
    positive_integer(trials=trials)
    if not is_real(successes) or successes != int(successes) or not 0 <= successes <= trials:
        raise ValueError(f"successes = {short_repr(successes)}: a whole number from 0 to trials = {trials} is needed")
    tail = (1 - coverage) / 2
    low = float(stats.beta.ppf(tail, successes, trials - successes + 1)) if successes else 0.0
    high = float(stats.beta.ppf(1 - tail, successes + 1, trials - successes)) if successes < trials else 1.0
    return Interval(successes / trials, low, high, coverage)


@validated
def quantile(values: FloatArray, q: float, coverage: float = 0.95) -> Interval:
    """Return the q-quantile of independent values (k,) of at least 0, inf allowed, with a distribution-free confidence interval.

    The number of values at or below the quantile is Binomial(k, q) for a continuous distribution, so the j-th smallest lies above it with
    probability P(Binomial < j): the ends are the largest j with that at most (1 - coverage)/2 and its mirror image. Where there is none
    the end is 0 or inf. The estimate is the ceil(q k)-th smallest; failures can be counted as inf.
    """
    inside_unit(q=q, coverage=coverage)
    ordered = np.sort(float_array("values", values))
    if ordered.ndim != 1 or not len(ordered) or np.any(np.isnan(ordered)) or ordered[0] < 0:
        raise ValueError("values: at least one number of at least 0 is needed, and no NaN")
    k, tail = len(ordered), (1 - coverage) / 2
    j = int(stats.binom.ppf(tail, k, q))
    mirror = int(stats.binom.ppf(tail, k, 1 - q))
    low, high = (float(ordered[j - 1]) if j else 0.0), (float(ordered[k - mirror]) if mirror else float("inf"))
    return Interval(float(ordered[int(np.ceil(q * k - 1e-9)) - 1]), low, high, coverage)
