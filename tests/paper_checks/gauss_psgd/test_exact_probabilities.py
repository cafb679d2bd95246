"""Probabilities that examiners of Gauss-PSGD compute exactly, against enumeration, quadrature in digits, or draws."""

import itertools
import math

import mpmath as mp
import numpy as np
import pytest

from paper_checks.gauss_psgd import theorem4
from paper_checks.gauss_psgd.algorithms import algorithm4
from paper_checks.gauss_psgd.lemmas import corollary_3_lemmas_10_to_15, lemmas_5_and_6, lemmas_18_to_20
from paper_checks.shared import tails as laws


def normal_tail(x):
    """P(N > x), in digits."""
    return mp.erfc(mp.mpf(x) / mp.sqrt(2)) / 2


def longer(x, d):
    """P(||N(0, I_d)||^2 > x), in digits."""
    return mp.gammainc(mp.mpf(d) / 2, mp.mpf(x) / 2, mp.inf, regularized=True)


@pytest.mark.parametrize("count", [1, 4, 9])
def test_the_law_of_a_sum_of_signs_is_that_of_all_its_paths(count):
    sizes = [abs(sum(path)) for path in itertools.product((1, -1), repeat=count)]
    for t in (0.0, 0.5, 1.0, 2.0, 3.5, float(count)):
        assert laws.sign_sum_tail(count)(t) == pytest.approx(sum(size > t for size in sizes) / 2**count, abs=1e-15)


@pytest.mark.parametrize("d", [1, 3, 40])
def test_the_laws_of_the_length_and_of_the_largest_of_normal_numbers(d):
    for t in (0.5, 2.0, 6.0):
        assert laws.normal_norm_tail(d)(t) == pytest.approx(float(longer(t**2, d)), rel=1e-9)
        assert laws.normal_maximum_tail(d)(t) == pytest.approx(float(1 - (1 - 2 * normal_tail(t)) ** d), rel=1e-6)


def test_the_least_constant_is_where_the_tail_falls_to_the_failure():
    for failure, scale in ((0.1, 1.0), (1e-6, 2.5)):
        found = laws.least_constant(lambda t: math.exp(-t), failure, scale)
        assert found * scale == pytest.approx(-math.log(failure))
    assert laws.least_constant(lambda t: 0.05, 0.1, 1.0) == 0.0


def test_the_norm_of_a_normal_vector_is_compared_with_the_bound_where_they_are_nearest():
    found = corollary_3_lemmas_10_to_15.check_gaussian_norm(dimensions=(1, 4), deviations=6)
    with mp.workdps(30):
        excess = []
        for d, k in itertools.product((1, 4), range(1, 7)):
            constant = 2 * mp.sqrt(2 * d)  # of Lemma 10 at r = 1
            t = 12 * constant * k / 6
            excess.append(mp.log(longer(t**2, d)) - mp.log(2) + t**2 / (2 * constant**2))
    assert found.numbers["largest log(tail / bound)"] == pytest.approx(float(max(excess)), rel=1e-9)
    assert found.numbers["points"] == 12


@pytest.mark.parametrize(("factor", "d", "n"), [(1.0, 3, 40), (2.0, 7, 41)])
def test_the_mean_of_random_eigenvalues_exceeds_its_threshold_as_often_as_counted(factor, d, n):
    omega = 0.3
    found = algorithm4.check_bernstein_factor(factor=factor, d=d, omega=omega, n=n)
    threshold = factor * math.sqrt(math.log(8 * d / omega) / n)
    one = sum(math.comb(n, heads) for heads in range(n + 1) if abs(2 * heads - n) / n >= threshold) / 2**n
    assert found.numbers["probability"] == pytest.approx(1 - (1 - one) ** d, rel=1e-9)


def test_the_lower_tail_of_the_coupled_noise():
    """P_p(t) is the sum of 2 eta r (1 + x)^(t - i) N_i along one direction; (32) asks for b(Gamma) eta r/10."""
    x, Gamma = 0.05, 40
    found = lemmas_18_to_20.check_noise_lower_tail(times=(3, 17, 40), Gamma=Gamma, x=x)
    threshold = (1 + x) ** Gamma / math.sqrt(2 * x) / 10
    for t in (3, 17, 40):
        deviation = 2 * math.sqrt(sum((1 + x) ** (2 * (t - i)) for i in range(1, t + 1)))
        assert found.numbers[f"P at t = {t}"] == pytest.approx(float(2 * normal_tail(threshold / deviation)), rel=1e-9)


def test_the_upper_tail_of_the_coupled_noise():
    """P(|N(0, 4)| > c sqrt(iota)) over 2 exp(-iota) is largest at an end or between, on 400 points of iota."""
    for c in (2.5, 3.0):
        ratios = [float(2 * normal_tail(c * math.sqrt(i) / 2) / (2 * mp.exp(-i))) for i in np.geomspace(1e-3, 300, 400)]
        assert min(lemmas_18_to_20.check_noise_upper_tail(c=c).numbers["largest / allowed"], math.exp(50)) == pytest.approx(
            min(max(ratios), math.exp(50))
        )


def test_the_largest_of_T_gaussian_errors():
    d, T, omega = 3, 50, 0.2
    found = lemmas_5_and_6.check_lemma5(dimensions=(d,), horizons=(T,), omega=omega)
    one = longer(2 * math.log(4 * T / omega) * d, d)
    assert found.numbers["largest / allowed"] == pytest.approx(float((1 - (1 - one) ** T) / (omega / 2)), rel=1e-9)


@pytest.mark.parametrize("uniform", [False, True])
def test_one_of_many_bad_iterates_passes_as_often_as_counted(uniform):
    T, omega = 1000, 0.1
    found = theorem4.check_union_bound(T=T, omega=omega, uniform=uniform)
    allowance = 1 + math.sqrt(2 * math.log(4 * (T if uniform else 1) / omega))  # sqrt(d) + sqrt(2 log(1/p)), d = 1, p = omega/(4 T)
    one = normal_tail(allowance)
    assert found.numbers["allowance / sigma"] == pytest.approx(allowance, rel=1e-9)
    assert found.numbers["one of T passes"] == pytest.approx(float(1 - (1 - one) ** T), rel=1e-9)


def test_the_printed_gradient_allowance_is_exceeded_as_often_as_counted():
    d, omega, T, c_1 = 20, 0.1, 100, 8.155
    found = algorithm4.check_gradient_allowance(dimensions=(d,), omega=omega, T=T, c_1=c_1)
    exact = longer(d * math.log(16 / omega) / c_1, d)  # everything but d, omega and c_1 cancels
    assert found.numbers[f"P(|theta| > allowance), d = {d}"] == pytest.approx(float(exact), rel=1e-9)
