"""A proof is a list of named lines: facts that it takes, then steps that it makes, each with a certificate that a program can check.

A line is a relation between two expressions in the letters of the glossary. A step may use the facts and the steps before it, by their
names only. Steps are claims, which can be attacked; facts say something of the quantities that the letters stand for.

Facts are taken, and each says from where:

    Assumed         a hypothesis of the theorem: one of its conditions, or what it says of an assumption in the letters of the proofs
    Case            one of the cases that the proof distinguishes
    Meaning         holds by what the letters stand for (a probability is at most 1, total probability)
    Defined         a letter stands for an expression: an abbreviation of the page. The sign that the letter is declared with must be
                    visible, or follow from lines that it names. What the theorem's schedule prescribes, and its abbreviations, are
                    lines too, under the names of their letters, and so are the limits of the glossary ("d >= 1") for letters that
                    are not defined
    Shown           a line of another derivation, for an instance of its letters, whose hypotheses are met by lines of this one
    Cited, Reasoned someone else's lemma, or an argument for a reader, which may rest on steps; not proved here, and said so

Steps are made:

    Identity        lhs - rhs expands to 0, or to multiples of named equalities
    Substitution    it does once the named equalities are inserted, of which each says what one letter is
    NonNegative     the difference is a sum of products of non-negative factors, plus multiples of named equalities. A factor is
                    non-negative by the signs of its letters, because it is the difference of a named inequality, or as an instance of
                    an inequality of `bounds.inequalities`. Signs are looked at after everything is inserted
    Telescoped      a line that holds at every step t, averaged over t = 0, ..., T - 1
    Cited, Reasoned as above; a step may also be in words only

`bounds.certificates` checks the certificate of a step, `bounds.attack` looks for a point of the stated domain where it is false.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import sympy as sp

from bounds.inequalities import Instance
from bounds.symbols import GLOSSARY, LETTERS, Letter

GIVENS = ("the lines that it uses",)  # as `where`: the step is claimed where everything that its certificate uses holds


@dataclass(frozen=True)
class Assumed:
    """A hypothesis of the theorem: its relation must be among the theorem's."""


@dataclass(frozen=True)
class Case:
    """One of several cases that the proof distinguishes."""


@dataclass(frozen=True)
class Meaning:
    """True by what the letters stand for."""


@dataclass(frozen=True)
class Defined:
    """The letter on the left stands for the right side; `source` says where, "" for an abbreviation of the page itself.

    Where the right side is not seen to have the sign that the letter is declared with, `signs` names inequalities from which it is: the
    difference of their two sides, wherever it occurs on the right, has a sign then, so has 1 more than that, and the logarithm of x if
    x - 1 or 1 - 1/x is that.
    """

    source: str = ""
    signs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Shown:
    """A line of another derivation with its letters replaced; `meets` names the lines that meet its hypotheses, by their names there.

    A hypothesis that is not in `meets` is met by the line of the same name here. Letters for quantities of a proof, and all letters of a
    line that rests on words or on a sum over steps, are replaced only as the derivation says that they may be, see
    `Derivation.instances`.
    """

    derivation: str
    line: str
    instance: Mapping[Any, Any] = field(default_factory=dict)
    meets: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Inverse:
    """One over the difference of a strict inequality, used as a positive factor."""

    name: str


@dataclass(frozen=True)
class Identity:
    """Both sides are equal, up to multiples of named equalities: `modulo` as in `NonNegative`."""

    modulo: tuple[tuple[Any, str], ...] = ()


@dataclass(frozen=True)
class Substitution:
    """Both sides are equal once the letters of the named equalities are replaced."""

    at: tuple[str, ...]


@dataclass(frozen=True)
class NonNegative:
    """The larger side minus the smaller is the sum of `terms`, after inserting the equalities named in `at`.

    terms      each a tuple of factors: an expression, an `Instance`, an `Inverse`, or the name of an inequality, which stands for its
               larger side minus its smaller one
    modulo     pairs (multiplier, name of an equality): any multiple of its left minus its right side may be added; the multiplier is
               an expression, or a tuple of factors as in `terms`, of any sign
    """

    terms: tuple[tuple[Any, ...], ...]
    at: tuple[str, ...] = ()
    modulo: tuple[tuple[Any, str], ...] = ()


@dataclass(frozen=True)
class Telescoped:
    """The named line holds at every t; its average over t = 0, ..., T - 1.

    `bounds.meanings` says which letter stands for the average of which letter of a step, and which letters telescope.
    """

    line: str


@dataclass(frozen=True)
class Cited:
    """Someone else's lemma; `using` names the lines that it is applied to."""

    source: str
    using: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reasoned:
    """An argument for a reader, which a program cannot check; `using` names the lines that it rests on."""

    why: str
    using: tuple[str, ...] = ()


Source = Assumed | Case | Meaning | Defined | Shown
Certificate = Source | Identity | Substitution | NonNegative | Telescoped | Cited | Reasoned


@dataclass(frozen=True)
class Step:
    """One line of a proof: `lhs relation rhs`, or only words where the line is not a formula.

    What is certified is the formula; `statement` and `reason` guide a reader. The statement must name a letter of the formula, or say in
    words what one stands for, and may name no letter that the proof does not have, so that a text about something else is noticed.
    `where` names lines: the step is claimed where they hold (GIVENS for all that its certificate uses). `ranges` replace the glossary's
    range of a letter for an attack, by a low and a high end that may depend on other letters.
    """

    name: str
    statement: str
    lhs: Any
    relation: str
    rhs: Any
    reason: str
    certificate: Certificate
    where: tuple[str, ...] = ()
    ranges: Mapping[Any, tuple[Any, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Turn plain numbers into SymPy's."""
        for side in ("lhs", "rhs"):
            if getattr(self, side) is not None:
                object.__setattr__(self, side, sp.sympify(getattr(self, side)))

    @property
    def is_formula(self) -> bool:
        """Whether the step has two sides that can be compared."""
        return self.lhs is not None and self.rhs is not None

    @property
    def is_equality(self) -> bool:
        """Whether the line says that two sides are equal."""
        return self.is_formula and self.relation == "="

    @property
    def difference(self) -> Any:
        """The larger side minus the smaller; of an equality, the left side minus the right."""
        return self.rhs - self.lhs if self.relation in ("<=", "<") else self.lhs - self.rhs

    @property
    def letters(self) -> set[Any]:
        """Every letter of the formula."""
        return self.lhs.free_symbols | self.rhs.free_symbols if self.is_formula else set()


def line(name: str, statement: str, lhs: Any, relation: str, rhs: Any, reason: str, certificate: Certificate, **more: Any) -> Step:
    """Return a step."""
    return Step(name, statement, lhs, relation, rhs, reason, certificate, **more)


def words(name: str, statement: str, reason: str, certificate: Cited | Reasoned) -> Step:
    """Return a step without a formula."""
    return Step(name, statement, None, "", None, reason, certificate)


def fact(name: str, statement: str, lhs: Any, relation: str, rhs: Any, source: Certificate) -> Step:
    """Return a line that is taken and not made."""
    return Step(name, statement, lhs, relation, rhs, "", source)


def is_definition(step: Step) -> bool:
    """Return whether a line says what a letter stands for."""
    return isinstance(step.certificate, Defined) and step.is_formula


def used(certificate: Certificate) -> tuple[str, ...]:
    """Return the names of the lines that a certificate uses, without those that it inserts."""
    if isinstance(certificate, NonNegative | Identity):
        names = [name for factor in _factors(certificate) for name in names_in(factor)]
        return tuple(dict.fromkeys([*names, *(name for _, name in certificate.modulo)]))
    if isinstance(certificate, Telescoped):
        return (certificate.line,)
    if isinstance(certificate, Shown):
        return tuple(dict.fromkeys(certificate.meets.values()))
    if isinstance(certificate, Defined):
        return certificate.signs
    return certificate.using if isinstance(certificate, Cited | Reasoned) else ()


def _factors(certificate: Certificate) -> list[Any]:
    products = [*getattr(certificate, "terms", ()), *(multiplier for multiplier, _ in getattr(certificate, "modulo", ()))]
    return [factor for product in products for factor in factors_of(product)]


def expressions_in(certificate: Certificate) -> list[Any]:
    """Return the expressions that a certificate multiplies with, those in instances of inequalities among them."""
    parts = [part for one in _factors(certificate) for part in factors_of(one.argument if isinstance(one, Instance) else one)]
    return [part for part in parts if isinstance(part, sp.Basic | float)]


def factors_of(product: Any) -> tuple[Any, ...]:
    """Return the factors of a product, which may be one expression."""
    return product if isinstance(product, tuple) else (product,)


def names_in(factor: Any) -> tuple[str, ...]:
    """Return the names of the lines that a factor uses."""
    if isinstance(factor, Instance):
        return tuple(name for one in factors_of(factor.argument) for name in names_in(one))
    named = factor.name if isinstance(factor, Inverse) else factor
    return (named,) if isinstance(named, str) else ()


def inserted(certificate: Certificate) -> tuple[str, ...]:
    """Return the names of the equalities that a certificate inserts."""
    return certificate.at if isinstance(certificate, Substitution | NonNegative) else ()


@dataclass(frozen=True)
class Derivation:
    """A proof chain: `facts` that it takes, `steps` that it makes, and the theorem whose bound the last step reaches, None for none.

    `shows` says which line has which part of that theorem, by their names. `spelled` are the paper's names of letters where they differ
    from the glossary's. `instances` say which quantities may stand in for which of the proof's letters where one of its lines is used
    elsewhere: the proof holds for them as well; and `left_open` which letters a page that uses one of its lines may define or replace as
    it likes, because all that the proof knows of them are hypotheses, which have to be met there, or it holds whatever they are. `signs`
    say of what the theorem prescribes what `Defined.signs` says of other letters.
    """

    key: str
    title: str
    source: str
    steps: tuple[Step, ...]
    facts: tuple[Step, ...] = ()
    proves: Any = None
    shows: Mapping[str, str] = field(default_factory=dict)
    spelled: Mapping[str, Any] = field(default_factory=dict)
    instances: tuple[Mapping[Any, Any], ...] = ()
    left_open: tuple[Any, ...] = ()
    signs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def lines(self) -> dict[str, Step]:
        """Every line by its name, in the order of the proof: the theorem's equations and the limits of the letters, facts, steps."""
        known: dict[str, Step] = {}
        for one in (*self._prescribed(), *self.facts, *self.steps):
            if one.name in known:
                raise ValueError(f"{self.key}: two lines are named {one.name!r}")
            known[one.name] = one
        letters = set().union(*(one.letters for one in known.values())) - {one.lhs for one in known.values() if is_definition(one)}
        limits = [limit for letter in sorted(letters, key=str) if letter.name in GLOSSARY for limit in limits_of(GLOSSARY[letter.name])]
        return {**{one.name: one for one in limits}, **known}

    @cached_property
    def meaning(self) -> dict[Any, str]:
        """The line that says what a letter stands for, of each letter that the page, or the theorem, defines."""
        return {one.lhs: one.name for one in self.lines.values() if is_definition(one)}

    @property
    def defined(self) -> frozenset[Any]:
        """The letters that the page, or the theorem, says what they stand for: the limits of the glossary are not theirs."""
        return frozenset(self.meaning)

    def _prescribed(self) -> Iterator[Step]:
        if self.proves is None:
            return
        for role, named in (("abbreviation", self.proves.definitions), ("schedule", self.proves.schedule)):
            for name, value in named.items():
                if name == "lam":  # the schedule names the largest that is allowed: a hypothesis, and no equation
                    continue
                source = f"{role} of {self.proves.title}"
                yield fact(name, f"{name} as in the {source}", GLOSSARY[name].symbol, "=", value, Defined(source, self.signs.get(name, ())))

    def __getitem__(self, name: str) -> Step:
        """Return the line with this name, or raise KeyError with the names that there are."""
        if name not in self.lines:
            raise KeyError(f"{self.key}: no line is named {name!r}; there are {', '.join(self.lines)}")
        return self.lines[name]

    @cached_property
    def _made(self) -> frozenset[str]:
        return frozenset(step.name for step in self.steps)

    def is_fact(self, line: Step) -> bool:
        """Return whether a line is taken, not made."""
        return line.name not in self._made

    def number(self, name: str) -> int:
        """Return the place of a step, from 1; facts have none."""
        return [step.name for step in self.steps].index(name) + 1

    def usable_by(self, step: Step) -> dict[str, Step]:
        """Return the lines that a line may use: a fact any line, a step what stands before it."""
        names = list(self.lines)
        return {name: self.lines[name] for name in (names if self.is_fact(step) else names[: names.index(step.name)])}

    def with_line(self, changed: Step) -> Derivation:
        """Return the derivation with the line of the same name replaced."""
        return replace(
            self,
            facts=tuple(changed if one.name == changed.name else one for one in self.facts),
            steps=tuple(changed if one.name == changed.name else one for one in self.steps),
        )

    def givens(self, step: Step) -> tuple[Step, ...]:
        """Return the formulas that the certificate of a step uses, apart from what it inserts."""
        return tuple(self[name] for name in used(step.certificate) if self[name].is_formula)

    def domain(self, step: Step) -> tuple[Step, ...]:
        """Return the formulas that hold on the stated domain of a step."""
        names = used(step.certificate) if step.where == GIVENS else step.where
        return tuple(self[name] for name in names if self[name].is_formula)

    def kinds(self) -> dict[str, int]:
        """Return how many steps have which kind of certificate."""
        return dict(Counter(type(step.certificate).__name__ for step in self.steps))

    @property
    def conclusion(self) -> Step:
        """The last step."""
        return self.steps[-1]

    def show(self) -> str:
        """Return the chain as text for a terminal."""
        text = [f"{self.key}   {self.title}", f"  source  {self.source}"]
        for one in self.facts:
            text.append(f"  taken ({type(one.certificate).__name__.lower()}) {one.name}: {one.statement}")
            text.append(f"      {sp.sstr(one.lhs)}  {one.relation}  {sp.sstr(one.rhs)}")
        for number, step in enumerate(self.steps, start=1):
            text.append(f"  {number:>2}. {step.name}: {step.statement}")
            if step.is_formula:
                text.append(f"      {sp.sstr(step.lhs)}  {step.relation}  {sp.sstr(step.rhs)}")
            rests = ", ".join((*used(step.certificate), *(f"{name} inserted" for name in inserted(step.certificate))))
            text.append(f"      {type(step.certificate).__name__}{f' by {rests}' if rests else ''}: {step.reason}")
        return "\n".join(text)


def limits_of(letter: Letter) -> Iterator[Step]:
    """Yield the limits of a letter that hold by what it stands for, as lines: n >= 1, r <= d, a probability is at most 1."""
    known = letter in LETTERS  # an introduced letter may not bound one of these
    if known and letter.low == 1 and letter.role != "proof":
        yield fact(f"{letter.name} >= 1", f"{letter.name}: {letter.words}", letter.symbol, ">=", 1, Meaning())
    if known and isinstance(letter.high, str) and letter.role != "proof":
        high = GLOSSARY[letter.high].symbol
        yield fact(f"{letter.name} <= {letter.high}", f"{letter.name}: {letter.words}", letter.symbol, "<=", high, Meaning())
    if letter.role == "probability":
        yield fact(f"{letter.name} <= 1", f"{letter.name}: {letter.words}", letter.symbol, "<=", 1, Meaning())
