"""A line of a paper that is false as printed, with what holds instead and a point at which anyone can substitute both.

Nothing here is a verdict: `values` only substitutes. A paper lists its own in `bounds/PAPER/false_lines.py`, as PRINTED_FALSE.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import mpmath as mp
import sympy as sp


@dataclass(frozen=True)
class FalseLine:
    """A printed line `lhs relation rhs` that is false, and `lhs true_relation true_rhs`, which holds.

    `at` are definitions of the paper that the line uses, `premises` what it assumes; both are inserted or hold at `witness`, the values of
    the letters at which the printed line fails. `instead` names the step that certifies what holds, "" where there is
    only a reading.
    """

    key: str
    erratum: str
    where: str
    claim: str = ""
    lhs: Any = None
    relation: str = ""
    rhs: Any = None
    true_relation: str = ""
    true_rhs: Any = None
    instead: str = ""
    witness: Mapping[Any, Any] = field(default_factory=dict)
    at: Mapping[Any, Any] = field(default_factory=dict)
    premises: tuple[Any, ...] = ()

    def printed(self, lhs: Any, relation: str, rhs: Any) -> FalseLine:
        """Return the line with what is printed."""
        return replace(self, lhs=lhs, relation=relation, rhs=rhs)

    def says(self, claim: str) -> FalseLine:
        """Return the line with what it says in words."""
        return replace(self, claim=claim)

    def holds(self, relation: str, rhs: Any, by: str = "") -> FalseLine:
        """Return the line with what holds of its left side, and the step by which it does."""
        return replace(self, true_relation=relation, true_rhs=rhs, instead=by)

    def fails_at(self, witness: Mapping[Any, Any], at: Mapping[Any, Any] | None = None, given: tuple[Any, ...] = ()) -> FalseLine:
        """Return the line with the point where it fails, the definitions that are inserted there and the premises that hold there."""
        return replace(self, witness=witness, at=at or {}, premises=given)

    def values(self, digits: int = 50) -> tuple[Any, Any, Any]:
        """Return lhs, rhs and true_rhs at the witness as mpmath numbers of so many digits; two sides that agree may differ by rounding."""
        return tuple(self.substituted([self.lhs, self.rhs, self.true_rhs], digits))

    def premise_sides(self, digits: int = 50) -> list[tuple[str, Any, Any]]:
        """Return each premise at the witness as its relation and its two sides."""
        sides = self.substituted([side for one in self.premises for side in (one.lhs, one.rhs)], digits)
        return [(one.rel_op, sides[2 * i], sides[2 * i + 1]) for i, one in enumerate(self.premises)]

    def substituted(self, expressions: list[Any], digits: int) -> list[Any]:
        """Return the expressions at the witness: evaluated as written, because an exact power of a rational number can be very long."""
        known = {letter: sp.sympify(value) for letter, value in self.at.items()}
        inserted = [sp.sympify(expression).xreplace(known) for expression in expressions]
        given = sorted(self.witness, key=str)
        missing = set().union(*(expression.free_symbols for expression in inserted)) - set(given)
        if missing:
            raise ValueError(f"{self.key}: the witness gives no value for {sorted(map(str, missing))}")
        with mp.workdps(digits + 20):
            values = [mp.mpf(one.p) / one.q for one in (sp.Rational(self.witness[letter]) for letter in given)]
            return [mp.mpf(value) for value in sp.lambdify(given, inserted, modules="mpmath")(*values)]
