"""The colours of pages: every page of the lab is read without an unknown sign, and the editors' grammar has the same names."""

import json
import tomllib
from pathlib import Path

import pytest
from pygments.token import Comment, Error, Keyword, Name, String

from bounds.pages.tokens import FUNCTIONS, WORDS_OF_REASONS
from paper_checks.pages.claims import ITEMS
from theory_lab.methods.record import resolved
from theory_lab.page_lexer import SECTIONS, PageLexer

ROOT = Path(__file__).parents[2]
PAGES = sorted(one for room in ("bounds", "paper_checks", "theory_lab") for one in (ROOT / room).rglob("*.page"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}.{page.stem}")
def test_a_page_is_read_to_its_end(page):
    text = page.read_text(encoding="utf-8")
    tokens = list(PageLexer().get_tokens(text))
    assert "".join(value for _, value in tokens) == text
    assert [value for kind, value in tokens if kind is Error] == []


def kinds(text):
    return {value: kind for kind, value in PageLexer().get_tokens(text)}


def test_a_line_has_its_colours():
    found = kinds(
        "theory-page 1\nproof -- The title\n  one: a <= sqrt(b) -- words\n    by [h] inserting T\n    from two of dpzero.theorem3\n# no\n"
    )
    assert found["proof"] is Keyword.Namespace
    assert found["one"] is Name.Label
    assert found["sqrt"] is Name.Function
    assert found["-- words"] is String.Doc
    assert found["by"] is found["inserting"] is found["from"] is Keyword.Reserved
    assert found["dpzero.theorem3"] is Name.Namespace
    assert found["# no"] is Comment


def test_a_claim_has_its_colours():
    found = kinds('claim dpzero.x.y: scope\n  source -- here\n  check theorem3.f(key = "a")\n')
    assert (found["claim"], found["source"], found["check"]) == (Keyword.Namespace, Keyword, Keyword)
    assert found["theorem3.f"] is Name.Namespace
    assert found['"a"'] is String


def test_the_lexer_is_declared_where_pygments_looks():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert resolved(project["entry-points"]["pygments.lexers"]["page"]) is PageLexer


def test_the_grammar_of_editors_has_the_same_words():
    grammar = json.loads((ROOT / "docs" / "editors" / "theory-page.tmLanguage.json").read_text(encoding="utf-8"))
    words = {one["name"]: one["match"] for one in grammar["patterns"]}
    for name, known in (("section", SECTIONS), ("item", ITEMS), ("reason", WORDS_OF_REASONS), ("function", FUNCTIONS)):
        match = next(match for key, match in words.items() if key.endswith(name))
        assert all(word in match.replace("(", "|").replace(")", "|").split("|") for word in known), name
