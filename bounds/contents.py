"""Tables of contents: a theorem's page is opened, and a proof written out, when it is first asked for.

A table names for each result its page, and the statement and the proof there, so that one theorem can be evaluated without loading all
the pages: SymPy needs time to build them, most of it for proofs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
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


def statement(where: str) -> Callable[[], Any]:
    """Return the call that imports "module:name" and returns what has that name."""
    module, _, name = where.partition(":")
    return lambda: getattr(import_module(module), name)


def proof(where: str) -> Callable[[], Any]:
    """Return the call that imports "module:name", a function without arguments, and returns what it returns."""
    find = statement(where)
    return lambda: find()()


def tables(paper: str, rows: str) -> tuple[OnDemand[Any], OnDemand[Any]]:
    """Return a paper's statements and its proofs by key, "dpzero.theorem1", from one table.

    rows   one result a line, in the order of the statements: its name, its module in the folder of the paper, the name of its statement
           there, that of its proof, a function, and the place of the proof among the proofs; "-" where there is none
    """
    results = [row.split() for row in rows.strip().splitlines()]
    stated = {name: f"{module}:{made}" for name, module, made, *_ in results if made != "-"}
    proved = sorted((int(place[0]), name, f"{module}:{made}") for name, module, _, made, *place in results if made != "-")
    return (
        OnDemand({f"{paper}.{name}": statement(f"bounds.{paper}.{where}") for name, where in stated.items()}),
        OnDemand({f"{paper}.{name}": proof(f"bounds.{paper}.{where}") for _, name, where in proved}),
    )
