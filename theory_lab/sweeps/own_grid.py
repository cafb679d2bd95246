"""A user's method in Figures 1 to 3 of DPZero: its cells of the grid and of fresh runs, each setting a run of `simulate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from paper_checks.dpzero.experiments.figure_runs import METHODS, FurtherMethod
from paper_checks.experiment import check_covered
from synthetic.grids.general import general_grid, point_measures
from synthetic.grids.grid import train_test_quadratics
from synthetic.grids.settings import Measures
from synthetic.methods.record import Kernel
from synthetic.objectives.sums import Spectrum
from synthetic.runs.simulate import simulate
from theory_lab.sweeps.own_cells import OwnFiles, methods_of, readable_errors

if TYPE_CHECKING:
    from theory_lab.methods.record import Method

TASKS = ("theory_lab.sweeps.own_grid:grid_cell", "theory_lab.sweeps.own_grid:replay_cell")
GIVEN = ("alpha", "T", "C", "sigma", "replicates", "seed")  # settings that the figure determines


def further_method(method: Method, own: OwnFiles, figure: str) -> FurtherMethod:
    """Return a user's method as one that a figure tunes over its grid, with its own settings at their defaults.

    Raises ValueError, in one sentence, for a method that has no kernel, is not private, has stages, or needs a setting without default.
    """
    kernel, said = method.runner, f"methods = {method.name}: {figure} cannot draw it"
    if not isinstance(kernel, Kernel):
        raise ValueError(f"{said}, because it has no synthetic.methods.record.Kernel; only methods on sums of losses can be tuned")
    if not kernel.private:
        raise ValueError(f"{said}, because it takes no C and sigma: the figure compares private methods over alpha, T and C")
    if kernel.stages:
        raise ValueError(f"{said}, because it has stages, each with its own step size and length")
    if missing := [one.name for one in kernel.all_settings if one.needed and one.name not in GIVEN]:
        raise ValueError(f"{said}, because its setting {missing[0]} has no default; give it one in the kernel's settings")
    if (size := kernel.with_defaults({})["batch_size"]) is not None:
        raise ValueError(f"{said}, because its batch_size is {size} by default, and the noise of the figure is that of all samples")
    if (count := kernel.releases_per_step({})) != 1:
        raise ValueError(f"{said}, because it releases {count} numbers or vectors in a step, and the noise of the figure is for one")
    check_covered(kernel.with_defaults({}))
    return FurtherMethod(method.name, TASKS, {"name": method.name, "files": own.of_run(method.name)})


def own_settings(kernel: Kernel) -> dict[str, Any]:
    """Return the values at which a figure keeps the settings that it does not tune, by name."""
    return {one.name: one.default for one in kernel.settings if one.name not in GIVEN}


def grid_cell(
    *,
    name: str,
    files: Mapping[str, str],
    spectrum: Spectrum,
    d: int,
    n: int,
    dataset: int,
    seed: int,
    alphas: Sequence[float],
    horizons: Sequence[int],
    clips: Sequence[float],
    sigma: Sequence[Sequence[float]],
) -> dict[str, np.ndarray]:
    """Run a user's method over a grid on a quadratic; return the arrays that `synthetic.grids.grid.grid_cell` returns.

    name, files   the method, and {path: version} of its file, which the call carries
    """
    train, test = train_test_quadratics(spectrum, d, n, dataset)
    axes: dict[str, Any] = {"alphas": alphas, "horizons": horizons, "clips": clips, "sigma": sigma}
    with readable_errors(files):
        found = general_grid(methods_of(files)[name].runner, train, **axes, test=test, seed=seed, threads=1)
    at_start = point_measures(train, test, train.x0)
    named = {f"{name}/{one}": getattr(found, one) for one in Measures.NAMES}
    return named | {f"start/{one}": np.array(value) for one, value in zip(Measures.NAMES, at_start, strict=True)}


def replay_cell(
    *,
    name: str,
    files: Mapping[str, str],
    method: Sequence[str],
    spectrum: Sequence[Spectrum],
    d: int,
    n: int,
    dataset: int,
    seed: int,
    replicates: int,
    alpha: Sequence[float],
    T: Sequence[int],
    C: Sequence[float],
    sigma: Sequence[float],
) -> dict[str, np.ndarray]:
    """Run lists of settings of a user's method on a fresh dataset; return the array that `synthetic.grids.grid.replay_cell` returns."""
    values = np.empty((4, replicates, len(spectrum)))
    with readable_errors(files):
        kernel = methods_of(files)[name].runner
        for s, one in enumerate(spectrum):
            train, test = train_test_quadratics(one, d, n, dataset)
            chosen: dict[str, Any] = {"alpha": alpha[s], "T": T[s], "C": C[s], "sigma": sigma[s]}
            run = simulate(kernel, train, **chosen, replicates=replicates, seed=seed, threads=1)
            for r in range(replicates):
                values[:, r, s] = np.inf if run.diverged[r] else point_measures(train, test, run.x[r])
    return {"measures": values}


def chosen_methods(names: Sequence[str], methods: Mapping[str, Method], own: OwnFiles, figure: str) -> dict[str, FurtherMethod | None]:
    """Return the methods that a figure draws, by name: None for one of the lab's three, else how the user's method is run.

    Raises ValueError for a name twice, and for a method that is neither one of the three nor the user's.
    """
    mine = [name for table, name in own.defines if table == "METHODS"]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"methods = {','.join(names)}: {twice[0]} occurs twice; no name twice is allowed")
    for name in names:
        if name not in (*METHODS, *mine):
            more = f"or of your file, {', '.join(mine)}" if mine else "or a METHOD of your own file, which --module names"
            raise ValueError(
                f"methods = {','.join(names)}: {name!r} is unknown to {figure}; some of {', '.join(METHODS)}, {more}, are needed"
            )
    return {name: None if name in METHODS else further_method(methods[name], own, figure) for name in names}
