"""The command ``theory-lab memory``: what training a model stores, by method. Not memory.py, because ``lab.memory`` is a call."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import ModuleType
from typing import Any

from theory_lab.methods.record import whole

UNITS = {**{unit: 1000**k for k, unit in enumerate(("B", "kB", "MB", "GB", "TB"))}, **{"MiB": 2**20, "GiB": 2**30, "TiB": 2**40}}
DESCRIBED = (
    "Print the memory that training a model needs, by method. "
    "Your own model is a text file with a line for each group of equal layers: COUNT ROWS COLUMNS projected|kept|shared WORDS. An example "
    "is `48 768 3072 projected the first layer of the perceptron`. Remarks begin with #. DP-GRAPE and GaLore project the gradients of "
    "projected layers and not those of kept ones (embeddings, norms, biases with 1 row). A shared layer uses the weights of another line."
)


def add_options(parser: argparse.ArgumentParser, modules: Sequence[ModuleType]) -> None:
    """Add the options of `theory-lab memory` to its parser."""
    parser.add_argument("--model", required=True, help="vit-base, roberta-large, opt-1.3b, opt-2.7b, opt-6.7b, or the name of a file")
    parser.add_argument("--r", type=whole, required=True, help="dimension of the subspaces")
    parser.add_argument("--batch", type=whole, required=True, help="number of samples whose gradients are in memory together")
    parser.add_argument("--bytes", type=whole, default=4, help="bytes per number (default: %(default)s)")
    parser.add_argument(
        "--activations",
        type=parse_activations,
        metavar="SIZE",
        help="bytes of activations per sample, such as 120MB. Or a measured run from which they are fitted, METHOD@BATCH=SIZE, such as "
        "adam@500=63GB, with the methods adam, galore, dp_adam, dp_galore, dp_grape (default: no activations)",
    )
    parser.add_argument(
        "--memory", type=parse_size, metavar="SIZE", help="available memory, such as 24GB or 80GiB: print the largest batch that fits too"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--latex", action="store_true", help="print a table for a paper")
    form.add_argument("--csv", action="store_true", help="print the table as CSV")
    form.add_argument("--json", action="store_true", help="print the numbers as JSON")
    parser.set_defaults(run="theory_lab.commands.memory:run_memory")


def parse_size(text: str) -> float:
    """Return the number of bytes in a text such as 24GB or 24 GiB; raise ArgumentTypeError without a number or a known unit."""
    number = text.rstrip("kKMGTiB")
    with suppress(ValueError):
        if (unit := text[len(number) :]) in UNITS:
            return float(number) * UNITS[unit]
    raise argparse.ArgumentTypeError(f"{text!r}: a number with its unit is needed, such as 24GB, 24GiB or 5e8B ({', '.join(UNITS)})")


def parse_activations(text: str) -> float | tuple[str, int, float]:
    """Return bytes per sample from a text such as 120MB, or (method, batch, bytes) from adam@500=63GB."""
    run, given, taken = text.partition("=")
    if not given:
        return parse_size(text)
    method, _, batch = run.partition("@")
    return method, whole(batch), parse_size(taken)


def run_memory(arguments: argparse.Namespace) -> int:
    """Run the command `memory`: print Table 2 and all further memory, by method, and the largest batch that fits; return 0."""
    from bounds.dp_grape.memory import fit_activations, memory

    given = {name: getattr(arguments, name) for name in ("model", "r", "bytes")}
    activations = arguments.activations or 0
    if isinstance(activations, tuple):
        method, batch, taken = activations
        try:
            activations = fit_activations(method, **given, batch=batch, measured=taken)
        except ValueError as error:
            raise ValueError(f"activations: {error}") from None
    found = memory("dp_grape", **given, batch=arguments.batch, activations=activations, memory=arguments.memory)
    if arguments.json or arguments.latex:
        print(found.json() if arguments.json else found.latex())
        return 0
    rows = found.rows()
    if arguments.csv:
        from figures.style import csv_text

        print(csv_text(rows), end="")
        return 0
    from theory_lab.tables import console, print_rows

    names = [name for name in rows[0] if name.startswith("Table 2")]
    print_rows("Table 2 of the paper: numbers", [{"method": one["method"], **{name[8:]: one[name] for name in names}} for one in rows])
    words = f"memory of {found.model}, r = {found.r}, batch {found.batch}, {found.bytes} bytes per number, in GB"
    print_rows(words, [row_in_gigabytes(one, found.bytes) for one in rows], digits=4)
    for note in found.notes():
        console().print(f"- {note}.")
    return 0


def row_in_gigabytes(row: Mapping[str, Any], width: int) -> dict[str, Any]:
    """Return a row with its memory in GB; `width` is the bytes per number. Columns of Table 2 are left out."""
    found = {}
    for name, value in row.items():
        if not name.startswith("Table 2"):
            unit = 1 if name.endswith(", bytes") else width
            found[name.removesuffix(", bytes")] = value * unit / 1e9 if isinstance(value, int) and name != "fits" else value
    return found
