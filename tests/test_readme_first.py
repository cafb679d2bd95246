"""The README's first screen: it names, links and counts every paper, and it is short."""

import re

from tests.test_readme import TEXT


def test_every_paper_is_named_linked_and_counted():
    from bounds.papers import PAPERS
    from paper_checks import papers

    rows = [line for line in TEXT.splitlines() if line.startswith("| [") and "arxiv.org" in line]
    for row, paper in zip(rows, PAPERS.values(), strict=True):
        assert f"](https://arxiv.org/abs/{re.search(r'arXiv:([0-9.]+)', paper.published)[1]})" in row
        assert paper.title.removeprefix("DPZero: ") in row
        assert paper.name in row
        assert f"[{len(papers.errata(paper.key))} errata](figures/gallery/{paper.key.replace('_', '-')}-report.html)" in row


def test_the_first_screen_is_short():
    """Two screens of a laptop, of 1280 x 700 beside what a browser shows: lines of 120 letters, 40 on a screen of which a picture is 15."""
    first = TEXT.partition("Ten lines of Python")[0]
    lines = sum(max(1, -(-len(re.sub(r"\]\([^)]*\)", "", line)) // 120)) for line in first.splitlines())
    assert lines + 15 * first.count("![") <= 80
