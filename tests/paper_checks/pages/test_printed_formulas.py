"""Formulas as printed, on pages of claims: what a name in them means, mistakes, and that every one of them is compared with something."""

import re
from pathlib import Path

import pytest
import sympy as sp

from bounds.pages.tokens import BadPage
from bounds.symbols import symbols
from paper_checks import papers
from paper_checks.pages import as_printed
from paper_checks.pages.as_printed import Printed, printed
from paper_checks.pages.claims import FOLDER, page_files

HEAD = "theory-page 1\n\nclaims gauss_psgd.mine -- mine\n\n"
FORMULAS = [(paper, *row) for paper in papers.PAPERS for row in printed(paper).rows]


@pytest.fixture
def page(tmp_path, monkeypatch):
    """Reads the printed formulas of a page of claims about Gauss-PSGD."""

    def read(text):
        file = tmp_path / "mine.page"
        file.write_text(HEAD + text, encoding="utf-8")
        monkeypatch.setattr(as_printed, "page_files", lambda paper: (file,))
        monkeypatch.setattr(as_printed, "page_path", lambda file: file.name)
        return Printed("gauss_psgd")

    return read


def test_a_name_is_a_letter_of_the_paper_or_a_formula_of_the_statement_or_one_by_itself(page):
    """alpha of Gauss-PSGD is the accuracy, not the step size; `rest` is looked up in its own statement first."""
    found = page(
        """printed -- words
  rest = 2 alpha

printed one -- words
  rest = 3 mu                                   -- words of a formula
  eta = rest + sqrt(M) - e^(-1/2) +
    log(pi)
  whole = eta rest/other

printed two -- words
  eta = rest

printed -- more
  other = rest^2
"""
    )
    accuracy, log_factor, M, eta = symbols("accuracy log_factor ell eta")
    assert dict(found) == {"rest": 2 * accuracy, "other": 4 * accuracy**2}
    one = found.of("one")
    assert one["eta"] == 3 * log_factor + sp.sqrt(M) - sp.exp(-sp.Rational(1, 2)) + sp.log(sp.pi)
    assert one["whole"] == eta * 3 * log_factor / (4 * accuracy**2)
    assert found.by_symbol("two") == {eta: 2 * accuracy}
    assert found.statements == ("one", "two")
    assert found.symbols("alpha G") == symbols("accuracy L")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("printed -- w\n  one = alpah\n", "mine.page:6:9: 'alpah' is no letter of gauss_psgd.symbols and no printed formula"),
        ("printed -- w\n  one = cross_term\n", "'cross_term' is no letter"),  # it is one of another paper
        ("printed -- w\n  one = 2 two\n  two = one + 1\n", "mine.page:6:3: 'one' is defined by itself"),
        ("printed -- w\n  alpha = 2\n", "mine.page:6:3: 'alpha' is a letter of the paper: a formula by itself has another name"),
        ("printed -- w\n  one = 2\n  one = 3\n", "mine.page:7:3: 'one' stands in mine.page already: another name is needed"),
        ("printed a -- w\n  one = 2\n\nprinted a -- w\n  one = 3\n", "mine.page:9:3: 'one' stands in mine.page already"),
        ("printed -- w\n  one = 0.5\n", "mine.page:6:10: a decimal point: exact numbers are needed"),
        ("printed -- w\n  one <= 2\n", "mine.page:6:7: '<=' stands here: '=' is needed"),
        ("printed -- w\n  one = 2 three]\n", "mine.page:6:16: ']' stands here: the end of the item is needed"),
        ("printed -- w\n  log = 2\n", "'log' is a reserved word: the name of a formula has another name"),
        ("printed -- w\n  one = sqrt(__import__)\n", "mine.page:6:14: '_' has no place in a formula"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_place(page, text, said):
    with pytest.raises(BadPage, match=re.escape(said)):
        {**page(text)}


def test_a_name_that_is_not_there_is_told(page):
    found = page("printed -- w\n  one = 2\n\nprinted first -- w\n  two = 3\n")
    with pytest.raises(KeyError, match="'oen': no formula of gauss_psgd has this name; the nearest name is one"):
        found["oen"]
    with pytest.raises(KeyError, match="'frist': no statement of gauss_psgd has this name; the nearest name is first"):
        found.of("frist")


@pytest.mark.parametrize(("paper", "statement", "name"), FORMULAS)
def test_every_formula_is_read_and_compared_with_something(paper, statement, name):
    """A transcription that nothing reads would be no witness: each is named by a check, by an argument of one, or by another formula."""
    found = printed(paper)
    formula = found.of(statement)[name] if statement else found[name]
    assert isinstance(formula, sp.Basic)
    others = {token.text for row in found.rows.values() for token in row.names[1:]}
    checks = "".join(file.read_text(encoding="utf-8") for file in [*(FOLDER / paper).rglob("*.py"), *page_files(paper)])
    false = Path(FOLDER.parent / "bounds" / paper / "false_lines.py")
    lines = false.read_text(encoding="utf-8") if false.is_file() else ""
    called = f'"{name}"' in checks + lines or f"printed.{name}" in checks
    whole = statement and (f'"{statement}"' in checks or f"{paper}.{statement}" in checks)
    assert whole or called or name in others
