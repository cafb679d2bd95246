"""Privacy of T subsampled Gaussian releases, by the composition of their privacy losses (`bounds.privacy.composition`).

Setting   each step keeps every record independently with probability q (sampling="poisson"), adds up one vector of norm at most C per
          kept record, divides by a fixed number, written q n here, and adds N(0, sigma^2 I). q and this number are public constants, the
          same on both of two neighbouring data sets: they follow neither the size of the batch nor the number of records.
Relation  stated by the caller, because two are in use and they give `sensitivity` different values:
          neighbours="replace_one"         a record is replaced, n fixed; sensitivity = 2C/(q n), as in `bounds.privacy`
          neighbours="add_or_remove_one"   a record is added or removed; sensitivity = C/(q n) for one public n
          Either way `sensitivity` is how far the neighbour moves the noiseless output once the record is kept, and at q = 1 both
          are the full batch at that sensitivity. DP-SGD's noise multiplier is sigma / sensitivity of the second relation.
          Batches of q n records drawn afresh in each step (sampling="without_replacement"): `sensitivity` is how far the output moves
          where one record of a batch is exchanged, 2C/(q n) under both relations, since another takes the place of one that is removed.
          n is then the larger of the two numbers of records. Such batches can leak more (Lebeda et al. 2024, arXiv:2405.20769).
          Shuffling is not covered.
          The sampling has no default: Poisson's accountant underestimates for batches of fixed size.
Measure   the least epsilon, sigma or delta of the composed worst pair below, rounded to the private side.
Source    the worst pairs below; `bounds.privacy.subsampled_pairs` makes them finite, `bounds.privacy.composition` composes them, both with
          proved errors.

The worst pair. Let P_v = N(v, sigma^2 I) and |u|, |v| <= s. Given the other records' coins, a step outputs (1-q) P_0 + q P_u for one
data set, (1-q) P_0 + q P_v for its neighbour, up to a common shift. For a set A with P_0(A) = p, the Neyman-Pearson lemma gives
P_u(A) <= Phi(Phi^-1(p) + s/sigma) and P_v(A) >= Phi(Phi^-1(p) - s/sigma), and a half space with v = -u, |u| = s attains both. So
sup_A P(A) - a P'(A) is largest for v = -u at every a >= 0, in every dimension; joint convexity averages over the coins, and pairs
that dominate each step dominate the composition (Zhu, Dong, Wang 2022, arXiv:2106.08567, adaptive composition of dominating pairs).
Hence replace-one is the pair with shifts -s and +s, s = sensitivity/2, and add-or-remove the two pairs with u = 0 or v = 0,
s = sensitivity.

Fixed size. One step is the theorem of subsampling without replacement (Balle, Barthe, Gaboardi 2018, arXiv:1807.01647; Dong, Roth, Su
2022, arXiv:1905.02383, Theorem 4.2) for a normal release, here with its proof. Given the B - 1 other records of a batch and the one that
takes the place of the record in question where it is not drawn, both uniform, a step outputs (1-q) P_0 + q P_u against
(1-q) P_0 + q P_v with |u|, |v|, |u - v| <= s = sensitivity, q = B/n; a removal has
u = 0 or v = 0. Where P_u(A) = Phi(z), both P_0(A) and P_v(A) are at least Phi(z - s/sigma). So P(A) - a P'(A), a >= 1, is at most
q Phi(z) - (a - 1 + q) Phi(z - s/sigma), which |u| = s, v = 0 attains: sup H_a is that of the pair M = (1-q) P_0 + q P_s against P_0.
The relation is symmetric, so H_a = 1 - a + a H_1/a gives it below a = 1. A pair with this curve exists (M against P_0 where M is larger,
the reverse where smaller, the rest at no loss), dominates every step, and so composes (Zhu, Dong, Wang, Theorem 11). At q = 1 it is the
exact full batch; one step attains it, T steps need not: the answer is an upper bound, exact as every step's loss becomes small.

Accuracy. For delta from 1e-30 to 0.99 sigma is within 0.1 % of the least that the worst pairs allow (some 5e-5 is usual), and so is
epsilon, unless it is far smaller than the deviation of the composed loss, where it is ill-conditioned. Nearer to 1, where a small relative
change of delta is a large one of 1 - delta, below 1e-140, and where sensitivity / sigma is above 4000, the answers are upper bounds
without this accuracy. Beyond T = 1e7 the bounds on rounding errors grow with T: the answers
stay on the private side. sensitivity / sigma and q are taken 8 units larger.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import Any, Literal

from bounds.privacy.composition import log_delta_composed
from bounds.privacy.gaussian import delta_gaussian, epsilon_gaussian, exp_rounded_up, find_private_root, mu_gaussian, sigma_gaussian
from bounds.privacy.release import Neighbours
from bounds.privacy.subsampled_pairs import discretise_pair
from bounds.validate import fraction, inside_unit, non_negative, one_of, positive, positive_integer, validated_strictly

Sampling = Literal["poisson", "without_replacement"]

LEAST = 1e-140  # the least delta that is allowed
MOST_MU, MOST_T = 4000.0, 10**11  # sensitivity over sigma, and steps; beyond, only the full batch and `_probability_sampled` are bounds
_LEVELS, _BELOW = (1e-10, 1e-20, 1e-40, 1e-80, LEAST), 1e-3  # of delta, and how much less each is good for
_OUTWARD = 1 + 2.0**-50  # 8 units: q = B/n, 2C/B, their quotient by sigma are rounded once or twice each
_MARGIN = 1e-5  # of log delta, by which sigma is calibrated to less: what two evaluations of the same delta may differ by


def _check_release(*, T: int, q: float, sensitivity: float, neighbours: str, sampling: str) -> None:
    """Check that sensitivity, T, q, neighbours and sampling are values that the accountant covers; raise ValueError if not."""
    positive(sensitivity=sensitivity)
    positive_integer(T=T)
    fraction(q=q)
    one_of(("add_or_remove_one", "replace_one"), neighbours=neighbours)
    one_of(("poisson", "without_replacement"), sampling=sampling)


def _check_delta(delta: float) -> None:
    """Check that `LEAST` <= delta < 1; raise ValueError otherwise."""
    inside_unit(delta=delta)
    if delta < LEAST:
        raise ValueError(f"delta = {delta!r}: a number of at least {LEAST:g} is needed")


def _probability_sampled(T: int, q: float) -> float:
    """Return the probability that a record is in any of T batches, rounded up: an upper bound on delta without any noise."""
    return -math.expm1(T * math.log1p(-q)) * _OUTWARD


def _worst_pairs(neighbours: str, sampling: str) -> tuple[str, ...]:
    """Return the names of the worst pairs of distributions of one step, as `discretise_pair` takes them."""
    if sampling == "without_replacement":
        return ("fixed_size",)
    return ("remove", "add") if neighbours == "add_or_remove_one" else ("replace_one",)


def _log_curve(
    *, sigma: float, T: int, q: float, sensitivity: float, neighbours: str, sampling: str, near: float
) -> Callable[[float], float]:
    """Return a function epsilon -> upper bound on log delta(epsilon) of T steps, accurate for deltas of at least `near`.

    Losses are cut off at a level that depends on `near` through `_LEVELS` only, so the delta of a calibrated sigma is the required one.
    """
    shift = sensitivity / 2 if sampling == "poisson" and neighbours == "replace_one" else sensitivity
    mu, most = shift / sigma * _OUTWARD, math.log(_probability_sampled(T, q))
    if mu > MOST_MU or T > MOST_T:
        return lambda _: most
    level = next(level for level in _LEVELS if near > level * _BELOW or level == LEAST)
    reach = math.sqrt(2 * (math.log(T) - math.log(level) + 18))
    worst = [discretise_pair(pair, mu, min(1.0, q * _OUTWARD), reach) for pair in _worst_pairs(neighbours, sampling)]
    return lambda epsilon: min(most, max(log_delta_composed(pair, T, epsilon) for pair in worst))


def _guess_epsilon(delta: float, sigma: float, T: int, q: float, sensitivity: float) -> float:
    """Return a starting value for the search of epsilon: that of mu-GDP, mu^2 = T q^2 (e^w - 1), w = min((sensitivity/sigma)^2, 1)."""
    mu = q * math.sqrt(T * math.expm1(min((sensitivity / sigma) ** 2, 1.0)))
    return epsilon_gaussian(delta=delta, sigma=1.0, T=1, sensitivity=mu) or 1e-3 * mu


@validated_strictly
def epsilon_subsampled(
    *, delta: float, sigma: float, T: int, q: float, sensitivity: float, neighbours: Neighbours, sampling: Sampling
) -> float:
    """Return an upper bound on the epsilon of T noisy releases from random batches, at this delta and sigma.

    Parameters
    ----------
    delta
        From 1e-140 to below 1.
    sigma
        Standard deviation of the noise in every coordinate of a release, above 0.
    T
        Number of steps.
    q
        Sampling rate, above 0 and at most 1: probability that a record is in a batch. It is public.
    sensitivity
        How far neighbouring data sets move the noiseless output where the record is in the batch. With norm C and divisor B it is C / B for
        a record that is added or removed (Poisson), and 2 C / B where a record is replaced or batches have a fixed size.
    neighbours
        "add_or_remove_one" or "replace_one".
    sampling
        "poisson" (each record by itself with probability q) or "without_replacement" (batches of fixed size, drawn afresh in each step). It
        has no default: the answer for Poisson sampling is too small for batches of fixed size. Shuffling is not covered.

    Returns
    -------
    float
        An upper bound, within 0.1 % of the least epsilon that the worst pairs allow; see Notes. 0 means (0, delta)-DP.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    Worst pairs, composition and accuracy stand in the docstring of `bounds.privacy.subsampled`. Where epsilon is far smaller than the
    standard deviation of the composed privacy loss, the excess is larger than 0.1 %. For batches of fixed size the worst pair itself is an
    upper bound. With q = 1 the result is that of the full batch, which is exact.

    Examples
    --------
    >>> batches = {"q": 0.01, "sensitivity": 1.0, "neighbours": "add_or_remove_one", "sampling": "poisson"}
    >>> round(lab.subsampled.epsilon_subsampled(delta=1e-6, sigma=1.0, T=100, **batches), 3)
    0.954
    """
    positive(sigma=sigma)
    _check_release(T=T, q=q, sensitivity=sensitivity, neighbours=neighbours, sampling=sampling)
    _check_delta(delta)
    private = epsilon_gaussian(delta=delta, sigma=sigma, T=T, sensitivity=sensitivity)
    if q == 1 or private == 0:
        return private
    if not math.isfinite(private):
        raise OverflowError("the losses leave floating point")
    if _probability_sampled(T, q) <= delta:
        return 0.0
    curve = _log_curve(sigma=sigma, T=T, q=q, sensitivity=sensitivity, neighbours=neighbours, sampling=sampling, near=delta)

    @cache
    def excess(epsilon: float) -> float:
        return curve(epsilon) - math.log(delta) + 2.0**-43  # the logarithms are rounded

    if excess(0.0) <= 0:
        return 0.0
    full_batch, leaky = private, 0.0
    private = min(full_batch, _guess_epsilon(delta, sigma, T, q, sensitivity))
    while excess(private) > 0:
        if private >= full_batch:
            return full_batch
        leaky, private = private, min(2 * private, full_batch)
    while leaky == 0 and excess(private / 4) <= 0:
        private /= 4
    leaky = max(leaky, private / 4)
    return find_private_root(excess, private, leaky, tolerance=1e-9 * private)


@validated_strictly
def delta_subsampled(
    *, epsilon: float, sigma: float, T: int, q: float, sensitivity: float, neighbours: Neighbours, sampling: Sampling
) -> float:
    """Return an upper bound on the delta of T noisy releases from random batches, at this epsilon and sigma.

    Parameters
    ----------
    epsilon
        At least 0.
    sigma, T, q, sensitivity, neighbours, sampling
        As for `epsilon_subsampled`.

    Returns
    -------
    float
        An upper bound. Up to 0.99 it is at most the least delta of a sigma that is 0.1 % smaller.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    As for `epsilon_subsampled`.

    Examples
    --------
    >>> batches = {"q": 0.01, "sensitivity": 1.0, "neighbours": "add_or_remove_one", "sampling": "poisson"}
    >>> f"{lab.subsampled.delta_subsampled(epsilon=1.0, sigma=1.0, T=100, **batches):.2g}"
    '6.7e-07'
    """
    positive(sigma=sigma)
    non_negative(epsilon=epsilon)
    _check_release(T=T, q=q, sensitivity=sensitivity, neighbours=neighbours, sampling=sampling)
    delta = delta_gaussian(epsilon=epsilon, sigma=sigma, T=T, sensitivity=sensitivity)
    if q == 1 or delta < LEAST:
        return delta
    for near in _LEVELS:
        curve = _log_curve(sigma=sigma, T=T, q=q, sensitivity=sensitivity, neighbours=neighbours, sampling=sampling, near=near)
        found = curve(epsilon)
        if found > math.log(near * _BELOW):
            break
    return min(delta, _probability_sampled(T, q), exp_rounded_up(found))


def _guess_sigma(epsilon: float, delta: float, T: int, q: float, sensitivity: float, pair: str) -> float:
    """Return a starting sigma for the search, accurate for many small steps: the chi-square divergence of a step is mu^2 / T."""
    per_step = mu_gaussian(epsilon, delta) ** 2 / (q * q * T)
    if pair == "replace_one":
        return sensitivity / 2 / math.sqrt(math.asinh(per_step / 4))  # q^2 (e^w - e^-w) 2 = mu^2 / T at w = (shift/sigma)^2
    return sensitivity / math.sqrt(math.log1p(per_step))  # q^2 (e^w - 1) = mu^2 / T


@validated_strictly
def sigma_subsampled(
    *, epsilon: float, delta: float, T: int, q: float, sensitivity: float, neighbours: Neighbours, sampling: Sampling
) -> float:
    """Return a sufficient noise (standard deviation) for (epsilon, delta)-DP of T releases from random batches.

    Parameters
    ----------
    epsilon, delta
        Required privacy: epsilon > 0, and delta from 1e-140 to below 1.
    T, q, sensitivity, neighbours, sampling
        As for `epsilon_subsampled`.

    Returns
    -------
    float
        Standard deviation of the noise in every coordinate of a release: an upper bound, within 0.1 % of the least one that the worst pairs
        allow. It is 0 where a record is in any batch at all with probability at most delta, so that no noise is needed.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    As for `epsilon_subsampled`.

    Examples
    --------
    >>> batches = {"q": 0.01, "sensitivity": 1.0, "neighbours": "add_or_remove_one", "sampling": "poisson"}
    >>> round(lab.subsampled.sigma_subsampled(epsilon=2.0, delta=1e-6, T=100, **batches), 3)
    0.802
    """
    positive(epsilon=epsilon)
    _check_release(T=T, q=q, sensitivity=sensitivity, neighbours=neighbours, sampling=sampling)
    _check_delta(delta)
    full_batch = sigma_gaussian(epsilon=epsilon, delta=delta, T=T, sensitivity=sensitivity)
    if q == 1:
        return full_batch
    if _probability_sampled(T, q) <= delta:
        return 0.0
    given: dict[str, Any] = {"T": T, "q": q, "sensitivity": sensitivity, "neighbours": neighbours, "sampling": sampling}

    @cache
    def excess(log_sigma: float) -> float:
        if log_sigma >= math.log(full_batch):
            return -1.0  # by the bound of the full batch
        return _log_curve(sigma=math.exp(log_sigma), near=delta, **given)(epsilon) - math.log(delta) + _MARGIN

    pair = _worst_pairs(neighbours, sampling)[0]
    private = leaky = math.log(min(full_batch, _guess_sigma(epsilon, delta, T, q, sensitivity, pair)))
    step = 0.05
    while excess(private) > 0:
        leaky, private, step = private, private + step, 2 * step
    while excess(leaky) <= 0:
        private, leaky, step = leaky, leaky - step, 2 * step
    return min(full_batch, math.exp(find_private_root(excess, private, leaky, tolerance=2e-6)))
