"""What the suite says at its end."""


def pytest_terminal_summary(terminalreporter):
    """Print how many of the planted faults were caught."""
    name = "test_a_planted_fault_is_caught"
    caught, missed = (
        sum(name in report.nodeid for report in terminalreporter.stats.get(kind, []) if getattr(report, "when", "call") == "call")
        for kind in ("passed", "failed")
    )
    if caught + missed:
        terminalreporter.write_line(f"planted faults caught: {caught} of {caught + missed} ({100 * caught / (caught + missed):.0f} %)")
