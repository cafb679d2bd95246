"""Growth of an expression in one symbol: its local exponent at given values, and its order as the symbol goes to infinity."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp


@lru_cache(maxsize=1024)
def log_derivative(expression: Any, letter: Any) -> Any:
    """Return letter * (d expression / d letter) / expression, the local exponent of an expression in the symbol `letter`."""
    return letter * sp.diff(expression, letter) / expression


@dataclass(frozen=True, order=True)
class Growth:
    """Order of an expression as a symbol x goes to infinity: x^power times log(x)^logs; iterated logarithms are dropped."""

    power: Any
    logs: Any

    def words(self, name: str) -> str:
        """Return the order as text with the name of the symbol, for instance "d^(1/2) log(d)"."""
        factors = [] if self.power == 0 else [name if self.power == 1 else f"{name}^({self.power})"]
        factors += [] if self.logs == 0 else [f"log({name})" if self.logs == 1 else f"log({name})^({self.logs})"]
        return " ".join(factors) or "1"


CONSTANT = Growth(sp.Integer(0), sp.Integer(0))


def growth(expression: Any, letter: Any) -> Growth:
    """Return the order (`Growth`) of an expression in a symbol that goes to infinity; ValueError for an unsupported function.

    Supported are sums, products, constant powers, logarithms, minima and maxima. Leading terms are assumed not to cancel. This holds for
    the bounds of this package: their terms are positive where the bound holds.
    """
    if not expression.has(letter):
        return CONSTANT
    if expression == letter:
        return Growth(sp.Integer(1), sp.Integer(0))
    inner = [growth(argument, letter) for argument in expression.args]
    if expression.is_Add or isinstance(expression, sp.Max):
        return max(inner)
    if isinstance(expression, sp.Min):
        return min(inner)
    if expression.is_Mul:
        return Growth(sum(one.power for one in inner), sum(one.logs for one in inner))
    if expression.is_Pow and not expression.exp.has(letter):
        return Growth(inner[0].power * expression.exp, inner[0].logs * expression.exp)
    if isinstance(expression, sp.log):
        # log of something that tends to a constant tends to a constant; log of a power of a log is an iterated logarithm
        return Growth(sp.Integer(0), sp.Integer(1)) if inner[0].power != 0 else CONSTANT
    raise ValueError(f"{expression}: only sums, products, constant powers, logarithms, minima and maxima are understood")
