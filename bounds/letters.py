"""Symbols of all theorems: those that the papers share, and those that each paper adds. This module does not need SymPy."""

from collections.abc import Iterator

from bounds.letter import Letter
from bounds.pages.store import lab
from bounds.pages.symbols import letter
from bounds.papers import PAPERS


def of_page(key: str) -> tuple[Letter, ...]:
    """Return the symbols that a page declares, as glossary entries; () if there is no such page."""
    return tuple(map(letter, lab().page(key).declared.values())) if key in lab().files else ()


def declared(paper: str) -> Iterator[Letter]:
    """Yield the symbols that a paper adds to the shared ones, as glossary entries."""
    shared = {one.name for one in SHARED}
    for one in (*of_page(f"{paper}.symbols"), *of_page(f"{paper}.plain_symbols")):
        if one.name not in shared:
            yield one


SHARED = of_page("shared.symbols")
LETTERS = tuple({one.name: one for one in (*SHARED, *(one for paper in PAPERS for one in declared(paper)))}.values())
