"""Shared pieces of figures: the record of points and theoretical curves, its table, mean intervals, markers beside curves."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.style import BLUE, GREEN, INK, RED, SKY, draw_error_bars, interval_columns, provenance_header
from synthetic.draws import FloatArray
from synthetic.estimate import Interval, clustered_mean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DOTS, DASHES, LEGEND_BELOW = (0, (1, 4)), (0, (8, 4)), {"loc": "upper center", "bbox_to_anchor": (0.5, -0.14)}
LOOKS = ((INK, "o", "-"), (RED, "s", "--"), (BLUE, "^", "-."), (GREEN, "D", ":"), (SKY, "v", DASHES))  # of curves, in their order


@dataclass(frozen=True, eq=False)
class Record:
    """The data of a figure: its experiment, points (values and intervals by name), and theoretical curves `laws` (x, y)."""

    experiment: Any
    points: tuple[dict[str, Any], ...]
    laws: dict[Any, tuple[FloatArray, FloatArray]]

    def points_with(self, **wanted: Any) -> list[dict[str, Any]]:
        """Return the points whose fields have the given values, as in `points_with(panel="rank", r=4)`."""
        return [p for p in self.points if all(p[name] == value for name, value in wanted.items())]


def table(record: Record) -> list[dict[str, Any]]:
    """Return the rows of the CSV file, one for each point; fields that a point does not have are empty."""
    names = dict.fromkeys(name for p in record.points for name in p)
    full = [dict.fromkeys(names, "") | p for p in record.points]
    return [
        {k: v for name, one in p.items() for k, v in (interval_columns(value=one) if name == "value" else {name: one}).items()}
        for p in full
    ]


def mean_interval(values: Any) -> Interval:
    """Return the mean of independent values (k,) with its 95 % t-interval, whose ends are nan for fewer than two values."""
    if len(values) > 1:
        return clustered_mean(np.asarray(values)[:, None])
    return Interval(float(values[0]) if len(values) else math.nan, math.nan, math.nan, 0.95)


def scale_interval(v: Interval, factor: float) -> Interval:
    """Return an interval with its value and ends multiplied by `factor`."""
    return Interval(factor * v.value, factor * v.low, factor * v.high, v.coverage)


def draw_points(
    ax: Axes, rows: list[dict[str, Any]], x: str, look: Any, words: str, law: Any = None, low: float = 0.0, **line: Any
) -> None:
    """Draw the values of points against their field `x`, as hollow markers with intervals, and a theoretical curve beside them.

    look    colour, marker and dash, one of `LOOKS`
    words   the label in the legend;   law   the theoretical curve (x, y), None for none;   line   options of that curve
    low     on logarithmic axes, the lower end of an interval is drawn at `low` times the value or above
    """
    color, marker, dash = look
    if law is not None:
        ax.plot(*law, **{"color": color, "linestyle": dash, "linewidth": 1.0, **line})
    values = [p["value"] for p in rows]
    inside = [Interval(v.value, max(v.low, low * v.value) if low else v.low, v.high, v.coverage) for v in values]
    hollow: dict[str, Any] = {"linestyle": "none", "markerfacecolor": "white", "markersize": 4.0}
    draw_error_bars(ax, [p[x] for p in rows], inside, color=color, marker=marker, label=words, **hollow)


@dataclass(frozen=True)
class FigureSpec:
    """One figure of a module that has several, for `theory_lab.commands.figure`: its experiments, functions and provenance.

    said    the constant part of the provenance;   found   computes the rest of it from a record
    """

    NAME: str
    PAPER: Any
    PREVIEW: Any
    data: Callable[..., Record]
    draw: Callable[[Record], Figure]
    said: Mapping[str, Any]
    found: Callable[[Record], Mapping[str, Any]] = lambda record: {}
    table: Callable[[Record], list[dict[str, Any]]] = table

    def provenance(self, record: Record) -> dict[str, Any]:
        """Return the provenance of the figure by name: its experiment, the constant facts `said`, and those that `found` computes."""
        return {**provenance_header(self.NAME, record), **self.said, **self.found(record)}
