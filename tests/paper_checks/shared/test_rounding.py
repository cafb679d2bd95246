"""Rules for an integer T: which of the two roundings each stands for, in floats and in digits, and which points count."""

import numpy as np
import pytest

from bounds.dpzero import integer_T
from paper_checks.dpzero.appendix.remark_f5 import random_problems
from paper_checks.shared.rounding import RULES, bound_ratio, check_integer_steps, check_rounding_rule, precise_bound_ratio
from paper_checks.verdict import Outcome
from tests.claims import claim_argument

AT_20 = claim_argument("dpzero.theorems.integer_steps", "at")
KEYS = ("dpzero.theorem1", "dpzero.theorem3", "dpzero.corollary_f2")


@pytest.mark.parametrize("key", KEYS)
def test_a_rule_has_the_better_or_the_worse_of_the_two_roundings(key):
    values = random_problems(300, 3)
    ratio = {rule: bound_ratio(key, rule, values)[1] for rule in RULES}
    np.testing.assert_array_equal(ratio["best"], np.minimum(ratio["floor"], ratio["ceil"]))
    np.testing.assert_array_equal(ratio["any"], np.maximum(ratio["floor"], ratio["ceil"]))
    assert np.any(ratio["best"] < ratio["any"])


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("rule", RULES)
def test_digits_say_what_the_floats_say(key, rule):
    values = random_problems(300, 3)
    real, ratio = bound_ratio(key, rule, values)
    uneven = np.flatnonzero((real > 1) & (real < 1e6) & (bound_ratio(key, "best", values)[1] < bound_ratio(key, "any", values)[1]))[:5]
    assert len(uneven) >= 3
    for k in uneven:
        whole, exact = precise_bound_ratio(key, rule, {name: float(value[k]) for name, value in values.items()})
        assert whole in {int(getattr(np, one)(real[k])) for one in RULES[rule]}
        assert float(exact) == pytest.approx(ratio[k], rel=1e-9)


@pytest.mark.parametrize(("least", "tried"), [(0, 2), (1, 1)])
def test_points_whose_number_of_steps_is_below_the_least_do_not_count(least, tried):
    def domain(points, seed):
        return {name: np.array([value, value]) for name, value in AT_20.items()} | {"n": np.array([AT_20["n"], 5.0])}

    real, _ = bound_ratio("dpzero.theorem1", "any", domain(2, 0))
    assert real[1] < 1 < real[0]
    found = check_rounding_rule(keys=("dpzero.theorem1",), rule="any", chosen=integer_T, domain=domain, points=2, least=least)
    assert found.numbers["tried"] == tried


def test_where_no_point_counts_nothing_is_concluded():
    def domain(points, seed):
        return {name: np.array([value]) for name, value in AT_20.items()} | {"n": np.array([5.0])}

    found = check_rounding_rule(keys=("dpzero.theorem1",), rule="best", chosen=integer_T, domain=domain, points=1)
    assert found.outcome is Outcome.INCONCLUSIVE
    assert "at none of 1 points" in found.sentence


def test_a_prescribed_T_is_an_integer_up_to_the_rounding_of_its_evaluation():
    """T* of Theorem 1 is a multiple of n: of these n it is a whole number, in digits, and often not in floats."""
    one = {"keys": ("dpzero.theorem1",)}
    unit = check_integer_steps(**one, at=AT_20).numbers["dpzero.theorem1"] / AT_20["n"]
    for k in range(1000, 1040):
        assert check_integer_steps(**one, at={**AT_20, "n": k / unit}).outcome is Outcome.CONSISTENT
        assert check_integer_steps(**one, at={**AT_20, "n": (k + 1e-4) / unit}).outcome is Outcome.REFUTED
