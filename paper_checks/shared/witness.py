"""Check a line that is false as printed at its witness, and what holds in its place.

The lines, each with its witness, are those of PRINTED_FALSE in `bounds/PAPER/false_lines.py`. The pages of claims have their right sides
once more, transcribed from the print, by the same keys; `paper_checks/PAPER/printed.py` has the paper's SPELLING. The witness is
substituted in 50 digits, and so is what holds instead; that itself is checked by lines of derivations.
"""

from fractions import Fraction
from functools import cache
from typing import Any

import mpmath as mp
import sympy as sp

from bounds.pages.contents import found_at
from bounds.proofs.derivation import Derivation
from bounds.proofs.false_line import FalseLine
from bounds.proofs.inequalities import is_zero
from bounds.proofs.lines import Identity, Substitution, line
from paper_checks.pages.as_printed import printed
from paper_checks.shared.proofs import named
from paper_checks.shared.shrink import told_apart
from paper_checks.shared.steps import examine_identity, examine_parts
from paper_checks.shared.symbols import Spelling
from paper_checks.verdict import Finding, consistent, inconclusive, paper_of, refuted

DIGITS = 50


@cache
def entries(paper: str) -> dict[str, FalseLine]:
    """Return a paper's false lines as {"PAPER.KEY": line}; loaded at the first call, since listing the claims needs none."""
    return {f"{paper}.{one.key}": one for one in found_at(f"bounds.{paper}.false_lines:PRINTED_FALSE")}


def holds(relation: str, left: Any, right: Any) -> bool:
    """Return whether two numbers of 50 digits are in a relation; the last ten digits are allowed for rounding."""
    with mp.workdps(DIGITS + 20):
        slack = mp.mpf(10) ** (10 - DIGITS) * (abs(left) + abs(right))
        if relation in ("=", "=="):
            return bool(abs(left - right) <= slack)
        gap = right - left if relation in ("<=", "<") else left - right
        return bool(gap > slack) if relation in ("<", ">") else bool(gap >= -slack)


def at_witness(*, key: str) -> Finding:
    """Substitute the witness of "PAPER.KEY" in its premises, the printed line and the correction; REFUTED if it is false."""
    paper = paper_of(key)
    one = entries(paper)[key]
    transcribed = printed(paper)
    spelling: Spelling = found_at(f"paper_checks.{paper}.printed:SPELLING")
    left, right, true = one.values(DIGITS)
    numbers = {"digits": DIGITS, "left side": _short(left), "printed right side": _short(right), "what holds instead": _short(true)}
    if one.key in transcribed and not is_zero(sp.sympify(one.rhs - transcribed[one.key])):
        said = f"the entry has {spelling.written(one.rhs)} where the paper prints {spelling.written(transcribed[one.key])}"
        return inconclusive(f"{said}: comparing the two would settle it", numbers)
    for relation, a, b in one.premise_sides(DIGITS):
        if not holds(relation, a, b):
            broken = f"{_short(a)} {relation} {_short(b)}"
            return inconclusive(f"the witness breaks a premise, {broken}: another one must be looked for", numbers)
    if not holds(one.true_relation, left, true):
        return inconclusive(f"what is said to hold instead fails too: {_short(left)} {one.true_relation} {_short(true)}", numbers)
    if holds(one.relation, left, right):
        return consistent(f"the printed line holds at the witness: {_short(left)} {one.relation} {_short(right)}", numbers)
    sides, correct = told_apart(left, one.relation, right), told_apart(left, one.true_relation, true, true=True)
    if sides is None or correct is None:
        return inconclusive("50 digits do not show what is false, or what holds: another witness must be looked for", numbers)
    a, b = sides
    instead = f"{correct[0]} {one.true_relation} {correct[1]} holds, which is computed here"
    sentence = f"{one.claim}: the left side is {a} and the paper's right side {b}, and {a} {one.relation} {b} is false; {instead}"
    at = {spelling.letter(x): exactly(value) for x, value in sorted(one.witness.items(), key=lambda entry: str(entry[0]))}
    return refuted(sentence, numbers, {**at, "left side": a, "printed right side": b})


def exactly(value: Any) -> int | float | str:
    """Return a rational number so that its printed form is exact: an int or float if possible, else the text "p/q"."""
    exact = Fraction(str(sp.Rational(value)))
    if exact.denominator == 1:
        return int(exact)
    return float(exact) if Fraction(repr(float(exact))) == exact else str(exact)


def _short(value: Any) -> str:
    """Return a number as text in 6 digits."""
    return str(mp.nstr(value, 6))


def instead(*, key: str, steps: str, samples: int) -> Finding:
    """Check the lines that hold in place of a printed one, and, for an equality, certify it by itself; return a Finding."""
    paper = paper_of(key)
    one = entries(paper)[key]
    equal: list[Finding] = []
    if one.relation == "=" and one.true_relation == "=":
        facts = tuple(
            line(letter.name, letter, "=", value).says(f"{letter.name} as the paper defines it").assumed()
            for letter, value in one.at.items()
        )
        letters = " ".join(sorted(letter.name for letter in one.lhs.free_symbols | one.true_rhs.free_symbols))
        certificate = Substitution(tuple(fact.name for fact in facts)) if facts else Identity()
        true = line("holds", one.lhs, "=", one.true_rhs).says(f"{one.claim} (in {letters})").because("what holds instead")
        equal.append(examine_identity(Derivation(key, one.claim, one.where, (true.certified(certificate),), facts), samples=samples))
    return examine_parts([(proof, (name,)) for proof, name in named(paper, steps)], samples=samples, more=equal)
