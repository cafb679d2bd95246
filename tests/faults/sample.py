"""The planted faults that `make test` tries: a fixed share of each paper and package, chosen by a hash of their names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from tests.faults.text import Fault
from tests.levels import name_hash

SHARE = 0.09
LEAST = 2  # smallest sample of each paper and package


def sample_faults(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Return the sample of faults, sorted by paper and package; a new fault moves at most one other in or out."""
    groups: dict[tuple[str, str], list[Fault]] = defaultdict(list)
    for fault in faults:
        groups[fault.paper, fault.place.partition("/")[0]].append(fault)
    return tuple(
        fault
        for _, group in sorted(groups.items())
        for fault in sorted(group, key=lambda one: name_hash(one.name))[: max(LEAST, round(SHARE * len(group)))]
    )
