"""What the documentation prints from the lab: every link has a place, and a claim is printed with all that is said of it."""

import importlib.util
import re
import sys
from types import SimpleNamespace

import pytest

from bounds.papers import PAPERS
from tests.docs.snippets import ROOT
from theory_lab.catalogue import all_entries


@pytest.fixture
def lab(monkeypatch):
    """Import the Sphinx directives of docs/_ext/lab.py without Sphinx; only the lines that they return are tested."""
    stand_in = SimpleNamespace(nodes=SimpleNamespace(Element=object), convert=str, Sphinx=object, SphinxDirective=object)
    names = ("docutils", "latex2mathml", "latex2mathml.converter", "sphinx", "sphinx.application", "sphinx.util", "sphinx.util.docutils")
    for name in names:
        monkeypatch.setitem(sys.modules, name, stand_in)
    spec = importlib.util.spec_from_file_location("printed_by_the_lab", ROOT / "docs" / "_ext" / "lab.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def directive_text(directive, argument=""):
    """Return the lines that a directive prints, as text."""
    return "\n".join(directive.lines(SimpleNamespace(argument=argument)))


def test_every_link_of_words_errata_and_claims_has_its_place(lab):
    pages = [directive_text(lab.Words), *(f"{directive_text(lab.Errata, paper)}\n{directive_text(lab.Claims, paper)}" for paper in PAPERS)]
    for page in pages:
        links = re.findall(r"\]\(#([^)]*)\)", page)
        assert links
        assert set(links) <= set(re.findall(r"^\(([^)]*)\)=$", page, re.M))


def test_a_claim_is_printed_with_its_verdict_and_with_what_holds_instead(lab):
    for paper in PAPERS:
        page = directive_text(lab.Claims, paper)
        for one in all_entries():
            if one.kind == "claims" and one.name.startswith(f"{paper}."):
                for label in ("states", "verdict", "source"):
                    assert lab.escape_markup(one.more[label]) in page, one
                assert "instead" not in one.more or f"  Instead: {lab.escape_markup(one.more['instead'])}." in page, one
