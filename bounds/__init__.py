"""The theory: statements of the papers as pages of text, their proofs step by step, and privacy accounting.

    PAPER/*.page         one page per statement: its setting, assumptions, schedule, bound and proof; PAPER/*.py: the paper's plans
    pages                the language of these pages: from text to a theorem and a proof
    proofs               the lines of a proof, and the first of two programs that check them
    privacy              accounting: one module for each mechanism
    moments              exact expectations on a quadratic
    plans                recommended parameters and their guarantees
    typeset              LaTeX of formulas and tables

Imports no other package of the lab. Start reading with a page, `dpzero/theorem3.page`, then `theorem`: the value that a page becomes.

    bounds.THEOREMS      every statement, by key, for instance "dpzero.theorem3"
    bounds.DERIVATIONS   every proof, by key
    bounds.page(key)     the page where both stand; page.formula("kept") is a formula of it by name

A statement is loaded and a proof written out when its key is asked for: both need SymPy, which is slow. `bounds.privacy` does not.
"""

from collections import ChainMap
from importlib import import_module
from typing import Any

from bounds import renamed
from bounds.papers import PAPERS


class Unknown(KeyError):
    """Raised for a key that is not in a table; the message names the nearest keys."""

    def __str__(self) -> str:
        return str(self.args[0])


class Library(ChainMap[str, Any]):
    """Mapping of all statements or all proofs by key; looking up an unknown key raises an error that names the nearest keys.

    ``lab.THEOREMS`` has every statement, a `bounds.theorem.Theorem`, and ``lab.DERIVATIONS`` every proof, a
    `bounds.proofs.derivation.Derivation`. An entry is loaded when it is asked for.

    Examples
    --------
    >>> lab.THEOREMS["dpzero.theorem3"].title
    'Theorem 3 (DPZero)'
    >>> "dpzero.theorem3" in lab.DERIVATIONS
    True
    >>> lab.THEOREMS["theorem3"]
    Traceback (most recent call last):
        ...
    bounds.Unknown: 'theorem3': no such key; the nearest are dpzero.theorem3, gauss_psgd.theorem3, ...
    """

    def unknown_key_message(self, key: object) -> str:
        """Return an error message for a missing key: the nearest known keys, or the prefixes that keys have."""
        from difflib import get_close_matches

        alike = [known for known in self if known.partition(".")[2] == key] + get_close_matches(str(key), list(self), cutoff=0.5)
        nearest = list(dict.fromkeys(alike))[:3]
        if nearest:
            return f"no such key; the nearest {'is' if len(nearest) == 1 else 'are'} {', '.join(nearest)}"
        papers = sorted({known.partition(".")[0] for known in self})
        return f"no such key; they begin with {', '.join(papers)}, and theory-lab list names all"

    def __repr__(self) -> str:
        return f"Library({len(self)} keys: {', '.join(list(self)[:3])}, ...)"

    def __missing__(self, key: str) -> Any:
        raise Unknown(f"{key!r}: {self.unknown_key_message(key)}")


renamed.keep_old_names(
    {
        "bounds.accounting": "bounds.privacy.accounting",
        "bounds.attack": "bounds.proofs.attack",
        "bounds.certificates": "bounds.proofs.certificates",
        "bounds.derivation": "bounds.proofs.derivation",
        "bounds.lines": "bounds.proofs.lines",
        "bounds.meanings": "bounds.proofs.meanings",
        "bounds.mixture": "bounds.privacy.random_iterate",
        "bounds.optimal_quadratic": "bounds.moments.optimal_quadratic",
        "bounds.plan": "bounds.plans.plan",
        "bounds.several": "bounds.plans.side_by_side",
        "bounds.subsampled": "bounds.privacy.subsampled",
    }
)

PUBLIC = {"looseness": "bounds.dpzero.looseness", "choose": "bounds.dpzero.sharp_schedule"}  # public names of modules of a paper


def page(key: str) -> Any:
    """Return the page (`bounds.pages.store.Page`) of a key; raises KeyError, which names the nearest keys, if there is none."""
    from bounds.pages.store import lab_pages

    return lab_pages().page(key)


def __getattr__(name: str) -> Any:
    if name in PUBLIC:
        return import_module(PUBLIC[name])
    if name not in ("THEOREMS", "DERIVATIONS"):
        raise AttributeError(f"module 'bounds' has no attribute {name!r}")
    tables = [getattr(import_module(f"bounds.{page}"), name) for page in PAPERS]
    merged: Any = Library(*reversed(tables))  # reversed, because a ChainMap iterates over its tables from the last to the first
    globals()[name] = merged
    return merged
