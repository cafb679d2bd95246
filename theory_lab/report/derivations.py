"""The derivations in the report: every line with its formula and what it rests on, and the number of lines of each kind."""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from bounds.papers import PAPERS
from bounds.proofs.certificates import verify
from bounds.proofs.derivation import Derivation
from bounds.proofs.lines import GIVENS, Assumed, Case, Cited, Defined, Meaning, Reasoned, Shown, Step
from bounds.proofs.support import support
from bounds.symbols import latex
from bounds.typeset.alignment import SIGNS
from paper_checks.named_proofs import claim_derivations
from paper_checks.verdict import Claim, Verdict, paper_of

LABELS = {
    "unconditional": "certified unconditionally",
    "given": "certified given what it names",
    "definition": "certified with a definition inserted",
    "cited": "cited",
    "words": "argued in words",
    "failed": "not certified",
}
TAKEN = {
    Assumed: "assumed",
    Case: "a case",
    Meaning: "by what the letters stand for",
    Defined: "defined",
    Shown: "shown in another derivation",
    Cited: "cited",
    Reasoned: "argued in words",
}


def verdict_derivations(verdicts: Iterable[Verdict]) -> list[dict[str, Any]]:
    """Return the rows of all derivations that the claims of these verdicts name, each once; unknown names are left out."""
    found = {proof.key: proof for verdict in verdicts for proof in existing_derivations(verdict.claim)}
    return [derivation_rows(proof) for proof in found.values()]


def paper_name(key: str) -> str:
    """Return the name of the paper that a key belongs to, such as "DPZero"; for a user's own file, the first word of the key."""
    paper = paper_of(key)
    return PAPERS[paper].name if paper in PAPERS else paper


def existing_derivations(claim: Claim) -> list[Derivation]:
    """Return the derivations that a claim names and that exist. Missing ones are skipped, because the report notes them elsewhere."""
    found: list[Derivation] = []
    for key in claim.derivations:
        with suppress(ValueError):
            found += claim_derivations(replace(claim, derivations=(key,)))
    return found


def derivation_rows(derivation: Derivation) -> dict[str, Any]:
    """Return a derivation as a dictionary for the template: key, paper, title, source, facts, steps, counts and totals."""
    steps = [step_row(derivation, step) for step in derivation.steps]
    counted = Counter(LABELS[row["kind"]] for row in steps)
    taken = Counter(TAKEN[type(one.certificate)] for one in derivation.facts)
    return {
        "key": derivation.key,
        "paper": paper_name(derivation.key),
        "title": derivation.title,
        "source": derivation.source,
        "facts": [line_row(one) for one in derivation.facts],
        "steps": steps,
        "counts": counted,
        "taken": taken,
        "totals": totals_text(counted, taken),
        "proves": derivation.proves.title if derivation.proves is not None else "",
    }


def step_row(derivation: Derivation, step: Step) -> dict[str, Any]:
    """Return a step as a dictionary for the template: number, words, formula, kind, the lines that it uses, and its ranges."""
    found = support(derivation, verify(derivation, step.name))
    where = "" if step.where == GIVENS or not step.where else ", ".join(step.where)
    return line_row(step) | {
        "number": derivation.number(step.name),
        "reason": step.reason,
        "kind": found.kind,
        "label": LABELS[found.kind],
        "given": [line_row(one) for one in found.given],
        "inserted": [line_row(one) for one in found.inserted],
        "where": "where all that it uses holds" if step.where == GIVENS and found.given else f"where {where} hold" if where else "",
        "ranges": [rf"{latex(low)} \le {latex(letter)} \le {latex(high)}" for letter, (low, high) in step.ranges.items()],
    }


def line_row(line: Step) -> dict[str, Any]:
    """Return the name, words, formula in LaTeX, and source of a line, as a dictionary."""
    formula = f"{latex(line.lhs)} {SIGNS[line.relation]} {latex(line.rhs)}" if line.is_formula else ""
    return {"name": line.name, "statement": line.statement, "formula": formula, "source": line_source(line)}


def line_source(line: Step) -> str:
    """Return in words where a line comes from, such as "cited: ..." or "a step of this proof"."""
    match certificate := line.certificate:
        case Defined():
            return f"definition{f' ({certificate.source})' if certificate.source else ''}"
        case Shown():
            return f"shown in {certificate.derivation}, {certificate.line}"
        case Cited():
            return f"cited: {certificate.source}"
        case Reasoned():
            return f"argued in words: {certificate.why}"
    return TAKEN.get(type(certificate), "a step of this proof")


def totals_text(steps: Counter[str], taken: Counter[str]) -> str:
    """Return for instance "2 steps: 1 certified unconditionally, 1 cited; taken as given 1 line: 1 assumed"."""
    made, given = counts_text("step", steps, LABELS.values()), counts_text("line", taken, TAKEN.values())
    return f"{made}; taken as given {given}" if taken else made


def counts_text(name: str, counts: Counter[str], order: Iterable[str]) -> str:
    """Return a total and its parts in words, such as "2 steps: 1 certified unconditionally, 1 cited"."""
    total = counts.total()
    return f"{total} {name}{'' if total == 1 else 's'}: {', '.join(f'{counts[one]} {one}' for one in order if counts[one])}"


def paper_totals(rows: Iterable[dict[str, Any]]) -> dict[str, str]:
    """Return, by the name of the paper, the totals of all its derivations in words."""
    found: dict[str, tuple[Counter[str], Counter[str]]] = {}
    for row in rows:
        steps, taken = found.setdefault(row["paper"], (Counter(), Counter()))
        steps.update(row["counts"])
        taken.update(row["taken"])
    return {paper: totals_text(*counts) for paper, counts in found.items()}
