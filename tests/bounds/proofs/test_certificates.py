"""The checker of certificates: it accepts what is proved, and it is tested on lies."""

from dataclasses import replace

import pytest
import sympy as sp

import bounds
from bounds.proofs.certificates import Standing, closure, verify, verify_all
from bounds.proofs.inequalities import INEQUALITIES, Inequality, Instance, is_proved, is_zero, x, x_plus
from bounds.proofs.lines import GIVENS, Case, Cited, NonNegative, Reasoned, Step, Substitution, line
from bounds.proofs.support import KINDS, missing_link, support
from bounds.symbols import d, gap, n
from tests.bounds.proofs.toy import IDENTITY, PROVED, RANK, RANKED, SQUARES, STEP, SUBSTITUTION, WISHFUL, a_i, chain, step


def outcome(proof, name="claim"):
    return verify(proof, name).outcome


def changed(proof, **more):
    return proof.with_line(replace(proof["claim"], **more))


@pytest.mark.parametrize("name", PROVED)
def test_a_proved_step_is_certified(name):
    assert outcome(PROVED[name]) is Standing.CERTIFIED


@pytest.mark.parametrize("name", PROVED)
@pytest.mark.parametrize("factor", [sp.Integer(4), sp.Rational(1, 4), sp.sqrt(d)])
def test_a_tampered_step_is_caught(name, factor):
    assert outcome(changed(PROVED[name], rhs=PROVED[name]["claim"].rhs * factor)) is Standing.FAILED


@pytest.mark.parametrize("relation", ["=", ">=", ">", "<"])
def test_a_turned_relation_is_caught(relation):
    assert outcome(changed(SQUARES, relation=relation)) is Standing.FAILED


def test_an_identity_proves_both_inequalities_but_no_strict_one():
    assert outcome(changed(IDENTITY, relation="<=")) is Standing.CERTIFIED
    assert outcome(changed(IDENTITY, relation=">=")) is Standing.CERTIFIED
    assert outcome(changed(IDENTITY, relation="<")) is Standing.FAILED


def test_what_a_sentence_of_failure_says():
    assert "not known to be non-negative" in verify(chain(step(gap, "<=", gap + a_i, NonNegative(((a_i,),)))), "claim").how
    assert "no line before this one is named 'nobody'" in verify(chain(step(n, "=", d, Substitution(("nobody",)))), "claim").how
    assert "not known to be strict" in verify(chain(step(d, "<", d + gap, NonNegative(((gap,),)))), "claim").how


def test_a_step_that_says_what_is_cited_is_cited():
    said = line("said", n, ">=", d).says("n is at least d").cited("a book")
    assert outcome(chain(step(2 * n, ">=", 2 * d, NonNegative(((2, "said"),)), where=GIVENS), facts=(said,))) is Standing.CITED
    argued = replace(said, certificate=Reasoned("an argument"))
    assert outcome(chain(step(2 * n, ">=", 2 * d, NonNegative(((2, "said"),)), where=GIVENS), facts=(argued,))) is Standing.REASONED


def test_a_step_that_scales_a_step_is_certified():
    first = step(n + 1, ">=", n, NonNegative(((1,),)), name="first")
    assert outcome(chain(first, step(d * (n + 1), ">=", d * n, NonNegative(((d, "first"),)), where=GIVENS))) is Standing.CERTIFIED


def test_an_instance_at_a_product_of_lines():
    decayed = step(sp.exp(-n * (d / 2 - RANKED.lhs)), "<=", 1, NonNegative(((Instance("decay", (n, "ranked")),),)), where=GIVENS)
    assert outcome(chain(decayed, facts=(RANKED,))) is Standing.CERTIFIED


def test_cited_and_reasoned_lines_say_that_they_are_not_proved():
    said = Step("claim", "words", None, "", None, "", Cited("a book"))
    assert outcome(chain(said)) is Standing.CITED
    assert "a book" in verify(chain(said), "claim").how
    assert outcome(WISHFUL) is Standing.REASONED


@pytest.mark.parametrize(
    ("proof", "kind"),
    [
        (IDENTITY, "unconditional"),
        (SQUARES, "unconditional"),
        (SUBSTITUTION, "definition"),
        (RANK, "given"),
        (WISHFUL, "words"),
        (chain(Step("claim", "words", None, "", None, "", Cited("a book"))), "cited"),
        (chain(step(gap, "<=", gap + a_i, NonNegative(((a_i,),)))), "failed"),
    ],
)
def test_what_a_step_rests_on(proof, kind):
    found = support(proof, verify(proof, "claim"))
    assert found.kind == kind
    assert kind in KINDS
    assert [one.name for one in found.given] == (["ranked"] if proof is RANK else [])
    assert [one.name for one in found.inserted] == (["eta"] if proof is SUBSTITUTION else [])


def test_the_closure_follows_terms_insertions_and_words():
    first = step(n + 1, ">=", n, NonNegative(((1,),)), name="first")
    said = line("said", a_i, "<=", n).says("a_i").reasoned("from the first", using=("first",))
    last = step(a_i, "<=", n + 1, NonNegative((("said",), ("first",))), where=GIVENS)
    assert set(closure(chain(first, last, facts=(said, STEP)), "claim")) == {"claim", "said", "first"}
    assert set(closure(SUBSTITUTION, "claim")) == {"claim", "eta"}


def test_the_last_step_must_be_the_theorem():
    proof = bounds.DERIVATIONS["dpzero.theorem1"]
    assert missing_link(proof) == ""
    half = replace(proof.proves, bound=proof.proves.bound / 2)
    assert "not the bound of Theorem 1" in missing_link(replace(proof, proves=half))
    assert "does not bound" in missing_link(replace(proof, steps=proof.steps[:-1]))
    assert "the last step says >" in missing_link(proof.with_line(replace(proof["bound"], relation=">")))
    assert missing_link(replace(proof, proves=None)) == ""


def test_a_part_of_the_theorem_must_be_its_line():
    proof = bounds.DERIVATIONS["dpzero.lemma_c1"]
    assert missing_link(proof) == ""
    assert "is not part (fourth moment)" in missing_link(replace(proof, shows={"fourth moment": "mixed_moment"}))


def test_a_theorem_may_not_rest_on_a_case():
    proof = bounds.DERIVATIONS["dpzero.theorem1"]
    cased = proof.with_line(replace(proof["last_above_least"], certificate=Case()))
    assert "in the case" in missing_link(cased)


def test_a_hypothesis_must_be_one_of_the_theorem():
    proof = bounds.DERIVATIONS["dpzero.theorem1"]
    assert {one.outcome for one in verify_all(proof)} == {Standing.CERTIFIED, Standing.TAKEN, Standing.CITED, Standing.REASONED}
    longer = proof.with_line(replace(proof["step_size"], rhs=proof["step_size"].rhs * 2))
    assert outcome(longer, "step_size") is Standing.FAILED
    assert outcome(replace(longer, proves=None), "step_size") is Standing.TAKEN  # without a theorem it is only said


def test_words_must_belong_to_the_formula():
    other = changed(SQUARES, statement="the noise is private for every epsilon")
    assert "names no symbol of its formula" in verify(other, "claim").how
    assert outcome(changed(SQUARES, statement="a_i and a_j squared")) is Standing.CERTIFIED
    assert outcome(changed(SQUARES, statement="a coordinate of a")) is Standing.CERTIFIED  # a word of what the glossary says
    assert "Theorem 7" in verify(changed(SQUARES, statement="a_i as in Theorem 7"), "claim").how


def test_decimal_numbers_are_refused():
    proof = chain(step(n * sp.Float("0.1"), "=", n / 10, Substitution(())))
    assert "decimal number" in verify(proof, "claim").how


@pytest.mark.parametrize("name", INEQUALITIES)
def test_the_elementary_inequalities_are_proved(name):
    assert is_proved(INEQUALITIES[name])


@pytest.mark.parametrize(
    "lie",
    [
        Inequality("exp(x) >= 1 + 2 x", sp.exp(x) - 1 - 2 * x, x, 2, sp.exp(x)),
        Inequality("exp(x) >= 1 + x + x^2", sp.exp(x) - 1 - x - x**2, x, 2, sp.exp(x)),
        Inequality("exp(x) >= 1 + x + x^2/2 on all of R", sp.exp(x) - 1 - x - x**2 / 2, x, 3, sp.exp(x)),
        Inequality("exp(-x) <= 1/2", sp.Rational(1, 2) - sp.exp(-x_plus), x_plus, 1, sp.exp(-x_plus)),
        Inequality("cos(x) >= 1 - x^2/4", x**2 / 4 + sp.cos(x) - 1, x, 2, 2 * sp.sin(x / 2) ** 2),
        Inequality("sin(x) >= 0", sp.sin(x_plus), x_plus, 1, sp.cos(x_plus)),
    ],
)
def test_false_inequalities_are_not_proved(lie):
    assert not is_proved(lie)


def test_is_zero():
    assert is_zero((sp.sqrt(n) + 1) ** 2 - n - 2 * sp.sqrt(n) - 1)
    assert is_zero(1 / (n + 1) - n / (n**2 + n))
    assert is_zero(sp.sin(a_i) ** 2 + sp.cos(a_i) ** 2 - 1)
    assert not is_zero(n**2 - n)
    assert not is_zero(sp.sqrt(2) - sp.Rational(141421356, 10**8))


def test_facts_are_taken_and_say_from_where():
    assert outcome(chain(step(n + 1, ">=", n, NonNegative(((1,),))), facts=(RANKED,)), "ranked") is Standing.TAKEN
    two = line("ranked", d, ">=", 1).says("again").assumed()
    with pytest.raises(ValueError, match="two lines are named 'ranked'"):
        chain(step(n + 1, ">=", n, NonNegative(((1,),))), facts=(RANKED, two)).lines  # noqa: B018
    with pytest.raises(KeyError, match="no line is named 'nobody'"):
        RANK["nobody"]


def test_a_step_sees_facts_and_what_is_before_it():
    later = line("later", n + 1, ">=", n).says("about n").by(1).claimed_where()
    proof = chain(step(n + 2, ">=", n, NonNegative((("later",), (1,))), where=GIVENS), later)
    assert outcome(proof) is Standing.FAILED
    assert set(proof.usable_by(proof["later"])) >= {"claim"}
