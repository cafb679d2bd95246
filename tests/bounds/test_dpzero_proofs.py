"""The proof chains of the DPZero paper: where each ends, and for which parameters it holds."""

from dataclasses import replace

import pytest
import sympy as sp

from bounds.derivation import Outcome, attack, is_zero, verify
from bounds.dpzero import DERIVATIONS, THEOREMS, sphere
from bounds.symbols import GLOSSARY, C, L, alpha, d, lam

STEPS = {f"{derivation.key}-{step.number}": step for derivation in DERIVATIONS.values() for step in derivation.steps}
FORMULAS = {name: step for name, step in STEPS.items() if step.is_formula}
CERTIFICATES = {
    "dpzero.lemma_2_2": dict(Substitution=3, Identity=1, NonNegative=5, Cited=2, Reasoned=3),
    "dpzero.lemma_c1": dict(Substitution=5, Identity=4, NonNegative=1, Cited=1, Reasoned=4),
    "dpzero.lemma_c2": dict(Identity=5, NonNegative=1, Cited=1, Reasoned=1),
    "dpzero.section4_tail": dict(Substitution=1, Identity=2, NonNegative=1),
    "dpzero.theorem1": dict(Substitution=7, Identity=1, NonNegative=8, Cited=1),
    "dpzero.theorem2": dict(Substitution=7, Identity=1, NonNegative=9, Cited=1),
    "dpzero.theorem3": dict(Substitution=7, Identity=2, NonNegative=14, Cited=1, Reasoned=1),
    "dpzero.corollary_f2": dict(Substitution=5, Identity=1, NonNegative=6),
    "dpzero.corollary_f3": dict(Substitution=5, Identity=1, NonNegative=6),
    "dpzero.corollary_f4": dict(Substitution=6, Identity=2, NonNegative=9),
    "dpzero.dp_gd": dict(Substitution=3, Identity=1, NonNegative=3, Cited=1),
    "dpzero.integer_t_dp_gd": dict(Substitution=3, NonNegative=3, Reasoned=1),
    "dpzero.integer_t_theorems_1_2": dict(Substitution=4, NonNegative=4),
    "dpzero.integer_t_theorem_3": dict(Substitution=2, NonNegative=7),
    "dpzero.integer_t_corollaries": dict(Substitution=6, NonNegative=4),
}


def test_the_chains_and_how_much_of_each_is_certified():
    assert {key: derivation.kinds() for key, derivation in DERIVATIONS.items()} == CERTIFICATES


FREE_ALPHA = [  # the steps between the lemma and the bound for any schedule
    *(f"dpzero.theorem1-{i}" for i in (7, 8, 9, 12)),
    *(f"dpzero.theorem2-{i}" for i in (8, 9, 10, 13)),
    *(f"dpzero.theorem3-{i}" for i in (12, 13)),
    *("dpzero.corollary_f2-1", "dpzero.corollary_f3-1"),
]


@pytest.mark.parametrize("name", FREE_ALPHA)
def test_the_bound_for_any_schedule_is_proved_for_every_alpha_that_it_allows(name):
    step, theorem = STEPS[name], THEOREMS[name.partition("-")[0]]
    (largest,) = (relation.rhs for relation in theorem.valid_if if relation.lhs == alpha)
    assert largest - alpha in [one.expression for one in step.certificate.given]
    assert alpha not in step.certificate.at
    longer = attack(replace(step, ranges={**step.ranges, alpha: (2 * largest, 10**3 * largest)}), samples=25, digits=40)
    assert longer.counterexample is not None  # the attack does reach a rule that is broken


@pytest.mark.parametrize("key", ["dpzero.theorem1", "dpzero.theorem2"])
def test_no_threshold_above_the_longest_estimate_clips(key):
    assert STEPS[f"{key}-1"].rhs == C
    assert sp.Ge(C, L * d) in THEOREMS[key].valid_if


def test_the_integer_of_theorem_3_is_proved_for_every_lam_of_the_rule():
    step = STEPS["dpzero.integer_t_theorem_3-1"]
    assert step.relation == "<="
    assert lam in step.lhs.free_symbols - set(step.certificate.at)
    assert verify(replace(step, certificate=replace(step.certificate, terms=()))).outcome is Outcome.FAILED


@pytest.mark.parametrize(
    "key", [key for key in DERIVATIONS if DERIVATIONS[key].proves and key not in ("dpzero.lemma_2_2", "dpzero.lemma_c1", "dpzero.lemma_c2")]
)
def test_a_chain_ends_at_the_bound_that_it_proves(key):
    theorem = THEOREMS[DERIVATIONS[key].proves]
    assert is_zero(theorem.in_constants(DERIVATIONS[key].conclusion) - theorem.in_constants(theorem.bound))


def test_the_chains_of_the_lemmas_contain_what_the_lemmas_claim():
    reached = {sp.simplify(step.rhs) for step in DERIVATIONS["dpzero.lemma_c1"].steps if step.is_formula}
    assert sp.simplify(sphere.LEMMA_C1.bound) in reached
    claimed = [
        part
        for part in sphere.LEMMA_C1.parts
        if part.name.startswith("iii diag") or part.name.startswith("iii off") or "fourth" in part.name
    ]
    assert {sp.simplify(part.value) for part in claimed} <= reached
    lemma = THEOREMS["dpzero.lemma_c2"]
    ends = [step.rhs for step in DERIVATIONS["dpzero.lemma_c2"].steps if step.is_formula]
    assert lemma.bound in ends
    assert all(part.value in ends for part in lemma.parts)
    assert THEOREMS["dpzero.lemma_2_2"].bound == DERIVATIONS["dpzero.lemma_2_2"].steps[0].lhs


def test_the_letters_of_the_proofs_are_in_the_glossary():
    letters = set().union(*(step.lhs.free_symbols | step.rhs.free_symbols for step in FORMULAS.values()))
    assert all(GLOSSARY[letter.name].symbol == letter for letter in letters)
