"""Numerical attack on the lines of a proof: search the stated domain of a line for a point at which it is false.

The domain of a step is where the lines in its `where` hold, each symbol within its range in the glossary. Equalities that the certificate
inserts determine symbols at the point before the two sides are computed: the formula is attacked as it stands. Lines that the certificate
uses as given are attacked as well: if one fails at a point of the domain, the stated domain is too wide.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import mpmath as mp
import sympy as sp

from bounds.floats import float_value
from bounds.proofs.derivation import Derivation
from bounds.proofs.lines import InWords, Source, Step, Telescoped, inserted_lines, used_lines
from bounds.proofs.meanings import AVERAGES, RUNS
from bounds.symbols import GLOSSARY
from bounds.theorem import HOLDS, HYPOTHESIS

WIDEST = {"positive": (1e-3, 1e3), "nonnegative": (0, 1e3), "real": (-1e3, 1e3)}  # ranges of symbols that are not in the glossary
SPARE = 10  # how many of the digits may be lost by rounding when two sides are compared
THE_STEP = "the step"
Sources = Source | InWords  # certificates of lines that are taken


@dataclass(frozen=True)
class Attack:
    """Result of a numerical attack: number of points tried, and the first point at which the step is false, if any.

    `refuted` names what is false there: THE_STEP, or a line that the certificate takes as given. `undefined` counts points that were left
    out because a side is not a finite number there, such as log(0): what does not exist is neither true nor false.
    """

    tried: int
    digits: int
    counterexample: Mapping[str, float] | None = None
    refuted: str = ""
    undefined: int = 0


def attack(derivation: Derivation, name: str, samples: int = 200, digits: int = 50, seed: int = 0, givens: bool = True) -> Attack:
    """Attack a line at `samples` random points, half of them on the edges of its domain, in `digits` digits; return an `Attack`.

    Each symbol is at its low end, at its high end or log-uniform between; points outside the domain are drawn again. For a certified
    step, every second point ignores `ranges`, which only suggest where to search; where a step is argued in words, they are part of the
    domain. A domain whose symbols depend on each other in a circle has no points. Raises ValueError for a line in words.
    """
    step = derivation[name]
    if not step.is_formula:
        raise ValueError(f"{derivation.key}, {name}: only words, there is nothing to attack")
    claims = attacked_claims(derivation, step) if givens else [(THE_STEP, step)]
    try:
        domains = [Domain(derivation, step, claims)]
        if step.ranges and not isinstance(step.certificate, InWords):
            domains.append(Domain(derivation, step, claims, advised=False))
    except CircularDomain:
        return Attack(0, digits)
    chance, tried = random.Random(seed), 0
    with mp.workdps(digits + 30):
        tolerance = mp.mpf(10) ** (SPARE - digits)
        for trial in range(20 * samples * len(domains)):
            domain = domains[trial % len(domains)]
            point = domain.draw_point(chance, trial // len(domains))
            if point is None:
                continue
            tried += 1
            for (refuted, _), true in zip(claims, domain.check_claims(point, tolerance), strict=True):
                if not true:
                    return Attack(tried, digits, domain.float_values(point), refuted, sum(one.undefined for one in domains))
            if tried == samples:
                break
    return Attack(tried, digits, undefined=sum(one.undefined for one in domains))


def attacked_claims(derivation: Derivation, step: Step) -> list[tuple[str, Step]]:
    """Return the claims that must hold on the domain of a step as pairs (name, line): its given lines, then the step itself."""
    return [*((one.name, one) for one in derivation.givens(step)), (THE_STEP, step)]


def find_unmet_assumption(theorem: Any, samples: int = 60, seed: int = 0) -> tuple[Any, dict[str, float]] | None:
    """Search for constants at which a theorem's own schedule violates one of its assumptions; return (relation, values) or None.

    Tested are the relations of `valid_if` and `in_letters` in which the printed schedule occurs, and constants alone. They are evaluated
    at random constants, and random values of what the schedule leaves free, that meet the conditions of the theorem.
    """

    def is_chosen(relation: Any) -> bool:
        """Return whether a relation has only constants of the problem and symbols of the schedule."""
        letters = {one for side in (relation.lhs, relation.rhs) for one in theorem.in_constants(side).free_symbols}
        return all(one.name in GLOSSARY and GLOSSARY[one.name].role in ("problem", "schedule") for one in letters)

    as_written = [one for one in theorem.in_letters if is_chosen(one) and theorem.in_constants(one.lhs - one.rhs) == one.lhs - one.rhs]
    chance = random.Random(seed)
    asked = [*(one.relation for one in theorem.conditions if one.kind == HYPOTHESIS), *as_written]
    conditions = [theorem.in_constants(side) for one in asked for side in (one.lhs, one.rhs)]
    for relation in (*theorem.valid_if, *theorem.in_letters):
        sides = [theorem.in_constants(side) for side in (relation.lhs, relation.rhs)]
        if sides == [relation.lhs, relation.rhs] or not is_chosen(relation):
            continue
        letters = sorted({one.name for side in (*sides, *conditions) for one in side.free_symbols})
        for _ in range(samples):
            known = [GLOSSARY[name] for name in letters]
            at = {one.name: float(draw_between(one.low, 1e3 if isinstance(one.high, str) else one.high, chance)) for one in known}
            try:
                ends = [float_value(side, at) for side in conditions]
                met = all(HOLDS[one.rel_op](*pair) for one, pair in zip(asked, zip(ends[::2], ends[1::2], strict=True), strict=True))
                left, right = (float_value(side, at) for side in sides)
            except (ValueError, OverflowError, ZeroDivisionError):
                continue
            if met and not HOLDS[relation.rel_op](left, right) and abs(left - right) > 1e-9 * abs(right):  # above rounding errors
                return relation, at
    return None


def relation_holds(relation: str, left: Any, right: Any, slack: Any) -> bool:
    """Return whether two numbers satisfy a relation up to an absolute slack."""
    if relation == "=":
        return bool(abs(left - right) <= slack)
    return bool(left <= right + slack) if relation in ("<=", "<") else bool(left + slack >= right)


class CircularDomain(Exception):
    """Raised where a symbol of a domain depends on itself."""


class Domain:
    """Domain of a step; its symbols are drawn one after another, so that the range of each depends on earlier ones only."""

    def __init__(self, derivation: Derivation, step: Step, claims: list[tuple[str, Step]], advised: bool = True) -> None:
        self.step, self.claims, self.where = step, claims, [one for one in derivation.domain(step) if not one.is_equality]
        self.fixed: dict[Any, Any] = {}
        self.undefined = 0
        self._known: set[str] = set()
        fixed = [derivation[name] for name in inserted_lines(step.certificate)] + [
            one for one in derivation.domain(step) if one.is_equality
        ]
        for one in sorted(fixed, key=lambda one: not isinstance(one.lhs, sp.Symbol)):
            self._solve_equality(derivation, one)
        self.ranges = dict(step.ranges) if advised else {}
        self.order: list[Any] = []
        if isinstance(step.certificate, Telescoped):  # an average is attacked for one step, T = 1
            letters = derivation[step.certificate.line].symbols
            self.fixed |= {mean: letter for letter, mean in AVERAGES.items() if letter in letters}
            for now, after, first, last in RUNS:
                self.fixed |= {first: now, last: after} if {now, after} <= letters else {}
            self.fixed[GLOSSARY["T"].symbol] = sp.Integer(1)
        for letter in sorted(set().union(*(one.symbols for _, one in claims), *(one.symbols for one in (*self.where, *fixed))), key=str):
            self._append_symbol(letter, ())
        self.ends = [self._range_function(place, letter) for place, letter in enumerate(self.order)]
        both = [side for _, one in claims for side in (one.lhs, one.rhs)]
        self._sides, self._where = self._compile(both), self._compile([side for one in self.where for side in (one.lhs, one.rhs)])

    def _solve_equality(self, derivation: Derivation, one: Step) -> None:
        """Solve an equality for one of its symbols and store its value: the left side, or else a symbol in which it is linear.

        An equality that is derived, not taken, is replaced by the equalities from which it is derived.
        """
        if one.name in self._known:
            return
        self._known.add(one.name)
        if not isinstance(one.certificate, Sources) and not isinstance(one.lhs, sp.Symbol):
            for name in (*inserted_lines(one.certificate), *used_lines(one.certificate)):
                if derivation[name].is_equality:
                    self._solve_equality(derivation, derivation[name])
            return
        for letter in [one.lhs, *sorted(one.symbols, key=lambda letter: (_solving_rank(letter), str(letter)))]:
            if not isinstance(letter, sp.Symbol) or letter in self.fixed:
                continue
            rate = sp.diff(one.difference, letter)
            if rate != 0 and letter not in rate.free_symbols:
                self.fixed[letter] = sp.simplify(letter - one.difference / rate)
                return

    def _append_symbol(self, letter: Any, above: tuple[Any, ...]) -> None:
        """Append a symbol to the order of drawing, after those that it depends on.

        A bound that would make a circle is not used for the range; points that violate it are rejected.
        """
        if letter in self.order:
            return
        if letter in above:
            raise CircularDomain(f"{self.step.name}: what {letter} is depends on itself")
        if letter in self.fixed:
            needs = self.fixed[letter].free_symbols
        elif letter in self.ranges:
            needs = _free_symbols(*self.ranges[letter])
        else:
            usable = [
                one
                for one in self.where
                if self._bound_on(one, letter) is not None and not self._symbols_needed(one, letter) & {letter, *above}
            ]
            low, high = glossary_range(letter)
            lows, highs = [low], [high if not _free_symbols(high) & {*above} else WIDEST["positive"][1]]
            for one in usable:
                is_high, end = self._bound_on(one, letter)  # type: ignore[misc]
                (highs if is_high else lows).append(end)
            self.ranges[letter] = lows, highs
            needs = _free_symbols(*lows, *highs)
        for other in sorted(needs, key=str):
            self._append_symbol(other, (*above, letter))
        self.order.append(letter)

    def _bound_on(self, one: Step, letter: Any) -> tuple[bool, Any] | None:
        """Return (is upper bound, bound) if a line has the form symbol <= bound or symbol >= bound, else None."""
        for side, other, above in ((one.lhs, one.rhs, one.relation in ("<=", "<")), (one.rhs, one.lhs, one.relation in (">=", ">"))):
            if side == letter and letter not in other.free_symbols:
                return above, other
        return None

    def _symbols_needed(self, one: Step, letter: Any) -> set[Any]:
        """Return the symbols that the other side of a bound depends on, also through equalities and ranges."""
        found, waiting = set[Any](), one.symbols - {letter}
        while waiting:
            other = waiting.pop()
            found.add(other)
            deeper = self.fixed[other].free_symbols if other in self.fixed else _free_symbols(*glossary_range(other))
            waiting |= deeper - found
        return found

    def _compile(self, expressions: list[Any], letters: list[Any] | None = None) -> Callable[..., Any]:
        """Compile expressions to one mpmath function of the symbols, by default of all in the order of drawing."""
        return sp.lambdify(self.order if letters is None else letters, expressions, modules="mpmath")

    def _range_function(self, place: int, letter: Any) -> Callable[..., Any]:
        """Return a function of the symbols drawn before this one: its value (value,), or its range (low, high)."""
        before = self.order[:place]
        if letter in self.fixed:
            value = self._compile([self.fixed[letter]], before)
            return lambda *known: (value(*known)[0],)
        low, high = self.ranges[letter]
        lows, highs = (end if isinstance(end, list) else [end] for end in (low, high))
        function = self._compile([*map(sp.sympify, lows), *map(sp.sympify, highs)], before)

        def ends(*known: Any) -> tuple[Any, Any]:
            """Return the low and the high end of the range at the values of the symbols drawn before."""
            values = [mp.mpf(value) for value in function(*known)]
            return _widen_range(letter, max(values[: len(lows)]), min(values[len(lows) :]), len(lows) > 1, len(highs) > 1)

        return ends

    def draw_point(self, chance: random.Random, trial: int) -> list[Any] | None:
        """Draw a random point of the domain; the first two trials take the low and the high ends. None if it lies outside."""

        def draw_value(_: Any, low: Any, high: Any) -> Any:
            """Return an end of the range, or a number between the ends."""
            kind = trial if trial < 2 else chance.randrange(4)
            return low if kind == 0 else high if kind == 1 else draw_between(low, high, chance)

        return self._complete_point(draw_value)

    def _complete_point(self, draw: Callable[[Any, Any, Any], Any]) -> list[Any] | None:
        """Return a point whose free symbols are `draw(symbol, low, high)`, or None if it lies outside the domain."""
        values: list[Any] = []
        try:
            for letter, ends in zip(self.order, self.ends, strict=True):
                found = ends(*values)
                if len(found) == 1:
                    value = mp.mpf(found[0])  # TypeError for what is not real
                else:
                    low, high = found
                    value = draw(letter, low, high) if low <= high else None
                if value is None or (letter.is_positive and value <= 0) or (letter.is_nonnegative and value < 0):
                    return None
                values.append(value)
            sides = self._where(*values)
            for one, left, right in zip(self.where, sides[::2], sides[1::2], strict=True):
                slack = mp.mpf(10) ** (20 - mp.mp.dps) * (abs(left) + abs(right))
                if not relation_holds(one.relation, left, right, slack) or (one.relation in ("<", ">") and abs(left - right) <= slack):
                    return None
        except (ZeroDivisionError, TypeError, ValueError, OverflowError):  # an edge at which a bound does not exist, or is not real
            return None
        if not self._sides_are_finite(values):
            self.undefined += 1
            return None
        return values

    def _sides_are_finite(self, point: list[Any]) -> bool:
        """Return whether both sides of every claim are real and finite at a point; 0 log(0), for instance, is not."""
        try:
            return all(mp.isfinite(mp.mpf(side)) for side in self._sides(*point))
        except (ZeroDivisionError, TypeError, ValueError, OverflowError):
            return False

    @property
    def free_symbols(self) -> set[str]:
        """Names of the symbols that are drawn, not computed from others."""
        return {letter.name for letter in self.order if letter not in self.fixed}

    def point_from(self, point: Mapping[str, float]) -> list[Any] | None:
        """Return the point with these values of the free symbols, None if it lies outside the domain or a value is missing."""
        if not self.free_symbols <= point.keys():
            return None
        return self._complete_point(lambda letter, low, high: value if low <= (value := mp.mpf(point[letter.name])) <= high else None)

    def check_claims(self, point: list[Any], tolerance: Any) -> Iterator[bool]:
        """Yield for every claim whether it is true at a point, up to the rounding errors of its terms."""
        values = self._sides(*point)
        for (_, one), left, right in zip(self.claims, values[::2], values[1::2], strict=True):
            near = relation_holds(one.relation, left, right, tolerance * (abs(left) + abs(right)))
            yield (
                near
                or not mp.isfinite(size := self._size_of_terms(one, point))
                or relation_holds(one.relation, left, right, tolerance * size)
            )

    def _size_of_terms(self, one: Step, point: list[Any]) -> Any:
        """Return the sum of the absolute values of all terms, as written and expanded, which bounds rounding errors."""
        terms = [term for side in (one.lhs, one.rhs) for term in (_absolute_terms(side), *sp.Add.make_args(sp.expand(side)))]
        return sum(abs(value) for value in self._compile(terms)(*point))

    def mpmath_values(self, point: list[Any]) -> dict[str, Any]:
        """Return a point, given as values in the order of drawing, as {name of symbol: mpmath number}."""
        return {letter.name: value for letter, value in zip(self.order, point, strict=True)}

    def float_values(self, point: list[Any]) -> dict[str, float]:
        """Return a point, given as values in the order of drawing, as {name of symbol: float}."""
        return {letter.name: float(value) for letter, value in zip(self.order, point, strict=True)}


def _absolute_terms(expression: Any) -> Any:
    """Return an expression with the absolute value of every term, so that nothing cancels."""
    if expression.is_Add or expression.is_Mul:
        return expression.func(*map(_absolute_terms, expression.args))
    if isinstance(expression, sp.Pow) and expression.exp.is_Integer and expression.exp > 0:
        return _absolute_terms(expression.base) ** expression.exp
    return sp.Abs(expression)


def _solving_rank(letter: Any) -> int:
    """Return the rank of a symbol in the choice which symbol to solve an equality for: symbols of proofs first, constants last."""
    roles = ("proof", "step", "probability", "abbreviation", "schedule", "problem")
    return roles.index(GLOSSARY[letter.name].role) if letter.name in GLOSSARY else 0


def _widen_range(letter: Any, low: Any, high: Any, low_is_stated: bool, high_is_stated: bool) -> tuple[Any, Any]:
    """Return the ends of a range; an end that no line states is moved where the stated end lies beyond it."""
    if low <= high:
        return low, high
    if low_is_stated and not high_is_stated:
        return low, low + abs(low) * 1000 + 1
    if high_is_stated and not low_is_stated:
        return (high / 10**9 if high > 0 and letter.is_positive else high - abs(high) * 1000 - 1), high
    return low, high


def _free_symbols(*expressions: Any) -> set[Any]:
    """Return the set of all symbols of the expressions."""
    return set().union(*(sp.sympify(expression).free_symbols for expression in expressions))


def glossary_range(letter: Any) -> tuple[Any, Any]:
    """Return the range in which a symbol is tried: (low, high) of the glossary, or a wide one for a symbol not in it."""
    if letter.name not in GLOSSARY or GLOSSARY[letter.name].symbol != letter:
        return WIDEST["positive" if letter.is_positive else "nonnegative" if letter.is_nonnegative else "real"]
    entry = GLOSSARY[letter.name]
    return entry.low, GLOSSARY[entry.high].symbol if isinstance(entry.high, str) else entry.high


def draw_between(low: Any, high: Any, chance: random.Random) -> Any:
    """Draw a number between low and high, log-uniform in its absolute value, with a random sign where both are allowed."""
    if low < 0 < high:
        return -draw_between(mp.mpf(0), -low, chance) if chance.random() < 0.5 else draw_between(mp.mpf(0), high, chance)
    if high <= 0:
        return -draw_between(-high, -low, chance) if low < 0 else low
    smallest = low if low > 0 else high * mp.mpf(10) ** -12
    return smallest * (high / smallest) ** mp.mpf(chance.random())
