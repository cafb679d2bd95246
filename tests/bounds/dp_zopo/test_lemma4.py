"""What holds in place of Lemma 4, derived again: by mpmath for linear losses, by enumeration for batches, without the theory's formulas."""

import itertools
import math
from functools import cache

import mpmath as mp
import numpy as np
import pytest

import bounds
from bounds.dp_zopo import false_lines

A = math.sqrt(2)


def normal(function, *breaks):
    """The mean of a function of a standard normal number."""
    points = sorted({-12, 12, *breaks, *(-one for one in breaks)})
    return mp.quad(lambda x: function(x) * mp.npdf(x), points)


def clip(x, a):
    return max(-a, min(a, x))


@pytest.mark.parametrize("a", [0.3, 1.0, A, 3.0])
def test_the_bias_of_a_linear_loss_is_the_bound(a):
    bias = 2 * normal(lambda x: (x - clip(x, a)) * x, a)
    found = bounds.THEOREMS["dp_zopo.corrected_clip_bias"].evaluate(L=2.0, C=2 * a)
    assert found.bound == pytest.approx(float(bias), rel=1e-12)
    assert found.bound <= found.parts["exponential"]


def test_moments_of_a_linear_loss_reach_the_bounds():
    for d in (1, 2, 9):
        found = bounds.THEOREMS["dp_zopo.corrected_moments"].evaluate(L=1.0, d=d, C=A)
        assert found.parts["second"] == pytest.approx(float(normal(lambda x: x**2)))
        assert found.parts["fourth"] == pytest.approx(float(normal(lambda x: x**4)))
        assert found.parts["tail"] == pytest.approx(float(2 * mp.ncdf(-A)))
        weighted = float(normal(lambda x, d=d: x**2 * (x**2 + d - 1)))
        assert weighted <= found.bound * (1 + 1e-12) <= found.parts["root 3"] * (1 + 1e-9)
        assert (weighted == pytest.approx(found.bound)) == (d == 1)


@cache
def slope(a, C):
    """E clip(a N) N."""
    return float(normal(lambda x: clip(a * x, C) * x, abs(C / a)))


@cache
def product(a, b, d, C):
    """E clip(a v_1) clip(b v_1) ||v||^2."""
    return float(normal(lambda x: clip(a * x, C) * clip(b * x, C) * (x**2 + d - 1), abs(C / a), abs(C / b)))


def exact_error(slopes, *, m, P, d, C, noise, poisson):
    """The mean squared error for losses a_i x_1, over all batches: second moments of clipped slopes by quadrature."""
    n, F = len(slopes), sum(slopes) / len(slopes)
    first = [slope(a, C) for a in slopes]
    products = {(i, j): product(slopes[i], slopes[j], d, C) for i in range(n) for j in range(i, n)}
    total = 0.0
    for size in range(n + 1) if poisson else (m,):
        for batch in itertools.combinations(range(n), size):
            weight = (m / n) ** size * (1 - m / n) ** (n - size) if poisson else 1 / math.comb(n, m)
            second = sum(products[min(i, j), max(i, j)] for i in batch for j in batch) / m**2
            mean = sum(first[i] for i in batch) / m
            total += weight * ((second - mean**2) / P + (mean - F) ** 2)
    return total + d * noise**2 / P


CASES = [
    ((1.0, 1.0), 1, 1, 1, A), ((1.0, 1.0, 1.0), 2, 7, 5, A), ((1.0, -1.0, 1.0, -1.0), 2, 3, 2, 1.0), ((1.0, -0.3, 0.5, 0.2), 3, 50, 4, 0.5),
    ((1.0, 0.9, -0.1, 0.4), 4, 1000, 3, 2.0),
]  # fmt: skip


@pytest.mark.parametrize("poisson", [False, True])
@pytest.mark.parametrize(("slopes", "m", "P", "d", "C"), CASES)
def test_the_exact_error_over_all_batches_is_below_both_forms(slopes, m, P, d, C, poisson):
    gamma = float(np.std(slopes))
    theorem = bounds.THEOREMS[f"dp_zopo.corrected_{'poisson' if poisson else 'gradient'}_error"]
    at = {"n": len(slopes), "minibatch": m, "directions": P, "d": d, "C": C, "L": 1.0, "sample_spread": gamma, "noise_ratio": 0.7}
    held = theorem.evaluate(**at)
    exact = exact_error(slopes, m=m, P=P, d=d, C=C, noise=0.7 * C / m, poisson=poisson)
    assert exact <= held.parts["sharp"] * (1 + 1e-9) <= held.bound * (1 + 1e-9)
    assert exact >= 0.02 * held.parts["sharp"]


def test_what_does_not_vanish_is_sharp():
    """Many directions and one loss for all samples: the error tends to the squared bias, which the bound keeps."""
    at = {"n": 10, "minibatch": 10, "directions": 1e9, "d": 5, "C": A, "L": 1.0, "sample_spread": 1e-9, "noise_ratio": 1e-6}
    held = bounds.THEOREMS["dp_zopo.corrected_gradient_error"].evaluate(**at)
    exact = exact_error((1.0,) * 10, m=10, P=1e9, d=5, C=A, noise=0.0, poisson=False)
    assert exact == pytest.approx(math.erfc(1) ** 2, rel=1e-6)
    assert held.parts["sharp"] == pytest.approx(exact, rel=1e-6)


def test_the_printed_lemma_is_below_the_exact_error_from_m_8_on():
    for m in (7, 8, 9):
        at = {"n": 1e9, "epsilon": 1.0, "delta": 1e-6, "T": 1000, "c_noise": 1.0, "stage_lam": 1e-3, "sample_spread": 0.0}
        printed = bounds.THEOREMS["dp_zopo.lemma4"].evaluate(**at, d=20, L=1.0, C=A, minibatch=m, directions=1)
        exact = exact_error((1.0,), m=1, P=1, d=20, C=A, noise=0.0, poisson=False)
        assert (exact > printed.bound) == (m >= 8)
        assert exact == pytest.approx(15.0136, abs=1e-3)


def test_smoothness_is_attained_by_the_absolute_value():
    second = 2 * normal(lambda x: abs(x) * (x**2 - 1), 0) / 0.25  # f_beta'' at 0 of 2|x|, beta = 1/4
    held = bounds.THEOREMS["dp_zopo.corrected_smoothness"].evaluate(L=2.0, stage_lam=0.25).bound
    assert held == pytest.approx(float(second), rel=1e-9)
    assert held < bounds.THEOREMS["dp_zopo.lemma3"].evaluate(L=2.0, stage_lam=0.25, d=1).bound


def test_the_errors_at_which_the_printed_lemma_fails_are_the_exact_ones():
    """Losses that are alike and opposite ones, in the closed forms of the witnesses, over all batches; with hardly any noise."""
    for form, slopes in ((false_lines.ALIKE, (0.8,) * 4), (false_lines.OPPOSITE, (0.8, -0.8, 0.8, -0.8))):
        at = {"n": 4, "m": 2, "P": 3, "d": 5, "L": 0.8, "C": 1.0, "epsilon": 1e9, "delta": 0.1, "T": 1, "c_2": 1}
        found = float(form.subs({getattr(false_lines, name): value for name, value in at.items()}))
        assert found == pytest.approx(exact_error(slopes, m=2, P=3, d=5, C=1.0, noise=0.0, poisson=False), rel=1e-9)
