"""The exact grid engine: every setting (alpha, T, C) of a method on a quadratic, on shared draws.

The results equal those of `simulate` with the same seed to rounding; how that is done in a fraction of the time is written in
`grid_zeroth` (DPZero, DPGD-0th) and `grid_first` (DP-GD).
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from synthetic import grid_first, grid_zeroth
from synthetic.draws import FloatArray
from synthetic.measures import Measures
from synthetic.memory import room_for
from synthetic.objectives import Objective
from synthetic.settings import Settings
from synthetic.simulate import DIRECTION_LAWS
from synthetic.validate import (
    array_of,
    door,
    flag,
    non_negative,
    one_of,
    positive_array,
    positive_integer,
    positive_integers,
    seed_integer,
    shown,
)

METHODS = ("dpzero", "dpgd_0th", "dp_gd")
PRECISIONS = ("double", "single")


@dataclass(frozen=True, eq=False)
class Grid:
    """The measures at x_T, each (alphas, horizons, clips); NaN where a setting was dropped, or where there is no test set.

    sigma (horizons, clips);   dropped: settings that were proved not to be the best by any measure (``prune=True`` only)
    settings   what the run was called with; from `theory_lab.grid` also the accountant and the privacy that sigma was computed from
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
        return f"Grid({self.method} on {self.settings['objective']}: {sizes} settings (alpha, T, C), {noise})"

    def best(self, measure: str) -> tuple[int, int, int]:
        """Return the indices (alpha, horizon, clip) of the smallest value of a measure."""
        one_of(Measures.NAMES, measure=measure)
        values = getattr(self, measure)
        if np.all(np.isnan(values)):
            raise ValueError(f"measure = {measure!r}: no value is known, because the grid was run without a test set")
        i, j, k = np.unravel_index(int(np.nanargmin(values)), values.shape)
        return int(i), int(j), int(k)

    def arrays(self) -> dict[str, np.ndarray]:
        """Return every array by name."""
        return {f.name: getattr(self, f.name) for f in fields(self) if isinstance(getattr(self, f.name), np.ndarray)}


@door
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
    direction: str = "sphere",
    precision: str = "double",
    prune: bool = False,
    threads: int | None = None,
) -> Grid:
    """Run every combination of alphas (a,), horizons (h,) and clips (c,) with noise sigma (h, c) on a quadratic.

    All settings share the draws of replicate 0 of the seed, as `simulate` would draw them. ``precision="single"`` multiplies the
    data in float32. ``prune=True`` (DP-GD only) drops settings that provably have none of the four smallest values.
    """
    return grids((method,), objective, alphas=alphas, horizons=horizons, clips=clips, sigma=sigma, test=test, seed=seed,
                 direction=direction, precision=precision, prune=prune, threads=threads)[method]  # fmt: skip


@door
def grids(
    methods: tuple[str, ...], objective: Objective, *, alphas: FloatArray, horizons: NDArray[np.int64], clips: FloatArray,
    sigma: FloatArray, test: Objective | None = None, seed: int = 0, direction: str = "sphere", precision: str = "double",
    prune: bool = False, threads: int | None = None,
) -> dict[str, Grid]:  # fmt: skip
    """Run the grids of several methods; DPZero and DPGD-0th share the products of data and directions."""
    alphas, clips = positive_array((None,), alphas=alphas), positive_array((None,), clips=clips)
    horizons = positive_integers(horizons=horizons)
    sigma = array_of((len(horizons), len(clips)), sigma=sigma)
    if np.any(sigma < 0):
        raise ValueError(f"sigma has the entry {float(sigma.min())!r}: numbers of at least 0 are needed")
    if not isinstance(objective, Objective) or not isinstance(test, Objective | None):
        raise ValueError(
            f"objective = {shown(objective)}, test = {shown(test)}: objectives are needed, such as quadratic('inverse', 20, 100, 0)"
        )
    flag(prune=prune)
    count, longest = len(alphas) * len(horizons) * len(clips), int(horizons.max())
    room_for(16 * count * (objective.d + 8) + longest, alphas=len(alphas), horizons=len(horizons), clips=len(clips), longest=longest)
    settings = Settings.product(alphas, horizons, clips, sigma)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # a setting that diverges is no mistake
        found = last_iterates(methods, objective, settings, seed=seed, direction=direction, precision=precision,
                              prune=test or objective if prune else None, threads=threads)  # fmt: skip
        measures = Measures.between(objective, test or objective)
        measured = {method: measures.of(offsets[0]) for method, offsets in found.items()}
    shape = (len(alphas), len(horizons), len(clips))
    result = {}
    for method, flat in measured.items():
        values = flat.reshape(4, *shape)
        if test is None:
            values[[1, 3]] = np.nan
        result[method] = Grid(
            method, alphas, horizons, clips, sigma, values[0], values[1], values[2], values[3], np.isnan(values[0]) & prune,
            {"objective": objective.name, "seed": seed, "direction": direction, "precision": precision, "prune": prune},
        )  # fmt: skip
    return result


@door
def last_iterates(
    methods: tuple[str, ...], objective: Objective, settings: Settings, *, seed: int = 0, replicates: int = 1,
    direction: str = "sphere", precision: str = "double", prune: Objective | None = None, threads: int | None = None,
) -> dict[str, FloatArray]:  # fmt: skip
    """Return for each method x_T - m, (replicates, settings, d), m the mean of the data; NaN where a setting was dropped.

    ``prune``: the test objective by whose measures (and the training ones) DP-GD settings may be dropped.
    """
    for method in methods:
        one_of(METHODS, method=method)
    one_of(DIRECTION_LAWS, direction=direction)
    one_of(PRECISIONS, precision=precision)
    seed_integer(seed=seed)
    positive_integer(replicates=replicates)
    if threads is not None:
        positive_integer(threads=threads)
    non_negative(smallest_sigma=float(settings.sigma.min()))
    if objective.eigenvalues is None:
        raise ValueError(f"objective = {objective.name!r}: the grid engine needs a quadratic; use simulate for other objectives")
    a, centred, start = objective.eigenvalues, objective.data - objective.optimum, objective.x0 - objective.optimum
    workers = threads or os.cpu_count() or 1
    zeroth = [m for m in methods if m != "dp_gd"]
    found: dict[str, FloatArray] = {}
    with threadpool_limits(limits=1, user_api="blas"):
        if zeroth:
            tiled = settings.tiled(len(zeroth))
            vector = np.repeat([m == "dpgd_0th" for m in zeroth], len(settings))
            rows = centred.astype(np.float32) if precision == "single" else centred
            offsets = np.stack([
                grid_zeroth.last_offsets(
                    tiled, vector, a, rows, start, seed=seed, replicate=r, direction=direction, threads=workers
                )
                for r in range(replicates)
            ])  # fmt: skip
            found |= dict(zip(zeroth, np.split(offsets, len(zeroth), axis=1), strict=True))
        if "dp_gd" in methods:
            found["dp_gd"] = grid_first.last_offsets(
                settings, a, centred, start, seed=seed, replicates=replicates, precision=precision,
                prune=None if prune is None else Measures.between(objective, prune), threads=workers,
            )  # fmt: skip
    return found
