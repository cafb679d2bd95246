"""What the second-order figures share: checks of what is run, medians with failures, limits of axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.gauss_psgd.scaled import Knobs
from figures.psgd_experiments import Outcome
from figures.style import error_bars
from synthetic import validate

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def checked(experiment: Any, **checks: str) -> None:
    """Make the fields of an experiment plain numbers; raise ValueError where one cannot be meant: positive="eta chi" checks both so."""
    validate.plain_fields(experiment)
    for check, names in {**checks, "seed_integer": "seed"}.items():
        for name in names.split():
            shape = ((None,),) if check == "positive_array" else ()
            getattr(validate, check)(*shape, **{name: getattr(experiment, name)})
    if not isinstance(getattr(experiment, "knobs", Knobs()), Knobs):
        raise ValueError(f"knobs = {validate.shown(experiment.knobs)}: Knobs(...) are needed")


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
