"""The command line: ``theory-lab COMMAND``. Heavy libraries are imported by the command that needs them."""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from bounds.strict_json import strict_json
from theory_lab import (
    auditing,
    calibrating,
    computing,
    contract_checking,
    counting,
    drawing,
    estimating,
    explaining,
    listing,
    predicting,
    recommending,
    recommending_page,
    starting,
    sweeping,
)
from theory_lab.interrupts import signals_as_interrupts
from theory_lab.methods import all_methods, figure_options, figures_by_name
from theory_lab.methods.record import Method, Told, resolved
from theory_lab.nearest import suggestion_text
from theory_lab.own import call_checked, error_sentence
from theory_lab.progress import progress_callback

if TYPE_CHECKING:
    from types import ModuleType


class Parser(argparse.ArgumentParser):
    """An argument parser that reports an error in one line, suggests the nearest valid name, and exits with status 2."""

    def error(self, message: str) -> NoReturn:
        """Print the error message on stderr, with the nearest valid name for an invalid choice, and exit with status 2."""
        if found := re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)$", message):
            message += suggestion_text(found[1], re.findall(r"[^\s',]+", found[2]))
        print(f"theory-lab: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments as argparse does, but report unknown options here, with the nearest option that this parser knows."""
        found, rest = super().parse_known_args(args, namespace)
        if rest:
            options = [one[2:] for one in self._option_string_actions if one.startswith("--")]
            hint = next(
                (said for one in rest if one.startswith("-") and (said := suggestion_text(one.lstrip("-").split("=")[0], options, "--"))),
                "",
            )
            self.error(f"unrecognized arguments: {' '.join(rest)}{hint}")
        return found, rest


class VersionAction(argparse.Action):
    """The action of --version: print the versions of the lab and of its libraries, and exit."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """Print the versions and exit. They are looked up only now, because that is slow."""
        from bounds.origin import NAME, installed_versions, source_commit

        found = installed_versions()
        print(f"theory-lab {found.pop(NAME)} (commit {source_commit()})")
        print(", ".join(f"{name} {number}" for name, number in found.items()))
        parser.exit()


def build_parser(modules: Sequence[ModuleType] = ()) -> argparse.ArgumentParser:
    """Return the argument parser of all commands; `modules` are the user's own imported files, whose methods and theorems are added."""
    methods = all_methods(modules)
    top = Parser(
        allow_abbrev=False,
        prog="theory-lab",
        description="Simulate, evaluate, check and redraw the theorems of differentially private optimisation.",
    )
    top.add_argument(
        "--module",
        metavar="FILE",
        help="your own Python file, whose methods, theorems, objectives and claims are added; may stand after the command too",
    )
    top.add_argument(
        "--version",
        action=VersionAction,
        nargs=0,
        help="print the versions of the lab, of Python and of the libraries that numbers depend on",
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)

    pictures = figures_by_name(methods.values())
    figure = commands.add_parser("figure", help="redraw figures of the papers", description="Redraw figures of the papers.")
    figure.add_argument("names", nargs="+", metavar="NAME", choices=tuple(pictures), help=", ".join(pictures))
    figure.add_argument("--preview", action="store_true", help="run a smaller experiment, in about a minute")
    figure.add_argument("--out", type=Path, default=Path("out/figures"), metavar="DIR", help="folder for the files (default: %(default)s)")
    figure.add_argument(
        "--store",
        type=Path,
        metavar="FILE",
        help="file that keeps results of finished cells; the same command resumes from it "
        f"(default, by paper: {', '.join(dict.fromkeys(one.store for one in pictures.values()))})",
    )
    computing.add_options(figure)
    for option in figure_options(pictures).values():
        option.add(figure)
    figure.add_argument("--json", action="store_true", help="print the files and the rows as JSON")
    figure.set_defaults(run=drawing.run_figure, known=pictures)

    simulate = commands.add_parser("simulate", help="run a method on an objective", description="Run a method on an objective.")
    simulated = simulate.add_subparsers(dest="method", required=True, metavar="METHOD", parser_class=Parser)
    advise = commands.add_parser(
        "recommend",
        help="recommend parameters, with what they guarantee",
        description="Recommend parameters: as the paper prints them, and with the sharpest bounds that are proved.",
    )
    advised = advise.add_subparsers(dest="method", required=True, metavar="METHOD", parser_class=Parser)
    for key, theorem in recommending_page.page_theorems(modules).items():
        recommending_page.add_options(advised.add_parser(key, help=theorem.title, description=f"What {key} prescribes."), theorem)
    predict = commands.add_parser("predict", help=predicting.WORDS, description=f"{predicting.WORDS.capitalize()}, without data.")
    predicted = predict.add_subparsers(dest="method", required=True, metavar="METHOD", parser_class=Parser)
    for one in methods.values():
        if one.law:
            predicting.add_options(
                predicted.add_parser(
                    one.name, help=one.words, description=f"Predict runs of {one.name} on a quadratic, in distribution and without data."
                ),
                one,
            )
        leaf = simulated.add_parser(one.name, help=one.words, description=one.described)
        if one.kind:
            names = tuple(one.kind.table)
            leaf.add_argument("--objective", choices=names, default=names[0], help="objective: %(choices)s (default: %(default)s)")
        for option in one.options:
            option.add(leaf)
        leaf.add_argument("--json", action="store_true", help="print the result as JSON")
        leaf.set_defaults(run=run_simulate, record=one)
        if one.plans:
            leaf = advised.add_parser(one.name, help=one.plans.words, description=one.plans.described)
            recommending.add_options(leaf, one)

    calibrating.add_options(commands.add_parser("calibrate", help=calibrating.WORDS, description=calibrating.DESCRIBED))

    auditing.add_options(commands.add_parser("audit", help=auditing.WORDS, description=auditing.DESCRIBED), methods)

    estimate = commands.add_parser("estimate", help=estimating.WORDS, description=estimating.DESCRIBED)
    estimating.add_options(estimate, methods)

    sweeping.add_options(commands.add_parser("sweep", help=sweeping.WORDS, description=sweeping.DESCRIBED))

    for name, words_, text in (
        (
            "check",
            "check the claims of a paper",
            "Check claims. The verdict is PROVED, CONSISTENT, REFUTED, INCONCLUSIVE or NOT_TESTABLE, with evidence. Prints a summary by "
            "paper and the verdicts that differ from the recorded ones; for a few claims, all verdicts. Status 1 if a verdict differs, 3 "
            "if claims could not be checked.",
        ),
        (
            "report",
            "check the claims and write a page about them",
            "Check claims and write one self-contained HTML page, about one paper or about several.",
        ),
    ):
        check = commands.add_parser(name, help=words_, description=text)
        check.add_argument(
            "select", nargs="*", metavar="SELECT", help="a paper, the beginning of a key, or a pattern with * (default: all)"
        )
        check.add_argument("--quick", action="store_true", help="run smaller searches and simulations, in about a minute")
        check.add_argument("--html", type=Path, metavar="FILE", required=name == "report", help="write the page to this file")
        check.add_argument(
            "--module",
            metavar="FILE",
            help="your own Python file with claims: without SELECT only these are checked, with SELECT those that it selects among all",
        )
        computing.add_options(check)
        check.add_argument(
            "--store",
            type=Path,
            metavar="FILE",
            help="file that keeps verdicts; the same command continues an unfinished run (default: results/checks.sqlite)",
        )
        check.add_argument(
            "--reuse",
            action="store_true",
            help="take verdicts of finished runs from the store too: those of the same code, and quick or full like this run",
        )
        if name == "check":
            check.add_argument(
                "--verbose", action="store_true", help="print every verdict, not only those that differ from the recorded ones"
            )
        check.add_argument("--json", action="store_true", help="print the verdicts as JSON")
        check.set_defaults(run="theory_lab.checking:run_check")

    contract_checking.add_command(commands, methods)
    held = "the memory that training a model needs, by method"
    counting.add_options(commands.add_parser("memory", help=f"print {held}", description=f"Print {held}. {counting.FORMAT}"))

    show = commands.add_parser(
        "show",
        help="print a theorem, a claim, an erratum, a symbol or anything else that has a name",
        description="Print the entry of a key. For a theorem: assumptions, schedule, bound and source. For a claim: its recorded verdict.",
    )
    show.add_argument(
        "key",
        metavar="KEY",
        help="name, such as dpzero.theorem3, dpzero.E2, dpzero.lemma_2_2.any_epsilon, ell, dp_zoso, dpzero-1, vit-base",
    )
    show.add_argument(
        "--proof",
        action="store_true",
        help="print the steps of its derivation too; with --json only these, in the format that paper_checks.recheck_export reads",
    )
    show.add_argument(
        "--loose",
        choices=("problems", "quadratic", "worst"),
        help="print how loose it is instead. problems: against the lab's sharper theorems on a grid of problems. quadratic: its descent "
        "part against the exact mean on quadratics. worst: the lab's theorem against the worst instance found (a minute)",
    )
    show.add_argument(
        "--page",
        action="store_true",
        help="print the page: statement and proof as they are written; of your own Python, a page to start from",
    )
    show.add_argument("--tree", action="store_true", help="print the tree of the page as JSON")
    show.add_argument("--script", action="store_true", help="print plain Python that computes the witness of a false claim without the lab")
    form = show.add_mutually_exclusive_group()
    form.add_argument("--latex", action="store_true", help="print the statement, or the table, in LaTeX")
    form.add_argument("--csv", action="store_true", help="print the table of --loose as CSV")
    form.add_argument("--json", action="store_true", help="print the statement, or the table, as JSON")
    show.set_defaults(run="theory_lab.showing:run_show")

    listing_words = "what the lab has, by kind"
    listing.add_options(commands.add_parser("list", help=f"print {listing_words}", description=listing.DESCRIBED))
    starting.add_options(commands.add_parser("new", help=starting.WORDS, description=starting.DESCRIBED))
    explaining.add_options(commands.add_parser("explain", help="explain a word or a symbol", description=explaining.DESCRIBED))
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    0    done, or the reader of the output closed it (for check, check-method and audit, where 0 is an answer, then 141)
    1    a verdict differs from the recorded one, an audit refutes the declared privacy, or a contract of a method fails
    2    the call was wrong
    3    processes that computed died repeatedly
    130  interrupted (in general 128 plus the number of the signal)
    """
    try:
        return run_command(argv)
    except BrokenPipeError:  # the reader of the output, such as head, has closed it
        discard_stdout()
        words = sys.argv[1:] if argv is None else argv
        return 128 + signal.SIGPIPE if {"check", "audit", "check-method"} & set(words) else 0  # 0 would mean that all is as expected
    except KeyboardInterrupt:  # while a user's file was imported
        print("theory-lab: interrupted", file=sys.stderr)
        return 128 + signal.SIGINT


def run_command(argv: Sequence[str] | None) -> int:
    """Parse the command line, run its command, and return the exit status.

    What the command printed is flushed here, so that a closed output is noticed here.
    """
    try:
        modules, words = load_user_files(sys.argv[1:] if argv is None else argv)
        check_plan_options(all_methods(modules), words)
        arguments = build_parser(modules).parse_args(words)
        arguments.own = modules
        if getattr(arguments, "module", None):
            raise ValueError(f"module = {arguments.module!r}: write the option --module in full")
    except BrokenPipeError:
        raise
    except Exception as error:
        return print_error(error)
    finally:  # --help prints and exits above
        sys.stdout.flush()
    came: list[int] = []
    try:
        with signals_as_interrupts() as came:
            status = int(resolved(arguments.run)(arguments))
            sys.stdout.flush()
            return status
    except BrokenPipeError:
        raise
    except Exception as error:
        if isinstance(error, OSError):
            discard_stdout()
        return print_error(error)
    except KeyboardInterrupt:
        store = getattr(arguments, "store", None)
        kept = f"; finished work is kept in {store}, the same command resumes" if store else ""
        if argv is None:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # a second Ctrl-C, while workers end, prints no traceback
        print(f"theory-lab: interrupted{kept}", file=sys.stderr)
        return 128 + (came[0] if came else signal.SIGINT)


def print_error(error: Exception) -> int:
    """Print an error as one sentence on stderr and return 2; raise it again if it is an internal error of the lab."""
    said = error_sentence(error)
    if not said:
        raise error
    print(f"theory-lab: {said}", file=sys.stderr)
    return 2


def check_plan_options(methods: Mapping[str, Method], words: Sequence[str]) -> None:
    """Raise ValueError, with the reason, where the arguments `words` ask for a plan or a batch size that the method does not have.

    The two cases are `simulate METHOD --plan` and `recommend METHOD --batch-size`.
    """
    method = methods.get(words[1]) if len(words) > 1 else None
    if words[:1] == ["recommend"]:
        recommending.check_batch_option(method, words)
    if words[:1] == ["simulate"] and method and method.unplanned and any(word.partition("=")[0] == "--plan" for word in words):
        raise ValueError(f"plan: {method.unplanned}")


def load_user_files(words: Sequence[str]) -> tuple[list[ModuleType], list[str]]:
    """Split the command line: import the user's files given by `--module FILE`, or as pages, and return (modules, other arguments).

    The option may stand before or after the command. What the files define is known to every command.
    """
    files, others, rest = list[Path](), list[str](), iter(words)
    takes_pages = words[:1] and words[0] in ("check", "report", "show", "recommend")
    needs_key = words[:1] and words[0] in ("show", "recommend")  # the key of the first page; further pages are only loaded
    for word in rest:
        name, given, file = word.partition("=")
        if takes_pages and word.endswith(".page") and not (others[-1].startswith("-") and "=" not in others[-1]):
            files.append(Path(word))
            others += _page_key(Path(word))[: None if words[0] == "show" else 1] if needs_key else []
            needs_key = False
        elif name != "--module":
            others.append(word)
        elif found := file if given else next(rest, ""):
            files.append(Path(found))
        else:
            raise ValueError("module = '': the name of a Python file is needed")
    if not files:
        return [], others
    from theory_lab.own import load_files

    return load_files(files), others


def _page_key(file: Path) -> list[str]:
    """Return the arguments that name the first statement of a page file: its key, followed by `--proof` if it is a lemma.

    Raises ValueError for a file that cannot be read.
    """
    from bounds.pages.store import HEAD

    try:
        found = HEAD.search(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"key = {str(file)!r}: the page cannot be read ({error})") from error
    return [found[1], *(["--proof"] if found[0].startswith("lemma") else [])] if found else [str(file)]


def discard_stdout() -> None:
    """Redirect stdout to the null device, so that output that is still buffered is discarded."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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


if __name__ == "__main__":
    sys.exit(main())
