"""Printed lines of Gauss-PSGD that fail at a point: the witness is substituted in 50 digits, and so is what holds instead."""

from __future__ import annotations

from functools import cache
from typing import Any

import mpmath as mp
import sympy as sp

from bounds.inequalities import is_zero
from paper_checks.gauss_psgd import formulas
from paper_checks.gauss_psgd.printed_lines import LINES, Line
from paper_checks.verdict import Claim, Finding, Kind, Outcome

DIGITS = 50


@cache
def entries() -> dict[str, Any]:
    """Return the lines with their formulas and witnesses; loaded when first asked for, because listing the claims needs none of them."""
    from bounds.gauss_psgd.proofs_printed_rates import PRINTED_FALSE

    return {one.key: one for one in PRINTED_FALSE}


def holds(relation: str, left: Any, right: Any) -> bool:
    """Return whether two numbers of 50 digits are in a relation; ten digits are left for the rounding of what made them."""
    with mp.workdps(DIGITS + 20):
        slack = mp.mpf(10) ** (10 - DIGITS) * (abs(left) + abs(right))
        if relation in ("=", "=="):
            return bool(abs(left - right) <= slack)
        gap = right - left if relation in ("<=", "<") else left - right
        return bool(gap > slack) if relation in ("<", ">") else bool(gap >= -slack)


def witness(*, key: str) -> Finding:
    """Substitute the witness in the premises, in the printed line and in what holds instead."""
    one = entries()[key]
    left, right, true = one.values(DIGITS)
    at: dict[str, Any] = {formulas.letter(x): _plain(value) for x, value in sorted(one.witness.items(), key=lambda entry: str(entry[0]))}
    numbers = {"digits": DIGITS, "left side": _short(left), "printed right side": _short(right), "what holds instead": _short(true)}
    if key in formulas.RIGHT and not is_zero(sp.sympify(one.rhs - formulas.RIGHT[key])):
        sentence = (
            f"the entry has {formulas.written(one.rhs)} where the paper prints {formulas.written(formulas.RIGHT[key])}: comparing the two "
            "would settle it"
        )
        return Finding(Outcome.INCONCLUSIVE, sentence, numbers)
    for relation, a, b in one.premise_sides(DIGITS):
        if not holds(relation, a, b):
            sentence = f"the witness breaks a premise, {_short(a)} {relation} {_short(b)}: another one must be looked for"
            return Finding(Outcome.INCONCLUSIVE, sentence, numbers)
    if not holds(one.true_relation, left, true):
        sentence = f"what is said to hold instead fails too: {_short(left)} {one.true_relation} {_short(true)}"
        return Finding(Outcome.INCONCLUSIVE, sentence, numbers)
    if holds(one.relation, left, right):
        return Finding(Outcome.CONSISTENT, f"the printed line holds at the witness: {_short(left)} {one.relation} {_short(right)}", numbers)
    sentence = f"{one.claim}: {_short(left)} {one.relation} {_short(right)} is false; {one.true_relation} {_short(true)} holds"
    found = {**at, "left side": _short(left), "printed right side": _short(right)}
    return Finding(Outcome.REFUTED, sentence, numbers, found)


def _plain(value: Any) -> int | float:
    """Return a letter's value as a number that can be typed in."""
    exact = value if isinstance(value, int) else int(value) if value == int(value) else None
    return float(value) if exact is None or abs(exact) >= 10**15 else exact


def _short(value: Any) -> str:
    return str(mp.nstr(value, 6))


def _claim(line: Line) -> Claim:
    return Claim(
        key=f"gauss_psgd.{line.at}.printed_{line.name}",
        source=line.place,
        words=line.words,
        latex=line.latex,
        kind=Kind.IDENTITY if "=" in line.latex and "le" not in line.latex and "ge" not in line.latex else Kind.INEQUALITY,
        stated=line.stated,
        expected=Outcome.REFUTED,
        why=line.why,
        examine=witness,
        arguments={"key": f"printed_{line.name}"},
        correction=line.correction,
        correction_latex=line.correction_latex,
        repaired_by=line.repaired_by or f"gauss_psgd.{line.at}.repaired_{line.name}",
        derivations=tuple(dict.fromkeys(f"gauss_psgd.{step.split(':')[0]}" for step in line.steps if ":" in step)),
    )


CLAIMS = tuple(_claim(line) for line in LINES)
