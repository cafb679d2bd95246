"""The network on handwritten digits: its kernels, its constants, its clipping and how clients and epochs draw records."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthetic.objectives import digits
from tests.reference import saddles as naive


@pytest.mark.parametrize("beta", [0.7, 2.0, 4.0])
def test_the_constants_of_the_digits_hold_and_are_not_idle(beta):
    """Random search for |gradient|, |Hessian| and the third derivative above the constants; a tenth of each is passed."""
    place, known = digits.digits_objective(beta=beta).landscape, digits.smoothness_constants(beta)
    rows, rng = place.params[2], np.random.default_rng(0)
    worst = dict.fromkeys(("L", "ell", "rho"), 0.0)
    g = np.empty(place.d)
    for k in range(60):
        x = rng.standard_normal(place.d) * rng.choice([0.1, 0.5, 1.0, 3.0])
        row = rows[k : k + 1]
        place.batch_gradient(x, row, place.params, g)
        worst["L"] = max(worst["L"], float(np.linalg.norm(g)))
        H = place.batch_hessian(x, row)
        worst["ell"] = max(worst["ell"], float(np.abs(np.linalg.eigvalsh(H)).max()))
        v = np.outer(np.linalg.eigh(H.reshape(9, 17, 9, 17).trace(axis1=1, axis2=3))[1][:, 0], row[0, :-1]).ravel()
        step = 1e-4 * v / np.linalg.norm(v)
        change = place.batch_hessian(x + step, row) - place.batch_hessian(x - step, row)
        worst["rho"] = max(worst["rho"], float(np.abs(np.linalg.eigvalsh(change)).max() / 2e-4))
    for name, seen in worst.items():
        assert 0.1 * known[name] < seen <= known[name], (name, seen, known[name])


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=25)
def test_the_kernels_are_those_of_the_plain_twin(seed):
    """Loss and gradient of single records and clipped means of a few, at weights of any size."""
    rng = np.random.default_rng(seed)
    place = digits.digits_objective(beta=rng.uniform(0.5, 4.0), clip=rng.choice([0.05, 0.5, 100.0])).landscape
    V, clip, train = place.params
    x, rows = rng.choice([0.1, 1.0, 10.0]) * rng.standard_normal(place.d), train[rng.integers(0, len(train), rng.integers(1, 6))]
    gradients = [naive.gradient(lambda y, row=row: naive.digits_sample(y, row, V), x) for row in rows]
    clipped = [g * min(1.0, clip / np.linalg.norm(g)) for g in gradients]
    out = np.empty(place.d)
    place.batch_gradient(x, rows, place.params, out)
    np.testing.assert_allclose(out, np.mean(clipped, axis=0), rtol=0, atol=1e-13 * (1 + place.constants["L"]))
    value = place.value_gradient(x, (V, clip, rows), out)
    assert value == pytest.approx(np.mean([naive.digits_sample(x, row, V) for row in rows]), rel=1e-12)
    np.testing.assert_allclose(out, np.mean(gradients, axis=0), rtol=0, atol=1e-13 * (1 + place.constants["L"]))


def test_gradient_and_hessian_of_the_digits_are_derivatives_of_the_loss():
    place = digits.digits_objective(beta=2.0).landscape
    rng = np.random.default_rng(2)
    x, v = 0.5 * rng.standard_normal(place.d), rng.standard_normal(place.d)
    h = 1e-5
    (up, g_up), (down, g_down) = (place.value_and_gradient(x + s * h * v) for s in (1, -1))
    g = place.value_and_gradient(x)[1]
    assert (up - down) / (2 * h) == pytest.approx(float(g @ v), rel=1e-6)
    np.testing.assert_allclose((g_up - g_down) / (2 * h), place.hessian(x) @ v, atol=1e-6)
    out = np.empty(place.d)
    place.batch_gradient(x, place.params[2], place.params, out)  # clip = L clips nothing
    np.testing.assert_allclose(out, g, atol=1e-12)


def test_clipped_gradients_differ_by_no_more_than_the_gradients():
    """The sensitivity of O_2 in the module of the digits, and that of O_1."""
    place, known = digits.digits_objective(beta=2.0, clip=0.6).landscape, digits.smoothness_constants(2.0)
    rng, rows = np.random.default_rng(3), place.params[2]
    a, b = np.empty(place.d), np.empty(place.d)
    clipped = 0
    for k in range(100):
        x = rng.standard_normal(place.d)
        y = x + rng.standard_normal(place.d) * rng.choice([1e-3, 0.1])
        place.batch_gradient(x, rows[k : k + 1], place.params, a)
        place.batch_gradient(y, rows[k : k + 1], place.params, b)
        clipped += np.linalg.norm(a) > 0.6 * (1 - 1e-12)
        assert max(np.linalg.norm(a), np.linalg.norm(b)) <= 0.6 * (1 + 1e-12)
        assert np.linalg.norm(a - b) <= known["ell"] * np.linalg.norm(x - y)
    assert clipped > 10


def test_epochs_repeat_the_order_and_a_batch_holds_each_record_once():
    place = digits.digits_objective(clients=2).landscape
    rows = place.draw(np.random.default_rng(0), 3 * 700, 1)
    np.testing.assert_array_equal(rows[:700], rows[700:1400])
    np.testing.assert_array_equal(place.draw(np.random.default_rng(0), 700, 1), rows[:700])
    other = place.draw(np.random.default_rng(0), 700, 0)
    together = np.concatenate([rows[:700], other])
    train = digits.load_rows()[0]
    np.testing.assert_array_equal(np.sort(together @ np.arange(1.0, 19.0)), np.sort(train @ np.arange(1.0, 19.0)))
    V = digits.simplex_code(1.5)
    np.testing.assert_allclose(V.T @ V, 1.5**2 * np.eye(9), atol=1e-12)
    np.testing.assert_allclose(V.sum(axis=0), 0, atol=1e-12)


def test_without_scikit_learn_there_is_one_sentence(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(ValueError, match=r"pip install scikit-learn"):
        digits.load_rows()


def test_the_third_central_moment_of_numbers_in_the_unit_interval():
    """At most 1/(6 sqrt(3)): random search, and two points that attain it."""
    rng = np.random.default_rng(4)
    x, w = rng.random((20_000, 5)) ** rng.choice([0.2, 1.0, 5.0], (20_000, 1)), rng.dirichlet(np.full(5, 0.5), 20_000)
    mean = np.sum(w * x, axis=1, keepdims=True)
    assert np.abs(np.sum(w * (x - mean) ** 3, axis=1)).max() <= 1 / (6 * np.sqrt(3))
    p = (1 - 1 / np.sqrt(3)) / 2
    assert p * (1 - p) * (1 - 2 * p) == pytest.approx(1 / (6 * np.sqrt(3)), rel=1e-12)


@pytest.mark.parametrize("beta", [0.5, 2.0])
def test_the_constants_of_the_digits_are_those_of_the_module(beta):
    """sqrt(2) beta; beta^2/2 + 4 sqrt(2) beta/(3 sqrt(3)); (sqrt(2) beta)^3/(6 sqrt(3)) + 2 beta^2/sqrt(3) + 2 sqrt(2) beta."""
    h = np.linspace(-3, 3, 200_001)
    u = np.tanh(h)
    second = np.abs(-2 * u * (1 - u**2)).max()  # of tanh; 4/(3 sqrt(3))
    found, two, three = digits.smoothness_constants(beta), 2**0.5, 3**0.5
    assert found["L"] == pytest.approx(two * beta)
    assert found["ell"] == pytest.approx(beta**2 / 2 + second * two * beta, rel=1e-9)
    assert found["rho"] == pytest.approx(two**3 * beta**3 / (6 * three) + 2 * beta**2 / three + 2 * two * beta)


def test_the_scores_are_those_of_the_test_rows_one_at_a_time():
    place = digits.digits_objective(beta=1.5)
    V, train = place.landscape.params[0], place.landscape.params[2]
    assert (train.shape, place.test.shape) == ((1400, 18), (397, 18))
    for rows in (train, place.test):
        np.testing.assert_allclose(np.linalg.norm(rows[:, :-1], axis=1), 1.0)
        np.testing.assert_allclose(rows[:, 16], 2**-0.5)
        assert set(rows[:, -1]) == set(range(10))
    for scale in (0.0, 0.3, 30.0):
        x = scale * np.random.default_rng(1).standard_normal(place.landscape.d)
        losses = [naive.digits_sample(x, row, V) for row in place.test]
        right = [np.argmax(V @ np.tanh(x.reshape(9, 17) @ row[:-1])) == row[-1] for row in place.test]
        assert place.scores(x) == pytest.approx((np.mean(right), np.mean(losses)))


def test_an_image_is_averaged_over_two_by_two_pixels():
    from sklearn.datasets import load_digits

    images, classes = load_digits(return_X_y=True)
    rows = np.concatenate(digits.load_rows())
    for k in (0, 700, 1399, 1400, 1796):
        image = images[k].reshape(8, 8)
        pooled = np.array([image[2 * i : 2 * i + 2, 2 * j : 2 * j + 2].mean() for i in range(4) for j in range(4)])
        np.testing.assert_allclose(rows[k, :16], pooled / np.linalg.norm(pooled) / 2**0.5)
        assert rows[k, 17] == classes[k]
