from dataclasses import replace

import mpmath as mp
import pytest
import sympy as sp

import bounds
from bounds.proofs.attack import Domain, attacked_claims
from bounds.proofs.lines import Cited, Identity, NonNegative, Reasoned, Step, line
from bounds.symbols import L, d, ell, n, r
from paper_checks.dpzero.appendix.lemma_c1 import sphere_moment
from paper_checks.shared import shrink as shrinking
from paper_checks.shared import steps
from paper_checks.shared.shrink import printed_witness, rounder_values, shrink_point
from paper_checks.shared.steps import check_identity, check_proof_parts, check_steps, count_support
from paper_checks.verdict import Outcome
from tests.bounds.proofs.toy import IDENTITY, RANK, RANKED, SQUARES, SUBSTITUTION, WISHFUL, chain, step

FALSE = WISHFUL["claim"]


def is_false_at(derivation, step, point):
    domain = Domain(derivation, step, attacked_claims(derivation, step), advised=False)
    with mp.workdps(80):
        return shrinking.is_false_at(domain, step, point, 50)


def test_a_counterexample_is_shrunk_to_round_numbers_and_stays_one():
    found = shrink_point({"r": 613.2, "d": 8123.9}, lambda point: is_false_at(WISHFUL, FALSE, point))
    assert is_false_at(WISHFUL, FALSE, found)
    assert all(f"{value:.1e}" == f"{value:.9e}"[:3] + f"{value:.9e}"[-4:] for value in found.values())


def test_shrinking_does_not_leave_the_domain():
    assert not is_false_at(WISHFUL, FALSE, {"r": 100.0, "d": 10.0})  # r <= d is part of the glossary's range
    assert not is_false_at(WISHFUL, FALSE, {"r": 3.0, "d": 3.0})
    assert not is_false_at(WISHFUL, FALSE, {"r": 10.0})
    many = line("many", d, ">", 500).says("d is large").assumed()
    narrow = chain(step(r, "<=", 2 * sp.sqrt(d), Reasoned("wishful"), where=("many",)), facts=(many,))
    assert is_false_at(WISHFUL, FALSE, {"r": 100.0, "d": 100.0})
    assert not is_false_at(narrow, narrow["claim"], {"r": 100.0, "d": 100.0})


def test_what_a_definition_fixes_is_not_rounded():
    wrong = SUBSTITUTION.with_line(replace(SUBSTITUTION["claim"], rhs=sp.Rational(1, 3)))
    witness = printed_witness(wrong, wrong["claim"], {"d": 613.2, "ell": 0.37, "eta": 1 / (4 * 0.37 * 613.2)})
    assert witness.letters == {"d": "1", "ell": "1", "eta": "0.25"}


def test_rounding_goes_from_coarse_to_fine():
    assert list(rounder_values(0.0)) == [0.0]
    assert list(rounder_values(613.2)) == [1.0, 0.0, 1000.0, 600.0, 610.0, 613.0]
    assert list(rounder_values(-0.0123))[-3:] == [-0.01, -0.012, -0.0123]


WIDE = RANK.with_line(replace(RANK["claim"], where=()))
WORDS = Step("claim", "words", None, "", None, "none", Reasoned("said"))


@pytest.mark.parametrize(
    ("proof", "outcome"),
    [
        (IDENTITY, Outcome.CONSISTENT),
        (SUBSTITUTION, Outcome.CONSISTENT),
        (RANK, Outcome.CONSISTENT),
        (chain(IDENTITY["claim"], step(r, "<=", d, Reasoned("r is at most d"), name="second")), Outcome.CONSISTENT),
        (WISHFUL, Outcome.REFUTED),
        (chain(step(r, "<=", 2 * d, Identity())), Outcome.INCONCLUSIVE),  # true, and not proved by this certificate
        (WIDE, Outcome.INCONCLUSIVE),
        (chain(WORDS), Outcome.INCONCLUSIVE),
        (chain(step(1, "<=", 2, NonNegative(((1,),)))), Outcome.CONSISTENT),
        (chain(step(2, "<=", 1, Reasoned("wishful"))), Outcome.REFUTED),
    ],
)
def test_what_the_steps_of_a_proof_amount_to(proof, outcome):
    finding = check_steps(proof, samples=40)
    assert finding.outcome is outcome, finding.sentence
    in_python = outcome is Outcome.CONSISTENT and not finding.numbers["in words"]
    assert ("is no page, so it is not called PROVED" in finding.sentence) == in_python


def test_a_domain_that_is_wider_than_an_assumption_is_named_with_the_point():
    """A true step whose assumption does not hold everywhere is not refuted."""
    finding = check_steps(WIDE, samples=40)
    assert "the stated domain of 'claim' is wider than its assumption 'ranked', which fails at {'" in finding.sentence
    assert finding.sentence.endswith("add `where`")
    assert not finding.witness


def test_a_step_that_is_false_where_its_assumptions_hold_is_refuted_even_if_they_do_not_hold_everywhere():
    lie = WIDE.with_line(replace(WIDE["claim"], rhs=d * L / 4))
    finding = check_steps(lie, samples=40)
    assert finding.outcome is Outcome.REFUTED
    assert finding.witness["r"] <= finding.witness["d"] / 2


def test_a_finding_names_what_is_taken_as_given():
    finding = check_steps(RANK, ("claim",), samples=20)
    assert "taken as given: ranked: r is at most half of d" in finding.sentence
    assert finding.numbers["rests on"] == {"given": 1}


def test_a_line_that_is_not_there_any_more_is_inconclusive():
    assert "has no line 'gone' any more" in check_steps(RANK, ("gone",), samples=5).sentence


def test_what_only_one_checker_accepts_is_not_proved(monkeypatch):
    monkeypatch.setattr(steps, "recheck_proof", lambda proof: dict.fromkeys(IDENTITY.lines, "") | {"claim": "no"})
    finding = check_steps(IDENTITY, samples=5)
    assert finding.outcome is Outcome.INCONCLUSIVE
    assert "the second checker does not confirm 'claim': no" in finding.sentence


def test_parts_of_several_proofs_are_as_good_as_the_worst():
    both = check_proof_parts(((IDENTITY, ()), (SQUARES, ("claim",))), samples=10)
    assert (both.outcome, both.numbers["steps"], both.numbers["points tried"]) == (Outcome.CONSISTENT, 2, 20)
    assert both.numbers["rests on"] == {"unconditional": 2}
    assert check_proof_parts(((IDENTITY, ()), (WISHFUL, ())), samples=40).outcome is Outcome.REFUTED
    cited = chain(Step("claim", "words", None, "", None, "", Cited("a book")), step(n + 1, ">=", n, NonNegative(((1,),)), name="more"))
    assert check_proof_parts(((IDENTITY, ()), (cited, ())), samples=10).outcome is Outcome.CONSISTENT


def test_an_identity_is_no_proof_that_rests_on_hypotheses():
    assert check_identity(SUBSTITUTION, samples=20).outcome is Outcome.PROVED
    with pytest.raises(ValueError, match="only equalities, by inserting what letters stand for, are needed"):
        check_identity(SQUARES, samples=20)


def test_a_proof_that_is_a_page_is_proved_and_a_copy_of_it_in_python_is_not():
    page = bounds.DERIVATIONS["dpzero.lower_x"]
    assert check_steps(page, samples=20).outcome is Outcome.PROVED
    copy = page.with_line(page["lower_X"])
    assert check_steps(copy, samples=20).outcome is Outcome.CONSISTENT


def test_what_the_second_checker_does_not_know_is_not_proved(monkeypatch):
    monkeypatch.setattr(steps, "recheck_page", lambda page: {})
    finding = check_steps(bounds.DERIVATIONS["dpzero.lower_x"], samples=5)
    assert finding.outcome is Outcome.INCONCLUSIVE
    assert "it does not know this line" in finding.sentence


def test_totals():
    proof = chain(IDENTITY["claim"], replace(RANK["claim"], name="second"), replace(WORDS, name="third"), facts=(RANKED,))
    assert count_support(proof) == {"unconditional": 1, "given": 1, "words": 1}


def test_what_an_attack_cannot_refute_is_not_refuted():
    assert check_identity(IDENTITY, samples=20).outcome is Outcome.PROVED
    found = check_steps(chain(step(ell, "=", 2 * ell, Identity())), samples=20)
    assert found.witness == {"ell": 1.0, "left side": 1.0, "right side": 2.0, "left - right": -1.0}


def test_a_false_step_of_plain_numbers_has_its_sides_as_the_witness():
    found = check_steps(chain(step(3, "=", 4, Identity())), samples=5)
    assert found.witness == {"left side": 3.0, "right side": 4.0, "left - right": -1.0}


def test_moments_of_the_sphere():
    assert sphere_moment((2,)) == 1
    assert sp.simplify(sphere_moment((6,)) - 15 * d**2 / ((d + 2) * (d + 4))) == 0
    assert sphere_moment((3, 2)) == 0


def test_what_is_only_argued_in_words_before_a_step_is_named_where_the_step_alone_is_examined():
    argued = step(n, ">=", 1, Reasoned("clearly"), name="argued")
    made = step(n + 1, ">=", 2, NonNegative((("argued",),)), name="made", where=("argued",))
    finding = check_steps(chain(argued, made), ("made",), samples=10)
    assert finding.numbers["taken as given"] == (f"argued: {argued.statement}",)
