"""The moments of projections against sums over all entries, exact quadrature and Monte Carlo; their proofs; the tail; lies."""

import itertools
from dataclasses import replace
from fractions import Fraction
from math import exp, sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

import bounds
from bounds.dp_grape.moments import PROJECTIONS, moment_coefficients, stretch
from bounds.proofs.attack import attack
from bounds.proofs.certificates import Standing, verify, verify_all
from tests.bounds.dp_grape.test_quadratic import projections

MOMENTS, ORTHONORMAL, TAIL = (bounds.THEOREMS[f"dp_grape.{name}"] for name in ("moments", "moments_orthonormal", "moments_tail"))

KEYS = ("moments", "moments_tail", "quadratic")


def gaussian(m, r):
    return projections("left", m, 1, r)


@pytest.mark.parametrize(("m", "r"), [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1), (4, 1), (2, 3)])
def test_the_table_by_quadrature(m, r):
    """Three points an entry: exact for moments of order four, of which no entry is more than to the fourth power."""
    rng = np.random.default_rng(m + 10 * r)
    G, a, H = rng.normal(size=(m, 3)), rng.normal(size=m), rng.normal(size=(m, m))
    H = H + H.T
    s = np.linalg.svd(G, compute_uv=False)
    at = dict(block=m, subspace=r, layer_sq=float((s**2).sum()), layer_fourth=float((s**4).sum()), a_sq=float(a @ a), a_H=float(a @ H @ a),
              trace_H=float(H.trace()), sigma=0.7, columns=3)  # fmt: skip
    sums = dict.fromkeys(("bound", "unbiased", "gram", "weighted", "square"), 0.0)
    for P, w in gaussian(m, r):
        long = ((P.T @ G) ** 2).sum()
        found = (((P @ P.T @ G) ** 2).sum(), long, (P[:, 0] ** 2).sum(), a @ P @ P.T @ H @ P @ P.T @ a, long**2)
        sums = {name: total + w * one for (name, total), one in zip(sums.items(), found, strict=True)}
    there = MOMENTS.evaluate(**at)
    assert sums["bound"] == pytest.approx(there.bound, rel=1e-12)
    assert sums["bound"] / at["layer_sq"] == pytest.approx(stretch("left", rows=m, r=r), rel=1e-12)
    for name in ("unbiased", "gram", "weighted"):
        assert sums[name] == pytest.approx(there.parts[name], rel=1e-10), name
    assert sums["square"] - sums["unbiased"] ** 2 == pytest.approx(there.parts["variance"], rel=1e-9)
    assert there.parts["noise"] == pytest.approx(3 * 0.49 * sum(w * (P**2).sum() for P, w in gaussian(m, r)), rel=1e-12)


@pytest.mark.parametrize(("m", "r"), [(2, 1), (2, 2), (3, 1), (3, 2)])
def test_orthonormal_columns_by_spherical_designs(m, r):
    rng = np.random.default_rng(m + 10 * r)
    G, a, H = rng.normal(size=(m, 2)), rng.normal(size=m), rng.normal(size=(m, m))
    at = dict(block=m, subspace=r, layer_sq=float((G**2).sum()), a_sq=float(a @ a), a_H=float(a @ H @ a), trace_H=float(H.trace()))
    there, points = ORTHONORMAL.evaluate(**at), projections("orthonormal", m, 2, r)
    if r == m:
        assert stretch("orthonormal", rows=m, r=r) == 1
    returned = sum(w * ((P @ P.T @ G) ** 2).sum() for P, w in points)
    assert returned == pytest.approx(there.bound)
    assert returned == pytest.approx(stretch("orthonormal", rows=m, r=r) * at["layer_sq"])
    assert sum(w * ((P.T @ G) ** 2).sum() for P, w in points) == pytest.approx(there.parts["unbiased"] if r < m else at["layer_sq"])
    assert all(((P.T @ G) ** 2).sum() <= there.parts["sure"] * (1 + 1e-12) for P, _ in points)
    own, shared = map(float, moment_coefficients("orthonormal", rows=m, r=r))
    mean = sum(w * P @ P.T @ H @ P @ P.T for P, w in points)
    symmetric = (mean + mean.T) / 2
    assert_allclose(symmetric, own * (H + H.T) / 2 + shared * H.trace() * np.eye(m), atol=1e-12)
    assert a @ mean @ a == pytest.approx(there.parts["weighted"])


@pytest.mark.parametrize("method", PROJECTIONS)
@pytest.mark.parametrize(("m", "n", "r"), [(1, 1, 1), (5, 3, 2), (7, 1, 7), (64, 64, 16)])
def test_shares_and_stretch_are_one_thing(method, m, n, r):
    own, shared = moment_coefficients(method, rows=m, columns=n, r=r)
    side = m * n if method == "flattened" else m
    assert isinstance(own, Fraction)
    assert float(own + shared * side) == stretch(method, rows=m, columns=n, r=r)
    printed = {"left": (m + r + 1) / r, "flattened": (m * n + r + 1) / r, "orthonormal": m / r, "none": 1.0}
    assert stretch(method, rows=m, columns=n, r=r) == pytest.approx(printed[method], rel=1e-15)


def test_some_stretches():
    assert stretch("flattened", rows=10, r=4) == 3.75
    assert stretch("left", rows=8, columns=12, r=4) == 3.25
    assert stretch("flattened", rows=8, columns=12, r=4) == 25.25
    assert stretch("left", rows=16, columns=5, r=4) == 5.25
    assert stretch("orthonormal", rows=32, columns=5, r=8) == 4


def test_the_means_of_larger_projections_by_monte_carlo():
    """z-tests at |z| < 6.5, normal means of 20,000 draws; the printed (d + r - 1)/r is seen."""
    rng, m, r, runs = np.random.default_rng(2), 10, 4, 20_000
    P, a = rng.normal(size=(runs, m, r)) / sqrt(r), rng.normal(size=m)
    values = ((P @ (P.transpose(0, 2, 1) @ a)[..., None]) ** 2).sum(axis=(1, 2)) / (a @ a)
    for wanted, close in ((stretch("left", rows=m, r=r), True), ((m + r - 1) / r, False)):
        assert bool(abs(values.mean() - wanted) < 6.5 * values.std() / sqrt(runs)) is close


@pytest.mark.parametrize("r", [1, 2, 8, 64])
@pytest.mark.parametrize("x", [0.1, 1.0, 3.0, 20.0])
def test_the_tail_of_one_direction_is_chi_square(r, x):
    there = TAIL.evaluate(subspace=r, tail_level=x, layer_sq=2.0)
    exact = stats.chi2.sf(r * there.parts["threshold"] / 2, r)
    assert exact <= there.bound == pytest.approx(exp(-x))


def test_the_tail_of_two_equal_directions_is_chi_square_too():
    """The threshold is that of one direction as long; more directions concentrate."""
    for r, x in itertools.product((1, 5, 30), (0.5, 4.0)):
        threshold = TAIL.evaluate(subspace=r, tail_level=x, layer_sq=1.0).parts["threshold"]
        assert stats.chi2.sf(2 * r * threshold, 2 * r) <= stats.chi2.sf(r * threshold, r) <= exp(-x)


@pytest.mark.parametrize("key", KEYS)
def test_every_line_of_the_proofs_checks_and_survives(key):
    proof = bounds.DERIVATIONS[f"dp_grape.{key}"]
    assert not [one for one in verify_all(proof) if one.outcome is Standing.FAILED]
    for step in proof.steps:
        assert verify(proof, step.name).outcome is Standing.CERTIFIED
        found = attack(proof, step.name, samples=15, digits=40)
        assert (found.tried, found.counterexample) == (15, None), step.name
        if step.relation == "=":
            lie = proof.with_line(replace(step, rhs=step.rhs * 4))
            assert verify(lie, step.name).outcome is Standing.FAILED


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"projection": "right"}, "projection = 'right': one of left, flattened, orthonormal, none"), ({"rows": 0}, "rows = 0: an integer"),
        ({"rows": 2.5}, "rows = 2.5: an integer"), ({"columns": -1}, "columns = -1: an integer"), ({"r": 0}, "r = 0: an integer"),
        ({"projection": "orthonormal", "r": 9}, "r = 9: an integer of at most rows = 8"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(change, said):
    given = dict(projection="left", rows=8, columns=3, r=2) | change
    with pytest.raises(ValueError, match=said):
        stretch(given.pop("projection"), **given)
