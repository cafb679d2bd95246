"""What holds of the ledger of every paper: where its claims stand, what repairs them, which proofs they name."""

from collections import Counter

import pytest

from bounds import DERIVATIONS
from paper_checks import papers
from paper_checks.verdict import Outcome
from tests.papers import PAPERS, of

CLAIMS = {paper: [claim for claim in papers.claims() if claim.key.startswith(f"{paper}.")] for paper in PAPERS}


def test_the_claims_are_those_of_the_papers():
    assert sum(map(len, CLAIMS.values())) == len(papers.claims())


@pytest.mark.parametrize("paper", PAPERS)
def test_there_are_claims_enough_and_each_says_where_it_stands(paper):
    claims = CLAIMS[paper]
    counted, least = Counter(claim.stated for claim in claims), of(paper, "ledger.LEAST")
    assert counted.keys() == least.keys()
    assert all(counted[kind] >= least[kind] for kind in least)
    assert len({claim.key for claim in claims}) == len(claims)
    assert all(claim.source and claim.words and claim.why for claim in claims)


@pytest.mark.parametrize("paper", PAPERS)
def test_a_refuted_claim_says_what_is_right_instead(paper):
    refuted = {claim.key for claim in CLAIMS[paper] if claim.expected is Outcome.REFUTED and not claim.correction}
    assert refuted == {f"{paper}.{key}" for key in of(paper, "ledger.UNCORRECTED")}


@pytest.mark.parametrize("paper", PAPERS)
def test_repairs_and_derivations_exist(paper):
    keys = {claim.key for claim in CLAIMS[paper]}
    for claim in CLAIMS[paper]:
        assert set(claim.derivations) <= set(DERIVATIONS), claim.key
        assert claim.repaired_by in {"", *keys}, claim.key
