"""The commands `theory-lab check` and `theory-lab report`: check claims, print the verdicts, write the report."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from bounds.strict_json import strict_json
from theory_lab.own import select_claims
from theory_lab.progress import RateLimit, progress_printer
from theory_lab.sweeps.computing import add_options as add_computing
from theory_lab.sweeps.computing import check_options, open_workers

if TYPE_CHECKING:
    from paper_checks.verdict import Claim, Verdict
    from paper_checks.verdict_store import VerdictStore

FEW = 12  # largest number of claims for which every verdict is printed with its evidence


DESCRIBED = {
    "check": "Check claims. The verdict is PROVED, CONSISTENT, REFUTED, INCONCLUSIVE or NOT_TESTABLE, with evidence. Prints a summary by "
    "paper and the verdicts that differ from the recorded ones; for a few claims, all verdicts. Status 1 if a verdict differs, 3 if claims "
    "could not be checked.",
    "report": "Check claims and write one self-contained HTML page, about one paper or about several.",
}


def add_options(parser: argparse.ArgumentParser, modules: Sequence[ModuleType]) -> None:
    """Add the options of `theory-lab check` or `theory-lab report` to its parser."""
    report = parser.prog.endswith(" report")
    parser.add_argument("select", nargs="*", metavar="SELECT", help="a paper, the beginning of a key, or a pattern with * (default: all)")
    parser.add_argument("--quick", action="store_true", help="run smaller searches and simulations, in about a minute")
    parser.add_argument("--html", type=Path, metavar="FILE", required=report, help="write the page to this file")
    parser.add_argument(
        "--module",
        metavar="FILE",
        help="your own Python file with claims: without SELECT only these are checked, with SELECT those that it selects among all",
    )
    add_computing(parser)
    parser.add_argument(
        "--store",
        type=Path,
        metavar="FILE",
        help="file that keeps verdicts; the same command continues an unfinished run (default: results/checks.sqlite)",
    )
    parser.add_argument(
        "--reuse",
        action="store_true",
        help="take verdicts of finished runs from the store too: those of the same code, and quick or full like this run",
    )
    if not report:
        parser.add_argument("--verbose", action="store_true", help="print every verdict, not only those that differ from the recorded ones")
    parser.add_argument("--json", action="store_true", help="print the verdicts as JSON")
    parser.set_defaults(run="theory_lab.commands.check:run_check")


def run_check(arguments: argparse.Namespace) -> int:
    """Run the command `check` or `report` on the selected claims and return the exit status.

    0 all verdicts are as recorded; 1 a verdict differs; 3 claims could not be checked, and nothing was printed or written.
    """
    from figures.files import prepare_folder
    from paper_checks.run import BrokenRun, claims_to_check
    from paper_checks.verdict_store import VerdictStore
    from synthetic.sweeps.store import Store, StoreError

    check_options(arguments)
    claims = select_claims(arguments.own, arguments.select)
    if arguments.html:
        prepare_folder("html", arguments.html.parent, arguments.html)
    wanted = claims_to_check(claims, full=not arguments.quick)
    arguments.left_out = len(claims) - len(wanted)
    if not wanted:
        raise ValueError(f"select = {' '.join(arguments.select)!r}: these claims are checked in a full run only; leave --quick out")
    arguments.store = arguments.store or Path("results/checks.sqlite")  # set here, because the message after an interrupt names it
    try:
        with Store(arguments.store) as store, open_workers(arguments) as arguments.workers:
            return check_and_print(arguments, wanted, VerdictStore(store, full=not arguments.quick))
    except StoreError as error:
        raise ValueError(str(error)) from None
    except BrokenRun as error:
        kept = (
            f"; the other {len(error.verdicts)} verdicts are kept in {arguments.store}, the same command continues"
            if error.verdicts
            else ""
        )
        print(f"theory-lab: {error}{kept}", file=sys.stderr)
        return 3


def check_and_print(arguments: argparse.Namespace, wanted: Sequence[Claim], journal: VerdictStore) -> int:
    """Check the claims, print or write the verdicts, and return 1 if one differs from the recorded verdict, else 0.

    The run is marked as finished in the store, unless the check of a claim broke off.
    """
    from paper_checks.run import BROKEN_OFF, check_claims, count_outcomes

    began = time.perf_counter()
    unfinished, reused, words = journal.stored_findings(wanted), {}, ""
    if unfinished:
        print(f"theory-lab: {len(unfinished)} of {len(wanted)} verdicts are from an unfinished run, {arguments.store}", file=sys.stderr)
    if arguments.reuse:
        reused = journal.stored_findings([claim for claim in wanted if claim.key not in unfinished], finished=True)
        words = f"{len(reused)} of {len(wanted)} verdicts are reused"
        words += f": the same code found them, {time_span(one.when for one in reused.values())}" if reused else ""
        print(f"theory-lab: {words}, {arguments.store}", file=sys.stderr)
    known = {key: (one.finding, one.seconds) for key, one in (unfinished | reused).items()}
    show = verdict_progress()

    def tell(done: int, total: int, verdict: Verdict) -> None:
        journal.store_finding(verdict)
        show(done, total, verdict)

    verdicts = check_claims(wanted, full=not arguments.quick, workers=arguments.workers, progress=tell, known=known)
    if arguments.html:
        from figures.files import atomic_path, unwritable_error
        from theory_lab.report.page import report_page

        seconds, said = time.perf_counter() - began, words if reused else ""
        html = report_page(verdicts, seconds=seconds, full=not arguments.quick, resumed=len(unfinished), reused=said, modules=arguments.own)
        try:
            with atomic_path(arguments.html) as part:
                part.write_text(html, encoding="utf-8")
        except OSError as error:
            raise unwritable_error("html", arguments.html, error) from None
        print(f"theory-lab: wrote {arguments.html}", file=sys.stderr)
    if arguments.json:
        print(strict_json([verdict.json() for verdict in verdicts]))
    elif arguments.command == "check":
        from theory_lab.tables import print_summary, print_verdicts

        if arguments.verbose or len(verdicts) <= FEW:
            print_verdicts("verdicts", verdicts, evidence=len(verdicts) <= FEW)
        else:
            print_summary(verdicts)
            if differing := [one for one in verdicts if not one.as_expected]:
                print_verdicts("verdicts that differ from the recorded ones", differing, evidence=True)
    if not arguments.json:
        counts = count_outcomes(verdicts)
        unexpected = counts.pop("unexpected")
        words = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
        claims = "1 claim" if len(verdicts) == 1 else f"{len(verdicts)} claims"
        print(f"{claims}: {words}; {unexpected or 'none'} different from the recorded verdict ({time.perf_counter() - began:.0f} s)")
        if arguments.left_out:
            print(f"{arguments.left_out} more are checked without --quick only, which also tries harder: numbers of the two differ")
    broken = any(verdict.finding.sentence.startswith(BROKEN_OFF) for verdict in verdicts)
    if not broken and not journal.finish(wanted):
        said = "the sources of the lab are not files, or were changed during the run"
        print(f"theory-lab: {said}, so the verdicts are not kept", file=sys.stderr)
    return int(not all(verdict.as_expected for verdict in verdicts))


def time_span(times: Iterable[str]) -> str:
    """Return the first and the last of times such as "2026-11-27 17:31", as "2026-11-27 17:31 to 18:02 UTC"."""
    found = sorted(times)
    first, last = found[0], found[-1]
    day, _, minute = last.partition(" ")
    until = "" if first == last else f" to {minute if first.startswith(day) else last}"
    return f"{first}{until} UTC"


def verdict_progress() -> Callable[[int, int, Verdict], None]:
    """Return a callback (done, total, verdict) that shows the progress of a check on stderr."""
    tell, terminal, seldom = progress_printer(most=110), sys.stderr.isatty(), RateLimit()

    def show(done: int, total: int, verdict: Verdict) -> None:
        if terminal or seldom.is_due(done == total):
            mark = "" if verdict.as_expected else f" (expected {verdict.claim.expected.value})"
            bar = f"[{'#' * (20 * done // total):20}]  " if terminal else ""
            tell(f"{bar}{done}/{total}  {verdict.claim.key}: {verdict.outcome.value}{mark}, {verdict.seconds:.1f} s", done == total)

    return show
