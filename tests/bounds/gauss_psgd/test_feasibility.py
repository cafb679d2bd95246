"""What the parameters of Gauss-PSGD promise and need, counted by hand at constants that are not 1."""

from dataclasses import replace

import pytest

from bounds.gauss_psgd.block import Constants
from bounds.gauss_psgd.feasibility import feasibility, first_n, solve_and_check
from bounds.gauss_psgd.fixed_point import BatchFixedPoint, Noise, Problem, solve_fixed_point

PROBLEM = Problem(n=1e7, d=20, epsilon=2.0, delta=1e-6, L=3.0, ell=2.0, rho=0.5, U=7.0, m=3)
LOOSE = Constants(s=1.0, C_abs=1 / 256)


def loop(*, fresh, T, b_1, b_2):
    """A fixed point with batches and counts of our choice; the rest is that of PROBLEM."""
    at = solve_fixed_point(PROBLEM, constants=LOOSE)
    noise = Noise(b_1, b_2, at.noise.drift_limit, at.noise.sampling_error, at.noise.added_noise, at.noise.psi)
    return BatchFixedPoint(at.block, at.log_factor, at.entries, at.Q, T, at.psi, at.added_noise, noise, fresh)


@pytest.mark.parametrize(
    ("fresh", "T", "budget"),
    [(4.0, 1_000.0, 300.0 * 4 + 7.0 * 1_000), (5_000.0, 1_000.0, 300.0 * 1_000 + 7.0 * 1_000)],  # at most T calls are fresh gradients
)
def test_the_samples_that_a_run_may_need_are_those_of_fresh_gradients_and_of_differences(fresh, T, budget):
    found = feasibility(PROBLEM, loop(fresh=fresh, T=T, b_1=300.0, b_2=7.0), constants=LOOSE)
    assert found.fresh_use == pytest.approx(300 * fresh / 1e7)
    assert found.difference_use == pytest.approx(7 * T / 1e7)
    assert found.batch_use == pytest.approx(300 / 1e7)
    assert found.over_budget == pytest.approx(budget / 1e7)


@pytest.mark.parametrize(("L", "ell", "rho", "ceiling"), [(3.0, 2.0, 0.5, 3.0), (30.0, 2.0, 0.5, 8.0), (30.0, 0.5, 2.0, 0.125)])
def test_the_ceiling_is_the_smaller_of_L_and_ell_squared_over_rho(L, ell, rho, ceiling):
    assert replace(PROBLEM, L=L, ell=ell, rho=rho).ceiling == ceiling


@pytest.mark.parametrize("batches", ["printed", "budget"])
def test_something_is_promised_from_the_first_n_on(batches):
    n = first_n(PROBLEM, constants=LOOSE, batches=batches)
    for factor, vacuous in ((0.99, True), (1.01, False)):
        at, found = solve_and_check(replace(PROBLEM, n=factor * n), constants=LOOSE, batches=batches)
        assert found.vacuous == vacuous
        assert found.accuracy == at.block.accuracy == pytest.approx(PROBLEM.ceiling, rel=0.02)
        assert found.first_n == pytest.approx(n, rel=1e-6)
        assert found.ceiling == PROBLEM.ceiling == 3.0
    other = first_n(PROBLEM, constants=LOOSE, batches="printed" if batches == "budget" else "budget")
    assert abs(other / n - 1) > 0.01


@pytest.mark.parametrize("batches", ["printed", "budget"])
def test_where_no_logarithm_is_needed_the_factor_is_one(batches):
    """In a unit of length of 1e-15 the printed second entry of (6), which has one, is small, and with s = 1e4 the others are."""
    short = replace(PROBLEM, L=3e15, ell=2e30, rho=5e44)
    loose = Constants(s=1e4)
    n = first_n(short, constants=loose, batches=batches)
    for factor, vacuous in ((0.99, True), (1.01, False)):
        at, found = solve_and_check(replace(short, n=factor * n), constants=loose, batches=batches)
        assert at.log_factor == 1 == max(at.entries)
        assert found.vacuous == vacuous
        assert found.accuracy == pytest.approx(3e15, rel=0.02)
