"""Convert a page to values: symbols to SymPy, the statement to a `Theorem`, the proof to a `Derivation`, formulas by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import prod
from typing import Any

import sympy as sp

from bounds.pages.formulas import Tree, expand_line_sums, has_line, summands
from bounds.pages.store import DeclaredSymbol, Page
from bounds.pages.symbols import declaration_text, glossary_entry, lower_limit
from bounds.pages.tokens import nearest
from bounds.proofs.derivation import Derivation
from bounds.proofs.inequalities import Instance
from bounds.proofs.lines import (
    Assumed,
    Case,
    Certificate,
    Cited,
    Defined,
    Identity,
    Inverse,
    Meaning,
    NonNegative,
    Open,
    Reasoned,
    Shown,
    Step,
    Substitution,
    Telescoped,
    named_lines,
)  # fmt: skip
from bounds.symbols import DECLARED, GLOSSARY, Max, Min, introduce
from bounds.theorem import HYPOTHESIS, SCOPE, AtIntegerT, Condition, Part, Theorem

FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(sp, name) for name in ("exp", "log", "cos", "sin", "erf", "erfc")},
    **{"ceil": sp.ceiling, "min": Min, "max": Max, "gamma_function": sp.gamma, "incomplete_beta": sp.betainc},
}
RELATIONS = {"<=": sp.Le, "<": sp.Lt, ">=": sp.Ge, ">": sp.Gt, "=": sp.Eq}
CLAIMS = {"<=": "upper", "=": "identity", "~": "rate"}
SOURCES = ("from", "defined", "case", "meaning")  # reasons of lines that are taken, not derived


def tree_expression(tree: Tree, named: Callable[[str], Any], inserted: Callable[[str, list[Any]], Any] | None = None) -> Any:
    """Convert a syntax tree to a SymPy expression; `named` gives the value of a name.

    `inserted` gives the value of a definition with parameters, from its name and its arguments.
    """
    if isinstance(tree, str):
        return named(tree)
    head, *parts = tree
    if head == "q":
        return sp.Rational(parts[0])
    if head in ("pi", "e"):
        return sp.pi if head == "pi" else sp.E
    name, parts = (parts[0], parts[1:]) if head == "let" else (head, parts)
    values = [tree_expression(one, named, inserted) for one in parts]
    if head == "let" and inserted is not None:
        return inserted(name, values)
    if head in ("+", "*"):
        return sp.Add(*values) if head == "+" else product(values)
    return values[0] ** values[1] if head == "^" else FUNCTIONS[head](*values)


class PageValues:
    """Converter from the syntax trees of one page to SymPy expressions, proof steps and certificates."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.inserted: dict[str, Any] = {}
        self.equalities = {self.line(name) for name, relation in page.relations.items() if relation == "="}

    def symbol(self, name: str) -> Any:
        """Return the SymPy symbol of a name on the page, after adding it to the glossary if it is new there."""
        declared = self.page.symbols[name]
        if "at most" in declared.domain:  # its upper limit must be in the glossary first
            self.symbol(declared.domain["at most"])
        return declared_symbol(declared)

    def value(self, tree: Tree, arguments: Mapping[str, Any] | None = None) -> Any:
        """Convert a tree to an expression; `arguments` are the values of the parameters of a definition."""
        return tree_expression(tree, lambda name: self._named(name, arguments or {}), lambda name, given: self._inserted(name, given))

    def _inserted(self, name: str, given: list[Any]) -> Any:
        """Return the value of the definition `name`, which has parameters, at arguments that are expressions."""
        item = self.page.lets[name]
        return self.value(item["formula"][2], dict(zip(item["parameters"], given, strict=True)))

    def _named(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Return the value of a name: an argument, a definition or a symbol."""
        if name in arguments:
            return arguments[name]
        if name in self.page.lets:
            if name not in self.inserted:
                self.inserted[name] = self.value(self.page.lets[name]["formula"][2])
            return self.inserted[name]
        return self.symbol(name)

    def line(self, name: str) -> str:
        """Return the name of a line as proofs use it: for definitions and limits the glossary names of the symbols."""
        left, *rest = name.split()
        if rest:
            relation, right = rest
            known = [self.page.symbols[one].known_as if one in self.page.symbols else one for one in (left, right)]
            return f"{known[0]} {relation} {known[1]}"
        return self.page.symbols[name].known_as if name in self.page.defined_names else name

    def lines(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the names of several lines as proofs use them, a tuple."""
        return tuple(map(self.line, names))

    def relation(self, formula: list[Any]) -> Any:
        """Convert [left, relation, right] to a SymPy relation."""
        left, relation, right = formula
        return RELATIONS[relation](self.value(left), self.value(right))

    # --- reasons ---------------------------------------------------------------------------------------------------------------------

    def factor(self, tree: Tree) -> Any:
        """Convert a factor of a proof term: return an expression, the name of a line, an `Inverse` of a line, or an `Instance`."""
        if isinstance(tree, list) and tree[0] == "line":
            return self.line(tree[1])
        if isinstance(tree, list) and tree[0] == "^" and isinstance(tree[1], list) and tree[1][0] == "line":
            if tree[2] != ["q", "-1"]:
                raise ValueError(f"{self.page.key}: the power of a line is needed as a product, or one over it")
            return Inverse(self.line(tree[1][1]))
        if isinstance(tree, list) and tree[0] in ("exponential", "cosine", "decay"):
            inner = tuple(self.factors(tree[1]))
            return Instance(tree[0], inner if tree[0] == "decay" else self.value(tree[1]))
        return self.value(tree)

    def factors(self, tree: Tree) -> list[Any]:
        """Return the factors of a term; neighbouring factors without lines are multiplied."""
        if isinstance(tree, list) and tree[0] == "*" and not has_line(tree):
            return [sp.Mul(*map(self.value, tree[1:]))]  # a number is not multiplied out, which could hide a sign
        if not has_line(tree) or tree[0] != "*":
            return [self.factor(tree)]
        found: list[Any] = []
        for one in (factor for part in tree[1:] for factor in self.factors(part)):
            plain = isinstance(one, sp.Basic)
            if plain and found and isinstance(found[-1], sp.Basic):
                found[-1] = found[-1] * one
            else:
                found.append(one)
        return found

    def sum(self, tree: Tree) -> tuple[tuple[tuple[Any, ...], ...], tuple[tuple[Any, str], ...]]:
        """Return the terms of a sum, each a tuple of factors, and its multiples of equalities as pairs (multiplier, line)."""
        terms, multiples = [], []
        for term in () if tree == ["q", "0"] else [one for part in summands(tree) for one in expand_line_sums(part)]:
            factors = self.factors(term)
            equality = next((one for one in factors if isinstance(one, str) and one in self.equalities), None)
            if equality is None:
                terms.append(tuple(factors))
                continue
            factors.remove(equality)
            plain = not any(isinstance(one, str | Inverse | Instance) for one in factors)
            multiples.append((product(factors) if plain else tuple(factors), equality))
        return tuple(terms), tuple(multiples)

    def certificate(self, reason: Mapping[str, Any], relation: str, why: str) -> Certificate:
        """Return the certificate for the reason of a line; `relation` is that of the line, `why` its words."""
        kind, lines = reason["kind"], self.lines(reason.get("lines", ()))
        if kind == "by":
            terms, multiples = self.sum(reason["terms"])
            is_identity = relation == "=" and not terms
            return Identity(multiples) if is_identity else NonNegative(terms, self.lines(reason.get("inserting", ())), multiples)
        if kind == "equal":
            return Identity()
        if kind == "inserting":
            return Substitution(lines)
        if kind == "average":
            return Telescoped(self.line(reason["line"]))
        if kind in ("cited", "argued"):
            return Cited(why, lines) if kind == "cited" else Reasoned(why, lines)
        if kind == "defined":
            return Defined(why, self.lines(reason.get("signs", ())))
        if kind in ("case", "meaning"):
            return Case() if kind == "case" else Meaning()
        store = self.page.store
        there = store.page(reason["page"]) if reason["page"] in store.files else self.page
        at = PageValues(there)
        instance = {at.symbol(name): self.value(value) for name, value in reason.get("with", ())}
        met = {at.line(one): self.line(here) for one, here in reason.get("where", ())}
        return Shown(reason["page"], at.line(reason["line"]), instance, met)

    def step(self, item: Mapping[str, Any], certificate: Certificate | None = None) -> Step:
        """Return an item of a proof as a `Step`, with a certificate made from its reason unless one is given."""
        why = item.get("why", "")
        reason = item.get("reason", {})
        left, relation, right = item.get("formula", (None, "", None))
        found = certificate or self.certificate({**reason, "line": reason.get("line") or item["name"]}, relation, why)
        sides = [None if side is None else self.value(side) for side in (left, right)]
        number = f"({item['equation']}): " if "equation" in item else ""
        words = number + item["words"] if "words" in item else (f"{sp.sstr(sides[0])} {relation} {sp.sstr(sides[1])}" if relation else "")
        said = isinstance(found, Cited | Reasoned | Defined)
        closed = Open(item["name"], sides[0], relation, sides[1], words, "" if said else why).certified(found)
        if "claimed" in reason:
            closed = closed.claimed_where(*self.lines(reason["claimed"]))
        tried = {self.symbol(name): (self.value(low), self.value(high)) for name, low, high in reason.get("tried", ())}
        return closed.within(tried) if tried else closed


def declared_symbol(declared: DeclaredSymbol) -> Any:
    """Return the SymPy symbol of a declaration; add it to the glossary if it is new."""
    if declared.known_as in GLOSSARY:
        return GLOSSARY[declared.known_as].symbol
    DECLARED[declared.known_as] = lower_limit(declared)
    return introduce(glossary_entry(declared))


def product(factors: Iterable[Any]) -> Any:
    """Return the product of expressions, 1 for none."""
    return prod(factors, start=sp.Integer(1))


# --- a page as a theorem and as a proof --------------------------------------------------------------------------------------------------


def page_theorem(page: Page) -> Theorem:
    """Return the statement of a page of kind theorem as a `Theorem`."""
    at = PageValues(page)
    measured, relation, value = page.bound
    limits = {item["name"]: at.relation(item["formula"]) for item in page.items("any_schedule")}
    any_schedule = page.head("any_schedule", "value")
    return Theorem(
        key=page.key,
        title=page.title,
        source=page.head("source", "words", ""),
        claim="privacy" if "privacy" in page.sections else CLAIMS[relation],
        measure=page.head("bound", "words") or page.head("privacy", "words") or page.symbols[measured].words,
        bound=at.value(value),
        assumptions=tuple(item["words"] for _, item in page.items_with_facts("setting")),
        method=(page.head("method", "names") or [None])[0],
        definitions=_definitions(page, "where"),
        schedule=_definitions(page, "schedule"),
        any_schedule=None if any_schedule is None else at.value(any_schedule),
        valid_if=tuple(limits.values()),
        conditions=tuple(_condition(where, item) for where, item in page.items_with_facts("conditions")),
        parts=tuple(_parts(page, at)),
        notes=tuple(item["words"] for _, item in page.items_with_facts("notes")),
        measured=at.symbol(measured) if measured else None,
        in_letters=tuple(
            PageValues(where).relation(item["formula"]) for where, item in (*page.items_with_facts("assume"), *_repeated_limits(page))
        ),
        step_size=limits.get("step_size"),
        per_step=_per_step(page, at),
        at_integer_T=_integer_T_bound(page, at),
        limits=_limited_symbols(page),
        is_own=page.is_own,
        declared=tuple(declaration_text(one) for one in page.declared.values()) if page.is_own else (),
        taken=tuple(_taken_lines(page)) if page.is_own else (),
    )


def _definitions(page: Page, section: str) -> dict[str, Any]:
    """Return the definitions of a section as expressions by name; of several limits of a symbol, their minimum."""
    found: dict[str, Any] = {}
    for where, item in page.items_with_facts(section):
        name, value = where.symbols[item["formula"][0]].known_as, PageValues(where).value(item["formula"][2])
        found[name] = Min(found[name], value) if name in found else value  # of several limits the smallest
    return found


def _taken_lines(page: Page) -> Iterable[str]:
    """Yield as text what a proof takes from elsewhere: facts, lines of other pages, and what is cited or argued."""
    for where, item in (*page.items_with_facts("given"), *((page, item) for item in page.items("proof"))):
        reason = item.get("reason", {})
        left, sign, right = item.get("formula", ("", "", ""))
        formula = f"{sp.sstr(PageValues(where).value(left))} {sign} {sp.sstr(PageValues(where).value(right))}" if sign else ""
        if where is not page or reason.get("kind") in ("cited", "argued", "from"):
            why = item.get("why") or (f"from {reason['page']}" if reason.get("kind") == "from" else f"a fact of {where.key}")
            yield f"{': '.join(filter(None, (formula, item.get('words', ''))))} ({why})"


def _limited_symbols(page: Page) -> tuple[str, ...]:
    """Return the names, as values are passed, of the symbols for which the schedule gives an upper limit."""
    limits = [where.symbols[item["formula"][0]].known_as for where, item in page.items_with_facts("schedule") if item["formula"][1] == "<="]
    return tuple(dict.fromkeys(limits))


def _repeated_limits(page: Page) -> list[tuple[Page, dict[str, Any]]]:
    """Return the limits in the schedule as pairs (page, item) if there are several; the schedule itself has their minimum only."""
    limits = [(where, item) for where, item in page.items_with_facts("schedule") if item["formula"][1] == "<="]
    return limits if len(limits) > 1 else []


def _condition(where: Page, item: Mapping[str, Any]) -> Condition:
    """Return an item of the section 'conditions' as a `Condition`, of kind scope if it is marked so, else hypothesis."""
    return Condition(PageValues(where).relation(item["formula"]), item.get("words", ""), SCOPE if "scope" in item else HYPOTHESIS)


def _part_name(item: Mapping[str, Any]) -> str:
    """Return the printed name of a part of a theorem: its 'called' text, or its name with spaces for underscores."""
    return str(item.get("called", item["name"].replace("_", " ")))


def _parts(page: Page, at: PageValues) -> Iterable[Part]:
    """Yield the parts of a theorem, and the numbers that are evaluated beside its bound."""
    for item in page.items("parts"):
        left, relation, right = item["formula"]
        if item["name"] == left and left not in page.symbols:
            yield Part(_part_name(item), item.get("words", ""), relation.replace("~", "O"), at.value(right))
            continue
        cases = tuple(at.relation(case) for case in item.get("cases", ()))
        if decided := [bool(one) for one in cases if one in (sp.true, sp.false)]:
            raise ValueError(f"{page.key}: a case of the part {item['name']!r} is always {decided[0]}, by the domains of its symbols")
        words = item.get("words") or (page.symbols[left].words if isinstance(left, str) else sp.sstr(at.value(left)))
        yield Part(_part_name(item), words, relation, at.value(right), at.value(left), cases)
    for item in page.items("numbers"):
        _, relation, right = item["formula"]
        yield Part(_part_name(item), item.get("words", ""), relation.replace("~", "O"), at.value(right), is_shown=not page.is_own)


def _per_step(page: Page, at: PageValues) -> Any:
    """Return the right side of the line that the section per_step names, None without that section."""
    line = page.head("per_step", "line")
    return next((at.value(item["formula"][2]) for item in page.items("proof") if item.get("name") == line), None) if line else None


def _integer_T_bound(page: Page, at: PageValues) -> AtIntegerT | None:
    """Return the section integer_T as an `AtIntegerT`, None without that section."""
    values = {item["name"]: at.value(item["formula"][2]) for item in page.items("integer_T")}
    return AtIntegerT(values["bound"], values["trivial"], page.head("integer_T", "names")[0]) if values else None


def page_derivation(page: Page, proves: Theorem | None = None) -> Derivation:
    """Return the proof of a page as a `Derivation`; `proves` is its theorem, which is read from the page if it is not given."""
    at = PageValues(page)
    _introduce_runs(at)
    if page.kind != "theorem" or page.is_partial:  # of a lemma, or a proof that stops before the bound
        proves = None
    elif proves is None:
        proves = page_theorem(page)
    taken = [PageValues(where).step(item, Assumed()) for where, item in page.assumption_items()]
    given = [PageValues(where).step(item) for where, item in page.items_with_facts("given")]
    given += [at.step(item) for item in page.items("proof") if item["reason"]["kind"] in SOURCES]
    signs = {at.line(item["name"]): at.lines(item["signs"]) for _, item in page.definition_items() if "signs" in item}
    steps = tuple(at.step(item) for item in page.items("proof") if item["reason"]["kind"] not in SOURCES)
    if page.kind == "lemma":
        taken += [_definition_step(where, item) for where, item in page.definition_items()]
    if page.is_partial:
        named_here = {name for one in (*given, *steps) for name in (*named_lines(one.certificate), *one.where)}
        own = {one.lhs for one in given if isinstance(one.certificate, Defined)}
        taken += [
            one
            for where, item in page.definition_items()
            if (one := _definition_step(where, item)).lhs not in own and one.name in named_here
        ]
    return Derivation(
        key=page.key,
        title=page.head("proof", "words") or page.title,
        source=page.head("proved", "words") or page.head("source", "words", ""),
        steps=steps,
        facts=(*taken, *given),
        proves=proves,
        shows={_part_name(item): at.line(item["shown"]) for item in page.items("parts") if "shown" in item},
        spelled={name: declared_symbol(one) for name, one in page.symbols.items() if "as" in one.domain},
        instances=tuple({at.symbol(name): at.value(value) for name, value in item["values"]} for item in page.items("instances")),
        left_open=tuple(at.symbol(name) for name in page.head("open", "names", ())),
        signs=signs,
        lemmas={one.key: page_derivation(one) for one in page.lemmas if one.is_own},
    )


def _introduce_runs(at: PageValues) -> None:
    """Register with the first checker which symbols of a page form a run, and which are averages."""
    from bounds.proofs.meanings import RUNS, introduce_average, introduce_run  # here, because that module reads its tables from pages

    for name, declared in at.page.symbols.items():
        domain = declared.domain
        if "average" in domain:
            introduce_average(at.symbol(name), at.symbol(domain["average"]))
        if "next" in domain:
            now, after, first, last = map(at.symbol, (name, domain["next"], domain["first"], domain["last"]))
            if (now, after, first, last) not in RUNS:
                introduce_run(now, after, first, last)


def _definition_step(where: Page, item: Mapping[str, Any]) -> Step:
    """Return a definition of the statement as a line of a lemma, or of a proof that stops before the bound."""
    at = PageValues(where)
    return at.step({**item, "name": at.line(item["name"])}, Defined("", at.lines(item.get("signs", ()))))


def page_formula(page: Page, name: str) -> Any:
    """Return a definition, the bound, a number or the right side of a line by name, as an expression; KeyError if there is none."""
    at = PageValues(page)
    if name in page.lets and "parameters" not in page.lets[name]:
        return at.value(name)
    for section in ("where", "schedule", "assume", "conditions", "numbers", "parts", "given", "proof"):
        for where, item in page.items_with_facts(section):
            if item["name"] == name and "formula" in item:
                return PageValues(where).value(item["formula"][2])
    raise KeyError(f"{name!r}: {page.key} has no formula of this name{nearest(name, [*page.lets, *page.relations])}")
