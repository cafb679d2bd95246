"""The constants of the objectives that meet the assumptions are true: attacked at random points, differences and Hessians."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from synthetic.draws import data_generator
from synthetic.methods.dpzero import KERNELS
from synthetic.objectives.sums import SPECTRA, cosine, logistic, pseudo_huber
from synthetic.runs.simulate import simulate

FAMILIES = {"pseudo_huber": pseudo_huber, "cosine": cosine, "logistic": logistic}
D, N = 6, 40
OBJECTIVES = {(name, spectrum): family(spectrum, D, N, 3) for name, family in FAMILIES.items() for spectrum in SPECTRA}
cases = pytest.mark.parametrize("case", OBJECTIVES, ids="-".join)
points = st.lists(st.floats(-30, 30), min_size=D, max_size=D).map(np.array)
many = settings(max_examples=30)


def gradient_of(o, x, row):
    out = np.empty(D)
    o.gradient(x, row, o.params, out)
    return out


@cases
@given(x=points, i=st.integers(0, N - 1))
@many
def test_gradient_is_the_derivative_of_the_loss_and_the_mean_is_the_mean(case, x, i):
    o, h = OBJECTIVES[case], 1e-5
    row = o.data[i]
    differences = [(o.loss(x + h * e, row, o.params) - o.loss(x - h * e, row, o.params)) / (2 * h) for e in np.eye(D)]
    np.testing.assert_allclose(gradient_of(o, x, row), differences, atol=1e-8)  # (1 + |f|) eps / h, plus h^2 times a third derivative
    value, gradient = o.value_and_gradient(x)
    assert value == pytest.approx(np.mean([o.loss(x, r, o.params) for r in o.data]), rel=1e-12)
    np.testing.assert_allclose(gradient, np.mean([gradient_of(o, x, r) for r in o.data], axis=0), atol=1e-13)


@cases
@given(x=points, y=points, i=st.integers(0, N - 1))
@many
def test_every_sample_is_lipschitz_and_smooth(case, x, y, i):
    o = OBJECTIVES[case]
    gx, gy = gradient_of(o, x, o.data[i]), gradient_of(o, y, o.data[i])
    assert np.linalg.norm(gx) <= o.constants["L"] * (1 + 1e-12)
    assert np.linalg.norm(gx - gy) <= o.constants["ell"] * np.linalg.norm(x - y) * (1 + 1e-9) + 1e-12


@cases
@given(x=points)
@many
def test_the_hessian_lies_within_an_H_of_the_stated_norm_and_trace(case, x):
    """H: diag(a) for pseudo-Huber and cosine; for logistic the mean of row row' / 4, raised to ell in its first direction."""
    name, spectrum = case
    o, h = OBJECTIVES[case], 1e-4
    if name == "logistic":
        H = o.data.T @ o.data / (4 * N)
        values, vectors = np.linalg.eigh(H)
        H = H + (o.constants["ell"] - values[-1]) * np.outer(vectors[:, -1], vectors[:, -1])
    else:
        i = np.arange(1, D + 1)
        H = np.diag({"flat": np.ones(D), "inverse_sqrt": i**-0.5, "inverse": 1.0 / i}[spectrum])
    assert np.linalg.norm(H, 2) <= o.constants["ell"] * (1 + 1e-12)
    assert np.trace(H) <= o.constants["r"] * o.constants["ell"] * (1 + 1e-12)
    gradients = [(o.value_and_gradient(x + h * e)[1], o.value_and_gradient(x - h * e)[1]) for e in np.eye(D)]
    hessian = np.array([(p - m) / (2 * h) for p, m in gradients])
    hessian = (hessian + hessian.T) / 2
    assert np.linalg.eigvalsh(H - hessian)[0] >= -1e-7  # h^2 times a fourth derivative, and eps / h
    assert np.linalg.eigvalsh(H + hessian)[0] >= -1e-7


@cases
def test_the_constants_are_not_much_too_large(case):
    """L is nearly attained, and doubling it or ell would be no tighter: the lie of a slack constant is seen."""
    name, _ = case
    o = OBJECTIVES[case]
    far = [gradient_of(o, row + s * 1e4 * np.eye(D)[0], row) for row in o.data for s in (1, -1)]
    close = [gradient_of(o, row + np.pi / 2, row) for row in o.data]
    opposite = [gradient_of(o, -60 * row, row) for row in o.data]
    seen = max(np.linalg.norm(g) for g in {"pseudo_huber": far, "cosine": close, "logistic": opposite}[name])
    assert seen >= 0.999 * o.constants["L"]
    x = o.data[0] if name != "logistic" else np.zeros(D)
    v = o.data[0] if name == "logistic" else np.eye(D)[0]
    curvature = np.linalg.norm(gradient_of(o, x + 1e-4 * v, o.data[0]) - gradient_of(o, x - 1e-4 * v, o.data[0])) / (
        2e-4 * np.linalg.norm(v)
    )
    assert curvature >= 0.999 * o.constants["ell"]


@cases
def test_gap_and_optimum_agree_with_an_independent_minimiser(case):
    o = OBJECTIVES[case]
    found = minimize(lambda x: o.value_and_gradient(x), o.optimum + 0.1, jac=True, method="BFGS", options={"gtol": 1e-9})
    start = o.value_and_gradient(o.x0)[0]
    assert o.constants["gap"] >= start - found.fun - 1e-9  # never understated
    assert o.constants["gap"] == pytest.approx(start - found.fun, abs=1e-7)
    assert np.linalg.norm(o.value_and_gradient(o.optimum)[1]) < 1e-7
    if case[0] == "cosine":
        values = [o.value_and_gradient(x)[0] for x in np.random.default_rng(1).uniform(-9, 9, (500, D))]
        assert max(np.abs(values)) <= o.constants["B"]


def test_separable_data_fall_back_to_the_trivial_bracket():
    o = logistic("flat", 30, 8, seed=1)
    assert o.constants["gap"] == pytest.approx(np.log(2), rel=1e-12)


@pytest.mark.parametrize("method", KERNELS)
@pytest.mark.parametrize("family", FAMILIES)
def test_every_method_runs_on_them_and_descends_without_noise(family, method):
    o = FAMILIES[family]("inverse", D, N, 3)
    extra = {} if method == "mezo" else {"C": 10.0 * np.sqrt(D), "sigma": 0.0}
    run = simulate(KERNELS[method], o, alpha=1 / (4 * o.constants["ell"] * D), T=150, replicates=3, seed=2, **extra)
    assert np.all(run.loss[:, -1] < run.loss[:, 0])
    assert np.all(np.isfinite(run.grad_norm_sq))


@pytest.mark.parametrize("family", FAMILIES)
def test_bad_sizes_are_refused(family):
    for change in ({"d": 0}, {"n": 1.5}, {"seed": -1}, {"spectrum": "steep"}, {"x0": [1.0]}):
        with pytest.raises(ValueError, match=f"^{next(iter(change))}"):
            FAMILIES[family](**{"spectrum": "flat", "d": 3, "n": 5, "seed": 0, **change})


def test_a_spectrum_whose_largest_value_is_not_one_is_scaled_to_it():
    """All constants are those of the spectrum over its largest value; r and L written out."""
    a = np.array([0.5, 8.0, 4.0, 2.0]) / 8
    huber, waves, slopes = (family(8 * a, 4, 200, seed=1) for family in FAMILIES.values())
    for found, family in zip((huber, waves, slopes), FAMILIES.values(), strict=True):
        assert found.constants == pytest.approx(family(a, 4, 200, seed=1).constants)
        assert (found.constants["n"], found.constants["d"]) == (200, 4)
        assert 1 <= found.constants["r"] <= 4
    assert huber.constants["r"] == waves.constants["r"] == pytest.approx(14.5 / 8)
    assert (huber.constants["L"], huber.constants["ell"], waves.constants["ell"]) == (1.0, 1.0, 1.0)
    assert (slopes.constants["L"], slopes.constants["ell"]) == (1.0, 0.25)
    assert waves.constants["L"] == pytest.approx(np.sqrt(0.25 + 64 + 16 + 4) / 8)
    assert huber.constants["B"] == slopes.constants["B"] == np.inf
    R = np.abs(np.exp(1j * waves.data).mean(axis=0))
    assert waves.constants["B"] == pytest.approx(a @ (1 + R))
    second = slopes.data.T @ slopes.data / 200
    assert slopes.constants["r"] == pytest.approx(max(1, 2 - np.linalg.eigvalsh(second)[-1]))


def test_labels_of_the_logistic_loss_follow_their_law():
    """The label of each half of the features is 1 with probability 1/(1 + exp(-features'w)): within 6 standard errors of the sum."""
    n, a = 20_000, np.array([4.0, 1.0, 1.0])
    features = np.sign(data_generator(7).standard_normal((n, 3))) * np.sqrt(a / a.sum())
    labels = logistic(a, 3, n, seed=7).data[:, 0] / features[:, 0]
    np.testing.assert_allclose(np.abs(labels), 1.0)
    chance = 1 / (1 + np.exp(-features.sum(axis=1)))
    for half in (chance > 0.5, chance < 0.5):
        ones = np.sum(labels[half] > 0)
        assert abs(ones - chance[half].sum()) < 6 * np.sqrt(np.sum(chance[half] * (1 - chance[half])))


def test_the_gradient_of_the_logistic_loss_at_small_margins():
    """Where row'x lies between -1 and 1, on both sides of 0: the share 1/(1 + exp(row'x)) of each row, written out."""
    o = logistic("inverse", 3, 50, 1)
    for x in ([0.3, -0.2, 0.4], [0.0, 0.6, 0.1]):
        margins = o.data @ np.array(x)
        assert margins.min() < 0 < margins.max() < 1
        np.testing.assert_allclose(
            o.value_and_gradient(x)[1], -(o.data / (1 + np.exp(margins))[:, None]).mean(axis=0), rtol=1e-12, atol=1e-15
        )
        out = np.empty(3)
        for row, margin in zip(o.data, margins, strict=True):
            o.gradient(np.array(x), row, o.params, out)
            np.testing.assert_allclose(out, -row / (1 + np.exp(margin)), rtol=1e-12)
