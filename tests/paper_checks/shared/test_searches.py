"""The examiners that every paper shares: the loop of a search, a table's arithmetic, a fitted exponent."""

import math
import pickle
from types import SimpleNamespace

import numpy as np
import pytest

from paper_checks.shared.runs import check_fitted_exponent, check_run_below
from paper_checks.shared.search import check_allowances, check_deviations, check_ratios, find_worst
from paper_checks.shared.tables import check_printed_numbers
from paper_checks.verdict import Kind, Outcome, Size, claim, paper_of


@check_deviations("{of} is small", tolerance=0.5)
def small(*, of, seed):
    for k, value in enumerate(of):
        yield value, {"k": k}, {"seen": k + 1}


@check_ratios("largest", "{value:g} at {k}", "at most {value:g} in {tried}", limit=1.0)
def below(*, of):
    yield from ((value, {"k": k}) for k, value in enumerate(of))


def test_the_largest_is_kept_with_its_place_and_what_is_no_number_is_largest():
    assert find_worst([(1.0, {"k": 0}), (3.0, {"k": 1}), (3.0, {"k": 2})]).at == {"k": 1}
    assert math.isnan(find_worst([(math.nan, {"k": 0}), (3.0, {"k": 1})]).value)
    assert find_worst([]).tried == 0


def test_a_generator_of_deviations_is_an_examination():
    good, bad = small(of=(0.1, 0.4), seed=1), small(of=(0.1, 0.7, math.nan), seed=1)
    assert (good.outcome, good.seed, good.numbers["seen"]) == (Outcome.CONSISTENT, 1, 2)
    assert (bad.outcome, bad.witness["k"]) == (Outcome.REFUTED, 2)
    assert pickle.loads(pickle.dumps(small)) is small  # examined in another process


def test_a_generator_of_ratios_is_an_examination():
    assert below(of=(0.2, 0.9)).sentence == "at most 0.9 in 2"
    assert below(of=(0.2, 1.5)).sentence == "1.5 at 1"
    assert below(of=(0.2, 1.5)).witness == {"k": 1}


def test_a_number_of_a_table_is_compared_to_its_last_digit():
    assert check_printed_numbers("x", {"a": 1.04}, {"a": 1.0}, digits=0.05).outcome is Outcome.CONSISTENT
    assert check_printed_numbers("x", {"a": 1.06}, {"a": 1.0}, digits=0.05).outcome is Outcome.REFUTED


@pytest.mark.parametrize(
    ("power", "steps", "outcome"),
    [(2.0, 9, Outcome.CONSISTENT), (2.2, 9, Outcome.REFUTED), (1.8, 9, Outcome.INCONCLUSIVE), (2.0, 4, Outcome.INCONCLUSIVE)],
)
def test_an_exponent_above_the_claimed_one_is_refuted(power, steps, outcome):
    points = (1.0, 2.0, 4.0, 8.0)
    errors = [one**power for one in points]
    assert check_fitted_exponent("n", points, errors, 2.0, tolerance=0.05, shown="error", steps=[steps]).outcome is outcome


def test_a_formula_may_stand_on_a_line_of_its_own():
    one = claim("dpzero.x", "here", Kind.INEQUALITY).says("words").formula("a").proved("why").corrected("b", by="y").corrected_formula("c")
    closed = one.in_full(of=2).examined(small, of=1, seed=0)
    assert (closed.latex, closed.correction, closed.correction_latex, closed.repaired_by) == ("a", "b", "c", "dpzero.y")
    assert closed.arguments_of(full=True) == {"of": 2, "seed": 0}
    assert closed == one.examined(small, of=Size(1, 2), seed=0)
    assert paper_of(closed.key) == "dpzero"


def test_an_argument_may_have_a_quick_and_a_full_size():
    one = claim("dpzero.x", "here", Kind.INEQUALITY).says("words").refuted("why", "dpzero.lemma_c1").examined(small, of=Size(1, 20), seed=0)
    assert one.arguments_of(full=False) == {"of": 1, "seed": 0}
    assert one.arguments_of(full=True) == {"of": 20, "seed": 0}
    assert (one.expected, one.why, one.derivations) == (Outcome.REFUTED, "why", ("dpzero.lemma_c1",))


def test_sizes_of_both_ways_come_together_and_what_holds_instead_may_come_with_the_outcome():
    one = claim("dpzero.x", "here", Kind.INEQUALITY).says("words").in_full(seed=5)
    closed = one.refuted("why", "dpzero.lemma_c1", instead="b", latex="c", by="y").examined(small, of=Size(1, 20), seed=0)
    assert closed.arguments_of(full=False) == {"of": 1, "seed": 0}
    assert closed.arguments_of(full=True) == {"of": 20, "seed": 5}
    assert (closed.correction, closed.correction_latex, closed.repaired_by) == ("b", "c", "dpzero.y")
    apart = one.derived("dpzero.lemma_c1").refuted("why").corrected("b", "c", by="y")
    assert apart.examined(small, of=Size(1, 20), seed=0) == closed


def judged(path, bound):
    """The finding of `run_below` for squared gradient norms (replicates, T + 1) of at most 4, where NaN follows a divergence."""
    clipped = np.zeros((len(path), path.shape[1] - 1))
    run = SimpleNamespace(grad_norm_sq=path, diverged=np.isnan(path[:, -1]), clipped=clipped)
    return check_run_below(run, bound, ceiling=4.0, schedule={}, seed=0, where="here")


def test_a_run_that_diverged_counts_as_the_ceiling():
    path = np.full((400, 5), 0.1)
    path[:, 2:] = np.nan
    found = judged(path, 0.5)
    assert found.numbers["mean"] == pytest.approx((0.1 + 0.1 + 4 + 4) / 4)
    assert (found.numbers["diverged"], found.outcome) == (400, Outcome.REFUTED)


@pytest.mark.parametrize(("bound", "outcome"), [(3.9, Outcome.CONSISTENT), (4.0, Outcome.INCONCLUSIVE), (6.0, Outcome.INCONCLUSIVE)])
def test_a_bound_above_the_ceiling_tests_nothing(bound, outcome):
    assert judged(np.full((400, 5), 0.1), bound).outcome is outcome


@pytest.mark.parametrize(("bend", "outcome"), [(0.045, Outcome.CONSISTENT), (0.055, Outcome.INCONCLUSIVE)])
def test_an_exponent_that_bends_by_more_than_two_tolerances_is_not_asymptotic(bend, outcome):
    errors = [2.0**power for power in (0, 2 - bend, 4 - bend, 6)]  # exponents 2 - bend, 2, 2 + bend from point to point
    assert check_fitted_exponent("n", (1.0, 2.0, 4.0, 8.0), errors, 2.0, tolerance=0.05, shown="error").outcome is outcome


def test_a_value_may_be_above_what_is_allowed_by_the_rounding():
    examine = check_allowances("the ratio", rounding=0.1)(lambda: iter([(1.05, {"k": 0})]))
    assert examine().outcome is Outcome.CONSISTENT


@pytest.mark.parametrize("value", [1.0, -250.0])
def test_a_number_of_a_table_without_digits_is_exact(value):
    assert check_printed_numbers("x", {"a": value * (1 + 1e-10)}, {"a": value}).outcome is Outcome.CONSISTENT
    assert check_printed_numbers("x", {"a": value * (1 + 1e-5)}, {"a": value}).outcome is Outcome.REFUTED
