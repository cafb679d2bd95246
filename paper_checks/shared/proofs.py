"""Proofs as evidence for a claim: a whole proof, lines of several proofs, or those that lead to an equation of the paper.

Lines are named as in "lemma1: needed slope; to_base_2": by their derivation without the paper's name; where no derivation is given, they
are lines of PAPER.in_place, which has what no proof of the theory has.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp

import bounds
from bounds.proofs.derivation import Derivation
from bounds.proofs.inequalities import is_zero
from paper_checks.pages.standard import split_steps
from paper_checks.record import Record
from paper_checks.shared.steps import check_proof_parts, check_steps
from paper_checks.verdict import Finding, Outcome

SUPPORTED = (Outcome.PROVED, Outcome.CONSISTENT)
OTHER_FORMULA = "the theory holds {} than the printed one; comparing the two would settle it"


def check_proof(*, key: str, samples: int) -> Finding:
    """Check that every line of a derivation holds, by its key, and that it ends at the theorem that it proves; return a Finding."""
    return check_steps(bounds.DERIVATIONS[key], samples=samples)


def check_derived_equation(
    *, equation: str, lines: Mapping[str, Sequence[str]], printed: Any, samples: int, spelled: Mapping[Any, Any] | None = None
) -> Finding:
    """Check that lines derive an equation, {derivation: line names}, and that the last line is as printed; return a Finding.

    `spelled` maps symbols of the derivation to those that the paper uses instead.
    """
    finding = check_proof_parts([(bounds.DERIVATIONS[key], names) for key, names in lines.items()], samples=samples)
    if finding.outcome not in SUPPORTED:
        return finding
    key, names = list(lines.items())[-1]
    last = bounds.DERIVATIONS[key][names[-1]]
    if f"({equation})" not in last.statement or not is_zero(last.rhs.xreplace(dict(spelled or {})) - printed):
        record, words = Record(finding.numbers, seed=finding.seed), f"what is derived is not the formula printed as ({equation})"
        return record.leave_open(f"{words}: {sp.sstr(last.rhs)}; comparing the two would settle it")
    return finding.also(f"the result is the formula printed as ({equation})")


def named_lines(paper: str, steps: str) -> list[tuple[Derivation, str]]:
    """Return (derivation, line name) for every line that a text such as "lemma1: needed slope; to_base_2" names."""
    return [(bounds.DERIVATIONS[key], name) for key, names in split_steps(paper, steps) for name in names]


def check_lines(*, paper: str, steps: str, samples: int) -> Finding:
    """Check that the lines named in `steps`, such as "lemma1: needed slope", of a paper's derivations hold; return a Finding."""
    return check_proof_parts([(proof, (name,)) for proof, name in named_lines(paper, steps)], samples=samples)
