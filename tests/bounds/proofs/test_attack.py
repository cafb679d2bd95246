"""Attacks on lines of proofs: they find what is false, stay in the domain, and attack what is taken as given."""

from dataclasses import replace

import pytest
import sympy as sp

from bounds.proofs.attack import THE_STEP, Domain, attack, glossary_range
from bounds.proofs.derivation import Derivation
from bounds.proofs.lines import GIVENS, Cited, Identity, NonNegative, Reasoned, Step, line
from bounds.symbols import C, L, d, ell, gap, mu, n, r, symbols
from tests.bounds.proofs.toy import PROVED, RANK, RANKED, SUBSTITUTION, WISHFUL, chain, eta, step

(F_now,) = symbols("F_now")


@pytest.mark.parametrize("name", PROVED)
def test_a_proved_step_survives(name):
    found = attack(PROVED[name], "claim", samples=60)
    assert found.counterexample is None
    assert found.tried == 60
    assert found.digits >= 30


@pytest.mark.parametrize("name", PROVED)
def test_a_step_that_loses_a_factor_does_not(name):
    proved = PROVED[name]["claim"]
    smaller = replace(proved, rhs=proved.rhs / 3) if proved.relation in ("=", "<=", "<") else replace(proved, lhs=proved.lhs / 3)
    found = attack(PROVED[name].with_line(smaller), "claim", samples=60)
    assert found.refuted == THE_STEP


def test_an_attack_finds_where_a_false_step_is_false():
    found = attack(WISHFUL, "claim")
    assert found.refuted == THE_STEP
    assert found.counterexample["r"] > 2 * found.counterexample["d"] ** 0.5


def test_what_is_taken_as_given_is_attacked_where_the_domain_does_not_say_that_it_holds():
    wide = RANK.with_line(replace(RANK["claim"], where=()))
    assert attack(wide, "claim").refuted == "ranked"
    assert attack(wide, "claim", givens=False).refuted == THE_STEP
    assert attack(RANK, "claim").counterexample is None


def test_rounding_where_the_terms_of_a_product_cancel_is_no_counterexample():
    """C^2 - 3 C (C + g) + 2 (C + g)^2 is g (C + 2 g), and 0 at g = 0 up to the last digits of C^2."""
    square = C**2 - 3 * C * (C + gap) + 2 * (C + gap) ** 2
    near = chain(step(square, ">=", 0, NonNegative(((gap, C + 2 * gap),))))
    assert attack(near, "claim", samples=500, digits=60, seed=1).counterexample is None
    assert attack(near.with_line(replace(near["claim"], rhs=gap**3 / 1000)), "claim", samples=500, digits=60).counterexample is not None


def test_a_definition_is_computed_at_the_point_and_not_inserted_before():
    found = attack(SUBSTITUTION.with_line(replace(SUBSTITUTION["claim"], rhs=sp.Rational(1, 3))), "claim")
    at = found.counterexample
    assert at["eta"] == pytest.approx(1 / (4 * at["ell"] * at["d"]))


def test_a_formula_is_attacked_without_what_it_inserts():
    """T = n, by a definition, is no identity: where the definition does not hold it is false."""
    said = chain(step(eta, "=", n, Identity()))
    assert attack(said, "claim").refuted == THE_STEP


def test_ranges_cannot_hide_what_a_certified_step_claims():
    hidden = chain(step(d, ">=", n, NonNegative(((d,),)), ranges={n: (1, 1)}))
    assert attack(hidden, "claim").refuted == THE_STEP
    argued = chain(step(d, ">=", n, Reasoned("for one sample"), ranges={n: (1, 1)}))
    assert attack(argued, "claim").counterexample is None


def test_the_domain_of_an_attack():
    large = line("large", n, ">", gap).says("n is large").assumed()
    inside = chain(step(gap, "<=", n, Reasoned("in the domain"), where=("large",)), facts=(large,))
    assert attack(inside, "claim").counterexample is None
    assert attack(inside, "claim").tried == 200
    assert attack(inside.with_line(replace(inside["claim"], where=())), "claim").counterexample is not None
    dependent = chain(step(F_now, "<=", n, Reasoned("in the domain"), ranges={F_now: (-n, n)}))
    assert attack(dependent, "claim").counterexample is None
    circular = chain(step(F_now, "<=", n, Reasoned("in the domain"), ranges={F_now: (0, n), n: (1, F_now)}))
    assert attack(circular, "claim").tried == 0


def test_bounds_that_lines_state_are_where_points_are_drawn():
    """Without them hardly any point would be in the domain: 1/(4 ell d) is below the glossary's least alpha nearly everywhere."""
    (alpha,) = symbols("alpha")
    short = line("short", alpha, "<=", 1 / (4 * ell * d)).says("alpha").assumed()
    proof = chain(step(1 - 2 * d * ell * alpha, ">=", sp.Rational(1, 4), NonNegative(((2 * d * ell, "short"), (sp.Rational(1, 4),))),
                       where=GIVENS), facts=(short,))  # fmt: skip
    found = attack(proof, "claim")
    assert found.tried == 200
    assert found.counterexample is None


def test_a_strict_line_leaves_its_edge_out():
    above = line("above", d, ">", 1).says("d is above 1").assumed()
    proof = chain(step(1 / (d - 1), ">", 0, Reasoned("for d > 1"), where=("above",)), facts=(above,))
    found = attack(proof, "claim")
    assert found.tried == 200
    assert found.counterexample is None


def test_contradictory_facts_have_no_points():
    less, more = line("less", n, "<", d).says("n").assumed(), line("more", n, ">", d).says("n").assumed()
    proof = chain(step(n, ">=", n + 1, NonNegative((("less",), ("more",))), where=GIVENS), facts=(less, more))
    assert attack(proof, "claim").tried == 0


def test_an_attack_is_the_same_for_the_same_seed():
    false = chain(step(mu, "<=", ell / 2, Reasoned("wishful")))
    assert attack(false, "claim", seed=3) == attack(false, "claim", seed=3)


def test_words_cannot_be_attacked():
    with pytest.raises(ValueError, match="only words"):
        attack(chain(Step("claim", "words", None, "", None, "", Cited("a book"))), "claim")


def test_a_step_between_numbers_has_one_point():
    assert attack(chain(step(1, "<=", 2, NonNegative(((1,),)))), "claim", samples=5).tried == 5
    assert attack(chain(step(2, "<=", 1, Reasoned("wishful"))), "claim", samples=5).counterexample == {}


def test_an_equality_that_is_no_definition_fixes_a_letter_of_the_proofs():
    (W,) = symbols("W")
    total = line("total", 2 * W + r, "=", 3 * L).says("W").assumed()
    proof = chain(step(4 * W, "=", 6 * L - 2 * r, Identity(modulo=((2, "total"),)), where=GIVENS), facts=(total, RANKED))
    found = attack(proof, "claim", samples=40)
    assert found.counterexample is None
    assert found.tried == 40


def test_the_first_points_are_both_ends_of_the_advised_and_of_the_full_range(monkeypatch):
    """Also where `ranges` give a step two domains: each is tried at its lower and at its upper end before random points are drawn."""
    points, checked = [], Domain.check_claims
    monkeypatch.setattr(Domain, "check_claims", lambda self, point, tolerance: points.append(point) or checked(self, point, tolerance))
    low, high = glossary_range(d)
    attack(chain(step(d, ">=", d / 2, NonNegative(((d / 2,),)), ranges={d: (2, 5)})), "claim", samples=4)
    assert sorted(float(one) for (one,) in points) == sorted([2.0, 5.0, float(low), float(high)])


@pytest.mark.parametrize(
    ("lhs", "relation", "rhs"),
    [
        (gap**2 * sp.log(gap), "<=", gap**2 * sp.log(gap) + 1),
        (sp.log(gap), "<=", sp.log(gap) + 1),
        (1 / gap, "<", 1 / gap + 1),
        (gap * sp.log(gap) * sp.log(gap), ">=", -1),
    ],
)
def test_a_side_that_does_not_exist_is_no_counterexample_and_is_counted(lhs, relation, rhs):
    """At gap = 0, the end of its range, 0 log(0) is no number; elsewhere the lines are true."""
    assert gap.is_nonnegative
    assert not gap.is_positive
    proof = Derivation("true", "a true line", "nobody", (line("true", lhs, relation, rhs).says("the gap").certified(NonNegative(((1,),))),))
    found = attack(proof, "true")
    assert (found.counterexample, found.tried) == (None, 200)
    assert found.undefined > 0


def test_a_false_line_with_such_a_side_is_refuted_where_it_exists():
    proof = Derivation(
        "false", "a false line", "nobody", (line("f", gap * sp.log(gap), "<=", -1).says("the gap").certified(NonNegative(())),)
    )
    assert attack(proof, "f").counterexample["gap"] > 0
    late = Derivation(  # false from some hundred on
        "late", "a false line", "nobody", (line("f", gap * sp.log(gap), "<=", 10**3).says("the gap").certified(NonNegative(())),)
    )
    found = [attack(late, "f", seed=seed) for seed in range(20)]
    assert all(one.counterexample["gap"] > 100 for one in found)
    assert all(one.undefined > 0 for one in found)  # 0, an end of the range, is drawn first
