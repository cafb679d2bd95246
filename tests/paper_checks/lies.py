"""Planted faults: each is one change of the sources that makes some claim false, or a false one true, or a check blind.

A lie is applied to a copy of the packages; one of the claims that it names must then come out differently from its ledger.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Lie:
    """Replace `old`, which occurs exactly once in `file`, by `new`; one of `claims` must notice."""

    name: str
    file: str
    old: str
    new: str
    claims: tuple[str, ...]
