"""The command ``theory-lab predict``: options and output. It is apart from prediction.py, which loads slowly, to keep --help fast."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from theory_lab.methods import all_methods
from theory_lab.spectra import read_spectrum

SHOWN = 12  # number of times in the table on the terminal
DESCRIBED = (
    "Predict runs on a quadratic, at any dimension, without data. A method of your own needs a linear_step, see `declare` in "
    "docs/howto/method.md."
)


def add_options(parser: argparse.ArgumentParser, modules: Sequence[ModuleType]) -> None:
    """Add a parser for each method whose runs can be predicted; `modules` are the user's own files."""
    methods = parser.add_subparsers(dest="method", required=True, metavar="METHOD", parser_class=type(parser))
    known = all_methods(modules).values()
    unfit = "{} declares no linear_step, which a prediction needs; `theory-lab simulate {}` runs it on data"
    of: Any = parser  # of class `Parser`
    of.unfit = {one.name: unfit.format(one.name, one.name) for one in known if not one.law}
    for one in (one for one in known if one.law):
        described = f"Predict runs of {one.name} on a quadratic, in distribution and without data."
        leaf = methods.add_parser(one.name, help=one.words, description=described)
        for option in one.law:
            option.add(leaf)
        form = leaf.add_mutually_exclusive_group()
        form.add_argument("--csv", action="store_true", help="print the trajectory as CSV")
        form.add_argument("--json", action="store_true", help="print the numbers as JSON")
        leaf.set_defaults(run="theory_lab.commands.predict:run_predict", record=one)


def run_predict(arguments: argparse.Namespace) -> int:
    """Run the command `predict`: print start, end and trajectory of the four measures, or CSV or JSON; return the exit status 0."""
    import theory_lab as lab

    given: dict[str, Any] = {one.name: getattr(arguments, one.name) for one in arguments.record.law}
    for name in arguments.record.law_settings:
        if given[name] is None:  # its default is the declaration's
            del given[name]
    file = given.pop("spectrum_file")
    if file is not None and given["spectrum"] is not None:
        raise ValueError(f"spectrum = {given['spectrum']!r}: --spectrum-file gives it too; leave one of the two out")
    given["spectrum"] = read_spectrum(file) if file is not None else given["spectrum"] or "inverse"
    found = lab.predict(arguments.record, **given)
    if arguments.json:
        print(found.json())
        return 0
    rows = found.rows()
    if arguments.csv:
        from figures.style import csv_text

        print(csv_text(rows), end="")
        return 0
    from theory_lab.tables import console, print_rows

    print_rows(found.title, found.ends())
    every = -(-(len(rows) - 1) // SHOWN)
    some = [rows[0], *rows[len(rows) - 1 : 0 : -every][::-1]]
    names = [row["measure"] for row in found.ends()]
    print_rows("means after t steps", [{"t": row["t"], **{name: row[name] for name in names}} for row in some])
    notes = []
    if "sigma" in found.settings:
        by = {
            "lemma": ", by Lemma 2.2 of DPZero as printed; --accountant exact gives the least that is enough",
            "exact": ", the least possible",
        }
        notes = [f"sigma = {found.settings['sigma']:.6g}{by.get(found.settings.get('accountant', ''), '')}."]
    for said in (*notes, *found.remarks):
        console().print(f"- {said}")
    return 0
