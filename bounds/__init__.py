"""What the papers claim: theorems as values, their proofs step by step, and privacy accounting.

    bounds.THEOREMS      every statement, by key, for instance "dpzero.theorem3"
    bounds.DERIVATIONS   every proof chain, by key

A statement is loaded and a proof written out when its key is asked for: both need SymPy, which is slow. `bounds.privacy` does not.
"""

from __future__ import annotations

from collections import ChainMap
from importlib import import_module
from typing import Any

PAGES = ("dpzero", "dpzero.sharp_contents", "gauss_psgd")  # the modules that hold THEOREMS and DERIVATIONS


def __getattr__(name: str) -> Any:
    if name not in ("THEOREMS", "DERIVATIONS"):
        raise AttributeError(f"module 'bounds' has no attribute {name!r}")
    tables = [getattr(import_module(f"bounds.{page}"), name) for page in PAGES]
    merged: Any = ChainMap(*reversed(tables))  # which goes through its tables from the last to the first
    globals()[name] = merged
    return merged
