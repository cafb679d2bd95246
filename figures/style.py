"""One place for the look of every figure: readable in black and white and by colour-blind people, and how files are written.

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

from figures import crate
from figures.files import whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from paper_checks.verdict import Plot
    from synthetic.draws import FloatArray
    from synthetic.estimate import Interval


@dataclass(frozen=True)
class Look:
    """How one method is drawn."""

    label: str
    color: str
    marker: str
    dash: str

    @property
    def drawn(self) -> dict[str, Any]:
        """The look as matplotlib's plot and errorbar take it."""
        return {"color": self.color, "marker": self.marker, "linestyle": self.dash, "label": self.label}


INK, RED, BLUE, GREEN, SKY, GREY = "#000000", "#D55E00", "#0072B2", "#009E73", "#56B4E9", "#777777"
CURVES = ((INK, "s"), (RED, "o"), (SKY, "^"))  # of evidence, in turn
BY_DEFAULT = ("1f77b4", "ff7f0e", "2ca02c", "d62728", "9467bd", "8c564b", "e377c2", "7f7f7f", "bcbd22", "17becf")  # of matplotlib
KINDS = {"png": "Software", "svg": "Date", "pdf": "CreationDate"}  # of files, and which of their metadata would differ each time
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
FEWER_RUNS = "with fewer runs and settings its intervals are wider, and what the full figure shows may not be seen in it"
PLAIN = f"cycler(color={list(BY_DEFAULT)})"  # no dashes in turn: the lab's own lines say theirs
LAB = Path(__file__).parents[1] / "theory_lab" / "lab.mplstyle"  # plt.style.use("theory_lab.lab")
STYLE: list[str | Path | dict[str, Any]] = [LAB, {"axes.prop_cycle": PLAIN}]


@contextmanager
def sheet(width: float, height: float, title: str, rows: int, columns: int, **options: Any) -> Iterator[tuple[Figure, Any]]:
    """Give a figure of the house with its axes, (rows, columns), to draw on; it is laid out at the end."""
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


def error_bars(ax: Axes, x: Any, intervals: Sequence[Interval], top: float = math.inf, cross: float = 0.98, **look: Any) -> None:
    """Draw estimates with their intervals, which end at so many times the estimate at most; one that is not finite is a cross up there."""
    finite = np.array([math.isfinite(v.value) for v in intervals], dtype=bool)
    ends = [(v.value, v.low, min(v.high, top * abs(v.value))) for v in intervals if math.isfinite(v.value)]
    middle, low, high = np.array(ends).reshape(-1, 3).T
    ax.errorbar(np.asarray(x)[finite], middle, yerr=[middle - low, high - middle], capsize=2.5, **look)
    for missing in np.asarray(x)[~finite]:
        ax.plot([missing], [cross], color=look["color"], marker="x", transform=ax.get_xaxis_transform(), clip_on=False)


def quantiles(samples: FloatArray) -> FloatArray:
    """Return the quantiles of samples (replicates, points), (5, points); NaN where a replicate is no longer finite counts as inf."""
    filled = np.where(np.isnan(samples), np.inf, samples)
    return np.quantile(filled, QUANTILES, axis=0, method="inverted_cdf")


def band(ax: Axes, x: FloatArray, rows: FloatArray, label: str) -> None:
    """Draw the median and the bands of quantiles (5, points)."""
    ax.fill_between(x, rows[0], rows[4], color="#dddddd", linewidth=0, label="5 to 95 %")
    ax.fill_between(x, rows[1], rows[3], color="#aaaaaa", linewidth=0, label="25 to 75 %")
    ax.plot(x, rows[2], color=INK, label=label)


def name_ticks(ax: Axes, values: Sequence[float], **options: Any) -> None:
    """Mark the x-axis at these values only, by their numbers."""
    ax.set_xticks(values, [str(value) for value in values], **options)
    ax.tick_params(axis="x", which="minor", bottom=False, labelbottom=False)


def with_ends(**intervals: Interval) -> dict[str, float]:
    """Return estimates with the ends of their intervals: columns of a table."""
    return {f"{name}{end}": value for name, v in intervals.items() for end, value in (("", v.value), ("_low", v.low), ("_high", v.high))}


def exponent_words(slope: Interval | None) -> str:
    """Return an exponent with its interval for a legend."""
    return "too few points" if slope is None else f"{slope.value:.2f} [{slope.low:.2f}, {slope.high:.2f}]"


def ten_to_the(value: float) -> str:
    """Return a number for a formula: as a power of ten where it is one, else in digits."""
    power = round(math.log10(value))
    return f"10^{{{power}}}" if math.isclose(value, 10.0**power, rel_tol=1e-12) else f"{value:g}"


def svg(plot: Plot) -> str:
    """Return the curves of a plot of evidence as an SVG element for a page, readable in black and white."""
    with sheet(5.2, 2.9, "", 1, 1) as (figure, axes):
        ax = axes[0, 0]
        for (name, values), (color, marker) in zip(plot.series.items(), CURVES * len(plot.series), strict=False):
            ax.plot(plot.x, values, color=color, marker=marker, label=f" {name}")  # the space: "_x" would have no entry
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


def save(
    figure: Figure, name: str, folder: Path, rows: Sequence[Mapping[str, Any]], provenance: Mapping[str, Any], beside: Sequence[Path] = ()
) -> list[Path]:
    """Write the figure as PNG, SVG and PDF, its rows as CSV and the crate of these files and of others beside; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.{kind}" for kind in KINDS]
    for path in paths:
        save_one(figure, path)
    files = [*paths, write_rows(folder / f"{name}.csv", rows), *beside]
    return [*files, crate.write(name, folder, files, provenance)]


def save_one(figure: Figure, path: Path) -> None:
    """Write the figure as the one file, of the kind that its name ends in, one of KINDS; the same picture gives the same file."""
    import matplotlib as mpl
    import matplotlib.style

    kind = path.suffix[1:].lower()
    with mpl.style.context(STYLE), whole(path) as part:
        figure.savefig(part, format=kind, metadata={KINDS[kind]: None})


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Write rows as CSV; return the file."""
    with whole(path) as part:
        part.write_text(csv_rows(rows), encoding="utf-8", newline="")
    return path


def csv_rows(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows with the same keys as CSV, numbers in full."""
    text = StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def whence(name: str, record: Any) -> dict[str, Any]:
    """Return what the provenance of every figure begins with: its name and the experiment of its record."""
    return {"figure": name, "experiment": asdict(record.experiment)}


def departures(experiment: Any, paper: Any, names: Sequence[str] = ()) -> str:
    """Return in which of its fields, or in which of the named, an experiment differs from that of the full figure; "" in none."""
    found = []
    for field in fields(paper):
        ours, theirs = getattr(experiment, field.name), getattr(paper, field.name)
        if field.name != "seed" and ours != theirs and (not names or field.name in names):
            found.append(f"{field.name} {_briefly(ours)} instead of {_briefly(theirs)}")
    return ", ".join(found)


def _briefly(value: Any) -> str:
    """Return a number, or the ends of several."""
    if isinstance(value, tuple) and len(value) > 1:
        return f"{_briefly(value[0])} to {_briefly(value[-1])} ({len(value)})"
    if isinstance(value, tuple):
        return _briefly(value[0])
    return f"{value:g}" if isinstance(value, float) else str(value)


def less(experiment: Any, paper: Any) -> tuple[str, str]:
    """Return in what an experiment is less than that of the full figure, and what its figure then does not show."""
    return departures(experiment, paper), FEWER_RUNS


def mark_preview(figure: Figure, less: str) -> None:
    """Write above a figure that it is not the full one, and in what it differs."""
    figure.text(0.5, 1.0, f"PREVIEW, not the full figure: {less}", ha="center", va="bottom", fontsize=8.5, fontweight="bold")
