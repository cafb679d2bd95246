"""Landscapes: derivatives against differences, constants against what points show."""

import numpy as np
import pytest

from synthetic.objectives.separable_saddles import local_cubic, random_phase_cosines
from tests.reference import saddles as naive

LANDSCAPES = [
    random_phase_cosines(3, A=2.0, w=0.7),
    local_cubic(3, gamma=0.8, rho=1.5, ell=2.0, slope=0.3, spread=0.5),
    local_cubic(3, gamma=0.8, rho=1.5, ell=2.0, bent=True),
]


@pytest.mark.parametrize("landscape", LANDSCAPES, ids=lambda one: one.name)
def test_gradient_and_hessian_are_those_of_the_value(landscape):
    rng, h = np.random.default_rng(0), 1e-5
    for _ in range(20):
        x = rng.uniform(-0.9, 0.9, 3)
        steps = h * np.eye(3)
        gradient = [(landscape.value_and_gradient(x + e)[0] - landscape.value_and_gradient(x - e)[0]) / (2 * h) for e in steps]
        hessian = [(landscape.value_and_gradient(x + e)[1] - landscape.value_and_gradient(x - e)[1]) / (2 * h) for e in steps]
        np.testing.assert_allclose(landscape.value_and_gradient(x)[1], gradient, atol=1e-8)
        np.testing.assert_allclose(landscape.hessian(x), hessian, atol=1e-6)


@pytest.mark.parametrize("landscape", LANDSCAPES, ids=lambda one: one.name)
def test_the_mean_over_samples_is_f_and_the_hessian_is_lipschitz(landscape):
    rng, out = np.random.default_rng(1), np.empty(3)
    rows = landscape.draw(rng, 100_000, 0)
    for _ in range(5):
        x, y = rng.uniform(-0.9, 0.9, (2, 3))
        landscape.batch_gradient(x, rows, landscape.params, out)
        np.testing.assert_allclose(out, landscape.value_and_gradient(x)[1], atol=0.03)  # four deviations of 1e5 samples, or more
        apart = np.linalg.norm(landscape.hessian(x) - landscape.hessian(y), 2)
        assert apart <= landscape.constants["rho"] * np.linalg.norm(x - y) * (1 + 1e-12)


@pytest.mark.parametrize("bent", [False, True])
def test_value_and_gradient_are_those_of_the_plain_twin(bent):
    rng, constants = np.random.default_rng(2), {"gamma": 0.8, "rho": 1.5, "ell": 2.0, "slope": 0.3, "bent": bent}
    landscape, out = local_cubic(4, **constants, spread=0.5), np.empty(4)
    for size in (0.01, 1.0, 100.0):
        x, rows = size * rng.standard_normal(4), landscape.draw(rng, 5, 0)
        value, gradient = landscape.value_and_gradient(x)
        F = lambda y: naive.local_cubic(y, **constants)
        assert value == pytest.approx(F(x), rel=1e-12)
        np.testing.assert_allclose(gradient, naive.gradient(F, x), rtol=1e-12)
        landscape.batch_gradient(x, rows, landscape.params, out)
        each = [naive.gradient(lambda y, row=row, F=F: naive.tilted_loss(F, y, row), x) for row in rows]
        np.testing.assert_allclose(out, np.mean(each, axis=0), rtol=1e-12, atol=1e-15)


def test_the_saddle_is_one():
    landscape = local_cubic(4, gamma=1.0, rho=1.0, ell=2.0)
    assert landscape.certify_sosp(landscape.saddle, 0.5).saddle
    minimum = landscape.saddle.copy()
    minimum[0] = 2.0
    assert landscape.certify_sosp(minimum, 0.5).sosp
