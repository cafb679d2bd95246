"""Schedules that minimise the bound of a sharper theorem, and the certified bound at the schedule that was found.

Setting   (n, d, r, epsilon, delta, L, ell, gap), a method, and at most T_max steps.
Method    minimise over alpha, C and the integer T, with the sigma of `bounds.dpzero.sharp_noise`; then take the largest lam that adds at
          most LAM_SHARE to the bound, or the lam that is given; use the theorem with the smallest result.
Measure   E ||grad F_S(x_tau)||^2, never above min(L^2, 2 ell gap), which x_0 itself attains without noise (T = 1).
Source    the pages `sharp_*.page`; evaluated by `bounds.dpzero.sharp_numbers`, so that no search waits for SymPy.

The result is valid whatever the search finds: alpha, T, C, lam and sigma are rounded first, then the theorem is evaluated at these
floats in 60 digits and rounded up. `certified_bound` does the same from the theorem's own expression. The worst
cancellation, E (|N| - c)_+^4, costs a factor c^8 / 24, or 12 digits at c = 40; a larger c gets more digits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import mpmath as mp
import numpy as np
import numpy.typing as npt

from bounds.dpzero import THEOREMS
from bounds.dpzero.sharp_noise import ACCOUNTANTS, ClipNoise, LipschitzNoise, lipschitz_scale
from bounds.dpzero.sharp_numbers import DIGITS as LONG
from bounds.dpzero.sharp_numbers import FORMULAS, START, Point
from bounds.privacy.budget import Budget
from bounds.privacy.gaussian import least_sigma, log_e_plus_ratio, require_full_precision
from bounds.privacy.random_iterate import LONGEST
from bounds.validate import non_negative, one_of, positive, positive_integer, short_repr, validated, validated_strictly, whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bounds.theorem import Theorem

Array = npt.NDArray[np.float64]

LAM_SHARE = 0.01  # the smoothing radius may add this share to the bound
C_SHARE = 0.01  # where the noise does not grow with C, a smaller C may add this share to the bound: the clip then guarantees more
T_SHARE = 0.01  # with T free: the least T whose best bound is within this share of the limit of T to infinity
WIDEST = 40.0  # P(|N| > 40) is below 1e-349: a larger C / L adds noise and removes nothing
DIGITS = 60
PRINTED = "printed"
ROUNDING = {"double": 2.0**-52, "single": 2.0**-23}  # spacing of the floats at 1: the error of two roundings

CONDITIONAL = (
    "the epsilon, delta of the sharp plan hold only if the loss of every possible record is L-Lipschitz on all of R^d, not only the "
    "losses of the records at hand. This is assumed and cannot be checked on the data. Whatever the losses are, its clip at "
    "C = {0.C:.4g} guarantees epsilon = {0.by_the_clip:.4g} at the same delta"
)
LETTERS = ("alpha", "T", "C", "lam", "sigma", "d", "r", "L", "ell", "gap")
NOT_IN_BOUNDS = ("n", "epsilon", "delta", "B")  # of a problem, once sigma is chosen


@dataclass(frozen=True)
class Candidate:
    """A theorem, by its key, with the thresholds C that a search tries, in units of L d^power: a range, or one that never clips."""

    key: str
    power: float
    clips: bool = True
    least_d: int = 1

    @property
    def theorem(self) -> Theorem:
        """The `Theorem` with the key of this candidate, loaded at first use."""
        return THEOREMS[self.key]

    def threshold_range(self, *, d: float, L: float) -> tuple[float, float]:
        """Return the least and the largest C; they are equal if the theorem requires a C that never clips."""
        unit = L * d**self.power
        if not self.clips:
            return unit * (1 + 2.0**-50), unit * (1 + 2.0**-50)  # never below the real unit after rounding
        return 0.1 * unit, min(math.sqrt(d), WIDEST) * unit


CANDIDATES = {
    "dpzero": (
        Candidate("dpzero.sharp_clip_bias", 0.0),
        Candidate("dpzero.sharp_lipschitz", 0.0, least_d=4),
        Candidate("dpzero.sharp_never_clip", 0.5, clips=False),
    ),
    "dpgd_0th": (Candidate("dpzero.sharp_dpgd_0th", 0.5), Candidate("dpzero.sharp_dpgd_0th_never_clip", 1.0, clips=False)),
    "dp_gd": (Candidate("dpzero.sharp_dp_gd", 0.0, clips=False),),
}


@dataclass(frozen=True)
class SharpPlan:
    """A schedule and the bound that `theorem` proves for it; `sigma` is sufficient for x_tau only, the path needs `sigma_path`.

    by_the_clip    the epsilon that clipping guarantees for arbitrary losses; None if that is the required epsilon
    """

    method: str
    theorem: str
    alpha: float
    T: int
    C: float
    lam: float
    sigma: float
    bound: float
    sigma_path: float
    by_the_clip: float | None = None

    @property
    def caveats(self) -> tuple[str, ...]:
        """Sentences on the limits of the sharp guarantee: what to publish, and when the noise relies on Lipschitz losses."""
        if self.theorem == START:
            return ("no schedule with this privacy is proved to be better than x_0 itself: publish x_0, without steps and without noise",)
        said = (
            f"sigma = {self.sigma:.4g} is for x_tau: publish x_tau alone, tau uniform on 0..T-1. Whether tau is published too does not "
            f"matter. To publish x_T or the path, sigma = {self.sigma_path:.4g} is needed",
        )
        return said if self.by_the_clip is None else (*said, CONDITIONAL.format(self))


@lru_cache
def _compile_bound(theorem: Theorem) -> Callable[..., tuple[Any, ...]]:
    """Compile a theorem for mpmath: a function of LETTERS for the bound, the left side a of a < 1 (0 if absent), and slacks."""
    import sympy as sp

    from bounds.symbols import GLOSSARY

    contracts, others = theorem.step_size, [one for one in theorem.valid_if if one != theorem.step_size]
    a = sp.Integer(0) if contracts is None else contracts.lhs
    expressions = [theorem.any_schedule, a, *(one.gts - one.lts for one in others)]
    expressions = [theorem.without_abbreviations(one) for one in expressions]
    return sp.lambdify([GLOSSARY[name].symbol for name in LETTERS], expressions, modules="mpmath", cse=True)


@validated
def certified_bound(theorem: Theorem, **values: float) -> float:
    """Return the bound of a sharp `Theorem`, also a user's, at a schedule and problem, rounded up; inf if a condition fails."""
    sides = [theorem.any_schedule, *theorem.valid_if] if hasattr(theorem, "any_schedule") else [None]
    if sides[0] is None or not {one.name for side in sides for one in theorem.without_abbreviations(side).free_symbols} <= set(LETTERS):
        raise ValueError(f"theorem = {short_repr(theorem)}: one with a bound for any schedule, in {', '.join(LETTERS)} alone, is needed")
    _check_complete(values)
    with mp.workdps(_needed_digits(values)):
        return _round_valid_bound(*_compile_bound(theorem)(*[mp.mpf(values[name]) for name in LETTERS]))


@validated
def certified_bound_at(key: str, **values: float) -> float:
    """Return the bound of the sharp theorem `key` at a schedule and problem, rounded up, without SymPy; inf if a condition fails."""
    one_of((START, *FORMULAS), key=key)
    _check_complete(values)
    with mp.workdps(_needed_digits(values)):
        at = {name: mp.mpf(values[name]) for name in LETTERS}
        if key == START:
            return _round_valid_bound(min(at["L"] ** 2, 2 * at["ell"] * at["gap"]), 0)
        return _round_valid_bound(*FORMULAS[key](Point(**at, functions=LONG)))


def _check_complete(values: Mapping[str, float]) -> None:
    """Check that `values` has every name of `LETTERS`, in range, and no unknown name; raise ValueError otherwise.

    The values of `NOT_IN_BOUNDS` are ignored, so that one dictionary serves every theorem.
    """
    for name in LETTERS:
        if name not in values:
            raise ValueError(f"{name} is missing: {', '.join(LETTERS)} are needed")
        (non_negative if name in ("lam", "sigma") else positive)(**{name: values[name]})
    for name in values:
        one_of((*LETTERS, *NOT_IN_BOUNDS), letter=name)


def _needed_digits(values: Mapping[str, float]) -> int:
    """Return the working precision that leaves at least 48 digits after the cancellation at c = C / L."""
    return DIGITS + max(0, math.ceil(8 * math.log10(values["C"] / values["L"] / WIDEST))) if values["C"] > 0 else DIGITS


def _round_valid_bound(bound: Any, a: Any, *slack: Any) -> float:
    """Return the bound as a float, rounded up, if a < 1 and no slack is negative, else inf."""
    return math.nextafter(float(bound), math.inf) if a < 1 and all(one >= 0 for one in slack) else math.inf


@dataclass(frozen=True)
class _Problem:
    """A problem with its noise, and the search for schedules of least bound."""

    n: float
    d: float
    r: float
    L: float
    ell: float
    gap: float
    noise: ClipNoise

    def bound_values(self, candidate: Candidate, *, alpha: Any, T: Any, C: Any, lam: Any) -> Array:
        """Return the bound of a candidate in floats, inf where it is not valid; alpha, T, C and lam broadcast."""
        sigma = self.noise.approximate_sigma(T, C)
        with np.errstate(all="ignore"):
            bound, a, *_ = FORMULAS[candidate.key](Point(alpha, T, C, lam, sigma, self.d, self.r, self.L, self.ell, self.gap))
            return np.where(np.isfinite(bound) & (a < 1), bound, np.inf)

    def best_at_steps(self, candidate: Candidate, T: float, lam: float) -> tuple[float, float, float]:
        """Return (bound, alpha, C) of least bound at T steps, by a logarithmic grid that is refined around its minimum."""
        low_C, high_C = candidate.threshold_range(d=self.d, L=self.L)
        largest = 2 / self.ell  # a < 1 asks for less
        noise = np.array([self.noise.approximate_sigma(max(T, 2.0), C) for C in (high_C, low_C)])
        small, large = math.sqrt(2 * self.gap / (self.ell * self.r * T)) / noise  # gap/(alpha T) equals the noise term
        box = np.log([[min(largest, small) / 30, min(largest, 30 * large)], [low_C, high_C]])
        sides = [33, 1 if low_C == high_C else 33]
        centre, width = box.mean(axis=1), box[:, 1] - box[:, 0]
        for _ in range(13):
            edges = np.clip(np.stack([centre - width / 2, centre + width / 2]), box[:, 0], box[:, 1])
            alpha, C = (np.exp(np.linspace(edges[0, i], edges[1, i], sides[i])) for i in (0, 1))
            table = self.bound_values(candidate, alpha=alpha[:, None], T=T, C=C[None, :], lam=lam)
            i, j = np.unravel_index(int(np.argmin(table)), table.shape)
            least = float(table[i, j]), float(alpha[i]), float(C[j])
            centre, width = np.log([alpha[i], C[j]]), 0.4 * width
        return least if low_C < high_C else (least[0], least[1], low_C)  # exp(log C) may be below a C that never clips

    def best_steps(self, candidate: Candidate, T_max: int | None, lam: float) -> int:
        """Return the number of steps: the best on a coarse grid up to T_max, or the least that is nearly as good as infinitely many."""
        if T_max is not None:
            coarse = sorted({int(T) for T in np.geomspace(float(min(2, T_max)), float(T_max), 12)} | {T_max})
            return min(coarse, key=lambda T: self.best_at_steps(candidate, float(T), lam)[0])
        enough = (1 + T_SHARE) * self.best_at_steps(candidate, float(LONGEST), lam)[0]
        low, high = 0.0, math.log(LONGEST)
        while high - low > 0.02:
            middle = (low + high) / 2
            low, high = (low, middle) if self.best_at_steps(candidate, math.exp(middle), lam)[0] <= enough else (middle, high)
        return max(2, math.ceil(math.exp(high)))

    def least_threshold(self, candidate: Candidate, *, alpha: float, T: int, C: float, lam: float) -> float:
        """Return the least C that adds at most C_SHARE to the bound: a smaller C gives a better guarantee for arbitrary losses."""
        low, high = math.log(candidate.threshold_range(d=self.d, L=self.L)[0]), math.log(C)
        enough = (1 + C_SHARE) * float(self.bound_values(candidate, alpha=alpha, T=float(T), C=C, lam=lam))
        while high - low > 0.001:
            middle = (low + high) / 2
            fits = float(self.bound_values(candidate, alpha=alpha, T=float(T), C=math.exp(middle), lam=lam)) <= enough
            low, high = (low, middle) if fits else (middle, high)
        return min(C, math.exp(high)) if candidate.clips else C

    def largest_radius(self, candidate: Candidate, *, alpha: float, T: int, C: float) -> float:
        """Return the largest smoothing radius that adds at most LAM_SHARE to the bound, up to 1 %, and at most 1e3 L / ell."""

        def cost(log_lam: float) -> float:
            return float(self.bound_values(candidate, alpha=alpha, T=float(T), C=C, lam=np.exp(log_lam)))

        high = math.log(1e3 * self.L / self.ell)
        low = high - 100
        enough = (1 + LAM_SHARE) * cost(low)
        while high - low > 0.01:
            middle = (low + high) / 2
            low, high = (middle, high) if cost(middle) <= enough else (low, middle)
        return math.exp(low)


@validated
def least_radius(*, size: float, C: float, share: float = 0.01, unit: float = ROUNDING["double"]) -> float:
    """Return the lam below which rounding may change a two-point difference by more than `share` of C.

    The theorems are about real numbers. A loss of at most `size` that was rounded twice carries an error of `unit` size, a difference of
    two over 2 lam one of unit size / lam. `unit` is one of `ROUNDING`.
    """
    positive(size=size, C=C, share=share, unit=unit)
    return unit * size / (share * C)


@validated
def printed_steps(method: str, *, n: float, d: float, r: float, epsilon: float, delta: float) -> int:
    """Return the T of Theorem 3 (dpzero), Theorem 2 (dpgd_0th) or of the DP-GD row of Table 1, rounded down, at least 1."""
    one_of(tuple(CANDIDATES), method=method)
    positive(n=n, d=d, r=r)
    return _printed_steps(method, n, d, r, Budget(epsilon, delta))


def _printed_steps(method: str, n: float, d: float, r: float, budget: Budget) -> int:
    """Return the printed T of a method, rounded down and at least 1, as `printed_steps` does, for checked numbers and a budget."""
    rho = math.sqrt(r * log_e_plus_ratio(budget.epsilon, budget.delta)) / (n * budget.epsilon)
    return max(1, math.floor({"dpzero": (r + 2) / (4 * rho), "dpgd_0th": (r + 2) / (d * rho), "dp_gd": 1 / rho}[method]))


@validated_strictly
def sharp_plan(
    method: str = "dpzero",
    *,
    n: float,
    d: float,
    r: float,
    epsilon: float,
    delta: float,
    L: float,
    ell: float,
    gap: float,
    T_max: int | str | None = PRINTED,
    lam: float | None = None,
    theorem: str | None = None,
    accountant: str = "exact",
) -> SharpPlan:
    """Return the `SharpPlan` with the smallest proved bound for a method and a problem.

    T_max     most steps allowed: a number, "printed" for the paper's, None for as many as help (within 1 % of the limit)
    lam       smoothing radius to use, None for the largest that costs at most 1 %; a given lam also decides which theorem is best
    theorem   key of the one theorem to use, None for the best; no theorem here needs a bound B on the loss
    accountant  "exact": the noise that clipping needs; "lipschitz": less, but private only if the loss of every possible record is
                L-Lipschitz (`bounds.dpzero.random_directions`)
    """
    one_of(tuple(CANDIDATES), method=method)
    whole_number(n=n, d=d)
    positive(r=r, L=L, ell=ell, gap=gap)
    if not 1 <= r <= d:
        raise ValueError(f"r = {r!r}: a number from 1 to d = {d} is needed")
    budget = Budget(epsilon, delta)
    one_of(ACCOUNTANTS, accountant=accountant)
    if lam is not None:
        positive(lam=lam)
    if theorem is not None:
        one_of(tuple(one.key for one in CANDIDATES[method] if d >= one.least_d), theorem=theorem)
    if T_max == PRINTED:
        T_max = _printed_steps(method, n, d, r, budget)
    if T_max is not None:
        positive_integer(T_max=T_max)
        T_max = int(T_max)
    return best_plan(
        method, budget, n=n, d=d, r=r, L=L, ell=ell, gap=gap, T_max=T_max, lam=lam, theorem=theorem, accountant=accountant
    )  # fmt: skip


def best_plan(
    method: str, budget: Budget, *, n: float, d: float, r: float, L: float, ell: float, gap: float, T_max: int | None,
    lam: float | None, theorem: str | None = None, accountant: str, noise: ClipNoise | None = None,
) -> SharpPlan:  # fmt: skip
    """Return what `sharp_plan` does, for checked arguments: the least bound, or the best guarantee by clipping within 2 % of it.

    noise    in place of that of the accountant
    """
    candidates = [one for one in CANDIDATES[method] if d >= one.least_d and theorem in (None, one.key)]
    if T_max is not None:
        T_max = min(T_max, LONGEST)

    noise = noise or ClipNoise(float(n), budget)
    if accountant == "lipschitz":
        noise = LipschitzNoise(noise.n, budget, lipschitz_scale(method, n=n, d=d, L=L))
    problem = _Problem(float(n), float(d), float(r), float(L), float(ell), float(gap), noise)
    plans = [_candidate_plan(method, problem, one, T_max, lam) for one in candidates]
    least = min(plan.bound for plan in plans)
    plans = sorted((one for one in plans if one.bound <= (1 + 2 * C_SHARE) * least), key=lambda one: one.by_the_clip or one.bound)
    return min([plans[0], _start_plan(method, problem, budget)], key=lambda plan: plan.bound)


def _candidate_plan(method: str, problem: _Problem, candidate: Candidate, T_max: int | None, lam: float | None) -> SharpPlan:
    """Return the best schedule of one candidate theorem, with its certified bound."""
    T = problem.best_steps(candidate, T_max, lam or 0.0)
    _, alpha, C = problem.best_at_steps(candidate, float(T), lam or 0.0)
    conditional = isinstance(problem.noise, LipschitzNoise)
    if conditional:
        C = problem.least_threshold(candidate, alpha=alpha, T=T, C=C, lam=lam or 0.0)
    if method == "dp_gd":
        lam = 0.0
    elif lam is None:
        lam = problem.largest_radius(candidate, alpha=alpha, T=T, C=C)
    sigma = problem.noise.sigma(T, C)
    by_the_clip = problem.noise.clip_epsilon(T, C, sigma) if conditional else None
    at = {"d": problem.d, "r": problem.r, "L": problem.L, "ell": problem.ell, "gap": problem.gap}
    bound = certified_bound_at(candidate.key, alpha=alpha, T=T, C=C, lam=lam, sigma=sigma, **at)
    return SharpPlan(method, candidate.key, alpha, T, C, lam, sigma, bound, problem.noise.path_sigma(T, C), by_the_clip)


def _start_plan(method: str, problem: _Problem, budget: Budget) -> SharpPlan:
    """Return the plan that publishes x_0; its step and noise are never used, but are private for one release."""
    L, ell = problem.L, problem.ell
    sigma = least_sigma(budget, require_full_precision(2 * L / problem.n))
    bound = math.nextafter(min(L * L, 2 * ell * problem.gap) * (1 + 2.0**-50), math.inf)
    lam = 0.0 if method == "dp_gd" else L / (ell * problem.d)
    return SharpPlan(method, START, 1 / (ell * (problem.r + 2)), 1, L, lam, sigma, bound, sigma)
