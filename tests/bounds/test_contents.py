"""A paper's table of contents: what a row may say, and what is refused."""

import re
import sys
from types import ModuleType

import pytest

import bounds
from bounds import symbols
from bounds.contents import declared, found_at, tables

PROOF = bounds.DERIVATIONS["dpzero.theorem1"]


@pytest.fixture
def page(monkeypatch):
    """A paper of one page, without a glossary."""
    paper, page = ModuleType("bounds.own"), ModuleType("bounds.own.page")
    paper.__path__ = []
    page.STATEMENT, page.VALUE, page.written = "a statement", PROOF, lambda: PROOF
    monkeypatch.setitem(sys.modules, paper.__name__, paper)
    monkeypatch.setitem(sys.modules, page.__name__, page)


@pytest.mark.parametrize("proof", ["VALUE", "written"])
def test_a_proof_is_a_value_or_a_function(page, proof):
    theorems, derivations = tables("own", f"first page STATEMENT {proof}")
    assert theorems["own.first"] == "a statement"
    assert derivations["own.first"] is PROOF


def test_statements_and_proofs_stand_in_the_order_of_the_rows(page):
    theorems, derivations = tables("own", "b page STATEMENT VALUE\n a page STATEMENT -\n c page - VALUE")
    assert [list(theorems), list(derivations)] == [["own.b", "own.a"], ["own.b", "own.c"]]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ("first page STATEMENT", "row = 'first page STATEMENT': a result of own needs a name, a module, a statement and a proof"),
        ("first page STATEMENT VALUE 1", "row = 'first page STATEMENT VALUE 1': a result of own needs"),
        ("first page STATEMENT -\n  first page - VALUE", "row = 'first page - VALUE': own has another result of this name"),
    ],
)
def test_a_row_that_says_something_else_is_refused(rows, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        tables("own", rows)


def test_a_paper_needs_no_glossary(page):
    assert declared("own", "glossary", "LETTERS") == ()
    assert declared("dpzero", "glossary", "NO_SUCH_TABLE") == ()
    assert {letter.name for letter in declared("dpzero", "glossary", "LETTERS")} <= set(symbols.GLOSSARY)


def test_an_address_names_a_module_or_what_stands_in_it():
    assert found_at("bounds.symbols") is symbols
    assert found_at("bounds.symbols:GLOSSARY") is symbols.GLOSSARY
