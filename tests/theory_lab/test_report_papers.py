"""The page about several papers: their errata together, their claims paper by paper, under the anchors of their own pages."""

import re
from dataclasses import replace

import pytest

from bounds.papers import PAPERS, Paper
from paper_checks import papers
from paper_checks.errata import MARKS, WEIGHTS
from paper_checks.verdict import Outcome
from tests.theory_lab.test_report import CHROMIUM, Balance, in_frame, text_of, verdict
from theory_lab.catalogue import html_anchor
from theory_lab.cli import main
from theory_lab.report.page import count_text, erratum_rows, page_subject, report_page

KINDS = (Outcome.REFUTED, Outcome.CONSISTENT, Outcome.NOT_TESTABLE)


def some(paper):
    """Verdicts of a paper: on the claims of three errata of each weight, and on a claim that no erratum names."""
    errata = papers.errata(paper)
    chosen = [one for weight in WEIGHTS for one in [e for e in errata if e.weight == weight][:3]]
    keys = dict.fromkeys([*(f"{paper}.{one.claims[0]}" for one in chosen), f"{paper}.nobody"])
    return [verdict(key, KINDS[k % 3]) for k, key in enumerate(keys)]


OF = {paper: some(paper) for paper in PAPERS}
ALL = [v for paper in reversed(PAPERS) for v in OF[paper]]  # in no order that a page should keep


@pytest.fixture(scope="module")
def joined():
    return report_page(ALL, seconds=1.0, full=False)


def ids(html):
    return re.findall(r' id="([^"]*)"', html)


def test_the_anchors_are_unique_and_those_of_the_single_pages(joined):
    parser = Balance()
    parser.feed(joined)
    assert parser.open == []
    assert len(ids(joined)) == len(set(ids(joined)))
    assert set(re.findall(r'href="#([^"]*)"', joined)) <= set(ids(joined))
    for verdicts in OF.values():
        alone = report_page(verdicts, seconds=1.0, full=False)
        assert set(ids(alone)) <= set(ids(joined))
        assert "<section>" not in alone


def test_the_errata_of_all_papers_stand_together_by_weight_and_mark(joined):
    rows = erratum_rows(ALL)
    assert {row["paper"] for row in rows} == set(PAPERS)
    order = [(row["order"], -list(MARKS).index(row["erratum"].mark), list(PAPERS).index(row["paper"])) for row in rows]
    assert order == sorted(order)
    contents = joined[joined.index('id="errata"') : joined.index('id="words"')]
    assert re.findall(r'<li><a href="#[^"]*">([^<]*)</a>', contents) == [row["name"] for row in rows]
    assert re.findall(r"<h3>(.*?)</h3>", contents) == list(WEIGHTS.values())
    one = next(row for row in rows if row["paper"] == "dpzero")
    assert one["name"] == f"DPZero {one['erratum'].number}"
    assert f'id="erratum-dpzero-{one["erratum"].number}">\n<h3>{one["name"]} ' in joined
    assert f'">erratum {one["name"]}</a>' in joined
    total = sum(len(papers.errata(paper)) for paper in PAPERS)
    assert f"{len(rows)} of the {total} remarks on the papers: " in joined


def test_the_claims_stand_paper_by_paper_under_counts_that_are_theirs(joined):
    sections = re.findall(r'<section>\n<h2 id="([^"]*)">([^<]*) <a .*?</h2>(.*?)</section>', joined, re.S)
    assert [name for name, *_ in sections] == [f"claims:{paper}" for paper in PAPERS]
    contents = joined[joined.index('class="of-papers"') : joined.index("</div>", joined.index('class="of-papers"'))]
    columns = re.findall(r'<th scope="col"[^>]*>([^<]*)</th>', contents)
    for (name, heading, inside), (paper, verdicts) in zip(sections, OF.items(), strict=True):
        claims = [claim for claim in papers.claims() if claim.key.startswith(f"{paper}.")]
        assert heading == f"{PAPERS[paper].name}: {len(verdicts)} of the {len(claims)} claims"
        assert re.findall(r'<article class="claim" id="(\w+?)-', inside) == [paper] * len(verdicts)
        (row,) = re.findall(rf'<tr><th scope="row"><a href="#{name}">{PAPERS[paper].name}</a>(.*?)</tr>', contents)
        outcomes = [v.outcome.value for v in verdicts]
        wrong = [one for one in erratum_rows(ALL) if one["paper"] == paper]
        counts = {name: outcomes.count(name) for name in columns[2:-1]}
        numbers = [int(number) for number in re.findall(r"<td[^>]*>(\d+)</td>", row)]
        assert dict(zip(columns[1:], numbers, strict=True)) == {"errata": len(wrong), **counts, "claims": len(verdicts)}
        for mark in MARKS:
            number = sum(one["erratum"].mark == mark for one in wrong)
            assert (f"{number} {mark}" in row) == (number > 0)


def test_the_head_names_the_papers_and_gives_their_titles(joined):
    names = "DPZero, Gauss-PSGD, DP-GRAPE and DP-ZOPO"
    assert f"<title>{names}: claims checked</title>" in joined
    total = len(papers.claims())
    (heading,) = re.findall("<h1>(.*?)</h1>", joined)
    assert heading == f"{len(ALL)} of the {total} claims of {names}, checked by computing"
    for paper in PAPERS.values():
        assert f"<strong>{paper.title}</strong>" in joined
    assert "</strong>, here Gauss-PSGD<br>" in joined
    assert ", here DPZero" not in joined


@pytest.mark.parametrize("paper", PAPERS.values(), ids=lambda paper: paper.key)
def test_the_head_of_a_page_about_one_paper_has_its_title(paper):
    html = report_page([verdict(f"{paper.key}.one", Outcome.PROVED)], seconds=1.0, full=False)
    for tag in ("title", "h1"):
        (said,) = re.findall(f"<{tag}>(.*?)</{tag}>", html)
        assert paper.title in said
        assert paper.name in said
        assert paper.key not in said


def test_what_a_page_is_about_in_words():
    assert page_subject(["dpzero"]) == PAPERS["dpzero"].title
    assert page_subject(["dpzero", "mine"]) == "DPZero and mine"
    assert page_subject(["mine"]) == "mine"
    assert Paper("a", "A", "All of it", (), "", "").name_and_title == "A (All of it)"
    assert [count_text(*of, "claim") for of in ((1, 1), (0, 1), (1, 2), (3, 3))] == [
        "1 claim",
        "0 of the 1 claim",
        "1 of the 2 claims",
        "3 claims",
    ]


def test_the_words_and_the_proofs_of_each_paper_stand_under_its_name(joined):
    words = joined[joined.index('id="words"') : joined.index('id="refuted"')]
    assert re.findall("<h3>(.*?)</h3>", words) == [PAPERS[paper].name for paper in PAPERS if papers.vocabulary(paper)]
    two = [OF["dpzero"][0], OF["dp_zopo"][0]]
    two[1] = replace(two[1], claim=replace(two[1].claim, derivations=("dp_zopo.lemma3",)))
    proofs = report_page(two, seconds=1.0, full=False).partition('id="derivations"')[2]
    assert re.findall("<h3>(.*?)</h3>", proofs) == ["DPZero", "DP-ZOPO"]
    assert "<strong>DP-ZOPO</strong>: " in proofs


def test_a_file_of_ones_own_is_one_of_the_papers():
    html = report_page([verdict("my_paper.one", Outcome.PROVED), OF["dpzero"][0]], seconds=1.0, full=False)
    assert [name for name in ids(html) if name.startswith("claims:")] == ["claims:dpzero", "claims:my_paper"]
    assert "my_paper: 1 claim #" in text_of(html)


def test_a_report_without_a_selection_is_about_all_papers(tmp_path, monkeypatch, capsys):
    """The command itself, on a cheap claim of each ledger."""
    names = (
        "dpzero.algorithms.sigma_as_variance",
        "gauss_psgd.algorithm1.listed_inputs",
        "dp_grape.abstract.over_70",
        "dp_zopo.algorithm_1.doubled",
    )
    few = tuple(claim for claim in papers.claims() if claim.key in names)
    monkeypatch.setattr(papers, "claims", lambda paper="": few)
    monkeypatch.chdir(tmp_path)
    assert main(["report", "--html", "all.html", "--quick", "--workers", "1"]) == 0
    assert "4 claims: 4 REFUTED; none different from the recorded verdict" in capsys.readouterr().out
    html = (tmp_path / "all.html").read_text(encoding="utf-8")
    assert "<h1>4 claims of DPZero, Gauss-PSGD, DP-GRAPE and DP-ZOPO, checked by computing</h1>" in html
    assert re.findall(r'<article class="claim" id="([^"]*)"', html) == [html_anchor(name) for name in names]
    assert [name for name in ids(html) if name.startswith("claims:")] == [f"claims:{paper}" for paper in PAPERS]


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_chromium_hides_the_heading_of_a_paper_of_which_nothing_is_found(joined, tmp_path):
    script = (
        "const box = inside.querySelector('input'), look = () => [...inside.querySelectorAll('section')].map(one => one.hidden).join();"
        "box.value = 'dpzero.nobody'; box.dispatchEvent(new Event('input')); found.seen = look();"
        "found.wide = inside.documentElement.scrollWidth > inside.documentElement.clientWidth;"
        "box.value = ''; box.dispatchEvent(new Event('input')); found.after = look();"
    )
    for width in (390, 1200):
        found = in_frame(joined, width, script, tmp_path)
        assert found == {"seen": "false,true,true,true", "wide": "false", "after": "false,false,false,false"}
