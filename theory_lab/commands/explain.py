"""The command ``theory-lab explain WORD``: the glossary of words and symbols."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from types import ModuleType

from bounds.strict_json import strict_json
from theory_lab.catalogue import Entry, catalogue
from theory_lab.nearest import normalise_name, suggestion_text

DESCRIBED = "Explain a word of the field or of the lab, or a symbol of its formulas."


def add_options(parser: argparse.ArgumentParser, modules: Sequence[ModuleType]) -> None:
    """Add the options of `theory-lab explain` to its parser."""
    parser.add_argument("word", nargs="+", metavar="WORD", help="a word or a symbol, such as noise multiplier, sharp, ell")
    parser.add_argument("--json", action="store_true", help="print the entries as JSON")
    parser.set_defaults(run="theory_lab.commands.explain:run_explain")


def run_explain(arguments: argparse.Namespace) -> int:
    """Run the command `explain`: print the glossary entries of a word or symbol; return the exit status 0."""
    asked = " ".join(arguments.word)
    known = catalogue(arguments.own).of("symbols", "words")
    found = find_entries(asked, known)
    if not found:
        names = [name for one in known for name in spellings(one)]
        raise ValueError(
            f"word = {asked!r}: the glossary does not have it{suggestion_text(asked, names)}; theory-lab list words names its words"
        )
    print(strict_json([one.more for one in found]) if arguments.json else "\n\n".join(map(entry_text, found)))
    return 0


def find_entries(asked: str, known: list[Entry]) -> list[Entry]:
    """Return the glossary entries for a word or symbol, words first.

    They are those with exactly this spelling; else those equal up to capitals, hyphens and plurals; else the words that contain it as a
    separate word, as PL inequality contains PL.
    """
    ordered = sorted(known, key=lambda one: one.kind != "words")
    wanted = {normalise_name(asked), normalise_name(asked).removesuffix("s")}
    exact = [one for one in ordered if asked in spellings(one)]
    alike = [one for one in ordered if wanted & {normalise_name(name) for name in spellings(one)}]
    within = [one for one in ordered if one.kind == "words" and asked.lower() in one.name.lower().split()]
    return exact or alike or within


def spellings(one: Entry) -> list[str]:
    """Return the spellings of an entry: its name, its other names, and the name of its LaTeX command."""
    also = [name.strip() for name in one.more.get("also", "").split(",") if name.strip()]
    latex = one.more.get("LaTeX", "").strip("\\")
    return [one.name, *also, *([latex] if latex.isalpha() else [])]


def entry_text(one: Entry) -> str:
    """Format a glossary entry as text: a word with its explanation, or a symbol with its facts."""
    if one.kind == "symbols":
        return facts_text(one.more)
    head = one.name + (f" ({one.more['also']})" if "also" in one.more else "")
    below = [f"See also: {one.more['see']}."] if "see" in one.more else []
    return "\n".join(
        [head, *(textwrap.fill(part, 100, initial_indent="    ", subsequent_indent="    ") for part in (one.more["means"], *below))]
    )


def facts_text(more: dict[str, str]) -> str:
    """Format a dictionary as text, one line "label  value" per entry."""
    broad = max(map(len, more)) + 2
    lines = {label: said.replace("\n", "\n" + " " * broad) for label, said in more.items()}
    return "\n".join(f"{label:<{broad}}{said}" for label, said in lines.items())
