"""Formulas of the sharper DPZero theorems, for floats, arrays of floats, mpmath numbers or symbols.

Setting   that of the pages `sharp_*.page`, whose bounds are these formulas; a test compares the two.
Measure   (bound, a, slack...): the bound is valid if a < 1 and every slack is >= 0, which is `valid_if` there.

A search evaluates a bound a million times and a recommendation must not wait for a computer algebra system: nothing here imports one.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath as mp
import numpy as np

HOLDER = 12  # the q of Holder's inequality in `sharp_clip_lipschitz.page`


@dataclass(frozen=True)
class Functions:
    """The functions that the formulas need, for one kind of number."""

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
    """A schedule and a problem, in the glossary's letters, with the terms of the bounds there."""

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
        """The factor R2 = d (r + 2)/(d + 2) of E p^2 w <= ell R2 ||g||^2, where p = u'g and w = u'Hu."""
        return self.d * (self.r + 2) / (self.d + 2)

    @property
    def R4(self) -> Any:
        """The factor R4 = d (r + 4)/(d + 4) of E w^3 <= ell^3 r R2 R4, where w = u'Hu."""
        return self.d * (self.r + 4) / (self.d + 4)

    @property
    def smoothing_remainder(self) -> Any:
        """The largest distance of the two-point difference of one smooth sample from u'grad f."""
        return self.ell * self.lam * self.d / 2

    @property
    def smoothing_bias(self) -> Any:
        """The bound on the bias of the smoothed gradient, in terms of the effective rank."""
        return self.lam * self.ell * self.functions.sqrt(self.r * self.d / (self.d + 2))

    @property
    def difference_error(self) -> Any:
        """The root of E (difference - u'g)^2 u'Hu / ell, for the two-point difference of the mean over the samples."""
        return self.lam * self.ell / 2 * self.functions.sqrt(self.r * self.R2 * self.R4)

    def half_normal_density(self, x: Any) -> Any:
        """Return the density of |N| at x, N standard normal."""
        return self.functions.sqrt(2 / self.functions.pi) * self.functions.exp(-(x**2) / 2)

    def half_normal_tail(self, x: Any) -> Any:
        """Return P(|N| > x), which is also E (|N| - x)_+ |N|."""
        return self.functions.erfc(x / self.functions.sqrt(2))

    def excess_squared(self, x: Any) -> Any:
        """Return E (|N| - x)_+^2; E (|N| - x)_+^2 N^2 is this plus twice `half_normal_tail`."""
        return (1 + x**2) * self.half_normal_tail(x) - x * self.half_normal_density(x)

    def excess_fourth(self, x: Any) -> Any:
        """Return E (|N| - x)_+^4."""
        return (x**4 + 6 * x**2 + 3) * self.half_normal_tail(x) - (x**3 + 5 * x) * self.half_normal_density(x)

    def descent_bound(self, *, shrink: Any = 0, bias: Any = 0, cross: Any = 0, length: Any = 0, weight: Any = None) -> tuple[Any, Any]:
        """Return the bound of dpzero.sharp_descent and its a; `weight` is R2 unless the step is first-order."""
        a = shrink + self.alpha * self.ell * (self.R2 if weight is None else weight) / 2
        linear = bias + self.alpha * self.ell * cross
        constant = self.gap / (self.alpha * self.T) + self.alpha * self.ell * (length**2 + self.r * self.sigma**2) / 2
        root = (linear + self.functions.sqrt(linear**2 + 4 * (1 - a) * constant)) / (2 * (1 - a))
        return root**2, a

    def clip_constants(self, c: Any) -> dict[str, Any]:
        """Return k_1, k_2 and k_3 of dpzero.sharp_clip, by name, for smooth samples that are clipped at c times L."""
        k_1 = self.half_normal_tail(c)
        return {"k_1": k_1, "k_2": self.r * self.excess_squared(c) + 2 * k_1, "k_3": (self.r + 2) * k_1 + c * self.half_normal_density(c)}

    def clipped_terms(self, k_1: Any, k_2: Any, k_3: Any) -> dict[str, Any]:
        """Return the keyword arguments of `descent_bound` for smooth samples that are clipped."""
        sqrt = self.functions.sqrt
        return {
            "shrink": k_1 / 2,
            "bias": self.L * k_1 / 2 + self.smoothing_remainder,
            "cross": self.L * k_3 + sqrt(self.r * self.R2) * self.smoothing_remainder,
            "length": self.L * sqrt(k_2) + sqrt(self.r) * self.smoothing_remainder,
        }

    def holder_bound(self, spread: Any, first: Any, second: Any) -> Any:
        """Return Hoelder's bound on E Z u'Hu / ell, given E Z = `spread` `first` and E Z^2 = `spread`^2 `second`."""
        q = self.functions.number(HOLDER)
        return spread * (self.r + q - 1) * first ** (1 - 2 / q) * second ** (1 / q)

    def lipschitz_constants(self, spread: Any, c: Any) -> dict[str, Any]:
        """Return j_1, j_2 and j_3 of dpzero.sharp_clip_lipschitz, by name, for samples clipped at c L sqrt(spread)."""
        beyond, squared = self.half_normal_tail(c), self.excess_squared(c)
        j_2, j_3 = self.holder_bound(spread, squared, self.excess_fourth(c)), self.holder_bound(spread, beyond, squared + 2 * beyond)
        return {"j_1": spread * beyond, "j_2": j_2, "j_3": j_3}

    def unclipped_terms(self, difference: Any) -> dict[str, Any]:
        """Return the keyword arguments of `descent_bound` without clipping; `difference` is the cost of the finite difference."""
        return {"shrink": 0, "bias": self.smoothing_bias, "cross": self.functions.sqrt(self.R2) * difference, "length": difference}

    def lipschitz_terms(self, j_1: Any, j_2: Any, j_3: Any, difference: Any) -> dict[str, Any]:
        """Return the keyword arguments of `descent_bound` for Lipschitz samples that are clipped."""
        free, length = self.unclipped_terms(difference), self.L * self.functions.sqrt(j_2) + difference
        return free | {"bias": self.L * j_1 + free["bias"], "cross": self.L * j_3 + free["cross"], "length": length}


def lipschitz_bound(at: Point) -> tuple[Any, ...]:
    """Return (bound, a, d - 4) for DPZero with Lipschitz samples and any smoothing radius; it needs d >= 4."""
    spread = at.d / (at.d - 3)
    constants = at.lipschitz_constants(spread, at.C / at.L / at.functions.sqrt(spread))
    return *at.descent_bound(**at.lipschitz_terms(**constants, difference=at.difference_error)), at.d - 4


FORMULAS: dict[str, Callable[[Point], tuple[Any, ...]]] = {
    "dpzero.sharp_clip_bias": lambda at: at.descent_bound(**at.clipped_terms(**at.clip_constants(at.C / at.L))),
    "dpzero.sharp_lipschitz": lipschitz_bound,
    "dpzero.sharp_never_clip": lambda at: (
        *at.descent_bound(**at.unclipped_terms(at.difference_error)),
        at.C - at.L * at.functions.sqrt(at.d),
    ),
    "dpzero.sharp_dpgd_0th": lambda at: at.descent_bound(**at.clipped_terms(**at.clip_constants(at.C / at.functions.sqrt(at.d) / at.L))),
    "dpzero.sharp_dpgd_0th_never_clip": lambda at: (*at.descent_bound(**at.unclipped_terms(at.difference_error)), at.C - at.L * at.d),
    "dpzero.sharp_dp_gd": lambda at: (*at.descent_bound(weight=1), at.C - at.L),
}
START = "dpzero.sharp_start"  # x_0 itself: min(L^2, 2 ell gap), without a schedule
MEASURE = "E ||grad F_S(x_tau)||^2, tau uniform on 0..T-1"
MEASURE_START = "||grad F_S(x_0)||^2"
