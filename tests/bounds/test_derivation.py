"""The checker of proof steps: it accepts what is proved, and it is tested on lies."""

from dataclasses import replace

import pytest
import sympy as sp

from bounds.derivation import (
    INEQUALITIES,
    Cited,
    Derivation,
    Given,
    Identity,
    Inequality,
    Instance,
    NonNegative,
    Outcome,
    Reasoned,
    Step,
    Substitution,
    attack,
    is_proved,
    is_zero,
    verify,
    x,
    x_plus,
)
from bounds.symbols import A, L, T, alpha, d, ell, gap, mu, n, r, symbols

a_i, a_j, F_now = symbols("a_i a_j F_now")


def step(lhs, relation, rhs, certificate, **more):
    return Step(1, "a claim", lhs, relation, rhs, "a reason", certificate, **more)


IDENTITY = step(sp.sqrt(d * A) * (n + 1) ** 2, "=", sp.sqrt(d) * sp.sqrt(A) * (n**2 + 2 * n + 1), Identity())
SUBSTITUTION = step(1 - 2 * d * ell * alpha, "=", sp.Rational(1, 2), Substitution({alpha: 1 / (4 * ell * d)}))
SQUARES = step((a_i + a_j) ** 2, "<=", 2 * a_i**2 + 2 * a_j**2, NonNegative((((a_i - a_j) ** 2,),)))
RANK = step(r * L, "<=", d * L, NonNegative(((L, d - r),), given=(Given(d - r, "r <= d"),)))
TANGENT = step(
    T * sp.log(1 - alpha), "<=", -T * alpha, NonNegative(((T, Instance("exponential", sp.log(1 - alpha))),)), ranges={alpha: (0, 0.9)}
)
STRICT = step(d, "<", d + n, NonNegative(((n,),)))
PROVED = [IDENTITY, SUBSTITUTION, SQUARES, RANK, TANGENT, STRICT]


@pytest.mark.parametrize("proved", PROVED)
def test_a_proved_step_is_certified_and_survives_an_attack(proved):
    assert verify(proved).outcome is Outcome.CERTIFIED
    found = attack(proved, samples=60)
    assert found.counterexample is None
    assert found.tried == 60
    assert found.digits >= 30


@pytest.mark.parametrize("proved", PROVED)
@pytest.mark.parametrize("factor", [sp.Integer(4), sp.Rational(1, 4), sp.sqrt(d)])
def test_a_tampered_step_is_caught(proved, factor):
    assert verify(replace(proved, rhs=proved.rhs * factor)).outcome is Outcome.FAILED


@pytest.mark.parametrize("relation", ["=", ">=", ">"])
def test_a_turned_relation_is_caught(relation):
    assert verify(replace(SQUARES, relation=relation)).outcome is Outcome.FAILED
    assert attack(replace(SQUARES, relation=relation)).counterexample is not None or relation == ">"


def test_an_identity_proves_both_inequalities_but_no_strict_one():
    assert verify(replace(IDENTITY, relation="<=")).outcome is Outcome.CERTIFIED
    assert verify(replace(IDENTITY, relation="<")).outcome is Outcome.FAILED


def test_terms_that_add_up_but_may_be_negative_are_refused():
    assert verify(step(gap, "<=", gap + a_i, NonNegative(((a_i,),)))).outcome is Outcome.FAILED
    assert "not known to be non-negative" in verify(step(gap, "<=", gap + a_i, NonNegative(((a_i,),)))).how


def test_a_strict_inequality_needs_a_positive_term():
    assert verify(step(d, "<", d + gap, NonNegative(((gap,),)))).outcome is Outcome.FAILED


def test_an_instance_outside_the_domain_of_its_inequality_is_refused():
    function = INEQUALITIES["logarithm"].function.subs(x_plus, a_i)
    certificate = NonNegative(((Instance("logarithm", a_i),),))
    assert verify(step(sp.Integer(0), "<=", function, certificate)).outcome is Outcome.FAILED
    function = INEQUALITIES["logarithm"].function.subs(x_plus, gap)
    certificate = NonNegative(((Instance("logarithm", gap),),))
    assert verify(step(sp.Integer(0), "<=", function, certificate)).outcome is Outcome.CERTIFIED


def test_cited_and_reasoned_steps_say_that_they_are_not_proved():
    assert verify(step(None, "<=", None, Cited("a book"))).outcome is Outcome.CITED
    assert verify(step(None, "<=", None, Reasoned("by symmetry"))).outcome is Outcome.REASONED
    assert "a book" in verify(step(None, "<=", None, Cited("a book"))).how


@pytest.mark.parametrize("name", INEQUALITIES)
def test_the_elementary_inequalities_are_proved(name):
    assert is_proved(INEQUALITIES[name])


@pytest.mark.parametrize(
    "lie",
    [
        Inequality("exp(x) >= 1 + 2 x", sp.exp(x) - 1 - 2 * x, x, 2, sp.exp(x)),
        Inequality("exp(x) >= 1 + x + x^2", sp.exp(x) - 1 - x - x**2, x, 2, sp.exp(x)),
        Inequality("exp(x) >= 1 + x + x^2/2 on all of R", sp.exp(x) - 1 - x - x**2 / 2, x, 3, sp.exp(x)),
        Inequality("log(1 + x) <= x/2", x_plus / 2 - sp.log(1 + x_plus), x_plus, 2, (1 + x_plus) ** -2),
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


def test_an_attack_finds_where_a_false_step_is_false():
    found = attack(step(r, "<=", 2 * sp.sqrt(d), Reasoned("wishful")))
    assert found.refuted == "the step"
    assert found.counterexample["r"] > 2 * found.counterexample["d"] ** 0.5


def test_an_attack_finds_what_a_certificate_wrongly_takes_for_granted():
    lie = step(r * L, "<=", d * L, NonNegative(((L, d - r),), given=(Given(d - r, "r <= d"),)), ranges={r: (1, 2 * d)})
    assert verify(lie).outcome is Outcome.CERTIFIED  # the algebra is right; the domain is not
    assert attack(replace(lie, lhs=sp.Integer(0), rhs=d * L)).refuted == "given: r <= d"


def test_the_domain_of_an_attack():
    only_large = step(gap, "<=", n, Reasoned("in the domain"), where=(n > gap,))
    assert attack(only_large).counterexample is None
    assert attack(replace(only_large, where=())).counterexample is not None
    dependent = step(F_now, "<=", n, Reasoned("in the domain"), ranges={F_now: (-n, n)})
    assert attack(dependent).counterexample is None
    circular = replace(dependent, ranges={F_now: (0, n), n: (1, F_now)})
    with pytest.raises(ValueError, match="circle"):
        attack(circular)


def test_an_attack_is_the_same_for_the_same_seed():
    false = step(mu, "<=", ell / 2, Reasoned("wishful"))
    assert attack(false, seed=3) == attack(false, seed=3)


def test_words_cannot_be_attacked():
    with pytest.raises(ValueError, match="only words"):
        attack(step(None, "=", None, Cited("a book")))


def test_a_derivation_counts_its_certificates_and_shows_itself():
    chain = Derivation(
        "toy", "a toy", "these tests", (IDENTITY, replace(SQUARES, number=2), replace(step(None, "", None, Cited("a book")), number=3))
    )
    assert chain.kinds() == {"Identity": 1, "NonNegative": 1, "Cited": 1}
    assert [result.outcome for result in chain.verify()] == [Outcome.CERTIFIED, Outcome.CERTIFIED, Outcome.CITED]
    assert chain.conclusion is None
    assert " 2. a claim" in chain.show()
