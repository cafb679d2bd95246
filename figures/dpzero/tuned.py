"""Settings chosen in distribution, without data, against the best of the 880 tuned settings in every cell of DPZero's Figure 1.

Upper row: the ratio of test gradient norms at x_T, setting in distribution over best of the grid ("winner"), on the same fresh datasets
and draws, as many as a narrow 95 % interval of the ratio needs. Few are enough: runs with the same draws whose mean is known serve as
control variates, see `synthetic.runs.coupled`. Lower row: the change of that error, in distribution, with the least private noise, and
with more steps at that noise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import exp, log, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

from figures.dpzero.synthetic import EDGE, LOOKS, panel_title
from figures.experiments import Report, child_seed, compute_groups, stage_label
from figures.parts import FigureSpec, Record, mean_interval
from figures.style import draw_error_bars, styled_figure
from paper_checks.dpzero.experiments import distribution_runs
from paper_checks.dpzero.experiments.distribution_runs import TEST
from paper_checks.dpzero.experiments.figure_runs import METHODS, Experiment, best_setting, grid_cells
from synthetic.distribution.quadratic import MEASURES
from synthetic.draws import FloatArray
from synthetic.estimate import Interval
from synthetic.sweeps.sweep import Cell, run
from synthetic.sweeps.workers import Workers
from synthetic.validate import inside_unit, positive_integer

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from synthetic.sweeps.store import Store

NAME = "dpzero-tuned"
MEASURE = "grad_norm_test"
FIRST_BATCH = 6
FIRST_DATASET = 10_000  # number of the first dataset; no other figure uses these


@dataclass(frozen=True)
class TunedExperiment(Experiment):
    """Parameters of the experiment: those of Figure 1, and those of the comparison with settings chosen in distribution.

    narrow     half width of a ratio's interval at which a cell has enough datasets;   most   the largest number of datasets
    longer     most steps where T is free;   replicates   of a prediction;   means   runs in distribution for the mean of coupled runs
    """

    narrow: float = 0.03
    most: int = 192
    longer: int = 20_480
    replicates: int = 64
    means: int = 1024

    def __post_init__(self) -> None:
        """Check the fields as the experiment of Figure 1 does; raise ValueError unless also 0 < narrow < 1 and the counts are positive."""
        super().__post_init__()
        inside_unit(narrow=self.narrow)
        positive_integer(most=self.most, longer=self.longer, replicates=self.replicates, means=self.means)


PAPER = TunedExperiment()
PREVIEW = TunedExperiment(dimensions=(20, 100), horizons=PAPER.horizons[:6], most=24, longer=640, replicates=16, means=256)
Place = tuple[str, str, int]  # method, spectrum, d
STAGES = 4  # the last stage runs in batches, and each batch decides what the next one runs
PLANS = {"lemma": False, "exact": False, "free": True}  # the noise of the paper; the least noise; the least noise and more steps


def data(e: TunedExperiment, store: Store, *, workers: Workers = None, progress: Report = None) -> Record:
    """Run the grid, choose settings in distribution, run both on fresh data; return the record of the figure.

    Cells that the store has are not computed again.
    """
    how: dict[str, Any] = {"workers": workers, "progress": progress}
    cells = grid_cells(e)
    grid = run(cells.values(), store, workers=workers, progress=progress and partial(progress, stage_label("grid", 1, STAGES)))
    winners = {}
    for (s, d, methods), cell in cells.items():
        for m in methods:
            i, j, k = best_setting(m, grid[cell.key][f"{m}/{MEASURE}"])
            T, C = e.horizons[j], e.clips[k]
            winners[m, s, d] = {"alpha": e.alphas[i], "T": T, "C": C, "sigma": float(e.sigma()[j, k])}
    budget = {"epsilon": e.epsilon, "delta": e.delta, "n": e.n, "replicates": e.replicates, "seed": e.seed, "direction": e.direction}
    tunings = {}
    for (m, s, d), (plan, more) in product(winners, PLANS.items()):
        steps, accountant = (e.longer if more else max(e.horizons)), ("lemma" if plan == "lemma" else "exact")
        tunings[m, s, d, plan] = [distribution_runs.tuning_cell(method=m, spectrum=s, d=d, T_max=steps, accountant=accountant, **budget)]
    law = compute_groups(stage_label("settings in law", 2, STAGES), tunings, store, **how)
    tuned = {place: {name: law[(*place, e.accountant)][name][0].item() for name in ("alpha", "T", "C", "sigma")} for place in winners}
    seen = run_pairs(e, winners, tuned, store, how)
    points = []
    for place, pairs in seen.items():
        m, s, d = place
        row: dict[str, Any] = {"method": m, "spectrum": s, "d": d, "value": mean_ratio(pairs), "datasets": len(pairs.data)}
        row |= dict(zip(("winner_mean", "tuned_mean"), map(float, pairs.estimated_means()), strict=True))
        row |= {f"winner_{name}": value for name, value in winners[place].items()}
        row |= {f"tuned_{name}": value for name, value in tuned[place].items()}
        for plan in PLANS:
            one = law[(*place, plan)]
            row |= {f"{plan}_predicted": mean_interval(one["values"][:, TEST]).value, f"{plan}_T": int(one["T"][0])}
        points.append(row)
    return Record(e, tuple(points), {})


Settings = Mapping[Place, Mapping[str, Any]]


@dataclass(frozen=True, eq=False)
class PairedErrors:
    """Test gradient norms of the best of the grid (column 0) and of the setting chosen in distribution (column 1).

    data, coupled (datasets, 2)   on data, and of runs with the same draws but the distribution of the samples in place of data
    law (replicates, 2)           of runs like the coupled ones, in distribution
    """

    data: FloatArray
    coupled: FloatArray
    law: FloatArray

    def estimated_means(self) -> FloatArray:
        """Return the control-variate estimate of both means, (2,): the mean of data - coupled plus the mean of law."""
        found: FloatArray = (self.data - self.coupled).mean(axis=0) + self.law.mean(axis=0)
        return found

    def with_more_datasets(self, data: FloatArray, coupled: FloatArray) -> PairedErrors:
        """Return these pairs together with those of more datasets, each (datasets, 2)."""
        return PairedErrors(np.concatenate([self.data, data]), np.concatenate([self.coupled, coupled]), self.law)


def run_pairs(e: TunedExperiment, winners: Settings, tuned: Settings, store: Store, how: Mapping[str, Any]) -> dict[Place, PairedErrors]:
    """Run winner and tuned setting of each place on shared datasets until the ratio is precise, or `most`; return {place: PairedErrors}.

    A cell is done when the interval of its ratio is narrow. Its width alone stops it, not its position, so this adds no bias to the
    ratio. But intervals that are narrow by chance stop it too, so they cover less than 95 %: 92 to 93 % in simulations of normal pairs.
    """
    shared: dict[str, Any] = {"n": e.n, "replicates": e.means, "seed": e.seed, "direction": e.direction}
    cells = {place: [distribution_runs.mean_cell(*place, [winners[place], tuned[place]], **shared)] for place in winners}
    law = compute_groups(stage_label("means in law", 3, STAGES), cells, store, **how)
    seen = {place: PairedErrors(np.zeros((0, 2)), np.zeros((0, 2)), law[place]["values"][:, TEST]) for place in winners}
    left, begun, ended = set(winners), 0, FIRST_BATCH
    while left and begun < e.most:
        ended = min(ended, e.most)
        at = {d: sorted(place for place in left if place[2] == d) for d in e.dimensions}
        runs = {
            (task, d): replay_cells(e, d, some, (winners, tuned), range(begun, ended), task)
            for task in TASKS
            for d, some in at.items()
            if some
        }
        found = compute_groups(stage_label(f"datasets {begun} to {ended}, of {e.most} at most,", 4, STAGES), runs, store, **how)
        for d, some in at.items():
            both = [found[task, d]["measures"][TEST :: len(MEASURES), 0] for task in TASKS if some]
            for number, place in enumerate(some):
                seen[place] = seen[place].with_more_datasets(*(values[:, 2 * number : 2 * number + 2] for values in both))
        left = {place for place in left if not mean_ratio(seen[place]).half_width <= e.narrow}
        begun, ended = ended, 2 * ended
    return seen


TASKS = ("synthetic.grids.grid:replay_cell", "synthetic.runs.coupled:coupled_cell")


def replay_cells(
    e: TunedExperiment, d: int, places: Sequence[Place], settings: Sequence[Settings], datasets: range, task: str
) -> list[Cell]:
    """Return one Cell per dataset that runs every setting of the places (method, spectrum, d), by `task` on data or coupled."""
    both = [(place, one[place]) for place in places for one in settings]
    chosen: dict[str, Any] = {"method": [m for (m, _, _), _ in both], "spectrum": [s for (_, s, _), _ in both]}
    chosen |= {name: [setting[name] for _, setting in both] for name in ("alpha", "T", "C", "sigma")}
    on_data = task == TASKS[0]
    shared = {"d": d, "n": e.n, "direction": e.direction, **({"replicates": 1, "precision": "single"} if on_data else {}), **chosen}
    cost, words = float(d * (e.n if on_data else 1_000) * sum(chosen["T"])), f"{'on data' if on_data else 'coupled'}, d = {d}"
    return [Cell(task, {**shared, "dataset": FIRST_DATASET + k, "seed": child_seed(e.seed, d, k)}, cost, words) for k in datasets]


def mean_ratio(pairs: PairedErrors) -> Interval:
    """Return the ratio of the means of pairs, second over first, with its 95 % interval by the delta method."""
    first, second = pairs.estimated_means()
    value = float(second / first)
    left, law = (one[:, 1] - value * one[:, 0] for one in (pairs.data - pairs.coupled, pairs.law))
    parts = [(float(one.var(ddof=1)) / len(one), len(one) - 1) for one in (left, law)]
    squared = sum(part for part, _ in parts)
    freedom = squared**2 / sum(part**2 / count for part, count in parts) if squared else 1.0  # Welch and Satterthwaite's
    half = float(stats.t.ppf(0.975, freedom)) * sqrt(squared) / float(first)
    return Interval(value, value - half, value + half, 0.95)


def ratio_summary(record: Record) -> dict[str, Any]:
    """Return the geometric means of the ratios, the cells whose interval lies above 1, and the widest half width, by name."""

    def middle(some: list[dict[str, Any]]) -> float:
        return exp(sum(log(p["value"].value) for p in some) / len(some))

    worse = [f"{p['method']}, {p['spectrum']}, d = {p['d']}" for p in record.points if not p["value"].low <= 1]
    return {
        "geometric means": {m: middle(record.points_with(method=m)) for m in METHODS} | {"all": middle(list(record.points))},
        "worse beyond the interval": worse,
        "widest half width": max(p["value"].half_width for p in record.points),
    }


def draw(record: Record) -> Figure:
    """Draw the ratios on data and the predicted effects of less noise, a column for each spectrum; return the figure."""
    e: TunedExperiment = record.experiment
    told = ratio_summary(record)
    means = ", ".join(f"{LOOKS[m].label} {told['geometric means'][m]:.3f}" for m in METHODS)
    settings = len(e.alphas) * len(e.horizons) * len(e.clips)
    title = (
        f"Settings that are best in law, on no data, against the winners of {settings} tuned settings: ratios of test gradient norms on "
        f"the same fresh data\ngeometric means: {means}, all {told['geometric means']['all']:.3f}; worse beyond the interval in "
        f"{len(told['worse beyond the interval'])} of {len(record.points)} cells"
    )
    with styled_figure(3.5 * len(e.spectra), 6.0, title, 2, len(e.spectra), sharex=True) as (figure, axes):
        for column, spectrum in enumerate(e.spectra):
            draw_ratios(axes[0, column], record, spectrum)
            draw_noise_effects(axes[1, column], record, spectrum)
            axes[0, column].set_title(panel_title(spectrum))
            axes[1, column].set_xlabel("dimension $d$")
        axes[0, 0].set_ylabel("tuned in law / winner, on data")
        axes[1, 0].set_ylabel("predicted, over the paper's noise")
        axes[0, 0].legend(loc="best")
        axes[1, 0].plot([], [], color="#555555", linestyle="-", label=rf"least noise, $T \leq {max(e.horizons):,}$")
        axes[1, 0].plot([], [], color="#555555", linestyle=":", label=rf"least noise, $T \leq {e.longer:,}$")
        axes[1, 0].legend(loc="lower left")
        for ax in axes[1]:
            ax.set_xticks(sorted(e.dimensions), [str(d) for d in sorted(e.dimensions)], fontsize=7)
            ax.minorticks_off()
    return figure


def draw_ratios(ax: Axes, record: Record, spectrum: str) -> None:
    """Draw against d, for a spectrum, the test gradient norm of the setting in distribution over that of the best on the grid."""
    ax.axhline(1.0, color="#888888", linewidth=0.8)
    for position, (method, look) in enumerate(LOOKS.items()):
        rows = sorted(record.points_with(method=method, spectrum=spectrum), key=lambda p: float(p["d"]))
        x = np.array([p["d"] for p in rows]) * 1.06 ** (position - 1)  # a small shift keeps the bars apart
        draw_error_bars(
            ax, x, [p["value"] for p in rows], color=look.color, marker=look.marker, linestyle=look.dash, label=look.label, **EDGE
        )
    ax.set(xscale="log")


def draw_noise_effects(ax: Axes, record: Record, spectrum: str) -> None:
    """Draw the predicted error with the least noise, and with more steps, over that with the paper's noise, for one spectrum."""
    ax.axhline(1.0, color="#888888", linewidth=0.8)
    for (method, look), (plan, dash) in product(LOOKS.items(), (("exact", "-"), ("free", ":"))):
        rows = sorted(record.points_with(method=method, spectrum=spectrum), key=lambda p: float(p["d"]))
        y = [p[f"{plan}_predicted"] / p["lemma_predicted"] for p in rows]
        ax.plot([p["d"] for p in rows], y, color=look.color, linestyle=dash, marker=look.marker, markersize=3.0)
    ax.set(xscale="log")


PROVENANCE = {
    "protocol": "winner: the smallest test gradient norm at x_T among the settings of Figure 1's grid, one run each; tuned: the least "
    "predicted one over alpha, T <= the largest horizon and C in the continuum, on runs in law, with the same noise; value: "
    "ratio of the means of both over fresh datasets, on the same draws, 95 % interval by the delta method, 92 to 93 % after the choice of "
    "how many; of 63 cells about two would be worse beyond it by chance if no setting gained; a mean is that of the "
    "differences from runs with the same draws by the law of the samples, plus the mean of such runs in law; datasets are added until the "
    "half width is narrow; *_predicted: in law, with the paper's noise, with the least noise, and with the least noise and more steps",
    "noise": "sigma on the mean over the full batch, sensitivity 2C/n (replace one record), T releases",
}
TUNED = FigureSpec(NAME, PAPER, PREVIEW, data, draw, PROVENANCE, ratio_summary)
