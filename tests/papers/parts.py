"""A paper's tables in several files, `bounds_*.py` and `ledger_*.py` of its folder, each for a part of the paper; here they are joined."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).parent


def parts(paper: str, table: str) -> tuple[ModuleType, ...]:
    """Return the modules of a paper whose names begin with a table's."""
    return tuple(import_module(f"tests.papers.{paper}.{file.stem}") for file in sorted((HERE / paper).glob(f"{table}_*.py")))


def together(modules: tuple[ModuleType, ...], name: str) -> dict[Any, Any]:
    """Return one table of all parts; AssertionError where two of them have one entry."""
    found: dict[Any, Any] = {}
    for part in modules:
        table = getattr(part, name, {})
        assert not found.keys() & table.keys(), f"{name}: {sorted(map(str, found.keys() & table.keys()))} stand in two parts"
        found |= table
    return found


def rows(modules: tuple[ModuleType, ...], name: str) -> tuple[Any, ...]:
    """Return the rows of all parts."""
    return tuple(row for part in modules for row in getattr(part, name, ()))


def statements(paper: str) -> dict[str, Any]:
    """Return what `bounds.py` of a paper declares."""
    modules = parts(paper, "bounds")
    tables = ("PRINTED", "STATEMENTS", "SCHEDULES", "ANY_SCHEDULE", "CONDITIONS", "PARTS_ELSEWHERE", "HIGHEST")
    found = {name: together(modules, name) for name in tables}
    found |= {name: {letter: at for part in modules for letter, at in getattr(part, name, {}).items()} for name in ("LETTERS", "POINT")}
    found |= {"LOWEST": {low: " ".join(getattr(part, "LOWEST", {}).get(low, "") for part in modules) for low in (1, 0)}}
    found |= {name: rows(modules, name) for name in ("LIMITS", "ELSEWHERE", "AT_LEAST")}

    def changed(key: str, v: Any) -> dict[str, Any]:
        """Return what a condition of a statement takes instead of the point at which the others are."""
        (part,) = (part for part in modules if key in getattr(part, "CONDITIONS", {}))
        return part.changed(key, v) if hasattr(part, "changed") else {}

    return found | {"changed": changed}


def kept(paper: str) -> dict[str, Any]:
    """Return what `ledger.py` of a paper declares."""
    modules = parts(paper, "ledger")

    def errata(mark: str) -> str:
        numbers = {number for part in modules for number in getattr(part, "MARKED", {}).get(mark, "").split()}
        return " ".join(sorted(numbers, key=lambda number: int(number[1:])))

    return {
        "LEAST": {kind: sum(part.LEAST.get(kind, 0) for part in modules) for kind in ("printed", "reading", "question")},
        "MARKED": {mark: errata(mark) for mark in ("fatal", "repairable", "harmless")},
        "SUBJECTS": together(modules, "SUBJECTS"),
        "NOT_SHOWN": together(modules, "NOT_SHOWN"),
        "UNCORRECTED": rows(modules, "UNCORRECTED"),
        "WITHDRAWN": set(rows(modules, "WITHDRAWN")),
        "COMPILED": set(rows(modules, "COMPILED")),
    }
