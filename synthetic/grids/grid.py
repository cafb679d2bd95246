"""The exact grid engine: every setting (alpha, T, C) of a method on a quadratic, on shared draws.

The results equal those of `simulate` with the same seed to rounding. How this takes a fraction of the time is explained in
`zeroth_order` (DPZero, DPGD-0th) and `first_order` (DP-GD).
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from synthetic.draws import DIRECTION_KINDS, Direction, FloatArray
from synthetic.grids import candidates, first_order, zeroth_order
from synthetic.grids.settings import Centred, Measures, Settings
from synthetic.memory import check_memory
from synthetic.objectives.sums import Objective, Spectrum, quadratic, spectrum_values
from synthetic.validate import (
    array_of,
    flag,
    non_negative,
    one_of,
    positive_array,
    positive_integer,
    positive_integers,
    seed_integer,
    short_repr,
    validated,
)

METHODS = (*zeroth_order.VECTOR_NOISE, *first_order.METHODS)
Precision = Literal["double", "single"]
PRECISIONS = get_args(Precision)


@dataclass(frozen=True, eq=False)
class Grid:
    """Result of a grid: four measures at x_T for every setting, each (alphas, horizons, clips).

    A measure is NaN where a setting was dropped, or where there is no test set.
    sigma (horizons, clips);   dropped: settings that were proved not to be the best by any measure (``prune=True`` only)
    settings   the arguments of the run, and "engine", which ran it: "exact" or "general"; from `theory_lab.grid` also the accountant and
               the privacy that sigma was computed from
    """

    method: str
    alphas: FloatArray
    horizons: NDArray[np.int64]
    clips: FloatArray
    sigma: FloatArray
    grad_norm_train: FloatArray
    grad_norm_test: FloatArray
    loss_train: FloatArray
    loss_test: FloatArray
    dropped: NDArray[np.bool_]
    settings: dict[str, Any]

    def __repr__(self) -> str:
        sizes = " x ".join(str(len(values)) for values in (self.alphas, self.horizons, self.clips))
        noise = f"sigma from {self.sigma.min():.4g} to {self.sigma.max():.4g} by {self.settings.get('noise', 'the caller')}"
        noise = noise if np.all(np.isfinite(self.clips)) else "neither clipping nor noise"
        on = f"{self.method} on {self.settings['objective']}, {self.settings['engine']} engine"
        return f"Grid({on}: {sizes} settings (alpha, T, C), {noise})"

    def best(self, measure: str) -> tuple[int, int, int]:
        """Return the indices (alpha, horizon, clip) at which a measure is smallest; ValueError if it has no values."""
        one_of(Measures.NAMES, measure=measure)
        values = getattr(self, measure)
        if np.all(np.isnan(values)):
            raise ValueError(f"measure = {measure!r}: it has no values, because the grid was run without a test set; give test to grid")
        i, j, k = np.unravel_index(int(np.nanargmin(values)), values.shape)
        return int(i), int(j), int(k)

    def arrays(self) -> dict[str, np.ndarray]:
        """Return a dictionary of all arrays of the result by their names."""
        return {f.name: getattr(self, f.name) for f in fields(self) if isinstance(getattr(self, f.name), np.ndarray)}


@validated
def grid(
    method: str,
    objective: Objective,
    *,
    alphas: FloatArray,
    horizons: NDArray[np.int64],
    clips: FloatArray,
    sigma: FloatArray,
    test: Objective | None = None,
    seed: int = 0,
    direction: Direction = "sphere",
    precision: Precision = "double",
    prune: bool = False,
    threads: int | None = None,
) -> Grid:
    """Run every combination of alphas (a,), horizons (h,) and clips (c,), noise sigma (h, c), on a quadratic; return a `Grid`.

    All settings share the draws of replicate 0 of the seed, as `simulate` would draw them. ``precision="single"`` multiplies the
    data in float32. ``prune=True`` (DP-GD only) drops settings that provably have none of the four smallest values.
    """
    axes: dict[str, Any] = {"alphas": alphas, "horizons": horizons, "clips": clips, "sigma": sigma}
    how: dict[str, Any] = {"seed": seed, "direction": direction, "precision": precision, "threads": threads}
    return grids((method,), objective, **axes, test=test, prune=prune, **how)[method]


@validated
def grids(
    methods: tuple[str, ...],
    objective: Objective,
    *,
    alphas: FloatArray,
    horizons: NDArray[np.int64],
    clips: FloatArray,
    sigma: FloatArray,
    test: Objective | None = None,
    prune: bool = False,
    **how: Any,
) -> dict[str, Grid]:
    """Run the grids of several methods on a quadratic, on shared products of data and directions; return a `Grid` by method.

    how   seed, direction, precision and threads, as in `last_iterates`; the other arguments are as in `grid`
    """
    alphas, clips = positive_array((None,), alphas=alphas), positive_array((None,), clips=clips)
    horizons = positive_integers(horizons=horizons)
    sigma = array_of((len(horizons), len(clips)), sigma=sigma)
    if np.any(sigma < 0):
        raise ValueError(f"sigma has the entry {float(sigma.min())!r}: numbers of at least 0 are needed")
    if not isinstance(objective, Objective) or not isinstance(test, Objective | None):
        raise ValueError(
            f"objective = {short_repr(objective)}, test = {short_repr(test)}: objectives are needed, "
            "such as quadratic('inverse', 20, 100, 0)"
        )
    flag(prune=prune)
    count, longest = len(alphas) * len(horizons) * len(clips), int(horizons.max())
    check_memory(16 * count * (objective.d + 8) + longest, alphas=len(alphas), horizons=len(horizons), clips=len(clips), longest=longest)
    settings = Settings.product(alphas, horizons, clips, sigma)
    measured = _measure_settings(methods, objective, test or objective, settings, prune, **how)
    shape = (len(alphas), len(horizons), len(clips))
    ran: dict[str, Any] = {"objective": objective.name, "engine": "exact", "seed": 0, "direction": "sphere", "precision": "double"}
    ran |= {"prune": prune, **how}
    ran.pop("threads", None)
    result = {}
    for method, flat in measured.items():
        values = flat.reshape(4, *shape)
        if test is None:
            values[[1, 3]] = np.nan
        by_name: dict[str, Any] = dict(zip(Measures.NAMES, values, strict=True))
        result[method] = Grid(method, alphas, horizons, clips, sigma, **by_name, dropped=np.isnan(values[0]) & prune, settings=ran)
    return result


def _measure_settings(
    methods: tuple[str, ...], objective: Objective, test: Objective, settings: Settings, prune: bool, **how: Any
) -> dict[str, FloatArray]:
    """Run all settings of each method; return the measures at x_T by method, (4, settings)."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # a setting that diverges is no mistake
        found = last_iterates(methods, objective, settings, prune=test if prune else None, **how)
        measures = Measures.from_objectives(objective, test)
        return {method: measures.evaluate(offsets[0]) for method, offsets in found.items()}


@validated
def last_iterates(
    methods: tuple[str, ...],
    objective: Objective,
    settings: Settings,
    *,
    seed: int = 0,
    replicates: int = 1,
    direction: Direction = "sphere",
    precision: Precision = "double",
    prune: Objective | None = None,
    threads: int | None = None,
) -> dict[str, FloatArray]:
    """Run the settings of each method on a quadratic; return x_T - m by method, (replicates, settings, d), m the data's mean.

    NaN where a setting was dropped. ``prune``: the test objective by whose measures (and the training ones) DP-GD settings may be dropped.
    """
    for method in methods:
        one_of(METHODS, method=method)
    one_of(DIRECTION_KINDS, direction=direction)
    one_of(PRECISIONS, precision=precision)
    seed_integer(seed=seed)
    positive_integer(replicates=replicates)
    if threads is not None:
        positive_integer(threads=threads)
    non_negative(smallest_sigma=float(settings.sigma.min()))
    of, by = np.zeros(len(settings), np.int64), None if prune is None else Measures.from_objectives(objective, prune)
    how: dict[str, Any] = {"seed": seed, "replicates": replicates, "direction": direction, "precision": precision}
    return _run_settings(
        {method: (settings, of) for method in methods}, Centred.from_objective(objective), prune=by, **how, threads=threads
    )


Runs = dict[str, tuple[Settings, NDArray[np.int64]]]  # by method: settings, and the index of each one's spectrum


def _run_settings(
    runs: Runs,
    quadratic: Centred,
    *,
    prune: Measures | None = None,
    seed: int,
    replicates: int,
    direction: str,
    precision: str,
    threads: int | None,
) -> dict[str, FloatArray]:
    """Run each method's settings on its spectra, zeroth-order methods together; return x_T - m by method, (replicates, settings, d)."""
    workers = threads or os.cpu_count() or 1
    zeroth = [m for m in runs if m in zeroth_order.VECTOR_NOISE]
    found: dict[str, FloatArray] = {}
    with threadpool_limits(limits=1, user_api="blas"):
        if zeroth:
            every, of = Settings.concatenate([runs[m][0] for m in zeroth]), np.concatenate([runs[m][1] for m in zeroth])
            sizes = [len(runs[m][0]) for m in zeroth]
            vector = np.repeat([zeroth_order.VECTOR_NOISE[m] for m in zeroth], sizes)
            present, of = np.unique(of, return_inverse=True)
            a, z = quadratic.a[present], quadratic.samples
            rounded = replace(quadratic, a=a, samples=z.astype(np.float32) if precision == "single" else z)
            draws: dict[str, Any] = {"seed": seed, "replicates": replicates, "direction": direction, "threads": workers}
            offsets = zeroth_order.last_offsets(rounded, every, of, vector, **draws)
            found |= dict(zip(zeroth, np.split(offsets, np.cumsum(sizes)[:-1], axis=1), strict=True))
        for method in (m for m in runs if m in first_order.METHODS):
            numbers: dict[str, Any] = {"seed": seed, "replicates": replicates, "precision": precision, "threads": workers}
            found[method] = first_order.last_offsets(quadratic, *runs[method], prune, **numbers)
    return found


def train_test_quadratics(spectrum: Spectrum, d: int, n: int, dataset: int) -> tuple[Objective, Objective]:
    """Return the training and the test quadratic of a dataset number, drawn with the seeds 2 dataset and 2 dataset + 1."""
    return quadratic(spectrum, d, n, 2 * dataset), quadratic(spectrum, d, n, 2 * dataset + 1)


def grid_cell(
    *,
    methods: Sequence[str],
    spectrum: Spectrum,
    d: int,
    n: int,
    dataset: int,
    alphas: Sequence[float],
    horizons: Sequence[int],
    clips: Sequence[float],
    sigma: Sequence[Sequence[float]],
    likely: bool = False,
    **how: Any,
) -> dict[str, np.ndarray]:
    """Run a grid; return four measures of every method, (alphas, horizons, clips), as "method/measure", at x_0 as "start/measure".

    ``likely=True`` (DP-GD only) runs the settings that are likely to be the best by a measure, see `candidates`; the others are NaN.
    The other arguments are those of `grid`.
    """
    train, test = train_test_quadratics(spectrum, d, n, dataset)
    settings = Settings.product(np.array(alphas), np.array(horizons), np.array(clips), np.array(sigma))
    measures, chosen = Measures.from_objectives(train, test), np.full(len(settings), True)
    if likely:
        chosen = candidates.likely_best_mask(Centred.from_objective(train), measures, settings, how["seed"])
    found = _measure_settings(tuple(methods), train, test, settings.take(np.flatnonzero(chosen)), False, **how, threads=1)
    values = {method: np.full((4, len(settings)), np.nan) for method in methods}
    for method in methods:
        values[method][:, chosen] = found[method]
    shape = (len(alphas), len(horizons), len(clips))
    named = {f"{method}/{name}": values[method][k].reshape(shape) for method in methods for k, name in enumerate(Measures.NAMES)}
    at_start = measures.evaluate((train.x0 - train.optimum)[None])[:, 0]
    return named | {f"start/{name}": np.array(value) for name, value in zip(Measures.NAMES, at_start, strict=True)}


def replay_cell(
    *, method: Sequence[str], spectrum: Sequence[Spectrum], d: int, n: int, dataset: int, **arguments: Any
) -> dict[str, np.ndarray]:
    """Run lists of settings (method, spectrum, alpha, T, C, sigma) on a fresh dataset; return measures (4, replicates, settings).

    The lists have one length. The dataset and its draws are shared by all settings. The key of the result is "measures".
    """
    alpha, T, C, sigma = (np.array(arguments.pop(name)) for name in ("alpha", "T", "C", "sigma"))
    spectra = list(dict.fromkeys(spectrum))
    of, every = np.array([spectra.index(one) for one in spectrum]), Settings(alpha, T.astype(np.int64), C, sigma)
    train, test = map(Centred.from_objective, train_test_quadratics(spectra[0], d, n, dataset))  # they differ in their eigenvalues alone
    a = np.stack([spectrum_values(one, d) for one in spectra])
    mine = {name: np.flatnonzero(np.array(method) == name) for name in dict.fromkeys(method)}
    found = _run_settings({m: (every.take(s), of[s]) for m, s in mine.items()}, replace(train, a=a), **arguments, threads=1)
    values, measures = np.empty((4, arguments["replicates"], len(every))), [Measures.from_data(one, train, test) for one in a]
    for name, settings in mine.items():
        for column, s in enumerate(settings):
            values[:, :, s] = measures[of[s]].evaluate(found[name][:, column])
    return {"measures": values}
