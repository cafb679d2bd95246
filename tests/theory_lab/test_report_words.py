"""What the page writes, piece by piece: numbers and sentences, curves of evidence, where a line of a proof comes from, and its limits."""

import math

import pytest
import sympy as sp
from matplotlib.figure import Figure

from bounds.proofs.lines import GIVENS, Assumed, Case, Cited, Defined, Identity, Meaning, NonNegative, Reasoned, Shown, Step
from bounds.symbols import L, T, d, r
from figures.style import CURVES, plot_svg
from paper_checks.errata import HELD, IN_WORDS, OPEN, SHOWN, erratum_status
from paper_checks.verdict import Outcome, Plot
from tests.bounds.proofs.toy import RANKED, chain, step
from tests.theory_lab.test_report import verdict
from theory_lab.report.derivations import derivation_rows, line_source
from theory_lab.report.page import evidence_text, explained_words, format_sentence, probability_text
from theory_lab.report.safe_html import DEEPEST, LONGEST, mathml, parse_formula, plot_image, security_policy


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "yes"), (False, "no"), (7, "7"), (12_345_678, "12345678"), (2.0, "2"), (1 / 3, "0.333333"), (1.5e-9, "1.5e-09"),
        (math.inf, "inf"), (None, "None"), ("words", "words"), ([], ""), ([1.5], "1.5"),
        ({"a": {"b": 1.5}, "c": [2, 3]}, "a: b: 1.5; c: 2, 3"),
    ],
)  # fmt: skip
def test_a_piece_of_evidence_as_text(value, text):
    assert evidence_text(value) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("it holds", "It holds."), ("it holds.", "It holds."), ("does it?", "Does it?"), ("so!", "so!"), ("no", "No."), ("It is", "It is."),
        ("x is at least 1", "x is at least 1."), ("f(x) is", "f(x) is."), ("2n samples", "2n samples."), ("", "."),
        ("a >= b <= c", "a \u2265 b \u2264 c."),
    ],
)  # fmt: skip
def test_a_text_becomes_a_sentence(text, said):
    assert format_sentence(text) == said


@pytest.mark.parametrize(
    ("probability", "text"),
    [(0, "0"), (1.0, "1"), (0.5, "0.5"), (0.051, "0.051"), (0.0511, "0.052"), (9.96e-5, "0.0001"), (1e-9, "1e-09"), (1.01e-9, "1.1e-09")],
)
def test_a_probability_is_rounded_up(probability, text):
    assert probability_text(probability) == text


def test_the_words_of_a_page_are_those_of_its_papers_and_the_marks_only_where_one_is():
    plain, marked, both = (
        explained_words([], marked=False),
        explained_words([], marked=True),
        explained_words(["dpzero", "gauss_psgd"], marked=False),
    )
    assert set(marked[""]) - set(plain[""]) == {"harmless", "repairable", "fatal"}
    assert both[""] == plain[""]
    assert {name: list(words) for name, words in both.items() if name} == {
        "DPZero": ["A, X, Y, Delta_0, T*, cert(T)"],
        "Gauss-PSGD": ["continue, history, renew"],
    }
    assert explained_words(["gauss_psgd"], marked=False) == {"": plain[""] | both["Gauss-PSGD"]}
    assert set(explained_words(["gauss_psgd", "mine"], marked=False)) == {"", "Gauss-PSGD"}


def test_what_became_of_an_erratum_by_all_its_verdicts():
    by = {outcome: verdict("dpzero.one", outcome) for outcome in Outcome}
    assert erratum_status([by[Outcome.PROVED], by[Outcome.INCONCLUSIVE], by[Outcome.REFUTED]]) == SHOWN
    assert erratum_status([by[Outcome.PROVED], by[Outcome.INCONCLUSIVE]]) == OPEN
    assert erratum_status([by[Outcome.PROVED], by[Outcome.NOT_TESTABLE]]) == erratum_status([by[Outcome.CONSISTENT]]) == HELD
    assert erratum_status([by[Outcome.NOT_TESTABLE]]) == erratum_status([]) == IN_WORDS


@pytest.mark.parametrize("log", [True, False])
def test_a_plot_of_evidence_draws_its_curves_and_reads_no_label_as_a_formula(log, monkeypatch):
    seen = []

    def savefig(figure, file, **given):
        seen.append((figure, given))
        file.write("<?xml version='1.0'?>\n<svg>drawn</svg>")

    monkeypatch.setattr(Figure, "savefig", savefig)
    series = {"_a $x$": (1.0, 2.0), "b": (3.0, 4.0), "c": (5.0, 6.0), "d": (7.0, 8.0)}
    assert plot_svg(Plot((1.0, 10.0), series, "at $1", "in $2", log=log)) == "<svg>drawn</svg>"
    ((figure, given),) = seen
    assert given == {"format": "svg", "metadata": {"Date": None}}
    (ax,) = figure.axes
    assert (ax.get_xscale(), ax.get_yscale()) == (("log", "log") if log else ("linear", "linear"))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("at $1", "in $2")
    looks = [*CURVES, *CURVES]
    for line, (name, values), look in zip(ax.get_lines(), series.items(), looks, strict=False):
        assert (line.get_label(), tuple(line.get_xdata()), tuple(line.get_ydata())) == (f" {name}", (1.0, 10.0), values)
        assert (line.get_color(), line.get_marker()) == look
    assert len(ax.get_lines()) == 4
    entries = ax.get_legend().get_texts()
    assert [entry.get_text() for entry in entries] == [f" {name}" for name in series]
    assert not any(text.get_parse_math() for text in (*entries, ax.xaxis.label, ax.yaxis.label))


def test_a_plot_says_in_words_what_it_shows():
    shows = plot_image(Plot((1.0, 10.0), {"one": (1.0, 2.0), "two": (2.0, 3.0)}, "steps", "error"))
    assert shows.startswith('<img alt="error against steps: one, two" src="data:image/svg+xml;base64,')
    assert Plot((1.0,), {}, "x", "y").log


LINES = {
    "assumed": Assumed(), "a case": Case(), "by what the letters stand for": Meaning(), "definition": Defined(),
    "definition (line 2)": Defined("line 2"), "shown in p.one, last": Shown("p.one", "last"),
    "cited: Someone (1999)": Cited("Someone (1999)"), "argued in words: so": Reasoned("so"), "a step of this proof": Identity(),
}  # fmt: skip


@pytest.mark.parametrize("words", LINES)
def test_a_line_says_where_it_comes_from(words):
    assert line_source(Step("one", "said", None, "", None, "why", LINES[words])) == words


def test_a_step_says_where_it_is_claimed_and_over_which_ranges():
    rank = NonNegative(((L, "ranked"), (sp.Integer(1),)))
    sides = (r * L + 1, "<=", d * L / 2 + 2)
    named = step(*sides, rank, name="a", where=("ranked",))
    all_of_it = step(*sides, rank, name="b", where=GIVENS)
    nothing = step(2 * T, "=", T + T, Identity(), name="c", where=GIVENS)
    ranged = step(2 * T, "=", T + T, Identity(), name="d", ranges={T: (sp.Integer(1), d)})
    rows = derivation_rows(chain(named, all_of_it, nothing, ranged, facts=(RANKED,)))["steps"]
    assert [row["where"] for row in rows] == ["where ranked hold", "where all that it uses holds", "", ""]
    assert [row["ranges"] for row in rows] == [[], [], [], [r"1 \le T \le d"]]
    assert [row["number"] for row in rows] == sorted(row["number"] for row in rows)
    assert [row["name"] for row in rows] == ["a", "b", "c", "d"]
    assert {row["reason"] for row in rows} == {"a reason"}


def test_a_formula_may_be_so_long_and_so_deep_and_no_more():
    for fits in ("{" * DEEPEST + "x" + "}" * DEEPEST, "{x}" * (DEEPEST + 1), "x" * LONGEST):
        assert parse_formula(fits).tag == "math"
    for beyond in ("{" * (DEEPEST + 1) + "x" + "}" * (DEEPEST + 1), "x" * (LONGEST + 1)):
        with pytest.raises(ValueError, match="no formula of a claim"):
            parse_formula(beyond)


def test_signs_of_a_formula_are_themselves():
    assert ">\u2264</mo>" in mathml(r"a \le b")
    assert ">\u03b1</mi>" in mathml(r"\alpha")
    assert ">\u2211</mo>" in mathml(r"\sum")


def test_the_policy_names_the_hashes_of_script_and_style():
    """SHA-256 of nothing and of "abc", known from the standard."""
    nothing, abc = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
    assert security_policy("", "abc").startswith(f"default-src 'none'; script-src 'sha256-{nothing}'; style-src 'sha256-{abc}'; ")
