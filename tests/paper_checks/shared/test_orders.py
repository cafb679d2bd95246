"""The inequalities behind the orders, against the theorems evaluated as floats, and the helpers against obvious twins."""

import math

import numpy as np
import pytest
import sympy as sp

from bounds import THEOREMS
from bounds.symbols import T, n, r
from paper_checks.dpzero import algorithms, assumptions
from paper_checks.dpzero.appendix import corollaries_f
from paper_checks.shared import formulas as brackets
from paper_checks.shared import formulas as ranges
from paper_checks.verdict import Outcome
from tests.claims import claim_argument


def problem(chance):
    d = float(np.rint(10 ** chance.uniform(0, 6)))
    ell = 10 ** chance.uniform(-2, 2)
    return {
        "n": float(np.rint(10 ** chance.uniform(0, 8))), "d": d, "r": d ** chance.uniform(0, 1), "epsilon": 10 ** chance.uniform(-2, 2),
        "delta": 10 ** chance.uniform(-12, -0.1), "L": 10 ** chance.uniform(-2, 2), "ell": ell, "mu": ell * 10 ** chance.uniform(-4, 0),
        "gap": 1.0, "B": 10 ** chance.uniform(-3, 3),
    }  # fmt: skip


@pytest.mark.parametrize(("corollary", "constant", "letter"), [("f2", 8, "d"), ("f3", 24, "r"), ("f4", 24, "r")])
def test_the_counts_of_the_corollaries_stay_between_their_ends(corollary, constant, letter):
    chance, tried = np.random.default_rng(1), 0
    while tried < 100:
        at = problem(chance)
        letters = at["n"] * at[letter] * at["ell"] / at["mu"]
        count = THEOREMS[f"dpzero.corollary_{corollary}"].evaluate(**at).parts["count"]
        if count <= 0:  # Y <= 1
            continue
        tried += 1
        assert count <= constant * letters * math.log(at["n"] ** 2 * at["epsilon"] ** 2) * (1 + 1e-12)
    assert corollaries_f.COUNTS[corollary][0] == constant


def test_the_threshold_is_below_the_explicit_one():
    chance = np.random.default_rng(2)
    for _ in range(200):
        at = problem(chance)
        C = THEOREMS["dpzero.theorem3"].evaluate(**at).schedule["C"]
        inside = 6 * math.sqrt(2 * math.pi) * at["epsilon"] ** 2 * (1 + 24 * at["ell"] * at["B"] / at["L"] ** 2)
        square = 48 * math.log(at["n"] * at["d"]) + 16 * math.log(inside)
        assert math.isnan(C) or at["L"] * math.sqrt(square) * (1 + 1e-12) >= C


def test_parentheses_are_balanced_in_every_way_and_in_no_other():
    assert brackets.is_balanced("(a[b(c)])")
    assert not brackets.is_balanced("(a[b)]")
    assert not brackets.is_balanced("(a")
    assert set(brackets.balanced_repairs("(T)/n)")) == {"(T/n)", "(T)/n", "((T)/n)", "(T)/(n)"}


@pytest.mark.parametrize(("more", "outcome"), [(1e-6, Outcome.REFUTED), (1e-13, Outcome.PROVED)])
def test_readings_of_a_formula_are_others_where_one_of_ten_digits_is(more, outcome):
    letters = {"T": T, "r": r, "n": n}
    at = {"T": 2.0, "r": 3.0, "n": 1 + more}
    found = brackets.check_one_reading(text="(T+r)*n)", at=at, letters=letters, name="what is meant", meant=(T + r) * n)
    assert found.outcome is outcome
    assert len(found.numbers["readings"]) == (2 if outcome is Outcome.REFUTED else 1)


def test_a_logarithm_below_0_refutes_a_statement_only_where_the_right_side_is_below_0_too():
    _, below = claim_argument("dpzero.theorem3.any_epsilon", "points")
    saved = {**below, "gap": 1e6}  # X does not depend on the gap
    found = ranges.check_positive_logarithm(key="dpzero.theorem3", letter="X", points=(saved,))
    assert found.outcome is Outcome.CONSISTENT
    assert found.numbers["all"][0]["X"] < 1
    assert ranges.check_positive_logarithm(key="dpzero.theorem3", letter="X", points=(saved, below)).numbers["witnesses"] == 1


def test_atoms_along_the_axes_have_the_length_of_the_sphere():
    assert {tuple(u) for u in assumptions.axis_directions(4)} == {
        tuple(sign * 2 * (i == j) for j in range(4)) for i in range(4) for sign in (1, -1)
    }
    assert assumptions.mean([sp.Integer(1), sp.Integer(4)]) == sp.Rational(5, 2)


def test_clipping_written_out_is_clipping():
    rng = np.random.default_rng(3)
    for _ in range(20):
        v, threshold = rng.standard_normal(3) * 10 ** rng.uniform(-1, 1), float(10 ** rng.uniform(-1, 1))
        written = np.array([float(one) for one in algorithms.clipped_vector(tuple(sp.Float(one) for one in v), sp.Float(threshold))])
        np.testing.assert_allclose(written, v * min(1.0, threshold / np.linalg.norm(v)), rtol=1e-12)
