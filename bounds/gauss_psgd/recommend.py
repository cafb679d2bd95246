"""Recommend parameters of Gauss-PSGD with Ada-DP-SPIDER, with the guarantee: printed, repaired, scaled.

    printed    (5), (6) and Theorem 2 or 3 at their fixed point; `printed_promise` has what they guarantee
    repaired   the block for which the proof of Theorem 1 goes through, whole batches that fit into n samples, exact Gaussian accounting
    scaled     the exponents of (5) with knobs in place of its logarithms and absolute constants: it can be run; its constants are
               measured, not proved
    caveats    full sentences on the limits of the guarantees

Setting   n samples (per client, for m > 1), each used in one release only; neighbours differ in one replaced record, so a mean of b_1
          gradients has sensitivity 2 L/b_1 and a mean of b_2 gradient differences 2 ell |dx|/b_2.
Source    Gauss-PSGD, Algorithms 1 to 3, (5), (6), Theorems 1, 2, 3; `bounds.gauss_psgd.scaled`.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace

from bounds import privacy
from bounds.gauss_psgd.block import Constants, least_s, round_block
from bounds.gauss_psgd.columns import Plan, Schedule
from bounds.gauss_psgd.feasibility import Feasibility, feasibility, first_n
from bounds.gauss_psgd.fixed_point import (
    BatchFixedPoint,
    Problem,
    definition_8_constant,
    gaussian_constant,
    round_batches,
    solve_fixed_point,
)
from bounds.gauss_psgd.rates import rates_at
from bounds.gauss_psgd.scaled import GUARD, Knobs, make_schedule, scaled_plan, smallest_scaled_plan
from bounds.privacy.budget import Budget
from bounds.privacy.gaussian import largest_mu
from bounds.validate import make_check, one_of, positive, validated, validated_strictly, whole_number

METHODS = ("gauss_psgd",)


@validated_strictly
def recommend(
    method: str,
    *,
    n: float,
    d: float,
    epsilon: float,
    delta: float,
    L: float,
    ell: float,
    rho: float,
    U: float,
    m: float = 1,
    omega: float = 0.1,
    alpha: float | None = None,
    knobs: Knobs | None = None,
    s: float | None = None,
    C_abs: float = 1.0,
    base: str = "e",
) -> Plan:
    """Return printed, repaired and scaled parameters for a second-order stationary point under (epsilon, delta)-DP.

    L, ell, rho  the paper's G, M and rho: Lipschitz constants of every sample's loss, gradient and Hessian
    U            bound on max F - min F;  omega: probability of failure;  m: clients, each with n samples
    alpha        accuracy of the scaled plan; None: the smallest with psi <= alpha/K
    s, C_abs     absolute constants of (5); s None: the least that the proof allows;  base: of the paper's log, "e" or "2"
    Raises ValueError for values that are not allowed or whose parameters overflow, and if n is too small for any scaled plan.
    """
    one_of(METHODS, method=method)
    make_check("Knobs(...), or None for the usual ones,", lambda one: one is None or isinstance(one, Knobs))(knobs=knobs)
    whole_number(n=n, d=d, m=m)
    problem = Problem(n=int(n), d=d, epsilon=epsilon, delta=delta, L=L, ell=ell, rho=rho, U=U, m=m, omega=omega)
    chosen, exact, constant = knobs or Knobs(), private_constant(problem.budget), definition_8_constant(problem.delta)
    as_printed = Constants(s=s, C_abs=C_abs, base=base)
    repair = replace(as_printed, version="repaired", c_1=exact, c_2=exact)
    at = solve_fixed_point(problem, constants=as_printed)
    promise = _guarantee(problem, at, as_printed, "printed")
    within = math.inf if _is_s_small(as_printed) else first_n(problem, constants=as_printed, batches="budget")
    at_repaired = round_batches(problem, solve_fixed_point(problem, constants=repair, batches="budget"), constants=repair)
    promise_repaired = _guarantee(problem, at_repaired, repair, "budget")
    printed = _proved_schedule("gauss_psgd.theorem2" if m == 1 else "gauss_psgd.theorem3", problem, at, math.ceil, constant)
    repaired = _proved_schedule("gauss_psgd.repaired", problem, at_repaired, math.floor, exact)
    if alpha is None:
        scaled = smallest_scaled_plan(problem, chosen)
    else:
        positive(alpha=alpha)
        scaled = scaled_plan(problem, alpha, chosen)
    caveats = [*_promise_caveats("printed", printed, promise, problem, at, as_printed)]
    if math.isfinite(within):
        caveats.append(
            f"With batches that fit into the n samples, the printed parameters would promise something from n = {within:.3g} samples on."
        )
    caveats += [
        *_promise_caveats("repaired", repaired, promise_repaired, problem, at_repaired, repair),
        *STANDING,
        f"The constants C of (5) and those of Lemma 7 are not known. Here C = {C_abs:g} and 1 are used. So the accuracies and the n of the "
        "printed and the repaired parameters give an order of magnitude and no guarantee.",
        *_scaled_caveats(scaled, problem, chosen),
    ]
    if rates_at(problem).in_window:
        caveats.append(
            "Constants and logarithms aside, for these n, d and epsilon the rate of Theorem 2 or 3 does not follow from its proof with any "
            "kappa: two entries of (103) cross above it."
        )
    if remark := privacy.delta_remark(delta, problem.n * problem.m):
        caveats.append(f"{remark}.")
    if constant < exact:
        caveats.append(
            f"At epsilon = {epsilon:.4g} and delta = {delta:.3g} the noise of Definition 8, which the printed parameters use, is not "
            f"private. It must be {math.sqrt(exact / constant):.4g} times as large."
        )
    return Plan(method, asdict(problem), chosen, printed, promise, within, repaired, promise_repaired, scaled, tuple(caveats))


@validated
def exact_constant(epsilon: float, delta: float) -> float:
    """Return the least c_1 = c_2 of Algorithm 2 for which one release is (epsilon, delta)-DP.

    The noise of a release of sensitivity 2 L/b_1 is then sqrt(c_1 log(1/delta)) L/(b_1 epsilon) = (2 L/b_1) / mu_gaussian(epsilon, delta).
    """
    return private_constant(Budget(epsilon, delta))


def private_constant(budget: Budget) -> float:
    """Return the least c_1 = c_2 of Algorithm 2 for which one release is private, as `exact_constant`, for a checked budget."""
    return (2 * budget.epsilon / largest_mu(budget)) ** 2 / math.log(1 / budget.delta)


def is_private(epsilon: float, delta: float) -> bool:
    """Return whether the noise of Definition 8 makes one release (epsilon, delta)-DP."""
    return gaussian_constant(delta) >= exact_constant(epsilon, delta)


def _proved_schedule(theorem: str, problem: Problem, at: BatchFixedPoint, batch: Callable[[float], int], constant: float) -> Schedule:
    """Return the schedule of a fixed point in integers; `batch` rounds b_1, b_2: up keeps the guarantee, down keeps the budget."""
    b_1, b_2 = batch(at.noise.b_1), batch(at.noise.b_2)
    if theorem == "gauss_psgd.repaired":  # its entries have room for rounding
        block, Q = round_block(at.block), math.ceil(at.Q)
    else:
        block, Q = replace(at.block, Gamma=math.ceil(at.block.Gamma - GUARD)), math.ceil(at.Q - GUARD)
    numbers = {name: getattr(block, name) for name in ("accuracy", "eta", "chi", "Gamma", "radius")}
    numbers |= {"Q": Q, "drift_limit": at.noise.drift_limit, "psi": at.psi, "log_factor": at.log_factor}
    numbers |= {"b_1": b_1, "b_2": b_2, "T": math.floor(at.T), "fresh": max(1, math.floor(min(at.fresh, at.T)))}
    unit = math.sqrt(constant * math.log(1 / problem.delta)) / problem.epsilon
    pairs = {"sigma_fresh": (problem.L, b_1), "sigma_difference": (problem.ell, b_2)}
    noise = {name: unit * size / b if b else math.inf for name, (size, b) in pairs.items()}
    return make_schedule(theorem, problem, numbers | noise)


STANDING = (
    "The printed statements are not proved as they stand. The second entry of (6) does not give Lemma 1, Lemma 4 loses a factor iota, and "
    "equation (42) of Lemma 20 a factor sqrt(iota). The repaired parameters correct these.",
    "The repaired parameters are proved for noise that is independent from step to step, with probability 1 - 3 omega/2. The error of "
    "Ada-DP-SPIDER is carried from one O1 call to the next, so no parameters of Theorem 2 or 3 are proved. Rounds of one escape phase that "
    "share a fresh gradient share its error.",
    "Privacy holds because each sample enters a single release. Order the data at random before the run, take batches from the front, and "
    "never reuse a sample. Count a run that has no samples left as failed.",
    "L, ell, rho and U must be public upper bounds. Values that are computed from the private data are not covered by epsilon, delta.",
    "If a round ends without an escape, return its starting point, not the last iterate, which step 20 of Algorithm 1 returns.",
)


def _is_s_small(constants: Constants) -> bool:
    """Return whether s is below the least that the proof allows."""
    return constants.s_used < least_s(constants.version, constants.C_abs)


def _guarantee(problem: Problem, at: BatchFixedPoint, constants: Constants, batches: str) -> Feasibility:
    """Return the guarantee of a fixed point: none at any n if s is below the least that the proof allows."""
    promise = feasibility(problem, at, constants=constants, batches=batches)
    return replace(promise, vacuous=True, first_n=math.inf) if _is_s_small(constants) else promise


def _promise_caveats(
    name: str, plan: Schedule, promise: Feasibility, problem: Problem, at: BatchFixedPoint, constants: Constants
) -> Iterator[str]:
    """Yield the caveats on the guarantee and the sample use of the variant `name`."""
    each = " per client" if problem.m > 1 else ""
    if _is_s_small(constants):
        least = least_s(constants.version, constants.C_abs)
        yield (
            f"{name.capitalize()} parameters: s = {constants.s_used:g} is below {least:g}, the least that the proof allows. Nothing is "
            "promised at any n."
        )
    elif promise.vacuous:
        yield (
            f"{name.capitalize()} parameters: the accuracy {promise.accuracy:.4g} is above min(L, ell^2/rho) = {promise.ceiling:.4g}, so "
            f"nothing is promised. The {name} parameters promise something from n = {promise.first_n:.3g} samples{each} on."
        )
    if promise.over_budget > 1 + GUARD:
        yield (
            f"{name.capitalize()} parameters: up to {promise.over_budget:.3g} times the available samples may be needed "
            f"({promise.over_budget - promise.difference_use:.3g} n for fresh gradients, {promise.difference_use:.3g} n for differences)."
        )
    if min(plan.b_1, plan.b_2) < 1:
        yield (
            f"{name.capitalize()} parameters: n = {problem.n:.4g} samples are too few to give each batch one sample "
            f"(b_1 = {at.noise.b_1:.3g}, b_2 = {at.noise.b_2:.3g}), so no batches, no noise and no schedule exist."
        )
    if problem.d == 1 and name == "printed":
        yield "Lemma 7 as printed has sigma = 0 at d = 1, because its logarithm of d should be a logarithm of 2 d."


def _scaled_caveats(plan: Schedule, problem: Problem, knobs: Knobs) -> Iterator[str]:
    """Yield the caveats of the scaled variant: planned steps, a trivial accuracy, psi above alpha/K, eta above 1/ell."""
    yield (
        "Scaled parameters have the exponents of (5), not its constants. Nothing is proved about their accuracy. Test them by runs, and "
        "change each knob by a factor of 2 to see whether the conclusion stays the same."
    )
    yield (
        f"Scaled parameters: T = {plan.T:,} steps are planned from pilot runs. No proof says that they are enough. A run that needs more "
        f"goes on until its samples are used up ({plan.calls:,} calls of the oracle, if {plan.fresh:,} of them are fresh), and then "
        "returns nothing. Up to 4 of 24 runs of a point of the figure psgd-rate ended so."
    )
    if plan.accuracy >= problem.ceiling:
        yield (
            f"Scaled parameters: the accuracy {plan.accuracy:.4g} is not below min(L, ell^2/rho) = {problem.ceiling:.4g}. So even a run "
            "that reaches it shows nothing."
        )
    if plan.psi > plan.accuracy / knobs.K:
        yield (
            f"Scaled parameters: psi = {plan.psi:.4g} is above alpha/K = {plan.accuracy / knobs.K:.4g}. There is more noise than in the "
            "pilot runs from which the knobs were chosen."
        )
    if plan.eta * problem.ell > 1:
        yield f"Scaled parameters: eta = {plan.eta:.4g} is above 1/ell = {1 / problem.ell:.4g}, where Lemma 3 no longer holds."
