"""How loose a printed bound of DPZero is: compared with the sharper theorems on a grid of problems, and with an exact expectation.

    against_sharper     the printed bound over ours, at the printed number of steps and with T free
    against_quadratic   the descent part of both over E ||grad F_S(x_tau)||^2, which `bounds.moments` has exactly on a quadratic

Setting   the second comparison is of the method without clipping: x_0 - minimiser with equal coordinates, eigenvalues of a spectrum,
          ell, r and gap the quadratic's own, alpha, T and sigma those that a plan would use at L = 1.
Measure   E ||grad F_S(x_tau)||^2, tau uniform on 0..T-1.
Source    `per_step` of the theorem for the printed descent; `sharp_descent.page` for ours.

The first comparison shows what can be proved today, not what is true: the sharp bound is an upper bound too. The second is exact, for one
start on one quadratic; `ASSUMPTIONS` states what it can show about the theorem.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import bounds
from bounds.dpzero.recommend import PRINTED, PRINTED_WITHOUT_RANK
from bounds.dpzero.remark_f5 import integer_T
from bounds.dpzero.sharp_numbers import FORMULAS, START, Point
from bounds.dpzero.sharp_schedule import sharp_plan
from bounds.floats import float_value
from bounds.memory import check_memory
from bounds.moments.recursion import at_output, expected_grad_norm_sq
from bounds.symbols import T as letter_T
from bounds.symbols import lam, symbols
from bounds.theorem import HOLDS
from bounds.validate import inside_unit, non_negative, one_of, positive, positive_integer, short_repr, validated

OF = {theorem: method for printed in (PRINTED_WITHOUT_RANK, PRINTED) for method, theorem in printed.items()}
METHODS = {theorem: OF[theorem] for theorem in bounds.THEOREMS if theorem in OF}
RANKS = ((20.0, 3.6), (200.0, 5.9), (2_000.0, 8.18), (1e6, 14.4), (1e9, 21.3))  # (d, r), r = 1 + 1/2 + ... + 1/d
SAMPLES = (1e3, 1e4, 1e5, 1e6)
SPECTRA = ("flat", "inverse_sqrt", "inverse")

TWO_GUARANTEES: tuple[str, ...] = (
    "printed is the theorem's formula; above L^2 it says nothing",
    "sharp has the least proved bound at no more steps than printed, sharp_free with as many steps as help, both at the same privacy but "
    "with schedules of their own; they are upper bounds too, so a ratio says what can be proved today",
)
ASSUMPTIONS: tuple[str, ...] = (
    "A quadratic is not Lipschitz (L = inf) and not bounded (B = inf), so no theorem here applies to it; nothing is compared with clipping",
    "Compared is the method that never clips (C = inf), with the descent part of each bound: its chain of inequalities asks of F_S only "
    "-H <= Hessian <= H, ||H|| <= ell, Tr(H) <= r ell and a minimum, which a quadratic has; so the exact mean must be below both",
    "The clipping terms are left out because nothing is clipped, the lambda terms because the two-point difference of a quadratic is the "
    "same for every lambda",
    "sigma is only a number here, the plan's at L = 1: without clipping it keeps nothing private",
    "printed is inf where alpha is above the largest that the theorem allows; the sharp plan has no row where it takes no step",
    "A ratio belongs to its spectrum and start (equal coordinates): it says how loose the descent is there, not at its worst case",
)


@dataclass(frozen=True)
class Gain:
    """The bounds of one problem: printed, sharp at no more steps, sharp with T free, and the ratios printed / sharp."""

    d: float
    r: float
    n: float
    printed: float
    sharp: float
    sharp_free: float
    ratio: float
    ratio_free: float


@dataclass(frozen=True)
class Descent:
    """The descent bounds, printed and sharp, of a schedule on a quadratic without clipping, and the exact expectation.

    `printed` is inf where alpha is above the largest that the theorem allows. `start` is ||grad F_S(x_0)||^2.
    """

    spectrum: str
    d: int
    r: float
    schedule: str
    alpha: float
    T: int
    sigma: float
    start: float
    exact: float
    printed: float
    sharp: float
    printed_over_exact: float
    sharp_over_exact: float


@validated
def against_sharper(
    theorem: str = "dpzero.theorem3",
    *,
    ranks: Iterable[tuple[float, float]] = RANKS,
    samples: Sequence[float] = SAMPLES,
    epsilon: float = 2.0,
    delta: float = 1e-6,
    L: float = 1.0,
    ell: float = 1.0,
    gap: float = 1.0,
    B: float = 1.0,
) -> tuple[Gain, ...]:
    """Return a `Gain` for every pair (d, r) and every n: the printed bound of a DPZero theorem, the sharp bounds and their ratios.

    The printed bound is the formula of the theorem, also where it exceeds L^2.
    """
    method = _method_of_theorem(theorem)
    ranks, samples = _check_entries(ranks=ranks), _check_entries(samples=samples)
    if any(not isinstance(pair, list | tuple | np.ndarray) or len(pair) != 2 for pair in ranks):
        raise ValueError(f"ranks = {short_repr(ranks)}: pairs (d, r) are needed")
    found = []
    for d, r in ranks:
        for n in samples:
            problem: dict[str, Any] = {"n": n, "d": d, "r": r, "epsilon": epsilon, "delta": delta, "L": L, "ell": ell, "gap": gap}
            printed = bounds.THEOREMS[theorem].evaluate(**problem, B=B).bound
            steps = max(1, integer_T(theorem, **problem, B=B).T)
            sharp, free = (sharp_plan(method, **problem, T_max=most).bound for most in (steps, None))
            found.append(Gain(d, r, n, printed, sharp, free, printed / sharp, printed / free))
    return tuple(found)


@validated
def against_quadratic(
    theorem: str = "dpzero.theorem3",
    *,
    spectra: Iterable[str] = SPECTRA,
    dimensions: Iterable[int] = (20, 200, 2_000),
    n: float = 1e4,
    epsilon: float = 2.0,
    delta: float = 1e-6,
    gap: float = 1.0,
) -> tuple[Descent, ...]:
    """Return a `Descent` for every spectrum, dimension and schedule (printed, sharp): two descent bounds and the exact expectation.

    If the sharp plan is to publish x_0 (dpzero.sharp_start), there is no step to compare, and no row.
    """
    method = _method_of_theorem(theorem)
    positive(n=n, epsilon=epsilon, gap=gap)
    inside_unit(delta=delta)
    spectra, dimensions = _check_entries(spectra=spectra), _check_entries(dimensions=dimensions)
    found = []
    for spectrum in spectra:
        for d in dimensions:
            a = eigenvalues(spectrum, d)
            r, ell = float(a.sum() / a.max()), float(a.max())
            problem: dict[str, Any] = {"n": n, "d": float(d), "r": r, "epsilon": epsilon, "delta": delta, "L": 1.0, "ell": ell, "gap": gap}
            whole = integer_T(theorem, **problem, B=gap)
            sharp = sharp_plan(method, **problem, T_max=max(1, whole.T))
            schedules = {"printed": (whole.schedule["alpha"], whole.T, whole.schedule["sigma"])}
            if sharp.theorem != START:
                schedules["sharp"] = sharp.alpha, sharp.T, sharp.sigma
            offset = np.full(d, math.sqrt(2 * gap / float(a.sum())))  # so that F_S(x_0) - F_S^* = gap
            for name, (alpha, T, sigma) in schedules.items():
                path = expected_grad_norm_sq(method, eigenvalues=a, offset=offset, alpha=alpha, T=T, sigma=sigma)
                exact = at_output(path, "uniform")
                at = {"alpha": alpha, "T": float(T), "sigma": sigma, "d": float(d), "r": r, "ell": ell, "gap": gap}
                bound, ours = printed_descent(theorem, **at), sharp_descent(method, **at)
                row = (spectrum, d, r, name, alpha, T, sigma, float(path[0]), exact, bound, ours, bound / exact, ours / exact)
                found.append(Descent(*row))
    return tuple(found)


@validated
def eigenvalues(spectrum: str, d: int) -> npt.NDArray[np.float64]:
    """Return the eigenvalues (d,) of a spectrum "flat", "inverse_sqrt" or "inverse": 1, 1/sqrt(i) or 1/i for i = 1..d."""
    one_of(SPECTRA, spectrum=spectrum)
    positive_integer(d=d)
    check_memory(2 * 8 * d, d=d)
    return np.arange(1, d + 1, dtype=float) ** -{"flat": 0.0, "inverse_sqrt": 0.5, "inverse": 1.0}[spectrum]


@validated
def printed_descent(theorem: str, *, alpha: float, T: float, sigma: float, d: float, r: float, ell: float, gap: float) -> float:
    """Return the printed theorem's bound without its clipping and lambda terms; inf if alpha is above the largest allowed."""
    _method_of_theorem(theorem)
    positive(alpha=alpha, T=T, d=d, r=r, ell=ell, gap=gap)
    non_negative(sigma=sigma)
    values = {"alpha": alpha, "T": T, "sigma": sigma, "d": d, "r": r, "ell": ell, "gap": gap}
    largest = bounds.THEOREMS[theorem].step_size
    left, right = float_value(largest.lhs, values), float_value(largest.rhs, values)
    if not (HOLDS[largest.rel_op](left, right) or math.isclose(left, right, rel_tol=1e-12)):
        return math.inf
    F_now, F_next, drop_t, p_t, q, gap_ = symbols("F_now F_next drop_t p_t q gap")
    decreases = {F_now: gap_ / letter_T, F_next: 0, drop_t: gap_ / letter_T}  # they add up to gap over the steps
    return float_value(bounds.THEOREMS[theorem].per_step.subs({**decreases, p_t: 1, q: 0, lam: 0}), values)


@validated
def sharp_descent(method: str, *, alpha: float, T: float, sigma: float, d: float, r: float, ell: float, gap: float) -> float:
    """Return the sharp theorem's bound without its clipping and lambda terms; inf if alpha is too large for it."""
    one_of(tuple(METHODS.values()), method=method)
    positive(alpha=alpha, T=T, d=d, r=r, ell=ell, gap=gap)
    non_negative(sigma=sigma)
    key = "dpzero.sharp_dp_gd" if method == "dp_gd" else "dpzero.sharp_never_clip"
    with np.errstate(invalid="ignore", divide="ignore"):  # a >= 1: the bound may not even be a number
        bound, a, *_ = FORMULAS[key](Point(alpha, T, math.inf, 0.0, sigma, d, r, 0.0, ell, gap))
    return float(bound) if a < 1 else math.inf


def _check_entries(**arguments: Iterable[Any]) -> tuple[Any, ...]:
    """Return the entries of the only keyword argument as a tuple; raise ValueError unless it is a non-empty list."""
    ((name, values),) = arguments.items()
    try:
        entries = () if isinstance(values, str | bytes) else tuple(values)
    except TypeError:
        entries = ()
    if not entries:
        raise ValueError(f"{name} = {short_repr(values)}: a list of at least one entry is needed")
    return entries


def _method_of_theorem(theorem: str) -> str:
    """Return the key of the method that a theorem is about; raise ValueError for another theorem."""
    one_of(tuple(METHODS), theorem=theorem)
    return METHODS[theorem]
