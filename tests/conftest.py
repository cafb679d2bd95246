"""What holds for the whole suite: its levels, and the same examples in every run."""

import sys

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

pytest_plugins = ["tests.levels", "tests.verify.resume"]

# A failure that comes once in a hundred runs is found by looking for it, `pytest --hypothesis-profile=search`, not by chance in CI.
settings.register_profile("same", derandomize=True, deadline=None, database=None)
settings.register_profile("search", derandomize=False, deadline=None)
settings.load_profile("same")

# Hypothesis mixes the numbers that stand in the sources of whatever modules of ours are imported at the moment into what it tries, so what
# a test tried depended on which tests were collected with it. Without them it depends on the test alone: test_house.py holds this.
providers._get_local_constants = lambda: providers._local_constants


@pytest.fixture(autouse=True)
def own_files():
    """Forget the files of one's own that a test loads: the verdicts of later tests would depend on their sources too."""
    before = dict(papers.IMPORTED) if (papers := sys.modules.get("paper_checks.papers")) else {}
    yield
    if papers := sys.modules.get("paper_checks.papers"):
        for path in papers.IMPORTED.keys() - before:
            del papers.IMPORTED[path]


def pytest_terminal_summary(terminalreporter):
    """Print how many of the planted faults were tried and noticed."""
    name = "test_a_planted_fault_is_noticed["
    noticed, missed = (
        sum(name in report.nodeid for report in terminalreporter.stats.get(kind, []) if getattr(report, "when", "call") == "call")
        for kind in ("passed", "failed")
    )
    if tried := noticed + missed:
        from tests.faults.text import load_faults

        terminalreporter.write_line(f"planted faults: {noticed} noticed of {tried} tried, of {len(load_faults())}")
