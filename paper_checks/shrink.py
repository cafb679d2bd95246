"""A counterexample in round numbers: the fewer digits a witness has, the easier it is to substitute by hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import mpmath as mp
import sympy as sp

from bounds.derivation import Reasoned, Step, attack
from bounds.symbols import GLOSSARY


def shrink(point: Mapping[str, float], fails: Callable[[dict[str, float]], bool]) -> dict[str, float]:
    """Return a point where `fails` still holds, each coordinate in turn as round as it can be made while the others stay."""
    found = dict(point)
    for name in found:
        for value in rounder(found[name]):
            if fails({**found, name: value}):
                found[name] = value
                break
    return found


def rounder(value: float) -> Iterator[float]:
    """Yield 1 and 0, the power of ten next to the value, then the value to one, two and three significant digits."""
    sign = math.copysign(1.0, value)
    yield from (1.0, 0.0) if value > 0 else (0.0, -1.0) if value < 0 else (0.0,)
    if value and math.isfinite(value):
        yield sign * float(f"1e{round(math.log10(abs(value)))}")
        yield from (float(f"{value:.{digits - 1}e}") for digits in (1, 2, 3))


def is_false_at(step: Step, point: Mapping[str, float], digits: int = 50) -> bool:
    """Return whether a step is false at a point of its domain; False where the point is outside, so that rounding cannot leave it."""
    letters = {letter.name: letter for letter in _letters(step)}
    if not letters.keys() <= point.keys():
        return False
    values = {letters[name]: sp.Float(point[name], digits) for name in letters}
    if not all(_inside(step, letter, values, digits) for letter in letters.values()):
        return False
    pinned = replace(without_givens(step), ranges={letter: (value, value) for letter, value in values.items()})
    return attack(pinned, samples=1, digits=digits).counterexample is not None


def without_givens(step: Step) -> Step:
    """Return the step with its certificate's insertions done and nothing taken as given: an attack on it is one on its two sides."""
    values = getattr(step.certificate, "values", None) or getattr(step.certificate, "at", {})
    inserted = {letter: sp.sympify(value) for letter, value in values.items()}
    lhs, rhs = (sp.sympify(side).xreplace(inserted) for side in (step.lhs, step.rhs))  # a side may be a plain number
    return replace(step, lhs=lhs, rhs=rhs, certificate=Reasoned("attacked as it stands"))


def sides_at(step: Step, point: Mapping[str, float], digits: int = 50) -> tuple[float, float, float]:
    """Return both sides of a step at a point, and their difference, which floats may not show."""
    bare = without_givens(step)
    values = {letter: sp.Float(point[letter.name], digits) for letter in bare.lhs.free_symbols | bare.rhs.free_symbols}
    with mp.workdps(digits):
        left, right = bare.lhs.xreplace(values).evalf(digits), bare.rhs.xreplace(values).evalf(digits)
        return float(left), float(right), float(left - right)


def _letters(step: Step) -> set[sp.Symbol]:
    """Return every letter that an attack on the step draws."""
    bare = without_givens(step)
    letters: set[sp.Symbol] = bare.lhs.free_symbols | bare.rhs.free_symbols
    for relation in step.where:
        letters |= relation.free_symbols
    waiting = set(letters)
    while waiting:
        low, high = _range(step, waiting.pop())
        new = (low.free_symbols | high.free_symbols) - letters
        letters |= new
        waiting |= new
    return letters


def _range(step: Step, letter: sp.Symbol) -> tuple[sp.Expr, sp.Expr]:
    if letter in step.ranges:
        low, high = step.ranges[letter]
    else:
        entry = GLOSSARY[letter.name]
        low, high = entry.low, GLOSSARY[entry.high].symbol if isinstance(entry.high, str) else entry.high
    return sp.sympify(low), sp.sympify(high)


def _inside(step: Step, letter: sp.Symbol, values: Mapping[sp.Symbol, sp.Float], digits: int) -> bool:
    low, high = (end.xreplace(values).evalf(digits) for end in _range(step, letter))
    return bool(low.is_real and high.is_real and low <= values[letter] <= high)
