import numpy as np
import pytest

from synthetic.draws import data_generator
from synthetic.losses import sums as losses
from synthetic.objectives.sums import SPECTRA, logistic, quadratic, spectrum_values


@pytest.mark.parametrize("spectrum", SPECTRA)
def test_value_and_gradient_are_the_means_over_the_samples(spectrum):
    o = quadratic(spectrum, 7, 11, seed=2)
    x = np.linspace(-1, 2, 7)
    losses = [o.loss(x, row, o.params) for row in o.data]
    gradients = np.empty((11, 7))
    for row, out in zip(o.data, gradients, strict=True):
        o.gradient(x, row, o.params, out)
    value, gradient = o.value_and_gradient(x)
    assert value == pytest.approx(np.mean(losses), rel=1e-13)
    np.testing.assert_allclose(gradient, gradients.mean(axis=0), rtol=1e-12, atol=1e-14)
    h = 1e-3
    differences = [(o.loss(x + h * e, o.data[0], o.params) - o.loss(x - h * e, o.data[0], o.params)) / (2 * h) for e in np.eye(7)]
    np.testing.assert_allclose(gradients[0], differences, rtol=1e-9, atol=1e-10)


def test_the_kernels_of_the_quadratic_are_its_formula():
    rng = np.random.default_rng(0)
    a, mean, x, row, out = rng.uniform(0.1, 3.0, 6), *rng.normal(0, 2, (3, 6)), np.empty(6)
    params = (a, mean, 0.7)
    assert losses.quadratic_loss(x, row, params) == pytest.approx(0.5 * (x - row) @ (a * (x - row)), rel=1e-14)
    losses.quadratic_gradient(x, row, params, out)
    np.testing.assert_allclose(out, a * (x - row), rtol=1e-15)
    assert losses.quadratic_value_gradient(x, np.empty((0, 6)), params, out) == pytest.approx(0.5 * (x - mean) @ (a * (x - mean)) + 0.7)
    np.testing.assert_allclose(out, a * (x - mean), rtol=1e-15)


def test_constants_are_those_of_the_quadratic():
    o = quadratic("inverse", 2000, 50, seed=0)
    assert o.constants["r"] == pytest.approx(8.178368, abs=1e-6)  # trace of diag(1/i), d = 2000: the harmonic number
    assert o.constants["ell"] == 1.0
    assert o.constants["gap"] == pytest.approx(o.value_and_gradient(o.x0)[0] - o.value_and_gradient(o.optimum)[0], rel=1e-12)
    np.testing.assert_allclose(o.value_and_gradient(o.optimum)[1], 0.0, atol=1e-15)


def test_the_constants_of_a_spectrum_whose_largest_value_is_not_one():
    """r is the trace over the largest value, and neither of them alone."""
    a = np.array([0.5, 8.0, 4.0, 2.0])
    found = quadratic(a, 4, 30, seed=0, x0=[1.0, -1.0, 0.0, 3.0])
    assert found.constants["r"] == pytest.approx((0.5 + 8 + 4 + 2) / 8)
    assert (found.constants["ell"], found.constants["mu"], found.constants["d"], found.constants["n"]) == (8.0, 0.5, 4, 30)
    assert found.constants["gap"] == pytest.approx(found.value_and_gradient(found.x0)[0] - found.value_and_gradient(found.optimum)[0])
    assert found.constants["L"] == found.constants["B"] == np.inf


def test_data_are_independent_standard_normals_around_one():
    """Mean, variance and correlation within 6 standard errors."""
    data = quadratic("flat", 20, 5000, seed=3).data
    assert abs(data.mean() - 1) < 6 / np.sqrt(data.size)
    assert abs(data.var() - 1) < 6 * np.sqrt(2 / data.size)
    assert np.max(np.abs(np.corrcoef(data.T) - np.eye(20))) < 6 / np.sqrt(5000)


def test_seeds_and_start():
    np.testing.assert_array_equal(quadratic("flat", 3, 4, 1).data, quadratic("inverse", 3, 4, 1).data)
    assert not np.array_equal(quadratic("flat", 3, 4, 1).data, quadratic("flat", 3, 4, 2).data)
    np.testing.assert_array_equal(quadratic("flat", 3, 4, 1).x0, np.zeros(3))
    np.testing.assert_array_equal(quadratic("flat", 3, 4, 1, x0=[1, 2, 3]).x0, [1, 2, 3])


def test_a_spectrum_may_be_an_array():
    np.testing.assert_array_equal(spectrum_values(np.array([3.0, 0.0, 1.0]), 3), [3, 0, 1])
    for wrong in ([1.0, 2.0], [1.0, -1.0, 0.0], [0.0, 0.0, 0.0], [1.0, np.nan, 0.0], [[1.0, 1.0, 1.0]], "steep"):
        with pytest.raises(ValueError, match="spectrum"):
            spectrum_values(wrong, 3)


def test_labels_and_features_have_draws_of_their_own():
    normals = data_generator(7).standard_normal((400, 3))
    features = np.sign(normals) * np.sqrt([6 / 11, 3 / 11, 2 / 11])
    labels = logistic("inverse", 3, 400, 7).data[:, 0] / features[:, 0]
    assert np.allclose(abs(labels), 1)
    chance = 1 / (1 + np.exp(-features.sum(axis=1)))
    drawn = {seed: np.where(data_generator(seed).random(400) < chance, 1, -1) for seed in (7, 7 + 2**40)}
    assert np.allclose(labels, drawn[7 + 2**40])
    assert not np.allclose(labels, drawn[7])
