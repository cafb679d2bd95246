"""What each paper brings to the tests that all papers share: data only, in the folder of its key.

    PAPER/__init__.py     ROOMS of mutants
    PAPER/bounds.py       its statements, conditions and schedules once more, as its pages of claims print them or by hand
    PAPER/ledger.py       how many claims there are, the subjects of its errata, the proofs and claims that take long
    PAPER/simulation.py   defaults of its functions, and calls that are too large for any memory
    PAPER/commands.py     its methods on the command line: options, problems; its figures

Its planted faults are text, `tests/faults/PAPER/*.txt`.
A folder is found by its name, and what a paper lacks fails the test that looks for it.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAPERS = tuple(sorted(path.parent.name for path in HERE.glob("*/__init__.py")))
PARTS = ("bounds", "ledger", "simulation", "commands")


def of(paper: str, table: str) -> Any:
    """Return one table of a paper: "ledger.SUBJECTS", or "ROOMS" of the folder itself."""
    part, _, name = table.rpartition(".")
    return getattr(import_module(".".join(filter(None, (__name__, paper, part)))), name)


def joined(table: str) -> dict[Any, Any]:
    """Return a table of all papers together; AssertionError where two of them have one entry."""
    found: dict[Any, Any] = {}
    for paper in PAPERS:
        one = of(paper, table)
        assert not found.keys() & one.keys(), f"{table}: {sorted(map(str, found.keys() & one.keys()))} stand in two papers"
        found |= one
    return found
