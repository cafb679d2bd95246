import pytest
import sympy as sp

from bounds.derivation import Given, Identity, NonNegative, Reasoned, Step
from bounds.symbols import L, d, ell, n, r
from paper_checks.dpzero.lemmas import moment
from paper_checks.shrink import is_false_at, rounder, shrink
from paper_checks.steps import examine_steps, refute
from paper_checks.verdict import Outcome


def step(lhs, relation, rhs, certificate, **more):
    return Step(1, "a claim", sp.sympify(lhs), relation, sp.sympify(rhs), "a reason", certificate, **more)


FALSE = step(r, "<=", 2 * sp.sqrt(d), Reasoned("wishful"))
TRUE = step((n + 1) ** 2, "=", n**2 + 2 * n + 1, Identity())
GIVEN = NonNegative(((L, d - r),), given=(Given(d - r, "r <= d"),))


def test_a_counterexample_is_shrunk_to_round_numbers_and_stays_one():
    found = shrink({"r": 613.2, "d": 8123.9}, lambda p: is_false_at(FALSE, p))
    assert found == {"r": 600.0, "d": 1000.0} or is_false_at(FALSE, found)
    assert all(f"{value:.1e}" == f"{value:.9e}"[:3] + f"{value:.9e}"[-4:] for value in found.values())


def test_shrinking_does_not_leave_the_domain():
    assert not is_false_at(FALSE, {"r": 100.0, "d": 10.0})  # r <= d is part of the glossary's range
    assert not is_false_at(FALSE, {"r": 3.0, "d": 3.0})
    assert not is_false_at(FALSE, {"r": 10.0})
    narrow = step(r, "<=", 2 * sp.sqrt(d), Reasoned("wishful"), where=(d > 500,))
    assert is_false_at(FALSE, {"r": 100.0, "d": 100.0})
    assert not is_false_at(narrow, {"r": 100.0, "d": 100.0})


def test_rounding_goes_from_coarse_to_fine():
    assert list(rounder(0.0)) == [0.0]
    assert list(rounder(613.2)) == [1.0, 0.0, 1000.0, 600.0, 610.0, 613.0]
    assert list(rounder(-0.0123))[-3:] == [-0.01, -0.012, -0.0123]


@pytest.mark.parametrize(
    ("steps", "outcome"),
    [
        ((TRUE,), Outcome.PROVED),
        ((TRUE, step(r, "<=", d, Reasoned("r is at most d"))), Outcome.CONSISTENT),
        ((FALSE,), Outcome.REFUTED),
        ((step(r, "<=", 2 * d, Identity()),), Outcome.INCONCLUSIVE),  # true, and not proved by this certificate
        ((step(r * L, "<=", d * L, GIVEN, ranges={r: (1, 2 * d)}),), Outcome.REFUTED),
        ((step(0, "<=", L * (d - r) + 10 * L * d, NonNegative(((L, d - r), (10, L, d)), GIVEN.given), ranges={r: (1, 2 * d)}),),
            Outcome.INCONCLUSIVE),
        ((Step(1, "words", None, "", None, "none", Reasoned("said")),), Outcome.INCONCLUSIVE),
        ((Step(1, "plain numbers", 1, "<=", 2, "none", NonNegative(((1,),))),), Outcome.PROVED),
        ((Step(1, "plain numbers", 2, "<=", 1, "none", Reasoned("wishful")),), Outcome.REFUTED),
        ((Step(1, "one plain number", 0, "<=", d, "none", NonNegative(((d,),), given=(Given(1, "1 >= 0"),))),), Outcome.PROVED),
    ],
)  # fmt: skip
def test_what_the_steps_of_a_proof_amount_to(steps, outcome):
    finding = examine_steps(steps, samples=40)
    assert finding.outcome is outcome, finding.sentence


def test_what_an_attack_cannot_refute_is_not_refuted():
    assert refute(TRUE, samples=20) is None
    found = refute(step(ell, "=", 2 * ell, Identity()), samples=20)
    assert found.witness == {"ell": 1.0, "left side": 1.0, "right side": 2.0, "left - right": -1.0}


def test_a_false_step_of_plain_numbers_has_its_sides_as_the_witness():
    found = refute(Step(1, "plain numbers", 3, "=", 4, "none", Identity()), samples=5)
    assert found.witness == {"left side": 3.0, "right side": 4.0, "left - right": -1.0}


def test_moments_of_the_sphere():
    assert moment((2,)) == 1
    assert sp.simplify(moment((6,)) - 15 * d**2 / ((d + 2) * (d + 4))) == 0
    assert moment((3, 2)) == 0
