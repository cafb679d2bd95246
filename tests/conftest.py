"""Configuration of the whole test suite: plugins, the same Hypothesis examples in every run, and the count of planted faults."""

import sys

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

pytest_plugins = ["tests.levels", "tests.verify.resume"]

# CI runs the same examples each time; `pytest --hypothesis-profile=search` looks for failures that are rare.
settings.register_profile("same", derandomize=True, deadline=None, database=None)
settings.register_profile("search", derandomize=False, deadline=None)
settings.load_profile("same")

# Hypothesis adds the numbers in the sources of all imported modules of the project to its examples, so the examples of a test would depend
# on the tests that were collected with it. Without those numbers they depend on the test alone: test_house.py checks this.
providers._get_local_constants = lambda: providers._local_constants


@pytest.fixture(autouse=True)
def forget_user_files():
    """Forget the user files that a test loads; otherwise the verdicts of later tests would depend on their sources too."""
    before = dict(papers.LOADED_FILES) if (papers := sys.modules.get("paper_checks.papers")) else {}
    yield
    if papers := sys.modules.get("paper_checks.papers"):
        for path in papers.LOADED_FILES.keys() - before:
            del papers.LOADED_FILES[path]


def pytest_terminal_summary(terminalreporter):
    """Print how many planted faults were tried and how many were noticed."""
    name = "test_a_planted_fault_is_noticed["
    noticed, missed = (
        sum(name in report.nodeid for report in terminalreporter.stats.get(kind, []) if getattr(report, "when", "call") == "call")
        for kind in ("passed", "failed")
    )
    if tried := noticed + missed:
        from tests.faults.text import load_faults

        terminalreporter.write_line(f"planted faults: {noticed} noticed of {tried} tried, of {len(load_faults())}")
