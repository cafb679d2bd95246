"""Steps of a proof as evidence: their certificates are checked, and every formula among them is attacked.

PROVED        every step is certified by computer algebra, and no attack found a point where one is false
CONSISTENT    the same, but some steps are only cited or reasoned in words: the sentence says which
REFUTED       an attack found a point of the stated domain where a step is false: the point, in round numbers, is the witness
INCONCLUSIVE  a certificate does not check, what it takes as given is false somewhere in the domain, or there was nothing to try
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from bounds.derivation import Attack, NonNegative, Step, attack, verify
from bounds.derivation import Outcome as Certificate
from paper_checks.shrink import is_false_at, shrink, sides_at, without_givens
from paper_checks.verdict import Finding, Outcome

DIGITS = 50


def examine_steps(steps: Sequence[Step], *, samples: int, seed: int = 0) -> Finding:
    """Return what the certificates of the steps, and an attack on each of their formulas, say together."""
    results = [verify(step) for step in steps]
    attacks = {step.number: attack(step, samples=samples, digits=DIGITS, seed=seed) for step in steps if step.is_formula}
    by_outcome = {outcome: [result.step.number for result in results if result.outcome is outcome] for outcome in Certificate}
    numbers: dict[str, Any] = {
        "steps": len(steps),
        "certified": len(by_outcome[Certificate.CERTIFIED]),
        "in words": len(by_outcome[Certificate.CITED]) + len(by_outcome[Certificate.REASONED]),
        "points tried": sum(one.tried for one in attacks.values()),
        "digits": DIGITS,
        "taken as given": tuple(dict.fromkeys(reason for step in steps for reason in _givens(step))),
    }
    for step in steps:
        if step.number in attacks and (found := _counterexample(step, attacks[step.number], samples, seed)) is not None:
            return _refuted(step, found, numbers, seed)
    for result in results:
        if result.outcome is Certificate.FAILED:
            sentence = f"the certificate of step {result.step.number} fails: {result.how}; a corrected certificate would settle it"
            return Finding(Outcome.INCONCLUSIVE, sentence, numbers, seed=seed)
    for number, one in attacks.items():
        if one.counterexample is not None:
            sentence = (
                f"step {number} takes something as given that is false at {one.counterexample} ({one.refuted}): its domain must be narrower"
            )
            return Finding(Outcome.INCONCLUSIVE, sentence, numbers, seed=seed)
        if not one.tried:
            return Finding(Outcome.INCONCLUSIVE, f"no point of the domain of step {number} was found to try", numbers, seed=seed)
    certified = f"{_listed(by_outcome[Certificate.CERTIFIED])} certified by computer algebra" if numbers["certified"] else ""
    tried = f"{numbers['points tried']} points in {DIGITS} digits refute none of the {len(attacks)} formulas"
    if not numbers["in words"]:
        return Finding(Outcome.PROVED, f"{certified}; {tried}", numbers, seed=seed)
    if not numbers["points tried"]:
        sentence = (
            f"all {len(steps)} steps are in words, and none has a formula to attack: only a simulation against the bound can say more"
        )
        return Finding(Outcome.INCONCLUSIVE, sentence, numbers, seed=seed)
    words = [
        f"{_listed(by_outcome[outcome])} {verb}"
        for outcome, verb in ((Certificate.CITED, "cited"), (Certificate.REASONED, "argued in words"))
        if by_outcome[outcome]
    ]
    return Finding(Outcome.CONSISTENT, "; ".join(part for part in (certified, *words, tried) if part), numbers, seed=seed)


def refute(step: Step, *, samples: int, seed: int = 0) -> Finding | None:
    """Return REFUTED where an attack finds a point at which the step is false, None where it finds none."""
    bare = without_givens(step)
    found = attack(bare, samples=samples, digits=DIGITS, seed=seed)
    numbers = {"points tried": found.tried, "digits": DIGITS}
    return _refuted(bare, dict(found.counterexample), numbers, seed) if found.counterexample is not None else None


def _counterexample(step: Step, found: Attack, samples: int, seed: int) -> dict[str, float] | None:
    """Return where the step itself is false; where only something given is false, the step is attacked once more without it.

    The point is empty, and not None, where a step without letters is false.
    """
    if found.counterexample is None:
        return None
    if found.refuted != "the step":
        again = attack(without_givens(step), samples=samples, digits=DIGITS, seed=seed)
        return None if again.counterexample is None else dict(again.counterexample)
    return dict(found.counterexample)


def _refuted(step: Step, point: dict[str, float], numbers: dict[str, Any], seed: int) -> Finding:
    witness = shrink(point, partial(is_false_at, step))
    left, right, difference = sides_at(step, witness)
    sentence = f"step {step.number} is false: {left:.6g} {step.relation} {right:.6g} is claimed, and left - right = {difference:.4g}"
    found = {**witness, "left side": left, "right side": right, "left - right": difference}
    return Finding(Outcome.REFUTED, sentence, numbers, found, seed=seed)


def _givens(step: Step) -> list[str]:
    return [given.reason for given in step.certificate.given] if isinstance(step.certificate, NonNegative) else []


def _listed(numbers: Sequence[int]) -> str:
    """Return "step 3 is", "steps 3 to 5 are" or "steps 3, 5 and 7 are"."""
    if len(numbers) == 1:
        return f"step {numbers[0]} is"
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    named = [f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    return f"steps {', '.join(named[:-1])}{' and ' if named[:-1] else ''}{named[-1]} are"
