"""Every claim at its full size comes out as recorded: what `theory-lab check` runs, a test for each claim."""

import pytest

from paper_checks import papers
from paper_checks.run import FALSE_ALARM, check_claim

CLAIMS = {claim.key: claim for claim in papers.claims()}
pytestmark = [pytest.mark.verify, pytest.mark.timeout(7200)]


@pytest.mark.parametrize("key", CLAIMS)
def test_a_claim_comes_out_as_recorded_at_full_size(key):
    claim = CLAIMS[key]
    finding, _ = check_claim(claim, full=True)
    assert finding.outcome is claim.expected, finding.sentence
    assert finding.false_alarm <= FALSE_ALARM / 5
