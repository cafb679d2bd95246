"""Figures 1 to 3 of DPZero: how the best gradient norm or loss grows with the dimension d.

Figure 1: test gradient norm. Figure 2: training gradient norm. Figure 3: losses, training above test. Lines: the best of the
grid (the paper's protocol). Points with bars: the best setting on fresh data and draws, mean and 95 % interval. Dotted: the
value at x_0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bounds.privacy.gaussian import delta_remark
from figures.style import (
    BLUE,
    GREEN,
    GREY,
    INK,
    RED,
    SKY,
    Look,
    draw_error_bars,
    field_differences,
    interval_columns,
    number_latex,
    provenance_header,
    styled_figure,
)
from paper_checks.dpzero.experiments import figure_runs
from paper_checks.dpzero.experiments.figure_runs import METHODS, PAPER, PREVIEW, Experiment, ExperimentResult, FurtherMethod
from synthetic.estimate import Interval, loglog_slope
from synthetic.memory import check_memory
from synthetic.spectra import spectrum_exponent
from synthetic.sweeps.workers import Workers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from synthetic.sweeps.store import Store

LOOKS = {
    "dpgd_0th": Look("DPGD-0th", INK, "s", "-"),
    "dpzero": Look("DPZero", RED, "o", "-"),
    "dp_gd": Look("DP-GD", SKY, "^", "-"),
}
OWN_LOOKS = (
    (GREEN, "D", "--"),
    (BLUE, "v", "-."),
    (GREY, "P", (0, (4, 1, 1, 1, 1, 1))),
)  # colour, marker and dash of a user's methods, in their order
COARSE = replace(  # with a user's method, whose settings are run one by one
    PREVIEW, dimensions=(20, 50, 100), horizons=(10, 40, 160), alphas=(0.03, 0.1, 0.3, 1.0), clips=(0.1, 0.3, 1.0, 3.0)
)
EDGE: dict[str, Any] = {"markeredgecolor": "black", "markeredgewidth": 0.5, "elinewidth": 0.9}  # of markers with error bars
PANEL_TITLES = {
    "flat": r"(a) eigenvalues $1$, trace $d$",
    "inverse_sqrt": r"(b) eigenvalues $1/\sqrt{i}$, trace $O(\sqrt{d})$",
    "inverse": r"(c) eigenvalues $1/i$, trace $O(\log d)$",
}
ROWS = {"dpzero-1": ("grad_norm_test",), "dpzero-2": ("grad_norm_train",), "dpzero-3": ("loss_train", "loss_test")}
AXIS_LABELS = {
    "grad_norm_test": r"test gradient norm $\|\nabla F\|$",
    "grad_norm_train": r"training gradient norm $\|\nabla F_S\|$",
    "loss_train": r"training loss $F_S$",
    "loss_test": r"test loss $F$",
}


def panel_title(spectrum: str) -> str:
    """Return the title of a spectrum's panel: its eigenvalues and, for the paper's three spectra, the order of the trace."""
    return PANEL_TITLES.get(spectrum) or rf"eigenvalues $i^{{-{spectrum_exponent(spectrum):g}}}$"


def curve_exponent(outcome: ExperimentResult, method: str, spectrum: str, measure: str) -> Interval | None:
    """Fit the mean of fresh runs as a power of d; return the exponent with its interval, or None below three dimensions."""
    curve = outcome.curve(method, spectrum, measure)
    x, y = [float(p.d) for p in curve], [p.fresh.value for p in curve]
    return loglog_slope(np.array(x), np.array(y)) if len(curve) >= 3 else None


def grid_differences(e: Experiment) -> str:
    """Return as text how the grid of an experiment differs from that of the paper; "" where it does not."""
    return field_differences(e, PAPER, ("dimensions", "horizons", "alphas", "clips"))


def preview_limits(e: Experiment) -> str:
    """Return the sentence that says what a figure of a smaller grid cannot show."""
    steps = f"settings of more than {max(e.horizons)} steps are missing, so that errors come out too large where more steps would help; "
    fewer = steps if max(e.horizons) < max(PAPER.horizons) else ""
    fewer += "the best settings can lie between or beyond those of its grid; " if (e.alphas, e.clips) != (PAPER.alphas, PAPER.clips) else ""
    return f"{fewer}neither its exponents in d nor the distances between its methods are those of the paper's figure"


def draw_panel(ax: Axes, outcome: ExperimentResult, spectrum: str, measure: str, looks: Mapping[str, Look]) -> None:
    """Draw one measure on one spectrum against d: for each method the best of the grid and the fresh runs, with the value at x_0."""
    dimensions = sorted(outcome.experiment.dimensions)
    ax.plot(dimensions, [outcome.start[spectrum, d, measure] for d in dimensions], color="#888888", linestyle=":", label="value at $x_0$")
    for position, (method, look) in enumerate(looks.items()):
        curve = outcome.curve(method, spectrum, measure)
        x = np.array([p.d for p in curve]) * 1.04 ** (position - (len(looks) - 1) / 2)  # a small shift keeps the bars apart
        inside = [replace(p.fresh, low=max(p.fresh.low, p.fresh.value / 20)) for p in curve]  # on a logarithmic axis no bar reaches 0
        slope = curve_exponent(outcome, method, spectrum, measure)
        label = look.label if slope is None else rf"{look.label}: ${slope.value:.2f} \pm {slope.high - slope.value:.2f}$"
        ax.plot(x, [p.best for p in curve], color=look.color, linestyle=look.dash)
        draw_error_bars(ax, x, inside, color=look.color, marker=look.marker, linestyle="none", **EDGE, label=label)
    ax.set(xscale="log", yscale="log")
    ax.set_xticks(dimensions, [str(d) for d in dimensions], fontsize=7)
    ax.minorticks_off()
    _set_y_ticks(ax, ax.get_ylim())
    title = "exponent in $d$, 95 %" if curve_exponent(outcome, next(iter(looks)), spectrum, measure) else None
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), ncol=2, columnspacing=1.0, handletextpad=0.5, title=title)


def _set_y_ticks(ax: Axes, limits: Sequence[float]) -> None:
    """Label the y-axis between two limits with plain numbers 1, 2, 5, 10, ... (1, 10, ... on a long axis)."""
    low, high = limits
    decades = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    steps = (1, 2, 5) if high / low < 300 else (1,)
    ticks = [m * 10.0**k for k in decades for m in steps if low <= m * 10.0**k <= high]
    ax.set_yticks(ticks, [f"{t:g}" for t in ticks])
    ax.set_ylim(low, high)


@dataclass(frozen=True)
class GridFigure:
    """One of Figures 1 to 3 of DPZero, which share an experiment; it has the functions that modules of figures have.

    methods   the methods that are drawn: None for one of the lab's, else how a user's method is run
    """

    name: str
    methods: Mapping[str, FurtherMethod | None] = field(default_factory=lambda: dict.fromkeys(METHODS))
    PAPER: ClassVar[Experiment] = PAPER
    PREVIEW: ClassVar[Experiment] = PREVIEW

    def with_methods(self, methods: Mapping[str, FurtherMethod | None]) -> GridFigure:
        """Return the figure of these methods; a preview with a user's method has a coarser grid for all.

        Raises ValueError for more methods of the user than there are looks.
        """
        own = [name for name, one in methods.items() if one]
        if len(own) > len(OWN_LOOKS):
            raise ValueError(f"methods = {','.join(methods)}: {len(own)} methods of your own; at most {len(OWN_LOOKS)} are distinguishable")
        return (OwnGridFigure if own else GridFigure)(self.name, methods)

    @property
    def looks(self) -> dict[str, Look]:
        """The look of each method that is drawn."""
        own = iter(OWN_LOOKS)
        return {name: Look(f" {name}".replace("$", r"\$"), *next(own)) if one else LOOKS[name] for name, one in self.methods.items()}

    def data(self, e: Experiment, store: Store, *, workers: Workers = None, progress: Any = None) -> ExperimentResult:
        """Run what the store lacks and return an ExperimentResult: best settings by this figure's measures, and their means on fresh data.

        Raises ValueError where training and test data do not fit into memory.
        """
        d = max(e.dimensions)
        check_memory(2 * 8 * e.n * d, n=e.n, dimensions=d)  # training and test data, the least that a cell holds
        of_lab, own = [name for name, one in self.methods.items() if one is None], [one for one in self.methods.values() if one]
        how: dict[str, Any] = {"measures": ROWS[self.name], "workers": workers, "progress": progress}
        return figure_runs.run_experiment(e, store, methods=of_lab, further=own, **how)

    def less(self, e: Experiment, paper: Experiment) -> tuple[str, str]:
        """Return as text how the grid of an experiment is smaller than the paper's, and what its figure therefore cannot show."""
        return grid_differences(e), preview_limits(e)

    def draw(self, outcome: ExperimentResult) -> Figure:
        """Draw the measures of the figure against d, a panel for each spectrum; return the figure."""
        measures, spectra, e = ROWS[self.name], outcome.experiment.spectra, outcome.experiment
        noise = "the paper's noise (Lemma 2.2)" if e.accountant == "lemma" else "the least noise (exact Gaussian accounting)"
        shown_as = "preview of Figure" if grid_differences(e) else "Figure"
        title = (
            rf"DPZero, {shown_as} {self.name[-1]}: best of {len(e.alphas) * len(e.horizons) * len(e.clips)} settings (lines) and the "
            rf"winner on {e.fresh_datasets * e.fresh_replicates} fresh runs (markers, 95 %); $n = {e.n:,}$, "
            rf"$(\varepsilon, \delta) = ({e.epsilon:g}, {number_latex(e.delta)})$, {noise}"
        )
        with styled_figure(3.5 * len(spectra), 3.7 * len(measures) + 0.35, title, len(measures), len(spectra)) as (figure, axes):
            for row, measure in zip(axes, measures, strict=True):
                for ax, spectrum in zip(row, spectra, strict=True):
                    draw_panel(ax, outcome, spectrum, measure, self.looks)
                row[0].set_ylabel(AXIS_LABELS[measure])
            for ax, spectrum in zip(axes[0], spectra, strict=True):
                ax.set_title(panel_title(spectrum))
            for ax in axes[-1]:
                ax.set_xlabel("dimension $d$")
        return figure

    def table(self, outcome: ExperimentResult) -> list[dict[str, Any]]:
        """Return the rows of the figure's CSV file: one for each point and measure, with the exponent of its curve."""
        rows = []
        for measure, spectrum, method in product(ROWS[self.name], outcome.experiment.spectra, self.methods):
            slope = curve_exponent(outcome, method, spectrum, measure)
            power = interval_columns(exponent=slope) if slope else dict.fromkeys(("exponent", "exponent_low", "exponent_high"), "")
            for p in outcome.curve(method, spectrum, measure):
                row: dict[str, Any] = {"measure": measure, "spectrum": spectrum, "method": method, "d": p.d, "best_of_grid": p.best}
                row |= {"alpha": p.alpha, "T": p.T, "C": p.C, "sigma": p.sigma, "settings": p.settings, "settings_left_out": p.dropped}
                row |= {"fresh_mean": p.fresh.value, "fresh_low": p.fresh.low, "fresh_high": p.fresh.high, "fresh_runs": p.fresh_runs}
                rows.append(row | {"at_x0": outcome.start[spectrum, p.d, measure], **power})
        return rows

    def provenance(self, outcome: ExperimentResult) -> dict[str, Any]:
        """Return the provenance of the figure by name, with a remark where delta is not well below 1/n."""
        remark = delta_remark(outcome.experiment.delta, outcome.experiment.n)
        said = provenance_header(self.name, outcome) | {
            "protocol": "best_of_grid: smallest value at x_T among the settings, by the plotted measure, one run each from x_0 = 0; of "
            "settings that agree up to rounding, the one of the smallest alpha; "
            "fresh_*: the winning setting on fresh datasets and draws, mean and 95 % t-interval over the datasets; "
            "settings_left_out: DP-GD settings that were not run; a run with the same draws, but with the law of the samples for their "
            "clipped gradients, ended above another setting by every measure, by more than its error: to first order in 1/sqrt(n), one of "
            "them in any cell would have been the best with a probability below 1e-9; "
            "exponent: least squares on log d, log fresh_mean, with the 95 % interval of the regression",
            "noise": "sigma on the mean over the full batch, sensitivity 2C/n (replace one record), T releases",
            "datasets": "training seed 2k and test seed 2k + 1; k = 0 for the grid, k = 1, 2, ... for fresh runs",
            "precision": "float64; products of DP-GD and of fresh runs in float32",
        }
        if list(self.methods) != list(METHODS):
            said |= {"methods": list(self.methods)}
        if own := [name for name, one in self.methods.items() if one]:
            said |= {
                "runs": f"{', '.join(own)}: each setting by simulate in float64, replicate 0 of the seed on the grid; fresh runs likewise"
            }
        return said | ({"remark": remark} if remark else {})


class OwnGridFigure(GridFigure):
    """One of Figures 1 to 3 of DPZero with a user's method."""

    PREVIEW: ClassVar[Experiment] = COARSE


FIGURE_1, FIGURE_2, FIGURE_3 = map(GridFigure, ROWS)
