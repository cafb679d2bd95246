"""Algorithm 4's noise and thresholds: constants of each accountant, and how often a true stationary point passes."""

import math

import mpmath as mp
import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

import bounds
from bounds import privacy
from bounds.gauss_psgd import selection
from bounds.gauss_psgd.block import DIGITS
from bounds.gauss_psgd.fixed_point import Problem
from bounds.gauss_psgd.selection import (
    ACCOUNTANTS,
    least_samples,
    noise_constant,
    noise_scales,
    printed_allowances,
    proved_allowances,
)
from bounds.strategies import log_uniform
from bounds.symbols import GLOSSARY

AT = dict(n=1e4, d=50, epsilon=1.0, delta=1e-5, L=1.0, ell=1.0, rho=1.0, T=100, accuracy=0.1)


def select(kind, *, T, accuracy, accountant=None, **problem):
    return selection.selection_tests(kind, Problem(**problem, U=1.0), T=T, accuracy=accuracy, accountant=accountant)


def above_threshold_limits(*, T, accuracy, **problem):
    return selection.above_threshold_limits(Problem(**problem, delta=1e-5, U=1.0), T=T, accuracy=accuracy)


def test_constants_by_published_digits():
    assert [round(noise_constant("lemma16", epsilon=1, delta=1e-5, T=T)) for T in (10, 100, 1000, 100_000)] == [2093, 2406, 2718, 3343]
    found = [round(noise_constant("zcdp", epsilon=e, delta=1e-5, T=9), 1) for e in (0.5, 1, 2, 4, 8)]
    assert found == [16.3, 16.7, 17.4, 18.7, 21.2]
    assert noise_constant("printed", epsilon=1, delta=1e-5, T=9) == pytest.approx(8.155, abs=5e-4)


def test_above_threshold_is_for_one_client():
    with pytest.raises(ValueError, match="m = 3: AboveThreshold is for a single client; m = 1 is needed"):
        above_threshold_limits(n=900, d=7, epsilon=0.5, L=2.0, ell=3.0, rho=1.5, T=9, accuracy=0.2, m=3)


@pytest.mark.parametrize("delta", [5e-324, 1e-309, 1e-5, 0.5])
def test_constants_hold_down_to_the_least_delta(delta):
    log = mp.log(1 / mp.mpf(delta))
    at = {"epsilon": 1.0, "delta": delta, "T": 100}
    assert noise_constant("printed", **at) == pytest.approx(float(8 * mp.log(1.25 / mp.mpf(delta)) / log), rel=1e-14)
    found = float(128 * mp.log(2 / mp.mpf(delta)) * mp.log(500 / mp.mpf(delta)) / log)
    assert noise_constant("lemma16", **at) == pytest.approx(found, rel=1e-14)
    one, _ = noise_scales(n=10.0, d=1.0, epsilon=1.0, delta=delta, L=1.0, ell=1.0, T=100, constant=4.0)
    assert one == pytest.approx(float(mp.sqrt(400 * log)) / 10, rel=1e-14)


@given(epsilon=log_uniform(0.1, 10), delta=log_uniform(1e-9, 1e-2), T=st.integers(1, 10**4))
def test_exact_noise_spends_exactly_delta_and_the_others_less_or_more(epsilon, delta, T):
    """2 T releases, T of sensitivity 2 L/n and T of 2 ell sqrt(d)/n, each over its own sigma: together one Gaussian release."""
    n, d, L, ell = 1_000.0, 7.0, 2.0, 3.0
    spent = {}
    for accountant in ACCOUNTANTS:
        constant = noise_constant(accountant, epsilon=epsilon, delta=delta, T=T)
        one, two = noise_scales(n=n, d=d, epsilon=epsilon, delta=delta, L=L, ell=ell, T=T, constant=constant)
        mu = math.sqrt(T * (2 * L / n / one) ** 2 + T * (2 * ell * math.sqrt(d) / n / two) ** 2)
        spent[accountant] = privacy.log_delta(epsilon=epsilon, mu=mu) - math.log(delta)
    assert spent["exact"] == pytest.approx(0, abs=1e-9)
    assert spent["zcdp"] < 0
    assert spent["lemma16"] < spent["zcdp"]
    at = {accountant: noise_constant(accountant, epsilon=epsilon, delta=delta, T=T) for accountant in ("printed", "exact")}
    if abs(at["printed"] / at["exact"] - 1) > 1e-9:
        assert (spent["printed"] > 0) == (at["printed"] < at["exact"])  # it has the right order, and is too small for epsilon >= 1/2
    if delta <= 1e-5 and epsilon >= 0.5:
        assert spent["printed"] > 0


@pytest.mark.parametrize(("d", "low", "high"), [(10, 0.72, 0.80), (50, 0.94, 0.98), (200, 0.999, 1.0)])
def test_how_often_the_printed_gradient_noise_alone_is_above_its_allowance(d, low, high):
    """Exactly, from the law of chi square; T, n, epsilon, m and L cancel."""
    beyond = []
    for omega in (0.05, 0.1):
        constant = noise_constant("printed", epsilon=1, delta=1e-5, T=100)
        noise, _ = noise_scales(n=1e4, d=d, epsilon=1, delta=1e-5, L=1, ell=1, T=100, constant=constant)
        at = dict(d=d, epsilon=1, delta=1e-5, L=1, ell=1, T=100, m=1, omega=omega)
        sampling = math.log(8 * d / omega) / math.sqrt(1e4)
        allowance = printed_allowances(n=1e4, **at)[0] - sampling
        beyond.append(chi2.sf((allowance / noise) ** 2, d))
    assert low - 0.005 <= min(beyond)
    assert max(beyond) <= high + 0.005


def test_proved_allowances_hold_and_the_printed_hessian_allowance_does_not():
    """300 draws of both noises at omega = 0.5: the proved ones fail with probability omega/(4 T) each, so hardly ever."""
    draw, d, T = np.random.default_rng(1), 30, 4
    constant = noise_constant("exact", epsilon=1, delta=1e-5, T=T)
    sigmas = noise_scales(n=1e4, d=d, epsilon=1, delta=1e-5, L=1, ell=1, T=T, constant=constant)
    # so large m n that only noise is left, at m = 1
    noise_only = proved_allowances(n=1e30, d=d, L=1, ell=1, T=T, m=1, omega=0.5, sigmas=sigmas)
    printed = printed_allowances(n=1e4, d=d, epsilon=1, delta=1e-5, L=1, ell=1e-30, T=T, m=1, omega=0.5)[1] / 1e-30
    printed -= math.sqrt(math.log(8 * d / 0.5) / 1e4)
    worst, beyond = 0, 0
    for _ in range(300):
        upper = np.triu(draw.standard_normal((d, d)))
        matrix = sigmas[1] * (upper + np.triu(upper, 1).T)
        vector = sigmas[0] * draw.standard_normal(d)
        least = -np.linalg.eigvalsh(matrix)[0]
        worst += least > noise_only[1] or np.linalg.norm(vector) > noise_only[0]
        beyond += least > printed
    # 300 draws, each with probability at most 2 * 0.5/16: more than 40 has probability below 1e-6
    assert worst <= 40
    assert beyond >= 290


@settings(max_examples=25)
@given(
    n=log_uniform(1e3, 1e9), d=log_uniform(1, 1e5), epsilon=log_uniform(0.01, 20), delta=log_uniform(1e-12, 1e-2), L=log_uniform(0.01, 100),
    ell=log_uniform(0.01, 100), T=st.integers(1, 10**6), m=st.integers(1, 100), omega=log_uniform(1e-9, 0.5),
)  # fmt: skip
def test_printed_allowances_are_the_symbols_of_the_page(n, d, epsilon, delta, L, ell, T, m, omega):
    values = dict(n=n, d=d, epsilon=epsilon, delta=delta, L=L, ell=ell, T=T, m=m, omega=omega)
    with mp.workdps(50):
        at = {GLOSSARY[name].symbol: mp.mpf(value) for name, value in values.items()}
        plain = printed_allowances(**{name: mp.mpf(value) for name, value in values.items()}, functions=DIGITS)
        for one, expression in zip(plain, map(bounds.page("gauss_psgd.theorem4").formula, ("gradient", "hessian")), strict=True):
            letters = sorted(expression.free_symbols, key=str)
            other = sp.lambdify(letters, expression, modules="mpmath")(*[at[letter] for letter in letters])
            assert abs(one - other) <= mp.mpf(10) ** -40 * abs(one)


def test_both_kinds_of_selection():
    printed, proved = select("printed", **AT), select("proved", **AT)
    assert proved.constant > printed.constant
    assert proved.hessian > printed.hessian
    assert proved.sigma_hessian == pytest.approx(proved.sigma_gradient * math.sqrt(50), rel=1e-14)
    assert least_samples(d=50, T=100, omega=0.1, proved=True) == pytest.approx(4 / 9 * math.log(8 * 50 * 100 / 0.1))
    many = select("proved", **AT, m=100)
    assert many.gradient - 0.1 == pytest.approx((proved.gradient - 0.1) / 10, rel=1e-12)  # everything averages over clients


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"kind": "mine"}, "kind = 'mine': one of printed, proved"),
        ({"accountant": "rdp"}, "accountant = 'rdp': one of printed, lemma16, zcdp, exact"),
        ({"n": 1.0}, "n = 1.0: m n of at least"),
        ({"T": 0}, "T = 0: an integer of at least 1"),
        ({"omega": 0.0}, "omega = 0.0"),
    ],
)
def test_what_cannot_be_meant(change, sentence):
    with pytest.raises(ValueError, match=sentence):
        select(**{"kind": "printed", **AT, **change})


def test_above_threshold_accepts_where_its_noise_is_as_large_as_allowed():
    """The limits leave room for both Laplace noises at their quantiles omega/(2 T) and omega/2, in units of L and of ell; by hand."""
    near = {"n": 1e4, "d": 7, "epsilon": 0.5, "L": 2.0, "ell": 3.0, "rho": 1.5, "T": 40, "accuracy": 0.2, "omega": 0.05}
    gradient, hessian = above_threshold_limits(**near)
    sampling = proved_allowances(n=1e4, d=7, L=2.0, ell=3.0, T=40, m=1, omega=0.05, sigmas=(0.0, 0.0))
    room = (gradient - 0.2 - sampling[0]) / 2.0
    assert math.isclose(room, (hessian - math.sqrt(0.3) - sampling[1]) / 3.0, rel_tol=1e-12)
    limit, query = 4 / (1e4 * 0.5) * math.log(2 / 0.05), 8 / (1e4 * 0.5) * math.log(2 * 40 / 0.05)
    assert limit + query <= room <= 2 * (limit + query)


@pytest.mark.parametrize(("T", "omega"), [(1, 0.5), (40, 0.05), (10**5, 1e-6)])
def test_the_room_of_above_threshold_is_that_of_its_accuracy_theorem(T, omega):
    """8 (log T + log(2/omega)) times the sensitivity 2/n over epsilon, in units of L and of ell."""
    gradient, hessian = above_threshold_limits(n=900, d=7, epsilon=0.5, L=2.0, ell=3.0, rho=1.5, T=T, accuracy=0.2, omega=omega)
    sampling = proved_allowances(n=900, d=7, L=2.0, ell=3.0, T=T, m=1, omega=omega, sigmas=(0.0, 0.0))
    room = 16 * math.log(2 * T / omega) / (900 * 0.5)
    assert (gradient - 0.2 - sampling[0]) / 2.0 == pytest.approx(room, rel=1e-9)
    assert (hessian - math.sqrt(0.3) - sampling[1]) / 3.0 == pytest.approx(room, rel=1e-9)


@pytest.mark.parametrize(("m", "n", "d", "T", "omega"), [(1, 4_000.0, 30, 25, 0.2), (7, 900.0, 5, 400, 0.01)])
def test_each_proved_allowance_fails_with_a_quarter_of_omega_over_T(m, n, d, T, omega):
    """Each tail at its allowance: Pinelis for sums of terms of norm 2 L, two Lipschitz functions of Gaussians, matrix Bernstein."""
    L, ell, sigmas, p = 1.7, 0.6, (0.03, 0.05), omega / (4 * T)
    at = dict(d=d, L=L, ell=ell, T=T, m=m, omega=omega)
    sampling = proved_allowances(n=n, **at, sigmas=(0.0, 0.0))
    gradient, hessian = proved_allowances(n=n, **at, sigmas=sigmas)
    N = m * n
    assert 2 * math.exp(-((N * sampling[0]) ** 2) / (2 * N * (2 * L) ** 2)) == pytest.approx(p)
    beyond = (gradient - sampling[0]) * math.sqrt(m) / sigmas[0] - math.sqrt(d)  # of a 1-Lipschitz function
    assert math.exp(-(beyond**2) / 2) == pytest.approx(p)
    beyond = (hessian - sampling[1]) * math.sqrt(m) / sigmas[1] - 2 * math.sqrt(d)  # of a sqrt(2)-Lipschitz function
    assert math.exp(-(beyond**2) / 4) == pytest.approx(p)
    least = least_samples(d=d, T=T, omega=omega, proved=True)
    for count, equal in ((least / m, True), (n, False)):  # with the fewest samples Bernstein's tail is spent to the last
        _, allowed = proved_allowances(n=count, **at, sigmas=(0.0, 0.0))
        total = m * count
        tail = bounds.THEOREMS["gauss_psgd.lemma14"].evaluate(
            d=d, deviation_t=total * allowed, matrix_variance=total * (2 * ell) ** 2, matrix_bound=2 * ell
        )
        assert tail.parts["norm"] <= p * (1 + 1e-9)
        assert (tail.parts["norm"] >= p * (1 - 1e-9)) == equal


def test_the_least_noise_constants_by_hand():
    """Definition 8 for one release; Lemma 16 with Definition 8 for each of 2 T; zCDP: rho = T (2 L/n)^2/sigma^2 for both kinds."""
    epsilon, delta, T = 0.7, 1e-6, 9
    constant = {name: noise_constant(name, epsilon=epsilon, delta=delta, T=T) for name in ACCOUNTANTS}
    log = math.log(1 / delta)
    assert constant["printed"] * log == pytest.approx(8 * math.log(1.25 / delta))
    one, delta_0 = epsilon / (2 * math.sqrt(2 * 2 * T * math.log(2 / delta))), delta / (2 * 2 * T)
    assert constant["lemma16"] * T * log / epsilon**2 == pytest.approx(8 * math.log(1.25 / delta_0) / one**2)
    z = 4 * epsilon**2 / (constant["zcdp"] * log)
    assert z + 2 * math.sqrt(z * log) == pytest.approx(epsilon)
    mu = math.sqrt(8 * epsilon**2 / (constant["exact"] * log))
    assert math.exp(privacy.log_delta(epsilon=epsilon, mu=mu)) == pytest.approx(delta)


def test_what_is_not_given_is_what_the_page_says():
    assert select("proved", **AT) == select("proved", **AT, omega=0.1, m=1, accountant="exact")
    assert select("printed", **AT) == select("printed", **AT, omega=0.1, m=1, accountant="printed")
    near = {name: AT[name] for name in ("n", "d", "epsilon", "L", "ell", "rho", "T", "accuracy")}
    assert above_threshold_limits(**near) == above_threshold_limits(**near, omega=0.1)
    least = least_samples(d=50, T=100, omega=0.1, proved=True)
    assert select("proved", **{**AT, "n": least}).hessian > 0
    with pytest.raises(ValueError, match="m n of at least"):
        select("proved", **{**AT, "n": least * (1 - 1e-12)})


def test_the_samples_of_all_clients_count_as_those_that_are_needed():
    few = {**AT, "n": 5}
    assert 5 < least_samples(d=50, T=100, omega=0.1, proved=True) < 10
    assert select("proved", **few, m=2).gradient > select("proved", **AT, m=2).gradient
    with pytest.raises(ValueError, match=r"^n = 5: m n of at least \d"):
        select("proved", **few, m=1)
