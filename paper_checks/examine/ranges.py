"""Where a statement stops to make sense: parameters that it admits, and at which its formulas say nothing true."""

from collections.abc import Mapping, Sequence

import bounds
from paper_checks.examine.formulas import number
from paper_checks.verdict import Finding, consistent, refuted


def positive_logarithm(*, key: str, letter: str, points: Sequence[Mapping[str, float]]) -> Finding:
    """Evaluate a statement where the argument of its logarithm is at most 1: the right side bounds something that is not negative."""
    theorem, found = bounds.THEOREMS[key], []
    for values in points:
        at, value = theorem.evaluate(**values), number(theorem.in_constants(theorem.definitions[letter]), values)
        found.append({**values, letter: value, "T*": at.schedule["T"], "C": at.schedule["C"], "right side": at.bound})
    false = [one for one in found if one["right side"] < 0 and one[letter] <= 1]
    if not false:
        return consistent("the right side is positive", {"all": found})
    words = "the right side is {right side:.4g}, T = {T*:.4g}, C = {C:.4g}".format_map(false[0])
    return refuted(f"{letter} = {false[0][letter]:.4g}: {words}", {"witnesses": len(false), "all": found}, false[0])
