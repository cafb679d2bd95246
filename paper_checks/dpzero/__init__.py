"""The ledger of DPZero (Zhang, Li, Thekumparampil, Oh, He, ICML 2024; arXiv:2310.09639): every claim, cheap ones first.

Sources name section, equation, table or line: the texts that the ledger was read from have no pages.
"""

from __future__ import annotations

from dataclasses import replace

from paper_checks.dpzero import (
    algebra,
    algorithms,
    convergence,
    degenerate,
    figure_claims,
    integer_steps,
    privacy,
    privacy_algorithms,
    privacy_clause,
    randomness,
    scope,
    scope_values,
    sphere_lemmas,
    tables,
)
from paper_checks.verdict import Claim

READINGS = {
    "dpzero.definition_2_1.neighbours_as_sets", "dpzero.lemma_2_2.sensitivity_of_a_randomised_algorithm", "dpzero.lemma_c1.ii_no_direction",
    "dpzero.lemma_c1.double_sum", "dpzero.equation_4.constant", "dpzero.equation_6.constant", "dpzero.theorems.integer_steps",
    "dpzero.section2.any_direction_never_clips", "dpzero.section2.any_direction_moments", "dpzero.theorem3.unbounded_loss",
    "dpzero.theorem3.telescoped_for_last", "dpzero.corollary_f4_as_printed.follows", "dpzero.table1_dpzero.without",
    "dpzero.figure1.dpzero_nearly_independent", "dpzero.figure1.dp_gd_nearly_independent", "dpzero.algorithms.sigma_as_variance",
    "dpzero.theorem1.privacy_last_iterate", "dpzero.theorem3.privacy_last_iterate",
}  # fmt: skip
QUESTIONS = {
    "dpzero.theorem3.says_something", "dpzero.section4.smaller_threshold", "dpzero.remark_f5.trivial_bound", "dpzero.experiments.lam",
    "dpzero.experiments.synthetic_assumptions", "dpzero.theorem3.always_floor", "dpzero.theorem3.always_ceil", "dpzero.corollary_f2.ceil",
    "dpzero.corollary_f3.ceil", "dpzero.corollary_f4.ceil",
}  # fmt: skip


def stated(claim: Claim) -> Claim:
    """Return the claim with a note whose words it is: the paper's, our reading of them, or a question of ours."""
    ours = claim.key in QUESTIONS or "our " in claim.source or claim.source.startswith("ours")
    return replace(claim, stated="reading" if claim.key in READINGS else "question" if ours else "printed")


LEDGER = (
    *privacy.CLAIMS,
    *privacy_clause.CLAIMS,
    *privacy_algorithms.CLAIMS,
    *algebra.CLAIMS,
    *integer_steps.CLAIMS,
    *degenerate.CLAIMS,
    *scope.CLAIMS,
    *scope_values.CLAIMS,
    *tables.CLAIMS,
    *algorithms.CLAIMS,
    *randomness.CLAIMS,
    *sphere_lemmas.CLAIMS,
    *convergence.CLAIMS,
    *figure_claims.CLAIMS,
)

CLAIMS = tuple(stated(claim) for claim in LEDGER)
