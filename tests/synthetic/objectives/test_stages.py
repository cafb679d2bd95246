"""The objectives of methods in stages: what they are, by other formulas, and their constants, attacked at random points."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from synthetic.methods.scores import synflow_scores
from synthetic.objectives import stages as made

D = 6
MADE = {
    "equal": made.linear_slopes("inverse", D, 7, 0, slopes="equal", steep=2.0),
    "opposite": made.linear_slopes("inverse", D, 8, 0, slopes="opposite", steep=2.0),
    "two": made.linear_slopes("flat", D, 40, 0, slopes="two"),
    "ball": made.ball_quadratic("inverse_sqrt", D, 8, 0, radius=2.0, spread=0.7),
    "uneven ball": made.ball_quadratic([3.0, 0.5, 0.1, 2.0, 1.0, 1.0], D, 7, 0, radius=0.5, spread=1.5, slopes="two"),
    "kinks": made.kinks("inverse", D, 8, 0, spread=0.3),
    "glm": made.smooth_glm("inverse", D, 30, 3),
    "sparse": made.sparse_quadratic("inverse", D, 9, 3, support=2, spread=0.8),
    "perceptron": made.perceptron("inverse", 4 * (3 + 3) + 2, 9, 3, hidden=4),
}
every = pytest.mark.parametrize("name", MADE)


def gradients(o, x):
    out = np.empty((o.n, o.d))
    for row, one in zip(o.data, out, strict=True):
        o.gradient(x, row, o.params, one)
    return out


def points(o, count):
    """On the ball where the objective has one, the last on its rim; else anywhere."""
    x = np.random.default_rng(1).standard_normal((count, o.d)) * 2
    R = o.constants.get("radius", np.inf)
    x *= np.minimum(1, R / np.linalg.norm(x, axis=1, keepdims=True))
    return x


@every
def test_the_gradient_is_the_slope_and_the_mean_is_the_mean(name):
    o, h = MADE[name], 1e-6
    for x in points(o, 5):
        value, gradient = o.value_and_gradient(x)
        assert value == pytest.approx(np.mean([o.loss(x, row, o.params) for row in o.data]), rel=1e-12)
        np.testing.assert_allclose(gradient, gradients(o, x).mean(axis=0), atol=1e-13)
        slopes = [(o.loss(x + h * e, o.data[0], o.params) - o.loss(x - h * e, o.data[0], o.params)) / (2 * h) for e in np.eye(o.d)]
        np.testing.assert_allclose(gradients(o, x)[0], slopes, atol=1e-8)


@every
def test_the_constants_hold_at_random_points_and_are_attained(name):
    o, c = MADE[name], MADE[name].constants
    least, spread, steepest = o.value_and_gradient(o.optimum)[0], 0.0, 0.0
    if name != "equal":  # which has no minimum
        start = o.value_and_gradient(o.x0)[0]
        assert c["gap"] == pytest.approx(start - (0 if name == "perceptron" else least), abs=1e-12)
    for x in [*points(o, 400), *points(o, 20) * 1e-3]:
        g, (value, mean) = gradients(o, x), o.value_and_gradient(x)
        steepest = max(steepest, float(np.linalg.norm(g, axis=1).max()))
        spread = max(spread, float(np.sqrt(np.mean(np.sum((g - mean) ** 2, axis=1)))))
        if "growth_mu" in c and name != "equal":
            assert value - least >= 2 * c["growth_mu"] * np.sum((x - o.optimum) ** 2) - 1e-12
            assert value - least <= c["B"] + 1e-12
    assert steepest <= c["L"] * (1 + 1e-12)
    if "sample_spread" in c:
        assert spread <= c["sample_spread"] + 1e-12
        assert spread >= c["sample_spread"] * (0.2 if name == "glm" else 1 - 1e-12)
    assert steepest >= 0.6 * c["L"] or not np.isfinite(c["L"])


def test_slopes_are_as_stated():
    ones = made.linear_slopes([0.0, 1.0], 2, 10, 0, slopes="two")
    np.testing.assert_allclose(ones.data, [[0, 1]] * 3 + [[0, -3 / 7]] * 7)
    assert ones.constants["sample_spread"] ** 2 == pytest.approx(3 / 7)
    assert MADE["equal"].constants | {"n": 7, "d": 6} == {
        "n": 7, "d": 6, "weak": 0.0, "L": 2.0, "ell": 0.0, "gap": np.inf, "B": np.inf, "mu": 0.0, "growth_mu": 0.0, "sample_spread": 0.0,
    }  # fmt: skip
    np.testing.assert_allclose(np.unique(made.linear_slopes("flat", 1, 6, 0, slopes="opposite", steep=3.0).data), [-3, 3])
    for wrong in ({"slopes": "one"}, {"slopes": "two", "n": 1}):
        with pytest.raises(ValueError, match="slopes"):
            made.linear_slopes("flat", 2, **{"n": 4, "seed": 0} | wrong)
    with pytest.raises(ValueError, match="one of opposite, two is needed"):
        made.ball_quadratic("flat", 2, 4, 0, slopes="equal", spread=1.0)
    with pytest.raises(ValueError, match="x0"):
        made.ball_quadratic("flat", 2, 4, 0, radius=1.0, x0=[1.0, 0.1])


def test_the_counter_example_of_a_stage_is_a_call():
    o = made.ball_quadratic([0.1], 1, 1000, 0, radius=1.0, spread=(3 / 7) ** 0.5, slopes="two")
    np.testing.assert_allclose(np.unique(o.data), [-3 / 7, 1], rtol=1e-14)
    assert (o.data > 0).sum() == 300
    c = o.constants
    assert (c["L"], c["growth_mu"], c["sample_spread"] ** 2, c["gap"]) == pytest.approx((1.1, 0.025, 3 / 7, 0.05), rel=1e-14)
    assert o.x0[0] == 1.0


@pytest.mark.parametrize("lam", [0.05, 1.3])
def test_the_smoothed_kinks_by_quadrature(lam):
    h, x = np.array([1.0, 0.5]), np.array([0.2, -0.7])

    def mean(f):
        return [quad(lambda v, t=t: f(t + lam * v) * norm.pdf(v), -12, 12, points=[-t / lam], epsabs=1e-12)[0] for t in x]

    value, gradient = made.smoothed_kinks(h, x, lam)
    assert value == pytest.approx(h @ mean(lambda y: max(y, -2 * y)), abs=1e-10)
    np.testing.assert_allclose(gradient, h * mean(lambda y: 1.0 if y > 0 else -2.0), atol=1e-10)
    least = made.smoothed_kinks(h, np.full(2, made.MINIMUM * lam), lam)
    assert made.MINIMUM == pytest.approx(0.4307273)
    np.testing.assert_allclose(least[1], 0, atol=1e-15)


def test_the_samples_of_a_sparse_quadratic_lie_around_the_truth():
    o = MADE["sparse"]
    a = 1 / np.arange(1, D + 1)
    assert sorted(abs(o.optimum)) == [0, 0, 0, 0, 1, 1]
    np.testing.assert_allclose(o.data.mean(axis=0), o.optimum, atol=1e-15)
    assert np.sqrt(np.mean(((o.data - o.optimum) ** 2) @ a**2)) == pytest.approx(0.8)
    np.testing.assert_array_equal(
        made.sparse_quadratic("flat", 5, 3, 0, support=2).data, made.sparse_quadratic("flat", 5, 3, 0, support=2).data
    )
    for wrong in ({"support": 7}, {"support": 0}, {"n": 1, "spread": 0.1}):
        with pytest.raises(ValueError, match="support"):
            made.sparse_quadratic("flat", D, **{"n": 3, "seed": 0, "support": 1} | wrong)


def test_a_drifting_truth_moves_as_many_coordinates_as_are_said():
    truths = np.array([o.optimum for o in made.drifting_quadratics("flat", 40, 3, 5, support=10, stages=4, moved=3)])
    assert [*np.count_nonzero(truths, axis=1)] == [10] * 4
    kept = [np.count_nonzero((a != 0) & (b != 0)) for a, b in pairwise(truths)]
    assert kept == [7, 7, 7]
    np.testing.assert_array_equal(truths[0], made.sparse_quadratic("flat", 40, 3, 5, support=10).optimum)
    with pytest.raises(ValueError, match="moved"):
        made.drifting_quadratics("flat", 10, 3, 5, support=8, stages=2, moved=3)


def test_the_hessian_of_the_glm_lies_within_an_H_of_its_norm_and_trace():
    o, h = MADE["glm"], 1e-4
    H = o.data[:, :-1].T @ o.data[:, :-1] / o.n
    values, vectors = np.linalg.eigh(H)
    H += (1 - values[-1]) * np.outer(vectors[:, -1], vectors[:, -1])
    assert np.trace(H) == pytest.approx(o.constants["r"])
    for x in [*points(o, 20), o.optimum]:
        ends = [(o.value_and_gradient(x + h * e)[1], o.value_and_gradient(x - h * e)[1]) for e in np.eye(D)]
        hessian = np.array([(p - m) / (2 * h) for p, m in ends])
        assert np.linalg.eigvalsh(H - (hessian + hessian.T) / 2)[0] >= -1e-7
        assert np.linalg.eigvalsh((hessian + hessian.T) / 2)[0] >= -1e-7


def test_the_perceptron_is_a_network_whose_weights_have_scores():
    o = MADE["perceptron"]
    W, b, V, c = o.shape.parts(o.x0 + 0.1)
    row = o.data[0]
    out = np.tanh(W @ row[:-1] + b) @ V.T + c
    assert o.loss(o.x0 + 0.1, row, o.params) == pytest.approx(np.log(np.exp(out).sum()) - out[int(row[-1])])
    assert set(made.perceptron("flat", 4 * 6 + 2, 200, 0, hidden=4).data[:, -1]) == {0.0, 1.0}
    scores = o.shape.parts(synflow_scores(o.x0, o.shape))
    assert scores[0].sum() == pytest.approx(scores[2].sum())
    with pytest.raises(ValueError, match="hidden"):
        made.perceptron("flat", 27, 9, 3, hidden=4)


def test_what_moves_keeps_its_sign_and_there_are_both():
    truths = np.array([o.optimum for o in made.drifting_quadratics("flat", 60, 1, 5, support=20, stages=4, moved=10)])
    assert {-1.0, 1.0} < set(truths.ravel())
    assert len(set(truths.sum(axis=1))) == 1


def test_the_slope_at_a_kink_is_the_mean_of_both():
    out, o = np.empty(2), made.kinks([1.0, 0.5], 2, 4, 0)
    o.gradient(np.zeros(2), o.data[0], o.params, out)
    np.testing.assert_allclose(out, [-0.5, -0.25])


def test_features_of_the_glm_have_the_spectrum_as_variances():
    """The ratio of two coordinates is Cauchy, scaled by the root of that of their variances, which is the median of its size."""
    a = made.smooth_glm([1.0, 0.25], 2, 10_000, 3).data[:, :-1]
    assert np.median(abs(a[:, 1] / a[:, 0])) == pytest.approx(0.5, rel=0.1)


def test_slopes_of_a_share_that_is_no_number_of_samples_are_rounded():
    assert [int((made.linear_slopes("flat", 1, n, 0, slopes="two").data > 0).sum()) for n in (2, 5, 6, 9, 12)] == [1, 2, 2, 3, 4]


def test_the_labels_of_the_perceptron_are_of_another_network_than_its_start():
    hidden, p, n = 50, 200, 400
    o = made.perceptron("flat", hidden * (p + 3) + 2, n, 3, hidden=hidden)
    W, b, V, c = o.shape.parts(o.x0)
    assert (W.std(), V.std()) == pytest.approx((p**-0.5, hidden**-0.5), rel=0.2)  # of 10 000 and of 100 entries
    assert not b.any()
    assert not c.any()
    agree = np.mean((np.tanh(o.data[:, :-1] @ W.T) @ V.T).argmax(axis=1) == o.data[:, -1])
    assert 0.3 < agree < 0.7
