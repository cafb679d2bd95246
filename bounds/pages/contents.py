"""Tables of contents: a statement is read from its page, and a proof with it, when it is first asked for.

SymPy needs time to build formulas, most of it for proofs, so one theorem can be evaluated without the others.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
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


def found_at(where: str) -> Any:
    """Return what "module:name" names, or "module" the module itself, which is imported for it."""
    module, _, name = where.partition(":")
    found = import_module(module)
    return getattr(found, name) if name else found


def written_out(where: Any) -> Any:
    """Return the proof that "module:name" names, or that is given itself: the value, or what a function without arguments returns."""
    found = found_at(where) if isinstance(where, str) else where
    return found() if callable(found) else found


def tables(paper: str, names: str) -> tuple[OnDemand[Any], OnDemand[Any]]:
    """Return a paper's statements and its proofs by key, "dpzero.theorem1", from the pages that have them.

    names   those of the pages, without the paper, in the order in which they are listed

    Raises ValueError for a page that is not there, or is named twice.
    """
    from bounds.pages.store import lab

    statements: dict[str, Callable[[], Any]] = {}
    proofs: dict[str, Callable[[], Any]] = {}
    for name in names.split():
        key = f"{paper}.{name}"
        if key not in lab().files or key in statements or key in proofs:
            raise ValueError(f"names = {name!r}: one page of the key {key} is needed")
        kind, has_proof = lab().outline(key)
        if kind == "theorem":
            statements[key] = partial(_statement, key)
        if has_proof:
            proofs[key] = partial(_proof, key)
    return OnDemand(statements), OnDemand(proofs)


def _statement(key: str) -> Any:
    from bounds.pages.store import lab
    from bounds.pages.values import theorem  # here: it needs SymPy

    return theorem(lab().page(key))


def _proof(key: str) -> Any:
    import bounds  # here: its tables are these
    from bounds.pages.store import lab
    from bounds.pages.values import derivation

    page = lab().page(key)
    return derivation(page, bounds.THEOREMS[key] if page.kind == "theorem" else None)
