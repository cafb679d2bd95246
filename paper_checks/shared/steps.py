"""Check the lines of a proof: two checkers verify every certificate, and every formula is attacked numerically.

PROVED        the proof is a page, every step is certified by both checkers, and no attack found a point where one is false; what is
              taken as given is named
CONSISTENT    the same, but some lines are only cited or argued in words, here or in a proof whose lines are used: the sentence names them;
              or the proof is written in Python, where what it rests on need not stand where a reader looks
REFUTED       an attack found a point of the stated domain where a step is false: the point, in round numbers, is the witness
INCONCLUSIVE  a certificate does not check, or only one checker accepts it, a line is claimed on a domain wider than what it takes as
              given, the last step is not the theorem that the proof is declared to prove, or there was nothing to try
"""

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import bounds
from bounds.pages.store import Page, Store, lab_pages
from bounds.pages.values import PageValues, page_derivation
from bounds.proofs.attack import THE_STEP, Attack, attack, find_unmet_assumption
from bounds.proofs.certificates import Result, Standing, verify
from bounds.proofs.derivation import Derivation
from bounds.proofs.export import export_proofs
from bounds.proofs.facts import closure, lines_on_unproved_lemmas
from bounds.proofs.lines import GIVENS, Cited, Identity, Reasoned, Step, Substitution, inserted_lines, used_lines
from bounds.proofs.support import KINDS, missing_link, support
from bounds.proofs.wellformed import form_error
from bounds.renamed import old_names
from paper_checks import recheck, recheck_export
from paper_checks.record import Record
from paper_checks.shared.shrink import printed_witness
from paper_checks.verdict import Finding, Outcome

DIGITS = 50
IN_WORDS = {Standing.CITED: "cited", Standing.REASONED: "argued in words"}


def check_steps(derivation: Derivation, names: Sequence[str] = (), *, samples: int, seed: int = 0, page: Page | None = None) -> Finding:
    """Check that the steps of a proof hold, or the named steps, by two checkers and an attack with random points; return a Finding.

    Without `names` the whole proof is checked: what it takes as given, its steps, and whether it ends at the theorem that it is declared to
    prove. With them only those steps are, and what each uses is taken as given. `page` is the user's page that the proof was read from;
    those of the lab are known.
    """
    if missing := [name for name in names if name not in derivation.lines]:
        return Record().leave_open(f"{derivation.key} has no line {missing[0]!r} any more; the claim must name another")
    page = page or proof_page(derivation)
    finding = _check_lines(derivation, names, samples, seed, page)
    if page is None and finding.outcome is Outcome.PROVED:
        said = "the proof is written in Python and is no page, so it is not called PROVED (theory-lab show KEY --page writes one)"
        return replace(finding, outcome=Outcome.CONSISTENT, sentence=f"{finding.sentence}; {said}")
    return finding


def _check_lines(derivation: Derivation, names: Sequence[str], samples: int, seed: int, page: Page | None) -> Finding:
    """Check that the named lines of a derivation hold, or all; return a Finding, maybe PROVED though the proof is no page."""
    if why := form_error(derivation):
        return Record().leave_open(why)
    lines = [derivation[name] for name in names or derivation.lines]
    results = [verify(derivation, line.name) for line in lines]
    second = recheck_page(page) if page else recheck_proof(derivation)
    formulas = [line for line in lines if line.is_formula and not derivation.is_fact(line)]
    sound = [line for line in formulas if referenced_lines(line) <= derivation.lines.keys()]
    attacks = {line.name: attack(derivation, line.name, samples=samples, digits=DIGITS, seed=seed) for line in sound}
    record = Record(_evidence(derivation, results, attacks), seed=seed)
    for line in sound:
        if (point := _counterexample(derivation, line, attacks[line.name], samples, seed)) is not None:
            return _refute_line(record, derivation, line, point)
    if problem := _first_problem(derivation, results, second, attacks, whole=not names):
        return record.leave_open(problem)
    borrowed = lines_on_unproved_lemmas(derivation, derivation.lines) if not names else ()
    return _conclude_lines(record, derivation, results, borrowed, whole=not names)


def check_identity(derivation: Derivation, *, samples: int) -> Finding:
    """Check that equalities follow by inserting definitions, by two algebra systems and an attack; return a Finding.

    Raises ValueError for another proof, which `check_steps` checks.
    """
    if not all(isinstance(step.certificate, Identity | Substitution) for step in derivation.steps):
        raise ValueError(f"derivation = {derivation.key}: only equalities, by inserting what letters stand for, are needed")
    return _check_lines(derivation, (), samples, 0, None)


def proof_page(derivation: Derivation) -> Page | None:
    """Return the page of the lab that a proof was read from, or None for any other proof."""
    ours = derivation.key in lab_pages().files and bounds.DERIVATIONS.get(derivation.key) is derivation
    return bounds.page(derivation.key) if ours else None


def recheck_page(page: Page) -> dict[str, str]:
    """Return the second checker's answer for each line of a page, {line: "" or why it is not confirmed}."""
    found = _recheck_store(page.store, page.key)
    if "the page" in found:
        return dict.fromkeys(page_derivation(page).lines, found["the page"])
    at = PageValues(page)
    return {name if name in ("the theorem", "the example") else at.line(name): why for name, why in found.items()}


def recheck_proof(derivation: Derivation) -> dict[str, str]:
    """Return the second checker's answer for each line of a proof written in Python, {line: "" or why it is not confirmed}."""
    return recheck_export.check(json.loads(json.dumps(export_proofs([derivation]))), derivation.key)[derivation.key]


@cache
def _recheck_store(store: Store, key: str) -> dict[str, str]:
    """Return the second checker's answers for a page of a store, {line: "" or why it is not confirmed}, cached."""
    return recheck.check(dict(store.texts), key)[key]


def check_proof_parts(
    parts: Sequence[tuple[Derivation, Sequence[str]]], *, samples: int, seed: int = 0, more: Sequence[Finding] = ()
) -> Finding:
    """Check that the named lines of several proofs hold; return the worst Finding of them and `more`, or all joined into one."""
    findings = [*(check_steps(derivation, names, samples=samples, seed=seed) for derivation, names in parts), *more]
    order = (Outcome.REFUTED, Outcome.INCONCLUSIVE, Outcome.CONSISTENT, Outcome.PROVED)
    worst = min(findings, key=lambda one: order.index(one.outcome))
    if len(findings) == 1 or worst.outcome in (Outcome.REFUTED, Outcome.INCONCLUSIVE):
        return worst
    sums = {name: sum(one.numbers[name] for one in findings) for name in ("steps", "certified", "in words", "points tried")}
    taken = tuple(dict.fromkeys(line for one in findings for line in one.numbers["taken as given"]))
    rests = dict(sum((Counter(one.numbers["rests on"]) for one in findings), Counter()))
    numbers = {**worst.numbers, **sums, "taken as given": taken, "rests on": rests}
    return replace(worst, sentence="; ".join(one.sentence for one in findings), numbers=numbers)


def step_outcomes(derivation: Derivation, *names: str) -> set[Standing]:
    """Return the set of outcomes (Standing) of the first checker for the named steps, or for all steps if none is named."""
    return {verify(derivation, name).outcome for name in names or [step.name for step in derivation.steps]}


def count_support(derivation: Derivation) -> dict[str, int]:
    """Return how many steps of a proof rest on each kind of support, {kind: number}, kinds as in KINDS."""
    counted = Counter(support(derivation, verify(derivation, step.name)).kind for step in derivation.steps)
    return {kind: counted[kind] for kind in KINDS if counted[kind]}


def referenced_lines(line: Step) -> set[str]:
    """Return the set of names of all lines that a line refers to: those it uses, inserts or holds under."""
    return {*used_lines(line.certificate), *inserted_lines(line.certificate), *(() if line.where == GIVENS else line.where)}


def _evidence(derivation: Derivation, results: Sequence[Result], attacks: dict[str, Attack]) -> dict[str, Any]:
    """Return a Finding's numbers by name: counts of steps and points tried, lines taken as given, steps by kind of support."""
    made = [result for result in results if not derivation.is_fact(result.step)]
    said = [derivation[one] for result in made for one in closure(derivation, result.step.name) if one != result.step.name]
    taken = [line for result in made for line in support(derivation, result).given if derivation.is_fact(line)]
    taken += [line for line in said if isinstance(line.certificate, Cited | Reasoned)]
    return {
        "steps": len(made),
        "certified": sum(result.outcome is Standing.CERTIFIED for result in made),
        "in words": sum(result.outcome in IN_WORDS for result in results),
        "points tried": sum(one.tried for one in attacks.values()),
        **({"points where a side does not exist": undefined} if (undefined := sum(one.undefined for one in attacks.values())) else {}),
        "digits": DIGITS,
        "taken as given": tuple(dict.fromkeys(f"{line.name}: {line.statement}" for line in taken)),
        "rests on": dict(Counter(support(derivation, result).kind for result in made)),
    }


def _counterexample(derivation: Derivation, line: Step, found: Attack, samples: int, seed: int) -> dict[str, float] | None:
    """Return a point where a step is false although all lines that it uses hold; None if the attacks found no such point.

    The point is empty, and not None, for a step without symbols.
    """
    if found.counterexample is None:
        return None
    if found.refuted != THE_STEP:
        narrow = derivation.with_line(replace(line, where=GIVENS))
        found = attack(narrow, line.name, samples=samples, digits=DIGITS, seed=seed)
        if found.counterexample is None or found.refuted != THE_STEP:
            return None
    return dict(found.counterexample or {})


def _first_problem(
    derivation: Derivation, results: Sequence[Result], second: dict[str, str], attacks: dict[str, Attack], whole: bool
) -> str:
    """Return a sentence on the first reason why the checked lines are no evidence; "" if there is none."""
    for result in results:
        name = result.step.name
        if result.outcome is Standing.FAILED:
            return f"the certificate of {name!r} fails: {result.how}; a corrected certificate would settle it"
        if why := second.get(name, "it does not know this line"):
            return f"the second checker does not confirm {name!r}: {why}; a certificate that both accept would settle it"
    for name, one in attacks.items():
        if one.counterexample is not None:
            at = dict(one.counterexample)
            return f"the stated domain of {name!r} is wider than its assumption {one.refuted!r}, which fails at {at}: add `where`"
        if not one.tried:
            return f"no point of the domain of {name!r} was found to try"
    if whole and (why := missing_link(derivation) or second.get("the theorem", "")):
        return why
    if whole and derivation.proves is not None and (found := find_unmet_assumption(derivation.proves)):
        return f"{derivation.proves.title} assumes {found[0]}, which its own schedule does not meet at {found[1]}: one of the two is wrong"
    return ""


def _conclude_lines(record: Record, derivation: Derivation, results: Sequence[Result], borrowed: Sequence[str], whole: bool) -> Finding:
    """Return the PROVED or CONSISTENT Finding of lines that passed; INCONCLUSIVE if all is in words, with no formula to attack."""
    numbers = record.numbers
    formulas = sum(result.step.is_formula for result in results if not derivation.is_fact(result.step))
    certified = f"{numbers['certified']} of {numbers['steps']} steps are certified by two computer algebra systems"
    tried = f"{numbers['points tried']} points in {DIGITS} digits refute none of the {formulas} formulas"
    ends = f"; the last step is the bound of {derivation.proves.title}" if whole and derivation.proves is not None else ""
    given = f"; taken as given: {'; '.join(numbers['taken as given'])}" if numbers["taken as given"] and not whole else ""
    said = [
        f"{verb}: {', '.join(names)}"
        for outcome, verb in IN_WORDS.items()
        if (names := [result.step.name for result in results if result.outcome is outcome])
    ]
    said += [f"resting on words of other proofs: {', '.join(borrowed)}"] if borrowed else []
    sentence = f"{'; '.join([certified, *said, tried])}{ends}{given}"
    if not said:
        return record.prove(sentence)
    if not numbers["certified"] and not numbers["points tried"]:
        why = "all of it is in words, and there is no formula to attack"
        record.leave_open(f"{why}: only a simulation against the bound can say more")
    return record.conclude(sentence)


def _refute_line(record: Record, derivation: Derivation, line: Step, point: dict[str, float]) -> Finding:
    """Return the REFUTED Finding of a line that is false at a point; INCONCLUSIVE if the point cannot be printed."""
    shown = printed_witness(derivation, line, point)
    if shown is None:
        said = f"{line.name!r} is false near {point}, but not where the numbers are as printed: a point that can be printed would settle it"
        return record.leave_open(said)
    difference = shown.difference if isinstance(shown.difference, str) else f"{shown.difference:.4g}"
    sentence = f"{line.name!r} is false: {shown.left} {line.relation} {shown.right} is claimed, and left - right = {difference}"
    found = {**{name: exact_float(text) for name, text in shown.letters.items()}, "left side": exact_float(shown.left)}
    found |= {"right side": exact_float(shown.right), "left - right": shown.difference}
    return record.refute(sentence, found)


def exact_float(text: str) -> float | str:
    """Return the float that a text denotes; the text itself where no float is exactly that number."""
    value = float(text)
    if not 0 < abs(value) < math.inf:  # 0, or outside the range of floats: its exponent may be too long for a Fraction
        return value if text == "0" else text
    return value if Fraction(repr(value)) == Fraction(text) else text


if not TYPE_CHECKING:  # it would give every misspelt name a type
    __getattr__ = old_names(__name__, examine_steps="check_steps")
