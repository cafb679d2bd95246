"""Round the numbers of a counterexample: the fewer digits a witness has, the easier it is to substitute by hand."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import mpmath as mp
import sympy as sp

from bounds.proofs.attack import SPARE, Domain, attacked_claims, relation_holds
from bounds.proofs.derivation import Derivation
from bounds.proofs.lines import Step
from bounds.theorem import HOLDS

DIGITS = (6, 9, 12, 15, 17, 25, 35, 50)  # numbers of digits to print: the first that shows it


def shrink_point(point: Mapping[str, float], fails: Callable[[dict[str, float]], bool]) -> dict[str, float]:
    """Return a point at which `fails` holds, like `point`, with each coordinate in turn as round as the others allow."""
    found = dict(point)
    for name in found:
        for value in rounder_values(found[name]):
            if fails({**found, name: value}):
                found[name] = value
                break
    return found


def rounder_values(value: float) -> Iterator[float]:
    """Yield round candidates for a value: 1 and 0 (0 and -1 if negative, 0 if zero), a power of ten, then 1 to 3 digits."""
    sign = math.copysign(1.0, value)
    yield from (1.0, 0.0) if value > 0 else (0.0, -1.0) if value < 0 else (0.0,)
    if value and math.isfinite(value):
        yield sign * float(f"1e{round(math.log10(abs(value)))}")
        yield from (float(f"{value:.{digits - 1}e}") for digits in (1, 2, 3))


@dataclass(frozen=True)
class PrintedWitness:
    """A witness as printed: values of the symbols and both sides, in as many digits as show that the step is false.

    difference   left - right, as text where it is too large or too small for a float
    """

    letters: Mapping[str, str]
    left: str
    right: str
    difference: float | str


def printed_witness(derivation: Derivation, step: Step, point: Mapping[str, float], digits: int = 50) -> PrintedWitness | None:
    """Return a point in round numbers at which a step is false as printed, from a point of an attack; None if none is found.

    Symbols that the domain fixes, by a definition or another equality, are computed from the round ones, and then printed with as many
    digits as it takes: a reader who substitutes what is printed, in both sides, finds the step false. None where 50 digits do not show it.
    """
    domain = Domain(derivation, step, attacked_claims(derivation, step), advised=False)
    with mp.workdps(digits + 30):
        free = {name: value for name, value in point.items() if name in domain.free_symbols}
        found = shrink_point(free, lambda values: is_false_at(domain, step, values, digits))
        drawn = domain.point_from(found)
        exact = {name: mp.mpf(value) for name, value in point.items()} if drawn is None else domain.mpmath_values(drawn)
        for shown in DIGITS:
            letters = {name: number_text(value, shown) for name, value in exact.items()}
            left, right = evaluate_sides(step, letters, digits)
            size = mp.mpf(10) ** (SPARE - digits) * (abs(left) + abs(right))
            if not relation_holds(step.relation, left, right, size) and (sides := distinguishing_texts(left, step.relation, right)):
                number = float(left - right)
                return PrintedWitness(letters, *sides, number if number and math.isfinite(number) else number_text(left - right, 4))
    return None


def number_text(value: Any, digits: int) -> str:
    """Return a number as text in `digits` significant digits, without trailing zeros."""
    return str(mp.nstr(value, digits)).replace(".0e", "e").removesuffix(".0")


def distinguishing_texts(left: Any, relation: str, right: Any, true: bool = False) -> tuple[str, str] | None:
    """Return two numbers as texts, in the fewest digits that show that a relation fails, or that it holds if `true`; else None.

    None where 50 digits do not show it.
    """
    for digits in DIGITS:
        a, b = number_text(left, digits), number_text(right, digits)
        with mp.workdps(2 * DIGITS[-1]):
            if bool(HOLDS["==" if relation == "=" else relation](mp.mpf(a), mp.mpf(b))) is true:
                return a, b
    return None


def is_false_at(domain: Domain, step: Step, point: Mapping[str, float], digits: int) -> bool:
    """Return whether a step is false at a point of its domain, where its assumptions hold; False for a point outside the domain."""
    drawn = domain.point_from(point)
    if drawn is None:
        return False
    *given, own = domain.check_claims(drawn, mp.mpf(10) ** (SPARE - digits))
    return all(given) and not own


def evaluate_sides(step: Step, letters: Mapping[str, str], digits: int = 50) -> tuple[Any, Any]:
    """Return (left, right), both sides of a step as mpmath numbers, at the printed values of its symbols."""
    order = sorted(step.symbols, key=str)
    with mp.workdps(digits + 30):
        left, right = sp.lambdify(order, [step.lhs, step.rhs], modules="mpmath")(*(mp.mpf(letters[one.name]) for one in order))
        return mp.mpf(left), mp.mpf(right)
