"""Tables of contents: mappings from keys to theorems and proofs, each read from its page when it is first asked for.

SymPy needs time to build formulas, most of it for proofs, so one theorem can be evaluated without the others.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from typing import Any, Generic, TypeVar

V = TypeVar("V")


class LazyMapping(Mapping[str, V], Generic[V]):
    """Read-only mapping that computes a value at its first use; `makers` maps each key to the call that computes its value."""

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


def import_object(where: str) -> Any:
    """Import and return the object that "module:name" names, or the module itself for "module"."""
    module, _, name = where.partition(":")
    found = import_module(module)
    return getattr(found, name) if name else found


def load_proof(where: Any) -> Any:
    """Return a proof, given as a value, as a function without arguments that returns it, or as the name "module:name" of either."""
    found = import_object(where) if isinstance(where, str) else where
    return found() if callable(found) else found


def page_tables(paper: str, names: str) -> tuple[LazyMapping[Any], LazyMapping[Any]]:
    """Return two mappings of a paper, its theorems and its proofs by key ("dpzero.theorem1"), read from pages on demand.

    names   names of the pages without the paper, separated by spaces, in the order of the tables

    Raises ValueError for a page that does not exist, or is named twice.
    """
    from bounds.pages.store import lab_pages

    statements: dict[str, Callable[[], Any]] = {}
    proofs: dict[str, Callable[[], Any]] = {}
    for name in names.split():
        key = f"{paper}.{name}"
        if key not in lab_pages().files or key in statements or key in proofs:
            raise ValueError(f"names = {name!r}: one page of the key {key} is needed")
        kind, has_proof = lab_pages().outline(key)
        if kind == "theorem":
            statements[key] = partial(_load_statement, key)
        if has_proof:
            proofs[key] = partial(_load_page_proof, key)
    return LazyMapping(statements), LazyMapping(proofs)


def _load_statement(key: str) -> Any:
    """Read the theorem of a key from its page."""
    from bounds.pages.store import lab_pages
    from bounds.pages.values import page_theorem  # here: it needs SymPy

    return page_theorem(lab_pages().page(key))


def _load_page_proof(key: str) -> Any:
    """Read the proof of a key from its page, together with the theorem that it proves."""
    import bounds  # here, because importing it imports this module
    from bounds.pages.store import lab_pages
    from bounds.pages.values import page_derivation

    page = lab_pages().page(key)
    return page_derivation(page, bounds.THEOREMS[key] if page.kind == "theorem" else None)
