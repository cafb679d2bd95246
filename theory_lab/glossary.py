"""The glossary: words with explanations, from words.txt, and facts about symbols, from symbols.txt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Word:
    """A word of the glossary: its name, other names, its explanation, and related words."""

    name: str
    others: tuple[str, ...]
    text: str
    see: tuple[str, ...]


@cache
def words() -> tuple[Word, ...]:
    """Return the words of the glossary, in alphabetical order."""
    text = (files("theory_lab") / "words.txt").read_text(encoding="utf-8")
    return tuple(parse_word(block) for block in re.split(r"\n\s*\n", text.strip()))


def parse_word(block: str) -> Word:
    """Parse one block of words.txt into a `Word`; raise ValueError for a block of another form."""
    head, *lines = block.splitlines()
    found = re.fullmatch(r"(?P<name>[^()]+?)(?: \((?P<others>[^()]*)\))?", head)
    if not found or not lines or not all(line.startswith("    ") for line in lines):
        raise ValueError(f"words.txt: {head!r} is not a word with indented sentences below it")
    see = lines[-1].strip().removeprefix("see:").split(",") if lines[-1].strip().startswith("see:") else []
    text = " ".join(line.strip() for line in (lines[:-1] if see else lines))
    others = tuple(one.strip() for one in (found["others"] or "").split(",") if one.strip())
    return Word(found["name"], others, text, tuple(one.strip() for one in see if one.strip()))


@cache
def symbol_facts() -> dict[str, tuple[str, str, str]]:
    """Return, by symbol, its unit, allowed values, and names in other papers, each "" where there is none, from symbols.txt."""
    text = (files("theory_lab") / "symbols.txt").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")] for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {name: (unit, values, "" if others == "-" else others) for name, unit, values, others in rows}
