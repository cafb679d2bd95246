"""A line of a paper that is false as printed, with the corrected line and a point at which both can be evaluated.

This module gives no verdict: `values` only substitutes. Each paper lists its own such lines in `bounds/PAPER/false_lines.py`, as
PRINTED_FALSE.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import mpmath as mp
import sympy as sp


@dataclass(frozen=True)
class FalseLine:
    """A printed line `lhs relation rhs` that is false, and the corrected line `lhs true_relation true_rhs`, which holds.

    `at` are definitions of the paper that the line uses, `premises` its assumptions. The definitions are inserted, and the premises hold,
    at `witness`: values of the symbols at which the printed line fails. `instead` names the step that certifies the corrected line, ""
    where it is only an interpretation.
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
        """Return a copy with the printed formula, lhs relation rhs."""
        return replace(self, lhs=lhs, relation=relation, rhs=rhs)

    def says(self, claim: str) -> FalseLine:
        """Return a copy with the claim of the printed line in words."""
        return replace(self, claim=claim)

    def holds(self, relation: str, rhs: Any, by: str = "") -> FalseLine:
        """Return a copy with the correct relation and right side, and the name of the step that certifies them."""
        return replace(self, true_relation=relation, true_rhs=rhs, instead=by)

    def fails_at(self, witness: Mapping[Any, Any], at: Mapping[Any, Any] | None = None, given: tuple[Any, ...] = ()) -> FalseLine:
        """Return a copy with the witness where the line fails, the definitions `at`, and the premises `given`."""
        return replace(self, witness=witness, at=at or {}, premises=given)

    def values(self, digits: int = 50) -> tuple[Any, Any, Any]:
        """Return lhs, rhs and true_rhs at the witness as mpmath numbers; equal sides may differ by rounding."""
        return tuple(self.evaluate_at_witness([self.lhs, self.rhs, self.true_rhs], digits))

    def premise_sides(self, digits: int = 50) -> list[tuple[str, Any, Any]]:
        """Return each premise evaluated at the witness, as (relation, left number, right number)."""
        sides = self.evaluate_at_witness([side for one in self.premises for side in (one.lhs, one.rhs)], digits)
        return [(one.rel_op, sides[2 * i], sides[2 * i + 1]) for i, one in enumerate(self.premises)]

    def evaluate_at_witness(self, expressions: list[Any], digits: int) -> list[Any]:
        """Evaluate expressions at the witness in `digits` digits and return mpmath numbers.

        They are evaluated as written, because an exact power of a rational number can be very long.
        """
        known = {letter: sp.sympify(value) for letter, value in self.at.items()}
        inserted = [sp.sympify(expression).xreplace(known) for expression in expressions]
        given = sorted(self.witness, key=str)
        missing = set().union(*(expression.free_symbols for expression in inserted)) - set(given)
        if missing:
            raise ValueError(f"{self.key}: the witness gives no value for {sorted(map(str, missing))}")
        with mp.workdps(digits + 20):
            values = [mp.mpf(one.p) / one.q for one in (sp.Rational(self.witness[letter]) for letter in given)]
            return [mp.mpf(value) for value in sp.lambdify(given, inserted, modules="mpmath")(*values)]
