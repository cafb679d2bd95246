"""What the pages of the sharper theorems share: letters of their proofs, moments of a Gaussian beyond a threshold, one quadratic.

Throughout c = C / L is the clipping threshold in units of the Lipschitz constant, N a standard normal variable, u uniform on the
sphere of radius sqrt(d), w = u'Hu, p = u' grad F_S(x_t), G = ||grad F_S(x_t)||. The matrix H is the one of Assumption 3.5:
0 <= H <= ell I, Tr(H) <= r ell, r >= 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import sympy as sp

from bounds.derivation import Step
from bounds.symbols import C, L, d, r

c = sp.Symbol("c", nonnegative=True)  # threshold over Lipschitz constant
s = sp.Symbol("s", positive=True)  # an integration variable, or the squared length of a Gaussian vector over d
k = sp.Symbol("k", nonnegative=True)
grad = sp.Symbol("G", nonnegative=True)  # ||grad F_S(x_t)||
RANGES: dict[Any, tuple[Any, Any]] = {c: (0, 20), s: (sp.Rational(1, 100), 30), k: (0, 100), grad: (0, 1000)}

THRESHOLD = C / L
R2 = d * (r + 2) / (d + 2)  # E p^2 w <= ell R2 G^2
R4 = d * (r + 4) / (d + 4)  # E w^2 <= ell^2 r R2 and E w^3 <= ell^3 r R2 R4


def weight(x: Any) -> Any:
    """Return the density of |N| at x."""
    return sp.sqrt(2 / sp.pi) * sp.exp(-(x**2) / 2)


def beyond(x: Any) -> Any:
    """Return P(|N| > x), which is also E (|N| - x)_+ |N|."""
    return sp.erfc(x / sp.sqrt(2))


def beyond_squared(x: Any) -> Any:
    """Return E (|N| - x)_+^2; E (|N| - x)_+^2 N^2 is twice `beyond` more."""
    return (1 + x**2) * beyond(x) - x * weight(x)


def beyond_fourth(x: Any) -> Any:
    """Return E (|N| - x)_+^4."""
    return (x**4 + 6 * x**2 + 3) * beyond(x) - (x**3 + 5 * x) * weight(x)


def largest_root(a: Any, linear: Any, constant: Any) -> Any:
    """Return the y >= 0 with (1 - a) y^2 - linear y = constant."""
    return (linear + sp.sqrt(linear**2 + 4 * (1 - a) * constant)) / (2 * (1 - a))


def numbered(*steps: Step, ranges: Mapping[Any, tuple[Any, Any]] | None = None) -> tuple[Step, ...]:
    """Return the steps numbered from 1, each with the ranges of the letters that are not in the glossary."""
    known = {**RANGES, **(ranges or {})}
    return tuple(replace(step, number=i, ranges={**known, **step.ranges}) for i, step in enumerate(steps, start=1))


def line(statement: str, lhs: Any, relation: str, rhs: Any, reason: str, certificate: Any, **more: Any) -> Step:
    """Return a step that `numbered` will number."""
    return Step(0, statement, sp.sympify(lhs), relation, sp.sympify(rhs), reason, certificate, **more)


def words(statement: str, reason: str, certificate: Any) -> Step:
    """Return a step without a formula."""
    return Step(0, statement, None, "", None, reason, certificate)
