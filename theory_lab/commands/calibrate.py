"""The command ``theory-lab calibrate``: options and output of the noise multiplier for private training."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from types import ModuleType

from theory_lab.methods.record import Option, needed, whole

DESCRIBED = (
    "Print the noise multiplier with which training on clipped gradients is (epsilon, delta)-differentially private: the deviation of the "
    "noise on the sum of a batch, divided by the clipping norm, as in Opacus. Example: theory-lab calibrate --n 50000 --batch-size 500 "
    "--epochs 10 --epsilon 3 --delta 1e-5"
)
OPTIONS = (
    Option("n", "records", whole, required=True),
    Option("batch_size", "records in a batch, on average with Poisson sampling (default: all)", whole),
    Option("epochs", "passes over the data; or give --T", float),
    Option("T", "steps; or give --epochs", whole),
    *needed(epsilon="privacy", delta="privacy, well below 1/n"),
    Option("sampling", "how batches are drawn (default: a row for each)", choices=("poisson", "without_replacement", "shuffled", "full")),
    Option("neighbours", "in what neighbouring data sets differ (default: a row for each)", choices=("add_or_remove_one", "replace_one")),
)


def add_options(parser: argparse.ArgumentParser, modules: Sequence[ModuleType]) -> None:
    """Add the options of `theory-lab calibrate` to its parser."""
    for option in OPTIONS:
        option.add(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--latex", action="store_true", help="print a table for a paper")
    form.add_argument("--json", action="store_true", help="print the numbers as JSON")
    parser.set_defaults(run="theory_lab.commands.calibrate:run_calibrate")


def run_calibrate(arguments: argparse.Namespace) -> int:
    """Run the command `calibrate`: print what to set, and a row for each sampling and relation; return the exit status 0."""
    import theory_lab as lab

    found = lab.calibrate(**{one.name: getattr(arguments, one.name) for one in OPTIONS})
    if arguments.json or arguments.latex:
        print(found.json() if arguments.json else found.latex())
        return 0
    from theory_lab.tables import console, print_rows

    first, *others = found.said
    console().print(first)
    print_rows("noise multipliers", found.rows())
    for said in others:
        console().print(f"- {said}")
    return 0
