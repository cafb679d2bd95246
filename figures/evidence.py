"""Small plots of evidence, as SVG for a page."""

from __future__ import annotations

from io import StringIO

from figures.style import LOOKS, RC
from paper_checks.verdict import Plot


def svg(plot: Plot) -> str:
    """Return the curves of a plot as an SVG element, readable in black and white."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(RC):
        figure = Figure(figsize=(5.2, 2.9), layout="constrained")
        ax = figure.subplots()
        for (name, values), look in zip(plot.series.items(), (*LOOKS.values(),) * len(plot.series), strict=False):
            ax.plot(plot.x, values, color=look.color, marker=look.marker, label=f" {name}")  # the space: "_x" would have no entry
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
