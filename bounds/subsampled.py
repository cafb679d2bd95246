"""Privacy of T subsampled Gaussian releases, by the privacy loss distributions of dp-accounting.

Setting   each step keeps every record independently with probability q (sampling="poisson"), adds up one vector of norm at most C per
          kept record, divides by the fixed number q n (never by the size the batch happens to have), and adds N(0, sigma^2 I).
Relation  stated by the caller, because two are in use and they give `sensitivity` different values:
          neighbours="replace_one"         a record is replaced, n fixed; sensitivity = 2C/(q n), as in `bounds.privacy`
          neighbours="add_or_remove_one"   a record is added or removed, q n fixed; sensitivity = C/(q n)
          Either way `sensitivity` is how far the neighbour moves the noiseless output once the record is kept, and at q = 1 both
          are the full batch at that sensitivity. DP-SGD's noise multiplier is sigma / sensitivity of the second relation.
          Batches of q n records drawn afresh in each step (sampling="without_replacement"): `sensitivity` is how far the output moves
          where one record of a batch is exchanged, 2C/(q n) under both relations, since another takes the place of one that is removed.
          n is then the larger of the two numbers of records. Such batches can leak more (Lebeda et al. 2024, arXiv:2405.20769).
          Nothing here speaks of shuffling.
          Which of the two samplings it is has to be said: there is no default, and Poisson's accountant is below the truth for the other.
Measure   the least epsilon, sigma or delta of the composed worst pair below, rounded to the private side.
Source    Doroshenko et al. (2022), arXiv:2207.04380 (the discretisation); dp-accounting 0.5.0, the first with replace-one here.

The worst pair. Let P_v = N(v, sigma^2 I) and |u|, |v| <= s. Given the other records' coins, a step outputs (1-q) P_0 + q P_u for one
data set, (1-q) P_0 + q P_v for its neighbour, up to a common shift. For a set A with P_0(A) = p, the Neyman-Pearson lemma gives
P_u(A) <= Phi(Phi^-1(p) + s/sigma) and P_v(A) >= Phi(Phi^-1(p) - s/sigma), and a half space with v = -u, |u| = s attains both. So
sup_A P(A) - a P'(A) is largest for v = -u at every a >= 0, in every dimension; joint convexity averages over the coins, and pairs
that dominate each step dominate the composition (Zhu, Dong, Wang 2022, arXiv:2106.08567, adaptive composition of dominating pairs).
Hence replace-one is the pair with shifts -s and +s, s = sensitivity/2, and add-or-remove the two pairs with u = 0 or v = 0,
s = sensitivity. dp-accounting's `sensitivity` is this s under both relations. Its RDP accountant is not used: under replace-one
it refuses Poisson sampling, and takes the shifts 0 and s for a full batch, half the truth.

Fixed size. Given the B - 1 other records of a batch and the one that takes the place of the record in question where it is not drawn,
both uniform, a step outputs (1-q) P_0 + q P_u against (1-q) P_0 + q P_v with |u|, |v|, |u - v| <= s = sensitivity, q = B/n; a removal has
u = 0 or v = 0. Where P_u(A) = Phi(z), both P_0(A) and P_v(A) are at least Phi(z - s/sigma). So P(A) - a P'(A), a >= 1, is at most
q Phi(z) - (a - 1 + q) Phi(z - s/sigma), which |u| = s, v = 0 attains: sup H_a is that of the pair M = (1-q) P_0 + q P_s against P_0.
The relation is symmetric, so H_a = 1 - a + a H_1/a gives it below a = 1. A pair with this curve exists (M against P_0 where M is larger,
the reverse where smaller, the rest at no loss), dominates every step, and so composes (Zhu, Dong, Wang, Theorem 11). At q = 1 it is the
exact full batch; one step attains it, T steps need not: the answer is an upper bound, exact as every step's loss becomes small.

Rounding. The grid of losses errs to the private side. What floats add is counted outward: sensitivity / sigma and q are taken 8 units
larger, an epsilon is returned 8 units larger, the curve of a batch of fixed size is raised by more than the error of its evaluation, and
`_outward` adds to delta what the second differences and the transforms of dp-accounting may lose.
"""

import math
from functools import cache
from typing import Any, Literal

import numpy as np

from bounds.privacy import delta_gaussian, epsilon_gaussian, mu_gaussian, private_end, sigma_gaussian
from bounds.validate import fraction, inside_unit, non_negative, one_of, positive, positive_integer, strict_door

Neighbours = Literal["add_or_remove_one", "replace_one"]
Sampling = Literal["poisson", "without_replacement"]

_MAX_CELLS = 150_000  # of one step's privacy loss distribution; keeps a call to seconds when epsilon is far below the largest loss

_OUTWARD = 1 + 2.0**-50  # 8 units: q = B/n, 2C/B, their quotient by sigma, and epsilon from the sums, are rounded once or twice each


def _rounding(T: int) -> float:
    """Return a bound on the error in delta of dp-accounting's Fourier transforms: 7e-17 T + 5e-14 was the most ever seen."""
    return 1e-13 + 2e-16 * T


def _relative_rounding(T: int) -> float:
    """Return a bound on the relative error in delta of masses that are second differences of a curve on a grid of spacing h >= 1e-5.

    The factors e^h and e^h - 1 are rounded once for all of them, which costs 2^-53/h a step, seen at T = 1; eight times that is taken.
    """
    return T * 2.0**-50 / 1e-5


def _outward(delta: float, T: int) -> float:
    """Return delta from above, of T steps on a grid of losses."""
    if not math.isfinite(delta):
        raise OverflowError("the losses leave floating point")
    return max(delta, 0.0) * (1 + _relative_rounding(T)) + _rounding(T)


def _check(*, T: int, q: float, sensitivity: float, neighbours: str, sampling: str) -> None:
    positive(sensitivity=sensitivity)
    positive_integer(T=T)
    fraction(q=q)
    one_of(("add_or_remove_one", "replace_one"), neighbours=neighbours)
    one_of(("poisson", "without_replacement"), sampling=sampling)


def _resolved(delta: float, T: int) -> None:
    inside_unit(delta=delta)
    if delta < 100 * _rounding(T):
        raise ValueError(f"delta = {delta!r}: at least {100 * _rounding(T):.2g} is needed at T = {T}, the transforms resolve no less")


def _ever_sampled(T: int, q: float) -> float:
    """Return the probability that the record is sampled at all, from above: no delta is larger, and (0, this)-DP needs no noise."""
    return -math.expm1(T * math.log1p(-q)) * _OUTWARD


def _interval(epsilon: float, T: int) -> float:
    """Return the spacing of losses that adds some 1e-5 to epsilon, relatively.

    A spacing h adds about h^2/6 to the variance V of the composed loss in each step, and epsilon = V/2 + z sqrt(V) with z near 5.
    Below 1e-5 dp-accounting's second differences lose more to rounding than the spacing gains.
    """
    return max(1e-5, math.sqrt(6e-5 / T * min(epsilon**2 / 25, epsilon / 2)))


def _delta_fixed_size(epsilon: Any, mu: float, q: float) -> Any:
    """Return H of (1-q) N(0) + q N(mu) against N(0) at e^epsilon >= 1: q times the Gaussian delta at log(1 + (e^epsilon - 1)/q)."""
    from scipy.special import erfcx, ndtr

    amplified = epsilon + np.log1p((1 - q) / q * -np.expm1(-epsilon))
    x, y = amplified / mu - mu / 2, (amplified / mu + mu / 2) / math.sqrt(2)
    near = np.where(x < 0, ndtr(-x), 0.0) - np.where(x < 0, np.exp(-x * x / 2) * erfcx(y) / 2, 0.0)
    beyond = np.maximum(x, 0.0)
    return q * np.where(x < 0, near, np.exp(-beyond * beyond / 2) * (erfcx(beyond / math.sqrt(2)) - erfcx(y)) / 2)


def _raised(epsilon: Any, mu: float, q: float) -> Any:
    """Return H of one step of fixed size at -epsilon, from the last on, and at epsilon, which begins with 0: not below what is exact.

    In 50 digits the evaluation was at most 5.2e-16 q below the truth; 2^-50 q is added, which costs T steps at most T times that.
    """
    above = _delta_fixed_size(epsilon, mu, q) + q * 2.0**-50
    below = np.minimum((-np.expm1(-epsilon) + np.exp(-epsilon) * above) * (1 + 2.0**-52), 1.0)
    return np.minimum.accumulate(np.concatenate([below[:0:-1], above]))


def _losses_fixed_size(mu: float, q: float, interval: float) -> Any:
    """Return one step's privacy loss distribution of batches of fixed size, from its curve, which connecting dots bounds from above."""
    from dp_accounting.pld import pld_pmf, privacy_loss_distribution

    cells = math.ceil(float(np.logaddexp(math.log1p(-q), math.log(q) + mu * (10 + mu / 2))) / interval)
    epsilon = interval * np.arange(cells + 1)
    curve = _raised(epsilon, mu, q)
    return privacy_loss_distribution.PrivacyLossDistribution(
        pld_pmf.create_pmf_pessimistic_connect_dots_fixed_gap(interval, -cells, cells, curve)
    )


def _losses(epsilon: float, sigma: float, T: int, q: float, sensitivity: float, pair: str, coarseness: float) -> Any:
    """Return the composed privacy loss distribution; its delta and epsilon are upper bounds on any grid, tighter on a finer one.

    The spacing is right for an answer near `epsilon`, times `coarseness`. `pair`: a relation of Poisson batches, or "fixed_size".
    """
    from dp_accounting import NeighboringRelation  # here, not above: importing it takes over a second
    from dp_accounting.pld import privacy_loss_distribution

    replace, sigma, q = pair == "replace_one", sigma / _OUTWARD, min(1.0, q * _OUTWARD)
    shift = sensitivity / 2 if replace else sensitivity
    largest_loss = shift / sigma * (10 + shift / sigma / 2) * (2 if replace else 1)  # dp-accounting cuts the noise at 10 sigma
    if not math.isfinite(largest_loss):
        raise OverflowError("the largest loss")
    interval = coarseness * max(_interval(epsilon, T), largest_loss / _MAX_CELLS)
    if pair == "fixed_size":
        return _losses_fixed_size(sensitivity / sigma, q, interval).self_compose(T)
    return privacy_loss_distribution.from_gaussian_mechanism(
        standard_deviation=sigma,
        sensitivity=shift,
        sampling_prob=q,
        value_discretization_interval=interval,
        neighboring_relation=NeighboringRelation.REPLACE_ONE if replace else NeighboringRelation.ADD_OR_REMOVE_ONE,
    ).self_compose(T)


@strict_door
def epsilon_subsampled(
    *, delta: float, sigma: float, T: int, q: float, sensitivity: float, neighbours: Neighbours, sampling: Sampling
) -> float:
    """Return an epsilon for which T subsampled releases are (epsilon, delta)-DP, about 1e-5 above the least one, relatively.

    The excess grows below epsilon = 0.1, to some 1e-3 at 0.01; it stays an upper bound. 0 means (0, delta)-DP, see
    `bounds.privacy.epsilon_gaussian`. The full batch (q = 1) is exact, and bounds every q from above.
    """
    positive(sigma=sigma)
    _check(T=T, q=q, sensitivity=sensitivity, neighbours=neighbours, sampling=sampling)
    _resolved(delta, T)
    epsilon = epsilon_gaussian(delta=delta, sigma=sigma, T=T, sensitivity=sensitivity)
    if q == 1 or epsilon == 0:
        return epsilon
    if _ever_sampled(T, q) <= delta:
        return 0.0
    pair = "fixed_size" if sampling == "without_replacement" else neighbours
    least = (delta - _rounding(T)) / (1 + _relative_rounding(T))
    for coarseness in (10, 1):
        losses = _losses(epsilon, sigma, T, q, sensitivity, pair, coarseness)
        epsilon = min(epsilon, float(losses.get_epsilon_for_delta(least)) * _OUTWARD)
    return epsilon


@strict_door
def delta_subsampled(
    *, epsilon: float, sigma: float, T: int, q: float, sensitivity: float, neighbours: Neighbours, sampling: Sampling
) -> float:
    """Return a delta for which T subsampled releases are (epsilon, delta)-DP, from above: 1e-13 and more is added for rounding."""
    positive(sigma=sigma)
    non_negative(epsilon=epsilon)
    _check(T=T, q=q, sensitivity=sensitivity, neighbours=neighbours, sampling=sampling)
    delta = delta_gaussian(epsilon=epsilon, sigma=sigma, T=T, sensitivity=sensitivity)
    if q == 1:
        return delta
    losses = _losses(epsilon, sigma, T, q, sensitivity, "fixed_size" if sampling == "without_replacement" else neighbours, 1)
    return min(delta, _ever_sampled(T, q), _outward(float(losses.get_delta_for_epsilon(epsilon)), T))


def _normal_guess(epsilon: float, delta: float, T: int, q: float, sensitivity: float, pair: str) -> float:
    """Return the sigma at which the losses' chi-square matches mu-GDP, right for many small steps: only where to start a search."""
    per_step = mu_gaussian(epsilon, delta) ** 2 / (q * q * T)
    if pair == "replace_one":
        return sensitivity / 2 / math.sqrt(math.asinh(per_step / 4))  # q^2 (e^w - e^-w) 2 = mu^2 / T at w = (shift/sigma)^2
    return sensitivity / math.sqrt(math.log1p(per_step))  # q^2 (e^w - 1) = mu^2 / T


@strict_door
def sigma_subsampled(
    *, epsilon: float, delta: float, T: int, q: float, sensitivity: float, neighbours: Neighbours, sampling: Sampling
) -> float:
    """Return a sigma for which T subsampled releases are (epsilon, delta)-DP, about 1e-4 above the least one, relatively.

    0 when the record is sampled at all with probability at most delta, so that no noise is needed. Search on a coarse grid,
    whose excess of delta is then measured on the fine grid and taken back but for 2%; the fine grid confirms the answer.
    """
    positive(epsilon=epsilon)
    _check(T=T, q=q, sensitivity=sensitivity, neighbours=neighbours, sampling=sampling)
    _resolved(delta, T)
    full_batch = sigma_gaussian(epsilon=epsilon, delta=delta, T=T, sensitivity=sensitivity)
    if q == 1:
        return full_batch
    if _ever_sampled(T, q) <= delta:
        return 0.0
    fine, pair = 3, "fixed_size" if sampling == "without_replacement" else neighbours

    @cache
    def excess(log_sigma: float, coarseness: float = 6 * fine) -> float:
        losses = _losses(epsilon, math.exp(log_sigma), T, q, sensitivity, pair, coarseness)
        return math.log(_outward(float(losses.get_delta_for_epsilon(epsilon)), T) / delta)

    private = leaky = math.log(min(full_batch, _normal_guess(epsilon, delta, T, q, sensitivity, pair)))
    step = 0.05
    while excess(private) > 0:
        leaky, private, step = private, private + step, 2 * step
    while excess(leaky) <= 0:
        private, leaky, step = leaky, leaky - step, 2 * step
    coarse = private_end(excess, private, leaky, tolerance=1e-4)
    while excess(coarse, fine) > 0:  # where delta hardly falls with sigma the finer grid may be the worse one, by rounding
        coarse += 0.01
    slope = (excess(coarse) - excess(coarse - 0.01)) / 0.01
    refined = coarse - 0.98 * excess(coarse, fine) / slope
    if excess(refined, fine) > 0:
        refined = private_end(lambda log_sigma: excess(log_sigma, fine), coarse, refined, tolerance=1e-4)
    return min(full_batch, math.exp(refined))
