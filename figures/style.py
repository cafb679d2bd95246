"""The style of all figures (readable in black and white and by colour-blind people), and functions that draw and write them.

Colours are from Okabe and Ito's palette, ordered from dark to light in grey; every method also has its own marker and dash.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.renamed import old_names
from figures import crate
from figures.files import atomic_path

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from paper_checks.verdict import Plot
    from synthetic.draws import FloatArray
    from synthetic.estimate import Interval


@dataclass(frozen=True)
class Look:
    """The label, colour, marker and dash with which a method is drawn."""

    label: str
    color: str
    marker: str
    dash: str | tuple[int, tuple[int, ...]]

    @property
    def plot_options(self) -> dict[str, Any]:
        """The look as keyword arguments of matplotlib's `plot` and `errorbar`."""
        return {"color": self.color, "marker": self.marker, "linestyle": self.dash, "label": self.label}


INK, RED, BLUE, GREEN, SKY, GREY = "#000000", "#D55E00", "#0072B2", "#009E73", "#56B4E9", "#777777"
CURVES = ((INK, "s"), (RED, "o"), (SKY, "^"))  # of an evidence plot
BY_DEFAULT = ("1f77b4", "ff7f0e", "2ca02c", "d62728", "9467bd", "8c564b", "e377c2", "7f7f7f", "bcbd22", "17becf")  # of matplotlib
KINDS = {"png": "Software", "svg": "Date", "pdf": "CreationDate"}  # file types, and their metadata that would differ each time
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
FEWER_RUNS = "with fewer runs and settings its intervals are wider, and what the full figure shows may not be seen in it"
PLAIN = f"cycler(color={list(BY_DEFAULT)})"  # without dashes: the lab sets those of its own lines
LAB = Path(__file__).parents[1] / "theory_lab" / "lab.mplstyle"  # plt.style.use("theory_lab.lab")
STYLE: list[str | Path | dict[str, Any]] = [LAB, {"axes.prop_cycle": PLAIN}]


@contextmanager
def styled_figure(width: float, height: float, title: str, rows: int, columns: int, **options: Any) -> Iterator[tuple[Figure, Any]]:
    """Yield a new figure in the lab's style and its axes, an array (rows, columns), to draw on; lay the figure out at the end.

    width, height   in inches;   options   of `Figure.subplots`
    """
    import matplotlib as mpl
    import matplotlib.style
    from matplotlib.figure import Figure

    with mpl.style.context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = figure.subplots(rows, columns, squeeze=False, **options)
        if title:
            figure.suptitle(title, fontsize=8.5)
        yield figure, axes
        figure.canvas.draw()


def draw_error_bars(ax: Axes, x: Any, intervals: Sequence[Interval], top: float = math.inf, cross: float = 0.98, **look: Any) -> None:
    """Draw estimates at `x` with their intervals as error bars; an estimate that is not finite becomes a cross.

    top     upper ends are drawn at `top` times the estimate or below;   cross   height of the crosses, in units of the axes
    """
    finite = np.array([math.isfinite(v.value) for v in intervals], dtype=bool)
    ends = [(v.value, v.low, min(v.high, top * abs(v.value))) for v in intervals if math.isfinite(v.value)]
    middle, low, high = np.array(ends).reshape(-1, 3).T
    ax.errorbar(np.asarray(x)[finite], middle, yerr=[middle - low, high - middle], capsize=2.5, **look)
    for missing in np.asarray(x)[~finite]:
        ax.plot([missing], [cross], color=look["color"], marker="x", transform=ax.get_xaxis_transform(), clip_on=False)


def sample_quantiles(samples: FloatArray) -> FloatArray:
    """Return the `QUANTILES`, (5, points), of samples (replicates, points); NaN, where a run has diverged, counts as inf."""
    filled = np.where(np.isnan(samples), np.inf, samples)
    return np.quantile(filled, QUANTILES, axis=0, method="inverted_cdf")


def draw_bands(ax: Axes, x: FloatArray, rows: FloatArray, label: str) -> None:
    """Draw the median and two shaded bands from the quantiles `rows`, (5, points), at the positions x (points,)."""
    ax.fill_between(x, rows[0], rows[4], color="#dddddd", linewidth=0, label="5 to 95 %")
    ax.fill_between(x, rows[1], rows[3], color="#aaaaaa", linewidth=0, label="25 to 75 %")
    ax.plot(x, rows[2], color=INK, label=label)


def set_x_ticks(ax: Axes, values: Sequence[float], labels: Sequence[str] | None = None, **options: Any) -> None:
    """Set the ticks of the x-axis to the given values, labelled with `labels` or their numbers, and remove the minor ticks."""
    ax.set_xticks(values, labels or [str(value) for value in values], **options)
    ax.tick_params(axis="x", which="minor", bottom=False, labelbottom=False)


def interval_columns(**intervals: Interval) -> dict[str, float]:
    """Return the columns NAME, NAME_low and NAME_high of a table row for each named interval."""
    return {f"{name}{end}": value for name, v in intervals.items() for end, value in (("", v.value), ("_low", v.low), ("_high", v.high))}


def exponent_text(slope: Interval | None) -> str:
    """Return a fitted exponent and its interval as text for a legend; None gives "too few points"."""
    return "too few points" if slope is None else f"{slope.value:.2f} [{slope.low:.2f}, {slope.high:.2f}]"


def number_latex(value: float) -> str:
    """Return a positive number as LaTeX: as 10^{k} where it is a power of ten, else in digits."""
    power = round(math.log10(value))
    return f"10^{{{power}}}" if math.isclose(value, 10.0**power, rel_tol=1e-12) else f"{value:g}"


def plot_svg(plot: Plot) -> str:
    """Draw the curves of an evidence plot; return the SVG element as text for an HTML page."""
    with styled_figure(5.2, 2.9, "", 1, 1) as (figure, axes):
        ax = axes[0, 0]
        for (name, values), (color, marker) in zip(plot.series.items(), CURVES * len(plot.series), strict=False):
            ax.plot(plot.x, values, color=color, marker=marker, label=f" {name}")  # a label "_x" would not be in the legend
        ax.set_xlabel(plot.x_label, parse_math=False)  # labels are words: a dollar is a dollar
        ax.set_ylabel(plot.y_label, parse_math=False)
        if plot.log:
            ax.set(xscale="log", yscale="log")
        for entry in ax.legend().get_texts():
            entry.set_parse_math(False)
        text = StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
    drawing = text.getvalue()
    return drawing[drawing.index("<svg") :]


def save_figure(
    figure: Figure, name: str, folder: Path, rows: Sequence[Mapping[str, Any]], provenance: Mapping[str, Any], beside: Sequence[Path] = ()
) -> list[Path]:
    """Write a figure as PNG, SVG and PDF, its rows as CSV, and the RO-Crate of all files; return the paths.

    beside   further files of the result, which the crate lists too
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.{kind}" for kind in KINDS]
    for path in paths:
        save_picture(figure, path)
    files = [*paths, write_rows(folder / f"{name}.csv", rows), *beside]
    return [*files, crate.write_crate(name, folder, files, provenance)]


def save_picture(figure: Figure, path: Path) -> None:
    """Write a figure to one file, in the format of its ending (one of `KINDS`); the same figure gives the same bytes."""
    import matplotlib as mpl
    import matplotlib.style

    kind = path.suffix[1:].lower()
    with mpl.style.context(STYLE), atomic_path(path) as part:
        figure.savefig(part, format=kind, metadata={KINDS[kind]: None})


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Write table rows to a CSV file; return its path."""
    with atomic_path(path) as part:
        part.write_text(csv_text(rows), encoding="utf-8", newline="")
    return path


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return table rows, which must have the same keys, as CSV text with numbers in full precision."""
    text = StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def provenance_header(name: str, record: Any) -> dict[str, Any]:
    """Return the first entries of the provenance of a figure: its name and the fields of its experiment."""
    return {"figure": name, "experiment": asdict(record.experiment)}


def field_differences(experiment: Any, paper: Any, names: Sequence[str] = ()) -> str:
    """Return as text the fields in which an experiment differs from that of the full figure; "" where none differs.

    names   the fields that are compared, by default all but the seed
    """
    found = []
    for field in fields(paper):
        ours, theirs = getattr(experiment, field.name), getattr(paper, field.name)
        if field.name != "seed" and ours != theirs and (not names or field.name in names):
            found.append(f"{field.name} {_short_text(ours)} instead of {_short_text(theirs)}")
    return ", ".join(found)


def _short_text(value: Any) -> str:
    """Return a number as short text, or of several numbers the first, the last and the count."""
    if isinstance(value, tuple) and len(value) > 1:
        return f"{_short_text(value[0])} to {_short_text(value[-1])} ({len(value)})"
    if isinstance(value, tuple):
        return _short_text(value[0])
    return f"{value:g}" if isinstance(value, float) else str(value)


def preview_differences(experiment: Any, paper: Any) -> tuple[str, str]:
    """Return as text how an experiment is smaller than that of the full figure, and what its figure therefore cannot show."""
    return field_differences(experiment, paper), FEWER_RUNS


def mark_preview(figure: Figure, differences: str) -> None:
    """Write above a figure that it is a preview, and how its experiment differs from the full one."""
    figure.text(0.5, 1.0, f"PREVIEW, not the full figure: {differences}", ha="center", va="bottom", fontsize=8.5, fontweight="bold")


if not TYPE_CHECKING:  # it would give every misspelt name a type
    __getattr__ = old_names(
        __name__,
        sheet="styled_figure",
        error_bars="draw_error_bars",
        quantiles="sample_quantiles",
        band="draw_bands",
        name_ticks="set_x_ticks",
        with_ends="interval_columns",
        exponent_words="exponent_text",
        ten_to_the="number_latex",
        svg="plot_svg",
        save="save_figure",
        save_one="save_picture",
        csv_rows="csv_text",
        whence="provenance_header",
        departures="field_differences",
        less="preview_differences",
    )
