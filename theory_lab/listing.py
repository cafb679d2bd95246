"""``theory-lab list``: what the lab has, by kind; and the names of one kind, each with a line on what it is."""

from __future__ import annotations

import argparse
import fnmatch
import sys
from collections.abc import Sequence
from shutil import get_terminal_size

from bounds.strict_json import strict_json
from theory_lab.catalogue import KINDS, Entry, catalogue
from theory_lab.nearest import meant

FORMER = {"checks": "claims", "glossary": "words", "letters": "symbols", "method": "methods"}  # other names of a kind
DESCRIBED = "Print what the lab has: its kinds with counts, or the names of one kind, each with a line on what it is."
PATTERN = "only names that contain this text, or match it with * and ?, or whose lines contain it; of several, all must fit"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Give the command its options."""
    parser.add_argument("kind", nargs="?", metavar="KIND", help=f"{', '.join(KINDS)} (default: all kinds with counts)")
    parser.add_argument("pattern", nargs="*", metavar="PATTERN", help=PATTERN)
    parser.add_argument("--json", action="store_true", help="print the names as JSON; of one kind, each with its line")
    parser.set_defaults(run="theory_lab.listing:run_list")


def run_list(arguments: argparse.Namespace) -> int:
    """Print the kinds, or the names of one kind."""
    known = catalogue(arguments.own)
    if arguments.kind is None:
        by_kind = {kind: [one.name for one in known.of(kind)] for kind in KINDS}
        print(strict_json(by_kind) if arguments.json else overview(by_kind))
        return 0
    kind = kind_of(arguments.kind)
    chosen = known.of(kind)
    for pattern in arguments.pattern:
        names = [one.name for one in chosen]
        chosen = matching(chosen, pattern)
        if not chosen:
            raise ValueError(f"pattern = {pattern!r}: none of the {len(names)} {kind} matches it{meant(pattern, names)}")
    if arguments.json:
        print(strict_json([{"name": one.name, "is": one.words} for one in chosen]))
        return 0
    width = get_terminal_size().columns if sys.stdout.isatty() else 0
    print("\n".join(lines(chosen, width)))
    return 0


def kind_of(word: str) -> str:
    """Return the kind that a word names, in the singular too; raises ValueError where it names none."""
    for one in (word.lower(), f"{word.lower()}s", FORMER.get(word.lower(), "")):
        if one in KINDS:
            return one
    raise ValueError(f"kind = {word!r}: one of {', '.join(KINDS)} is needed{meant(word, KINDS)}")


def overview(by_kind: dict[str, list[str]]) -> str:
    """Return the kinds, each with how many there are, what they are and how to go on."""
    rows = [(kind, str(len(names)), *KINDS[kind]) for kind, names in by_kind.items()]
    widths = [max(len(row[k]) for row in rows) for k in range(3)]
    table = [f"{a:<{widths[0]}}  {b:>{widths[1]}}  {c:<{widths[2]}}  {d}" for a, b, c, d in rows]
    below = (
        "theory-lab list KIND names those of a kind, theory-lab list KIND PATTERN those that match, such as: theory-lab list errata dpzero"
    )
    return "\n".join([*table, "", below])


def matching(found: Sequence[Entry], pattern: str) -> list[Entry]:
    """Return the entries whose name contains or matches a pattern, and then those whose line, or claims of an erratum, contain it."""
    text = pattern.lower()
    if any(sign in text for sign in "*?"):
        return [one for one in found if fnmatch.fnmatchcase(one.name.lower(), text)]
    named = [one for one in found if text in one.name.lower()]
    return named + [one for one in found if one not in named and text in f"{one.words} {claims_of(one)}".lower()]


def claims_of(one: Entry) -> str:
    """Return the claims that an erratum names."""
    return str(one.more["claims"]) if one.kind == "errata" else ""


def lines(found: Sequence[Entry], width: int) -> list[str]:
    """Return a line for each entry, its name and what it is, cut to a width where that is not 0."""
    broad = min(max(len(one.name) for one in found), 44)
    whole = [f"{one.name:<{broad}}  {one.words}".rstrip() for one in found]
    return [shorten_end(line, width) for line in whole] if width else whole


def shorten_end(line: str, width: int) -> str:
    """Return a line that is no longer than a width, with ... where it was cut; its leading columns stay."""
    return line if len(line) <= width else line[: width - 3].rstrip() + "..."
