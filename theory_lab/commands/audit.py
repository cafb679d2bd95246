"""The command ``theory-lab audit``: options and output. It is apart from attacking.py, which loads slowly, to keep --help fast."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from theory_lab.methods import METHODS, all_methods
from theory_lab.methods.record import Method, Option, assigned, needed, whole

DESCRIBED = (
    "Run a private method many times on two neighbouring data sets and compute a lower bound of epsilon from all that is released. The "
    "bound holds with the stated confidence. Status 1 if it is above the declared epsilon, which is then false; else 0."
)
OPTIONS = (
    *needed(epsilon="declared epsilon", delta="declared delta; 0 is allowed where sigma is given, or the noise has no delta"),
    Option("T", "number of steps; needed for a method, while a part such as an oracle has a default", whole),
    Option("n", "number of records; needed for a method. With full batches a few are enough: more only make the noise smaller", whole),
    Option("C", "clipping threshold (default: 1)", float),
    Option(
        "sigma", "standard deviation, per coordinate, of the noise on the mean over a step's records (default: from the accountant)", float
    ),
    Option("runs", "runs on each of the two data sets (default: %(default)s)", whole, default=100_000),
    Option("seed", "seed of the draws (default: %(default)s)", whole, default=0),
    Option("confidence", "probability with which the result holds (default: %(default)s)", float, default=0.99),
    Option(
        "more",
        "a further setting of the method or part, a number or a word; the error about a wrong NAME lists the right ones",
        flag="--with",
        metavar="NAME=VALUE",
        many=True,
    ),
)


def add_options(parser: argparse.ArgumentParser, modules: Sequence[ModuleType]) -> None:
    """Add the options of `theory-lab audit` to its parser; `modules` are the user's own files."""
    names = auditable_methods(all_methods(modules))
    parser.add_argument("method", metavar="METHOD", choices=tuple(names), help=f"a private method or a part of one: {', '.join(names)}")
    for option in OPTIONS:
        option.add(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--latex", action="store_true", help="print a table for a paper")
    form.add_argument("--json", action="store_true", help="print the numbers as JSON")
    parser.set_defaults(run="theory_lab.commands.audit:run_audit", known=names)


def auditable_methods(methods: Mapping[str, Method]) -> dict[str, Method]:
    """Return all names that can be audited, methods and their parts, each with the record of its method."""
    return {**methods, **{part: one for one in methods.values() for part in one.parts}}


def is_number(text: str) -> bool:
    """Return whether float() accepts a text, such as 0.5, 1e-5, inf or nan."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def run_audit(arguments: argparse.Namespace) -> int:
    """Run the command `audit`: print the certified epsilon and remarks; return 1 if the declared privacy is refuted, else 0."""
    import theory_lab as lab

    name, record = arguments.method, arguments.known[arguments.method]
    given: dict[str, Any] = {one.name: getattr(arguments, one.name) for one in OPTIONS if not one.many}
    if bare := [pair for pair in arguments.more if not all(pair.partition("="))]:
        raise ValueError(f"--with {bare[0]}: NAME=VALUE is needed")
    more = assigned(arguments.more, {pair.partition("=")[0] for pair in arguments.more if not is_number(pair.partition("=")[2])})
    if twice := min(more.keys() & given.keys(), default=""):
        raise ValueError(f"--with {twice}={more[twice]}: use the option --{twice} instead")
    found = lab.audit(name if name in auditable_methods(METHODS) else record, **given, **more)
    if arguments.json or arguments.latex:
        print(found.json() if arguments.json else found.latex())
    else:
        from theory_lab.tables import console, print_rows

        print_rows(found.title, found.rows())
        for said in found.remarks:
            console().print(f"- {said}")
    return int(found.convicted)
