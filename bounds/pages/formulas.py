"""Parser of formulas on pages: from tokens to syntax trees, see `docs/reference/page-language.md` for the grammar and the trees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from bounds.pages.tokens import CONSTANTS, FUNCTIONS, INEQUALITIES, RELATIONS, Cursor, Mistake, Token

Tree = Any  # nested lists, see docs/reference/page-language.md
DEEPEST, MOST_PARTS = 60, 20_000
MINUS = ["q", "-1"]


class FormulaParser:
    """Recursive-descent parser of formulas: reads tokens from a cursor and returns syntax trees (nested lists).

    lets        number of parameters of each definition that has any; 0 for a definition where it differs between variants
    lines       whether names of lines and elementary inequalities are allowed in formulas
    names, of_lines   lists that collect the tokens of symbols and definitions (except those in `without`), and of lines
    """

    def __init__(
        self, cursor: Cursor, lets: Mapping[str, int], lines: bool, names: list[Token], of_lines: list[Token], without: tuple[str, ...]
    ) -> None:
        self.at, self.lets, self.lines, self.names, self.of_lines, self.without = cursor, lets, lines, names, of_lines, without
        self.depth, self.parts = 0, 0

    def formula(self) -> list[Any]:
        """Parse "left relation right" and return [left tree, relation, right tree]."""
        left = self.sum()
        return [left, self.relation(), self.sum()]

    def relation(self, allowed: tuple[str, ...] = RELATIONS) -> str:
        """Parse a relation sign, one of `allowed`, and return it; raise Mistake for anything else."""
        if self.at.token.text not in allowed or self.at.token.kind != "sign":
            raise self.at.mistake(f"one of {' '.join(allowed)}")
        return self.at.step().text

    def sum(self) -> Tree:
        """Parse a sum of products and return its tree."""
        terms = [negate(self.product()) if self.at.accept("-") else self.product()]
        while self.at.next_is("+") or self.at.next_is("-"):
            minus = self.at.step().text == "-"
            terms.append(negate(self.product()) if minus else self.product())
        return terms[0] if len(terms) == 1 else ["+", *terms]

    def product(self) -> Tree:
        """Parse a product, which may end with a fraction, and return its tree."""
        factors = [self.power()]
        while self.at.next_is("*") or self._can_begin_factor():
            if self.at.accept("*") and not self._can_begin_factor():
                raise self.at.mistake("a factor after *")
            factors.append(self.power())
        if self.at.next_is("/"):
            sign = self.at.step()
            below = self.power()
            if below == ["q", "0"]:
                raise Mistake(sign.line, sign.column, "a quotient by 0")
            if len(factors) == 1 and is_number(factors[0]) and is_number(below):
                factors = [rational_tree(Fraction(factors[0][1]) / Fraction(below[1]))]
            else:
                factors.append(["^", below, MINUS])
            if self.at.next_is("*") or self.at.next_is("/") or self._can_begin_factor():
                raise Mistake(
                    self.at.token.line,
                    self.at.token.column,
                    f"{self.at.token} after a fraction: put brackets, (a/b) {self.at.token.text} or a/(b {self.at.token.text})",
                )
        return factors[0] if len(factors) == 1 else ["*", *factors]

    def _can_begin_factor(self) -> bool:
        """Return whether the next token can begin a factor."""
        kind, text = self.at.kind(), self.at.token.text
        if kind == "reserved":
            return text in FUNCTIONS or text in CONSTANTS
        return kind in ("number", "name") or (kind == "sign" and (text == "(" or (self.lines and text == "[")))

    def power(self) -> Tree:
        """Parse an atom with an optional exponent and return its tree."""
        base = self.atom()
        if not self.at.accept("^"):
            return base
        if self.at.next_is("-"):
            raise self.at.mistake("an exponent, in brackets if it is negative, a^(-1),")
        exponent = self.atom()
        if self.at.next_is("^"):
            raise self.at.mistake("a bracket, a^(b^c) or (a^b)^c,")
        return ["^", base, exponent]

    def atom(self) -> Tree:
        """Parse a number, a name, a call of a function or definition, or a formula in brackets, and return its tree."""
        self.parts += 1
        if self.parts > MOST_PARTS:
            raise self.at.mistake(f"a formula of at most {MOST_PARTS} parts")
        kind, token = self.at.kind(), self.at.token
        if kind == "number":
            return ["q", str(int(self.at.step().text))]
        if self.at.next_is("("):
            return self._inside()[0]
        if self.lines and self.at.next_is("["):
            self.at.step()
            token, name = self.at.token, line_name(self.at)
            self.at.expect("]")
            self.of_lines.append(replace(token, text=name))
            return ["line", name]
        if kind == "reserved" and token.text in CONSTANTS:
            return [self.at.step().text]
        if kind == "reserved" and token.text in FUNCTIONS:
            return self._call(token.text, FUNCTIONS[token.text])
        if kind == "reserved":
            raise Mistake(token.line, token.column, f"{token.text!r} is a reserved word: a formula is needed here")
        if kind != "name":
            raise self.at.mistake("a number, a name or a bracket")
        if self.lines and token.text in INEQUALITIES and self.at.next_is("(", 1):
            return self._call(token.text, 1)
        if self.lets.get(token.text, 1) == 0:
            raise Mistake(token.line, token.column, f"{token.text!r} has parameters in some variants only: one form is needed here")
        if token.text in self.lets:
            return ["let", *self._call(token.text, self.lets[token.text])]
        if token.text not in self.without:
            self.names.append(token)
        return self.at.step().text

    def _call(self, name: str, count: int | None) -> Tree:
        """Parse the call of a function or definition with `count` arguments (None: two or more) and return its tree."""
        token = self.at.step()
        if not self.at.next_is("("):
            raise self.at.mistake(f"the argument of {name}, in brackets,")
        arguments = self._inside(several=True)
        if len(arguments) != count if count is not None else len(arguments) < 2:
            needed = "two or more" if count is None else count
            raise Mistake(token.line, token.column, f"{name} has {len(arguments)} arguments: {needed} are needed")
        return ["^", arguments[0], ["q", "1/2"]] if name == "sqrt" else [name, *arguments]

    def _inside(self, several: bool = False) -> list[Tree]:
        """Parse a sum in brackets, or with `several` sums separated by commas, and return the list of their trees."""
        bracket = self.at.expect("(")
        self.depth += 1
        if self.depth > DEEPEST:
            raise Mistake(bracket.line, bracket.column, f"more than {DEEPEST} brackets inside each other")
        found = [self.sum()]
        while several and self.at.accept(","):
            found.append(self.sum())
        self.at.expect(")", "')', or one of + - * / ^,")
        self.depth -= 1
        return found


def line_name(at: Cursor) -> str:
    """Parse the name of a line of a proof: a name, or the limit of a symbol such as n >= 1; return it as text."""
    name = at.name("the name of a line")
    if at.token.text not in RELATIONS or at.token.kind != "sign" or at.kind(1) not in ("number", "name"):
        return name
    relation, limit = at.step().text, at.step().text
    return f"{name} {relation} {limit}"


def negate(tree: Tree) -> Tree:
    """Return the tree of -tree: a number becomes its negative, any other tree is multiplied by -1."""
    return rational_tree(-Fraction(tree[1])) if is_number(tree) else ["*", MINUS, tree]


def is_number(tree: Tree) -> bool:
    """Return whether a syntax tree is a rational number, ["q", text]."""
    return isinstance(tree, list) and tree[0] == "q"


def rational_tree(value: Fraction) -> Tree:
    """Return the syntax tree of a Fraction, ["q", text]."""
    return ["q", str(value)]


def to_fraction(tree: Tree) -> Fraction:
    """Return the value of a tree without names as a Fraction; ValueError for one that is not rational."""
    if isinstance(tree, str) or tree[0] not in ("q", "+", "*", "^"):
        raise ValueError(f"{tree!r:.60}: a rational number is needed")
    head, *parts = tree
    if head == "q":
        return Fraction(parts[0])
    first, *others = map(to_fraction, parts)
    for one in others:
        first = first + one if head == "+" else first * one if head == "*" else first ** int(one)
    return first


def has_line(tree: Tree) -> bool:
    """Return whether a tree names a line of a proof or an elementary inequality."""
    if isinstance(tree, str) or tree[0] in ("q", "pi", "e"):
        return False
    return tree[0] in ("line", "exponential", "cosine", "decay") or any(map(has_line, tree[1:] if tree[0] != "let" else tree[2:]))


def summands(tree: Tree) -> list[Tree]:
    """Return the terms of a sum as a list of trees; a tree that is no sum is its only term."""
    return list(tree[1:]) if isinstance(tree, list) and tree[0] == "+" else [tree]


def expand_line_sums(term: Tree) -> list[Tree]:
    """Expand those factors of a term that are sums with names of proof lines; return the resulting terms as a list."""
    parts = term[1:] if isinstance(term, list) and term[0] == "*" else [term]
    wide = next((i for i, one in enumerate(parts) if isinstance(one, list) and one[0] == "+" and has_line(one)), None)
    if wide is None:
        return [term]
    return [one for summand in parts[wide][1:] for one in expand_line_sums(["*", *parts[:wide], summand, *parts[wide + 1 :]])]
