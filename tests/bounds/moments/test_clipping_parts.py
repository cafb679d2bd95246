"""P(clip), piece by piece: cumulants in many digits, saddle points, both rules of integration, and what the errors say."""

import math

import mpmath as mp
import numpy as np
import pytest
from scipy.special import erfc

from bounds.moments import clipping
from bounds.moments.clipping import Probability, quadratic_form_tail

WEIGHT, OFFSET = np.array([1e-9, 1e-3, 0.05, 0.3, 0.3, 1.0, 0.0]), np.array([2.0, -1.0, 0.5, 1.0, -1.5, 0.2, 9.0])


def cumulant(s):
    """sum over j of w e^2 s / (1 - 2 w s) - log(1 - 2 w s) / 2."""
    pairs = [(mp.mpf(float(w)), mp.mpf(float(e))) for w, e in zip(WEIGHT, OFFSET, strict=True)]
    return mp.fsum(w * e * e * s / (1 - 2 * w * s) - mp.log(1 - 2 * w * s) / 2 for w, e in pairs)


def test_a_form_has_each_weight_above_0_once():
    form = clipping._QuadraticForm.of(WEIGHT, OFFSET)
    assert form.weight.tolist() == [1e-9, 1e-3, 0.05, 0.3, 1.0]
    assert form.count.tolist() == [1.0, 1.0, 1.0, 2.0, 1.0]
    assert form.noncentrality == pytest.approx([4.0, 1.0, 0.25, 3.25, 0.04])
    assert form.edge == 0.5
    assert form.mean == pytest.approx(float(WEIGHT @ (1 + OFFSET**2)))


@pytest.mark.parametrize("size", [0.01, 0.4, 3.0, 1e3, 1e7])
def test_the_cumulant_in_forty_digits(size):
    """Of all weights that are small for this s by the series, of the others as written: the same numbers."""
    form = clipping._QuadraticForm.of(WEIGHT, OFFSET)
    s = size * np.exp(1j * np.array([0.7, 1.5, 2.4, 3.0]))
    with mp.workdps(40):
        exact = [complex(cumulant(mp.mpc(complex(one)))) for one in s]
    np.testing.assert_allclose(form.cumulant(s), exact, rtol=1e-13)


@pytest.mark.parametrize("s", [-40.0, -0.3, 0.1, 0.49])
def test_the_slopes_are_derivatives(s):
    form = clipping._QuadraticForm.of(WEIGHT, OFFSET)
    scalar = clipping._InnerProduct(form)
    with mp.workdps(40):
        exact = [float(mp.diff(cumulant, s, k)) for k in (1, 2, 3)]
    assert [float(one) for one in form.slopes(np.array(s))] == pytest.approx(exact, rel=1e-11, abs=0)
    if abs(s) < 1:
        with mp.workdps(40):
            doubled = [float(mp.diff(lambda x: cumulant(x * x / 2), s, k)) for k in (1, 2, 3)]
            value = float(cumulant(mp.mpf(s) ** 2 / 2))
        assert [float(one) for one in scalar.slopes(np.array(s))] == pytest.approx(doubled, rel=1e-11)
        assert scalar.cumulant(np.array([s + 0j]))[0].real == pytest.approx(value, rel=1e-12)
    assert scalar.edge == 1.0
    assert scalar.rounding(0.6) == form.rounding(0.18)


def test_the_bound_on_rounding():
    """Four rounding errors of every term: |s| w e^2 / (1 - 2 w s) and count times 1 + |log(1 - 2 w s)|."""
    form = clipping._QuadraticForm.of(np.array([1.0, 0.25]), np.array([3.0, 2.0]))
    by_hand = 4 * 2.0**-52 * (4 * (9 / 9 + 1 / 3) + 2 + math.log(9) + math.log(3))
    assert form.rounding(-4.0) == pytest.approx(by_hand, rel=1e-12, abs=0)


@pytest.mark.parametrize(("pole", "left"), [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("q", [0.2, 2.0, 30.0])
def test_a_saddle_is_where_the_exponent_stands_still(q, pole, left):
    form = clipping._QuadraticForm.of(WEIGHT, OFFSET)
    s = clipping._saddle_point(form, q, pole=pole, left=left)
    assert s < form.edge
    if pole:
        assert (s < 0) == left
    assert float(form.slopes(np.array(s))[0]) - q - (1 / s if pole else 0) == pytest.approx(0, abs=1e-6 * (q + 1 / abs(s)))


def test_what_underflows_is_0_without_an_error():
    form = clipping._QuadraticForm.of(np.ones(2), np.zeros(2))  # P(Q > q) = exp(-q / 2)
    assert clipping._contour_integral(form, 1e300, pole=True) == Probability(0.0, 0.0)
    assert clipping._contour_integral(form, 1_700.0, pole=True) == Probability(0.0, 0.0)
    for q in (3.0, 100.0, 1_300.0):
        found = clipping._contour_integral(form, q, pole=True)
        assert found.value == pytest.approx(math.exp(-q / 2), rel=1e-11, abs=0)
        assert abs(found.value - math.exp(-q / 2)) <= found.error < 1e-11 * found.value
        density = clipping._contour_integral(form, q, pole=False)
        assert density.value == pytest.approx(math.exp(-q / 2) / 2, rel=1e-11, abs=0)
    for q in (1e-3, 0.5, 1.9):
        below = clipping._contour_integral(form, q, pole=True, left=True)
        assert below.value == pytest.approx(-math.expm1(-q / 2), rel=1e-11)
        assert below.value + quadratic_form_tail(q, weights=[1.0, 1.0], offset=[0.0, 0.0]).value == pytest.approx(1.0, rel=1e-12)


def test_no_probability_is_above_1():
    assert clipping._cap_probability(1.0 + 1e-12, 1e-11) == Probability(1.0, 1e-11)
    assert clipping._cap_probability(0.3, 1e-11) == Probability(0.3, 1e-11)


def test_the_double_exponential_rule():
    """Smooth, with roots at the ends, and with a narrow bump: right within the error that it says, which is small."""
    integrals = [
        (lambda x: np.exp(x), 0.0, 2.0, math.exp(2) - 1),
        (lambda x: np.sqrt(np.maximum(4 - x * x, 0)), -2.0, 2.0, 2 * math.pi),
        (lambda x: np.exp(-((x - 0.3) ** 2) / 2e-4) / math.sqrt(2e-4 * math.pi), -1.0, 1.0, 1.0),
    ]
    for function, low, high, exact in integrals:
        found = clipping._double_exponential(function, low, high)
        assert found.value == pytest.approx(exact, rel=1e-9, abs=0)
        assert abs(found.value - exact) <= found.error + 1e-12
        assert found.error <= 1e-8


def test_the_double_exponential_rule_gives_up_and_says_how_far_it_is():
    asked = []

    def jump(x):
        asked.append(x.size)
        return np.where(x < 1 / math.pi, 1.0, 0.0)

    found = clipping._double_exponential(jump, 0.0, 1.0)
    assert found.value == pytest.approx(1 / math.pi, abs=3e-3)
    assert found.error > 1e-7
    assert asked[0] == 65
    assert asked[1:] == [64 * 2**k for k in range(len(asked) - 1)]
    assert len(asked) == 6  # steps of 0.1, 0.05, ... down to the first below 0.004


def test_the_doubt_about_the_density_is_in_the_error(monkeypatch):
    form = clipping._QuadraticForm.of(np.ones(2), np.array([0.5, 0.0]))
    plain = clipping._expected_tail(form, lambda z: erfc(np.exp(-z / 2)), -math.inf)
    assert 0 < plain.error < 1e-8 * plain.value
    real = clipping._integrate_through

    def doubtful(s0, law, q, *, pole):
        found = real(s0, law, q, pole=pole)
        return Probability(found.value, 0.125 * found.value)

    monkeypatch.setattr(clipping, "_integrate_through", doubtful)
    found = clipping._expected_tail(form, lambda z: erfc(np.exp(-z / 2)), -math.inf)
    assert found.value == plain.value
    assert found.error == pytest.approx(0.125 * plain.value, rel=1e-6)


def test_the_support_is_where_something_is_to_be_integrated():
    """Density of chi-square with 2 degrees of freedom: s = (1 - e^y) / 2 is the saddle at q = 2 e^-y, and q exp(-q/2) falls by e^-45."""
    form = clipping._QuadraticForm.of(np.ones(2), np.zeros(2))
    low, high = clipping._integration_range(form, lambda z: np.ones_like(z))
    q_high, q_low = (2 * math.exp(-y) for y in (low, high))
    assert 90 < q_high < 200
    assert math.log(q_low) == pytest.approx(-45, abs=4)
    assert clipping._integration_range(form, np.zeros_like) == (-36.0, 250.0)


@pytest.mark.parametrize("x", [1e-6, 0.1, 0.5, 0.99])
def test_the_squared_cosine_in_two_and_three_dimensions(x):
    excess = np.array([-math.log(x)])
    assert clipping._cosine_tail(excess, 2)[0] == pytest.approx(1 - 2 / math.pi * math.asin(math.sqrt(x)), rel=1e-12)
    assert clipping._cosine_tail(excess, 3)[0] == pytest.approx(1 - math.sqrt(x), rel=1e-12)
    assert clipping._cosine_tail(np.array([-0.5, 0.0]), 5).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("x", [1e-4, 0.3, 20.0, 600.0])
def test_a_gaussian_vector_in_one_dimension(x):
    """w^4 > x for a normal w."""
    exact = math.erfc(x**0.25 / math.sqrt(2))
    assert clipping._gaussian_vector_tail(np.array([math.log(x)]), 1)[0] == pytest.approx(exact, rel=1e-12, abs=0)
    assert clipping._gaussian_vector_tail(np.array([1e4]), 1)[0] == 0.0


def test_a_gaussian_vector_is_as_long_as_it_wants():
    """P(B R^2 > x) is 1 at 0, falls, and in high dimension is that of d times a chi-square with one degree of freedom."""
    d = 10**6
    found = clipping._gaussian_vector_tail(np.log(d * np.array([1e-12, 0.5, 1.0, 4.0, 9.0])), d)
    exact = [math.erfc(math.sqrt(x / 2)) for x in (1e-12, 0.5, 1.0, 4.0, 9.0)]
    assert found == pytest.approx(exact, rel=1e-4, abs=0)


def test_the_ends_of_the_thresholds():
    """A threshold too far out for floats is 1e-120 or 1e120 of the largest eigenvalue, where the answer is known."""
    for C, value in ((5e-324, 1.0), (1e308, 0.0)):
        for a in (1.0, 1e-200, 1e200):
            if 0 < C / a < math.inf:
                found = clipping.clip_probability("dp_gd", eigenvalues=[a, a / 2], offset=[1.0, 2.0], C=C)
                assert found.value == pytest.approx(value, abs=1e-9)
    assert quadratic_form_tail(1e308, weights=[1.0], offset=[1.0]).value == 0
    assert quadratic_form_tail(5e-324, weights=[1.0], offset=[1.0]).value == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("d", [2, 3, 40, 2_000])
@pytest.mark.parametrize("share", [0.1, 1.0, 5.0, 17.0, 25.0])
def test_a_flat_spectrum_at_the_mean_has_a_closed_form(d, share):
    """u'b is N(0, d) whatever the direction; far out only samples beyond C / sqrt(d) count, however close to it."""
    exact = math.erfc(share)
    C = share * math.sqrt(2 * d)
    found = clipping.clip_probability("dpzero", eigenvalues=np.full(d, 0.3), offset=np.zeros(d), C=0.3 * C)
    assert found.value == pytest.approx(exact, rel=1e-8, abs=0)
    assert abs(found.value - exact) <= found.error + 1e-12 * exact
    vector = clipping.clip_probability("dpgd_0th", eigenvalues=np.ones(d), offset=np.zeros(d), C=C * math.sqrt(d))
    assert vector.value == pytest.approx(exact, rel=1e-8, abs=0)
    for method, length in (("dpzero", 1.0), ("dpgd_0th", math.sqrt(d))):
        u = np.full(d, 1.0)
        given = clipping.clip_probability_given_direction(method, eigenvalues=np.ones(d), offset=np.zeros(d), u=u, C=C * length)
        assert given == pytest.approx(exact, rel=1e-12, abs=0)


@pytest.mark.parametrize("q", [0.01, 1.0, 30.0, 600.0])
def test_two_equal_weights_at_the_mean_are_an_exponential_law(q):
    for weight in (1.0, 1e-3):
        found = clipping.quadratic_form_tail(weight * q, weights=[weight, weight, 0.0], offset=[0.0, 0.0, 4.0])
        assert found.value == pytest.approx(math.exp(-q / 2), rel=1e-11, abs=0)
        gradient = clipping.clip_probability("dp_gd", eigenvalues=[weight, weight], offset=[0.0, 0.0], C=weight * math.sqrt(q))
        assert gradient.value == pytest.approx(math.exp(-q / 2), rel=1e-11, abs=0)


def test_the_probability_given_a_direction_has_both_sides():
    """u'b is N(mean, |A u|^2): 2 above 3 and -3 of a law with mean 1 and deviation 2, and of one with mean -1."""
    for sign in (1, -1):
        found = clipping.clip_probability_given_direction("dpzero", eigenvalues=[2.0, 1.0], offset=[0.5, 9.0], u=[sign, 0.0], C=3.0)
        assert found == pytest.approx(0.5 * math.erfc(1 / math.sqrt(2)) + 0.5 * math.erfc(2 / math.sqrt(2)), rel=1e-12)


OFFSETS = (
    "-0.0814 11.9 -2.51 -2.43 -6.91 8.66 -14.4 -5.73 9.87 15 -1.5 10.3 -19.1 8.24 3.57 -11.6 -17.2 -4.44 3.2 4.29 "
    "1.7 8.3 7.59 -13.3 -3.26 -4.55 10.8 -4.37 10.6 1.47 24 0.0575 0.595 -0.568 2.02 24.8 -4.5 -8.18 -1.45 7.24"
)


def test_a_small_weight_with_a_large_offset_far_out():
    """The line of integration bent to where exp(K) grows: P(clip) was 1 with an error of 2e+35."""
    a, e = 1 / np.arange(1.0, 41), np.array([float(one) for one in OFFSETS.split()])
    C = 0.0173 * float(np.sqrt(a**2 @ (1 + e**2)))
    gaussian, sphere = (
        clipping.clip_probability("dpzero", eigenvalues=a, offset=e, C=C, direction=word) for word in ("gaussian", "sphere")
    )
    assert gaussian.value == pytest.approx(0.9861355557, abs=1e-7)  # by the contour in s^2/2, without a density
    assert sphere.value == pytest.approx(0.98639737, abs=1e-6)
    assert max(gaussian.error, sphere.error) < 1e-3


@pytest.mark.parametrize(("method", "direction", "sides"), [("dpzero", "gaussian", 2), ("dp_gd", "sphere", 1)])
def test_a_probability_and_its_error_are_of_the_same_number_of_sides(method, direction, sides, monkeypatch):
    """|u'b| > C has two equal sides, so the error of one counts twice; |b| > C has one."""
    monkeypatch.setattr(clipping, "_contour_integral", lambda *_, **__: Probability(0.25, 0.01))
    found = clipping.clip_probability(method, eigenvalues=[1.0, 0.5], offset=[0.0, 0.0], C=4.0, direction=direction)
    assert (found.value, found.error) == (pytest.approx(0.25 * sides), pytest.approx(0.01 * sides))
