"""Solve for the logarithmic factor mu of Gauss-PSGD: (6) defines it through eta, accuracy and T, functions of mu (Remark 2).

Setting   as in `bounds.gauss_psgd.block`; the letters of a problem are the glossary's (L is the paper's G, ell its M).
Method    given psi and r (Theorem 1): one root in mu. Given n, d, epsilon, delta (Theorems 2, 3): Lemma 7 gives sigma and r at batch
          sizes b_1, b_2 and drift limit kappa that depend on the accuracy, so for each mu there is a root in the accuracy inside.
Measure   the accuracy, the whole block at it, and what it would cost in samples.
Source    Gauss-PSGD, (5), (6), Lemmas 7, 8, 9, Theorems 1, 2, 3, Remark 2.

The inner root is unique: psi falls and accuracy / (accuracy / psi) grows with the accuracy; for the printed batches
(psi / accuracy)^2 = a accuracy^(-3/2) + b accuracy^(-1) + c accuracy^(-9/2) + d accuracy^(-7) times constants (102).
The outer root: mu less the largest entry of (6), negative at mu = 1 unless mu = 1 is the answer, positive for large mu, since the
entries grow like log mu.

eta, Gamma, Q, T and, through the batches, r are functions of mu here, so (6) is one inequality in mu, mu >= largest entry, and the
proofs use nothing else of mu: any that satisfies it will do, with the Q and T that belong to it. It is proved that one exists, by the
growth above; that the returned one satisfies it, since this is checked at the returned numbers; and that one just below does not. It is
not proved that no smaller one does. Rounding Gamma and Q is covered: the repaired entries have room for it.
"""

import math
import sys
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace
from typing import Any, TypeVar

from bounds.gauss_psgd.block import (
    FLOATS,
    PLAIN,
    Block,
    BlockInputs,
    Constants,
    Functions,
    accuracy_over_psi,
    block,
    logarithm,
    mu_lower_bounds,
    round_step_counts,
)
from bounds.privacy.budget import Budget
from bounds.validate import convert_fields, inside_unit, one_of, positive, validated

Point = TypeVar("Point", bound="FixedPoint")
TOLERANCE = 4 * sys.float_info.epsilon  # the least relative tolerance that SciPy's root finder takes


@dataclass(frozen=True)
class Problem:
    """A problem in the glossary's letters; n may be any number of at least 1, since searches go far beyond integers.

    With m = 1 the setting of Theorem 2 (one data set of n samples), else that of Theorem 3 (m clients with n samples each).
    """

    n: float
    d: float
    epsilon: float
    delta: float
    L: float
    ell: float
    rho: float
    U: float
    m: float = 1
    omega: float = 0.1

    def __post_init__(self) -> None:
        convert_fields(self)
        positive(**{name: getattr(self, name) for name in ("n", "d", "L", "ell", "rho", "U", "m")})
        for name in ("n", "d", "m"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} = {getattr(self, name)!r}: a number of at least 1 is needed")
        inside_unit(omega=self.omega)
        self.budget  # noqa: B018  (it checks epsilon and delta)

    @cached_property
    def budget(self) -> Budget:
        """The required privacy, epsilon and delta as a `Budget`."""
        return Budget(self.epsilon, self.delta)

    def with_samples(self, n: float) -> "Problem":
        """Return the problem with another n, which a search chose; its other numbers were checked."""
        other = copy(self)
        object.__setattr__(other, "n", n)
        return other

    @property
    def constants(self) -> dict[str, float]:
        """The constants d, m, L, ell, rho and U of the problem, by name."""
        return {name: getattr(self, name) for name in ("d", "m", "L", "ell", "rho", "U")}

    @property
    def ceiling(self) -> float:
        """min(L, ell^2/rho): an accuracy of L or more holds for every gradient, and the paper assumes accuracy <= ell^2/rho."""
        return min(self.L, self.ell**2 / self.rho)


@dataclass(frozen=True)
class Noise:
    """Batches and the noise that Lemmas 7 and 9 give for them; sampling_error is sigma, added_noise is r."""

    b_1: float
    b_2: float
    drift_limit: float
    sampling_error: float
    added_noise: float
    psi: float


@dataclass(frozen=True)
class FixedPoint:
    """All parameters at the fixed point in mu, as real numbers (`bounds.gauss_psgd.recommend` rounds them).

    log_factor is mu; entries are the lower bounds on mu, the largest of which it equals; added_noise is r. T counts steps, in the
    repaired version gradient estimates.
    """

    block: Block
    log_factor: float
    entries: tuple[float, ...]
    Q: float
    T: float
    psi: float
    added_noise: float


@dataclass(frozen=True)
class BatchFixedPoint(FixedPoint):
    """A fixed point for a whole problem, with its batches; `fresh` is the bound on |T| in the proof of Lemma 8."""

    noise: Noise
    fresh: float


@validated
def gaussian_constant(delta: float) -> float:
    """Return 8 log(1.25/delta) / log(1/delta): c_1 and c_2 by Definition 8, for sensitivity 2 L / b_1 or 2 ell |dx| / b_2.

    That mechanism is (epsilon, delta)-private for epsilon < 1; `bounds.privacy.sigma_gaussian` is exact for every epsilon.
    """
    inside_unit(delta=delta)
    return definition_8_constant(delta)


def definition_8_constant(delta: float) -> float:
    """Return 8 log(1.25/delta) / log(1/delta), as `gaussian_constant` does, for a checked delta."""
    return 8 * (math.log(1.25) - math.log(delta)) / -math.log(delta)


def find_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return the zero of an increasing function of a positive number; the bracket low, high is widened until it encloses it.

    Raises ValueError where there is none between 1e-300 and 1e300.
    """
    from scipy.optimize import brentq  # here: SciPy takes longer to import than a recommendation to compute

    while low > 1e-300 and function(low) > 0:
        low, high = low / 16, low
    while high < 1e300 and function(high) < 0:
        low, high = high, 16 * high
    if not 1e-300 < low < high < 1e300:
        raise ValueError("these values are so extreme that the parameters overflow floating point; less extreme values are needed")
    return math.exp(brentq(lambda t: function(math.exp(t)), math.log(low), math.log(high), xtol=1e-14, rtol=TOLERANCE))


def _solve_mu(at: Callable[[float], Point]) -> Point:
    """Return the point `at(mu)` where mu is the largest lower bound on it, or up to about 1e-12 (relative) above, so that (6) holds.

    Where the budget turns to fresh gradients the added noise jumps up and the entries down. If they jump past mu no mu equals them;
    the one returned is just above the jump: (6) holds at it and fails below.
    """

    def excess(log_factor: float) -> float:
        return log_factor - max(at(log_factor).entries)

    if excess(1.0) >= 0:
        return at(1.0)
    crossing, above = find_root(excess, 1.0, 16.0), 1e-12
    while (found := at(crossing * (1 + above))).log_factor < max(found.entries):
        above *= 2
    return found


@validated
def fixed_point_given_noise(
    *, psi: float, added_noise: float, d: float, ell: float, rho: float, U: float, omega: float, constants: Constants = PLAIN
) -> FixedPoint:
    """Return Theorem 1's parameters for noise of size psi whose Gaussian part has deviation added_noise per coordinate.

    Raises ValueError unless added_noise sqrt(d) <= psi (1 + 1e-12): psi^2 = sigma^2 + r^2 d.
    """
    positive(psi=psi, added_noise=added_noise, d=d, ell=ell, rho=rho, U=U)
    inside_unit(omega=omega)
    if added_noise * math.sqrt(d) > psi * (1 + 1e-12):  # the slack is for a psi computed from sigma = 0
        raise ValueError(f"added_noise = {added_noise!r}: at most psi / sqrt(d) = {psi / math.sqrt(d):.6g} is needed")

    given = block_inputs(SimpleNamespace(d=d, ell=ell, rho=rho, U=U, omega=omega), psi, added_noise, constants)
    return _solve_mu(lambda log_factor: _noise_fixed_point(log_factor, given, constants))


def accuracy_ratio(log_factor: float, chosen: Constants) -> float:
    """Return accuracy / psi at log_factor = mu, for the chosen constants and version."""
    return float(accuracy_over_psi(s=chosen.s_used, log_factor=log_factor, C_abs=chosen.C_abs, c_abs=chosen.c_used, version=chosen.version))


def block_and_counts(accuracy: float, log_factor: float, at: BlockInputs | Problem, chosen: Constants) -> tuple[Block, float, float]:
    """Return (block, Q, T) at an accuracy and log_factor = mu, for the chosen constants and version."""
    s, version = chosen.s_used, chosen.version
    found = block(accuracy=accuracy, s=s, log_factor=log_factor, ell=at.ell, rho=at.rho, version=version)
    Q, T = round_step_counts(found, s=s, U=at.U, omega=at.omega, rho=at.rho, log_factor=log_factor, version=version, base=chosen.base)
    return found, Q, T


def block_inputs(at: Any, psi: float, added_noise: float, chosen: Constants) -> BlockInputs:
    """Return the inputs of (5) and (6) for a problem with this noise."""
    s, C = chosen.s_used, chosen.C_abs
    return BlockInputs(psi, added_noise, at.d, at.rho, at.U, at.omega, s, C, chosen.version, chosen.base, ell=at.ell)


def _noise_fixed_point(log_factor: float, given: BlockInputs, chosen: Constants) -> FixedPoint:
    """Return the parameters at a given mu for this noise, whether or not mu satisfies (6)."""
    found, Q, T = block_and_counts(accuracy_ratio(log_factor, chosen) * given.psi, log_factor, given, chosen)
    return FixedPoint(found, log_factor, mu_lower_bounds(found, given, T), Q, T, given.psi, given.added_noise)


def drift_limits(v: Any, f: Functions = FLOATS) -> tuple[Any, Any]:
    """Return the two entries of (104), the kappa of Theorem 2 (m = 1), or of (120), that of Theorem 3."""
    power = f.power
    first = power(v.L, 3, 2) * f.sqrt(v.U * v.rho / (v.m * v.n)) / power(v.ell, 5, 2)
    second = power(v.L, 14, 15) * power(v.d, 2, 5) * power(v.U, 4, 5) * power(v.rho, 8, 15)
    return first, second / (power(v.ell, 34, 15) * power(f.sqrt(v.m) * v.n * v.epsilon, 4, 5))


def printed_drift_limit(problem: Problem) -> float:
    """Return the printed drift limit kappa: (104) of Theorem 2, or for m > 1 (120) of Theorem 3."""
    return float(max(drift_limits(problem)))


def lemma7(problem: Problem, *, b_1: float, b_2: float, drift_limit: float, chosen: Constants) -> Noise:
    """Return sigma, r and psi of Lemma 7 (m = 1) or Lemma 9 for batches of b_1 and b_2 samples of each client.

    The repaired version has the logarithm of 2 d instead of d: Corollary 3, from which it comes, is false for d = 1 as printed.
    """
    d, m, G, M = problem.d, problem.m, problem.L, problem.ell
    width = logarithm(2 * d if chosen.version == "repaired" else d, chosen.base)
    privacy = math.log(1 / problem.delta) / problem.epsilon**2
    c_1, c_2 = (definition_8_constant(problem.delta) if c is None else c for c in (chosen.c_1, chosen.c_2))
    sampling_error = chosen.sampling * width * math.sqrt((G**2 / b_1 + M**2 * drift_limit / b_2) / m)
    added_noise = chosen.noise * math.sqrt(privacy * (c_1 * G**2 / b_1**2 + c_2 * M**2 * drift_limit / b_2**2) / m)
    return Noise(b_1, b_2, drift_limit, sampling_error, added_noise, math.hypot(sampling_error, math.sqrt(d) * added_noise))


def fresh_gradients(at: Block, *, T: float, U: float, drift_limit: float) -> float:
    """Return (6 eta/kappa) (U + 5 T eta chi^2), the bound on the number of O1 calls in Lemma 8's proof; inf for kappa = 0.

    It can be above T, of which every step is at most one O1 call.
    """
    if drift_limit == 0:
        return math.inf
    return 6 * at.eta / drift_limit * (U + 5 * T * at.eta * at.chi**2)


def printed_batches(problem: Problem, at: Block, T: float, chosen: Constants) -> Noise:
    """Return the noise at b_1 = n kappa/(2 U eta), b_2 = n eta chi^2/(2 U) and the printed kappa; T is not used, as in the paper."""
    drift_limit = printed_drift_limit(problem)
    b_1, b_2 = problem.n * drift_limit / (2 * problem.U * at.eta), problem.n * at.eta * at.chi**2 / (2 * problem.U)
    return lemma7(problem, b_1=b_1, b_2=b_2, drift_limit=drift_limit, chosen=chosen)


def budget_batches(problem: Problem, at: Block, T: float, chosen: Constants) -> Noise:
    """Return the noise at b_1 = n/(2 |T|), b_2 = n/(2 T), so that no sample is used twice, and the kappa of least psi.

    |T| is `fresh_gradients`, proportional to 1/kappa, so psi^2 = S_1/kappa + P_1/kappa^2 + (S_2 + P_2) kappa: its derivative has one
    positive zero, by Descartes' rule of signs. Where T fresh gradients would have a smaller psi, kappa is 0 and b_1 = n/(2 T),
    as happens for small n. Neither batch is rounded, and both may be below 1 for small n.
    """
    calls = fresh_gradients(at, T=T, U=problem.U, drift_limit=1.0)  # |T| kappa
    b_2 = problem.n / (2 * T)

    def squared(b_1: float, drift_limit: float) -> tuple[float, float]:
        noise = lemma7(problem, b_1=b_1, b_2=b_2, drift_limit=drift_limit, chosen=chosen)
        return noise.sampling_error**2, problem.d * noise.added_noise**2

    S_2, P_2 = squared(math.inf, 1.0)
    S_1, P_1 = squared(problem.n / (2 * calls), 0.0)
    drift_limit = least_point(S_1, P_1, S_2 + P_2)
    best = lemma7(problem, b_1=problem.n * drift_limit / (2 * calls), b_2=b_2, drift_limit=drift_limit, chosen=chosen)
    all_fresh = lemma7(problem, b_1=b_2, b_2=b_2, drift_limit=0.0, chosen=chosen)
    return min(best, all_fresh, key=lambda noise: noise.psi)


def least_point(first: float, second: float, linear: float) -> float:
    """Return the x > 0 that minimises first/x + second/x^2 + linear x, the root of linear x^3 = first x + 2 second."""
    start = max(math.sqrt(first / linear), (2 * second / linear) ** (1 / 3))  # at most the root, which is at most 2^(1/2) times this
    return find_root(lambda x: linear * x - first / x - 2 * second / x**2, start / 2, 2 * start)


BATCHES = {"printed": printed_batches, "budget": budget_batches}


def fixed_point_at(problem: Problem, log_factor: float, *, constants: Constants, batches: str) -> BatchFixedPoint:
    """Return the parameters of Theorem 2 (m = 1) or Theorem 3 at a given mu, whether or not it satisfies (6)."""

    def noise_at(accuracy: float) -> Noise:
        at, _, T = block_and_counts(accuracy, log_factor, problem, constants)
        return BATCHES[batches](problem, at, T, constants)

    target = accuracy_ratio(log_factor, constants)
    accuracy = find_root(lambda x: math.log(x) - math.log(target * noise_at(x).psi), problem.ceiling, 16 * problem.ceiling)
    noise = noise_at(accuracy)
    one = _noise_fixed_point(log_factor, block_inputs(problem, accuracy / target, noise.added_noise, constants), constants)
    return BatchFixedPoint(**vars(one), noise=noise, fresh=fresh_gradients(one.block, T=one.T, U=problem.U, drift_limit=noise.drift_limit))


def solve_fixed_point(problem: Problem, *, constants: Constants = PLAIN, batches: str = "printed") -> BatchFixedPoint:
    """Return the parameters of Theorem 2 (m = 1) or Theorem 3 for a problem, at the mu that (6) requires.

    batches   "printed": b_1, b_2 and kappa of the theorem, which need not fit into n samples; "budget": see `budget_batches`
    Raises ValueError for values that are not allowed.
    """
    one_of(tuple(BATCHES), batches=batches)
    return _solve_mu(lambda log_factor: fixed_point_at(problem, log_factor, constants=constants, batches=batches))


def round_batches(problem: Problem, at: BatchFixedPoint, *, constants: Constants) -> BatchFixedPoint:
    """Return the parameters for the batches of `at` rounded down, with the same drift limit: their psi, accuracy and mu.

    Smaller batches have more noise, so that the accuracy of `at` is not theirs. Where a batch would be empty `at` is returned.
    """
    b_1, b_2 = math.floor(at.noise.b_1), math.floor(at.noise.b_2)
    if min(b_1, b_2) < 1:
        return at
    noise = lemma7(problem, b_1=b_1, b_2=b_2, drift_limit=at.noise.drift_limit, chosen=constants)
    given = block_inputs(problem, noise.psi, noise.added_noise, constants)
    found = _solve_mu(lambda log_factor: _noise_fixed_point(log_factor, given, constants))
    return BatchFixedPoint(
        **vars(found), noise=noise, fresh=fresh_gradients(found.block, T=found.T, U=problem.U, drift_limit=noise.drift_limit)
    )
