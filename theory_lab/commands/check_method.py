"""The command ``theory-lab check-method``: options and output. It is apart from contracts.py, which loads slowly, to keep --help fast."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from theory_lab.commands.audit import is_number
from theory_lab.commands.estimate import objective_kinds
from theory_lab.methods import METHODS, all_methods
from theory_lab.methods.record import Kind, Option, assigned

DESCRIBED = (
    "Run the loop of a method on a small objective and check what every method must do: the same seed gives the same run, in pieces too; "
    "one replaced record moves a step by at most 2 C / n; and others. Of an objective, check gradients and constants. Status 1 if a "
    "contract fails, else 0."
)
OPTIONS = (
    Option(
        "more",
        "a setting of the method, a number or a word, where its default is not meant; of an objective, an argument",
        flag="--with",
        metavar="NAME=VALUE",
        many=True,
    ),
    Option("exceptions", "a contract that it is not meant to pass, and why", flag="--except", metavar="CONTRACT=REASON", many=True),
)
SIZES = {"spectrum": "inverse", "d": 6, "n": 30, "seed": 0}  # of an objective


def add_options(parser: argparse.ArgumentParser, modules: Sequence[ModuleType]) -> None:
    """Add the options of `theory-lab check-method` to its parser; `modules` are the user's own files."""
    methods = all_methods(modules)
    kinds = objective_kinds(methods)
    parser.add_argument(
        "name", metavar="NAME", choices=(*methods, *kinds), help=f"a method: {', '.join(methods)}; or an objective: {', '.join(kinds)}"
    )
    for option in OPTIONS:
        option.add(parser)
    parser.add_argument("--json", action="store_true", help="print the results as JSON, with the numbers that reproduce a failure")
    parser.set_defaults(run="theory_lab.commands.check_method:run_check_method", known=(methods, kinds))


def run_check_method(arguments: argparse.Namespace) -> int:
    """Run the command `check-method`: print a row for each contract; return 1 if one failed, else 0."""
    import theory_lab as lab

    methods, kinds = arguments.known
    exceptions = split_pairs("--except", arguments.exceptions)
    words = {name for name, text in split_pairs("--with", arguments.more).items() if not is_number(text)}
    more = assigned(arguments.more, words)
    if arguments.name in methods:
        name = arguments.name
        found = lab.check_method(name if METHODS.get(name) is not None else methods[name], exceptions=exceptions, **more)
    else:
        found = lab.check_objective(build_small_objective(arguments.name, kinds[arguments.name], more), exceptions=exceptions)
    if arguments.json:
        print(found.json())
        return int(bool(found.failed))
    from theory_lab.tables import console, print_rows

    short = [{**row, "found": row["found"] if row["outcome"] == "passed" else "see below"} for row in found.rows()]
    print_rows(found.title, short)
    for one in found.failed:
        where = ", ".join(f"{name} = {value}" for name, value in one.where.items())
        said = f"- {one.contract} failed: {one.reason}. Demanded is that {one.demands}. Seen at {where or 'the record'}."
        console().print(said, markup=False)
    for reason in dict.fromkeys(one.reason for one in found if one.outcome == "does not apply"):
        names = ", ".join(one.contract for one in found if one.outcome == "does not apply" and one.reason == reason)
        console().print(f"- Not applied: {names}. Reason: {reason}.", markup=False)
    return int(bool(found.failed))


def split_pairs(option: str, pairs: Sequence[str]) -> dict[str, str]:
    """Return the texts NAME=VALUE of an option as a dictionary; raise ValueError for one that is incomplete."""
    if bare := [pair for pair in pairs if not all(pair.partition("="))]:
        raise ValueError(f"{option} {bare[0]}: NAME=VALUE is needed")
    return {name: value for name, _, value in (pair.partition("=") for pair in pairs)}


def build_small_objective(name: str, kind: Kind, more: Mapping[str, Any]) -> Any:
    """Return the objective of this name in a small size, with further arguments `more`, which replace those of SIZES."""
    given = {**SIZES, **{one: value for one, value in more.items() if one in kind.takes}}
    return kind.built(name, *(given[one] for one in kind.takes), **{one: value for one, value in more.items() if one not in kind.takes})
