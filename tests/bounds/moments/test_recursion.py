"""The recursion against an enumeration of all paths, a Monte Carlo run and exact rationals; its invariances; and lies."""

import itertools
import subprocess
import sys

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from bounds.moments import recursion as moments
from bounds.moments.recursion import (
    DIRECTIONS,
    METHODS,
    at_output,
    derive_recursion,
    direction_moment,
    expected_gap,
    expected_grad_norm_sq,
    mean_offset,
    second_moments,
)
from bounds.symbols import symbols

THREE_POINTS = ((-np.sqrt(3), 1 / 6), (0.0, 2 / 3), (np.sqrt(3), 1 / 6))  # moments up to the fifth are those of N(0, 1)
BOTH = (expected_grad_norm_sq, expected_gap)


def directions(d, direction):
    """Points and weights whose moments up to the fifth are those of the direction: nothing in a step of the recursion needs more."""
    if direction == "gaussian":
        return [(np.array([p for p, _ in c]), np.prod([w for _, w in c])) for c in itertools.product(THREE_POINTS, repeat=d)]
    if d == 1:
        return [(np.array([sign]), 0.5) for sign in (-1.0, 1.0)]
    if d == 2:
        angles = 2 * np.pi * np.arange(6) / 6 + 0.3
        return [(np.sqrt(2) * np.array([np.cos(t), np.sin(t)]), 1 / 6) for t in angles]
    golden = (1 + np.sqrt(5)) / 2  # icosahedron, a spherical 5-design
    corners = [np.roll([0, p, q * golden], k) for p in (-1, 1) for q in (-1, 1) for k in range(3)]
    return [(np.sqrt(3) * c / np.linalg.norm(c), 1 / 12) for c in corners]


def noises(d, scalar):
    return [(np.array([p for p, _ in c]), np.prod([w for _, w in c])) for c in itertools.product(THREE_POINTS, repeat=1 if scalar else d)]


def enumerated(method, *, eigenvalues, offset, alpha, T, sigma, direction, weight, shift=0.0):
    """E sum_j weight_j (e_t + shift)_j^2, by running the algorithm along every branch of directions and noise."""
    a = np.asarray(eigenvalues)
    points, chances, values = np.array([offset]), np.ones(1), []
    for t in range(T + 1):
        values.append(chances @ ((points + shift) ** 2 @ weight))
        if t == T:
            break
        branches = []
        for u, p in directions(a.size, direction) if method != "dp_gd" else [(None, 1.0)]:
            for z, q in noises(a.size, scalar=method == "dpzero") if sigma > 0 else [(np.zeros(1), 1.0)]:
                gradient = points * a
                step = gradient + sigma * z if u is None else (points @ (a * u))[:, None] * u + sigma * z * (u if method == "dpzero" else 1)
                branches.append((points - alpha * step, p * q * chances))
        points, chances = (np.concatenate(column) for column in zip(*branches, strict=True))
    return np.array(values)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("eigenvalues", "offset"), [([0.7], [1.3]), ([1.0, 0.4], [0.5, -2.0]), ([1.0, 0.25, 1.0], [1.0, 3.0, -0.7])])
def test_recursion_is_the_sum_over_all_paths(method, direction, eigenvalues, offset):
    a, d = np.array(eigenvalues), len(eigenvalues)
    case = {"eigenvalues": a, "offset": np.array(offset), "alpha": 0.4, "T": 2 if d == 3 else 3, "direction": direction}
    case["sigma"] = 0.0 if method == "mezo" else 0.9
    for expected, weight in zip(BOTH, (a**2, a / 2), strict=True):
        assert_allclose(expected(method, **case), enumerated(method, **case, weight=weight), rtol=1e-12)
    assert_allclose(second_moments(method, **case), enumerated_moments(method, **case), rtol=1e-12)


def enumerated_moments(method, **case):
    return [enumerated(method, **case, weight=unit)[-1] for unit in np.eye(len(case["offset"]))]


@pytest.mark.parametrize("method", METHODS)
def test_shift_measures_the_gradient_of_a_set_with_another_mean(method):
    a, shift = np.array([1.0, 0.4]), np.array([0.3, -1.1])
    case = {"eigenvalues": a, "offset": np.array([0.5, -2.0]), "alpha": 0.4, "T": 3, "direction": "sphere"}
    case["sigma"] = 0.0 if method == "mezo" else 0.9
    for expected, weight in zip(BOTH, (a**2, a / 2), strict=True):
        assert_allclose(expected(method, **case, shift=shift), enumerated(method, **case, weight=weight, shift=shift), rtol=1e-12)


@pytest.mark.parametrize(
    ("lie", "what"),
    [
        (lambda d: {"fourth_moment": 1.0}, "the factor d/(d+2) dropped"),
        (lambda d: {"noise": np.sqrt(d)}, "noise d times too large"),
        (lambda d: {"noise": 1 / np.sqrt(d)}, "noise d times too small"),
    ],
)
@pytest.mark.parametrize("method", ["dpzero", "dpgd_0th"])
def test_enumeration_catches_a_wrong_recursion(monkeypatch, method, lie, what):
    a = np.array([1.0, 0.4])
    case = {"eigenvalues": a, "offset": np.array([0.5, -2.0]), "alpha": 0.4, "T": 3, "sigma": 0.9, "direction": "sphere"}
    truth = enumerated(method, **case, weight=a**2)
    change = lie(2)
    if "fourth_moment" in change:
        monkeypatch.setattr(moments, "fourth_moment", lambda direction, d: change["fourth_moment"])
    told = expected_grad_norm_sq(method, **{**case, "sigma": case["sigma"] * change.get("noise", 1.0)})
    assert abs(told[-1] / truth[-1] - 1) > 0.02, what


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("method", METHODS)
def test_monte_carlo_agrees(method, direction):
    """24 cases (8 here, 3 horizons each) at six standard errors: false alarm 5e-8 in all if the mean is normal."""
    d, T, replicates, alpha, sigma = 8, 30, 4_000, 0.06, 0.0 if method == "mezo" else 0.5
    rng = np.random.default_rng(20_240_601)
    a, start = 1 / np.arange(1, d + 1), rng.standard_normal(d)
    e, norms = np.tile(start, (replicates, 1)), [np.full(replicates, np.sum((a * start) ** 2))]
    for _ in range(T):
        u = rng.standard_normal((replicates, d))
        if direction == "sphere":
            u *= np.sqrt(d) / np.linalg.norm(u, axis=1, keepdims=True)
        s = np.sum(u * a * e, axis=1, keepdims=True)
        if method in ("dpzero", "mezo"):
            e = e - alpha * (s + sigma * rng.standard_normal((replicates, 1))) * u
        else:
            e = e - alpha * ((a * e if method == "dp_gd" else s * u) + sigma * rng.standard_normal((replicates, d)))
        norms.append(np.sum((a * e) ** 2, axis=1))
    expected = expected_grad_norm_sq(method, eigenvalues=a, offset=start, alpha=alpha, T=T, sigma=sigma, direction=direction)
    for t in (1, T // 2, T):
        error = np.std(norms[t]) / np.sqrt(replicates)
        assert abs(np.mean(norms[t]) - expected[t]) <= 6 * error + 1e-12 * expected[t]


def test_moments_of_the_direction_are_those_of_lemma_c1():
    (d,) = symbols("d")
    assert direction_moment((2,), d=d) == 1
    assert sp.simplify(direction_moment((4,), d=d) - 3 * d / (d + 2)) == 0
    assert sp.simplify(direction_moment((2, 2), d=d) - d / (d + 2)) == 0
    assert direction_moment((1, 1), d=d) == direction_moment((3, 1), d=d) == direction_moment((2, 1, 1), d=d) == 0
    # ||u||^2 = d: E u_1^2 ||u||^2 = d, and E u_1^2 u_2^2 ||u||^2 = d E u_1^2 u_2^2
    assert sp.simplify(direction_moment((4,), d=d) + (d - 1) * direction_moment((2, 2), d=d) - d) == 0
    sixth = 2 * direction_moment((4, 2), d=d) + (d - 2) * direction_moment((2, 2, 2), d=d)
    assert sp.simplify(sixth - d * direction_moment((2, 2), d=d)) == 0
    assert [direction_moment(p, d=d, direction="gaussian") for p in ((2,), (4,), (2, 2), (4, 2), (6,))] == [1, 3, 1, 3, 15]


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("method", METHODS)
def test_derivation_gives_the_coefficients_of_the_code(method, direction):
    d, alpha, sigma = symbols("d alpha sigma")
    a_j, a_k = sp.symbols("a_j a_k", nonnegative=True)
    found = derive_recursion(method, direction=direction)
    c = d / (d + 2) if direction == "sphere" else sp.Integer(1)
    zeroth = method != "dp_gd"
    own = 1 - 2 * alpha * a_j + 3 * c * alpha**2 * a_j**2 if zeroth else (1 - alpha * a_j) ** 2
    assert sp.simplify(found.own - own) == 0
    assert sp.simplify(found.other - (c * alpha**2 * a_k**2 if zeroth else 0)) == 0
    assert found.crosses == (0, 0)
    assert sp.simplify(found.noise - (0 if method == "mezo" else alpha**2 * sigma**2)) == 0

    decay, couple = moments.coefficients(method, np.array([0.3]), alpha=0.7, d=5, direction=direction)
    point = {a_j: 0.3, a_k: 0.9, alpha: 0.7, d: 5, sigma: 0}
    assert_allclose(1 - decay[0] + couple * 0.3**2, float(found.own.subs(point)), rtol=1e-14)
    assert_allclose(couple * 0.9**2, float(found.other.subs(point)), rtol=1e-14)


def test_exact_rationals():
    d, alpha, sigma, a, e, T = 3, sp.Rational(1, 5), sp.Rational(2, 7), [1, sp.Rational(1, 2), sp.Rational(1, 3)], [1, -2, 3], 12
    c = sp.Rational(d, d + 2)
    m = [sp.Integer(v) ** 2 for v in e]
    exact = [sum(x**2 * y for x, y in zip(a, m, strict=True))]
    for _ in range(T):
        m = [y * (1 - 2 * alpha * x + 2 * c * alpha**2 * x**2) + alpha**2 * (c * exact[-1] + sigma**2) for x, y in zip(a, m, strict=True)]
        exact.append(sum(x**2 * y for x, y in zip(a, m, strict=True)))
    ours = expected_grad_norm_sq(
        "dpzero", eigenvalues=[float(x) for x in a], offset=[float(x) for x in e], alpha=0.2, T=T, sigma=float(sigma)
    )
    assert_allclose(ours, [float(v) for v in exact], rtol=1e-14)


vector = st.lists(st.floats(-3, 3), min_size=1, max_size=6)
spectrum = st.lists(st.one_of(st.just(0.0), st.floats(0.01, 1)), min_size=6, max_size=6)
alphas, sigmas = st.floats(1e-3, 0.5), st.floats(0, 3)


def problem(offset, a):
    return {"eigenvalues": np.array(a[: len(offset)]), "offset": np.array(offset)}


@settings(max_examples=25)
@given(offset=vector, a=spectrum, alpha=alphas, sigma=sigmas, more=st.floats(0, 2), direction=st.sampled_from(DIRECTIONS))
def test_more_noise_is_never_better(offset, a, alpha, sigma, more, direction):
    for method in ("dpzero", "dpgd_0th", "dp_gd"):
        for expected in BOTH:
            less, greater = (
                expected(method, **problem(offset, a), alpha=alpha, T=9, sigma=s, direction=direction) for s in (sigma, sigma + more)
            )
            assert np.all(less <= greater)


@settings(max_examples=25)
@given(offset=vector, a=spectrum, alpha=alphas, sigma=sigmas, direction=st.sampled_from(DIRECTIONS))
def test_relations_between_the_methods(offset, a, alpha, sigma, direction):
    case = {**problem(offset, a), "alpha": alpha, "T": 9, "direction": direction}
    np.testing.assert_array_equal(expected_gap("mezo", **case, sigma=0), expected_gap("dpzero", **case, sigma=0))
    dpzero, vector_noise, dp_gd = (expected_grad_norm_sq(m, **case, sigma=sigma) for m in ("dpzero", "dpgd_0th", "dp_gd"))
    np.testing.assert_array_equal(dpzero, vector_noise)
    if len(offset) > 1 or direction == "gaussian":
        assert np.all(dp_gd <= dpzero * (1 + 1e-12))  # the variance of the direction can only add
    else:
        assert_allclose(dp_gd, dpzero, rtol=1e-11)  # u = 1 or -1 is no loss


@settings(max_examples=25)
@given(offset=vector, a=spectrum, alpha=alphas, sigma=sigmas, c=st.floats(0.01, 100), method=st.sampled_from(METHODS[:3]))
def test_scale_invariances(offset, a, alpha, sigma, c, method):
    case = problem(offset, a)
    gap, norm = (f(method, **case, alpha=alpha, T=9, sigma=sigma) for f in (expected_gap, expected_grad_norm_sq))
    louder = {"eigenvalues": c * case["eigenvalues"], "offset": case["offset"], "alpha": alpha / c, "T": 9, "sigma": c * sigma}
    assert_allclose(expected_gap(method, **louder), c * gap, rtol=1e-11, atol=1e-300)
    assert_allclose(expected_grad_norm_sq(method, **louder), c**2 * norm, rtol=1e-11, atol=1e-300)
    wider = {"eigenvalues": case["eigenvalues"], "offset": c * case["offset"], "alpha": alpha, "T": 9, "sigma": c * sigma}
    assert_allclose(expected_gap(method, **wider), c**2 * gap, rtol=1e-11, atol=1e-300)


@settings(max_examples=25)
@given(offset=vector, a=spectrum, alpha=alphas, sigma=sigmas, T=st.integers(1, 12), method=st.sampled_from(METHODS[:3]))
def test_prefix_measure_and_order_of_coordinates(offset, a, alpha, sigma, T, method):
    case = problem(offset, a)
    long, short = (expected_grad_norm_sq(method, **case, alpha=alpha, T=t, sigma=sigma) for t in (12, T))
    np.testing.assert_array_equal(long[: T + 1], short)
    m = second_moments(method, **case, alpha=alpha, T=T, sigma=sigma)
    assert_allclose(m @ case["eigenvalues"] ** 2, short[-1], rtol=1e-11, atol=1e-300)
    turned = {key: value[::-1] for key, value in case.items()}
    assert_allclose(expected_grad_norm_sq(method, **turned, alpha=alpha, T=T, sigma=sigma), short, rtol=1e-12, atol=1e-300)
    mean = mean_offset(**case, alpha=alpha, t=T)
    assert np.all(mean**2 <= m * (1 + 1e-9) + 1e-300)  # Jensen


def test_outputs():
    path = [4.0, 2.0, 1.0]
    assert at_output(path, "last") == 1
    assert at_output(path, "uniform") == 3
    assert at_output([1.0, np.inf], "last") == np.inf


@pytest.mark.parametrize("method", METHODS)
def test_divergence_is_inf_and_stays_inf(method):
    case = {"eigenvalues": [1.0, 0.5, 0.0, 0.5], "offset": [1.0, 1.0, 1.0, 0.0], "sigma": 0.0 if method == "mezo" else 1.0}
    for expected in BOTH:
        path = expected(method, **case, alpha=30.0, T=300)
        bad = np.isinf(path)
        assert bad[-1]
        assert not np.isnan(path).any()
        assert np.all(np.diff(bad.astype(int)) >= 0)
        assert np.isinf(expected(method, **case, alpha=1e200, T=5)[-1])
        assert np.all(np.isfinite(expected(method, **case, alpha=1e-200, T=5)))


@pytest.mark.parametrize("method", METHODS)
def test_at_the_minimiser_only_noise_moves(method):
    sigma = 0.0 if method == "mezo" else 1.0
    path = expected_gap(method, eigenvalues=[1.0, 0.5], offset=[0.0, 0.0], alpha=0.1, T=3, sigma=sigma)
    assert path[0] == 0
    assert np.all(path[1:] > 0) if sigma else np.all(path == 0)
    flat = expected_gap(method, eigenvalues=[0.0, 0.0], offset=[1.0, 2.0], alpha=0.1, T=3, sigma=sigma)
    assert np.all(flat == 0)


GOOD = {"eigenvalues": [1.0, 0.5], "offset": [1.0, 1.0], "alpha": 0.1, "T": 3, "sigma": 1.0}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"eigenvalues": [1.0, -0.5]}, "eigenvalues = .* at least 0"),
        ({"eigenvalues": []}, "eigenvalues = .*non-empty"),
        ({"eigenvalues": [1.0, np.nan]}, "eigenvalues = .*finite"),
        ({"offset": [1.0]}, "offset = .*2 finite numbers"),
        ({"offset": [1.0, np.inf]}, "offset = .*finite"),
        ({"shift": [1.0]}, "shift = .*2 finite numbers"),
        ({"alpha": 0.0}, "alpha = 0.0"),
        ({"T": 0}, "T = 0"),
        ({"T": 2.5}, "T = 2.5"),
        ({"sigma": -1.0}, "sigma = -1.0"),
        ({"direction": "cube"}, "direction = 'cube': one of sphere, gaussian"),
    ],
)
def test_bad_input_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        expected_grad_norm_sq("dpzero", **{**GOOD, **change})


def test_bad_words_are_named():
    with pytest.raises(ValueError, match="method = 'sgd': one of dpzero, dpgd_0th, dp_gd, mezo"):
        expected_gap("sgd", **GOOD)
    with pytest.raises(ValueError, match=r"sigma = 1\.0: mezo adds no noise"):
        expected_gap("mezo", **GOOD)
    with pytest.raises(ValueError, match="output = 'first'"):
        at_output([1.0, 2.0], "first")
    with pytest.raises(ValueError, match="path has shape"):
        at_output([1.0], "last")


def test_import_leaves_sympy_out():
    done = subprocess.run([sys.executable, "-c", "import sys, bounds.moments; sys.exit('sympy' in sys.modules)"], check=False)
    assert done.returncode == 0
