"""Whatever a claim says, in whichever field, the page only shows it."""

import base64
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

import bounds
from bounds.proofs.derivation import Derivation
from bounds.proofs.lines import Reasoned, Step
from paper_checks.verdict import Claim, Finding, Kind, Outcome, Plot, Verdict
from theory_lab.catalogue import html_anchor
from theory_lab.report import page as report
from theory_lab.report.page import report_page
from theory_lab.report.safe_html import ATTRIBUTES, ELEMENTS, LONGEST, mathml, replace_invisible, security_policy

CHROMIUM = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
DOES = "document.body.dataset.pwned=1"
HOSTILE = (
    f"<script>{DOES}</script>",
    f"</script><script>{DOES}</script>",
    f"</style><script>{DOES}</script>",
    f"</title></head><body onload={DOES}>",
    f"<img src=x onerror={DOES}>",
    f'"><svg onload={DOES}>',
    f"' onmouseover='{DOES}' x='",
    f'" autofocus onfocus="{DOES}',
    f"<a href=javascript:{DOES}>x</a>",
    f"javascript:{DOES}",
    f"<iframe srcdoc='<script>parent.{DOES}</script>'></iframe>",
    "<meta http-equiv=refresh content='0;url=https://example.org'>",
    "<base href=https://example.org/><link rel=stylesheet href=//example.org/x.css>",
    f"<form action=javascript:{DOES}><button>x</button></form>",
    "<style>*{display:none}</style>",
    "<!-- --><!--<script>-->",
    f"&lt;script&gt;{DOES}&lt;/script&gt;&#60;script&#62;",
    f"&#x3c;script&#x3e;{DOES}&#x3c;/script&#x3e;",
    "{{ ''.__class__ }}{% for x in y %}",
    rf"\text{{<script>{DOES}</script>}}",
    rf"\href{{javascript:{DOES}}}{{x}}",
    rf"\text{{</mtext></math><img src=x onerror={DOES}>}}",
    rf"\operatorname{{<img src=x onerror={DOES}>}}",
    r"\class{x}{y}\style{background:url(https://example.org)}{z}\id{claims}{w}",
    rf"\color{{red\" onclick={DOES}}}{{x}} \mathcolor{{expression(1)}}{{y}}",
    rf"\unicode{{x3c}}script\unicode{{x3e}}{DOES}",
    r"\newcommand{\a}{\b\b}\newcommand{\b}{\c\c}\a",
    r"\includegraphics{/etc/passwd}\input{/etc/passwd}\rule{9e9em}{9e9em}",
    "{" * 3_000 + "x" + "}" * 3_000,
    r"\frac{1}{" + "^" * 50 + r"}}}\left(\right",
    "$\\undefined_{$ % & # ~ \\",
    "\u202e\u2066right to left\x00\x07\ud800\ufeff",
    "]]>--><![CDATA[<script>",
    "a" * 20_000,
)


def examine():
    raise AssertionError


def claim_with(text, index, fields=()):
    """A verdict with a text in the named fields, or in all."""
    said = {name: text if not fields or name in fields else "x" for name in (
        "key", "source", "words", "why", "latex", "correction", "correction_latex", "repaired_by", "derivation", "sentence", "evidence",
        "label",
    )}  # fmt: skip
    claim = Claim(
        key=f"{said['key']}.{index}", source=said["source"], words=said["words"], kind=Kind.SCOPE, expected=Outcome.PROVED, why=said["why"],
        examine=examine, latex=said["latex"], correction=said["correction"], correction_latex=said["correction_latex"],
        repaired_by=said["repaired_by"], derivations=(said["derivation"],), stated="reading",
    )  # fmt: skip
    evidence = {said["evidence"]: [said["evidence"], {said["evidence"]: said["evidence"]}, float("nan"), 1.0]}
    plot = Plot((1.0, 10.0), {said["label"]: (1.0, 2.0), "b": (2.0, 3.0)}, said["label"], said["label"])
    return Verdict(claim, Finding(Outcome.REFUTED, said["sentence"], evidence, evidence, plot=plot), 0.5)


class Seen(HTMLParser):
    """Collects elements, attributes, text and scripts."""

    def __init__(self):
        super().__init__()
        self.elements, self.text, self.inside = [], [], None
        self.scripts, self.styles = [], []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self.inside = tag

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        (self.scripts if self.inside == "script" else self.styles if self.inside == "style" else self.text).append(data)


PAGE = {
    "a", "article", "body", "br", "code", "dd", "details", "div", "dl", "dt", "h1", "h2", "h3", "h4", "head", "html", "img", "input", "li",
    "meta", "nav", "ol", "option", "p", "script", "section", "select", "span", "strong", "style", "summary", "table", "tbody", "td", "th",
    "thead", "title", "tr", "ul",
}  # fmt: skip
HOLD = {
    "alt", "aria-label", "charset", "class", "content", "data-outcome", "data-stated", "href", "http-equiv", "id", "lang", "name",
    "placeholder", "role", "scope", "src", "type", "value",
}  # fmt: skip

DRAWN = {"svg", "g", "path", "use", "defs", "clipPath", "rect", "style", "metadata", "RDF", "Work", "type", "creator", "Agent", "title",
         "format"}  # fmt: skip


def looked_at(html):
    """The page, parsed; every element and attribute of it is one that the page is made of."""
    seen = Seen()
    seen.feed(html)
    seen.close()
    assert "".join(seen.scripts) == report.read_resource("page.js")
    assert "".join(seen.styles) == report.read_resource("page.css")
    for tag, attributes in seen.elements:
        assert tag in PAGE | ELEMENTS, tag
        allowed = ATTRIBUTES if tag in ELEMENTS else HOLD
        assert set(attributes) <= allowed, (tag, attributes)
        assert attributes.get("href", "#").startswith("#"), attributes
        if tag == "img":
            kind, _, code = attributes["src"].partition(",")
            assert kind == "data:image/svg+xml;base64"
            for element in ElementTree.fromstring(base64.b64decode(code)).iter():
                assert element.tag.rpartition("}")[2] in DRAWN, element.tag
                names = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
                assert not [name for name in names if name.startswith("on")]
                assert names.get("href", "#").startswith("#")
        if tag == "meta":
            assert attributes.get("http-equiv", "Content-Security-Policy") == "Content-Security-Policy"
    return seen


@pytest.fixture
def derivation(monkeypatch):
    """Derivations of a stranger's: one with hostile texts, one without."""

    def keep(text):
        table = {one: Derivation(one, one, one, (Step(one, one, None, "", None, one, Reasoned(one)),)) for one in (text, "x")}
        monkeypatch.setattr(bounds, "DERIVATIONS", table)

    return keep


@pytest.mark.sample(8)
@pytest.mark.parametrize("text", HOSTILE, ids=map(str, range(len(HOSTILE))))
def test_a_hostile_text_in_every_field_is_only_shown(text, derivation):
    derivation(text)
    html = report_page([claim_with(text, 1)], seconds=1.0, full=False)
    html.encode("utf-8")
    seen = looked_at(html)
    assert replace_invisible(text)[:60].strip() in "".join(seen.text) or text.isspace()
    benign = looked_at(report_page([claim_with("x", 1)], seconds=1.0, full=False))
    hostile_frame, frame = ([tag for tag, _ in one.elements if tag not in ELEMENTS | {"code", "img", "p"}] for one in (seen, benign))
    assert hostile_frame == frame  # but for what a formula and a plot became, the page is built alike


def letters(text):
    """A text without what a formula sets in its own way: spaces, minus signs, primes, and & and # that mean something in LaTeX."""
    return re.sub(r"[^A-Za-z0-9<>/]", "", text)


FIELDS = ("key", "source", "words", "why", "latex", "correction", "correction_latex", "repaired_by", "sentence", "evidence")


@pytest.mark.parametrize("field", FIELDS)
def test_each_field_alone_shows_every_hostile_text(field):
    verdicts = [replace(claim_with(text, i, (field,)), seconds=0.0) for i, text in enumerate(HOSTILE)]
    verdicts = [replace(v, finding=replace(v.finding, plot=None)) for v in verdicts]
    seen = looked_at(report_page(verdicts, seconds=1.0, full=False))
    text = letters("".join(seen.text))
    for hostile in HOSTILE[:19]:
        assert letters(replace_invisible(hostile)) in text, hostile
    assert len([tag for tag, held in seen.elements if tag == "article" and held.get("class") == "claim"]) == len(HOSTILE)


def test_a_formula_that_is_none_is_shown_as_typed():
    for formula in (r"\frac", r"\unknown{x}", "{" * 100 + "}" * 100, r"\newcommand{\a}{b}\a", "x" * (LONGEST + 1), r"\def\a{b}\a"):
        shown = mathml(formula)
        assert shown.startswith("<code>"), formula
        assert shown.striptags() == formula[:LONGEST]


def test_commands_of_address_and_style_leave_nothing_but_their_text():
    for formula in (r"\href{javascript:alert(1)}{x}", r"\style{color:red}{x}", r"\class{evil}{x}", r"\id{claims}{x}", r"\text{<b>x}"):
        shown = str(mathml(formula))
        assert not re.search(r"href|style=|class=|id=|<b>", re.sub(r"displaystyle=|<code>.*</code>", "", shown)), shown


def test_real_formulas_are_all_mathml():
    from paper_checks import papers

    every = [latex for claim in papers.claims() for latex in (claim.latex, claim.correction_latex) if latex]
    assert len(every) > 300
    assert [latex for latex in every if not mathml(latex).startswith("<math ")] == []


def test_signs_that_hide_or_turn_text_are_replaced():
    assert replace_invisible("a\u202eb\u200bc\x00d\ud800e\n\tf") == "a\ufffdb\ufffdc\ufffdd\ufffde\n\tf"


def test_no_two_keys_share_an_anchor():
    keys = ("a.b-c", "a-b.c", "a.b.c", "a b", "a~20~b", "a%20b", "A.B.C", "\u00e9", "e\u0301", '"', "'", "<", "#")
    assert len({html_anchor(key) for key in keys}) == len(keys)
    assert html_anchor("dpzero.lemma_2_2.any_epsilon") == "dpzero-lemma_2_2-any_epsilon"
    assert all(re.fullmatch(r"[A-Za-z0-9_~-]+", html_anchor(key)) for key in (*keys, *HOSTILE))


def test_the_policy_lets_only_the_pages_own_script_and_style_in():
    html = report_page([claim_with("x", 1)], seconds=1.0, full=False)
    (said,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    script, style = (re.search(rf"<{tag}>(.*?)</{tag}>", html, re.S)[1] for tag in ("script", "style"))
    assert said.replace("&#39;", "'") == security_policy(script, style)
    assert "unsafe" not in said
    assert said.startswith("default-src &#39;none&#39;")


def test_a_plot_that_cannot_be_drawn_says_so_and_loses_nothing_else():
    bad = claim_with("x", 1)
    broken = replace(bad, finding=replace(bad.finding, plot=Plot((1.0, 2.0), {"a": (1.0,)}, "x", "y")))
    html = report_page([broken], seconds=1.0, full=False)
    assert "The plot cannot be drawn: ValueError" in html
    assert "<img" not in html
    assert "<img" in report_page([bad], seconds=1.0, full=False)


def in_chromium(html, folder):
    """The page as Chromium has it after its scripts ran."""
    file = folder / "page.html"
    file.write_text(html, encoding="utf-8")
    command = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}",
               "--virtual-time-budget=4000", "--dump-dom", file.as_uri()]  # fmt: skip
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=True).stdout


TOUCH = (
    "<script>for (const e of document.querySelectorAll('*')) { for (const kind of ['mouseover', 'focus', 'load', 'error', 'click'])"
    " e.dispatchEvent(new Event(kind)); if (e.tagName === 'A') e.click(); } document.body.dataset.touched = 1</script></body>"
)


@pytest.mark.verify
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_nothing_runs_in_a_real_browser(tmp_path):
    """With the policy, and without it: then everything is touched and every link is followed as well."""
    html = report_page([claim_with(text, i) for i, text in enumerate(HOSTILE)], seconds=1.0, full=False)
    shown = in_chromium(html, tmp_path)
    assert f"{len(HOSTILE)} of {len(HOSTILE)}" in shown  # its own script ran
    assert "data-pwned" not in shown
    bare, found = re.subn(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)
    assert found == 1
    shown = in_chromium(bare.replace("</body>", TOUCH), tmp_path)
    assert 'data-touched="1"' in shown
    assert "data-pwned" not in shown


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_the_policy_alone_would_hold(tmp_path):
    """A script that got in all the same does not run: the second wall, tried by opening the first."""
    html = report_page([claim_with("x", 1)], seconds=1.0, full=False)
    hole = f"<script>{DOES}</script><img src=x onerror={DOES}></body>"
    assert "data-pwned" not in in_chromium(html.replace("</body>", hole), tmp_path)
    bare = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)
    assert "data-pwned" in in_chromium(bare.replace("</body>", hole), tmp_path)  # the probe can see
