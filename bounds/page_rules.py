"""What a page may say beyond its grammar: the rules of the section "What a page means" in `docs/reference/page-language.md`.

broken(page)     a mistake for each rule that a page breaks, with its place
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from bounds.page_tokens import Mistake, nearest

if TYPE_CHECKING:
    from bounds.page_store import Declared, Page

TAKEN = ("from", "defined", "case", "meaning")
LINE_SECTIONS = ("where", "schedule", "assume", "any_schedule", "conditions", "given", "proof")
RELATED = ("next", "first", "last", "average")


def broken(page: Page) -> Iterator[Mistake]:
    """Yield a mistake for every rule that a page breaks; names that nothing declares are not looked at."""
    yield from _symbols(page)
    yield from _relations(page)
    yield from _definitions(page)
    yield from _lines(page)
    yield from _parts(page)


def place(page: Page, name: str) -> tuple[int, int]:
    """Return line and column where a page names something first, in a formula or as an item."""
    for number, line in enumerate(page.read.text.split("\n"), start=1):
        if found := re.search(rf"(?<![A-Za-z0-9_.]){re.escape(name)}(?![A-Za-z0-9_])", line.partition("--")[0]):
            return number, found.start() + 1
    return 3, 1


def _symbols(page: Page) -> Iterator[Mistake]:
    pages = [one for one in page.used if one.kind == "symbols"]
    owners: dict[str, str] = {}
    for one in (*pages, page):
        for name in one.declared:
            if owners.setdefault(name, one.key) != one.key:
                yield Mistake(*place(page, name), f"{name!r} is a symbol of {owners[name]} and of {one.key}: another name is needed")
    for name in {*page.symbols} & {*page.lets}:
        yield Mistake(*place(page, name), f"{name!r} is a symbol and a definition of 'let': another name is needed")
    known = Counter(one.known_as for one in page.symbols.values())
    for name, symbol in page.symbols.items():
        if known[symbol.known_as] > 1:
            yield Mistake(*place(page, name), f"{name!r} is passed as {symbol.known_as}, and so is another symbol: one name each is needed")


def _relations(page: Page) -> Iterator[Mistake]:
    averages = Counter(one.domain["average"] for one in page.symbols.values() if "average" in one.domain)
    for name, one in page.symbols.items():
        related = {relation: one.domain[relation] for relation in RELATED if relation in one.domain}
        for other in related.values():
            if other not in page.symbols:
                yield Mistake(*place(page, other), f"{other!r} is no symbol{nearest(other, page.symbols)}")
        if related and "step" not in one.domain:
            yield Mistake(*place(page, name), f"{name!r} has {', '.join(related)}: declare it 'of a step'")
        if {"next", "first", "last"} & {*related} and not {"next", "first", "last"} <= {*related}:
            yield Mistake(*place(page, name), f"{name!r} has a part of next, first and last: all three are needed")
        if averages[related.get("average", "")] > 1:
            yield Mistake(*place(page, name), f"{related['average']!r} is the average of another symbol as well: one name each is needed")


def _definitions(page: Page) -> Iterator[Mistake]:
    seen: list[str] = []
    formula = page.head("bound", "formula") or page.head("privacy", "formula") or [""]
    for section, kinds in (("where", ("abbreviations", "choices")), ("schedule", ("choices",))):
        for _, item in page.quoted(section):
            name, relation, _value = item["formula"]
            declared: Declared | None = page.symbols.get(name)
            if declared is None:
                yield Mistake(*place(page, name), f"{name!r} is no symbol of this page{nearest(name, page.symbols)}")
            elif declared.section not in (*kinds, "symbols"):
                yield Mistake(*place(page, name), f"{name!r} stands in {declared.section!r}: {section!r} cannot define it")
            elif name == formula[0]:
                yield Mistake(*place(page, name), f"{name!r} is what the bound is about: it cannot be defined by the statement")
            elif name in seen and item["name"] == name:
                yield Mistake(*place(page, name), f"{name!r} is defined twice: once is needed")
            elif relation == "<=" and section == "where":
                yield Mistake(*place(page, name), f"{name!r}: '<=' belongs to the schedule, '=' is needed")
            seen.append(name)


def _lines(page: Page) -> Iterator[Mistake]:
    names = Counter(name for section in LINE_SECTIONS for name in dict.fromkeys(_named(page, section)))
    for name, count in names.items():
        if count > 1:
            yield Mistake(*place(page, name), f"{count} lines are named {name!r}: another name is needed")
    for item in page.items("given"):
        if "reason" in item and item["reason"]["kind"] in ("by", "equal", "inserting", "average"):
            yield Mistake(*place(page, item["name"]), f"{item['name']!r} is made, not taken: it belongs to 'proof'")


def _named(page: Page, section: str) -> list[str]:
    return [str(item["name"]) for _, item in page.quoted(section) if section != "conditions" or "scope" not in item]


def _parts(page: Page) -> Iterator[Mistake]:
    if page.items("proof") and not page.head("proof", "names"):
        for item in page.items("parts"):
            if "shown" not in item and "number" not in item:
                yield Mistake(*place(page, item["name"]), f"the part {item['name']!r} is shown by no line: 'shown by LINE' is needed")
    lines = {str(item["name"]) for section in ("given", "proof") for _, item in page.quoted(section)}
    for item in page.items("parts"):
        if "shown" in item and item["shown"] not in lines:
            yield Mistake(*place(page, item["shown"]), f"{item['shown']!r} is no line of the proof{nearest(item['shown'], lines)}")
    line: Any = page.head("per_step", "line")
    if line and line not in lines:
        yield Mistake(*place(page, line), f"{line!r} is no line of the proof{nearest(line, lines)}")
