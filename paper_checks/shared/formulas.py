"""Printed formulas: their values, exponents and readings, and their comparison with the theory."""

import re
from collections.abc import Mapping, Sequence, Set
from functools import cache
from typing import Any

import sympy as sp

import bounds
from bounds.proofs.inequalities import is_zero
from bounds.symbols import GLOSSARY
from paper_checks.pages.as_printed import printed
from paper_checks.record import Record
from paper_checks.verdict import Finding


def evaluate_formula(formula: Any, at: Mapping[str, float]) -> float:
    """Return the value of a formula as a float, computed in 30 digits; `at` has the values of its symbols by name."""
    return float(formula.xreplace({GLOSSARY[name].symbol: sp.Float(value, 40) for name, value in at.items()}).evalf(30))


def integer_point(formula: Any) -> dict[Any, Any]:
    """Return {symbol: integer} with 2, 3, ... for the symbols of a formula by name: a point at which to evaluate it by hand."""
    return {letter: sp.Integer(2 + i) for i, letter in enumerate(sorted(formula.free_symbols, key=str))}


def difference_witness(one: Any, other: Any, names: tuple[str, str]) -> dict[str, Any]:
    """Return a witness that two formulas differ: a dict of the symbols' values at a point and, under `names`, of both formulas."""
    point = integer_point(one - other)
    sides = {name: float(side.xreplace(point)) for name, side in zip(names, (one, other), strict=True)}
    return {**{str(letter): int(value) for letter, value in point.items()}, **sides}


def substitute_fully(expression: Any, values: Mapping[Any, Any]) -> Any:
    """Return the expression with `values` substituted for its symbols, repeatedly, until none of these symbols is left."""
    while expression.free_symbols & set(values):
        expression = expression.xreplace(dict(values))
    return expression


@cache
def compile_expression(expression: Any, modules: str) -> tuple[tuple[Any, ...], Any]:
    """Return the symbols of an expression by name, and the expression as a function of them for "math" or "mpmath"."""
    letters = tuple(sorted(expression.free_symbols, key=str))
    return letters, sp.lambdify(letters, expression, modules)


def monomial_exponents(expression: Any, *letters: Any) -> tuple[Any, ...]:
    """Return the exponents of the symbols `letters` in a product of powers; raise ValueError if it is no product of their powers."""
    logarithm = sp.expand(sp.expand_log(sp.log(expression), force=True))
    found = tuple(logarithm.coeff(sp.log(letter)) for letter in letters)
    rest = sp.expand(logarithm - sum(power * sp.log(letter) for power, letter in zip(found, letters, strict=True)))
    if rest.free_symbols & set(letters):
        raise ValueError(f"{expression}: a product of powers of {letters} is needed")
    return found


def check_printed_formulas(*, paper: str, ours: Set[str] = frozenset()) -> Finding:
    """Check that the theory's statements of a paper are the formulas that its pages print, by algebra; return a Finding.

    `ours` are statements of the theory that the paper does not have, or that another check compares.
    """
    compared, differing = 0, []
    every = {key.removeprefix(f"{paper}.") for key in bounds.THEOREMS if key.startswith(f"{paper}.")} - ours
    statements = [name for name in printed(paper).statements if name in every]
    for name in statements:
        theorem = bounds.THEOREMS[f"{paper}.{name}"]
        held = {"bound": theorem.bound, **{re.sub(r"\W+", "_", part.name): part.value for part in theorem.parts}}
        for part, formula in printed(paper).of(name).items():
            compared += 1
            if held.get(part) is None or not is_zero(sp.sympify(held[part] - formula)):
                differing.append(f"{name}: {part}")
    differing += [f"{name}: not transcribed" for name in sorted(every - set(statements))]
    record = Record({"statements": len(statements), "formulas compared": compared})
    if differing:
        record.leave_open(f"the theory and the print differ in {', '.join(differing)}; comparing the two would settle it")
    return record.prove(f"{compared} formulas of {len(statements)} statements are the printed ones")


def check_positive_logarithm(*, key: str, letter: str, points: Sequence[Mapping[str, float]]) -> Finding:
    """Check that a theorem's bound is not negative where its logarithm's argument `letter` is at most 1; return a Finding.

    The bounded quantity is not negative, so that a negative bound is REFUTED.
    """
    theorem, found = bounds.THEOREMS[key], []
    for values in points:
        at, value = theorem.evaluate(**values), evaluate_formula(theorem.in_constants(theorem.definitions[letter]), values)
        found.append({**values, letter: value, "T*": at.schedule["T"], "C": at.schedule["C"], "right side": at.bound})
    false = [one for one in found if one["right side"] < 0 and one[letter] <= 1]
    record = Record({"witnesses": len(false), "all": found})
    for one in false:
        words = "the right side is {right side:.4g}, T = {T*:.4g}, C = {C:.4g}".format_map(one)
        record.refute(f"{letter} = {one[letter]:.4g}: {words}", one)
    return record.conclude("the right side is positive")


def check_one_reading(*, text: str, at: Mapping[str, float], letters: Mapping[str, Any], name: str, meant: Any) -> Finding:
    """Check that adding or removing one parenthesis balances a printed formula to one value only at a point; return a Finding.

    text      the formula; square brackets stand for other brackets than parentheses: no parenthesis closes across them
    letters   what its words stand for;   meant, name   the formula that must be among the readings, and what it is called
    """
    expected, readings = _rounded_value(meant, at), dict[float, str]()
    for one in [text] if is_balanced(text) else balanced_repairs(text):
        readings.setdefault(_rounded_value(sp.sympify(one.replace("[", "(").replace("]", ")"), locals=dict(letters)), at), one)
    values = {one: value for value, one in readings.items()}
    record = Record({"readings": values, name: expected})
    if expected not in readings:
        return record.leave_open(f"no way to balance it gives {name}: the formula must be looked up")
    if len(readings) > 1:
        opened, closed = text.count("("), text.count(")")
        sentence = f"{opened} parentheses open and {closed} close; it can be balanced to {len(readings)} different values"
        record.refute(sentence, {"formula": text, "opened": opened, "closed": closed, **at, **values})
    return record.prove(f"it has one reading, {readings[expected]}")


def _rounded_value(formula: Any, at: Mapping[str, float]) -> float:
    """Return the value of a formula at a point, rounded to 10 significant digits."""
    return float(f"{evaluate_formula(formula, at):.10g}")  # equal formulas, written differently, may differ in the last digits


def is_balanced(text: str) -> bool:
    """Return whether every bracket of a text, ( or [, is closed by its own kind and in order."""
    waiting = []
    for character in text:
        if character in "([":
            waiting.append(character)
        elif character in ")]" and (not waiting or waiting.pop() + character not in ("()", "[]")):
            return False
    return not waiting


def balanced_repairs(text: str) -> list[str]:
    """Return every balanced text with one parenthesis removed, or added before a symbol, a number or a parenthesis."""
    less = [text[:k] + text[k + 1 :] for k, character in enumerate(text) if character in "()"]
    starts = [k for k, character in enumerate(text) if (character.isalnum() or character == "(") and not (k and text[k - 1].isalnum())]
    return [one for one in (*less, *(f"{text[:k]}({text[k:]}" for k in starts)) if is_balanced(one)]
