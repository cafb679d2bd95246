"""Example of a page: values at which all assumptions hold with a margin, which shows that they do not contradict each other.

`example_mistakes`   yields a mistake for every assumption that the example does not meet, and for every invalid value
`find_example`    searches for values for the example of a page; None if none were found
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import mpmath as mp
import sympy as sp

from bounds.pages.formulas import Tree
from bounds.pages.rules import source_position
from bounds.pages.store import DeclaredSymbol, Page
from bounds.pages.tokens import Mistake, nearest
from bounds.pages.values import PageValues, page_derivation
from bounds.proofs.inequalities import is_zero
from bounds.proofs.lines import named_lines
from bounds.theorem import HOLDS

DIGITS, ROOM, EQUAL = 40, mp.mpf(10) ** -9, mp.mpf(10) ** -25  # margin and tolerance of equality, relative to the sides
USUAL: dict[str, int | Fraction] = {"n": 10**6, "d": 100, "r": 10, "delta": Fraction(1, 10**6), "T": 1000, "mu": Fraction(1, 10)}
ROUNDS, STARTS = 60, 40


def _relations(items: Iterable[tuple[Page, Mapping[str, Any]]]) -> list[tuple[str, Any, str, Any]]:
    """Return items with formulas, given with their pages, as tuples (name, left side, relation, right side) of expressions."""
    read = [(item["name"], PageValues(where), item["formula"]) for where, item in items]
    return [(name, at.value(left), relation, at.value(right)) for name, at, (left, relation, right) in read]


def _symbol_names(relation: tuple[str, Any, str, Any]) -> set[str]:
    """Return the set of the names of the symbols on both sides of a relation tuple (name, left side, relation, right side)."""
    return {symbol.name for symbol in relation[1].free_symbols | relation[3].free_symbols}


def page_assumptions(page: Page) -> list[tuple[str, Any, str, Any]]:
    """Return all assumptions of a page as tuples (name, left side, relation, right side), the sides as SymPy expressions."""
    return _relations(page.assumption_items())


def page_definitions(page: Page) -> list[tuple[Any, Any]]:
    """Return the definitions of a statement as pairs (symbol, value), in the order in which to substitute them, the last first."""
    read = [(PageValues(where), item["formula"]) for where, item in reversed(page.definition_items())]
    return [(at.symbol(name), at.value(value)) for at, (name, _, value) in read]


def page_meanings(page: Page) -> list[tuple[str, Any, str, Any]]:
    """Return the facts that hold by the meaning of the page's symbols, as tuples (name, left side, relation, right side).

    Only facts about symbols of this page are returned.
    """
    items = [(one, item) for one in page.used if one.kind == "facts" for item in one.items("given")]
    facts = [(where, item) for where, item in items if item.get("reason", {}).get("kind") == "meaning"]
    known = {one.known_as for one in page.symbols.values()}
    return [one for one in _relations(facts) if _symbol_names(one) <= known]


def run_substitutions(page: Page) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Return two substitutions for the symbols of a step: their values at the first and at the last step of a run.

    The run has steps of one size, so x_{t+1} - x_t is the same for all t; symbols of averages stand for the value at a step.
    """
    at = PageValues(page)
    T = next((at.symbol(name) for name, one in page.symbols.items() if one.known_as == "T"), None)
    start, end = dict[Any, Any](), dict[Any, Any]()
    for name, one in page.symbols.items():
        if "average" in one.domain:
            start[at.symbol(one.domain["average"])] = end[at.symbol(one.domain["average"])] = at.symbol(name)
        if "next" in one.domain and T is not None:
            now, after, first, last = (at.symbol(each) for each in (name, *(one.domain[key] for key in ("next", "first", "last"))))
            start |= {now: first, after: first + (last - first) / T}
            end |= {now: last - (last - first) / T, after: last}
    meaning = dict(page_definitions(page))
    return tuple({key: value.xreplace(meaning) for key, value in one.items()} for one in (start, end))  # type: ignore[return-value]


def given_lines(page: Page) -> list[tuple[str, Any, str, Any]]:
    """Return the lines in the section 'given' of a page, which its proof takes, as tuples (name, left side, relation, right side)."""
    return _relations((where, item) for where, item in page.items_with_facts("given") if "formula" in item)


class Requirements:
    """The relations that an example must satisfy, with the definitions of the statement substituted, and the symbols in them.

    The relations are the assumptions of the page, and facts about the same symbols. Lines that the proof takes must hold too, where all
    their symbols occur in assumptions. A run is checked at its first and its last step, with steps of one size, and averages are those of
    its steps. `cases` are lines that are added to the assumptions.
    """

    def __init__(self, page: Page, cases: Sequence[tuple[str, Any, str, Any]] = ()) -> None:
        self.page = page
        self.meaning = page_definitions(page)
        self.declared: dict[str, DeclaredSymbol] = {PageValues(page).symbol(name).name: one for name, one in page.symbols.items()}
        first, last = run_substitutions(page)
        said = [
            (name, self.substitute(left), sign, self.substitute(right)) for name, left, sign, right in (*page_assumptions(page), *cases)
        ]
        spoken = set[str]().union(*map(_symbol_names, said))
        said += [one for one in page_meanings(page) if _symbol_names(one) & spoken]
        lines = [(name, self.substitute(left), sign, self.substitute(right)) for name, left, sign, right in given_lines(page)]
        lines = [one for one in lines if _symbol_names(one) <= spoken]
        self.taken = {name for name, *_ in lines} - {name for name, *_ in said}
        said += lines
        both = [tuple(side.xreplace(at) for side in (left, right)) for at in (first, last) for _, left, _, right in said]
        self.relations = [(name, *pair, sign) for (name, _, sign, _), pair in zip(said * 2, both, strict=True)]
        self.relations = list(dict.fromkeys(self.relations))
        others = [self.substitute(PageValues(page).value(page.bound[2]))] if page.bound else []
        others += [self.substitute(symbol) for symbol, _ in self.meaning]
        sides = [side for _, left, right, _ in self.relations for side in (left, right)]
        spoken = {one for _, left, _, right in said for one in left.free_symbols | right.free_symbols}
        self.along = [(one.name, at[one]) for at in (first, last) for one in at if {one, *at[one].free_symbols} & spoken]
        others += [value for _, value in self.along]
        self.symbols = sorted(set().union(*(one.xreplace(first).free_symbols for one in (*sides, *others))), key=str)
        self.sides = sp.lambdify(self.symbols, sides, modules="mpmath")
        self.exact = [sign in ("<=", ">=") and is_zero(left - right) for _, left, right, sign in self.relations]
        self.choices = [symbol for symbol, _ in self.meaning]
        self.chosen = sp.lambdify(self.symbols, [self.substitute(one).xreplace(first) for one in self.choices], modules="mpmath")
        self.stepwise = sp.lambdify(self.symbols, [value.xreplace(first) for _, value in self.along], modules="mpmath")

    def substitute(self, expression: Any) -> Any:
        """Return an expression with the definitions of the statement substituted."""
        for symbol, value in self.meaning:
            expression = expression.xreplace({symbol: value})
        return expression

    def unmet_relations(self, values: Mapping[str, Any]) -> list[int]:
        """Return the indices of the relations that do not hold with a margin at the values; all of them where a side is undefined."""
        try:
            with mp.workdps(DIGITS):
                ends = [mp.mpf(end) for end in self.sides(*(to_mpf(values[symbol.name]) for symbol in self.symbols))]
        except (TypeError, ValueError, ZeroDivisionError, OverflowError):
            return list(range(len(self.relations)))
        pairs = zip(self.relations, ends[::2], ends[1::2], strict=True)
        return [
            i
            for i, ((name, _, _, sign), a, b) in enumerate(pairs)
            if not (self.exact[i] or holds_with_margin(sign, a, b, name in self.taken))
        ]

    def symbols_outside_domain(self, values: Mapping[str, Any]) -> list[str]:
        """Return the names of the symbols whose values, given or computed from definitions, lie outside their domains."""
        try:
            with mp.workdps(DIGITS):
                computed = self.chosen(*(to_mpf(values[symbol.name]) for symbol in self.symbols))
                known = {**values, **{one.name: mp.mpf(value) for one, value in zip(self.choices, computed, strict=True)}}
                steps = self.stepwise(*(to_mpf(values[symbol.name]) for symbol in self.symbols))
                passed = [(name, mp.mpf(value)) for (name, _), value in zip(self.along, steps, strict=True)]
        except (TypeError, ValueError, ZeroDivisionError, OverflowError):
            return [one.name for one in self.choices]
        passed = [(name, value) for name, value in passed if name in self.declared]
        wrong = [
            name for name, value in known.items() if name in self.declared and not is_in_domain(self.declared[name], value, name in values)
        ]
        wrong += [name for name, value in passed if not is_in_domain(self.declared[name], value, False)]
        tops = {name: self.declared[name].domain.get("at most") for name, _ in passed}
        wrong += [name for name, value in passed if (top := tops[name]) in known and value > to_mpf(known[top])]
        tops = {name: self.declared[name].domain.get("at most") for name in known if name in self.declared}
        above = {name: self.page.symbols[top].known_as for name, top in tops.items() if top}
        return wrong + [name for name, top in above.items() if top in known and to_mpf(known[name]) > to_mpf(known[top])]


def to_mpf(value: Any) -> Any:
    """Convert a Fraction, or another number, to an mpmath number."""
    return mp.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else mp.mpf(value)


def holds_with_margin(relation: str, left: Any, right: Any, close: bool = False) -> bool:
    """Return whether an inequality holds strictly, by more than rounding errors, or the two sides of an equality agree.

    With `close`, equal sides are enough for "<=" and ">=" as well.
    """
    size = abs(left) + abs(right)
    if relation == "=" or (close and relation in ("<=", ">=") and abs(left - right) <= EQUAL * size):
        return bool(abs(left - right) <= EQUAL * size)
    return bool(HOLDS[relation](left, right) and abs(left - right) > ROOM * size)


def is_in_domain(declared: DeclaredSymbol, value: Any, given: bool) -> bool:
    """Return whether a value lies strictly inside the domain of a declared symbol; with `given`, integer symbols need integers.

    For "at least 0" the value must be above 0.
    """
    kind, low = declared.domain["domain"], int(declared.domain.get("low", 0))
    if kind == "real":
        return True
    if "probability" in kind:
        return 0 < value <= 1
    whole = kind != "integer at least" or not given or value == int(value)
    return bool(whole and (value > low or (value == low > 0 and kind != "above")))


def example_values(page: Page) -> dict[str, Tree]:
    """Return the values of the example of a page, as syntax trees by the names of the symbols."""
    return {name: tree for item in page.items("example") for name, tree in item["values"]}


def example_mistakes(page: Page) -> Iterator[Mistake]:
    """Yield the mistakes of an example: values outside their domains, and assumptions that do not hold at its values."""
    values_of, given = PageValues(page), example_values(page)
    strangers = [name for name in given if name not in page.symbols]
    for name in strangers:
        yield Mistake(*source_position(page, name), f"{name!r} is no symbol of this page{nearest(name, page.symbols)}")
    if strangers or not given:
        return
    question = Requirements(page)
    exact = {values_of.symbol(name).name: sp.Rational(values_of.value(tree)) for name, tree in given.items()}
    values = {name: Fraction(int(value.p), int(value.q)) for name, value in exact.items()}
    outside = [name for name, value in values.items() if not is_in_domain(question.declared[name], value, given=True)]
    for name in outside:
        yield Mistake(*source_position(page, next(iter(given))), f"at the example {name} does not lie inside its domain")
    asked = {one.name for one in question.symbols}
    left = [] if outside else unmet_assumptions(question, {name: value for name, value in values.items() if name in asked})
    for name in dict.fromkeys(left):
        yield Mistake(*source_position(page, name), f"{name!r} does not hold with room at the example: the assumptions must hold together")


def find_example(page: Page, seed: int = 0) -> dict[str, Fraction] | None:
    """Search for an example of a page; return values by the names of symbols, or None if none were found."""
    return _find_values(Requirements(page), {}, seed)[0]


def incompatible_cases(page: Page) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield (line, cases) for the lines of a proof that rest on several cases which no values were found to satisfy together."""
    of_cases = {item["name"]: item for _, item in page.items_with_facts("given") if item.get("reason", {}).get("kind") == "case"}
    lines = [(name, values, sign, other) for name, values, sign, other in given_lines(page) if name in of_cases]
    rests: dict[str, frozenset[str]] = {name: frozenset([name]) for name in of_cases}
    for step in page_derivation(page).lines.values():
        own = rests.get(step.name, frozenset())
        rests[step.name] = own.union(*(rests.get(name, frozenset()) for name in (*named_lines(step.certificate), *step.where)))
    known: dict[frozenset[str], bool] = {}
    for name, cases in rests.items():
        if len(cases) > 1 and cases not in known:
            known[cases] = bool(unmet_assumptions(Requirements(page, [one for one in lines if one[0] in cases]), {}))
        if known.get(cases):
            yield name, tuple(sorted(cases))


def unmet_assumptions(question: Requirements, fixed: Mapping[str, Fraction]) -> list[str]:
    """Search for an example with the values `fixed`; return the names of the relations that the best attempt violates, [] if none."""
    values, left = _find_values(question, fixed, 0)
    return [] if values is not None else [question.relations[i][0] for i in left]


def _find_values(question: Requirements, fixed: Mapping[str, Fraction], seed: int) -> tuple[dict[str, Fraction] | None, list[int]]:
    """Search for values that satisfy all relations; return (values, []), or (None, indices of the relations left unmet)."""
    chance, best = random.Random(seed), list(range(len(question.relations)))
    for start in range(STARTS):
        values = {one.name: _start_value(question.declared[one.name], chance if start else None) for one in question.symbols} | dict(fixed)
        for _ in range(ROUNDS):
            if not (open_ := question.unmet_relations(values)):
                break
            for i in open_:
                _repair_value(question, values, question.relations[i], chance, fixed)
        open_ = question.unmet_relations(values)
        if not open_ and not question.symbols_outside_domain(values):
            return values, []
        best = min(best, open_ or best, key=len)
    return None, best


def evaluate_at(expression: Any, values: Mapping[str, Any]) -> Any:
    """Evaluate an expression at the values of its symbols; return an mpmath number."""
    names = sorted(expression.free_symbols, key=str)
    with mp.workdps(DIGITS):
        return mp.mpf(sp.lambdify(names, expression, modules="mpmath")(*(to_mpf(values[one.name]) for one in names)))


def _start_value(declared: DeclaredSymbol, chance: random.Random | None) -> Fraction:
    """Return the first value to try for a symbol: its usual one, times a random power of ten if `chance` is given."""
    usual = Fraction(USUAL.get(declared.known_as, Fraction(1, 2 if "probability" in declared.domain["domain"] else 1)))
    if chance is None or "probability" in declared.domain["domain"]:
        return usual
    factor = Fraction(10) ** chance.randrange(-3, 4)
    return max(usual * factor, Fraction(1)) if declared.domain["domain"] == "integer at least" else usual * factor


def _repair_value(
    question: Requirements,
    values: dict[str, Fraction],
    relation: tuple[str, Any, Any, str],
    chance: random.Random,
    fixed: Mapping[str, Any],
) -> None:
    """Change one entry of `values` so that a relation may hold: solve for a symbol alone on a side, or scale a symbol by ten."""
    _, left, right, sign = relation
    for alone, other, below in ((left, right, sign in ("<", "<=")), (right, left, sign in (">", ">="))):
        if alone in question.symbols and alone.name not in fixed and alone not in other.free_symbols:
            try:
                value = evaluate_at(other, values)
            except (TypeError, ValueError, ZeroDivisionError, OverflowError):
                continue
            if not mp.isfinite(value):
                continue
            if sign == "=":
                values[alone.name] = _to_fraction(value)
                return
            wanted = value * (2 if (value > 0) != below else mp.mpf(1) / 2) if value else mp.mpf(-1 if below else 1)
            values[alone.name] = _round_to_digit(wanted)
            return
    free = sorted((one for one in (left - right).free_symbols if one.name not in fixed), key=str)
    if sign == "=" and free:
        one = chance.choice(free)
        rate = sp.diff(left - right, one)
        if not rate.is_zero and one not in rate.free_symbols:
            with contextlib.suppress(TypeError, ValueError, ZeroDivisionError, OverflowError):
                value = evaluate_at(one - (left - right) / rate, values)
                values[one.name] = _to_fraction(value) if mp.isfinite(value) else values[one.name]
        return
    if free:
        name = chance.choice(free).name
        whole = question.declared[name].domain["domain"] == "integer at least"
        moved = values[name] * Fraction(10) ** chance.choice((-1, 1))
        values[name] = max(moved, Fraction(1)) if whole else moved


def _to_fraction(value: Any) -> Fraction:
    """Return a Fraction that agrees with an mpmath number in nearly all of its digits."""
    return Fraction(mp.nstr(value, DIGITS - 2, strip_zeros=True, min_fixed=-100, max_fixed=100))


def _round_to_digit(value: Any) -> Fraction:
    """Return a Fraction with one significant digit, near a value."""
    if value == 0:
        return Fraction(0)
    power = int(mp.floor(mp.log10(abs(value))))
    digit = max(1, int(mp.floor(abs(value) / mp.mpf(10) ** power)))
    return Fraction(digit * (1 if value > 0 else -1)) * Fraction(10) ** power


def format_values(values: Mapping[str, Fraction]) -> str:
    """Return values as the text of the section `example_values` of a page, "n = 10^6, d = 100"."""
    return ", ".join(f"{name} = {_format_fraction(value)}" for name, value in values.items())


def _format_fraction(value: Fraction) -> str:
    """Return a Fraction as text, with a power of ten for four zeros or more."""
    zeros = len(str(value.numerator)) - len(str(value.numerator).rstrip("0"))
    if value.denominator == 1 and zeros >= 4:
        first = value.numerator // 10**zeros
        return f"10^{zeros}" if first == 1 else f"{first} 10^{zeros}"
    return str(value)
