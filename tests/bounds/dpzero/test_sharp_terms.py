"""The terms of each sharper theorem are those that its proof derives: a smaller one breaks a line before the last step."""

from dataclasses import replace

import pytest
import sympy as sp

from bounds.pages.store import Store, lab_pages
from bounds.pages.values import page_derivation
from bounds.proofs.certificates import Standing, verify, verify_all
from bounds.proofs.support import missing_link
from bounds.symbols import symbols
from tests.bounds.dpzero import sharper

LEMMA = sharper.DERIVATIONS["dpzero.sharp_descent"]
LETTERS = {letter.name for letter in LEMMA.left_open}  # the terms, which a proof that uses the lemma inserts
PROVED = [key for key, chain in sharper.DERIVATIONS.items() if {one.name for one in chain.facts} >= LETTERS]
TERMS = [(key, name) for key in PROVED for name in sorted(LETTERS) if sharper.DERIVATIONS[key][name].rhs != 0]


def failing(chain):
    return {result.step.name for result in verify_all(chain) if result.outcome is Standing.FAILED}


def test_the_theorems_with_steps_insert_their_terms_in_the_lemma():
    assert {key.removeprefix("dpzero.sharp_") for key in PROVED} == {
        "clip_bias", "lipschitz", "never_clip", "dpgd_0th", "dpgd_0th_never_clip", "dp_gd",
    }  # fmt: skip
    for key in PROVED:
        assert missing_link(sharper.DERIVATIONS[key]) == ""
        assert failing(sharper.DERIVATIONS[key]) == set()


@pytest.mark.sample(7)
@pytest.mark.parametrize(("key", "name"), TERMS)
def test_a_term_that_is_a_hundredth_too_small_breaks_a_hypothesis_of_the_lemma(key, name):
    chain = sharper.DERIVATIONS[key]
    smaller = chain.with_line(replace(chain[name], rhs=chain[name].rhs * sp.Rational(99, 100)))
    assert failing(smaller) & {"direction", "length", "scalar_direction", "scalar_length"}


def test_the_same_slip_in_statement_and_proof_is_caught():
    key, sound = "dpzero.sharp_clip_bias", "cross = L k_3 +"
    file = lab_pages().files[key]
    text = lab_pages().texts[file]
    assert text.count(sound) == 1
    assert failing(page_derivation(lab_pages().page(key))) == set()
    chain = page_derivation(Store({**lab_pages().texts, file: text.replace(sound, "cross = L k_3/2 +")}).page(key))
    assert chain.proves.bound != sharper.THEOREMS[key].bound
    assert missing_link(chain) == ""  # the bound is the one that the slip inserts ...
    assert "length" in failing(chain)  # ... and not what the lines give


def test_a_hypothesis_of_the_lemma_cannot_be_left_out():
    chain = sharper.DERIVATIONS["dpzero.sharp_clip_bias"]
    for name in ("direction", "length", "contracts"):
        without = replace(chain, steps=tuple(step for step in chain.steps if step.name != name))
        assert verify(without, "descent").outcome is Standing.FAILED


def test_the_constants_of_clipping_are_those_of_its_integrals():
    lemma = sharper.DERIVATIONS["dpzero.sharp_clip"]
    for letter in symbols("k_1 k_2 k_3"):
        wrong = replace(lemma.proves, definitions={**lemma.proves.definitions, letter.name: lemma[letter.name].rhs * sp.Rational(99, 100)})
        assert f"{letter}_value" in failing(replace(lemma, proves=wrong))
