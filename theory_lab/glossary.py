"""The glossary: words, from words.txt, and what is said of symbols besides their meaning, from symbols.txt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Word:
    """A word of the glossary: its name, other spellings, what it means in plain sentences, and the words to read next."""

    name: str
    others: tuple[str, ...]
    text: str
    see: tuple[str, ...]


@cache
def words() -> tuple[Word, ...]:
    """Return the words of the glossary, in alphabetical order."""
    text = (files("theory_lab") / "words.txt").read_text(encoding="utf-8")
    return tuple(word(block) for block in re.split(r"\n\s*\n", text.strip()))


def word(block: str) -> Word:
    """Return the word of a block of words.txt; raises ValueError for a block that is not of its form."""
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
    """Return for symbols that a user gives or reads: unit, values that are allowed, and what other papers call them ("" where nothing)."""
    text = (files("theory_lab") / "symbols.txt").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")] for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {name: (unit, values, "" if others == "-" else others) for name, unit, values, others in rows}
