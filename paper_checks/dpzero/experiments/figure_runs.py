"""The synthetic experiment of DPZero (Section 5, Appendix B.1, Table 6): the numbers behind Figures 1 to 3.

Two protocols. The paper's: the best of the grid by the plotted measure, at x_T. Ours: the winning setting runs again
on fresh data sets with fresh draws, because the best of many noisy runs is biased downwards.

The paper states neither x_0, nor the number of repetitions, nor the output rule, nor whether the choice is made on the plotted
measure. Here: x_0 = 0, one run of the grid, x_T, the plotted measure; directions on the sphere, as in Algorithms 1 and 2.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from bounds import privacy
from bounds.privacy.gaussian import Accountant
from paper_checks.experiment import sigma_table
from synthetic.draws import DIRECTION_KINDS, Direction, FloatArray
from synthetic.estimate import SIZE, Interval, clustered_mean
from synthetic.grids import first_order as grid_first
from synthetic.grids import zeroth_order
from synthetic.grids.settings import Measures
from synthetic.objectives.sums import Spectrum
from synthetic.spectra import NAMED, spectrum_exponent
from synthetic.sweeps.store import Store
from synthetic.sweeps.sweep import Cell, Expected, Progress, run
from synthetic.sweeps.workers import Workers, open_executor
from synthetic.validate import (
    convert_fields,
    inside_unit,
    one_of,
    positive,
    positive_array,
    positive_integer,
    positive_integers,
    seed_integer,
    short_repr,
)

ZEROTH_ORDER = tuple(sorted(zeroth_order.VECTOR_NOISE))  # the order is part of the addresses of stored cells
FIRST_ORDER = grid_first.METHODS
METHODS = ZEROTH_ORDER + FIRST_ORDER
# relative difference below which two settings count as equal: some roundings of what is summed in double and, by DP-GD, in single precision
TIE = dict.fromkeys(ZEROTH_ORDER, 1e-9) | dict.fromkeys(FIRST_ORDER, 1e-6)
TIE_OF_OTHERS = 1e-9  # of methods that are run in double precision


@dataclass(frozen=True)
class Experiment:
    """Settings of the synthetic experiment, those of Table 6 by default; `n` is the number of training and of test samples."""

    dimensions: tuple[int, ...] = (20, 50, 100, 200, 500, 1000, 2000)
    spectra: tuple[Spectrum, ...] = ("flat", "inverse_sqrt", "inverse")
    n: int = 10_000
    epsilon: float = 2.0
    delta: float = 1e-6
    horizons: tuple[int, ...] = (10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120)
    alphas: tuple[float, ...] = (1e-5, 3e-5, 1e-4, 3e-4, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
    clips: tuple[float, ...] = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
    accountant: Accountant = "lemma"
    direction: Direction = "sphere"
    seed: int = 0
    fresh_datasets: int = 5
    fresh_replicates: int = 2

    def __post_init__(self) -> None:
        """Convert the fields to their types and raise ValueError if one is not valid."""
        convert_fields(self)
        positive_integers(dimensions=self.dimensions)
        positive_integers(horizons=self.horizons)
        positive_array((None,), alphas=self.alphas)
        positive_array((None,), clips=self.clips)
        positive_integer(n=self.n, fresh_datasets=self.fresh_datasets, fresh_replicates=self.fresh_replicates)
        positive(epsilon=self.epsilon)
        inside_unit(delta=self.delta)
        seed_integer(seed=self.seed)
        one_of(tuple(privacy.ACCOUNTANTS), accountant=self.accountant)
        one_of(DIRECTION_KINDS, direction=self.direction)
        check_spectra(self.spectra)
        if self.fresh_datasets < 2:
            raise ValueError(f"fresh_datasets = {self.fresh_datasets}: at least 2 are needed for an interval")

    def sigma(self) -> FloatArray:
        """Return sigma for every horizon T and clipping threshold C, (horizons, clips), at sensitivity 2C/n (replace one record)."""
        return sigma_table(
            accountant=self.accountant, epsilon=self.epsilon, delta=self.delta, n=self.n, horizons=self.horizons, clips=self.clips
        )


def check_spectra(spectra: Any) -> None:
    """Raise ValueError unless `spectra` is a non-empty tuple of names of spectra."""
    if not isinstance(spectra, tuple) or not spectra:
        raise ValueError(f"spectra = {short_repr(spectra)}: a list of names is needed, each {NAMED}")
    for spectrum in spectra:
        spectrum_exponent(spectrum)


PAPER = Experiment()
PREVIEW = Experiment(dimensions=(20, 50, 100, 200), horizons=PAPER.horizons[:6])


@dataclass(frozen=True)
class Point:
    """One point of a curve: the least value on the grid, its setting, how many settings there were, and the mean of fresh runs of it."""

    method: str
    spectrum: str
    d: int
    measure: str
    best: float
    alpha: float
    T: int
    C: float
    sigma: float
    settings: int
    dropped: int
    fresh: Interval
    fresh_runs: int


@dataclass(frozen=True)
class ExperimentResult:
    """Result of an experiment: the experiment, all points, and the measures at x_0 by (spectrum, d, measure)."""

    experiment: Experiment
    points: tuple[Point, ...]
    start: dict[tuple[str, int, str], float]

    def curve(self, method: str, spectrum: str, measure: str) -> list[Point]:
        """Return the points of one curve, sorted by d."""
        chosen = (p for p in self.points if (p.method, p.spectrum, p.measure) == (method, spectrum, measure))
        return sorted(chosen, key=lambda p: p.d)


FURTHER_RATE = 2e-9  # seconds of a run of `simulate` by samples, steps and d + 30, measured with a loop of clipped gradients
Winner = tuple[str, str, int, int, int]  # spectrum, method, and the numbers of its alpha, horizon and clip
Grid = dict[tuple[str, int, tuple[str, ...]], Cell]  # by spectrum, d, methods
Results = dict[str, dict[str, FloatArray]]  # arrays of cells, by their keys
Then = Callable[[str, dict[str, FloatArray]], Iterable[Cell]]  # what can be computed once a cell is done


@dataclass(frozen=True)
class FurtherMethod:
    """A method besides `METHODS` that is tuned over the same grid and judged by the same fresh runs, each run on its own.

    tasks      functions of its cells: one returns what `synthetic.grids.grid.grid_cell` does, the other what its `replay_cell` does
    arguments  of both, besides those of the lab's cells
    """

    name: str
    tasks: tuple[str, str]
    arguments: Mapping[str, Any]

    def grid_cost(self, e: Experiment, d: int) -> float:
        """Return the approximate seconds of the grid of a spectrum and dimension on one core, as `grid_cost` does for the lab's methods."""
        return e.n * len(e.alphas) * len(e.clips) * sum(e.horizons) * (d + 30) * FURTHER_RATE

    def grid_cells(self, e: Experiment) -> Grid:
        """Return the cells of its grid search by (spectrum, d, (its name,)), on the lab's dataset, settings and noise."""
        shared: dict[str, Any] = {name: getattr(e, name) for name in ("n", "seed", "alphas", "horizons", "clips")}
        shared |= {"dataset": 0, "sigma": e.sigma().tolist(), **self.arguments}
        return {
            (s, d, (self.name,)): Cell(self.tasks[0], {**shared, "spectrum": s, "d": d}, self.grid_cost(e, d), f"{self.name}, {s}, d = {d}")
            for s, d in product(e.spectra, e.dimensions)
        }

    def replay_cells(self, e: Experiment, d: int, winners: Sequence[Winner]) -> list[Cell]:
        """Return the cells that run its winning settings of dimension d again, one cell for each fresh data set of the lab's methods."""
        shared = {"d": d, "n": e.n, "replicates": e.fresh_replicates, **self.arguments, **chosen_settings(e, winners)}
        cost = e.n * e.fresh_replicates * sum(shared["T"]) * (d + 30) * FURTHER_RATE
        return [Cell(self.tasks[1], {**shared, **one}, cost, f"fresh runs of {self.name}, d = {d}") for one in fresh_draws(e)]

    def expected_replays(self, e: Experiment) -> dict[str, Expected]:
        """Return the expected number and cost of its fresh runs, an Expected for each label."""
        steps = len(e.spectra) * max(e.horizons)
        costs = {d: e.n * e.fresh_replicates * steps * (d + 30) * FURTHER_RATE for d in e.dimensions}
        return {f"fresh runs of {self.name}, d = {d}": Expected(e.fresh_datasets, cost) for d, cost in costs.items()}


def grid_cost(e: Experiment, spectrum: str, d: int, first_order: bool) -> float:
    """Return the approximate seconds that a cell of the grid takes on one core, from measurements at d = 200 and 2,000."""
    steps = e.n * max(e.horizons)
    if not first_order:
        return steps * (d + 280) * 5e-11
    beside, rate = {"flat": (215, 5.1e-11), "inverse_sqrt": (41, 9.8e-11)}.get(spectrum, (0, 3.8e-10))  # by the settings that are kept
    return steps * (d + beside) * rate


def replay_cost(e: Experiment, d: int, longest: Mapping[tuple[str, str], int]) -> float:
    """Return the approximate seconds of fresh runs on one data set; `longest` has the largest T by (spectrum, method)."""
    zeroth = {s: max(T for (one, m), T in longest.items() if one == s and m in ZEROTH_ORDER) for s, m in longest if m in ZEROTH_ORDER}
    first = [T for (_, m), T in longest.items() if m in FIRST_ORDER]
    return e.n * e.fresh_replicates * (d + 120) * (1.6e-11 * sum(zeroth.values()) + 5.2e-11 * sum(first))


def expected_replays(e: Experiment, methods: Sequence[str] = METHODS) -> dict[str, Expected]:
    """Return the expected number and cost of the fresh runs after the grid search, an Expected for each label "fresh runs, d = ..."."""
    horizons = sorted(e.horizons)
    usual = {m: horizons[-1] if m in ZEROTH_ORDER else horizons[-1] // 4 for m in methods}
    longest: dict[tuple[str, str], int] = {(s, m): T for s, (m, T) in product(e.spectra, usual.items())}
    return {f"fresh runs, d = {d}": Expected(e.fresh_datasets, replay_cost(e, d, longest)) for d in e.dimensions}


def grid_cells(e: Experiment, methods_wanted: Sequence[str] = METHODS) -> Grid:
    """Return the cells of the grid search by (spectrum, d, methods); DPZero and DPGD-0th share a cell.

    The key names the methods of the cell, ("dpgd_0th", "dpzero") or ("dp_gd",).
    """
    shared: dict[str, Any] = {name: getattr(e, name) for name in ("n", "seed", "alphas", "horizons", "clips", "direction")}
    shared |= {"dataset": 0, "sigma": e.sigma().tolist()}
    cells: Grid = {}
    wanted = [methods for methods in (ZEROTH_ORDER, FIRST_ORDER) if set(methods) & set(methods_wanted)]
    for spectrum, d, methods in product(e.spectra, e.dimensions, wanted):
        first_order = methods == FIRST_ORDER
        precision, name = ("single", "DP-GD") if first_order else ("double", "DPZero, DPGD-0th")
        arguments = {**shared, "methods": methods, "spectrum": spectrum, "d": d, "likely": first_order, "precision": precision}
        label = f"{name}, {spectrum}, d = {d}"
        cells[spectrum, d, methods] = Cell("synthetic.grids.grid:grid_cell", arguments, grid_cost(e, spectrum, d, first_order), label)
    return cells


def replay_cells(e: Experiment, d: int, winners: Sequence[Winner]) -> list[Cell]:
    """Return the cells that run the winning settings of dimension d again, one cell for each fresh data set.

    The winners of all methods and spectra share a cell: its data and their draws are made once, and its products with the directions
    once for both zeroth-order methods.
    """
    n, chosen = len(winners), chosen_settings(e, winners)
    shared = {"d": d, "n": e.n, "replicates": e.fresh_replicates, "direction": e.direction, "precision": "single", **chosen}
    longest = {one: max(chosen["T"][s] for s in range(n) if winners[s][:2] == one) for one in sorted({w[:2] for w in winners})}
    cost = replay_cost(e, d, longest)
    return [Cell("synthetic.grids.grid:replay_cell", {**shared, **one}, cost, f"fresh runs, d = {d}") for one in fresh_draws(e)]


def chosen_settings(e: Experiment, winners: Sequence[Winner]) -> dict[str, list[Any]]:
    """Return the settings of winners as lists of one length: spectrum, method, alpha, T, C, sigma."""
    sigma = e.sigma()
    return {
        "spectrum": [spectrum for spectrum, *_ in winners],
        "method": [method for _, method, *_ in winners],
        "alpha": [e.alphas[i] for *_, i, _, _ in winners],
        "T": [e.horizons[j] for *_, j, _ in winners],
        "C": [e.clips[k] for *_, k in winners],
        "sigma": [float(sigma[j, k]) for *_, j, k in winners],
    }


def fresh_draws(e: Experiment) -> list[dict[str, int]]:
    """Return number and seed of the draws of each fresh dataset; the grid has dataset 0 and the experiment's seed."""
    return [{"dataset": 1 + k, "seed": e.seed + 1 + k} for k in range(e.fresh_datasets)]


def run_experiment(
    e: Experiment,
    store: Store,
    executor: Executor | None = None,
    *,
    measures: Sequence[str] = Measures.NAMES,
    methods: Sequence[str] = METHODS,
    further: Sequence[FurtherMethod] = (),
    workers: Workers = None,
    progress: Callable[[str, Progress], None] | None = None,
) -> ExperimentResult:
    """Run the grid, choose the winners by each measure, run them again on fresh data, and return the ExperimentResult.

    Cells that the store holds are not computed again. The fresh runs of a dimension begin when its grid is done. DPZero and DPGD-0th share
    cells: with one of them in `methods` the result has both.
    """
    for measure in measures:
        one_of(Measures.NAMES, measure=measure)
    for method in methods:
        one_of(METHODS, method=method)
    with open_executor(workers if executor is None else executor) as pool:

        def computed(cells: Iterable[Cell], then: Then) -> Results:
            report = progress and partial(progress, "grid, fresh runs")
            return run(cells, store, pool, progress=report, then=then, expected=expected)

        grid, expected = grid_cells(e, methods), expected_replays(e, methods) if methods else {}
        for one in further:
            grid |= one.grid_cells(e)
            expected |= one.expected_replays(e)
        return _run_grid_and_replays(e, tuple(measures), grid, {one.name: one for one in further}, computed)


def _run_grid_and_replays(
    e: Experiment,
    measures: tuple[str, ...],
    grid: Grid,
    further: Mapping[str, FurtherMethod],
    computed: Callable[[Iterable[Cell], Then], Results],
) -> ExperimentResult:
    """Return the result of an experiment whose cells `computed` runs: the grid first, then fresh runs of each dimension's winners.

    The winners of the lab's methods share fresh runs, each of `further` has its own: whether it takes part changes no other cell.
    """
    place = {cell.key: where for where, cell in grid.items()}
    tables: dict[tuple[str, str, int, str], FloatArray] = {}
    best: dict[tuple[str, str, int, str], tuple[int, int, int]] = {}
    start: dict[tuple[str, int, str], float] = {}
    plans: dict[tuple[int, str], tuple[list[Winner], list[Cell]]] = {}  # by d, and the name of a further method or ""
    waiting = {(where[1], _sharing(where[2], further)): set[tuple[str, int, tuple[str, ...]]]() for where in grid}
    for where in grid:
        waiting[where[1], _sharing(where[2], further)].add(where)

    def then(key: str, found: dict[str, FloatArray]) -> list[Cell]:
        """Store the results of a cell of the grid; return the cells of fresh runs if it was the last of its dimension, else []."""
        if key not in place:
            return []
        spectrum, d, methods = place[key]
        group = d, _sharing(methods, further)
        at_start = {(spectrum, d, name): float(found[f"start/{name}"]) for name in measures}
        start.update(at_start | start if group[1] else at_start)  # where both have run, the lab's, whichever ended first
        for method, name in product(methods, measures):
            tables[method, spectrum, d, name] = found[f"{method}/{name}"]
            best[method, spectrum, d, name] = best_setting(method, found[f"{method}/{name}"])
        waiting[group].remove(place[key])
        if waiting[group]:
            return []
        mine = {where: setting for where, setting in best.items() if (where[2], _sharing((where[0],), further)) == group}
        winners = sorted({(spectrum, method, *setting) for (method, spectrum, _, _), setting in mine.items()})
        again = further[group[1]].replay_cells(e, d, winners) if group[1] else replay_cells(e, d, winners)
        plans[group] = winners, again
        return again

    again = computed(grid.values(), then)
    sigma, points = e.sigma(), []
    for (spectrum, d, methods), name in product(grid, measures):
        winners, batch = plans[d, _sharing(methods, further)]
        values = np.stack([again[cell.key]["measures"] for cell in batch])  # (datasets, 4, replicates, winners)
        for method in methods:
            i, j, k = best[method, spectrum, d, name]
            table = tables[method, spectrum, d, name]
            runs = values[:, Measures.NAMES.index(name), :, winners.index((spectrum, method, i, j, k))]
            setting = float(table[i, j, k]), e.alphas[i], e.horizons[j], e.clips[k], float(sigma[j, k])
            searched = table.size, int(np.isnan(table).sum())
            if not np.all(np.isfinite(runs)):
                which = f"alpha = {e.alphas[i]:g}, T = {e.horizons[j]}, C = {e.clips[k]:g}"
                raise ValueError(f"method = {method!r}: its best setting on {spectrum}, d = {d} ({which}) diverges on fresh data")
            points.append(Point(method, spectrum, d, name, *setting, *searched, clustered_mean(runs, within=SIZE), runs.size))
    return ExperimentResult(e, tuple(points), start)


def _sharing(methods: Sequence[str], further: Mapping[str, FurtherMethod]) -> str:
    """Return the name of a further method, whose fresh runs are its own, and "" for the lab's methods, which share theirs."""
    return methods[0] if methods[0] in further else ""


def best_setting(method: str, table: FloatArray) -> tuple[int, int, int]:
    """Return the indices (alpha, horizon, clip) of the first setting whose value is the smallest up to TIE; NaN counts as no value.

    Of settings that agree up to rounding, as those of one alpha C where every sample is clipped, the first: the smallest alpha. Which of
    them is smallest to the last bit depends on the processor.
    """
    i, j, k = np.argwhere(table <= np.nanmin(table) * (1 + TIE.get(method, TIE_OF_OTHERS)))[0]
    return int(i), int(j), int(k)
