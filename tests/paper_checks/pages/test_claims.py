"""Pages of claims: the format of docs/reference/claim-pages.md, mistakes with their places, and that everything they name is there."""

import math
import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bounds
from bounds.pages.tokens import BadPage, Mistake
from paper_checks import errata, papers
from paper_checks.pages import claims as claim_pages
from paper_checks.pages.arguments import Reference, parse_call, parse_value
from paper_checks.pages.claims import FOLDER, WrittenClaim, page_path, read_claims, resolve_path
from paper_checks.pages.standard import named_proofs
from paper_checks.shared import proofs, witness
from paper_checks.verdict import Kind, Outcome, Size

REFERENCE = (Path(__file__).parents[3] / "docs" / "reference" / "claim-pages.md").read_text(encoding="utf-8")
EXAMPLES = [text for text in re.findall(r"```page\n(.*?)```", REFERENCE, re.DOTALL) if text.startswith("theory-page")]
CLAIMS = {one.key: one for one in papers.claims()}


@pytest.fixture
def page(tmp_path, monkeypatch):
    """Write a page of the paper dpzero, outside of the lab's folder, and read it."""
    folder = tmp_path / "dpzero"
    folder.mkdir()
    monkeypatch.setattr(claim_pages, "page_path", lambda file: file.name)

    def written(text):
        file = folder / "mine.page"
        file.write_text(text, encoding="utf-8")
        return read_claims(file)

    return written


def mistakes(page, text):
    with pytest.raises(BadPage) as told:
        page(text)
    return [f"{one.line}:{one.column}: {one.message}" for one in told.value.mistakes]


def test_the_example_of_the_reference_is_read_as_it_says(page):
    one, two, *runs = page(EXAMPLES[0])
    at = {"d": 20, "n": 250, "epsilon": 2.0}
    assert one.given == {
        "key": "dpzero.example.any_epsilon",
        "kind": Kind.SCOPE,
        "stated": "printed",
        "source": "Theorem 3, for any epsilon > 0",
        "words": "(7) holds with the choice of parameters, whatever epsilon > 0 is",
        "latex": r"\mathbb{E}\|\nabla F_S(x_\tau)\|^2 \le (64\tilde L^2 + 2L^2)\frac{\sqrt{rA}}{n\varepsilon}",
        "expected": Outcome.REFUTED,
        "why": "the logarithm can be negative, and the right side with it",
        "correction": "The argument of the logarithm must exceed 1",
        "repaired_by": "dpzero.example.logarithm",
    }
    assert one.call.arguments == {"key": "dpzero.theorem3", "letter": "X", "points": (at,)}
    assert one.claim().examine.__name__ == "check_positive_logarithm"
    assert (two.given["stated"], two.given["derivations"]) == ("question", ("dpzero.integer_t_theorem_3",))
    question = two.claim()
    assert (question.arguments_of(full=False)["points"], question.arguments_of(full=True)["points"]) == (20_000, 1_000_000)
    assert [run.key.rpartition("_")[2] for run in runs] == ["cosine", "logistic"]
    assert [run.claim().arguments_of(full=True)["seed"] for run in runs] == [31, 32]
    assert runs[1].given["words"].endswith("on the logistic objective")
    assert all(run.given["needs_full"] for run in runs)


def test_the_example_of_errata_is_read(tmp_path):
    file = tmp_path / "errata.page"
    file.write_text(EXAMPLES[1], encoding="utf-8")
    assert [(one.number, one.weight, one.mark) for one in errata.read_errata(file)] == [
        ("E1", "text", "harmless"),
        ("E2", "guarantee", "repairable"),
    ]
    assert errata.read_errata(file)[1].claims == ("lemma_2_2.any_epsilon", "theorem1.privacy")


def test_every_item_and_block_of_the_format_is_in_the_reference():
    for name in (
        *claim_pages.ITEMS,
        *claim_pages.STATED,
        "let",
        "for",
        *claim_pages.KINDS,
        *claim_pages.OUTCOMES,
        *errata.WEIGHTS,
        *errata.MARKS,
    ):
        assert re.search(rf"`(?:[^`\n]* )?{name}\b[^`\n]*`", REFERENCE), name


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("20_000", 20_000),
        ("1e-5", 1e-5),
        ("-2", -2),
        ("1/3", Fraction(1, 3)),
        ("1.0/3", 1 / 3),
        ("2*sqrt(2)", 2 * math.sqrt(2)),
        ("sqrt(3/7)", math.sqrt(3 / 7)),
        ("8*4*log(3) - e", 8 * 4 * math.log(3) - math.e),
        ("1.2**2", 1.44),
        ("-inf", -math.inf),
        ("pi", math.pi),
        ("None", None),
        ("True", True),
        ('"a <b>"', "a 7"),
        ('"a <c> <b:.2f>"', "a <c> 7.00"),
        (r'r"\frac{1}{2}"', r"\frac{1}{2}"),
        ('("a", (1,), {})', ("a", (1,), {})),
        ('{"n": 1, 2: b}', {"n": 1, 2: 7}),
        ("range(1, 4)", (1, 2, 3)),
        ("1 | 2", Size(1, 2)),
        ("theorem3.BELOW", Reference("theorem3.BELOW")),
        ('statement.STEPS["dpzero.theorem3"]', Reference("statement.STEPS", "dpzero.theorem3")),
    ],
)
def test_a_value_is_what_it_says(text, meant):
    found = parse_value(text, 1, {"b": 7})
    assert found == meant
    assert type(found) is type(meant)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1]", r"\[1\] is no value"),
        ("f(1)", r"f\(1\) is no value"),
        ("__import__('os')", "is no value"),
        ("lambda: 1", "is no value"),
        ("(x for x in 1)", "is no value"),
        ("b", "'b' is no value of this page; the nearest name is bb"),
        ('"a" + "b"', "'a' is no number"),
        ("-True", "True is no number"),
        ("1/0", "1 / 0: "),
        ("sqrt(-1)", "math domain error"),
        ("exp(1e9)", "math range error"),
        ("10**9999", "at most 1000 are needed"),
        ("(10**1000)**2", "at most 1000 are needed"),
        ("range(1, 10**9)", "no whole number of at most"),
        ("range(1.0, 3)", "no whole number"),
        ("(1, ", "a value of a page is needed"),
        ("1 +", "a value of a page is needed"),
        ("", "a value of a page is needed"),
        ("*a", "is no value|a value of a page is needed"),
        ("{**{}}", "is no value"),
        ("b''", "is no value|is needed"),
        ("1j", "is no value"),
        ("a.b.c().d", "is no value"),
        ("(" * 300 + ")" * 300, "a value of a page is needed"),
        ("1" * 20_001, "at most 20000 are allowed"),
        ('"<bb:x y>"', "<bb:x y>: "),
    ],
)
def test_what_is_no_value_is_refused(text, said):
    with pytest.raises(Mistake, match=said):
        parse_value(text, 1, {"bb": 1.0})


@pytest.mark.parametrize(
    "text", ["f(1)", "theorem3.f(1)", "theorem3.f(**{})", "f(a = 1)", "theorem3.f", "bounds.os.f(a = 1)", "(1).f(a = 1)"]
)
def test_a_check_is_called_by_module_and_with_names(text):
    with pytest.raises(Mistake, match=r"module\.function"):
        parse_call(text, 1, {})


@given(st.recursive(st.integers() | st.floats(allow_nan=False) | st.booleans() | st.none() | st.text("ab c'", max_size=5),
       lambda one: st.lists(one, max_size=3).map(tuple) | st.dictionaries(st.text("ab", max_size=2), one, max_size=2)))  # fmt: skip
def test_a_value_that_is_written_is_read_again(given_value):
    """Python writes text in single quotes too, which are as good."""
    assert parse_value(repr(given_value), 1, {}) == given_value


HEAD = "theory-page 1\n\nclaims dpzero.mine -- Mine\n\n"
CLAIM = """claim dpzero.mine.one: scope
  source -- Section 1
  says -- it holds
  expect refuted -- it does not
  check shared.formulas.check_positive_logarithm(key = "dpzero.theorem3", letter = "X", points = ())
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("theory-page 1", "theory-page 2", "1:1: the first line must be 'theory-page 1'"),
        ("claims dpzero.mine", "claim dpzero.mine", "3:1: the page begins with 'claims KEY -- title'"),
        ("claim dpzero.mine.one: scope", "claims dpzero.mine.one: scope", "5:1: 'claims' stands here: claim, reading, question"),
        ("claim dpzero.mine.one: scope", "claim dpzero.mine.one scope", "5:1: 'claim KEY: kind' is needed"),
        (": scope", ": scop", "5:24: 'scop' is no kind: identity, "),
        ("dpzero.mine.one", "dp_zopo.mine.one", "5:7: 'dp_zopo.mine.one' is no key of this paper, such as dpzero.theorem3.privacy"),
        ("  says", "  sais", "7:3: 'sais' is no item: source, says, "),
        ("  source -- Section 1\n", "", "5:1: dpzero.mine.one has no source"),
        ("  source -- Section 1\n", "  source -- Section 1\n  source -- Section 2\n", "7:3: 'source' stands here twice"),
        ("says -- it holds", "says it holds", "7:1: 'says -- words' is needed"),
        ("expect refuted", "expect refutd", "8:1: 'expect outcome -- why' is needed, with one of proved, "),
        ("expect refuted -- it does not", "expect refuted", "8:1: 'expect outcome -- why' is needed"),
        ("  expect", "  instead of it -- no\n  expect", "8:1: 'instead -- words' or 'instead by KEY -- words' is needed"),
        ("  expect", "  only sometimes\n  expect", "8:1: 'only in full runs' is needed"),
        ("  expect", "  proofs a,, b\n  expect", "8:1: 'proofs KEY, KEY' is needed"),
        ("  expect", "  shares\n  expect", "8:1: 'shares -- the name of an experiment' is needed"),
        ('letter = "X"', "letter = X", "9:84: 'X' is no value of this page"),
        ("points = ()", "points = (", "9:1: a value of a page is needed ('(' was never closed)"),
        ("claim dpzero", "let A 3\nclaim dpzero", "5:1: 'let NAME = value' is needed"),
        ("claim dpzero", "let pi = 3\nclaim dpzero", "5:1: 'pi': a name that nothing on this page has"),
        ("claim dpzero", "let A = 3\nlet A = 4\nclaim dpzero", "6:1: 'A': a name that nothing on this page has"),
        ("claim dpzero", "for a\nclaim dpzero", "5:1: different names, and a row of values below them for each claim, are needed"),
        ("claim dpzero", "for a, b\n  1\nclaim dpzero", "6:1: 1 values stand here: 2 are needed, for a, b"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_place(page, old, new, said):
    text = (HEAD + CLAIM).replace(old, new, 1)
    assert mistakes(page, text)[0].startswith(said)


def test_rows_without_a_claim_are_a_mistake(page):
    assert mistakes(page, f"{HEAD}{CLAIM}for a\n  1\n") == ["10:1: a claim is needed below the rows of 'for'"]


def test_all_mistakes_of_a_page_are_told(page):
    three = HEAD + CLAIM.replace("scope", "scop") + CLAIM.replace("one", "two").replace("says", "sais") + "wrong\n"
    assert [one.partition(":")[0] for one in mistakes(page, three)] == ["5", "12", "15"]


def test_a_key_that_stands_twice_is_refused(tmp_path, monkeypatch):
    folder = tmp_path / "dpzero"
    folder.mkdir()
    for name in ("one", "two"):
        (folder / f"{name}.page").write_text(HEAD + CLAIM, encoding="utf-8")
    monkeypatch.setattr(claim_pages, "FOLDER", tmp_path)
    monkeypatch.setattr(claim_pages, "page_files", lambda paper: (folder / "one.page", folder / "two.page"))
    claim_pages.written_claims.cache_clear()
    with pytest.raises(BadPage, match=r"dpzero\.mine\.one: this key stands in .*dpzero/one\.page already"):
        claim_pages.written_claims("dpzero")
    claim_pages.written_claims.cache_clear()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("positive_logarithm", "positive_logaritm", "has no check_positive_logaritm; the nearest name is check_positive_logarithm"),
        ("shared.formulas", "shared.formula", "paper_checks.shared.formula: there is no such module"),
        ("letter =", "leter =", "takes no leter; the nearest name is letter"),
        ("points = ()", "points = theorem3.NONE", "paper_checks.dpzero.theorem3 has no NONE"),
        ("points = ()", 'points = statement.STEPS["0"]', "statement.STEPS has no entry '0'"),
        ("points = ()", "points = printed.equation_77", "printed.equation_77: no formula has this name; the nearest names are equation_7"),
    ],
)
def test_a_name_that_no_module_has_is_told(page, old, new, said):
    (one,) = page((HEAD + CLAIM).replace(old, new))
    with pytest.raises(BadPage, match=re.escape(said)):
        one.claim()


def test_every_claim_of_the_lab_has_its_check_and_all_arguments():
    """`papers.claims` looks up every module, function, argument and named value; the check itself is run by `test_ledger`."""
    assert len(CLAIMS) == len(papers.claims()) == sum(len(claim_pages.written_claims(paper)) for paper in papers.PAPERS) > 1200
    for paper in papers.PAPERS:
        listed = {page_path(file) for file in claim_pages.page_files(paper)}
        assert listed == {page_path(file) for file in (FOLDER / paper).rglob("*.page") if file.name != "errata.page"}


def test_what_a_claim_refers_to_is_there():
    for one in CLAIMS.values():
        assert not one.repaired_by or one.repaired_by in CLAIMS, one.key
        assert {*one.derivations} <= {*bounds.DERIVATIONS}, one.key
        assert one.expected is Outcome.REFUTED or not one.correction, one.key


def written_of(function):
    return [
        one for paper in papers.PAPERS for one in claim_pages.written_claims(paper) if resolve_path(one.call.function, one.key) == function
    ]


def test_a_whole_proof_is_asked_of_the_theorem_that_its_key_names():
    """And is expected to be PROVED only where it is said that every step is certified."""
    whole = [one for one in written_of((proofs.__name__, "check_proof")) if one.key.endswith(".chain")]
    assert len(whole) > 60
    for one in whole:
        key = one.call.arguments["key"]
        assert (one.key, one.given["derivations"]) == (f"{key}.chain", (key,))
        assert (one.given["expected"] is Outcome.PROVED) == one.given["why"].startswith("every step is certified"), one.key
        assert one.call.arguments["samples"].quick < one.call.arguments["samples"].full


def test_a_false_line_and_what_holds_instead_are_a_pair():
    """The same entry, the same words and LaTeX of what holds, and the proofs of the steps that are named."""
    instead = {one.call.arguments["key"]: one for one in written_of((witness.__name__, "check_correction"))}
    assert len(instead) > 40
    for key, repaired in instead.items():
        (false,) = (one for one in written_of((witness.__name__, "check_witness")) if one.call.arguments["key"] == key)
        assert false.given["repaired_by"] == repaired.key
        assert repaired.given["words"] == false.given["correction"]
        assert repaired.given.get("latex", "") == false.given.get("correction_latex", "")
        named = named_proofs(key.partition(".")[0], repaired.call.arguments["steps"])
        assert repaired.given.get("derivations", ()) == false.given.get("derivations", ()) == named, key


def test_a_claim_is_where_it_says():
    one = next(one for one in claim_pages.written_claims("dpzero") if one.key == "dpzero.theorem3.any_epsilon")
    assert isinstance(one, WrittenClaim)
    assert one.file.read_text(encoding="utf-8").splitlines()[one.line - 1] == "claim dpzero.theorem3.any_epsilon: scope"
