"""The rooms, named groups of source files for mutation testing: their files, and the tests to try where coverage names none."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

from tests.papers import PAPERS, of

ROOT = Path(__file__).parents[2]
PACKAGES = ("bounds", "synthetic", "figures", "theory_lab", "paper_checks")

# A file belongs to the first room with a matching pattern. Papers can add patterns to a room, and a room named by their key.
SHARED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "proofs": (
        (
            "bounds/proofs/*.py",
            "paper_checks/recheck_export.py", "paper_checks/named_proofs.py",
            *(f"paper_checks/shared/{name}.py" for name in ("steps", "shrink", "proofs", "witness")),
        ),
        ("tests/bounds", "tests/paper_checks"),
    ),
    "sweep": (
        (
            "synthetic/sweeps/*.py",
            "paper_checks/verdict_store.py", "paper_checks/run.py",
        ),
        (
            "tests/synthetic/sweeps",
            "tests/theory_lab/test_checking", "tests/theory_lab/test_broken_runs", "tests/theory_lab/test_reuse",
            "tests/paper_checks/test_verdict_store",
        ),
    ),
    "report": (
        (
            "theory_lab/report*.py", "theory_lab/report/safe_html.py", "bounds/strict_json.py", "bounds/typeset/*.py",
            "figures/style.py", "paper_checks/verdict.py", "paper_checks/compare.py", "paper_checks/errata.py",
        ),
        ("tests/theory_lab", "tests/paper_checks/test_verdict"),
    ),
    "sharp": (("bounds/moments/*.py",), ("tests/bounds/moments", "tests/bounds/dpzero", "tests/bounds")),
    "theorems": (("bounds/*.py",), ("tests/bounds",)),
    "simulation": (("synthetic/*.py",), ("tests/synthetic",)),
    "figures": (("figures/*.py",), ("tests/figures", "tests/paper_checks")),
    "front": (("theory_lab/*.py",), ("tests/theory_lab",)),
    "paper_checks": (("paper_checks/*.py",), ("tests/paper_checks",)),
}  # fmt: skip
OWN = {paper: of(paper, "ROOMS") for paper in PAPERS}
ROOMS = {paper: (rooms[paper], (f"tests/bounds/{paper}",)) for paper, rooms in OWN.items() if paper in rooms} | {
    room: ((*(one for rooms in OWN.values() for one in rooms.get(room, ())), *patterns), tests)
    for room, (patterns, tests) in SHARED.items()
}
LEFT_OUT = ("proofs",)  # by default: false proofs test them (`tests/paper_checks/false_proofs`)


def room_of(path: str) -> str:
    """Return the room of a source file, given its path from the root."""
    return next(room for room, (patterns, _) in ROOMS.items() if any(fnmatch(path, pattern) for pattern in patterns))


def room_files(room: str, root: Path = ROOT) -> list[str]:
    """Return the paths, from the root, of the source files of a room."""
    every = sorted(str(p.relative_to(root)) for package in PACKAGES for p in (root / package).rglob("*.py"))
    return [path for path in every if room_of(path) == room]
