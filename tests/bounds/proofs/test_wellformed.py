"""A proof that cannot be read, or whose lemmas go round in a circle, gets an answer in a sentence and no traceback."""

from dataclasses import replace

import pytest
import sympy as sp

import bounds
from bounds.proofs.certificates import Standing, verify_all
from bounds.proofs.derivation import Derivation
from bounds.proofs.lines import Identity, NonNegative, line
from bounds.proofs.wellformed import form_error
from bounds.symbols import d, gap, n
from paper_checks.shared.steps import check_steps
from paper_checks.verdict import Outcome

f = sp.Function("f")


def said(lhs, relation, rhs, certificate, *facts, key="own.proof"):
    return Derivation(
        key, "a proof", "ours", (line("said", lhs, relation, rhs).says("about n").because("it is").certified(certificate),), facts
    )


def shown_by(derivation, key="own.proof", **more):
    lemma = line("lemma", n, ">=", d).says("n is at least d").shown(derivation, "said", **more)
    return said(n + 1, ">=", d, NonNegative((("lemma",), (1,))), lemma, key=key)


@pytest.mark.parametrize(
    ("derivation", "what"),
    [
        (said(sp.nan, ">=", n, NonNegative(((1,),))), "nan is no real number"),
        (said(sp.zoo * n, ">=", n, NonNegative(((1,),))), "zoo is no real number"),
        (said(n, "<=", sp.oo, NonNegative(((1,),))), "oo is no real number"),
        (said(sp.I * n, "=", n, Identity()), "I is no real number"),
        (said(f(n), ">=", 0, NonNegative(((f(n),),))), "f(n) is no real number"),
        (said(n > d, "=", sp.true, Identity()), "n > d is no real number"),
        (said(sp.Sum(d, (d, 0, n)), ">=", 0, NonNegative(((1,),))), "is no real number"),
        (said(n, ">=", 0, NonNegative(((f(n), 0), (n,)))), "f(n) is no real number"),
        (said(n * 0.5, ">=", 0, NonNegative(((n,),))), "has a decimal number"),
        (shown_by("nobody.proof"), "there is no derivation 'nobody.proof'"),
        (shown_by("dpzero.lemma_c2", instance={n: 0.5}), "has a decimal number"),
        (shown_by("dpzero.lemma_c2", instance={n: "oops("}), "'oops(' is a text"),
    ],
)
def test_what_cannot_be_read_is_told_in_a_sentence(derivation, what):
    finding = check_steps(derivation, samples=5)
    assert finding.outcome is Outcome.INCONCLUSIVE
    assert what in finding.sentence


def test_lemmas_that_rest_on_each_other(monkeypatch):
    one, other = shown_by("own.other", key="own.one"), shown_by("own.one", key="own.other")
    alone = shown_by("own.alone", key="own.alone")
    monkeypatch.setattr(bounds, "DERIVATIONS", {**bounds.DERIVATIONS, "own.one": one, "own.other": other, "own.alone": alone})
    for chain in (one, other, alone):
        assert "rests on it" in form_error(chain)
        assert check_steps(chain, samples=5).outcome is Outcome.INCONCLUSIVE
        assert Standing.FAILED in {result.outcome for result in verify_all(chain)}


def test_every_proof_of_the_lab_can_be_read():
    assert [form_error(derivation) for derivation in bounds.DERIVATIONS.values()] == [""] * len(bounds.DERIVATIONS)


def test_a_lemma_that_is_there_is_no_reason():
    chain = said(gap, ">=", 0, NonNegative(((gap,),)), line("asked", gap, "<=", n).says("gap").assumed())
    assert form_error(chain) == ""
    assert form_error(replace(chain, key="own.other")) == ""
