"""Units of printed formulas: by which power of each unit a product of powers changes when the letters of the problem do."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import sympy as sp

from paper_checks.examine.formulas import monomial
from paper_checks.verdict import Finding, proved, refuted

Powers = tuple[Any, ...]  # of each unit, such as (1, -2) of value and length


def moved(expression: Any, letters: Mapping[Any, Powers]) -> Powers:
    """Return the powers of the units by which a product of powers changes when every letter does by its own."""
    units = sp.symbols(f"unit_:{len(next(iter(letters.values())))}", positive=True)
    at = {letter: letter * prod(unit**power for unit, power in zip(units, powers, strict=True)) for letter, powers in letters.items()}
    return monomial(sp.powsimp(expression.xreplace(at) / expression, force=True), *units)


def units(formulas: Mapping[str, tuple[Any, Powers]], letters: Mapping[Any, Powers], *, names: Sequence[str]) -> Finding:
    """Read the units of every formula, and compare them with those of what it stands for; `names` are those of the units."""
    found = {name: (moved(expression, letters), meant) for name, (expression, meant) in formulas.items()}
    numbers = {f"{name}: powers of {' and '.join(names)}": tuple(map(str, has)) for name, (has, _) in found.items()}
    for name, (has, meant) in found.items():
        if has != meant:
            scales = " ".join(f"{unit}^({power})" for unit, power in zip(names, has, strict=True))
            wanted = " ".join(f"{unit}^{power}" for unit, power in zip(names, meant, strict=True))
            powers = {f"power of {unit}": str(power) for unit, power in zip(names, has, strict=True)}
            return refuted(f"{name} scales like {scales}, and {wanted} is meant", numbers, {"formula": name, **powers, "meant": meant})
    return proved(f"{', '.join(found)}: each has the units of what it stands for", numbers)
