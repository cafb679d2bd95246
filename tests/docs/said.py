"""Sentences of README and of the documentation, which tests compare with what is computed."""

from tests.docs.snippets import pages

TEXT = " ".join(" ".join(page.read_text(encoding="utf-8").split()) for page in pages())


def said(sentence):
    """Fail unless README or a page of docs/ has this sentence, or part of one."""
    assert sentence in TEXT, sentence
