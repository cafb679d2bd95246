"""The committed reports: what they print of a claim is what the ledger finds today, to the digits that a reader can check.

A claim is examined as in the full run. Those whose full run takes longer are left out; their outcomes are held by `test_report`.
"""

import math
import re
from functools import cache
from html import unescape
from pathlib import Path

import pytest

from paper_checks import papers
from paper_checks.run import check_claim
from theory_lab.catalogue import html_anchor
from theory_lab.report.page import evidence_text, exact_text, format_sentence, probability_text

LONGEST = 2.0  # seconds of a claim on the machine that made the reports
NUMBER = re.compile(r"[-+]?\b\d+(?:\.\d+)?(?:e[-+]?\d+)?\b")


@cache
def page(paper):
    """Of each claim of a report: its words, what was found in a sentence, and the table of its evidence."""
    html = (Path(__file__).parents[2] / "figures" / "gallery" / f"{paper.replace('_', '-')}-report.html").read_text(encoding="utf-8")
    found = {}
    for key, article in re.findall(r'<article class="claim" id="([^"]*)"(.*?)</article>', html, re.S):
        told = [unescape(re.sub("<[^>]*>", "", one)) for one in re.findall(r"<p>(.*?)</p>", article, re.S)]
        rows = re.findall(r"<tr><th>(.*?)</th><td>(.*?)</td></tr>", article, re.S)
        found[key] = (told, {unescape(name): unescape(value) for name, value in rows})
    return found


def printed(claim):
    return page(claim.key.split(".")[0])[html_anchor(claim.key)]


def same(old, new, digits=6):
    """Whether two texts are equal up to the last of so many digits of their numbers, and to what is below 1e-9."""
    numbers = [[float(number) for number in NUMBER.findall(text)] for text in (old, new)]
    return NUMBER.sub("#", old) == NUMBER.sub("#", new) and all(
        math.isclose(a, b, rel_tol=1.1 * 10.0 ** (1 - digits), abs_tol=1e-9) for a, b in zip(*numbers, strict=True)
    )


@cache
def seconds(key, together):
    """What a claim took, with all that share its experiment: the first of them pays for it."""
    if not together:
        return float(page(key.split(".")[0])[html_anchor(key)][1]["time"].removesuffix(" s"))
    return sum(seconds(one.key, "") for one in papers.claims() if one.together == together)


CLAIMS = [claim for claim in papers.claims() if seconds(claim.key, claim.together) <= LONGEST]


@pytest.mark.sample(40)
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.key)
def test_the_report_prints_what_is_found(claim):
    finding, _ = check_claim(claim, full=True)
    told, rows = printed(claim)
    found = {f"witness: {name}": exact_text(value) for name, value in finding.witness.items()}
    found |= {name: evidence_text(value) for name, value in finding.numbers.items()}
    found |= {} if finding.seed is None else {"seed": str(finding.seed)}
    found |= {"false-alarm probability": probability_text(finding.false_alarm)} if finding.false_alarm else {}
    other = {name: text for name, text in rows.items() if name not in ("why expected", "time")}
    assert set(found) == set(other)
    assert {name: (text, other[name]) for name, text in found.items() if not same(other[name], text)} == {}
    assert any(same(text, format_sentence(finding.sentence), 3) for text in told), finding.sentence  # which rounds to three digits at least


def test_most_of_the_ledger_is_compared():
    assert len(CLAIMS) > 0.6 * len(papers.claims())  # 83 % where nothing else ran beside the report


@pytest.mark.parametrize(
    ("old", "new", "equal"),
    [
        ("alpha is 0.5", "alpha is 0.5", True),
        ("1.23457e+06 of 9", "1.23458e+06 of 9", True),
        ("1.23457e+06 of 9", "1.23459e+06 of 9", False),
        ("1.2e-13", "3e-12", True),
        ("d = 1000", "d = 1001", False),
        ("0.2169 at d = 3", "0.2169 at n = 3", False),
        ("0.2169", "0.2170", False),
        ("-0.5 at 3", "0.5 at 3", False),
    ],
)
def test_what_counts_as_the_same(old, new, equal):
    assert same(old, new) is equal
