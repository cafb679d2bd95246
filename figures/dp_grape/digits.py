"""Accuracy against epsilon on handwritten digits for DP-Adam, naive DP-GaLore and DP-GRAPE: the paper's Figure 2 on small data.

The paper trains a Vision Transformer on MNIST and CIFAR; here a network of 64 x hidden x 10 learns the 1400 training images that
scikit-learn ships. As in the paper, C and the step size of each method are searched on 80 % of the training data at one epsilon, scored on
the other 20 %, and the search is not charged to the budget. Unlike in the paper, the accuracy is that of the last iterate on the test
images, not the best one during training; all runs of the figure are fresh, and every epsilon holds for Poisson batches, with sums divided
by the expected batch size.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bounds.privacy.release import Release
from figures import experiments, parts
from figures.parts import LEGEND_BELOW, LOOKS, Record, draw_points, mean_interval, scale_interval
from figures.style import GREY, number_latex, provenance_header, set_x_ticks, styled_figure
from synthetic.methods.dp_grape import DP_ADAM, DP_GALORE, DP_GRAPE
from synthetic.objectives.digits import TRAIN
from synthetic.objectives.matrices import digits_network
from synthetic.runs.simulate import simulate
from synthetic.sweeps.store import Store
from synthetic.sweeps.sweep import Cell
from synthetic.sweeps.workers import Workers, open_executor

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAME = "grape-digits"
KERNELS = {"dp_adam": DP_ADAM, "dp_galore": DP_GALORE, "dp_grape": DP_GRAPE}
METHODS = {"dp_adam": "DP-Adam", "dp_grape": "DP-GRAPE", "dp_galore": "naive DP-GaLore"}
DELTA, HIDDEN, R, F, SEARCHED_AT, SHARE = 1e-5, 32, 4, 20, 2.0, 0.8
table = parts.table


@dataclass(frozen=True)
class Experiment:
    """Parameters of the experiment: epochs/q steps with Poisson batches of rate q, and the grid of the search.

    Cs, alphas   the grid of the search, at one epsilon, SEARCHED_AT, on a SHARE of the training images, `search_replicates` runs each
    METHODS      titles of the methods by key;   BASE   the method that the others are compared with;   FREE   its title without privacy
    TASK         the cell task that trains a method
    """

    METHODS: ClassVar[Mapping[str, str]] = METHODS
    BASE: ClassVar[str] = "dp_adam"
    FREE: ClassVar[str] = "Adam, not private"
    TASK: ClassVar[str] = "figures.dp_grape.digits:digits_cell"
    epsilons: tuple[float, ...] = (1.0, 2.0, 4.0, 8.0)
    q: float = 0.1
    epochs: int = 20
    Cs: tuple[float, ...] = (0.1, 1.0, 10.0)
    alphas: tuple[float, ...] = (3e-3, 1e-2, 3e-2, 1e-1, 3e-1)
    search_replicates: int = 3
    replicates: int = 12
    seed: int = 0

    def __post_init__(self) -> None:
        """Convert the fields to Python numbers; raise ValueError unless counts, epsilons, Cs and alphas are positive and 0 < q < 1."""
        counts = "epochs search_replicates replicates"
        experiments.check_experiment(self, positive_integer=counts, positive_array="epsilons Cs alphas", inside_unit="q")

    @property
    def title_text(self) -> str:
        """The rank r of the subspaces and their steps F, as LaTeX for the title of the figure."""
        return f"$r = {R}$, $F = {F}$"

    @property
    def T(self) -> int:
        """The number of steps of a run."""
        return round(self.epochs / self.q)

    def settings(self, method: str) -> dict[str, Any]:
        """Return the kernel's settings r, F and update for DP-GRAPE and DP-GaLore, {} for DP-Adam."""
        return {} if method == "dp_adam" else {"r": R, "F": F, "update": "adam"}

    def cells(self, method: str, n: int, epsilon: float | None, C: float, alpha: float, runs: int, *keys: int) -> list[Cell]:
        """Return, in a list, the cell of `runs` runs of a method at (epsilon, C, alpha) on n images; methods share the seeds.

        For epsilon None, nothing is clipped and no noise is added.
        """
        B, seeds = round(self.q * n), [experiments.child_seed(self.seed, *keys, k) for k in range(runs)]
        sigma = noise_multiplier(epsilon, self.T, B / n) * C / B if epsilon else 0.0
        run: dict[str, Any] = {"alpha": alpha, "T": self.T, "C": C if epsilon else 1e100, "sigma": sigma, "batch_size": B}
        run |= self.settings(method)
        arguments = {"method": method, "hidden": HIDDEN, "n": n, "run": run, "seeds": seeds}
        label = f"{method}, C = {C:g}, alpha = {alpha:g}, " + (f"epsilon = {epsilon:g}" if epsilon else "not private")
        return [Cell(self.TASK, arguments, runs * self.T, label)]


@cache
def noise_multiplier(epsilon: float, T: int, q: float) -> float:
    """Return the noise multiplier of Algorithm 1 of DP-GRAPE: (epsilon, DELTA), T steps, Poisson rate q, one record more or less."""
    return Release("add_or_remove_one", "poisson", q, 1, 1.0, 1.0, T).calibrate_noise(epsilon, DELTA).multiplier


PAPER = Experiment()
PREVIEW = Experiment(epsilons=(2.0, 8.0), epochs=3, Cs=(1.0,), alphas=(1e-2, 3e-2), search_replicates=1, replicates=3)


def digits_cell(*, method: str, hidden: int, n: int, run: Mapping[str, Any], seeds: list[int]) -> dict[str, np.ndarray]:
    """Train a method on n images, a run for each seed (order, start, batches, noise); return the accuracies, (seeds,), by name.

    test       the accuracy on the test images
    held_out   the accuracy on the training images that were not used, nan where there are none
    """
    test, held_out = [], []
    for seed in seeds:
        network, rows = digits_network(hidden=hidden, n=n, seed=seed), digits_network(hidden=hidden, seed=seed).train.data[n:]
        x = simulate(KERNELS[method], network.train, **run, sampling="poisson", replicates=1, seed=seed, threads=1).x[0]
        test.append(network.accuracy(x))
        held_out.append(network.accuracy(x, rows) if len(rows) else np.nan)
    return {"test": np.array(test), "held_out": np.array(held_out)}


def data(e: Experiment, store: Store, *, workers: Workers = None, progress: experiments.Report = None) -> Record:
    """Search C and the step size of each method, then run the best setting on fresh seeds; return the record of the figure.

    Cells that the store has are not run again. Raises ValueError without scikit-learn.
    """
    digits_network(hidden=HIDDEN)
    few, grid = round(SHARE * TRAIN), [(C, alpha) for C in e.Cs for alpha in e.alphas]
    with open_executor(workers) as pool:  # one pool for both stages: kernels are compiled once
        wanted = {(m, *one): e.cells(m, few, SEARCHED_AT, *one, e.search_replicates, 0) for m in e.METHODS for one in grid}
        searched = experiments.compute_groups(experiments.stage_label("search", 1, 2), wanted, store, pool=pool, progress=progress)
        chosen = {m: max(grid, key=lambda one, m=m: float(searched[m, *one]["held_out"].mean())) for m in e.METHODS}  # type: ignore[misc]
        cells = {(m, epsilon): e.cells(m, TRAIN, epsilon, *chosen[m], e.replicates, 1) for m in e.METHODS for epsilon in e.epsilons}
        cells["not private", None] = e.cells(e.BASE, TRAIN, None, *chosen[e.BASE], e.replicates, 1)  # type: ignore[index]
        found = experiments.compute_groups(experiments.stage_label("digits", 2, 2), cells, store, pool=pool, progress=progress)
    points: list[dict[str, Any]] = []
    for m, C, alpha in wanted:
        setting = {"panel": "search", "method": m, "epsilon": SEARCHED_AT, "C": C, "alpha": alpha, "chosen": (C, alpha) == chosen[m]}
        points.append(setting | {"value": mean_interval(searched[m, C, alpha]["held_out"])})
    for (m, epsilon), runs in found.items():
        C, alpha = chosen.get(m, (np.inf, chosen[e.BASE][1]))
        setting = {"method": m, "epsilon": epsilon or np.inf, "C": C, "alpha": alpha, "chosen": True}
        points.append({"panel": "accuracy"} | setting | {"value": mean_interval(runs["test"])})
        if epsilon and m != e.BASE:
            points.append({"panel": "difference"} | setting | {"value": mean_interval(runs["test"] - found[e.BASE, epsilon]["test"])})
    return Record(e, tuple(points), {})


def edge_choices(record: Record) -> list[str]:
    """Return texts "METHOD: C and alpha" for methods whose best C or alpha is at an end of its grid, so a larger one might be better."""
    e, found = record.experiment, []
    for p in record.points_with(panel="search", chosen=True):
        ends = [name for name, grid in (("C", e.Cs), ("alpha", e.alphas)) if len(grid) > 1 and p[name] in (min(grid), max(grid))]
        found += [f"{e.METHODS[p['method']]}: {' and '.join(ends)}"] if ends else []
    return found


def provenance(record: Record) -> dict[str, Any]:
    """Return the provenance of grape-digits by name: experiment, searched and chosen settings, data, protocol, privacy, multipliers."""
    e = record.experiment
    chosen = {p["method"]: {"C": p["C"], "alpha": p["alpha"]} for p in record.points_with(panel="search", chosen=True)}
    return provenance_header(NAME, record) | {
        "setting": {"delta": DELTA, "hidden units": HIDDEN, "r": R, "F": F},
        "chosen": chosen,
        "search": f"{len(e.Cs) * len(e.alphas)} settings of each method at epsilon = {SEARCHED_AT:g}, {e.search_replicates} runs each "
        f"on {SHARE:.0%} of the training images, judged on the rest, not charged to the budget, as in the paper",
        "chosen at an end of the grid": edge_choices(record),
        "small C": "where every sample is clipped Adam's steps no longer depend on C, so the lower end of its grid is no end",
        "data": f"digits of scikit-learn: {TRAIN} training and 397 test images; a seed has its order, start, batches and noise, and all "
        "methods share the seeds; test accuracy of the last iterate",
        "protocol": "means over runs with 95 % t-intervals; difference: to DP-Adam with the same seed. The test images are the same in all "
        "runs, so intervals are for the seeds only",
        "privacy": "add or remove one record, Poisson sampling, by privacy loss distributions; multiplier: sigma of Algorithm 1",
        "multiplier": {f"epsilon = {epsilon:g}": noise_multiplier(epsilon, e.T, round(e.q * TRAIN) / TRAIN) for epsilon in e.epsilons},
        "methods": "Adam's moments of the projected gradients, kept at a change of subspace; biases are not projected",
        "paper": "changes against DP-Adam in its Table 6, in points: naive DP-GaLore -12.1, -7.5, -4.1, DP-GRAPE +1.3, -2.5, -0.6",
    }


def draw(record: Record) -> Figure:
    """Draw the accuracies against epsilon, and the differences to the accuracy of the method BASE; return the figure."""
    e, looks = record.experiment, (*LOOKS, (GREY, "P", "-"))
    title = rf"Digits, {TRAIN:,} training images, 64 x {HIDDEN} x 10, $\delta = {number_latex(DELTA)}$, {e.title_text}: "
    title += rf"$C$, $\eta$ searched at $\varepsilon = {SEARCHED_AT:g}$, not charged; {e.replicates} fresh runs, means with 95 %"
    chosen = {p["method"]: p for p in record.points_with(panel="search", chosen=True)}
    with styled_figure(9.6, 4.8, title, 1, 2) as (figure, (axes,)):
        for k, ((m, words), look) in enumerate(zip(e.METHODS.items(), looks, strict=False)):
            said = rf"{words}, $C = {chosen[m]['C']:g}$, $\eta = {chosen[m]['alpha']:g}$"
            for ax, panel, factor, label in ((axes[0], "accuracy", 1.0, said), (axes[1], "difference", 100.0, words)):
                found = record.points_with(panel=panel, method=m)
                rows = [{"epsilon": p["epsilon"] * 1.03 ** (k - 1), "value": scale_interval(p["value"], factor)} for p in found]
                if rows:
                    draw_points(ax, rows, "epsilon", look, label, law=zip(*((p["epsilon"], p["value"].value) for p in rows), strict=True))
        free = record.points_with(panel="accuracy", method="not private")[0]["value"]
        axes[0].axhline(free.value, color=GREY, linewidth=0.8, label=e.FREE)
        axes[0].axhspan(free.low, free.high, color="#dddddd")
        axes[0].set(ylabel="test accuracy of the last iterate", title="(a) accuracy")
        axes[1].axhline(0.0, color=GREY, linewidth=0.8, label=e.METHODS[e.BASE])
        axes[1].set(ylabel="percentage points", title=f"(b) difference to {e.METHODS[e.BASE]} with the same seeds")
        for ax in axes:
            ax.set(xscale="log", xlabel=r"privacy $\varepsilon$")
            set_x_ticks(ax, [int(one) if one == int(one) else one for one in e.epsilons])
            ax.legend(**LEGEND_BELOW, ncol=2)
    return figure
