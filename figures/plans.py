"""Draw what plans certify against epsilon: a line for each variant, and a cross where a variant certifies nothing."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bounds.plans.side_by_side import Several
from figures import style
from figures.files import prepare_folder, unwritable_error

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DASHES: tuple[Any, ...] = ("-", "--", "-.", (0, (5, 1, 1, 1, 1, 1)))  # of variants; dots mark the trivial bound
COLORS, MARKERS = (style.INK, style.RED, style.BLUE, style.GREEN), "so^D"
TOP, ABOVE = 1.02, 0.035  # height of the crosses in axes units: above the axes, where no value is, each variant above the one before


def draw_plans(plans: Several) -> Figure:
    """Draw the bounds of plans at several epsilon, on logarithmic axes; return the figure."""
    trivial = plans.trivial()
    with style.styled_figure(5.4, 4.0, plans.title, 1, 1) as (figure, axes):
        ax = axes[0, 0]
        ax.set(xscale="log", yscale="log", xlabel="epsilon")
        ax.set_ylabel(axis_label(plans), parse_math=False)
        for k, name in enumerate(plans.columns):
            values = [plan.certifies(name) for plan in plans]
            look = {"color": COLORS[k % 4], "marker": MARKERS[k % 4]}
            known = [value if isinstance(value, float) else math.nan for value in values]
            where = [epsilon for epsilon, value in zip(plans.epsilons, values, strict=True) if isinstance(value, str)]
            words = " or ".join(dict.fromkeys(value for value in values if isinstance(value, str)))
            if len(where) < len(plans):
                ax.plot(plans.epsilons, known, **look, linestyle=DASHES[k % 4], label=name)
            if where:
                height = [TOP + ABOVE * k] * len(where)
                across = {"transform": ax.get_xaxis_transform(), "clip_on": False, "linestyle": "none"}
                ax.plot(where, height, color=look["color"], marker="x", label=f"{name}: {words}", **across)
        for value, names in trivial.items():
            of = f" ({', '.join(names)})" if len(trivial) > 1 else ""
            ax.axhline(value, color=style.GREY, linestyle=":", label=f"every point{of}: {value:.4g}")
        style.set_x_ticks(ax, plans.epsilons, [f"{value:g}" for value in plans.epsilons])
        ax.legend()
    return figure


def axis_label(plans: Several) -> str:
    """Return the label of the y-axis: what the plans bound, or a line for each variant where they bound different measures."""
    found = plans.measures()
    if len(set(found.values())) == 1:
        return f"bound on {next(iter(found.values()))}"
    return "\n".join(["what is certified", *(f"{name}: {measure}" for name, measure in found.items())])


def check_path(path: Path) -> Path:
    """Return the path of a picture; raise ValueError where its ending is unknown or it cannot be written."""
    if path.suffix[1:].lower() not in style.KINDS:
        raise ValueError(
            f"picture = {str(path)!r}: the name of a file that ends in {', '.join('.' + kind for kind in style.KINDS)} is needed"
        )
    prepare_folder("picture", path.parent, path)
    return path


def write_picture(plans: Several, path: Path) -> None:
    """Draw plans at several epsilon and write the picture to a path; raise ValueError where it cannot be written."""
    try:
        style.save_picture(draw_plans(plans), check_path(path))
    except OSError as error:
        raise unwritable_error("picture", path, error) from None
