"""Settings that are dropped because they stay in a tube: the tube holds them, and its bounds are bounds."""

import numpy as np
import pytest

from synthetic import grid_first
from synthetic.draws import NOISE, generator
from synthetic.grid import grid, last_iterates
from synthetic.grid_settings import Centred, Measures, Settings
from synthetic.grid_tubes import Tubes
from synthetic.kernels.grid import LOST, eigenvalues_between, follow
from synthetic.objectives import quadratic


def derivative(e, y, cap):
    """The derivative of the mean of clip_cap(e - y_i) at e, over cap: sample by sample."""
    total = np.zeros((len(e), len(e)))
    for one in y:
        g = e - one
        norm = np.linalg.norm(g)
        total += np.eye(len(e)) / cap if norm < cap else (np.eye(len(e)) - np.outer(g, g) / norm**2) / norm
    return total / len(y)


@pytest.mark.parametrize(("d", "a"), [(8, 1.0), (8, 0.3), (40, 1.0)])
def test_every_derivative_in_a_ball_lies_between_the_two_eigenvalues(d, a):
    """At the radius and inside, along the sums of samples and the nearest sample, for clips up to the shortest sample."""
    rng = np.random.default_rng(d)
    samples = rng.standard_normal((60, d))
    samples -= samples.mean(axis=0)
    tubes = Tubes.of(np.full(d, a), samples)
    y, m = a * samples, tubes.numbers[0]
    norm = np.linalg.norm(y, axis=1)
    assert m == pytest.approx(norm.min())
    np.testing.assert_allclose(tubes.pull, np.mean(-y / norm[:, None], axis=0), atol=1e-12)
    towards = [rng.standard_normal(d) for _ in range(3)] + [y[norm.argmin()], -y[norm.argmin()], np.linalg.eigh(y.T @ y)[1][:, -1]]
    tight = []
    for share in (0.02, 0.2, 0.5, 0.8):
        for cap in (0.1 * m, 0.7 * m, m):
            lo, hi = eigenvalues_between(share * m, cap, tubes.numbers)
            assert lo < hi
            for v in towards:
                for inside in (1.0, 0.4):
                    found = np.linalg.eigvalsh(derivative(inside * share * m * v / np.linalg.norm(v), y, cap))
                    assert lo <= found[0]
                    assert found[-1] <= hi
                    tight.append((hi - lo) / found[-1])
    assert min(tight) < (0.4 if d == 40 else 2.0)


def test_a_tube_is_followed_as_it_is_written():
    """Each step of the recursion and its radius, in plain Python; where the bounds end it is lost, and stays so."""
    rng = np.random.default_rng(0)
    samples = rng.standard_normal((300, 100))
    tubes = Tubes.of(np.ones(100), samples - samples.mean(axis=0))
    N, h = rng.standard_normal((4, 100)) * np.array([0.2, 0.2, 5.0, 0.1])[:, None], np.array([0.01, 0.0, 0.0, LOST])
    step, spread, cap = np.array([0.3, 1.0, 0.3, 0.3]), np.array([0.02, 0.01, 0.0, 0.0]), np.array([0.5, 0.1, 0.5, 0.5])
    left, stream, z = np.array([5, 9, 9, 9]), np.array([0, 1, 0, 1]), rng.standard_normal((7, 2, 100))
    wanted, radii = N.copy(), h.copy()
    for s in (0, 1):
        for t in range(min(7, left[s])):
            E = np.linalg.norm(wanted[s]) + radii[s]
            lo, hi = eigenvalues_between(E, cap[s], tubes.numbers)
            kappa, eta = (lo + hi) / 2, (hi - lo) / 2
            wanted[s] = wanted[s] - step[s] * (tubes.pull + kappa * wanted[s]) - spread[s] * z[t, stream[s]]
            radii[s] = abs(1 - step[s] * kappa) * radii[s] + step[s] * eta * E
    radii[2] = LOST
    follow(N, h, step, spread, cap, left, stream, z, tubes.pull, tubes.numbers)
    assert np.all(h[:2] < LOST)
    np.testing.assert_allclose(N, wanted, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(h, radii, rtol=1e-12)


def test_runs_stay_in_their_tubes():
    """From where a run is after 40 steps, to the end: of several steps, clips and noises, at the least radius that it began with."""
    objective = quadratic("flat", 100, 1000, seed=0)
    centred, T = Centred.of(objective), 400
    tubes, z = Tubes.of(centred.a[0], centred.samples), generator(5, 0, NOISE).standard_normal((T, 1, 100))
    C = np.array([0.1, 1.0, 0.5, 0.6 * tubes.numbers[0]])
    alpha, sigma = np.array([4.0, 0.6, 1.0, 0.2]), np.array([0.003, 0.02, 0.01, 0.02])
    at = {t: last_iterates(("dp_gd",), objective, Settings(alpha, np.full(4, t), C, sigma), seed=5)["dp_gd"][0] for t in (40, 90, T)}
    N, h, zero = at[40].copy(), np.zeros(4), np.zeros(4, np.int64)
    done = 40
    for t in (90, T):
        follow(N, h, alpha * C, alpha * sigma, C, np.full(4, t - done), zero, z[done:t], tubes.pull, tubes.numbers)
        apart, done = np.linalg.norm(at[t] - N, axis=1), t
        assert np.all(h < LOST)
        assert np.all(apart <= h)
        assert np.all(apart > 1e-6)
    assert np.any(h < 0.6 * np.linalg.norm(N, axis=1))  # so that a run that is far away is known to be


def test_what_is_dropped_by_its_tube_is_not_the_best(monkeypatch):
    """Against the grid without dropping; with the tubes more is dropped than without, and the best settings stay the same."""
    objective, test = quadratic("flat", 100, 1000, seed=0), quadratic("flat", 100, 1000, seed=1)
    axes = {"alphas": [0.01, 0.03, 0.1, 0.3, 1.0], "horizons": [10, 40, 300], "clips": [0.1, 1.0, 3.0, 300.0]}
    axes["sigma"] = 4e-3 * np.outer(np.sqrt(axes["horizons"]), axes["clips"])
    everything = grid("dp_gd", objective, test=test, **axes, seed=3)
    quick = grid("dp_gd", objective, test=test, **axes, seed=3, prune=True)
    monkeypatch.setattr(grid_first.Tubes, "of", lambda a, samples: None)
    slow = grid("dp_gd", objective, test=test, **axes, seed=3, prune=True)
    assert np.all(quick.dropped >= slow.dropped)
    assert quick.dropped.sum() >= slow.dropped.sum() + 5
    for name in Measures.NAMES:
        values, kept = getattr(everything, name), getattr(quick, name)
        assert quick.best(name) == everything.best(name)
        np.testing.assert_allclose(kept[~quick.dropped], values[~quick.dropped], rtol=1e-9)
        assert np.all(values[quick.dropped] > values.min())


@pytest.mark.parametrize(("best", "dropped"), [(2.9, True), (3.1, False)])
def test_a_tube_is_compared_with_the_best_where_it_ends(best, dropped):
    """Without steps in between: one coordinate at 3 and the others at 0, beside the best value of every measure."""
    samples = np.random.default_rng(0).standard_normal((300, 50))
    tubes = Tubes.of(np.ones(50), samples - samples.mean(axis=0))
    D, one, zero = np.zeros((1, 50)), np.ones(1), np.zeros(1, np.int64)
    D[0, 0] = 3.0
    measures = Measures(np.ones(50), np.zeros(50), 0.0, 0.0)
    bests = np.array([[best, best, best**2 / 2, best**2 / 2]])
    noise = [np.zeros((1, 1, 50))]
    how = {"begun": 7, "noise": noise, "best": bests, "measures": measures, "margin": 1e-12}
    assert tubes.end_far(D, 1e-9 * one, 0 * one, one, zero + 8, zero, **how).tolist() == [dropped]
    assert tubes.end_far(D, 1e-9 * one, 0 * one, 100 * one, zero + 8, zero, **how).tolist() == [False]  # samples are not clipped at 0
    bests[0, 2] = 1e3  # by one measure it may be the best
    assert tubes.end_far(D, 1e-9 * one, 0 * one, one, zero + 8, zero, **how).tolist() == [False]


def test_there_are_no_tubes_where_eigenvalues_differ_or_a_sample_is_the_mean():
    samples = np.random.default_rng(0).standard_normal((20, 3))
    assert Tubes.of(np.array([1.0, 1.0, 0.5]), samples) is None
    assert Tubes.of(np.zeros(3), samples) is None
    samples[4] = 0.0
    assert Tubes.of(np.ones(3), samples) is None
