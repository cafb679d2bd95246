"""Remark F.5: the bounds of the theorems if T must be an integer of at least 1.

Setting   Theorem 3 as the paper's example; `integer_T` serves every theorem that has a bound `at_integer_T`.
Method    run with an integer T next to the printed T*, and sigma computed from that T; alpha, C and lam as printed.
Measure   that of the theorem.
Source    DPZero, Remark F.5: T = max(T*, 1) and min(bound, L^2). T is still real there, and for the corollaries the trivial bound is
          L^2/(2 mu), not L^2. The certified bound at an integer is ours; the pages `integer_t_*.page` show when it keeps the printed one.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from bounds.dpzero import THEOREMS
from bounds.floats import directed_float
from bounds.symbols import GLOSSARY, validate_values
from bounds.theorem import Checked, ConditionalResult, Evaluation, Theorem, caveat_suffix

# where to round an entry to a float, so that what the theorem asks of it holds exactly: steps and radii down, threshold and noise up
SAFE = {"alpha": -1, "T": 1, "C": 1, "lam": -1, "sigma": 1}
# entries are within 2^-52 of their formulas; the bound has them to powers of at most 2, alpha in exp(-T alpha mu / 2), above 2^-1074
ROOM = 1 + 2**-40
ROUNDED = tuple(f"dpzero.{page}" for page in ("theorem1", "theorem2", "theorem3", "dp_gd", "corollary_f2", "corollary_f3", "corollary_f4"))


@dataclass(frozen=True)
class IntegerT(ConditionalResult):
    """An integer T, the schedule for it, and the bound that is certified there.

    `bound` is the smaller of the certified and the trivial bound; `keeps` is whether it is at most `printed`, the bound at the real T*;
    `schedule` has sigma for the integer T; `reason` is a sentence on how T was found. `checked` are the conditions of the theorem at
    these values: the bound is guaranteed only if all hypotheses among them hold.
    """

    key: str
    T: int
    bound: float
    printed: float
    keeps: bool
    schedule: Mapping[str, float]
    reason: str
    checked: tuple[Checked, ...] = ()

    def __repr__(self) -> str:
        return f"IntegerT({self.key}: bound = {self.bound:.6g} at T = {self.T}; {self.reason}{caveat_suffix(self.caveats)})"


def integer_T(key: str, **values: float) -> IntegerT:
    """Round a theorem's real T* to the integer >= 1 of smaller certified bound (PL corollaries: the floor); return an `IntegerT`."""
    if key not in ROUNDED:
        raise ValueError(f"key = {key!r}: one of {', '.join(ROUNDED)} is needed")
    theorem = THEOREMS[key]
    values = validate_values(key, theorem.parameters, values)
    return best_integer_T(theorem, values, theorem.at(values))


def best_integer_T(theorem: Theorem, values: Mapping[str, float], at_real_T: Evaluation) -> IntegerT:
    """Return an `IntegerT` as `integer_T` does, for checked values and the theorem's evaluation at the real T*."""
    rule: Any = theorem.at_integer_T
    real_T = at_real_T.schedule["T"]
    trivial = directed_float(theorem.in_constants(rule.trivial), values, 1)
    if not real_T >= 1:
        tried, found = [1], f"because T* = {real_T:.4g} is below 1"
    elif rule.rounding == "floor":
        tried, found = [math.floor(real_T)], f"the floor of T* = {real_T:.10g}"
    else:
        tried, found = [math.floor(real_T), math.ceil(real_T)], f"the better of floor and ceiling of T* = {real_T:.10g}"
    bounds = {candidate: certified_bound(theorem, candidate, values) for candidate in tried}
    best = min(bounds, key=lambda candidate: bounds[candidate])
    bound = min(bounds[best], trivial)
    reason = f"T = {best}, {found}"
    if bound == trivial:
        reason += "; the trivial bound is smaller than what the theorem proves there"
    at, schedule = {**values, "T": float(best)}, dict[str, float]()
    for name in theorem.schedule:
        schedule[name] = directed_float(_without_entries(theorem, ("T",)).in_constants(GLOSSARY[name].symbol), at, SAFE[name])
    if "sigma" in schedule:  # of the threshold in use
        noise = _without_entries(theorem, ("T", "C")).in_constants(GLOSSARY["sigma"].symbol)
        schedule["sigma"] = directed_float(noise, {**at, "C": schedule["C"]}, SAFE["sigma"])
    keeps = bound <= at_real_T.bound * ROOM * (1 + 1e-12)
    return IntegerT(theorem.key, best, bound, at_real_T.bound, keeps, schedule, reason, at_real_T.checked)


def certified_bound(theorem: Theorem, T: int, values: Mapping[str, float]) -> float:
    """Return a theorem's bound at an integer T, rounded up, with room for schedule entries rounded by `SAFE`; inf where it is nan."""
    rule: Any = theorem.at_integer_T
    bound = directed_float(_without_entries(theorem, ("T",)).in_constants(rule.bound), {**values, "T": float(T)}, 1) * ROOM
    return math.inf if math.isnan(bound) else bound


@cache
def _without_entries(theorem: Theorem, letters: tuple[str, ...]) -> Theorem:
    """Return the theorem without the schedule entries named in `letters`, so that `in_constants` keeps their symbols."""
    return replace(theorem, schedule={name: entry for name, entry in theorem.schedule.items() if name not in letters})
