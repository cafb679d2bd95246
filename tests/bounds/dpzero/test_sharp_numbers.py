"""The sharper formulas at digits against the theorems' own expressions, with their abbreviations, and each lie about one of them caught."""

import math
import random
from dataclasses import replace

import mpmath as mp
import numpy as np
import pytest
from scipy.special import erfc

from bounds.dpzero.sharp_numbers import DIGITS, FLOATS, FORMULAS, MEASURE, MEASURE_START, START, Point
from bounds.dpzero.sharp_schedule import CANDIDATES, LETTERS, _compile_bound, certified_bound, certified_bound_at
from tests.bounds.dpzero import sharper

AT = dict(alpha=0.03, T=4_000.0, C=3.0, lam=1e-6, sigma=0.1, d=2_000.0, r=8.18, L=1.0, ell=1.0, gap=1.0)
CORNERS = [AT, {**AT, "lam": 0.0}, {**AT, "sigma": 0.0}, {**AT, "d": 4.0, "r": 1.0}, {**AT, "d": 1e11, "r": 1e11}, {**AT, "C": 40.0}]


def points(count):
    yield from CORNERS
    draw = random.Random(5)
    for _ in range(count):
        d = 10 ** draw.uniform(0.7, 11)
        yield dict(
            alpha=10 ** draw.uniform(-9, 1), T=10 ** draw.uniform(0, 9), C=10 ** draw.uniform(-2, 2), lam=10 ** draw.uniform(-12, 1),
            sigma=10 ** draw.uniform(-6, 2), d=d, r=d ** draw.random(), L=10 ** draw.uniform(-1, 1), ell=10 ** draw.uniform(-2, 2),
            gap=10 ** draw.uniform(-3, 3),
        )  # fmt: skip


def largest_difference(theorem, formula):
    """Return the largest relative difference of the two, over bound, a and every slack, in 60 digits."""
    worst = mp.mpf(0)
    with mp.workdps(60):
        for values in points(40):
            at = {name: mp.mpf(value) for name, value in values.items()}
            symbolic, plain = _compile_bound(theorem)(*[at[name] for name in LETTERS]), formula(Point(**at, functions=DIGITS))
            assert len(symbolic) == len(plain)
            for one, other in zip(symbolic, plain, strict=True):
                worst = max(worst, abs(one - other) / (abs(one) + abs(other)) if one != other else mp.mpf(0))
    return worst


@pytest.mark.parametrize("key", FORMULAS)
def test_both_witnesses_agree(key):
    # 40 of 60 digits: E (|N| - c)_+^4 at c = 100 loses some 17
    assert largest_difference(sharper.THEOREMS[key], FORMULAS[key]) < mp.mpf(10) ** -40


@pytest.mark.parametrize("key", FORMULAS)
@pytest.mark.parametrize("letter", LETTERS)
def test_a_formula_that_is_wrong_in_one_letter_is_caught(key, letter):
    def lie(at):
        return FORMULAS[key](replace(at, **{letter: getattr(at, letter) * mp.mpf("1.0000001")}))

    theorem = sharper.THEOREMS[key]
    used = set().union(*(theorem.in_constants(one).free_symbols for one in (theorem.bound, *theorem.valid_if)))
    caught = largest_difference(theorem, lie) > mp.mpf(10) ** -30
    assert caught == (letter in {symbol.name for symbol in used})


def test_every_candidate_has_a_formula_and_the_start_has_none():
    assert {one.key for row in CANDIDATES.values() for one in row} == set(FORMULAS)
    assert sharper.THEOREMS[START].key == START
    assert sharper.THEOREMS[START].measure == MEASURE_START
    assert {sharper.THEOREMS[key].measure for key in FORMULAS} == {MEASURE}


@pytest.mark.parametrize("key", [*FORMULAS, START])
def test_certified_at_a_key_is_certified(key):
    for values in points(20):
        assert certified_bound_at(key, **values) == certified_bound(sharper.THEOREMS[key], **values)


def test_floats_are_the_digits_rounded():
    for key, formula in FORMULAS.items():
        exact = formula(Point(**{name: mp.mpf(value) for name, value in AT.items()}, functions=DIGITS))
        # E (|N| - c)_+^4 at c = 3 is a difference of terms some 1e3 times its size
        np.testing.assert_allclose([float(one) for one in formula(Point(**AT))], [float(one) for one in exact], rtol=1e-11, err_msg=key)


def test_the_error_function_is_scipys_and_takes_arrays():
    x = np.linspace(0, 26, 53).reshape(1, -1)
    np.testing.assert_allclose(FLOATS.erfc(x), erfc(x), rtol=1e-13)
    assert FLOATS.erfc(0.5) == math.erfc(0.5)
    table = FORMULAS["dpzero.sharp_lipschitz"](Point(**{**AT, "alpha": np.full((5, 1), 0.03), "C": np.linspace(2, 4, 7)[None, :]}))[0]
    assert table.shape == (5, 7)
