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

from bounds.pages.contents import import_object
from bounds.proofs.derivation import Derivation
from bounds.proofs.false_line import FalseLine
from bounds.proofs.inequalities import is_zero
from bounds.proofs.lines import Identity, Substitution, line
from paper_checks.pages.as_printed import printed
from paper_checks.record import Record
from paper_checks.shared.proofs import named_lines
from paper_checks.shared.shrink import distinguishing_texts
from paper_checks.shared.steps import check_identity, check_proof_parts
from paper_checks.shared.symbols import Spelling
from paper_checks.verdict import Finding, paper_of

DIGITS = 50


@cache
def false_lines(paper: str) -> dict[str, FalseLine]:
    """Return a paper's false lines as {"PAPER.KEY": FalseLine}; loaded at the first call, since listing the claims needs none."""
    return {f"{paper}.{one.key}": one for one in import_object(f"bounds.{paper}.false_lines:PRINTED_FALSE")}


def relation_holds(relation: str, left: Any, right: Any) -> bool:
    """Return whether two numbers of 50 digits are in a relation up to rounding; a strict relation must hold beyond rounding."""
    with mp.workdps(DIGITS + 20):
        slack = mp.mpf(10) ** (10 - DIGITS) * (abs(left) + abs(right))
        if relation in ("=", "=="):
            return bool(abs(left - right) <= slack)
        gap = {"<": right - left, "<=": right - left, ">": left - right, ">=": left - right}[relation]
        return bool(gap > slack) if relation in ("<", ">") else bool(gap >= -slack)


def check_witness(*, key: str) -> Finding:
    """Check the printed line "PAPER.KEY" at its witness in 50 digits; return a Finding, REFUTED if it fails but its correction holds."""
    paper = paper_of(key)
    one = false_lines(paper)[key]
    transcribed = printed(paper)
    spelling: Spelling = import_object(f"paper_checks.{paper}.printed:SPELLING")
    left, right, true = one.values(DIGITS)
    short_left, short_right, short_true = map(_short_text, (left, right, true))
    record = Record({"digits": DIGITS, "left side": short_left, "printed right side": short_right, "what holds instead": short_true})
    if one.key in transcribed and not is_zero(sp.sympify(one.rhs - transcribed[one.key])):
        said = f"the entry has {spelling.expression_text(one.rhs)} where the paper prints {spelling.expression_text(transcribed[one.key])}"
        return record.leave_open(f"{said}: comparing the two would settle it")
    for relation, a, b in one.premise_sides(DIGITS):
        if not relation_holds(relation, a, b):
            broken = f"{_short_text(a)} {relation} {_short_text(b)}"
            return record.leave_open(f"the witness breaks a premise, {broken}: another one must be looked for")
    if not relation_holds(one.true_relation, left, true):
        return record.leave_open(f"what is said to hold instead fails too: {short_left} {one.true_relation} {short_true}")
    if relation_holds(one.relation, left, right):
        return record.conclude(f"the printed line holds at the witness: {short_left} {one.relation} {short_right}")
    sides, correct = distinguishing_texts(left, one.relation, right), distinguishing_texts(left, one.true_relation, true, true=True)
    if sides is None or correct is None:
        return record.leave_open("50 digits do not show what is false, or what holds: another witness must be looked for")
    a, b = sides
    instead = f"{correct[0]} {one.true_relation} {correct[1]} holds, which is computed here"
    sentence = f"{one.claim}: the left side is {a} and the paper's right side {b}, and {a} {one.relation} {b} is false; {instead}"
    at = {spelling.paper_symbol(x): exact_value(value) for x, value in sorted(one.witness.items(), key=lambda entry: str(entry[0]))}
    return record.refute(sentence, {**at, "left side": a, "printed right side": b})


def exact_value(value: Any) -> int | float | str:
    """Return a rational number so that its printed form is exact: an int or float if possible, else the text "p/q"."""
    exact = Fraction(str(sp.Rational(value)))
    if exact.denominator == 1:
        return int(exact)
    return float(exact) if Fraction(repr(float(exact))) == exact else str(exact)


def _short_text(value: Any) -> str:
    """Return a number as text in 6 significant digits."""
    return str(mp.nstr(value, 6))


def check_correction(*, key: str, steps: str, samples: int) -> Finding:
    """Check that what holds in place of the printed line "PAPER.KEY" holds, by lines of proofs and algebra; return a Finding."""
    paper = paper_of(key)
    one = false_lines(paper)[key]
    equal: list[Finding] = []
    if one.relation == "=" and one.true_relation == "=":
        facts = tuple(
            line(letter.name, letter, "=", value).says(f"{letter.name} as the paper defines it").assumed()
            for letter, value in one.at.items()
        )
        letters = " ".join(sorted(letter.name for letter in one.lhs.free_symbols | one.true_rhs.free_symbols))
        certificate = Substitution(tuple(fact.name for fact in facts)) if facts else Identity()
        true = line("holds", one.lhs, "=", one.true_rhs).says(f"{one.claim} (in {letters})").because("what holds instead")
        equal.append(check_identity(Derivation(key, one.claim, one.where, (true.certified(certificate),), facts), samples=samples))
    return check_proof_parts([(proof, (name,)) for proof, name in named_lines(paper, steps)], samples=samples, more=equal)
