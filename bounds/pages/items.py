"""The items of a page: what stands in its sections, read from the tokens of one item each.

A reader takes the definitions of the page, the tokens, the name of the item and the variants that it is for, and returns what the tree
says of the item, see `docs/reference/page-language.md`; it raises Mistake where something else stands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bounds.pages.formulas import Formulas, line_name
from bounds.pages.tokens import WORDS_OF_REASONS, Cursor, Mistake, Token, nearest

SYMBOL_SECTIONS = ("constants", "choices", "abbreviations", "quantities")
DOMAINS = ("real", "probability", "positive", "at", "above", "integer")
PROPERTIES = ("may", "at", "of", "next", "first", "last", "average", "written", "as", "tried")


class Lets:
    """The definitions with parameters that are known so far: of each variant, how many parameters they have."""

    def __init__(self, kind: str, variants: list[str]) -> None:
        self.kind, self.variants = kind, variants
        self.lets: dict[str, dict[str, int]] = {variant: {} for variant in variants}
        self.names: list[Token] = []  # of symbols and definitions, where formulas have them
        self.lines: list[Token] = []
        self.named, self.parameters = set[str](), set[str]()  # of definitions

    def formulas(self, at: Cursor, only: list[str], lines: bool = False, without: tuple[str, ...] = ()) -> Formulas:
        """Return a reader of formulas that knows the definitions of all variants that it is for."""
        tables = [self.lets[variant] for variant in only or self.variants]
        counts = {name: {one.get(name) for one in tables} for one in tables for name in one}
        known = {name: found.pop() or 0 if len(found) == 1 else 0 for name, found in counts.items()}
        return Formulas(at, {name: count for name, count in known.items() if name not in without}, lines, self.names, self.lines, without)

    def line(self, at: Cursor) -> str:
        """Return the name of a line, which may stand in brackets."""
        bracket, token = at.taken("["), at.token
        name = line_name(at)
        if bracket:
            at.need("]")
        self.lines.append(replace(token, text=name))
        return name


def words(at: Cursor) -> str:
    """Return the words that stand here; raise Mistake if there are none."""
    found = at.words()
    if not found:
        raise at.mistake("words, after --,")
    return found


def words_item(page: Lets, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Return what an item in words says."""
    return {"words": words(at)}


def relation_item(page: Lets, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Return a relation, and what is said of it."""
    at.need(":")
    return {"formula": page.formulas(at, only).formula(), **_said(at)}


def condition_item(page: Lets, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Return a relation, and the sentence to say when it is not met."""
    at.need(":")
    return {"formula": page.formulas(at, only).formula(), "words": words(at)}


def let_item(page: Lets, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Return a definition that is inserted where it is used; from here on its name is known with its parameters."""
    token, parameters = at.tokens[at.place - 1], list[str]()
    if at.taken("("):
        parameters = different(at, lambda: at.name("a parameter"))
        at.need(")")
    page.parameters |= {*parameters}
    if len({*parameters, name}) <= len(parameters) or page.parameters & {*page.named, name}:
        raise Mistake(token.line, token.column, f"{name}: a parameter must have a name that no definition and no other one has")
    page.named.add(name)
    at.need("=")
    variants, bar = only or page.variants, token
    values = [page.formulas(at, only, without=tuple(parameters)).sum()]
    while at.ahead("|"):
        bar = at.step()
        values.append(page.formulas(at, only, without=tuple(parameters)).sum())
    if len(values) > 1 and len(values) != len(variants):
        raise Mistake(bar.line, bar.column, f"{len(values)} values for {len(variants)} variants, {', '.join(variants)}: one each is needed")
    for variant in variants:
        if parameters:
            page.lets[variant][name] = len(parameters)
    formula = {"formula": [name, "=", values[0]]} if len(values) == 1 else {"formulas": [[name, "=", value] for value in values]}
    return {**({"parameters": parameters} if parameters else {}), **formula, **_said(at)}


def schedule_item(page: Lets, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Return what is prescribed for a symbol; limits of it may have names of their own."""
    symbol = name
    if at.taken(":"):
        symbol = at.name("a symbol")
        if not at.ahead("<="):
            raise at.mistake("'<=', as only limits have names,")
        formulas = page.formulas(at, only)
        return {"formula": [symbol, formulas.relation(("<=",)), formulas.sum()], **_said(at)}
    return definition_item(page, at, symbol, only)


def definition_item(page: Lets, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Return what a symbol stands for, or up to what it may be."""
    formulas = page.formulas(at, only)
    formula = [name, formulas.relation(("=", "<=")), formulas.sum()]
    signs = {"signs": several(at, lambda: page.line(at))} if at.taken("signs") else {}
    return {"formula": formula, **signs, **_said(at)}


def plain_definition_item(page: Lets, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Return one of the values of the section integer_T."""
    if name not in ("bound", "trivial"):
        raise Mistake(at.tokens[0].line, at.tokens[0].column, f"{name!r} stands here: 'bound' or 'trivial' is needed")
    formulas = page.formulas(at, only)
    return {"formula": [name, formulas.relation(("=",)), formulas.sum()], **_said(at)}


def example_item(page: Lets, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Return values of symbols at the point of the example, of which the first one names the item."""
    at.place -= 1
    return {"values": different(at, lambda: _value(page, at, only))}


def part_item(page: Lets, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Return a further claim, the cases in which it holds, and the line that shows it; or a number that stands among the claims."""
    if not at.ahead(":"):
        return number_item(page, at, name, only)
    at.need(":")
    formulas = page.formulas(at, only)
    item: dict[str, Any] = {"formula": formulas.formula()}
    if at.taken("where"):
        item["cases"] = several(at, formulas.formula)
    if at.taken("shown"):
        at.need("by")
        item["shown"] = page.line(at)
    return {**item, **_called(at), **_said(at)}


def number_item(page: Lets, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Return a value that is evaluated beside the bound."""
    formulas = page.formulas(at, only)
    return {"formula": [name, formulas.relation(("=", "<=", ">=", "<", ">", "~")), formulas.sum()], **_called(at), **_said(at)}


def _called(at: Cursor) -> dict[str, str]:
    """Return what a part or a number is called where that is no name: text in quotes."""
    if not at.taken("called"):
        return {}
    if at.token.kind != "text":
        raise at.mistake('text in quotes, "Assumption 3.5",')
    return {"called": " ".join(at.step().text[1:-1].split())}


def instance_item(page: Lets, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Return what symbols may be replaced by."""
    at.need(":")
    return {"values": different(at, lambda: _value(page, at, only))}


def _value(page: Lets, at: Cursor, only: list[str]) -> list[Any]:
    name = at.name("a symbol")
    at.need("=")
    return [name, page.formulas(at, only).sum()]


def symbol_item(page: Lets, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Return the domain of a symbol, and its meaning."""
    at.need(":")
    domain = _domain(at)
    while at.taken(","):
        token = at.token
        for property_, value in _property(page, at, only).items():
            if property_ in domain:
                raise Mistake(token.line, token.column, f"the property {property_!r} is given twice: one is needed")
            domain[property_] = value
    return {"domain": domain, "words": words(at)}


def _domain(at: Cursor) -> dict[str, Any]:
    if at.token.text not in DOMAINS or at.token.kind != "name":
        raise at.mistake("a domain, one of real, at least 0, above 0, probability, positive probability, integer at least 1,")
    first = at.step().text
    if first in ("real", "probability"):
        return {"domain": first}
    if first == "positive":
        at.need("probability")
        return {"domain": "positive probability"}
    if first == "integer":
        at.need("at")
    if first != "above":
        at.need("least")
    if at.token.kind != "number":
        raise at.mistake("a number")
    return {"domain": {"at": "at least", "integer": "integer at least"}.get(first, first), "low": str(int(at.step().text))}


def _property(page: Lets, at: Cursor, only: list[str]) -> dict[str, Any]:
    if at.token.kind != "name" or at.token.text not in PROPERTIES:
        raise at.mistake("at most, of a step, may be set, next, first, last, average, tried, written or as")
    first = at.step().text
    if first == "tried":
        formulas = page.formulas(at, only)
        low = formulas.sum()
        at.need("to")
        return {"tried": [low, formulas.sum()]}
    if first == "at":
        at.need("most")
        return {"at most": at.name("a symbol")}
    if first == "may":
        at.need("be")
        at.need("set")
        return {"set": True}
    if first == "of":
        at.need("a")
        at.need("step")
        return {"step": True}
    if first == "written":
        if at.token.kind != "text":
            raise at.mistake('LaTeX in quotes, "\\alpha",')
        return {"written": at.step().text[1:-1]}
    return {first: at.name("a symbol")}


def proof_item(page: Lets, at: Cursor, name: str, only: list[str]) -> dict[str, Any]:
    """Return a line of a proof: its formula or its words, and what it follows from."""
    item: dict[str, Any] = _equation(at)
    short = at.taken("=") if not item else False
    if short:
        item["formula"] = [name, "=", page.formulas(at, only).sum()]
    elif at.taken(":"):
        item["formula"] = page.formulas(at, only).formula()
    item |= _said(at)
    if not {"formula", "words"} & {*item}:
        first = at.tokens[0]
        meant = nearest(first.text, WORDS_OF_REASONS)
        raise Mistake(first.line, first.column, f"the item {first.text!r} has no ':' and formula, no '=' and no words{meant}")
    token = at.token
    reason = _reason(page, at, only)
    if short and reason["kind"] != "defined":
        raise Mistake(token.line, token.column, f"{name} = ... without a name: 'defined' is needed, or {name}: {name} = ...")
    in_words = reason["kind"] in ("cited", "argued")
    if "formula" not in item and not in_words:
        raise Mistake(token.line, token.column, "a line in words only: 'cited' or 'argued' is needed")
    why = words(at) if in_words else at.words()
    return {**item, "reason": reason, **({"why": why} if why else {})}


def _equation(at: Cursor) -> dict[str, str]:
    """Return the number of the paper's equation that a line is, where one stands in brackets after its name."""
    if not (at.ahead("(") and at.kind(1) in ("number", "name")):
        return {}
    at.step()
    label = at.step().text
    at.need(")")
    return {"equation": label}


def _reason(page: Lets, at: Cursor, only: list[str]) -> dict[str, Any]:
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
        reason["lines"] = several(at, lambda: page.line(at))
    if kind == "average":
        at.need("of")
        reason["line"] = page.line(at)
    if kind in ("cited", "argued"):
        reason["lines"] = several(at, lambda: page.line(at)) if at.taken("using") else []
    if kind == "from":
        reason |= _from(page, at, only)
    if kind == "defined" and at.taken("signs"):
        reason["signs"] = several(at, lambda: page.line(at))
    if page.kind != "facts" and (kind == "meaning" or at.ahead("unless")):
        raise Mistake(token.line, token.column, "'meaning' and 'unless' belong to pages of facts: another reason is needed")
    if kind == "defined" and at.taken("unless"):
        if not (at.ahead("averaged") or at.ahead("known")):
            raise at.mistake("'averaged' or 'known'")
        reason["unless"] = [at.step().text, at.name("a symbol")]
    if kind == "by" and at.taken("inserting"):
        reason["inserting"] = several(at, lambda: page.line(at))
    if at.taken("claimed"):
        at.need("where")
        reason["claimed"] = several(at, lambda: page.line(at))
    if at.taken("tried"):
        reason["tried"] = different(at, lambda: _range(page, at, only))
    return reason


def _from(page: Lets, at: Cursor, only: list[str]) -> dict[str, Any]:
    line = ""
    if at.kind() != "key":
        line = line_name(at)
        at.need("of")
    found: dict[str, Any] = {"line": line, "page": at.key()}
    if at.taken("with"):
        found["with"] = different(at, lambda: _value(page, at, only))
    if at.taken("where"):
        found["where"] = different(at, lambda: _pair(page, at))
    return found


def _range(page: Lets, at: Cursor, only: list[str]) -> list[Any]:
    name, formulas = at.name("a symbol"), page.formulas(at, only)
    at.need("from")
    low = formulas.sum()
    at.need("to")
    return [name, low, formulas.sum()]


REASONS = ("by", "equal", "inserting", "average", "cited", "argued", "from", "defined", "case", "meaning")
ITEMS: dict[str, Any] = {
    **dict.fromkeys(("setting", "notes"), words_item),
    **dict.fromkeys((*SYMBOL_SECTIONS, "symbols"), symbol_item),
    **dict.fromkeys(("assume", "any_schedule"), relation_item),
    **{"where": definition_item, "schedule": schedule_item},
    **dict.fromkeys(("given", "proof"), proof_item),
    **{"let": let_item, "integer_T": plain_definition_item, "parts": part_item},
    **{"conditions": condition_item, "example": example_item},
    **{"numbers": number_item, "instances": instance_item},
}


def different(at: Cursor, one: Callable[[], Any]) -> list[Any]:
    """Return what stands here, separated by commas; the first parts of two of them, their names, must differ."""
    token, found = at.token, several(at, one)
    names = [each if isinstance(each, str) else each[0] for each in found]
    if len({*names}) < len(names):
        raise Mistake(token.line, token.column, f"{max(names, key=names.count)!r} stands here twice: one is needed")
    return found


def several(at: Cursor, one: Callable[[], Any]) -> list[Any]:
    """Return what stands here, separated by commas."""
    found = [one()]
    while at.taken(","):
        found.append(one())
    return found


def _said(at: Cursor) -> dict[str, str]:
    words = at.words()
    return {"words": words} if words else {}


def _pair(page: Lets, at: Cursor) -> list[str]:
    """Return the names of a hypothesis there and of the line here that meets it; a limit stands in brackets."""
    there = page.line(at) if at.ahead("[") else at.name("the name of a line")
    at.need("=")
    return [there, page.line(at) if at.ahead("[") else at.name("the name of a line")]
