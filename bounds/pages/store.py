"""Stores of pages by key, and pages with the symbols, facts and definitions that they may use.

store = Store.of_folder(folder)     the pages below a folder, such as the package data of the lab
store.page("dpzero.theorem3")       one variant of a page, with everything that it may use
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from bounds.pages.items import SYMBOL_SECTIONS
from bounds.pages.rules import LINE_SECTIONS, rule_mistakes, source_position
from bounds.pages.tokens import BadPage, Mistake, Token, nearest
from bounds.pages.tree import KINDS, ParsedPage, parse_page

HEAD = re.compile(rf"^(?:{'|'.join(KINDS)}) +([A-Za-z0-9_.]+)", re.MULTILINE)


@dataclass(frozen=True)
class DeclaredSymbol:
    """A symbol as a page declares it: its name there, its domain and properties, its words, and the section where it stands."""

    name: str
    domain: Mapping[str, Any]
    words: str
    section: str

    @property
    def known_as(self) -> str:
        """Name under which values of this symbol are passed; it is the same on all pages."""
        return str(self.domain.get("as", self.name))


@dataclass(frozen=True, eq=False)
class Store:
    """Pages of text, parsed when they are asked for; `texts` maps each file to its text."""

    texts: Mapping[str, str]
    own: frozenset[str] = frozenset()  # files of the user, not of the lab
    trees: dict[str, ParsedPage] = field(default_factory=dict)
    opened: dict[str, Page] = field(default_factory=dict)

    @classmethod
    def of_folder(cls, folder: Path) -> Store:
        """Read all files *.page below a folder and return a `Store` of them, by names relative to the folder."""
        files = sorted(folder.rglob("*.page"))
        return cls({str(file.relative_to(folder)): file.read_text(encoding="utf-8") for file in files})

    @cached_property
    def files(self) -> dict[str, str]:
        """Mapping from keys to files; raises ValueError for a key that two pages have."""
        found: dict[str, str] = {}
        for file, text in self.texts.items():
            for key in HEAD.findall(text):
                if key in found and (file in self.own) != (found[key] in self.own):
                    raise ValueError(f"key = {key!r}: a page of the lab has it (theory-lab show {key} --page prints it); another is needed")
                if key in found:
                    raise ValueError(f"key = {key!r}: {found[key]} and {file} have it; one page is needed")
                found[key] = file
        return found

    @cached_property
    def lab_symbols(self) -> dict[str, str]:
        """Mapping from the names of all symbols that pages of the lab declare to the key of such a page."""
        if self.own:
            return lab_pages().lab_symbols
        pages = [self.page(key) for key in self.files]
        return {name: page.key for page in pages for one in page.declared.values() for name in (one.known_as, one.name)}

    @cached_property
    def symbols_defined_by_facts(self) -> dict[str, str]:
        """Mapping from symbols that the lab's pages of facts define, by the names under which they are passed, to the page's key."""
        if self.own:
            return lab_pages().symbols_defined_by_facts
        facts = [self.page(key) for key in self.files if self.outline(key)[0] == "facts"]
        return {page.symbols[item["name"]].known_as: page.key for page in facts for item in page.items("where")}

    def outline(self, key: str) -> tuple[str, bool]:
        """Return the kind of a page and whether it has a proof, without parsing it."""
        text = self.texts[self.files[key]]
        kind = next(one for one in KINDS if re.search(rf"^{one} +{re.escape(key)}\b", text, re.MULTILINE))
        return kind, re.search(r"^proof\b", text, re.MULTILINE) is not None

    def title(self, key: str) -> str:
        """Return the title of a page, without parsing it; "" if it has none."""
        head = re.search(rf"^\w+ +{re.escape(key)} +--(.*(?:\n +--.*)*)", self.texts[self.files[key]], re.MULTILINE)
        return " ".join(head[1].replace("\n", " ").replace(" -- ", " ").split()) if head else ""

    def page(self, key: str) -> Page:
        """Return the page of a key; raises KeyError if there is none, BadPage if it has mistakes."""
        if key not in self.opened:
            if key not in self.files:
                raise KeyError(f"{key!r}: there is no such page{nearest(key, self.files)}")
            file = self.files[key]
            if file not in self.trees:
                self.trees[file] = parse_page(self.texts[file], file)
            self.opened[key] = Page(self, key, self.trees[file])  # before the check: pages may quote each other in a circle
            try:
                self.opened[key].check_names()
            except BaseException:
                del self.opened[key]
                raise
        return self.opened[key]


def select_variant(items: Iterable[Mapping[str, Any]], variant: str) -> list[dict[str, Any]]:
    """Return copies of those items (or sections) that belong to a variant of a page; items without 'only' belong to all."""
    return [dict(one) for one in items if variant in one.get("only", [variant])]


@dataclass(frozen=True, eq=False)
class Page:
    """One variant of a page, with methods that return its sections, items, symbols and definitions."""

    store: Store
    key: str
    read: ParsedPage

    def formula(self, name: str) -> Any:
        """Return a formula of this page by name, as an expression: a definition, a value of the schedule, or the right side of a line.

        Raises KeyError with the names that may be meant.
        """
        from bounds.pages.values import page_formula  # here: it needs SymPy

        return page_formula(self, name)

    def symbol(self, name: str) -> Any:
        """Return the SymPy symbol of a name on this page."""
        from bounds.pages.values import declared_symbol

        return declared_symbol(self.symbols[name])

    @cached_property
    def title(self) -> str:
        """Title of this variant, from the head of the page."""
        return next(title for key, title in self.read.tree["keys"] if key == self.key)

    @property
    def is_own(self) -> bool:
        """Whether this is a user's page, not one of the lab."""
        return self.read.file in self.store.own

    @property
    def kind(self) -> str:
        """Kind of the page: "theorem", "lemma", "symbols" or "facts"."""
        return str(self.read.tree["kind"])

    @cached_property
    def sections(self) -> dict[str, dict[str, Any]]:
        """Sections by name, each a dict with the items of this variant."""
        variant = self.key.rpartition(".")[2]
        found = select_variant(self.read.tree["sections"], variant)
        return {one["name"]: {**one, "items": select_variant(one["items"], variant)} for one in found}

    def items(self, section: str) -> list[dict[str, Any]]:
        """Return the items of a section, [] if the page does not have it; quoted facts of other pages are not included."""
        return list(self.sections.get(section, {}).get("items", ()))

    def head(self, section: str, part: str, default: Any = None) -> Any:
        """Return one part of the head of a section, or `default`."""
        return self.sections.get(section, {}).get(part, default)

    @property
    def bound(self) -> Any:
        """The bound or privacy guarantee of a theorem as [left side, relation, right side]; None on other pages."""
        return self.head("bound", "formula") or self.head("privacy", "formula")

    @property
    def is_partial(self) -> bool:
        """Whether the proof declares that it stops before the bound."""
        return bool(self.head("proof", "names"))

    @cached_property
    def used(self) -> list[Page]:
        """Pages of symbols and facts that this page names in its section 'uses'."""
        return [self.store.page(key) for key in self.head("uses", "keys", [])]

    @cached_property
    def lemmas(self) -> list[Page]:
        """Pages from which the proof takes lines, if they are in the store; pages that only facts refer to are not included."""
        items = [*self.items("given"), *self.items("proof")]
        keys = dict.fromkeys(item["reason"]["page"] for item in items if item.get("reason", {}).get("kind") == "from")
        return [self.store.page(key) for key in keys if key in self.store.files]

    @property
    def user_pages(self) -> dict[str, Page]:
        """User's pages that this page depends on, directly or through others, by key; this page is not included."""
        found, waiting = dict[str, Page](), [*self.used, *self.lemmas]
        while waiting:
            one = waiting.pop()
            if one.is_own and one.key not in found and one is not self:
                found[one.key] = one
                waiting += [*one.used, *one.lemmas]
        return found

    @cached_property
    def declared(self) -> dict[str, DeclaredSymbol]:
        """Symbols that this page declares, by their names on it."""
        return {
            item["name"]: DeclaredSymbol(item["name"], item["domain"], item["words"], section)
            for section in (*SYMBOL_SECTIONS, "symbols")
            for item in self.items(section)
        }

    @cached_property
    def symbols(self) -> dict[str, DeclaredSymbol]:
        """All symbols that formulas of this page may use, by their names on it; a page of symbols sees earlier such pages as well."""
        found: dict[str, DeclaredSymbol] = {}
        for page in self.used:
            if page.kind == "symbols":
                found |= page.declared
        return {**found, **self.declared}

    @cached_property
    def lets(self) -> dict[str, dict[str, Any]]:
        """Definitions to substitute, by name: those of 'let', and the bounds of the statement under the names of their sections."""
        found = {item["name"]: item for item in map(self._let, self.items("let"))}
        values = {"bound": self.bound and self.bound[2], "any_schedule": self.head("any_schedule", "value")}
        return {**{name: {"formula": [name, "=", value]} for name, value in values.items() if value is not None}, **found}

    def _let(self, item: dict[str, Any]) -> dict[str, Any]:
        """Return a definition of 'let' with its value for this variant."""
        if "formulas" not in item:
            return item
        of_section = self.sections["let"].get("only")
        variants = item.get("only") or of_section or [key.rpartition(".")[2] for key, _ in self.read.tree["keys"]]
        return {**item, "formula": item["formulas"][variants.index(self.key.rpartition(".")[2])]}

    @cached_property
    def defined_names(self) -> frozenset[str]:
        """Names of the symbols that the statement defines, in 'where' and 'schedule'."""
        return frozenset(
            item["name"] for name in ("where", "schedule") for _, item in self.items_with_facts(name) if item["name"] == item["formula"][0]
        )

    @cached_property
    def relations(self) -> dict[str, str]:
        """Relation sign of every line that is a formula, by its name; limits of symbols have theirs in the name."""
        sections = ("where", "schedule", "assume", "any_schedule", "conditions", "given", "proof")
        items = [item for section in sections for _, item in self.items_with_facts(section)]
        return {item["name"]: item["formula"][1] for item in items if "formula" in item}

    def items_with_facts(self, section: str) -> list[tuple[Page, dict[str, Any]]]:
        """Return the items of a section in order as pairs (page where it stands, item); quoted facts are in their places."""
        found: list[tuple[Page, dict[str, Any]]] = []
        for item in self.items(section):
            found += [self.fact(section, name) for name in item["known"]] if "known" in item else [(self, item)]
        return found

    def assumption_items(self) -> list[tuple[Page, dict[str, Any]]]:
        """Return all assumptions as pairs (page, item): 'assume', limits of the schedule, and conditions that are hypotheses.

        A condition comes without its words: they are the warning if it is not met, and do not describe the assumption.
        """
        limits = [(where, item) for where, item in self.items_with_facts("schedule") if item["formula"][1] == "<="]
        unmet = [(where, item) for where, item in self.items_with_facts("conditions") if "scope" not in item]
        conditions = [(where, {name: one for name, one in item.items() if name != "words"}) for where, item in unmet]
        return [*self.items_with_facts("assume"), *limits, *((self, item) for item in self.items("any_schedule")), *conditions]

    def definition_items(self) -> list[tuple[Page, dict[str, Any]]]:
        """Return the equalities of 'where' and 'schedule' that define symbols, in order, as pairs (page, item)."""
        items = [*self.items_with_facts("where"), *self.items_with_facts("schedule")]
        return [(where, item) for where, item in items if item["formula"][1] == "="]

    def fact(self, section: str, name: str) -> tuple[Page, dict[str, Any]]:
        """Return the fact of a name and the page where it stands, (page, item); raises KeyError if there is not exactly one."""
        there = [(page, item) for page in self.used if page.kind == "facts" for item in page.items(section) if item.get("name") == name]
        if len(there) != 1:
            raise KeyError(f"{name!r}: {len(there)} facts of this name stand in {section!r} of the pages that {self.key} uses")
        return there[0]

    def fact_names(self, section: str) -> list[str]:
        """Return the names of all facts that a section may quote."""
        return [str(item["name"]) for page in self.used if page.kind == "facts" for item in page.items(section)]

    # --- mistakes in names ----------------------------------------------------------------------------------------------------------

    def check_names(self) -> None:
        """Check names and rules; raise BadPage for an unknown symbol, definition, line, page or fact, or a broken rule."""
        mistakes = [*self._name_mistakes(), *self._line_mistakes(), *self._page_mistakes(), *self._facts()]
        mistakes = mistakes or list(rule_mistakes(self))
        if mistakes:
            raise BadPage(self.read.file, self.read.text, mistakes)

    def _name_mistakes(self) -> Iterable[Mistake]:
        """Yield a mistake for every name in a formula that is neither a symbol nor a definition."""
        known = {
            *("bound", "any_schedule"),
            *self.symbols,
            *(item["name"] for section in self.read.tree["sections"] if section["name"] == "let" for item in section["items"]),
        }
        for token in self.read.names:
            if token.text not in known:
                yield _mistake_at(token, f"{token.text!r} is no symbol and no definition of this page{nearest(token.text, known)}")

    def _line_mistakes(self) -> Iterable[Mistake]:
        """Yield a mistake for every reference to a line that does not exist."""
        all_items = [item for section in self.read.tree["sections"] if section["name"] in LINE_SECTIONS for item in section["items"]]
        known = {item["name"] for item in all_items if "name" in item} | {name for item in all_items for name in item.get("known", ())}
        for token in self.read.lines:
            name = token.text.split()[0]
            if token.text not in known and not (" " in token.text and name in self.symbols):
                yield _mistake_at(token, f"{token.text!r} is no line of this page{nearest(token.text, known)}")

    def _page_mistakes(self) -> Iterable[Mistake]:
        """Yield a mistake for every line taken from a page that does not exist."""
        for item in (*self.items("given"), *self.items("proof")):
            key = item["reason"]["page"] if item.get("reason", {}).get("kind") == "from" else self.key
            if key not in self.store.files:
                found = nearest(key, [one for one in self.store.files if one != self.key])
                beside = "; a page of one's own is given together with this one" if self.is_own else ""
                yield Mistake(*source_position(self, key), f"{key!r}: there is no such page{found}{beside}")

    def _facts(self) -> Iterable[Mistake]:
        """Yield a mistake for every quoted fact that does not exist."""
        for section in self.read.tree["sections"]:
            names = self.fact_names(section["name"]) if any("known" in item for item in section["items"]) else []
            for item in section["items"]:
                for name in item.get("known", ()):
                    if names.count(name) != 1:
                        yield Mistake(
                            *source_position(self, name), f"{name!r} is no fact of the section {section['name']!r}{nearest(name, names)}"
                        )


def _mistake_at(token: Token, message: str) -> Mistake:
    """Return a Mistake with a message at the position of a token."""
    return Mistake(token.line, token.column, message)


@cache
def lab_pages() -> Store:
    """Return the `Store` of the lab's own pages, which are package data; the files are read once."""
    return Store.of_folder(Path(__file__).parents[1])


def store_with_files(files: Iterable[Path]) -> Store:
    """Return a store of the lab's pages and of a user's files; ValueError if a file has the name of a page of the lab.

    A key that both have is refused when keys are looked up, or when the page is opened.
    """
    own = {str(file): file.read_text(encoding="utf-8") for file in files}
    for file in own.keys() & lab_pages().texts.keys():
        raise ValueError(f"module = {file!r}: a page of the lab is called so; another name, or the whole path, is needed")
    return Store({**lab_pages().texts, **own}, frozenset(own))
