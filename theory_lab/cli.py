"""The command line: ``theory-lab COMMAND``. Heavy libraries are imported by the command that needs them."""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from bounds.pages.contents import import_object
from theory_lab.interrupts import signals_as_interrupts
from theory_lab.nearest import suggestion_text

if TYPE_CHECKING:
    from types import ModuleType


class Parser(argparse.ArgumentParser):
    """An argument parser that reports an error in one line, suggests the nearest valid name, and exits with status 2.

    refused    options that another method has, and why this one does not have them, a sentence
    unfit      names that are known, and why they cannot stand here, a sentence
    """

    refused: Mapping[str, str] = {}  # commands replace these two, and change no entry
    unfit: Mapping[str, str] = {}

    def error(self, message: str) -> NoReturn:
        """Print the error message on stderr, with the nearest valid name for an invalid choice, and exit with status 2."""
        if found := re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)$", message):
            names = re.findall(r"[^\s',]+", found[2])
            ours = "; a method of your own needs --module FILE, and METHOD = declare(...) in it" if "argument METHOD" in message else ""
            message = self.unfit.get(found[1]) or message + (suggestion_text(found[1], names) or ours)
        print(f"theory-lab: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments as argparse does, but report unknown options here, with the nearest option that this parser knows.

        Raises ValueError for a refused option.
        """
        for word in args or ():
            if said := self.refused.get(word.partition("=")[0]):
                raise ValueError(said)
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


COMMANDS = {  # name of a command: what it does
    "figure": "redraw figures of the papers",
    "simulate": "run a method on an objective",
    "recommend": "recommend parameters, with what they guarantee",
    "predict": "predict runs on a quadratic, at any dimension",
    "calibrate": "the noise multiplier for private training",
    "audit": "attack a method's privacy: compute a lower bound of epsilon from runs",
    "estimate": "estimate the constants that a recommendation needs",
    "sweep": "run methods over a grid that a file describes",
    "check": "check the claims of a paper",
    "report": "check the claims and write a page about them",
    "check-method": "check a method, or an objective, by the contracts of the lab",
    "memory": "print the memory that training a model needs, by method",
    "show": "print a theorem, a claim, an erratum, a symbol or anything else that has a name",
    "list": "print what the lab has, by kind",
    "new": "write a commented start of a theorem of your own",
    "explain": "explain a word or a symbol",
}
TOGETHER = {"report": "check"}  # commands that another one's module has too


def command_module(name: str) -> ModuleType:
    """Import and return the module of a command, which has DESCRIBED and add_options."""
    return import_module(f"theory_lab.commands.{TOGETHER.get(name, name).replace('-', '_')}")


def build_parser(modules: Sequence[ModuleType] = (), only: str | None = None) -> argparse.ArgumentParser:
    """Return the argument parser of all commands.

    modules   the user's own imported files, whose methods and theorems are added
    only      the command whose options are needed, "" for none; the others are known by name, so that --help is fast. None: all
    """
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
    for name, words in COMMANDS.items():
        parser = commands.add_parser(name, help=words)
        if only in (None, name):
            command = command_module(name)
            parser.description = command.DESCRIBED[name] if isinstance(command.DESCRIBED, dict) else command.DESCRIBED
            command.add_options(parser, modules)
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
        arguments = build_parser(modules, words[0] if words else "").parse_args(words)
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
            status = int(import_object(arguments.run)(arguments))
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
    from theory_lab.own import error_sentence

    said = error_sentence(error)
    if not said:
        raise error
    print(f"theory-lab: {said}", file=sys.stderr)
    return 2


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


if __name__ == "__main__":
    sys.exit(main())
