"""Claims and verdicts: what a paper states, what a check found, and which outcome is expected.

A claim is checked by a plain function that returns a finding; the claim itself only states what is claimed, where, and which outcome is
expected. An outcome that differs from the expected one raises the alarm: a known erratum is a REFUTED that is expected.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial, partialmethod
from inspect import isfunction
from typing import Any, NamedTuple

from bounds.typeset import html

STATED = ("printed", "reading", "question")


class Outcome(Enum):
    """The possible outcomes of a check."""

    PROVED = "PROVED"  # an identity or inequality, by computer algebra, with its certificate
    CONSISTENT = "CONSISTENT"  # a simulation or a search tried to refute it and could not
    REFUTED = "REFUTED"  # with a witness: numbers that anyone can substitute
    INCONCLUSIVE = "INCONCLUSIVE"  # says what would settle it
    NOT_TESTABLE = "NOT_TESTABLE"  # says why


class Kind(Enum):
    """The kinds of claims."""

    IDENTITY = "algebraic identity"
    INEQUALITY = "inequality"
    PRIVACY = "privacy calibration"
    CONVERGENCE = "convergence bound"
    EXPONENT = "scaling exponent"
    ALGORITHM = "property of an algorithm"
    TABLE = "numbers of a table or a figure"
    SCOPE = "scope of a statement"


@dataclass(frozen=True)
class Plot:
    """Curves for the report: named series of equal length over x."""

    x: tuple[float, ...]
    series: Mapping[str, tuple[float, ...]]
    x_label: str
    y_label: str
    log: bool = True


@dataclass(frozen=True)
class Finding:
    """The result of a check.

    sentence      the result in one sentence, for a person
    numbers       evidence by name: values, ends of intervals, how many points or runs were tried
    witness       for REFUTED: the values at which the claim is false; empty otherwise
    false_alarm   an upper bound on the probability of a false REFUTED (0 for what is not statistical)
    seed          of the random draws of the check, None where nothing is drawn
    """

    outcome: Outcome
    sentence: str
    numbers: Mapping[str, Any] = field(default_factory=dict)
    witness: Mapping[str, Any] = field(default_factory=dict)
    false_alarm: float = 0.0
    seed: int | None = None
    plot: Plot | None = None

    def __post_init__(self) -> None:
        """Raise ValueError unless there is a witness exactly if the outcome is REFUTED, and `false_alarm` is a probability."""
        if (self.outcome is Outcome.REFUTED) != bool(self.witness):
            raise ValueError(f"outcome = {self.outcome.value}: a witness is needed for REFUTED, and only there")
        if not 0 <= self.false_alarm < 1:
            raise ValueError(f"false_alarm = {self.false_alarm!r}: a probability below 1 is needed")

    def also(self, words: str, **numbers: Any) -> Finding:
        """Return a copy of the Finding with "; words" appended to its sentence, and `numbers` added to its evidence."""
        return replace(self, sentence=f"{self.sentence}; {words}", numbers={**self.numbers, **numbers})


# findings of each outcome: sentence, numbers, witness and, by name, the rest
proved = partial(Finding, Outcome.PROVED)  # by computer algebra
consistent = partial(Finding, Outcome.CONSISTENT)  # a simulation or a search could not refute the claim
refuted = partial(Finding, Outcome.REFUTED)  # with numbers that anyone can substitute
inconclusive = partial(Finding, Outcome.INCONCLUSIVE)  # the sentence says what would settle it
not_testable = partial(Finding, Outcome.NOT_TESTABLE)  # the sentence says why


@dataclass(frozen=True)
class Claim:
    """One claim of a paper, with the function that checks it and the outcome that is expected.

    key           "paper.name", unique
    source        section, equation, table or line of the paper
    words, latex  the claim in words and, where it is a formula, in LaTeX
    expected      the outcome that is expected, and in `why` the reason for it
    examine       the check, a function at the top of a module: examine(**arguments) -> Finding
    full          arguments of the full run that differ from those of the quick run
    stated        "printed" in the paper, "reading" if it is our reading of its words, or "question" if it is our own question
    correction    what holds instead, in words, where the claim is refuted and a repair is known;  `repaired_by` the claim that
                  checks it
    derivations   keys of the derivations that belong to the claim, for the report
    needs_full    checked in the full run only, because it takes long
    together      claims with the same name here share an experiment: one process checks them and computes it once
    """

    key: str
    source: str
    words: str
    kind: Kind
    expected: Outcome
    why: str
    examine: Callable[..., Finding]
    arguments: Mapping[str, Any] = field(default_factory=dict)
    full: Mapping[str, Any] = field(default_factory=dict)
    latex: str = ""
    stated: str = "printed"
    correction: str = ""
    correction_latex: str = ""
    repaired_by: str = ""
    derivations: tuple[str, ...] = ()
    needs_full: bool = False
    together: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError if the kind, the expected outcome, the check function or `stated` is not of its type."""
        if not isinstance(self.kind, Kind):
            raise ValueError(f"kind = {self.kind!r} of {self.key}: a Kind is needed, such as Kind.INEQUALITY")
        if not isinstance(self.expected, Outcome):
            raise ValueError(f"expected = {self.expected!r} of {self.key}: an Outcome is needed, such as Outcome.CONSISTENT")
        if not isfunction(self.examine):
            raise ValueError(f"examine = {self.examine!r:.80} of {self.key}: a function at the top of a module is needed")
        if self.stated not in STATED:
            raise ValueError(f"stated = {self.stated!r}: one of {', '.join(STATED)} is needed")

    def __repr__(self) -> str:
        return f"Claim({self.key}: {self.kind.value}, {self.expected.value} expected)"

    def _repr_html_(self) -> str:
        rows = [
            ("states", self.words),
            ("source", self.source),
            ("expected", f"{self.expected.value}: {self.why}"),
            ("instead", self.correction),
        ]
        return html.table(self.key, ("", ""), [row for row in rows if row[1]])

    def arguments_of(self, full: bool) -> dict[str, Any]:
        """Return the arguments of the check as a dict, for a quick run or, if `full`, for a full run."""
        return {**self.arguments, **(self.full if full else {})}


def paper_of(key: str) -> str:
    """Return the paper of a claim: the part of its key before the first dot."""
    return key.partition(".")[0]


class Size(NamedTuple):
    """An argument of a check that has one value in the quick run and another in the full run."""

    quick: Any
    full: Any


@dataclass(frozen=True)
class OpenClaim:
    """A claim that is still being written: every method returns a copy with one more part, and `examined` completes it."""

    key: str
    source: str
    kind: Kind
    given: Mapping[str, Any] = field(default_factory=dict)

    def _with(self, **given: Any) -> OpenClaim:
        """Return a copy with these fields of `Claim` set."""
        return replace(self, given={**self.given, **given})

    def says(self, words: str, latex: str = "") -> OpenClaim:
        """Return a copy with the claim in words and, in LaTeX, as a formula ("" for none)."""
        return self._with(words=words, latex=latex)

    def formula(self, latex: str) -> OpenClaim:
        """Return a copy with the formula in LaTeX, where that stands on a line of its own."""
        return self._with(latex=latex)

    def expected(self, outcome: Outcome, why: str, *derivations: str, instead: str = "", latex: str = "", by: str = "") -> OpenClaim:
        """Return a copy with the expected outcome, the reason for it (`why`), and the keys of the claim's derivations, if any.

        `instead`, `latex` and `by` are the arguments of `corrected`, where all of it is short.
        """
        opened = self._with(expected=outcome, why=why, **({"derivations": derivations} if derivations else {}))
        return opened.corrected(instead, latex, by) if instead else opened

    proved = partialmethod(expected, Outcome.PROVED)
    consistent = partialmethod(expected, Outcome.CONSISTENT)
    refuted = partialmethod(expected, Outcome.REFUTED)
    inconclusive = partialmethod(expected, Outcome.INCONCLUSIVE)
    not_testable = partialmethod(expected, Outcome.NOT_TESTABLE)

    def stated_as(self, stated: str) -> OpenClaim:
        """Return a copy that is stated as "printed", "reading" or "question"."""
        return self._with(stated=stated)

    def corrected(self, words: str = "", latex: str = "", by: str = "") -> OpenClaim:
        """Return a copy with what holds instead, in words and LaTeX, and `by`, the key (without paper) of the claim that checks it."""
        repaired_by = f"{paper_of(self.key)}.{by}" if by else ""
        return self._with(correction=words, correction_latex=latex, repaired_by=repaired_by)

    def corrected_formula(self, latex: str) -> OpenClaim:
        """Return a copy with the formula in LaTeX that holds instead, where that stands on a line of its own."""
        return self._with(correction_latex=latex)

    def derived(self, *derivations: str) -> OpenClaim:
        """Return a copy with the keys of the derivations that belong to the claim."""
        return self._with(derivations=derivations)

    def in_full(self, **arguments: Any) -> OpenClaim:
        """Return a copy with the arguments of the full run that differ from those of the quick run."""
        return self._with(full=arguments)

    only_in_full = partialmethod(_with, needs_full=True)  # a quick run leaves it out

    def sharing(self, experiment: str) -> OpenClaim:
        """Return a copy that shares an experiment with other claims: one process checks them and computes it once."""
        return self._with(together=experiment)

    def examined(self, examine: Callable[..., Finding], **arguments: Any) -> Claim:
        """Complete the claim with its check, a function at the top of a module, and its arguments, which may be of type `Size`."""
        sizes = {name: one for name, one in arguments.items() if isinstance(one, Size)}
        given = {**self.given, "full": {**self.given.get("full", {}), **{name: one.full for name, one in sizes.items()}}}
        quick = {**arguments, **{name: one.quick for name, one in sizes.items()}}
        return Claim(self.key, self.source, kind=self.kind, examine=examine, arguments=quick, **given)

    def closed(self, close: Callable[..., tuple[Claim, ...]], *arguments: Any, **named: Any) -> tuple[Claim, ...]:
        """Return close(self, *arguments, **named): the tuple of Claims that a function makes of this open claim."""
        return close(self, *arguments, **named)


def claim(key: str, source: str, kind: Kind) -> OpenClaim:
    """Open a claim that the paper prints: key with the paper's name, source in the paper, and kind."""
    return OpenClaim(key, source, kind)


def reading(key: str, source: str, kind: Kind) -> OpenClaim:
    """Open a claim that is our reading of the paper's words: key, source and kind."""
    return claim(key, source, kind).stated_as("reading")


def question(key: str, source: str, kind: Kind) -> OpenClaim:
    """Open a claim that is our own question: key, source and kind."""
    return claim(key, source, kind).stated_as("question")


@dataclass(frozen=True)
class Verdict:
    """A claim, the finding of its check, and the seconds that the check took."""

    claim: Claim
    finding: Finding
    seconds: float

    def __repr__(self) -> str:
        expected = "" if self.as_expected else f", not {self.claim.expected.value} as expected"
        return f"Verdict({self.claim.key}: {self.outcome.value}{expected})"

    def _repr_html_(self) -> str:
        found = self.finding.witness or self.finding.numbers
        rows = [
            ("claim", self.claim.words),
            (self.outcome.value, self.finding.sentence),
            *((name, plain(value)) for name, value in found.items()),
        ]
        return html.table(repr(self), ("", ""), rows)

    @property
    def outcome(self) -> Outcome:
        """The outcome of the finding."""
        return self.finding.outcome

    @property
    def as_expected(self) -> bool:
        """Whether the outcome is the expected one."""
        return self.finding.outcome is self.claim.expected

    def json(self) -> dict[str, Any]:
        """Return the verdict as a dict of JSON values: key, outcome, expected, source, claim, kind, evidence and correction."""
        finding = self.finding
        return {
            "key": self.claim.key,
            "outcome": finding.outcome.value,
            "expected": self.claim.expected.value,
            "source": self.claim.source,
            "claim": self.claim.words,
            "kind": self.claim.kind.value,
            "evidence": {
                "sentence": finding.sentence,
                "numbers": plain(finding.numbers),
                "witness": plain(finding.witness),
                "false_alarm": finding.false_alarm,
                "seed": finding.seed,
                "seconds": round(self.seconds, 3),
            },
            "correction": self.claim.correction,
        }


def plain(value: Any) -> Any:
    """Return a value as JSON: mappings and sequences entry by entry; floats that are not finite, and all other objects, as text."""
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, bool | int | float) or value is None else SPELLED.get(str(value), str(value))


SPELLED = {"zoo": "undefined (a division by 0)", "oo": "inf", "-oo": "-inf"}  # what SymPy calls complex infinity and infinity
