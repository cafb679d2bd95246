"""Step size and number of steps that minimise the exact expected error on a quadratic, at a given privacy budget.

Setting   `bounds.moments`: a quadratic with diagonal Hessian, a threshold C that clips nothing, x_0 given.
Method    dpzero, dpgd_0th or dp_gd with sigma = sigma(T) calibrated to (epsilon, delta) over T steps at sensitivity 2 C / n
          (replace-one). Both calibrations of `bounds.privacy` grow as sqrt(T): sigma(T) = unit sqrt(T).
Measure   V(alpha, T) = E ||grad F||^2 or E F - F*, at x_T or at x_tau with tau uniform on 0..T-1.

For one step size, all horizons are computed at once. In y_j = a_j sqrt(size_j) m_j, m_j now the mean over the size_j coordinates with
eigenvalue a_j, the recursion reads y+ = (I - N) y + alpha^2 sigma^2 b with b_j = a_j sqrt(size_j) and N = diag(decay) - couple b b'
symmetric. One eigendecomposition of N gives V(alpha, T) for every T at once, with no loop over t.

In the search only, eigenvalues within a factor 4 of each other are condensed to at most 24 Gauss nodes (Lanczos, weighted by
multiplicity): what decays is a polynomial in a, and smooth on such a cell. The value returned is not the condensed one but the
recursion of `bounds.moments`, run at the alpha, T and sigma found.

What is proved about the minimum. Outside the bracket of `_bracket_alpha` no step size does as well as one inside: proved.
Inside, the search is a dense grid (factor 1.3 in alpha; every T up to 32, then factor 1.15), then descent from the three lowest dips
of the profile T -> min_alpha V and from T_max, to 1e-5 in alpha and 1e-3 in T. V has no proved shape there, so the minimum is not
certified as global.
If the best V is below 1e-12 V(x_0), rounding errors dominate the search; the value returned is still exact.

Slow limit. Hold S = alpha T and let T -> infinity: the error of sampling directions vanishes and the noise has a finite limit. For
the zeroth-order methods more and smaller steps therefore cost no privacy and usually help: the best T is often T_max itself
(`at_T_max`), and `slow_limit` is the value that a further increase can still reach. DP-GD can do better than its slow limit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import ceil, exp, inf, isfinite, log, log2, sqrt

import numpy as np
import numpy.typing as npt
from scipy.linalg import eigh_tridiagonal
from scipy.optimize import minimize_scalar
from threadpoolctl import threadpool_limits

from bounds.moments import recursion as moments
from bounds.moments.recursion import Array, Direction
from bounds.privacy.gaussian import ACCOUNTANTS, Accountant
from bounds.validate import one_of, positive, positive_integer, short_repr, validated

METHODS = moments.PRIVATE
MEASURES = ("grad_norm_sq", "gap")

NODES = 24  # on a cell [x, 4x] they meet exp(-s a) to 1e-13 of its value at a = 0, whatever s
STEP_FACTOR = 1.3
HORIZON_FACTOR = 1.15
EVERY_HORIZON = 32
DIPS = 3


@dataclass(frozen=True)
class OptimalSchedule:
    """The alpha, T and sigma that a search found, and the exact expectation there.

    value        of `measure` at `output`, by the recursion;   start   the same at x_0
    slow_limit   the smallest value over S = alpha T as T -> infinity, at the same budget
    """

    method: str
    measure: str
    output: str
    alpha: float
    T: int
    sigma: float
    value: float
    start: float
    slow_limit: float
    T_max: int

    @property
    def at_T_max(self) -> bool:
        """Whether the search ended at the largest T allowed, so that T_max and not privacy limits the number of steps."""
        return self.T_max == self.T


@validated
def optimal_schedule(
    method: str,
    *,
    eigenvalues: npt.ArrayLike,
    offset: npt.ArrayLike,
    n: int,
    epsilon: float,
    delta: float,
    C: float,
    measure: str = "grad_norm_sq",
    output: str = "last",
    T_max: int = 100_000,
    accountant: Accountant = "exact",
    direction: Direction = "sphere",
) -> OptimalSchedule:
    """Return the best `OptimalSchedule` that a search finds: alpha and T <= T_max of the least exact V(alpha, T) on a quadratic.

    eigenvalues (d,), offset (d,)   as in `bounds.moments`
    C                               a threshold at which nothing is clipped; the caller must choose it (`bounds.moments.clipping` helps)
    accountant                      "exact": privacy.sigma_gaussian;   "lemma": privacy.sigma_lemma_2_2, with its limits
    The module docstring states what is proved about the minimum.
    """
    one_of(METHODS, method=method)
    one_of(MEASURES, measure=measure)
    one_of(moments.OUTPUTS, output=output)
    one_of(tuple(sorted(ACCOUNTANTS)), accountant=accountant)
    one_of(moments.DIRECTIONS, direction=direction)
    positive_integer(n=n, T_max=T_max)
    if T_max > 2**53:
        raise ValueError(f"T_max = {short_repr(T_max)}: an integer of at most 2^53 is needed")
    positive(C=C)
    a, e = moments.check_quadratic(eigenvalues=eigenvalues, offset=offset)
    with np.errstate(over="ignore", under="ignore"):
        slope_sq = float((a * e) @ (a * e))
    if not 0 < slope_sq < inf:
        raise ValueError(f"offset = {short_repr(offset)}: a start at which ||grad F||^2, here {slope_sq}, is finite and above 0 is needed")
    if output == "uniform" and T_max < 2:
        raise ValueError(
            f"T_max = {T_max!r}: with output = 'uniform', an integer of at least 2 is needed, because the output of T = 1 is x_0"
        )

    def sigma_of(T: int) -> float:
        return ACCOUNTANTS[accountant](epsilon=epsilon, delta=delta, T=T, sensitivity=2 * C / n)

    problem = _Problem.of(method, a, e, measure=measure, output=output, unit=sigma_of(1), direction=direction)
    with threadpool_limits(limits=1, user_api="blas"):  # matrices of a hundred rows: a second thread costs more time than it saves
        alpha, T = _search_schedule(problem, T_max)
    expectation = moments.expected_grad_norm_sq if measure == "grad_norm_sq" else moments.expected_gap
    path = expectation(method, eigenvalues=a, offset=e, alpha=alpha, T=T, sigma=sigma_of(T), direction=direction)
    value, start, slow_limit = moments.at_output(path, output), float(path[0]), _slow_limit(problem)
    return OptimalSchedule(method, measure, output, alpha, T, sigma_of(T), value, start, slow_limit, T_max)


@dataclass(frozen=True, eq=False)
class _Problem:
    """A method on a quadratic at a privacy budget; eigenvalues 0 are left out, equal ones are grouped.

    a, size, total (g,)   distinct eigenvalues, how many coordinates have each, the sum of their e_j^2 at x_0
    unit                  sigma(1), so that sigma(T) = unit sqrt(T)
    """

    method: str
    measure: str
    output: str
    direction: Direction
    d: int
    unit: float
    a: Array
    size: Array
    total: Array

    @classmethod
    def of(cls, method: str, a: Array, e: Array, *, measure: str, output: str, unit: float, direction: Direction) -> _Problem:
        """Return the problem for eigenvalues a and offset e, each (d,)."""
        return cls(method, measure, output, direction, a.size, unit, *moments.group_eigenvalues(a, e))

    @property
    def weight(self) -> Array:
        """The factor (g,) of each second moment in the measure."""
        return self.a**2 if self.measure == "grad_norm_sq" else self.a / 2


def _bracket_alpha(p: _Problem, T_max: int) -> tuple[float, float]:
    """Return step sizes below and above which V exceeds its value at some step size between, for every T <= T_max.

    With G = sum a w m at x_0 and W the sum of the weights w: at T = 1 (T = 2 for x_tau) V is V_0 - 2 alpha G + alpha^2 K, so some step
    gains G^2 / K (a half of it, at the noise of two steps).
    Below   each step takes off at most 2 alpha G: (1 - decay)^t >= 1 - 2 alpha a t. No T steps with alpha T < gain / (2 G) get there.
    Above   the noise of the last step counted alone is unit^2 W alpha^2 T (its share of the average, unit^2 W alpha^2): more than V_0.
    """
    start, slope, noise = float(p.weight @ p.total), float((p.weight * p.a) @ p.total), p.unit * p.unit * float(p.weight @ p.size)
    square = float((p.weight * p.a**2) @ p.total)
    if moments.STEP_RULES[p.method].two_point:
        c = moments.fourth_moment(p.direction, p.d)
        square = 2 * c * square + c * float(p.weight @ p.size) * float(p.a**2 @ p.total)
    least = slope / (square + (noise if p.output == "last" else 2 * noise)) / 2
    return least / T_max, sqrt(start / noise)


class _CondensedProblem:
    """The problem in the coordinates y on Gauss nodes: `noise` is b, `start` is y at x_0, `measure` the weight of y in V."""

    def __init__(self, problem: _Problem, T_max: int) -> None:
        self.problem = p = problem
        # below a_max / (4 T_max) nothing decays in T_max steps of a stable size: all of it is one cell
        with np.errstate(over="ignore"):
            ratio = p.a[-1] / p.a
        cell = np.minimum(np.floor(np.log2(ratio) / 2), ceil(log2(T_max) / 2) + 1)
        nodes = [_gauss_nodes(p.a[cell == i], p.size[cell == i], p.total[cell == i]) for i in np.unique(cell)]
        self.a, root, start = (np.concatenate(column) for column in zip(*nodes, strict=True))
        self.noise, self.start = self.a * root, self.a * start
        self.measure = self.noise if p.measure == "grad_norm_sq" else root / 2

    def values(self, alpha: float, T: Array) -> Array:
        """Return V(alpha, T) for an array of horizons T, an array like T; inf where a factor exceeds e^600."""
        p = self.problem
        nu, couple = moments.coefficients(p.method, self.a, alpha=alpha, d=p.d, direction=p.direction)
        measure, start, noise = self.measure, self.start, self.noise
        if couple > 0:
            nu, basis = np.linalg.eigh(np.diag(nu) - couple * np.outer(noise, noise))
            measure, start, noise = measure @ basis, start @ basis, noise @ basis
        with np.errstate(divide="ignore", over="ignore", under="ignore", invalid="ignore"):
            exponent = np.multiply.outer(T, np.log1p(-np.minimum(nu, 1.0)))  # more than 1 only by rounding: decay <= 1 if d >= 2
            kept, summed = _power_sums(exponent, nu, T) if p.output == "last" else _average_sums(exponent, nu, T)
            signal, spread = kept @ (measure * start), summed @ (measure * noise)
            values = np.maximum(signal, 0) + (alpha * p.unit) ** 2 * T * spread
            values[(exponent.max(axis=1) > 600) | ~np.isfinite(values)] = inf
        return np.asarray(values, dtype=float)


def _gauss_nodes(a: Array, size: Array, total: Array) -> tuple[Array, Array, Array]:
    """Condense a cell of eigenvalues to at most NODES Gauss nodes; return (nodes, roots of weights, total / sqrt(size) there).

    Lanczos on diag(a) from sqrt(size): exact for at most NODES eigenvalues; polynomials up to degree 2 NODES - 1 keep their sum over
    `size`, up to NODES - 1 over `total`.
    """
    root = np.sqrt(size)
    if a.size <= NODES:
        return a, root, total / root
    vectors, diagonal, beside = [root / np.linalg.norm(root)], [], []
    while True:
        v = a * vectors[-1]
        diagonal.append(vectors[-1] @ v)
        for _ in range(2):  # the second sweep corrects the rounding of the first
            v = v - np.array(vectors).T @ (np.array(vectors) @ v)
        length = np.linalg.norm(v)
        if len(vectors) == NODES or length < 1e-14 * a[-1]:
            break
        vectors.append(v / length)
        beside.append(length)
    nodes, basis = eigh_tridiagonal(np.array(diagonal), np.array(beside))
    return nodes, np.linalg.norm(root) * basis[0], (total / root) @ np.array(vectors).T @ basis


def _power_sums(exponent: Array, nu: Array, T: Array) -> tuple[Array, Array]:
    """Return mu^T and the geometric sum of mu^t over t < T, for mu = 1 - nu and exponent = T log mu; shape (horizons, nodes)."""
    return np.exp(exponent), np.where(nu == 0, T[:, None], -np.expm1(exponent) / nu)


def _average_sums(exponent: Array, nu: Array, T: Array) -> tuple[Array, Array]:
    """Return the averages over t < T of mu^t and of sum_{i<t} mu^i for mu = 1 - nu, shape (horizons, nodes)."""
    T, x = T[:, None], np.multiply.outer(T, nu)
    kept = np.where(nu == 0, 1.0, -np.expm1(exponent) / x)
    series = (T - 1) / 2 * (1 - nu * (T - 2) / 3 * (1 - nu * (T - 3) / 4))  # of sum_k binom(T, k + 2) (-nu)^k / T
    return kept, np.where(np.abs(x) < 1e-4, series, (1 - kept) / nu)


def _search_schedule(problem: _Problem, T_max: int) -> tuple[float, int]:
    """Return the alpha and T of the smallest V found: a grid, then descent from the lowest local minima over T."""
    values = _CondensedProblem(problem, T_max).values
    low, high = _bracket_alpha(problem, T_max)
    alphas = np.geomspace(low, high, 3 + int(log(high / low) / log(STEP_FACTOR)))
    horizons = _horizons(T_max)
    table = np.array([values(float(alpha), horizons.astype(float)) for alpha in alphas])
    best = np.clip(table.argmin(axis=0), 1, alphas.size - 2)
    profile = _parabola_minima(*(table[best + i, np.arange(horizons.size)] for i in (-1, 0, 1)))

    seen: dict[int, tuple[float, float]] = {}

    def at_best_step(T: int, product: float) -> tuple[float, float]:
        if T not in seen:
            seen[T] = _best_step(lambda alpha: float(values(alpha, np.array([float(T)]))[0]), product / T)
        return seen[T]

    for j in [*_local_minima(profile), horizons.size - 1]:
        product = float(alphas[best[j]]) * int(horizons[j])  # S = alpha T: along a valley of V it hardly moves
        ask = partial(at_best_step, product=product)
        _golden_section(ask, *_descend_horizons(ask, [int(T) for T in horizons], j))
    T = min(seen, key=lambda T: seen[T])
    return seen[T][1], T


def _horizons(T_max: int) -> npt.NDArray[np.int64]:
    """Return the grid of T from 1 to T_max: all up to EVERY_HORIZON, then geometric."""
    dense = np.arange(1, min(T_max, EVERY_HORIZON) + 1)
    if T_max <= EVERY_HORIZON:
        return dense
    steps = ceil(log(T_max / EVERY_HORIZON) / log(HORIZON_FACTOR))
    return np.union1d(dense, np.rint(np.geomspace(EVERY_HORIZON, T_max, 1 + steps)).astype(int))


def _parabola_minima(left: Array, middle: Array, right: Array) -> Array:
    """Return the least values of the parabolas through three equally spaced ordinates; the middle one where it is not the lowest."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        curvature = left - 2 * middle + right
        lowest = middle - (right - left) ** 2 / (8 * curvature)
    usable = np.isfinite(curvature) & (curvature > 0) & (middle <= left) & (middle <= right)
    return np.where(usable, lowest, middle)


def _local_minima(profile: Array) -> list[int]:
    """Return the indices of the DIPS lowest local minima of a profile."""
    padded = np.concatenate([[inf], profile, [inf]])
    places = np.flatnonzero((profile <= padded[:-2]) & (profile <= padded[2:]))
    return [int(j) for j in places[np.argsort(profile[places], kind="stable")][:DIPS]]


def _best_step(value: Callable[[float], float], guess: float) -> tuple[float, float]:
    """Return (V, alpha) at the local minimum over log alpha near the guess; the window moves while the minimum is on its edge."""
    centre, width = log(guess), 1.5 * log(STEP_FACTOR)
    for _ in range(20):
        window = (centre - width, centre + width)
        result = minimize_scalar(lambda x: value(exp(x)), bounds=window, method="bounded", options={"xatol": 1e-5})
        moved, centre = abs(result.x - centre), float(result.x)
        if moved < 0.95 * width:
            break
    return float(result.fun), exp(centre)


def _descend_horizons(profile: Callable[[int], tuple[float, float]], horizons: list[int], i: int) -> tuple[int, int]:
    """Descend over the grid of horizons from index i to a local minimum, and return the horizons on either side of it."""
    while True:
        low, high = max(i - 1, 0), min(i + 1, len(horizons) - 1)
        best = min(i, low, high, key=lambda j: profile(horizons[j]))
        if best == i:
            return horizons[low], horizons[high]
        i = best


def _golden_section(profile: Callable[[int], tuple[float, float]], low: int, high: int) -> None:
    """Evaluate the profile on low..high by golden-section search, down to neighbours or to 1e-3 of the horizon."""
    while high - low > max(4, 1e-3 * high):  # 4 apart, both inner points would be the same
        inner = round(0.382 * (high - low))
        if profile(low + inner) <= profile(high - inner):
            high -= inner
        else:
            low += inner
    for T in range(low, high + 1) if high - low <= 4 else (low, high):
        profile(T)


def _slow_limit(p: _Problem) -> float:
    """Return the minimum over S of the limit of V(S / T, T) as T -> infinity: grid in log S, then local refinement."""

    def value(S: float) -> float:
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            x = 2 * S * p.a
            kept = np.exp(-x)
            spread = -np.expm1(-x) / x
            if p.output == "uniform":
                kept, spread = spread, np.where(x < 1e-4, 0.5 - x / 6, (1 - spread) / x)
            noise = p.unit * S
            limit = float(p.weight @ (kept * p.total + noise * noise * spread * p.size))
        return limit if isfinite(limit) else inf

    # x >= 2 in every coordinate: the noise is then at least unit^2 S / 4 times the sum of weight size / a, and at `high` V_0 or more
    high = max(1 / float(p.a[0]), 4 * float(p.weight @ p.total) / (p.unit * p.unit * float((p.weight / p.a) @ p.size)))
    low = _bracket_alpha(p, 1)[0] / 100
    grid = np.geomspace(low, high, 3 + int(log(high / low) / log(1.1)))
    i = int(np.argmin([value(float(S)) for S in grid]))
    return _best_step(value, float(grid[i]))[0]
