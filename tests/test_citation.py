"""What people who cite the lab read: CITATION.cff, CHANGELOG.md and `theory-lab --version` agree with the lab."""

import platform
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import yaml

from bounds import origin
from bounds.papers import PAPERS
from bounds.typeset import citation
from figures import crate
from tests.calls import print_lightly

ROOT = Path(__file__).parents[1]
CITED = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_citation_is_of_this_version_and_of_all_papers():
    assert (CITED["version"], CITED["license"]) == (PROJECT["version"], PROJECT["license"])
    assert [one["title"] for one in CITED["references"]] == [paper.title for paper in PAPERS.values()]
    for one, paper in zip(CITED["references"], PAPERS.values(), strict=True):
        assert [f"{author['given-names']} {author['family-names']}" for author in one["authors"]] == list(paper.authors)
        assert f"arXiv:{one['url'].rpartition('/')[2]}" in paper.published
        assert str(one["year"]) in paper.published or one["url"].rpartition("/")[2].startswith(str(one["year"])[2:])


def bibtex_fields(bibtex):
    """Return the kind, the key and the fields of a BibTeX entry; a title in double braces keeps its capitals."""
    kind, key = re.match(r"@(\w+)\{(\w+),", bibtex).groups()
    assert bibtex.endswith("\n}")
    assert bibtex.count("{") == bibtex.count("}")
    return kind, key, dict(re.findall(r"^  (\w+) = \{(.*)\},$", bibtex, re.M))


def test_bibtex_has_what_the_citation_has():
    keys = []
    for one, paper in zip(CITED["references"], PAPERS.values(), strict=True):
        kind, key, found = bibtex_fields(paper.bibtex)
        keys.append(key)
        assert found.pop("author").split(" and ") == list(paper.authors)
        assert found.pop("title") == f"{{{one['title']}}}"
        assert (found.pop("eprint"), found.pop("archivePrefix")) == (one["url"].rpartition("/")[2], "arXiv")
        assert found.pop("year") == str(one["year"])
        assert kind == ("inproceedings" if found else "misc")
        assert not found or f"{found.pop('booktitle')} {one['year']}" in paper.published
        assert not found
    assert keys == ["zhang2024dpzero", "tao2025gausspsgd", "mulrooney2025dpgrape", "liu2025dpzopo"]
    assert bibtex_fields(citation.lab_bibtex()) == (
        "misc",
        citation.CITE_KEY,
        {
            "author": f"{{{CITED['authors'][0]['name']}}}",
            "title": f"{{{CITED['title']}}}",
            "year": str(CITED["date-released"])[:4],
            "note": f"Version {version('dp-theory-lab')}, commit {origin.source_commit()}",
        },
    )


def test_a_source_names_version_and_commit_and_cites_the_lab_and_the_papers(monkeypatch):
    monkeypatch.setattr(citation, "source_commit", lambda: "0123456789abcdef, with changes that are not committed")
    lab = rf"DP Theory Lab, version {version('dp-theory-lab')}, commit \texttt{{0123456789ab}}, with changes that are not committed"
    assert citation.source_note(()) == rf"Source: {lab}~\cite{{dptheorylab}}."
    about = r"DPZero~\cite{zhang2024dpzero}, DP-ZOPO~\cite{liu2025dpzopo}"
    assert citation.source_note(["dpzero", "mine", "dp_zopo"]) == rf"Source: {lab}~\cite{{dptheorylab}}; about {about}."
    entries = citation.bibliography(["dpzero", "mine"]).splitlines()
    assert entries[0] == citation.PASTE
    assert "\n".join(line.removeprefix("% ") for line in entries[1:]) == f"{citation.lab_bibtex()}\n{PAPERS['dpzero'].bibtex}"


def test_the_newest_changes_are_those_of_this_version():
    sections = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert sections[0] == PROJECT["version"]
    numbers = [tuple(map(int, one.split("."))) for one in sections]
    assert numbers == sorted(set(numbers), reverse=True)


def test_the_crates_of_results_name_lab_authors_and_licence_as_they_are_cited():
    assert crate.LAB == CITED["title"]
    assert [{"name": crate.AUTHORS}] == CITED["authors"]
    assert f"https://spdx.org/licenses/{PROJECT['license']}" == crate.LICENCE


def test_the_version_is_told_without_anything_heavy():
    first, second = print_lightly("--version").splitlines()
    assert first == f"theory-lab {version('dp-theory-lab')} (commit {origin.source_commit()})"
    assert second.startswith(f"Python {platform.python_version()}, ")
    for name in origin.LIBRARIES:
        assert f"{name} {version(name)}" in second
