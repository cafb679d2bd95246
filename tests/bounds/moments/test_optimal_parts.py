"""The search for the best schedule on a quadratic, piece by piece: each piece does what its sentence says."""

import math

import mpmath as mp
import numpy as np
import pytest

from bounds.moments import optimal_quadratic as search
from bounds.moments.optimal_quadratic import METHODS
from bounds.moments.recursion import at_output, expected_gap, expected_grad_norm_sq

A, E = np.array([1.0, 0.5, 0.5, 0.0]), np.array([1.0, -2.0, 1.0, 3.0])
WEIGHT = {"grad_norm_sq": lambda a: a**2, "gap": lambda a: a / 2}


def problem(method="dpzero", *, a=A, e=E, measure="grad_norm_sq", output="last", unit=0.3, direction="sphere"):
    return search._Problem.of(method, a, e, measure=measure, output=output, unit=unit, direction=direction)


def test_a_problem_has_each_eigenvalue_above_0_once():
    found = problem()
    assert found.a.tolist() == [0.5, 1.0]
    assert found.size.tolist() == [2.0, 1.0]
    assert found.total.tolist() == [5.0, 1.0]
    assert found.d == 4
    assert problem(measure="gap").weight.tolist() == [0.25, 0.5]
    assert found.weight.tolist() == [0.25, 1.0]


@pytest.mark.parametrize("measure", WEIGHT)
@pytest.mark.parametrize("output", ["last", "uniform"])
@pytest.mark.parametrize("method", METHODS)
def test_the_bracket_by_hand(method, measure, output):
    """V(alpha, 1) = V_0 - 2 alpha G + alpha^2 K for x_T; V(alpha, 2) of x_tau has half of it, with the noise of two steps in K."""
    unit, w, c = 0.3, WEIGHT[measure](A), 0.0 if method == "dp_gd" else 4 / 6
    start, slope, noise = float(w @ E**2), float((w * A) @ E**2), unit**2 * float(w[:3].sum())
    square = float((w * A**2) @ E**2)
    if c:
        square = 2 * c * square + c * float(w[:3].sum()) * float(A**2 @ E**2)
    K = square + (2 if output == "uniform" else 1) * noise
    low, high = search._bracket_alpha(problem(method, measure=measure, output=output, unit=unit), 50)
    assert low == pytest.approx(slope / K / 2 / 50, rel=1e-12)  # half of the gain over twice the slope, shared by 50 steps
    assert high == pytest.approx(math.sqrt(start / noise), rel=1e-12)
    T = 2 if output == "uniform" else 1
    expected = expected_grad_norm_sq if measure == "grad_norm_sq" else expected_gap
    path = expected(method, eigenvalues=A, offset=E, alpha=slope / K, T=T, sigma=unit * math.sqrt(T))
    gained = start - at_output(path, output)
    assert gained == pytest.approx(slope**2 / K / T, rel=1e-9)


def test_golden_section_asks_for_the_least_of_any_valley():
    for most in (*range(1, 60), 1_000):
        for least in range(1, most + 1, 1 if most < 60 else 111):
            asked = []
            search._golden_section(lambda T, least=least, asked=asked: asked.append(T) or (abs(T - least), 0.0), 1, most)
            assert least in asked, (least, most)
            assert min(asked) >= 1
            assert max(asked) <= most
            assert len(asked) < 30


def test_golden_section_stops_at_a_thousandth_of_a_long_horizon():
    asked = set()

    def profile(T):
        asked.add(T)
        return abs(T - 654_321.0), 0.0

    search._golden_section(profile, 500_000, 1_000_000)
    assert len(asked) < 30
    assert 0 < min(abs(T - 654_321) for T in asked) < 1_000


def test_walking_downhill_ends_between_the_neighbours_of_the_lowest():
    horizons = [1, 2, 4, 8, 16, 32]

    def walk(least, start):
        return search._descend_horizons(lambda T: (abs(math.log2(T) - least), 0.0), horizons, start)

    for start in range(6):
        assert walk(3, start) == (4, 16)
        assert walk(0, start) == (1, 2)
        assert walk(5, start) == (16, 32)


def test_the_lowest_three_dips():
    #                  0    1    2    3    4    5    6    7    8
    heights = np.array([5.0, 6.0, 2.0, 7.0, 1.0, 8.0, 3.0, 9.0, 4.0])
    assert search._local_minima(heights) == [4, 2, 6]
    assert search._local_minima(np.array([3.0, 2.0, 1.0])) == [2]
    assert search._local_minima(np.array([1.0, 2.0, 3.0])) == [0]
    assert search._local_minima(np.array([2.0, 1.0, 1.0, 2.0])) == [1, 2]  # a flat one


def test_a_vertex_is_that_of_the_parabola_where_there_is_one():
    at = np.array([-1.0, 0.0, 1.0])
    for centre in (-0.4, 0.0, 0.3):
        left, middle, right = (np.array([3.0 * (x - centre) ** 2 + 2]) for x in at)
        assert search._parabola_minima(left, middle, right)[0] == pytest.approx(2.0)
    for three in ((1.0, 2.0, 3.0), (3.0, 2.0, 1.0), (1.0, 2.0, 1.0), (math.inf, 2.0, 3.0), (2.0, 2.0, 2.0)):
        assert search._parabola_minima(*(np.array([one]) for one in three))[0] == three[1]
    assert search._parabola_minima(np.array([2.0]), np.array([2.0]), np.array([3.0]))[0] == pytest.approx(2 - 1 / 8)  # level on one side
    assert search._parabola_minima(np.array([3.0]), np.array([2.0]), np.array([2.0]))[0] == pytest.approx(2 - 1 / 8)


def test_horizons_are_all_at_first_and_then_within_a_factor():
    assert search._horizons(20).tolist() == list(range(1, 21))
    assert search._horizons(32).tolist() == list(range(1, 33))
    long = search._horizons(100_000)
    assert long[:32].tolist() == list(range(1, 33))
    assert long[-1] == 100_000
    assert np.all(long[32:] <= 1.15 * long[31:-1] + 1)  # rounded to integers
    assert np.all(long[40:] > 1.14 * long[39:-1] - 1)


@pytest.mark.parametrize("away", [1.0, 1.4, 1.6, 30.0, 1 / 30])
def test_a_step_size_is_found_from_afar(away):
    value, alpha = search._best_step(lambda x: math.log(x / 0.02) ** 2 + 3, 0.02 * away)
    assert alpha == pytest.approx(0.02, rel=2e-5)
    assert value == pytest.approx(3.0, abs=1e-9)


@pytest.mark.parametrize("T_max", [24, 3_000])
def test_the_search_finds_the_bottom_of_a_bowl(T_max, monkeypatch):
    """Where V is a parabola in log alpha the profile is exact at every horizon, and the search ends at the bottom."""
    seen, p = [], problem("dp_gd")
    low, high = search._bracket_alpha(p, T_max)
    middle = math.log(low * high) / 2
    real = search._local_minima

    class Bowl:
        def __init__(self, given, longest):
            assert (given, longest) == (p, T_max)

        def values(self, alpha, T):
            return (math.log(alpha) - middle + 0.3 * np.log(T)) ** 2 + 1 + np.log(T / 19) ** 2

    monkeypatch.setattr(search, "_CondensedProblem", Bowl)
    monkeypatch.setattr(search, "_local_minima", lambda profile: seen.append(profile) or real(profile))
    alpha, T = search._search_schedule(p, T_max)
    assert T == 19
    assert alpha == pytest.approx(math.exp(middle) / 19**0.3, rel=1e-4)
    assert seen[0] == pytest.approx(1 + np.log(search._horizons(T_max) / 19) ** 2, rel=1e-9)


@pytest.mark.parametrize("output", ["last", "uniform"])
@pytest.mark.parametrize("measure", WEIGHT)
def test_the_slow_limit_by_hand(measure, output):
    """x' = -a x with noise unit S over a unit of time: E x_j^2 = e^(-2 S a) e_j^2 + unit^2 S (1 - e^(-2 S a)) / (2 a), or its average."""
    unit, a, e = 0.3, A[:3], E[:3]
    w, share = WEIGHT[measure](a), np.linspace(0, 1, 2_001)

    def limit(S):
        x = 2 * S * a[:, None] * share
        kept, spread = np.exp(-x), unit**2 * S * -np.expm1(-x) / (2 * a[:, None])
        path = w @ (kept * e[:, None] ** 2 + spread)
        return path[-1] if output == "last" else np.trapezoid(path, share)

    best = min(limit(S) for S in np.geomspace(1e-3, 100, 3_000))
    assert search._slow_limit(problem(a=a, e=e, measure=measure, output=output, unit=unit)) == pytest.approx(best, rel=2e-5)


@pytest.mark.parametrize("T", [1, 2, 3, 4, 50, 10_000])
@pytest.mark.parametrize("nu", [0.0, 1e-13, 1e-9, 0.9e-8, 1.1e-8, 1e-6, 1e-3, 0.4, 1.0])
def test_sums_and_averages_of_powers_in_forty_digits(T, nu):
    """mu^T and sum_{t<T} mu^t; averages over t < T of mu^t and of sum_{i<t} mu^i: also where nothing decays."""
    with mp.workdps(60):
        x = mp.mpf(nu)
        summed = T if nu == 0 else (1 - (1 - x) ** T) / x
        averaged = mp.mpf(T - 1) / 2 if nu == 0 else (1 - (1 - (1 - x) ** T) / (T * x)) / x
        exact = [float(one) for one in ((1 - x) ** T, summed, mp.mpf(summed) / T, averaged)]
    with np.errstate(divide="ignore", invalid="ignore"):
        exponent = T * np.log1p(-np.array([[nu]]))
        found = [*search._power_sums(exponent, np.array([nu]), np.array([float(T)]))]
        found += search._average_sums(exponent, np.array([nu]), np.array([float(T)]))
    assert [float(one[0, 0]) for one in found] == pytest.approx(exact, rel=1e-11, abs=1e-300)


def test_condensed_nodes_keep_the_sums_of_polynomials():
    """Up to degree 2 NODES - 1 over the multiplicities, up to NODES - 1 over what is at x_0; few eigenvalues stay as they are."""
    a, size = 1 / np.sqrt(np.arange(1, 201)), 1.0 + np.arange(200) % 3
    total = np.random.default_rng(0).uniform(0, 2, 200)
    nodes, root, start = search._gauss_nodes(a, size, total)
    assert nodes.size == root.size == start.size == search.NODES == 24
    for degree in range(48):
        assert root**2 @ nodes**degree == pytest.approx(size @ a**degree, rel=1e-10)
        if degree < 24:
            assert (root * start) @ nodes**degree == pytest.approx(total @ a**degree, rel=1e-9)
    few = search._gauss_nodes(a[:24], size[:24], total[:24])
    assert np.array_equal(few[0], a[:24])
    assert few[1] == pytest.approx(np.sqrt(size[:24]))
    assert few[2] == pytest.approx(total[:24] / np.sqrt(size[:24]))


def test_a_schedule_says_whether_it_ended_at_the_most_steps_allowed():
    given = dict(eigenvalues=[1.0, 0.5], offset=[1.0, 1.0], n=300, epsilon=2.0, delta=1e-6, C=5.0)
    found = search.optimal_schedule("dp_gd", **given, T_max=7)
    assert found.at_T_max == (found.T == 7)
    one = search.optimal_schedule("dp_gd", **given, T_max=1)
    assert (one.T, one.at_T_max, one.T_max) == (1, True, 1)


def test_what_is_left_out_of_a_call():
    given = dict(eigenvalues=[1.0, 0.5], offset=[1.0, 1.0], n=50, epsilon=2.0, delta=1e-6, C=5.0)
    found = search.optimal_schedule("dp_gd", **given)
    said = search.optimal_schedule(
        "dp_gd", **given, measure="grad_norm_sq", output="last", T_max=100_000, accountant="exact", direction="sphere"
    )
    assert found == said
