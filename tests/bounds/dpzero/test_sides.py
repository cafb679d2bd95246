"""The printed schedule in floats stays on the safe side of what its theorem asks: checked at the very floats, in 60 digits."""

import math

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds import THEOREMS
from bounds.dpzero.remark_f5 import ROUNDED, integer_T
from bounds.floats import directed_float, float_value
from bounds.strategies import log_uniform
from bounds.symbols import GLOSSARY

DIGITS = 60
PROBLEM = dict(
    n=st.integers(100, 10**9), d=st.integers(2, 10**5), share=st.floats(0, 1), epsilon=log_uniform(0.05, 8), delta=log_uniform(1e-12, 1e-3),
    L=log_uniform(0.05, 20), ell=log_uniform(0.05, 20), gap=log_uniform(0.05, 20), B=log_uniform(0.05, 20), kappa=log_uniform(1, 1e3),
)  # fmt: skip


def exactly(expression, values):
    """The value in 60 digits, its letters those floats."""
    at = {GLOSSARY[name].symbol: sp.Rational(value) for name, value in values.items()}
    return sp.N(expression.subs(at), DIGITS)


@pytest.mark.sample(3)
@pytest.mark.parametrize("key", ROUNDED)
@settings(max_examples=25)
@given(**PROBLEM)
def test_what_is_certified_holds_at_the_floats_that_are_printed(key, share, kappa, **problem):
    theorem = THEOREMS[key]
    values = {**problem, "r": 1 + share * (problem["d"] - 1), "mu": problem["ell"] / kappa}
    values = {name: float(value) for name, value in values.items() if name in theorem.parameters}
    found = integer_T(key, **values)
    schedule = dict(found.schedule)
    at = {**values, **schedule, "T": float(found.T)}
    asked = {
        "alpha": theorem.schedule["alpha"],
        "C": theorem.schedule["C"],
        "sigma": theorem.schedule["sigma"],
        **({"lam": theorem.schedule["lam"]} if "lam" in schedule else {}),
    }
    for name, entry in asked.items():
        limit = exactly(theorem.without_abbreviations(entry), at)
        value = sp.Rational(schedule[name])
        assert value <= limit if name in ("alpha", "lam") else value >= limit, name
        assert abs(value / limit - 1) < 2.0**-51, name
    bound = exactly(theorem.without_abbreviations(theorem.at_integer_T.bound), at)
    trivial = exactly(theorem.in_constants(theorem.at_integer_T.trivial), values)
    least = min(bound, trivial)
    assert least <= sp.Rational(found.bound) <= least * (1 + sp.Rational(1, 10**11))


def test_a_number_beside_is_the_next_float_on_its_side():
    a = GLOSSARY["L"].symbol
    third = a / 3
    below, above = (directed_float(third, {"L": 1.0}, side) for side in (-1, 1))
    assert sp.Rational(below) < sp.Rational(1, 3) < sp.Rational(above)
    assert above == math.nextafter(below, 1)
    assert directed_float(a / 4, {"L": 1.0}, 1) == directed_float(a / 4, {"L": 1.0}, -1) == float_value(a / 4, {"L": 1.0}) == 0.25
    assert math.isnan(directed_float(sp.sqrt(-a), {"L": 1.0}, 1))
