"""A line of one proof is used in another only where what it rests on holds there, and both checkers say so."""

import json

import pytest
import sympy as sp

import bounds
from bounds.proofs.certificates import Standing, closure, verify
from bounds.proofs.derivation import Derivation
from bounds.proofs.export import export_proofs
from bounds.proofs.lines import NonNegative, line
from bounds.symbols import symbols
from paper_checks import recheck_export

chi, eta, iota, psi = symbols("chi eta iota psi")
CASE = line("case", eta, "<=", 1).says("eta is small").case()


def small(value):
    """Return a lemma: eta, which stands for this, is at most 2."""
    facts = (line("eta", eta, "=", value).says("the step size").defined(),)
    certificate = NonNegative(((1 / iota, "iota >= 1"), (sp.Integer(1),)), at=("eta",))
    return Derivation("toy.small", "eta is small", "", (line("small", eta, "<=", 2).says("eta is small").certified(certificate),), facts)


def used(derivation, name, *facts):
    """Return a proof that takes one line of another, and uses it."""
    taken = line("taken", eta, "<=", 2).says("eta is small").shown(derivation, name)
    step = line("more", eta, "<=", 3).says("eta is at most").by("taken", sp.Integer(1))
    return Derivation("toy.user", "a user", "", (step,), (*facts, taken))


def refused(derivation, name):
    """Return whether each of the two checkers refuses a line."""
    second = recheck_export.check(json.loads(json.dumps(export_proofs([derivation]))))[derivation.key]
    return verify(derivation, name).outcome is Standing.FAILED, bool(second[name])


def table(monkeypatch, *derivations):
    monkeypatch.setattr(bounds, "DERIVATIONS", {one.key: one for one in derivations})


@pytest.mark.parametrize(("mine", "wrong"), [(1 / iota, False), (iota + 1, True)])
def test_a_letter_that_is_seen_stands_for_the_same_in_both_proofs(monkeypatch, mine, wrong):
    """Otherwise eta <= 2 of a proof where eta = 1/iota would prove iota <= 1 where eta = iota + 1."""
    table(monkeypatch, small(1 / iota))
    user = used("toy.small", "small", line("eta", eta, "=", mine).says("the step size").defined())
    assert refused(user, "taken") == (wrong, wrong)


def test_a_letter_that_is_seen_must_be_defined(monkeypatch):
    table(monkeypatch, small(1 / iota))
    assert refused(used("toy.small", "small"), "taken") == (True, True)


def test_an_abbreviation_that_is_not_seen_need_not_stand_for_the_same(monkeypatch):
    certificate = NonNegative(((eta * iota / chi,),), at=("chi",))
    step = line("share", eta / (iota + 1), "<=", eta).says("a share of eta is at most eta").certified(certificate)
    table(monkeypatch, Derivation("toy.hidden", "a share", "", (step,), (line("chi", chi, "=", iota + 1).says("a number").defined(),)))
    taken = line("taken", eta / (iota + 1), "<=", eta).says("a share of eta").shown("toy.hidden", "share")
    mine = line("chi", chi, "=", psi).says("another number").defined()
    assert refused(Derivation("toy.user", "a user", "", (), (mine, taken)), "taken") == (False, False)


def test_a_case_is_passed_on_by_every_proof_that_uses_a_line_of_it(monkeypatch):
    first = Derivation(
        "toy.first", "eta", "", (line("small", eta, "<=", 2).says("eta").by("case", sp.Integer(1)).claimed_where(),), (CASE,)
    )
    second = used("toy.first", "small", CASE)
    table(monkeypatch, first, second)
    assert refused(second, "taken") == (False, False)
    assert "case" in closure(second, "more")
    taken = line("more", eta, "<=", 3).says("eta is small").shown("toy.user", "more")
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
    facts = (line("eta", eta, "=", value).says("the step size").defined(), line("chi", chi, "=", 4 * eta**2).says("a multiple").defined())
    step = line("root", sp.sqrt(chi), "=", 2 * result).says("a root of chi").inserting("chi", "eta")
    wrong = line("wrong", sp.sqrt(chi), "=", 3 * result).says("a root of chi").inserting("chi", "eta")
    table(monkeypatch)
    derivation = Derivation("toy.roots", "roots", "", (step, wrong), facts)
    assert refused(derivation, "root") == (False, False)
    assert refused(derivation, "wrong") == (True, True)
