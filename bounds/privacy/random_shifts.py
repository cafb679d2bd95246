"""Privacy of Gaussian releases whose queries move by a public random amount, in distribution at most `scale` |N|, N standard normal.

Setting   each of T steps draws public randomness u_t, fresh and independent of the past and of the data, and releases a query plus
          N(0, sigma^2 I). Given the past and u_t, neighbours move the query by |Delta_t|, and P(|Delta_t| > x) <= P(scale |N| > x) for
          every past, N a standard normal variable. `cap`: in addition |Delta_t| <= cap, as clipping ensures; inf without clipping.
Released  "path"      all T releases
          "uniform"   x_tau, a function of tau and of the first tau releases, tau uniform on 0..T-1, published or not
Measure   upper bounds on delta(epsilon), epsilon(delta) and sigma. With a = scale / sigma and chi_k the length of k standard normal
          variables
          path      delta(epsilon) <= E delta_G(epsilon; a chi_T),   delta_G(epsilon; mu) the curve of mu-GDP of `bounds.privacy`
          uniform   delta(epsilon) <= the average over k = 0..T-1 of E delta_G(epsilon; a chi_k)
Source    ours; dominating pairs: Zhu, Dong, Wang (2022), arXiv:2106.08567, Theorem 10; composition without adaptation: the same source.

Proof of the measure. Given the past and u_t the release is a normal variable that moves by |Delta_t|; with u_t published the curve of the
step is the mean of delta_G(epsilon; |Delta_t| / sigma), and delta_G increases in mu, so it is at most the mean of delta_G(epsilon; a |N|),
for epsilon below 0 as well, where the curve is 1 - e^epsilon + e^epsilon times that at -epsilon with the two data sets exchanged. This is
the curve of the pair (|N|, N(a |N|, 1)) against (|N|, N(0, 1)), which therefore dominates the step for every past. Dominating pairs compose
adaptively; T copies, given their |N_t|, are one Gaussian release with mu = a chi_T. If tau is drawn before the run, independently of it,
the curve with tau published is the average of those given tau, and an output without tau is no less private. With a cap the shift of k
steps is at most the smaller of a chi_k and sqrt(k) cap / sigma.

How the mean is computed. d delta_G / d mu = phi(epsilon / mu - mu / 2) =: h(mu) (phi the normal density), so the mean is the integral of
h(m) S(m / a) over m > 0, S(x) = P(chi_T > x), or the average of P(chi_k > x). Both factors are log-concave:
    h            the second derivative of its logarithm is -3 epsilon^2 / m^4 - 1/4
    chi_T        its density is, hence its tail is
    the average  its density is in proportion to e^{-y^2} B(y), y = x / sqrt(2), B = sum_{i <= M} y^i / Gamma((i + 1) / 2), M = T - 2. Its
                 logarithmic slope is (A - 2 y^M / Gamma(M / 2) - 2 y^{M+1} / Gamma((M + 1) / 2)) / B with
                 A = sum_{i < M} y^i / Gamma(i / 2 + 1). That falls: y^M / B and y^{M+1} / B rise, and A / B falls since the ratio of
                 its coefficients does (Biernacki, Krzyz 1955).
So the integrand lies below its logarithmic tangents, one at the middle of each cell: an upper bound with an error of second order and no
quadrature rule. There are `CELLS` of them on either side of the mode, and each in which the slope changes much is halved: at many steps S
falls from 1 to 0 within a share 1/sqrt(T) of the length, which may lie anywhere beside the mode of the product. Left of the cells stands
delta_G itself, right of them S or the last tangent. The average has a closed form: sum_{j <= m} Q(j, l) = E (G_m - l)_+ =: F(m), l = x^2 /
2, G_m a Gamma variable, Q its tail, and F(b + m) - F(b) is the sum of Q(b + j).
Not proved: SciPy's Q is assumed to be right to 1e-11, as the tests find at all T against 30 digits; a margin of that size, times the
conditioning of what follows, is added. Above `LONG` steps chi_k^2 <= k + 2 sqrt(k l) + 2 l but with probability e^-l (Laurent, Massart
2000, Lemma 1) replaces Q.
"""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from bounds.privacy.budget import Budget
from bounds.privacy.gaussian import LARGEST_MU, find_private_root, largest_mu, log_delta, require_full_precision
from bounds.privacy.random_iterate import needs_no_noise, possible_steps
from bounds.validate import inside_unit, non_negative, one_of, positive, validated

Array = npt.NDArray[np.float64]
Released = Literal["path", "uniform"]
RELEASED = ("path", "uniform")

CELLS = 1500  # on either side of the mode, to begin with
TURN = 1e-4  # most change of the logarithmic slope over a cell, times its width: a tangent errs by about a 24th of it
LONG = 2**40  # steps
LEAST = 1e-200  # the least delta that is distinguished from 0
_DROP = 60.0  # the cells end where the integrand is below e^-60 of its largest value
_FLOOR = 1e-290  # of a tail in full precision
_RARE = 500.0  # the l of the last sentence above: e^-500 < LEAST
_UP = 1 + 2.0**-30


@dataclass(frozen=True)
class _LengthTail:
    """The log-concave tail S(x) = P(length > x) of the composed shift, chi_T or a mixture of chi_k; x is in units of `scale`."""

    T: int
    released: Released

    @property
    def most_releases(self) -> int:
        """The largest number of releases that the output depends on: T for the path, T - 1 for x_tau."""
        return self.T if self.released == "path" else self.T - 1

    @property
    def length_limit(self) -> float:
        """A length, in units of `scale`, beyond which the tail S is below `_FLOOR` or is 0."""
        if self.T > LONG:
            return math.sqrt(self.T + 2 * math.sqrt(self.T * _RARE) + 2 * _RARE)
        return math.sqrt(self.most_releases + 60 * math.sqrt(self.most_releases) + 1500)

    def relative_error(self, x: Array) -> Array:
        """Return a bound on the relative error of S(x), one for each entry of x."""
        shape = self.most_releases / 2
        far = np.maximum(x * x / 2 - shape, 0) / math.sqrt(shape)
        return 1e-11 * (1 + far * far) + 2.0**-50 * math.sqrt(self.T) * (1 + far) * (1 + far * far)

    def tail(self, x: Array) -> tuple[Array, Array]:
        """Return the tail S(x) = P(length > x) and its density -S'(x), arrays like x; upper bounds above `LONG` steps."""
        if self.T > LONG:
            return self._rough_tail(x)
        from scipy.special import gammaincc

        half = x * x / 2
        if self.released == "path":
            return gammaincc(self.T / 2, half), 2 * _gamma_weight(self.T / 2, half) / x
        even, odd = (self.T - 1) // 2, self.T // 2 - 0.5  # of 1..T-1: 2, 4, .., 2 even and 1, 3, .., 2 odd
        first, last = gammaincc(0.5, half), gammaincc(odd, half)
        tail, slope = first + _mean_excess(odd, half, last) - _mean_excess(0.5, half, first), last - first + _gamma_weight(0.5, half) / half
        if even:
            also = gammaincc(even, half)
            tail, slope = tail + _mean_excess(even, half, also), slope + also
        return np.maximum(tail, 0) / self.T, x * slope / self.T

    def _rough_tail(self, x: Array) -> tuple[Array, Array]:
        """Return an upper bound on S(x), and minus its slope, for T above `LONG`, from the tail bound of Laurent and Massart."""
        root = np.sqrt(np.maximum(x * x - _RARE, _RARE))  # below sqrt(2 l) S is 1 - 1/T; this is a little above
        least = root - math.sqrt(_RARE)
        inside = x * x > 2 * _RARE
        return np.maximum(1 - least * least / self.T, 0), np.where(inside, 2 * least * x / root / self.T, 0)


def _gamma_weight(shape: float, half: Array) -> Array:
    """Return half^shape e^-half / Gamma(shape), an array like half."""
    from scipy.special import gammaln

    if shape < 20:
        return np.exp(shape * np.log(half) - half - gammaln(shape))
    over = np.maximum(half / shape - 1, -1 + 2.0**-50)  # where the weight is 0
    stirling = 1 / (12 * shape) - 1 / (360 * shape**3) + 1 / (1260 * shape**5)
    return math.sqrt(shape / (2 * math.pi)) * np.exp(-shape * (over - np.log1p(over)) - stirling)


def _mean_excess(shape: float, half: Array, tail: Array) -> Array:
    """Return the mean excess E (G - half)_+ of a Gamma variable G of this shape, given its tail P(G > half)."""
    return (shape - half) * tail + _gamma_weight(shape, half)


def _refine_cells(edges: Array, integrand: Callable[[Array], tuple[Array, Array, Array]], enough: float) -> Array:
    """Halve cells over which the slope of log integrand times width turns by over `TURN` and the log exceeds `enough`; return edges."""
    log, slope, _ = integrand(edges)
    for _ in range(60):
        turns = (slope[:-1] - slope[1:]) * np.diff(edges)
        cells = np.flatnonzero((turns > TURN) & (np.maximum(log[:-1], log[1:]) > enough))
        middle = (edges[cells] + edges[cells + 1]) / 2
        if not cells.size or np.any(middle == edges[cells]):
            break
        more = integrand(middle)
        edges, log, slope = (np.insert(old, cells + 1, new) for old, new in zip((edges, log, slope), (middle, *more[:2]), strict=True))
    return edges


def _tangent_bound(law: _LengthTail, epsilon: float, a: float, end: float) -> float:
    """Return an upper bound on the integral of h(m) S(m / a) over 0 < m < end, the mean privacy curve up to a cap."""

    def integrand(m: Array) -> tuple[Array, Array, Array]:
        """Return the logarithm of the integrand at m, its derivative in m, and S(m / a)."""
        tail, steep = law.tail(m / a)
        x = epsilon / m - m / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = x * (epsilon / m / m + 0.5) - steep / tail / a
        seen = tail > _FLOOR
        log = -x * x / 2 - 0.5 * math.log(2 * math.pi) + np.log(np.where(seen, tail, 1.0))
        return np.where(seen, log, -np.inf), np.where(seen, slope, -np.inf), tail

    def last(holds: Callable[[float], bool], low: float, high: float, halvings: int = 24) -> float:
        """Return the end of the interval from `low` where `holds` is true, by bisection, rounded to the side where it is true."""
        if holds(high):
            return high
        for _ in range(halvings):
            middle = (low + high) / 2
            low, high = (middle, high) if holds(middle) else (low, middle)
        return low

    def at(m: float) -> tuple[float, float, float]:
        log, slope, tail = integrand(np.array([m]))
        return float(log[0]), float(slope[0]), float(tail[0])

    right = min(end, a * law.length_limit)
    first = min(1e-15 * a, right / 2)
    mode = last(lambda m: at(m)[1] > 0, first, right, 44)
    enough = at(mode)[0] - _DROP
    right = last(lambda m: at(m)[0] > enough, mode, right)
    left = (
        first if at(first)[0] > enough else right - last(lambda gap: at(max(first, right - gap))[0] > enough, right - mode, right - first)
    )
    edges = _refine_cells(np.concatenate([np.linspace(left, mode, CELLS + 1), np.linspace(mode, right, CELLS + 1)[1:]]), integrand, enough)
    middle, width = (edges[1:] + edges[:-1]) / 2, np.diff(edges)
    log, slope, _ = integrand(middle)
    turn = np.abs(slope * width / 2)
    shape = np.where(turn < 1e-4, 1 + turn * turn / 5, np.sinh(turn) / np.maximum(turn, 1e-4))  # sinh(y) / y, from above
    total = float(np.sum(np.where(width > 0, np.exp(log) * width * shape * (1 + law.relative_error(middle / a)), 0)))
    log_left, slope_left, _ = at(left)
    below = math.exp(log_delta(epsilon=epsilon, mu=left))
    if slope_left > 0:  # the tangent there, too, is above the integrand
        below = min(below, math.exp(log_left) / slope_left * (1 + float(law.relative_error(np.array([left / a]))[0])))
    total += below
    if right < end:
        log_end, slope_end, tail_end = at(right)
        beyond = tail_end if slope_end >= 0 else min(tail_end, -math.exp(log_end) / slope_end)
        total += beyond * (1 + float(law.relative_error(np.array([right / a]))[0]))
    return total * _UP


def _delta_bound(epsilon: float, a: float, T: int, released: Released, cap: float) -> float:
    """Return the upper bound on delta(epsilon) at a = scale / sigma, shifts capped at `cap` times `scale`; never below `LEAST`."""
    law = _LengthTail(T, released)
    if law.most_releases == 0:
        return 0.0
    end = a * cap * math.sqrt(law.most_releases)
    if min(end, a * law.length_limit) > LARGEST_MU:
        return 1.0
    if T > LONG and released == "path":
        total = math.exp(log_delta(epsilon=epsilon, mu=min(end, a * law.length_limit))) * _UP
    else:
        total = _tangent_bound(law, epsilon, a, end)
    return min(max(total + math.exp(-_RARE), LEAST), 1.0)


def _relative_cap(T: int, scale: float, released: str, cap: float) -> float:
    """Check the arguments of a release and return the cap divided by the scale, rounded up."""
    possible_steps(T)
    positive(scale=scale)
    one_of(RELEASED, released=released)
    if cap == math.inf:
        return cap
    positive(cap=cap)
    if cap / scale < 1e-150:
        raise ValueError(f"cap = {cap!r}: at least 1e-150 times scale = {scale!r} is needed")
    return cap / scale * (1 + 2.0**-51)


def _check_delta(delta: float) -> None:
    """Check that 10 `LEAST` <= delta < 1, where delta can be distinguished from 0; raise ValueError otherwise."""
    inside_unit(delta=delta)
    if delta < 10 * LEAST:
        raise ValueError(f"delta = {delta!r}: a number of at least {10 * LEAST:g} is needed")


@validated
def delta_random_shifts(
    *, epsilon: float, sigma: float, T: int, scale: float, released: Released = "path", cap: float = math.inf
) -> float:  # fmt: skip
    """Return an upper bound on the delta of T releases with random shifts at this epsilon; at least `LEAST`, or 0 for no release."""
    non_negative(epsilon=epsilon)
    positive(sigma=sigma)
    units = _relative_cap(T, scale, released, cap)
    return _delta_bound(float(epsilon), require_full_precision(scale / sigma) * (1 + 2.0**-51), T, released, units)


@validated
def unit_sigma(*, epsilon: float, delta: float, T: int, released: Released = "path", cap: float = math.inf) -> float:
    """Return a ratio sigma / scale sufficient for (epsilon, delta)-DP of T releases with random shifts; `cap` is in units of scale.

    Needs delta >= 1e-199. The result is 0 if nothing is released, or x_0 alone with probability 1 - delta; else within about 1e-6 of the
    least ratio that the bound on delta allows.
    """
    budget = Budget(epsilon, delta)
    _check_delta(delta)
    return least_unit_sigma(budget, T, released, _relative_cap(T, 1.0, released, cap))


@lru_cache(maxsize=4096)
def least_unit_sigma(budget: Budget, T: int, released: Released, cap: float) -> float:
    """Return a sufficient ratio sigma / scale of T releases with random shifts for a checked budget; 0 if no noise is needed."""
    epsilon, delta = budget.epsilon, budget.delta
    most = _LengthTail(T, released).most_releases
    if most == 0 or (released == "uniform" and needs_no_noise(delta, T)):
        return 0.0

    def excess(log_a: float) -> float:
        return math.log(_delta_bound(epsilon, math.exp(log_a), T, released, cap)) - math.log(delta)

    private = math.log(largest_mu(budget) / math.sqrt(most) / min(1.0, cap))
    while excess(private) > 0:
        private -= 0.25
    leaky = private + 0.25
    while excess(leaky) <= 0:
        private, leaky = leaky, leaky + 0.25
    return math.exp(-find_private_root(excess, private, leaky, tolerance=1e-9)) * (1 + 2.0**-48)


@validated
def sigma_random_shifts(
    *, epsilon: float, delta: float, T: int, scale: float, released: Released = "path", cap: float = math.inf
) -> float:  # fmt: skip
    """Return a sigma sufficient for (epsilon, delta)-DP of T Gaussian releases of random sensitivity, in law at most scale |N(0, 1)|."""
    budget, units = Budget(epsilon, delta), _relative_cap(T, scale, released, cap)
    _check_delta(delta)
    return least_sigma_random_shifts(budget, T, scale, released, units)


def least_sigma_random_shifts(budget: Budget, T: int, scale: float, released: Released, cap: float = math.inf) -> float:
    """Return a sufficient sigma of T releases with random shifts for a checked budget; `cap` is in units of the scale."""
    sigma = least_unit_sigma(budget, T, released, cap) * scale * (1 + 2.0**-51)
    return require_full_precision(sigma) if sigma else 0.0


@validated
def epsilon_random_shifts(
    *, delta: float, sigma: float, T: int, scale: float, released: Released = "path", cap: float = math.inf
) -> float:  # fmt: skip
    """Return an upper bound on the epsilon of T releases with random shifts at this delta; inf if it is above 1e6."""
    _check_delta(delta)
    positive(sigma=sigma)
    units = _relative_cap(T, scale, released, cap)
    a = require_full_precision(scale / sigma) * (1 + 2.0**-51)

    def excess(epsilon: float) -> float:
        # the logarithms are rounded: the returned epsilon spends no more than delta, to the last bit
        return math.log(max(_delta_bound(epsilon, a, T, released, units), sys.float_info.min)) - math.log(delta) + 2.0**-43

    if excess(0.0) <= 0:
        return 0.0
    private = 1.0
    while excess(private) > 0:
        private *= 2
        if private > 1e6:
            return math.inf
    return find_private_root(excess, private, 0.0, tolerance=1e-9)
