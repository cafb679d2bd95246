"""Figure 1 of DPZero from d = 20 to 10^12, simulated from the exact distribution of a run, and the dependence on n at d = 10^9.

Lines: test gradient norm at x_T, simulated in distribution, at the best alpha, T <= 5,120 and C (fewer steps where they cost at most one
per cent). Markers: the same settings on data, up to d = 2,000, mean and 95 % interval over datasets. Dotted: the value at x_0. Middle
row: the local exponent in d, between neighbouring dimensions; grey, that of log d, a dependence that the paper calls nearly
dimension-independent. Lower row: against the number of samples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise, product
from math import log, log10, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.privacy.gaussian import ACCOUNTANTS, Accountant
from figures.dpzero.synthetic import EDGE, LOOKS, panel_title
from figures.experiments import Report, check_experiment, child_seed, compute_groups, stage_label
from figures.parts import FigureSpec, Record, mean_interval
from figures.style import draw_error_bars, number_latex, styled_figure
from paper_checks.dpzero.experiments import distribution_runs
from paper_checks.dpzero.experiments.distribution_runs import TEST
from paper_checks.dpzero.experiments.figure_runs import METHODS, check_spectra
from synthetic.distribution.quadratic import MEASURES
from synthetic.groups import group_eigenvalues
from synthetic.objectives.sums import SPECTRA, Spectrum
from synthetic.sweeps.sweep import Cell
from synthetic.sweeps.workers import Workers
from synthetic.validate import one_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from synthetic.sweeps.store import Store

NAME = "dpzero-scale"


@dataclass(frozen=True)
class ScaleExperiment:
    """Parameters of the experiment: `dimensions` at n samples, `samples` at dimension `wide`; dimensions in `data` also run on data.

    tie                   the relative increase of the error that is accepted for fewer steps
    replicates, narrow    of a prediction: the least number of replicates, doubled until the relative half width of its interval is narrow
    """

    dimensions: tuple[int, ...] = (20, 200, 2_000, 20_000, 10**6, 10**9, 10**12)
    samples: tuple[int, ...] = (1_000, 10**5, 10**6, 10**7, 10**9)
    spectra: tuple[Spectrum, ...] = SPECTRA
    n: int = 10_000
    wide: int = 10**9
    epsilon: float = 2.0
    delta: float = 1e-6
    T_max: int = 5_120
    tie: float = 0.01
    accountant: Accountant = "lemma"
    replicates: int = 16
    narrow: float = 0.02
    data: tuple[int, ...] = (20, 200, 2_000)
    datasets: int = 4
    seed: int = 0

    def __post_init__(self) -> None:
        """Convert the fields to Python numbers; raise ValueError for sizes, privacy, accountant or spectra that are not allowed."""
        check_experiment(
            self,
            positive_integers="dimensions samples data",
            positive_integer="n wide T_max replicates datasets",
            positive="epsilon",
            non_negative="tie",
            inside_unit="delta narrow",
        )
        one_of(tuple(ACCOUNTANTS), accountant=self.accountant)
        check_spectra(self.spectra)
        if self.datasets < 2 or self.replicates < 2:
            raise ValueError(f"datasets = {self.datasets}, replicates = {self.replicates}: at least 2 of both are needed for intervals")


PAPER = ScaleExperiment()
PREVIEW = ScaleExperiment(dimensions=(20, 2_000, 10**6, 10**12), samples=(10**4, 10**6), T_max=320, narrow=0.1, data=(20,))


def data(e: ScaleExperiment, store: Store, *, workers: Workers = None, progress: Report = None) -> Record:
    """Tune each method in distribution, run the tuned settings of small dimensions on data too; return the record of the figure.

    Cells that the store has are not computed again.
    """
    budget = {"accountant": e.accountant, "epsilon": e.epsilon, "delta": e.delta}
    shared: dict[str, Any] = {**budget, "T_max": e.T_max, "tie": e.tie, "replicates": e.replicates, "narrow": e.narrow, "seed": e.seed}
    places = dict.fromkeys([*((d, e.n) for d in e.dimensions), *((e.wide, n) for n in e.samples)])
    cells = {
        (m, s, d, n): [distribution_runs.tuning_cell(method=m, spectrum=s, d=d, n=n, **shared)]
        for (d, n), m, s in product(places, METHODS, e.spectra)
    }
    found = compute_groups(stage_label("settings in law", 1, 2), cells, store, workers=workers, progress=progress)
    known = [d for d in e.data if (d, e.n) in places]
    seen = compute_groups(
        stage_label("runs on data", 2, 2), {d: replay_cells(e, d, found) for d in known}, store, workers=workers, progress=progress
    )
    order = list(product(METHODS, e.spectra))
    points = []
    for (m, s, d, n), one in found.items():
        setting = {name: one[name][0].item() for name in ("alpha", "T", "C", "sigma")}
        row = {"method": m, "spectrum": s, "d": d, "n": n, **setting, "kind": "law", "runs": len(one["values"])}
        points.append(row | {"value": mean_interval(one["values"][:, TEST])})
        if d in known and n == e.n:
            runs = seen[d]["measures"][TEST :: len(MEASURES), 0, order.index((m, s))]
            points.append(row | {"kind": "data", "runs": e.datasets, "value": mean_interval(runs)})
    return Record(e, tuple(points), {})


def replay_cells(e: ScaleExperiment, d: int, found: Mapping[Any, Mapping[str, np.ndarray]]) -> list[Cell]:
    """Return the cells that run the best settings of dimension d on data, one cell for each dataset."""
    order = list(product(METHODS, e.spectra))
    chosen: dict[str, Any] = {"method": [m for m, _ in order], "spectrum": [s for _, s in order]}
    chosen |= {name: [found[m, s, d, e.n][name][0].item() for m, s in order] for name in ("alpha", "T", "C", "sigma")}
    shared = {"d": d, "n": e.n, "replicates": 1, "direction": "sphere", "precision": "single", **chosen}
    draws = ({"dataset": 5_000 + k, "seed": child_seed(e.seed, d, k)} for k in range(e.datasets))
    return [Cell("synthetic.grids.grid:replay_cell", {**shared, **one}, float(d * e.n * e.T_max), f"on data, d = {d}") for one in draws]


def draw(record: Record) -> Figure:
    """Draw the errors against d, the local exponents, and the errors against n, a column for each spectrum; return the figure."""
    e: ScaleExperiment = record.experiment
    title = (
        rf"DPZero, Figure 1 to $d = {dimension_text(max(e.dimensions))}$: best $\alpha$, $T \leq {e.T_max:,}$, $C$ in law (lines) "
        rf"and on data (markers, 95 %); $(\varepsilon, \delta) = ({e.epsilon:g}, {number_latex(e.delta)})$"
    )
    with styled_figure(3.5 * len(e.spectra), 8.2, title, 3, len(e.spectra), gridspec_kw={"height_ratios": (3, 1.4, 2.4)}) as (figure, axes):
        for column, spectrum in enumerate(e.spectra):
            draw_errors(axes[0, column], record, spectrum, "d", n=e.n)
            draw_exponents(axes[1, column], record, spectrum)
            draw_errors(axes[2, column], record, spectrum, "n", d=e.wide)
            axes[0, column].set_title(panel_title(spectrum))
            axes[1, column].set_xlabel("dimension $d$")
            axes[2, column].set_xlabel(f"samples $n$, at $d = {dimension_text(e.wide)}$")
        axes[0, 0].set_ylabel(r"test gradient norm $\|\nabla F(x_T)\|$")
        axes[1, 0].set_ylabel("local exponent in $d$")
        axes[2, 0].set_ylabel(r"test gradient norm $\|\nabla F(x_T)\|$")
        axes[0, 0].legend(loc="upper left")
        axes[1, 0].legend(loc="upper right")
    return figure


def dimension_text(d: int) -> str:
    """Return a dimension as text: in digits, or as the LaTeX of a power of ten."""
    power = round(log10(d))
    return f"10^{{{power}}}" if power > 4 and d == 10**power else f"{d:,}"


def draw_errors(ax: Axes, record: Record, spectrum: Spectrum, x: str, **at: int) -> None:
    """Draw the errors of all methods on a spectrum against `x` ("d" or "n"), and the value at x_0, sqrt(Tr A^2)."""
    places = sorted({(p[x], p["d"]) for p in record.points_with(kind="law", spectrum=spectrum, **at)})
    spectra = [group_eigenvalues(spectrum, d) for _, d in places]
    start = [float(np.sqrt(one.value**2 @ one.size)) for one in spectra]
    ax.plot([place for place, _ in places], start, color="#888888", linestyle=":", label="value at $x_0$")
    for method, look in LOOKS.items():
        rows = sorted(record.points_with(kind="law", method=method, spectrum=spectrum, **at), key=lambda p: float(p[x]))
        hollow: dict[str, Any] = {"marker": look.marker, "markerfacecolor": "white", "markersize": 3.5}
        y = [p["value"].value for p in rows]
        ax.plot([p[x] for p in rows], y, color=look.color, linestyle=look.dash, label=look.label, **hollow)
        points = record.points_with(kind="data", method=method, spectrum=spectrum, **at)
        if x == "d" and points:
            bars = [p["value"] for p in points]
            draw_error_bars(ax, [p[x] for p in points], bars, color=look.color, marker=look.marker, linestyle="none", **EDGE)
    ax.set(xscale="log", yscale="log")


def draw_exponents(ax: Axes, record: Record, spectrum: Spectrum) -> None:
    """Draw the local exponents in d between neighbouring dimensions for each method, and the exponent of log d."""
    e: ScaleExperiment = record.experiment
    for method, look in LOOKS.items():
        rows = sorted(record.points_with(kind="law", method=method, spectrum=spectrum, n=e.n), key=lambda p: float(p["d"]))
        x = [sqrt(a["d"] * b["d"]) for a, b in pairwise(rows)]
        y = [log(b["value"].value / a["value"].value) / log(b["d"] / a["d"]) for a, b in pairwise(rows)]
        ax.plot(x, y, color=look.color, linestyle=look.dash, marker=look.marker, markersize=3.0)
    d = [p["d"] for p in rows if p["d"] > 1]
    of_log = [log(log(b) / log(a)) / log(b / a) for a, b in pairwise(d)]
    ax.plot([sqrt(a * b) for a, b in pairwise(d)], of_log, color="#888888", linestyle=":", label=r"of $\log d$")
    ax.set(xscale="log")


PROVENANCE = {
    "protocol": "settings: the least predicted test gradient norm at x_T over alpha, T <= T_max and C in the continuum, on runs in law, "
    "with fewer steps where they cost no more than the share `tie` of it; "
    f"law: mean and 95 % interval of fresh runs in law, twice as many until it is narrow, {distribution_runs.MOST} at most; "
    "data: the same settings on fresh datasets and draws, mean and 95 % t-interval",
    "noise": "sigma on the mean over the full batch, sensitivity 2C/n (replace one record), T releases; delta is the same for all n",
    "in law": "exact but for bins of eigenvalues and for clipping with finitely many samples, which is told to first order in 1/n",
}
SCALE = FigureSpec(NAME, PAPER, PREVIEW, data, draw, PROVENANCE)
