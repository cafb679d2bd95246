"""Formulas of the sharp DP-GRAPE theorem, for floats, arrays of floats or symbols, and the schedule of least bound.

Setting   that of `sharp_clip.page`; x = r C^2 / Gamma^2, chi^2_k a chi-square variable with k degrees of freedom.
Method    psi_u at Y_k = (Gamma^2/r) chi^2_k is max(0, chi^2_k - y)/(2 u^3 x) with y = x (3 u^2 - 2 u^3), below 0 from u = 3/2 on; the least
          mean over a grid of u is taken, and the bound holds for any u. Means are sums of positive terms. Nothing here imports SymPy or
          SciPy.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bounds.validate import positive, positive_integer, short_repr, validated

Array = npt.NDArray[np.float64]
TOUCHES = (*np.linspace(1, 1.5, 21).tolist(), *np.geomspace(1.55, 8, 20).tolist())  # the u that are tried
LEAST = 1e-30  # a mean is rounded up to this
ROUNDED = 1e-9  # by which means are rounded up: their sums err by less than 1e-12 up to r = MOST_R, as the tests find in 60 digits
MOST_R = 2**16  # of a mean, which is a sum of r/2 terms
SHARE = 0.01  # the fewest steps are taken whose bound is within this share of the best


def coefficients(
    *, alpha: Any, T: Any, d: Any, L: Any, ell: Any, gap: Any, sigma: Any, stretch: Any, sampling: Any, beta: Any, omega: Any
) -> tuple[Any, Any, Any]:
    """Return a, b and R of the quadratic (1 - a) y^2 - b y = R of dp_grape.sharp_clip_bias."""
    rate = alpha * ell
    a = beta / 2 + rate * stretch / 2
    b = L * (beta / 2 + rate * stretch * omega)
    R = gap / (alpha * T) + rate / 2 * (d * sigma**2 + stretch * L**2 * (omega**2 + sampling))
    return a, b, R


def larger_root(a: Any, b: Any, R: Any, sqrt: Callable[[Any], Any] = np.sqrt) -> Any:
    """Return the positive root y of (1 - a) y^2 - b y = R."""
    return (b + sqrt(b**2 + 4 * (1 - a) * R)) / (2 * (1 - a))


def excess_moments(k: int, y: float) -> tuple[float, float]:
    """Return E max(0, chi^2_k - y) and E max(0, chi^2_k - y)^2, as sums of positive terms.

    With G a Gamma variable of shape a = k/2 and h = y/2 they are 2 E (G - h)_+ and 4 E (G - h)_+^2, and for every smooth g that is 0 at 0
    increasing the shape by one adds E g'(G_{a+1}) to E g(G_a): each of P(G > h), E (G - h)_+ and E (G - h)_+^2 is summed up from the one
    before.
    """
    if y <= 0:
        return k - y, k * (k + 2) - 2 * y * k + y**2
    h, shape = y / 2, np.arange(0.5 if k % 2 else 0.0, k / 2 + 0.25)  # of the G, up to a
    weight = np.exp(_log_weights(shape, h))  # h^shape e^-h / Gamma(shape + 1), the increase of P(G > h) per unit of the shape
    if k % 2:
        root = math.sqrt(h)
        tail, density = math.erfc(root), math.exp(-h) / math.sqrt(math.pi)
        first = max((0.5 - h) * tail + root * density, 0.0)
        second = max((0.75 - h + h * h) * tail + (1.5 - h) * root * density, 0.0)
    else:
        tail = first = second = 0.0  # the shape 0 is the variable 0
    probability = tail + np.concatenate([[0.0], np.cumsum(weight[:-1])])
    mean = first + np.concatenate([[0.0], np.cumsum(probability[1:])])
    square = second + 2 * float(np.sum(mean[1:]))
    return 2 * float(mean[-1]), 4 * square


def _log_weights(shape: Array, h: float) -> Array:
    """Return log(h^a e^-h / Gamma(a + 1)) for each shape a, by Stirling's series from a = 16 on."""
    found = np.array([a * math.log(h) - h - math.lgamma(a + 1) for a in shape[shape < 16].tolist()])
    a = shape[shape >= 16]
    over = np.maximum(a / h - 1, -1 + 2.0**-50)  # where the weight is 0
    series = 1 / (12 * a) - 1 / (360 * a**3) + 1 / (1260 * a**5) - 1 / (1680 * a**7)
    return np.concatenate([found, -h * ((1 + over) * np.log1p(over) - over) - np.log(2 * math.pi * a) / 2 - series])


def _check_rank(r: int) -> None:
    """Check that r is an integer from 1 to `MOST_R`; raise ValueError otherwise."""
    positive_integer(r=r)
    if r > MOST_R:
        raise ValueError(f"r = {short_repr(r)}: at most {MOST_R} is needed, the sums for more would take too long")


@validated
def tangent_mean(k: int, x: float, u: float) -> float:
    """Return E psi_u of a chi-square with k degrees of freedom, psi_u = max(0, chi^2_k/x - 3 u^2 + 2 u^3) / (2 u^3)."""
    _check_tangent(k, x, u)
    return excess_moments(k, x * u**2 * (3 - 2 * u))[0] / (2 * u**3 * x)


@validated
def tangent_mean_sq(k: int, x: float, u: float) -> float:
    """Return E psi_u^2 of a chi-square with k degrees of freedom, with the psi_u of `tangent_mean`."""
    _check_tangent(k, x, u)
    return excess_moments(k, x * u**2 * (3 - 2 * u))[1] / (2 * u**3 * x) ** 2


def _check_tangent(k: int, x: float, u: float) -> None:
    """Check that k is an integer of at least 1 and x, u are above 0; raise ValueError otherwise."""
    positive_integer(k=k)
    positive(x=x, u=u)


@validated
def clip_loss(r: int, ratio: float) -> float:
    """Return beta of dp_grape.sharp_clip at ratio C/Gamma, rounded up: least mean of psi_u over a grid of u, r + 2 degrees of freedom."""
    _check_rank(r)
    positive(ratio=ratio)
    return max(LEAST, (1 + ROUNDED) * min(tangent_mean(r + 2, r * ratio**2, u) for u in TOUCHES))


@validated
def clip_spread(r: int, ratio: float) -> float:
    """Return omega of dp_grape.sharp_clip, rounded up: the root of the least E psi_u^2 over u at r + 4 degrees; ratio = C/Gamma."""
    _check_rank(r)
    positive(ratio=ratio)
    return math.sqrt(max(LEAST, (1 + ROUNDED) * min(tangent_mean_sq(r + 4, r * ratio**2, u) for u in TOUCHES)))


@dataclass(frozen=True)
class BestSchedule:
    """A schedule, the clipping constants beta and omega at its C, and its bound."""

    alpha: float
    T: int
    C: float
    beta: float
    omega: float
    bound: float


@dataclass(frozen=True)
class Problem:
    """A problem in the glossary's letters, with sigma = `noise` C sqrt(T); `sampling` is 0 for full batches, else 1/B."""

    d: float
    L: float
    ell: float
    gap: float
    r: int
    stretch: float
    sampling: float
    noise: float

    def bound_values(self, alpha: Any, T: float, C: Any, beta: Any, omega: Any) -> Any:
        """Return the bound of dp_grape.sharp_clip_bias at a schedule, inf where a >= 1 makes it invalid; arrays broadcast."""
        known = {"d": self.d, "L": self.L, "ell": self.ell, "gap": self.gap, "stretch": self.stretch, "sampling": self.sampling}
        a, b, R = coefficients(alpha=alpha, T=T, sigma=self.noise * C * math.sqrt(T), beta=beta, omega=omega, **known)
        room = np.where(a < 1, 1 - a, 1.0)
        return np.where(a < 1, larger_root(1 - room, b, R) ** 2, np.inf)

    def threshold_table(self, low: float, high: float, number: int) -> tuple[Array, Array, Array]:
        """Return a grid of `number` thresholds C from `low` to `high` times L, with their beta and omega, each (number, 1)."""
        ratios = np.geomspace(low, high, number)
        found = [np.array([one(self.r, ratio) for ratio in ratios.tolist()])[:, None] for one in (clip_loss, clip_spread)]
        return ratios[:, None] * self.L, found[0], found[1]

    def best_schedule(self, T: int, table: tuple[Array, Array, Array], fine: int = 60) -> BestSchedule:
        """Return the best schedule of T steps over a table of thresholds and a grid of alpha around the balance of the two parts of R."""
        C, beta, omega = table
        weight = self.d * (self.noise * C) ** 2 * T + self.stretch * self.L**2 * (omega**2 + self.sampling)
        alpha = np.sqrt(2 * self.gap / (T * self.ell * weight)) * np.geomspace(1e-3, 10, fine)[None, :]
        bounds = self.bound_values(alpha, T, C, beta, omega)
        i, j = np.unravel_index(int(np.argmin(bounds)), bounds.shape)
        return BestSchedule(float(alpha[i, j]), T, float(C[i, 0]), float(beta[i, 0]), float(omega[i, 0]), float(bounds[i, j]))

    def refine_schedule(self, T: int, coarse: BestSchedule) -> BestSchedule:
        """Return the best schedule of T steps with a threshold within 5 % of that of a coarse schedule, on a finer grid of alpha."""
        ratio = coarse.C / self.L
        return self.best_schedule(T, self.threshold_table(ratio / 1.05, ratio * 1.05, 21), 600)

    def fewest_steps(self, T_max: int, table: tuple[Array, Array, Array]) -> int:
        """Return the fewest steps whose best bound is within SHARE of that of T_max steps; more steps never increase it."""
        enough, low, high = (1 + SHARE) * self.best_schedule(T_max, table).bound, 0.0, math.log(T_max)
        while high - low > 0.01:
            middle = (low + high) / 2
            low, high = (low, middle) if self.best_schedule(math.ceil(math.exp(middle)), table).bound <= enough else (middle, high)
        return min(T_max, math.ceil(math.exp(high)))
