"""Check the proofs that a claim names: whether each proves the theorem of its key, and whether its lines check."""

import inspect
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import bounds
from bounds.pages.contents import load_proof
from bounds.proofs.certificates import Standing, verify_all
from bounds.proofs.derivation import Derivation
from bounds.proofs.support import missing_link
from paper_checks.verdict import Claim, Finding, Outcome


def claim_derivations(claim: Claim) -> tuple[Derivation, ...]:
    """Return the Derivations that a claim names by key, from DERIVATIONS of the claim's file or the lab; raise ValueError if none.

    Raises ValueError for a key that is in neither.
    """
    own: Mapping[str, Any] = getattr(sys.modules.get(inspect.unwrap(claim.examine).__module__), "DERIVATIONS", {})
    for key in claim.derivations:
        if key not in own and key not in bounds.DERIVATIONS:
            raise ValueError(f"derivations = {key!r}: neither the lab nor the file of {claim.key} has a derivation of this name")
    return tuple(load_proof(own[key]) if key in own else bounds.DERIVATIONS[key] for key in claim.derivations)


def check_named_proofs(claim: Claim, finding: Finding) -> Finding:
    """Return the finding, made INCONCLUSIVE if it supports the claim and a proof that the claim names fails a check."""
    if finding.outcome not in (Outcome.PROVED, Outcome.CONSISTENT):
        return finding
    for derivation in claim_derivations(claim):
        if why := missing_proves_message(claim, derivation) or missing_link(derivation) or failed_line_message(derivation):
            return replace(finding, outcome=Outcome.INCONCLUSIVE, sentence=f"{derivation.key}: {why}")
    return finding


def missing_proves_message(claim: Claim, derivation: Derivation) -> str:
    """Return an error message if a proof has the key of a theorem of its file but no `proves=THEOREM`; else "".

    The lab's own derivations of false printed statements prove parts of them, or what holds instead.
    """
    module = sys.modules.get(inspect.unwrap(claim.examine).__module__)
    own = {one.key: one for one in (*getattr(module, "THEOREMS", {}).values(), *filter(None, [getattr(module, "THEOREM", None)]))}
    theorem = own.get(derivation.key)
    if theorem is None or (derivation.proves is not None and derivation.proves.key == theorem.key):
        return ""
    return f"there is a theorem of this key, {theorem.title}, and the derivation does not say that it proves it: give proves=THEOREM"


def failed_line_message(derivation: Derivation) -> str:
    """Return a message with the first line of a proof that does not check, and why; "" if all lines check."""
    failed = (result for result in verify_all(derivation) if result.outcome is Standing.FAILED)
    return next((f"the line {result.step.name!r} does not check: {result.how}" for result in failed), "")
