"""The page about a run of claims."""

import re
import shutil
import subprocess
from dataclasses import replace
from html import escape, unescape
from html.parser import HTMLParser
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import pytest

from bounds import origin
from bounds.papers import PAPERS
from paper_checks import papers
from paper_checks.errata import IN_WORDS, MARKS, SHOWN
from paper_checks.verdict import Claim, Finding, Kind, Outcome, Plot, Verdict
from synthetic.runs.psgd import RESTARTS
from theory_lab.catalogue import html_anchor
from theory_lab.report.page import (
    MEANINGS,
    VOCABULARY,
    erratum_rows,
    evidence_text,
    format_sentence,
    outcome_counts,
    probability_text,
    report_page,
)
from theory_lab.report.safe_html import mathml

CHROMIUM = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
VOID = {"meta", "input", "br", "img"}


def nothing():
    raise AssertionError


def verdict(key, outcome, expected=None, **rest):
    claim = Claim(
        key=key, source="Lemma 1 & Table 2", words="a < b for every <x>", latex=r"\frac{a}{b} \le \sqrt{x}", kind=Kind.INEQUALITY,
        expected=expected or outcome, why="it is so", examine=nothing, derivations=("dpzero.section4_tail",),
        correction="b < a" if outcome is Outcome.REFUTED else "", correction_latex="b < a" if outcome is Outcome.REFUTED else "",
    )  # fmt: skip
    witness = {"x": 0.25} if outcome is Outcome.REFUTED else {}
    return Verdict(claim, Finding(outcome, "at <x> it is so", {"tried": 10, "end": float("inf")}, witness, **rest), 0.5)


VERDICTS = [
    verdict("dpzero.one", Outcome.PROVED),
    verdict("dpzero.two", Outcome.REFUTED),
    verdict("dpzero.three", Outcome.CONSISTENT, Outcome.REFUTED, plot=Plot((1.0, 10.0), {"a": (1.0, 2.0), "b": (2.0, 3.0)}, "d", "error")),
]


class Balance(HTMLParser):
    """Sees that every element is closed in its turn."""

    def __init__(self):
        super().__init__()
        self.open, self.text = [], []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def test_the_page_is_whole_self_contained_and_escaped():
    html = report_page(VERDICTS, seconds=1.0, full=False)
    parser = Balance()
    parser.feed(html)
    assert parser.open == []
    text = "".join(parser.text)
    assert "a < b for every <x>" in text
    assert "At <x> it is so." in text
    assert "The ledger expects REFUTED" in text
    assert "1 came out differently" in text
    assert "x = 0.25" in text
    assert html.count('class="claim"') == 3
    assert "<math" in html
    assert html.count('<img alt="error against d: a, b" src="data:image/svg+xml;base64,') == 1
    assert "equation (16)" in text  # a step of the derivation
    loaded = re.findall(r"""(?:src|href)=["'](?!#|data:image/svg\+xml;base64,)([^"']*)|url\((?!#)([^)]*)\)|@import""", html)
    assert not loaded, loaded


def test_errata_are_grouped_by_what_hangs_on_them_and_the_rest_are_questions():
    some = [
        verdict("gauss_psgd.lemma4.printed_72", Outcome.REFUTED), verdict("gauss_psgd.lemma20.conditioning", Outcome.NOT_TESTABLE),
        verdict("gauss_psgd.corollary1.printed_ln", Outcome.REFUTED), verdict("gauss_psgd.lemma13.half", Outcome.REFUTED),
    ]  # fmt: skip
    rows = erratum_rows(some)
    assert [(row["name"], row["status"], len(row["verdicts"])) for row in rows] == [
        ("E2", SHOWN, 1),
        ("E33", IN_WORDS, 1),
        ("E27", SHOWN, 1),
    ]
    html = report_page(some, seconds=1.0, full=False)
    places = [html.index(text) for text in ("E2</a>", "E33</a>", "E27</a>")]
    assert places == sorted(places)
    assert html.index("Questions of ours whose answer is no") < html.index('href="#gauss_psgd-lemma13-half"')
    assert html.count('class="refuted"') == 3
    both = erratum_rows([*some, verdict("dpzero.lemma_2_2.any_epsilon", Outcome.REFUTED)])
    assert [row["name"] for row in both][:2] == ["DPZero E2", "Gauss-PSGD E2"]
    assert erratum_rows([verdict("my_paper.claim", Outcome.REFUTED)]) == []


def test_formulas_and_numbers_as_text():
    assert "<msqrt>" in mathml(r"\sqrt{x}")
    assert mathml("") == ""
    assert ">\u2016</mo>" in mathml(r"\Big\|x\Big\|")
    assert re.findall(">([{}])<", mathml(r"\Big\{x\Big\}")) == ["{", "}"]
    assert evidence_text(0.123456789) == "0.123457"
    assert evidence_text({"a": [1, True], "b": float("nan")}) == "a: 1, yes; b: nan"
    assert format_sentence("so it is <= 1") == "So it is \u2264 1."
    assert format_sentence("n = d = 1") == "n = d = 1."
    assert [probability_text(p) for p in (0.0, 1e-9, 1.21e-7)] == ["0", "1e-09", "1.3e-07"]


@pytest.mark.parametrize("paper", PAPERS)
def test_the_committed_report_is_of_this_ledger(paper):
    """Every claim of the paper with the outcome that the ledger records, from a full run."""
    html = (Path(__file__).parents[2] / "figures" / "gallery" / f"{paper.replace('_', '-')}-report.html").read_text("utf-8")
    found = dict(re.findall(r'<article class="claim" id="([^"]*)" data-outcome="([^"]*)"', html))
    assert found == {html_anchor(c.key): c.expected.value for c in papers.claims() if c.key.startswith(f"{paper}.")}
    assert "Full run" in html
    for one in papers.errata(paper):
        heading = re.search(rf'<article id="erratum-{paper}-{one.number}">\n<h3>(.*?)</h3>', html)
        assert heading, one
        assert unescape(re.sub(r"<[^>]*>", "", heading[1])).startswith(f"{one.number} {format_sentence(one.words)}")


def text_of(html):
    parser = Balance()
    parser.feed(html)
    return " ".join("".join(parser.text).split())


def test_the_head_names_paper_authors_text_and_lab():
    html = text_of(report_page([verdict("gauss_psgd.lemma4.printed_72", Outcome.REFUTED)], seconds=1.0, full=False))
    head = html[: html.index("Words of this page")]
    paper = PAPERS["gauss_psgd"]
    assert (
        f"1 of the {len([c for c in papers.claims() if c.key.startswith('gauss_psgd.')])} claims of Gauss-PSGD ({paper.title}), checked"
        in head
    )
    for said in (paper.title, ", ".join(paper.authors), paper.published, f"Read here: {paper.read}."):
        assert said in head
    assert f"Made by DP Theory Lab {version('dp-theory-lab')}, commit {origin.source_commit()}." in head
    assert "my_paper" in text_of(report_page([verdict("my_paper.one", Outcome.PROVED)], seconds=1.0, full=False))


def test_verdicts_are_counted_by_what_the_paper_prints_what_we_read_and_what_we_ask():
    kinds = [("printed", Outcome.REFUTED), ("printed", Outcome.PROVED), ("reading", Outcome.REFUTED), ("question", Outcome.REFUTED),
             ("question", Outcome.REFUTED)]  # fmt: skip
    verdicts = [verdict(f"dpzero.c{i}", outcome) for i, (_, outcome) in enumerate(kinds)]
    verdicts = [replace(v, claim=replace(v.claim, stated=stated)) for v, (stated, _) in zip(verdicts, kinds, strict=True)]
    assert outcome_counts(verdicts) == [
        {"outcome": "PROVED", "all": 1, "printed": 1, "reading": 0, "question": 0},
        {"outcome": "REFUTED", "all": 4, "printed": 1, "reading": 1, "question": 2},
    ]
    html = report_page(verdicts, seconds=1.0, full=False)
    (row,) = re.findall(r'<tr><th scope="row"><span class="badge REFUTED">.*?</tr>', html)
    assert re.findall(r"<td[^>]*>([^<]*)</td>", row) == ["1", "1", "2", "4"]
    assert MEANINGS[Outcome.REFUTED] in row


def test_the_false_alarm_figure_says_what_it_covers():
    said = text_of(report_page([verdict("dpzero.one", Outcome.PROVED, false_alarm=1e-9)], seconds=1.0, full=False))
    assert "from sampling error, some REFUTED on this page is false with probability at most 1e-09" in said
    assert "does not cover a paper that was misread, nor a program that is wrong" in said
    two = [verdict(f"dpzero.{name}", Outcome.PROVED, false_alarm=alarm) for name, alarm in (("one", 1e-9), ("two", 2e-9))]
    assert "is false with probability at most 3e-09" in text_of(report_page(two, seconds=1.0, full=False))


def test_a_page_without_statistics_says_so_and_names_no_probability():
    said = text_of(report_page([verdict("dpzero.one", Outcome.REFUTED)], seconds=1.0, full=False))
    assert "Nothing on this page was examined statistically, so that no REFUTED is false by sampling error." in said
    assert "with probability at most" not in said
    assert "does not cover a paper that was misread, nor a program that is wrong" in said


def test_a_page_about_a_part_of_a_ledger_says_of_how_many_claims_and_errata():
    ledger = [c.key for c in papers.claims() if c.key.startswith("dpzero.")]
    some = [verdict("dpzero.lemma_2_2.any_epsilon", Outcome.REFUTED), verdict("dpzero.one", Outcome.PROVED)]
    said = text_of(report_page(some, seconds=1.0, full=False))
    assert f"2 of the {len(ledger)} claims of {PAPERS['dpzero'].title}, checked" in said
    assert f"1 of the {len(papers.errata('dpzero'))} remarks on the paper: 1 repairable." in said
    whole = text_of(report_page([verdict(key, Outcome.PROVED) for key in ledger], seconds=1.0, full=False))
    assert f"{len(ledger)} claims of {PAPERS['dpzero'].title}, checked" in whole
    assert f"{len(papers.errata('dpzero'))} remarks on the paper" in whole
    assert "of the" not in whole[: whole.index("checked by computing")]
    own = [verdict("my_paper.one", Outcome.PROVED)]
    assert "1 claim of my_paper, checked" in text_of(report_page(own, seconds=1.0, full=False))


def test_a_repair_that_is_not_on_the_page_is_named_and_not_linked():
    one, two = verdict("dpzero.one", Outcome.REFUTED), verdict("dpzero.two", Outcome.PROVED)
    repaired = replace(one, claim=replace(one.claim, repaired_by="dpzero.two"))
    alone, both = report_page([repaired], seconds=1.0, full=False), report_page([repaired, two], seconds=1.0, full=False)
    assert "checked by dpzero.two, which is not on this page" in text_of(alone)
    assert '#dpzero-two"' not in alone
    assert 'checked by <a href="#dpzero-two">dpzero.two</a>' in both


def test_every_claim_and_erratum_has_a_link_to_itself_that_is_shown():
    some = [verdict("gauss_psgd.lemma4.printed_72", Outcome.REFUTED), verdict("gauss_psgd.lemma20.conditioning", Outcome.NOT_TESTABLE)]
    html = report_page(some, seconds=1.0, full=False)
    targets = [html_anchor(v.claim.key) for v in some] + ["erratum-gauss_psgd-E27", "erratum-gauss_psgd-E33"]
    for target in targets:
        assert re.findall(rf'<article [^>]*id="{target}"', html), target
        assert re.findall(rf'<a class="self" href="#{target}" aria-label="link to [^"]*">#</a>', html), target


def test_every_link_of_a_page_leads_somewhere():
    html = report_page(VERDICTS, seconds=1.0, full=False)
    ids = re.findall(r' id="([^"]*)"', html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]*)"', html)) <= set(ids)


def test_a_derivation_that_nobody_has_is_named_and_not_linked():
    one = verdict("dpzero.one", Outcome.PROVED)
    html = report_page(
        [replace(one, claim=replace(one.claim, derivations=("dpzero.no_such", "dpzero.section4_tail")))], seconds=1.0, full=False
    )
    assert "dpzero.no_such, which neither the lab nor the claim" in html
    assert set(re.findall(r'href="#derivation-([^"]*)"', html)) == {"dpzero-section4_tail"}


def test_the_words_of_the_page_are_explained():
    of_psgd = text_of(report_page([verdict("gauss_psgd.lemma4.printed_72", Outcome.REFUTED)], seconds=1.0, full=False))
    of_dpzero = text_of(report_page([verdict("dpzero.one", Outcome.PROVED)], seconds=1.0, full=False))
    for word in ("printed", "reading", "question", "repaired"):
        assert VOCABULARY[word] in of_psgd
        assert VOCABULARY[word] in of_dpzero
    assert "A, X, Y, Delta_0, T*, cert(T)" in of_dpzero
    assert "A, X, Y, Delta_0, T*, cert(T)" not in of_psgd
    assert "continue, history, renew" in of_psgd
    assert "continue, history, renew" not in of_dpzero
    assert set(RESTARTS) == set(["continue", "history", "renew"])


def test_a_marked_erratum_shows_its_mark_and_what_it_means(monkeypatch):
    marks = dict(zip(("E27", "E33", "E2"), MARKS, strict=True))
    marked = tuple(replace(one, mark=marks[one.number]) for one in papers.errata("gauss_psgd") if one.number in marks)
    some = [verdict(f"gauss_psgd.{one.claims[0]}", Outcome.REFUTED) for one in marked]
    monkeypatch.setattr(papers, "errata", lambda paper: marked)
    html = report_page(some, seconds=1.0, full=False)
    assert "3 remarks on the paper: 1 fatal, 1 repairable, 1 harmless." in html
    for number, mark in marks.items():
        assert html.count(f'<span class="mark {mark}">{mark}</span>') == 2  # in the list and at the erratum
        assert MARKS[mark] in html
        assert re.search(rf'<article id="erratum-gauss_psgd-{number}">\n<h3>.*class="mark {mark}"', html)


def test_two_pages_of_the_same_run_are_the_same():
    one, two = (report_page(VERDICTS, seconds=1.0, full=False) for _ in range(2))
    assert one == two


def test_the_commit_is_that_of_git_or_of_the_installer_or_unknown(monkeypatch, tmp_path):
    monkeypatch.setattr(origin, "ROOT", tmp_path)
    monkeypatch.setattr(origin, "installed_commit", lambda: "from pip")
    assert origin.source_commit() == "from pip"
    (tmp_path / ".git").mkdir()  # no repository: git says nothing
    assert origin.source_commit() == "from pip"
    monkeypatch.setattr(origin, "run_git", lambda *arguments: "abc" if arguments[0] == "rev-parse" else "")
    assert origin.source_commit() == "abc"
    monkeypatch.setattr(origin, "run_git", lambda *arguments: "abc" if arguments[0] == "rev-parse" else " M bounds/privacy/gaussian.py")
    assert origin.source_commit() == "abc, with changes that are not committed"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('{"url": "x", "vcs_info": {"vcs": "git", "commit_id": "0123abc"}}', "0123abc"),
        ('{"url": "file:///x", "dir_info": {"editable": true}}', "unknown"),
        ("no JSON", "unknown"),
        (None, "unknown"),
    ],
)
def test_what_pip_wrote_down(written, said, monkeypatch):
    monkeypatch.setattr(origin, "distribution", lambda name: SimpleNamespace(read_text=lambda file: written))
    assert origin.installed_commit() == said


def in_frame(html, width, script, tmp_path):
    """What a script saw of the page in a frame of that width, as attributes of the page's body."""
    file = tmp_path / "frame.html"
    file.write_text(
        f'<body><iframe width="{width}" height="900" srcdoc="{escape(html)}"></iframe><script>onload = () => {{'
        "const inside = document.querySelector('iframe').contentDocument, found = document.body.dataset; "
        f"{script}}}</script></body>",
        encoding="utf-8",
    )
    command = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}",
               "--window-size=1400,1000", "--virtual-time-budget=3000", "--dump-dom", file.as_uri()]  # fmt: skip
    said = subprocess.run(command, capture_output=True, timeout=120, check=True, encoding="utf-8").stdout
    return dict(re.findall(r'data-(\w+)="([^"]*)"', said[said.index("<body") :].partition(">")[0]))


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
@pytest.mark.parametrize("width", [390, 1200])
def test_chromium_shows_the_page_and_its_filter(width, tmp_path):
    """In a frame of that width the script has run (the filter counts the claims), and nothing is wider than the frame."""
    script = (
        "found.wide = inside.documentElement.scrollWidth > inside.documentElement.clientWidth;"
        "found.said = inside.querySelector('[role=status]').textContent; found.width = inside.documentElement.clientWidth"
    )
    found = in_frame(report_page(VERDICTS, seconds=1.0, full=True), width, script, tmp_path)
    assert (found["said"], found["wide"]) == ("3 of 3", "false")
    assert width - 20 <= int(found["width"]) <= width  # less a scroll bar


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
@pytest.mark.parametrize("width", [390, 700, 1200])
def test_the_names_of_the_evidence_can_be_read_beside_long_evidence(width, tmp_path):
    """They were broken into pieces of one or two letters wherever the evidence was longer than a line."""
    long = verdict("dpzero.one", Outcome.PROVED)
    long = replace(long, finding=replace(long.finding, numbers={"taken as given": "it is so and so " * 60}))
    script = (
        "for (const one of inside.querySelectorAll('details')) one.open = true;"
        "found.least = Math.min(...[...inside.querySelectorAll('details th')].map(one => one.getBoundingClientRect().width));"
        "found.wide = inside.documentElement.scrollWidth > inside.documentElement.clientWidth"
    )
    found = in_frame(report_page([long], seconds=1.0, full=True), width, script, tmp_path)
    assert float(found["least"]) >= 100
    assert found["wide"] == "false"
