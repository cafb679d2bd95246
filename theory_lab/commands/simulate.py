"""The command ``theory-lab simulate METHOD``: options of every method, and its result as tables or JSON."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from bounds.strict_json import strict_json
from theory_lab.methods import all_methods
from theory_lab.methods.record import Told
from theory_lab.own import call_checked
from theory_lab.progress import progress_callback

DESCRIBED = "Run a method on an objective."


def add_options(parser: argparse.ArgumentParser, modules: Sequence[ModuleType]) -> None:
    """Add a parser for each method, with its options; `modules` are the user's own files."""
    methods = parser.add_subparsers(dest="method", required=True, metavar="METHOD", parser_class=type(parser))
    for one in all_methods(modules).values():
        leaf: Any = methods.add_parser(one.name, help=one.words, description=one.described)
        if one.kind:
            names = tuple(one.kind.table)
            leaf.add_argument("--objective", choices=names, default=names[0], help="objective: %(choices)s (default: %(default)s)")
        for option in one.options:
            option.add(leaf)
        if one.unplanned:
            leaf.refused = {"--plan": f"plan: {one.unplanned}"}
        leaf.add_argument("--json", action="store_true", help="print the result as JSON")
        leaf.set_defaults(run="theory_lab.commands.simulate:run_simulate", record=one)


def run_simulate(arguments: argparse.Namespace) -> int:
    """Run the command `simulate`: simulate the method and print tables or JSON; return the exit status 0."""
    arguments.watched = {"progress": progress_callback(arguments.method)}
    what = f"the function simulated of the method {arguments.method}"
    told = call_checked(what, arguments.record.simulated, "the arguments of the command", arguments)
    if not isinstance(told, Told):
        raise ValueError(f"{what} returned {told!r:.80}; a theory_lab.methods.record.Told is needed")
    if arguments.json:
        try:
            print(strict_json(told.json))
        except TypeError as error:
            raise ValueError(f"{what} returned json with a value that JSON cannot hold ({error})") from error
        return 0
    from theory_lab.tables import print_rows

    for title, rows in told.tables:
        if not rows or any(row.keys() != rows[0].keys() for row in rows):
            raise ValueError(
                f"{what} returned a table {title!r} that has no rows, or rows with different keys; the same keys in all rows are needed"
            )
        print_rows(title, rows)
    for said in told.notes:
        print(f"- {said}")
    return 0
