"""Signs of expressions that follow from the declared signs of symbols: positive, non-negative, or only real.

SymPy's assumptions do most of it. Added here: log(x) has the sign of x - 1 where that is not negative, erfc is positive, and lines of a
proof may give the sign of an expression.
"""

from collections.abc import Iterable
from typing import Any

import sympy as sp

from bounds.proofs.inequalities import is_zero


def is_positive(value: Any) -> bool:
    """Return whether a value is known to be positive."""
    return bool(value.is_positive or replace_signed_parts(value).is_positive)


def is_non_negative(value: Any) -> bool:
    """Return whether a value is known to be 0 or more."""
    return bool(value.is_nonnegative or replace_signed_parts(value).is_nonnegative)


def has_declared_sign(letter: Any, value: Any, known: Iterable[tuple[Any, bool]] = ()) -> bool:
    """Return whether a value is known to have the declared sign of a symbol; `known` is as in `replace_signed_parts`."""
    seen = replace_signed_parts(value, tuple(known))
    wanted = seen.is_positive if letter.is_positive else seen.is_nonnegative if letter.is_nonnegative else seen.is_extended_real
    return bool(wanted)


def declared_sign(letter: Any) -> str:
    """Return the declared sign of a symbol: "positive", "nonnegative" or "real"."""
    return "positive" if letter.is_positive else "nonnegative" if letter.is_nonnegative else "real"


def replace_signed_parts(value: Any, known: tuple[tuple[Any, bool], ...] = ()) -> Any:
    """Return an expression in which new symbols of known sign replace parts whose sign SymPy does not recognise.

    `known` has pairs (expression that is not negative, whether it is positive).
    """
    for expression, strict in known:
        if is_zero(value - expression):
            return sp.Dummy(positive=True) if strict else sp.Dummy(nonnegative=True)
        if is_zero(value - expression - 1):
            return sp.Dummy(positive=True)
    if not value.args:
        return value
    if isinstance(value, sp.log):
        for expression, strict in known if is_positive(value.args[0]) else ():  # x > 1 is 1 - 1/x > 0, of a positive x
            if is_zero(1 - 1 / value.args[0] - expression):
                return sp.Dummy(positive=True) if strict else sp.Dummy(nonnegative=True)
        above_one = replace_signed_parts(sp.expand(value.args[0] - 1), known)
        if above_one.is_nonnegative:
            return sp.Dummy(positive=True) if above_one.is_positive else sp.Dummy(nonnegative=True)
    if isinstance(value, sp.erfc) and value.args[0].is_extended_real:
        return sp.Dummy(positive=True)
    parts = [replace_signed_parts(one, known) for one in value.args]
    if value.is_Add:  # SymPy does not recognise the sign of E - 1 + x for positive x
        number, rest = value.as_independent(*value.free_symbols)
        if number.is_positive:
            parts = [sp.Dummy(positive=True), *(replace_signed_parts(one, known) for one in sp.Add.make_args(rest))]
    return value.func(*parts)
