"""The command ``theory-lab recommend``: plans at one epsilon or several, as a table, JSON, LaTeX, CSV or a picture."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from theory_lab.commands import recommend_page as recommending_page
from theory_lab.methods import all_methods
from theory_lab.methods.record import Method, Plans
from theory_lab.own import call_checked
from theory_lab.progress import progress_callback

if TYPE_CHECKING:
    from bounds.plans.side_by_side import Several

NEEDED = ("method", "problem", "caveats", "rows", "json", "latex")  # attributes that a user's own plan must have


def parse_numbers(text: str) -> float | tuple[float, ...]:
    """Parse a text as a number, or "0.5,1,2" as a tuple of numbers."""
    try:
        found = tuple(float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: a number, or several joined by commas, is needed") from None
    return found[0] if len(found) == 1 else found


DESCRIBED = "Recommend parameters: as the paper prints them, and with the sharpest bounds that are proved."


def add_options(parser: argparse.ArgumentParser, modules: Sequence[ModuleType]) -> None:
    """Add a parser for each method that has plans, and for each theorem of the user's own pages among the files `modules`."""
    methods = parser.add_subparsers(dest="method", required=True, metavar="METHOD", parser_class=type(parser))
    for key, theorem in recommending_page.page_theorems(modules).items():
        recommending_page.add_options(methods.add_parser(key, help=theorem.title, description=f"What {key} prescribes."), theorem)
    for one in all_methods(modules).values():
        if one.plans:
            add_plan_options(methods.add_parser(one.name, help=one.plans.words, description=one.plans.described), one, one.plans)


def add_plan_options(parser: Any, record: Method, plans: Plans) -> None:
    """Add the options of `theory-lab recommend METHOD` to its parser: those of its plans, and the output format."""
    if plans.unbatched:
        parser.refused = {"--batch-size": f"batch_size: {plans.unbatched}"}
    for option in plans.options:
        several = option.name == "epsilon" and option.kind is float
        (
            replace(option, kind=parse_numbers, help=f"{option.help}; or several, joined by commas, for a table with a row for each")
            if several
            else option
        ).add(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--latex", action="store_true", help="print a table for a paper")
    form.add_argument("--csv", action="store_true", help="print a row for each epsilon and variant as CSV")
    form.add_argument("--json", action="store_true", help="print the plan as JSON; for several epsilon, a list of plans")
    words = "for several epsilon, draw what each variant certifies; the file name ends in .png, .svg or .pdf"
    parser.add_argument("--picture", type=Path, metavar="FILE", help=words)
    parser.set_defaults(run="theory_lab.commands.recommend:run_recommend", record=record)


def run_recommend(arguments: argparse.Namespace) -> int:
    """Run the command `recommend`: print the plan with its caveats, or a row per epsilon and variant; return the exit status 0."""
    plans = arguments.record.plans
    given = {one.name: getattr(arguments, one.name) for one in plans.options}
    what, progress = f"plans of {arguments.method}", progress_callback(f"plans of {arguments.method}")
    epsilon = given.get("epsilon")
    many = isinstance(epsilon, tuple)
    if arguments.picture is not None:
        if not many:
            raise ValueError(f"picture = {str(arguments.picture)!r}: several epsilon are needed for a picture, such as --epsilon 0.5,1,2,4")
        from figures.plans import check_path

        check_path(arguments.picture)

    def call(*names: Any, **problem: Any) -> Any:
        return call_checked(what, plans.call_for(problem), "the name of the method", *names, **problem)

    if many or arguments.csv:
        from bounds.plans.side_by_side import several

        all_of = given.pop("epsilon") if many else (given.pop("epsilon"),)
        return print_plans(several(call, all_of, arguments.method, progress=progress, watched=plans.watched, **given), arguments)
    if plans.watched:
        given["progress"] = progress
    plan = call(arguments.method, **given)
    if lacking := [name for name in NEEDED if not hasattr(plan, name)]:
        raise ValueError(f"{what}: a plan that has {', '.join(lacking)} is needed, not {plan!r:.80}")
    if arguments.json or arguments.latex:
        print(plan.json() if arguments.json else plan.latex())
        return 0
    from theory_lab.opening import opening_sentences, replanning_function
    from theory_lab.tables import print_plan

    print_plan(plan, opening_sentences(plan, replanning_function(call, arguments.method, given), given))
    return 0


def print_plans(found: Several, arguments: argparse.Namespace) -> int:
    """Print plans for several epsilon in the requested format, draw them if a picture is requested, and return the exit status 0."""
    if arguments.picture is not None:
        from figures.plans import write_picture

        write_picture(found, arguments.picture)
        print(f"theory-lab: wrote {arguments.picture}", file=sys.stderr)
    if arguments.json or arguments.latex:
        print(found.json() if arguments.json else found.latex())
    elif arguments.csv:
        from figures.style import csv_text

        print(csv_text(found.records()), end="")
    else:
        from theory_lab.tables import console, print_rows

        print_rows(found.title, found.rows(), digits=4)
        for said in found.said:
            console().print(f"- {said}")
    return 0
