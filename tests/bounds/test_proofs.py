"""Every proof chain of the lab: its certificates check, its formulas survive attacks, and a wrong step is caught."""

from dataclasses import replace

import pytest
import sympy as sp

import bounds
from bounds.derivation import Cited, Outcome, Reasoned, attack, verify
from bounds.symbols import d

STEPS = {f"{key}-{step.number}": step for key, derivation in bounds.DERIVATIONS.items() for step in derivation.steps}
CERTIFIABLE = {name: step for name, step in STEPS.items() if not isinstance(step.certificate, Cited | Reasoned)}
FORMULAS = {name: step for name, step in STEPS.items() if step.is_formula}
LIES = {"constant too large": lambda x: 4, "exponent too large": sp.sqrt}
MORE_LIES = {"constant too small": lambda x: sp.Rational(1, 4), "exponent too small": lambda x: 1 / sp.sqrt(x)}


def tampered(step, factor):
    """The step with a wrong factor: a number, or a power of d, or of the first letter where there is no d."""
    letters = sorted(step.rhs.free_symbols, key=str)
    return replace(step, rhs=step.rhs * factor(d if d in letters else (*letters, d)[0]))


@pytest.mark.parametrize("key", bounds.DERIVATIONS)
def test_steps_are_numbered_from_one_and_say_why(key):
    derivation = bounds.DERIVATIONS[key]
    assert derivation.key == key
    assert [step.number for step in derivation.steps] == list(range(1, len(derivation.steps) + 1))
    assert all(step.statement and step.reason for step in derivation.steps)
    assert key in derivation.show()


@pytest.mark.parametrize("name", CERTIFIABLE)
def test_every_certificate_checks(name):
    result = verify(STEPS[name])
    assert result.outcome is Outcome.CERTIFIED, result.how


@pytest.mark.parametrize("name", FORMULAS)
def test_every_formula_survives_a_short_attack(name):
    found = attack(STEPS[name], samples=25, digits=40)
    assert found.counterexample is None, found
    # a step between numbers has one point, and counts it as often as it is asked
    assert found.tried == 25


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMULAS)
def test_every_formula_survives_a_long_attack(name):
    found = attack(STEPS[name], samples=500, digits=60, seed=1)
    assert found.counterexample is None, found


@pytest.mark.slow
@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("name", CERTIFIABLE)
def test_every_tampered_step_is_caught(name, lie):
    assert verify(tampered(STEPS[name], LIES[lie])).outcome is Outcome.FAILED


@pytest.mark.slow
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
