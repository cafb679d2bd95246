"""The style of a page: contrast in both schemes, what is left out where it is printed, and that the committed pages have it."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from bounds.papers import PAPERS
from paper_checks import papers
from paper_checks.errata import MARKS
from paper_checks.verdict import Finding, Outcome, Verdict
from tests.theory_lab.test_report import CHROMIUM, VERDICTS, in_frame, text_of, verdict
from theory_lab.report.page import FOLDED, read_resource, report_page

SHEET = ("sheet", "pencil")  # of pictures, which are drawn on white in both schemes
WORDS = {f".{name}" for name in (*Outcome.__members__, *MARKS)}  # badges and marks: one word, in the ink that its rule gives it
PRINT, DARK = "@media print", "@media screen and (prefers-color-scheme: dark)"


def rules(css, media=""):
    """The rules of a style: the medium they are for, one selector each, and their declarations."""
    found, at = [], 0
    while (start := css.find("{", at)) >= 0:
        head, end, depth = " ".join(css[at:start].split()), start + 1, 1
        while depth:
            depth += {"{": 1, "}": -1}.get(css[end], 0)
            end += 1
        body, at = css[start + 1 : end - 1], end
        if head.startswith("@"):
            found += rules(body, head)
        else:
            declared = dict(tuple(map(str.strip, one.split(":", 1))) for one in body.split(";") if one.strip())
            found += [(media, selector.strip(), declared) for selector in re.split(r",(?![^(]*\))", head)]
    return found


def schemes(css):
    """The variables of the light scheme and of the dark one."""
    light, dark = ({name: value for of, _, declared in rules(css) if of == media for name, value in declared.items() if name[:2] == "--"}
                   for media in ("", DARK))  # fmt: skip
    return {"light": light, "dark": light | dark}


def luminance(color):
    """Relative luminance of #rrggbb (WCAG 2.2)."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return sum(
        w * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for w, c in zip((0.2126, 0.7152, 0.0722), parts, strict=True)
    )


def contrast(one, other):
    """Contrast of two colours, from 1 to 21 (WCAG 2.2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def pairs(css):
    """The variables of every ink and the ground that it may stand on: those of a rule, and inks without a ground on all that hold text."""
    grounds, inks, found = set(), set(), set()
    for _, selector, declared in rules(css):
        ink, ground = (re.fullmatch(r"var\((--\w+)\)", declared.get(name, "")) for name in ("color", "background"))
        if ground:
            assert ink, f"{selector} has a ground without an ink"
            found.add((ink[1], ground[1]))
            if selector not in {*WORDS, "img"}:
                grounds.add(ground[1])
        elif ink:
            inks.add(ink[1])
    return found | {(ink, ground) for ink in inks for ground in grounds}


def faint(css, least=4.5):
    """The pairs of ink and ground below a contrast, with the scheme that they are of."""
    return [
        (name, ink, ground)
        for name, colors in schemes(css).items()
        for ink, ground in sorted(pairs(css))
        if contrast(colors[ink], colors[ground]) < least
    ]


def test_contrast_is_that_of_the_guideline():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#ffffff", "#ffffff") == 1
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=1e-3)
    assert contrast("#ff0000", "#ffffff") == pytest.approx(3.998, abs=1e-3)


def test_every_ink_can_be_read_on_every_ground_in_both_schemes():
    css = read_resource("page.css")
    assert faint(css) == []
    assert {("--ink", "--ground"), ("--soft", "--ground"), ("--soft", "--shade"), ("--ground", "--ink"), ("--pencil", "--sheet")} <= pairs(
        css
    )
    assert {ground for _, ground in pairs(css)} >= {"--green", "--blue", "--amber"}


@pytest.mark.parametrize(
    ("old", "new", "seen"),
    [
        ("--soft: #5a5a5a", "--soft: #8a8a8a", ("light", "--soft", "--ground")),
        ("--soft: #b0b0aa", "--soft: #707070", ("dark", "--soft", "--shade")),
        ("--green: #1d4a2d; ", "", ("dark", "--ink", "--green")),  # the light one stays
    ],
)
def test_a_faint_color_is_noticed(old, new, seen):
    css = read_resource("page.css")
    assert css.count(old) == 1
    assert seen in faint(css.replace(old, new))


def test_every_color_is_a_variable_and_the_dark_scheme_has_all_of_them():
    css = read_resource("page.css")
    for _, selector, declared in rules(css):
        for name, value in declared.items():
            if name.startswith("--"):
                assert re.fullmatch("#[0-9a-f]{6}", value), (selector, name)
                continue
            assert "#" not in value, (selector, name)
            if name in ("color", "background"):
                assert re.fullmatch(r"var\(--\w+\)|inherit", value), (selector, name)
    light, dark = schemes(css).values()
    assert set(light) == set(dark)
    assert {name for name in light if light[name] == dark[name]} == {f"--{name}" for name in SHEET}
    used = set(re.findall(r"var\((--\w+)\)", css))
    assert used == set(light)
    (root,) = (declared for media, selector, declared in rules(css) if (media, selector) == ("", ":root"))
    assert root["color-scheme"] == "light dark"


def test_the_focus_ring_is_seen_on_every_ground():
    (ring,) = (declared["outline"] for _, selector, declared in rules(read_resource("page.css")) if selector == ":focus-visible")
    (color,) = re.findall(r"var\((--\w+)\)", ring)
    for colors in schemes(read_resource("page.css")).values():
        assert all(contrast(colors[color], colors[ground]) >= 3 for ground in ("--ground", "--shade"))


def test_every_badge_and_mark_has_its_rule():
    assert {selector for _, selector, declared in rules(read_resource("page.css")) if "background" in declared} >= WORDS


def outcomes_of(declaration):
    """The outcomes of claims of which the printed page opens or leaves out something, and the selectors that do so."""
    found = [
        selector for media, selector, declared in rules(read_resource("page.css")) if media == PRINT and declaration in declared.items()
    ]
    return {name for selector in found if selector.startswith(".claim") for name in re.findall(r'data-outcome="(\w+)"', selector)}, found


def test_printed_the_evidence_of_what_holds_is_left_out_and_all_other_is_open():
    left_out, hides = outcomes_of(("display", "none"))
    opened, opens = outcomes_of(("content-visibility", "visible"))
    assert left_out == {one.value for one in FOLDED}
    assert opened == set(Outcome.__members__) - left_out
    assert any(one.endswith("> :is(details, img)") for one in hides)
    assert 'details[id^="derivation-"] > :not(summary, p.soft)' in hides  # its title and its totals stay
    assert "details::details-content" not in opens


def test_a_printed_page_says_what_is_left_out_if_anything_is():
    said = "Left out on paper: the evidence of claims that are PROVED or CONSISTENT, and the lines of derivations."
    assert said in text_of(report_page(VERDICTS, seconds=1.0, full=False))
    one = verdict("dpzero.one", Outcome.REFUTED)
    assert said in text_of(report_page([one], seconds=1.0, full=False))  # it has a derivation
    assert said not in text_of(report_page([replace(one, claim=replace(one.claim, derivations=()))], seconds=1.0, full=False))
    shown = {
        (media, selector): declared.get("display")
        for media, selector, declared in rules(read_resource("page.css"))
        if selector == ".printed"
    }
    assert shown == {("", ".printed"): "none", (PRINT, ".printed"): "block"}


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_chromium_prints_evidence_of_what_does_not_hold_only(tmp_path):
    """The style of the printed page, on a screen."""
    html = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", report_page(VERDICTS, seconds=1.0, full=True))
    script = (
        "const seen = one => one !== null && one.checkVisibility({contentVisibilityAuto: true});"
        "const at = (id, what) => seen(inside.getElementById(id).querySelector(what));"
        "found.seen = [at('dpzero-one', 'table'), at('dpzero-one', 'p'), at('dpzero-two', 'table'), at('dpzero-three', 'img'),"
        "at('derivation-dpzero-section4_tail', 'ol'), at('derivation-dpzero-section4_tail', 'p.soft'),"
        "seen(inside.querySelector('.printed'))]"
    )
    printed = in_frame(html.replace(PRINT, "@media all"), 800, script, tmp_path)
    assert printed["seen"] == "false,true,true,false,false,true,true"
    assert in_frame(html, 800, script, tmp_path)["seen"] == "false,true,false,true,false,false,false"


def fixed(html):
    """What a page says before its errata, less who made it and by which chance it errs; then the errata, the words, the script."""
    head, rest = html.split('<h2 id="errata">')
    head = re.sub(r'<p class="soft">(By chance|Nothing on this page|Made by).*?</p>', "", head)
    errata, rest = rest.split('<h2 id="refuted">')
    return head, errata, rest[rest.index("<script>") :]


@pytest.mark.parametrize("paper", PAPERS)
def test_the_committed_report_is_of_this_template(paper):
    """Style, policy, head, counts, errata, words and script are what the template makes of the outcomes that the ledger records."""
    html = (Path(__file__).parents[2] / "figures" / "gallery" / f"{paper.replace('_', '-')}-report.html").read_text(encoding="utf-8")
    bare = [replace(claim, derivations=(), latex="", correction_latex="") for claim in papers.claims() if claim.key.startswith(f"{paper}.")]
    found = [Verdict(one, Finding(one.expected, "x", {}, {"x": 1} if one.expected is Outcome.REFUTED else {}), 0.0) for one in bare]
    derived = '<a href="#derivations">Derivations</a>'
    assert [one.replace(derived, "") for one in fixed(html)] == list(fixed(report_page(found, seconds=0.0, full=True)))
    assert f"<style>{read_resource('page.css')}</style>" in html
    assert derived in html
