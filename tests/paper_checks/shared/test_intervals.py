"""Intervals, levels and false alarms, each against its definition: not only that it covers, but that it is no wider and no narrower."""

import json
import math
import re
from types import SimpleNamespace

import mpmath as mp
import numpy as np
import pytest
from scipy import stats

from paper_checks.compare import BETS, LEVEL, check_mean_below, mean_interval, mean_lower_limit
from paper_checks.dp_zopo.theorem2 import check_smoothed_minimum
from paper_checks.dpzero.experiments.figures import check_point_pairs, fresh_interval
from paper_checks.run import FALSE_ALARM, check_claims
from paper_checks.shared.draws import correlation_p_value
from paper_checks.shared.findings import (
    ROUNDING,
    check_deviation,
    check_interval,
    check_probability_at_least,
    check_probability_at_most,
    check_ratio,
    check_variance,
    clopper_pearson,
)
from paper_checks.shared.witness import DIGITS, relation_holds
from paper_checks.verdict import Claim, Finding, Kind, Outcome, Verdict
from synthetic.estimate import Interval, quantile
from theory_lab.report.page import report_page


def binomial(k, p, at_most):
    """P(Binomial(k, p) <= at_most), in digits."""
    with mp.workdps(40):
        p = mp.mpf(p)
        return mp.fsum(mp.binomial(k, i) * p**i * (1 - p) ** (k - i) for i in range(at_most + 1))


# --- shares and counts ------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("level", [0.05, LEVEL])
@pytest.mark.parametrize(("hits", "runs"), [(3, 40), (17, 20), (200, 400)])
def test_each_end_of_the_interval_of_a_share_is_missed_with_half_the_level(hits, runs, level):
    low, high = clopper_pearson(hits, runs, level)
    assert float(1 - binomial(runs, low, hits - 1)) == pytest.approx(level / 2, rel=1e-6)
    assert float(binomial(runs, high, hits)) == pytest.approx(level / 2, rel=1e-6)


def test_a_share_is_at_the_level_of_a_comparison_unless_told_otherwise():
    assert clopper_pearson(5, 50) == clopper_pearson(5, 50, 1e-9)
    assert LEVEL == 1e-9


def test_a_tail_is_refuted_from_the_first_count_whose_probability_is_half_the_level():
    runs, bound = 60, 0.1
    first = next(hits for hits in range(runs) if check_probability_at_most(hits, runs, bound, "", 3).outcome is Outcome.REFUTED)
    assert float(1 - binomial(runs, bound, first - 1)) < LEVEL / 2 <= float(1 - binomial(runs, bound, first - 2))
    found = check_probability_at_most(first, runs, bound, "", 3)
    assert (found.false_alarm, found.seed, found.numbers["low"]) == (LEVEL, 3, clopper_pearson(first, runs)[0])


def test_a_least_probability_is_refuted_up_to_the_last_count_whose_probability_is_half_the_level():
    runs, bound = 60, 0.9
    outcomes = [check_probability_at_least(hits, runs, bound, "", 3).outcome for hits in range(runs + 1)]
    last = max(hits for hits, outcome in enumerate(outcomes) if outcome is Outcome.REFUTED)
    assert float(binomial(runs, bound, last)) < LEVEL / 2 <= float(binomial(runs, bound, last + 1))
    assert [hits for hits, outcome in enumerate(outcomes) if outcome is Outcome.CONSISTENT] == list(range(54, 61))  # 90 % of 60 or more
    assert check_probability_at_least(last, runs, bound, "", 3).false_alarm == LEVEL


@pytest.mark.parametrize("degrees", [3, 50, 2_000])
def test_a_variance_is_refuted_beyond_the_chi_square_of_half_the_level_on_either_side(degrees):
    sides = {}
    with mp.workdps(30):
        for name, part in (("low", lambda s: mp.gammainc(mp.mpf(degrees) / 2, 0, s / 2, regularized=True)),
                           ("high", lambda s: mp.gammainc(mp.mpf(degrees) / 2, s / 2, mp.inf, regularized=True))):  # fmt: skip
            start = stats.chi2.ppf(0.5e-9, degrees) if name == "low" else stats.chi2.isf(0.5e-9, degrees)
            assert float(part(mp.mpf(start))) == pytest.approx(0.5e-9, rel=1e-6)
            sides[name] = float(start)
    outcome = lambda squares: check_variance(squares, degrees, "", 3).outcome
    assert outcome(sides["low"] * 0.999999) is outcome(sides["high"] * 1.000001) is Outcome.REFUTED
    assert outcome(sides["low"] * 1.000001) is outcome(sides["high"] * 0.999999) is Outcome.CONSISTENT
    assert (check_variance(1e9, degrees, "", 3).false_alarm, check_variance(degrees, degrees, "", 3).seed) == (LEVEL, 3)


def test_rounding_is_all_that_a_search_forgives():
    for factor, outcome in ((0.99, Outcome.CONSISTENT), (1.01, Outcome.REFUTED)):
        assert check_deviation(factor * ROUNDING, {"x": 1}, 3, "", 7).outcome is outcome
        assert check_ratio(1 + factor * ROUNDING, {"x": 1}, 3, "", 7).outcome is outcome
    assert ROUNDING == 1e-9
    assert check_ratio(0.89, {"x": 1}, 3, "", 7, reach=0.9).outcome is Outcome.INCONCLUSIVE
    assert check_ratio(0.9, {"x": 1}, 3, "", 7, reach=0.9).outcome is Outcome.CONSISTENT


def test_a_relation_in_digits_holds_strictly_where_it_is_strict():
    with mp.workdps(DIGITS):
        one, near, above = (mp.mpf(1) + more for more in (0, mp.mpf(10) ** (9 - DIGITS), mp.mpf(10) ** (11 - DIGITS)))
    for left, right, true in ((one, one, "<= >= ="), (one, near, "<= >= ="), (one, above, "< <="), (above, one, "> >=")):
        assert [relation for relation in ("<", "<=", ">", ">=", "=") if relation_holds(relation, left, right)] == true.split()


# --- means ------------------------------------------------------------------------------------------------------------------------------
def capital(samples, m):
    return sum(math.prod(1 + bet * (x / m - 1) for x in samples) for bet in BETS) / len(BETS)


@pytest.mark.parametrize("level", [0.05, LEVEL])
def test_the_least_mean_is_where_the_bets_have_earned_one_over_the_level(level):
    samples = np.random.default_rng(2).beta(2, 5, 60)
    least = mean_lower_limit(samples, level)
    assert capital(samples, least * (1 + 1e-6)) < 1 / level < capital(samples, least * (1 - 1e-6))


def test_an_interval_of_a_mean_spends_half_its_level_on_each_side():
    samples = 3.0 * np.random.default_rng(2).beta(2, 5, 60)
    low, high = mean_interval(samples, 3.0, level=0.02)
    assert low == 3.0 * mean_lower_limit(samples / 3.0, 0.01)
    assert high == 3.0 * (1 - mean_lower_limit(1 - samples / 3.0, 0.01))
    assert mean_interval(samples, 3.0) == mean_interval(samples, 3.0, level=LEVEL)


def test_a_mean_is_bounded_from_at_least_two_samples_within_their_range():
    for samples in ([0.5], [0.5, -1e-3], [0.5, 3.1], [-1.0], [4.0, 0.0, 1.0]):
        with pytest.raises(ValueError, match=r"samples: at least two numbers from 0 to 3\.0 are needed"):
            mean_interval(np.array(samples), 3.0)
    low, high = mean_interval(np.array([0.0, 3.0 * (1 + 5e-10)]), 3.0)  # rounding above the ceiling is none
    assert (low, high) == pytest.approx((0.0, 3.0), abs=1e-8)
    assert mean_lower_limit(np.zeros(5), 0.1) == 0.0
    assert all(0 < bet <= 1 for bet in BETS)  # where a bet earns nothing on average, whatever the law


def test_a_bound_is_refuted_from_the_low_end_and_inconclusive_a_thousand_times_above_it():
    samples = np.random.default_rng(2).beta(2, 5, 60)
    low, high = mean_interval(samples, 1.0)
    outcome = lambda bound: check_mean_below(samples, bound, ceiling=1.0, seed=5, where="").outcome
    assert outcome(low * 0.999) is Outcome.REFUTED
    assert outcome(low) is outcome(low * 1.001) is outcome(low * 999) is Outcome.CONSISTENT
    assert outcome(low * 1001) is Outcome.INCONCLUSIVE
    for bound in (low / 2, 2 * low, 2000 * low):
        found = check_mean_below(samples, bound, ceiling=1.0, seed=5, where="")
        assert (found.false_alarm, found.seed, found.numbers["runs"]) == (LEVEL, 5, 60)
        assert (found.numbers["low"], found.numbers["high"], found.numbers["mean"]) == (low, high, samples.mean())


def test_the_p_value_of_a_correlation_is_scipys_and_two_sided():
    rng = np.random.default_rng(3)
    for size in (5, 40):
        a, b = rng.standard_normal((2, size))
        assert correlation_p_value(a, a + 2 * b) == pytest.approx(stats.pearsonr(a, a + 2 * b).pvalue, rel=1e-9)
    assert correlation_p_value(np.ones(5), rng.standard_normal(5)) == 0.0


@pytest.mark.parametrize(("wider", "outcome"), [(1e-12, Outcome.CONSISTENT), (1e-6, Outcome.REFUTED)])
def test_minimisers_are_one_up_to_the_rounding_of_their_search(wider, outcome):
    assert check_smoothed_minimum(radii=(0.1, 0.1 * (1 + wider)), mu=0.1).outcome is outcome


def point(values):
    """A point of a curve with the 95 % interval of the mean over datasets that it carries."""
    low, high = stats.ttest_1samp(values, 0.0).confidence_interval(0.95)
    return SimpleNamespace(method="dpzero", spectrum="flat", d=20, fresh=Interval(float(np.mean(values)), float(low), float(high), 0.95))


def test_the_interval_of_a_point_is_widened_to_the_t_interval_of_its_level():
    values = 5 + 0.1 * np.random.default_rng(6).standard_normal(9)
    for level in (0.2, 1e-3, 1e-6):
        assert fresh_interval(point(values), 9, level) == pytest.approx(
            stats.ttest_1samp(values, 0.0).confidence_interval(1 - level), rel=1e-7
        )


def test_comparisons_share_their_level():
    """Of k pairs, each has two intervals: a reversed pair is refuted where its intervals at level/(2k) are apart, not sooner."""
    rng = np.random.default_rng(8)
    larger, smaller = 5.0 + 0.1 * rng.standard_normal(12), 0.1 * rng.standard_normal(12)
    for count in (1, 5):
        low, high = (fresh_interval(point(values), 12, LEVEL / (2 * count)) for values in (larger, smaller))
        gap = low[0] - high[1]
        for shift, refuted in ((gap * 0.999, True), (gap * 1.001, False)):
            pairs = [("in order", point(larger), point(smaller))] * (count - 1) + [("reversed", point(smaller), point(larger - shift))]
            found = check_point_pairs(pairs, 12, 0)
            assert (found.outcome is Outcome.REFUTED) == refuted
            assert found.false_alarm == LEVEL


@pytest.mark.parametrize(("k", "q"), [(24, 0.5), (24, 0.75), (60, 0.9), (7, 0.3)])
def test_each_end_of_the_interval_of_a_quantile_is_missed_with_at_most_half(k, q):
    """The largest j and the smallest i with P(the j-th smallest is above) and P(the i-th smallest is below) at most 2.5 %."""
    found = quantile(np.arange(1.0, k + 1), q)
    above = [j for j in range(1, k + 1) if binomial(k, q, j - 1) <= 0.025]
    under = [i for i in range(1, k + 1) if 1 - binomial(k, q, i - 1) <= 0.025]
    assert (found.low, found.high) == (max(above, default=0.0), min(under, default=math.inf))
    assert found.value == math.ceil(q * k)


# --- false alarms of a run, and what is told of them --------------------------------------------------------------------------------------
def some(*, alarm=0.0):
    return Finding(Outcome.CONSISTENT, "nothing found", {"tried": 3}, {}, alarm, 17)


def claims(*alarms):
    return [
        Claim(f"p.{k}", "line 1", "it holds", Kind.SCOPE, Outcome.CONSISTENT, "so", some, {"alarm": alarm})
        for k, alarm in enumerate(alarms)
    ]


def test_false_alarms_of_a_run_add_up():
    """No single one is too probable; together they are."""
    assert len(check_claims(claims(*[0.4 * FALSE_ALARM] * 2), workers=1)) == 2
    with pytest.raises(ValueError, match=r"add up to 1\.2e-06: at most 1e-06 is allowed"):
        check_claims(claims(*[0.4 * FALSE_ALARM] * 3), workers=1)
    known = {"p.2": (some(alarm=0.4 * FALSE_ALARM), 0.0)}  # from a run before this one: it counts all the same
    with pytest.raises(ValueError, match=r"add up to 1\.2e-06"):
        check_claims(claims(*[0.4 * FALSE_ALARM] * 3), workers=1, known=known)


def test_the_page_tells_the_sum_of_the_false_alarms():
    verdicts = check_claims(claims(3e-9, 1e-9, 0.0, 5e-9), workers=1)
    (said,) = re.findall(r"is false with probability at most ([0-9.e-]+)", report_page(verdicts, seconds=1.0, full=False))
    assert float(said.rstrip(".")) == pytest.approx(9e-9)


def test_a_verdict_is_told_with_everything_that_is_known_of_it():
    claim = Claim("p.a", "line 1", "it holds", Kind.SCOPE, Outcome.REFUTED, "so", some, correction="it does not")
    finding = Finding(Outcome.REFUTED, "no", {"tried": 3}, {"x": 2}, 1e-9, 17)
    assert json.loads(json.dumps(Verdict(claim, finding, 0.1234567).json())) == {
        "key": "p.a", "outcome": "REFUTED", "expected": "REFUTED", "source": "line 1", "claim": "it holds", "kind": "scope of a statement",
        "evidence": {
            "sentence": "no", "numbers": {"tried": 3}, "witness": {"x": 2}, "false_alarm": 1e-9, "seed": 17, "seconds": 0.123,
        },
        "correction": "it does not",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("interval", "outcome"),
    [
        ((0.2, 0.8), Outcome.CONSISTENT),
        ((0.0, 1.0), Outcome.CONSISTENT),
        ((0.5, 1.5), Outcome.INCONCLUSIVE),
        ((-0.5, 0.5), Outcome.INCONCLUSIVE),
        ((-1.0, 2.0), Outcome.INCONCLUSIVE),
        ((1.1, 2.0), Outcome.REFUTED),
        ((-2.0, -0.1), Outcome.REFUTED),
    ],
)
def test_an_interval_is_within_only_where_all_of_it_is(interval, outcome):
    found = check_interval(interval, (0.0, 1.0), Finding(Outcome.REFUTED, "outside", {"a": 1}, {"a": 1}, seed=3))
    assert (found.outcome, bool(found.witness), found.seed) == (outcome, outcome is Outcome.REFUTED, 3)
