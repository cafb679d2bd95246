"""Simulation of a method on a finite-sum objective: validate, draw in chunks, call the kernel, return a `Run`.

A method is described by its record, a `synthetic.methods.record.Kernel`.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthetic import html
from synthetic.compiled import check_progress, run_loop, run_replicates, thread_count
from synthetic.draws import BATCHES, OUTPUT, FloatArray, generator, steps_per_chunk
from synthetic.memory import check_memory
from synthetic.methods.record import Draw, Kernel
from synthetic.objectives.sums import Objective
from synthetic.runs import remarks
from synthetic.runs.schedules import Checked, change_steps, check_settings
from synthetic.validate import argument_error, positive_integer, short_repr, validated


@dataclass(frozen=True, eq=False)
class Run:
    """Result of `simulate`: losses, gradient norms and iterates, one row per replicate.

    From the first F_S or gradient on that is not finite, a row holds NaN.

    loss, grad_norm_sq (replicates, T+1)    F_S(x_t) and |grad F_S(x_t)|^2, t = 0..T
    clipped (replicates, T)                 fraction of the batch that was clipped at step t
    x (replicates, d)                       the last iterate, x_T unless |x|^2 overflowed; with stages, what the last stage hands on
    tau (replicates,), x_tau (replicates, d)    a step number, uniform on 0..T-1, and the iterate of that number
    steps (replicates,)                     number of steps that ended finite: T if all did
    settings                                everything that determines the run, the seed included
    remarks                                 sentences: where the plan's guarantee does not apply, its caveats, and what the numbers show
    vouched                                 whether there is a plan whose guarantee applies to this run
    For a method with stages, NaN where a stage did not end:
    stage_x (replicates, stages, d)         the point that a stage hands on;   stage_loss (replicates, stages)   F_S there
    kept (replicates, stages, d)            weights of the coordinates, 0 for those that are not tuned; None where all are tuned
    """

    method: str
    objective: str
    settings: dict[str, Any]
    loss: FloatArray
    grad_norm_sq: FloatArray
    clipped: FloatArray
    x: FloatArray
    x_tau: FloatArray
    tau: NDArray[np.int64]
    steps: NDArray[np.int64]
    remarks: tuple[str, ...] = ()
    vouched: bool = False
    stage_x: FloatArray | None = None
    stage_loss: FloatArray | None = None
    kept: FloatArray | None = None

    def __repr__(self) -> str:
        rows, ends = np.arange(len(self.steps)), self.steps
        loss, slope = ((of[:, 0].mean(), of[rows, ends].mean()) for of in (self.loss, self.grad_norm_sq))
        sizes = f"{len(rows)} x {self.loss.shape[1] - 1} (replicates, steps)"
        means = f"mean F_S {loss[0]:.4g} to {loss[1]:.4g}, mean |grad F_S|^2 {slope[0]:.4g} to {slope[1]:.4g}"
        gone = self.steps[self.diverged] + 1
        diverged = f"; {len(gone)} diverged, the first in step {gone.min()}, taken at the last finite step" if len(gone) else ""
        return f"Run({self.method} on {self.objective}: {sizes}, {means}{diverged}){' '.join(('', *self.remarks[:1]))}"

    def _repr_html_(self) -> str:
        head = ("replicate", "finite steps", "F_S at x_0", "F_S at the end", "|grad F_S| at x_0", "|grad F_S| at the end", "share clipped")
        rows = [
            (r, int(end), float(self.loss[r, 0]), float(self.loss[r, end]), float(self.grad_norm_sq[r, 0] ** 0.5),
             float(self.grad_norm_sq[r, end] ** 0.5), float(self.clipped[r, :end].mean()) if end else math.nan)
            for r, end in enumerate(self.steps)
        ]  # fmt: skip
        return html.table(f"{self.method} on {self.objective}, {self.loss.shape[1] - 1} steps", head, rows, self.remarks)

    @property
    def diverged(self) -> NDArray[np.bool_]:
        """Return which replicates reached a value that is not finite before step T, as booleans (replicates,)."""
        return self.steps < self.loss.shape[1] - 1

    @property
    def grad_norm_sq_tau(self) -> FloatArray:
        """Return |grad F_S(x_tau)|^2 of each replicate, (replicates,); theorems about the mean over all iterates bound its expectation."""
        return self.grad_norm_sq[np.arange(len(self.tau)), self.tau]


@validated
def simulate(
    method: Kernel,
    objective: Objective,
    *,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    **settings: Any,
) -> Run:
    """Simulate ``replicates`` independent runs of T steps of a method on an objective; return a `Run`.

    alpha       stepsize, above 0
    T           number of steps, at least 1. For a method with stages (see its record), alpha, T and others may be tuples, one number per
                stage. For a method without, alpha, C, sigma and lam may be arrays (T,), one number per step
    C, sigma    clipping threshold, and standard deviation of the noise added to the mean over the batch, per coordinate: required by the
                private methods and refused by the others
    lam, direction    smoothing (default 1e-4) and distribution ("sphere", "gaussian") of the directions, if the method's record has them
    replicates, seed  default 1 and 0
    batch_size  None for the full batch. Otherwise each step draws that many samples uniformly without replacement. If the method has the
                setting sampling and it is "poisson", each step takes each sample with probability batch_size / n, and divides a sum by
                batch_size: n and batch_size fix these two numbers, which accountants take as public and the same on neighbouring data sets
    Further settings belong to the method and are described in its record.

    Draws come in chunks of at most 8 MiB each, or one step where that is more, so that a replicate holds the chunk, the method's state and
    less than eight vectors of size d. The result does not depend on ``threads`` (default: all cores). ``progress(done, total)`` is called
    with numbers of steps: with done = 0 after all settings have been checked, then some fifty times per replicate. Raises ValueError for a
    value that a setting cannot have, TypeError for a setting that does not exist.
    """
    checked = check_run(method, objective, settings)
    if threads is not None:
        positive_integer(threads=threads)
    check_progress(progress)
    settings, T, stages, lengths = checked.settings, checked.T, method.stages, checked.lengths
    replicates, seed, known = settings["replicates"], settings["seed"], settings | checked.tables
    shapes = checked.shapes
    rows = (math.prod(one.shape(objective.shape, known)) - objective.d for one in method.draws)
    held = sum(math.prod(shape) for shape in shapes.values()) + sum(max(0, more) for more in rows)
    size = (
        replicates * (3 * (T + 1) + (2 + (2 * len(lengths) if stages else 0)) * objective.d + 2) + thread_count(replicates, threads) * held
    )
    check_memory(8 * size, replicates=replicates, T=T, d=objective.d)

    if progress:
        progress(0, replicates * T)  # all settings have been checked, and no work is done yet
    start, gradient = objective.value_and_gradient(objective.x0)
    arrays: dict[str, Any] = {
        "loss": np.full((replicates, T + 1), start),
        "grad_norm_sq": np.full((replicates, T + 1), np.sum(gradient**2)),
        "clipped": np.zeros((replicates, T)),
        "x": np.tile(objective.x0, (replicates, 1)),
        "x_tau": np.full((replicates, objective.d), np.nan),
        "tau": np.array([generator(seed, r, OUTPUT).integers(T) for r in range(replicates)]),
    }
    if stages:
        places = (replicates, len(lengths), objective.d)
        arrays |= {"stage_x": np.full(places, np.nan), "stage_loss": np.full(places[:2], np.nan)}
        arrays |= {"kept": np.full(places, np.nan)} if "scales" in stages.gives else {}
    lock, total, stopped = Lock(), 0, np.zeros(1, np.int64)

    def report(made: int) -> None:
        """Add steps to the total, and call `progress`."""
        nonlocal total
        with lock:
            total += made
            if progress:
                progress(total, replicates * T)

    def replicate(r: int) -> int:
        """Run replicate r, and return how many of its steps were finite."""
        row = {name: values[r] for name, values in arrays.items()}
        own = {name: np.zeros(shape) for name, shape in shapes.items()}
        mine = objective.for_replicate(stopped)
        return _run_replicate(method, mine, checked, r, row, own, report, max(1, T // 50) if progress else T)

    steps = run_replicates(objective.name, replicate, replicates, threads, stop=lambda: stopped.fill(1))
    notes = remarks.run_remarks(settings, objective.x0, *(arrays[name] for name in ("x", "loss", "grad_norm_sq")))
    notes += (f"On this objective {objective.python.remark}.",) if objective.python else ()
    return Run(method=method.name, objective=objective.name, settings=settings, **arrays, steps=np.array(steps), remarks=notes)


def check_run(method: Kernel, objective: Objective, settings: Mapping[str, Any]) -> Checked:
    """Return the `Checked` settings of a run, as `simulate` uses them, without running anything.

    Raises ValueError for a value that a setting cannot have, TypeError for a setting that is missing or does not exist.
    """
    if not isinstance(method, Kernel):
        raise ValueError(f"method = {short_repr(method)}: the record of a kernel is needed, a synthetic.methods.record.Kernel")
    if problem := argument_error(method.call, (method, objective), settings):
        raise TypeError(problem)
    C, sigma = (method.with_defaults(settings).get(name) for name in ("C", "sigma"))
    if not method.private and (C is not None or sigma is not None):
        raise ValueError(f"C and sigma: {method.name} neither clips nor adds noise, leave them out")
    if method.private and (C is None or sigma is None):
        raise ValueError(f"C = {C!r}, sigma = {sigma!r}: {method.name} needs both")
    if not isinstance(objective, Objective):
        raise ValueError(f"objective = {short_repr(objective)}: an objective is needed, such as quadratic('inverse', d=20, n=100, seed=0)")
    checked = check_settings(method, objective.shape, settings)
    batch_size = checked.settings["batch_size"]
    if batch_size is not None and batch_size > objective.n:
        raise ValueError(f"batch_size = {batch_size}: at most n = {objective.n} is needed")
    return checked


def _run_replicate(
    kernel: Kernel,
    objective: Objective,
    checked: Checked,
    r: int,
    row: Mapping[str, Any],
    state: Mapping[str, FloatArray],
    report: Callable[[int], None],
    pace: int,
) -> int:
    """Run replicate r in chunks of at most `pace` steps; write into its rows of the arrays, return its number of finite steps."""
    settings, T, space, stages, done, rest = checked.settings | checked.tables, checked.T, objective.shape, kernel.stages, 0, 0.0
    seed, schedules, unreported = settings["seed"], checked.schedules, 0
    changes = change_steps(schedules, T)
    batches, streams = generator(seed, r, BATCHES), [generator(seed, r, one.stream) for one in kernel.draws]
    everything, own = np.arange(objective.n)[None, :], generator(seed, r, stages.stream) if stages else None
    given = {name: getattr(objective, name) for name in ("loss", "gradient", "value_gradient", "data", "params")}
    batch_size, poisson = settings["batch_size"], settings.get("sampling") == "poisson"
    given |= {"batch": everything, "nominal": batch_size or objective.n}
    given |= {"shapes": np.array([(*shape, 1)[:2] for shape in space.shapes]), "x": row["x"], "x_tau": row["x_tau"], **settings, **state}
    known = stage = dict(settings)
    for number, length in enumerate(checked.lengths):
        end = done + length
        if stages and own:
            stage = dict(stages.begin(space, settings, number, row["x"], stage if number else {}, own))
            seen, rest = _stage_arguments(objective, row, stage)
            known, given = {**settings, **stage}, given | stage | seen
        size = min(steps_per_chunk(length, kernel.floats(space, known)), pace)
        while done < end:
            steps = min(size, end - done)
            if schedules:  # the value of a setting is that of the first step of the chunk
                steps = min(steps, int(changes[np.searchsorted(changes, done, side="right")]) - done)
                now = {name: values[done] for name, values in schedules.items()}
                known = known | now
                given |= now
            after = slice(done + 1, done + steps + 1)
            given |= {
                "value": row["loss"][after],
                "grad_norm_sq": row["grad_norm_sq"][after],
                "clipped": row["clipped"][done : done + steps],
            }
            given |= {"tau": int(row["tau"]) - done, "t0": done}
            if batch_size is not None:
                given["batch"] = batches_of(batches, steps, objective.n, batch_size, poisson)
            for draw, stream in zip(kernel.draws, streams, strict=True):
                shape = draw.shape(space, known)
                given[draw.name] = rows_of(draw, stream, shape, known, done, steps, given.get(draw.name))
            reached = run_loop(kernel.name, kernel.function, steps, *(given[name] for name in kernel.takes))
            row["grad_norm_sq"][after] += rest
            done += reached
            unreported += reached if reached == steps else T - done + reached
            if unreported >= pace or done == end or reached < steps:
                report(unreported)
                unreported = 0
            if reached < steps:
                break
        if stages:
            _write_stage(objective, row, stage, given, number, done == end, stages.mean(settings))
        if done < end:
            break
    bad = ~(np.isfinite(row["loss"][1 : done + 1]) & np.isfinite(row["grad_norm_sq"][1 : done + 1]))
    done = int(bad.argmax()) if np.any(bad) else done
    row["loss"][done + 1 :] = row["grad_norm_sq"][done + 1 :] = row["clipped"][done + 1 :] = np.nan
    return done


def _stage_arguments(objective: Objective, row: Mapping[str, Any], stage: Mapping[str, Any]) -> tuple[dict[str, Any], float]:
    """Return the loop's arguments that belong to x in a stage, and |grad F_S|^2 over the coordinates that the stage leaves out."""
    x, kept = row["x"], stage.get("kept", ())
    handed = np.zeros(len(kept) or len(x))
    if not len(kept) or objective.part is None:
        whole = {"x": x, "x_tau": row["x_tau"], "centre": x.copy(), "data": objective.data, "params": objective.params}
        return {**whole, "handed": handed}, 0.0
    data, params = objective.part(x, kept)
    gradient = np.delete(objective.value_and_gradient(x)[1], kept)
    own = {"x": x[kept], "x_tau": np.full(len(kept), np.nan), "centre": x[kept], "kept": kept[:0], "data": data, "params": params}
    return {**own, "handed": handed}, float(gradient @ gradient)


def _write_stage(
    objective: Objective, row: Mapping[str, Any], stage: Mapping[str, Any], given: Mapping[str, Any], number: int, ended: bool, mean: bool
) -> None:
    """Write the loop's x and x_tau into the replicate's rows; if the stage has ended, also the point that it hands on."""
    x, every = row["x"], np.arange(objective.d)
    kept = stage["kept"] if len(stage.get("kept", ())) else every
    if given["x"] is not x:
        if np.all(np.isfinite(given["x_tau"])):
            row["x_tau"][:] = x
            row["x_tau"][kept] = given["x_tau"]
        x[kept] = given["x"]
    if ended:
        x[kept] = given["handed"] if mean else x[kept]
        row["stage_x"][number], row["stage_loss"][number] = x, objective.value_and_gradient(x)[0]
        if "kept" in row:
            row["kept"][number] = 0.0
            row["kept"][number, kept] = stage["scales"]


def rows_of(
    draw: Draw,
    stream: np.random.Generator,
    shape: tuple[int, ...],
    settings: Mapping[str, Any],
    done: int,
    steps: int,
    before: FloatArray | None,
) -> FloatArray:
    """Draw the rows of a kernel's random array for the `steps` steps after step `done`, (rows, *shape).

    before   the rows of the last chunk, whose last row is used again where a row lasts for several steps
    """
    every, begun = settings.get(draw.every, 1), done + draw.early(settings)
    rows = (begun + steps - 1) // every - begun // every + 1
    if before is None or begun % every == 0:
        return draw.law(stream, (rows, *shape), settings)
    return np.concatenate([before[-1:], draw.law(stream, (rows - 1, *shape), settings)]) if rows > 1 else before[-1:]


def batches_of(rng: np.random.Generator, steps: int, n: int, size: int, poisson: bool) -> NDArray[np.int64]:
    """Draw batches of sample indices 0..n-1 without replacement, (steps, size); Poisson batches have random sizes, padded with -1."""
    rows = [rng.choice(n, rng.binomial(n, size / n) if poisson else size, replace=False) for _ in range(steps)]
    batch = np.full((steps, max(1, *map(len, rows))), -1)
    for row, drawn in zip(batch, rows, strict=True):
        row[: len(drawn)] = drawn
    return batch
