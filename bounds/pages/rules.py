"""Rules of pages beyond the grammar: section "What a page means" in `docs/reference/page-language.md`.

`rule_mistakes`   yields a mistake, with its position, for each rule that a page breaks
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from bounds.pages.formulas import is_number, to_fraction
from bounds.pages.tokens import Mistake, nearest

if TYPE_CHECKING:
    from bounds.pages.store import DeclaredSymbol, Page

LINE_SECTIONS = ("where", "schedule", "assume", "any_schedule", "conditions", "given", "proof")
LARGEST_EXPONENT = 10_000
RELATED = ("next", "first", "last", "average")


def rule_mistakes(page: Page) -> Iterator[Mistake]:
    """Yield a mistake for every rule that a page breaks; names that nothing declares are checked elsewhere."""
    yield from _symbol_mistakes(page)
    yield from _range_mistakes(page)
    yield from _let_mistakes(page)
    yield from _assumption_mistakes(page)
    yield from _relation_mistakes(page)
    yield from _definition_mistakes(page)
    yield from _line_mistakes(page)
    yield from _part_mistakes(page)
    formula = page.head("bound", "formula")
    if formula and not formula[0] and not page.head("bound", "words"):
        yield Mistake(*source_position(page, "bound"), "a bound that names no symbol needs words: what is bounded")
    if page.is_own:
        yield from _word_mistakes(page)


def source_position(page: Page, name: str) -> tuple[int, int]:
    """Return (line, column) where a page first uses a name in a formula or as an item; (3, 1) if nowhere."""
    for number, line in enumerate(page.read.text.split("\n"), start=1):
        if found := re.search(rf"(?<![A-Za-z0-9_.]){re.escape(name)}(?![A-Za-z0-9_])", line.partition("--")[0]):
            return number, found.start() + 1
    return 3, 1


def _symbol_mistakes(page: Page) -> Iterator[Mistake]:
    """Yield a mistake for each wrong declaration of a symbol, and for each page that 'uses' may not name."""
    for one in page.used:
        if one.kind not in ("symbols", "facts"):
            yield Mistake(
                *source_position(page, one.key), f"{one.key} is a {one.kind}: symbols and facts are used, and lines are taken with 'from'"
            )
    pages = [one for one in page.used if one.kind == "symbols"]
    owners: dict[str, str] = {}
    for one in (*pages, page):
        for name in one.declared:
            if owners.setdefault(name, one.key) != one.key:
                yield Mistake(
                    *source_position(page, name), f"{name!r} is a symbol of {owners[name]} and of {one.key}: another name is needed"
                )
    if page.is_own:
        yield from _user_page_mistakes(page)
        theirs = page.store.lab_symbols
        for name, mine in page.declared.items():
            if found := theirs.get(name) or theirs.get(mine.known_as):
                yield Mistake(*source_position(page, name), f"{name!r} is a symbol of {found}: another name is needed")
    for name, mine in page.declared.items():
        if mine.section == "constants" and "step" in mine.domain:
            yield Mistake(*source_position(page, name), f"{name!r} is a constant: it cannot be 'of a step'")
    for name in {*page.symbols} & {*page.lets}:
        yield Mistake(*source_position(page, name), f"{name!r} is a symbol and a definition of 'let': another name is needed")
    known = Counter(one.known_as for one in page.symbols.values())
    for name, symbol in page.symbols.items():
        if known[symbol.known_as] > 1:
            yield Mistake(
                *source_position(page, name), f"{name!r} is passed as {symbol.known_as}, and so is another symbol: one name each is needed"
            )


def _user_page_mistakes(page: Page) -> Iterator[Mistake]:
    """Yield a mistake for each rule that a user's page breaks together with the user's pages that it rests on.

    A line that is taken from such a page is treated as if all of that page stood on this one.
    """
    for section in ("open", "instances"):
        if section in page.sections:
            yield Mistake(*source_position(page, section), f"the section {section!r} is for pages of the lab")
    for item in (*page.items("given"), *page.items("proof")):
        reason = item.get("reason", {})
        lemma = next((one for one in page.lemmas if one.is_own and one.key == reason.get("page")), None)
        if lemma is not None and reason.get("with"):
            yield Mistake(
                *source_position(page, lemma.key), f"symbols of {lemma.key} are not replaced: 'with' is for lines of the lab's pages"
            )
        if lemma is not None and lemma.lemmas:
            yield Mistake(
                *source_position(page, lemma.key), f"{lemma.key} takes lines from {lemma.lemmas[0].key}: only from pages that take none"
            )
    here = {one.known_as: one for one in page.symbols.values()}
    for key, other in page.user_pages.items():
        if other.kind == "facts":
            yield Mistake(
                *source_position(page, key), f"{key} is a page of facts of one's own: what is taken as given stands on the page itself"
            )
        for name, theirs in other.declared.items():
            mine = here.get(theirs.known_as)
            if mine is not None and mine != theirs:
                yield Mistake(
                    *source_position(page, name),
                    f"{name!r} is another symbol on {key}, on which this page rests: one declaration is needed",
                )
            if mine is None:
                said = f"{name!r}, a symbol of {key}, is none of this page, which rests on it: the same declaration is needed here"
                yield Mistake(*source_position(page, key), said)


def _relation_mistakes(page: Page) -> Iterator[Mistake]:
    """Yield a mistake for each wrong relation (next, first, last or average) between symbols of a page."""
    averages = Counter(one.domain["average"] for one in page.symbols.values() if "average" in one.domain)
    for name, one in page.symbols.items():
        related = {relation: one.domain[relation] for relation in RELATED if relation in one.domain}
        for other in related.values():
            if other not in page.symbols:
                yield Mistake(*source_position(page, other), f"{other!r} is no symbol{nearest(other, page.symbols)}")
        if related and "step" not in one.domain:
            yield Mistake(*source_position(page, name), f"{name!r} has {', '.join(related)}: declare it 'of a step'")
        for relation, other in related.items():
            symbol = page.symbols.get(other)
            if symbol is not None and relation != "next" and ("step" in symbol.domain or symbol.section not in ("quantities", "symbols")):
                yield Mistake(
                    *source_position(page, name), f"{other!r} is the {relation} of {name!r}: a quantity that is not of a step is needed"
                )
        if related.get("first", "") == related.get("last", " "):
            yield Mistake(*source_position(page, name), f"first and last of {name!r} are one symbol: two are needed")
        if {"next", "first", "last"} & {*related} and not {"next", "first", "last"} <= {*related}:
            yield Mistake(*source_position(page, name), f"{name!r} has a part of next, first and last: all three are needed")
        if averages[related.get("average", "")] > 1:
            yield Mistake(
                *source_position(page, name), f"{related['average']!r} is the average of another symbol as well: one name each is needed"
            )

    for name, one in page.declared.items() if page.is_own else ():
        others = [one.domain[relation] for relation in RELATED if relation in one.domain]
        for other in others:
            if other in page.symbols and other not in page.declared:
                yield Mistake(
                    *source_position(page, name), f"{name!r} is related to {other}, a symbol of the lab: one of this page is needed"
                )
        if averages.keys() & {one.domain.get("first"), one.domain.get("last")}:
            yield Mistake(*source_position(page, name), f"{name!r} has a first or last that is an average: another symbol is needed")
    runs = [one.domain for one in page.symbols.values() if "next" in one.domain]
    after, first, last = ({str(domain[relation]) for domain in runs} for relation in ("next", "first", "last"))
    for name in sorted((after & first) | (after & last) | (first & last)):
        yield Mistake(*source_position(page, name), f"{name!r} stands in two places of runs, as first and as last: one is needed")


def _range_mistakes(page: Page) -> Iterator[Mistake]:
    """Yield a mistake for each symbol whose range for attacks leaves its domain, and on a user's page for repeated LaTeX."""
    for name, one in page.declared.items():
        kind, tried = one.domain["domain"], one.domain.get("tried", ())
        if not tried or isinstance(tried[0], str):
            continue
        low, least = to_fraction(tried[0]), int(one.domain.get("low", 0))
        wrong = low >= 0 if kind == "real" else low != 0 if kind in ("at least", "probability") and least == 0 else low < least
        if wrong or (kind in ("above", "positive probability") and low <= least):
            yield Mistake(*source_position(page, name), f"{name!r} is tried from {low} on, which does not belong to its domain, {kind}")
    if page.is_own:
        written = Counter(one.domain.get("written", one.name) for one in page.symbols.values())
        for name, one in page.declared.items():
            if written[one.domain.get("written", name)] > 1:
                yield Mistake(*source_position(page, name), f"{name!r} is written like another symbol: LaTeX of its own is needed")


def _let_mistakes(page: Page) -> Iterator[Mistake]:
    """Yield a mistake for each definition of 'let' that uses a later one, and for exponents above `LARGEST_EXPONENT`."""
    above: set[str] = set()
    lets = {item["name"] for item in page.items("let")}
    for item in page.items("let"):
        values = [one[2] for one in item.get("formulas", [item.get("formula")])]
        for value in values:
            late = sorted((tree_names(value) & lets) - above - {*item.get("parameters", ())})
            if late:
                yield Mistake(*source_position(page, item["name"]), f"{item['name']!r} uses {late[0]!r}, which must stand above it")
        above.add(item["name"])
    for section in page.sections.values():
        for item in section["items"]:
            for tree in item_trees(item):
                if any(is_large_power(one) for one in subtrees(tree)):
                    yield Mistake(
                        *source_position(page, item["name"]), f"an exponent of {item['name']!r} is a number above {LARGEST_EXPONENT}"
                    )


def _assumption_mistakes(page: Page) -> Iterator[Mistake]:
    """Yield a mistake for each assumption of a theorem that is an equality, and for unknown {fields} in words of conditions."""
    whole = page.kind == "theorem" and bool(page.items("proof")) and not page.is_partial
    for section in ("assume", "any_schedule", "conditions"):
        for item in page.items(section):
            if whole and "formula" in item and item["formula"][1] == "=":
                said = "an equality says what a symbol is: it stands in 'where', 'schedule' or 'given'"
                yield Mistake(*source_position(page, item["name"]), f"{item['name']!r} is no inequality; {said}")
            fields = re.findall(r"\{([^}]*)\}", item.get("words", "")) if section == "conditions" else []
            if {*fields} - {"value", "limit"}:
                yield Mistake(
                    *source_position(page, item["name"]), f"{item['name']!r}: only {{value}} and {{limit}} may stand in its words"
                )


def tree_names(tree: Any) -> set[str]:
    """Return the set of names of symbols and definitions in a syntax tree."""
    if isinstance(tree, str):
        return {tree}
    inside = set().union(*(tree_names(one) for one in (tree[2:] if tree[0] in ("let", "line") else tree[1:]))) if tree[0] != "q" else set()
    return inside | ({tree[1]} if tree[0] == "let" else set())


def subtrees(tree: Any) -> Iterator[Any]:
    """Yield a syntax tree and all its subtrees, the tree itself first."""
    yield tree
    if isinstance(tree, list) and tree[0] not in ("q", "line"):
        for one in tree[1:]:
            yield from subtrees(one)


def item_trees(item: Any) -> Iterator[Any]:
    """Yield all syntax trees of an item of a page: sides of formulas, terms of reasons, and values."""
    formulas = [*item.get("formulas", ()), *item.get("cases", ()), *([item["formula"]] if "formula" in item else [])]
    yield from (side for one in formulas for side in (one[0], one[2]))
    reason = item.get("reason", {})
    yield from (reason[key] for key in ("terms",) if key in reason)
    yield from (value for _, value in (*item.get("values", ()), *reason.get("with", ())))


def is_large_power(tree: Any) -> bool:
    """Return whether a tree is a power whose exponent is a large number, or a power of numbers."""
    if not isinstance(tree, list) or tree[0] != "^":
        return False
    exponent = tree[2]
    if is_number(exponent):
        number = Fraction(exponent[1])
        return max(abs(number.numerator), number.denominator) > LARGEST_EXPONENT
    return not tree_names(exponent) and any(isinstance(one, list) and one[0] == "^" for one in subtrees(exponent))


def _definition_mistakes(page: Page) -> Iterator[Mistake]:
    """Yield a mistake for each wrong definition in 'where' or 'schedule', such as an unknown symbol or a repeated one."""
    seen: list[str] = []
    formula = page.bound or [""]
    for section, kinds in (("where", ("abbreviations", "choices")), ("schedule", ("choices",))):
        for owner, item in page.items_with_facts(section):
            name, relation, _value = item["formula"]
            declared: DeclaredSymbol | None = page.symbols.get(name)
            if declared is None:
                yield Mistake(*source_position(page, name), f"{name!r} is no symbol of this page{nearest(name, page.symbols)}")
            elif declared.section not in (*kinds, "symbols"):
                yield Mistake(*source_position(page, name), f"{name!r} stands in {declared.section!r}: {section!r} cannot define it")
            elif name == formula[0]:
                yield Mistake(*source_position(page, name), f"{name!r} is what the bound is about: it cannot be defined by the statement")
            elif name in seen and item["name"] == name:
                yield Mistake(*source_position(page, name), f"{name!r} is defined twice: once is needed")
            elif (
                page.is_own
                and owner is page
                and section == "where"
                and (there := page.store.symbols_defined_by_facts.get(declared.known_as))
            ):
                yield Mistake(*source_position(page, name), f"{name!r} is defined on {there}: use that page, and quote it, 'known {name}'")
            elif page.is_own and declared.known_as == "T" and is_number(_value) and (fraction := Fraction(_value[1])).denominator > 1:
                yield Mistake(*source_position(page, name), f"T = {fraction} is no number of steps: an integer is needed")
            elif relation == "<=" and section == "where":
                yield Mistake(*source_position(page, name), f"{name!r}: '<=' belongs to the schedule, '=' is needed")
            seen.append(name)


def _line_mistakes(page: Page) -> Iterator[Mistake]:
    """Yield a mistake for each name that several lines have, and for lines of 'given' that are derived and belong to 'proof'."""
    names = Counter(name for section in LINE_SECTIONS for name in dict.fromkeys(_line_names(page, section)))
    for name, count in names.items():
        if count > 1:
            yield Mistake(*source_position(page, name), f"{count} lines are named {name!r}: another name is needed")
    for item in page.items("given"):
        if "reason" in item and item["reason"]["kind"] in ("by", "equal", "inserting", "average"):
            yield Mistake(*source_position(page, item["name"]), f"{item['name']!r} is made, not taken: it belongs to 'proof'")


def _line_names(page: Page, section: str) -> list[str]:
    """Return the names of the lines in a section; conditions that only limit the scope are no lines."""
    return [str(item["name"]) for _, item in page.items_with_facts(section) if section != "conditions" or "scope" not in item]


def _word_mistakes(page: Page) -> Iterator[Mistake]:
    """Yield a mistake for words on a user's page that two symbols share, or that a bound or part repeats, changes or does not need."""
    said = Counter(" ".join(one.words.lower().split()) for one in page.symbols.values())
    for name, one in page.declared.items():
        if said[" ".join(one.words.lower().split())] > 1:
            yield Mistake(*source_position(page, name), f"{name!r} has the words of another symbol: words of its own are needed")
    for item in page.items("parts"):
        if "called" in item:
            yield Mistake(*source_position(page, item["name"]), f"{item['name']!r}: 'called' is for pages of the lab: its name is printed")
    sides = [("bound", page.bound[0], page.head("bound", "words"))] if page.head("bound", "formula") else []
    sides += [(item["name"], item["formula"][0], item.get("words")) for item in page.items("parts")]
    for name, side, said in sides:
        declared = page.symbols.get(side) if isinstance(side, str) else None
        if said and declared is not None and said != declared.words:
            yield Mistake(
                *source_position(page, name), f"the words of {name!r} are those of its symbol, -- {declared.words}: leave others out"
            )
        elif side == name and declared is None:
            yield Mistake(*source_position(page, name), f"{name!r} is no symbol: a number that no proof is about belongs to 'numbers'")
        elif said and declared is None:
            yield Mistake(*source_position(page, name), f"{name!r} is a formula, which is printed: leave its words out")


def _part_mistakes(page: Page) -> Iterator[Mistake]:
    """Yield a mistake for each part, and for the per-step bound, whose line is missing, is not in the proof, or bounds something else."""
    if page.items("proof") and not page.is_partial:
        for item in page.items("parts"):
            if "shown" not in item and not (item["name"] == item["formula"][0] and item["name"] not in page.symbols):
                yield Mistake(
                    *source_position(page, item["name"]), f"the part {item['name']!r} is shown by no line: 'shown by LINE' is needed"
                )
    lines = {str(item["name"]) for section in ("given", "proof") for _, item in page.items_with_facts(section)}
    for item in page.items("parts"):
        if "shown" in item and item["shown"] not in lines:
            yield Mistake(
                *source_position(page, item["shown"]), f"{item['shown']!r} is no line of the proof{nearest(item['shown'], lines)}"
            )
    line: Any = page.head("per_step", "line")
    measured = (page.head("bound", "formula") or [""])[0]
    bounded = next((item["formula"][0] for item in page.items("proof") if item["name"] == line and "formula" in item), None)
    if line in lines and (not isinstance(bounded, str) or page.symbols[bounded].domain.get("average") != measured):
        yield Mistake(*source_position(page, line), f"{line!r} bounds no symbol whose average the bound is about")
    if line and line not in lines:
        yield Mistake(*source_position(page, line), f"{line!r} is no line of the proof{nearest(line, lines)}")
