"""Privacy of one iterate x_tau, tau drawn at random from T steps, which is more private than the whole run.

Setting   as in `bounds.privacy`: step t releases a query plus N(0, sigma^2 I), neighbours move the query by at most `sensitivity`.
          tau has a distribution w on 0..T-1, independent of the data, of the noise and of the public randomness.
Released  x_tau, a function of x_0, the public randomness and the first tau releases, with or without tau itself.
Measure   delta(epsilon) = sum over k = 0..T-1 of w_k delta(epsilon; mu sqrt(k)), mu = sensitivity / sigma: the least delta.
Source    ours; for uniform tau the counterexample of `dpzero.theorem1.privacy_of_the_mixture` attains it.

Proof. Let tau be published. The parts of an event E with tau = k are disjoint, and tau has the same distribution for both neighbouring data
sets. So P(E) - e^epsilon Q(E) is the sum of w_k (P(x_k in E_k) - e^epsilon Q(x_k in E_k)). Each bracket is at most delta(epsilon; mu
sqrt(k)), since x_k is a function of k releases and of public randomness; for k = 0 it is at most 0. Without tau, a function of these
values is released, which is no less private. The bound is attained on a line, where the queries of the neighbours are + and - half of
`sensitivity`: the likelihood ratio at a point is the same for every k, so one half-line is the best event for all of them, also if tau is
not published.

The sum has T terms, T up to 2^70, so neighbouring k are grouped. f(s) = delta(epsilon; sqrt(s)) rises, and f'(s) = phi(epsilon/sqrt(s) -
sqrt(s)/2) / (2 sqrt(s)) has the logarithmic derivative (4 epsilon^2 - s^2 - 4 s)/(8 s^2): f is convex up to s = 2 (sqrt(1 + epsilon^2) - 1)
and concave beyond. So the mean of f over a group is at most that of its chord before that point, f at its middle beyond,
and f at its last k if the group contains the point. Up to `GROUPS` steps every group is one k, and the sum is exact.

Any distribution of tau. A method with steps alpha_k in the proportions w_k, t their sum, and one sigma has E ||grad F(x_tau)||^2 bounded by
gap/t plus t times a multiple of sigma^2 sum w_k^2, as steps get small. With s = k mu^2 the distribution with the least sum is
w = (f(end) - f(s))_+ over its integral: whatever `end`, (f(end) - delta)^2 <= (int w (f(end) - f)_+)^2 <= int w^2 int (f(end) - f)_+^2 by
Cauchy's inequality, with equality for this w. `gain_of_best_law` is what it saves over uniform tau, one per cent of sigma at (2, 1e-6); the
lab's methods have constant steps and use uniform tau.
"""

import math
from functools import lru_cache

import numpy as np

from bounds.privacy.budget import Budget
from bounds.privacy.gaussian import (
    TINY,
    bisect_private_root,
    epsilon_gaussian,
    exp_rounded_up,
    largest_mu,
    log_privacy_curve,
    require_full_precision,
)
from bounds.privacy.iterate_curve import log_mean_delta
from bounds.validate import inside_unit, non_negative, positive, positive_integer, validated, validated_strictly

LONGEST = 2**70  # steps


@validated
def log_delta_uniform(*, epsilon: float, mu: float, T: int) -> float:
    """Return the logarithm of the least delta for which x_tau is (epsilon, delta)-DP, tau uniform on 0..T-1.

    Parameters
    ----------
    epsilon
        At least 0.
    mu
        Sensitivity over sigma of one release, at least 0.
    T
        Number of steps, at most 2^70.

    Returns
    -------
    float
        The logarithm, rounded up; -inf where T = 1 or mu = 0.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Examples
    --------
    >>> round(lab.mixture.log_delta_uniform(epsilon=2.0, mu=0.04, T=100), 3)
    -19.513
    """
    non_negative(epsilon=epsilon, mu=mu)
    possible_steps(T)
    return -math.inf if T == 1 or mu == 0 else log_mean_delta(float(epsilon), float(mu), T)


@validated
def possible_steps(T: int) -> None:
    """Check the number of steps: raise ValueError unless T is an integer from 1 to 2^70.

    Parameters
    ----------
    T
        Number of steps.

    Raises
    ------
    ValueError
        For another T.

    Examples
    --------
    >>> lab.mixture.possible_steps(100)
    """
    positive_integer(T=T)
    if T > LONGEST:
        raise ValueError(f"T = {T}: an integer of at most 2^70 is needed")


@validated
def mu_uniform(epsilon: float, delta: float, T: int) -> float:
    """Return the largest sensitivity / sigma of one step for which x_tau is (epsilon, delta)-DP, tau uniform on 0..T-1.

    Parameters
    ----------
    epsilon, delta
        Required privacy: epsilon > 0 and 0 < delta < 1.
    T
        Number of steps, at most 2^70.

    Returns
    -------
    float
        The ratio, rounded down; inf where no noise is needed, see `nothing_to_hide`.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Examples
    --------
    >>> round(lab.mixture.mu_uniform(2.0, 1e-6, 100), 4)
    0.0505
    """
    budget = Budget(epsilon, delta)
    possible_steps(T)
    return largest_mu_uniform(budget, T)


@validated
def nothing_to_hide(delta: float, T: int) -> bool:
    """Return whether x_tau is (0, delta)-DP without any noise, for tau uniform on 0..T-1.

    Parameters
    ----------
    delta
        Strictly between 0 and 1.
    T
        Number of steps, at most 2^70.

    Returns
    -------
    bool
        Whether delta is above 1 - 1/T. (Where they are equal, rounding errors may count against it.)

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    tau = 0 has probability 1/T and publishes x_0, which depends on no data. So the delta of x_tau is never above 1 - 1/T.

    Examples
    --------
    >>> lab.mixture.nothing_to_hide(0.6, T=2), lab.mixture.nothing_to_hide(1e-6, T=2)
    (True, False)
    """
    inside_unit(delta=delta)
    possible_steps(T)
    return needs_no_noise(delta, T)


def needs_no_noise(delta: float, T: int) -> bool:
    """Return whether x_tau is (0, delta)-DP without noise, tau uniform on 0..T-1 (1 - 1/T <= delta), for checked numbers."""
    return (1 - 1 / T) * (1 + 2.0**-50) <= delta


@lru_cache
def largest_mu_uniform(budget: Budget, T: int) -> float:
    """Return the largest sensitivity / sigma of a step for which x_tau meets a checked budget, tau uniform; inf if no noise is due."""
    epsilon, delta = budget.epsilon, budget.delta
    if needs_no_noise(delta, T):
        return math.inf
    wanted = math.log(delta)

    def excess(log_mu: float) -> float:
        return log_mean_delta(epsilon, math.exp(log_mu), T) - wanted

    private = math.log(largest_mu(budget)) - math.log(T - 1) / 2 - 2.0**-30  # as if all T - 1 releases were published
    step = 2.0**-20
    while excess(private) > 0:
        private, step = private - step, 2 * step
    leaky = private + 0.5
    while excess(leaky) <= 0:
        private, leaky = leaky, 2 * leaky - private
    return math.exp(bisect_private_root(excess, private, leaky)) * (1 - 2.0**-44)


def _mu_per_release(sensitivity: float, sigma: float) -> float:
    """Return sensitivity / sigma, the mu of one release, after checking both."""
    positive(sensitivity=sensitivity, sigma=sigma)
    return max(sensitivity / sigma, TINY)


@validated
def sigma_uniform(*, epsilon: float, delta: float, T: int, sensitivity: float) -> float:
    """Return the least noise (standard deviation) for which x_tau alone is (epsilon, delta)-DP, tau uniform on 0..T-1.

    Parameters
    ----------
    epsilon, delta
        Required privacy: epsilon > 0 and 0 < delta < 1.
    T
        Number of steps, at most 2^70.
    sensitivity
        How far neighbouring data sets move the query of a step (Euclidean norm), above 0.

    Returns
    -------
    float
        Standard deviation of the noise in every coordinate of every step, rounded up, at most 1e-5 (relative) above the least. It is 0
        where no noise is needed, see `nothing_to_hide`.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    The lab's own; the proof stands in the docstring of `bounds.privacy.random_iterate`. It covers x_tau alone, with tau published or not.
    The last iterate or the path needs `bounds.privacy.sigma_gaussian`.

    Examples
    --------
    >>> round(lab.mixture.sigma_uniform(epsilon=2.0, delta=1e-6, T=100, sensitivity=0.002), 4)
    0.0396
    >>> round(lab.privacy.sigma_gaussian(epsilon=2.0, delta=1e-6, T=100, sensitivity=0.002), 4)  # for all iterates
    0.0446
    """
    budget = Budget(epsilon, delta)
    possible_steps(T)
    positive(sensitivity=sensitivity)
    return least_sigma_uniform(budget, T, sensitivity)


def least_sigma_uniform(budget: Budget, T: int, sensitivity: float) -> float:
    """Return the least sigma for which x_tau meets a checked budget, tau uniform on 0..T-1; 0 if no noise is needed."""
    mu = largest_mu_uniform(budget, T)
    return 0.0 if math.isinf(mu) else require_full_precision(sensitivity / mu)


@validated
def delta_uniform(*, epsilon: float, sigma: float, T: int, sensitivity: float) -> float:
    """Return the least delta for which x_tau is (epsilon, delta)-DP, where tau is uniform on 0..T-1.

    Parameters
    ----------
    epsilon
        At least 0.
    sigma
        Standard deviation of the noise in every coordinate, above 0.
    T, sensitivity
        Number of steps, and how far neighbouring data sets move the query of a step, as in `sigma_uniform`.

    Returns
    -------
    float
        delta, rounded up; 0 for T = 1.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Examples
    --------
    >>> f"{lab.mixture.delta_uniform(epsilon=2.0, sigma=0.05, T=100, sensitivity=0.002):.3g}"
    '3.36e-09'
    """
    mu = _mu_per_release(sensitivity, sigma)
    non_negative(epsilon=epsilon)
    possible_steps(T)
    if T == 1:
        return 0.0
    return min(1 - 1 / T + 2.0**-53, exp_rounded_up(log_mean_delta(float(epsilon), mu, T)))


@validated
def epsilon_uniform(*, delta: float, sigma: float, T: int, sensitivity: float) -> float:
    """Return the least epsilon for which x_tau is (epsilon, delta)-DP, where tau is uniform on 0..T-1.

    Parameters
    ----------
    delta
        Strictly between 0 and 1.
    sigma
        Standard deviation of the noise in every coordinate, above 0.
    T, sensitivity
        Number of steps, and how far neighbouring data sets move the query of a step, as in `sigma_uniform`.

    Returns
    -------
    float
        epsilon, rounded up. 0 and inf mean the same as in `bounds.privacy.epsilon_gaussian`.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Examples
    --------
    >>> round(lab.mixture.epsilon_uniform(delta=1e-6, sigma=0.05, T=100, sensitivity=0.002), 3)
    1.545
    """
    mu = _mu_per_release(sensitivity, sigma)
    inside_unit(delta=delta)
    possible_steps(T)
    return least_epsilon_uniform(delta, mu, T)


def least_epsilon_uniform(delta: float, mu: float, T: int) -> float:
    """Return the least epsilon of x_tau at this delta, where mu is the sensitivity over sigma of one release, for checked numbers."""
    if T == 1:
        return 0.0
    everything = epsilon_gaussian(delta=delta, sigma=1.0, T=1, sensitivity=mu * math.sqrt(T - 1)) * (1 + 2.0**-40)
    if math.isinf(everything):
        return math.inf

    def excess(epsilon: float) -> float:
        return log_mean_delta(epsilon, mu, T) - math.log(delta)

    if excess(0.0) <= 0:
        return 0.0
    while excess(everything) > 0:
        everything *= 1 + 2.0**-20
    return bisect_private_root(excess, everything, 0.0) * (1 + 2.0**-44)


@validated_strictly
def gain_of_best_law(epsilon: float, delta: float, points: int = 2_001) -> float:
    """Return the noise under the best distribution of tau divided by that under uniform tau, in the limit of many small steps.

    Parameters
    ----------
    epsilon, delta
        Required privacy: epsilon > 0 and 0 < delta < 1.
    points
        Number of points of the trapezoidal sums.

    Returns
    -------
    float
        The ratio: how little the lab's methods, which draw tau uniformly, could save.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name, and for a delta that is too large.

    Notes
    -----
    Numerical, without a bound of its error. The docstring of `bounds.privacy.random_iterate` derives the best distribution.

    Examples
    --------
    >>> round(lab.mixture.gain_of_best_law(2.0, 1e-6, points=501), 4)
    0.9904
    """
    from scipy.optimize import brentq

    budget = Budget(epsilon, delta)
    positive_integer(points=points)

    def needed(end: float) -> tuple[float, float]:
        """Return delta and the integral of w^2 ds for the distribution w that ends at s = end."""
        s = np.linspace(0.0, end, points)
        f = np.append(0.0, np.exp(log_privacy_curve(epsilon, np.sqrt(s[1:]))))
        w = (f[-1] - f) / np.trapezoid(f[-1] - f, s)
        return float(np.trapezoid(w * f, s)), float(np.trapezoid(w * w, s))

    uniform = largest_mu_uniform(budget, LONGEST) ** 2 * LONGEST
    high = 2 * uniform
    while needed(high)[0] < delta:
        high *= 2
        if high > 2.0**20 * uniform:
            raise ValueError(f"delta = {delta!r}: less is needed, the best law has no end here")
    end = brentq(lambda end: needed(end)[0] - delta, 0.5 * uniform, high)
    return math.sqrt(needed(end)[1] * uniform)
