"""Memory that training needs, by method: the entries of Table 2 of DP-GRAPE, and all numbers that a run stores at once.

Table 2 counts gradients, optimizer states and projectors of the projected layers only. A run also stores weights, the gradient
accumulated over the physical batches of a step, all of this for the layers that are not projected, activations, and in DP-GRAPE the
gradients of all samples with respect to one layer, before they are projected. With p numbers in all layers, p_u in those not projected,
q = r sum n_l in the projected gradient, batch B and a bytes of activations a sample, in numbers of 4 bytes,

    DP-Adam    p + p + B p + 2 p + B a/4
    DP-GRAPE   p + (q + p_u) + B (q + p_u) + 2 (q + p_u) + r max m_l + B max m_l n_l + B a/4

m_l is the smaller side of a layer, n_l the larger one. What an allocator reserves beyond this is not counted.

A model is a text file, a line for each group of layers that are alike; what follows # is a remark:

    COUNT ROWS COLUMNS projected|kept|shared WORDS      such as    48 768 3072 projected the first layer of the perceptron

projected: DP-GRAPE and GaLore project its gradient. kept: they do not, as in embeddings, norms, biases (1 row). shared: a second use of
weights of another line, whose per-sample gradients are stored in addition.

Source    Table 2, Sections 3.3 and 5.2 (what is not projected), Algorithms 1 to 5; layers: public descriptions of the models.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bounds.memory import format_bytes
from bounds.strict_json import strict_json
from bounds.typeset import html
from bounds.typeset import latex as typeset
from bounds.validate import non_negative, one_of, positive, positive_integer, short_repr, validated

MODELS = Path(__file__).parent / "models"
KINDS = ("projected", "kept", "shared")
PRIVATE = {"dp_adam": "DP-Adam", "dp_galore": "naive DP-GaLore", "dp_grape": "DP-GRAPE"}
METHODS = {"adam": "Adam (not private)", "galore": "GaLore (not private)", **PRIVATE}


@dataclass(frozen=True)
class Layer:
    """A group of `count` equal layers: sides, kind (projected, kept or shared), and a description."""

    count: int
    rows: int
    columns: int
    kind: str
    words: str = ""

    @property
    def smaller(self) -> int:
        """The smaller side m of the layer, which DP-GRAPE projects."""
        return min(self.rows, self.columns)

    @property
    def larger(self) -> int:
        """The larger side n of the layer."""
        return max(self.rows, self.columns)


@dataclass(frozen=True)
class Model:
    """A model as groups of layers; at least one is projected."""

    name: str
    layers: tuple[Layer, ...]

    def size(self, *kinds: str) -> int:
        """Return the number of weights in layers of these kinds; without kinds p, the weights of all layers that are not shared."""
        return sum(one.count * one.rows * one.columns for one in self.layers if one.kind in (kinds or KINDS[:2]))

    @property
    def projected_layers(self) -> tuple[Layer, ...]:
        """The groups of layers whose gradients DP-GRAPE and GaLore project, as a tuple of `Layer`."""
        return tuple(one for one in self.layers if one.kind == "projected")

    def projected_size(self, r: int) -> int:
        """Return q = r sum n_l, the size of the projected gradients of the projected layers."""
        return r * sum(one.count * one.larger for one in self.projected_layers)

    def check_subspace(self, r: int) -> None:
        """Check that r is at most the smaller side of every projected layer; raise ValueError otherwise."""
        least = min(self.projected_layers, key=lambda one: one.smaller)
        if r > least.smaller:
            sides = f"{least.rows} x {least.columns}{f' ({least.words})' if least.words else ''}"
            raise ValueError(f"r = {short_repr(r)}: at most {least.smaller} is needed, the smaller side of layers {sides} of {self.name}")


def model_names() -> tuple[str, ...]:
    """Return the names of the built-in models, such as "vit-base", in alphabetical order."""
    return tuple(sorted(path.stem for path in MODELS.glob("*.txt")))


def read_model(model: str | Path) -> Model:
    """Read a built-in model by name, or a model from the path of a text file; ValueError if there is none or a line is malformed."""
    said = f"model = {short_repr(str(model) if isinstance(model, Path) else model)}"
    try:
        path = MODELS / f"{model}.txt" if isinstance(model, str) and model in model_names() else Path(model)
        text = path.read_text(encoding="utf-8")
    except (OSError, TypeError, ValueError) as error:  # no such file, no path, no text
        reason = "" if isinstance(error, FileNotFoundError | TypeError) else f" ({getattr(error, 'strerror', None) or 'it is no text'})"
        raise ValueError(f"{said}: one of {', '.join(model_names())}, or the name of a file of layers, is needed{reason}") from None
    lines = ((number, line.partition("#")[0].strip().split(maxsplit=4)) for number, line in enumerate(text.splitlines(), 1))
    found = Model(str(model), tuple(_parse_layer(words, f"{said}, line {number}") for number, words in lines if words))
    if not found.projected_layers:
        raise ValueError(f"{said}: at least one line with a projected layer is needed")
    return found


def _parse_layer(words: list[str], where: str) -> Layer:
    """Return the layer that the words of a line describe; `where` begins the error message."""
    try:
        layer = Layer(*(int(one) for one in words[:3]), *words[3:])  # type: ignore[arg-type]
        if layer.kind in KINDS and min(layer.count, layer.rows, layer.columns) > 0:
            return layer
    except (ValueError, TypeError):
        pass
    needed = f"COUNT ROWS COLUMNS {'|'.join(KINDS)} WORDS is needed, with integers of at least 1"
    raise ValueError(f"{where}: {needed}, not {' '.join(words)!r:.60}")


def table_2(method: str, model: Model, r: int, batch: int) -> dict[str, int]:
    """Return the row of a method in the paper's Table 2, by entry: how many numbers it stores for the projected layers."""
    gradient, states, projectors = _stored_sizes(method, model, r, model.size("projected"), model.projected_size(r))
    return {"gradient": batch * gradient if method in PRIVATE else gradient, "states": states, "projectors": projectors}


def _stored_sizes(method: str, model: Model, r: int, whole: int, low: int) -> tuple[int, int, int]:
    """Return how many numbers gradient, optimizer states and projectors have; `whole` is a gradient's size, `low` a projected one's."""
    sides = [(one.count, one.smaller) for one in model.projected_layers]
    projectors = {"dp_adam": 0, "adam": 0, "dp_grape": max(m for _, m in sides)}.get(method, sum(count * m for count, m in sides))
    return low if method == "dp_grape" else whole, 2 * (whole if method in ("adam", "dp_adam") else low), r * projectors


def count_stored(method: str, model: Model, r: int, batch: int) -> dict[str, int]:
    """Return how many numbers a run stores at once besides activations, by kind (weights, samples, states, ...)."""
    full, largest = model.size(), max(one.rows * one.columns for one in model.projected_layers)
    gradient, states, projectors = _stored_sizes(method, model, r, full, model.projected_size(r) + model.size("kept"))
    of_samples = batch * (gradient + model.size("shared")) if method in PRIVATE else 0
    found = {"weights": full, "accumulated": gradient, "samples": of_samples, "states": states, "projectors": projectors}
    return found | {"one_layer": batch * largest if method == "dp_grape" else 0}


@dataclass(frozen=True)
class MethodMemory:
    """The memory of a method: its row of Table 2, all that is stored in numbers, and the total bytes with activations.

    saved           share of DP-Adam's bytes that it saves
    largest_batch   that fits into the given memory; 0 if none does, None if any does or no memory was given
    """

    method: str
    table_2: Mapping[str, int]
    held: Mapping[str, int]
    activations: int
    bytes: int
    saved: float
    largest_batch: int | None


@dataclass(frozen=True, repr=False)
class Memory:
    """The memory that every method of Table 2 needs for a model: `needs` by method; `asked` for the method of the call.

    bytes   of a number;   activations   bytes of a sample;   memory   available bytes, 0 if none were given
    """

    method: str
    model: str
    r: int
    batch: int
    bytes: int
    activations: int
    memory: int
    needs: Mapping[str, MethodMemory]

    def __repr__(self) -> str:
        asked = f"{METHODS[self.method]} {format_bytes(self.asked.bytes)}, {100 * self.asked.saved:.1f} % below DP-Adam"
        return f"Memory({self.model}, r = {self.r}, batch {self.batch}: {asked})"

    def _repr_html_(self) -> str:
        """Return rows and notes as an HTML table for notebooks."""
        rows = self.rows()
        return html.table(repr(self), list(rows[0]), [list(row.values()) for row in rows], self.notes())

    @property
    def asked(self) -> MethodMemory:
        """The memory of the method that the call asked for, a `MethodMemory`."""
        return self.needs[self.method]

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for every method: Table 2 and all that is stored, in numbers, and the total in bytes."""
        found = []
        for one in self.needs.values():
            row: dict[str, Any] = {"method": METHODS[one.method], **{f"Table 2 {name}": value for name, value in one.table_2.items()}}
            row |= {**one.held, "activations, bytes": one.activations, "all, bytes": one.bytes, "saved, %": 100 * one.saved}
            found.append(row | ({"fits": "any" if one.largest_batch is None else one.largest_batch} if self.memory else {}))
        return found

    def notes(self) -> list[str]:
        """Return sentences, without full stop, on what the memory counts include and leave out, as a list."""
        said = [
            "Table 2 counts the projected layers only. The sum also counts the weights, the accumulated gradient, the layers that are not "
            "projected, and for DP-GRAPE the gradients of one layer for all samples before projection. Savings are against DP-Adam"
        ]
        if not self.activations:
            said.append("Activations are not counted. Give their bytes per sample, or a measured run to fit them")
        return [*said, "The memory that an allocator reserves is larger than this"]

    def json(self) -> str:
        """Return all fields as JSON text, with null for numbers that are not finite."""
        return strict_json(asdict(self))

    def latex(self) -> str:
        """Return Table 2 and the total bytes as a table in LaTeX."""
        left_out = {*self.asked.held, "activations, bytes"}
        entries = [{name: value for name, value in row.items() if name not in left_out} for row in self.rows()]
        title = f"Memory of {self.model}, r = {self.r}, batch {self.batch}, {self.bytes} bytes per number"
        return typeset.table_of_rows(title, entries, self.notes(), label=f"memory {self.model}", papers=("dp_grape",))


@validated
def memory(
    method: str, *, model: str | Path, r: int, batch: int, bytes: int = 4, activations: float = 0, memory: float | None = None
) -> Memory:
    """Count the memory that private and other methods need to train a model, at a given batch size.

    Parameters
    ----------
    method
        Method of interest: "adam", "galore", "dp_adam", "dp_galore" or "dp_grape". All five are counted.
    model
        "vit-base", "roberta-large", "opt-1.3b", "opt-2.7b", "opt-6.7b", or the path of a text file. Such a file has a line for each group
        of equal layers: COUNT ROWS COLUMNS projected|kept|shared WORDS.
    r
        Dimension of the subspaces, at most the smaller side of every projected layer.
    batch
        Number of samples whose gradients are held at once.
    bytes
        Bytes of a number.
    activations
        Bytes of activations for each sample, at least 0. `bounds.dp_grape.memory.fit_activations` computes them from a measured run.
    memory
        Bytes that are available. With them, the largest batch that fits is computed too.

    Returns
    -------
    Memory
        ``asked`` for the method of interest, ``needs`` for every method, ``rows()``, ``json()`` and ``latex()``.

    Raises
    ------
    ValueError
        For a model that does not exist or has a wrong line, for r above the smaller side of a layer, and for numbers out of range.

    Notes
    -----
    Table 2 of DP-GRAPE counts gradients, optimizer states and projectors of projected layers only. The bytes also include the weights, the
    accumulated gradient, the layers that are not projected, activations, and for DP-GRAPE the gradients of all samples for one layer before
    they are projected; see `bounds.dp_grape.memory` for the formulas. An allocator reserves more than this.

    Examples
    --------
    >>> found = lab.memory("dp_grape", model="vit-base", r=64, batch=128, memory=24e9)
    >>> round(found.asked.bytes / 1e9, 2), round(found.asked.saved, 3)  # GB, share of DP-Adam's bytes that is saved
    (5.72, 0.874)
    >>> found.asked.largest_batch
    571
    """
    layers = _read_checked_model(method, model, r, batch, bytes)
    non_negative(activations=activations)
    if memory is not None:
        positive(memory=memory)
    each, budget, needs = round(activations), int(memory or 0), {}
    adam = _total_bytes("dp_adam", layers, r, batch, bytes, each)
    for name in METHODS:
        none, one, here = (_total_bytes(name, layers, r, count, bytes, each) for count in (0, 1, batch))
        most = max(0, (budget - none) // (one - none)) if one > none else 0 if none > budget else None
        parts = table_2(name, layers, r, batch), count_stored(name, layers, r, batch)
        needs[name] = MethodMemory(name, *parts, batch * each, here, 1 - here / adam, most if memory else None)
    return Memory(method, layers.name, r, batch, bytes, each, budget, needs)


def _read_checked_model(method: str, model: str | Path, r: int, batch: int, bytes: int) -> Model:
    """Check method, r, batch and bytes, read the model and return it; raise ValueError for values that are not allowed."""
    one_of(tuple(METHODS), method=method)
    positive_integer(r=r, batch=batch, bytes=bytes)
    layers = read_model(model)
    layers.check_subspace(r)
    return layers


def _total_bytes(method: str, model: Model, r: int, batch: int, bytes: int, activations: int) -> int:
    """Return the bytes that a run of a method needs in total, given `bytes` per number and activation bytes per sample."""
    return bytes * sum(count_stored(method, model, r, batch).values()) + batch * activations


@validated
def fit_activations(method: str, *, model: str | Path, r: int, batch: int, measured: float, bytes: int = 4) -> float:
    """Return the bytes of activations per sample that explain the bytes measured in a run beyond those that are counted.

    Raises ValueError if less was measured than is counted.
    """
    positive(measured=measured)
    counted = _total_bytes(method, _read_checked_model(method, model, r, batch, bytes), r, batch, bytes, 0)
    if measured < counted:
        raise ValueError(f"measured = {short_repr(measured)}: too few bytes; {method} needs {counted} even without activations")
    return (measured - counted) / batch
