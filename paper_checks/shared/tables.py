"""Arithmetic of printed tables, and what cannot be repeated here."""

from collections.abc import Mapping, Sequence

from paper_checks.verdict import Finding, consistent, not_testable, refuted


def compared(words: str, computed: Mapping[str, float], printed: Mapping[str, float], digits: float = 0.0) -> Finding:
    """Return REFUTED with the first number that differs from the printed one by more than half a unit of its last digit."""
    for name, value in printed.items():
        if not abs(computed[name] - value) <= digits + 1e-9 * abs(value):
            witness = {"number": name, "computed": computed[name], "printed": value}
            return refuted(f"{words}: {name} is {computed[name]:.6g}, printed is {value:g}", dict(computed), witness)
    return consistent(f"{words}: " + ", ".join(f"{name} {value:.6g}" for name, value in computed.items()), dict(computed))


def drops(table: Mapping[str, Sequence[float]], lower: str, upper: str) -> list[float]:
    """Return by how much one row is below another, to the printed digit."""
    return [round(b - a, 1) for a, b in zip(table[lower], table[upper], strict=True)]


def largest_drop(*, words: str, of: Mapping[str, tuple[Mapping[str, Sequence[float]], str, str]], printed: float) -> Finding:
    """Recompute by how much rows are below others at the most, in words: by name, the table, the lower and the upper row."""
    found = {name: max(drops(*rows)) for name, rows in of.items()}
    whole = {**found, "largest": max(found.values())} if len(found) > 1 else {"largest": max(found.values())}
    return compared(words, whole, {"largest": printed})


def untested(*, sentence: str, **numbers: object) -> Finding:
    """Say why a claim is not tested, and what would be needed."""
    return not_testable(sentence, numbers)
