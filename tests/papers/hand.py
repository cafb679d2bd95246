"""Points at which statements are evaluated, of the letters that the papers use, and values of printed formulas at them."""

from __future__ import annotations

import math
import random
import re
from functools import partial

import bounds
from paper_checks.pages.as_printed import printed
from paper_checks.shared.formulas import compile_expression, substitute_fully
from tests.papers import joined

COMMON = {  # from, to: log-uniform
    "n": (1e2, 1e7), "d": (3, 300), "epsilon": (0.3, 3), "delta": (1e-9, 1e-3), "L": (0.3, 3), "ell": (0.3, 3), "rho": (0.3, 3),
    "alpha": (1e-3, 1e-2), "T": (20, 500),
}  # fmt: skip


class At(dict):
    """A point whose letters are attributes."""

    __getattr__ = dict.__getitem__


def points(count, seed=17):
    draw = random.Random(seed)
    letters = COMMON | joined("bounds.LETTERS")
    for _ in range(count):
        at = {name: math.exp(draw.uniform(math.log(low), math.log(high))) for name, (low, high) in letters.items()}
        yield At(at | {"r": at["d"] ** draw.uniform(0, 1)})


def value_at(formula, v):
    """Return the value of a SymPy formula at a point, nan where it has none: the root or the logarithm of a negative number."""
    letters, function = compile_expression(formula, "math")
    try:
        return float(function(*(v[letter.name] for letter in letters)))
    except ValueError:
        return math.nan


def printed_value(paper, name):
    """Return the function that gives a formula of a paper, as its pages of claims print it, at a point."""
    return partial(value_at, printed(paper)[name])


def printed_statements(paper, inserted=lambda key: {}):
    """Return {statement: {entry: its value at a point}} for the bounds and parts that the pages of claims of a paper print.

    `inserted` gives what is inserted for the symbols of a statement.
    """
    found = {}
    for key in printed(paper).statements:
        if theorem := bounds.THEOREMS.get(f"{paper}.{key}"):
            entries = {re.sub(r"\W+", "_", name): name for name in ("bound", *(part.name for part in theorem.parts))}
            formulas = {entries[name]: formula for name, formula in printed(paper).of(key).items() if name in entries}
            found[key] = {name: partial(value_at, substitute_fully(formula, inserted(key))) for name, formula in formulas.items()}
    return found
