"""P(clip) against closed forms, SciPy, other routes of integration and Monte Carlo."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.special import betaln, erfc, ndtr
from scipy.stats import ncx2

from bounds.moments import clipping
from bounds.moments.clipping import METHODS, Probability, clip_probability, clip_probability_given_direction, quadratic_form_tail
from bounds.moments.recursion import DIRECTIONS


def offset_of(d, noncentrality):
    e = np.zeros(d)
    e[0] = np.sqrt(noncentrality)
    return e


@pytest.mark.parametrize("noncentrality", [0.1, 1.0, 40.0])
@pytest.mark.parametrize("d", [1, 2, 3, 10, 300])
def test_equal_weights_are_a_noncentral_chi_square(d, noncentrality):
    mean = d + noncentrality
    for q in mean * np.array([0.01, 0.3, 0.9, 1.0, 1.1, 2.0, 5.0]):
        found = quadratic_form_tail(3 * q, weights=np.full(d, 3.0), offset=offset_of(d, noncentrality))
        exact = float(ncx2.sf(q, d, noncentrality))
        if 1e-12 < exact < 1:  # below, SciPy's own error shows
            assert_allclose(found.value, exact, rtol=1e-10)
        assert found.error <= 1e-11 * max(found.value, 1e-280)


@pytest.mark.parametrize(("d", "noncentrality", "q"), [(1, 0, 50), (2, 3, 0.01), (20, 2_000, 2_020), (20, 2_000, 4_040), (5, 500, 900)])
def test_tail_in_forty_digits(d, noncentrality, q):
    """P = sum over j of Poisson(j; noncentrality / 2) P(chi-square with d + 2 j > q), all in mpmath."""
    e = offset_of(d, noncentrality)
    with mp.workdps(40):
        half, x = mp.mpf(float(e @ e)) / 2, mp.mpf(q) / 2
        shape, chance, total = mp.mpf(d) / 2, mp.exp(-half), mp.mpf(0)
        tail = mp.gammainc(shape, x, mp.inf, regularized=True)
        gained = mp.exp(shape * mp.log(x) - x - mp.loggamma(shape + 1))
        for j in range(int(half + 40 * mp.sqrt(half + 1) + 200)):
            total += chance * tail
            tail, gained, chance = tail + gained, gained * x / (shape + j + 1), chance * half / (j + 1)
        found = quadratic_form_tail(q, weights=np.ones(d), offset=e)
        assert abs(found.value - total) <= found.error
        assert found.error <= 1e-11 * found.value


def test_two_weights_are_a_convolution():
    weights, e, q = np.array([1.0, 0.03]), np.array([0.7, -2.0]), 2.5

    def density(w):
        return np.exp(-w * w / 2) / np.sqrt(2 * np.pi)

    def given_second(w):
        left = q - 0.03 * (w - 2.0) ** 2
        return 1.0 if left <= 0 else ndtr(-np.sqrt(left) - 0.7) + ndtr(0.7 - np.sqrt(left))

    turn = 2 + np.sqrt(q / 0.03)
    exact = quad(lambda w: density(w) * given_second(w), -9, min(9, turn), epsabs=1e-13, limit=200)[0]
    assert_allclose(quadratic_form_tail(q, weights=weights, offset=e).value, exact, rtol=1e-9)


def test_one_dimension_is_a_normal_law():
    a, e, C = 0.7, 1.2, 1.1
    exact = ndtr(e - C / a) + ndtr(-e - C / a)
    for method in METHODS:
        assert_allclose(clip_probability(method, eigenvalues=[a], offset=[e], C=C).value, exact, rtol=1e-12)
    for u in (1.0, -1.0):
        assert_allclose(clip_probability_given_direction("dpzero", eigenvalues=[a], offset=[e], u=[u], C=C), exact, rtol=1e-12)


def test_flat_spectrum_on_the_sphere_is_an_integral_over_the_beta_law():
    """A = I: u'b = sqrt(d) v R with R^2 noncentral chi-square and v^2 ~ Beta; here over v given R's place taken by the normal law.

    Given v = u'e / (sqrt(d) |e|), u'b ~ N(sqrt(d) |e| v, d).
    """
    d, e, C = 6, np.array([1.0, -2.0, 0.5, 0, 0, 1.0]), 4.0
    r = np.linalg.norm(e)

    def integrand(angle):
        mean = np.sqrt(d) * r * np.cos(angle)
        return np.sin(angle) ** (d - 2) * (ndtr((mean - C) / np.sqrt(d)) + ndtr((-mean - C) / np.sqrt(d)))

    exact = quad(integrand, 0, np.pi, epsabs=1e-14)[0] / np.exp(betaln(0.5, (d - 1) / 2))
    found = clip_probability("dpzero", eigenvalues=np.ones(d), offset=e, C=C)
    assert_allclose(found.value, exact, rtol=1e-9)
    assert abs(found.value - exact) <= found.error + 1e-12


@pytest.mark.parametrize(("d", "scale"), [(2, 2.0), (12, 0.3)])
def test_sphere_by_integrating_the_other_way_round(d, scale):
    """E over the squared cosine of P(Q > C^2 / (d B)), adaptive in logit B; the module integrates over Q."""
    rng = np.random.default_rng(d)
    a, e = np.exp(rng.normal(0, 1, d)), rng.standard_normal(d)
    C = scale * np.sqrt(a**2 @ (1 + e**2))
    norm = betaln(0.5, (d - 1) / 2)

    def integrand(x):
        weight = np.exp(-norm - 0.5 * np.log1p(np.exp(-x)) - (d - 1) / 2 * np.logaddexp(0, x))
        return weight * quadratic_form_tail(C * C / d * (1 + np.exp(-x)), weights=a * a, offset=e).value

    exact = sum(quad(integrand, low, low + 10, epsabs=1e-9, epsrel=1e-7)[0] for low in range(-40, 40, 10))
    assert_allclose(clip_probability("dpzero", eigenvalues=a, offset=e, C=C).value, exact, rtol=1e-6)
    assert_allclose(clip_probability("dpgd_0th", eigenvalues=a, offset=e, C=C * np.sqrt(d)).value, exact, rtol=1e-6)


@pytest.mark.parametrize("scale", [0.1, 1.0, 4.0])
def test_gaussian_direction_by_two_routes(scale):
    a, e = 1 / np.arange(1, 9), np.linspace(-1, 2, 8)
    C = scale * np.sqrt(a**2 @ (1 + e**2))
    form = clipping._QuadraticForm.of(a * a, e)
    over_norm = clipping._expected_tail(form, lambda z: erfc(C * np.exp(-z / 2) / np.sqrt(2)), -np.inf)
    assert_allclose(clip_probability("dpzero", eigenvalues=a, offset=e, C=C, direction="gaussian").value, over_norm.value, rtol=1e-9)


def test_gaussian_vector_tail_is_the_law_of_a_product():
    """P(w^2 (w^2 + Y) > x) for w normal, Y chi-square with d - 1 degrees of freedom, by quadrature over w."""
    for d, x in ((2, 0.5), (5, 9.0), (40, 300.0)):

        def integrand(w, d=d, x=x):
            return np.sqrt(2 / np.pi) * np.exp(-w * w / 2) * ncx2.sf(x / w**2 - w**2, d - 1, 1e-14)

        corner = x**0.25
        exact = quad(integrand, 1e-9, corner, epsabs=1e-13, limit=400)[0] + erfc(corner / np.sqrt(2))
        assert_allclose(clipping._gaussian_vector_tail(np.array([np.log(x)]), d)[0], exact, rtol=1e-8)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("method", METHODS)
def test_monte_carlo_agrees(method, direction):
    """30 comparisons at six standard deviations of the binomial count, P between 0.01 and 0.99: false alarm below 1e-7 in all."""
    rng, samples = np.random.default_rng(77), 20_000
    for d in (1, 2, 9):
        a, e = 1 / np.sqrt(np.arange(1, d + 1)), rng.standard_normal(d)
        u = rng.standard_normal((samples, d))
        if direction == "sphere":
            u *= np.sqrt(d) / np.linalg.norm(u, axis=1, keepdims=True)
        b = a * (e - rng.standard_normal((samples, d)))
        size = np.linalg.norm(b, axis=1) if method == "dp_gd" else abs(np.sum(u * b, axis=1))
        if method == "dpgd_0th":
            size *= np.linalg.norm(u, axis=1)
        for quantile in (0.2, 0.9) if d > 1 else (0.7,):
            C = float(np.quantile(size, quantile))  # a rounded number near it, so that C owes nothing to the sample
            C = float(f"{C:.1g}")
            p = clip_probability(method, eigenvalues=a, offset=e, C=C, direction=direction).value
            assert 0.01 < p < 0.99
            assert abs(np.mean(size > C) - p) <= 6 * np.sqrt(p * (1 - p) / samples)


def test_a_wrong_law_is_caught():
    """The Monte Carlo of the sphere is far from the Gaussian's P, and from P with the noncentrality dropped."""
    a, e, C = np.ones(2), np.array([1.5, 0.0]), 4.0
    rng, samples = np.random.default_rng(5), 100_000
    u = rng.standard_normal((samples, 2))
    u *= np.sqrt(2) / np.linalg.norm(u, axis=1, keepdims=True)
    seen = np.mean(abs(np.sum(u * (e - rng.standard_normal((samples, 2))), axis=1)) > C)
    right = clip_probability("dpzero", eigenvalues=a, offset=e, C=C).value
    error = np.sqrt(right * (1 - right) / samples)
    assert abs(seen - right) < 6 * error
    assert abs(seen - clip_probability("dpzero", eigenvalues=a, offset=e, C=C, direction="gaussian").value) > 6 * error
    assert abs(seen - clip_probability("dpzero", eigenvalues=a, offset=0 * e, C=C).value) > 6 * error


cases = {
    "a": st.lists(st.one_of(st.just(0.0), st.floats(0.05, 1)), min_size=4, max_size=4).filter(any),
    "e": st.lists(st.floats(-3, 3), min_size=4, max_size=4),
    "method": st.sampled_from(METHODS),
    "direction": st.sampled_from(DIRECTIONS),
}


@settings(max_examples=6)
@given(**cases, C=st.floats(0.1, 10), c=st.floats(0.01, 100))
def test_scale_and_monotonicity(a, e, method, direction, C, c):
    def p(C, c=1.0):
        return clip_probability(method, eigenvalues=c * np.array(a), offset=e, C=C, direction=direction)

    here = p(C)
    assert 0 <= here.value <= 1
    assert here.error <= 1e-8 * here.value + 1e-15
    assert_allclose(p(c * C, c).value, here.value, rtol=1e-7, atol=1e-300)
    assert p(1.5 * C).value <= here.value * (1 + 1e-8) + 1e-15


@settings(max_examples=30)
@given(e=st.lists(st.floats(-3, 3), min_size=3, max_size=3), u=st.lists(st.floats(-3, 3), min_size=3, max_size=3), C=st.floats(0.1, 10))
def test_given_the_direction(e, u, C):
    a = [1.0, 0.5, 0.0]
    p = clip_probability_given_direction("dpzero", eigenvalues=a, offset=e, u=u, C=C)
    assert 0 <= p <= 1
    assert p == clip_probability_given_direction("dpzero", eigenvalues=a, offset=e, u=[-v for v in u], C=C)
    length = np.linalg.norm(u)
    if length > 1e-3:
        vector = clip_probability_given_direction("dpgd_0th", eigenvalues=a, offset=e, u=u, C=C * length)
        assert_allclose(vector, p, rtol=1e-6, atol=1e-12)


def test_extremes_are_0_or_1():
    case = {"eigenvalues": [1.0, 0.1, 0.0], "offset": [1.0, 5.0, 2.0]}
    for method, direction in zip(METHODS, ("sphere", "gaussian", "sphere"), strict=True):
        assert clip_probability(method, **case, C=1e-250, direction=direction).value == pytest.approx(1.0, abs=1e-9)
        for direction in DIRECTIONS:
            assert clip_probability(method, **case, C=1e250, direction=direction).value == 0
            assert clip_probability(method, eigenvalues=[0.0, 0.0], offset=[1.0, 1.0], C=1.0, direction=direction) == Probability(0, 0)
    assert clip_probability_given_direction("dpzero", eigenvalues=[1.0, 0.0], offset=[1.0, 1.0], u=[0.0, 1.0], C=1.0) == 0
    rare = clip_probability("dpzero", eigenvalues=[1.0, 0.1, 0.01], offset=[1.0, 5.0, 2.0], C=40.0)
    assert 0 < rare.value < 1e-50
    assert rare.error < 1e-8 * rare.value


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("method", METHODS)
def test_a_spectrum_of_two_thousand(method, direction):
    a = 1 / np.sqrt(np.arange(1, 2_001))
    p = clip_probability(method, eigenvalues=a, offset=np.ones(2_000), C=150.0 if method == "dpgd_0th" else 4.0, direction=direction)
    assert 0 < p.error < 1e-9
    assert 0.01 < p.value < 1 + 1e-12


GOOD = {"eigenvalues": [1.0, 0.5], "offset": [1.0, 1.0], "C": 1.0}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"C": 0.0}, "C = 0.0"),
        ({"direction": "cube"}, "direction = 'cube'"),
        ({"eigenvalues": [1.0, -1.0]}, "eigenvalues = .*at least 0"),
        ({"offset": [1.0]}, "offset = .*2 finite numbers"),
        ({"offset": [1.0, 1e150]}, "offset = .*1e100"),
    ],
)
def test_bad_input_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        clip_probability("dpzero", **{**GOOD, **change})


def test_other_bad_input_is_named():
    with pytest.raises(ValueError, match="method = 'mezo': one of dpzero, dpgd_0th, dp_gd"):
        clip_probability("mezo", **GOOD)
    with pytest.raises(ValueError, match="method = 'dp_gd': one of dpzero, dpgd_0th"):
        clip_probability_given_direction("dp_gd", **GOOD, u=[1.0, 1.0])
    with pytest.raises(ValueError, match=r"u = .*2 finite numbers"):
        clip_probability_given_direction("dpzero", **GOOD, u=[1.0])
    with pytest.raises(ValueError, match=r"weights = .*at least 0"):
        quadratic_form_tail(1.0, weights=[-1.0], offset=[0.0])
    with pytest.raises(ValueError, match=r"q = -1\.0"):
        quadratic_form_tail(-1.0, weights=[1.0], offset=[0.0])
