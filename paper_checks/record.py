"""The record of a check: what it tried, what it found against the claim, and the outcome that follows."""

from collections.abc import Mapping
from typing import Any

from paper_checks.verdict import Finding, Outcome, Plot


def has_nan(value: Any) -> bool:
    """Return whether a value is nan, or holds one: a number of any library, or a list, tuple or array of numbers."""
    if hasattr(value, "tolist"):
        return has_nan(value.tolist())
    if isinstance(value, list | tuple):
        return any(map(has_nan, value))
    return not isinstance(value, str) and str(value) == "nan"


class Record:
    """What a check tried and found, from which its Finding follows.

    The first thing recorded against the claim decides: it is REFUTED by a witness, or INCONCLUSIVE because something is left open. Where
    nothing is recorded against it, `conclude` returns CONSISTENT, and `prove`, which is for exact algebra, PROVED. If a number of the
    evidence is nan, nothing is decided, and both return INCONCLUSIVE.

        record = Record({"cases": cases}, seed=seed)
        if worst > 1:
            record.refute(f"{worst:.3g} times the bound", at)
        return record.conclude(f"at most {worst:.3g} of the bound")

    numbers       evidence by name, whatever the outcome
    seed          of the random draws of the check, None where nothing is drawn
    false_alarm   an upper bound on the probability of a false REFUTED
    plot          curves for the report
    """

    def __init__(
        self, numbers: Mapping[str, Any] | None = None, *, seed: int | None = None, false_alarm: float = 0.0, plot: Plot | None = None
    ) -> None:
        self.numbers: dict[str, Any] = dict(numbers or {})
        self.seed, self.false_alarm, self.plot = seed, false_alarm, plot
        self._against: tuple[Outcome, str, Mapping[str, Any]] | None = None

    def note(self, numbers: Mapping[str, Any]) -> None:
        """Add numbers by name to the evidence; a number of the same name is overwritten."""
        self.numbers.update(numbers)

    def refute(self, sentence: str, witness: Mapping[str, Any]) -> Finding:
        """Record that the claim is false at a witness, unless something is recorded already; return the Finding so far."""
        return self._record(Outcome.REFUTED, sentence, dict(witness))

    def leave_open(self, sentence: str) -> Finding:
        """Record what would settle the claim, which the check cannot decide, unless something is recorded; return the Finding so far."""
        return self._record(Outcome.INCONCLUSIVE, sentence, {})

    def conclude(self, sentence: str) -> Finding:
        """Return a CONSISTENT Finding with this sentence, or the Finding of what was recorded against the claim."""
        return self._finding(Outcome.CONSISTENT, sentence)

    def prove(self, sentence: str) -> Finding:
        """Return a PROVED Finding with this sentence, for exact algebra, or the Finding of what was recorded against the claim."""
        return self._finding(Outcome.PROVED, sentence)

    def _record(self, outcome: Outcome, sentence: str, witness: Mapping[str, Any]) -> Finding:
        """Record an outcome against the claim, unless one is recorded already; return the Finding of the recorded outcome."""
        self._against = self._against or (outcome, sentence, witness)
        return self._finding(*self._against[:2])

    def _finding(self, otherwise: Outcome, sentence: str) -> Finding:
        """Return the Finding of what is recorded against the claim; if nothing is, of the outcome `otherwise` and its sentence."""
        if not self._against and (undefined := next((name for name, value in self.numbers.items() if has_nan(value)), None)):
            return self.leave_open(f"{undefined} is nan, so nothing is decided: a check that gives a number would settle it")
        outcome, sentence, witness = self._against or (otherwise, sentence, {})
        return Finding(outcome, sentence, dict(self.numbers), witness, self.false_alarm, self.seed, self.plot)
