"""Gauss-PSGD against the earlier method on handwritten digits: the comparison of the paper's Figures 1 and 2, on small data.

The paper uses MNIST and CIFAR-10, which are not at hand, and a ReLU network, which does not meet Assumption 1. Here: 1797 digits of
scikit-learn and a smooth network with constants in closed form (`synthetic.objectives.digits`), clipped gradients, several epochs accounted
for exactly. Gamma, Q and kappa are the paper's. With the paper's chi = 0.01 neither method ever takes its step at a saddle, because the
privacy noise alone is longer than 3 chi; then both make the same steps. So each is also run with 3 chi = the length of that noise.
Ada-DP-SPIDER hardly differs from fresh gradients here: at the paper's kappa every step of these runs is long enough to trigger one (the
CSV has the counts).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds import privacy
from figures.gauss_psgd import experiments
from figures.style import interval_columns, number_latex, provenance_header, styled_figure
from synthetic.estimate import Interval, clustered_mean
from synthetic.objectives import digits
from synthetic.sweeps.store import Store
from synthetic.sweeps.sweep import Cell
from synthetic.sweeps.workers import Workers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAME = "psgd-digits"
VARIANTS = {"gauss": ("Gauss-PSGD", "-"), "frozen": ("earlier method", "--"), "unmoved": (r"paper's $\chi = 0.01$", ":")}
MEASURES = {"accuracy": "test accuracy", "loss": "test loss"}
COLORS, MARKERS = ("#000000", "#D55E00", "#0072B2", "#009E73"), ("o", "s", "^", "D")


@dataclass(frozen=True)
class Experiment:
    """Parameters of the experiment; `share` is the part of a client's records in a batch.

    eta and clip were chosen by hand on the training loss at epsilon = 2, m = 1. eta is above 1/ell, where Lemma 3 no longer holds: with
    1/ell nothing is learnt in ten epochs.
    """

    epsilons: tuple[float, ...] = (0.5, 1.0, 2.0)
    delta: float = 1e-5
    clients: tuple[int, ...] = (1, 2, 5)
    epochs: int = 10
    beta: float = 2.0
    clip: float = 1.0
    eta: float = 4.0
    share: float = 0.5
    kappa: float = 0.1
    Gamma: int = 10
    Q: int = 3
    R: float = 0.5
    chi: float = 0.01
    replicates: int = 12
    seed: int = 0

    def __post_init__(self) -> None:
        """Convert the fields to Python numbers; raise ValueError unless they are positive, delta and share below 1."""
        counts = {"positive_integers": "clients", "positive_integer": "epochs Gamma Q replicates"}
        experiments.check_experiment(
            self, **counts, positive_array="epsilons", positive="beta clip eta kappa R chi", inside_unit="delta share"
        )

    def numbers(self, epsilon: float, m: int) -> dict[str, float]:
        """Return by name the batch size b, the noise of O_1 and O_2, and the length of O_1's noise averaged over m clients.

        In `epochs` passes a record is in at most that many releases; all have the same ratio of sensitivity to noise.
        """
        b = math.floor(self.share * digits.TRAIN / m)
        ell = digits.smoothness_constants(self.beta)["ell"]

        def sigma(sensitivity: float) -> float:
            return privacy.sigma_gaussian(epsilon=epsilon, delta=self.delta, T=self.epochs, sensitivity=sensitivity)

        fresh = sigma(2 * self.clip / b)
        length = fresh * math.sqrt(digits.UNITS * digits.FEATURES / m)
        return {"b": b, "sigma_1": fresh, "sigma_2": sigma(2 * ell / b), "noise": length}


PAPER = Experiment()
PREVIEW = Experiment(epsilons=(0.5, 2.0), clients=(1, 5), epochs=4, replicates=3)


@dataclass(frozen=True)
class Curve:
    """Results of one variant at one (epsilon, m): mean scores after each epoch, and counts over the whole runs.

    scores        by measure, an interval for each epoch;   phases, fresh, steps   means over the runs
    untriggered   runs without a step at a saddle;   returned   runs that returned a point before their records were used up
    """

    variant: str
    epsilon: float
    m: int
    scores: dict[str, tuple[Interval, ...]]
    phases: float
    fresh: float
    steps: float
    untriggered: int
    returned: int


@dataclass(frozen=True)
class Record:
    """The data of the figure: all curves, and batch size and noise for each (epsilon, m)."""

    experiment: Experiment
    curves: tuple[Curve, ...]
    numbers: dict[str, dict[str, float]]


def curve_cell(e: Experiment, variant: str, epsilon: float, m: int) -> Cell:
    """Return the cell that runs a variant at one (epsilon, m); all variants share the seeds."""
    k = e.numbers(epsilon, m)
    chi = e.chi if variant == "unmoved" else k["noise"] / 3
    sigmas = {name: k[name] for name in ("sigma_1", "sigma_2")}
    run: dict[str, Any] = {"eta": e.eta, "b_1": int(k["b"]), "b_2": int(k["b"]), **sigmas, "kappa": e.kappa}
    if variant == "frozen":
        run |= {"threshold": 3 * chi, "extra": k["sigma_1"] / math.sqrt(m), "frozen_steps": e.Gamma}
    else:
        run |= {"chi": chi, "R": e.R, "Gamma": e.Gamma, "Q": e.Q}
    method = "frozen_psgd" if variant == "frozen" else "gauss_psgd"
    arguments = {"method": method, "clients": m, "beta": e.beta, "clip": e.clip, "epochs": e.epochs, "run": run}
    arguments |= {"replicates": e.replicates, "seed": experiments.child_seed(e.seed, m)}
    return Cell(
        "synthetic.objectives.digits:digits_cell", arguments, e.replicates * e.epochs**2, f"{variant}, epsilon = {epsilon:g}, m = {m}"
    )


def data(e: Experiment, store: Store, *, workers: Workers = None, progress: experiments.Report = None) -> Record:
    """Run the cells that the store lacks; return accuracy and loss after each epoch by variant, epsilon and number of clients m.

    Raises ValueError without scikit-learn.
    """
    digits.load_rows()
    keys = [(variant, epsilon, m) for variant in VARIANTS for epsilon in e.epsilons for m in e.clients]
    found = experiments.compute_groups("digits", {key: [curve_cell(e, *key)] for key in keys}, store, workers=workers, progress=progress)
    curves = []
    for variant, epsilon, m in keys:
        one = found[variant, epsilon, m]
        scores = {name: tuple(clustered_mean(values[:, None]) for values in one[name].T) for name in ("accuracy", "loss", "train")}
        means = {"phases": "phases", "fresh": "fresh_calls", "steps": "steps"}
        did: dict[str, Any] = {name: float(one[array].mean()) for name, array in means.items()}
        did |= {"untriggered": int(np.sum(one["phases"] == 0)), "returned": int(np.sum(one["returned"]))}
        curves.append(Curve(variant, epsilon, m, scores, **did))
    numbers = {f"epsilon = {epsilon:g}, m = {m}": e.numbers(epsilon, m) for epsilon in e.epsilons for m in e.clients}
    return Record(e, tuple(curves), numbers)


def table(record: Record) -> list[dict[str, Any]]:
    """Return the rows of the CSV file of psgd-digits: accuracy, loss and counts for each (variant, epsilon, m) and epoch."""
    rows = []
    for c in record.curves:
        for epoch in range(record.experiment.epochs + 1):
            row: dict[str, Any] = {"variant": c.variant, "epsilon": c.epsilon, "m": c.m, "epoch": epoch}
            row |= interval_columns(**{name: intervals[epoch] for name, intervals in c.scores.items()})
            did = {"phases_mean": c.phases, "fresh_mean": c.fresh, "steps_mean": c.steps, "untriggered": c.untriggered}
            rows.append(row | did | {"returned": c.returned})
    return rows


def provenance(record: Record) -> dict[str, Any]:
    """Return the provenance of psgd-digits by name: experiment, network constants, batches and noise, data, protocol, privacy."""
    e = record.experiment
    return provenance_header(NAME, record) | {
        "constants of the network": digits.smoothness_constants(e.beta),
        "batches and noise": record.numbers,
        "data": f"digits of scikit-learn, {digits.TRAIN} training records in all, split evenly between the clients at random (seed 0), "
        "the last 397 of the file for the test; the paper does not say whether its n = 6000 is per client",
        "protocol": "mean over the runs with a 95 % t-interval; the data set and its split are the same in all runs, so the interval is "
        "for orders and noise only; runs of all variants and epsilons share orders and noise draws; seeds: spawned from (seed, m)",
        "privacy": "replace one record, exact Gaussian accounting of as many releases as epochs; clipping: see synthetic.objectives.digits",
        "variants": "gauss, frozen: 3 chi (the trigger) = length of the noise of a fresh gradient; extra noise of frozen: the same "
        "deviation; unmoved: chi = 0.01 as in the paper, both methods the same as long as it is not triggered",
        "differences": "fresh_mean counts the calls of O_1; there are two calls an epoch, so 20 of 20 means that no O_2 was used",
    }


def draw(record: Record) -> Figure:
    """Draw test accuracy and loss against epochs, a column for each epsilon; return the figure."""
    e = record.experiment
    title = (
        rf"Digits of scikit-learn, {digits.TRAIN:,} training records in all, $m$ clients: $\delta = {number_latex(e.delta)}$, "
        rf"clip $C = {e.clip:g}$, "
        rf"$\eta = {e.eta:g}$, trigger $3\chi$ = length of the noise, {e.replicates} runs (seed {e.seed}), 95 % at the last epoch"
    )
    with styled_figure(3.4 * len(e.epsilons) + 0.6, 6.4, title, 2, len(e.epsilons), sharex=True, sharey="row") as (figure, axes):
        for row, (measure, words) in zip(axes, MEASURES.items(), strict=True):
            for ax, epsilon in zip(row, e.epsilons, strict=True):
                _draw_panel(ax, record, measure, epsilon)
            row[0].set_ylabel(words)
        for ax, epsilon in zip(axes[0], e.epsilons, strict=True):
            ax.set_title(rf"$\varepsilon = {epsilon:g}$")
        for ax in axes[1]:
            ax.set_xlabel("epoch")
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncol=len(e.clients) + 1)
    return figure


def _draw_panel(ax: Axes, record: Record, measure: str, epsilon: float) -> None:
    """Draw one measure at one epsilon against epochs; the error bars at the last epoch are shifted so that all can be seen."""
    e = record.experiment
    level = 0.1 if measure == "accuracy" else math.log(10)
    ax.axhline(level, color="#999999", linewidth=0.8, label="chance")
    for c in record.curves:
        if c.epsilon != epsilon:
            continue
        k = e.clients.index(c.m)
        label, dash = VARIANTS[c.variant]
        if c.variant == "unmoved":  # without a trigger both methods make the same steps
            label = f"{'both' if c.untriggered == e.replicates else 'Gauss-PSGD'}, {label}"
        values = c.scores[measure]
        middle = [v.value for v in values]
        look: dict[str, Any] = {"color": COLORS[k % 4], "marker": MARKERS[k % 4], "markersize": 3.5}
        hollow = {"gauss": look["color"], "frozen": "white", "unmoved": "none"}[c.variant]
        if c.variant == "unmoved":
            look["marker"] = ""
        ax.plot(range(e.epochs + 1), middle, linestyle=dash, markerfacecolor=hollow, linewidth=1.2, label=f"{label}, $m = {c.m}$", **look)
        if c.variant != "unmoved":
            at, last = e.epochs + 0.15 + 0.15 * k + (0.07 if c.variant == "frozen" else 0.0), values[-1]
            ax.plot([at, at], [last.low, last.high], color=look["color"], linestyle=dash, linewidth=1.0)
