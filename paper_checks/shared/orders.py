"""Orders, counts and units of bounds: how a bound grows in a symbol, and how it changes with the units of loss and length.

An order is read off the bound with every symbol but one fixed, and then certified: the bound divided by its order has a positive finite
limit, which SymPy computes at given values of the other symbols.
"""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import sympy as sp

import bounds
from bounds.growth import growth
from bounds.proofs.inequalities import is_zero
from bounds.symbols import GLOSSARY, T, n
from bounds.theorem import Theorem
from paper_checks.shared.formulas import monomial_exponents
from paper_checks.verdict import Finding, inconclusive, proved, refuted

Order = tuple[str, int]  # power of a letter, power of its logarithm
Letters = Mapping[Any, Any]  # what replaces a letter, such as {r: d}


def fix_symbols(expression: Any, values: Mapping[str, Any], *, keep: Any) -> Any:
    """Return the expression with all symbols except `keep` replaced by their values, which are given by name."""
    return expression.xreplace({one: sp.sympify(values[one.name]) for one in expression.free_symbols if one != keep})


def matching_bound(key: str, printed: Any = None) -> Any:
    """Return the bound of a theorem in constants, or None if it differs from the `printed` one."""
    theorem = bounds.THEOREMS[key]
    if printed is not None and not is_zero(theorem.bound - printed):
        return None
    return theorem.in_constants(theorem.bound)


def check_order(
    *, theorem: str, grows: Mapping[str, Order], values: Mapping[str, Any], printed: Any = None, with_letters: Letters | None = None
) -> Finding:
    """Check the claimed orders of a theorem's bound, {symbol: (power, power of the logarithm)}, by limits."""
    bound = matching_bound(theorem, printed)
    if bound is None:
        return inconclusive(f"{theorem}: the theory holds another bound than the printed one; comparing them would settle it")
    bound = bound.xreplace(dict(with_letters or {}))
    found, limits, words = dict[str, Order](), {}, []
    for name in grows:
        letter = GLOSSARY[name].symbol
        one = growth(bound, letter)
        found[name] = (str(one.power), int(one.logs))
        words.append(f"{one.words(name)} in {name}")
        shape = letter**one.power * sp.log(letter) ** one.logs
        limits[name] = sp.limit(fix_symbols(bound / shape, values, keep=letter), letter, sp.oo)
    numbers = {f"order in {name}": f"power {power}, logarithms {logs}" for name, (power, logs) in found.items()}
    numbers |= {f"limit in {name}": sp.sstr(sp.N(limit, 6)) for name, limit in limits.items()}
    if not all(limit.is_positive and limit.is_finite for limit in limits.values()):
        return inconclusive("a limit that should certify the order is not positive and finite", numbers)
    if found == {name: tuple(wanted) for name, wanted in grows.items()}:
        return proved(f"the bound grows like {', '.join(words)}, each with the other letters fixed", numbers)
    witness = {name: f"found power {found[name][0]}, logarithms {found[name][1]}; claimed {wanted}" for name, wanted in grows.items()}
    return refuted(f"the bound grows like {', '.join(words)}", numbers, witness)


def check_factor(
    *, better: str, worse: str, letter: str, gains: Order, printed: Mapping[str, Any], with_letters: Letters | None = None
) -> Finding:
    """Check by which order in one symbol the bound of one theorem is better than another's; `printed` are bounds by key.

    `printed` has those theorems that print a bound.
    """
    orders = []
    for key in (better, worse):
        bound = matching_bound(key, printed.get(key))
        if bound is None:
            return inconclusive(f"{key}: the theory holds another bound than the printed one")
        orders.append(growth(bound.xreplace(dict(with_letters or {})), GLOSSARY[letter].symbol))
    power, logs = orders[1].power - orders[0].power, orders[1].logs - orders[0].logs
    numbers = {"power gained": str(power), "logarithms gained": int(logs)}
    sentence = f"{worse} is larger by {letter}^({power}) log({letter})^({logs})"
    if (str(power), int(logs)) == tuple(gains):
        return proved(sentence, numbers)
    return refuted(sentence, numbers, {"claimed": str(gains), **numbers})


def check_count(*, theorem: str, steps: Any, grows: Mapping[str, Order], with_letters: Letters | None = None) -> Finding:
    """Check that n T of a theorem is n times the printed number of steps, and its order in the named symbols."""
    ours = bounds.THEOREMS[theorem]
    total = n * steps
    part = next((one for one in ours.parts if one.name == "count"), None)
    if part is None or not is_zero(part.value.xreplace({T: ours.schedule["T"]}) - total):
        return inconclusive("the theory counts something else than n T of the print; comparing them would settle it")
    in_letters = total.xreplace(dict(with_letters or {}))
    found = {name: growth(in_letters, GLOSSARY[name].symbol) for name in grows}
    numbers = {f"order in {name}": f"power {one.power}, logarithms {one.logs}" for name, one in found.items()}
    if all((str(one.power), int(one.logs)) == tuple(grows[name]) for name, one in found.items()):
        return proved(f"n T = {sp.sstr(total)} has the orders claimed, constants and logarithms hidden", numbers)
    return refuted("n T grows otherwise than claimed", numbers, {name: str(one) for name, one in found.items()})


Scaling = tuple[Mapping[str, int], Mapping[str, int]]  # powers of s of the constants, and of the schedule and the bound


def check_invariance(*, theorem: str, scaled: Mapping[str, Scaling], values: Mapping[str, Any]) -> Finding:
    """Check that schedule and bound of a theorem scale as they should when the unit of loss or of length changes."""
    ours, s = bounds.THEOREMS[theorem], sp.Symbol("s", positive=True)
    checked = 0
    for change, (constants, moves) in scaled.items():
        at = {GLOSSARY[name].symbol: GLOSSARY[name].symbol * s**exponent for name, exponent in constants.items()}
        for name, whole in _entries(ours):
            checked += 1
            if not is_zero(sp.powdenest(sp.simplify(whole.xreplace(at) / whole), force=True) - s ** moves[name]):
                point = {symbol: sp.sympify(values.get(symbol.name, 2)) for symbol in whole.free_symbols}
                doubled = whole.xreplace(at).xreplace({**point, s: sp.Integer(2)}).evalf(20)
                changes = float(doubled / whole.xreplace(point).evalf(20))
                witness = {"entry": name, "s": 2, "changes by": changes, "should by": 2.0 ** moves[name]}
                return refuted(f"{change} does not move {name} as it should", {}, witness)
    return proved(f"{checked} entries move as s to the power of what they stand for", {"identities": checked})


def _entries(theorem: Theorem) -> list[tuple[str, Any]]:
    """Return the entries of the schedule and the bound in constants, as (name, expression); both arguments of a minimum one by one."""
    whole = (*theorem.schedule.items(), ("bound", theorem.bound))
    ends = ((name, end) for name, one in whole for end in (one.args if isinstance(one, sp.Min) else (one,)))
    return [(name, theorem.in_constants(end)) for name, end in ends]


Powers = tuple[Any, ...]  # of each unit, such as (1, -2) of value and length


def unit_powers(expression: Any, letters: Mapping[Any, Powers]) -> Powers:
    """Return the powers of the units in a product of powers; `letters` has the powers of every symbol."""
    units = sp.symbols(f"unit_:{len(next(iter(letters.values())))}", positive=True)
    at = {letter: letter * prod(unit**power for unit, power in zip(units, powers, strict=True)) for letter, powers in letters.items()}
    return monomial_exponents(sp.powsimp(expression.xreplace(at) / expression, force=True), *units)


def check_units(formulas: Mapping[str, tuple[Any, Powers]], letters: Mapping[Any, Powers], *, names: Sequence[str]) -> Finding:
    """Check that every formula has the units of what it stands for: {name: (expression, powers of the units)}."""
    found = {name: (unit_powers(expression, letters), meant) for name, (expression, meant) in formulas.items()}
    numbers = {f"{name}: powers of {' and '.join(names)}": tuple(map(str, has)) for name, (has, _) in found.items()}
    for name, (has, meant) in found.items():
        if has != meant:
            scales = " ".join(f"{unit}^({power})" for unit, power in zip(names, has, strict=True))
            wanted = " ".join(f"{unit}^{power}" for unit, power in zip(names, meant, strict=True))
            powers = {f"power of {unit}": str(power) for unit, power in zip(names, has, strict=True)}
            return refuted(f"{name} scales like {scales}, and {wanted} is meant", numbers, {"formula": name, **powers, "meant": meant})
    return proved(f"{', '.join(found)}: each has the units of what it stands for", numbers)
