"""A theorem and its proof in Python as a page: what is written says the same when it is read, for all proofs that a page can have."""

import re
from collections import Counter
from pathlib import Path

import pytest
import sympy as sp

import bounds
from bounds.pages.store import Store, lab_pages
from bounds.pages.values import PageValues, page_derivation, page_theorem
from bounds.pages.writer import FormulaWriter, exact_number, page_text, wrap_line
from bounds.proofs.derivation import Derivation
from bounds.proofs.inequalities import is_zero
from bounds.proofs.lines import Meaning, line
from bounds.symbols import Max, T, alpha, d, n
from paper_checks.pages.own import load_page
from paper_checks.verdict import Outcome
from theory_lab.cli import main

OF_TWO_PAPERS = {"gauss_psgd.lemma8"}  # it quotes a fact of DPZero in the symbols of that paper, of which some have the same names
KEYS = [
    key
    for key in bounds.DERIVATIONS
    if key not in OF_TWO_PAPERS and not any(isinstance(one.certificate, Meaning) for one in bounds.DERIVATIONS[key].facts)
]


def again(key, text):
    """The page that is read from a text, in place of the lab's page of this key."""
    others = {file: one for file, one in lab_pages().texts.items() if file != lab_pages().files[key]}
    return Store({**others, "written.page": text}).page(key)


@pytest.mark.sample(20)
@pytest.mark.parametrize("key", KEYS)
def test_what_is_written_says_the_same_when_it_is_read(key):
    proof, statement = bounds.DERIVATIONS[key], bounds.THEOREMS.get(key)
    page = again(key, page_text(statement, proof))
    found = page_derivation(page)
    assert {*found.lines} == {*proof.lines}
    for name, one in proof.lines.items():
        there = found[name]
        assert (one.relation, type(one.certificate)) == (there.relation, type(there.certificate)), name
        assert not one.is_formula or is_zero(one.difference - there.difference), name
        for mine, theirs in zip(weights(proof, one), weights(found, there), strict=True):
            assert mine == theirs, name
        assert there.where == one.where
        assert there.ranges == one.ranges
    assert (found.instances, found.left_open, found.shows, found.signs) == (proof.instances, proof.left_open, proof.shows, proof.signs)
    if statement is not None:
        stated = page_theorem(page)
        assert len(stated.parts) == len(statement.parts)
        for mine in statement.parts:
            theirs = next(one for one in stated.parts if one.name == mine.name)
            assert (mine.relation, mine.measured, mine.where) == (theirs.relation, theirs.measured, theirs.where)
            assert is_zero(mine.value - theirs.value)
        for mine, theirs in ((statement.per_step, stated.per_step), (statement.at_integer_T, stated.at_integer_T)):
            assert (mine is None) == (theirs is None)
        assert statement.per_step is None or is_zero(statement.per_step - stated.per_step)
        if whole := statement.at_integer_T:
            assert whole.rounding == stated.at_integer_T.rounding
            assert is_zero(whole.bound - stated.at_integer_T.bound)
            assert is_zero(whole.trivial - stated.at_integer_T.trivial)
        for mine, theirs in ((statement.bound, stated.bound), (statement.any_schedule, stated.any_schedule)):
            assert mine is theirs is None or is_zero(mine - theirs)
        assert {*stated.schedule} == {*statement.schedule}
        assert all(is_zero(value - stated.schedule[name]) for name, value in statement.schedule.items())
        for mine, theirs in zip(statement.conditions, stated.conditions, strict=True):
            assert (mine.caveat, mine.kind, mine.relation.rel_op) == (theirs.caveat, theirs.kind, theirs.relation.rel_op)
            assert is_zero(mine.relation.lhs - mine.relation.rhs - theirs.relation.lhs + theirs.relation.rhs)
        assert (stated.assumptions, stated.notes) == (statement.assumptions, statement.notes)
        for mine, theirs in zip(statement.valid_if, stated.valid_if, strict=True):
            assert mine.rel_op == theirs.rel_op
            assert is_zero(mine.lhs - mine.rhs - theirs.lhs + theirs.rhs)


def weights(proof, step):
    """The lines that a line rests on, each as often as its reason names it."""
    from bounds.proofs.lines import named_lines

    yield Counter(named_lines(step.certificate))


def test_a_proof_in_python_becomes_a_page_that_is_checked(tmp_path, monkeypatch, capsys):
    """The example for authors: its page has the same verdict, which can be PROVED only for pages."""
    monkeypatch.chdir(tmp_path)
    source = Path(bounds.__file__).parents[1] / "theory_lab" / "examples" / "own_paper.py"
    Path("mine.py").write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["show", "noisy_sgd.average", "--page", "--module", "mine.py"]) == 0
    text = capsys.readouterr().out
    Path("mine.page").write_text(text, encoding="utf-8")
    (claim,) = load_page(Path("mine.page")).CLAIMS
    finding = claim.examine(**claim.arguments_of(False))
    assert finding.outcome is Outcome.CONSISTENT
    assert "4 of 4 steps are certified" in finding.sentence
    assert "argued in words: square, jensen" in finding.sentence


def test_what_a_page_cannot_say_is_told():
    facts = (line("known", n, ">=", 1).says("n").meaning(),)
    with pytest.raises(ValueError, match="known: what holds by what symbols are stands on pages of facts"):
        page_text(None, Derivation("own.a", "a", "here", (line("two", n + d, ">=", 2).says("n").by("known", "d >= 1"),), facts))
    with pytest.raises(ValueError, match="is a decimal number: a page has exact ones"):
        page_text(None, Derivation("own.b", "b", "here", (line("half", 0.5 * n, ">=", 0).says("n").by(n / 2),)))


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (n * d / (T * alpha), "d n/(T alpha)"),
        (n / d * T, "T n/d"),
        ((n + 1) / d, "(n + 1)/d"),
        (-n / (d + 1), "-n/(d + 1)"),
        (sp.Rational(-3, 4), "-3/4"),
        (sp.Rational(3, 4) * n, "3 n/4"),
        (n ** sp.Rational(-1, 2), "1/sqrt(n)"),
        (n ** sp.Rational(3, 2), "n^(3/2)"),
        (n**-2, "1/n^2"),
        ((n * d) ** T, "(d n)^T"),
        (2 ** (-n), "2^(-n)"),
        (sp.exp(-(n**2)), "exp(-n^2)"),
        (sp.E * sp.pi, "e pi"),
        (Max(n, d), "max(d, n)"),
        (sp.ceiling(n / 2), "ceil(n/2)"),
        (sp.erfc(n) - sp.log(d), "-log(d) + erfc(n)"),
        (-n - d, "-d - n"),
        (n * (d - T) ** 2, "n (-T + d)^2"),
    ],
)
def test_formulas_have_the_grammar_of_pages(expression, text):
    found = FormulaWriter({}).text_of(expression)
    assert found == text
    source = f"theory-page 1\n\nlemma own.one -- one\nsource -- here\nuses shared.symbols\n\nlet\n  it = {found}\n\nassume\n  a: n >= 1\n"
    source += "\nproof\n  b: n >= 1\n    by [a]\n"
    own = Store({**lab_pages().texts, "one.page": source}).page("own.one")
    assert is_zero(PageValues(own).value("it") - expression)


def test_long_lines_go_on_below_and_numbers_have_no_point():
    formula = " + ".join(f"a_{k} b_{k}" for k in range(40))
    found = wrap_line(f"  line: x <= {formula} -- {'words ' * 40}".rstrip())
    assert all(len(one) <= 140 for one in found)
    assert re.sub(r"\s+", " ", " ".join(one for one in found if " -- " not in one and not one.strip().startswith("--"))).strip() == (
        f"line: x <= {formula}"
    )
    assert [exact_number(one) for one in (1e6, 1e-9, 0.5, 3.0, 1e300)] == ["10^6", "1/10^9", "1/2", "3", "10^300"]
