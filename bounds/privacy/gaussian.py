"""Exact privacy of T full-batch Gaussian releases, and Lemma 2.2 of DPZero beside it.

Setting   each of T releases adds N(0, sigma^2 I) to a query that moves by at most `sensitivity` (Euclidean norm) between
          neighbours. Queries may depend on earlier releases and on public randomness, such as the directions u_t; given those
          they are deterministic, which is what makes "sensitivity" meaningful.
Relation  replace one record, datasets of equal size n. A mean of n records clipped to norm C has sensitivity 2C/n.
Measure   delta(epsilon; mu) = Phi(-x) - e^epsilon Phi(-y),  x = epsilon/mu - mu/2,  y = epsilon/mu + mu/2,
          mu = sqrt(T) sensitivity / sigma: the least delta, attained when the queries differ by `sensitivity` in each release.
Source    Balle, Wang (2018), arXiv:1805.06530, Theorem 8; composition: Dong, Roth, Su (2022), arXiv:1905.02383, Corollary 3.3.

The two terms of delta nearly cancel at small mu, so they are never subtracted: phi(x) = e^epsilon phi(y) gives
delta = phi(x) (R(x) - R(y)) with the Mills ratio R(t) = (1 - Phi(t)) / phi(t) = int_0^inf e^{-ts - s^2/2} ds, an integral of a
positive function. Every function rounds to the private side,
rounding errors counted: delta, epsilon and sigma from above, mu from below.
"""

import math
import sys
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

from bounds.privacy import gaussian_docs as docs
from bounds.privacy.budget import Budget
from bounds.typeset.docstrings import append_docstring
from bounds.validate import inside_unit, non_negative, positive, positive_integer, validated

TINY, HUGE = sys.float_info.min, sys.float_info.max
LARGEST_MU = 1e153  # epsilon is then some mu^2/2
_LOG_SQRT_2PI = 0.5 * math.log(2 * math.pi)
_ROUNDING = 2.0**-49  # 16 units: some 7 occur on the way from (sigma, T, sensitivity) to delta, each times the conditioning of delta

# The trapezoidal rule in u under s = exp(u - exp(-u)). Scaled to the decay of the integrand it errs by less than 4e-15 for every
# x >= -1/2 and mu < max(64, x): 1 - e^{-mu s} stays bounded for complex s with positive real part, but in an ever smaller strip of u.
_U = np.arange(-3.5, 4.25, 0.1)
_NODES = np.exp(_U - np.exp(-_U))
_WEIGHTS = 0.1 * _NODES * (1 + np.exp(-_U))


Floats = npt.NDArray[np.float64]


def _mills_difference(x: Floats, mu: Floats) -> Floats:
    """Return R(x) - R(x + mu) of the Mills ratio R, (k,), for x >= -1/2, as an integral of positive terms without cancellation."""
    scale = 1 / np.maximum(1.0, x)
    s = scale[:, None] * _NODES
    found: Floats = scale * ((np.exp(-s * (x[:, None] + s / 2)) * -np.expm1(-mu[:, None] * s)) @ _WEIGHTS)
    apart = (mu >= 64) & (mu >= x)  # beyond the reach of the rule, and no two numbers are alike here
    if np.any(apart):
        from scipy.special import erfcx

        root = math.sqrt(2)
        found[apart] = math.sqrt(math.pi / 2) * (erfcx(x[apart] / root) - erfcx((x[apart] + mu[apart]) / root))
    return found


def _log_complement(x: Floats, y: Floats) -> Floats:
    """Return log(1 - delta) = log(Phi(x) + phi(x) R(y)), (k,), for x, y of the module docstring."""
    from scipy.special import erfcx, log_ndtr  # here: SciPy takes longer to import than all the rest of this module to run

    found: Floats = log_ndtr(x) + np.log1p(erfcx(y / math.sqrt(2)) / erfcx(-x / math.sqrt(2)))
    return found


def _rounding_bound(epsilon: float, mu: Floats) -> Floats:
    """Return a bound (k,) on the rounding error of log delta or log(1 - delta), apart from the relative rounding of the result."""
    with np.errstate(over="ignore"):  # inf: nothing is known, and so nothing is private
        return _ROUNDING * (2 + (1 + np.abs(epsilon / mu - mu / 2)) * (epsilon / mu + mu / 2))


def log_privacy_curve(epsilon: float, mu: Floats) -> Floats:
    """Return the exact log delta(epsilon; mu) for each mu > 0, (k,), rounded up."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
        x, y, rounding = epsilon / mu - mu / 2, epsilon / mu + mu / 2, _rounding_bound(epsilon, mu)
        found = np.log(_mills_difference(np.maximum(x, -0.5), mu)) - x * x / 2 - _LOG_SQRT_2PI
        found += rounding - _ROUNDING * found
        large = (x < 0) & (mu >= 1)
        if np.any(large):
            complement = _log_complement(x[large], y[large])
            found[large] = np.log1p(-np.exp(complement - rounding[large] + _ROUNDING * complement)) * (1 - 2.0**-51)
    # a float holds no logarithm further out, and the least that it holds is above the truth
    return np.minimum(np.where(x > LARGEST_MU, -HUGE, found), 0.0)


@append_docstring(docs.LOG_DELTA)
@validated
def log_delta(*, epsilon: float, mu: float) -> float:
    """Return the logarithm of delta(epsilon; mu), the exact privacy curve of mu-GDP."""
    non_negative(epsilon=epsilon, mu=mu)
    return -math.inf if mu == 0 else float(log_privacy_curve(epsilon, np.array([float(mu)]))[0])


def _log_excess(epsilon: float, mu: float, delta: float) -> float:
    """Return log(delta(epsilon; mu) / delta) plus a bound on its rounding error: at most 0 only if (epsilon, delta) truly holds.

    The bound is counted twice, so that the rounded-up delta of a calibrated sigma is not above the required delta. Above 1/2 the
    comparison is of 1 - delta, whose logarithm stays well conditioned.
    """
    at = np.array([mu])
    if delta > 0.5:
        x, y, unspent = epsilon / at - at / 2, epsilon / at + at / 2, math.log(1 - delta)
        return float((unspent - _log_complement(x, y) + 2 * (_rounding_bound(epsilon, at) - _ROUNDING * unspent))[0])
    wanted = math.log(delta)
    return float((log_privacy_curve(epsilon, at) + _rounding_bound(epsilon, at))[0]) - wanted - _ROUNDING * wanted


def find_private_root(excess: Callable[[float], float], private: float, leaky: float, *, tolerance: float = 1e-300) -> float:
    """Return a point with excess <= 0 beside the root of `excess`, by Brent's method; given excess(private) <= 0 < excess(leaky)."""
    from scipy.optimize import brentq

    point = brentq(excess, private, leaky, xtol=tolerance, rtol=4 * np.finfo(float).eps)
    step = math.copysign(max(math.ulp(point), tolerance), private - point)
    while excess(point) > 0:
        point, step = point + step, 2 * step
    return float(point)


def bisect_private_root(excess: Callable[[float], float], private: float, leaky: float) -> float:
    """Return the last float with excess <= 0 beside the root of `excess`, by bisection; given excess(private) <= 0 < excess(leaky)."""
    private, leaky = narrow_bracket(excess, private, leaky)
    while (middle := private + (leaky - private) / 2) not in (private, leaky):
        private, leaky = (middle, leaky) if excess(middle) <= 0 else (private, middle)
    return private


def narrow_bracket(excess: Callable[[float], float], private: float, leaky: float) -> tuple[float, float]:
    """Return (private, leaky) 2^-44 apart, relatively, by regula falsi as Illinois has it, or where it is slow further apart.

    Given excess(private) <= 0 < excess(leaky); so it is for what is returned. A smooth excess needs about ten values.
    """
    width = 2.0**-44 * max(abs(private), abs(leaky))
    below, above, last = excess(private), excess(leaky), 0
    for _ in range(20):
        apart = abs(leaky - private)
        if apart <= width or not 0 < above - below < math.inf:  # nan, too
            break
        step = min(max(apart * (below / (below - above)), width / 2), apart - width / 2)  # never within rounding errors of an end
        middle = private + math.copysign(step, leaky - private)
        found = excess(middle)
        if found <= 0:
            private, below, above, last = middle, found, above / 2 if last < 0 else above, -1
        else:  # a side that stays twice counts half, so that it moves next
            leaky, above, below, last = middle, found, below / 2 if last > 0 else below, 1
    return private, leaky


@append_docstring(docs.MU_GAUSSIAN)
@validated
def mu_gaussian(epsilon: float, delta: float) -> float:
    """Return the largest mu for which mu-GDP implies (epsilon, delta)-DP."""
    return largest_mu(Budget(epsilon, delta))


@lru_cache
def largest_mu(budget: Budget) -> float:
    """Return the largest mu for which mu-GDP implies the (epsilon, delta)-DP of a budget, rounded down."""
    epsilon, delta = budget.epsilon, budget.delta
    if epsilon > LARGEST_MU**2 / 1e6:
        raise OverflowError(f"epsilon = {epsilon!r}: the square of mu leaves floating point")
    x = -NormalDist().inv_cdf(delta)  # delta(epsilon; mu) <= Phi(-x), so the mu that belongs to this x is private
    root = math.hypot(x, math.sqrt(2 * epsilon))
    private = max(delta, epsilon / (x + root) * 2 if x > 0 else root - x)  # mu = delta is private: at epsilon = 0 it spends 0.4 delta
    while _log_excess(epsilon, private, delta) > 0:
        private /= 2
    leaky = 2 * private
    while _log_excess(epsilon, leaky, delta) <= 0:
        private, leaky = leaky, 2 * leaky
    return bisect_private_root(lambda mu: _log_excess(epsilon, mu, delta), private, leaky)


def _total_sensitivity(T: int, sensitivity: float) -> float:
    """Return sqrt(T) sensitivity, the sensitivity of the one Gaussian release that T releases are equivalent to."""
    positive_integer(T=T)
    positive(sensitivity=sensitivity)
    return require_full_precision(math.sqrt(T) * sensitivity)


def require_full_precision(value: float) -> float:
    """Return the value, or raise OverflowError if it is outside the range in which a float has full precision."""
    if not TINY <= value <= HUGE:
        raise OverflowError(f"{value!r} is outside the range of full precision")
    return value


@append_docstring(docs.SIGMA_GAUSSIAN)
@validated
def sigma_gaussian(*, epsilon: float, delta: float, T: int, sensitivity: float) -> float:
    """Return the least noise (standard deviation) for which T Gaussian releases together are (epsilon, delta)-DP."""
    total = _total_sensitivity(T, sensitivity)
    return least_sigma(Budget(epsilon, delta), total)


def least_sigma(budget: Budget, total: float) -> float:
    """Return the least noise of a budget for one Gaussian release of sensitivity `total`, rounded up."""
    mu = largest_mu(budget)
    sigma = require_full_precision(total / mu)
    return sigma if total / sigma <= mu else math.nextafter(sigma, math.inf)  # so that its epsilon is not above the required one


@append_docstring(docs.DELTA_GAUSSIAN)
@validated
def delta_gaussian(*, epsilon: float, sigma: float, T: int, sensitivity: float) -> float:
    """Return the least delta for which T Gaussian releases together are (epsilon, delta)-DP."""
    positive(sigma=sigma)
    mu = _total_sensitivity(T, sensitivity) / sigma
    non_negative(epsilon=epsilon)
    return delta_of_mu(mu, epsilon)


def delta_of_mu(mu: float, epsilon: float) -> float:
    """Return delta(epsilon; mu), the exact privacy curve of mu-GDP, rounded up."""
    return 1.0 if mu > LARGEST_MU else exp_rounded_up(log_delta(epsilon=epsilon, mu=max(mu, TINY)))


def exp_rounded_up(log_value: float) -> float:
    """Return exp(log_value) for the logarithm of a probability, rounded up and at most 1."""
    return min(1.0, math.nextafter(math.exp(log_value), 1.0))


@append_docstring(docs.EPSILON_GAUSSIAN)
@validated
def epsilon_gaussian(*, delta: float, sigma: float, T: int, sensitivity: float) -> float:
    """Return the least epsilon for which T Gaussian releases together are (epsilon, delta)-DP."""
    positive(sigma=sigma)
    inside_unit(delta=delta)
    return epsilon_of_mu(_total_sensitivity(T, sensitivity) / sigma, delta)


def epsilon_of_mu(mu: float, delta: float) -> float:
    """Return the least epsilon for which mu-GDP implies (epsilon, delta)-DP, rounded up; inf where it overflows."""
    if mu > LARGEST_MU:
        return math.inf
    if mu == 0 or _log_excess(0.0, mu, delta) <= 0:
        return 0.0
    private = mu * mu / 2 + mu * max(1.0, -NormalDist().inv_cdf(delta))  # there delta(epsilon; mu) <= Phi(-x) <= delta
    while _log_excess(private, mu, delta) > 0:
        private *= 2
    return bisect_private_root(lambda epsilon: _log_excess(epsilon, mu, delta), private, 0.0)


def log_e_plus_ratio(epsilon: float, delta: float) -> float:
    """Return log(e + epsilon/delta), also where epsilon/delta overflows."""
    return float(np.logaddexp(1.0, math.log(epsilon) - math.log(delta)))


def _mu_lemma_2_2(epsilon: float, delta: float) -> float:
    """Return the mu of mu-GDP that the noise of Lemma 2.2 has, epsilon / sqrt(8 log(e + epsilon/delta)), for all T and sensitivities."""
    return epsilon / math.sqrt(8 * log_e_plus_ratio(epsilon, delta))


@append_docstring(docs.SIGMA_LEMMA_2_2)
@validated
def sigma_lemma_2_2(*, epsilon: float, delta: float, T: int, sensitivity: float) -> float:
    """Return the noise (standard deviation) of Lemma 2.2 of DPZero as printed, which is not private for every epsilon."""
    budget = Budget(epsilon, delta)
    return require_full_precision(_total_sensitivity(T, sensitivity) / _mu_lemma_2_2(budget.epsilon, budget.delta))


Accountant = Literal["lemma", "exact"]
ACCOUNTANTS = {"lemma": sigma_lemma_2_2, "exact": sigma_gaussian}


@append_docstring(docs.LEMMA_2_2_IS_PRIVATE)
@validated
def lemma_2_2_is_private(epsilon: float, delta: float) -> bool:
    """Return whether the noise of Lemma 2.2 of DPZero gives the (epsilon, delta)-DP that the lemma claims."""
    return _lemma_2_2_holds(Budget(epsilon, delta))


def _lemma_2_2_holds(budget: Budget) -> bool:
    """Return whether the noise of Lemma 2.2 of DPZero gives (epsilon, delta)-DP, for a checked budget."""
    mu = _mu_lemma_2_2(budget.epsilon, budget.delta)
    return _log_excess(budget.epsilon, max(mu, TINY), budget.delta) <= 0


@append_docstring(docs.LEMMA_2_2_CRITICAL_EPSILON)
@validated
def lemma_2_2_critical_epsilon(delta: float) -> float:
    """Return the epsilon up to which Lemma 2.2 of DPZero holds at this delta, and above which it fails."""
    inside_unit(delta=delta)
    return _critical_epsilon(float(delta))


def _critical_epsilon(delta: float) -> float:
    """Return the epsilon up to which Lemma 2.2 gives (epsilon, delta)-DP, by bisection; delta was checked."""
    private = 27.0
    while _log_excess(2 * private, max(_mu_lemma_2_2(2 * private, delta), TINY), delta) <= 0:
        private *= 2
    return bisect_private_root(lambda epsilon: _log_excess(epsilon, _mu_lemma_2_2(epsilon, delta), delta), private, 2 * private)


@append_docstring(docs.LEMMA_2_2_RATIO)
@validated
def lemma_2_2_ratio(epsilon: float, delta: float) -> float:
    """Return the noise of Lemma 2.2 of DPZero divided by the least noise that is (epsilon, delta)-private."""
    return _lemma_2_2_ratio(Budget(epsilon, delta))


def _lemma_2_2_ratio(budget: Budget) -> float:
    """Return the noise of Lemma 2.2 of DPZero divided by the least private noise, for a checked budget."""
    return largest_mu(budget) / _mu_lemma_2_2(budget.epsilon, budget.delta)


@append_docstring(docs.LEMMA_2_2_REMARK)
@validated
def lemma_2_2_remark(epsilon: float, delta: float) -> str:
    """Return a warning, as text, if the noise of Lemma 2.2 of DPZero is not private; else an empty string."""
    return lemma_2_2_warning(Budget(epsilon, delta))


def lemma_2_2_warning(budget: Budget) -> str:
    """Return a warning if the noise of Lemma 2.2 of DPZero is not private, "" if it is, for a checked budget."""
    if _lemma_2_2_holds(budget):
        return ""
    return (
        f"epsilon = {budget.epsilon:.6g} is above {_critical_epsilon(budget.delta):.6g}: there the noise of Lemma 2.2 is not private "
        f"at delta = {budget.delta:.3g}; to be private, the printed sigma must be divided by {_lemma_2_2_ratio(budget):.4g}"
    )


@append_docstring(docs.DELTA_REMARK)
@validated
def delta_remark(delta: float, n: float) -> str:
    """Return a warning, as text, if delta is not well below 1/n; else an empty string."""
    inside_unit(delta=delta)
    positive(n=n)
    if delta * n <= 0.1:
        return ""
    return (
        f"With delta = {delta:.3g}, not well below 1/n = {1 / n:.3g}, the guarantee is weak: publishing each record with probability "
        f"delta would satisfy it, and would show {n * delta:,.{0 if n * delta >= 10 else 1}f} of the {n:,.0f} records on average"
    )
