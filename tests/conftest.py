"""What holds for the whole suite: the same examples in every run, and what it says at its end."""

from hypothesis import settings

# A failure that comes once in a hundred runs is found by looking for it, `pytest --hypothesis-profile=search`, not by chance in CI.
settings.register_profile("same", derandomize=True, deadline=None, database=None)
settings.register_profile("search", derandomize=False, deadline=None)
settings.load_profile("same")


def pytest_terminal_summary(terminalreporter):
    """Print how many of the planted faults were caught."""
    name = "test_a_planted_fault_is_caught"
    caught, missed = (
        sum(name in report.nodeid for report in terminalreporter.stats.get(kind, []) if getattr(report, "when", "call") == "call")
        for kind in ("passed", "failed")
    )
    if caught + missed:
        terminalreporter.write_line(f"planted faults caught: {caught} of {caught + missed} ({100 * caught / (caught + missed):.0f} %)")
