"""Printed formulas as numbers, points at which two of them differ, and what certificates of ledgers have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from bounds.inequalities import Instance
from bounds.symbols import GLOSSARY


def number(formula: Any, at: Mapping[str, float]) -> float:
    """Return the value of a formula at the letters' values, in more digits than a float has."""
    return float(formula.xreplace({GLOSSARY[name].symbol: sp.Float(value, 40) for name, value in at.items()}).evalf(30))


def point_of(formula: Any) -> dict[Any, Any]:
    """Return a small integer for every letter of a formula: a point at which to show that it is not 0."""
    return {letter: sp.Integer(2 + i) for i, letter in enumerate(sorted(formula.free_symbols, key=str))}


def apart(one: Any, other: Any, names: tuple[str, str]) -> dict[str, Any]:
    """Return a witness that two formulas differ: a point where they do, and their values there, by these names."""
    point = point_of(one - other)
    sides = {name: float(side.xreplace(point)) for name, side in zip(names, (one, other), strict=True)}
    return {**{str(letter): int(value) for letter, value in point.items()}, **sides}


def logarithm(z: Any) -> tuple[tuple[Any, ...], ...]:
    """Return log z, z >= 1 a limit of the glossary, as a sum of non-negative terms: e^(-log z) - 1 + log z, and (z - 1)/z."""
    return (Instance("exponential", -sp.log(z)),), (1 / z, f"{z} >= 1")
