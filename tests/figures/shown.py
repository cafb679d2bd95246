"""What stands in a drawn panel, read back from matplotlib's objects."""

from dataclasses import dataclass

import numpy as np
import pytest
from matplotlib.axes import Axes


@dataclass(frozen=True)
class Bars:
    """One set of points with error bars."""

    label: str
    color: str
    marker: str
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray
    high: np.ndarray
    filled: bool
    dash: str


def bars(ax: Axes) -> list[Bars]:
    """Return the sets of points with error bars, in the order of drawing."""
    found = []
    for one in ax.containers:
        line, _, (segments,) = one.lines
        ends = np.array(segments.get_segments())
        x, y = (np.asarray(v, dtype=float) for v in line.get_data())
        found.append(
            Bars(
                one.get_label(),
                line.get_color(),
                line.get_marker(),
                x,
                y,
                ends[:, 0, 1],
                ends[:, 1, 1],
                line.get_markerfacecolor() != "white",
                line.get_linestyle(),
            )
        )
    return found


def lines(ax: Axes) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return the labelled lines by label, x and y."""
    return {line.get_label(): tuple(np.asarray(v, dtype=float) for v in line.get_data()) for line in ax.get_lines()}


def plain(ax: Axes, color: str, style: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return x and y of the lines of a colour and a dash."""
    return [
        tuple(np.asarray(v, dtype=float) for v in line.get_data())
        for line in ax.get_lines()
        if line.get_color() == color and line.get_linestyle() == style
    ]


def entries(ax: Axes) -> list[str]:
    """Return the words of the legend."""
    return [text.get_text() for text in ax.get_legend().get_texts()]


def slope(x, y) -> float:
    """Return the least-squares exponent, by NumPy's polynomials."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def seeds_asked(monkeypatch, experiments, part, experiment) -> list[int]:
    """Return the seeds of the cells that a figure asks `experiments.compute` for at first; nothing is computed."""

    class Enough(Exception):
        pass

    def compute(stage, cells, store, **_):
        asked.update(cells)
        raise Enough

    asked = {}
    monkeypatch.setattr(experiments, "compute_groups", compute)
    with pytest.raises(Enough):
        part.data(experiment, None)
    return [cell.arguments["seed"] for group in asked.values() for cell in group]
