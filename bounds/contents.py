"""Tables of contents: a theorem's page is opened, and a proof written out, when it is first asked for.

A table names for each result its page, and the statement and the proof there, so that one theorem can be evaluated without loading all
the pages: SymPy needs time to build them, most of it for proofs.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Generic, TypeVar

V = TypeVar("V")


class OnDemand(Mapping[str, V], Generic[V]):
    """A read-only mapping whose values are made at first use. `makers` holds, for each key, the call that makes its value."""

    def __init__(self, makers: Mapping[str, Callable[[], V]]) -> None:
        self.makers = dict(makers)
        self.made: dict[str, V] = {}

    def __getitem__(self, key: str) -> V:
        if key not in self.made:
            self.made[key] = self.makers[key]()
        return self.made[key]

    def __contains__(self, key: object) -> bool:
        return key in self.makers

    def __iter__(self) -> Iterator[str]:
        return iter(self.makers)

    def __len__(self) -> int:
        return len(self.makers)


def found_at(where: str) -> Any:
    """Return what "module:name" names, or "module" the module itself, which is imported for it."""
    module, _, name = where.partition(":")
    found = import_module(module)
    return getattr(found, name) if name else found


def declared(paper: str, page: str, name: str) -> tuple[Any, ...]:
    """Return the entries that a page of a paper declares under a name: none where it has no such page, or nothing of that name."""
    where = f"bounds.{paper}.{page}"
    return tuple(getattr(import_module(where), name, ())) if find_spec(where) else ()


def written_out(where: Any) -> Any:
    """Return the proof that "module:name" names, or that is given itself: the value, or what a function without arguments returns."""
    found = found_at(where) if isinstance(where, str) else where
    return found() if callable(found) else found


def tables(paper: str, rows: str) -> tuple[OnDemand[Any], OnDemand[Any]]:
    """Return a paper's statements and its proofs by key, "dpzero.theorem1", from one table.

    rows   one result a line: its name, its module in the folder of the paper, the name of its statement there, and that of its proof,
           a Derivation or a function without arguments that returns one; "-" where there is none

    Raises ValueError for a row that is not so, or has the name of another.
    """
    statements: dict[str, Callable[[], Any]] = {}
    proofs: dict[str, Callable[[], Any]] = {}
    for row in rows.strip().splitlines():
        entries = row.split()
        if len(entries) != 4:
            raise ValueError(f"row = {row.strip()!r}: a result of {paper} needs a name, a module, a statement and a proof, '-' for none")
        name, module, statement, proof = entries
        key, where = f"{paper}.{name}", f"bounds.{paper}.{module}"
        if key in statements or key in proofs:
            raise ValueError(f"row = {row.strip()!r}: {paper} has another result of this name")
        if statement != "-":
            statements[key] = partial(found_at, f"{where}:{statement}")
        if proof != "-":
            proofs[key] = partial(written_out, f"{where}:{proof}")
    return OnDemand(statements), OnDemand(proofs)
