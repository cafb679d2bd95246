import numpy as np
import pytest
from scipy import stats

from synthetic.estimate import clustered_mean, loglog_slope, proportion, quantile


def test_clustered_mean_is_the_t_interval_of_the_cluster_means():
    values = np.random.default_rng(0).standard_normal((6, 4))
    found = clustered_mean(values)
    low, high = stats.ttest_1samp(values.mean(axis=1), 0.0).confidence_interval(0.95)
    assert (found.value, found.low, found.high) == pytest.approx((values.mean(), low, high), rel=1e-12)


def test_clustered_mean_covers_when_datasets_differ_and_a_pooled_interval_does_not():
    """400 draws of 5 datasets with 4 replicates and a shared shift per dataset: coverage within 6 standard errors of 95 %."""
    rng, draws = np.random.default_rng(1), 400
    values = rng.standard_normal((draws, 5, 1)) + 0.3 * rng.standard_normal((draws, 5, 4))
    found = [clustered_mean(v) for v in values]
    hits = sum(f.low <= 0 <= f.high for f in found)
    assert abs(hits / draws - 0.95) < 6 * np.sqrt(0.95 * 0.05 / draws)
    pooled = values.reshape(draws, 20)
    half = stats.t.ppf(0.975, 19) * pooled.std(axis=1, ddof=1) / np.sqrt(20)
    assert np.mean(np.abs(pooled.mean(axis=1)) <= half) < 0.8


def test_slope_of_an_exact_power_and_of_noise():
    x = np.array([20.0, 50, 100, 200, 500, 1000, 2000])
    exact = loglog_slope(x, 3 * x**0.7)
    assert (exact.value, exact.low, exact.high) == pytest.approx((0.7, 0.7, 0.7), abs=1e-6)  # rounding of 1 - R^2
    rng, hits = np.random.default_rng(2), 0
    for _ in range(400):
        found = loglog_slope(x, x**0.5 * np.exp(0.2 * rng.standard_normal(7)))
        hits += found.low <= 0.5 <= found.high
    assert abs(hits / 400 - 0.95) < 6 * np.sqrt(0.95 * 0.05 / 400)


def test_the_interval_of_a_slope_has_two_degrees_of_freedom_less_than_points():
    """Against the sums of squares written out; at three points n - 1 instead of n - 2 would make it a third as wide."""
    for x, y in (([1.0, 2.0, 4.0], [1.0, 3.0, 5.0]), ([3.0, 5.0, 8.0, 20.0, 21.0], [2.0, 1.9, 1.0, 0.3, 0.5])):
        u, v = np.log(x) - np.log(x).mean(), np.log(y) - np.log(y).mean()
        slope, free = (u @ v) / (u @ u), len(x) - 2
        error = np.sqrt(np.sum((v - slope * u) ** 2) / free / (u @ u))
        for coverage, tail in ((0.95, 0.975), (0.8, 0.9)):
            found = loglog_slope(x, y, coverage)
            half = stats.t.isf(1 - tail, free) * error
            assert (found.value, found.low, found.high) == pytest.approx((slope, slope - half, slope + half), rel=1e-9)
            assert found.coverage == coverage


def test_proportion_covers_at_least_as_often_as_it_says():
    """Exactly, from the binomial law, at shares from near 0 to near 1."""
    for p in (0.01, 0.125, 0.5, 0.97):
        held = sum(stats.binom.pmf(s, 20, p) for s in range(21) if (i := proportion(s, 20)).low <= p <= i.high)
        assert held >= 0.95
    assert (proportion(0, 5).low, proportion(5, 5).high) == (0.0, 1.0)
    with pytest.raises(ValueError, match="successes = 6"):
        proportion(6, 5)


def test_quantile_covers_for_any_law_and_counts_failures():
    """2000 sets of 24 values of a skew law: coverage within 6 standard errors of at least 95 %."""
    rng, draws = np.random.default_rng(5), 2000
    for q in (0.5, 0.75):
        found = [quantile(rng.exponential(size=24) ** 3, q) for _ in range(draws)]
        true = (-np.log(1 - q)) ** 3
        hits = np.mean([f.low <= true <= f.high for f in found])
        assert hits >= 0.95 - 6 * np.sqrt(0.05 * 0.95 / draws)
    values = np.array([1.0, 2.0, 3.0, np.inf])
    assert quantile(values, 0.75).value == 3.0
    assert quantile(values, 0.76).value == np.inf
    assert (quantile(values, 0.5).low, quantile(values, 0.5).high) == (0.0, np.inf)  # four values are too few
    with pytest.raises(ValueError, match="no NaN"):
        quantile(np.array([np.nan]), 0.5)
