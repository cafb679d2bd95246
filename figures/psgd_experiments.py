"""The experiments behind the second-order figures: which cells to run for which question, and what the runs came to.

Theory constants are replaced by the knobs of `bounds.gauss_psgd.scaled` wherever whole runs are concerned; escapes from one saddle are
run at the parameters (5) themselves, with s = C = 1 in place of the constants that the proof asks for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.gauss_psgd.block import Given, accuracy_over_psi, block, entries
from bounds.gauss_psgd.columns import Schedule
from bounds.gauss_psgd.fixed_point import Problem, root
from bounds.gauss_psgd.scaled import Knobs, smallest_scaled
from synthetic.draws import FloatArray
from synthetic.estimate import Interval, clustered_mean, loglog_slope, quantile
from synthetic.separable_saddles import random_phase_cosines
from synthetic.store import Store
from synthetic.sweep import Cell, Progress, run

Report = Callable[[str, Progress], None] | None
MOST = 0.75  # share of the runs whose error a point shows


def child_seed(seed: int, *keys: int) -> int:
    """Return a seed for the part of an experiment with these numbers; parts never share draws."""
    return int(np.random.SeedSequence(seed, spawn_key=keys).generate_state(1, np.uint64)[0])


def compute(
    stage: str, cells: Mapping[Any, Sequence[Cell]], store: Store, *, workers: int | None = None, progress: Report = None
) -> dict[Any, dict[str, np.ndarray]]:
    """Run groups of cells through the store; return for each group its cells' arrays, joined along the replicates."""
    everything = [cell for group in cells.values() for cell in group]
    report = None if progress is None else lambda p: progress(stage, p)
    found = run(everything, store, workers=workers, progress=report)
    return {
        key: {name: np.concatenate([found[cell.key][name] for cell in group]) for name in found[group[0].key]}
        for key, group in cells.items()
    }


@dataclass(frozen=True)
class Hardest:
    """The hardest saddle of Lemma 1, curvature sqrt(rho alpha), at the parameters (5) with rho = M = s = C = 1, and its noise.

    sigma   the Gaussian noise per coordinate (the paper's r), zeta the radius of the sampling error (its sigma): zeta^2 = sigma^2 d
    """

    landscape: Mapping[str, Any]
    log_factor: float
    curvature: float
    eta: float
    R: float
    Gamma: int
    decrease: float
    sigma: float
    zeta: float


def hardest(*, d: int, accuracy: float, log_factor: float) -> Hardest:
    """Return it on random-phase cosines, A = w = 1, whose phase along x_1 is spread so that sin(h)/h = sqrt(accuracy) < 1."""
    curvature = math.sqrt(accuracy)
    spread = root(lambda h: curvature - math.sin(h) / h, 1.0, 3.0)
    at = block(accuracy=accuracy, s=1.0, log_factor=log_factor, ell=1.0, rho=1.0)
    psi = accuracy / accuracy_over_psi(s=1.0, log_factor=log_factor, C_abs=1.0, c_abs=1.0, version="printed")
    noise = {"sigma": psi / math.sqrt(2 * d), "zeta": psi / math.sqrt(2)}
    whole = {"R": at.radius, "Gamma": math.ceil(at.Gamma - 1e-9), "decrease": at.decrease}
    landscape = {"d": d, "unstable_h": spread}
    return Hardest(landscape=landscape, log_factor=log_factor, curvature=curvature, eta=at.eta, **whole, **noise)


def second_entry(*, d: int, accuracy: float, version: str, base: str = "e") -> float:
    """Return the mu that equals its own lower bound, the second entry of (6), at the noise of `hardest`: "printed" or "corrected"."""

    def excess(log_factor: float) -> float:
        at = block(accuracy=accuracy, s=1.0, log_factor=log_factor, ell=1.0, rho=1.0)
        psi = accuracy / accuracy_over_psi(s=1.0, log_factor=log_factor, C_abs=1.0, c_abs=1.0, version=version)
        given = Given(psi, psi / math.sqrt(2 * d), d, rho=1.0, U=1.0, omega=0.1, s=1.0, C_abs=1.0, version=version, base=base)
        return log_factor - float(entries(at, given, 1.0)[1])

    return root(excess, 4.0, 32.0)


def growth(curvature: float, eta: float, t: FloatArray) -> FloatArray:
    """Return Lemma 19's a(t) = sqrt(sum_{i <= t} (1 + eta gamma)^(2 (t - i)))."""
    x = eta * curvature
    return np.sqrt(np.expm1(2 * t * math.log1p(x)) / (2 * x + x**2))


def chunks(replicates: int, chunk: int) -> list[tuple[int, int]]:
    """Return the number of every chunk of replicates, and how many are in it."""
    return [(k, min(chunk, replicates - first)) for k, first in enumerate(range(0, replicates, chunk))]


def saddle_cell(h: Hardest, function: str, words: str, cost: float, **arguments: Any) -> Cell:
    """Return a cell of runs from the saddle."""
    place = {"landscape": h.landscape, "eta": h.eta, "sigma": h.sigma, "zeta": h.zeta}
    return Cell(f"synthetic.escapes:{function}", {**place, **arguments}, cost, f"{words}, mu = {h.log_factor:g}")


def escape_cells(h: Hardest, *, replicates: int, seed: int, chunk: int = 1000) -> list[Cell]:
    """Return cells of single runs from the saddle."""
    return [
        saddle_cell(h, "escape_cell", "escape", n * h.Gamma, R=h.R, Gamma=h.Gamma, replicates=n, seed=child_seed(seed, k))
        for k, n in chunks(replicates, chunk)
    ]


def path_cells(h: Hardest, *, times: Sequence[int], replicates: int, seed: int, chunk: int = 500) -> list[Cell]:
    """Return cells of paths and coupled pairs from the saddle."""
    return [
        saddle_cell(h, "path_cell", "paths", 3 * n * max(times), times=list(times), replicates=n, seed=child_seed(seed, k))
        for k, n in chunks(replicates, chunk)
    ]


@dataclass(frozen=True)
class Task:
    """A problem on random-phase cosines, and the scaled plan to run there.

    plan       of `bounds.gauss_psgd.scaled`; runs may have another number of clients than it was made for
    """

    landscape: Mapping[str, Any]
    problem: Problem
    plan: Schedule

    @property
    def privacy_share(self) -> float:
        """Share of the privacy noise in the plan's psi^2, the rest being sampling error."""
        noise = self.problem.d * (self.plan.sigma_fresh**2 + self.plan.sigma_difference**2 * self.plan.drift_limit)
        return noise / (self.problem.m * self.plan.psi**2)


def task(landscape: Mapping[str, Any], *, n: int, epsilon: float, delta: float, knobs: Knobs, plan: Schedule | None = None) -> Task:
    """Return the problem with n samples a client, and the plan, by default the one of smallest alpha with psi <= alpha/K."""
    place = random_phase_cosines(**landscape)
    constants = {name: float(place.constants[name]) for name in ("d", "L", "ell", "rho", "U")}
    problem = Problem(n=n, epsilon=epsilon, delta=delta, m=place.clients, **constants)
    return Task(landscape, problem, plan or smallest_scaled(problem, knobs))


def alternating(m: int, phase: float) -> list[float]:
    """Return the phases phase, -phase, phase, ... of m clients, m even: F is the same for every even m. One client has the phase 0."""
    if m > 1 and m % 2:
        raise ValueError(f"m = {m}: 1 or an even number is needed, so that the sines of the phases sum to 0")
    return [phase * (-1) ** j for j in range(m)] if m > 1 else [0.0]


def descent_cells(t: Task, *, replicates: int, seed: int, label: str, chunk: int = 4) -> list[Cell]:
    """Return cells of whole runs of Algorithm 1 with Algorithm 3, each from a start of its own: x_1 = 0, the others uniform on [0.5, 1.5].

    From one fixed start, where a run enters its last escape phase, and so its error, would depend on n like the phase of a wave.
    """
    plan, cells = t.plan, []
    d, n = int(t.problem.d), int(t.problem.n)
    oracle = "distributed_ada_dp_spider"
    run_ = {"oracle": oracle} | plan.with_oracle(oracle, d, n)
    for k, count in chunks(replicates, chunk):
        starts = np.random.default_rng(child_seed(seed, k, 0)).uniform(0.5, 1.5, (count, d))
        starts[:, 0] = 0.0
        arguments = {"landscape": t.landscape, "run": run_, "starts": starts.tolist(), "seed": child_seed(seed, k, 1)}
        cells.append(Cell("synthetic.psgd:descent_cell", arguments, count * t.problem.m * n * d, label))
    return cells


@dataclass(frozen=True)
class Outcome:
    """What the runs of a task came to.

    error     what 75 % of all runs stay below in error: the smallest alpha for which the returned point is an alpha-SOSP, inf for a run
              that returned nothing. A guarantee speaks of most runs, and the upper end varies less from set to set than the median
    middle    the median of the same
    failed    runs that returned nothing: out of samples, or at the step limit;   beyond: returned points that are not alpha-SOSPs
    rms       root mean square error of the gradient estimates, with the interval of the mean square over runs
    used      largest share of the samples that a run used
    """

    task: Task
    replicates: int
    error: Interval
    middle: Interval
    failed: int
    beyond: int
    rms: Interval
    used: float
    steps: float


def outcome(t: Task, found: Mapping[str, np.ndarray]) -> Outcome:
    """Return the summary of what the cells of a task returned."""
    square = clustered_mean(found["noise_sq"][:, None])
    rms = Interval(math.sqrt(square.value), math.sqrt(max(square.low, 0.0)), math.sqrt(square.high), square.coverage)
    returned = found["status"] == 0
    return Outcome(
        task=t,
        replicates=len(returned),
        error=quantile(found["error"], MOST),
        middle=quantile(found["error"], 0.5),
        failed=int(np.sum(~returned)),
        beyond=int(np.sum(found["error"][returned] > t.plan.accuracy)),
        rms=rms,
        used=float(found["samples"].max() / t.problem.n),
        steps=float(np.median(found["steps"])),
    )


def row(o: Outcome) -> dict[str, Any]:
    """Return an outcome as a row of a table."""
    plan, problem = o.task.plan, o.task.problem
    setting: dict[str, Any] = {"n": int(problem.n), "d": int(problem.d), "epsilon": problem.epsilon, "m": int(problem.m)}
    setting |= {"alpha": plan.accuracy, "psi_bound": plan.psi, "privacy_share": o.task.privacy_share}
    errors = {"error_q75": o.error.value, "error_q75_low": o.error.low, "error_q75_high": o.error.high}
    errors |= {"error_median": o.middle.value, "median_low": o.middle.low, "median_high": o.middle.high}
    counts: dict[str, Any] = {"runs": o.replicates, "failed": o.failed, "not_alpha_sosp": o.beyond}
    counts |= {"rms": o.rms.value, "rms_low": o.rms.low, "rms_high": o.rms.high, "most_samples_used": o.used, "steps_median": o.steps}
    steps: dict[str, Any] = {"T": plan.T, "eta": plan.eta, "chi": plan.chi, "R": plan.radius, "Gamma": plan.Gamma, "Q": plan.Q}
    noise: dict[str, Any] = {
        "kappa": plan.drift_limit,
        "b_1": plan.b_1,
        "b_2": plan.b_2,
        "sigma_1": plan.sigma_fresh,
        "sigma_2": plan.sigma_difference,
    }
    return {**setting, **errors, **counts, **steps, **noise}


def exponent(x: Sequence[float], y: Sequence[float]) -> Interval | None:
    """Return the fitted exponent of the finite points, or None for fewer than three of them."""
    finite = [(a, b) for a, b in zip(x, y, strict=True) if math.isfinite(b) and b > 0]
    return loglog_slope(np.array([a for a, _ in finite]), np.array([b for _, b in finite])) if len(finite) >= 3 else None


def end_slopes(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """Return the exponents between the first two and between the last two points; nan for fewer than two."""
    if len(x) < 2:
        return math.nan, math.nan

    def between(i: int, j: int) -> float:
        return math.log(y[j] / y[i]) / math.log(x[j] / x[i])

    return between(0, 1), between(-2, -1)


def as_json(interval: Interval | None) -> list[float] | None:
    """Return value, low, high."""
    return None if interval is None else [interval.value, interval.low, interval.high]
