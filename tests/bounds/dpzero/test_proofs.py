"""The proof chains of the DPZero paper: how each is made, and for which parameters it holds."""

from dataclasses import replace

import pytest
import sympy as sp

from bounds.dpzero import DERIVATIONS, THEOREMS
from bounds.proofs.attack import attack
from bounds.proofs.certificates import Standing, verify
from bounds.proofs.facts import closure
from bounds.proofs.inequalities import is_zero
from bounds.proofs.lines import used_lines
from bounds.symbols import C, L, alpha, d, lam, symbols

(a_sq,) = symbols("a_sq")
CERTIFICATES = {
    "dpzero.lemma_2_2": dict(Substitution=2, NonNegative=11, Identity=2, Reasoned=2),
    "dpzero.lemma_c1": dict(Reasoned=1, Identity=7, NonNegative=2, Substitution=1),
    "dpzero.lemma_c2": dict(Reasoned=1, Cited=1, Substitution=1, NonNegative=5),
    "dpzero.section4_tail": dict(NonNegative=3),
    "dpzero.theorem1": dict(NonNegative=8, Telescoped=1, Substitution=3),
    "dpzero.theorem2": dict(NonNegative=9, Telescoped=1, Substitution=3, Identity=1),
    "dpzero.theorem3": dict(NonNegative=23, Telescoped=1, Substitution=5, Identity=1),
    "dpzero.corollary_f2": dict(NonNegative=12, Identity=3, Substitution=3),
    "dpzero.corollary_f3": dict(NonNegative=12, Identity=3, Substitution=3),
    "dpzero.corollary_f4": dict(NonNegative=19, Identity=5, Substitution=4),
    "dpzero.dp_gd": dict(NonNegative=6, Telescoped=1, Substitution=2),
    "dpzero.integer_t_dp_gd": dict(Substitution=5, NonNegative=6),
    "dpzero.integer_t_theorems_1_2": dict(Substitution=7, NonNegative=16),
    "dpzero.integer_t_theorem_3": dict(Substitution=6, Identity=2, NonNegative=15),
    "dpzero.integer_t_corollaries": dict(Substitution=11, Identity=4, NonNegative=16),
    "dpzero.random_directions": dict(Reasoned=3, NonNegative=1),
    "dpzero.lower_x": dict(NonNegative=1),
    "dpzero.least_rank": dict(NonNegative=2, Substitution=1),
    "dpzero.harmonic_rank": dict(NonNegative=2),
    "dpzero.threshold_order": dict(NonNegative=2),
    "dpzero.exceeds_L_squared": dict(NonNegative=1),
    "dpzero.pl_leaves_constants": dict(NonNegative=3, Substitution=1),
    "dpzero.lemma_2_2_fails": dict(Identity=3, NonNegative=1, Reasoned=1),
    "dpzero.count_f2": dict(NonNegative=4),
    "dpzero.count_f3": dict(NonNegative=4),
    "dpzero.count_f4": dict(NonNegative=4),
    "dpzero.clipped_mean": dict(NonNegative=2, Reasoned=1),
}
FREE = {"dpzero.theorem1": "kept", "dpzero.theorem2": "kept", "dpzero.theorem3": "kept", "dpzero.dp_gd": "any_schedule",
        "dpzero.corollary_f2": "any_schedule", "dpzero.corollary_f3": "any_schedule"}  # fmt: skip


def test_the_chains_and_how_much_of_each_is_certified():
    assert {key: derivation.kinds() for key, derivation in DERIVATIONS.items() if ".sharp_" not in key} == CERTIFICATES


@pytest.mark.parametrize("key", FREE)
def test_the_bound_for_any_schedule_is_proved_for_every_alpha_that_it_allows(key):
    proof, theorem = DERIVATIONS[key], THEOREMS[key]
    (largest,) = (relation.rhs for relation in theorem.valid_if if relation.lhs == alpha)
    rests = closure(proof, FREE[key])
    assert (proof["step_size"].lhs, proof["step_size"].relation, proof["step_size"].rhs) == (alpha, "<=", largest)
    assert "step_size" in rests
    assert "alpha" not in rests  # the line that says what the printed alpha is
    asking = [step for step in proof.steps if step.name in rests and "step_size" in used_lines(step.certificate)]
    longer = [replace(step, where=(), ranges={**step.ranges, alpha: (2 * largest, 10**3 * largest)}) for step in asking]
    found = [attack(proof.with_line(step), step.name, samples=25, digits=40, givens=False).counterexample for step in longer]
    assert any(point is not None for point in found)  # the attack does reach a rule that is broken


@pytest.mark.parametrize("key", ["dpzero.theorem1", "dpzero.theorem2"])
def test_no_threshold_above_the_longest_estimate_clips(key):
    assert DERIVATIONS[key]["never_clipped"].rhs == C
    assert sp.Ge(C, L * d) in THEOREMS[key].valid_if


def test_the_integer_of_theorem_3_is_proved_for_every_lam_of_the_rule():
    proof = DERIVATIONS["dpzero.integer_t_theorem_3"]
    assert {"lam_for_clipping", "lam_for_bias"} <= set(closure(proof, "keeps_ceiling")) & set(closure(proof, "keeps_floor"))
    assert lam not in proof.defined_symbols
    certificate = proof["certified"].certificate
    less = replace(certificate, terms=tuple(term for term in certificate.terms if not any("lam" in str(factor) for factor in term)))
    assert less != certificate
    assert verify(proof.with_line(replace(proof["certified"], certificate=less)), "certified").outcome is Standing.FAILED


def test_the_chains_of_the_lemmas_contain_what_the_lemmas_claim():
    reached = {sp.simplify(step.rhs) for step in DERIVATIONS["dpzero.lemma_c1"].steps if step.is_formula}
    assert sp.simplify(THEOREMS["dpzero.lemma_c1"].bound) in reached
    claimed = [part for part in THEOREMS["dpzero.lemma_c1"].parts if part.name.startswith(("iii diag", "iii off")) or "fourth" in part.name]
    assert {sp.simplify(part.value) for part in claimed} <= reached
    along, grad_f_sq = symbols("along grad_f_sq")
    lemma, parts = DERIVATIONS["dpzero.lemma_c2"], {part.name: part.value for part in THEOREMS["dpzero.lemma_c2"].parts}
    assert is_zero(lemma["second_moment"].rhs.xreplace({grad_f_sq: a_sq}) - parts["ii second moment"])
    assert is_zero(lemma["square"].rhs - 2 * along**2 - parts["14"])
