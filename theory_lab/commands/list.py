"""The command ``theory-lab list``: the kinds of things that the lab has, with counts, or the names of one kind, with a line each."""

from __future__ import annotations

import argparse
import fnmatch
import sys
from collections.abc import Sequence
from shutil import get_terminal_size
from types import ModuleType

from bounds.strict_json import strict_json
from theory_lab.catalogue import KINDS, Entry, catalogue
from theory_lab.nearest import suggestion_text

FORMER = {"checks": "claims", "glossary": "words", "letters": "symbols", "method": "methods"}  # earlier or other names of kinds
DESCRIBED = "Print what the lab has: its kinds with counts, or the names of one kind, each with a line on what it is."
PATTERN = "only names that contain this text, or match it with * and ?, or whose lines contain it; of several, all must fit"


def add_options(parser: argparse.ArgumentParser, modules: Sequence[ModuleType]) -> None:
    """Add the options of `theory-lab list` to its parser."""
    parser.add_argument("kind", nargs="?", metavar="KIND", help=f"{', '.join(KINDS)} (default: all kinds with counts)")
    parser.add_argument("pattern", nargs="*", metavar="PATTERN", help=PATTERN)
    parser.add_argument("--json", action="store_true", help="print the names as JSON; of one kind, each with its line")
    parser.set_defaults(run="theory_lab.commands.list:run_list")


def run_list(arguments: argparse.Namespace) -> int:
    """Run the command `list`: print all kinds with counts, or the names of one kind; return the exit status 0."""
    known = catalogue(arguments.own)
    if arguments.kind is None:
        by_kind = {kind: [one.name for one in known.of(kind)] for kind in KINDS}
        print(strict_json(by_kind) if arguments.json else kinds_table(by_kind))
        return 0
    kind = find_kind(arguments.kind)
    chosen = known.of(kind)
    for pattern in arguments.pattern:
        names = [one.name for one in chosen]
        chosen = matching_entries(chosen, pattern)
        if not chosen:
            raise ValueError(f"pattern = {pattern!r}: none of the {len(names)} {kind} matches it{suggestion_text(pattern, names)}")
    if arguments.json:
        print(strict_json([{"name": one.name, "is": one.words} for one in chosen]))
        return 0
    width = get_terminal_size().columns if sys.stdout.isatty() else 0
    print("\n".join(entry_lines(chosen, width)))
    return 0


def find_kind(word: str) -> str:
    """Return the kind that a word names, in singular, plural or its earlier name; raise ValueError for any other word."""
    for one in (word.lower(), f"{word.lower()}s", FORMER.get(word.lower(), "")):
        if one in KINDS:
            return one
    raise ValueError(f"kind = {word!r}: one of {', '.join(KINDS)} is needed{suggestion_text(word, KINDS)}")


def kinds_table(by_kind: dict[str, list[str]]) -> str:
    """Return a table as text, one line per kind: its number of names, its meaning, and a command for more."""
    rows = [(kind, str(len(names)), *KINDS[kind]) for kind, names in by_kind.items()]
    widths = [max(len(row[k]) for row in rows) for k in range(3)]
    table = [f"{a:<{widths[0]}}  {b:>{widths[1]}}  {c:<{widths[2]}}  {d}" for a, b, c, d in rows]
    below = (
        "theory-lab list KIND names those of a kind, theory-lab list KIND PATTERN those that match, such as: theory-lab list errata dpzero"
    )
    return "\n".join([*table, "", below])


def matching_entries(found: Sequence[Entry], pattern: str) -> list[Entry]:
    """Return the entries whose name matches a pattern, then those whose line, or whose claims if they are errata, contain it."""
    text = pattern.lower()
    if any(sign in text for sign in "*?"):
        return [one for one in found if fnmatch.fnmatchcase(one.name.lower(), text)]
    named = [one for one in found if text in one.name.lower()]
    return named + [
        one for one in found if one not in named and text in f"{one.words} {one.more['claims'] if one.kind == 'errata' else ''}".lower()
    ]


def entry_lines(found: Sequence[Entry], width: int) -> list[str]:
    """Return one line per entry, its name and what it is, cut to `width` characters; 0 means no limit."""
    broad = min(max(len(one.name) for one in found), 44)
    whole = [f"{one.name:<{broad}}  {one.words}".rstrip() for one in found]
    return [truncate_line(line, width) for line in whole] if width else whole


def truncate_line(line: str, width: int) -> str:
    """Return a line cut to `width` characters, with ... at its end if it was longer."""
    return line if len(line) <= width else line[: width - 3].rstrip() + "..."
