"""Orders, counts and units of bounds: how a bound grows in a symbol, and how it changes with the units of loss and length.

An order is read off the bound with every symbol but one fixed, and then certified: the bound divided by its order has a positive finite
limit, which SymPy computes at given values of the other symbols.
"""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import sympy as sp

import bounds
from bounds.growth import Growth, growth
from bounds.proofs.inequalities import is_zero
from bounds.symbols import GLOSSARY, T, n
from bounds.theorem import Theorem
from paper_checks.record import Record
from paper_checks.shared.formulas import monomial_exponents
from paper_checks.verdict import Finding

Order = tuple[str, int]  # power of a letter, power of its logarithm
Letters = Mapping[Any, Any]  # what replaces a letter, such as {r: d}


def fix_symbols(expression: Any, values: Mapping[str, Any], *, keep: Any) -> Any:
    """Return the expression with all symbols except `keep` replaced by their values, which are given by name."""
    return expression.xreplace({one: sp.sympify(values[one.name]) for one in expression.free_symbols if one != keep})


def matching_bound(key: str, printed: Any = None, with_letters: Letters | None = None) -> Any:
    """Return a theorem's bound in constants, with symbols replaced; None if the theorem's bound differs from `printed`."""
    theorem = bounds.THEOREMS[key]
    if printed is not None and not is_zero(theorem.bound - printed):
        return None
    return theorem.in_constants(theorem.bound).xreplace(dict(with_letters or {}))


def compare_orders(formula: Any, grows: Mapping[str, Order]) -> tuple[dict[str, Growth], Record, bool]:
    """Return ({symbol: Growth}, Record of these orders, whether all of them are as `grows` claims) of a formula."""
    found = {name: growth(formula, GLOSSARY[name].symbol) for name in grows}
    record = Record({f"order in {name}": f"power {one.power}, logarithms {one.logs}" for name, one in found.items()})
    return found, record, all((str(one.power), int(one.logs)) == tuple(grows[name]) for name, one in found.items())


def check_order(
    *, theorem: str, grows: Mapping[str, Order], values: Mapping[str, Any], printed: Any = None, with_letters: Letters | None = None
) -> Finding:
    """Check that a theorem's bound grows as claimed, {symbol: (power, power of its logarithm)}, by limits; return a Finding."""
    bound = matching_bound(theorem, printed, with_letters)
    if bound is None:
        return Record().leave_open(f"{theorem}: the theory holds another bound than the printed one; comparing them would settle it")
    found, record, as_claimed = compare_orders(bound, grows)
    for name, one in found.items():
        letter = GLOSSARY[name].symbol
        shape = letter**one.power * sp.log(letter) ** one.logs
        limit = sp.limit(fix_symbols(bound / shape, values, keep=letter), letter, sp.oo)
        record.note({f"limit in {name}": sp.sstr(sp.N(limit, 6))})
        if not (limit.is_positive and limit.is_finite):
            record.leave_open("a limit that should certify the order is not positive and finite")
    sentence = f"the bound grows like {', '.join(f'{one.words(name)} in {name}' for name, one in found.items())}"
    if not as_claimed:
        record.refute(sentence, {name: f"found {record.numbers[f'order in {name}']}; claimed {wanted}" for name, wanted in grows.items()})
    return record.prove(f"{sentence}, each with the other letters fixed")


def check_gained_order(
    *, better: str, worse: str, letter: str, gains: Order, printed: Mapping[str, Any], with_letters: Letters | None = None
) -> Finding:
    """Check that the bound of `worse` exceeds that of `better` by the order `gains` in one symbol, by algebra; return a Finding.

    `printed` has the printed bounds by theorem; where the theory has another bound, the Finding is INCONCLUSIVE.
    """
    orders = []
    for key in (better, worse):
        bound = matching_bound(key, printed.get(key), with_letters)
        if bound is None:
            return Record().leave_open(f"{key}: the theory holds another bound than the printed one")
        orders.append(growth(bound, GLOSSARY[letter].symbol))
    power, logs = orders[1].power - orders[0].power, orders[1].logs - orders[0].logs
    record = Record({"power gained": str(power), "logarithms gained": int(logs)})
    sentence = f"{worse} is larger by {letter}^({power}) log({letter})^({logs})"
    if (str(power), int(logs)) != tuple(gains):
        record.refute(sentence, {"claimed": str(gains), **record.numbers})
    return record.prove(sentence)


def check_printed_count(*, theorem: str, steps: Any, grows: Mapping[str, Order], with_letters: Letters | None = None) -> Finding:
    """Check that the count n T of a theorem is n times the printed steps and grows as claimed, by algebra; return a Finding."""
    ours = bounds.THEOREMS[theorem]
    total = n * steps
    part = next((one for one in ours.parts if one.name == "count"), None)
    if part is None or not is_zero(part.value.xreplace({T: ours.schedule["T"]}) - total):
        return Record().leave_open("the theory counts something else than n T of the print; comparing them would settle it")
    found, record, as_claimed = compare_orders(total.xreplace(dict(with_letters or {})), grows)
    if not as_claimed:
        record.refute("n T grows otherwise than claimed", {name: str(one) for name, one in found.items()})
    return record.prove(f"n T = {sp.sstr(total)} has the orders claimed, constants and logarithms hidden")


Powers = tuple[Any, ...]  # of each unit, such as (1, -2) of loss and length
UNITS_CHANGED = ("f -> s f", "x -> s x")  # the unit of loss, the unit of length


def check_unit_scaling(*, theorem: str, units: Mapping[str, Powers], bound: Powers, values: Mapping[str, Any]) -> Finding:
    """Check that a theorem's schedule and bound scale by the stated powers if the unit of loss or length does; return a Finding.

    units, bound   the powers (of loss, of length) that each symbol and the bound should have
    values         of the symbols, at which a witness is computed
    """
    ours, s, record, checked = bounds.THEOREMS[theorem], sp.Symbol("s", positive=True), Record(), 0
    for unit, change in enumerate(UNITS_CHANGED):
        at = {GLOSSARY[name].symbol: GLOSSARY[name].symbol * s ** powers[unit] for name, powers in units.items()}
        for name, whole in _entries(ours):
            checked += 1
            should = {**units, "bound": bound}[name][unit]
            if not is_zero(sp.powdenest(sp.simplify(whole.xreplace(at) / whole), force=True) - s**should):
                point = {symbol: sp.sympify(values.get(symbol.name, 2)) for symbol in whole.free_symbols}
                doubled = whole.xreplace(at).xreplace({**point, s: sp.Integer(2)}).evalf(20)
                changes = float(doubled / whole.xreplace(point).evalf(20))
                witness = {"entry": name, "s": 2, "changes by": changes, "should by": 2.0**should}
                record.refute(f"{change} does not move {name} as it should", witness)
    record.note({"identities": checked})
    return record.prove(f"{checked} entries move as s to the power of what they stand for")


def _entries(theorem: Theorem) -> list[tuple[str, Any]]:
    """Return a theorem's schedule and bound in constants as (name, expression); each argument of a minimum is a separate entry."""
    whole = (*theorem.schedule.items(), ("bound", theorem.bound))
    ends = ((name, end) for name, one in whole for end in (one.args if isinstance(one, sp.Min) else (one,)))
    return [(name, theorem.in_constants(end)) for name, end in ends]


def unit_powers(expression: Any, letters: Mapping[Any, Powers]) -> Powers:
    """Return the power of each unit in a product of powers; `letters` has the powers of the units in every symbol."""
    units = sp.symbols(f"unit_:{len(next(iter(letters.values())))}", positive=True)
    at = {letter: letter * prod(unit**power for unit, power in zip(units, powers, strict=True)) for letter, powers in letters.items()}
    return monomial_exponents(sp.powsimp(expression.xreplace(at) / expression, force=True), *units)


def check_units(formulas: Mapping[str, tuple[Any, Powers]], letters: Mapping[Any, Powers], *, names: Sequence[str]) -> Finding:
    """Check that formulas, {name: (expression, powers of the units)}, have the stated powers, by algebra; return a Finding."""
    found = {name: (unit_powers(expression, letters), meant) for name, (expression, meant) in formulas.items()}
    record = Record({f"{name}: powers of {' and '.join(names)}": tuple(map(str, has)) for name, (has, _) in found.items()})
    for name, (has, meant) in found.items():
        if has != meant:
            scales = " ".join(f"{unit}^({power})" for unit, power in zip(names, has, strict=True))
            wanted = " ".join(f"{unit}^{power}" for unit, power in zip(names, meant, strict=True))
            powers = {f"power of {unit}": str(power) for unit, power in zip(names, has, strict=True)}
            record.refute(f"{name} scales like {scales}, and {wanted} is meant", {"formula": name, **powers, "meant": meant})
    return record.prove(f"{', '.join(found)}: each has the units of what it stands for")
