"""Memory against batch size for each method: the paper's Figures 2 (memory), 3 and 4, counted from the layers of the models.

The paper prints six sizes; they are drawn too. The activations of a sample are fitted to one of them, Adam's for ViT-Base and DP-GRAPE's
for RoBERTa-Large. For OPT no size is printed, so its curves count the other arrays only and are lower bounds. DPZero, which the paper's
figures show too, is left out: it holds at least the weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bounds.dp_grape.memory import METHODS, fit_activations, memory
from figures import parts
from figures.parts import Record
from figures.style import Look, provenance_header, set_x_ticks, styled_figure
from paper_checks.dp_grape.memory import AROUND, CARD, ROBERTA, SIZES, SMALL, VIT, R
from synthetic import validate
from synthetic.sweeps.workers import Workers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAME, GB, table = "grape-memory", 10**9, parts.table
FITTED = {VIT: ("adam", 500), ROBERTA: ("dp_grape", 40)}
TITLES = {VIT: "ViT-Base", ROBERTA: "RoBERTa-Large", "opt-1.3b": "OPT-1.3B", "opt-2.7b": "OPT-2.7B", "opt-6.7b": "OPT-6.7B"}
LOOKS = {
    "adam": Look(METHODS["adam"], "#777777", "^", ":"),
    "dp_adam": Look(METHODS["dp_adam"], "#000000", "s", "-"),
    "dp_galore": Look(METHODS["dp_galore"], "#56B4E9", "D", (0, (1, 3))),
    "dp_grape": Look(METHODS["dp_grape"], "#D55E00", "o", "--"),
}
DASHES = ("-", "--", "-.", ":")


@dataclass(frozen=True)
class Experiment:
    """Parameters of the figure: the batch sizes of each model, and several projection ranks r for RoBERTa-Large."""

    vit: tuple[int, ...] = (1, *range(25, 501, 25))
    roberta: tuple[int, ...] = (1, *range(4, 65, 4))
    opt: tuple[int, ...] = tuple(range(1, 17))
    several: tuple[int, ...] = (1, 64, 256)

    def __post_init__(self) -> None:
        """Convert the fields to Python numbers; raise ValueError unless all batch sizes and ranks are positive integers."""
        validate.convert_fields(self)
        for name in ("vit", "roberta", "opt", "several"):
            validate.positive_integers(**{name: getattr(self, name)})

    def batches(self, model: str) -> tuple[int, ...]:
        """Return the batch sizes at which the memory of a model is counted."""
        return {VIT: self.vit, ROBERTA: self.roberta}.get(model, self.opt)


PAPER = Experiment()
PREVIEW = Experiment(vit=(1, 100, 200, 500), roberta=(1, 20, 40, 64), opt=(1, 2, 8, 16))


def activation_bytes() -> dict[str, float]:
    """Return the bytes of a sample's activations by model, fitted to a printed size; models without one are left out."""
    return {
        model: fit_activations(method, model=model, r=R[model], batch=batch, measured=SIZES[model, method, batch] * GB)
        for model, (method, batch) in FITTED.items()
    }


def data(e: Experiment, store: object = None, *, workers: Workers = None, progress: object = None) -> Record:
    """Count the bytes of each model, r, method and batch; return the record of the figure.

    `printed_GB` of a point is the size that the paper prints, or "". Nothing is simulated: store and workers are not used.
    """
    points, known = [], activation_bytes()
    for model in TITLES:
        for r in dict.fromkeys((R[model], *(e.several if model == ROBERTA else ()))):
            for batch in e.batches(model):
                needs = memory("dp_grape", model=model, r=r, batch=batch, activations=known.get(model, 0)).needs
                for method in LOOKS:
                    place = {"model": model, "r": r, "method": method, "batch": batch, "bytes": needs[method].bytes}
                    points.append(place | {"printed_GB": SIZES.get((model, method, batch), "") if r == R[model] else ""})
    return Record(e, tuple(points), {})


def provenance(record: Record) -> dict[str, Any]:
    """Return the provenance of grape-memory by name: experiment, what is counted, fitted activation sizes, and the printed sizes."""
    words = ((model, size, *FITTED[model]) for model, size in activation_bytes().items())
    fits = {model: f"{size / 1e6:.1f} MB a sample, from {METHODS[method]} at {batch}" for model, size, method, batch in words}
    return provenance_header(NAME, record) | {
        "counted": "weights, accumulated gradient, gradients of samples, optimizer states, projectors, activations, for DP-GRAPE the "
        "gradients of one layer before they are projected; not what an allocator reserves beyond",
        "activations": fits | {"OPT": "none: the curves are below the truth"},
        "r": R,
        "printed": {f"{model}, {method}, batch {batch}": f"{size} GB" for (model, method, batch), size in SIZES.items()},
    }


def draw(record: Record) -> Figure:
    """Draw the memory of the models in six panels, RoBERTa-Large once more for several r; return the figure."""
    title = (
        "What training holds, 4 bytes a number, counted from the layers. Filled marks: sizes that the paper prints, activations "
        f"are fitted to one for each model\n(OPT: without activations). Open marks: batches that the paper says fit into {SMALL} GB. "
        f"Grey: {CARD} GB, the card of the paper"
    )
    with styled_figure(10.2, 6.4, title, 2, 3) as (figure, axes):
        panels = [(VIT, False), (ROBERTA, False), (ROBERTA, True), ("opt-1.3b", False), ("opt-2.7b", False), ("opt-6.7b", False)]
        for ax, (model, several) in zip(axes.flat, panels, strict=True):
            _draw_panel(ax, record, model, several)
        for ax in axes[:, 0]:
            ax.set_ylabel("GB")
        for ax in axes[1]:
            ax.set_xlabel("batch")
        figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncol=len(LOOKS))
    return figure


def _draw_panel(ax: Axes, record: Record, model: str, several: bool) -> None:
    """Draw the memory of a model against batch size: of all methods, or of DP-GRAPE at several r beside Adam and DP-Adam."""
    own, top = R[model], 160 if model == "opt-6.7b" else 100

    def curve(method: str, r: int) -> tuple[list[int], list[float]]:
        rows = [p for p in record.points_with(model=model, r=r, method=method) if p["bytes"] <= top * GB]
        return [p["batch"] for p in rows], [p["bytes"] / GB for p in rows]

    for method, look in LOOKS.items():
        if several and method in ("dp_grape", "dp_galore"):
            continue
        ax.plot(*curve(method, own), markevery=[], **look.plot_options)
        marks = [(batch, size, look.color) for (name, of, batch), size in SIZES.items() if (name, of) == (model, method)]
        marks += [(AROUND[method][0], SMALL, "white")] if model == VIT and method in AROUND else []
        for batch, size, face in marks:
            small = 3.0 if method == "dp_galore" else 5.5  # it lies on the mark of DP-Adam
            ax.plot([batch], [size], marker=look.marker, color=look.color, markerfacecolor=face, markersize=small, zorder=3)
    if several:
        for r, dash in zip(record.experiment.several, DASHES * len(record.experiment.several), strict=False):
            batches, sizes = curve("dp_grape", r)
            ax.plot(batches, sizes, color=LOOKS["dp_grape"].color, linestyle=dash, linewidth=1.2)
            ax.annotate(f"r = {r}", (batches[-1], sizes[-1]), xytext=(3, 0), textcoords="offset points", fontsize=7, va="center")
    ax.axhline(CARD, color="#999999", linewidth=0.8)
    ax.set_title(f"{TITLES[model]}, " + ("DP-GRAPE for several r" if several else f"r = {own}"))
    if model.startswith("opt"):
        set_x_ticks(ax, (1, 4, 8, 12, 16))
    ax.set_ylim(0, top)
