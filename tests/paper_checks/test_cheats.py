"""Every attempt to cheat is refused by both checkers, and by the examination as a whole."""

import json

import pytest

from bounds.certificates import Outcome as Certificate
from bounds.certificates import verify_all
from bounds.exported import exported
from bounds.support import missing_link
from paper_checks import recheck
from paper_checks.steps import examine_steps
from paper_checks.verdict import Outcome
from tests.paper_checks.cheats import CHEATS


def test_there_are_enough_of_them():
    assert len(CHEATS) >= 60


@pytest.mark.parametrize("name", CHEATS)
def test_the_first_checker_refuses(name):
    chain = CHEATS[name]()
    assert Certificate.FAILED in [one.outcome for one in verify_all(chain)] or missing_link(chain)


@pytest.mark.parametrize("name", CHEATS)
def test_the_second_checker_refuses(name):
    chain = CHEATS[name]()
    found = recheck.check(json.loads(json.dumps(exported([chain]))))[chain.key]
    assert any(found.values())


@pytest.mark.parametrize("name", CHEATS)
def test_the_examination_does_not_pass(name):
    finding = examine_steps(CHEATS[name](), samples=15)
    assert finding.outcome in (Outcome.REFUTED, Outcome.INCONCLUSIVE), finding.sentence
