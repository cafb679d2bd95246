"""Files of one's own: what `--module FILE` adds to the lab, and that nothing in it takes a name that is there already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from theory_lab.methods.record import resolved

if TYPE_CHECKING:
    from paper_checks.verdict import Claim

PARTS = {  # what a file may define: what an entry is called, its class, and the lab's own table
    "METHODS": ("a method", "theory_lab.methods.record:Method", "theory_lab.methods:METHODS"),
    "THEOREMS": ("a theorem", "bounds.theorem:Theorem", "bounds:THEOREMS"),
    "DERIVATIONS": ("a derivation", "bounds.derivation:Derivation", "bounds:DERIVATIONS"),
    "OBJECTIVES": ("an objective", "collections.abc:Callable", "theory_lab:NAMES"),
    "LANDSCAPES": ("a landscape", "collections.abc:Callable", "theory_lab:NAMES"),
}
SINGLE = {"METHODS": ("METHOD", "name"), "THEOREMS": ("THEOREM", "key")}  # one entry alone, and where its name stands


def load(files: Iterable[Path]) -> list[ModuleType]:
    """Return the files, imported and checked; one that is named twice counts once.

    Raises ValueError for what is no Python file, cannot be imported, or defines something that is not what its name says.
    """
    from paper_checks import papers

    found: list[ModuleType] = []
    for file in files:
        module = papers.load(file)
        if module not in found:
            found.append(module)
    for name in PARTS:
        table(found, name)
    return found


def table(modules: Iterable[ModuleType], name: str) -> dict[str, Any]:
    """Return what files of one's own add to a table of `PARTS`, by its names; ValueError for what is none and for a name that is taken."""
    word, of, lab = PARTS[name]
    alone, key = SINGLE.get(name, ("", ""))
    found: dict[str, Any] = {}
    for module in modules:
        given = getattr(module, name, {})
        if not isinstance(given, Mapping):
            raise ValueError(f"{name} in {module.__file__}: a dictionary is needed, {word} by its name")
        entries = [(name, *entry) for entry in given.items()]
        if alone and hasattr(module, alone):
            one = getattr(module, alone)
            entries.append((alone, getattr(one, key, ""), one))
        for where, called, one in entries:
            if not isinstance(one, resolved(of)):
                needed = "a function" if of.endswith("Callable") else f"a {of.replace(':', '.')}"
                raise ValueError(f"{where} in {module.__file__}: {needed} is needed")
            if called in found or called in resolved(lab):
                raise ValueError(f"{where} in {module.__file__}: the lab has {word} {called!r}")
            found[called] = one
    return found


def claims(modules: Sequence[ModuleType], paper: str = "") -> tuple[Claim, ...]:
    """Return the claims of the lab, or of one of its papers, and after them those of files of one's own.

    Raises ValueError where a file has a key twice, or one that the lab or another file has.
    """
    from paper_checks import papers

    own = tuple(one for module in modules for one in getattr(module, "CLAIMS", ()))
    taken = {one.key for one in papers.claims()} if own else set()
    for one in own:
        if one.key in taken:
            raise ValueError(f"CLAIMS: there is a claim {one.key!r} already, another key is needed")
        taken.add(one.key)
    if not paper:
        return (*papers.claims(), *own)
    return (*(import_module(f"paper_checks.{paper}").CLAIMS if paper in papers.PAPERS else ()), *own)


def chosen(modules: Sequence[ModuleType], select: Sequence[str]) -> tuple[Claim, ...]:
    """Return the claims that the patterns choose among all; without patterns those of the files, or of the lab where there is no file."""
    from paper_checks import run

    known = claims(modules)
    if select or not modules:
        return run.select(known, select)
    own = tuple(one for module in modules for one in getattr(module, "CLAIMS", ()))
    if not own:
        raise ValueError(f"module = {modules[0].__file__!r}: it must define CLAIMS, a tuple of at least one claim")
    return own
