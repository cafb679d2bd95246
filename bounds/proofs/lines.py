"""Lines of a proof and their certificates: facts that a proof takes, and steps that it derives.

A line is a relation between two expressions in the symbols of the glossary. A step may use the facts and the steps before it, by their
names only. Steps are claims, which can be attacked; facts are statements about the quantities that the symbols stand for.

Facts are taken, and the certificate of each gives its origin: Assumed, Case, Meaning, Defined, Shown. Steps are derived: Identity,
Substitution, NonNegative, Telescoped. Both may be Cited or Reasoned, which is no proof and is reported as such; only such a step may
consist of words alone. The schedule of the theorem and its abbreviations are lines too, under the names of their symbols, and so are the
limits of the glossary ("d >= 1") for symbols that are not defined.

`bounds.proofs.certificates` checks the certificate of a step, `bounds.proofs.attack` searches its stated domain for a point where it is
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
    """Certificate of a hypothesis of the theorem: one of its conditions, or an assumption written in symbols."""


@dataclass(frozen=True)
class Case:
    """Certificate of one of several cases that the proof distinguishes."""


@dataclass(frozen=True)
class Meaning:
    """Certificate of a line that is true by the meaning of its symbols: a probability is at most 1, total probability."""


@dataclass(frozen=True)
class Defined:
    """Certificate of a definition of the symbol on the left side; `source` says where it stands, "" for one of the page itself.

    Where the right side is not recognised to have the declared sign of the symbol, `signs` names inequalities that imply it. The
    difference of the two sides of each has a sign wherever it occurs on the right; so has 1 more than that, and the logarithm of x if x -
    1 or 1 - 1/x is that difference.
    """

    source: str = ""
    signs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Shown:
    """Certificate of a line of another derivation with symbols replaced; `meets` maps its hypotheses to lines here that meet them.

    A hypothesis that is not in `meets` is met by the line of the same name here. Symbols for quantities of a proof, and all symbols of a
    line that rests on words or on a sum over steps, may be replaced only as the derivation allows, see `Derivation.instances`.
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
    """Certificate that the difference of both sides expands to 0, or to multiples of equalities: `modulo` as in `NonNegative`."""

    modulo: tuple[tuple[Any, str], ...] = ()


@dataclass(frozen=True)
class Substitution:
    """Certificate that both sides are equal after inserting the named equalities, each of which gives the value of one symbol."""

    at: tuple[str, ...]


@dataclass(frozen=True)
class NonNegative:
    """Certificate that the larger side minus the smaller is a sum of non-negative `terms`, after inserting the equalities in `at`.

    terms      each a tuple of non-negative factors: an expression, by the signs of its symbols, an `Instance`, an `Inverse`, or the name
               of an inequality, which stands for its larger side minus its smaller one
    modulo     pairs (multiplier, name of an equality): any multiple of its left minus its right side may be added; the multiplier is
               an expression, or a tuple of factors as in `terms`, of any sign
    """

    terms: tuple[tuple[Any, ...], ...]
    at: tuple[str, ...] = ()
    modulo: tuple[tuple[Any, str], ...] = ()


@dataclass(frozen=True)
class Telescoped:
    """Certificate of the average over t = 0, ..., T - 1 of the named line, which holds at every t.

    `bounds.proofs.meanings` has the symbols for averages of symbols of a step, and the symbols that telescope.
    """

    line: str


@dataclass(frozen=True)
class Cited:
    """Reference to a lemma of another source, which is not proved here; `using` names the lines that it is applied to."""

    source: str
    using: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reasoned:
    """Argument in words, which a program cannot check; `using` names the lines that it rests on."""

    why: str
    using: tuple[str, ...] = ()


Source = Assumed | Case | Meaning | Defined | Shown
Made = Identity | Substitution | NonNegative  # by algebra
InWords = Cited | Reasoned  # not proved here
Certificate = Source | Made | Telescoped | InWords


@dataclass(frozen=True)
class Step:
    """One line of a proof: the formula `lhs relation rhs`, or only words where the line is no formula.

    The certificate is about the formula; `statement` and `reason` are for readers. The statement must name a symbol of the formula or use
    the words of one, and may name no symbol that the proof does not have, so that a text about something else is noticed. `where` names
    lines: the step is claimed where they hold (GIVENS: where all lines that its certificate uses hold). `ranges` replace, in an attack,
    the glossary's range of a symbol, by a low and a high end that may depend on other symbols.
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
        """Convert plain numbers on either side to SymPy numbers."""
        for side in ("lhs", "rhs"):
            if getattr(self, side) is not None:
                object.__setattr__(self, side, sp.sympify(getattr(self, side)))

    def claimed_where(self, *names: str) -> Step:
        """Return the step claimed where the named lines hold: everywhere for no names, where the lines it uses hold for GIVENS."""
        return replace(self, where=names)

    def within(self, ranges: Mapping[Any, tuple[Any, Any]]) -> Step:
        """Return a copy of the step with `ranges` (symbol: low and high end) in which an attack draws the symbols."""
        return replace(self, ranges=ranges)

    @property
    def is_formula(self) -> bool:
        """Whether the line has two sides that can be compared."""
        return self.lhs is not None and self.rhs is not None

    @property
    def is_equality(self) -> bool:
        """Whether the line states that two sides are equal."""
        return self.is_formula and self.relation == "="

    @property
    def difference(self) -> Any:
        """The larger side minus the smaller; of an equality, the left side minus the right."""
        return self.rhs - self.lhs if self.relation in ("<=", "<") else self.lhs - self.rhs

    @property
    def explanation(self) -> str:
        """Text for a reader: kind of the certificate, lines that it uses, and the reason in words."""
        rests = ", ".join((*used_lines(self.certificate), *(f"{name} inserted" for name in inserted_lines(self.certificate))))
        return f"{type(self.certificate).__name__}{f' by {rests}' if rests else ''}: {self.reason}"

    @property
    def symbols(self) -> set[Any]:
        """Set of the symbols of the formula, empty for a line in words."""
        return self.lhs.free_symbols | self.rhs.free_symbols if self.is_formula else set()


@dataclass(frozen=True)
class Open:
    """A line without its certificate: name, formula, statement and reason in words; its methods add the certificate.

    Where a certificate uses lines, the step is claimed where they hold. A step is claimed everywhere if its certificate only inserts
    equalities, or rests on words.
    """

    name: str
    lhs: Any = None
    relation: str = ""
    rhs: Any = None
    statement: str = ""
    reason: str = ""

    def says(self, statement: str, reason: str = "") -> Open:
        """Return the line with its statement in words and, optionally, the reason in words."""
        return replace(self, statement=statement, reason=reason or self.reason)

    def because(self, reason: str) -> Open:
        """Return a copy of the line with its reason in words; a certificate is still to be added."""
        return replace(self, reason=reason)

    def certified(self, certificate: Certificate) -> Step:
        """Return the line as a `Step` with this certificate; algebra and averages are claimed where the lines that they use hold."""
        where = GIVENS if isinstance(certificate, NonNegative | Identity | Telescoped) else ()
        return Step(self.name, self.statement, self.lhs, self.relation, self.rhs, self.reason, certificate, where)

    def by(self, *terms: Any, at: tuple[str, ...] = (), modulo: tuple[tuple[Any, str], ...] = ()) -> Step:
        """Return the step whose difference is the sum of the terms, see `NonNegative`; a term of one factor needs no tuple."""
        return self.certified(NonNegative(tuple(factors_of(term) for term in terms), at, modulo))

    def inserting(self, *names: str) -> Step:
        """Return the step whose two sides are equal once the named equalities are inserted."""
        return self.certified(Substitution(names))

    def averaging(self, line: str) -> Step:
        """Return the step that is the average of a line over t = 0, ..., T - 1."""
        return self.certified(Telescoped(line))

    def assumed(self) -> Step:
        """Return the line as a `Step` that is a hypothesis of the theorem."""
        return self.certified(Assumed())

    def case(self) -> Step:
        """Return the line as a `Step` that is one of several cases of the proof."""
        return self.certified(Case())

    def meaning(self) -> Step:
        """Return the line as a `Step` that holds by the meaning of its symbols."""
        return self.certified(Meaning())

    def defined(self, source: str = "", signs: tuple[str, ...] = ()) -> Step:
        """Return the line as a `Step` that defines the symbol on its left side; `signs` as in `Defined`."""
        return self.certified(Defined(source, signs))

    def shown(self, derivation: str, line: str, instance: Mapping[Any, Any] | None = None, meets: Mapping[str, str] | None = None) -> Step:
        """Return the line as a `Step` taken from a line of another derivation, with symbols replaced by `instance`, see `Shown`."""
        return self.certified(Shown(derivation, line, instance or {}, meets or {}))

    def cited(self, source: str, using: tuple[str, ...] = ()) -> Step:
        """Return the line as a `Step` that is cited from another source, not proved here, applied to the lines in `using`."""
        return self.certified(Cited(source, using))

    def reasoned(self, why: str, using: tuple[str, ...] = ()) -> Step:
        """Return the line as a `Step` that is argued in words, not certified, from the lines in `using`."""
        return self.certified(Reasoned(why, using))


def line(name: str, lhs: Any = None, relation: str = "", rhs: Any = None) -> Open:
    """Begin a line of a proof, in words only without sides; a method of `Open` completes it with its certificate."""
    return Open(name, lhs, relation, rhs)


def multiply_terms(factor: Any, *terms: Any) -> tuple[Any, ...]:
    """Return terms of a certificate, or names of equalities for `modulo`, each as a tuple with one more factor in front."""
    return tuple((factor, *factors_of(term)) for term in terms)


def is_definition(step: Step) -> bool:
    """Return whether a line defines a symbol."""
    return isinstance(step.certificate, Defined) and step.is_formula


def used_lines(certificate: Certificate) -> tuple[str, ...]:
    """Return the names of the lines that a certificate uses, without the equalities that it inserts."""
    if isinstance(certificate, NonNegative | Identity):
        names = [name for factor in _certificate_factors(certificate) for name in factor_lines(factor)]
        return tuple(dict.fromkeys([*names, *(name for _, name in certificate.modulo)]))
    if isinstance(certificate, Telescoped):
        return (certificate.line,)
    if isinstance(certificate, Shown):
        return tuple(dict.fromkeys(certificate.meets.values()))
    if isinstance(certificate, Defined):
        return certificate.signs
    return certificate.using if isinstance(certificate, InWords) else ()


def _certificate_factors(certificate: Certificate) -> list[Any]:
    """Return all factors in the terms and multipliers of a certificate, [] for a kind that has none."""
    products = [*getattr(certificate, "terms", ()), *(multiplier for multiplier, _ in getattr(certificate, "modulo", ()))]
    return [factor for product in products for factor in factors_of(product)]


def certificate_expressions(certificate: Certificate) -> list[Any]:
    """Return the expressions among the factors of a certificate's products, and in the arguments of the inequalities that it uses."""
    parts = [part for one in _certificate_factors(certificate) for part in factors_of(one.argument if isinstance(one, Instance) else one)]
    return [part for part in parts if isinstance(part, sp.Basic | float)]


def factors_of(product: Any) -> tuple[Any, ...]:
    """Return the factors of a product as a tuple; an expression is its only factor."""
    return product if isinstance(product, tuple) else (product,)


def factor_lines(factor: Any) -> tuple[str, ...]:
    """Return the names of the lines that a factor uses."""
    if isinstance(factor, Instance):
        return tuple(name for one in factors_of(factor.argument) for name in factor_lines(one))
    named = factor.name if isinstance(factor, Inverse) else factor
    return (named,) if isinstance(named, str) else ()


def inserted_lines(certificate: Certificate) -> tuple[str, ...]:
    """Return the names of the equalities that a certificate inserts."""
    return certificate.at if isinstance(certificate, Substitution | NonNegative) else ()


def named_lines(certificate: Certificate) -> tuple[str, ...]:
    """Return the names of all lines that a certificate uses, including those that it inserts."""
    return (*used_lines(certificate), *inserted_lines(certificate))
