"""The statements of DP-GRAPE once more, by hand: a module for each part of the paper, here together."""

from tests.papers.dp_grape import bounds_moments, bounds_privacy, bounds_proof, bounds_sharp

PARTS = (bounds_privacy, bounds_proof, bounds_moments, bounds_sharp)


def together(name):
    """Return one table of all parts; AssertionError where two of them have one entry."""
    found = {}
    for part in PARTS:
        table = getattr(part, name, {})
        assert not found.keys() & table.keys(), f"{name}: {sorted(found.keys() & table.keys())} stand in two parts"
        found |= table
    return found


STATEMENTS, SCHEDULES, ANY_SCHEDULE = (together(name) for name in ("STATEMENTS", "SCHEDULES", "ANY_SCHEDULE"))
CONDITIONS, PARTS_ELSEWHERE, HIGHEST = (together(name) for name in ("CONDITIONS", "PARTS_ELSEWHERE", "HIGHEST"))
LETTERS = {name: limits for part in PARTS for name, limits in part.LETTERS.items()}  # from, to, where the statements are evaluated
POINT = {name: value for part in PARTS for name, value in getattr(part, "POINT", {}).items()}
LOWEST = {low: " ".join(part.LOWEST.get(low, "") for part in PARTS) for low in (1, 0)}
LIMITS = [row for part in PARTS for row in getattr(part, "LIMITS", ())]
ELSEWHERE = tuple(key for part in PARTS for key in getattr(part, "ELSEWHERE", ()))
AT_LEAST = tuple(key for part in PARTS for key in getattr(part, "AT_LEAST", ()))


def changed(key, v):
    """Return what a condition of a statement takes instead of the point at which the others are."""
    (part,) = (part for part in PARTS if key in part.CONDITIONS)
    return part.changed(key, v) if hasattr(part, "changed") else {}
