"""Evaluate SymPy expressions as floats: nan where the value is not real, inf only where it is beyond the range of floats."""

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import mpmath as mp
import sympy as sp

from bounds.symbols import GLOSSARY


def float_value(expression: Any, values: Mapping[str, float]) -> float:
    """Evaluate an expression at the values of its symbols; return a float, nan where it is not real, inf only where it overflows.

    Plain floats are tried first. Where they overflow or underflow, or where inputs are so extreme that they might, mpmath computes with
    50 digits and unlimited exponents. Moments of a Gaussian beyond c are differences of terms up to c^8 times as large. So an expression
    with `erfc` is never computed in plain floats: it gets 150 digits, which are enough for c up to 1e12.
    """
    names = symbol_names(expression)
    point = [values[name] for name in names]
    cancels = _has_erfc(expression)
    if not cancels and all(value == 0 or 1e-30 <= abs(value) <= 1e30 for value in point):
        plain = _call_or_nan(_compile_float(expression, names), point)
        if plain != 0 and math.isfinite(plain):
            return float(plain)
    with mp.workdps(150 if cancels else 50):
        return float(_call_or_nan(_compile_mpmath(expression, names), [mp.mpf(value) for value in point]))


def directed_float(expression: Any, values: Mapping[str, float], side: int) -> float:
    """Evaluate an expression and round it to a float, up (side 1) or down (side -1); nan where it is not real."""
    names = symbol_names(expression)
    with mp.workdps(150 if _has_erfc(expression) else 50):
        exact = _call_or_nan(_compile_mpmath(expression, names), [mp.mpf(values[name]) for name in names])
        near = float(exact)
        return math.nextafter(near, side * math.inf) if side * (exact - near) > 0 else near


def _call_or_nan(function: Callable[..., Any], point: list[Any]) -> Any:
    """Return function(*point), or nan where that is undefined or complex (a TypeError: complex numbers cannot be compared)."""
    try:
        value = function(*point)
    except (OverflowError, ZeroDivisionError, TypeError):
        return math.nan
    return math.nan if isinstance(value, complex | mp.mpc) else value


def _real_functions(functions: Any) -> dict[str, Callable[..., Any]]:
    """Return sqrt, log, min and max by name, from a module (math or mpmath); each gives nan where the real value does not exist."""
    return {
        "sqrt": lambda value: functions.sqrt(value) if value >= 0 else math.nan,
        "log": lambda value: functions.log(value) if value > 0 else math.nan,
        "min": lambda *values: min(values) if all(value == value for value in values) else math.nan,
        "max": lambda *values: max(values) if all(value == value for value in values) else math.nan,
    }


@lru_cache(maxsize=4096)
def symbol_names(expression: Any) -> tuple[str, ...]:
    """Return the names of the symbols of an expression, in alphabetical order."""
    return tuple(sorted(symbol.name for symbol in expression.free_symbols))


@lru_cache(maxsize=4096)
def _has_erfc(expression: Any) -> bool:
    """Return whether an expression contains the function erfc."""
    return bool(expression.has(sp.erfc))


@lru_cache(maxsize=4096)
def _compile_float(expression: Any, names: tuple[str, ...]) -> Callable[..., Any]:
    """Compile an expression to a function of floats, with the named symbols as arguments."""
    return sp.lambdify([GLOSSARY[name].symbol for name in names], expression, modules=[_real_functions(math), "math"])


@lru_cache(maxsize=4096)
def _compile_mpmath(expression: Any, names: tuple[str, ...]) -> Callable[..., Any]:
    """Compile an expression to a function of mpmath numbers, with the named symbols as arguments."""
    return sp.lambdify([GLOSSARY[name].symbol for name in names], expression, modules=[_real_functions(mp), "mpmath"])
