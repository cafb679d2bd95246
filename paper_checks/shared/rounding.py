"""What remains of a theorem when the number of steps that it prescribes is rounded to an integer of at least 1.

cert(T) is the bound before the schedule is chosen, with the rest of the schedule as printed and the noise computed from the integer T,
and at most the trivial bound: the theorem's `at_integer_T`. A rounding rule keeps a theorem if cert(T) is at most the printed bound.
Where it does not, the proof no longer gives the printed constant; the theorem's inequality itself may still be true.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from mpmath import mp
from numpy.typing import NDArray

import bounds
from bounds.symbols import GLOSSARY, T
from paper_checks.record import Record
from paper_checks.shared.findings import ROUNDING
from paper_checks.shared.formulas import evaluate_formula
from paper_checks.shared.steps import check_steps
from paper_checks.verdict import Finding

Array = NDArray[np.float64]
RULES = {"floor": ("floor",), "ceil": ("ceil",), "best": ("floor", "ceil"), "any": ("floor", "ceil")}  # the better of the two, the worse


@cache
def theorem_functions(key: str, module: str) -> tuple[tuple[str, ...], Callable[..., Any]]:
    """Return (symbol names of a theorem, function of them and T), which returns (T*, printed bound, cert(T), trivial bound)."""
    theorem = bounds.THEOREMS[key]
    rule: Any = theorem.at_integer_T
    free = replace(theorem, schedule={name: entry for name, entry in theorem.schedule.items() if name != "T"})
    parts = [theorem.in_constants(T), theorem.in_constants(theorem.bound), free.in_constants(rule.bound), rule.trivial]
    names = tuple(name for name in GLOSSARY if name != "T" and GLOSSARY[name].symbol in set().union(*(p.free_symbols for p in parts)))
    return names, sp.lambdify([*(GLOSSARY[name].symbol for name in names), T], parts, modules=module)


def bound_ratio(key: str, rule: str, values: Mapping[str, Array | float]) -> tuple[Array, Array]:
    """Return arrays like `values` of T* and of cert(T) / printed bound at T* rounded by `rule`; nan where undefined."""
    names, function = theorem_functions(key, "numpy")
    point = [np.asarray(values[name], dtype=float) for name in names]
    with np.errstate(all="ignore"):
        real, claimed, _, trivial = function(*point, 1.0)
        rounded = [np.minimum(function(*point, np.maximum(1, getattr(np, one)(real)))[2], trivial) for one in RULES[rule]]
        return np.asarray(real), np.asarray((np.max if rule == "any" else np.min)(rounded, axis=0) / claimed)


def precise_bound_ratio(key: str, rule: str, values: Mapping[str, float]) -> tuple[int, Any]:
    """Return T* rounded by `rule`, and cert(T) / printed bound at this T, at one point in 50 digits."""
    (names, function), found = theorem_functions(key, "mpmath"), []
    with mp.workdps(50):
        point = [mp.mpf(values[name]) for name in names]
        real, claimed, _, _ = function(*point, mp.mpf(1))
        for one in RULES[rule]:
            whole = max(1, int(getattr(mp, one)(real)))
            _, _, certified, trivial = function(*point, mp.mpf(whole))
            found.append((whole, min(certified, trivial) / claimed))
    return (max if rule == "any" else min)(found, key=lambda pair: pair[1])


def check_rounding_rule(
    *,
    keys: Sequence[str],
    rule: str,
    chosen: Callable[..., Any],
    domain: Callable[[int, int], Mapping[str, Array]],
    points: int,
    seed: int = 0,
    least: float = 1,
    derivation: str = "",
) -> Finding:
    """Check that cert(T) is at most the printed bound where T* >= `least` is rounded by `rule`, by search; return a Finding.

    The worst point is confirmed in 50 digits. `chosen(key, **values)` is the lab's own integer `T`, and whether it `keeps` the bound: it
    must where the rule does. Where no such point is found, the derivation decides between PROVED and CONSISTENT.
    """
    tried, worst, at, where = 0, 0.0, {}, ""
    for key in keys:
        values = domain(points, seed)
        real, ratio = bound_ratio(key, rule, values)
        counted = (real >= least) & (real < 1e12) & np.isfinite(ratio)
        tried += int(counted.sum())
        ratio = np.where(counted, ratio, 0.0)
        k = int(np.argmax(ratio))
        if ratio[k] > worst:
            worst, where = float(ratio[k]), key
            at = {name: float(values[name][k]) for name in theorem_functions(key, "numpy")[0]}
    record = Record({"tried": tried, "largest cert(T) / printed bound": worst}, seed=seed)
    if not where:
        return record.leave_open(
            f"at none of {points} points the theorems prescribe at least {least:g} steps; other points would settle it"
        )
    ours = chosen(where, **at)
    whole, exact = precise_bound_ratio(where, rule, at)
    if worst > 1 + 1e-12 and exact > 1:
        if len(RULES[rule]) == 1 and not ours.keeps:
            return record.leave_open(f"integer_T, too, misses the printed bound at {at}: its rule is not the better one")
        above = mp.nstr(exact - 1, 6)
        witness = {**at, "T": whole, "cert(T) / printed bound - 1": above}
        return record.refute(f"{where}: always {rule} exceeds the printed bound by {above} of it", witness)
    record.note({"integer_T at the worst point": ours.T})
    if not ours.keeps:
        return record.leave_open(f"integer_T misses the printed bound at {at}")
    if not derivation:
        return record.conclude(f"no proof; none above at {tried} points")
    proof = check_steps(bounds.DERIVATIONS[derivation], samples=20, seed=seed)
    sentence = f"{derivation}: {proof.sentence}; no violation at {tried} points"
    return replace(proof, sentence=sentence, numbers={**record.numbers, **proof.numbers})


def check_integer_steps(*, keys: Sequence[str], at: Mapping[str, float]) -> Finding:
    """Check that the prescribed T of several theorems is an integer at the values `at` of their symbols; return a Finding."""
    record = Record({key: evaluate_formula(bounds.THEOREMS[key].in_constants(T), at) for key in keys})
    for key, value in record.numbers.items():
        theorem = bounds.THEOREMS[key]
        if abs(theorem.evaluate(**{name: at[name] for name in theorem.parameters}).schedule["T"] / value - 1) > 1e-9:
            return record.leave_open(f"{key}: two ways to evaluate T* disagree")
    for key, value in record.numbers.items():
        if abs(value - round(value)) > ROUNDING * value:
            record.refute(f"{key} prescribes T = {value:.8g} steps", {**at, "theorem": key, "T*": value})
    return record.conclude("integers")
