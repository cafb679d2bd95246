"""Theorem as a value: assumptions, schedule, bound and source. It can be evaluated, printed and differentiated.

The bound and the schedule are SymPy expressions in the symbols of `bounds.symbols`. They may use abbreviations, which `definitions`
expands, and an entry of the schedule may use an entry before it:

    definitions   A = log(e + epsilon/delta)
    schedule      alpha, T, C, lam (the largest allowed), sigma = 4 C sqrt(2 T A) / (n epsilon)
    bound         at that schedule
    any_schedule  the same guarantee before the schedule is chosen, in alpha, T, C, lam, where every relation of `valid_if` holds;
                  None where the paper has none
"""

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import sympy as sp

from bounds.floats import float_value, symbol_names
from bounds.growth import Growth, growth, log_derivative
from bounds.renamed import old_names
from bounds.symbols import GLOSSARY, latex, validate_values
from bounds.typeset import html
from bounds.typeset.alignment import Alignment
from bounds.typeset.latex import latex_list, with_packages
from bounds.typeset.words import Token, text_latex

HYPOTHESIS = "hypothesis"  # the statement is not proved, or makes no sense, without it
SCOPE = "scope"  # the statement holds without it, but may be weaker than it seems


@dataclass(frozen=True)
class Condition:
    """A relation that must hold, and the warning if it does not: `{value}` and `{limit}` in it stand for its two sides."""

    relation: Any
    caveat: str
    kind: str = HYPOTHESIS


@dataclass(frozen=True)
class Checked:
    """Result of checking a condition at given values: whether it holds, and its warning with the numbers inserted ("" if it holds)."""

    condition: Condition
    holds: bool
    caveat: str

    def __repr__(self) -> str:
        return f"Checked({self.condition.relation}: {'met' if self.holds else f'not met, {self.caveat}'})"


@dataclass(frozen=True)
class Part:
    """One of several claims of a theorem: a quantity, its `relation` to the expression `value`, and the cases in which it holds.

    `words` describes the quantity; `measured` is its expression in proofs; `where` are the relations that define the cases. `is_shown` is
    False for a number on a user's own page that is evaluated beside the bound and that no proof is about.
    """

    name: str
    words: str
    relation: str
    value: Any
    measured: Any = None
    where: tuple[Any, ...] = ()
    is_shown: bool = True

    @property
    def label(self) -> str:
        """Name of the part, followed by ", evaluated only" if no proof shows it."""
        return self.name if self.is_shown else f"{self.name}, evaluated only"

    @property
    def case(self) -> str:
        """Text ", where ..." with the relations of the cases, to append to `words`; "" if there are none."""
        return "".join(f", where {sp.sstr(one.lhs)} {one.rel_op.replace('==', '=')} {sp.sstr(one.rhs)}" for one in self.where)


@dataclass(frozen=True)
class AtIntegerT:
    """Bound certified at an integer T: `bound`, in T and otherwise the printed schedule, with the sigma that belongs to that T.

    trivial    value that every point satisfies: a bound above it is not worth certifying
    rounding   which integers to try near the printed T: "either" neighbour, or its "floor"
    """

    bound: Any
    trivial: Any
    rounding: str = "either"


class ConditionalResult:
    """Base of results that hold only under conditions of a theorem; `checked` has the outcome of each condition."""

    checked: tuple[Checked, ...]

    @property
    def holds(self) -> bool:
        """Whether every condition of kind hypothesis is met, so that the theorem guarantees its bound."""
        return all(entry.holds for entry in self.checked if entry.condition.kind == HYPOTHESIS)

    @property
    def caveats(self) -> tuple[str, ...]:
        """Warnings, one sentence for every condition that is not met."""
        return tuple(entry.caveat for entry in self.checked if not entry.holds)


@dataclass(frozen=True)
class Evaluation(ConditionalResult):
    """A theorem evaluated at given values: schedule, bound and parts as floats, and the outcome of each condition.

    `parts` has only those whose symbols all have values.
    """

    key: str
    schedule: Mapping[str, float]
    bound: float
    parts: Mapping[str, float]
    checked: tuple[Checked, ...]

    def __repr__(self) -> str:
        numbers = ", ".join(f"{name} = {value:.6g}" for name, value in {"bound": self.bound, **self.schedule}.items())
        return f"Evaluation({self.key}: {numbers}{caveat_suffix(self.caveats)})"

    def _repr_html_(self) -> str:
        """Return bound, schedule and parts as an HTML table for notebooks, with the warnings."""
        return html.table(self.key, ("", "value"), [("bound", self.bound), *self.schedule.items(), *self.parts.items()], self.caveats)


def caveat_suffix(caveats: tuple[str, ...]) -> str:
    """Return the end of a repr that lists the warnings: "; not met: ...", or "" if there are none."""
    return f"; not met: {'; '.join(caveats)}" if caveats else ""


@dataclass(frozen=True, eq=False)
class Theorem:
    """A statement with its constants; `claim` is its kind: "upper", "privacy", "identity" or "rate".

    `measured` is the symbol of the quantity that `measure` describes in words: the last step of a proof bounds it. `in_letters` are the
    assumptions as relations in the symbols of the proofs. `step_size` is the relation of `valid_if` that limits alpha. `per_step` is the
    bound on the squared gradient norm at x_t, in the symbols of the proof, that is averaged over the steps. For an entry of the schedule
    that is named in `limits`, the value is the largest that is allowed. On a user's own page `declared` describes its symbols, and
    `taken` lists what its proof takes from elsewhere: a reader must see both.
    """

    key: str
    title: str
    source: str
    claim: str
    measure: str
    bound: Any
    assumptions: tuple[str, ...] = ()
    method: str | None = None
    definitions: Mapping[str, Any] = field(default_factory=dict)
    schedule: Mapping[str, Any] = field(default_factory=dict)
    any_schedule: Any = None
    valid_if: tuple[Any, ...] = ()
    conditions: tuple[Condition, ...] = ()
    parts: tuple[Part, ...] = ()
    notes: tuple[str, ...] = ()
    measured: Any = None
    in_letters: tuple[Any, ...] = ()
    step_size: Any = None
    per_step: Any = None
    at_integer_T: AtIntegerT | None = None
    limits: tuple[str, ...] = ("lam",)
    is_own: bool = False
    declared: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()

    @cached_property
    def is_well_formed(self) -> bool:
        """True if bound, schedule and definitions are expressions in symbols of the glossary; raises ValueError if one is not."""
        if self.claim not in RELATION:
            raise ValueError(f"claim = {self.claim!r} of {self.key}: one of {', '.join(RELATION)} is needed")
        for name in ("definitions", "schedule"):
            if not isinstance(getattr(self, name), Mapping):
                raise ValueError(f"{name} of {self.key}: a dictionary is needed, from the names of symbols to expressions")
        for where, meaning in {"bound": self.bound, **self.definitions, **self.schedule}.items():
            if not isinstance(meaning, sp.Expr):
                raise ValueError(f"{where} of {self.key} = {meaning!r:.80}: an expression of SymPy is needed, sp.Integer(3) and not 3")
            known = {GLOSSARY[letter.name].symbol for letter in meaning.free_symbols if letter.name in GLOSSARY}
            if strangers := [*sorted(map(str, meaning.free_symbols - known)), *([] if where in ("bound", *GLOSSARY) else [where])]:
                raise ValueError(f"{where} of {self.key} = {meaning}: {strangers[0]} is not a symbol of the glossary, bounds.symbols")
        return True

    def __repr__(self) -> str:
        return f"Theorem({self.key}: {self.title}; evaluate({', '.join(self.parameters)}))"

    @cached_property
    def _expansions(self) -> list[tuple[Any, Any]]:
        """Pairs (symbol, expression) of all schedule entries and abbreviations, in the order in which to substitute them."""
        named = [*self.definitions.items(), *self.schedule.items()]
        return [(GLOSSARY[name].symbol, expression) for name, expression in reversed(named)]

    @cached_property
    def _known(self) -> dict[Any, Any]:
        """Cache of the results of `in_constants`: substituting takes longer than evaluating."""
        return {}

    def in_constants(self, expression: Any) -> Any:
        """Substitute the printed schedule and all abbreviations into an expression, so that only constants are left; return it."""
        if expression not in self._known:
            replaced = expression
            for symbol, meaning in self._expansions:
                replaced = replaced.xreplace({symbol: meaning})
            self._known[expression] = replaced
        return self._known[expression]

    def without_abbreviations(self, expression: Any) -> Any:
        """Substitute the abbreviations into an expression, keep the symbols of the schedule, and return it."""
        for symbol, meaning in self._expansions:
            if symbol.name in self.definitions:
                expression = expression.xreplace({symbol: meaning})
        return expression

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Names of the values that `evaluate` needs, in the order of the glossary."""
        needed = [self.bound, *self.schedule.values()]
        free = set().union(*(self.in_constants(expression).free_symbols for expression in needed))
        return tuple(name for name in GLOSSARY if GLOSSARY[name].symbol in free)

    def evaluate(self, /, **values: float) -> Evaluation:
        """Evaluate schedule, bound, parts and conditions at values of the symbols, given by name; return an `Evaluation`.

        Values that this theorem does not use are allowed, unknown names are not.
        """
        assert self.is_well_formed
        return self.at(validate_values(self.key, self.parameters, values))

    def at(self, values: Mapping[str, float]) -> Evaluation:
        """Evaluate schedule, bound, parts and conditions at checked values; return an `Evaluation`."""
        schedule = {name: float_value(self.in_constants(GLOSSARY[name].symbol), values) for name in self.schedule}
        parts = {part.name: self.in_constants(part.value) for part in self.parts}
        known = {name: float_value(value, values) for name, value in parts.items() if values.keys() >= {*symbol_names(value)}}
        checked = tuple(checked for condition in self.conditions for checked in self._check(condition, values))
        return Evaluation(self.key, schedule, float_value(self.in_constants(self.bound), values), known, checked)

    def _check(self, condition: Condition, values: Mapping[str, float]) -> list[Checked]:
        """Return a list with the outcome of a condition at given values, empty where a value is missing or a side is nan."""
        left, right = self.in_constants(condition.relation.lhs), self.in_constants(condition.relation.rhs)
        if not values.keys() >= {*symbol_names(left), *symbol_names(right)}:
            return []
        value, limit = float_value(left, values), float_value(right, values)
        if math.isnan(value) or math.isnan(limit):  # the schedule does not exist at these values; another condition reports that
            return []
        if HOLDS[condition.relation.rel_op](value, limit):
            return [Checked(condition, True, "")]
        return [Checked(condition, False, condition.caveat.format(value=f"{value:.4g}", limit=f"{limit:.4g}"))]

    def bound_at(self, **values: float) -> float:
        """Return the bound for any schedule (`any_schedule`) at values given by name, a float; inf where `valid_if` fails.

        Entries of the schedule that are not given have their printed values. Raises ValueError for a theorem without such a bound.
        """
        if self.any_schedule is None:
            raise ValueError(f"{self.key}: no bound for a free schedule; evaluate() gives the bound at the printed one")
        sides = self._sides_at(values)
        free = set().union(*(side.free_symbols for side in sides))
        return self._bound_of(sides, validate_values(self.key, tuple(name for name in GLOSSARY if GLOSSARY[name].symbol in free), values))

    def _sides_at(self, values: Mapping[str, float]) -> list[Any]:
        """Return `any_schedule` and both sides of its conditions, with the printed entries of the schedule that have no value."""
        sides = [self.any_schedule] + [side for relation in self.valid_if for side in (relation.lhs, relation.rhs)]
        for symbol, meaning in self._expansions:
            if symbol.name not in values:
                sides = [side.xreplace({symbol: meaning}) for side in sides]
        return sides

    def bound_of(self, values: Mapping[str, float]) -> float:
        """Return the bound for any schedule at checked values, as `bound_at` does; inf where `valid_if` fails."""
        return self._bound_of(self._sides_at(values), values)

    def _bound_of(self, sides: list[Any], values: Mapping[str, float]) -> float:
        """Return the value of sides[0], a bound; inf if a relation of `valid_if`, whose two sides each follow, fails."""
        bound, *ends = [float_value(side, values) for side in sides]
        pairs = zip(self.valid_if, ends[::2], ends[1::2], strict=True)
        applies = all(HOLDS[relation.rel_op](a, b) or math.isclose(a, b, rel_tol=1e-12) for relation, a, b in pairs)
        return bound if applies else math.inf

    def exponents(self, *names: str, **values: float) -> dict[str, float]:
        """Return d log(bound) / d log(name) at `values`, by exact differentiation, for each name (by default d, r, n, epsilon)."""
        values = validate_values(self.key, self.parameters, values)
        bound = self.in_constants(self.bound)
        return {name: float_value(log_derivative(bound, GLOSSARY[name].symbol), values) for name in names or ("d", "r", "n", "epsilon")}

    def leading(self, name: str, **replaced: str) -> Growth:
        """Return the order (`Growth`) of the bound in one symbol, the others fixed; `leading("d", r="d")` sets r = d first."""
        bound = self.in_constants(self.bound)
        for old, new in replaced.items():
            bound = bound.subs(GLOSSARY[old].symbol, GLOSSARY[new].symbol)
        return growth(bound, GLOSSARY[name].symbol)

    def _repr_latex_(self) -> str:
        """Return the bound as a LaTeX formula for notebooks."""
        return rf"$\displaystyle \text{{{self.measure}}} {MATHEMATICS[RELATION[self.claim]].format(latex(self.bound))}$"

    def _repr_html_(self) -> str:
        """Return the statement as an HTML table for notebooks."""
        lines = [("source", self.source), *(("assumes", text) for text in self.assumptions)]
        lines += [("schedule", text) for text in self.equations(self.schedule)]
        lines += [(f"{self.measure} {TEXT[RELATION[self.claim]]}", sp.sstr(self.bound))]
        lines += [("where", text) for text in self.equations(self.definitions)]
        return html.table(f"{self.key}: {self.title}", ("", ""), lines, self.notes)

    def latex(self) -> str:
        """Return the statement in LaTeX: assumptions, claims, schedule, abbreviations and the meaning of the symbols."""
        page = Alignment()
        page.claim(self.measure, RELATION[self.claim], self.bound)
        if self.any_schedule is not None:
            page.claim(f"{self.measure}, {self.any_schedule_words}", RELATION[self.claim], self.any_schedule)
        for part in self.parts:
            page.claim(part.words + part.case, part.relation, part.value, part.label)
        for name, meaning in (*self.schedule.items(), *self.definitions.items()):
            page.equation(GLOSSARY[name].latex, self.sign_of(name), meaning)
        called = {
            name: f" (in words: {name})" if Token("name", name).is_english and "_" not in name else "" for name in self._unexplained_symbols
        }
        letters = ", ".join(f"${GLOSSARY[name].latex}${more}: {text_latex(GLOSSARY[name].words)}" for name, more in called.items())
        blocks = (
            rf"\paragraph{{{text_latex(self.title)}.}} {text_latex(self.source)}.",
            latex_list(text_latex(text) for text in self.assumptions),
            page.latex(),
            f"Symbols: {letters}." if letters else "",
            latex_list(text_latex(text) for text in self.notes),
        )
        return with_packages("\n".join(block for block in blocks if block))

    @property
    def _unexplained_symbols(self) -> list[str]:
        """Names of the symbols in the statement that are not defined in it."""
        shown = [self.bound, *self.schedule.values(), *self.definitions.values(), *(part.value for part in self.parts)]
        free = set().union(*(expression.free_symbols for expression in shown))
        return [name for name, letter in GLOSSARY.items() if letter.symbol in free and name not in self.definitions]

    @property
    def any_schedule_words(self) -> str:
        """Text for which schedules the bound for any schedule holds, for instance "for any schedule with alpha <= 1/ell"."""
        where = " and ".join(f"{sp.sstr(one.lhs)} {one.rel_op} {sp.sstr(one.rhs)}" for one in self.valid_if)
        return f"for any schedule with {where}" if where else "for any schedule"

    def sign_of(self, name: str) -> str:
        """Return "<=" for an entry of the schedule whose value is the largest allowed, else "="."""
        return "<=" if name in self.limits else "="

    def equations(self, named: Mapping[str, Any]) -> list[str]:
        """Return {name: expression} as lines of text, such as "alpha = 1/(2 ell)"; "<=" for the limits of the schedule."""
        texts = {name: sp.sstr(expression.xreplace({sp.E: sp.Symbol("e")})) for name, expression in named.items()}
        return [f"{name} {self.sign_of(name)} {text}" for name, text in texts.items()]

    def show(self) -> str:
        """Return the statement as text for a terminal, one fact a line."""
        lines = [f"{self.key}   {self.title}", f"  source      {self.source}"]
        lines += [f"  {'assumes' if i == 0 else '':<11} {text}" for i, text in enumerate(self.assumptions)]
        lines += [f"  in symbols  {'; '.join(sp.sstr(one) for one in self.in_letters)}"] if self.in_letters else []
        required = [*(one.relation for one in self.conditions if one.kind == HYPOTHESIS), *(self.valid_if if self.is_own else ())]
        needed = [f"{sp.sstr(one.lhs)} {one.rel_op} {sp.sstr(one.rhs)}" for one in required]
        lines += [f"  {'needs' if i == 0 else '':<11} {text}" for i, text in enumerate(needed)]
        lines += [f"  {'symbols' if i == 0 else '':<11} {text}" for i, text in enumerate(self.declared)]
        lines += [f"  {'takes' if i == 0 else '':<11} {text}" for i, text in enumerate(self.taken)]
        lines += [f"  {'schedule' if i == 0 else '':<11} {text}" for i, text in enumerate(self.equations(self.schedule))]
        lines += [f"  {self.measure} {TEXT[RELATION[self.claim]]}", *_formula_lines(self.bound, self.is_own)]
        if self.any_schedule is not None:
            lines += [
                f"  {self.any_schedule_words}: {self.measure} {TEXT[RELATION[self.claim]]}",
                *_formula_lines(self.any_schedule, self.is_own),
            ]
        for part in self.parts:
            lines += [f"  ({part.label}) {part.words}{part.case} {TEXT[part.relation]}", *_formula_lines(part.value, self.is_own)]
        lines += [f"  {'where' if i == 0 else '':<11} {text}" for i, text in enumerate(self.equations(self.definitions))]
        lines += [f"  note        {text}" for text in self.notes]
        return "\n".join(lines)


HOLDS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "==": operator.eq,
}
RELATION = {"upper": "<=", "privacy": ">=", "identity": "=", "rate": "O"}
MATHEMATICS = {"<=": r"\le {}", ">=": r"\ge {}", "=": "= {}", "O": r"= O\left({}\right)"}
TEXT = {"<=": "<=", ">=": ">=", "=": "=", "O": "is of the order of"}


def _formula_lines(expression: Any, is_own: bool) -> list[str]:
    """Return an expression as indented lines of text: drawn by SymPy, or in one line with the names of a user's page."""
    text = sp.sstr(expression) if is_own else sp.pretty(expression, wrap_line=False, use_unicode=True)
    return ["      " + line.rstrip() for line in text.splitlines()]


if not TYPE_CHECKING:  # it would give every misspelt name a type
    __getattr__ = old_names(__name__, UnderConditions="ConditionalResult", not_met="caveat_suffix", checked_values="validate_values")
