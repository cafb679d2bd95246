"""What the lines of a proof rest on, and whether the proof ends at the theorem that it claims to prove.

support(derivation, result)   what a line rests on, for a reader
missing_link(derivation)      why the last step is not the bound of the theorem; "" if it is
"""

from dataclasses import dataclass
from typing import Any

import sympy as sp

from bounds.proofs.certificates import Result, Standing
from bounds.proofs.derivation import Derivation
from bounds.proofs.facts import closure, deep_closure, expand_abbreviations
from bounds.proofs.inequalities import is_zero
from bounds.proofs.lines import Assumed, Case, Defined, Meaning, Step, inserted_lines, used_lines


@dataclass(frozen=True)
class Support:
    """What a step rests on: `kind` is one of KINDS, `given` and `inserted` are the lines that it uses."""

    kind: str
    given: tuple[Step, ...] = ()
    inserted: tuple[Step, ...] = ()


KINDS = ("unconditional", "given", "definition", "cited", "words", "failed")
TAKEN = Assumed | Case | Meaning | Defined


def support(derivation: Derivation, result: Result) -> Support:
    """Return the `Support` of a checked line: whether it is unconditional, and which lines it uses."""
    certificate = result.step.certificate
    if result.outcome is Standing.FAILED:
        return Support("failed")
    given = tuple(derivation[name] for name in used_lines(certificate))
    put_in = tuple(derivation[name] for name in inserted_lines(certificate))
    if result.outcome in (Standing.CITED, Standing.REASONED):
        return Support("cited" if result.outcome is Standing.CITED else "words", given, put_in)
    if given or any(not isinstance(one.certificate, Defined) for one in put_in):
        return Support("given", given, put_in)
    return Support("definition" if put_in else "unconditional", (), put_in)


SYMPY = {"=": sp.Eq, "<=": sp.Le, "<": sp.Lt, ">=": sp.Ge, ">": sp.Gt}
NOTHING_MADE = "no line of the proof is made, all are taken: a last line with 'by' would settle it"
CONCLUDES = {"upper": ("<=", "="), "privacy": ("<=", "="), "identity": ("=",), "rate": ("<=", "=")}


def missing_link(derivation: Derivation) -> str:
    """Return why the proof does not end at the bound of its theorem, as a sentence; "" if it does or proves no theorem."""
    theorem = derivation.proves
    if theorem is None:
        return ""
    if not derivation.steps:
        return NOTHING_MADE
    last = derivation.conclusion
    if theorem.measured is None or not last.is_formula or last.lhs != theorem.measured:
        return f"the last step does not bound {theorem.measure}, which {theorem.title} is about"
    if theorem.measured.name in {**theorem.definitions, **theorem.schedule}:
        return f"{theorem.title} defines {theorem.measured}, which it is about"
    if last.relation not in CONCLUDES[theorem.claim]:
        return f"the last step says {last.relation}, {theorem.title} {CONCLUDES[theorem.claim][0]}"
    if not _are_equal_expanded(theorem, last.rhs, theorem.bound):
        return f"the last step is not the bound of {theorem.title}: one of the two formulas must be corrected"
    about = [one for one in derivation.lines.values() if one.is_formula and one.lhs == theorem.measured]
    fits = [one for one in about if one.relation in CONCLUDES[theorem.claim] and not isinstance(one.certificate, TAKEN)]
    free = [one for one in fits if theorem.any_schedule is not None and _are_equal_expanded(theorem, one.rhs, theorem.any_schedule)]
    if free and all(_cases(derivation, one.name) for one in free):
        return f"the bound for any schedule holds in the case {_cases(derivation, free[0].name)[0].statement} only"
    if theorem.any_schedule is not None and not any(_holds_for_any_schedule(derivation, one.name) for one in free):
        return f"no line is the bound of {theorem.title} for any schedule: one that is made, in no case only, and without the schedule"
    parts = {part.name: part for part in theorem.parts}
    if len(parts) < len(theorem.parts):
        return f"two parts of {theorem.title} have one name"
    if theorem.claim == "privacy" and theorem.measured.name != "sigma_needed":
        return f"{theorem.title} says how much noise is enough, and {theorem.measured} is not the least that is needed"
    for name, one in derivation.shows.items():
        reached, part = derivation[one], parts[name]
        if (reached.lhs, reached.relation) != (part.measured, part.relation) or not _are_equal_expanded(theorem, reached.rhs, part.value):
            return f"the line {one} is not part ({name}) of {theorem.title}"
        if isinstance(reached.certificate, TAKEN):
            return f"the line {one} is taken, so it does not show part ({name}) of {theorem.title}"
        for case in _cases(derivation, one):
            if not any(_is_same_case(case, said) for said in part.where):
                return f"the line {one} holds in the case {case.statement} only, of which part ({name}) of {theorem.title} says nothing"
    cases = _cases(derivation, last.name)
    return f"the last step holds in the case {cases[0].statement} only" if cases else ""


def proves_integer_T(derivation: Derivation) -> bool:
    """Return whether a proof shows the bound at an integer T of its theorem; True if the theorem has none."""
    theorem = derivation.proves
    if theorem is None or theorem.at_integer_T is None:
        return True
    made = [one for one in derivation.lines.values() if one.is_formula and not isinstance(one.certificate, TAKEN)]
    return any(one.lhs == theorem.measured and _are_equal_expanded(theorem, one.rhs, theorem.at_integer_T.bound) for one in made)


def _holds_for_any_schedule(derivation: Derivation, name: str) -> bool:
    """Return whether a line holds for any schedule: it rests on no case, and on no equality of the schedule except the noise.

    The noise is calibrated to the privacy target for any schedule.
    """
    schedule = {*derivation.proves.schedule} - {"sigma", *derivation.proves.definitions}
    rests = {one for one in closure(derivation, name) if isinstance(derivation[one].certificate, Defined)}
    return not _cases(derivation, name) and not rests & schedule


def _are_equal_expanded(theorem: Any, one: Any, other: Any) -> bool:
    """Return whether two expressions are equal after substituting the abbreviations of a theorem."""
    return bool(one == other) or is_zero(expand_abbreviations(theorem, one) - expand_abbreviations(theorem, other))


def _cases(derivation: Derivation, name: str) -> list[Step]:
    """Return the lines of kind `Case` that a line rests on, directly or through definitions; [] if it holds in every case."""
    return [derivation[one] for one in deep_closure(derivation, name) if isinstance(derivation[one].certificate, Case)]


def _is_same_case(case: Step, said: Any) -> bool:
    """Return whether a SymPy relation is the same as that of a case."""
    return SYMPY[case.relation] is said.func and is_zero(case.lhs - case.rhs - said.lhs + said.rhs)
