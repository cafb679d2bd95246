"""Losses with saddles: derivatives, samples, constants, saddles and minima of random instances, at random points."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import saddles as naive
from tests.synthetic.objectives.saddle_cases import SADDLES, make

seeds = st.integers(0, 2**32 - 1)
names = pytest.mark.parametrize("name", SADDLES)
many = settings(max_examples=25)
TILTED = sorted(set(SADDLES) - {"random_phase_cosines", "phase_retrieval"})
SAMPLING = {"spread": 0.3, "clients": 3, "heterogeneity": 0.2}


def instance(name, seed):
    rng = np.random.default_rng(seed)
    return make(name, rng, **(SAMPLING if name in TILTED and seed % 2 else {})), rng


def batch_gradient(o, x, rows):
    out = np.full(o.d, np.nan)
    o.batch_gradient(x, np.ascontiguousarray(rows), o.params, out)
    return out


def rounding(o, *points):
    """A few hundred units in the last place of the largest terms: every term of a gradient is of the size L + ell |x| at most."""
    return 1e-13 * (1 + o.constants["L"] + o.constants["ell"] * max(np.linalg.norm(x) for x in points))


def rows_of(case, rng, n):
    return np.concatenate([case.o.draw(rng, n, client) for client in range(case.o.clients)])


@names
@given(seed=seeds)
@many
def test_value_gradient_and_hessian_are_those_of_the_plain_twin(name, seed):
    case, rng = instance(name, seed)
    o, (x, _) = case.o, case.pair(rng)
    value, gradient = o.value_and_gradient(x)
    assert value == pytest.approx(case.F(x), abs=rounding(o, x) * (1 + np.linalg.norm(x)))
    np.testing.assert_allclose(gradient, naive.gradient(case.F, x), rtol=0, atol=rounding(o, x))
    # the Hessian is rho-Lipschitz, so a central difference with step 1e-8 is within 1e-8 rho; its rounding is that of the gradient over it
    atol = 1e-8 * o.constants["rho"] + rounding(o, x) * max(1e-13, float(np.finfo(np.longdouble).eps)) / 1e-16 / 1e-8
    np.testing.assert_allclose(o.hessian(x), naive.hessian(case.F, x), rtol=0, atol=np.sqrt(o.d) * atol)


@names
@given(seed=seeds, n=st.integers(1, 9))
@many
def test_batch_gradient_and_hessian_are_means_over_the_samples(name, seed, n):
    case, rng = instance(name, seed)
    o, (x, _), rows = case.o, case.pair(rng), rows_of(case, rng, n)
    each = [naive.gradient(lambda y, row=row: case.f(y, row), x) for row in rows]
    np.testing.assert_allclose(batch_gradient(o, x, rows), np.mean(each, axis=0), rtol=0, atol=rounding(o, x))
    one = [batch_gradient(o, x, row[None]) for row in rows]
    np.testing.assert_allclose(one, each, rtol=0, atol=rounding(o, x))
    step = 1e-5
    for j, e in enumerate(np.eye(o.d)):
        difference = (batch_gradient(o, x + step * e, rows) - batch_gradient(o, x - step * e, rows)) / (2 * step)
        atol = step * o.constants["rho"] + rounding(o, x) / step  # as above
        np.testing.assert_allclose(o.batch_hessian(x, rows)[j], difference, rtol=0, atol=atol)


@names
@given(seed=seeds)
@many
def test_constants_hold_for_every_sample_between_any_two_points(name, seed):
    case, rng = instance(name, seed)
    o = case.o
    L, ell, rho, U = (o.constants[key] for key in ("L", "ell", "rho", "U"))
    lowest = o.value_and_gradient(o.x0)[0] - o.constants["gap"]
    for row in rows_of(case, rng, 4):
        x, y = case.pair(rng)
        tiny, distance = rounding(o, x, y), np.linalg.norm(x - y)
        gx, gy = (batch_gradient(o, point, row[None]) for point in (x, y))
        hx, hy = (o.batch_hessian(point, row[None]) for point in (x, y))
        assert np.linalg.norm(gx) <= L + tiny
        assert np.linalg.norm(gx - gy) <= ell * distance + tiny
        assert np.linalg.norm(hx, 2) <= ell * (1 + 1e-12)
        # coordinates reduced modulo a period are exact to 1e-16 |x|, and change a Hessian by rho times that
        assert np.linalg.norm(hx - hy, 2) <= rho * distance + 1e-13 * (ell + rho * np.linalg.norm(x))
        for value in (o.value_and_gradient(x)[0], o.value_and_gradient(y)[0]):
            assert -tiny * (1 + distance) <= value - lowest <= U + tiny * (1 + np.linalg.norm(x))


@names
@given(seed=seeds)
@many
def test_saddles_are_saddles_and_minima_are_second_order_points(name, seed):
    case, _ = instance(name, seed)
    o = case.o
    curvature, rho = o.constants["curvature"], o.constants["rho"]
    smallest = np.linalg.eigvalsh(o.hessian(o.saddle))[0]
    assert smallest == pytest.approx(-curvature, rel=1e-12)
    for saddle in case.saddles:
        below = -np.linalg.eigvalsh(o.hessian(saddle))[0]
        found = o.certify_sosp(saddle, 0.5 * below**2 / rho)  # the accuracy at which sqrt(rho alpha) = 0.7 of the curvature
        assert found.saddle
        assert not found.sosp
        assert found.grad_norm <= rounding(o, saddle)
    lowest = o.value_and_gradient(o.x0)[0] - o.constants["gap"]
    for minimum in case.minima:
        found = o.certify_sosp(minimum, 10 * rounding(o, minimum))
        assert found.sosp
        assert not found.saddle
        assert o.value_and_gradient(minimum)[0] == pytest.approx(lowest, abs=rounding(o, minimum) * (1 + np.linalg.norm(minimum)))


@pytest.mark.parametrize("name", sorted(set(SADDLES) - {"slope"}))  # a slope starts where it is steep
def test_descent_from_the_start_comes_to_the_saddle_and_from_beside_it_to_a_minimum(name):
    o = SADDLES[name](4, 3) if name == "matrix_factorisation" else SADDLES[name](4)
    lowest = o.value_and_gradient(o.x0)[0] - o.constants["gap"]
    x, beside = o.x0.copy(), o.saddle.copy()
    beside[0] += 0.01
    for _ in range(4000):
        x -= 0.05 * o.value_and_gradient(x)[1]
        beside -= 0.05 * o.value_and_gradient(beside)[1]
    np.testing.assert_allclose(x, o.saddle, atol=1e-9)
    assert o.certify_sosp(x, 1e-6).saddle
    assert o.certify_sosp(beside, 1e-6).sosp == (name != "octopus")  # its next saddle waits on the axis
    if name != "octopus":
        assert o.value_and_gradient(beside)[0] == pytest.approx(lowest, abs=1e-9)


@pytest.mark.parametrize("name", TILTED)
@given(seed=seeds, spread=st.sampled_from([0.0, 0.7]), clients=st.integers(1, 5), heterogeneity=st.sampled_from([0.0, 0.4]))
@many
def test_tilts_have_the_stated_length_and_mean_zero_over_the_clients(name, seed, spread, clients, heterogeneity):
    if clients == 1:
        heterogeneity = 0.0
    plain = make(name, np.random.default_rng(seed)).o
    o = make(name, np.random.default_rng(seed), spread=spread, clients=clients, heterogeneity=heterogeneity).o
    assert o.clients == clients
    assert o.constants["L"] == pytest.approx(plain.constants["L"] + spread + heterogeneity, rel=1e-12)
    rng = np.random.default_rng(seed)
    drawn = [o.draw(rng, 50, client) for client in range(clients)]
    assert all(rows.shape == (50, o.d) and rows.flags.c_contiguous for rows in drawn)
    shifts = heterogeneity / np.sqrt(o.d) * np.linspace(-1, 1, clients)[:, None] * np.ones(o.d) if clients > 1 else np.zeros((1, o.d))
    for rows, shift in zip(drawn, shifts, strict=True):
        np.testing.assert_allclose(np.linalg.norm(rows - shift, axis=1), spread, atol=1e-12)
        assert np.linalg.norm(rows, axis=1).max() <= spread + heterogeneity + 1e-12
    # antithetic samples of every client together: the mean gradient is that of F, exactly
    pairs = np.concatenate([np.concatenate([rows, 2 * shift - rows]) for rows, shift in zip(drawn, shifts, strict=True)])
    x = rng.standard_normal(o.d)
    np.testing.assert_allclose(batch_gradient(o, x, pairs), o.value_and_gradient(x)[1], rtol=0, atol=rounding(o, x))


@names
def test_the_mean_over_many_samples_is_that_of_F(name):
    """Fixed seed; 6.5 standard errors in each of fewer than 100 coordinates: by the normal law a false alarm below 1e-8 in all."""
    rng = np.random.default_rng(5)
    case = make(name, rng, **(SAMPLING if name in TILTED else {"clients": 3}))
    o, n = case.o, 20_000
    x, _ = case.pair(rng)
    drawn = [o.draw(rng, n, client) for client in range(o.clients)]
    mean = np.mean([batch_gradient(o, x, rows) for rows in drawn], axis=0)
    variance = np.mean([np.var([batch_gradient(o, x, row[None]) for row in rows[:2_000]], axis=0) for rows in drawn], axis=0)
    error = np.sqrt(variance / (n * o.clients))
    assert np.all(error > 0)
    assert np.all(np.abs(mean - o.value_and_gradient(x)[1]) <= 6.5 * error)


@given(seed=seeds)
@many
def test_the_continuation_of_the_octopus_is_that_of_its_twin_everywhere(seed):
    rng = np.random.default_rng(seed)
    arguments = {"L": 1.0 + rng.random(), "gamma": rng.random() + 0.1, "tau": 0.5 + rng.random()}
    o, x = SADDLES["octopus"](4, **arguments), rng.uniform(-8, 8, 4)
    twin = lambda y: naive.octopus_continued(y, **arguments)
    value, gradient = o.value_and_gradient(x)
    assert value == pytest.approx(twin(x), rel=1e-12, abs=1e-10)
    np.testing.assert_allclose(gradient, naive.gradient(twin, x), rtol=1e-11, atol=1e-10)
    np.testing.assert_allclose(o.hessian(x), naive.hessian(twin, x), rtol=1e-6, atol=1e-4)  # no rho out here: 1e-8 times thousands
    assert value >= -4 * (37 * arguments["L"] + 13 * arguments["gamma"]) / 6 * arguments["tau"] ** 2


def test_the_mean_over_a_grid_of_phases_is_that_of_F():
    """The mean of cos over N midpoints of [-h, h] is sin(h) / (N sin(h / N)), which is sin(h) / h times 1 + h^2 / (6 N^2) nearly."""
    o, N, h = SADDLES["random_phase_cosines"](3, h=1.3), 2_000, 1.3
    z = h * ((2 * np.arange(N) + 1) / N - 1)[:, None] * np.ones(3)
    x = np.array([0.3, -2.0, 1.1])
    mean = batch_gradient(o, x, np.concatenate([np.cos(z), np.sin(z)], axis=1))
    np.testing.assert_allclose(mean, o.value_and_gradient(x)[1], rtol=h**2 / (5 * N**2))


@given(seed=seeds, d=st.integers(2, 6))
@many
def test_phase_retrieval_is_the_mean_over_the_sphere(seed, d):
    """Axes and corners of a cube with weights 2 / (d + 2) and d / (d + 2) have the sphere's moments up to degree 5."""
    o, x = SADDLES["phase_retrieval"](d), np.random.default_rng(seed).standard_normal(d)
    corners = np.array(np.meshgrid(*[[-1.0, 1.0]] * d)).reshape(d, -1).T
    axes = np.sqrt(d) * np.concatenate([np.eye(d), -np.eye(d)])
    gradient = (d * batch_gradient(o, x, corners) + 2 * batch_gradient(o, x, axes)) / (d + 2)
    np.testing.assert_allclose(gradient, o.value_and_gradient(x)[1], rtol=1e-11, atol=1e-11)
    hessian = (d * o.batch_hessian(x, corners) + 2 * o.batch_hessian(x, axes)) / (d + 2)
    np.testing.assert_allclose(hessian, o.hessian(x), rtol=1e-11, atol=1e-11)


def test_a_whole_width_keeps_that_of_the_escape_direction():
    """h = 1, an integer, beside unstable_h = 0.5."""
    whole, other = (SADDLES["random_phase_cosines"](3, h=h, unstable_h=0.5) for h in (1, 1.0))
    assert whole.constants == other.constants
