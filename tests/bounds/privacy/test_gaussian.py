"""The exact curve against 60-digit arithmetic, the tables of DPZero's erratum E2, inverse pairs, the private side, and lies."""

import math
from functools import cache

import mpmath as mp
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bounds.privacy import gaussian as privacy

steady = settings(max_examples=40)
epsilons = st.floats(-3, math.log10(500)).map(lambda k: 10.0**k)
deltas = st.one_of(st.floats(-300, -1).map(lambda k: 10.0**k), st.floats(0.1, 0.99))
horizons = st.integers(1, 10_000)
sensitivities = st.floats(-6, 3).map(lambda k: 10.0**k)


@pytest.fixture(autouse=True)
def sixty_digits():
    with mp.workdps(60):
        yield


def exact_delta(epsilon, mu):
    """The closed form; 60 digits are enough because mpmath's exponents do not underflow."""
    epsilon, mu = mp.mpf(epsilon), mp.mpf(mu)
    x, y = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    return (mp.erfc(x / mp.sqrt(2)) - mp.exp(epsilon) * mp.erfc(y / mp.sqrt(2))) / 2


@cache
def integrated_delta(epsilon, mu):
    """The definition: int max(p - e^epsilon p', 0) for the densities of N(mu, 1) and N(0, 1), which cross at y; p(y) = phi(x)."""
    epsilon, mu = mp.mpf(epsilon), mp.mpf(mu)
    x, y = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    unit = mp.npdf(x) if x > 0 else mp.mpf(1)  # mpmath integrates to an absolute error, so the integrand is made of order 1
    width = 1 / max(x, 1)
    start = max(mu - 12, y)
    panels = ([y] if start > y else []) + [start + k * width for k in (0, 2, 6, 16, 40, 80)]
    return unit * mp.quad(lambda o: (mp.npdf(o - mu) - mp.exp(epsilon) * mp.npdf(o)) / unit, panels)


def exact_mu(T, sensitivity, sigma):
    return mp.sqrt(T) * mp.mpf(sensitivity) / mp.mpf(sigma)


CURVE = [
    (1.0, 0.236704), (1e-3, 2.7e-5), (1e-3, 0.01), (1e-3, 1.3), (1e-3, 5.1), (0.1, 1e-2), (0.1, 0.9), (0.5, 1.0), (0.5, 0.999),
    (2.0, 0.05), (2.0, 0.4), (2.0, 2.0), (2.0, 2.1), (8.0, 3.9), (8.0, 6.0), (30.0, 1.0), (100.0, 10.0), (100.0, 14.2),
    (500.0, 11.0), (500.0, 31.0), (500.0, 36.0), (0.0, 0.3), (0.0, 4.0),
]  # fmt: skip


@pytest.mark.parametrize(("epsilon", "mu"), CURVE)
def test_delta_is_the_integral_of_its_definition(epsilon, mu):
    integral = integrated_delta(epsilon, mu)
    assert abs(exact_delta(epsilon, mu) / integral - 1) < mp.mpf(10) ** -25
    assert 0 <= privacy.log_delta(epsilon=epsilon, mu=mu) - mp.log(integral) < 1e-11
    assert privacy.delta_gaussian(epsilon=epsilon, sigma=1 / mu, T=1, sensitivity=1.0) == pytest.approx(
        float(integral), rel=1e-11, abs=1e-306
    )


@steady
@given(st.floats(-8, 6), st.floats(-6, 4))
def test_log_delta_far_out(log_epsilon, log_mu):
    epsilon, mu = 10.0**log_epsilon, 10.0**log_mu
    assume(epsilon / mu < 1e9)
    x, y = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    with mp.workdps(60 if x > -10 else 60 + int(x * x / 4)):  # digits for 1 - delta, which the closed form subtracts from 1
        assume(x > -60)
        expected = mp.log(exact_delta(epsilon, mu))
    # the rounding of x alone moves log delta by 2^-53 |x| y
    assert 0 <= privacy.log_delta(epsilon=epsilon, mu=mu) - expected <= 2.0**-48 * (2 + (1 + abs(x)) * y + abs(float(expected)))


@settings(max_examples=300)
@given(st.one_of(st.just(0.0), st.floats(-12, 300).map(lambda k: 10.0**k)), st.floats(-12, 12), horizons, st.floats(-150, 150))
def test_delta_is_never_below_the_truth(epsilon, log_mu, T, log_sensitivity):
    sensitivity = 10.0**log_sensitivity
    sigma = math.sqrt(T) * sensitivity / 10.0**log_mu
    mu = exact_mu(T, sensitivity, sigma)
    x = epsilon / mu - mu / 2
    with mp.workdps(60 if x > -10 else min(5000, 60 + int(x * x / 4))):
        spent = privacy.delta_gaussian(epsilon=epsilon, sigma=sigma, T=T, sensitivity=sensitivity)
        truth = exact_delta(epsilon, mu) if x < 1e8 else mp.exp(-x * x / 2)
        assert truth <= spent <= truth * (1 + mp.mpf(2) ** -40 * (1 + (1 + abs(x)) * (x + mu))) + mp.mpf(5e-324)


@settings(max_examples=300)
@given(st.floats(-1, 1), st.floats(0, 6))
def test_the_ridge_where_epsilon_is_half_of_mu_squared(x, log_mu):
    """Quadrature and rounding both failed here: mu is large, and x is what is left of two large numbers."""
    mu = 10.0**log_mu
    epsilon = mu * (x + mu / 2)
    assume(epsilon > 0)
    spent = privacy.delta_gaussian(epsilon=epsilon, sigma=1.0, T=1, sensitivity=mu)
    with mp.workdps(60 + int(0.6 * math.log10(mu) + 1)):
        exact = mp.ncdf(mp.mpf(mu) / 2 - mp.mpf(epsilon) / mp.mpf(mu)) - mp.exp(mp.mpf(epsilon) + mp.log(upper_tail(epsilon, mu)))
        assert exact <= spent <= exact * (1 + mp.mpf(2) ** -46 * (3 + 2 * mu))


def upper_tail(epsilon, mu):
    """P(N > y), y = epsilon / mu + mu / 2."""
    return mp.erfc((mp.mpf(epsilon) / mp.mpf(mu) + mp.mpf(mu) / 2) / mp.sqrt(2)) / 2


def test_log_delta_outlives_delta():
    assert privacy.delta_gaussian(epsilon=1.0, sigma=100.0, T=1, sensitivity=1.0) == 5e-324  # the least float that is not below it
    assert privacy.log_delta(epsilon=1.0, mu=0.01) == pytest.approx(float(mp.log(exact_delta(1, mp.mpf(0.01)))), rel=1e-14)
    assert privacy.log_delta(epsilon=1.0, mu=0.0) == -math.inf
    assert privacy.log_delta(epsilon=1e300, mu=1e-300) == -privacy.HUGE  # it is further out than a float can say


def test_known_mu():
    assert privacy.mu_gaussian(1.0, 1e-6) == pytest.approx(0.236704, abs=5e-7)


# --- calibrations -----------------------------------------------------------------------------------------------------------------


@steady
@given(epsilons, deltas, horizons, sensitivities)
def test_sigma_is_least_and_private(epsilon, delta, T, sensitivity):
    sigma = privacy.sigma_gaussian(epsilon=epsilon, delta=delta, T=T, sensitivity=sensitivity)
    assert privacy.delta_gaussian(epsilon=epsilon, sigma=sigma, T=T, sensitivity=sensitivity) <= delta
    assert exact_delta(epsilon, exact_mu(T, sensitivity, sigma)) <= mp.mpf(delta)
    assert exact_delta(epsilon, exact_mu(T, sensitivity, sigma * (1 - 1e-12))) > mp.mpf(delta)


@steady
@given(epsilons, deltas, horizons, sensitivities)
def test_epsilon_is_least_and_private(target, delta, T, sensitivity):
    sigma = privacy.sigma_gaussian(epsilon=target, delta=delta, T=T, sensitivity=sensitivity)
    epsilon = privacy.epsilon_gaussian(delta=delta, sigma=sigma, T=T, sensitivity=sensitivity)
    mu = exact_mu(T, sensitivity, sigma)
    assert epsilon == pytest.approx(target, rel=1e-10)
    assert privacy.delta_gaussian(epsilon=epsilon, sigma=sigma, T=T, sensitivity=sensitivity) <= delta
    assert exact_delta(epsilon, mu) <= mp.mpf(delta)
    assert exact_delta(epsilon * (1 - 1e-10), mu) > mp.mpf(delta)


@steady
@given(epsilons, deltas)
def test_mu_and_delta_are_inverse(epsilon, delta):
    mu = privacy.mu_gaussian(epsilon, delta)
    assert privacy.log_delta(epsilon=epsilon, mu=mu) == pytest.approx(math.log(delta), rel=1e-10, abs=1e-12)


@steady
@given(epsilons, st.floats(0.01, 30), st.floats(1.001, 10))
def test_monotone(epsilon, mu, factor):
    here = privacy.log_delta(epsilon=epsilon, mu=mu)
    assert here <= privacy.log_delta(epsilon=epsilon, mu=mu * factor)
    assert here >= privacy.log_delta(epsilon=epsilon * factor, mu=mu)
    delta = 10.0**-5
    assert privacy.mu_gaussian(epsilon, delta) < privacy.mu_gaussian(epsilon * factor, delta)
    assert privacy.mu_gaussian(epsilon, delta) < privacy.mu_gaussian(epsilon, delta * factor)


@steady
@given(epsilons, st.floats(0.01, 30), horizons, sensitivities)
def test_only_mu_matters(epsilon, mu, T, sensitivity):
    sigma = math.sqrt(T) * sensitivity / mu
    log_one = privacy.log_delta(epsilon=epsilon, mu=mu)
    assume(log_one > -600)
    found = privacy.delta_gaussian(epsilon=epsilon, sigma=sigma, T=T, sensitivity=sensitivity)
    assert found == pytest.approx(math.exp(log_one), rel=1e-9, abs=0)


def test_epsilon_zero_means_total_variation_delta():
    total_variation = privacy.delta_gaussian(epsilon=0.0, sigma=1.0, T=1, sensitivity=0.5)
    assert total_variation == pytest.approx(math.erf(0.25 / math.sqrt(2)), rel=1e-14)
    assert privacy.epsilon_gaussian(delta=total_variation * 1.0001, sigma=1.0, T=1, sensitivity=0.5) == 0.0
    assert privacy.epsilon_gaussian(delta=total_variation * 0.9999, sigma=1.0, T=1, sensitivity=0.5) > 0.0
    assert privacy.epsilon_gaussian(delta=1e-6, sigma=1e200, T=1, sensitivity=1e-200) == 0.0  # mu underflows


@pytest.mark.parametrize(("epsilon", "delta"), [(1e-6, 0.5), (1e-8, 1e-12), (1e4, 1e-6), (1e6, 0.5), (1.0, 1 - 1e-12), (1.0, 1e-320)])
def test_outside_the_promised_range_still_private(epsilon, delta):
    assert exact_delta(epsilon, privacy.mu_gaussian(epsilon, delta)) <= mp.mpf(delta)
    assert exact_delta(epsilon, privacy.mu_gaussian(epsilon, delta) * (1 + 1e-8)) > mp.mpf(delta)


# --- Lemma 2.2 --------------------------------------------------------------------------------------------------------------------

E2 = [  # (epsilon, delta), sigma / (sqrt(T) sensitivity) of the paper, exact, ratio, delta attained, valid
    (0.1, 1e-6, 95.9706, 36.3047, 2.643, "4.6e-25", True),
    (1, 1e-5, 9.59706, 3.73063, 2.573, "7.2e-24", True),
    (2, 1e-6, 5.38677, 2.23048, 2.415, "1.1e-28", True),
    (2, 1e-5, 4.94087, 1.99381, 2.478, "1.4e-24", True),
    (6, 1e-5, 1.71948, 0.763635, 2.252, "3.2e-25", True),
    (10, 1e-2, 0.743530, 0.350097, 2.124, "1.1e-12", True),
    (20, 0.1, 0.325939, 0.188397, 1.730, "1.1e-7", True),
    (50, 1e-5, 0.222171, 0.149761, 1.484, "1.4e-19", True),
    (100, 1e-5, 0.113554, 0.0946699, 1.199, "9.9e-13", True),
    (200, 1e-5, 0.0579849, 0.0616214, 0.941, "1.23e-3", False),
    (1000, 1e-6, 0.0128758, 0.0248504, 0.518, "1", False),
    (1000, 0.1, 0.00858399, 0.0229990, 0.373, "1", False),
    (2, 0.5, 1.95184, 0.411048, 4.748, "1.5e-5", True),
    (0.001, 0.5, 2829.47, 0.740869, 3819, "2.4e-7", True),
]  # fmt: skip


@pytest.mark.parametrize(("epsilon", "delta", "printed", "exact", "ratio", "attained", "valid"), E2)
def test_table_of_e2(epsilon, delta, printed, exact, ratio, attained, valid):
    T, sensitivity = 100, 0.25
    scale = math.sqrt(T) * sensitivity
    sigma = privacy.sigma_lemma_2_2(epsilon=epsilon, delta=delta, T=T, sensitivity=sensitivity)
    assert sigma / scale == pytest.approx(printed, rel=5e-6)
    assert privacy.sigma_gaussian(epsilon=epsilon, delta=delta, T=T, sensitivity=sensitivity) / scale == pytest.approx(exact, rel=5e-6)
    assert privacy.lemma_2_2_ratio(epsilon, delta) == pytest.approx(ratio, rel=2e-3)
    digits = len(attained.split("e")[0].replace(".", ""))
    spent = privacy.delta_gaussian(epsilon=epsilon, sigma=sigma, T=T, sensitivity=sensitivity)
    assert spent == pytest.approx(float(attained), rel=0.51 * 10.0 ** (1 - digits), abs=0)
    assert privacy.lemma_2_2_is_private(epsilon, delta) is valid


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 250.0])
def test_lemma_2_2_as_printed(epsilon):
    exact = 2 * mp.mpf(0.3) * mp.sqrt(2 * 7 * mp.log(mp.e + mp.mpf(epsilon) / mp.mpf(1e-6))) / mp.mpf(epsilon)
    assert privacy.sigma_lemma_2_2(epsilon=epsilon, delta=1e-6, T=7, sensitivity=0.3) == pytest.approx(float(exact), rel=1e-15)


CRITICAL = {
    0.99: 104.15, 0.9: 90.70, 0.5: 83.05, 0.1: 91.32, 1e-2: 109.99, 1e-3: 129.69, 1e-4: 149.50,
    1e-5: 169.26, 1e-6: 188.93, 1e-8: 228.00, 1e-10: 266.77, 1e-15: 362.77, 1e-20: 457.90,
}  # fmt: skip


@pytest.mark.parametrize(("delta", "expected"), CRITICAL.items())
def test_critical_epsilon(delta, expected):
    critical = privacy.lemma_2_2_critical_epsilon(delta)
    assert critical == pytest.approx(expected, abs=0.0051)
    assert privacy.lemma_2_2_is_private(critical, delta)
    assert not privacy.lemma_2_2_is_private(critical * (1 + 1e-10), delta)
    assert privacy.lemma_2_2_ratio(critical, delta) == pytest.approx(1.0, abs=1e-9)


def test_least_critical_epsilon():
    curve = {k / 1000: privacy.lemma_2_2_critical_epsilon(k / 1000) for k in range(465, 526, 5)}
    assert min(curve, key=curve.__getitem__) == pytest.approx(0.495, abs=0.005)
    assert min(curve.values()) == pytest.approx(83.045, abs=5e-4)


@steady
@given(st.floats(-6, 4), st.floats(-300, -0.001))
def test_proved_regions_of_lemma_2_2(log_epsilon, log_delta):
    epsilon, delta = 10.0**log_epsilon, 10.0**log_delta
    A = math.log(math.e + epsilon / delta)
    if epsilon <= 8 * A:
        assert privacy.lemma_2_2_is_private(epsilon, delta)
    if epsilon >= 16 * A and delta < 0.46:
        assert not privacy.lemma_2_2_is_private(epsilon, delta)


# --- a second opinion ----------------------------------------------------------------------------------------------------------


def test_agrees_with_the_privacy_loss_distribution_of_dp_accounting():
    from dp_accounting.pld import privacy_loss_distribution

    T, sensitivity, interval = 10, 0.2, 1e-3
    losses = privacy_loss_distribution.from_gaussian_mechanism(
        1.0, sensitivity=sensitivity, value_discretization_interval=interval
    ).self_compose(T)

    def agrees(factor):
        """Pessimistic, but by less than rounding each of the T losses up by a whole interval, plus 1e-14 of truncated mass."""

        def exact(epsilon):
            return privacy.delta_gaussian(epsilon=epsilon, sigma=1.0, T=T, sensitivity=sensitivity * factor)

        found = {epsilon: losses.get_delta_for_epsilon(epsilon) for epsilon in (0.1, 0.5, 1.0, 2.0)}
        return all(exact(epsilon) <= delta <= exact(epsilon - T * interval) + 1e-14 for epsilon, delta in found.items())

    assert agrees(1)
    assert not agrees(2)
    assert not agrees(0.5)


# --- lies -------------------------------------------------------------------------------------------------------------------------


def true_delta(delta_of):
    return all(abs(delta_of(e, m) / float(integrated_delta(e, m)) - 1) < 1e-10 for e, m in ((0.5, 1.0), (2.0, 0.4), (8.0, 6.0)))


def private_and_tight(sigma_of):
    for epsilon, delta in ((1.0, 1e-6), (300.0, 0.1)):
        spent = exact_delta(epsilon, exact_mu(9, 0.1, sigma_of(epsilon=epsilon, delta=delta, T=9, sensitivity=0.1)))
        if not 1 - 1e-6 <= spent / mp.mpf(delta) <= 1:
            return False
    return True


def test_lies_are_seen():
    def delta(e, m):
        return privacy.delta_gaussian(epsilon=e, sigma=1 / m, T=1, sensitivity=1.0)

    sigma = privacy.sigma_gaussian
    assert true_delta(delta)
    assert not true_delta(lambda e, m: delta(e, 2 * m))
    assert not true_delta(lambda e, m: delta(e, m * (1 + 1e-9)))
    assert not true_delta(lambda e, m: math.erfc((e / m - m / 2) / math.sqrt(2)) / 2)  # the second term forgotten
    assert private_and_tight(sigma)
    assert not private_and_tight(privacy.sigma_lemma_2_2)
    assert not private_and_tight(lambda *, sensitivity, **rest: sigma(sensitivity=sensitivity / 2, **rest))
    assert not private_and_tight(lambda *, sensitivity, **rest: sigma(sensitivity=sensitivity * 2, **rest))
    assert not private_and_tight(lambda *, T, **rest: sigma(T=T - 1, **rest))
    assert not private_and_tight(lambda **rest: sigma(**rest) * (1 - 1e-9))


# --- bad input --------------------------------------------------------------------------------------------------------------------

GOOD = {"epsilon": 1.0, "delta": 1e-6, "sigma": 1.0, "T": 10, "sensitivity": 0.1}
TAKES = {
    privacy.sigma_gaussian: ("epsilon", "delta", "T", "sensitivity"),
    privacy.delta_gaussian: ("epsilon", "sigma", "T", "sensitivity"),
    privacy.epsilon_gaussian: ("delta", "sigma", "T", "sensitivity"),
    privacy.sigma_lemma_2_2: ("epsilon", "delta", "T", "sensitivity"),
    privacy.mu_gaussian: ("epsilon", "delta"),
    privacy.lemma_2_2_is_private: ("epsilon", "delta"),
    privacy.lemma_2_2_critical_epsilon: ("delta",),
    privacy.lemma_2_2_ratio: ("epsilon", "delta"),
}
BAD = {
    "epsilon": (-1.0, math.nan, math.inf, "1", True, None),
    "delta": (0.0, 1.0, -0.1, math.nan, "0.1"),
    "sigma": (0.0, -1.0, math.inf, math.nan),
    "T": (0, -3, 2.0, True),
    "sensitivity": (0.0, -1.0, math.nan, 1j),
}


@pytest.mark.parametrize(
    ("function", "name", "value"),
    [(function, name, value) for function, names in TAKES.items() for name in names for value in BAD[name]],
    ids=lambda v: getattr(v, "__name__", repr(v)),
)
def test_bad_input_is_named(function, name, value):
    arguments = {k: GOOD[k] for k in TAKES[function]} | {name: value}
    with pytest.raises(ValueError, match=rf"^{name} = "):
        function(**arguments)


def test_the_ends_of_floating_point_are_on_the_private_side():
    """What floats cannot tell is answered by the bound that is true, or by a sentence; subnormal noise would lose its rounding."""
    at = {"T": 1, "sensitivity": 1e200}
    assert privacy.delta_gaussian(epsilon=1e308, sigma=1.0, **at) == 1.0
    assert privacy.epsilon_gaussian(delta=1e-6, sigma=1.0, **at) == math.inf
    for sensitivity in (5e-324, 1e-309):
        with pytest.raises(ValueError, match=r"sensitivity = .* less extreme ones are needed"):
            privacy.sigma_gaussian(epsilon=1.0, delta=1e-6, T=1, sensitivity=sensitivity)
    with pytest.raises(ValueError, match=r"sensitivity = 1e\+308: sigma_gaussian cannot be computed in floating point"):
        privacy.sigma_gaussian(epsilon=1e-3, delta=1e-6, T=10**6, sensitivity=1e308)
