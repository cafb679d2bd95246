"""The numbered lists of what is wrong: nothing refuted is missing, nothing is listed twice or without evidence."""

import pytest

from bounds.gauss_psgd.proofs_printed_rates import PRINTED_FALSE
from paper_checks import papers
from paper_checks.errata import MARKS, OPEN, SAID, SHOWN, UNMARKED, WEIGHTS, status
from paper_checks.verdict import Finding, Outcome, Verdict

CLAIMS = {claim.key: claim for claim in papers.claims()}
ERRATA = {(paper, one.number): one for paper in papers.PAPERS for one in papers.errata(paper)}


def as_recorded(paper, erratum):
    """The verdicts of an erratum's claims if all come out as the ledger records, which `test_ledger` demands."""
    claims = [CLAIMS[f"{paper}.{name}"] for name in erratum.claims]
    return [Verdict(c, Finding(c.expected, "", {}, {"x": 1} if c.expected is Outcome.REFUTED else {}), 0.0) for c in claims]


def test_numbers_are_unique_and_weights_are_known():
    assert len(ERRATA) == sum(len(papers.errata(paper)) for paper in papers.PAPERS)
    assert {one.weight for one in ERRATA.values()} == set(WEIGHTS)
    assert {one.mark for one in ERRATA.values()} <= {*MARKS, UNMARKED}
    assert not papers.errata("my_paper")


@pytest.mark.parametrize("paper", papers.PAPERS)
def test_a_refuted_claim_of_the_paper_is_in_one_erratum(paper):
    named = [f"{paper}.{name}" for one in papers.errata(paper) for name in one.claims]
    assert len(named) == len(set(named))
    assert set(named) <= set(CLAIMS)
    refuted = {key for key, c in CLAIMS.items() if key.startswith(f"{paper}.") and c.expected is Outcome.REFUTED}
    assert {key for key in refuted if CLAIMS[key].stated != "question"} <= set(named)


NOT_SHOWN = {  # what the claims do not refute, and what became of it instead
    ("dpzero", "E29"): SAID, ("dpzero", "E30"): SAID, ("dpzero", "E34"): OPEN, ("gauss_psgd", "E33"): SAID, ("gauss_psgd", "E35"): SAID,
}  # fmt: skip


@pytest.mark.parametrize(("paper", "number"), ERRATA)
def test_an_erratum_is_shown_by_a_witness_or_known_not_to_be(paper, number):
    assert status(as_recorded(paper, ERRATA[paper, number])) == NOT_SHOWN.get((paper, number), SHOWN)


def test_the_proofs_number_their_false_lines_alike():
    numbers = {name: one.number for (paper, _), one in ERRATA.items() if paper == "gauss_psgd" for name in one.claims}
    for line in PRINTED_FALSE:
        names = [name for name in numbers if name.endswith(f".{line.key}")]
        assert [numbers[name] for name in names] == [line.erratum], line.key
