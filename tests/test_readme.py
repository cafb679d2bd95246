"""The README names, links and counts every paper, its pictures and pages are there, and its example prints something."""

import re

from tests.docs.snippets import ROOT, blocks

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_paper_is_named_linked_and_counted():
    from bounds.papers import PAPERS
    from paper_checks import papers

    rows = [line for line in TEXT.splitlines() if line.startswith("| [") and "arxiv.org" in line]
    for row, paper in zip(rows, PAPERS.values(), strict=True):
        assert f"](https://arxiv.org/abs/{re.search(r'arXiv:([0-9.]+)', paper.published)[1]})" in row
        assert paper.title.removeprefix("DPZero: ") in row
        assert paper.name in row
        claims = [one for one in papers.claims() if one.key.startswith(f"{paper.key}.")]
        assert (
            f"| {len(claims)} | [{len(papers.errata(paper.key))} errata](figures/gallery/{paper.key.replace('_', '-')}-report.html)" in row
        )


def test_every_file_that_it_links_is_there():
    linked = re.findall(r"\]\(((?!https?:)[^)#]+)\)", TEXT)
    assert len(linked) > 15
    assert [one for one in linked if not (ROOT / one).exists()] == []


def test_three_people_find_their_command_on_the_first_screen():
    first = TEXT.partition("![")[0]
    commands = re.findall(r"\| `theory-lab ([^`]*)` \|", first)
    assert [one.split()[0] for one in commands] == ["calibrate", "show", "--module"]
    assert len(first.splitlines()) < 12


def test_the_example_is_ten_lines_long_and_prints():
    (example,) = [one for one in blocks(TEXT) if one.kind == "python"]
    assert example.runs
    lines = [line for line in example.code.splitlines() if line.strip()]
    assert len(lines) <= 10
    assert example.code.count("print(") == 3


def test_make_targets_that_are_named_exist():
    targets = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    assert set(re.findall(r"\bmake ([a-z0-9-]+)", TEXT.replace("and make", ""))) <= targets
