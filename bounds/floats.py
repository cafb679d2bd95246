"""Expressions as floats: nan where they are not real, inf only where the value itself is beyond floats."""

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import mpmath as mp
import sympy as sp

from bounds.symbols import GLOSSARY


def number(expression: Any, values: Mapping[str, float]) -> float:
    """Return the expression as a float: nan where it is not real, inf only where the value itself is beyond floats.

    Plain floats first. Where they overflow or underflow, or where inputs are so extreme that they might, 50 digits with
    mpmath's unlimited exponents. Moments of a Gaussian beyond c are differences of terms up to c^8 times as large: where `erfc`
    occurs there are no plain floats, and digits for c up to 1e12.
    """
    names = names_in(expression)
    point = [values[name] for name in names]
    cancels = _has_erfc(expression)
    if not cancels and all(value == 0 or 1e-30 <= abs(value) <= 1e30 for value in point):
        plain = _real(_plain(expression, names), point)
        if plain != 0 and math.isfinite(plain):
            return float(plain)
    with mp.workdps(150 if cancels else 50):
        return float(_real(_precise(expression, names), [mp.mpf(value) for value in point]))


def number_beside(expression: Any, values: Mapping[str, float], side: int) -> float:
    """Return the float next to the expression that is no smaller (side 1) or no larger (side -1) than it; nan where it is not real."""
    names = names_in(expression)
    with mp.workdps(150 if _has_erfc(expression) else 50):
        exact = _real(_precise(expression, names), [mp.mpf(values[name]) for name in names])
        near = float(exact)
        return math.nextafter(near, side * math.inf) if side * (exact - near) > 0 else near


def _real(function: Callable[..., Any], point: list[Any]) -> Any:
    """Return the value, nan where it is undefined or complex (a TypeError: complex numbers cannot be compared)."""
    try:
        value = function(*point)
    except (OverflowError, ZeroDivisionError, TypeError):
        return math.nan
    return math.nan if isinstance(value, complex | mp.mpc) else value


def _on_reals(functions: Any) -> dict[str, Callable[..., Any]]:
    """Return square root, logarithm, minimum and maximum that are nan, not complex or an error, where they do not exist."""
    return {
        "sqrt": lambda value: functions.sqrt(value) if value >= 0 else math.nan,
        "log": lambda value: functions.log(value) if value > 0 else math.nan,
        "min": lambda *values: min(values) if all(value == value for value in values) else math.nan,
        "max": lambda *values: max(values) if all(value == value for value in values) else math.nan,
    }


@lru_cache(maxsize=4096)
def names_in(expression: Any) -> tuple[str, ...]:
    """Return the names of the symbols of an expression, in alphabetical order."""
    return tuple(sorted(symbol.name for symbol in expression.free_symbols))


@lru_cache(maxsize=4096)
def _has_erfc(expression: Any) -> bool:
    return bool(expression.has(sp.erfc))


@lru_cache(maxsize=4096)
def _plain(expression: Any, names: tuple[str, ...]) -> Callable[..., Any]:
    return sp.lambdify([GLOSSARY[name].symbol for name in names], expression, modules=[_on_reals(math), "math"])


@lru_cache(maxsize=4096)
def _precise(expression: Any, names: tuple[str, ...]) -> Callable[..., Any]:
    return sp.lambdify([GLOSSARY[name].symbol for name in names], expression, modules=[_on_reals(mp), "mpmath"])
