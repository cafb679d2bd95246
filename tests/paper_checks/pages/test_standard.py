"""Standard questions of claims: one line each, the same as the check that is written out."""

import re
from pathlib import Path

import pytest

from bounds.pages.tokens import BadPage
from paper_checks import papers
from paper_checks.pages import claims, standard
from paper_checks.pages.claims import read_claims, written_claims
from paper_checks.verdict import Size

HEAD = """theory-page 1

claims dpzero.mine -- mine

claim dpzero.mine.one: identity
  source -- here
  says -- this
  expect proved -- so
"""


@pytest.fixture
def claim(tmp_path, monkeypatch):
    """Return the claim that a page with these items has."""
    monkeypatch.setattr(claims, "page_path", lambda file: file.name)

    def read(*items):
        (tmp_path / "dpzero").mkdir(exist_ok=True)
        file = tmp_path / "dpzero" / "mine.page"
        file.write_text(HEAD + "".join(f"  {item}\n" for item in items), encoding="utf-8")
        (found,) = read_claims(file)
        return found

    return read


@pytest.mark.parametrize(
    ("asked", "check", "proofs"),
    [
        ("chain dpzero.theorem1", 'shared.proofs.check_proof(key = "dpzero.theorem1", samples = 40 | 1000)', "dpzero.theorem1"),
        (
            "chain dpzero.theorem1, samples = 3 | 7",
            'shared.proofs.check_proof(key = "dpzero.theorem1", samples = 3 | 7)',
            "dpzero.theorem1",
        ),
        (
            "lines theorem1: averaged kept; needed",
            'shared.proofs.check_lines(paper = "dpzero", steps = "theorem1: averaged kept; needed", samples = 40 | 1000)',
            "dpzero.theorem1, dpzero.in_place",
        ),
        ("witness dpzero.printed_7", 'shared.witness.check_witness(key = "dpzero.printed_7")', ""),
        (
            "correction dpzero.printed_7 by lemma_c1: tail; lemma_c2: tail end, samples = 6 | 8",
            'shared.witness.check_correction(key = "dpzero.printed_7", steps = "lemma_c1: tail; lemma_c2: tail end", samples = 6 | 8)',
            "dpzero.lemma_c1, dpzero.lemma_c2",
        ),
        (
            "untested -- it takes a GPU,\n    -- and its data",
            'shared.tables.report_untested(sentence = "it takes a GPU, and its data")',
            "",
        ),
        (
            'untested model = "OPT" -- it takes a GPU',
            'shared.tables.report_untested(sentence = "it takes a GPU", model = "OPT")',
            "",
        ),
    ],
)
def test_a_question_is_the_check_that_is_written_out(claim, asked, check, proofs):
    short = claim(asked)
    long = claim(*([f"proofs {proofs}"] if proofs else []), f"check {check}")
    assert (short.call, short.given) == (long.call, long.given)


@pytest.mark.parametrize(
    ("items", "said"),
    [
        (["chain"], "'chain KEY' is needed"),
        (["chain dpzero.theorem1 dpzero.theorem2"], "'chain KEY' is needed"),
        (["chain dpzero.theorem1 -- why"], "'chain KEY' is needed"),
        (["chain dpzero.theorem1, 5"], "check module.function(name = value, ...) is needed"),
        (["lines"], "'lines PROOF: LINE LINE; ...' is needed"),
        (["witness"], "'witness KEY' is needed"),
        (["correction dpzero.printed_7"], "'correction KEY by PROOF: LINE LINE; ...' is needed"),
        (["untested"], "'untested -- why' is needed"),
        (["chain dpzero.theorem1", "witness dpzero.printed_7"], "'witness' stands here: a claim has one check"),
        (["chain dpzero.theorem1", "proofs dpzero.theorem1"], "its check names its proofs already, so 'proofs' is not needed"),
        (["proofs dpzero.theorem1"], "has no check: check module.function(name = value, ...), or one of chain, lines, witness"),
    ],
)  # fmt: skip
def test_a_wrong_question_is_a_mistake(claim, items, said):
    with pytest.raises(BadPage, match=re.escape(said)):
        claim(*items)


def test_placeholders_of_a_row_are_filled(tmp_path):
    (tmp_path / "dpzero").mkdir()
    file = tmp_path / "dpzero" / "mine.page"
    rows = 'for key, line\n  "theorem1", "kept"\n  "theorem2", "averaged"\n'
    asked = HEAD.replace("mine.one", "mine.<key>") + "  lines <key>: <line>\n"
    file.write_text(asked.replace("claim dpzero.mine", rows + "claim dpzero.mine"), encoding="utf-8")
    assert [one.call.arguments["steps"] for one in read_claims(file)] == ["theorem1: kept", "theorem2: averaged"]
    assert [one.given["derivations"] for one in read_claims(file)] == [("dpzero.theorem1",), ("dpzero.theorem2",)]


def test_no_page_writes_out_what_is_a_question():
    functions = {form.function: word for word, form in standard.FORMS.items()}
    asked = [one for paper in papers.PAPERS for one in written_claims(paper) if one.call.function in functions]
    assert len(asked) > 230
    for one in asked:
        text = Path(one.file).read_text(encoding="utf-8")
        assert one.call.function not in text, one.key
    paper_of = {one.key: one.key.partition(".")[0] for one in asked}
    chains = [one for one in asked if functions[one.call.function] == "chain"]
    assert {paper_of[one.key] for one in chains} == {*papers.PAPERS}
    assert standard.sample_counts("dp_grape") == Size(20, 1000)
    assert standard.sample_counts("dp_zopo") == Size(5, 1000)
