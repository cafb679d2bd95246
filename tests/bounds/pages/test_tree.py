"""Pages of text: the grammar of docs/reference/page-language.md, the trees that come of it, and mistakes with their places."""

from pathlib import Path
from typing import Any

import pytest

from bounds.pages.tokens import BadPage
from bounds.pages.tree import read_tree

LEMMA = """theory-page 1

lemma example.one -- a lemma
source -- here

let
  rate(c) = c/n
  half = 1/2

proof
  step: {} -- words
    by 0
"""
WHOLE = """theory-page 1

lemma example.descent -- One step of gradient descent
source -- Nesterov (2018), Lemma 1.2.3
uses shared.symbols

assume
  step_size: alpha <= 1/ell                                -- the step size is at most 1/ell

given
  taylor: F_next <= F_now - alpha grad_sq + (ell alpha^2/2) grad_sq
    cited -- the descent lemma

proof
  decrease: F_next <= F_now - (alpha/2) grad_sq            -- the loss F_next after a step
    by [taylor] + (ell alpha/2) grad_sq [step_size]        -- half of the term is left
"""
Q = {number: ["q", str(number)] for number in (-1, 0, 1, 2, 3)}


def tree(formula: str) -> Any:
    """Return the tree of the left side of a formula."""
    page = read_tree(LEMMA.format(formula + " <= 0"))
    return page["sections"][-1]["items"][0]["formula"][0]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("x", "x"),
        ("3", Q[3]),
        ("-3", ["q", "-3"]),
        ("3/4", ["q", "3/4"]),
        ("-6/4", ["q", "-3/2"]),
        ("a b", ["*", "a", "b"]),
        ("a*b", ["*", "a", "b"]),
        ("a b/c", ["*", "a", "b", ["^", "c", Q[-1]]]),
        ("1/c", ["*", Q[1], ["^", "c", Q[-1]]]),
        ("(a/b) c", ["*", ["*", "a", ["^", "b", Q[-1]]], "c"]),
        ("a/(b c)", ["*", "a", ["^", ["*", "b", "c"], Q[-1]]]),
        ("-a^2", ["*", Q[-1], ["^", "a", Q[2]]]),
        ("(-a)^2", ["^", ["*", Q[-1], "a"], Q[2]]),
        ("2 a^2", ["*", Q[2], ["^", "a", Q[2]]]),
        ("a^(1/2)", ["^", "a", ["q", "1/2"]]),
        ("a^(-1)", ["^", "a", Q[-1]]),
        ("e^x", ["^", ["e"], "x"]),
        ("sqrt(2 pi)", ["^", ["*", Q[2], ["pi"]], ["q", "1/2"]]),
        ("a - b c", ["+", "a", ["*", Q[-1], ["*", "b", "c"]]]),
        ("a - b - c", ["+", "a", ["*", Q[-1], "b"], ["*", Q[-1], "c"]]),
        ("a - (b - c)", ["+", "a", ["*", Q[-1], ["+", "b", ["*", Q[-1], "c"]]]]),
        ("-(a + b)", ["*", Q[-1], ["+", "a", "b"]]),
        ("kappa (r + 2)", ["*", "kappa", ["+", "r", Q[2]]]),
        ("rate(x) y", ["*", ["let", "rate", "x"], "y"]),
        ("rate (x)^2", ["^", ["let", "rate", "x"], Q[2]]),
        ("half x", ["*", "half", "x"]),
        ("max(a, 0, b)", ["max", "a", Q[0], "b"]),
        ("((x))", "x"),
        ("a\n    + b", ["+", "a", "b"]),
        ("a   b", ["*", "a", "b"]),
    ],
)
def test_a_formula_is_its_tree(formula: str, expected: Any) -> None:
    """Precedence, juxtaposition, fractions, signs and definitions with parameters."""
    assert tree(formula) == expected


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("a/b c", "after a fraction"),
        ("a/b*c", "after a fraction"),
        ("a/b/c", "after a fraction"),
        ("a/2 (x)", "after a fraction"),
        ("a^b^c", "a^(b^c)"),
        ("a^-1", "in brackets if it is negative"),
        ("a*-b", "a factor after *"),
        ("a + + b", "a number, a name or a bracket"),
        ("a + - b", "a number, a name or a bracket"),
        ("0.5", "a decimal point"),
        ("2x", "a letter follows a digit"),
        ("1e9", "a letter follows a digit"),
        ("sqrt", "the argument of sqrt"),
        ("exp(a, b)", "exp has 2 arguments: 1 are needed"),
        ("min(a)", "two or more are needed"),
        ("rate", "the argument of rate"),
        ("rate(a, b)", "rate has 2 arguments"),
        ("by", "'by' is a reserved word"),
        ("(a", "')', or one of + - * / ^, is needed"),
        ("a)", "one of <= >="),
        ("a ** b", "a factor after *"),
        ("x/0", "a quotient by 0"),
        ("[step]", "a number, a name or a bracket"),
        ("a ≤ b", "formulas are written in ASCII"),
        ("а", "formulas are written in ASCII"),  # a Cyrillic letter
        ("a\u200b", "cannot be seen"),
        ("a\tb", "a tab"),
        ("a; b", "has no place in a formula"),
        ("__import__", "has no place in a formula"),
        ("a.real", "is needed"),
        ("1" * 41, "a number of 41 digits"),
        ("(" * 61 + "a" + ")" * 61, "more than 60 brackets"),
    ],
)
def test_what_is_no_formula_is_refused_with_what_is_needed(formula: str, said: str) -> None:
    """One mistake, in the line of the formula."""
    with pytest.raises(BadPage) as caught:
        tree(formula)
    assert said in str(caught.value)
    assert {mistake.line for mistake in caught.value.mistakes} == {11}


def changed(old: str, new: str) -> str:
    """Return the whole page with one text replaced, which it has."""
    assert old in WHOLE
    return WHOLE.replace(old, new, 1)


@pytest.mark.parametrize(
    ("old", "new", "place", "said"),
    [
        ("theory-page 1", "theory-page 2", (1, 1), "the first line must be"),
        ("lemma example.descent -- One", "lemma example.descent One", (3, 23), "words, -- and the title"),
        ("lemma", "lema", (3, 1), "the first section, one of theorem, lemma"),
        ("source", "sorce", (4, 1), "the nearest name is source"),
        ("assume", "given", (10, 1), "stands here twice"),
        ("uses shared.symbols", "notes\n  a -- b", (8, 1), "must stand before 'notes'"),
        ("uses shared.symbols", "uses symbols", (5, 6), "the key of a page"),
        ("uses shared.symbols", "bound x <= 1 -- x", (5, 1), "a page of kind lemma has no section 'bound'"),
        ("  step_size: alpha", "  step_size alpha", (8, 13), "':' is needed"),
        ("  taylor:", "  by:", (11, 3), "'by' stands here"),
        ("    cited -- the descent lemma", "", (11, 68), "a reason, one of by, equal"),
        ("    cited -- the descent lemma", "    cited", (12, 10), "words, after --"),
        ("    cited -- the", "    cited using [a -- the", (12, 20), "']' is needed"),
        ("by [taylor] +", "by [taylor] inserting a +", (16, 29), "the end of the item is needed"),
        ("decrease: F_next", "taylor: F_next <= 0 by 0\n  taylor: F_next", (16, 3), "stands in this section twice"),
        ("    by [taylor]", "    meaning\n    by [taylor]", (16, 5), "belong to pages of facts"),
        ("    by [taylor]", "    only lemma: by [taylor]", (16, 5), "this page has one variant"),
    ],
)
def test_a_mistake_has_its_place_and_what_was_expected(old: str, new: str, place: tuple[int, int], said: str) -> None:
    """Line, column, a sentence, and the line of the page with a caret."""
    with pytest.raises(BadPage) as caught:
        read_tree(changed(old, new), "my.page")
    assert any(said in one.message and (one.line, one.column) == place for one in caught.value.mistakes)
    assert f"my.page:{place[0]}:{place[1]}: " in str(caught.value)


def test_three_mistakes_are_reported_at_once() -> None:
    """Each with its own caret."""
    text = changed("- (alpha/2) grad_sq ", "- alpha/2 grad_sq ").replace("uses", "used").replace("1/ell ", "1.0/ell ")
    with pytest.raises(BadPage) as caught:
        read_tree(text)
    assert [(one.line, one.column) for one in caught.value.mistakes] == [(5, 1), (8, 24), (15, 39)]
    assert str(caught.value).count("^\n") + str(caught.value).endswith("^") == 3


def test_spaces_and_comments_mean_nothing() -> None:
    """How far a line is indented, how many spaces stand between two words, and what follows # at the start of a line."""
    spread = "\n".join(
        line if not line.startswith(" ") else "       " + line.strip().replace("  ", "    ") + "\n   # a comment"
        for line in WHOLE.split("\n")
    )
    assert read_tree(spread) == read_tree(WHOLE)


def test_every_page_of_the_lab_is_read() -> None:
    """And its key stands in its first section."""
    files = sorted(Path("bounds").rglob("*.page"))
    assert files
    for file in files:
        assert read_tree(file.read_text(encoding="utf-8"), str(file))["keys"]
