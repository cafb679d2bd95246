"""The page about a run of claims."""

import re
import shutil
import subprocess
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from paper_checks import papers
from paper_checks.errata import SAID, SHOWN
from paper_checks.verdict import Claim, Finding, Kind, Outcome, Plot, Verdict
from theory_lab.report import anchor, at_most, found_errata, mathml, page, sentence, shown

CHROMIUM = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
VOID = {"meta", "input", "br", "path", "use", "rect", "stop", "line", "circle"}


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
    html = page(VERDICTS, seconds=1.0, full=False)
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
    assert "<svg" in html
    assert "equation (16)" in text  # a step of the derivation
    loaded = re.findall(r"""(?:src|href)=["'](?!#)([^"']*)|url\((?!#)([^)]*)\)|@import""", html)
    assert not loaded, loaded


def test_errata_are_grouped_by_what_hangs_on_them_and_the_rest_are_questions():
    some = [
        verdict("gauss_psgd.lemma4.printed_72", Outcome.REFUTED), verdict("gauss_psgd.lemma20.conditioning", Outcome.NOT_TESTABLE),
        verdict("gauss_psgd.corollary1.printed_ln", Outcome.REFUTED), verdict("gauss_psgd.lemma13.half", Outcome.REFUTED),
    ]  # fmt: skip
    rows = found_errata(some)
    assert [(row["name"], row["status"], len(row["verdicts"])) for row in rows] == [("E2", SHOWN, 1), ("E33", SAID, 1), ("E27", SHOWN, 1)]
    html = page(some, seconds=1.0, full=False)
    places = [html.index(text) for text in ("E2</a>", "E33</a>", "E27</a>")]
    assert places == sorted(places)
    assert html.index("Questions of ours whose answer is no") < html.index('href="#gauss_psgd-lemma13-half"')
    assert html.count('class="refuted"') == 3
    both = found_errata([*some, verdict("dpzero.lemma_2_2.any_epsilon", Outcome.REFUTED)])
    assert [row["name"] for row in both][:2] == ["dpzero E2", "gauss_psgd E2"]
    assert found_errata([verdict("my_paper.claim", Outcome.REFUTED)]) == []


def test_formulas_and_numbers_as_text():
    assert "<msqrt>" in mathml(r"\sqrt{x}")
    assert mathml("") == ""
    assert shown(0.123456789) == "0.123457"
    assert shown({"a": [1, True], "b": float("nan")}) == "a: 1, yes; b: nan"
    assert sentence("so it is <= 1") == "So it is \u2264 1."
    assert sentence("n = d = 1") == "n = d = 1."
    assert [at_most(p) for p in (0.0, 1e-9, 1.21e-7)] == ["0", "1e-09", "1.3e-07"]


@pytest.mark.parametrize(("page", "paper"), [("dpzero-report", "dpzero."), ("gauss-psgd-report", "gauss_psgd.")])
def test_the_committed_report_is_of_this_ledger(page, paper):
    """Every claim of the paper with the outcome that the ledger records, from a full run."""
    html = (Path(__file__).parents[2] / "figures" / "gallery" / f"{page}.html").read_text(encoding="utf-8")
    found = dict(re.findall(r'<article class="claim" id="([^"]*)" data-outcome="([^"]*)">', html))
    assert found == {anchor(c.key): c.expected.value for c in papers.claims() if c.key.startswith(paper)}
    assert "Full run" in html
    for one in papers.errata(paper.rstrip(".")):
        heading = re.search(rf'<article id="erratum-{paper.rstrip(".")}-{one.number}">\n<h3>(.*?)</h3>', html)
        assert heading, one
        assert unescape(heading[1]) == f"{one.number} {sentence(one.words)}"


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
@pytest.mark.parametrize("width", [390, 1100])
def test_chromium_shows_the_page_and_its_filter(width, tmp_path):
    """The script has run (the filter counts the claims), and nothing is wider than the window."""
    probe = "<script>document.body.dataset.wide = document.documentElement.scrollWidth > innerWidth</script></body>"
    file = tmp_path / "report.html"
    file.write_text(page(VERDICTS, seconds=1.0, full=True).replace("</body>", probe), encoding="utf-8")
    command = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}",
               f"--window-size={width},900", "--virtual-time-budget=2000", "--dump-dom", file.as_uri()]  # fmt: skip
    shown_page = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    assert "3 of 3" in shown_page
    assert 'data-wide="false"' in shown_page
