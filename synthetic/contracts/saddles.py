"""Contracts of a method that runs as a whole, such as Gauss-PSGD: same seed, threads, no noise, finite results.

The other contracts ask for the loop of a method on sums, one step at a time, and do not apply.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

import numpy as np

from synthetic.contracts.trial import ContractBroken, DoesNotApply, compare_numbers
from synthetic.draws import FloatArray
from synthetic.objectives.saddles import SaddleObjective
from synthetic.objectives.separable_saddles import random_phase_cosines

ADAPTIVE = {"n": 400, "b_1": 20, "b_2": 4, "sigma_1": 0.02, "sigma_2": 0.1, "kappa": 0.3}
DESCENT = {"eta": 0.5, "chi": 0.1, "R": 0.25, "Gamma": 9, "Q": 3}
RUNS: dict[str, dict[str, Any]] = {
    "gauss_psgd": {**DESCENT, **ADAPTIVE, "oracle": "ada_dp_spider"},
    "frozen_psgd": {"eta": 0.5, "threshold": 0.1, "extra": 0.05, "frozen_steps": 5, **ADAPTIVE},
}
QUIET: dict[str, dict[str, Any]] = {"gauss_psgd": {**DESCENT, "oracle": "exact", "zeta": 0.0, "sigma_1": 0.0, "limit": 60}}
MAY_BE_MISSING = ("x", "points")  # NaN where a run returns no point, or keeps none


@dataclass(frozen=True)
class RunnerTrial:
    """A function that runs a method on an objective with a saddle, with its settings."""

    runner: Callable[..., Any]
    name: str
    settings: Mapping[str, Any]
    objective: SaddleObjective = field(repr=False)

    def arrays(self, **changed: Any) -> dict[str, FloatArray]:
        """Run the method and return the arrays of its result by name; raise ContractBroken for a result that is no dataclass."""
        found = self.runner(self.objective, **{**self.settings, **changed})
        if not is_dataclass(found):
            raise ContractBroken(f"{self.name} returns {found!r:.80}; a dataclass with its results is needed")
        arrays = {one.name: getattr(found, one.name) for one in fields(found)}
        return {name: np.asarray(one, dtype=float) for name, one in arrays.items() if isinstance(one, np.ndarray)}


def same_seed(trial: RunnerTrial) -> str:
    """Check that two runs with the same seed give the same numbers, bit for bit."""
    compare_numbers("two runs with the same seed differ", trial.arrays(), trial.arrays(), 0.0, seed=trial.settings["seed"])
    return ""


def threads_and_order(trial: RunnerTrial) -> str:
    """Check that a replicate does not depend on the number of threads, nor on the other replicates."""
    one, two = (trial.arrays(threads=count) for count in (1, 3))
    compare_numbers("runs on 1 and on 3 threads differ", one, two, 0.0, seed=trial.settings["seed"])
    alone = trial.arrays(replicates=1)
    first = {name: each[:1, : alone[name].shape[1]] if each.ndim > 1 else each[:1] for name, each in one.items()}
    compare_numbers("replicate 0 depends on whether others are run with it", first, alone, 0.0, seed=trial.settings["seed"], replicate=0)
    return ""


def results(trial: RunnerTrial) -> str:
    """Check that a run returns one row for each replicate, finite numbers up to its last step."""
    run = trial.arrays()
    for name, found in run.items():
        if found.shape[0] != trial.settings["replicates"]:
            raise ContractBroken(f"{name} has the shape {found.shape}; a row for each replicate is needed")
        for r, row in enumerate(found if name not in MAY_BE_MISSING else ()):
            made = row[: int(run["steps"][r])] if row.ndim and len(row) == run["steps"].max() else row
            if not np.all(np.isfinite(made)):
                raise ContractBroken(f"{name} of replicate {r} is not finite", seed=trial.settings["seed"], replicate=r)
    return ""


def no_noise(trial: RunnerTrial) -> str:
    """Check that with sigma = 0, and exact gradients, the noise changes nothing."""
    if trial.name not in QUIET:
        raise DoesNotApply(f"{trial.name} has no run without samples, which are drawn from its seed too")
    quiet = RunnerTrial(trial.runner, trial.name, {**QUIET[trial.name], "seed": 0, "replicates": 2}, trial.objective)
    compare_numbers("with sigma = 0 another seed of the noise gives another run", quiet.arrays(), quiet.arrays(seed=1), seed=[0, 1])
    return ""


LISTED = (same_seed, threads_and_order, results, no_noise)
STEPWISE = "it runs as a whole, and not step by step with given draws, as a loop on sums does; `audit` attacks its oracles"


def make_runner_trial(runner: Callable[..., Any], name: str, settings: Mapping[str, Any]) -> RunnerTrial:
    """Return the trial of a function that runs a method on objectives with saddles; unknown ones need all their settings."""
    return RunnerTrial(runner, name, {"replicates": 3, "seed": 0, **RUNS.get(name, {}), **settings}, random_phase_cosines(4))
