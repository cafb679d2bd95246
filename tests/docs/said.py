"""Check that README or the documentation contains a sentence, for tests that compare sentences with computed values."""

from tests.docs.snippets import pages

TEXT = " ".join(" ".join(page.read_text(encoding="utf-8").split()) for page in pages())


def check_sentence(sentence):
    """Fail unless README or a page of docs/ contains the given sentence or part of a sentence."""
    assert sentence in TEXT, sentence
