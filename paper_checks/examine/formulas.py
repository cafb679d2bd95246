"""Printed formulas: as numbers, by their exponents, against the theory; and what certificates of ledgers have in common."""

import re
from collections.abc import Mapping, Set
from functools import cache
from typing import Any

import sympy as sp

import bounds
from bounds.proofs.inequalities import Instance, is_zero
from bounds.symbols import GLOSSARY
from paper_checks.as_printed import printed
from paper_checks.verdict import Finding, inconclusive, proved


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


def inserted(expression: Any, values: Mapping[Any, Any]) -> Any:
    """Return the expression with values put in for its letters, and in these again, until none of the letters is left."""
    while expression.free_symbols & set(values):
        expression = expression.xreplace(dict(values))
    return expression


@cache
def compiled(expression: Any, modules: str) -> tuple[tuple[Any, ...], Any]:
    """Return the letters of an expression in order, and it as a function of their numbers, of "math" or of "mpmath"."""
    letters = tuple(sorted(expression.free_symbols, key=str))
    return letters, sp.lambdify(letters, expression, modules)


def monomial(expression: Any, *letters: Any) -> tuple[Any, ...]:
    """Return the exponents of the letters in a product of powers; raises ValueError where it is none in these letters."""
    logarithm = sp.expand(sp.expand_log(sp.log(expression), force=True))
    found = tuple(logarithm.coeff(sp.log(letter)) for letter in letters)
    rest = sp.expand(logarithm - sum(power * sp.log(letter) for power, letter in zip(found, letters, strict=True)))
    if rest.free_symbols & set(letters):
        raise ValueError(f"{expression}: a product of powers of {letters} is needed")
    return found


def transcribed(*, paper: str, ours: Set[str] = frozenset()) -> Finding:
    """Compare the theory of a paper with the print: what its pages of claims print of every statement, its bound and its parts by name.

    `ours` are statements of the theory that the paper has not, or that another check compares.
    """
    compared, differing = 0, []
    every = {key.removeprefix(f"{paper}.") for key in bounds.THEOREMS if key.startswith(f"{paper}.")} - ours
    statements = [name for name in printed(paper).statements if name in every]
    for name in statements:
        theorem = bounds.THEOREMS[f"{paper}.{name}"]
        held = {"bound": theorem.bound, **{re.sub(r"\W+", "_", part.name): part.value for part in theorem.parts}}
        for part, formula in printed(paper).of(name).items():
            compared += 1
            if held.get(part) is None or not is_zero(sp.sympify(held[part] - formula)):
                differing.append(f"{name}: {part}")
    differing += [f"{name}: not transcribed" for name in sorted(every - set(statements))]
    numbers = {"statements": len(statements), "formulas compared": compared}
    if differing:
        return inconclusive(f"the theory and the print differ in {', '.join(differing)}; comparing the two would settle it", numbers)
    return proved(f"{compared} formulas of {len(statements)} statements are the printed ones", numbers)
