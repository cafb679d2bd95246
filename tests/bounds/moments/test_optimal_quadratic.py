"""The optimal schedule against brute force, closed forms and its own bracket."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from bounds import privacy
from bounds.moments import optimal_quadratic
from bounds.moments.optimal_quadratic import MEASURES, METHODS, optimal_schedule
from bounds.moments.recursion import DIRECTIONS, OUTPUTS, at_output, expected_gap, expected_grad_norm_sq

EXPECTED = {"grad_norm_sq": expected_grad_norm_sq, "gap": expected_gap}
BUDGET = {"n": 300, "epsilon": 2.0, "delta": 1e-6, "C": 5.0}
UNIT = privacy.sigma_gaussian(epsilon=2.0, delta=1e-6, T=1, sensitivity=2 * 5.0 / 300)


def value(method, problem, *, measure, output, alpha, T, unit=UNIT, direction="sphere"):
    path = EXPECTED[measure](method, **problem, alpha=alpha, T=T, sigma=unit * np.sqrt(T), direction=direction)
    return at_output(path, output)


def random_problem(seed, d):
    rng = np.random.default_rng(seed)
    return {"eigenvalues": rng.uniform(0.1, 1, d), "offset": rng.standard_normal(d)}


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("method", METHODS)
def test_nothing_on_a_dense_grid_is_better(method, measure, output):
    problem, T_max = random_problem(3, 5), 12
    found = optimal_schedule(method, **problem, **BUDGET, measure=measure, output=output, T_max=T_max)
    brute = min(
        value(method, problem, measure=measure, output=output, alpha=alpha, T=T)
        for T in range(1, T_max + 1)
        for alpha in np.geomspace(1e-2, 3, 40)
    )
    assert found.value <= brute * (1 + 1e-9)
    assert found.value >= 0.97 * brute  # the grid's own resolution
    assert found.value < found.start


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("method", METHODS)
def test_record_is_the_recursion_at_its_own_schedule(method, direction):
    problem = random_problem(4, 6)
    found = optimal_schedule(method, **problem, **BUDGET, T_max=200, direction=direction)
    assert found.sigma == privacy.sigma_gaussian(epsilon=2.0, delta=1e-6, T=found.T, sensitivity=2 * 5.0 / 300)
    path = expected_grad_norm_sq(method, **problem, alpha=found.alpha, T=found.T, sigma=found.sigma, direction=direction)
    assert (found.start, found.value) == (path[0], path[-1])
    assert found.at_T_max == (found.T == 200)
    for factor in (0.999, 1.001):  # a stationary point in alpha
        assert found.value <= value(
            method, problem, measure="grad_norm_sq", output="last", alpha=factor * found.alpha, T=found.T, direction=direction
        )


@pytest.mark.parametrize("spectrum", ["flat", "inverse", "wide"])
@pytest.mark.parametrize("method", METHODS)
def test_search_sees_the_values_of_the_recursion(method, spectrum):
    """The Gauss nodes and the eigendecomposition cost no more than 1e-10, at decays from none to total and at stable and unstable sizes."""
    d = 60
    a = {"flat": np.ones(d), "inverse": 1 / np.arange(1, d + 1), "wide": np.geomspace(1e-6, 1, d)}[spectrum]
    problem = {"eigenvalues": a, "offset": np.random.default_rng(0).standard_normal(d)}
    for measure in MEASURES:
        for output in OUTPUTS:
            p = optimal_quadratic._Problem.of(method, a, problem["offset"], measure=measure, output=output, unit=1e-3, direction="sphere")
            condensed = optimal_quadratic._CondensedProblem(p, 1_000)
            assert condensed.a.size <= d
            for alpha in (1e-6, 0.5 / a.sum(), 2.1 / a.sum()):
                horizons = np.array([1, 2, 7, 200])
                seen = condensed.values(alpha, horizons.astype(float))
                exact = [value(method, problem, measure=measure, output=output, alpha=alpha, T=int(T), unit=1e-3) for T in horizons]
                assert_allclose(seen, exact, rtol=1e-10)


def test_condensing_is_at_work():
    p = optimal_quadratic._Problem.of(
        "dpzero", 1 / np.arange(1, 2001), np.ones(2000), measure="gap", output="last", unit=1e-3, direction="sphere"
    )
    assert optimal_quadratic._CondensedProblem(p, 100_000).a.size < 130


def test_one_first_order_step_on_a_flat_spectrum_has_a_closed_form():
    """min over alpha of (1 - alpha)^2 G + alpha^2 d sigma^2 is G d sigma^2 / (G + d sigma^2)."""
    offset = np.array([1.0, 2.0, -1.0])
    found = optimal_schedule("dp_gd", eigenvalues=np.ones(3), offset=offset, **BUDGET, T_max=1)
    G, noise = offset @ offset, 3 * UNIT**2
    assert_allclose(found.value, G * noise / (G + noise), rtol=1e-9)
    assert_allclose(found.alpha, G / (G + noise), rtol=1e-4)


def test_one_zeroth_order_step_has_a_closed_form():
    problem, c = random_problem(5, 4), 4 / 6
    a, e = problem["eigenvalues"], problem["offset"]
    found = optimal_schedule("dpzero", **problem, **BUDGET, T_max=1)
    G, slope = a**2 @ e**2, a**3 @ e**2
    square = 2 * c * (a**4 @ e**2) + np.sum(a**2) * (c * G + UNIT**2)
    assert_allclose(found.value, G - slope**2 / square, rtol=1e-9)
    assert_allclose(found.alpha, slope / square, rtol=1e-4)


@settings(max_examples=30)
@given(
    seed=st.integers(0, 10**6),
    d=st.integers(1, 6),
    method=st.sampled_from(METHODS),
    measure=st.sampled_from(MEASURES),
    output=st.sampled_from(OUTPUTS),
    direction=st.sampled_from(DIRECTIONS),
    log_unit=st.floats(-3, 2),
    T=st.integers(2, 20),
    beyond=st.floats(1, 50),
)
def test_outside_the_bracket_nothing_is_as_good_as_the_best_inside(seed, d, method, measure, output, direction, log_unit, T, beyond):
    problem, unit = random_problem(seed, d), 10**log_unit
    p = optimal_quadratic._Problem.of(method, *problem.values(), measure=measure, output=output, unit=unit, direction=direction)
    low, high = optimal_quadratic._bracket_alpha(p, 20)
    assert low < high

    def at(alpha, T):
        return value(method, problem, measure=measure, output=output, alpha=alpha, T=T, unit=unit, direction=direction)

    inside = min(at(alpha, t) for alpha in np.geomspace(low, high, 40) for t in (1, 2))
    assert at(low / beyond, T) >= inside * (1 - 1e-3)  # the grid misses the best by its own resolution
    assert at(high * beyond, T) >= inside * (1 - 1e-3)


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("method", METHODS)
def test_slow_limit_is_approached(method, output):
    problem = {"eigenvalues": np.array([1.0, 0.5]), "offset": np.array([2.0, -1.0])}
    fast, slow = (optimal_schedule(method, **problem, **BUDGET, output=output, T_max=T) for T in (100, 2_000))
    assert fast.slow_limit == slow.slow_limit
    assert slow.value <= fast.value
    S = slow.alpha * slow.T
    assert value(method, problem, measure="grad_norm_sq", output=output, alpha=S / 10_000, T=10_000) >= slow.slow_limit * (1 - 1e-4)
    if method != "dp_gd":
        assert slow.at_T_max
        assert_allclose(slow.value, slow.slow_limit, rtol=0.02)


@settings(max_examples=5)
@given(seed=st.integers(0, 10**6), c=st.floats(0.01, 100), method=st.sampled_from(METHODS), measure=st.sampled_from(MEASURES))
def test_scale_invariances(seed, c, method, measure):
    problem = random_problem(seed, 4)
    base = optimal_schedule(method, **problem, **BUDGET, measure=measure, T_max=12)
    budget = {**BUDGET, "C": c * BUDGET["C"]}
    louder = optimal_schedule(method, eigenvalues=c * problem["eigenvalues"], offset=problem["offset"], **budget, measure=measure, T_max=12)
    wider = optimal_schedule(method, eigenvalues=problem["eigenvalues"], offset=c * problem["offset"], **budget, measure=measure, T_max=12)
    assert_allclose(louder.value, base.value * (c**2 if measure == "grad_norm_sq" else c), rtol=1e-8)
    assert_allclose(wider.value, base.value * c**2, rtol=1e-8)


def test_less_privacy_is_never_worse():
    problem = random_problem(8, 4)

    def best(**change):
        return optimal_schedule("dpzero", **problem, **{**BUDGET, "T_max": 60, **change}).value

    assert best(epsilon=4.0) < best() < best(epsilon=1.0)
    assert best(n=600) < best() < best(C=10.0)
    assert best() < best(accountant="lemma")
    assert best(T_max=100) <= best() * (1 + 1e-9)


def test_offsets_of_eigenvalue_0_are_ignored_but_count_in_the_dimension():
    small = {"eigenvalues": [1.0, 0.5], "offset": [1.0, 1.0]}
    large = {"eigenvalues": [1.0, 0.5, 0.0], "offset": [1.0, 1.0, 7.0]}
    assert_allclose(*(optimal_schedule("dp_gd", **p, **BUDGET, T_max=5).value for p in (small, large)), rtol=1e-12)
    sphere = [optimal_schedule("dpzero", **p, **BUDGET, T_max=5).value for p in (small, large)]
    assert sphere[0] < sphere[1]  # d / (d + 2) grows with d


@pytest.mark.parametrize("method", METHODS)
def test_five_seconds_at_d_2000(method):
    a = 1 / np.arange(1, 2_001)
    start = time.thread_time()  # not the clock on the wall, other processes may be busy, nor all threads: BLAS has one a core
    found = optimal_schedule(method, eigenvalues=a, offset=np.ones(2_000), n=10_000, epsilon=2.0, delta=1e-6, C=30.0)
    assert time.thread_time() - start < 5
    assert found.value < 0.1 * found.start


GOOD = {"eigenvalues": [1.0, 0.5], "offset": [1.0, 1.0], **BUDGET, "T_max": 5}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"measure": "loss"}, "measure = 'loss': one of grad_norm_sq, gap"),
        ({"output": "best"}, "output = 'best': one of last, uniform"),
        ({"accountant": "rdp"}, "accountant = 'rdp': one of exact, lemma"),
        ({"direction": "cube"}, "direction = 'cube'"),
        ({"n": 0}, "n = 0"),
        ({"T_max": 0}, "T_max = 0"),
        ({"T_max": 1, "output": "uniform"}, "T_max = 1: with output = .uniform., an integer of at least 2"),
        ({"C": -1.0}, "C = -1.0"),
        ({"epsilon": 0.0}, "epsilon = 0.0"),
        ({"delta": 1.0}, "delta = 1.0"),
        ({"offset": [0.0, 0.0]}, "offset = .*above 0"),
        ({"eigenvalues": [0.0, 0.0]}, "offset = .*above 0"),
        ({"offset": [1e200, 0.0]}, "offset = .*finite"),
    ],
)
def test_bad_input_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        optimal_schedule("dpzero", **{**GOOD, **change})


def test_mezo_has_no_budget():
    with pytest.raises(ValueError, match="method = 'mezo': one of dpzero, dpgd_0th, dp_gd"):
        optimal_schedule("mezo", **GOOD)
