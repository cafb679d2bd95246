"""Objectives of matrices: gradients against differences, means against samples, constants against what they say; see `test_grape`."""

from functools import partial

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from synthetic.objectives.matrices import (
    digits_network,
    factorisation,
    low_rank,
    matrix_cosine,
    matrix_phase_retrieval,
    matrix_quadratic,
)

NETWORK = digits_network(hidden=3, n=20, seed=1)
OBJECTIVES = [
    matrix_quadratic("inverse", 24, 7, 0, m=4, layers=2, columns="inverse_sqrt"),
    low_rank("inverse_sqrt", 24, 7, 0, m=4, rank=2),
    matrix_cosine("inverse", 24, 7, 0, m=4, layers=2),
    factorisation("inverse", 18, 7, 0, m=5, rank=2),
    matrix_phase_retrieval("inverse", 12, 7, 0, m=4),
    NETWORK.train,
]
RNG = np.random.default_rng(0)


def gradient_of(o, x, row):
    out = np.full(o.d, np.nan)
    o.gradient(x, row, o.params, out)
    return out


@pytest.mark.parametrize("o", OBJECTIVES, ids=lambda one: one.name)
def test_gradients_and_means(o):
    x = 0.5 * RNG.standard_normal(o.d)
    for row in o.data[:2]:
        numeric = approx_fprime(x, partial(lambda row, x: o.loss(x, row, o.params), row), 1e-7)
        np.testing.assert_allclose(gradient_of(o, x, row), numeric, atol=1e-4, rtol=1e-4)
    value, gradient = o.value_and_gradient(x)
    assert value == pytest.approx(np.mean([o.loss(x, row, o.params) for row in o.data]), rel=1e-12)
    np.testing.assert_allclose(gradient, np.mean([gradient_of(o, x, row) for row in o.data], axis=0), atol=1e-12)


@pytest.mark.parametrize("o", OBJECTIVES[:-1], ids=lambda one: one.name)
def test_gap_and_optimum(o):
    value, gradient = o.value_and_gradient(o.optimum)
    np.testing.assert_allclose(gradient, 0, atol=1e-12)
    assert o.constants["gap"] == pytest.approx(o.value_and_gradient(o.x0)[0] - value, rel=1e-9)
    for _ in range(200):
        assert o.value_and_gradient(o.optimum + 10.0 ** RNG.uniform(-3, 1) * RNG.standard_normal(o.d))[0] >= value - 1e-12


def test_the_quadratic_is_a_trace():
    o = OBJECTIVES[0]
    x = RNG.standard_normal(o.d)
    H, K = np.diag(1 / np.arange(1.0, 5)), np.diag(1 / np.sqrt(np.arange(1.0, 4)))
    E = [W - mean for W, mean in zip(o.shape.parts(x), o.shape.parts(o.data.mean(axis=0)), strict=True)]
    spread = o.value_and_gradient(o.optimum)[0]
    assert o.value_and_gradient(x)[0] - spread == pytest.approx(sum(np.trace(K @ e.T @ H @ e) / 2 for e in E))
    assert o.constants["layers"] == 2


def test_ranks_of_gradients():
    low, product, sensed = OBJECTIVES[1], OBJECTIVES[3], OBJECTIVES[4]
    for o, rank in ((low, 2), (product, 2), (sensed, 1)):
        x = RNG.standard_normal(o.d)
        assert {np.linalg.matrix_rank(G) for G in o.shape.parts(gradient_of(o, x, o.data[0]))} == {rank}, o.name
    for o in (product, sensed):
        np.testing.assert_array_equal(gradient_of(o, np.zeros(o.d), o.data[0]), 0)


def test_the_saddle_of_the_factorisation():
    """Its Hessian at 0 has the eigenvalues +-s: that of the largest singular value by differences of the gradient."""
    o = OBJECTIVES[3]
    columns = [(o.value_and_gradient(1e-5 * e)[1] - o.value_and_gradient(-1e-5 * e)[1]) / 2e-5 for e in np.eye(o.d)]
    s = np.linalg.svd(o.data.mean(axis=0).reshape(5, 4))[1]
    np.testing.assert_allclose(np.linalg.eigvalsh(np.array(columns)), np.sort(np.repeat([*s, *-s, 0], 2))[:18], atol=1e-7)


def test_the_cosine_meets_the_assumptions():
    o = OBJECTIVES[2]
    for _ in range(50):
        x, step = 5 * RNG.standard_normal(o.d), RNG.standard_normal(o.d)
        row = o.data[RNG.integers(o.n)]
        assert np.linalg.norm(row[:-1]) == pytest.approx(1.0)
        assert np.linalg.norm(gradient_of(o, x, row)) <= o.constants["L"] + 1e-12
        assert 0 <= o.loss(x, row, o.params) <= o.constants["B"] == o.constants["spread"]
        moved = np.linalg.norm(gradient_of(o, x + step, row) - gradient_of(o, x, row))
        assert moved <= o.constants["ell"] * np.linalg.norm(step) + 1e-12


def test_the_digits_network():
    assert NETWORK.train.n == 20
    assert NETWORK.test.n == 397
    assert NETWORK.train.constants["gap"] >= 0
    x = RNG.standard_normal(NETWORK.train.d)
    W, b, V, c = NETWORK.train.shape.parts(x)
    found = [np.argmax(V @ np.tanh(W @ row[:-1] + b) + c) == row[-1] for row in NETWORK.test.data]
    assert NETWORK.accuracy(x) == np.mean(found)
    assert 0 <= NETWORK.accuracy(x, NETWORK.train.data) <= 1
    row = NETWORK.train.data[0]
    logits = V @ np.tanh(W @ row[:-1] + b) + c
    loss = np.log(np.sum(np.exp(logits))) - logits[int(row[-1])]
    assert NETWORK.train.loss(x, row, NETWORK.train.params) == pytest.approx(loss)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: matrix_quadratic("flat", 10, 5, 0, m=4), "d = 10: a multiple of m * layers = 4 is needed"),
        (lambda: low_rank("flat", 24, 5, 0, m=4, rank=5), "rank = 5: at most 4 is needed, the smaller side of a layer"),
        (lambda: factorisation("flat", 17, 5, 0, m=5, rank=2),
         "d = 17: d = (m + k) rank = (5 + k) 2 is needed, with m and an integer k of at least rank = 2"),
        (lambda: digits_network(n=1401), "n = 1401: at most 1400 is needed, the number of training images"),
    ],
)  # fmt: skip
def test_what_cannot_be_made(call, sentence):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        call()
    assert str(error.value) == sentence
