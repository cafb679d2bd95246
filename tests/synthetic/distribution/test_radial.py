"""The radial Huber function and its chain of two numbers, against Algorithm 2 written out in d coordinates."""

import math

import numpy as np
import pytest

from synthetic.distribution.radial import RESTS, Huber, draw_directions, mean_grad_norm_sq
from synthetic.draws import DIRECTIONS, NOISE, generator
from synthetic.kernels.radial import radial_steps

CASES = [Huber(6, 2.5, 1.5, 0.8), Huber(5, 5.0), Huber(4, 1.0, 2.0, 0.5), Huber(3, 1.25, 1.0, 3.0), Huber(7, 3.0, 0.7, 0.6)]


def weights(of):
    return np.array([1.0] * math.floor(of.r) + [of.r % 1.0] * (of.r % 1 > 0) + [0.0] * (of.d - math.ceil(of.r)))


def value(x, of):
    s = math.sqrt(float(weights(of) @ x**2))
    return of.ell * s * s / 2 if s < of.L / of.ell else of.L * s - of.L**2 / of.ell / 2


def gradient(x, of):
    s = math.sqrt(float(weights(of) @ x**2))
    return min(of.ell, of.L / s if s else math.inf) * weights(of) * x


def algorithm2(of, x, us, zs, *, alpha, lam, C, sigma):
    """Algorithm 2 as it is printed, one sample; us(x) is the next direction. Returns the mean of ||grad F||^2 and the last point."""
    total = 0.0
    for z in zs:
        u = us(x)
        total += float(gradient(x, of) @ gradient(x, of))
        s = (value(x + lam * u, of) - value(x - lam * u, of)) / (2 * lam)
        x = x - alpha * (max(-C, min(C, s)) + sigma * z) * u
    return total / len(zs), x


@pytest.mark.parametrize("of", CASES, ids=str)
def test_the_chain_is_algorithm_2_step_by_step(of):
    rng, T, k = np.random.default_rng(1), 200, math.floor(of.r)
    settings = {"alpha": 0.1, "lam": 0.3, "C": 1.2, "sigma": 0.5}
    along, extra, across = draw_directions(of, rng, rng, T)
    z, draws = rng.standard_normal(T), iter(zip(along, extra, across, strict=True))

    def with_these_parts(x):
        one, weighted, aside = next(draws)
        u, axis, other = np.zeros(of.d), x[:k] / np.linalg.norm(x[:k]), rng.standard_normal(k)
        other -= (other @ axis) * axis
        u[:k] = one * axis + (math.sqrt(aside) * other / np.linalg.norm(other) if k > 1 else 0.0)
        if of.r % 1:
            u[k] = weighted
        return u  # what is left of it F does not see

    start = np.zeros(of.d)
    start[0] = of.radius(1.0)
    mean, last = algorithm2(of, start, with_these_parts, z, **settings)
    state = np.array([of.radius(1.0), 0.0])
    given = (settings["alpha"], settings["lam"], settings["C"], settings["sigma"])
    total = radial_steps(along, extra, across, z, of.extra, of.ell, of.L, *given, state)
    assert math.isclose(total / T, mean, rel_tol=1e-9)
    assert math.isclose(state[0], np.linalg.norm(last[:k]), rel_tol=1e-7)
    assert not of.r % 1 or math.isclose(state[1], last[k], rel_tol=1e-7, abs_tol=1e-9)


@pytest.mark.parametrize("of", CASES[:3], ids=str)
def test_the_mean_is_that_of_brute_force_in_d_dimensions(of):
    rng, runs, T = np.random.default_rng(2), 600, 40
    settings = {"alpha": 0.1, "lam": 0.05, "C": 1.5, "sigma": 0.6}

    def on_the_sphere(x):
        u = rng.standard_normal(of.d)
        return u * math.sqrt(of.d) / np.linalg.norm(u)

    start = np.zeros(of.d)
    start[0] = of.radius(0.7)
    plain = np.array([algorithm2(of, start, on_the_sphere, rng.standard_normal(T), **settings)[0] for _ in range(runs)])
    chain = mean_grad_norm_sq(of, T=T, gap=0.7, replicates=4000, **settings)
    error = math.hypot(plain.std() / math.sqrt(runs), chain.std() / math.sqrt(len(chain)))
    assert abs(plain.mean() - chain.mean()) < 4.5 * error < 0.06 * plain.mean()  # fixed seeds


@pytest.mark.parametrize("of", CASES, ids=str)
def test_the_function_meets_the_assumptions(of):
    rng, Q = np.random.default_rng(3), np.diag(weights(of))
    assert math.isclose(np.trace(Q), of.r)
    for _ in range(300):
        x = rng.standard_normal(of.d) * 10.0 ** rng.uniform(-1, 1)
        g, h = gradient(x, of), 1e-5
        assert np.linalg.norm(g) <= of.L * (1 + 1e-12)
        v = np.eye(of.d)
        slopes = np.array([(value(x + h * one, of) - value(x - h * one, of)) / (2 * h) for one in v])
        assert np.allclose(slopes, g, atol=1e-6)
        hessian = np.array([(gradient(x + h * one, of) - gradient(x - h * one, of)) / (2 * h) for one in v])
        above, below = np.linalg.eigvalsh(of.ell * Q - hessian), np.linalg.eigvalsh(hessian)
        assert min(above[0], below[0]) > -1e-5
    start = np.zeros(of.d)
    for gap in (0.01, 1.0, 5.0):
        start[0] = of.radius(gap)
        assert math.isclose(value(start, of), gap, rel_tol=1e-12)


def test_a_longer_run_continues_the_same_streams_and_hostile_numbers_are_refused():
    of, settings = Huber(9, 2.5), {"alpha": 0.1, "C": 1.0, "lam": 0.1, "sigma": 0.1, "gap": 1.0}
    few, more = (mean_grad_norm_sq(of, T=5000, replicates=k, seed=4, **settings) for k in (2, 3))
    assert np.array_equal(few, more[:2])
    assert np.all((0 <= more) & (more <= 1))
    streams = [generator(4, 0, role) for role in (DIRECTIONS, RESTS, NOISE)]
    assert len({one.random() for one in streams}) == 3
    for r in (0.5, 10.0):
        with pytest.raises(ValueError, match="a number from 1 to d = 9"):
            Huber(9, r)
    for name in settings:
        with pytest.raises(ValueError, match=name):
            mean_grad_norm_sq(of, T=5, replicates=1, **{**settings, name: -1.0})
    for name in ("T", "replicates"):
        with pytest.raises(ValueError, match=name):
            mean_grad_norm_sq(of, **{"T": 5, "replicates": 1, **settings, name: 0})
