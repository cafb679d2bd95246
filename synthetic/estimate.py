"""Means and slopes with intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from synthetic.draws import FloatArray
from synthetic.validate import array_of, inside_unit, positive_array


@dataclass(frozen=True)
class Interval:
    """An estimate with a two-sided interval of the stated coverage."""

    value: float
    low: float
    high: float
    coverage: float


def clustered_mean(values: FloatArray, coverage: float = 0.95) -> Interval:
    """Return the mean of values (clusters, replicates) with a t-interval over the means of the clusters.

    Replicates on one dataset share the dataset, so only the means of the datasets are independent; the interval has one
    degree of freedom less than there are clusters, and counts the spread between datasets as well as that within.
    """
    inside_unit(coverage=coverage)
    means = array_of((None, None), values=values).mean(axis=1)
    if len(means) < 2:
        raise ValueError(f"values has {len(means)} cluster: at least 2 are needed for an interval")
    half = stats.t.ppf((1 + coverage) / 2, len(means) - 1) * means.std(ddof=1) / np.sqrt(len(means))
    return Interval(float(means.mean()), float(means.mean() - half), float(means.mean() + half), coverage)


def loglog_slope(x: FloatArray, y: FloatArray, coverage: float = 0.95) -> Interval:
    """Return the exponent p of the least-squares fit log y = c + p log x, with the t-interval of the regression.

    The interval takes the deviations from a power law for independent noise; for a curve that bends it describes a chord.
    """
    inside_unit(coverage=coverage)
    x, y = positive_array((None,), x=x), positive_array((None,), y=y)
    if len(x) != len(y) or len(np.unique(x)) < 3:
        raise ValueError(f"x has {len(np.unique(x))} different entries and y {len(y)}: as many y as x, at least 3 different, are needed")
    fit = stats.linregress(np.log(x), np.log(y))
    half = stats.t.ppf((1 + coverage) / 2, len(x) - 2) * fit.stderr
    return Interval(float(fit.slope), float(fit.slope - half), float(fit.slope + half), coverage)
