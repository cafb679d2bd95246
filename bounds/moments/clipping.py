"""Exact probability that a fresh Gaussian sample is clipped, P(clip) at a fixed x, by quadrature with an error estimate.

Setting   f(x; x_i) = (x - x_i)' A (x - x_i) / 2, A diagonal with eigenvalues a_j >= 0, x_i ~ N(m, I), offset = x - m. The direction u is
          uniform on the sphere of radius sqrt(d) or N(0, I), and independent of x_i. x is fixed: this is true of x_0, while a later
          x_t depends on the data.
Method    dp_gd      clips when ||b|| > C, b = A (x - x_i)
          dpzero     clips when |u'b| > C
          dpgd_0th   clips when |u'b| ||u|| > C
Lemma     Given u, u'b ~ N(u'A (x - m), ||A u||^2): `clip_probability_given_direction`. With u random it is easier to fix b first. The
          distribution of u is invariant under rotation, so only Q = ||b||^2 matters, a weighted noncentral chi-square:
          dp_gd                P(Q > C^2)
          dpzero, sphere       P(d Q B > C^2),       B ~ Beta(1/2, (d - 1)/2) the squared cosine between u and b
          dpzero, gaussian     u'b given b is N(0, Q), so E exp(s u'b) = E exp(s^2 Q / 2)
          dpgd_0th, sphere     dpzero at C / sqrt(d)
          dpgd_0th, gaussian   P(Q B R^2 > C^2),     R = ||u||^2 ~ chi-square with d degrees of freedom
          All of this is exact up to the quadrature.
Numerics  K(s) = log E exp(s Q) = sum_j a_j^2 e_j^2 s / (1 - 2 a_j^2 s) - log(1 - 2 a_j^2 s) / 2. P(Q > q) and the density of Q are
          integrals of exp(K(s) - s q) along a contour, here through the saddle point on a parabola that opens to the right, where
          the integrand decays at least like a Gaussian (the idea of Rice 1980, SIAM J. Sci. Stat. Comput. 1(4), 438-448). The
          trapezoidal rule then converges geometrically, and small probabilities keep their relative accuracy. B and R are
          integrated out by the double-exponential rule. Every `error` is the difference to half the number of nodes plus a bound
          on rounding: an estimate on the safe side, not a proof.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, inf, log, pi, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import betainc, erfc, gammainccinv, gammaincinv, gammaln, ndtr

from bounds.moments.recursion import DIRECTIONS, PRIVATE, STEP_RULES, Array, Direction, check_quadratic, group_eigenvalues
from bounds.validate import float_array, one_of, positive, short_repr, validated, validated_strictly

Complex = npt.NDArray[np.complexfloating[Any, Any]]

METHODS = PRIVATE  # a method without noise does not clip

EPS = float(np.finfo(float).eps)
CONTOUR_STEP = 0.08  # singularities are at least 0.7 away: 2 pi 0.7 / 0.08 = 55 digits of e at this step, 27 at its double
NEGLIGIBLE = 1e-18
SERIES = 26  # 4^-26 is below EPS


@dataclass(frozen=True)
class Probability:
    """A probability and an estimate of its absolute error."""

    value: float
    error: float


@validated
def clip_probability(
    method: str, *, eigenvalues: npt.ArrayLike, offset: npt.ArrayLike, C: float, direction: Direction = "sphere"
) -> Probability:
    """Return P(clip), with its error, for one fresh sample and direction at x = m + offset, from eigenvalues and offset (d,).

    `direction` has no effect for dp_gd.
    """
    one_of(METHODS, method=method)
    one_of(DIRECTIONS, direction=direction)
    a, e = check_quadratic(eigenvalues=eigenvalues, offset=offset)
    positive(C=C)
    _check_size(offset=e)
    d, largest = a.size, float(a.max())
    if largest == 0:
        return Probability(0.0, 0.0)
    threshold = min(max(float(C) / largest, 1e-120), 1e120)  # in units in which the largest eigenvalue is 1; beyond that P(clip) is 1 or 0
    form = _QuadraticForm.of((a / largest) ** 2, e)
    if method == "dpgd_0th" and direction == "sphere":
        threshold /= sqrt(d)
    if method == "dp_gd" or (direction == "sphere" and d == 1):
        return _form_tail(form, threshold * threshold)
    if direction == "sphere":
        edge = 2 * log(threshold) - log(d)
        return _expected_tail(form, lambda z: _cosine_tail(z - edge, d), edge)
    if method == "dpzero":
        one_side = _contour_integral(_InnerProduct(form), threshold, pole=True)
        return _cap_probability(2 * one_side.value, 2 * one_side.error)
    return _expected_tail(form, lambda z: _gaussian_vector_tail(2 * log(threshold) - z, d), -inf)


@validated_strictly
def clip_probability_given_direction(
    method: str, *, eigenvalues: npt.ArrayLike, offset: npt.ArrayLike, u: npt.ArrayLike, C: float
) -> float:
    """Return P(clip) of a zeroth-order method for one fresh sample, given the direction u (d,)."""
    one_of(tuple(name for name in METHODS if STEP_RULES[name].two_point), method=method)
    a, e = check_quadratic(eigenvalues=eigenvalues, offset=offset)
    positive(C=C)
    v = float_array("u", u)
    if v.shape != a.shape or not np.all(np.isfinite(v)):
        raise ValueError(f"u = {short_repr(u)}: a vector of {a.size} finite numbers, one per eigenvalue, is needed")
    mean, deviation, length = float(v @ (a * e)), float(np.linalg.norm(a * v)), float(np.linalg.norm(v))
    if deviation == 0:
        return 0.0  # A u = 0: the difference is 0 for every sample
    threshold = C if method == "dpzero" else C / length
    return float(ndtr((mean - threshold) / deviation) + ndtr((-mean - threshold) / deviation))


@validated
def quadratic_form_tail(q: float, *, weights: npt.ArrayLike, offset: npt.ArrayLike) -> Probability:
    """Return P(sum_j weights_j (w_j + offset_j)^2 > q), w ~ N(0, I), with its error: the tail of a weighted noncentral chi-square."""
    try:
        weight, e = check_quadratic(eigenvalues=weights, offset=offset)
    except ValueError as error:
        raise ValueError(str(error).replace("eigenvalues", "weights")) from None
    positive(q=q)
    _check_size(offset=e)
    largest = float(weight.max())
    if largest == 0:
        return Probability(0.0, 0.0)
    return _form_tail(_QuadraticForm.of(weight / largest, e), min(max(float(q) / largest, 1e-240), 1e240))


def _check_size(**arguments: Array) -> None:
    """Check that no entry of the arrays exceeds 1e100 in absolute value; raise ValueError otherwise."""
    for name, value in arguments.items():
        if np.any(abs(value) > 1e100):
            raise ValueError(f"{name} = {value!r}: entries of at most 1e100 are needed, so that squares stay finite")


def _cap_probability(value: float, error: float) -> Probability:
    """Return the value, at most 1, and its error as a `Probability`."""
    return Probability(min(value, 1.0), error)


class _QuadraticForm:
    """The quadratic form Q = sum_j weight_j (w_j + e_j)^2, w ~ N(0, I), with coordinates of equal weight added up.

    weight (g,) in rising order, count (g,), noncentrality (g,) the sums of e_j^2. As for every distribution here, the cumulant generating
    function K is finite on the reals up to `edge`.
    """

    def __init__(self, weight: Array, count: Array, noncentrality: Array) -> None:
        self.weight, self.count, self.noncentrality = weight, count, noncentrality
        self.edge = 0.5 / float(weight[-1])
        self.mean = float(weight @ (count + noncentrality))
        ratio = weight / weight[-1]
        terms = [ratio**p * (count / p + noncentrality) / 2 for p in range(1, SERIES + 1)]
        self.power_sums = np.cumsum(np.concatenate([np.zeros((SERIES, 1)), np.array(terms)], axis=1), axis=1)

    @classmethod
    def of(cls, weight: Array, e: Array) -> _QuadraticForm:
        """Return the form with these weights and offsets, each (d,)."""
        return cls(*group_eigenvalues(weight, e))

    def cumulant(self, s: Complex) -> Complex:
        """Return the cumulant generating function K(s) for complex s off the real axis right of the edge, an array like s.

        Weights with |2 weight s| < 1/4 for all s enter by the power series, sum_p (2 weight s)^p (count / p + noncentrality) / 2.
        """
        few = int(np.searchsorted(self.weight, 0.125 / float(abs(s).max())))
        series, x = np.zeros_like(s), s / self.edge
        if few:
            for sums in self.power_sums[::-1, few]:
                series = x * (sums + series)
        left = 1 - np.multiply.outer(2 * s, self.weight[few:])
        extra = (self.noncentrality * self.weight)[few:]
        return series + s * np.sum(extra / left, axis=1) - np.sum(self.count[few:] * np.log(left), axis=1) / 2

    def slopes(self, s: Array) -> tuple[Array, Array, Array]:
        """Return the first three derivatives of the cumulant generating function K at real s, arrays like s."""
        left = 1 - np.multiply.outer(2 * s, self.weight)
        ratio, grown = self.weight / left, self.noncentrality / left
        first = np.sum(ratio * (self.count + grown), axis=-1)
        second = np.sum(2 * ratio**2 * (self.count + 2 * grown), axis=-1)
        third = np.sum(8 * ratio**3 * (self.count + 3 * grown), axis=-1)
        return first, second, third

    def rounding(self, s: float) -> float:
        """Return a bound on the rounding error of K(s), hence on the relative error of exp K(s)."""
        left = 1 - 2 * self.weight * s
        return 4 * EPS * float(abs(s) * (self.noncentrality * self.weight) @ (1 / left) + self.count @ (1 + abs(np.log(left))))


class _InnerProduct:
    """The inner product u'b for u ~ N(0, I) and ||b||^2 a quadratic form: K(s) = K_form(s^2 / 2)."""

    def __init__(self, form: _QuadraticForm) -> None:
        self.form = form
        self.edge = sqrt(2 * form.edge)

    def cumulant(self, s: Complex) -> Complex:
        """Return the cumulant generating function K(s) of u'b for complex s, an array like s."""
        return self.form.cumulant(s * s / 2)

    def slopes(self, s: Array) -> tuple[Array, Array, Array]:
        """Return the first three derivatives of the cumulant generating function K at real s, arrays like s."""
        first, second, third = self.form.slopes(s * s / 2)
        return s * first, first + s * s * second, 3 * s * second + s**3 * third

    def rounding(self, s: float) -> float:
        """Return a bound on the rounding error of K(s), hence on the relative error of exp K(s)."""
        return self.form.rounding(s * s / 2)


_Distribution = _QuadraticForm | _InnerProduct


def _form_tail(form: _QuadraticForm, q: float) -> Probability:
    """Return P(Q > q) with its error, computed on the side of the mean where it, or its complement, is small."""
    if q >= form.mean:
        return _contour_integral(form, q, pole=True)
    below = _contour_integral(form, q, pole=True, left=True)
    return _cap_probability(1 - below.value, below.error + EPS)


def _contour_integral(law: _Distribution, q: float, *, pole: bool, left: bool = False) -> Probability:
    """Return the density at q (pole=False), P(> q) (pole=True) or P(<= q) (pole=True, left=True), with its error."""
    s0 = _saddle_point(law, q, pole=pole, left=left)
    return Probability(0.0, 0.0) if s0 is None else _integrate_through(s0, law, q, pole=pole)


def _integrate_through(s0: float, law: _Distribution, q: float, *, pole: bool, most: float = 0.4) -> Probability:
    """Integrate exp(K(s) - s q), over s if there is a pole, along a contour through s0; return it over 2 pi i, with its error.

    The contour crosses the real axis upwards; left of the pole the sign is reversed. On s = s0 + h (i t + bend t^2), h the width of the
    saddle, the bend keeps the phase of exp(K(s)) nearly constant. It ignores the pole: a bend of that size would let exp(K(s)) grow where
    K is nearly quadratic. If exp(K(s)) grows all the same, as far out for a small weight with a large offset, `most` limits the bend.
    """
    _, second, third = (float(value) for value in law.slopes(np.array(s0)))
    h = 1 / sqrt(second + (1 / s0**2 if pole else 0.0))
    bend = min(max(third * h / (6 * second), 0.02), most)
    peak = float((law.cumulant(np.array([s0 + 0j]))[0]).real) - s0 * q
    if peak < -800:
        return Probability(0.0, 0.0)  # below the range of float64

    fine, coarse, largest = 0.0, 0.0, 0.0
    for k in range(0, 1_000_000, 128):
        index = np.arange(k, k + 128)
        t = CONTOUR_STEP * index
        s = s0 + h * (1j * t + bend * t * t)
        value = np.exp(law.cumulant(s) - s * q - peak) * (1j + 2 * bend * t)
        if pole:
            value = value * (h / s)
        term = value.imag
        term[index == 0] /= 2
        fine += float(term.sum())
        coarse += float(term[::2].sum())
        largest = max(largest, float(abs(value).max()))
        if abs(value[-1]) < NEGLIGIBLE * largest:
            break
    if largest > 10 and most > 1e-6:  # of an integrand that is at most 1 at the saddle
        return _integrate_through(s0, law, q, pole=pole, most=bend / 4)
    scale = (-1 if pole and s0 < 0 else 1) * CONTOUR_STEP / pi * (1 if pole else h) * exp(peak)
    relative = law.rounding(s0) + 4 * EPS * (1 + abs(s0 * q))
    return Probability(max(scale * fine, 0.0), abs(scale) * (abs(fine - 2 * coarse) + relative * abs(fine)))


def _saddle_point(law: _Distribution, q: float, *, pole: bool, left: bool) -> float | None:
    """Return the saddle point, where K(s) - s q (- log|s|) is least on its part of the real axis, or None if its exp underflows.

    In s = edge (1 - e^y) the pieces are y < 0 (between pole and edge), y > 0 (left of the pole), or all y without a pole.
    """

    def slope(y: float) -> float:
        s = _real_point(y, law)
        return float(law.slopes(np.array(s))[0]) - q - (1 / s if pole else 0.0)

    near, low, high = 1e-12, -36.0, 250.0
    if pole:
        low, high = (near, high) if left else (low, -near)
    if slope(low) <= 0 or slope(high) >= 0:
        return None
    return _real_point(brentq(slope, low, high, xtol=1e-9, rtol=1e-9), law)


def _real_point(y: float, law: _Distribution) -> float:
    """Return the real point s = edge (1 - e^y) of a coordinate y."""
    return -law.edge * float(np.expm1(y))


def _expected_tail(form: _QuadraticForm, tail: Callable[[Array], Array], edge: float) -> Probability:
    """Return E tail(log Q) with its error; tail(z) is 0 up to z = edge and may start there like a root.

    The variable of integration is y: s = edge (1 - e^y) is then the saddle point of q = K'(s), and no equation has to be solved.
    """
    low, high = _integration_range(form, tail)

    def excess(y: float) -> float:
        return log(float(form.slopes(np.array(_real_point(y, form)))[0])) - edge

    if not excess(low) > 0:
        return Probability(0.0, 0.0)
    if excess(high) < 0:
        high = brentq(excess, low, high, xtol=1e-14, rtol=1e-14)
    doubt, largest = 0.0, 0.0

    def integrand(y: Array) -> Array:
        nonlocal doubt, largest
        first, second, _ = form.slopes(-form.edge * np.expm1(y))
        weight = tail(np.log(first)) * second * form.edge * np.exp(y)
        out = np.zeros_like(y)
        for i in np.flatnonzero(weight > 0):
            density = _integrate_through(_real_point(float(y[i]), form), form, float(first[i]), pole=False)
            out[i] = density.value * weight[i]
            doubt, largest = max(doubt, density.error * float(weight[i])), max(largest, float(out[i]))
        return out

    total = _double_exponential(integrand, low, high)
    return _cap_probability(total.value, total.error + (1e-14 + doubt / (largest or 1.0)) * total.value)


def _integration_range(form: _QuadraticForm, tail: Callable[[Array], Array]) -> tuple[float, float]:
    """Return the interval of y outside which density times tail is below e^-45 of its maximum, by saddle-point approximation.

    The interval shrinks until a grid resolves the peak. If everything underflows, it is the whole range, which then integrates to 0.
    """
    low, high = -36.0, 250.0
    for _ in range(60):
        y = np.linspace(low, high, 201)
        s = -form.edge * np.expm1(y)
        first, second, _ = form.slopes(s)
        with np.errstate(divide="ignore"):
            height = form.cumulant(s + 0j).real - s * first + y + np.log(second) / 2 + np.log(tail(np.log(first)))
        if not np.any(height > -inf):
            break
        seen = np.flatnonzero(height >= height.max() - 45)
        low, high = float(y[max(seen[0] - 1, 0)]), float(y[min(seen[-1] + 1, y.size - 1)])
        if seen.size > 40:
            break
    return low, high


def _double_exponential(integrand: Callable[[Array], Array], low: float, high: float) -> Probability:
    """Return the integral over [low, high] with its error, by the double-exponential rule; roots at the ends do no harm."""
    step, total = 0.1, 0.0
    tau = np.arange(-32, 33) * step
    previous = inf
    while True:
        x = 1 / (1 + np.exp(-pi * np.sinh(tau)))
        weight = pi * np.cosh(tau) * x * (1 - x)
        total += float(weight @ integrand(low + (high - low) * x))
        value = (high - low) * step * total
        if abs(value - previous) <= 1e-9 * value or step < 0.004:
            return Probability(value, abs(value - previous))
        previous, step = value, step / 2
        tau = np.arange(-3.2 + step, 3.2, 2 * step)


def _cosine_tail(excess: Array, d: int) -> Array:
    """Return P(log B > -excess), d >= 2, B the squared cosine between a fixed and a random direction; an array like excess."""
    return np.asarray(betainc((d - 1) / 2, 0.5, -np.expm1(-np.maximum(excess, 0.0))), dtype=float)


def _gaussian_vector_tail(z: Array, d: int) -> Array:
    """Return P(B R^2 > e^z), R = ||u||^2 a chi-square with d degrees of freedom, by integration over log R; an array like z."""
    if d == 1:
        return np.asarray(erfc(np.exp(np.minimum(z, 100.0) / 4) / sqrt(2)), dtype=float)
    tiny = 1e-60
    bottom, top = log(2 * gammaincinv(d / 2, tiny)), log(2 * gammainccinv(d / 2, tiny))
    low = np.clip(z / 2, bottom, top)[:, None]
    tau = np.arange(-160, 161) * 0.02
    x = 1 / (1 + np.exp(-pi * np.sinh(tau)))
    weight = 0.02 * pi * np.cosh(tau) * x * (1 - x) * (top - low)
    log_R = low + (top - low) * x
    delta = log_R - log(d / 2) - log(2)
    density = np.exp(d / 2 * (delta - np.expm1(delta)) + d / 2 * (log(d / 2) - 1) - gammaln(d / 2))
    return np.sum(weight * density * _cosine_tail(2 * log_R - z[:, None], d), axis=1)
