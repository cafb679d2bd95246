"""A proof is a list of numbered steps, each with a relation, a reason and a certificate that a program can check.

    Identity        lhs and rhs are equal: their difference expands to 0
    Substitution    they become equal when the schedule, or the moments of the noise, are inserted
    NonNegative     the difference is a given sum of products of non-negative factors: the check expands the difference, compares,
                    and looks at every factor. A factor is non-negative by the signs of its letters (squares, products of positive
                    letters), because the step says so in `given` with the reason, or as an instance of a named inequality
    Cited           a lemma from elsewhere; not proved here, and said so
    Reasoned        probability or structure (independence, union bound, total probability): no computer algebra for it, and said so

`verify` checks the certificate of one step. `attack` looks for a point of the stated domain where the step is false; every
step that has two sides can be attacked, whatever its certificate.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Any

import mpmath as mp
import sympy as sp

from bounds.symbols import GLOSSARY

x = sp.Symbol("x", real=True)
x_plus = sp.Symbol("x", nonnegative=True)


@dataclass(frozen=True)
class Inequality:
    """A function of x that is non-negative, proved by Taylor's theorem at 0.

    Its value and first `order - 1` derivatives are 0 or more at 0, and the derivative of that order equals `top`, whose sign SymPy
    sees. On x >= 0 any order will do; on all of R the order is 2 and value and slope are exactly 0.
    """

    words: str
    function: Any
    letter: Any
    order: int
    top: Any


@lru_cache
def is_proved(inequality: Inequality) -> bool:
    """Return whether the proof of an elementary inequality checks."""
    function, letter = inequality.function, inequality.letter
    at_zero = [sp.diff(function, letter, k).subs(letter, 0) for k in range(inequality.order)]
    if letter == x and not (inequality.order == 2 and all(value == 0 for value in at_zero)):
        return False
    top = sp.diff(function, letter, inequality.order)
    return all(value.is_nonnegative for value in at_zero) and is_zero(top - inequality.top) and bool(inequality.top.is_nonnegative)


INEQUALITIES = {
    "exponential": Inequality("exp(x) >= 1 + x", sp.exp(x) - 1 - x, x, 2, sp.exp(x)),
    "logarithm": Inequality("log(1 + x) <= x for x >= 0", x_plus - sp.log(1 + x_plus), x_plus, 2, (1 + x_plus) ** -2),
    "cosine": Inequality("cos(x) >= 1 - x^2/2", x**2 / 2 + sp.cos(x) - 1, x, 2, 2 * sp.sin(x / 2) ** 2),
}


@dataclass(frozen=True)
class Instance:
    """A named inequality at an argument, used as a non-negative factor."""

    name: str
    argument: Any

    @property
    def value(self) -> Any:
        """The function of the inequality at the argument."""
        inequality = INEQUALITIES[self.name]
        return inequality.function.subs(inequality.letter, self.argument)


@dataclass(frozen=True)
class Given:
    """An expression that the step may take as non-negative, and why it may."""

    expression: Any
    reason: str


@dataclass(frozen=True)
class Identity:
    """Both sides are equal."""


@dataclass(frozen=True)
class Substitution:
    """Both sides are equal once each letter of `values` is replaced by its value."""

    values: Mapping[Any, Any]


@dataclass(frozen=True)
class NonNegative:
    """The larger side minus the smaller is the sum of `terms`, each a tuple of factors, after inserting `at`."""

    terms: tuple[tuple[Any, ...], ...]
    given: tuple[Given, ...] = ()
    at: Mapping[Any, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Cited:
    """Someone else's lemma."""

    source: str


@dataclass(frozen=True)
class Reasoned:
    """An argument for a reader, which a program cannot check."""

    why: str


Certificate = Identity | Substitution | NonNegative | Cited | Reasoned


@dataclass(frozen=True)
class Step:
    """One line of a proof: `lhs relation rhs`, or only words where the line is not a formula.

    `where` are relations that a point of the domain satisfies, `ranges` replace the glossary's range of a letter by a low and a
    high end that may depend on other letters; both are for the attack, and state the domain of the claim.
    """

    number: int
    statement: str
    lhs: Any
    relation: str
    rhs: Any
    reason: str
    certificate: Certificate
    where: tuple[Any, ...] = ()
    ranges: Mapping[Any, tuple[Any, Any]] = field(default_factory=dict)

    @property
    def is_formula(self) -> bool:
        """Whether the step has two sides that can be compared."""
        return self.lhs is not None and self.rhs is not None


class Outcome(Enum):
    """What the check of a certificate says."""

    CERTIFIED = "certified"
    FAILED = "failed"
    CITED = "cited"
    REASONED = "reasoned"


@dataclass(frozen=True)
class Result:
    """The outcome for one step, and how it came about in a sentence."""

    step: Step
    outcome: Outcome
    how: str


@dataclass(frozen=True)
class Derivation:
    """A proof chain. `proves` is the key of the theorem whose bound is the last right-hand side, "" where there is none."""

    key: str
    title: str
    source: str
    steps: tuple[Step, ...]
    proves: str = ""

    def verify(self) -> tuple[Result, ...]:
        """Return the result of every step."""
        return tuple(verify(step) for step in self.steps)

    def kinds(self) -> dict[str, int]:
        """Return how many steps have which kind of certificate."""
        return dict(Counter(type(step.certificate).__name__ for step in self.steps))

    @property
    def conclusion(self) -> Any:
        """The right-hand side of the last step."""
        return self.steps[-1].rhs

    def show(self) -> str:
        """Return the chain as text for a terminal."""
        lines = [f"{self.key}   {self.title}", f"  source  {self.source}"]
        for step in self.steps:
            lines.append(f"  {step.number:>2}. {step.statement}")
            if step.is_formula:
                lines.append(f"      {sp.sstr(step.lhs)}  {step.relation}  {sp.sstr(step.rhs)}")
            lines.append(f"      {type(step.certificate).__name__}: {step.reason}")
        return "\n".join(lines)


def is_zero(expression: Any) -> bool:
    """Return whether the expression is identically 0, cheap tests first; a value that is clearly not 0 at one point settles it."""
    expanded = sp.expand(expression)
    if expanded == 0:
        return True
    point = {symbol: sp.Float(1.3 + 0.37 * i, 60) for i, symbol in enumerate(sorted(expression.free_symbols, key=str))}
    value = expression.evalf(30, subs=point)
    if value.is_number and abs(value) > sp.Float("1e-20"):
        return False
    numerator = sp.expand(sp.numer(sp.together(expanded)))
    return bool(numerator == 0 or sp.simplify(numerator) == 0)


def verify(step: Step) -> Result:
    """Check the certificate of one step."""
    certificate = step.certificate
    if isinstance(certificate, Cited):
        return Result(step, Outcome.CITED, f"not proved here: {certificate.source}")
    if isinstance(certificate, Reasoned):
        return Result(step, Outcome.REASONED, certificate.why)
    if isinstance(certificate, NonNegative):
        return _verify_sum(step, certificate)
    if step.relation not in ("=", "<=", ">="):
        return Result(step, Outcome.FAILED, f"an identity does not prove {step.relation}")
    values = certificate.values if isinstance(certificate, Substitution) else {}
    if is_zero(_insert(step.lhs - step.rhs, values)):
        return Result(step, Outcome.CERTIFIED, "the difference of the two sides expands to 0")
    return Result(step, Outcome.FAILED, f"{sp.sstr(_insert(step.lhs - step.rhs, values))} is not 0")


def _insert(expression: Any, values: Mapping[Any, Any]) -> Any:
    return sp.sympify(expression).xreplace({letter: sp.sympify(value) for letter, value in values.items()})


def _verify_sum(step: Step, certificate: NonNegative) -> Result:
    larger, smaller = (step.rhs, step.lhs) if step.relation in ("<=", "<") else (step.lhs, step.rhs)
    if step.relation not in ("<=", "<", ">=", ">"):
        return Result(step, Outcome.FAILED, f"a sum of non-negative terms does not prove {step.relation}")
    total = sp.Add(*[sp.Mul(*[_value(factor) for factor in term]) for term in certificate.terms])
    difference = _insert(larger - smaller, certificate.at) - _insert(total, certificate.at)
    if not is_zero(difference):
        return Result(step, Outcome.FAILED, f"the given terms miss the difference by {sp.sstr(difference)}")
    given = [entry.expression for entry in certificate.given]
    for term in certificate.terms:
        for factor in term:
            if not _non_negative(factor, given):
                return Result(step, Outcome.FAILED, f"{sp.sstr(_value(factor))} is not known to be non-negative")
    if step.relation in ("<", ">") and not any(all(_value(factor).is_positive for factor in term) for term in certificate.terms):
        return Result(step, Outcome.FAILED, "no term is known to be positive, so the inequality is not known to be strict")
    return Result(step, Outcome.CERTIFIED, f"the difference is a sum of {len(certificate.terms)} non-negative terms")


def _value(factor: Any) -> Any:
    return factor.value if isinstance(factor, Instance) else sp.sympify(factor)


def _non_negative(factor: Any, given: list[Any]) -> bool:
    if isinstance(factor, Instance):
        inequality = INEQUALITIES[factor.name]
        in_domain = inequality.letter == x or _non_negative(factor.argument, given)
        return is_proved(inequality) and in_domain
    factor = sp.sympify(factor)
    return bool(factor.is_nonnegative) or any(sp.expand(factor - one) == 0 for one in given)


@dataclass(frozen=True)
class Attack:
    """What a numerical attack found: how many points of the domain it tried, and the first at which the step is false, if any.

    `refuted` names what is false there: the step itself, or something that its certificate takes as given.
    """

    tried: int
    digits: int
    counterexample: Mapping[str, float] | None = None
    refuted: str = ""


def attack(step: Step, samples: int = 200, digits: int = 50, seed: int = 0) -> Attack:
    """Try the step at `samples` points, half of them on the edges of the domain, in `digits` digits.

    Each letter is at its low end, at its high end or log-uniform between; points that violate `where` are drawn again.
    """
    if not step.is_formula:
        raise ValueError(f"step {step.number}: only words, there is nothing to attack")
    certificate = step.certificate
    inserted = certificate.values if isinstance(certificate, Substitution) else {}
    given = certificate.given if isinstance(certificate, NonNegative) else ()
    inserted = certificate.at if isinstance(certificate, NonNegative) else inserted
    claims = [("the step", step.relation, step.lhs, step.rhs)]
    claims += [(f"given: {one.reason}", ">=", one.expression, sp.Integer(0)) for one in given]
    claims = [(name, relation, _insert(left, inserted), _insert(right, inserted)) for name, relation, left, right in claims]
    domain = _Domain(step, _free(*[side for _, _, *sides in claims for side in sides]))
    sides = domain.compiled([[left, right] for _, _, left, right in claims])
    chance, tried = random.Random(seed), 0
    with mp.workdps(digits + 30):
        tolerance = mp.mpf(10) ** (10 - digits)
        for trial in range(20 * samples):
            point = domain.point(chance, trial)
            if point is None:
                continue
            try:
                values = sides(*point)
            except ZeroDivisionError:  # an edge of the domain where a side does not exist
                continue
            tried += 1
            for (name, relation, *exact), (left, right) in zip(claims, values, strict=True):
                if _holds(relation, left, right, tolerance * (abs(left) + abs(right))):
                    continue
                if not _holds(relation, left, right, tolerance * domain.size(exact, point)):
                    return Attack(tried, digits, domain.named(point), name)
            if tried == samples:
                break
    return Attack(tried, digits)


def _holds(relation: str, left: Any, right: Any, slack: Any) -> bool:
    if relation == "=":
        return bool(abs(left - right) <= slack)
    return bool(left <= right + slack) if relation in ("<=", "<") else bool(left + slack >= right)


class _Domain:
    """The letters of a step in an order in which each one's range depends on letters before it only."""

    def __init__(self, step: Step, letters: set[Any]) -> None:
        waiting = letters | _free(*step.where)
        ranges: dict[Any, tuple[Any, Any]] = {}
        while waiting:
            letter = waiting.pop()
            low, high = step.ranges.get(letter) or _glossary_range(letter)
            ranges[letter] = sp.sympify(low), sp.sympify(high)
            waiting |= _free(*ranges[letter]) - set(ranges)
        self.letters: list[Any] = []
        self.ends: list[Any] = []
        while len(self.letters) < len(ranges):
            ready = [one for one in sorted(set(ranges) - set(self.letters), key=str) if _free(*ranges[one]) <= set(self.letters)]
            if not ready:
                raise ValueError(f"step {step.number}: the ranges of its letters depend on each other in a circle")
            self.ends += [self._ends(*ranges[letter]) for letter in ready]
            self.letters += ready
        self.where = [(relation.rel_op, self.compiled([relation.lhs, relation.rhs])) for relation in step.where]

    def _ends(self, low: Any, high: Any) -> Callable[..., Any]:
        if low.is_number and high.is_number:
            ends = [mp.mpf(float(low)), mp.mpf(float(high))]
            return lambda *_: ends
        function, before = self.compiled([low, high]), len(self.letters)
        return lambda *values: function(*values[:before])

    def compiled(self, expressions: list[Any]) -> Callable[..., Any]:
        """Return the expressions as one mpmath function of the letters that have a place in the order so far."""
        return sp.lambdify(self.letters, expressions, modules="mpmath")

    def point(self, chance: random.Random, trial: int) -> list[Any] | None:
        """Return a point, or None if it lies outside the domain."""
        values: list[Any] = []
        for ends in self.ends:
            low, high = ends(*values)
            if low > high:
                return None
            kind = trial if trial < 2 else chance.randrange(4)
            values.append(low if kind == 0 else high if kind == 1 else _between(low, high, chance))
        for relation, sides in self.where:
            left, right = sides(*values)
            if not _holds(relation, left, right, 0):
                return None
        return values

    def size(self, sides: list[Any], point: list[Any]) -> Any:
        """Return the sum of the sizes of all terms of both sides: what rounding errors are measured against."""
        terms = [term for side in sides for term in sp.Add.make_args(sp.expand(side))]
        return sum(abs(value) for value in self.compiled(terms)(*point))

    def named(self, point: list[Any]) -> dict[str, float]:
        """Return the point as floats under the names of the letters."""
        return {letter.name: float(value) for letter, value in zip(self.letters, point, strict=True)}


def _free(*expressions: Any) -> set[Any]:
    return set().union(*(expression.free_symbols for expression in expressions))


def _glossary_range(letter: Any) -> tuple[Any, Any]:
    entry = GLOSSARY[letter.name]
    return entry.low, GLOSSARY[entry.high].symbol if isinstance(entry.high, str) else entry.high


def _between(low: Any, high: Any, chance: random.Random) -> Any:
    """Return a number between the ends, log-uniform in its size, of either sign where both are allowed."""
    if low < 0 < high:
        return -_between(mp.mpf(0), -low, chance) if chance.random() < 0.5 else _between(mp.mpf(0), high, chance)
    if high <= 0:
        return -_between(-high, -low, chance) if low < 0 else low
    smallest = low if low > 0 else high * mp.mpf(10) ** -12
    return smallest * (high / smallest) ** mp.mpf(chance.random())
