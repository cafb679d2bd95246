"""What the ledger of DP-GRAPE must keep: the subjects of its errata, and which of its claims and proofs take long."""

from tests.papers.dp_grape import ledger_memory, ledger_moments, ledger_privacy, ledger_proof, ledger_sharp, ledger_sim

PARTS = (ledger_privacy, ledger_proof, ledger_moments, ledger_sharp, ledger_sim, ledger_memory)


def together(name):
    """Return one table of all parts; AssertionError where two of them have one entry."""
    found = {}
    for part in PARTS:
        table = getattr(part, name, {})
        assert not found.keys() & table.keys(), f"{name}: {sorted(found.keys() & table.keys())} stand in two parts"
        found |= table
    return found


def errata(mark):
    """Return the numbers of the errata with a mark, in their order."""
    numbers = {number for part in PARTS for number in part.MARKED.get(mark, "").split()}
    return " ".join(sorted(numbers, key=lambda number: int(number[1:])))


LEAST = {kind: sum(part.LEAST.get(kind, 0) for part in PARTS) for kind in ("printed", "reading", "question")}
MARKED = {mark: errata(mark) for mark in ("fatal", "repairable", "harmless")}
SUBJECTS, NOT_SHOWN = together("SUBJECTS"), together("NOT_SHOWN")
UNCORRECTED = tuple(key for part in PARTS for key in part.UNCORRECTED)
WITHDRAWN: set[str] = set()
LONG = tuple(key for part in PARTS for key in part.LONG)
COMPILED = {key for part in PARTS for key in part.COMPILED}
