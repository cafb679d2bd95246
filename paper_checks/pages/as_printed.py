"""Formulas as a paper prints them: transcribed on its pages of claims, from the paper and not from `bounds`.

`bounds` has the same formulas as parts of statements and proofs. The two transcriptions are independent: a check that took its formulas
from the theory that it checks would agree with every slip of it. Only the symbols are shared: a name in a formula is a symbol of the
paper, which the page PAPER.symbols declares, or of the page of the statement; or it is another formula.
`docs/reference/claim-pages.md` defines the format; formulas are those of `docs/reference/page-language.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from bounds.pages.formulas import FormulaParser
from bounds.pages.store import lab_pages
from bounds.pages.tokens import BadPage, Cursor, Mistake, Mistakes, Token, end_block, nearest, tokenize_line
from bounds.pages.values import declared_symbol, tree_expression
from paper_checks.pages.blocks import split_blocks, split_words
from paper_checks.pages.claims import page_files, page_path


@dataclass(frozen=True)
class Row:
    """A printed formula: its name, syntax tree, the tokens that name symbols or other formulas, its file and its statement."""

    name: str
    tree: Any
    names: tuple[Token, ...]
    file: Path
    statement: str


@dataclass(frozen=True)
class Printed(Mapping[str, Any]):
    """The formulas of a paper that stand in no statement, as a mapping from name to SymPy expression.

    The methods `of` and `by_symbol` have the formulas of statements. Raises BadPage for text that is no formula.
    """

    paper: str
    found: dict[tuple[str, str], Any] = field(default_factory=dict)

    @cached_property
    def rows(self) -> dict[tuple[str, str], Row]:
        """The formulas of all pages by (statement, name), statement "" outside statements; raises BadPage if a name repeats."""
        rows = dict[tuple[str, str], Row]()
        for row in (row for file in page_files(self.paper) for row in read_formulas(file)):
            if (row.statement, row.name) in rows:
                other = rows[row.statement, row.name].file
                raise self._bad_page(row, row.names[0], f"{row.name!r} stands in {page_path(other)} already: another name is needed")
            if not row.statement and row.name in self.letters:
                raise self._bad_page(row, row.names[0], f"{row.name!r} is a letter of the paper: a formula by itself has another name")
            rows[row.statement, row.name] = row
        return rows

    @cached_property
    def letters(self) -> Mapping[str, Any]:
        """The symbols of the paper by name, as its page of symbols declares them."""
        return lab_pages().page(f"{self.paper}.symbols").symbols

    def __getitem__(self, name: str) -> Any:
        """Return the formula with a name outside all statements, as a SymPy expression; raise KeyError with the nearest name."""
        if ("", name) not in self.rows:
            raise KeyError(f"{name!r}: no formula of {self.paper} has this name{nearest(name, self)}")
        return self._value(self.rows["", name], ())

    def __iter__(self) -> Iterator[str]:
        return (name for statement, name in self.rows if not statement)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @property
    def statements(self) -> tuple[str, ...]:
        """The names of the statements, in the order of the pages."""
        return tuple(dict.fromkeys(statement for statement, _ in self.rows if statement))

    def of(self, statement: str) -> dict[str, Any]:
        """Return the formulas of a statement as {name: SymPy expression}, in their order; raise KeyError with the nearest name."""
        if statement not in self.statements:
            raise KeyError(f"{statement!r}: no statement of {self.paper} has this name{nearest(statement, self.statements)}")
        return {row.name: self._value(row, ()) for row in self.rows.values() if row.statement == statement}

    def by_symbol(self, statement: str) -> dict[Any, Any]:
        """Return the formulas of a statement as {symbol: SymPy expression}; every formula must be named by a symbol of the paper."""
        return {self.symbol(name): value for name, value in self.of(statement).items()}

    def symbols(self, names: str) -> tuple[Any, ...]:
        """Return the paper's SymPy symbols for names separated by spaces; raise KeyError for an unknown name."""
        return tuple(map(self.symbol, names.split()))

    def symbol(self, name: str) -> Any:
        """Return the SymPy symbol of a name in the paper; raise KeyError for an unknown name."""
        return declared_symbol(self.letters[name])

    def _value(self, row: Row, within: tuple[Row, ...]) -> Any:
        """Return the SymPy expression of a row, stored in `found`; raise BadPage if the row needs itself, as one of `within`."""
        key = row.statement, row.name
        if key not in self.found:
            if row in within:
                raise self._bad_page(row, row.names[0], f"{row.name!r} is defined by itself")
            at = {token.text: token for token in row.names}
            self.found[key] = tree_expression(row.tree, lambda name: self._named(row, at[name], (*within, row)))
        return self.found[key]

    def _named(self, row: Row, token: Token, within: tuple[Row, ...]) -> Any:
        """Return what a name in a row denotes: a symbol of the paper or statement, or a formula; raise BadPage if nothing."""
        if token.text in self.letters:
            return self.symbol(token.text)
        own = f"{self.paper}.{row.statement}"
        if own in lab_pages().files and token.text in lab_pages().page(own).symbols:
            return declared_symbol(lab_pages().page(own).symbols[token.text])
        for statement in (row.statement, ""):
            if (statement, token.text) in self.rows:
                return self._value(self.rows[statement, token.text], within)
        near = nearest(token.text, [*self.letters, *(name for statement, name in self.rows if statement in ("", row.statement))])
        raise self._bad_page(row, token, f"{token.text!r} is no letter of {self.paper}.symbols and no printed formula{near}")

    def _bad_page(self, row: Row, token: Token, message: str) -> BadPage:
        """Return a BadPage error with a message, at the token of a row's page."""
        return BadPage(page_path(row.file), row.file.read_text(encoding="utf-8"), [Mistake(token.line, token.column, message)])


@cache
def printed(paper: str) -> Printed:
    """Return the formulas of a paper as it prints them, as a mapping from name to SymPy expression."""
    return Printed(paper)


def read_formulas(file: Path) -> list[Row]:
    """Return the printed formulas of a page of claims as a list of Rows; raise BadPage, which lists all mistakes in them."""
    text, mistakes, found = file.read_text(encoding="utf-8"), Mistakes(), list[Row]()
    for one in split_blocks(text, mistakes):
        head = split_words(one.head)[0].split()
        for line, item in one.items if head[:1] == ["printed"] else ():
            try:
                found.append(row(line, item, file, "".join(head[1:])))
            except Mistake as mistake:
                mistakes.add(mistake)
    if mistakes.found:
        raise BadPage(page_path(file), text, mistakes.found)
    return found


def row(line: int, item: str, file: Path, statement: str) -> Row:
    """Parse "NAME = FORMULA", an item at a line of a page, and return its Row; raise Mistake for any other text."""
    at = Cursor(end_block([token for number, text in enumerate(item.split("\n"), start=line) for token in tokenize_line(text, number)]))
    name = at.token
    at.name("the name of a formula")
    at.expect("=")
    names = list[Token]()
    tree = FormulaParser(at, {}, False, names, [], ()).sum()
    at.words()
    at.end()
    return Row(name.text, tree, (name, *names), file, statement)
