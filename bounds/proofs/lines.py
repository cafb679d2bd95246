"""A proof is a list of named lines: facts that it takes, then steps that it makes, each with a certificate that a program can check.

A line is a relation between two expressions in the letters of the glossary. A step may use the facts and the steps before it, by their
names only. Steps are claims, which can be attacked; facts say something of the quantities that the letters stand for.

Facts are taken, and each says from where: Assumed, Case, Meaning, Defined, Shown. Steps are made: Identity, Substitution, NonNegative,
Telescoped. Both may be Cited or Reasoned, which is no proof, and said so; only such a step may be in words alone. What the theorem's
schedule prescribes, and its abbreviations, are lines too, under the names of their letters, and so are the limits of the glossary
("d >= 1") for letters that are not defined.

`bounds.proofs.certificates` checks the certificate of a step, `bounds.proofs.attack` looks for a point of the stated domain where it is
false.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp

from bounds.proofs.inequalities import Instance

GIVENS = ("the lines that it uses",)  # as `where`: the step is claimed where everything that its certificate uses holds


@dataclass(frozen=True)
class Assumed:
    """A hypothesis of the theorem: one of its conditions, or what it says of an assumption in the letters of the proofs."""


@dataclass(frozen=True)
class Case:
    """One of several cases that the proof distinguishes."""


@dataclass(frozen=True)
class Meaning:
    """True by what the letters stand for: a probability is at most 1, total probability."""


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
    """The difference of both sides expands to 0, or to multiples of named equalities: `modulo` as in `NonNegative`."""

    modulo: tuple[tuple[Any, str], ...] = ()


@dataclass(frozen=True)
class Substitution:
    """Both sides are equal once the named equalities are inserted, of which each says what one letter is."""

    at: tuple[str, ...]


@dataclass(frozen=True)
class NonNegative:
    """The larger side minus the smaller is the sum of `terms`, after inserting the equalities named in `at`; then signs are looked at.

    terms      each a tuple of non-negative factors: an expression, by the signs of its letters, an `Instance`, an `Inverse`, or the name
               of an inequality, which stands for its larger side minus its smaller one
    modulo     pairs (multiplier, name of an equality): any multiple of its left minus its right side may be added; the multiplier is
               an expression, or a tuple of factors as in `terms`, of any sign
    """

    terms: tuple[tuple[Any, ...], ...]
    at: tuple[str, ...] = ()
    modulo: tuple[tuple[Any, str], ...] = ()


@dataclass(frozen=True)
class Telescoped:
    """The named line holds at every t; its average over t = 0, ..., T - 1.

    `bounds.proofs.meanings` says which letter stands for the average of which letter of a step, and which letters telescope.
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
Made = Identity | Substitution | NonNegative  # by algebra
InWords = Cited | Reasoned  # and not proved here
Certificate = Source | Made | Telescoped | InWords


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

    def claimed_where(self, *names: str) -> Step:
        """Return the step claimed where the named lines hold; everywhere for none, and where what it uses holds for GIVENS."""
        return replace(self, where=names)

    def within(self, ranges: Mapping[Any, tuple[Any, Any]]) -> Step:
        """Return the step with other ranges of letters for an attack."""
        return replace(self, ranges=ranges)

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
    def argued(self) -> str:
        """By what the line follows: the kind of its certificate, the lines that it uses, and the reason that a reader is given."""
        rests = ", ".join((*used(self.certificate), *(f"{name} inserted" for name in inserted(self.certificate))))
        return f"{type(self.certificate).__name__}{f' by {rests}' if rests else ''}: {self.reason}"

    @property
    def letters(self) -> set[Any]:
        """Every letter of the formula."""
        return self.lhs.free_symbols | self.rhs.free_symbols if self.is_formula else set()


@dataclass(frozen=True)
class Open:
    """A line whose certificate is still to come: what is claimed, what it says in words, and why in words.

    Each method below closes the line with one kind of certificate. Where a certificate uses lines, the step is claimed where they hold;
    one that inserts equalities alone, or rests on words, is claimed everywhere.
    """

    name: str
    lhs: Any = None
    relation: str = ""
    rhs: Any = None
    statement: str = ""
    reason: str = ""

    def says(self, statement: str, reason: str = "") -> Open:
        """Return the line with what it says in words, and the reason that a reader is given where both are short."""
        return replace(self, statement=statement, reason=reason or self.reason)

    def because(self, reason: str) -> Open:
        """Return the line with the reason that a reader is given."""
        return replace(self, reason=reason)

    def certified(self, certificate: Certificate) -> Step:
        """Return the step with a certificate."""
        where = GIVENS if isinstance(certificate, NonNegative | Identity | Telescoped) else ()
        return Step(self.name, self.statement, self.lhs, self.relation, self.rhs, self.reason, certificate, where)

    def by(self, *terms: Any, at: tuple[str, ...] = (), modulo: tuple[tuple[Any, str], ...] = ()) -> Step:
        """Return the step whose difference is the sum of the terms: see `NonNegative`; a term of one factor needs no tuple."""
        return self.certified(NonNegative(tuple(factors_of(term) for term in terms), at, modulo))

    def identity(self, *modulo: tuple[Any, str]) -> Step:
        """Return the step whose two sides are equal up to multiples of named equalities."""
        return self.certified(Identity(modulo))

    def inserting(self, *names: str) -> Step:
        """Return the step whose two sides are equal once the named equalities are inserted."""
        return self.certified(Substitution(names))

    def averaging(self, line: str) -> Step:
        """Return the step that is the average of a line over t = 0, ..., T - 1."""
        return self.certified(Telescoped(line))

    def assumed(self) -> Step:
        """Return the line as a hypothesis of the theorem."""
        return self.certified(Assumed())

    def case(self) -> Step:
        """Return the line as one of several cases."""
        return self.certified(Case())

    def meaning(self) -> Step:
        """Return the line as one that holds by what the letters stand for."""
        return self.certified(Meaning())

    def defined(self, source: str = "", signs: tuple[str, ...] = ()) -> Step:
        """Return the line as what the letter on the left stands for."""
        return self.certified(Defined(source, signs))

    def shown(self, derivation: str, line: str, instance: Mapping[Any, Any] | None = None, meets: Mapping[str, str] | None = None) -> Step:
        """Return the line as one of another derivation, see `Shown`."""
        return self.certified(Shown(derivation, line, instance or {}, meets or {}))

    def cited(self, source: str, using: tuple[str, ...] = ()) -> Step:
        """Return the line as someone else's lemma, applied to the lines that it names."""
        return self.certified(Cited(source, using))

    def reasoned(self, why: str, using: tuple[str, ...] = ()) -> Step:
        """Return the line as an argument for a reader."""
        return self.certified(Reasoned(why, using))


def line(name: str, lhs: Any = None, relation: str = "", rhs: Any = None) -> Open:
    """Open a line, in words only where it has no sides; a method of `Open` closes it with its certificate."""
    return Open(name, lhs, relation, rhs)


def times(factor: Any, *terms: Any) -> tuple[Any, ...]:
    """Return terms of a certificate, or names of equalities for `modulo`, each with one more factor in front."""
    return tuple((factor, *factors_of(term)) for term in terms)


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
    return certificate.using if isinstance(certificate, InWords) else ()


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


def named(certificate: Certificate) -> tuple[str, ...]:
    """Return the names of the lines that a certificate uses, those that it inserts among them."""
    return (*used(certificate), *inserted(certificate))
