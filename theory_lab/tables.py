"""Tables on the terminal."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from bounds.recommend import Plan
    from paper_checks.verdict import Verdict


def console() -> Console:
    """Return a console of the terminal's width, or of 140 columns where there is no terminal."""
    return Console(width=None if sys.stdout.isatty() else 140, highlight=False)


def print_rows(title: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows with the same keys."""
    table = Table(title=title)
    for name in rows[0]:
        table.add_column(name.replace("_", " "), justify="right")
    for row in rows:
        table.add_row(*(shown(value) for value in row.values()))
    console().print(table)


def shown(value: Any) -> str:
    """Return a number with five digits, an integer whole, "-" for nan."""
    if isinstance(value, int):
        return f"{value:,}"
    return "-" if math.isnan(value) else f"{value:.5g}"


def print_verdicts(verdicts: Sequence[Verdict]) -> None:
    """Print key, outcome and result of every verdict; an outcome that the ledger does not expect is marked."""
    table = Table(title="verdicts", show_lines=False)
    for heading in ("claim", "outcome", "result"):
        table.add_column(heading, overflow="fold")
    for verdict in verdicts:
        mark = "" if verdict.as_expected else f" (expected {verdict.claim.expected.value})"
        table.add_row(verdict.claim.key, f"{verdict.outcome.value}{mark}", verdict.finding.sentence)
    console().print(table)


def print_plan(plan: Plan) -> None:
    """Print both plans side by side, what a misjudged constant does, and the caveats."""
    out = console()
    table = Table(title=f"{plan.method}: " + ", ".join(f"{name} = {value:g}" for name, value in plan.problem.items()))
    for heading in ("", "as printed", "sharp"):
        table.add_column(heading, justify="right" if heading else "left")
    for name in ("alpha", "T", "C", "lam", "sigma"):
        table.add_row(name, shown(getattr(plan.printed, name)), shown(getattr(plan.sharp, name)))
    table.add_section()
    table.add_row("theorem", plan.printed.theorem, plan.sharp.theorem)
    table.add_row("bounds", plan.printed.measure, plan.sharp.measure)
    table.add_row("formula", shown(plan.printed.bound), shown(plan.sharp.bound))
    table.add_row("certified at this T", shown(plan.printed.certified), shown(plan.sharp.certified))
    table.add_section()
    for one in plan.misjudged:
        table.add_row(f"if the true {one.constant} is twice as large", shown(one.printed), shown(one.sharp))
    out.print(table)
    for caveat in plan.caveats:
        out.print(f"- {caveat}")
