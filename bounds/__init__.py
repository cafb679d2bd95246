"""What the papers claim: theorems as values, their proofs step by step, and privacy accounting.

    bounds.THEOREMS      every statement, by key, for instance "dpzero.theorem3"
    bounds.DERIVATIONS   every proof chain, by key; a chain is written out when it is asked for

Both are put together at first use, because they need SymPy and SymPy is slow to import; `bounds.privacy` does not need it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

PAGES = ("dpzero", "dpzero.sharp")  # the modules that hold THEOREMS and DERIVATIONS


def __getattr__(name: str) -> Any:
    if name not in ("THEOREMS", "DERIVATIONS"):
        raise AttributeError(f"module 'bounds' has no attribute {name!r}")
    pages = [import_module(f"bounds.{page}") for page in PAGES]
    merged: Any
    if name == "THEOREMS":
        merged = {key: theorem for page in pages for key, theorem in page.THEOREMS.items()}
    else:
        from bounds.proofs import Proofs

        merged = Proofs({key: write for page in pages for key, write in page.DERIVATIONS.pages.items()})
    globals()[name] = merged
    return merged
