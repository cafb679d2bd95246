"""What the papers claim: theorems as values, their proofs step by step, and privacy accounting.

    bounds.THEOREMS      every statement, by key, for instance "dpzero.theorem3"
    bounds.DERIVATIONS   every proof chain, by key

Both are put together at first use, because they need SymPy and SymPy is slow to import; `bounds.privacy` does not need it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

PAGES = ("dpzero", "dpzero.sharp")  # the modules that hold THEOREMS and DERIVATIONS


def __getattr__(name: str) -> Any:
    if name not in ("THEOREMS", "DERIVATIONS"):
        raise AttributeError(f"module 'bounds' has no attribute {name!r}")
    merged = {key: entry for page in PAGES for key, entry in getattr(import_module(f"bounds.{page}"), name).items()}
    globals()[name] = merged
    return merged
