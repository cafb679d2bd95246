"""Parser of pages: from text to a syntax tree of sections and items, by the grammar of `docs/reference/page-language.md`.

`read_tree`   returns the tree, or raises BadPage with every mistake
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bounds.pages.items import ITEMS, SYMBOL_SECTIONS, Definitions, read_several, read_words
from bounds.pages.tokens import BadPage, Block, Cursor, Mistake, Mistakes, Section, Token, nearest, split_sections

KINDS = ("theorem", "lemma", "symbols", "facts")
ORDER = (
    *("source", "uses", "method", "setting", *SYMBOL_SECTIONS, "symbols", "let", "assume", "where", "schedule", "bound", "privacy"),
    *("any_schedule", "per_step", "integer_T", "parts", "numbers", "conditions", "example", "notes", "instances", "open"),
    *("proved", "given", "proof"),
)
OF_KIND = {
    "symbols": ("source", "uses", *SYMBOL_SECTIONS),
    "facts": ("source", "uses", "setting", "symbols", "let", "assume", "where", "schedule", "conditions", "notes", "given"),
}
STATEMENT = ("bound", "privacy", "any_schedule", "per_step", "integer_T", "parts", "numbers")  # a lemma has none of these
QUOTING = ("setting", "assume", "where", "schedule", "conditions", "notes", "given")  # sections that may quote facts of other pages
WITHOUT_ITEMS = ("any_schedule", "integer_T")  # sections that may have no items
FREE_NAMES = ("setting", "notes")  # sections in which several items may have the same name


@dataclass(frozen=True)
class ParsedPage:
    """A parsed page: file, text, syntax tree, and the tokens that name symbols and definitions (`names`) and lines (`lines`)."""

    file: str
    text: str
    tree: dict[str, Any]
    names: tuple[Token, ...]
    lines: tuple[Token, ...]


def read_tree(text: str, name: str = "page") -> dict[str, Any]:
    """Parse a page and return its syntax tree; raise BadPage with all mistakes. `name` is the file name for the messages."""
    return parse_page(text, name).tree


def parse_page(text: str, name: str = "page") -> ParsedPage:
    """Parse a page and return it as `ParsedPage`; raise BadPage with all mistakes that were found."""
    mistakes = Mistakes()
    try:
        page = _PageParser(split_sections(text, mistakes), mistakes)
    except Mistake as mistake:
        mistakes.add(mistake)
    if mistakes.found:
        raise BadPage(name, text, mistakes.found)
    return ParsedPage(name, text, page.tree, tuple(page.lets.names), tuple(page.lets.lines))


class _PageParser:
    """Parser of the sections of one page; it collects one mistake for each item that cannot be read."""

    def __init__(self, found: list[Section], mistakes: Mistakes) -> None:
        self.mistakes = mistakes
        self.kind, self.keys = "", list[list[str]]()
        if not found:
            raise Mistake(2, 1, f"the page is empty: one of {', '.join(KINDS)} is needed")
        while found and (not self.keys or found[0].head.tokens[0].text == self.kind):
            self._collect_mistake(lambda section: self.keys.append(self._read_key(section)), found.pop(0))
            if not self.kind:
                break
        self.variants = [key.rpartition(".")[2] for key, _ in self.keys]
        if len(self.keys) > 1 and self.kind not in ("theorem", "lemma"):
            raise Mistake(3, 1, f"a page of {self.kind} has one key: only theorems and lemmas have variants")
        if len({*self.variants}) < len(self.variants):
            raise Mistake(3, 1, "two variants whose keys end alike: the last part of a key is the name of the variant")
        self.lets = Definitions(self.kind, self.variants)
        self.seen: dict[str, list[str]] = {variant: [] for variant in self.variants}
        read = [one for section in found if (one := self._collect_mistake(self._read_section, section)) is not None]
        for variant in self.variants:
            if self.kind == "theorem" and not {"bound", "privacy"} & {*self.seen[variant]}:
                raise Mistake(3, 1, f"the theorem {variant} has no bound: the section 'bound' or 'privacy' is needed")
        self.tree = {"kind": self.kind, "keys": self.keys, "sections": read}

    def _collect_mistake(self, reader: Callable[[Any], Any], what: Any) -> Any:
        """Return reader(what); if that raises Mistake, record the mistake and return None."""
        try:
            return reader(what)
        except Mistake as mistake:
            self.mistakes.add(mistake)
        return None

    def _read_key(self, section: Section) -> list[str]:
        """Read the head of a variant, "theorem KEY -- title"; return [key, title]."""
        at = Cursor(section.head)
        if at.token.text not in KINDS:
            raise at.mistake(f"the first section, one of {', '.join(KINDS)},")
        self.kind = at.step().text
        key, title = at.key(), at.words()
        if not title:
            raise at.mistake("words, -- and the title,")
        at.end("the end of the line")
        if section.items:
            raise Cursor(section.items[0]).mistake("a section: this one has no items, so a line that is not indented")
        if any(known == key for known, _ in self.keys):
            raise Mistake(section.head.tokens[1].line, section.head.tokens[1].column, f"{key} stands here twice: one is needed")
        return [key, title]

    def _read_only(self, at: Cursor) -> list[str]:
        """Read "only VARIANTS:" and return the variants; [] if the text is for all of them."""
        if not at.next_is("only"):
            return []
        if len(self.variants) < 2:
            raise at.mistake("an item without 'only', as this page has one variant, so a name")
        at.step()
        names = list[str]()
        while not names or at.accept(","):
            token = at.token
            name = at.step().text
            if name not in self.variants or name in names:
                raise Mistake(token.line, token.column, f"{name!r} is no other variant of this page; it has {', '.join(self.variants)}")
            names.append(name)
        if names != [one for one in self.variants if one in names]:
            raise Mistake(at.token.line, at.token.column, f"variants stand in the order of the page, {', '.join(self.variants)}")
        at.expect(":")
        return names

    # --- sections --------------------------------------------------------------------------------------------------------------------

    def _read_section(self, section: Section) -> dict[str, Any]:
        """Read one section, its head and all its items; return it as a dict."""
        at = Cursor(section.head)
        only = self._read_only(at)
        token = at.token
        name = at.step().text
        allowed = OF_KIND.get(self.kind, tuple(one for one in ORDER if one not in SYMBOL_SECTIONS[1:]))
        if self.kind == "lemma":
            allowed = tuple(one for one in allowed if one not in STATEMENT)
        if token.kind != "name" or name not in ORDER:
            raise Mistake(token.line, token.column, f"{token} is no section{nearest(name, allowed)}")
        if name not in allowed:
            raise Mistake(token.line, token.column, f"a page of kind {self.kind} has no section {name!r}")
        self._check_order(name, only, token)
        read = {"name": name, **({"only": only} if only else {}), **self._read_head(name, at, only)}
        at.end("the end of the head of the section")
        reader = ITEMS.get(name)
        if reader is not None and not section.items and not section.lost and name not in WITHOUT_ITEMS:
            raise Mistake(token.line, token.column, f"the section {name!r} is empty: items, which are indented, are needed")
        if reader is None and section.items:
            raise Cursor(section.items[0]).mistake(f"a section: {name!r} has no items, so a line that is not indented")
        read["items"], self.names = [], {variant: list[str]() for variant in self.variants}
        for block in section.items:
            item = self._collect_mistake(lambda one: self._read_item(name, reader, only, one), block)
            if item is not None:
                read["items"].append(item)
        return read

    def _check_order(self, name: str, only: list[str], token: Token) -> None:
        """Check that a section is neither repeated nor out of order; raise Mistake otherwise."""
        for variant in only or self.variants:
            if name in self.seen[variant]:
                raise Mistake(token.line, token.column, f"the section {name!r} stands here twice: one is needed")
            later = [one for one in self.seen[variant] if ORDER.index(one) > ORDER.index(name)]
            if later:
                raise Mistake(token.line, token.column, f"the section {name!r} must stand before {later[0]!r}")
        for variant in only or self.variants:
            self.seen[variant].append(name)

    def _read_head(self, name: str, at: Cursor, only: list[str]) -> dict[str, Any]:
        """Read the rest of the head of a section; return its parts as a dict, {} for a section whose head is its name alone."""
        if name in ("source", "proved"):
            return {"words": read_words(at)}
        if name == "proof":
            partial = {"names": [at.step().text]} if self.kind == "theorem" and at.next_is("partial") else {}
            return {**partial, **({"words": title} if (title := at.words()) else {})}
        if name == "uses":
            return {"keys": read_several(at, at.key)}
        if name == "method":
            return {"names": [at.name("the key of a method")], **({"words": said} if (said := at.words()) else {})}
        if name == "open":
            return {"names": read_several(at, lambda: at.name("a symbol"))}
        if name == "integer_T":
            if not (at.next_is("either") or at.next_is("floor")):
                raise at.mistake("'either' or 'floor'")
            return {"names": [at.step().text]}
        if name == "per_step":
            return {"line": self.lets.line(at)}
        formulas = self.lets.formulas(at, only)
        if name == "any_schedule":
            return {"value": formulas.sum()}
        if name in ("bound", "privacy"):
            measured = at.name("a symbol") if at.kind() == "name" else ""
            relation = formulas.relation(("<=", "=", "~") if name == "bound" else ("<=",))
            formula = [measured, relation, formulas.sum()]
            said = at.words() if name == "bound" else read_words(at)
            return {"formula": formula, **({"words": said} if said else {})}
        return {}

    # --- items -----------------------------------------------------------------------------------------------------------------------

    def _read_item(self, section: str, reader: Any, of_section: list[str], block: Block) -> dict[str, Any]:
        """Read one item of a section, or a line 'known' that quotes facts; return it as a dict."""
        at = Cursor(block)
        token = at.token
        only = self._read_only(at)
        if only and of_section and not {*only} <= {*of_section}:
            raise Mistake(token.line, token.column, f"the section is for {', '.join(of_section)} only")
        marked: dict[str, Any] = {"only": only} if only else {}
        if at.next_is("known"):
            if section not in QUOTING:
                raise at.mistake("an item: facts of other pages are quoted in other sections, so one")
            at.step()
            item = {"known": read_several(at, lambda: self._read_fact(section, at, only or of_section)), **marked}
        else:
            scope = at.next_is("scope")
            if scope and section != "conditions":
                raise at.mistake("an item without 'scope', which belongs to conditions, so one")
            at.place += scope
            token = at.token
            name = at.name("the name of the item")
            item = {"name": name, **marked, **({"scope": True} if scope else {}), **reader(self.lets, at, name, only or of_section)}
            self._check_unique(section, name, only or of_section, token)
        at.end()
        return item

    def _read_fact(self, section: str, at: Cursor, only: list[str]) -> str:
        """Read the name of a quoted fact after 'known' and return it; raise Mistake if the section has the name already."""
        token = at.token
        name = at.name("the name of a fact")
        self._check_unique(section, name, only, token)
        return name

    def _check_unique(self, section: str, name: str, only: list[str], token: Token) -> None:
        """Check that a name is new in its section, for every variant; raise Mistake otherwise."""
        for variant in only or self.variants:
            if name in self.names[variant] and section not in FREE_NAMES:
                raise Mistake(token.line, token.column, f"{name!r} stands in this section twice: another name is needed")
            self.names[variant].append(name)
