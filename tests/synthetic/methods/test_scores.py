"""SynFlow scores against slow twins, and what is done where blocks are vectors or do not fit."""

import numpy as np
import pytest

from synthetic.methods import scores
from synthetic.methods.scores import estimate_synflow_scores, synflow_scores
from synthetic.objectives.space import Space, matrix_space, vector_space

SPACES = {
    "three matrices": matrix_space((4, 3), (5, 4), (2, 5)),
    "biases": Space(((4, 3), (4,), (2, 4), (2,))),
    "one vector": vector_space(7),
    "a vector first": Space(((3,), (2, 3))),
    "one matrix": matrix_space((3, 5)),
}
every = pytest.mark.parametrize("name", SPACES)


def product(x, space):
    """L by loops: |theta^[L]| ... |theta^[1]| 1, biases added."""
    signal = None
    for part in space.parts(np.asarray(x, dtype=object)):
        if part.ndim == 1:
            signal = [abs(one) + (signal[i] if signal is not None else 0) for i, one in enumerate(part)]
        else:
            before = signal if signal is not None else [1.0] * part.shape[1]
            signal = [sum(abs(w) * s for w, s in zip(row, before, strict=True)) for row in part]
    return float(sum(signal))


def point(space):
    x = np.random.default_rng(4).standard_normal(space.d)
    return np.where(abs(x) < 0.05, 0.3, x)


@every
def test_exact_scores_are_theta_times_the_slope_of_L(name):
    """Away from 0 L is linear in each coordinate alone, so that a difference is its slope to rounding."""
    space, h = SPACES[name], 0.02
    x = point(space)
    slopes = [(product(x + h * e, space) - product(x - h * e, space)) / (2 * h) for e in np.eye(space.d)]
    found = synflow_scores(x, space)
    np.testing.assert_allclose(found, x * slopes, rtol=1e-9)
    assert found.min() >= 0
    np.testing.assert_array_equal(synflow_scores(-x, space), found)


@every
def test_the_scores_of_a_layer_and_of_the_biases_from_it_on_sum_to_L(name):
    space = SPACES[name]
    x = point(space)
    sums, L = [part.sum() for part in space.parts(synflow_scores(x, space))], product(x, space)
    for i, shape in enumerate(space.shapes):
        biases = sum(one for one, after in zip(sums[i + 1 :], space.shapes[i + 1 :], strict=True) if len(after) == 1)
        if len(shape) == 2 or i == 0:
            assert sums[i] + biases == pytest.approx(L, rel=1e-13)


@every
def test_zeroth_order_scores_are_the_lines_of_the_algorithm(name):
    space, lam = SPACES[name], 0.3  # a radius at which entries change their signs
    x, v = point(space), np.random.default_rng(5).standard_normal((9, space.d))
    by_hand = np.zeros(space.d)
    for one in v:
        by_hand += (product(x + lam * one, space) - product(x - lam * one, space)) / (2 * lam) * one / len(v)
    np.testing.assert_allclose(estimate_synflow_scores(x, space, v, lam), by_hand * x, rtol=1e-10, atol=1e-12)


def test_in_the_mean_zeroth_order_scores_are_the_exact_ones_with_the_stated_variance(monkeypatch):
    space, P, radius = SPACES["three matrices"], 30_000, 1e-6
    x, v = point(space), np.random.default_rng(6).standard_normal((P, space.d))
    exact = synflow_scores(x, space)
    gradient = exact / x
    error = np.abs(x) * np.sqrt((gradient @ gradient + gradient**2) / P)
    found = estimate_synflow_scores(x, space, v, radius)
    assert np.max(np.abs(found - exact) / error) < 6
    assert np.max(np.abs(found - exact) / error) > 1
    monkeypatch.setattr(scores, "ROWS", 1000)  # in pieces it is the same
    np.testing.assert_allclose(estimate_synflow_scores(x, space, v, radius), found, rtol=1e-8)


def test_layers_that_do_not_fit_are_refused():
    for space in (matrix_space((4, 3), (2, 5)), Space(((4, 3), (3,))), Space(((2, 3), (2,), (2, 3)))):
        with pytest.raises(ValueError, match="the product of its layers needs"):
            synflow_scores(np.ones(space.d), space)
    with pytest.raises(ValueError, match="at least one"):
        synflow_scores(np.ones(3), Space())
    with pytest.raises(ValueError, match="x has shape"):
        synflow_scores(np.ones(3), vector_space(4))
    with pytest.raises(ValueError, match="directions"):
        estimate_synflow_scores(np.ones(3), vector_space(3), np.ones((2, 4)), 0.1)
    with pytest.raises(ValueError, match="lam"):
        estimate_synflow_scores(np.ones(3), vector_space(3), np.ones((2, 3)), 0.0)


def test_what_leaves_floating_point_is_inf():
    assert np.isinf(synflow_scores(np.full(8, 1e200), matrix_space((2, 2), (2, 2)))).all()
