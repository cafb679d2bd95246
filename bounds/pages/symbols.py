"""Convert symbols declared on pages to entries of the glossary. This module does not need SymPy."""

from __future__ import annotations

from typing import Any

from bounds.letter import Letter
from bounds.pages.formulas import to_fraction
from bounds.pages.store import DeclaredSymbol

ROLES = {"constants": "problem", "choices": "schedule", "abbreviations": "abbreviation"}
WIDEST = 1e3  # end of the range for attacks of a symbol whose declaration gives none
SMALLEST = 1e-3  # low end of that range for a positive symbol


def glossary_entry(declared: DeclaredSymbol) -> Letter:
    """Return the glossary entry of a declared symbol."""
    domain, kind = declared.domain, declared.domain["domain"]
    ends = [end if isinstance(end, str) else float(to_fraction(end)) for end in domain.get("tried", ())]
    low = float(ends[0]) if ends else lowest_tried_value(domain)
    high: Any = domain.get("at most") or (ends[1] if ends else 1.0 if "probability" in kind else WIDEST)
    role = ROLES.get(declared.section) or ("probability" if "probability" in kind else "step" if "step" in domain else "proof")
    if role == "step" and low == 1 and kind == "above":  # only its range for attacks begins at 1; its values may be smaller
        role = "proof"
    changes = "step" in domain and role != "step"
    return Letter(declared.known_as, domain.get("written", declared.name), declared.words, low, high, role, changes)


def declaration_text(declared: DeclaredSymbol) -> str:
    """Return the declaration of a symbol as text: name, domain, properties and words."""
    domain = declared.domain
    kind = f"{domain['domain']} {domain['low']}" if "low" in domain else str(domain["domain"])
    steps = "of a step" if "step" in domain else "the same at every step"
    related = [f"{one} {domain[one]}" for one in ("next", "first", "last", "average", "at most") if one in domain]
    return f"{declared.name}: {', '.join((kind, steps, *related))} -- {declared.words}"


def lower_limit(declared: DeclaredSymbol) -> int:
    """Return the lower limit of the domain of a symbol, 0 where it has none above 0."""
    return int(declared.domain.get("low", 0)) if declared.domain["domain"] in ("at least", "integer at least") else 0


def lowest_tried_value(domain: Any) -> float:
    """Return the lower end of the range for attacks of a symbol whose declaration does not give one."""
    kind, low = domain["domain"], float(domain.get("low", 0))
    if kind == "real":
        return -WIDEST
    if kind in ("at least", "integer at least", "probability"):
        return low
    return max(low, SMALLEST)
