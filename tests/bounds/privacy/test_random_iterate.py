"""The mixture over tau against its own sum in 60 digits, for long runs against the integral, and the private side."""

import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

from bounds.privacy import random_iterate
from bounds.privacy.gaussian import delta_gaussian, sigma_gaussian

AT = {"epsilon": 2.0, "delta": 1e-6, "T": 500, "sensitivity": 0.1}


@pytest.fixture(autouse=True)
def sixty_digits():
    with mp.workdps(60):
        yield


def exact_curve(epsilon, mu):
    epsilon, mu = mp.mpf(epsilon), mp.mpf(mu)
    return mp.ncdf(mu / 2 - epsilon / mu) - mp.exp(epsilon) * mp.ncdf(-mu / 2 - epsilon / mu) if mu > 0 else mp.mpf(0)


def exact_mean(epsilon, mu, T):
    return mp.fsum(exact_curve(epsilon, mp.mpf(mu) * mp.sqrt(k)) for k in range(T)) / T


@settings(max_examples=40)
@given(
    st.floats(-2, 2).map(lambda k: 10.0**k), st.one_of(st.floats(-60, -1).map(lambda k: 10.0**k), st.floats(0.1, 0.95)), st.integers(2, 60)
)
def test_sigma_is_least_and_private(epsilon, delta, T):
    sigma = random_iterate.sigma_uniform(epsilon=epsilon, delta=delta, T=T, sensitivity=0.3)
    if sigma == 0:
        assert delta >= 1 - 1 / T
        return
    assert exact_mean(epsilon, mp.mpf(0.3) / mp.mpf(sigma), T) <= mp.mpf(delta)
    assert exact_mean(epsilon, mp.mpf(0.3) / mp.mpf(sigma * (1 - 1e-9)), T) > mp.mpf(delta)
    assert random_iterate.delta_uniform(epsilon=epsilon, sigma=sigma, T=T, sensitivity=0.3) <= delta
    assert random_iterate.epsilon_uniform(delta=delta, sigma=sigma, T=T, sensitivity=0.3) == pytest.approx(epsilon, rel=1e-6)


@settings(max_examples=40)
@given(st.floats(-2, 1.5).map(lambda k: 10.0**k), st.floats(-3, 1), st.integers(2, 200))
def test_delta_is_not_below_the_sum_nor_far_above(epsilon, log_mu, T):
    sigma = math.sqrt(T) / 10.0**log_mu
    exact = exact_mean(epsilon, 1 / mp.mpf(sigma), T)
    assert exact <= random_iterate.delta_uniform(epsilon=epsilon, sigma=sigma, T=T, sensitivity=1.0) <= exact * (1 + mp.mpf(1e-9)) + 5e-324


@pytest.mark.parametrize(("epsilon", "mu"), [(2.0, 0.5), (2.0, 3.0), (0.1, 0.02), (8.0, 1.6), (30.0, 9.0), (1.0, 40.0)])
def test_groups_cost_next_to_nothing(epsilon, mu):
    """Convex, concave, and both: 2,500 steps in groups against every one of them; 2^70 against the integral."""
    T = 2_500
    sigma = math.sqrt(T) / mu
    with mp.workdps(20):
        exact = exact_mean(epsilon, 1 / mp.mpf(sigma), T)
        limit = mp.quad(lambda v: exact_curve(epsilon, mu * mp.sqrt(v)), [0, 0.01, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 1])
    assert exact <= random_iterate.delta_uniform(epsilon=epsilon, sigma=sigma, T=T, sensitivity=1.0) <= exact * (1 + mp.mpf(1e-4))
    long = random_iterate.delta_uniform(epsilon=epsilon, sigma=2.0**35 / mu, T=2**70, sensitivity=1.0)
    assert limit * (1 - mp.mpf(1e-10)) <= long <= limit * (1 + mp.mpf(1e-4))


def test_it_lies_between_one_and_all_releases():
    given = {**AT, "delta": 1e-6}
    sigma = random_iterate.sigma_uniform(**given)
    assert sigma < sigma_gaussian(**{**given, "T": AT["T"] - 1})
    assert sigma > sigma_gaussian(**{**given, "T": AT["T"] // 2})  # half of the iterates saw more
    assert delta_gaussian(epsilon=2.0, sigma=sigma, T=AT["T"] - 1, sensitivity=0.1) > 1e-6
    assert sigma / sigma_gaussian(**given) == pytest.approx(0.89, abs=0.002)


def test_nothing_to_hide():
    assert random_iterate.mu_uniform(1.0, 1e-6, 1) == math.inf
    assert random_iterate.sigma_uniform(epsilon=1.0, delta=1e-6, T=1, sensitivity=1.0) == 0.0
    assert random_iterate.sigma_uniform(epsilon=1.0, delta=0.6, T=2, sensitivity=1.0) == 0.0  # x_0 or x_1, and x_0 says nothing
    assert random_iterate.delta_uniform(epsilon=0.0, sigma=1e-9, T=4, sensitivity=1.0) == pytest.approx(0.75, rel=1e-15)
    assert random_iterate.delta_uniform(epsilon=1.0, sigma=1.0, T=1, sensitivity=1.0) == 0.0
    assert random_iterate.epsilon_uniform(delta=0.1, sigma=1.0, T=1, sensitivity=1.0) == 0.0
    assert random_iterate.epsilon_uniform(delta=0.9, sigma=1.0, T=10, sensitivity=1e-3) == 0.0
    assert random_iterate.log_delta_uniform(epsilon=1.0, mu=0.0, T=5) == -math.inf


def test_no_law_of_tau_needs_less_than_the_best():
    """Laws by hand, at a finite number of steps: int w^2 is never below the best law's, and the best law's own is that."""
    epsilon, delta, points = 2.0, 1e-6, 3_000
    gain = random_iterate.gain_of_best_law(epsilon, delta)
    assert gain == pytest.approx(0.99038, abs=5e-5)
    uniform = float(random_iterate.mu_uniform(epsilon, delta, random_iterate.LONGEST)) ** 2 * random_iterate.LONGEST
    least = gain**2 / uniform  # int w^2 ds of the best law

    def curve(s):  # in floats, good to 1e-9 where delta matters
        mu = np.sqrt(s)
        return ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)

    for power in (0.0, 0.05, 0.3, 1.0, 3.0):  # laws w ~ (1 - s/end)^power, with the end at which delta is spent

        def spent(end, power=power):
            s = (np.arange(points) + 0.5) / points * end
            w = (1 - s / end) ** power
            w /= w.sum()
            return float(w @ curve(s)), float((w**2).sum() * points / end)

        low, high = uniform / 2, 4 * uniform
        for _ in range(12):
            middle = (low + high) / 2
            low, high = (middle, high) if spent(middle)[0] <= delta else (low, middle)
        assert spent(low)[1] >= least * 0.999


BAD = [
    (random_iterate.mu_uniform, (0.0, 1e-6, 3), "epsilon"),
    (random_iterate.mu_uniform, (1.0, 1.0, 3), "delta"),
    *((random_iterate.mu_uniform, (1.0, 0.1, T), "T") for T in (0, 2.5, 2**71)),
    (random_iterate.gain_of_best_law, (-1.0, 0.1), "epsilon"),
]


@pytest.mark.parametrize(("function", "arguments", "name"), BAD)
def test_bad_input_is_named(function, arguments, name):
    with pytest.raises(ValueError, match=rf"^{name} = "):
        function(*arguments)


@pytest.mark.parametrize("name", ["sigma", "sensitivity", "T", "epsilon", "delta"])
def test_bad_input_of_the_others(name):
    given = {**AT, "sigma": 1.0, name: math.nan if name != "T" else 1.5}
    for function, without in (
        (random_iterate.sigma_uniform, "sigma"),
        (random_iterate.delta_uniform, "delta"),
        (random_iterate.epsilon_uniform, "epsilon"),
    ):
        if name != without:
            with pytest.raises(ValueError, match=rf"^{name} = "):
                function(**{key: value for key, value in given.items() if key != without})
