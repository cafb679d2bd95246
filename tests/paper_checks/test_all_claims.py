"""The quick run of the ledger: every claim comes out as it is recorded. ``theory-lab check`` is the full one."""

import pytest

from paper_checks import papers
from paper_checks.run import FALSE_ALARM, check_claim

CLAIMS = [claim for claim in papers.claims() if not claim.needs_full]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.key)
def test_a_claim_comes_out_as_recorded(claim):
    finding, _ = check_claim(claim)
    assert finding.outcome is claim.expected, finding.sentence
    assert finding.sentence
    assert finding.false_alarm <= FALSE_ALARM / 5
    assert finding.false_alarm == 0 or finding.seed is not None
