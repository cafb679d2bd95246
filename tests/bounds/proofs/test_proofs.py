"""Every proof of the lab: its lines check, its formulas survive attacks, and a wrong line is caught."""

import math
from dataclasses import replace
from functools import cache

import pytest
import sympy as sp

import bounds
from bounds.proofs.attack import attack
from bounds.proofs.certificates import Standing, verify
from bounds.proofs.derivation import Derivation
from bounds.proofs.facts import required_hypotheses
from bounds.proofs.lines import Assumed, Cited, Identity, Reasoned, Shown, Substitution, Telescoped, is_definition, used_lines
from bounds.symbols import GLOSSARY, LETTERS, d

STEPS = {f"{key}:{step.name}": (key, step) for key, proof in bounds.DERIVATIONS.items() for step in proof.steps}
CERTIFIABLE = {name: where for name, where in STEPS.items() if not isinstance(where[1].certificate, Cited | Reasoned)}
FORMULAS = {name: where for name, where in STEPS.items() if where[1].is_formula}
INEQUALITIES = [  # without those whose sides are equal once what the page defines is inserted
    name for name, (_, step) in CERTIFIABLE.items() if step.relation != "=" and not isinstance(step.certificate, Identity | Substitution)
]
LIES = {"constant too large": lambda x: 4, "exponent too large": sp.sqrt}
MORE_LIES = {"constant too small": lambda x: sp.Rational(1, 4), "exponent too small": lambda x: 1 / sp.sqrt(x)}


def proof_with(key: str, step) -> Derivation:
    """The proof with a line of the same name replaced."""
    return bounds.DERIVATIONS[key].with_line(step)


def tampered(step, factor):
    """The step with a wrong factor: a number, or a power of d, or of the first letter where there is no d; at a right side of 0, a term."""
    letters = sorted(step.rhs.free_symbols, key=str)
    wrong = factor(d if d in letters else (*letters, d)[0])
    return replace(step, rhs=step.rhs * wrong if step.rhs != 0 else wrong - 1)


@pytest.mark.parametrize("key", bounds.DERIVATIONS)
def test_lines_have_names_and_say_why(key):
    proof = bounds.DERIVATIONS[key]
    assert proof.key == key
    assert all(one.statement for one in proof.lines.values())
    assert all(step.reason or getattr(step.certificate, "why", "") or getattr(step.certificate, "source", "") for step in proof.steps)
    assert all(step.name.replace("_", "").replace(".", "").isalnum() and step.name == step.name.strip("_") for step in proof.steps)
    assert key in proof.show()


@pytest.mark.parametrize("key", bounds.DERIVATIONS)
def test_every_fact_is_used(key):
    """What is taken and used by nothing, here or elsewhere, is no part of the proof; what the page defines or assumes is."""
    proof = bounds.DERIVATIONS[key]
    names = {
        name for one in proof.lines.values() for name in (*used_lines(one.certificate), *one.where, *getattr(one.certificate, "at", ()))
    }
    names |= {
        name for one in proof.facts if isinstance(one.certificate, Shown) for name in required_hypotheses(proof, one.certificate).values()
    }
    names |= {line for lemma, line in shown_elsewhere() if lemma == key}
    names |= {name for signs in proof.signs.values() for name in signs}
    said = [one for one in proof.facts if not is_definition(one) and not isinstance(one.certificate, Assumed)]
    assert {one.name for one in said} - names == set()


@cache
def shown_elsewhere():
    """The lines that proofs use of other proofs, each with the key of that proof."""
    facts = [one.certificate for proof in bounds.DERIVATIONS.values() for one in proof.facts]
    return {(one.derivation, one.line) for one in facts if isinstance(one, Shown)}


@pytest.mark.sample(80)
@pytest.mark.parametrize("name", FORMULAS)
def test_every_formula_survives_a_short_attack(name):
    key, step = FORMULAS[name]
    found = attack(bounds.DERIVATIONS[key], step.name, samples=25, digits=40)
    assert found.counterexample is None, found
    # a step between numbers has one point, and counts it as often as it is asked
    assert found.tried == 25


@pytest.mark.verify
@pytest.mark.parametrize("name", FORMULAS)
def test_every_formula_survives_a_long_attack(name):
    """Other points than the short attack's; a full run of the ledger tries a thousand more."""
    key, step = FORMULAS[name]
    found = attack(bounds.DERIVATIONS[key], step.name, samples=100, digits=60, seed=1)
    assert found.counterexample is None, found


@pytest.mark.sample(150)
@pytest.mark.parametrize("lie", {**LIES, **MORE_LIES})
@pytest.mark.parametrize("name", CERTIFIABLE)
def test_every_tampered_step_is_caught(name, lie):
    key, step = CERTIFIABLE[name]
    assert verify(proof_with(key, tampered(step, {**LIES, **MORE_LIES}[lie])), step.name).outcome is Standing.FAILED


@pytest.mark.sample(80)
@pytest.mark.parametrize("name", [name for name, (_, step) in FORMULAS.items() if step.relation == "="])
def test_every_tampered_equality_is_refuted_by_numbers_too(name):
    key, step = FORMULAS[name]
    lie = proof_with(key, tampered(step, LIES["constant too large"]))
    assert attack(lie, step.name, samples=15, digits=40).counterexample is not None


@pytest.mark.sample(120)
@pytest.mark.parametrize("name", INEQUALITIES)
def test_every_turned_inequality_is_caught(name):
    key, step = CERTIFIABLE[name]
    assert verify(proof_with(key, replace(step, lhs=step.rhs, rhs=step.lhs)), step.name).outcome is Standing.FAILED


@pytest.mark.sample(90)
@pytest.mark.parametrize("name", CERTIFIABLE)
def test_every_line_that_a_step_uses_is_needed(name):
    """Without it the certificate is refused; a certificate that would do without a line should not name it."""
    key, step = CERTIFIABLE[name]
    proof = bounds.DERIVATIONS[key]
    for one in used_lines(step.certificate):
        turned = {"<=": ">=", ">=": "<=", "<": ">", ">": "<"}
        there = proof[one]
        other = replace(there, relation=turned.get(there.relation, there.relation), rhs=there.rhs + 1)
        if isinstance(step.certificate, Telescoped) or one not in {line.name for line in (*proof.facts, *proof.steps)}:
            continue
        assert verify(proof.with_line(other), step.name).outcome is Standing.FAILED, one


def test_the_letters_of_the_proofs_are_in_the_glossary():
    letters = set().union(*(one.symbols for proof in bounds.DERIVATIONS.values() for one in proof.lines.values()))
    assert {letter for letter in letters if GLOSSARY.get(letter.name) is None or GLOSSARY[letter.name].symbol != letter} == set()


RANGES = {  # of letters that proofs introduce: where neither a sign, nor a share, nor powers of ten say it
    "chord_sq": (0, 4), "shrink": (0.875, 1), "c_clip": (1e-6, 20), "s_point": (1e-2, 30), "j_factor": (0, 50), "psi_4": (0, 3),
    "over_sq_N": (1e-300, 3), "v_spread": (1e-3, 4), "over_fourth": (1e-300, 3), "holder_q": (2, 100), "holder_sum": (0, 3),
    "z_score": (1e-6, 40), "log_far": (1e-3, 60), "log_2d": (pytest.approx(math.log(2)), 26),
}  # fmt: skip
SHARES = {  # beside the probabilities: at most 1
    "delta_spent", "factor_now", "factor_next", "psi_2", "over_sq", "k_1", "kappa_i", "psi_0", "rho_XX", "rho_ZZ", "rho_XZ", "shrink_term",
}  # fmt: skip
FROM_1 = {"tilted", "rounds_2", "rounds_e"}
OWN_RANGES = {*RANGES, *SHARES, *FROM_1}


def power_of_ten(number):
    return number > 0 and float(f"1e{round(math.log10(number))}") == number


def test_letters_that_proofs_introduce_are_tried_where_their_meaning_allows():
    """A share is at most 1, what has a sign is tried as far below 0 as above; all else from 0 or 1 or a power of ten to another."""
    introduced = {name: letter for name, letter in GLOSSARY.items() if letter not in LETTERS or name in OWN_RANGES}
    assert OWN_RANGES <= set(introduced)
    for name, letter in introduced.items():
        if name in RANGES:
            assert (letter.low, letter.high) == RANGES[name], name
            continue
        assert letter.low <= 0 or power_of_ten(letter.low), name
        assert letter.low != 1 or name in FROM_1, name
        assert letter.high == 1 if letter.role == "probability" or name in SHARES else power_of_ten(letter.high) and letter.high > 1, name
        assert letter.low >= 0 or (letter.low == -letter.high and letter.role != "probability"), name
        assert letter.low < letter.high, name
