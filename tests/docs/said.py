"""Check that README or the documentation contains a sentence, for tests that compare sentences with computed values."""

import csv

from tests.docs.snippets import ROOT, pages
from tests.figures import crates

GALLERY = ROOT / "figures" / "gallery"

TEXT = " ".join(" ".join(page.read_text(encoding="utf-8").split()) for page in pages())


def expect(sentence):
    """Fail unless README or a page of docs/ contains the given sentence or part of a sentence."""
    assert sentence in TEXT, sentence


def table(name):
    """Return the rows of the CSV file of a committed figure."""
    with (GALLERY / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def provenance(name):
    """Return the provenance of a committed figure: the facts in its crate."""
    return crates.facts(GALLERY / f"{name}{crates.END}")
