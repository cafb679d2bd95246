"""Runs of methods with a linear step in distribution: on data, against DP-GD, and exact moments of momentum in one coordinate.

Means are compared at |z| < 5, a false alarm in each of probability below 1e-6; seeds are fixed.
"""

import numpy as np
import pytest

from synthetic.distribution.quadratic import Conditions, measures_at_steps, measures_of_linear
from synthetic.grids.grid import train_test_quadratics
from synthetic.grids.settings import Measures, Settings
from synthetic.groups import Groups, group_eigenvalues
from synthetic.methods.linear import step_matrix
from synthetic.runs.simulate import simulate
from tests.synthetic.contracts.test_linear import method, right

GROUPS = Groups("", np.array([1.0, 0.5, 0.2]), np.array([1.0, 2.0, 6.0]), True)


def settings(alpha=0.1, T=20, C=np.inf, sigma=0.3):
    return Settings(np.array([alpha]), np.array([T]), np.array([C]), np.array([sigma]))


@pytest.mark.parametrize("C", [1.5, np.inf])
def test_the_step_of_dp_gd_is_dp_gd_bitwise_and_state_that_does_nothing_changes_nothing_but_draws(C):
    of, times = Conditions(GROUPS, 400, seed=3, replicates=3), np.array([0, 7, 20])
    expected = measures_at_steps(["dp_gd"], settings(C=C), of, times)["dp_gd"]
    assert np.array_equal(measures_of_linear(np.array([[1.0, -0.1]]), settings(C=C), of, times), expected, equal_nan=True)
    idle = measures_of_linear(np.array([[1.0, 0.0, -0.1], [0.0, 0.9, 1.0]]), settings(C=C, sigma=0.0), of, times)
    quiet = measures_at_steps(["dp_gd"], settings(C=C, sigma=0.0), of, times)["dp_gd"]
    np.testing.assert_allclose(idle, quiet, rtol=1e-12)


def test_moments_of_momentum_are_exact():
    """Without clipping and with all samples the mean loss follows from second moments (x, v) in each coordinate, a linear recursion."""
    alpha, beta, sigma, T, distance = 0.3, 0.8, 0.4, 25, 2.0
    matrix = np.array([[1.0, -alpha * beta, -alpha], [0.0, beta, 1.0]])
    of = Conditions(GROUPS, np.inf, distance=distance, seed=5, replicates=4000)
    found = measures_of_linear(matrix, settings(alpha, T, sigma=sigma), of, np.array([T]))[:, :, 0, 0]
    squares = []
    for a in GROUPS.value:
        second = np.array([[distance**2, 0.0], [0.0, 0.0]])
        step = matrix[:, :2] + np.outer(matrix[:, 2], [a, 0.0])
        for _ in range(T):
            second = step @ second @ step.T + sigma**2 * np.outer(matrix[:, 2], matrix[:, 2])
        squares.append(second[0, 0])
    squares = np.array(squares) * GROUPS.size
    for values, expected in ((found[0] ** 2, squares @ GROUPS.value**2), (found[2], (squares + GROUPS.size) @ GROUPS.value / 2)):
        z = (values.mean() - expected) / (values.std(ddof=1) / np.sqrt(len(values)))
        assert abs(z) < 5


def decayed(x, g, velocity, alpha, beta):
    """Weight decay, and a state that follows the iterate and pulls at it: both depend on where x is 0."""
    return x - alpha * (g + 0.4 * x) + 0.2 * (velocity - x), beta * velocity + (1 - beta) * x


@pytest.mark.parametrize("d", [1, 2, 7])
def test_steps_that_use_x_itself_are_those_of_vectors_in_space(d):
    """Without clipping, in plain NumPy on data: x -> 0 by itself, and the state is a mean of iterates."""
    given, T, n, sigma = {"alpha": 0.2, "beta": 0.8}, 12, 40, 0.1
    a, rng = 1 / np.arange(1.0, d + 1), np.random.default_rng(d)
    m = 2.0 + rng.standard_normal((20_000, d)) / np.sqrt(n)  # means of samples around x* = 2
    x, state = np.zeros_like(m), np.zeros_like(m)
    for _ in range(T):
        g = a * (x - m) + sigma * rng.standard_normal(m.shape)
        x, state = decayed(x, g, state, **given)
    data = np.sqrt(np.sum((a * (x - m)) ** 2, axis=1))
    conditions = Conditions(group_eigenvalues(a, width=1e-9), n, distance=2.0, seed=3, replicates=2000)
    matrix = step_matrix(method(decayed), given)
    law = measures_of_linear(matrix, settings(0.2, T, np.inf, sigma), conditions, np.array([T]))[0, :, 0, 0]
    deviation = np.sqrt(data.var() / len(data) + law.var() / len(law))
    assert abs(data.mean() - law.mean()) < 5 * deviation < 0.06 * data.mean()


@pytest.mark.parametrize("C", [1.5, pytest.param(1e6, marks=pytest.mark.verify)])
def test_runs_on_data_have_the_same_means(C):
    """Nesterov's momentum; 300 data sets of 2000 samples, so that what is neglected with clipping, of order 1 / n, drowns."""
    kernel, d, n, given = method(right), 6, 2000, {"alpha": 0.1, "T": 15, "C": C, "sigma": 0.2, "beta": 0.7}
    data = []
    for r in range(300):
        train, test = train_test_quadratics("inverse", d, n, r)
        run = simulate(kernel, train, **given, seed=r, threads=1)
        data.append(Measures.from_objectives(train, test).evaluate(run.x - train.optimum)[:, 0])
    data = np.array(data).T
    groups = group_eigenvalues(1 / np.arange(1.0, d + 1), width=1e-9)
    law = measures_of_linear(
        step_matrix(kernel, given), settings(0.1, 15, C, 0.2), Conditions(groups, n, seed=1, replicates=2000), np.array([15])
    )
    law = law[:, :, 0, 0]
    deviation = np.sqrt(data.var(axis=1, ddof=1) / data.shape[1] + law.var(axis=1, ddof=1) / law.shape[1])
    assert np.all(np.abs(data.mean(axis=1) - law.mean(axis=1)) < 5 * deviation)


@pytest.mark.parametrize("matrix", [[1.0, -0.1], [[1.0, 0.0, -0.1]], [[1.0, np.nan]]])
def test_a_matrix_of_another_form_is_refused(matrix):
    with pytest.raises(ValueError, match=r"^matrix = .*: finite numbers .m, m \+ 1. are needed"):
        measures_of_linear(np.array(matrix), settings(), Conditions(GROUPS, np.inf, replicates=1), np.array([20]))
