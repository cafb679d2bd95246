"""Proofs as data: their lines, who may use whom, and how they are shown."""

from dataclasses import replace

import pytest

import bounds
from bounds.proofs.derivation import symbol_limits
from bounds.proofs.lines import GIVENS, Defined, Meaning, NonNegative, Shown, line, named_lines
from bounds.symbols import GLOSSARY, n
from tests.bounds.proofs.toy import RANK, RANKED, SQUARES, SUBSTITUTION, chain, step


def test_the_lines_of_a_proof_are_what_the_theorem_prescribes_facts_and_steps():
    proof = bounds.DERIVATIONS["dpzero.theorem1"]
    assert proof["alpha"].rhs == proof.proves.schedule["alpha"]
    assert proof["A"].rhs == proof.proves.definitions["A"]
    assert proof["d >= 1"].certificate == Meaning()
    names = list(proof.lines)
    assert names.index("alpha") < names.index("descent") < names.index("bound")
    assert proof.is_fact(proof["alpha"])
    assert not proof.is_fact(proof["bound"])
    assert proof.number("never_clipped") == 1
    assert proof.number("bound") == len(proof.steps)


def test_the_limits_of_letters_hold_by_what_they_stand_for():
    assert {one.name for one in symbol_limits(GLOSSARY["r"])} == {"r >= 1", "r <= d"}
    assert {one.name for one in symbol_limits(GLOSSARY["p_t"])} == {"p_t <= 1"}
    assert not list(symbol_limits(GLOSSARY["L"]))  # 1e-3 to 1e3 is where it is tried, not what it stands for
    assert not list(symbol_limits(GLOSSARY["tau"]))  # a letter of proofs has no limits of its own


def test_where():
    claim = RANK["claim"]
    assert RANK.domain(claim) == (RANKED,)
    assert RANK.domain(replace(claim, where=())) == ()
    assert RANK.givens(claim) == (RANKED,)
    assert claim.where == GIVENS


def test_a_line_is_replaced_by_one_of_its_name():
    changed = RANK.with_line(replace(RANKED, rhs=n))
    assert changed["ranked"].rhs == n
    assert changed["claim"] is RANK["claim"]


def test_a_proof_counts_its_certificates_and_shows_itself():
    proof = chain(SQUARES["claim"], step(n + 1, ">=", n, NonNegative(((1,),)), name="second"), facts=(RANKED,))
    assert proof.kinds() == {"NonNegative": 2}
    assert proof.conclusion.name == "second"
    shown = proof.show()
    assert "taken (assumed) ranked: r is at most half of d" in shown
    assert " 2. second: about n" in shown
    assert "NonNegative by ranked" in RANK.show()
    assert "Substitution by eta inserted" in SUBSTITUTION.show()


@pytest.mark.parametrize("relation", ["<=", "<", ">=", ">", "="])
def test_the_difference_is_the_larger_side_minus_the_smaller(relation):
    one = step(n, relation, n + 1, NonNegative(()))
    assert one.difference == (1 if relation in ("<=", "<") else -1)


def test_what_a_certificate_names_is_named_as_it_is_here():
    assert named_lines(Shown("other.proof", "line", meets={"there": "here", "there too": "here"})) == ("here",)
    assert named_lines(Defined("page", signs=("least",))) == ("least",)
    assert named_lines(NonNegative((("a", "b"),), at=("c",), modulo=((1, "d"),))) == ("a", "b", "d", "c")


def test_words_do_not_take_the_reason_of_a_line():
    assert line("a").because("why").says("what").reason == "why"
    assert line("a").because("why").says("what", "because").reason == "because"
