"""Small parts of the theorems' numbers: a bisection's private end, the grid of a loss, a sentence, and what calls leave out."""

import inspect
import math
from types import SimpleNamespace

import numpy as np
import pytest

from bounds.dpzero import looseness
from bounds.dpzero.recommend import METHODS, _as_sentence, recommend
from bounds.gauss_psgd.block import Constants, increment_counts
from bounds.letter import Letter
from bounds.moments.recursion import expected_gap, expected_grad_norm_sq, second_moments
from bounds.privacy import gaussian as privacy
from bounds.privacy import subsampled


@pytest.mark.parametrize(("private", "leaky"), [(0.0, 1.0), (1.0, 0.0)])
@pytest.mark.parametrize("zero", [0.3, 1 / 3, 1e-9])
def test_the_private_end_is_beside_the_zero(private, leaky, zero):
    """By a few last bits, and never on the leaky side, whether the excess is straight or bent there."""
    sign = math.copysign(1.0, leaky - private)
    for bend in (0.0, 0.5, -0.5):
        found = privacy.find_private_root(lambda x, b=bend: sign * (x - zero) * (1 + b * x), private, leaky)
        assert sign * (found - zero) <= 0
        assert abs(found - zero) <= 8 * math.ulp(zero)


def last_private(excess, private, leaky):
    """Plain bisection to the last float."""
    while (middle := private + (leaky - private) / 2) not in (private, leaky):
        private, leaky = (middle, leaky) if excess(middle) <= 0 else (private, middle)
    return private


RISING = {
    "straight": lambda x: x - 1 / 3,
    "bent": lambda x: math.expm1(min(5 * (x - 1 / 3), 700.0)),
    "flat": lambda x: (x - 1 / 3) ** 9,
    "step": lambda x: 1.0 if x > 1 / 3 else -1.0,
    "infinite": lambda x: math.inf if x > 1 / 3 else -1.0,
    "minus infinite": lambda x: 1.0 if x > 1 / 3 else -math.inf,
    "nan": lambda x: math.nan if x > 1 / 3 else x - 0.4,
    "zero": lambda x: 5e-324 if x > 1 / 3 else 0.0,
    "rounded": lambda x: math.floor((x - 1 / 3) * 2.0**40) / 2.0**40,
}


@pytest.mark.parametrize(("low", "high", "sign"), [(0.0, 1.0, 1), (0.3, 0.35, 1), (-40.0, 1e6, 1), (1.0, 0.0, -1)])
@pytest.mark.parametrize("name", RISING)
def test_a_narrowed_bracket_ends_at_the_float_of_bisection(name, low, high, sign):
    def excess(x):
        tried.append(x)
        return RISING[name](x if sign > 0 else 2 / 3 - x)

    tried = []
    expected = last_private(excess, low, high)
    plain, tried = len(tried), []
    assert privacy.bisect_private_root(excess, low, high) == expected
    assert excess(expected) <= 0
    assert len(tried) <= plain + 25
    if name in ("straight", "bent") and abs(high - low) <= 1:
        assert len(tried) <= 30 < plain


def test_a_coarser_tolerance_asks_less_often():
    asked = {}
    for tolerance in (1e-300, 1e-4):
        calls = asked.setdefault(tolerance, [])
        found = privacy.find_private_root(lambda x, calls=calls: calls.append(x) or math.exp(x) - 2, 0.0, 3.0, tolerance=tolerance)
        assert 0 <= math.log(2) - found <= 3 * max(tolerance, 1e-15)
    assert len(asked[1e-4]) < len(asked[1e-300])


@pytest.mark.parametrize("neighbours", ["add_or_remove_one", "replace_one"])
def test_the_first_guess_matches_chi_squares(neighbours):
    """T q^2 times the chi-square of one step, between the two ends of the worst pair, is mu^2; for small q and many steps that is GDP."""
    epsilon, delta, T, q, sensitivity = 1.0, 1e-5, 400, 0.03, 2.5
    sigma = subsampled._guess_sigma(epsilon, delta, T, q, sensitivity, neighbours)
    x = np.linspace(-60, 60, 400_001)
    shifts = (-sensitivity / 2 / sigma, sensitivity / 2 / sigma) if neighbours == "replace_one" else (0.0, sensitivity / sigma)
    low, high, base = (np.exp(-((x - shift) ** 2) / 2) / math.sqrt(2 * math.pi) for shift in (*shifts, 0.0))
    chi_square = np.trapezoid((high - low) ** 2 / np.maximum(base, 1e-300), x)
    assert T * q**2 * chi_square == pytest.approx(privacy.mu_gaussian(epsilon, delta) ** 2, rel=1e-6)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("the bound is loose", "The bound is loose."),
        ("delta = 0.4 is large", "delta = 0.4 is large."),  # a letter keeps its size
        ("the delta is large", "The delta is large."),
        ("a full stop.", "A full stop."),
        ("T T", "T T."),
    ],
)
def test_a_remark_becomes_a_sentence(text, sentence):
    assert _as_sentence(text) == sentence


@pytest.mark.parametrize("r", [1.0, 40.0])
def test_both_ends_of_the_rank_are_allowed(r):
    given = {"n": 1e4, "d": 40, "epsilon": 2.0, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 1.0}
    for method in METHODS:
        assert recommend(method, **given, r=r, B=1.0).problem["r"] == r
        for wrong in (0.999, 40.001):
            with pytest.raises(ValueError, match=f"r = {wrong}: a number from 1 to d = 40 is needed"):
                recommend(method, **given, r=wrong, B=1.0)


def defaults(function):
    return {name: one.default for name, one in inspect.signature(function).parameters.items() if one.default is not inspect.Parameter.empty}


def test_what_a_comparison_leaves_out():
    """The problem of the README's example at unit constants; rows of d = 20 to 1e9 and n = 1e3 to 1e6."""
    ranks = ((20.0, 3.6), (200.0, 5.9), (2_000.0, 8.18), (1e6, 14.4), (1e9, 21.3))
    budget = {"epsilon": 2.0, "delta": 1e-6}
    assert defaults(looseness.against_sharper) == {
        "theorem": "dpzero.theorem3", "ranks": ranks, "samples": (1e3, 1e4, 1e5, 1e6), **budget, "L": 1.0, "ell": 1.0, "gap": 1.0, "B": 1.0,
    }  # fmt: skip
    assert defaults(looseness.against_quadratic) == {
        "theorem": "dpzero.theorem3", "spectra": ("flat", "inverse_sqrt", "inverse"), "dimensions": (20, 200, 2_000), "n": 1e4, **budget,
        "gap": 1.0,
    }  # fmt: skip


@pytest.mark.parametrize("method", ["dpzero", "dpgd_0th", "dp_gd"])
def test_the_two_ways_of_computing_a_path_agree_where_coordinates_have_moved(method):
    """`expected_gap` at a start that is not the minimiser's is the sum of the second moments; with a shift the cross terms count."""
    a, e, shift = np.array([1.0, 0.5, 0.5, 0.1]), np.array([1.0, -2.0, 0.3, 4.0]), np.array([0.2, 0.0, -0.4, 0.1])
    given = dict(eigenvalues=a, offset=e, alpha=0.2, T=7, sigma=0.3)
    m = second_moments(method, **given)
    assert expected_gap(method, **given)[-1] == pytest.approx(float(a @ m) / 2, rel=1e-12)
    assert expected_grad_norm_sq(method, **given)[-1] == pytest.approx(float(a**2 @ m), rel=1e-12)
    mean = (1 - 0.2 * a) ** 7 * e
    moved = expected_grad_norm_sq(method, **given, shift=shift)[-1]
    assert moved == pytest.approx(float(a**2 @ (m + 2 * mean * shift + shift**2)), rel=1e-12)


@pytest.mark.parametrize(
    ("role", "changes", "name", "per_step"),
    [("proof", True, "a", True), ("proof", False, "a", False), ("step", False, "a", True), ("proof", False, "a_t", True)],
)
def test_a_letter_of_proofs_may_change_from_step_to_step(role, changes, name, per_step):
    assert Letter(name, name, "words", 0, 1, role, changes=changes).per_step == per_step


def test_the_constants_that_are_left_open_grow_with_C_as_the_proof_asks():
    assert Constants("repaired", C_abs=3.0).s_used == 4 * 51_200 * 3**2 == pytest.approx((160 * 3 * 2 * math.sqrt(2)) ** 2)
    assert Constants("printed", C_abs=3.0).s_used == 51_200
    assert (Constants(C_abs=3.0).c_used, Constants(C_abs=3.0, c_abs=2.0).c_used) == (48.0, 2.0)


def test_the_letters_at_one_more_keep_eta_gamma():
    v = increment_counts(SimpleNamespace(eta=0.25, Gamma=7.0, Q=3.0, d=5))
    assert (v.eta, v.Gamma, v.Q, v.d) == (0.25 * 7 / 8, 8.0, 4.0, 5)
