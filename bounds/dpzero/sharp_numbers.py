"""The sharper theorems as plain functions of numbers: floats, arrays of floats, or mpmath's digits.

Setting   that of `bounds.dpzero.sharp`, whose formulas these are, line by line, without SymPy.
Measure   (bound, a, slack...): the bound means something where a < 1 and every slack is >= 0, as `valid_if` says there.

A search evaluates a bound a million times and a recommendation must not wait for a computer algebra system, so the formulas are
written twice. Tests compare the two in 50 digits at random points, and each with a wrong constant in one of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath as mp
import numpy as np

HOLDER = 12  # the q of Holder's inequality in `bounds.dpzero.sharp_rough`


@dataclass(frozen=True)
class Functions:
    """The functions that the formulas need."""

    sqrt: Callable[..., Any]
    exp: Callable[..., Any]
    erfc: Callable[..., Any]
    pi: Any
    number: Callable[[int], Any]  # so that 1 / 12 has all the digits


_erfc_each = np.frompyfunc(math.erfc, 1, 1)  # SciPy's erfc is faster but takes longer to import than it ever runs here
FLOATS = Functions(np.sqrt, np.exp, lambda x: np.asarray(_erfc_each(x), dtype=float), math.pi, float)
DIGITS = Functions(mp.sqrt, mp.exp, mp.erfc, mp.pi, mp.mpf)


@dataclass(frozen=True)
class Point:
    """A schedule and a problem, in the glossary's letters, and the functions to compute with."""

    alpha: Any
    T: Any
    C: Any
    lam: Any
    sigma: Any
    d: Any
    r: Any
    L: Any
    ell: Any
    gap: Any
    functions: Functions = FLOATS

    @property
    def R2(self) -> Any:
        """R2 of E p^2 w <= ell R2 G^2."""
        return self.d * (self.r + 2) / (self.d + 2)

    @property
    def remainder(self) -> Any:
        """How far the difference of one smooth sample is from u'grad f."""
        return self.ell * self.lam * self.d / 2

    @property
    def rank_bias(self) -> Any:
        """The bias of the smoothed gradient."""
        return self.lam * self.ell * self.functions.sqrt(self.r * self.d / (self.d + 2))

    @property
    def difference(self) -> Any:
        """The root of E (difference - p)^2 w / ell for the mean over the samples."""
        R4 = self.d * (self.r + 4) / (self.d + 4)
        return self.lam * self.ell / 2 * self.functions.sqrt(self.r * self.R2 * R4)

    def weight(self, x: Any) -> Any:
        """Return the density of |N| at x."""
        return self.functions.sqrt(2 / self.functions.pi) * self.functions.exp(-(x**2) / 2)

    def beyond(self, x: Any) -> Any:
        """Return P(|N| > x)."""
        return self.functions.erfc(x / self.functions.sqrt(2))

    def beyond_squared(self, x: Any) -> Any:
        """Return E (|N| - x)_+^2."""
        return (1 + x**2) * self.beyond(x) - x * self.weight(x)

    def beyond_fourth(self, x: Any) -> Any:
        """Return E (|N| - x)_+^4."""
        return (x**4 + 6 * x**2 + 3) * self.beyond(x) - (x**3 + 5 * x) * self.weight(x)

    def descent(self, *, shrink: Any = 0, bias: Any = 0, cross: Any = 0, length: Any = 0, weight: Any = None) -> tuple[Any, Any]:
        """Return the bound of dpzero.sharp_descent and its a; `weight` is R2 unless the step is first-order."""
        a = shrink + self.alpha * self.ell * (self.R2 if weight is None else weight) / 2
        linear = bias + self.alpha * self.ell * cross
        constant = self.gap / (self.alpha * self.T) + self.alpha * self.ell * (length**2 + self.r * self.sigma**2) / 2
        root = (linear + self.functions.sqrt(linear**2 + 4 * (1 - a) * constant)) / (2 * (1 - a))
        return root**2, a

    def clipped(self, c: Any) -> tuple[Any, Any]:
        """Return the bound and a when smooth samples are clipped at c times L (dpzero.sharp_clip)."""
        k1 = self.beyond(c)
        k2 = self.r * self.beyond_squared(c) + 2 * k1
        k3 = (self.r + 2) * k1 + c * self.weight(c)
        sqrt = self.functions.sqrt
        return self.descent(
            shrink=k1 / 2,
            bias=self.L * k1 / 2 + self.remainder,
            cross=self.L * k3 + sqrt(self.r * self.R2) * self.remainder,
            length=self.L * sqrt(k2) + sqrt(self.r) * self.remainder,
        )


def clip_bias(at: Point) -> tuple[Any, ...]:
    """Evaluate DPZero with clipping counted in the mean."""
    return at.clipped(at.C / at.L)


def dpgd_0th(at: Point) -> tuple[Any, ...]:
    """Evaluate DPGD-0th, which clips as DPZero does at C / sqrt(d)."""
    return at.clipped(at.C / at.functions.sqrt(at.d) / at.L)


def lipschitz(at: Point) -> tuple[Any, ...]:
    """Evaluate DPZero with Lipschitz samples and any smoothing radius; needs d >= 4."""
    spread = at.d / (at.d - 3)
    c, q = at.C / at.L / at.functions.sqrt(spread), at.functions.number(HOLDER)

    def holder(first: Any, second: Any) -> Any:
        return spread * (at.r + q - 1) * first ** (1 - 2 / q) * second ** (1 / q)

    j1 = spread * at.beyond(c)
    j2 = holder(at.beyond_squared(c), at.beyond_fourth(c))
    j3 = holder(at.beyond(c), at.beyond_squared(c) + 2 * at.beyond(c))
    found = at.descent(
        bias=at.L * j1 + at.rank_bias,
        cross=at.L * j3 + at.functions.sqrt(at.R2) * at.difference,
        length=at.L * at.functions.sqrt(j2) + at.difference,
    )
    return *found, at.d - 4


def never_clip(at: Point) -> tuple[Any, ...]:
    """Evaluate DPZero with C >= L sqrt(d)."""
    found = at.descent(bias=at.rank_bias, cross=at.functions.sqrt(at.R2) * at.difference, length=at.difference)
    return *found, at.C - at.L * at.functions.sqrt(at.d)


def dpgd_0th_never_clip(at: Point) -> tuple[Any, ...]:
    """Evaluate DPGD-0th with C >= L d."""
    return *never_clip(at)[:2], at.C - at.L * at.d


def dp_gd(at: Point) -> tuple[Any, ...]:
    """Evaluate DP-GD with C >= L."""
    return *at.descent(weight=1), at.C - at.L


FORMULAS = {
    "dpzero.sharp_clip_bias": clip_bias,
    "dpzero.sharp_lipschitz": lipschitz,
    "dpzero.sharp_never_clip": never_clip,
    "dpzero.sharp_dpgd_0th": dpgd_0th,
    "dpzero.sharp_dpgd_0th_never_clip": dpgd_0th_never_clip,
    "dpzero.sharp_dp_gd": dp_gd,
}
START = "dpzero.sharp_start"  # x_0 itself: min(L^2, 2 ell gap), without a schedule
MEASURE = "E ||grad F_S(x_tau)||^2, tau uniform on 0..T-1"
MEASURE_START = "||grad F_S(x_0)||^2"
