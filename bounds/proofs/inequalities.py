"""Elementary inequalities that a certificate may use by name, each proved by Taylor's theorem at 0."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp

x = sp.Symbol("x", real=True)
x_plus = sp.Symbol("x", nonnegative=True)


@dataclass(frozen=True)
class Inequality:
    """Statement that a function of x is non-negative, with the data for its proof by Taylor's theorem at 0.

    Its value and first `order - 1` derivatives are 0 or more at 0, and the derivative of that order equals `top`, which SymPy recognises
    as non-negative. On x >= 0 any order is enough; on all of R the order is 2 and value and slope are exactly 0.
    """

    words: str
    function: Any
    letter: Any
    order: int
    top: Any


@lru_cache
def is_proved(inequality: Inequality) -> bool:
    """Return whether the proof data of an elementary inequality are correct."""
    function, letter = inequality.function, inequality.letter
    at_zero = [sp.diff(function, letter, k).subs(letter, 0) for k in range(inequality.order)]
    if letter == x and not (inequality.order == 2 and all(value == 0 for value in at_zero)):
        return False
    top = sp.diff(function, letter, inequality.order)
    return all(value.is_nonnegative for value in at_zero) and is_zero(top - inequality.top) and bool(inequality.top.is_nonnegative)


INEQUALITIES = {
    "exponential": Inequality("exp(x) >= 1 + x", sp.exp(x) - 1 - x, x, 2, sp.exp(x)),
    "decay": Inequality("exp(-x) <= 1 for x >= 0", 1 - sp.exp(-x_plus), x_plus, 1, sp.exp(-x_plus)),
    "cosine": Inequality("cos(x) >= 1 - x^2/2", x**2 / 2 + sp.cos(x) - 1, x, 2, 2 * sp.sin(x / 2) ** 2),
}


@dataclass(frozen=True)
class Instance:
    """A named elementary inequality at an argument, used as a non-negative factor.

    `argument` is an expression, or a tuple of non-negative factors: expressions, and names of lines of the derivation, of which each
    stands for its larger side minus its smaller one.
    """

    name: str
    argument: Any


@lru_cache(maxsize=2**16)  # proofs that use one lemma repeat the same questions
def is_zero(expression: Any) -> bool:
    """Return whether an expression is identically 0: expand it, evaluate it at one point, then simplify."""
    expanded = sp.expand(expression)
    if expanded == 0:
        return True
    point = {symbol: sp.Float(1.3 + 0.37 * i, 60) for i, symbol in enumerate(sorted(expression.free_symbols, key=str))}
    value = expression.evalf(30, subs=point)
    if value.is_number and abs(value) > sp.Float("1e-20"):
        return False
    numerator = sp.expand(sp.numer(sp.together(expanded)))
    return bool(numerator == 0 or sp.simplify(numerator) == 0)
