"""Draw a sweep: one result against one swept axis, a line for each of the other settings, with intervals and fitted exponents."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.figure import Figure

from figures.experiments import fit_exponent, json_interval
from figures.style import BLUE, GREEN, GREY, INK, RED, SKY, draw_error_bars, exponent_text, set_x_ticks, styled_figure
from synthetic.estimate import Interval

COLORS = (INK, RED, BLUE, GREEN, SKY, GREY)
MARKERS, DASHES = ("s", "o", "^", "D", "v", "P", "X"), ("-", "--", ":", "-.", (0, (5, 1, 1, 1)))
MAX_LINES = 30  # lines: more cannot be told apart


def group_rows(rows: Sequence[Mapping[str, Any]], x: str, by: Sequence[str]) -> dict[str, list[Mapping[str, Any]]]:
    """Group the rows of a sweep into lines; return them by their label, the values on the axes `by`.

    Raises ValueError where a line would have two points at one x, or where there are too many lines.
    """
    lines: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        name = ", ".join(str(row[one]) if one == "method" else f"{one} = {row[one]}" for one in by if row[one] != "")
        lines.setdefault(name, []).append(row)
    for name, points in lines.items():
        if len({row[x] for row in points}) < len(points):
            raise ValueError(
                f"plot: by = {list(by)}: the line {name!r} has several points at one {x}; add to by the key that differs between them"
            )
    if len(lines) > MAX_LINES:
        raise ValueError(f"plot: {len(lines)} lines, at most {MAX_LINES} can be told apart: give x another axis, or sweep fewer values")
    return lines


def draw_sweep(title: str, rows: Sequence[Mapping[str, Any]], x: str, y: str, by: Sequence[str]) -> tuple[Figure, dict[str, Any]]:
    """Draw the rows of a sweep; return the figure, and by line the fitted exponent as [value, low, high].

    The exponent is None for fewer than three points, or where a point is not above 0.
    """
    lines = group_rows(rows, x, by)
    exponents = {}
    with styled_figure(5.6, 4.0, title, 1, 1) as (figure, axes):
        ax = axes[0, 0]
        for k, (name, points) in enumerate(lines.items()):
            points = sorted(points, key=lambda row: row[x])
            values = [Interval(row[y], row[f"{y}_low"], row[f"{y}_high"], 0.95) for row in points]
            above = all(row[x] > 0 and not row[y] <= 0 for row in points)  # as a power law needs
            fitted = fit_exponent([row[x] for row in points], [row[y] for row in points]) if above else None
            exponents[name] = json_interval(fitted)
            words = f" {name}" + (f": {exponent_text(fitted)}" if fitted else "")
            look: dict[str, Any] = {"color": COLORS[k % 6], "marker": MARKERS[k % 7], "linestyle": DASHES[k % 5], "label": words}
            draw_error_bars(ax, [row[x] for row in points], values, **look)
        ax.set_xlabel(x, parse_math=False)
        ax.set_ylabel(y.replace("_", " "), parse_math=False)
        positive = all(row[x] > 0 for row in rows), all(0 < row[y] for row in rows)
        ax.set(xscale="log" if positive[0] else "linear", yscale="log" if positive[1] else "linear")
        if positive[0] and len(ticks := sorted({row[x] for row in rows})) <= 8:
            set_x_ticks(ax, ticks)
        for entry in ax.legend(title="mean, 95 % interval: exponent" if any(exponents.values()) else None).get_texts():
            entry.set_parse_math(False)
    return figure, exponents
