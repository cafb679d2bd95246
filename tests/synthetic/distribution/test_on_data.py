"""Runs in law against runs on data: the same law, but for what clipping with few samples leaves.

On the data's side every replicate has a data set, a test set and draws of its own, and is run by the grid engine, which equals `simulate`.
A mean is compared at |z| < 5 and a law by Kolmogorov and Smirnov's two samples at p > 1e-6: a false alarm has a probability below 1e-6 in
each, below 1e-3 in all of them together; seeds are fixed. REPLICATES is such that the remainder of order 1/n drowns at n = 300.
"""

import numpy as np
import pytest
from scipy import stats

from synthetic.distribution.first_order import Transforms
from synthetic.distribution.first_order import clipping_excess as excess_of
from synthetic.distribution.quadratic import Conditions, final_measures
from synthetic.distribution.zeroth_order import clipping_excess
from synthetic.grids.grid import last_iterates, train_test_quadratics
from synthetic.grids.settings import Measures, Settings
from synthetic.groups import group_eigenvalues
from synthetic.methods.dpzero import KERNELS
from synthetic.objectives.sums import quadratic
from synthetic.runs.simulate import simulate

METHODS = ("dpzero", "dpgd_0th", "dp_gd")


def clips(spectrum, d):
    """Clipping that bites hard, mildly, and never: three settings of each method, (alpha, C), on the scale of its gradients."""
    a = {"flat": np.ones(d), "inverse_sqrt": np.arange(1.0, d + 1) ** -0.5, "inverse": 1 / np.arange(1.0, d + 1)}[spectrum]
    length, mean = np.sqrt(a @ a), np.sqrt(2 * a @ a)
    zeroth = (0.5 / a.sum(), [0.2 * length, length, 1e4])
    return {"dpzero": zeroth, "dpgd_0th": (zeroth[0], [C * np.sqrt(d) for C in zeroth[1]]), "dp_gd": (0.2, [0.2 * mean, mean, 1e4])}


def settings_of(spectrum, d, T, method):
    alpha, C = clips(spectrum, d)[method]
    sigma = {"dpzero": 0.05, "dpgd_0th": 0.05, "dp_gd": 0.05}[method] * np.sqrt(clips(spectrum, d)["dp_gd"][1][1])
    return Settings(np.full(3, alpha) * [2.0, 1.0, 1.0], np.full(3, T), np.array(C), np.full(3, sigma))


def on_data(spectrum, d, n, T, method, replicates):
    """The measures at x_T, (4, replicates, settings)."""
    found = []
    for r in range(replicates):
        train, test = train_test_quadratics(spectrum, d, n, r)
        D = last_iterates((method,), train, settings_of(spectrum, d, T, method), seed=r, threads=1)[method][0]
        found.append(Measures.from_objectives(train, test).evaluate(D))
    return np.stack(found, axis=1)


def in_law(spectrum, d, n, T, method, replicates):
    groups = group_eigenvalues(1 / np.arange(1.0, d + 1) ** {"flat": 0.0, "inverse_sqrt": 0.5, "inverse": 1.0}[spectrum], width=1e-9)
    assert groups.exact
    of = Conditions(groups, n, seed=99, replicates=replicates)
    return final_measures((method,), settings_of(spectrum, d, T, method), of)[method]


def compare(spectrum, d, n, T, method, replicates, tolerance=0.0):
    """tolerance: share of the mean by which they may differ beyond chance."""
    data, law = on_data(spectrum, d, n, T, method, replicates), in_law(spectrum, d, n, T, method, 2 * replicates)
    deviation = np.sqrt(data.var(axis=1, ddof=1) / data.shape[1] + law.var(axis=1, ddof=1) / law.shape[1])
    difference = np.maximum(np.abs(data.mean(axis=1) - law.mean(axis=1)) - tolerance * data.mean(axis=1), 0.0)
    assert np.max(difference / deviation) < 5
    for measure in range(4):
        for s in range(3):
            assert stats.ks_2samp(data[measure, :, s], law[measure, :, s]).pvalue > 1e-6
    return data, law


@pytest.mark.sample(1)
@pytest.mark.parametrize("method", METHODS)
def test_the_law_is_that_of_runs_on_data(method):
    compare("inverse", 6, 100, 30, method, 150)


@pytest.mark.sample(1)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("spectrum", ["flat", "inverse_sqrt", "inverse"])
@pytest.mark.parametrize(("d", "n"), [(2, 1000), (10, 300), (40, 300)])
def test_the_law_is_that_of_runs_on_data_everywhere(method, spectrum, d, n):
    compare(spectrum, d, n, 40, method, 250)


@pytest.mark.sample(1)
@pytest.mark.parametrize("method", METHODS)
def test_the_law_is_that_of_runs_on_ten_thousand_samples(method):
    compare("inverse", 10, 10_000, 40, method, 150)


def test_the_law_is_that_of_simulate():
    """Which shares no line with the grid engine; MeZO too, which the engine does not have."""
    alpha, _ = clips("inverse", 5)["dpzero"]
    values = []
    for r in range(120):
        train = quadratic("inverse", 5, 50, r)
        run = simulate(KERNELS["mezo"], train, alpha=alpha, T=20, lam=0.5, seed=r, threads=1)
        values.append(np.sqrt(run.grad_norm_sq[0, -1]))
    groups = group_eigenvalues(1 / np.arange(1.0, 6), width=1e-9)
    one = Settings(np.array([alpha]), np.array([20]), np.array([1.0]), np.array([1.0]))  # neither is MeZO's
    law = final_measures(("mezo",), one, Conditions(groups, 50, seed=99, replicates=400))["mezo"][0, :, 0]
    assert stats.ks_2samp(values, law).pvalue > 1e-6


# -- where clipping makes a method settle ------------------------------------------------------------------------------------------------


def centres(a, C, gradient_of, n, replicates, rng):
    """n times the variance of (centre - mean) over data sets, and n times its covariance with the mean; Newton's method on the data."""
    found = []
    for _ in range(replicates):
        X = rng.standard_normal((n, len(a)))
        x = X.mean(axis=0)
        for _ in range(5):
            gradient, jacobian = gradient_of(x, X, C)
            x = x - np.linalg.solve(jacobian, gradient)
        found.append((x - X.mean(axis=0), X.mean(axis=0)))
    apart, mean = np.moveaxis(np.array(found), 1, 0)
    return n * (apart**2).mean(axis=0), n * (apart * mean).mean(axis=0)


@pytest.mark.verify
@pytest.mark.parametrize(("a", "C"), [([1.0, 0.5], 0.3), ([1.0, 0.5, 1 / 3, 0.25, 0.2, 1 / 6], 1.0)])
def test_the_excess_of_zeroth_order_is_that_of_data(a, C):
    """250 data sets of 250 samples: each variance to 9 per cent (one deviation); the engine's own pairs give 0.045 for 0.075 at worst."""
    a, rng = np.array(a), np.random.default_rng(0)
    u = rng.standard_normal((500, len(a)))
    u *= np.sqrt(len(a)) / np.linalg.norm(u, axis=1)[:, None]

    def gradient_of(x, X, C):
        slopes = ((u * a) @ x)[:, None] - (u * a) @ X.T
        inside = np.mean(np.abs(slopes) < C, axis=1)
        return np.mean(np.clip(slopes, -C, C).mean(axis=1)[:, None] * u, axis=0), (u * inside[:, None]).T @ (u * a) / len(u)

    apart, shared = centres(a, C, gradient_of, 250, 250, rng)
    expected, left = clipping_excess(group_eigenvalues(a), C, False, "sphere")
    np.testing.assert_allclose(apart, expected, rtol=0.7)
    np.testing.assert_allclose(apart.mean(), expected.mean(), rtol=0.2)
    assert np.max(np.abs(shared)) < 5 * np.sqrt(expected.max() / 250)
    assert 0 < left < 1
    vector, _ = clipping_excess(group_eigenvalues(a), C * np.sqrt(len(a)), True, "sphere")  # on the sphere one clips as the other
    np.testing.assert_allclose(vector, expected, rtol=1e-12)


@pytest.mark.parametrize(("a", "C"), [([1.0, 0.5], 0.3), ([1.0, 1.0, 0.5, 0.5, 0.5], 1.0)])
def test_the_excess_of_first_order_is_that_of_data(a, C):
    a, rng = np.array(a), np.random.default_rng(0)

    def gradient_of(x, X, C):
        each = (x - X) * a
        weight = np.minimum(1.0, C / np.linalg.norm(each, axis=1))
        return np.mean(weight[:, None] * each, axis=0), np.diag(factor * a)

    groups = group_eigenvalues(a)
    factor = np.repeat(Transforms(groups).optimum_weights(C, 1), groups.size.astype(int))
    apart, shared = centres(a, C, gradient_of, 400, 600, rng)
    expected = np.repeat(excess_of(groups, C), groups.size.astype(int))
    np.testing.assert_allclose(apart, expected, rtol=0.25)
    np.testing.assert_allclose(apart.mean(), expected.mean(), rtol=0.15)
    assert np.max(np.abs(shared)) < 5 * np.sqrt(expected.max() / 600)
    assert np.all(excess_of(groups, np.inf) == 0)
