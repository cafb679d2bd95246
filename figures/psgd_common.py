"""What the second-order figures share: checks of what is run, bands of quantiles, medians with failures, exponents in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.gauss_psgd.scaled import Knobs
from figures.psgd_experiments import Outcome
from figures.style import error_bars
from synthetic import validate
from synthetic.draws import FloatArray
from synthetic.estimate import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
INK, RED, BLUE, GREEN, GREY = "#000000", "#D55E00", "#0072B2", "#009E73", "#777777"  # of Okabe and Ito; dashes and markers differ too


def checked(experiment: Any, **checks: str) -> None:
    """Make the fields of an experiment plain numbers; raise ValueError where one cannot be meant: positive="eta chi" checks both so."""
    validate.plain_fields(experiment)
    for check, names in {**checks, "seed_integer": "seed"}.items():
        for name in names.split():
            shape = ((None,),) if check == "positive_array" else ()
            getattr(validate, check)(*shape, **{name: getattr(experiment, name)})
    if not isinstance(getattr(experiment, "knobs", Knobs()), Knobs):
        raise ValueError(f"knobs = {validate.shown(experiment.knobs)}: Knobs(...) are needed")


def with_ends(**intervals: Interval) -> dict[str, float]:
    """Return estimates with the ends of their intervals: columns of a table."""
    return {f"{name}{end}": value for name, v in intervals.items() for end, value in (("", v.value), ("_low", v.low), ("_high", v.high))}


def quantiles(samples: FloatArray) -> FloatArray:
    """Return the quantiles of samples (replicates, points), (5, points); NaN where a replicate is no longer finite counts as inf."""
    filled = np.where(np.isnan(samples), np.inf, samples)
    return np.quantile(filled, QUANTILES, axis=0, method="inverted_cdf")


def band(ax: Axes, x: FloatArray, rows: FloatArray, label: str) -> None:
    """Draw the median and the bands of quantiles (5, points)."""
    ax.fill_between(x, rows[0], rows[4], color="#dddddd", linewidth=0, label="5 to 95 %")
    ax.fill_between(x, rows[1], rows[3], color="#aaaaaa", linewidth=0, label="25 to 75 %")
    ax.plot(x, rows[2], color=INK, label=label)


def exponent_words(slope: Interval | None) -> str:
    """Return an exponent with its interval for a legend."""
    return "too few points" if slope is None else f"{slope.value:.2f} [{slope.low:.2f}, {slope.high:.2f}]"


def points(ax: Axes, x: Sequence[float], rows: Sequence[Outcome], color: str, label: str, marker: str = "o") -> None:
    """Draw what 75 % of the runs stay below, with its interval, the median, and how many runs returned nothing.

    A point that is not finite is a cross at the top; an interval without an upper end goes up to the top.
    """
    finite = [(v, o.error) for v, o in zip(x, rows, strict=True) if np.isfinite(o.error.value)]
    look: dict[str, Any] = {"color": color, "marker": marker, "linestyle": "none"}
    error_bars(ax, [v for v, _ in finite], [error for _, error in finite], 1e3, label=label, **look)  # beyond the axes
    ax.plot(x, [o.middle.value for o in rows], markerfacecolor="white", label="error, median", **look)
    for v, o in zip(x, rows, strict=True):
        if o.failed:
            words = f"{o.failed}/{o.replicates}\nfailed"
            ax.annotate(
                words, (v, 0.0), xycoords=("data", "axes fraction"), xytext=(0, 3), textcoords="offset points", ha="center", fontsize=6
            )
        if not np.isfinite(o.error.value):
            ax.plot([v], [0.98], color=color, marker="x", transform=ax.get_xaxis_transform(), clip_on=False)


def limits(rows: Sequence[Outcome]) -> tuple[float, float]:
    """Return y-limits that hold the errors and alphas of all panels, and a line of words below them."""
    values = np.array([v for o in rows for v in (o.error.value, o.error.low, o.middle.value, o.task.plan.accuracy)])
    finite = values[np.isfinite(values) & (values > 0)]
    return 0.35 * float(finite.min()), 3.0 * float(finite.max())
