"""Arithmetic of printed tables, and claims that cannot be tested here."""

from collections.abc import Mapping, Sequence

from paper_checks.record import Record
from paper_checks.verdict import Finding, not_testable


def check_printed_numbers(words: str, computed: Mapping[str, float], printed: Mapping[str, float], digits: float = 0.0) -> Finding:
    """Check that every printed number is the computed number of its name, to within `digits`; return a Finding.

    `digits` is half a unit of the last printed digit.
    """
    record = Record(computed)
    for name, value in printed.items():
        if not abs(computed[name] - value) <= digits + 1e-9 * abs(value):
            witness = {"number": name, "computed": computed[name], "printed": value}
            return record.refute(f"{words}: {name} is {computed[name]:.6g}, printed is {value:g}", witness)
    return record.conclude(f"{words}: " + ", ".join(f"{name} {value:.6g}" for name, value in computed.items()))


def row_differences(table: Mapping[str, Sequence[float]], lower: str, upper: str) -> list[float]:
    """Return the row `upper` of a table minus its row `lower`, cell by cell, to one decimal."""
    return [round(b - a, 1) for a, b in zip(table[lower], table[upper], strict=True)]


def check_largest_drop(*, words: str, of: Mapping[str, tuple[Mapping[str, Sequence[float]], str, str]], printed: float) -> Finding:
    """Check that the largest difference of two rows, {name: (table, lower, upper row)}, is the printed one; return a Finding."""
    found = {name: max(row_differences(*rows)) for name, rows in of.items()}
    whole = {**found, "largest": max(found.values())} if len(found) > 1 else {"largest": max(found.values())}
    return check_printed_numbers(words, whole, {"largest": printed})


def report_untested(*, sentence: str, **numbers: object) -> Finding:
    """Return the NOT_TESTABLE Finding of a claim; `sentence` has the reason and what a test would need."""
    return not_testable(sentence, numbers)
