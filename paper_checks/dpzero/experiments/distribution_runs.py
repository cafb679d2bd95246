"""Best settings in distribution and their errors: the numbers behind the figures `dpzero-scale` and `dpzero-tuned`.

The problem is that of Section 5 at any dimension and any number of samples: `synthetic.distribution.quadratic` simulates it from its exact
distribution, without data. A setting is chosen by its test gradient norm at x_T (`synthetic.distribution.tuning`), and its error is
measured on draws that did not choose it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from paper_checks.experiment import noise_over_clip
from synthetic.distribution.quadratic import MEASURES, Conditions, final_measures
from synthetic.distribution.tuning import FRESH, tune
from synthetic.draws import Direction
from synthetic.estimate import SIZE, clustered_mean
from synthetic.grids.settings import Settings
from synthetic.groups import group_eigenvalues
from synthetic.sweeps.sweep import Cell

TEST = MEASURES.index("grad_norm_test")
MOST = 256  # largest number of replicates that measure a setting


def tune_cell(
    *,
    method: str,
    spectrum: str,
    d: int,
    n: int,
    T_max: int,
    replicates: int,
    seed: int,
    direction: Direction = "sphere",
    narrow: float | None = None,
    tie: float = 0.0,
    **budget: Any,
) -> dict[str, np.ndarray]:
    """Return the best setting, arrays (1,) by name, and its measures at x_T, `values` (replicates, 4); budget as in `noise_over_clip`.

    narrow    target for the half width of the 95 % interval over the mean error; replicates are doubled until it is met or there are MOST
    tie       share of the error that fewer steps may cost: T is halved while the error grows by no more
    """
    conditions = Conditions(group_eigenvalues(spectrum, d), n, replicates=replicates, seed=seed, direction=direction)
    best = tune(method, conditions, noise_over_clip(n=n, **budget), T_max, tie=tie, threads=1)
    setting = {name: np.array([getattr(best, name)]) for name in ("alpha", "T", "C", "sigma")}
    values = best.values
    while narrow is not None and values.shape[1] < MOST:
        error = clustered_mean(values[TEST][:, None], within=SIZE)
        if error.half_width <= narrow * error.value:
            break
        more = replace(conditions, seed=seed + FRESH, replicates=values.shape[1], first=values.shape[1])
        values = np.concatenate([values, final_measures((method,), Settings(**setting), more, threads=1)[method][:, :, 0]], axis=1)
    return setting | {"values": values.T}


def tuning_cell(**arguments: Any) -> Cell:
    """Return the Cell of a sweep that runs `tune_cell` with these arguments, labelled by its method, spectrum, d and n."""
    words = f"{arguments['method']}, {arguments['spectrum']}, d = {arguments['d']:g}, n = {arguments['n']:g}"
    size = (1 if arguments["spectrum"] == "flat" else np.log(arguments["d"])) + 6 * (arguments["method"] == "dp_gd")
    return Cell("paper_checks.dpzero.experiments.distribution_runs:tune_cell", arguments, float(arguments["T_max"] * size), words)


def mean_cell(method: str, spectrum: str, d: int, settings: Sequence[Mapping[str, Any]], **how: Any) -> Cell:
    """Return the Cell of a sweep that runs `coupled_mean` on settings with keys alpha, T, C and sigma; `how` are its other arguments."""
    chosen = {name: [one[name] for one in settings] for name in ("alpha", "T", "C", "sigma")}
    arguments = {"method": method, "spectrum": spectrum, "d": d, **how, **chosen}
    cost = float(how["replicates"] * max(chosen["T"]) * (1 if spectrum == "flat" else np.log(d)))
    return Cell("paper_checks.dpzero.experiments.distribution_runs:coupled_mean", arguments, cost, f"{method}, {spectrum}, d = {d}")


def coupled_mean(
    *, method: str, spectrum: str, d: int, n: int, replicates: int, seed: int, direction: Direction = "sphere", **chosen: Any
) -> dict[str, np.ndarray]:
    """Return {"values": measures at x_T (replicates, 4, settings)} of runs with common draws, simulated from their exact distribution."""
    conditions = Conditions(group_eigenvalues(spectrum, d), n, replicates=replicates, seed=seed + FRESH, excess=False, direction=direction)
    settings = Settings(*(np.array(chosen[name]) for name in ("alpha", "T", "C", "sigma")))
    return {"values": final_measures((method,), settings, conditions, threads=1)[method].transpose(1, 0, 2)}
