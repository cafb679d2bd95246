"""Upper bound on delta of T independent releases, by numerical inversion of the Laplace transform of their privacy loss.

Setting   one release is one pair of distributions P, P'; its privacy loss L = log(P/P') has finitely many values, the atoms, under P.
          T releases are T copies.
Measure   an upper bound on delta(epsilon) = E_P max(0, 1 - e^(epsilon - L_1 - ... - L_T)).
Source    1 / (z (z + 1)) is the Laplace transform of max(0, 1 - e^-y). Gopi, Lee, Wutschitz (2021), arXiv:2106.02848, and Zhu, Dong, Wang
          (2022), arXiv:2106.08567, invert Fourier transforms; the tilt by c is Esscher's, as in Alghamdi et al. (2022), arXiv:2208.09595.

The formula. With M(z) = E_P e^(z L) and any c > 0,
    delta(epsilon) = 1/(2 pi) times the integral over t of M(z)^T e^(-z epsilon) / (z (z + 1)),   z = c + i t.
It is replaced by D times the sum over t = j D, j an integer. Each of these steps can only increase delta, for any c, D and mu:
    trapezoid  By Poisson's formula the sum is that of delta(epsilon + k p) e^(c k p) over all integers k, with p = 2 pi / D. No term is
               negative, and the term k = 0 is delta(epsilon).
    kernel     One more release is added, of the Gaussian mechanism with a small mu: its factor is e^(mu^2 z (z + 1) / 2). So the terms
               beyond t are at most those of the integral of e^(-mu^2 t^2 / 2) / t^2, at most e^(-mu^2 t^2 / 2) / (mu^2 t^3).
    rounding   Every M(z) is a sum of N products, whose error is bounded. M^T is a power series with coefficients >= 0, so what the error
               does to it is at most what it does to the series of the absolute values. This bound is added for every t.
c is where the integrand is least on the real line, and p is such that Chernoff's bounds make the other terms of Poisson's formula small.
mu^2 is a share KERNEL of T E (dL/dx)^2, E under the weights e^(c L). Since d log delta / d log sigma is about -c (c + 1) times that sum,
the kernel costs what a change of sigma by KERNEL / 2 costs.

Bands. Where one large loss among T is likelier than many small ones (q T below 1, a small delta), no c serves all of the sum. Then
delta is the sum over bands of losses of the part where the largest of L_1, .., L_T is in the band. Its transform is M_b^T - M_a^T for the
moments M_b of the atoms up to the end of the band, and M_a of those up to its beginning. Each part is inverted as above, with its own c,
p and mu, or bounded by Chernoff's inequality where that is small enough: max(0, 1 - e^-v) <= e^(c v) c^c / (1 + c)^(1 + c).
"""

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Complex = npt.NDArray[np.complex128]

KERNEL = 1e-5  # variance of the added release, as a share of that of the T losses
ALIAS = 14.0  # other terms of Poisson's formula, and those beyond the sum, are some e^-14 of delta
FEW_NODES, MOST_NODES = 2**14, 2**17  # of the sum over t: without bands, and at all
UNIT = 2.0**-53


@dataclass(frozen=True, eq=False)
class Atoms:
    """A discrete privacy loss: masses at increasing losses (k,), slopes dL/dx of the loss there, and `infinite`, the mass at infinity."""

    mass: Array
    loss: Array
    slope: Array
    infinite: float


@dataclass(frozen=True, eq=False)
class _Tilted:
    """Atoms under the weights e^(c L): log M(c), the weights, and the means of the loss and of the squared slope."""

    log_moment: float
    weight: Array
    mean: float
    steep: float


@cache
def _thread_controller() -> Any:
    """Return the controller of BLAS threads, created at first use."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


class _Moments:
    """The moment generating function M(c) = E e^(c L) of the atoms in a slice."""

    def __init__(self, pair: Atoms, part: slice) -> None:
        self.loss, self.square = pair.loss[part], pair.slope[part] ** 2
        self.log_mass = np.log(pair.mass[part])

    def tilted_atoms(self, c: float) -> _Tilted:
        """Return the atoms reweighted by e^(c L) as `_Tilted`: log M(c), weights, and means of the loss and its squared slope."""
        exponent = self.log_mass + c * self.loss
        top = float(exponent.max())
        weight = np.exp(exponent - top)
        total = float(weight.sum())
        weight /= total
        return _Tilted(top + math.log(total), weight, float(weight @ self.loss), float(weight @ self.square))

    def transform(self, weight: Array, middle: float, spacing: float, nodes: int) -> Complex:
        """Return E e^(i t (L - middle)) under the weights at t = 0, spacing, 2 spacing, .. as a complex array (nodes,)."""
        fine = math.isqrt(nodes) + 1
        phase = 1j * spacing * (self.loss - middle)
        left = np.exp(np.multiply.outer(np.arange(-(-nodes // fine)) * float(fine), phase)) * weight
        right = np.exp(np.multiply.outer(phase, np.arange(fine)))
        with _thread_controller().limit(limits=1, user_api="blas"):  # the products are small: threads would wait for each other
            found: Complex = (left @ right).ravel()[:nodes]
        return found

    def error(self, at: _Tilted, c: float, t: npt.NDArray[Any], middle: float) -> Array:
        """Return bounds on the relative error of M(c + i t), relative to M(c), one for each entry of t."""
        size = float(at.weight @ np.abs(self.loss))
        exponents = float(at.weight @ np.abs(self.log_mass)) + c * size + abs(at.log_moment)
        return UNIT * (3 * self.loss.size + 64 + 8 * exponents + 8 * t * (size + abs(middle)))


def _complex_power(z: npt.NDArray[Any], T: int) -> Complex:
    """Return z^T elementwise for a complex array z, computed through logarithms."""
    found: Complex = np.exp(T * (np.log(np.maximum(np.abs(z), 1e-300)) + 1j * np.angle(z)))
    return found


class _Band:
    """The part of delta where the largest loss lies in a band.

    Its transform is M_b^T - M_a^T, with b the atoms up to the end of the band and a those below it.
    """

    def __init__(self, pair: Atoms, T: int, start: int, end: int) -> None:
        self.T, self.most = T, float(pair.loss[end - 1])
        self.band = _Moments(pair, slice(start, end))
        self.below = _Moments(pair, slice(0, start)) if start else None

    def log_transform(self, c: float) -> tuple[float, float, float]:
        """Return the log of the transform at c, its derivative in c, and the mean of the sum of the squared slopes of the losses."""
        band = self.band.tilted_atoms(c)
        if self.below is None:
            return self.T * band.log_moment, self.T * band.mean, self.T * band.steep
        below = self.below.tilted_atoms(c)
        log_ratio = max(band.log_moment - below.log_moment, -600.0)
        grown = self.T * float(np.logaddexp(0.0, log_ratio))  # T log(1 + M_band / M_a)
        number = self.T / -math.expm1(-grown) / (1 + math.exp(-log_ratio))  # mean number of losses in the band
        return (
            self.T * below.log_moment + grown + math.log(-math.expm1(-grown)),
            self.T * below.mean + number * (band.mean - below.mean),
            self.T * below.steep + number * (band.steep - below.steep),
        )

    def tilt(self, epsilon: float) -> float:
        """Return the c > 0 that minimises the transform times e^(-c epsilon) / (c (c + 1)), whose logarithm is convex."""
        from scipy.optimize import brentq

        def slope(log_c: float) -> float:
            c = math.exp(log_c)
            return c * (self.log_transform(c)[1] - epsilon) - 1 - c / (c + 1)

        low = high = -math.log(math.sqrt(self.log_transform(0.0)[2]) + epsilon / 10 + 1e-300)
        while slope(low) > 0:
            low -= 2
        while slope(high) <= 0:
            low, high = high, high + 2
        return math.exp(brentq(slope, low, high, xtol=1e-2))

    def log_chernoff_bound(self, epsilon: float, c: float) -> float:
        """Return Chernoff's bound at tilt c on the logarithm of this part of delta."""
        log_value = self.log_transform(c)[0]
        lost = max(float(part.error(part.tilted_atoms(c), c, np.zeros(1), 0.0)[0]) for part in (self.band, self.below) if part)
        rounding = self.T * lost + 8 * UNIT * (abs(log_value) + c * epsilon + (1 + c) * math.log1p(c) + 700)
        return log_value - c * epsilon + c * math.log(c) - (1 + c) * math.log1p(c) + rounding

    def period(self, epsilon: float, c: float, log_delta: float) -> float:
        """Return a period p for which Chernoff's bounds make the terms delta(epsilon + k p) e^(c k p), k != 0, small relative to delta."""

        def bound(at: float) -> float:
            return self.log_transform(at)[0] - at * epsilon - log_delta + ALIAS

        above = min(bound(c * (1 + 2.0**k)) / (c * 2.0**k) for k in range(-3, 8))
        below = min(bound(c * (1 - 2.0**-k)) / (c * 2.0**-k) for k in range(6))
        return max(above, below, 1e-3 / c)

    def transforms(self, c: float, middle: float, spacing: float, nodes: int) -> tuple[float, Complex, Array]:
        """Return (s, f, errors): the transform at c + i t is e^(s + i T t middle) f at t = 0, spacing, .. with f, errors (nodes,)."""
        T, t = self.T, spacing * np.arange(nodes)
        band = self.band.tilted_atoms(c)
        B, lost_B = self.band.transform(band.weight, middle, spacing, nodes), self.band.error(band, c, t, middle)
        if self.below is None:
            size = np.abs(B)
            lost: Array = np.exp(T * np.log(size + lost_B)) - np.exp(T * np.log(np.maximum(size, 1e-300)))
            return T * band.log_moment, _complex_power(B, T), lost
        below = self.below.tilted_atoms(c)
        whole = float(np.logaddexp(band.log_moment, below.log_moment))
        share, others = math.exp(band.log_moment - whole), math.exp(below.log_moment - whole)
        scale = min(1.0, T * share)
        A = others * self.below.transform(below.weight, middle, spacing, nodes)
        lost_A = others * self.below.error(below, c, t, middle)
        B, lost_B = share * B, share * lost_B
        small = np.abs(B) * max(T, 2) < np.abs(A)
        quotient = np.where(small, B / np.where(small, A, 1.0), 0.0)
        grown = T * (np.log1p(2 * quotient.real + np.abs(quotient) ** 2) / 2 + 1j * np.angle(1 + quotient))  # T log(1 + B/A)
        power_A, power = _complex_power(A, T), _complex_power(A + B, T)
        found: Complex = np.where(small, power_A * np.expm1(np.where(small, grown, 0.0)), power - power_A)
        a, b = np.maximum(np.abs(A) + lost_A, 1e-300), np.abs(B) + lost_B
        lost = T * np.exp((T - 1) * np.log(a + b)) * (lost_A * -np.expm1(-(T - 1) * np.log1p(b / a)) + lost_B)
        return T * whole + math.log(scale), found / scale, lost / scale

    def log_delta(self, epsilon: float, c: float, most_nodes: int) -> tuple[float, float]:
        """Return an upper bound on the logarithm of this part of delta, and its saddle-point estimate."""
        log_value, mean, steep = self.log_transform(c)
        further = c * 1.001
        curvature = max((self.log_transform(further)[1] - mean) / (further - c), 0.0) + 1 / c**2 + 1 / (c + 1) ** 2
        guess = log_value - c * epsilon - math.log(c) - math.log1p(c) - 0.5 * math.log(2 * math.pi * curvature)
        spacing = 2 * math.pi / self.period(epsilon, c, guess)
        mu = max(math.sqrt(KERNEL * steep), 1e-4 / (c + 1))
        end = math.sqrt(2 * max(4.0, ALIAS + 0.5 * math.log(curvature) + math.log(c) + math.log1p(c) + math.log(mu) - 3.0)) / mu
        nodes = math.ceil(end / spacing) + 2
        if nodes > most_nodes:
            if most_nodes < MOST_NODES:
                return math.inf, guess
            nodes = most_nodes
            mu *= end / (spacing * (nodes - 2))
        t = spacing * np.arange(nodes)
        z = c + 1j * t
        middle = mean / self.T
        log_scale, moments, lost = self.transforms(c, middle, spacing, nodes)
        turn = np.exp(1j * t * (mean - epsilon + mu * mu * (c + 0.5))) / (z * (z + 1))
        lost = lost + np.abs(moments) * UNIT * (64 + 8 * t * (abs(mean) + epsilon))
        terms = np.exp(-((mu * t) ** 2) / 2) * ((moments * turn).real + lost * np.abs(turn))
        last = float(t[-1])
        tail = math.exp(log_value - log_scale - (mu * last) ** 2 / 2) / (mu * mu * last**3) / math.pi
        found = spacing / math.pi * (float(terms.sum()) - float(terms[0]) / 2) + tail
        if not found > 0:  # no upper bound can be: the arithmetic has failed
            return math.inf, guess
        rounding = 8 * UNIT * (abs(log_scale) + c * epsilon + 700)
        return log_scale - c * epsilon + mu * mu * c * (c + 1) / 2 + math.log(found) + rounding, guess


def _log_delta_one_release(pair: Atoms, epsilon: float) -> float:
    """Return an upper bound on log delta(epsilon) of a single release, whose privacy loss has these atoms."""
    total = float(pair.mass @ -np.expm1(np.minimum(epsilon - pair.loss, 0))) * (1 + 4 * pair.mass.size * UNIT)
    doubt = float(pair.mass[pair.loss > epsilon * (1 - 4 * UNIT)].sum()) * 4 * UNIT * epsilon
    return math.log(total + doubt + pair.infinite)


def _band_starts(pair: Atoms, T: int, epsilon: float) -> list[int]:
    """Return the index of the first atom of each band: 0, the loss that about one of T releases exceeds, and its doublings."""
    tail = np.cumsum(pair.mass[::-1])[::-1]
    usual = float(pair.loss[max(0, int(np.searchsorted(-tail, -1.0 / T)) - 1)])
    edge, most, starts = max(usual, epsilon / 1024, float(pair.loss[-1]) * 2.0**-24), float(pair.loss[-1]), [0]
    while edge < most:
        start = int(np.searchsorted(pair.loss, edge, side="right"))
        if start > starts[-1] and start < pair.loss.size:
            starts.append(start)
        edge *= 2
    return starts


def _log_delta_by_bands(pair: Atoms, T: int, epsilon: float) -> float:
    """Return an upper bound on log delta(epsilon) of T copies of the finite losses, summed over bands."""
    starts, total, open_bands = _band_starts(pair, T, epsilon), -math.inf, []
    for start, end in zip(starts, [*starts[1:], pair.loss.size], strict=True):
        band = _Band(pair, T, start, end)
        if (known := _log_delta_small_losses(band.most, T, epsilon)) is not None:
            total = float(np.logaddexp(total, known + math.log(min(1.0, T * float(pair.mass[start:end].sum()) * (1 + 1e-9)))))
        else:
            c = band.tilt(epsilon)
            open_bands.append((band.log_chernoff_bound(epsilon, c), c, band))
    for bound, c, band in sorted(open_bands, key=lambda one: -one[0]):
        found = bound if bound < total - ALIAS - 2 else min(bound, band.log_delta(epsilon, c, MOST_NODES)[0])
        total = float(np.logaddexp(total, found))
    return total


def _log_delta_small_losses(most: float, T: int, epsilon: float) -> float | None:
    """Return an upper bound on log delta if T times the largest loss exceeds epsilon by rounding at most, else None."""
    doubt = 8 * UNIT * (abs(T * most) + epsilon)
    gap = T * most - epsilon
    if gap > 1e6 * doubt:
        return None
    return -math.inf if gap < -doubt else math.log(1e6 * doubt + doubt + 1e-300)


def log_delta_composed(pair: Atoms, T: int, epsilon: float) -> float:
    """Return an upper bound on log delta(epsilon) of T copies of a privacy loss."""
    far = math.log(T * pair.infinite)
    if T == 1:
        return _log_delta_one_release(pair, epsilon)
    if (known := _log_delta_small_losses(float(pair.loss[-1]), T, epsilon)) is not None:
        return float(np.logaddexp(far, known))
    every = _Band(pair, T, 0, pair.loss.size)
    found, guess = every.log_delta(epsilon, every.tilt(epsilon), FEW_NODES)
    if abs(found - guess) > 0.1:  # nothing of it is normal
        found = min(found, _log_delta_by_bands(pair, T, epsilon))
    return float(np.logaddexp(found, far))
