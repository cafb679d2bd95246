"""Shared code of the Gauss-PSGD figures: saddles and tasks, the cells that run them, summaries of the runs, and drawing.

Whole runs use the knobs of `bounds.gauss_psgd.scaled` in place of the constants of the theory. Escapes from one saddle are run at the
parameters (5) themselves, with s = C = 1 in place of the constants that the proof needs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.gauss_psgd.block import BlockInputs, accuracy_over_psi, block, mu_lower_bounds
from bounds.gauss_psgd.columns import Schedule
from bounds.gauss_psgd.fixed_point import Problem, find_root
from bounds.gauss_psgd.scaled import Knobs, smallest_scaled_plan
from figures import experiments
from figures.experiments import Report as Report
from figures.experiments import child_seed as child_seed
from figures.experiments import compute_groups as compute_groups
from figures.experiments import fit_exponent as fit_exponent
from figures.experiments import json_interval as json_interval
from figures.style import draw_error_bars, interval_columns
from synthetic import validate
from synthetic.draws import FloatArray
from synthetic.estimate import Interval, clustered_mean, quantile
from synthetic.objectives.separable_saddles import random_phase_cosines
from synthetic.sweeps.sweep import Cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ERROR_QUANTILE = 0.75  # the error of a point is this quantile over the runs


@dataclass(frozen=True)
class HardestSaddle:
    """The hardest saddle of Lemma 1, of curvature sqrt(rho alpha), with the parameters (5) at rho = M = s = C = 1 and the noise.

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

    @property
    def cell_arguments(self) -> dict[str, Any]:
        """The arguments that all cells at this saddle share."""
        return {"landscape": self.landscape, "eta": self.eta, "sigma": self.sigma, "zeta": self.zeta}


def hardest_saddle(*, d: int, accuracy: float, log_factor: float) -> HardestSaddle:
    """Return the hardest saddle on random-phase cosines with A = w = 1; h of the phase along x_1 solves sin(h)/h = sqrt(accuracy)."""
    curvature = math.sqrt(accuracy)
    spread = find_root(lambda h: curvature - math.sin(h) / h, 1.0, 3.0)
    at = block(accuracy=accuracy, s=1.0, log_factor=log_factor, ell=1.0, rho=1.0)
    psi = accuracy / accuracy_over_psi(s=1.0, log_factor=log_factor, C_abs=1.0, c_abs=1.0, version="printed")
    noise = {"sigma": psi / math.sqrt(2 * d), "zeta": psi / math.sqrt(2)}
    whole = {"R": at.radius, "Gamma": math.ceil(at.Gamma - 1e-9), "decrease": at.decrease}
    landscape = {"d": d, "unstable_h": spread}
    return HardestSaddle(landscape=landscape, log_factor=log_factor, curvature=curvature, eta=at.eta, **whole, **noise)


def fixed_log_factor(*, d: int, accuracy: float, version: str, base: str = "e") -> float:
    """Return the mu that equals the second entry of (6), its own lower bound, at the noise of the hardest saddle.

    version   "printed" or "corrected";   base   of the logarithm, "e" or "2"
    """

    def excess(log_factor: float) -> float:
        at = block(accuracy=accuracy, s=1.0, log_factor=log_factor, ell=1.0, rho=1.0)
        psi = accuracy / accuracy_over_psi(s=1.0, log_factor=log_factor, C_abs=1.0, c_abs=1.0, version=version)
        given = BlockInputs(psi, psi / math.sqrt(2 * d), d, rho=1.0, U=1.0, omega=0.1, s=1.0, C_abs=1.0, version=version, base=base)
        return log_factor - float(mu_lower_bounds(at, given, 1.0)[1])

    return find_root(excess, 4.0, 32.0)


def noise_growth(curvature: float, eta: float, t: FloatArray) -> FloatArray:
    """Return a(t) = sqrt(sum_{i <= t} (1 + eta gamma)^(2 (t - i))) of Lemma 19 at the times t, gamma the curvature."""
    x = eta * curvature
    return np.sqrt(np.expm1(2 * t * math.log1p(x)) / (2 * x + x**2))


def chunk_sizes(replicates: int, chunk: int) -> list[tuple[int, int]]:
    """Split replicates into chunks of at most `chunk`; return the pair (index, size) of each chunk."""
    return [(k, min(chunk, replicates - first)) for k, first in enumerate(range(0, replicates, chunk))]


def split_cells(task: str, shared: Mapping[str, Any], cost: float, label: str, *, replicates: int, seed: int, chunk: int) -> list[Cell]:
    """Return cells of a task with shared arguments, at most `chunk` replicates and a seed of its own each; `cost` is per replicate."""
    own = [({"replicates": n, "seed": child_seed(seed, k)}, n * cost) for k, n in chunk_sizes(replicates, chunk)]
    return [Cell(task, {**shared, **arguments}, of_all, label) for arguments, of_all in own]


def escape_cells(h: HardestSaddle, *, replicates: int, seed: int, chunk: int = 1000) -> list[Cell]:
    """Return the cells of single runs that start at a saddle, for the probability of escape."""
    shared, label = {**h.cell_arguments, "R": h.R, "Gamma": h.Gamma}, f"escape, mu = {h.log_factor:g}"
    return split_cells("synthetic.runs.escapes:escape_cell", shared, h.Gamma, label, replicates=replicates, seed=seed, chunk=chunk)


def path_cells(h: HardestSaddle, *, times: Sequence[int], replicates: int, seed: int, chunk: int = 500) -> list[Cell]:
    """Return the cells of paths and coupled pairs that start at a saddle, recorded at the given times."""
    shared, label = {**h.cell_arguments, "times": list(times)}, f"paths, mu = {h.log_factor:g}"
    return split_cells("synthetic.runs.escapes:path_cell", shared, 3 * max(times), label, replicates=replicates, seed=seed, chunk=chunk)


@dataclass(frozen=True)
class Task:
    """A problem on random-phase cosines, and the scaled plan that is run on it.

    plan       of `bounds.gauss_psgd.scaled`; it may have been made for another number of clients
    """

    landscape: Mapping[str, Any]
    problem: Problem
    plan: Schedule

    @property
    def privacy_share(self) -> float:
        """The share of the privacy noise in the plan's psi^2; the remaining share is sampling error."""
        noise = self.problem.d * (self.plan.sigma_fresh**2 + self.plan.sigma_difference**2 * self.plan.drift_limit)
        return noise / (self.problem.m * self.plan.psi**2)


def task(landscape: Mapping[str, Any], *, n: int, epsilon: float, delta: float, knobs: Knobs, plan: Schedule | None = None) -> Task:
    """Return the task with n samples per client at (epsilon, delta); the default plan has the smallest alpha with psi <= alpha/K."""
    place = random_phase_cosines(**landscape)
    constants = {name: float(place.constants[name]) for name in ("d", "L", "ell", "rho", "U")}
    problem = Problem(n=n, epsilon=epsilon, delta=delta, m=place.clients, **constants)
    return Task(landscape, problem, plan or smallest_scaled_plan(problem, knobs))


def alternating_phases(m: int, phase: float) -> list[float]:
    """Return the phases +phase, -phase, ... of m clients, m even, so that F does not depend on m; a single client has phase 0."""
    if m > 1 and m % 2:
        raise ValueError(f"m = {m}: 1 or an even number is needed, so that the sines of the phases sum to 0")
    return [phase * (-1) ** j for j in range(m)] if m > 1 else [0.0]


def descent_cells(t: Task, *, replicates: int, seed: int, label: str, chunk: int = 4) -> list[Cell]:
    """Return the cells of whole runs of Algorithm 1 with Algorithm 3, from random starts: x_1 = 0, the others uniform on [0.5, 1.5].

    From one fixed start, the point where a run enters its last escape phase, and so its error, would oscillate with n.
    """
    plan, cells = t.plan, []
    d, n = int(t.problem.d), int(t.problem.n)
    oracle = "distributed_ada_dp_spider"
    run_ = {"oracle": oracle} | plan.oracle_arguments(oracle, d, n)
    for k, count in chunk_sizes(replicates, chunk):
        starts = np.random.default_rng(child_seed(seed, k, 0)).uniform(0.5, 1.5, (count, d))
        starts[:, 0] = 0.0
        arguments = {"landscape": t.landscape, "run": run_, "starts": starts.tolist(), "seed": child_seed(seed, k, 1)}
        cells.append(Cell("synthetic.runs.psgd:descent_cell", arguments, count * t.problem.m * n * d, label))
    return cells


@dataclass(frozen=True)
class RunSummary:
    """The summary of the runs of a task: error of the returned points, failures, gradient noise, samples and steps.

    error     the error that 75 % of all runs stay below; the error is the smallest alpha for which the returned point is an alpha-SOSP,
              inf for a run that returned nothing. A guarantee holds for most runs, and this quantile varies less between sets of runs than
              the median
    middle    the median of the error
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


def summarise_runs(t: Task, found: Mapping[str, np.ndarray]) -> RunSummary:
    """Return the summary of the runs of a task from the arrays that its cells returned."""
    square = clustered_mean(found["noise_sq"][:, None])
    rms = Interval(math.sqrt(square.value), math.sqrt(max(square.low, 0.0)), math.sqrt(square.high), square.coverage)
    returned = found["status"] == 0
    return RunSummary(
        task=t,
        replicates=len(returned),
        error=quantile(found["error"], ERROR_QUANTILE),
        middle=quantile(found["error"], 0.5),
        failed=int(np.sum(~returned)),
        beyond=int(np.sum(found["error"][returned] > t.plan.accuracy)),
        rms=rms,
        used=float(found["samples"].max() / t.problem.n),
        steps=float(np.median(found["steps"])),
    )


def summary_row(o: RunSummary) -> dict[str, Any]:
    """Return a run summary as a row of a CSV file: n, d, privacy, alpha, errors with intervals, failures, gradient noise, schedule."""
    plan, problem = o.task.plan, o.task.problem
    setting: dict[str, Any] = {"n": int(problem.n), "d": int(problem.d), "epsilon": problem.epsilon, "m": int(problem.m)}
    setting |= {"alpha": plan.accuracy, "psi_bound": plan.psi, "privacy_share": o.task.privacy_share}
    middle = {"error_median": o.middle.value, "median_low": o.middle.low, "median_high": o.middle.high}
    counts = {"runs": o.replicates, "failed": o.failed, "not_alpha_sosp": o.beyond}
    used = {"most_samples_used": o.used, "steps_median": o.steps}
    steps = {"T": plan.T, "eta": plan.eta, "chi": plan.chi, "R": plan.radius, "Gamma": plan.Gamma, "Q": plan.Q}
    noise = {"kappa": plan.drift_limit, "b_1": plan.b_1, "b_2": plan.b_2}
    noise |= {"sigma_1": plan.sigma_fresh, "sigma_2": plan.sigma_difference}
    return {**setting, **interval_columns(error_q75=o.error), **middle, **counts, **interval_columns(rms=o.rms), **used, **steps, **noise}


def end_exponents(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """Return the local exponents of y in x between the first two and between the last two points; nan for fewer than two."""
    if len(x) < 2:
        return math.nan, math.nan

    def between(i: int, j: int) -> float:
        return math.log(y[j] / y[i]) / math.log(x[j] / x[i])

    return between(0, 1), between(-2, -1)


def check_experiment(experiment: Any, **checks: str) -> None:
    """Convert the fields of an experiment to plain numbers; raise ValueError where one fails its check or knobs are no `Knobs`."""
    experiments.check_experiment(experiment, **checks)
    if not isinstance(getattr(experiment, "knobs", Knobs()), Knobs):
        raise ValueError(f"knobs = {validate.short_repr(experiment.knobs)}: Knobs(...) are needed")


def draw_errors(ax: Axes, x: Sequence[float], rows: Sequence[RunSummary], color: str, label: str, marker: str = "o") -> None:
    """Draw the error that 75 % of the runs stay below, with its interval, the median, and the number of failed runs.

    A point that is not finite is a cross at the top; an interval without an upper end goes up to the top.
    """
    look: dict[str, Any] = {"color": color, "marker": marker, "linestyle": "none"}
    draw_error_bars(ax, x, [o.error for o in rows], 1e3, label=label, **look)  # upper ends reach beyond the axes
    ax.plot(x, [o.middle.value for o in rows], markerfacecolor="white", label="error, median", **look)
    for v, o in zip(x, rows, strict=True):
        if o.failed:
            words = f"{o.failed}/{o.replicates}\nfailed"
            ax.annotate(
                words, (v, 0.0), xycoords=("data", "axes fraction"), xytext=(0, 3), textcoords="offset points", ha="center", fontsize=6
            )


def y_limits(rows: Sequence[RunSummary]) -> tuple[float, float]:
    """Return y-limits that contain the errors and alphas of all run summaries, with room for a line of text at the bottom."""
    values = np.array([v for o in rows for v in (o.error.value, o.error.low, o.middle.value, o.task.plan.accuracy)])
    finite = values[np.isfinite(values) & (values > 0)]
    return 0.35 * float(finite.min()), 3.0 * float(finite.max())
