"""Claims and verdicts: what a paper says, what we found, and what we expected to find.

A claim is examined by a plain function that returns a finding; the claim itself only says what is claimed, where, and which
outcome its ledger records. An outcome that differs from the recorded one is what alarms: a known erratum is a REFUTED that is
expected.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

STATED = ("printed", "reading", "question")


class Outcome(Enum):
    """What an examination may find."""

    PROVED = "PROVED"  # an identity or inequality, by computer algebra, with its certificate
    CONSISTENT = "CONSISTENT"  # a simulation or a search tried to refute it and could not
    REFUTED = "REFUTED"  # with a witness: numbers that anyone can substitute
    INCONCLUSIVE = "INCONCLUSIVE"  # says what would settle it
    NOT_TESTABLE = "NOT_TESTABLE"  # says why


class Kind(Enum):
    """What is claimed."""

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
    """What an examination found.

    sentence      the result in one sentence, for a person
    numbers       evidence by name: values, ends of intervals, how many points or runs were tried
    witness       for REFUTED: the values at which the claim is false; empty otherwise
    false_alarm   the most probable a false REFUTED can be (0 for what is not statistical)
    seed          of the examination's draws, None where nothing is drawn
    """

    outcome: Outcome
    sentence: str
    numbers: Mapping[str, Any] = field(default_factory=dict)
    witness: Mapping[str, Any] = field(default_factory=dict)
    false_alarm: float = 0.0
    seed: int | None = None
    plot: Plot | None = None

    def __post_init__(self) -> None:
        """Raise ValueError where the finding contradicts itself."""
        if (self.outcome is Outcome.REFUTED) != bool(self.witness):
            raise ValueError(f"outcome = {self.outcome.value}: a witness is needed for REFUTED, and only there")
        if not 0 <= self.false_alarm < 1:
            raise ValueError(f"false_alarm = {self.false_alarm!r}: a probability below 1 is needed")


@dataclass(frozen=True)
class Claim:
    """One claim of a paper.

    key           "paper.name", unique
    source        section, equation, table or line of the paper
    words, latex  the claim in words and, where it is a formula, in LaTeX
    expected      the outcome that the ledger records, and in `why` the reason for it
    examine       a function at the top of a module: examine(**arguments) -> Finding
    full          arguments of the full run that differ from those of the quick one
    stated        "printed" in the paper, "reading" of ours of its words, or "question" of ours
    correction    what holds instead, in words, where the claim is refuted and a repair is known;  `repaired_by` the claim that
                  examines it
    derivations   keys of the derivations that belong to the claim, for the report
    needs_full    examined in the full run only, because it takes long
    together      claims with the same name here share an experiment: one process examines them, which computes it once
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
        """Raise ValueError for a claim that is neither printed nor a reading nor a question."""
        if self.stated not in STATED:
            raise ValueError(f"stated = {self.stated!r}: one of {', '.join(STATED)} is needed")


@dataclass(frozen=True)
class Verdict:
    """A claim, what was found, and the seconds that it took."""

    claim: Claim
    finding: Finding
    seconds: float

    @property
    def outcome(self) -> Outcome:
        """The outcome that was found."""
        return self.finding.outcome

    @property
    def as_expected(self) -> bool:
        """Whether the outcome is the one that the ledger records."""
        return self.finding.outcome is self.claim.expected

    def json(self) -> dict[str, Any]:
        """Return the verdict as JSON values."""
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
    """Return the value as JSON can hold it: floats that are not finite as words, anything else that is not JSON as text."""
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
