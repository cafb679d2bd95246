"""A line of one proof is used in another only where what it rests on holds there, and both checkers say so."""

import json

import pytest
import sympy as sp

import bounds
from bounds.certificates import Outcome, closure, verify
from bounds.derivation import GIVENS, Case, Defined, Derivation, NonNegative, Shown, Substitution, fact, line
from bounds.exported import exported
from bounds.symbols import symbols
from paper_checks import recheck

chi, eta, iota, psi = symbols("chi eta iota psi")
CASE = fact("case", "eta is small", eta, "<=", 1, Case())


def small(value):
    """Return a lemma: eta, which stands for this, is at most 2."""
    facts = (fact("eta", "the step size", eta, "=", value, Defined()),)
    certificate = NonNegative(((1 / iota, "iota >= 1"), (sp.Integer(1),)), at=("eta",))
    return Derivation("toy.small", "eta is small", "", (line("small", "eta is small", eta, "<=", 2, "", certificate),), facts)


def used(derivation, name, *facts):
    """Return a proof that takes one line of another, and uses it."""
    taken = fact("taken", "eta is small", eta, "<=", 2, Shown(derivation, name))
    step = line("more", "eta is at most", eta, "<=", 3, "", NonNegative((("taken",), (sp.Integer(1),))), where=GIVENS)
    return Derivation("toy.user", "a user", "", (step,), (*facts, taken))


def refused(derivation, name):
    """Return whether each of the two checkers refuses a line."""
    second = recheck.check(json.loads(json.dumps(exported([derivation]))))[derivation.key]
    return verify(derivation, name).outcome is Outcome.FAILED, bool(second[name])


def table(monkeypatch, *derivations):
    monkeypatch.setattr(bounds, "DERIVATIONS", {one.key: one for one in derivations})


@pytest.mark.parametrize(("mine", "wrong"), [(1 / iota, False), (iota + 1, True)])
def test_a_letter_that_is_seen_stands_for_the_same_in_both_proofs(monkeypatch, mine, wrong):
    """Otherwise eta <= 2 of a proof where eta = 1/iota would prove iota <= 1 where eta = iota + 1."""
    table(monkeypatch, small(1 / iota))
    user = used("toy.small", "small", fact("eta", "the step size", eta, "=", mine, Defined()))
    assert refused(user, "taken") == (wrong, wrong)


def test_a_letter_that_is_seen_must_be_defined(monkeypatch):
    table(monkeypatch, small(1 / iota))
    assert refused(used("toy.small", "small"), "taken") == (True, True)


def test_an_abbreviation_that_is_not_seen_need_not_stand_for_the_same(monkeypatch):
    certificate = NonNegative(((eta * iota / chi,),), at=("chi",))
    step = line("share", "a share of eta is at most eta", eta / (iota + 1), "<=", eta, "", certificate)
    table(monkeypatch, Derivation("toy.hidden", "a share", "", (step,), (fact("chi", "a number", chi, "=", iota + 1, Defined()),)))
    taken = fact("taken", "a share of eta", eta / (iota + 1), "<=", eta, Shown("toy.hidden", "share"))
    mine = fact("chi", "another number", chi, "=", psi, Defined())
    assert refused(Derivation("toy.user", "a user", "", (), (mine, taken)), "taken") == (False, False)


def test_a_case_is_passed_on_by_every_proof_that_uses_a_line_of_it(monkeypatch):
    first = Derivation(
        "toy.first", "eta", "", (line("small", "eta", eta, "<=", 2, "", NonNegative((("case",), (sp.Integer(1),)))),), (CASE,)
    )
    second = used("toy.first", "small", CASE)
    table(monkeypatch, first, second)
    assert refused(second, "taken") == (False, False)
    assert "case" in closure(second, "more")
    taken = fact("more", "eta is small", eta, "<=", 3, Shown("toy.user", "more"))
    third = Derivation("toy.third", "eta", "", (), (taken,))
    assert refused(third, "more") == (True, True)


@pytest.mark.parametrize(
    ("value", "result"),
    [
        (sp.sqrt(psi), sp.sqrt(16 * psi) / 4),  # an inserted 4 eta^2 is a square that SymPy has not seen
        (psi**2, psi**2),
        (2**psi, 2**psi),
    ],
)
def test_the_second_checker_knows_roots_of_what_is_inserted(monkeypatch, value, result):
    facts = (fact("eta", "the step size", eta, "=", value, Defined()), fact("chi", "a multiple", chi, "=", 4 * eta**2, Defined()))
    step = line("root", "a root of chi", sp.sqrt(chi), "=", 2 * result, "", Substitution(("chi", "eta")))
    wrong = line("wrong", "a root of chi", sp.sqrt(chi), "=", 3 * result, "", Substitution(("chi", "eta")))
    table(monkeypatch)
    derivation = Derivation("toy.roots", "roots", "", (step, wrong), facts)
    assert refused(derivation, "root") == (False, False)
    assert refused(derivation, "wrong") == (True, True)
