"""README and the documentation are short, in short sentences and paragraphs, without words that only we use."""

import re

import pytest

from tests.docs.snippets import FENCE, ROOT, pages

PAGES = {str(page.relative_to(ROOT)): page.read_text(encoding="utf-8") for page in pages()}
MOST_WORDS, MOST_LINES = 1_500, 150  # of README
PARAGRAPH, SENTENCE, SHARE = 80, 30, 0.05  # words of a paragraph and of a sentence, and the share of sentences that may be longer
PRIVATE = r"\bin law\b|\bworlds\b|\bledgers?\b|\btwins?\b|\bjournal\b|\bvouch\w*\b|\bis told\b|\bare told\b|\blandscapes?\b"


def paragraphs(text):
    """Return the paragraphs and list items of a page, without code, tables, headings, pictures and displayed formulas."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)
    text = re.sub(r"<[^>]+>", " ", FENCE.sub("\n\n", text))
    blocks = re.split(r"\n\s*\n", re.sub(r"\n(?=\s*([-*+]|\d+\.)\s)", "\n\n", text))
    kept = [block for block in blocks if not re.match(r"\s*(#|\||!\[|\$\$|\()", block)]
    return [" ".join(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"`[^`]*`", "code", block)).split()) for block in kept]


def words(text):
    """Return the number of words of a text."""
    return len(re.findall(r"[A-Za-z0-9][\w'’.,-]*", text))


def sentences(text):
    """Return the sentences in the paragraphs of a page."""
    return [one for part in paragraphs(text) for one in re.split(r"(?<=[.!?])\s+(?=[A-Z`(])", part) if one]


def test_the_readme_is_short():
    text = PAGES["README.md"]
    assert sum(map(words, paragraphs(text))) <= MOST_WORDS
    assert len(text.splitlines()) <= MOST_LINES
    assert [one for one in sentences(text) if words(one) > SENTENCE] == []


@pytest.mark.parametrize("name", PAGES)
def test_paragraphs_and_sentences_are_short(name):
    assert [one for one in paragraphs(PAGES[name]) if words(one) > PARAGRAPH] == []
    every = sentences(PAGES[name])
    long = [one for one in every if words(one) > SENTENCE]
    assert len(long) <= SHARE * max(len(every), 20), long


@pytest.mark.parametrize("name", PAGES)
def test_no_word_is_only_ours(name):
    text = "\n".join(paragraphs(PAGES[name]))
    assert re.findall(PRIVATE, text, re.I) == []


def test_long_sentences_and_paragraphs_are_noticed():
    long = "A " + "word " * 40 + "ends."
    assert [words(one) for one in sentences(f"# Title\n\nShort one. {long}\n")] == [2, 42]
    assert max(map(words, paragraphs(f"- {long}\n- {long} {long}\n"))) == 84
    assert paragraphs("| a | b |\n\n```sh\nx\n```\n\n![p](q)\n") == []
