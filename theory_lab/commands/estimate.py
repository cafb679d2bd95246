"""The command ``theory-lab estimate``: options and output. It is apart from estimation.py, which loads slowly, to keep --help fast."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from bounds.strict_json import strict_json
from theory_lab import spectra
from theory_lab.methods import all_methods
from theory_lab.methods.record import Kind, Method, Option, assigned, whole, worded

DESCRIBED = (
    "Estimate L, ell, r, gap and other constants from values and gradients of an objective, which should be of public data. The results "
    "are estimates and no bounds. With --plan, parameters are recommended with them, and the plan says so."
)
OBJECTIVE = (
    Option(
        "spectrum",
        f"eigenvalues, for an objective that takes them: {spectra.WORDS} (default: inverse)",
        spectra.parse_spectrum,
        metavar="NAME|FILE",
    ),
    Option("d", "dimension (for matrix_factorisation: number of rows)", whole, required=True),
    Option("n", "number of samples; for an objective with saddles, of samples that are drawn", whole, required=True),
    Option("more", "an argument of the objective", flag="--with", metavar="NAME=VALUE", many=True),
)
LOOK = (
    Option("radius", "radius of the random points around a descent (default: the length of the descent)", float),
    Option("places", "number of random points (default: %(default)s)", whole, default=8),
    Option("samples", "largest number of samples that are used (default: %(default)s)", whole, default=10_000),
    Option("seed", "seed of data and draws (default: %(default)s)", whole, default=0),
    Option("factor", "safety factor of at least 1 by which the constants are made worse (default: %(default)s)", float, default=1.0),
)
BUDGET = (Option("epsilon", "privacy, for --plan", float), Option("delta", "privacy, for --plan", float))
GIVEN = Option("given", "a further argument of `recommend`, such as r=2 for DP-GRAPE, or a known constant", metavar="NAME=VALUE", many=True)


def add_options(parser: argparse.ArgumentParser, modules: Sequence[ModuleType]) -> None:
    """Add the options of `theory-lab estimate` to its parser; `modules` are the user's own files."""
    methods = all_methods(modules)
    table = objective_kinds(methods)
    parser.add_argument("--objective", choices=tuple(table), required=True, help="%(choices)s")
    planned = {name: one for name, one in methods.items() if one.plans and one.kind}
    for option in (*OBJECTIVE, *LOOK):
        option.add(parser)
    parser.add_argument("--plan", choices=tuple(planned), help="recommend parameters of this method with the estimates: %(choices)s")
    for option in (*BUDGET, GIVEN):
        option.add(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--latex", action="store_true", help="print a table for a paper, and with --plan a second one")
    form.add_argument("--json", action="store_true", help="print the numbers as JSON, with --plan as estimate and plan")
    parser.set_defaults(run="theory_lab.commands.estimate:run_estimate", known=(table, planned))


def objective_kinds(methods: Mapping[str, Method]) -> dict[str, Kind]:
    """Return the kind of every objective that some method runs on, by the objective's name."""
    found: dict[str, Kind] = {}
    for one in methods.values():
        for name in one.kind.table if one.kind else ():
            found.setdefault(name, one.kind)  # type: ignore[arg-type]  # it has a table, so it is there
    return found


def build_objective(arguments: argparse.Namespace, kind: Kind) -> Any:
    """Return the objective that the command line names, built with its spectrum, d, n, seed and `--with` arguments."""
    known = {
        "spectrum": spectra.expand_spectrum(arguments.spectrum or "inverse"),
        "d": arguments.d,
        "n": arguments.n,
        "seed": arguments.seed,
    }
    if arguments.spectrum and "spectrum" not in kind.takes:
        raise ValueError(f"spectrum = {arguments.spectrum!r}: {arguments.objective} takes no spectrum; leave it out")
    constructor = kind.made(arguments.objective)
    return kind.built(arguments.objective, *(known[name] for name in kind.takes), **assigned(arguments.more, worded(constructor)))


def plan_arguments(pairs: Sequence[str], record: Method) -> dict[str, Any]:
    """Return the arguments of `recommend` that `--given NAME=VALUE` sets, converted by the options of the plans of `record`."""
    assert record.plans is not None
    options, found = {one.name: one for one in record.plans.options}, dict[str, Any]()
    for pair in pairs:
        name, _, text = pair.partition("=")
        if name not in options or not text:
            raise ValueError(f"given = {pair!r}: NAME=VALUE is needed, and the plans of {record.name} take {', '.join(options)}")
        one = options[name]
        try:
            found[name] = one.kind(text)
        except (ValueError, argparse.ArgumentTypeError) as error:
            raise ValueError(f"given = {pair!r}: {error}") from None
        if one.choices and found[name] not in one.choices:
            raise ValueError(f"given = {pair!r}: one of {', '.join(one.choices)} is needed")
    return found


def run_estimate(arguments: argparse.Namespace) -> int:
    """Run the command `estimate`: print the estimated constants, and with --plan the plan that uses them; return the exit status 0."""
    import theory_lab as lab
    from theory_lab.progress import progress_callback

    table, planned = arguments.known
    kind = table[arguments.objective]
    budget = {name: getattr(arguments, name) for name in ("epsilon", "delta")}
    if arguments.plan is None:
        for name, value in {**budget, "given": arguments.given or None}.items():
            if value is not None:
                raise ValueError(f"{name} = {value!r}: it is for --plan only; give --plan too, or leave it out")
    elif missing := [f"--{name}" for name, value in budget.items() if value is None]:
        raise ValueError(f"plan = {arguments.plan!r}: {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} needed with it")
    drawn = {} if "n" in kind.takes else {"n": arguments.n}
    look: dict[str, Any] = {one.name: getattr(arguments, one.name) for one in LOOK}
    found = lab.estimate(build_objective(arguments, kind), **look, **drawn, progress=progress_callback("estimate"))
    plan = None
    if arguments.plan:
        record = planned[arguments.plan]
        given = {**budget, **drawn, **plan_arguments(arguments.given, record)}
        if arguments.objective in record.kind.table:  # `recommend` reports an objective of another kind
            record.plans.need(record.name, found.estimated, given, "--given {name}=VALUE too")
        plan = lab.recommend(record, found, **given)
    if arguments.json:
        told = found.json()
        print(told if plan is None else strict_json({"estimate": json.loads(told), "plan": json.loads(plan.json())}))
        return 0
    if arguments.latex:
        print("\n\n".join([found.latex(), *([] if plan is None else [plan.latex()])]))
        return 0
    from theory_lab.tables import console, print_plan, print_rows

    print_rows(found.title, found.rows())
    print_rows("evaluated points", found.visited())
    for said in found.remarks:
        console().print(f"- {said}")
    if plan is not None:
        print_plan(plan)
    return 0
