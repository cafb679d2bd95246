"""A paper's table of contents: its statements and proofs by key, read from their pages when they are asked for, and what is refused."""

import re
import sys
from types import ModuleType

import pytest

import bounds
from bounds import symbols
from bounds.pages import store as page_store
from bounds.pages.contents import LazyMapping, import_object, load_proof, page_tables
from bounds.pages.tokens import BadPage
from bounds.proofs.derivation import Derivation
from bounds.theorem import Theorem

PROOF = bounds.DERIVATIONS["dpzero.theorem1"]
LEMMA = """theory-page 1

lemma own.{name} -- {name}
source -- nobody
uses shared.symbols

proof -- what {name} says
  bound: {formula} -- the number n
    by 1
"""


@pytest.fixture
def store(monkeypatch):
    """The lab's pages and two of a paper of our own, one of them with a mistake."""
    own = {"a.page": LEMMA.format(name="a", formula="n + 1 >= n"), "b.page": LEMMA.format(name="b", formula="n + >= n")}
    found = page_store.Store({**page_store.lab_pages().texts, **own})
    monkeypatch.setattr(page_store, "lab_pages", lambda: found)
    return found


def test_a_page_is_a_statement_or_a_proof_or_both():
    theorems, derivations = page_tables("dpzero", "theorem1 table1_dp_gd integer_t_dp_gd")  # both, without a proof, a lemma
    assert [list(theorems), list(derivations)] == [
        ["dpzero.theorem1", "dpzero.table1_dp_gd"],
        ["dpzero.theorem1", "dpzero.integer_t_dp_gd"],
    ]
    assert {type(one) for one in theorems.values()} == {Theorem}
    assert {type(one) for one in derivations.values()} == {Derivation}
    assert all(one.key == key for table in (theorems, derivations) for key, one in table.items())
    assert derivations["dpzero.theorem1"].proves is bounds.THEOREMS["dpzero.theorem1"]
    assert derivations["dpzero.integer_t_dp_gd"].proves is None


def test_two_variants_of_a_page_have_a_key_each():
    theorems, derivations = page_tables("dpzero", "corollary_f3 corollary_f2")
    assert [one.title.partition(" (")[0] for one in theorems.values()] == ["Corollary F.3", "Corollary F.2"]
    assert [one.proves.key for one in derivations.values()] == ["dpzero.corollary_f3", "dpzero.corollary_f2"]


def test_statements_and_proofs_stand_in_the_order_of_the_names(store):
    assert list(page_tables("own", "b\n   a")[1]) == ["own.b", "own.a"]
    assert list(page_tables("own", "a b")[1]) == ["own.a", "own.b"]
    assert len(page_tables("own", "a b")[0]) == 0


def test_a_page_is_read_when_it_is_asked_for(store):
    _, derivations = page_tables("own", "a b")
    assert (store.trees, "own.a" in derivations, "own.c" in derivations, len(derivations)) == ({}, True, False, 2)
    assert derivations["own.a"] is derivations["own.a"]
    assert "a.page" in store.trees
    assert "b.page" not in store.trees
    with pytest.raises(BadPage, match=r"b\.page"):
        derivations["own.b"]


@pytest.mark.parametrize(("names", "key"), [("a c", "own.c"), ("a b a", "own.a")])
def test_a_page_that_is_not_there_or_is_named_twice_is_refused(store, names, key):
    with pytest.raises(ValueError, match=re.escape(f"names = {key.removeprefix('own.')!r}: one page of the key {key} is needed")):
        page_tables("own", names)


def test_a_value_is_made_once():
    made = []
    table = LazyMapping({"one": lambda: made.append(1) or "a value"})
    assert ("one" in table, "two" in table, list(table), made) == (True, False, ["one"], [])
    assert (table["one"], table["one"], made) == ("a value", "a value", [1])
    with pytest.raises(KeyError, match="two"):
        table["two"]
    with pytest.raises(TypeError):
        table["two"] = "another"


def test_an_address_names_a_module_or_what_stands_in_it():
    assert import_object("bounds.symbols") is symbols
    assert import_object("bounds.symbols:GLOSSARY") is symbols.GLOSSARY


@pytest.mark.parametrize("name", ["VALUE", "written"])
def test_a_proof_is_a_value_or_a_function(monkeypatch, name):
    own = ModuleType("bounds.own")
    own.VALUE, own.written = PROOF, lambda: PROOF
    monkeypatch.setitem(sys.modules, own.__name__, own)
    assert load_proof(f"bounds.own:{name}") is PROOF
    assert load_proof(getattr(own, name)) is PROOF
