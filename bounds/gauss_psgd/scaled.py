"""Scaled parameters of Gauss-PSGD: the exponents of (5), with adjustable factors (knobs) for its logarithms and constants.

Setting   a problem of `bounds.gauss_psgd.fixed_point`; each of the n samples (of each client) is used in one release only.
Method    eta = k_eta sqrt(rho accuracy)/ell^2, chi = accuracy/4, radius = k_R sqrt(accuracy/rho),
          Gamma = ceil(k_Gamma/(eta sqrt(rho accuracy))), batches that fit into n, noise by exact Gaussian accounting.
Measure   psi, a bound on the root mean square error of a gradient estimate, against accuracy/K.
Source    Gauss-PSGD, (5), Algorithms 1 and 2; the knobs, and what was measured with them, are ours.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bounds.gauss_psgd.columns import Schedule
from bounds.gauss_psgd.fixed_point import Problem, least_point
from bounds.privacy.gaussian import largest_mu, least_sigma, require_full_precision
from bounds.validate import convert_fields, non_negative, positive, positive_integer, validated

GUARD = 1e-9  # a quotient that is exactly 20 can come out as 20.000000000000004, which must not become 21


@dataclass(frozen=True)
class Knobs:
    """Factors that replace the logarithms and constants of (5); the theory has k_eta = iota^-2, k_R = iota^-1.5, k_Gamma = mu.

    k_eta, k_R, k_Gamma   eta = k_eta sqrt(rho accuracy)/ell^2, radius = k_R sqrt(accuracy/rho),
                          Gamma = ceil(k_Gamma/(eta sqrt(rho accuracy)))
    Q            rounds of an escape phase
    K            required accuracy/psi; psi bounds the root mean square error of a gradient estimate. The theory has
                 16 sqrt(C) s mu^2. Pilots on random-phase cosines (10 runs for each of 7 problems, all of which ended in a
                 second-order stationary point) had a worst error of 0.2 to 0.9 chi, and 2.6 chi in one problem; chi = accuracy/4, so
                 K = 8 holds psi to chi/2
    k_T          planned steps Q Gamma + k_T U/(eta chi^2): one certification and the descent. The longest of those 70 runs took 286
                 steps where k_T = 1/40 plans 304; (79) has 26 s^2 mu^4/10 log(...) for k_T and nothing for the certification
    extra_fresh  O1 calls besides the first and the U eta/kappa of Lemma 8 (without its constant): Q per escape phase if every round
                 starts with a fresh gradient, as the independence in Lemma 2 requires and Algorithm 1 does not
    drift_limit  kappa; None: the value that minimises psi
    """

    k_eta: float = 1.0
    k_R: float = 0.3
    k_Gamma: float = 6.0
    Q: int = 8
    K: float = 8.0
    k_T: float = 1 / 40
    extra_fresh: int = 0
    drift_limit: float | None = None

    def __post_init__(self) -> None:
        convert_fields(self)
        positive(k_eta=self.k_eta, k_R=self.k_R, k_Gamma=self.k_Gamma, K=self.K, k_T=self.k_T)
        positive_integer(Q=self.Q)
        non_negative(extra_fresh=self.extra_fresh)
        if self.extra_fresh != int(self.extra_fresh):
            raise ValueError(f"extra_fresh = {self.extra_fresh!r}: an integer of at least 0 is needed")
        if self.drift_limit is not None:
            positive(drift_limit=self.drift_limit)


def count_calls(n: float, b_1: int, b_2: int, fresh: int) -> int:
    """Return the number of oracle calls that n samples allow if up to `fresh` of them are O1."""
    if min(b_1, b_2) < 1:
        return 0
    used = min(fresh, int(n) // b_1)
    return used + (int(n) - used * b_1) // b_2


def has_enough_samples(n: float, b_1: int, b_2: int, samples: int) -> bool:
    """Return whether n samples are enough for the planned `samples`, with at least one in each batch."""
    return min(b_1, b_2) >= 1 and samples <= n


def make_schedule(theorem: str, problem: Problem, numbers: Mapping[str, Any]) -> Schedule:
    """Return the schedule of a problem with these numbers, completed by its calls, its samples and whether it can be run."""
    n, b_1, b_2, fresh = problem.n, numbers["b_1"], numbers["b_2"], numbers["fresh"]
    samples = b_1 * fresh + b_2 * numbers["T"]
    lasts = {"calls": count_calls(n, b_1, b_2, fresh), "samples": samples, "runnable": has_enough_samples(n, b_1, b_2, samples)}
    return Schedule(theorem=theorem, constants=problem.constants, **numbers, **lasts)


@validated
def scaled_plan(problem: Problem, accuracy: float, knobs: Knobs) -> Schedule:
    """Return the `Schedule` of the scaled variant for an accuracy; ValueError if n is too small for one sample in each batch.

    Half of the samples go to O1 and half to O2 calls: b_1 = floor(n/(2 fresh)), b_2 = floor(n/(2 T)). psi^2 is the mean square error
    of an estimate at the end of an epoch, where the squared displacements since its O1 call sum to less than kappa:
    (L^2/b_1 + ell^2 kappa/b_2 + d (sigma_fresh^2 + sigma_difference^2 kappa)) / m.
    Raises ValueError where n is too small for one sample in each batch.
    """
    positive(accuracy=accuracy)
    n, d, m, G, M = problem.n, problem.d, problem.m, problem.L, problem.ell
    root = math.sqrt(problem.rho * accuracy)
    eta, chi = knobs.k_eta * root / M**2, accuracy / 4
    Gamma = max(1, math.ceil(knobs.k_Gamma / (eta * root) - GUARD))
    T = knobs.Q * Gamma + math.ceil(knobs.k_T * problem.U / (eta * chi**2) - GUARD)
    if n < 2 * T:
        raise ValueError(f"n = {n!r}: accuracy {accuracy:.4g} needs at least 2 T = {2.0 * T:.6g} samples; give more or a larger alpha")
    mu, path, first = largest_mu(problem.budget), problem.U * eta, 1 + knobs.extra_fresh
    b_2 = int(n // (2 * T))
    drift_limit = knobs.drift_limit
    if drift_limit is None:
        one = d * (4 * G / (n * mu)) ** 2  # d sigma_fresh^2 is this times the square of the number of O1 calls
        linear = M**2 / b_2 + d * (2 * M / (b_2 * mu)) ** 2
        drift_limit = least_point(2 * G**2 * path / n + 2 * one * first * path, one * path**2, linear)
        drift_limit = path / math.ceil(path / drift_limit)
    fresh = first + math.ceil(path / drift_limit - GUARD)
    b_1 = int(n // (2 * fresh))
    if b_1 < 1:
        raise ValueError(f"n = {n!r}: {fresh} fresh gradients need at least {2 * fresh} samples; give more samples or a larger drift_limit")
    sigma_fresh = least_sigma(problem.budget, require_full_precision(2 * G / b_1))
    sigma_difference = least_sigma(problem.budget, require_full_precision(2 * M / b_2))
    squared = G**2 / b_1 + M**2 * drift_limit / b_2 + d * (sigma_fresh**2 + sigma_difference**2 * drift_limit)
    radius, psi = knobs.k_R * math.sqrt(accuracy / problem.rho), math.sqrt(squared / m)
    block = {"accuracy": accuracy, "eta": eta, "chi": chi, "Gamma": Gamma, "Q": knobs.Q, "radius": radius, "drift_limit": drift_limit}
    batches = {"b_1": b_1, "b_2": b_2, "T": T, "fresh": fresh}
    noise = {"sigma_fresh": sigma_fresh, "sigma_difference": sigma_difference, "psi": psi, "log_factor": math.nan}
    return make_schedule("none: knobs", problem, block | batches | noise)


def smallest_scaled_plan(problem: Problem, knobs: Knobs) -> Schedule:
    """Return the scaled plan of smallest accuracy with psi <= accuracy/K, to a relative 1e-6, rounding of batches aside.

    Raises ValueError where no accuracy up to 1e6 min(L, ell^2/rho) has one.
    """

    def found(accuracy: float) -> Schedule | None:
        try:
            plan = scaled_plan(problem, accuracy, knobs)
        except ValueError:
            return None
        return plan if plan.psi <= accuracy / knobs.K else None

    high = problem.ceiling
    while (best := found(high)) is None:
        high *= 2
        if high > 1e6 * problem.ceiling:
            too_few = f"too few samples for any scaled plan with psi <= alpha/{knobs.K:g}; give more samples or a larger epsilon"
            raise ValueError(f"n = {problem.n!r}: {too_few}")
    low = high / 2
    while (better := found(low)) is not None:
        best, high, low = better, low, low / 2
    while high / low > 1 + 1e-6:
        middle = math.sqrt(low * high)
        plan = found(middle)
        if plan is None:
            low = middle
        else:
            best, high = plan, middle
    return best
