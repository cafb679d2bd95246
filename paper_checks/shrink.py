"""A counterexample in round numbers: the fewer digits a witness has, the easier it is to substitute by hand."""

import math
from collections.abc import Callable, Iterator, Mapping

import mpmath as mp
import sympy as sp

from bounds.attack import Domain, claimed
from bounds.derivation import Derivation
from bounds.lines import Step


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


def round_witness(derivation: Derivation, step: Step, point: Mapping[str, float], digits: int = 50) -> dict[str, float]:
    """Return a point in round numbers at which a step is false, from one at which an attack found it false.

    Letters that the domain fixes, by a definition or another equality, are computed from the round ones.
    """
    domain = Domain(derivation, step, claimed(derivation, step), advised=False)
    with mp.workdps(digits + 30):
        free = {name: value for name, value in point.items() if name in domain.free}
        found = shrink(free, lambda values: is_false_at(domain, step, values, digits))
        drawn = domain.pinned(found)
        return dict(point) if drawn is None else domain.named(drawn)


def is_false_at(domain: Domain, step: Step, point: Mapping[str, float], digits: int) -> bool:
    """Return whether a step is false at a point of its domain; False where the point is outside, so that rounding cannot leave it."""
    drawn = domain.pinned(point)
    if drawn is None:
        return False
    tolerance = mp.mpf(10) ** (10 - digits)
    *given, own = domain.checked(drawn, tolerance)
    return all(given) and not own


def sides_at(step: Step, point: Mapping[str, float], digits: int = 50) -> tuple[float, float, float]:
    """Return both sides of a step at a point, and their difference, which floats may not show."""
    values = {letter: sp.Float(point[letter.name], digits) for letter in step.letters}
    with mp.workdps(digits):
        left, right = step.lhs.xreplace(values).evalf(digits), step.rhs.xreplace(values).evalf(digits)
        return float(left), float(right), float(left - right)
