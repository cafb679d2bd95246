"""Releases whose noise and sensitivity change: against an integral over the releases one by one, and the constant case."""

import math

import mpmath as mp
import numpy as np
import pytest

from bounds import privacy
from bounds.privacy.gaussian import delta_gaussian, epsilon_gaussian, sigma_gaussian


def composed_delta(epsilon, mus):
    """delta of independent Gaussian releases, by the definition: integrals over all but one loss, closed form for the last.

    For sums of squares nothing is used but the curve of one release: E over the loss of the others, under the first data set, of the
    delta of the last at what is left of epsilon, which may be negative.
    """
    mu, *others = map(mp.mpf, mus)

    def one(left):
        x, y = left / mu - mu / 2, left / mu + mu / 2
        return mp.ncdf(-x) - mp.exp(left) * mp.ncdf(-y)

    if not others:
        return one(mp.mpf(epsilon))
    other = others[0]
    return mp.quad(lambda z: mp.npdf(z) * composed_delta(epsilon - other**2 / 2 - other * z, [mu, *others[1:]]), [-9, -3, 0, 3, 9])


@pytest.mark.parametrize(("sigma", "sensitivity"), [([1.0, 2.0], 0.7), ([0.9, 0.9], [1.0, 0.3]), ([3.0, 1.0], [1.0, 2.0])])
@pytest.mark.parametrize("epsilon", [0.0, 0.5, 3.0])
def test_delta_is_the_integral_over_the_releases_one_by_one(sigma, sensitivity, epsilon):
    exact = composed_delta(epsilon, np.broadcast_to(sensitivity, 2) / np.array(sigma))
    assert math.isclose(privacy.delta_of_steps(epsilon=epsilon, sigma=sigma, sensitivity=sensitivity), exact, rel_tol=1e-8)


def test_a_constant_schedule_is_that_of_equal_releases_and_never_below_it():
    for T, sigma, sensitivity in ((1, 0.5, 0.2), (7, 3.0, 1.0), (1000, 0.05, 0.002)):
        schedule = {"sigma": np.full(T, sigma), "sensitivity": sensitivity}
        equal = {"sigma": sigma, "T": T, "sensitivity": sensitivity}
        for found, known in (
            (privacy.epsilon_of_steps(delta=1e-6, **schedule), epsilon_gaussian(delta=1e-6, **equal)),
            (privacy.delta_of_steps(epsilon=0.3, **schedule), delta_gaussian(epsilon=0.3, **equal)),
        ):
            assert 0 <= found / known - 1 < 1e-11


def test_mu_is_rounded_up_and_the_order_does_not_matter():
    rng = np.random.default_rng(0)
    sigma, moved = rng.uniform(0.1, 9.0, 50), rng.uniform(0.1, 9.0, 50)
    exact = mp.sqrt(mp.fsum((mp.mpf(float(s)) / mp.mpf(float(z))) ** 2 for s, z in zip(moved, sigma, strict=True)))
    for order in (np.arange(50), rng.permutation(50)):
        found = privacy.mu_of_steps(sigma=list(sigma[order]), sensitivity=moved[order])
        assert 0 <= found / exact - 1 < 1e-14


@pytest.mark.parametrize("budget", [{"epsilon": 0.1, "delta": 1e-9}, {"epsilon": 2.0, "delta": 1e-6}, {"epsilon": 30.0, "delta": 0.3}])
def test_the_noise_of_a_profile_is_private_and_the_least(budget):
    profile, moved = np.linspace(1.0, 4.0, 20), 2 * np.geomspace(1.0, 0.1, 20) / 300
    sigma = privacy.sigma_of_steps(**budget, profile=profile, sensitivity=moved)
    np.testing.assert_allclose(sigma / sigma[0], profile, rtol=1e-14)
    found = privacy.epsilon_of_steps(delta=budget["delta"], sigma=sigma, sensitivity=moved)
    assert 0 <= 1 - found / budget["epsilon"] < 1e-11
    equal = privacy.sigma_of_steps(**budget, profile=1.0, sensitivity=np.full(20, 0.01))
    np.testing.assert_allclose(equal, sigma_gaussian(**budget, T=20, sensitivity=0.01), rtol=1e-13)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"sigma": 1.0, "sensitivity": 2.0}, "sensitivity = 2.0, sigma = 1.0: arrays of one length are needed, or one array and a number"),
        (
            {"sigma": [1.0, 2.0], "sensitivity": [1.0]},
            "sensitivity has 1 entries and sigma has 2 entries: arrays of one length are needed, .*",
        ),
        ({"sigma": [1.0, 0.0], "sensitivity": 1.0}, r"sigma\[1\] = 0.0: a finite number above 0 is needed"),
        ({"sigma": [1.0], "sensitivity": math.nan}, "sensitivity = nan: a finite number above 0 is needed"),
        ({"sigma": [], "sensitivity": 1.0}, r"sigma has shape \(0,\): a number, or an array \(T,\) with one for each step, is needed"),
        ({"sigma": [1e-300], "sensitivity": 1e300}, "sigma = .*: mu_of_steps cannot be computed in floating point with these numbers, .*"),
    ],
)
def test_what_a_schedule_cannot_be_is_said(given, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        privacy.mu_of_steps(**given)
