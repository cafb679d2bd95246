"""Printed formulas whose brackets do not balance: whether there is one meaning that they can have."""

from collections.abc import Mapping
from typing import Any

import sympy as sp

from paper_checks.examine.formulas import number
from paper_checks.verdict import Finding, inconclusive, proved, refuted


def one_meaning(*, text: str, at: Mapping[str, float], letters: Mapping[str, Any], name: str, meant: Any) -> Finding:
    """Balance a formula by one parenthesis less or one more, in every way, and evaluate what each of them says.

    text      the formula; square brackets stand for other brackets than parentheses: no parenthesis closes across them
    letters   what its words stand for;   meant, name   the formula that must be among the readings, and what it is called
    """
    expected, readings = _rounded(meant, at), dict[float, str]()
    for one in [text] if balanced(text) else repairs(text):
        readings.setdefault(_rounded(sp.sympify(one.replace("[", "(").replace("]", ")"), locals=dict(letters)), at), one)
    values = {one: value for value, one in readings.items()}
    numbers = {"readings": values, name: expected}
    if expected not in readings:
        return inconclusive(f"no way to balance it gives {name}: the formula must be looked up", numbers)
    if len(readings) == 1:
        return proved(f"it has one reading, {readings[expected]}", numbers)
    opened, closed = text.count("("), text.count(")")
    sentence = f"{opened} parentheses open and {closed} close; it can be balanced to {len(readings)} different values"
    return refuted(sentence, numbers, {"formula": text, "opened": opened, "closed": closed, **at, **values})


def _rounded(formula: Any, at: Mapping[str, float]) -> float:
    return float(f"{number(formula, at):.10g}")  # equal formulas, written otherwise, may differ in the last of their digits


def balanced(text: str) -> bool:
    """Return whether every bracket closes, and by its own kind."""
    waiting = []
    for character in text:
        if character in "([":
            waiting.append(character)
        elif character in ")]" and (not waiting or waiting.pop() + character not in ("()", "[]")):
            return False
    return not waiting


def repairs(text: str) -> list[str]:
    """Return the text with one parenthesis less, or one more in front of a letter, a number or a parenthesis, where it is balanced."""
    less = [text[:k] + text[k + 1 :] for k, character in enumerate(text) if character in "()"]
    starts = [k for k, character in enumerate(text) if (character.isalnum() or character == "(") and not (k and text[k - 1].isalnum())]
    return [one for one in (*less, *(f"{text[:k]}({text[k:]}" for k in starts)) if balanced(one)]
