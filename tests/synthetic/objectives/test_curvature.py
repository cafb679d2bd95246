"""Curvature from gradients, against matrices that are written down."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthetic.objectives import curvature

seeds = st.integers(0, 2**32 - 1)
many = settings(max_examples=25)


def symmetric(rng, d):
    a = rng.standard_normal((d, d))
    return (a + a.T) / 2


@given(seed=seeds, d=st.integers(1, 12))
@many
def test_of_a_quadratic_all_is_the_matrix(seed, d):
    rng = np.random.default_rng(seed)
    A, x = symmetric(rng, d), rng.standard_normal(d)
    gradient = lambda y: A @ y
    tolerance = 1e-7 * (1 + np.abs(A).max())
    np.testing.assert_allclose(curvature.full_hessian(gradient, x), A, atol=tolerance)
    eigenvalues = np.linalg.eigvalsh(A)
    norm, least = curvature.power_iteration(gradient, x, rng.standard_normal(d))
    assert norm <= np.abs(eigenvalues).max() + tolerance
    assert least >= eigenvalues[0] - tolerance
    assert curvature.third_derivative_norm(gradient, x, rng.standard_normal(d)) < 1e-5 * (1 + np.abs(A).max())
    values, low, high = curvature.absolute_traces(gradient, x, rng.choice([-1.0, 1.0], (3, d)))
    assert (low, high) == pytest.approx((eigenvalues[0], eigenvalues[-1]), abs=1e-3 * (1 + np.abs(A).max()))
    absolute = np.linalg.eigh(A)
    of = lambda v: v @ (absolute[1] * np.abs(absolute[0])) @ absolute[1].T @ v
    again = np.random.default_rng(seed)
    symmetric(again, d), again.standard_normal(d), again.standard_normal(d), again.standard_normal(d)
    np.testing.assert_allclose(values, [of(v) for v in again.choice([-1.0, 1.0], (3, d))], rtol=1e-4, atol=1e-4)


def test_the_largest_eigenvalue_is_found_whatever_its_sign():
    rng = np.random.default_rng(0)
    for sign in (1.0, -1.0):
        q = np.linalg.qr(rng.standard_normal((60, 60)))[0]
        A = (q * np.r_[sign * 5.0, 1 / np.arange(1.0, 60.0)]) @ q.T
        v = curvature.leading_eigenvector(lambda y, A=A: A @ y, np.zeros(60), rng.standard_normal(60))
        assert np.linalg.norm(v) == pytest.approx(1.0)
        assert np.linalg.norm(A @ v) == pytest.approx(5.0, rel=1e-6)


def test_the_third_derivative_of_a_cubic_is_found():
    """F = sum_i c_i x_i^3 / 6: the Hessian is diag(c x), of Lipschitz constant max |c|, along an axis."""
    c = np.array([0.5, -3.0, 2.0])
    assert curvature.third_derivative_norm(lambda y: c * y**2 / 2, np.ones(3), np.ones(3)) == pytest.approx(3.0, rel=1e-5)


@given(seed=seeds, d=st.integers(1, 8), count=st.integers(1, 4))
@many
def test_the_trace_of_every_bound_is_at_least_the_least_trace(seed, d, count):
    """H = sum_k |A_k| bounds all; of one matrix the bound is Tr |A| itself, and of diagonal ones the sum of their largest entries."""
    rng = np.random.default_rng(seed)
    some = [symmetric(rng, d) for _ in range(count)]
    absolute = [float(np.abs(np.linalg.eigvalsh(one)).sum()) for one in some]
    found = curvature.trace_lower_bound(some)
    assert max(absolute) - 1e-9 <= found <= sum(absolute) + 1e-9
    assert curvature.trace_lower_bound(some[:1]) == pytest.approx(absolute[0])
    diagonals = rng.standard_normal((count, d))
    assert curvature.trace_lower_bound([np.diag(one) for one in diagonals]) == pytest.approx(np.abs(diagonals).max(axis=0).sum())


@given(seed=seeds, d=st.integers(1, 6))
@many
def test_no_bound_has_a_smaller_rank_than_the_least(seed, d):
    """Random H with -H <= A <= H, some raised far above A in one direction."""
    from synthetic.objectives.probe import effective_rank

    rng = np.random.default_rng(seed)
    A = symmetric(rng, d)
    values, vectors = np.linalg.eigh(A)
    raised = rng.standard_normal(d) * rng.choice([0.0, 1.0, 30.0])
    other = rng.standard_normal((d, d)) * rng.choice([0.0, 0.3])
    H = (vectors * np.abs(values)) @ vectors.T + np.outer(raised, raised) + other @ other.T
    ell = float(np.linalg.norm(H, 2))
    trace, rest = float(np.abs(values).sum()), float(np.abs(values).sum() - max(0.0, values[-1]) + min(0.0, values[0]))
    assert effective_rank(trace, rest, ell, d) <= np.trace(H) / ell + 1e-9
    assert 1 <= effective_rank(trace, rest, ell, d) <= d


def test_the_rank_needs_both_ends_of_an_indefinite_hessian():
    """A = [[0, 1], [1, 0]] and H = diag(a, 1/a): Tr H / |H| = 1 + 1/a^2, less than 1 + (Tr |A| - |A|) / a."""
    from synthetic.objectives.probe import effective_rank

    a = 4.0
    H, A = np.diag([a, 1 / a]), np.array([[0.0, 1.0], [1.0, 0.0]])
    assert np.linalg.eigvalsh(H - A)[0] >= -1e-12 <= np.linalg.eigvalsh(H + A)[0]
    assert effective_rank(2.0, 0.0, a, 2) <= np.trace(H) / a < 1 + 1 / a == effective_rank(2.0, 1.0, a, 2)


def test_what_is_not_finite_is_told_by_nan():
    values, low, _ = curvature.absolute_traces(lambda y: y * np.nan, np.zeros(3), np.ones((2, 3)))
    assert np.all(np.isnan(values))
    assert np.isnan(low)
