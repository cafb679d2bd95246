"""Readers of the items in the sections of a page, one function for each kind of item.

A reader takes the definitions of the page, a cursor on the tokens, the name of the item and the variants that it is for. It returns a
dict with the contents of the item, see `docs/reference/page-language.md`, and raises Mistake where the tokens do not fit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bounds.pages.formulas import FormulaParser, line_name
from bounds.pages.tokens import WORDS_OF_REASONS, Cursor, Mistake, Token, nearest

SYMBOL_SECTIONS = ("constants", "choices", "abbreviations", "quantities")
DOMAINS = ("real", "probability", "positive", "at", "above", "integer")
PROPERTIES = ("may", "at", "of", "next", "first", "last", "average", "written", "as", "tried")


class Definitions:
    """Definitions with parameters that are known so far, with the number of their parameters, for each variant of the page."""

    def __init__(self, kind: str, variants: list[str]) -> None:
        self.kind, self.variants = kind, variants
        self.lets: dict[str, dict[str, int]] = {variant: {} for variant in variants}
        self.names: list[Token] = []  # tokens of symbols and definitions in formulas
        self.lines: list[Token] = []
        self.named, self.parameters = set[str](), set[str]()  # names of all definitions, and of all their parameters

    def formulas(self, at: Cursor, only: list[str], lines: bool = False, without: tuple[str, ...] = ()) -> FormulaParser:
        """Return a parser of formulas that knows the definitions of all variants in `only` ([]: of all variants)."""
        tables = [self.lets[variant] for variant in only or self.variants]
        counts = {name: {one.get(name) for one in tables} for one in tables for name in one}
        known = {name: found.pop() or 0 if len(found) == 1 else 0 for name, found in counts.items()}
        return FormulaParser(
            at, {name: count for name, count in known.items() if name not in without}, lines, self.names, self.lines, without
        )

    def line(self, at: Cursor) -> str:
        """Read the name of a line, which may stand in brackets; record it and return it."""
        bracket, token = at.accept("["), at.token
        name = line_name(at)
        if bracket:
            at.expect("]")
        self.lines.append(replace(token, text=name))
        return name


def read_words(at: Cursor) -> str:
    """Read and return the words that come next; raise Mistake if there are none."""
    found = at.words()
    if not found:
        raise at.mistake("words, after --,")
    return found


def words_item(page: Definitions, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Read an item that has words only, such as an assumption in words; return {"words": text}."""
    return {"words": read_words(at)}


def relation_item(page: Definitions, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Read a relation and its optional words; return a dict with "formula" and "words"."""
    at.expect(":")
    return {"formula": page.formulas(at, only).formula(), **_optional_words(at)}


def condition_item(page: Definitions, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Read a relation and the warning if it is not met; return a dict with "formula" and "words"."""
    at.expect(":")
    return {"formula": page.formulas(at, only).formula(), "words": read_words(at)}


def let_item(page: Definitions, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Read a definition of 'let', with one value or one for each variant; from here on its name is known. Return it as a dict."""
    token, parameters = at.tokens[at.place - 1], list[str]()
    if at.accept("("):
        parameters = read_distinct(at, lambda: at.name("a parameter"))
        at.expect(")")
    page.parameters |= {*parameters}
    if len({*parameters, name}) <= len(parameters) or page.parameters & {*page.named, name}:
        raise Mistake(token.line, token.column, f"{name}: a parameter must have a name that no definition and no other one has")
    page.named.add(name)
    at.expect("=")
    variants, bar = only or page.variants, token
    values = [page.formulas(at, only, without=tuple(parameters)).sum()]
    while at.next_is("|"):
        bar = at.step()
        values.append(page.formulas(at, only, without=tuple(parameters)).sum())
    if len(values) > 1 and len(values) != len(variants):
        raise Mistake(bar.line, bar.column, f"{len(values)} values for {len(variants)} variants, {', '.join(variants)}: one each is needed")
    for variant in variants:
        if parameters:
            page.lets[variant][name] = len(parameters)
    formula = {"formula": [name, "=", values[0]]} if len(values) == 1 else {"formulas": [[name, "=", value] for value in values]}
    return {**({"parameters": parameters} if parameters else {}), **formula, **_optional_words(at)}


def schedule_item(page: Definitions, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Read what is prescribed for a symbol, or a named limit "name: symbol <= value"; return a dict with "formula"."""
    symbol = name
    if at.accept(":"):
        symbol = at.name("a symbol")
        if not at.next_is("<="):
            raise at.mistake("'<=', as only limits have names,")
        formulas = page.formulas(at, only)
        return {"formula": [symbol, formulas.relation(("<=",)), formulas.sum()], **_optional_words(at)}
    return definition_item(page, at, symbol, only)


def definition_item(page: Definitions, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Read "= value" or "<= limit" of a symbol, with optional signs and words; return a dict with "formula"."""
    formulas = page.formulas(at, only)
    formula = [name, formulas.relation(("=", "<=")), formulas.sum()]
    signs = {"signs": read_several(at, lambda: page.line(at))} if at.accept("signs") else {}
    return {"formula": formula, **signs, **_optional_words(at)}


def integer_T_item(page: Definitions, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Read one of the values of the section integer_T, bound or trivial; return a dict with "formula"."""
    if name not in ("bound", "trivial"):
        raise Mistake(at.tokens[0].line, at.tokens[0].column, f"{name!r} stands here: 'bound' or 'trivial' is needed")
    formulas = page.formulas(at, only)
    return {"formula": [name, formulas.relation(("=",)), formulas.sum()], **_optional_words(at)}


def example_item(page: Definitions, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Read values of symbols of the example; the first symbol names the item. Return {"values": [[name, tree], ...]}."""
    at.place -= 1
    return {"values": read_distinct(at, lambda: _read_value(page, at, only))}


def part_item(page: Definitions, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Read a further claim, with its cases and the line that shows it, or a number among the claims; return it as a dict."""
    if not at.next_is(":"):
        return number_item(page, at, name, only)
    at.expect(":")
    formulas = page.formulas(at, only)
    item: dict[str, Any] = {"formula": formulas.formula()}
    if at.accept("where"):
        item["cases"] = read_several(at, formulas.formula)
    if at.accept("shown"):
        at.expect("by")
        item["shown"] = page.line(at)
    return {**item, **_read_label(at), **_optional_words(at)}


def number_item(page: Definitions, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Read a value that is evaluated beside the bound; return a dict with "formula"."""
    formulas = page.formulas(at, only)
    return {
        "formula": [name, formulas.relation(("=", "<=", ">=", "<", ">", "~")), formulas.sum()],
        **_read_label(at),
        **_optional_words(at),
    }


def _read_label(at: Cursor) -> dict[str, str]:
    """Read the label of a part or number after 'called', text in quotes; return {"called": text}, or {} if there is none."""
    if not at.accept("called"):
        return {}
    if at.token.kind != "text":
        raise at.mistake('text in quotes, "Assumption 3.5",')
    return {"called": " ".join(at.step().text[1:-1].split())}


def instance_item(page: Definitions, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Read by what symbols may be replaced; return {"values": [[name, tree], ...]}."""
    at.expect(":")
    return {"values": read_distinct(at, lambda: _read_value(page, at, only))}


def _read_value(page: Definitions, at: Cursor, only: list[str]) -> list[Any]:
    """Read "symbol = value"; return [name, tree]."""
    name = at.name("a symbol")
    at.expect("=")
    return [name, page.formulas(at, only).sum()]


def symbol_item(page: Definitions, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Read the declaration of a symbol; return a dict with "domain" (its domain and properties) and "words"."""
    at.expect(":")
    domain = _read_domain(at)
    while at.accept(","):
        token = at.token
        for property_, value in _read_property(page, at, only).items():
            if property_ in domain:
                raise Mistake(token.line, token.column, f"the property {property_!r} is given twice: one is needed")
            domain[property_] = value
    return {"domain": domain, "words": read_words(at)}


def _read_domain(at: Cursor) -> dict[str, Any]:
    """Read the domain of a symbol, such as "at least 0"; return it as a dict with "domain" and perhaps "low"."""
    if at.token.text not in DOMAINS or at.token.kind != "name":
        raise at.mistake("a domain, one of real, at least 0, above 0, probability, positive probability, integer at least 1,")
    first = at.step().text
    if first in ("real", "probability"):
        return {"domain": first}
    if first == "positive":
        at.expect("probability")
        return {"domain": "positive probability"}
    if first == "integer":
        at.expect("at")
    if first != "above":
        at.expect("least")
    if at.token.kind != "number":
        raise at.mistake("a number")
    return {"domain": {"at": "at least", "integer": "integer at least"}.get(first, first), "low": str(int(at.step().text))}


def _read_property(page: Definitions, at: Cursor, only: list[str]) -> dict[str, Any]:
    """Read one property of a symbol, such as "of a step" or "at most d"; return {property: value}."""
    if at.token.kind != "name" or at.token.text not in PROPERTIES:
        raise at.mistake("at most, of a step, may be set, next, first, last, average, tried, written or as")
    first = at.step().text
    if first == "tried":
        formulas = page.formulas(at, only)
        low = formulas.sum()
        at.expect("to")
        return {"tried": [low, formulas.sum()]}
    if first == "at":
        at.expect("most")
        return {"at most": at.name("a symbol")}
    if first == "may":
        at.expect("be")
        at.expect("set")
        return {"set": True}
    if first == "of":
        at.expect("a")
        at.expect("step")
        return {"step": True}
    if first == "written":
        if at.token.kind != "text":
            raise at.mistake('LaTeX in quotes, "\\alpha",')
        return {"written": at.step().text[1:-1]}
    return {first: at.name("a symbol")}


def proof_item(page: Definitions, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Read a line of a proof: its formula or its words, and the reason that it follows from; return it as a dict."""
    item: dict[str, Any] = _read_equation_number(at)
    short = at.accept("=") if not item else False
    if short:
        item["formula"] = [name, "=", page.formulas(at, only).sum()]
    elif at.accept(":"):
        item["formula"] = page.formulas(at, only).formula()
    item |= _optional_words(at)
    if not {"formula", "words"} & {*item}:
        first = at.tokens[0]
        meant = nearest(first.text, WORDS_OF_REASONS)
        raise Mistake(first.line, first.column, f"the item {first.text!r} has no ':' and formula, no '=' and no words{meant}")
    token = at.token
    reason = _read_reason(page, at, only)
    if short and reason["kind"] != "defined":
        raise Mistake(token.line, token.column, f"{name} = ... without a name: 'defined' is needed, or {name}: {name} = ...")
    in_words = reason["kind"] in ("cited", "argued")
    if "formula" not in item and not in_words:
        raise Mistake(token.line, token.column, "a line in words only: 'cited' or 'argued' is needed")
    why = read_words(at) if in_words else at.words()
    return {**item, "reason": reason, **({"why": why} if why else {})}


def _read_equation_number(at: Cursor) -> dict[str, str]:
    """Read the number of the paper's equation in brackets after the name of a line; return {"equation": ...}, or {} if none."""
    if not (at.next_is("(") and at.kind(1) in ("number", "name")):
        return {}
    at.step()
    label = at.step().text
    at.expect(")")
    return {"equation": label}


def _read_reason(page: Definitions, at: Cursor, only: list[str]) -> dict[str, Any]:
    """Read the reason of a line, such as 'by TERMS' or 'cited'; return it as a dict with "kind" and its parts."""
    token, reason = at.token, dict[str, Any]()
    kind = token.text if at.kind() == "reserved" else ""
    if kind not in REASONS:
        raise at.mistake(f"a reason, one of {', '.join(REASONS)},")
    at.step()
    reason["kind"] = kind
    terms = page.formulas(at, only, lines=True)
    if kind == "by":
        reason["terms"] = terms.sum()
    if kind == "inserting":
        reason["lines"] = read_several(at, lambda: page.line(at))
    if kind == "average":
        at.expect("of")
        reason["line"] = page.line(at)
    if kind in ("cited", "argued"):
        reason["lines"] = read_several(at, lambda: page.line(at)) if at.accept("using") else []
    if kind == "from":
        reason |= _read_from(page, at, only)
    if kind == "defined" and at.accept("signs"):
        reason["signs"] = read_several(at, lambda: page.line(at))
    if page.kind != "facts" and (kind == "meaning" or at.next_is("unless")):
        raise Mistake(token.line, token.column, "'meaning' and 'unless' belong to pages of facts: another reason is needed")
    if kind == "defined" and at.accept("unless"):
        if not (at.next_is("averaged") or at.next_is("known")):
            raise at.mistake("'averaged' or 'known'")
        reason["unless"] = [at.step().text, at.name("a symbol")]
    if kind == "by" and at.accept("inserting"):
        reason["inserting"] = read_several(at, lambda: page.line(at))
    if at.accept("claimed"):
        at.expect("where")
        reason["claimed"] = read_several(at, lambda: page.line(at))
    if at.accept("tried"):
        reason["tried"] = read_distinct(at, lambda: _read_range(page, at, only))
    return reason


def _read_from(page: Definitions, at: Cursor, only: list[str]) -> dict[str, Any]:
    """Read what follows 'from': the line, the page, replaced symbols and the lines that meet hypotheses; return it as a dict."""
    line = ""
    if at.kind() != "key":
        line = line_name(at)
        at.expect("of")
    found: dict[str, Any] = {"line": line, "page": at.key()}
    if at.accept("with"):
        found["with"] = read_distinct(at, lambda: _read_value(page, at, only))
    if at.accept("where"):
        found["where"] = read_distinct(at, lambda: _read_pair(page, at))
    return found


def _read_range(page: Definitions, at: Cursor, only: list[str]) -> list[Any]:
    """Read "symbol from low to high"; return [name, low tree, high tree]."""
    name, formulas = at.name("a symbol"), page.formulas(at, only)
    at.expect("from")
    low = formulas.sum()
    at.expect("to")
    return [name, low, formulas.sum()]


REASONS = ("by", "equal", "inserting", "average", "cited", "argued", "from", "defined", "case", "meaning")
ITEMS: dict[str, Any] = {
    **dict.fromkeys(("setting", "notes"), words_item),
    **dict.fromkeys((*SYMBOL_SECTIONS, "symbols"), symbol_item),
    **dict.fromkeys(("assume", "any_schedule"), relation_item),
    **{"where": definition_item, "schedule": schedule_item},
    **dict.fromkeys(("given", "proof"), proof_item),
    **{"let": let_item, "integer_T": integer_T_item, "parts": part_item},
    **{"conditions": condition_item, "example": example_item},
    **{"numbers": number_item, "instances": instance_item},
}


def read_distinct(at: Cursor, one: Callable[[], Any]) -> list[Any]:
    """Read several things separated by commas, each with the reader `one`; return the list. Mistake if two have one name."""
    token, found = at.token, read_several(at, one)
    names = [each if isinstance(each, str) else each[0] for each in found]
    if len({*names}) < len(names):
        raise Mistake(token.line, token.column, f"{max(names, key=names.count)!r} stands here twice: one is needed")
    return found


def read_several(at: Cursor, one: Callable[[], Any]) -> list[Any]:
    """Read several things separated by commas, each with the reader `one`; return the list."""
    found = [one()]
    while at.accept(","):
        found.append(one())
    return found


def _optional_words(at: Cursor) -> dict[str, str]:
    """Read the words that come next, if any; return {"words": ...} or {}."""
    words = at.words()
    return {"words": words} if words else {}


def _read_pair(page: Definitions, at: Cursor) -> list[str]:
    """Read "hypothesis = line"; return the name of the hypothesis there and of the line here that meets it."""
    there = page.line(at) if at.next_is("[") else at.name("the name of a line")
    at.expect("=")
    return [there, page.line(at) if at.next_is("[") else at.name("the name of a line")]
