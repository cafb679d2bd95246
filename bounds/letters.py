"""Symbols of all theorems: those that the papers share, and those that each paper adds. This module does not need SymPy."""

from collections.abc import Iterator

from bounds.letter import Letter
from bounds.pages.store import lab_pages
from bounds.pages.symbols import glossary_entry
from bounds.papers import PAPERS


def page_symbols(key: str) -> tuple[Letter, ...]:
    """Return the symbols that a page declares, as glossary entries; () if there is no such page."""
    return tuple(map(glossary_entry, lab_pages().page(key).declared.values())) if key in lab_pages().files else ()


def declared_symbols(paper: str) -> Iterator[Letter]:
    """Yield the symbols that a paper adds to the shared ones, as glossary entries."""
    shared = {one.name for one in SHARED}
    for one in (*page_symbols(f"{paper}.symbols"), *page_symbols(f"{paper}.plain_symbols")):
        if one.name not in shared:
            yield one


SHARED = page_symbols("shared.symbols")
LETTERS = tuple({one.name: one for one in (*SHARED, *(one for paper in PAPERS for one in declared_symbols(paper)))}.values())
