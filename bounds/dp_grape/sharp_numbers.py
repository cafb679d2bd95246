"""The formulas of the sharp theorem, for floats, arrays of floats, or letters, and the schedule for which its bound is least.

Setting   that of `bounds.dp_grape.sharp`; x = r C^2 / Gamma^2, chi^2_k a chi-square variable with k degrees of freedom.
Method    psi_u at Y_k = (Gamma^2/r) chi^2_k is max(0, chi^2_k - y)/(2 u^3 x) with y = x (3 u^2 - 2 u^3), below 0 from u = 3/2 on; the least
          mean over a grid of u is taken, and any u is proved. Tails are sums of positive terms. Nothing here imports SymPy or SciPy.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bounds.validate import door, positive, positive_integer, shown

Array = npt.NDArray[np.float64]
TOUCHES = (*np.linspace(1, 1.5, 21).tolist(), *np.geomspace(1.55, 8, 20).tolist())  # the u that are tried
LEAST = 1e-30  # a mean is rounded up to this
ROUNDED = 1e-9  # by which means are rounded up, for the errors of their sums
MOST_R = 2**16  # of a tail, which is a sum of r/2 terms
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


def tails(k: int, x: float) -> tuple[float, float, float]:
    """Return P(chi^2_k > x), and for k + 2 and k + 4: that with 1 or 2 degrees of freedom, and a positive term for each 2 more."""
    if x <= 0:
        return 1.0, 1.0, 1.0
    half, odd = x / 2, k % 2
    order = np.arange(0.5 if odd else 1.0, k / 2 + 1.5)  # the terms are half^a exp(-half) / Gamma(a + 1), a from here up to k/2 + 1
    logs = np.cumsum(np.log(half / order)) - half - (0.5 * math.log(half * math.pi) if odd else 0.0)
    sums = (math.erfc(math.sqrt(half)) if odd else math.exp(-half)) + np.cumsum(np.exp(np.minimum(logs, 0.0)))
    first = sums[-3] if sums.size > 2 else math.erfc(math.sqrt(half)) if odd else math.exp(-half)
    return min(1.0, float(first)), min(1.0, float(sums[-2])), min(1.0, float(sums[-1]))


def _admit(r: int) -> None:
    positive_integer(r=r)
    if r > MOST_R:
        raise ValueError(f"r = {shown(r)}: at most {MOST_R} is needed, the sums for more would take too long")


@door
def tangent_mean(k: int, x: float, u: float) -> float:
    """Return E psi_u, psi_u = max(0, chi^2_k/x - 3 u^2 + 2 u^3) / (2 u^3)."""
    _asked(k, x, u)
    y = x * u**2 * (3 - 2 * u)
    none, one, _ = tails(k, y)
    return (k * one - y * none) / (2 * u**3 * x)


@door
def tangent_mean_sq(k: int, x: float, u: float) -> float:
    """Return E psi_u^2."""
    _asked(k, x, u)
    y = x * u**2 * (3 - 2 * u)
    none, one, two = tails(k, y)
    return (k * (k + 2) * two - 2 * y * k * one + y**2 * none) / (2 * u**3 * x) ** 2


def _asked(k: int, x: float, u: float) -> None:
    positive_integer(k=k)
    positive(x=x, u=u)


@door
def clip_loss(r: int, ratio: float) -> float:
    """Return the beta of dp_grape.sharp_clip for r and C/Gamma: the least over u of E psi_u with r + 2 degrees of freedom, rounded up."""
    _admit(r)
    positive(ratio=ratio)
    return max(LEAST, (1 + ROUNDED) * min(tangent_mean(r + 2, r * ratio**2, u) for u in TOUCHES))


@door
def clip_spread(r: int, ratio: float) -> float:
    """Return its omega, the root of the least over u of E psi_u^2 with r + 4 degrees of freedom, rounded up."""
    _admit(r)
    positive(ratio=ratio)
    return math.sqrt(max(LEAST, (1 + ROUNDED) * min(tangent_mean_sq(r + 4, r * ratio**2, u) for u in TOUCHES)))


@dataclass(frozen=True)
class Chosen:
    """A schedule, what clipping takes at it, and the bound."""

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

    def values(self, alpha: Any, T: float, C: Any, beta: Any, omega: Any) -> Any:
        """Return the bound, inf where it means nothing; arrays broadcast."""
        known = {"d": self.d, "L": self.L, "ell": self.ell, "gap": self.gap, "stretch": self.stretch, "sampling": self.sampling}
        a, b, R = coefficients(alpha=alpha, T=T, sigma=self.noise * C * math.sqrt(T), beta=beta, omega=omega, **known)
        room = np.where(a < 1, 1 - a, 1.0)
        return np.where(a < 1, larger_root(1 - room, b, R) ** 2, np.inf)

    def thresholds(self, low: float, high: float, number: int) -> tuple[Array, Array, Array]:
        """Return thresholds, as columns, with their beta and omega."""
        ratios = np.geomspace(low, high, number)
        found = [np.array([one(self.r, ratio) for ratio in ratios.tolist()])[:, None] for one in (clip_loss, clip_spread)]
        return ratios[:, None] * self.L, found[0], found[1]

    def best(self, T: int, table: tuple[Array, Array, Array], fine: int = 60) -> Chosen:
        """Return the best schedule of T steps with one of the thresholds: around the alpha that balances the two parts of R."""
        C, beta, omega = table
        weight = self.d * (self.noise * C) ** 2 * T + self.stretch * self.L**2 * (omega**2 + self.sampling)
        alpha = np.sqrt(2 * self.gap / (T * self.ell * weight)) * np.geomspace(1e-3, 10, fine)[None, :]
        bounds = self.values(alpha, T, C, beta, omega)
        i, j = np.unravel_index(int(np.argmin(bounds)), bounds.shape)
        return Chosen(float(alpha[i, j]), T, float(C[i, 0]), float(beta[i, 0]), float(omega[i, 0]), float(bounds[i, j]))

    def refined(self, T: int, coarse: Chosen) -> Chosen:
        """Return the best schedule of T steps with a threshold near the coarse one."""
        ratio = coarse.C / self.L
        return self.best(T, self.thresholds(ratio / 1.05, ratio * 1.05, 21), 600)

    def fewest(self, T_max: int, table: tuple[Array, Array, Array]) -> int:
        """Return the fewest steps whose best bound is within SHARE of that of T_max steps: more never harm."""
        enough, low, high = (1 + SHARE) * self.best(T_max, table).bound, 0.0, math.log(T_max)
        while high - low > 0.01:
            middle = (low + high) / 2
            low, high = (low, middle) if self.best(math.ceil(math.exp(middle)), table).bound <= enough else (middle, high)
        return min(T_max, math.ceil(math.exp(high)))
