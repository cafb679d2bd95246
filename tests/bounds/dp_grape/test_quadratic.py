"""Exact expectations on matrix quadratics: against the sum over all paths, closed forms, Monte Carlo; the best number of steps; lies."""

import itertools
from math import log, sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose

import bounds
from bounds.dp_grape.moments import PROJECTIONS, stretch
from bounds.dp_grape.quadratic import MEASURES, best_T, effective_stretch, expected_error, small_step_limit

THREE_POINTS = ((-sqrt(3), 1 / 6), (0.0, 2 / 3), (sqrt(3), 1 / 6))  # moments up to the fifth are those of N(0, 1)
GOLDEN = (1 + sqrt(5)) / 2
CORNERS = [np.roll([0, p, q * GOLDEN], k) for p in (-1, 1) for q in (-1, 1) for k in range(3)]  # icosahedron, a spherical 5-design
H, K = {1: [0.7], 2: [1.0, 0.4], 3: [1.0, 0.4, 0.4]}, {1: [1.0], 2: [1.3, 0.6]}


def grid(*shape):
    """Points and weights of a Gaussian array, exact for polynomials up to degree five in each entry."""
    size = int(np.prod(shape))
    return [(np.reshape([p for p, _ in c], shape), np.prod([w for _, w in c])) for c in itertools.product(THREE_POINTS, repeat=size)]


def projections(method, m, n, r):
    """Points and weights of P P' and of what P makes of noise, (side, side) and (side, inner)."""
    if method == "none":
        return [(np.eye(m), 1.0)]
    if method != "orthonormal":
        side = m * n if method == "flattened" else m
        return [(p / sqrt(r), w) for p, w in grid(side, r)]
    if r == m:
        return [(np.eye(m), 1.0)]
    if m == 2:
        axes = [np.array([np.cos(t), np.sin(t)]) for t in 2 * np.pi * np.arange(6) / 6 + 0.3]
    else:
        axes = [c / np.linalg.norm(c) for c in CORNERS]
    if r == 2:  # the complement of an axis
        return [(sqrt(3 / 2) * np.linalg.svd(axis[:, None])[0][:, 1:], 1 / 12) for axis in axes]
    return [(sqrt(m) * axis[:, None], 1 / len(axes)) for axis in axes]


def enumerated(method, rows, columns, start, r, alpha, T, sigma, weight):
    """E of sum weight_ij E_ij^2 by running the algorithm along every branch of projection and noise."""
    m, n = start.shape
    points, chances, values = start[None], np.ones(1), []
    for t in range(T + 1):
        values.append(chances @ (points**2 * weight).sum(axis=(1, 2)))
        branches = []
        for P, p in projections(method, m, n, r) if t < T else []:
            gradient = rows[:, None] * points * columns
            if method == "flattened":
                gradient = gradient.reshape(-1, m * n, 1)
            for Z, q in grid(P.shape[1], gradient.shape[2]) if sigma else [(np.zeros((P.shape[1], gradient.shape[2])), 1.0)]:
                step = P @ (P.T @ gradient + sigma * Z)
                branches.append((points - alpha * step.reshape(-1, m, n), p * q * chances))
        if branches:
            points, chances = (np.concatenate(column) for column in zip(*branches, strict=True))
    return np.array(values)


CASES = [
    *(("left", m, n, r, T, s) for m, n, r, T, s in [(1, 2, 1, 3, 0.8), (2, 2, 1, 2, 0.8), (2, 1, 2, 2, 0.5), (3, 2, 1, 2, 0.0)]),
    *(("flattened", m, n, r, T, s) for m, n, r, T, s in [(2, 1, 1, 3, 0.8), (2, 2, 1, 2, 0.9), (1, 2, 2, 2, 0.0)]),
    *(("orthonormal", m, n, r, T, s) for m, n, r, T, s in [(1, 2, 1, 2, 0.8), (2, 2, 1, 3, 0.8), (2, 2, 2, 2, 0.5), (3, 2, 1, 2, 0.0)]),
    ("orthonormal", 3, 1, 2, 2, 0.4),
    ("none", 3, 2, 1, 3, 0.0),
    ("none", 2, 1, 1, 3, 0.7),
]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_is_the_sum_over_all_paths(case, measure):
    method, m, n, r, T, sigma = case
    rows, columns = np.array(H[m]), np.array(K[n])
    start = np.random.default_rng(m + 3 * n).normal(size=(m, n))
    rate = np.outer(rows, columns)
    weight = rate / 2 if measure == "gap" else rate**2
    found = expected_error(method, rows=rows, columns=columns, start=start, r=r, alpha=0.4, T=T, sigma=sigma, measure=measure)
    assert_allclose(found, enumerated(method, rows, columns, start, r, 0.4, T, sigma, weight), rtol=1e-12)


@pytest.mark.parametrize("method", PROJECTIONS)
def test_monte_carlo_with_plain_numpy(method):
    """z-tests at |z| < 6.5, normal means: four false alarms have probability below 4e-10; noise 30 % larger is seen."""
    m, n, r, alpha, sigma, T, runs = 6, 4, 3, 0.15, 0.4, 8, 6000
    rng = np.random.default_rng(5)
    rows, columns, start = np.linspace(0.3, 1, m), np.array([1.0, 0.5, 0.5, 0.2]), rng.normal(size=(m, n))
    E = np.broadcast_to(start, (runs, m, n)).copy()
    for _ in range(T):
        gradient = rows[:, None] * E * columns
        if method == "none":
            E -= alpha * (gradient + sigma * rng.normal(size=E.shape))
            continue
        side, wide = (m * n, 1) if method == "flattened" else (m, n)
        P = rng.normal(size=(runs, side, r)) / sqrt(r)
        if method == "orthonormal":
            P = sqrt(m / r) * np.linalg.qr(P)[0]  # signs do not matter to P P'
        inside = P.transpose(0, 2, 1) @ gradient.reshape(runs, side, wide) + sigma * rng.normal(size=(runs, r, wide))
        E -= alpha * (P @ inside).reshape(E.shape)
    values = (np.outer(rows, columns) / 2 * E**2).sum(axis=(1, 2))
    settings = dict(rows=rows, columns=columns, start=start, r=r, alpha=alpha, T=T)

    def z(std):
        return (values.mean() - expected_error(method, sigma=std, **settings)[-1]) / (values.std() / sqrt(runs))

    assert abs(z(sigma)) < 6.5
    assert abs(z(1.3 * sigma)) > 6.5


@pytest.mark.parametrize("method", PROJECTIONS)
@pytest.mark.parametrize("alpha", [0.05, 0.3, 1.0])
def test_an_isotropic_quadratic_is_the_scalar_recursion(method, alpha):
    """And the closed form of one step after the other is what the loop over distinct eigenvalues finds."""
    m, n, r, h, sigma, T = 4, 3, 2, 0.8, 0.3, 40
    start, kappa = np.random.default_rng(1).normal(size=(m, n)), stretch(method, rows=m, columns=n, r=r)
    e, values = float((start**2).sum()), []
    for _ in range(T + 1):
        values.append(h * h * e)
        e = e * (1 - 2 * alpha * h + alpha**2 * h**2 * kappa) + alpha**2 * sigma**2 * m * n
    settings = dict(columns=np.ones(n), start=start, r=r, alpha=alpha, T=T, sigma=sigma, measure="grad_norm_sq")
    assert_allclose(expected_error(method, rows=np.full(m, h), **settings), values, rtol=1e-11)
    nearly = np.full(m, h) * (1 + np.arange(m) * 1e-13)
    assert_allclose(expected_error(method, rows=nearly, **settings), values, rtol=1e-9)


def test_the_regression_number_of_a_floor_and_where_it_ends():
    m, n, r, sigma = 16, 8, 2, 0.3
    kappa = stretch("left", rows=m, columns=n, r=r)
    settings = dict(rows=np.ones(m), columns=np.ones(n), start=np.ones((m, n)), r=r, sigma=sigma)
    path = 2 * expected_error("left", alpha=0.5 / kappa, T=4000, **settings)
    assert path[-1] == pytest.approx(0.4042, abs=5e-5)
    assert path[-1] == pytest.approx(
        bounds.THEOREMS["dp_grape.quadratic"]
        .evaluate(alpha=0.5 / kappa, ell=1, stretch=kappa, d=m * n, sigma=sigma, T=1, gap=1)
        .parts["floor"]
    )
    below, above = (expected_error("left", alpha=2 / kappa * (1 + side), T=20_000, **settings)[-1] for side in (-1e-2, 1e-2))
    assert below < 1e3 < above
    assert expected_error("left", alpha=100.0, T=2000, **settings)[-1] == np.inf


def test_layers_add_up_and_directions_without_curvature_do_not_count():
    rng = np.random.default_rng(3)
    rows, columns, start = np.array([1.0, 0.0, 0.3]), np.array([0.5, 1.0]), rng.normal(size=(2, 3, 2))
    settings = dict(rows=rows, columns=columns, r=2, alpha=0.2, T=9, sigma=0.4)
    both = expected_error("left", start=start, **settings)
    assert_allclose(both, sum(expected_error("left", start=one, **settings) for one in start), rtol=1e-13)
    assert np.isfinite(both).all()


@pytest.mark.parametrize(("d", "value"), [(64, 0.0282), (256, 0.0561), (1024, 0.1105), (4096, 0.2145)])
def test_the_best_average_is_that_of_every_method_and_every_r(d, value):
    m = round(sqrt(d))
    unit = 2 * sqrt(2) * sqrt(log(1e5)) / 3000
    problem = dict(rows=np.ones(m), columns=np.ones(m), start=np.full((m, m), 1 / m), unit=unit)
    best = {(method, r): best_T(method, r=r, **problem) for method, r in [("none", 1), ("left", 1), ("left", 4), ("flattened", 4)]}
    for (method, r), one in best.items():
        assert one.value == pytest.approx(value, abs=1.5e-4)
        assert one.alpha * stretch(method, rows=m, columns=m, r=r) == pytest.approx(0.2)
    tau, limit = small_step_limit(**problem)
    assert limit * 2 / 1.8 == pytest.approx(best["flattened", 4].value, rel=1e-2)  # the average is the limit's over 1 - share/2
    assert best["flattened", 4].alpha * best["flattened", 4].T == pytest.approx(tau, rel=2e-2)
    assert limit == pytest.approx(2 * sqrt(2) * sqrt(2) * sqrt(0.5 * d * log(1e5)) / 3000, rel=0.06)


def test_the_best_T_is_the_best_of_all():
    problem = dict(rows=np.array([1.0, 0.5]), columns=np.array([1.0, 0.2]), start=np.array([[1.0, 2.0], [0.5, 0.3]]))
    found = best_T("left", r=1, unit=0.2, **problem)
    tried = {}
    for T in range(1, 300):
        path = expected_error("left", r=1, alpha=found.alpha, T=T, sigma=0.2 * sqrt(T), measure="grad_norm_sq", **problem)
        tried[T] = path[:-1].mean()
    assert min(tried, key=tried.get) == found.T
    assert tried[found.T] == pytest.approx(found.value, rel=1e-12)
    with pytest.raises(ValueError, match="T_max = 3: a larger number is needed"):
        best_T("left", r=1, unit=0.2, T_max=3, **problem)


def test_the_limit_of_small_steps_by_another_way():
    rows, columns, start, unit = np.array([1.0, 0.3]), np.array([1.0, 0.5, 0.5]), np.ones((2, 3)), 0.03
    tau, value = small_step_limit(rows=rows, columns=columns, start=start, unit=unit)
    for factor in (0.99, 1, 1.01):
        T = 40_000
        path = expected_error("none", rows=rows, columns=columns, start=start, r=1, alpha=factor * tau / T, T=T, sigma=unit * sqrt(T),
                              measure="grad_norm_sq")  # fmt: skip
        assert path[:-1].mean() == pytest.approx(value, rel=1e-3)
        assert path[:-1].mean() >= value * (1 - 1e-6)


def test_the_effective_stretch():
    rows, columns = 1.0 / np.arange(1, 9), np.array([1.0, 0.5])
    assert effective_stretch("left", rows=rows, columns=columns, r=4) == pytest.approx((4 + 1 + rows.sum()) / 4)
    assert effective_stretch("flattened", rows=rows, columns=columns, r=4) == pytest.approx((4 + 1 + 1.5 * rows.sum()) / 4)
    for method in PROJECTIONS:
        flat = effective_stretch(method, rows=np.ones(8), columns=np.ones(2), r=4)
        assert flat == pytest.approx(stretch(method, rows=8, columns=2, r=4))
        assert effective_stretch(method, rows=rows, columns=columns, r=4) <= flat


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"method": "right"}, "projection = 'right': one of left"), ({"measure": "error"}, "measure = 'error': one of gap"),
        ({"rows": [1.0, -1.0]}, "rows = .*of at least 0"), ({"columns": []}, "columns = .*a vector of finite numbers"),
        ({"start": np.ones((2, 3))}, r"start has shape \(2, 3\): finite numbers, \(2, 2\)"), ({"r": 0}, "r = 0: an integer"),
        ({"method": "orthonormal", "r": 3}, "r = 3: an integer of at most rows = 2"), ({"alpha": 0.0}, "alpha = 0.0: a finite"),
        ({"T": 0}, "T = 0: an integer of at least 1"), ({"sigma": -1.0}, "sigma = -1.0: a finite number of at least 0"),
        ({"T": 10**14}, "T = 10+: .*of memory"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(change, said):
    given = dict(method="left", rows=[1.0, 0.5], columns=[1.0, 1.0], start=np.ones((2, 2)), r=1, alpha=0.1, T=5, sigma=0.1) | change
    with pytest.raises(ValueError, match=said):
        expected_error(given.pop("method"), **given)


def test_the_best_noise_is_that_of_the_best_number_of_steps():
    found = best_T("left", rows=np.ones(2), columns=np.ones(2), start=np.ones((2, 2)), r=1, unit=0.05)
    assert found.sigma == pytest.approx(0.05 * sqrt(found.T), rel=1e-12)


def test_a_start_beyond_floating_point_is_inf_without_a_warning():
    values = expected_error("left", rows=[1.0, 0.5], columns=[1.0, 1.0], start=np.full((2, 2), 1e308), r=1, alpha=0.1, T=2, sigma=0.1)
    assert np.all(values == np.inf)


@pytest.mark.parametrize("unit", [5e-324, 1e-320])
def test_a_unit_beyond_floating_point_is_named(unit):
    with pytest.raises(ValueError, match=r"^unit = "):
        small_step_limit(rows=[1.0], columns=[1.0], start=np.ones((1, 1)), unit=unit)
