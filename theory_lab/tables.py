"""Tables on the terminal: rows, verdicts and plans."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from bounds.plans.plan import Plan
    from paper_checks.verdict import Verdict


class PipeConsole(Console):
    """A console that raises BrokenPipeError when its output is closed, so that the command line decides the exit status."""

    def on_broken_pipe(self) -> None:
        """Raise BrokenPipeError: by default the process would end with status 1, which means that a verdict differs."""
        raise BrokenPipeError


def console() -> Console:
    """Return a `PipeConsole` of the terminal's width, or of 140 columns where the output is no terminal."""
    return PipeConsole(width=None if sys.stdout.isatty() else 140, highlight=False)


def print_rows(title: str, rows: Sequence[Mapping[str, Any]], digits: int = 5) -> None:
    """Print rows, dictionaries with the same keys, as a table; numbers are shown with `digits` digits."""
    table = Table(title=title)
    cells = [[value_text(value, digits) for value in row.values()] for row in rows]
    for name, column in zip(rows[0], zip(*cells, strict=True), strict=True):
        widest = max(len(cell) for cell in column)  # on a narrow terminal, headings wrap and numbers do not
        table.add_column(name.replace("_", " "), justify="right", min_width=widest)
    for line in cells:
        table.add_row(*line)
    console().print(table)


def value_text(value: Any, digits: int = 5) -> str:
    """Format a table value: a float to `digits` digits, an integer in full, NaN as "-", text unchanged."""
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    return "-" if math.isnan(value) else f"{value:.{digits}g}"


def print_verdicts(title: str, verdicts: Sequence[Verdict], *, evidence: bool) -> None:
    """Print key, outcome and result of every verdict, and mark unexpected outcomes; with `evidence`, print witnesses and numbers too."""
    from paper_checks.verdict import plain

    table = Table(title=title, show_lines=False)
    for heading in ("claim", "outcome", "result"):
        table.add_column(heading, overflow="fold")
    for verdict in verdicts:
        mark = "" if verdict.as_expected else f" (expected {verdict.claim.expected.value})"
        table.add_row(verdict.claim.key, f"{verdict.outcome.value}{mark}", verdict.finding.sentence)
    console().print(table)
    for verdict in verdicts if evidence else ():
        found = verdict.finding
        shown_too = {"witness": found.witness, "numbers": found.numbers if len(verdicts) <= 2 and not found.witness else {}}
        for name, values in shown_too.items():
            if values:
                console().print(
                    f"{name} of {verdict.claim.key}: {', '.join(f'{label} = {plain(value)}' for label, value in values.items())}"
                )


def print_summary(verdicts: Sequence[Verdict]) -> None:
    """Print a table of verdicts, one row per paper: the number of claims by outcome, and how many differ from the recorded verdict."""
    from paper_checks.verdict import Outcome, paper_of

    rows = []
    for paper in dict.fromkeys(paper_of(one.claim.key) for one in verdicts):
        mine = [one for one in verdicts if paper_of(one.claim.key) == paper]
        counts = {outcome.value: sum(one.outcome is outcome for one in mine) for outcome in Outcome}
        rows.append({"paper": paper, "claims": len(mine), **counts, "different": sum(not one.as_expected for one in mine)})
    print_rows("verdicts by paper", rows)


def print_plan(plan: Plan, opening: Sequence[str] = ()) -> None:
    """Print a plan: its opening sentences, a table of its variants side by side, and its caveats."""
    out = console()
    for sentence in opening:
        out.print(sentence)
    head, *groups = plan.rows()
    table = Table(title=f"{plan.method}: " + ", ".join(f"{name} = {value:g}" for name, value in plan.problem.items()))
    for heading in head[0]:
        table.add_column(str(heading), justify="right" if heading else "left")
    for rows in groups:
        table.add_section()
        for words, *values in rows:
            table.add_row(
                str(words), *(value_text(float(value) if isinstance(value, int) and abs(value) >= 1e7 else value) for value in values)
            )
    out.print(table)
    for said in getattr(plan, "said", plan.caveats):  # a user's own plan may have caveats only
        out.print(f"- {said}")
