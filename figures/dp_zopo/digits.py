"""Accuracy against epsilon on handwritten digits for DPZero, DP-ZOSO and DP-ZOPO with its four strategies (compare grape-digits).

The paper tunes language models; here a network of 64 x 32 x 10 learns the digits that scikit-learn ships, from its random start. Every
method has the same number of steps, one direction a step, the same batches, noise and clipping threshold; its step size is searched on
80 % of the training data at one epsilon, not charged to the budget. DPZero has a constant step and directions on the sphere; each
stage halves the step and doubles in length; masks are those of Algorithm 3's scores, which depend on no data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from figures import parts
from figures.dp_grape import digits as grape_digits
from figures.dp_grape.digits import DELTA, HIDDEN, SEARCHED_AT, SHARE, edge_choices, noise_multiplier
from figures.parts import Record
from figures.style import provenance_header
from synthetic.losses.sums import zero_value_gradient
from synthetic.methods.dp_zopo import DP_ZOO, DP_ZOPO, DP_ZOSO
from synthetic.objectives.digits import TRAIN
from synthetic.objectives.matrices import digits_network
from synthetic.runs.simulate import simulate

NAME, table, data, draw = "zopo-digits", parts.table, grape_digits.data, grape_digits.draw
KERNELS = {"dpzero": DP_ZOO, "dp_zoso": DP_ZOSO}
STAGED: Mapping[str, Any] = {"stages": 3}
MASKED: Mapping[str, Any] = {**STAGED, "score": "synflow", "score_P": 1024}
SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "dpzero": {"direction": "sphere"},
    "dp_zoso": STAGED,
    "static": {**MASKED, "rates": 0.1, "strategy": "static"},
    "constant": {**MASKED, "rates": 0.1, "strategy": "dynamic"},
    "rising": {**MASKED, "rates": (0.05, 0.1, 0.2), "strategy": "dynamic"},
    "incremental": {**MASKED, "rates": (0.05, 0.1, 0.2), "strategy": "incremental"},
}


@dataclass(frozen=True)
class Experiment(grape_digits.Experiment):
    """Parameters of the experiment, as in grape-digits, with the methods of this figure."""

    METHODS: ClassVar[Mapping[str, str]] = {
        "dpzero": "DPZero",
        "dp_zoso": "DP-ZOSO",
        "static": "static mask",
        "constant": "dynamic, constant $r$",
        "rising": "dynamic, rising $r$",
        "incremental": "incremental",
    }
    BASE: ClassVar[str] = "dpzero"
    FREE: ClassVar[str] = "DPZero's steps, not private"
    TASK: ClassVar[str] = "figures.dp_zopo.digits:digits_cell"
    epsilons: tuple[float, ...] = (1.0, 2.0, 8.0)
    q: float = 0.05
    epochs: int = 100
    Cs: tuple[float, ...] = (5.0,)
    alphas: tuple[float, ...] = (3e-3, 1e-2, 3e-2, 1e-1, 3e-1)
    search_replicates: int = 2
    replicates: int = 8

    @property
    def title_text(self) -> str:
        """The number of steps and the shares of tuned parameters, as text for the title of the figure."""
        return f"{self.T} steps, 10 % of the parameters, or 5, 10 and 20 %"

    def settings(self, method: str) -> dict[str, Any]:
        """Return the kernel's settings of a method: its directions or stages, its masks, and the smoothing radius lam."""
        return {**SETTINGS[method], "lam": 1e-3}


PAPER = Experiment()
PREVIEW = Experiment(epsilons=(2.0, 8.0), epochs=10, alphas=(1e-2, 1e-1), search_replicates=1, replicates=3)


def digits_cell(*, method: str, hidden: int, n: int, run: Mapping[str, Any], seeds: list[int]) -> dict[str, np.ndarray]:
    """Train a method on n images for each seed; return the accuracies "test" and "held_out", (seeds,), as grape-digits does."""
    test, held_out = [], []
    for seed in seeds:
        network, rows = digits_network(hidden=hidden, n=n, seed=seed), digits_network(hidden=hidden, seed=seed).train.data[n:]
        quiet = replace(network.train, value_gradient=zero_value_gradient)
        given: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in run.items()}
        x = simulate(KERNELS.get(method, DP_ZOPO), quiet, **given, sampling="poisson", replicates=1, seed=seed, threads=1).x[0]
        test.append(network.accuracy(x))
        held_out.append(network.accuracy(x, rows) if len(rows) else np.nan)
    return {"test": np.array(test), "held_out": np.array(held_out)}


def provenance(record: Record) -> dict[str, Any]:
    """Return the provenance of zopo-digits by name: experiment, methods, search, chosen settings, protocol, privacy, multipliers."""
    e = record.experiment
    return provenance_header(NAME, record) | {
        "setting": {"delta": DELTA, "hidden units": HIDDEN, "smoothing": 1e-3, "directions a step": 1},
        "methods": {name: e.settings(name) for name in e.METHODS},
        "chosen": {p["method"]: {"C": p["C"], "alpha": p["alpha"]} for p in record.points_with(panel="search", chosen=True)},
        "search": f"{len(e.alphas)} step sizes at epsilon = {SEARCHED_AT:g}, {e.search_replicates} runs each on {SHARE:.0%} of the "
        "training images, judged on the rest, not charged to the budget; of methods in stages it is that of the first",
        "chosen at an end of the grid": edge_choices(record),
        "data": f"digits of scikit-learn: {TRAIN} training and 397 test images; a seed has its order, start, batches and noise, and all "
        "methods share the seeds; test accuracy of the last iterate",
        "protocol": "means over runs with 95 % t-intervals; difference: to DPZero with the same seed. The test images are the same in all "
        "runs, so intervals are for the seeds only",
        "privacy": "add or remove one record, Poisson sampling, by privacy loss distributions; masks see no data",
        "multiplier": {f"epsilon = {epsilon:g}": noise_multiplier(epsilon, e.T, round(e.q * TRAIN) / TRAIN) for epsilon in e.epsilons},
    }
