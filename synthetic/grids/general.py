"""The general grid engine: any method on sums on any objective, one run of `simulate` for each setting (alpha, T, C).

Every run is replicate 0 of the same seed, so a result is the one that `simulate` gives, bitwise, whatever runs beside it and in which
order. The engine of `grid` is much faster where it can be used: on quadratics, for the methods that it knows.
"""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from hashlib import sha256
from itertools import product
from pathlib import Path
from threading import Event, Lock
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from synthetic.compiled import check_progress, thread_count
from synthetic.draws import FloatArray
from synthetic.grids.grid import Grid
from synthetic.grids.settings import Measures
from synthetic.memory import check_memory
from synthetic.methods.record import Kernel
from synthetic.objectives.sums import Objective
from synthetic.runs.simulate import check_run, simulate
from synthetic.sweeps.identity import digest
from synthetic.sweeps.sources import code_version
from synthetic.sweeps.store import Store
from synthetic.validate import array_of, positive_array, positive_integer, positive_integers, seed_integer, short_repr, validated

TASK = "synthetic.grids.general:measure_setting"
OF_GRID = {"alpha": "alphas", "T": "horizons", "C": "clips", "replicates": "a grid, which runs each setting once"}
Key = tuple[int, int, int]  # the numbers of alpha, horizon and clip


@validated
def general_grid(
    method: Kernel,
    objective: Objective,
    *,
    alphas: ArrayLike,
    horizons: ArrayLike,
    clips: ArrayLike | None = None,
    sigma: ArrayLike | None = None,
    test: Objective | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    store: str | Path | Store | None = None,
    **settings: Any,
) -> Grid:
    """Run every combination of alphas (a,), horizons (h,) and clips (c,), noise sigma (h, c), of any method on sums; return a `Grid`.

    Each run equals `simulate` with the same settings, bitwise. A method that is not private takes neither clips nor sigma: its grid has one
    clip, inf, and sigma = 0. A run that diverged has the measures inf.

    test        the objective of the test measures, on vectors of the same length; None: they are NaN
    store       file of finished runs: a grid that is run again computes only those that are missing. Its key is all that a run depends on,
                the code of the method and of the objective, and the data
    progress    progress(done, total) with numbers of steps: done = 0 once all settings are checked
    settings    further settings of the method, the same for all runs

    Raises ValueError for a value that is not allowed and for a method with stages, before any run; TypeError for a setting that does not
    exist.
    """
    stepsizes, steps, thresholds, noise = check_axes(method, objective, alphas, horizons, clips, sigma)
    seed_integer(seed=seed)
    if threads is not None:
        positive_integer(threads=threads)
    check_progress(progress)
    check_test(objective, test)
    if mine := [name for name in OF_GRID if name in settings]:
        raise ValueError(f"{mine[0]} = {short_repr(settings[mine[0]])}: it is given by {OF_GRID[mine[0]]}; leave it out")
    shape = (len(stepsizes), len(steps), len(thresholds))
    count, longest = int(np.prod(shape)), int(steps.max())
    check_memory(
        8 * (4 * count + thread_count(count, threads) * (3 * longest + 8 * objective.d)),
        alphas=shape[0], horizons=shape[1], clips=shape[2], longest=longest,
    )  # fmt: skip
    runs: dict[Key, dict[str, Any]] = {}
    for i, j, k in product(*map(range, shape)):
        private = {"C": float(thresholds[k]), "sigma": float(noise[j, k])} if method.private else {}
        runs[i, j, k] = {"alpha": float(stepsizes[i]), "T": int(steps[j]), **private, "seed": seed, **settings}
        complete = check_run(method, objective, runs[i, j, k]).settings
    measured = measure_settings(method, objective, test, runs, threads=threads, progress=progress, store=store)
    values = np.empty((4, *shape))
    for place, found in measured.items():
        values[(slice(None), *place)] = found
    by_name: dict[str, Any] = dict(zip(Measures.NAMES, values, strict=True))
    ran = {"objective": objective.name, "seed": seed, "engine": "general"}
    ran |= {name: value for name, value in complete.items() if name not in (*OF_GRID, "sigma", "seed")}
    return Grid(method.name, stepsizes, steps, thresholds, noise, **by_name, dropped=np.zeros(shape, np.bool_), settings=ran)


def check_axes(
    method: Kernel, objective: Objective, alphas: ArrayLike, horizons: ArrayLike, clips: ArrayLike | None, sigma: ArrayLike | None
) -> tuple[FloatArray, NDArray[np.int64], FloatArray, FloatArray]:
    """Return alphas (a,), horizons (h,), clips (c,) and sigma (h, c) of a grid as arrays; raise ValueError where no grid can be run."""
    if not isinstance(method, Kernel):
        raise ValueError(f"method = {short_repr(method)}: the record of a kernel is needed, a synthetic.methods.record.Kernel")
    if not isinstance(objective, Objective):
        raise ValueError(f"objective = {short_repr(objective)}: an objective is needed, such as quadratic('inverse', d=20, n=100, seed=0)")
    if method.stages:
        raise ValueError(f"method = {method.name!r}: it has stages, each with its own step size and length; a grid needs a method without")
    stepsizes, steps = positive_array((None,), alphas=alphas), positive_integers(horizons=horizons)
    if not method.private:
        if clips is not None or sigma is not None:
            raise ValueError(f"clips and sigma: {method.name} neither clips nor adds noise, leave them out")
        return stepsizes, steps, np.array([np.inf]), np.zeros((len(steps), 1))
    if clips is None or sigma is None:
        raise ValueError(f"clips = {short_repr(clips)}, sigma = {short_repr(sigma)}: {method.name} needs both, because it is private")
    thresholds = positive_array((None,), clips=clips)
    noise = array_of((len(steps), len(thresholds)), sigma=sigma)
    if np.any(noise < 0):
        raise ValueError(f"sigma has the entry {float(noise.min())!r}: numbers of at least 0 are needed")
    return stepsizes, steps, thresholds, noise


def check_test(objective: Objective, test: Objective | None) -> None:
    """Raise ValueError unless the test objective is None or an objective on vectors of the same length."""
    if test is None:
        return
    if not isinstance(test, Objective):
        raise ValueError(f"test = {short_repr(test)}: an objective is needed, such as quadratic('inverse', d=20, n=100, seed=1)")
    if test.d != objective.d:
        raise ValueError(f"test = {test.name!r}: its x has {test.d} numbers; {objective.d} are needed, as many as the objective's")


def measure_setting(
    method: Kernel, objective: Objective, test: Objective | None, watch: Callable[[int, int], None] | None = None, **settings: Any
) -> FloatArray:
    """Run one setting and return the four measures at x_T, (4,): inf if the run diverged, NaN on the test set without one."""
    run = simulate(method, objective, threads=1, progress=watch, **settings)
    found = np.full(4, np.nan)
    if run.diverged[0]:
        found[[0, 2] if test is None else slice(None)] = np.inf
        return found
    if test is not None:
        found[:] = point_measures(objective, test, run.x[0])
    found[0], found[2] = np.sqrt(run.grad_norm_sq[0, -1]), run.loss[0, -1]
    return found


def measure_settings(
    method: Kernel,
    objective: Objective,
    test: Objective | None,
    runs: Mapping[Key, Mapping[str, Any]],
    *,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    store: str | Path | Store | None = None,
) -> dict[Key, FloatArray]:
    """Run settings on threads, the longest first; return the measures (4,) of each, by its key in `runs`, in their order.

    Runs that the store has are not computed again; each is stored as it ends. An error or Ctrl-C ends all runs within some steps.
    """
    total, lock, stop, done = sum(run["T"] for run in runs.values()), Lock(), Event(), 0

    def report(steps: int) -> None:
        """Add steps to those that are done, and call `progress`."""
        nonlocal done
        with lock:
            done += steps
            if progress:
                progress(done, total)

    def measure(run: Mapping[str, Any]) -> tuple[float, FloatArray]:
        """Return the seconds and the measures of one run."""
        began, before = time.perf_counter(), 0

        def watch(now: int, _: int) -> None:
            nonlocal before
            if stop.is_set():
                raise _StoppedRun
            if now > before:
                report(now - before)
                before = now

        found = measure_setting(method, objective, test, watch, **run)
        return time.perf_counter() - began, found

    with ExitStack() as stack:
        opened = _open_store(store, stack)
        keys = _store_keys(method, objective, test, runs) if opened else {}
        found: dict[Key, FloatArray] = {}
        if opened:
            kept = opened.intact_cells(key for key, *_ in keys.values())
            found = {place: kept[key]["measures"] for place, (key, *_) in keys.items() if key in kept}
        report(sum(runs[place]["T"] for place in found))
        missing = sorted((place for place in runs if place not in found), key=lambda place: -runs[place]["T"])
        with ThreadPoolExecutor(thread_count(max(1, len(missing)), threads)) as pool:
            ended: dict[Future[tuple[float, FloatArray]], Key] = {pool.submit(measure, runs[place]): place for place in missing}
            try:
                for future in as_completed(ended):
                    place = ended[future]
                    seconds, found[place] = future.result()
                    if opened:
                        opened.put(*keys[place], seconds, {"measures": found[place]})
            except BaseException:
                stop.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    return {place: found[place] for place in runs}


class _StoppedRun(Exception):
    """Error: another run of the grid failed or was interrupted, so this one is not finished."""


def _open_store(store: str | Path | Store | None, stack: ExitStack) -> Store | None:
    """Return a store, opened for as long as the stack is if it is given by its path; raise ValueError for anything else."""
    if store is None or isinstance(store, Store):
        return store
    if not isinstance(store, str | Path) or not str(store):
        raise ValueError(f"store = {short_repr(store)}: the path of a file is needed, such as 'results/grid.sqlite'")
    return stack.enter_context(Store(store))


def _store_keys(
    method: Kernel, objective: Objective, test: Objective | None, runs: Mapping[Key, Mapping[str, Any]]
) -> dict[Key, tuple[str, str, str, str]]:
    """Return (key, task, arguments, code) of each run for the store; raise ValueError for code or data that cannot be compared later."""
    of = {"method": digest("method", method)}
    of |= {name: digest(name, computed_parts(one)) for name, one in (("objective", objective), ("test", test)) if one is not None}
    names = {"method": method.name, "objective": objective.name} | ({"test": test.name} if test else {})
    code, found = code_version(TASK), {}
    for place, run in runs.items():
        settings = {name: value if isinstance(value, int | float | str | None) else digest(name, value) for name, value in run.items()}
        arguments = json.dumps({**names, "digests": of, "settings": settings}, sort_keys=True)
        key = sha256(json.dumps([TASK, arguments, code]).encode()).hexdigest()
        found[place] = key, TASK, arguments, code
    return found


def computed_parts(objective: Objective) -> Sequence[Any]:
    """Return what a run computes with, of an objective: data, parameters, start, shape and functions."""
    return [getattr(objective, name) for name in ("data", "params", "x0", "shape", "loss", "gradient", "value_gradient")]


def point_measures(objective: Objective, test: Objective, x: FloatArray) -> FloatArray:
    """Return the four measures at a point x (d,), (4,); inf where x is not finite."""
    if not np.all(np.isfinite(x)):
        return np.full(4, np.inf)
    (loss, gradient), (test_loss, test_gradient) = (one.value_and_gradient(x) for one in (objective, test))
    with np.errstate(over="ignore", invalid="ignore"):
        return np.array([np.sqrt(np.sum(gradient**2)), np.sqrt(np.sum(test_gradient**2)), loss, test_loss])
