"""Formulas of the sharp theorem for P directions, for floats, arrays or symbols, and the schedules with the fewest function values.

Nothing here imports SymPy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bounds.dpzero.sharp_numbers import Point
from bounds.privacy.accounting import of_means
from bounds.privacy.gaussian import mu_gaussian
from bounds.privacy.release import Sampling
from bounds.validate import positive, positive_integer, short_repr, validated


@dataclass(frozen=True, kw_only=True)
class Stage(Point):
    """A stage of T steps of one size that starts at F - F* = gap, in the glossary's letters, with the bound at its end.

    The formulas are those of `sharp_smooth.page`, for floats, arrays or symbols.
    `spread` is 1 for Gaussian directions, d / (d - 3) on the sphere; `split` is any positive number.
    """

    P: Any
    sampling: Any
    split: Any
    mu: Any
    spread: Any = 1.0

    def of_samples(self, share: Any) -> Any:
        """Return a bound on E X^2 u'Hu / ell for an L-Lipschitz function X of the direction u with E X^2 = share L^2."""
        return self.L**2 * (share * self.r + 2 * self.functions.sqrt(share * self.r))

    @property
    def curved(self) -> Any:
        """The part lam ell/2 sqrt(r (r + 2)(r + 4)) of omega (`zo_rest`) that smoothing adds."""
        return self.lam * self.ell / 2 * self.functions.sqrt(self.r * (self.r + 2) * (self.r + 4))

    def terms(self, letters: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
        """Return the abbreviations of `sharp_smooth.page` by name; `letters` replaces their values in later ones by symbols."""
        sqrt, found = self.functions.sqrt, dict[str, Any]()

        def called(name: str, value: Any) -> Any:
            found[name] = value
            return letters.get(name, value)

        alpha, ell, L, r, P, v = self.alpha, self.ell, self.L, self.r, self.P, self.spread
        c = called("c_clip", self.C / (L * sqrt(v)))
        psi = called("zo_lost", self.excess_squared(c))
        b = called("zo_tilt", L * v * self.half_normal_tail(c) + self.lam * ell * sqrt(r))
        omega = called("zo_rest", self.curved + sqrt(self.of_samples(v * psi)))
        others = called("zo_others", (P - 1) / P)
        square = called("zo_square", 1 + (r + 1) / P)
        cross = called("zo_cross", sqrt(r + 2) * omega / P + others * b)
        drawn = self.sampling * (self.of_samples(v) / P + others * v * L**2)
        constant = called("zo_constant", omega**2 / P + others * b**2 + drawn + self.sigma**2 * r / P)
        slope = called("zo_slope", alpha * (2 - alpha * ell * square) / 2)
        pull = called("zo_pull", alpha * (b + alpha * ell * cross))
        taken = called("zo_taken", 2 * self.mu * slope * self.split / (1 + self.split))
        called("zo_added", pull**2 * (1 + self.split) / (4 * slope) + alpha**2 * ell * constant / 2)
        called("zo_kept", 1 - taken)
        return found

    @property
    def bound(self) -> Any:
        """The bound on the gap after T steps, for floats or arrays, which broadcast; inf if alpha is too large."""
        short = self.alpha * self.ell * (1 + (self.r + 1) / self.P) < 2
        at = replace(self, alpha=np.where(short, self.alpha, 1e-9 / self.ell)).terms()
        log_left = self.T * np.log1p(-np.minimum(at["zo_taken"], 1 - 1e-16))
        return np.where(short, np.exp(log_left) * self.gap - at["zo_added"] * np.expm1(log_left) / at["zo_taken"], np.inf)


Array = npt.NDArray[np.float64]
SPLITS = np.geomspace(1, 1024, 9)
ROUNDED = 1e-9  # by which bounds are rounded up
FOREVER = 1e15  # steps, as good as infinitely many
LAM_SHARE = 0.01  # smoothing changes zo_tilt and zo_rest by at most this share of what clipping does
SHARE = 0.02  # relative accuracy of the fewest function values
METHODS: dict[str, tuple[float, tuple[int, ...]]] = {  # by how much T grows and alpha falls from stage to stage; numbers of stages
    "dpzero": (1.0, (1,)),
    "dp_zoso": (2.0, (2, 3, 4, 5, 6, 8, 10, 13, 16)),
    "decreasing": (1.4, (3, 6, 9, 13, 18, 24, 32)),
}


class Found(NamedTuple):
    """The best schedule of a search: the bound, T steps in total in S stages, P directions, batches of B; alpha of the first stage."""

    bound: float
    T: float
    P: int
    B: int
    S: int
    alpha: float
    C: float


@dataclass(frozen=True)
class Row:
    """A certified schedule of a method: alpha and T of each stage, noise sigma along a direction, and mean number of function values."""

    method: str
    sampling: str
    alpha: tuple[float, ...]
    T: tuple[int, ...]
    P: int
    batch_size: int
    C: float
    sigma: float
    lam: float
    bound: float
    function_values: int


@dataclass(frozen=True)
class Problem:
    """A problem in the glossary's letters; `lost` is the distance of the least value that the kept coordinates reach from F^*."""

    n: int
    d: float
    epsilon: float
    delta: float
    L: float
    ell: float
    r: float
    mu: float
    gap: float
    lost: float = 0.0
    spread: float = 1.0

    def run(self, alpha: Sequence[Any], T: Sequence[Any], C: Any, sigma: Any, P: int, B: Any) -> Any:
        """Return (bound, lam): the gap bound after all stages, each with its best split, and the smoothing radius; arrays broadcast."""
        known: dict[str, Any] = {name: getattr(self, name) for name in ("d", "r", "L", "ell", "mu", "spread")}
        known["split"] = SPLITS.reshape(-1, *(1,) * np.ndim(C * alpha[0] * T[0]))
        known["sampling"] = np.maximum(0, self.n - B) / (B * max(1, self.n - 1))
        at, gap = Stage(alpha=alpha[0], T=1, C=C, lam=1.0, sigma=sigma, gap=self.gap, P=P, **known), self.gap
        clipped = replace(at, lam=0.0).terms()
        tilt, rest = clipped["zo_tilt"], clipped["zo_rest"]
        at = replace(at, lam=LAM_SHARE * np.minimum(tilt / (at.terms()["zo_tilt"] - tilt), rest / at.curved))
        for one, steps in zip(alpha, T, strict=True):
            gap = np.min(replace(at, alpha=one, T=steps, gap=gap).bound, axis=0)
        return gap + self.lost, at.lam

    def noise(self, T: Array, P: int, B: Array) -> Array:
        """Return an approximate sigma / C for a search only: exact for full batches, else by the central limit theorem."""
        half = mu_gaussian(self.epsilon, self.delta) / 2
        batch = np.sqrt(P / np.arcsinh((half * self.n / B) ** 2 / T)) / B
        return np.where(B >= self.n, np.sqrt(T * P) / (self.n * half), batch)

    def best(self, T: Array, P: int, B: Array, growth: float, S: int) -> Found:
        """Search for the S-stage schedule of least bound over pairs of total steps T and batch size B, (k,) each; return a `Found`."""
        parts, cap = growth ** np.arange(S), 1.5 / (self.ell * (1 + (self.r + 1) / P))
        turns, ratios = np.geomspace(0.1, 60, 20), np.geomspace(1, 7, 12)  # mu alpha T of a stage, and C / L
        found = Found(math.inf, 1.0, P, self.n, S, 1.0, self.L)
        for _ in range(3):  # a grid, and finer ones around its best
            T, B, C = T.reshape(-1, 1, 1), B.reshape(-1, 1, 1), self.L * ratios[:, None]
            first = T / parts.sum()
            alpha = np.minimum(cap, turns / (self.mu * first))
            bounds, _ = self.run([alpha / part for part in parts], [first * part for part in parts], C, self.noise(T, P, B) * C, P, B)
            h, i, j = np.unravel_index(int(np.argmin(bounds)), bounds.shape)
            T, B, best = T[h], B[h], float(alpha[h, 0, j])
            found = min(found, Found(float(bounds[h, i, j]), float(T[0, 0]), P, int(B[0, 0]), S, best, float(C[i, 0])))
            turns = found.alpha * self.mu * float(first[h, 0, 0]) * np.geomspace(0.8, 1.25, 9)
            ratios = found.C / self.L * np.geomspace(0.9, 1.1, 9)
        return found

    def least(self, method: str, values: float = math.inf, poisson: bool = False, P: int = 1, stages: Sequence[int] = ()) -> Found:
        """Return a method's schedule (`Found`) of least bound at a number of function values, with full or Poisson batches."""
        growth, known = METHODS[method]
        full = min(values / (2 * P * self.n), FOREVER)
        T = np.geomspace(max(1.0, full), values / (2 * P), 17) if poisson and values < math.inf else np.array([full])
        B = np.clip(np.floor(values / (2 * P * T) + 1e-9), 1, self.n) if poisson else np.full_like(T, self.n)
        some = {S: growth**S <= T for S in stages or known}
        found = [self.best(T[long], P, B[long], growth, S) for S, long in some.items() if long.any()]
        return min(found, default=Found(math.inf, 1.0, P, self.n, 1, 1.0, self.L))

    def fewest(self, method: str, target: float, poisson: bool = False, P: int = 1) -> Found:
        """Return a schedule (`Found`) with about the fewest function values whose bound is at most the target; ValueError if none is."""
        low, high, found, (_, known) = 2.0 * P, 2.0 * P * self.n * FOREVER, self.least(method, P=P), METHODS[method]
        if found.bound > target:
            raise ValueError(f"target = {short_repr(target)}: {method} certifies no less than {found.bound:.3g} with any number of values")
        near = known[: known.index(found.S) + 1]
        while high > (1 + SHARE) * low:
            one = self.least(method, middle := math.sqrt(low * high), poisson, P, near)
            low, high, found = (low, middle, one) if one.bound <= target else (middle, high, found)
        return found

    def certified(self, method: str, found: Found, poisson: bool = False) -> Row:
        """Round a found schedule to integer steps; return it as a `Row`, with the accountant's noise and the theorem's bound for it."""
        parts, T = METHODS[method][0] ** np.arange(found.S), max(found.S, math.floor(found.T))
        lengths = [max(1, round(float(T * part / parts.sum()))) for part in parts[:-1]]
        lengths, alpha = [*lengths, T - sum(lengths)], tuple(float(found.alpha / part) for part in parts)
        sampling: Sampling = "poisson" if poisson and found.B < self.n else "full"
        released = of_means(self.n, found.B, found.C, T, sampling, P=found.P)
        sigma = released.calibrate_noise(self.epsilon, self.delta).sigma
        bound, lam = (float(one) for one in self.run(alpha, lengths, found.C, sigma, found.P, found.B))
        count, bound = 2 * found.P * found.B * T, (1 + ROUNDED) * bound
        return Row(method, sampling, alpha, tuple(lengths), found.P, found.B, found.C, sigma, lam, bound, count)


@validated
def compare(
    n: int, d: float, epsilon: float, delta: float, L: float, ell: float, r: float, mu: float, gap: float,
    kept: tuple[float, float, float] | None = None, target: float | None = None, values: float | None = None, P: int = 1,
    batches: Sequence[bool] = (False, True),
) -> tuple[Row, ...]:  # fmt: skip
    """Return a `Row` for each method and kind of batches: a schedule that certifies one error with the fewest function values.

    kept     of the loss on the coordinates that DP-ZOPO keeps: the effective rank of its Hessian, the distance of its smallest value from
             F^*, and its mu, which does not follow from that of F: (x + y)^2/2 has mu = 2, and 1 with y fixed
    target   the error; by default 1.1 times the least of the constant step;   values   compare at that many function values instead
    batches  False for full batches, True for Poisson batches; raises ValueError if no number of values reaches the target
    """
    positive_integer(n=n, P=P)
    positive(d=d, L=L, ell=ell, r=r, mu=mu, gap=gap)
    positive(**{name: one for name, one in {"target": target, "values": values}.items() if one is not None})
    if not 1 <= r <= d:
        raise ValueError(f"r = {short_repr(r)}: a number from 1 to d = {d:g} is needed")
    if kept is not None and not (len(kept) == 3 and kept[0] >= 1 and 0 <= kept[1] < gap and kept[2] > 0):
        raise ValueError(
            f"kept = {short_repr(kept)}: three numbers are needed, an effective rank of at least 1, a distance from 0 "
            f"to below gap = {gap:g}, and a mu above 0"
        )
    problem, rows = Problem(n, d, epsilon, delta, L, ell, r, mu, gap), []
    asked = {method: (method, problem) for method in METHODS}
    if kept is not None:
        rank, lost, own_mu = kept
        asked["dp_zopo"] = "dp_zoso", replace(problem, r=rank, lost=lost, gap=gap - lost, mu=own_mu)
    limit = math.inf if values else target or 1.1 * problem.least("dpzero").bound
    for poisson in batches:
        for name, (method, at) in asked.items():
            found = at.least(method, values, poisson, P) if values else at.fewest(method, limit, poisson, P)
            row = at.certified(method, found, poisson)
            while row.bound > limit:  # the noise of the search, by the central limit theorem, may be below the accountant's
                more = max(0.03 * row.function_values, 2.1 * P * row.batch_size)  # one step at least
                found = at.least(method, row.function_values + more, poisson, P, (found.S,))
                row = at.certified(method, found, poisson)
            rows.append(replace(row, method=name))
    return tuple(rows)
