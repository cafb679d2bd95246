from math import comb

import numpy as np
import pytest
from scipy import stats

from synthetic.estimate import SHARE, SIZE, clustered_mean, loglog_slope, proportion, quantile


def test_clustered_mean_is_the_t_interval_of_the_cluster_means():
    values = np.random.default_rng(0).standard_normal((6, 4))
    found = clustered_mean(values)
    low, high = stats.ttest_1samp(values.mean(axis=1), 0.0).confidence_interval(0.95)
    assert (found.value, found.low, found.high) == pytest.approx((values.mean(), low, high), rel=1e-12)


def test_an_interval_does_not_leave_the_range_of_its_values():
    wide = np.array([[0.0], [0.1], [2.0]])
    free, size = clustered_mean(wide), clustered_mean(wide, within=SIZE)
    assert free.low < 0
    assert (size.value, size.low, size.high) == (free.value, 0.0, free.high)
    share = clustered_mean(np.array([[0.9], [1.0], [0.5]]), within=SHARE)
    assert share.high == 1.0
    assert share.low > 0
    inside = np.array([[5.0], [5.1], [5.2]])
    assert clustered_mean(inside, within=SIZE) == clustered_mean(inside)
    with pytest.raises(ValueError, match=r"within = .*: there are values outside of it, from -1 to 2"):
        clustered_mean(np.array([[-1.0], [2.0]]), within=SIZE)


def test_an_interval_that_is_cut_at_its_range_covers_as_often():
    """Means of two squares of normal numbers, whose t-intervals mostly reach below 0: what is cut off never held the mean."""
    rng = np.random.default_rng(5)
    samples = rng.standard_normal((4000, 3, 1)) ** 2
    both = [(clustered_mean(one), clustered_mean(one, within=SIZE)) for one in samples]
    assert sum(free.low < 0 for free, _ in both) > 2000
    assert [free.low <= 1 <= free.high for free, _ in both] == [cut.low <= 1 <= cut.high for _, cut in both]


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


def binomial_below(j, k, p):
    """P(Binomial(k, p) < j), term by term."""
    return sum(comb(k, i) * p**i * (1 - p) ** (k - i) for i in range(j))


@pytest.mark.parametrize(("k", "q", "coverage"), [(24, 0.75, 0.95), (24, 0.5, 0.95), (40, 0.9, 0.8), (100, 0.25, 0.99), (9, 0.5, 0.9)])
def test_the_ends_of_a_quantile_are_the_narrowest_that_the_binomial_law_allows(k, q, coverage):
    """One place further in, and the share of sets whose interval lies beyond the quantile would be more than half of what is left."""
    tail, values = (1 - coverage) / 2, np.arange(1.0, k + 1) ** 2
    found = quantile(np.random.default_rng(0).permutation(values), q, coverage)
    j = max(j for j in range(k + 1) if binomial_below(j, k, q) <= tail)
    mirror = max(j for j in range(k + 1) if binomial_below(j, k, 1 - q) <= tail)
    assert found.low == (values[j - 1] if j else 0.0)
    assert found.high == (values[k - mirror] if mirror else np.inf)
    assert (found.value, found.coverage) == (values[int(np.ceil(q * k)) - 1], coverage)


@pytest.mark.parametrize(("successes", "trials", "coverage"), [(1, 5, 0.95), (7, 20, 0.9), (19, 20, 0.99), (3, 3, 0.95), (0, 4, 0.8)])
def test_the_ends_of_a_share_are_where_the_tails_have_the_stated_weight(successes, trials, coverage):
    found, tail = proportion(successes, trials, coverage), (1 - coverage) / 2
    assert (found.value, found.coverage) == (successes / trials, coverage)
    if successes:
        assert 1 - binomial_below(successes, trials, found.low) == pytest.approx(tail, rel=1e-9)
    if successes < trials:
        assert binomial_below(successes + 1, trials, found.high) == pytest.approx(tail, rel=1e-9)
    assert (found.low == 0.0, found.high == 1.0) == (successes == 0, successes == trials)


@pytest.mark.parametrize("coverage", [0.0, 1.0, -0.1, 1.1])
def test_a_coverage_outside_of_the_unit_interval_is_refused_everywhere(coverage):
    three = np.array([1.0, 2.0, 3.0])
    for estimate, arguments in (
        (clustered_mean, (three[:, None],)),
        (loglog_slope, (three, three)),
        (proportion, (1, 2)),
        (quantile, (three, 0.5)),
    ):
        with pytest.raises(ValueError, match="coverage"):
            estimate(*arguments, coverage)


def test_what_has_no_interval_is_refused():
    with pytest.raises(ValueError, match="at least 2"):
        clustered_mean(np.ones((1, 5)))
    assert clustered_mean(np.array([[1.0], [2.0]])).value == 1.5
    with pytest.raises(ValueError, match="at least 3 different"):
        loglog_slope([1.0, 2.0, 2.0], [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="as many y as x"):
        loglog_slope([1.0, 2.0, 3.0], [1.0, 2.0])
    assert loglog_slope([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]).value == pytest.approx(1.0)
    for wrong in ([], [[1.0]], [1.0, -1e-9], [np.nan, 1.0]):
        with pytest.raises(ValueError, match="values"):
            quantile(np.array(wrong), 0.5)
    assert quantile(np.array([0.0]), 0.5).value == 0.0
    for successes, trials in ((-1, 4), (5, 4)):
        with pytest.raises(ValueError, match="successes"):
            proportion(successes, trials)
