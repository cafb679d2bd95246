"""Every proof chain of the DPZero paper: each certificate checks, each formula survives an attack, each lie is caught."""

from dataclasses import replace

import pytest
import sympy as sp

from bounds.derivation import Cited, Outcome, Reasoned, attack, is_zero, verify
from bounds.dpzero import DERIVATIONS, THEOREMS, sphere
from bounds.symbols import GLOSSARY, C, L, alpha, d, lam

STEPS = {f"{derivation.key}-{step.number}": step for derivation in DERIVATIONS.values() for step in derivation.steps}
CERTIFIABLE = {name: step for name, step in STEPS.items() if not isinstance(step.certificate, Cited | Reasoned)}
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


@pytest.mark.parametrize("derivation", DERIVATIONS.values(), ids=DERIVATIONS.keys())
def test_steps_are_numbered_from_one_and_say_why(derivation):
    assert [step.number for step in derivation.steps] == list(range(1, len(derivation.steps) + 1))
    assert all(step.statement and step.reason for step in derivation.steps)
    assert derivation.key in derivation.show()


@pytest.mark.parametrize("name", CERTIFIABLE)
def test_every_certificate_checks(name):
    result = verify(STEPS[name])
    assert result.outcome is Outcome.CERTIFIED, result.how


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


@pytest.mark.parametrize("name", FORMULAS)
def test_every_formula_survives_a_short_attack(name):
    found = attack(STEPS[name], samples=25, digits=40)
    assert found.counterexample is None, found
    assert found.tried == 25


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMULAS)
def test_every_formula_survives_a_long_attack(name):
    found = attack(STEPS[name], samples=500, digits=60, seed=1)
    assert found.counterexample is None, found


LIES = {"constant too large": lambda x: 4, "exponent too large": sp.sqrt}
MORE_LIES = {"constant too small": lambda x: sp.Rational(1, 4), "exponent too small": lambda x: 1 / sp.sqrt(x)}


def tampered(step, factor):
    """The step with a wrong factor: a number, or a power of d, or of the first letter where there is no d."""
    letters = sorted(step.rhs.free_symbols, key=str)
    return replace(step, rhs=step.rhs * factor(d if d in letters else (*letters, d)[0]))


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("name", CERTIFIABLE)
def test_every_tampered_step_is_caught(name, lie):
    assert verify(tampered(STEPS[name], LIES[lie])).outcome is Outcome.FAILED


@pytest.mark.parametrize("name", [name for name, step in FORMULAS.items() if step.relation == "="])
def test_every_tampered_equality_is_refuted_by_numbers_too(name):
    assert attack(tampered(STEPS[name], LIES["constant too large"]), samples=5, digits=40).counterexample is not None


@pytest.mark.slow
@pytest.mark.parametrize("lie", MORE_LIES)
@pytest.mark.parametrize("name", CERTIFIABLE)
def test_every_step_tampered_the_other_way_is_caught(name, lie):
    assert verify(tampered(STEPS[name], MORE_LIES[lie])).outcome is Outcome.FAILED


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, step in CERTIFIABLE.items() if step.relation in ("<=", ">=", "<", ">")])
def test_every_turned_inequality_is_caught(name):
    step = STEPS[name]
    assert verify(replace(step, lhs=step.rhs, rhs=step.lhs)).outcome is Outcome.FAILED


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
