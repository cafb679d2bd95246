"""Algorithm 4 and AboveThreshold against plain loops, and what they must and must not choose."""

import math
from dataclasses import replace

import numpy as np
import pytest

from synthetic.draws import generator
from synthetic.objectives.separable_saddles import random_phase_cosines
from synthetic.runs import selection

COSINES = random_phase_cosines(4)
PATH = np.array([COSINES.x0, COSINES.saddle, [1.5, 0.2, 0.1, 0.0], [np.pi, 0, 0, 0], [np.pi, 0.01, 0, 0]])


def plain_select(landscape, points, *, n, sigma_gradient, sigma_hessian, gradient_limit, curvature_limit, seed, replicate):
    """Algorithm 4 with one sample at a time and a full eigenvalue decomposition."""
    rng, d = generator(seed, replicate, selection.RELEASE), landscape.d
    A, w, signs, _ = landscape.params
    clients = [landscape.draw(generator(seed, replicate, selection.HELD_OUT + j), n, j) for j in range(landscape.clients)]
    for t, x in enumerate(points):
        gradients, hessians = [], []
        noises = [sigma_gradient * z for z in rng.standard_normal((len(clients), d))]
        for client, noise in zip(clients, noises, strict=True):
            z = np.arctan2(client[:, d:], client[:, :d])
            gradients.append(np.mean(-A / w * signs * np.sin(w * x + z), axis=0) + noise)
            H = rng.standard_normal((d, d))
            for i in range(d):
                for j in range(i):
                    H[i, j] = H[j, i]
            hessians.append(np.diag(np.mean(-A * signs * np.cos(w * x + z), axis=0)) + sigma_hessian * H)
        small = np.linalg.eigvalsh(np.mean(hessians, axis=0))[0]
        if np.linalg.norm(np.mean(gradients, axis=0)) <= gradient_limit and small >= -curvature_limit:
            return t
    return None


@pytest.mark.parametrize("phases", [None, np.array([0.4, -0.4])])
@pytest.mark.parametrize(("gradient_limit", "curvature_limit"), [(0.4, 0.5), (0.4, 1.5), (0.02, 0.3), (5.0, 5.0)])
def test_select_equals_a_plain_loop(phases, gradient_limit, curvature_limit):
    landscape = random_phase_cosines(4, phases=phases)
    numbers = {"n": 60, "sigma_gradient": 0.05, "sigma_hessian": 0.1, "gradient_limit": gradient_limit, "curvature_limit": curvature_limit}
    found = []
    for replicate in range(6):
        one = selection.select(landscape, PATH, **numbers, seed=1, replicate=replicate)
        assert one.chosen == plain_select(landscape, PATH, **numbers, seed=1, replicate=replicate)
        assert len(one.grad_norm) == (len(PATH) if one.chosen is None else one.chosen + 1)
        found.append(one.chosen)
    if gradient_limit == 0.02:
        assert found == [None] * 6  # nothing passes, and nothing is chosen


def test_without_noise_the_saddle_is_passed_over_and_the_minimum_is_chosen():
    found = selection.select(COSINES, PATH, n=200_000, sigma_gradient=0, sigma_hessian=0, gradient_limit=0.2, curvature_limit=0.5)
    assert found.chosen == 3
    assert found.smallest[1] == pytest.approx(-np.sin(1), abs=0.01)  # of 200,000 samples
    assert np.all(found.gradient_noise == 0)


def test_the_noise_has_the_size_that_is_asked_for():
    """E |theta|^2 = d sigma^2 / m and E |H|_F^2 = d^2 sigma^2 / m; z-values over 400 points, a false alarm in 1e9."""
    d, m, T = 6, 2, 400
    landscape = random_phase_cosines(d, phases=np.array([0.3, -0.3]))
    found = selection.select(
        landscape, np.zeros((T, d)), n=5, sigma_gradient=0.7, sigma_hessian=0.3, gradient_limit=1e-9, curvature_limit=1.0
    )
    squares = found.gradient_noise**2 / (0.7**2 / m)
    assert abs(squares.mean() - d) < 6.2 * np.sqrt(2 * d / T)
    assert found.chosen is None
    rng, nothing = np.random.default_rng(0), (np.zeros(d), np.zeros((d, d)))
    noises = [selection.noisy_derivatives(rng, *nothing, m, 0.7, 0.3) for _ in range(T)]
    for (gradient, hessian), (theta, H) in noises:
        np.testing.assert_array_equal(gradient, theta)
        np.testing.assert_array_equal(hessian, H)
        np.testing.assert_array_equal(H, H.T)
    squares = np.array([np.sum(H**2) for _, (_, H) in noises]) / (0.3**2 / m)  # d squares and, twice, d (d - 1) / 2
    assert abs(squares.mean() - d**2) < 6.2 * np.sqrt((2 * d + 8 * d * (d - 1) / 2) / T)
    assert (
        selection.noisy_derivatives(rng, *nothing, 1, 1.0, 0.0)[1][1].max()
        == selection.noisy_derivatives(rng, *nothing, 1, 0.0, 1.0)[1][0].max()
        == 0.0
    )


def test_above_threshold_chooses_the_minimum_with_much_data_and_anything_with_little():
    many = {"n": 100_000, "epsilon": 1.0, "gradient_limit": 0.2, "curvature_limit": 0.5}
    assert [selection.above_threshold(COSINES, PATH, **many, replicate=r).chosen for r in range(20)] == [3] * 20
    few = [selection.above_threshold(COSINES, PATH, **{**many, "n": 5, "epsilon": 0.1}, replicate=r).chosen for r in range(40)]
    assert len(set(few)) > 2


@pytest.mark.parametrize(("n", "epsilon"), [(5, 0.1), (20, 0.5), (60, 0.5)])
def test_above_threshold_equals_a_plain_loop_on_the_same_draws(n, epsilon):
    """One Laplace draw of scale 4/(n epsilon) for the limit, then one of scale 8/(n epsilon) for each query."""
    constants, choices = COSINES.constants, []
    for replicate in range(8):
        found = selection.above_threshold(
            COSINES, PATH, n=n, epsilon=epsilon, gradient_limit=0.3, curvature_limit=0.4, seed=2, replicate=replicate
        )
        exact = selection.select(COSINES, PATH, n=n, sigma_gradient=0, sigma_hessian=0, gradient_limit=1e-12, curvature_limit=1e-12,
                                 seed=2, replicate=replicate)  # fmt: skip
        draws = generator(2, replicate, selection.RELEASE).laplace(size=1 + len(PATH)) / (n * epsilon)
        wanted = None
        for t in range(len(PATH)):
            query = max((exact.grad_norm[t] - 0.3) / constants["L"], (-0.4 - exact.smallest[t]) / constants["ell"])
            if query + 8 * draws[1 + t] <= 4 * draws[0]:
                wanted = t
                break
        assert found.chosen == wanted
        looked = slice(len(found.grad_norm))
        np.testing.assert_allclose(found.gradient_noise, constants["L"] * np.abs(8 * draws[1:][looked]), rtol=1e-12)
        np.testing.assert_allclose(found.hessian_noise, constants["ell"] * np.abs(8 * draws[1:][looked]), rtol=1e-12)
        np.testing.assert_allclose(found.grad_norm, exact.grad_norm[looked], rtol=1e-12)
        choices.append(wanted)
    assert len(set(choices)) > 1  # so the draws decided something


def test_above_threshold_accepts_as_often_as_its_two_noises_say():
    """Where a query is below 0 by g, P(accepted) = P(8 X - 4 Y <= n epsilon g) for standard Laplace X and Y; within 6 standard errors."""
    n, epsilon, runs, x = 10, 1.0, 600, COSINES.saddle[None]
    ells = COSINES.constants["ell"]
    seen, chance = [], []
    for replicate in range(runs):
        one = selection.above_threshold(COSINES, x, n=n, epsilon=epsilon, gradient_limit=1e3, curvature_limit=0.3, replicate=replicate)
        gap = (0.3 + one.smallest[0]) / ells * n * epsilon  # how far the query is below 0, in units of 1/(n epsilon)
        far = abs(gap)
        beyond = (8**2 * math.exp(-far / 8) - 4**2 * math.exp(-far / 4)) / (2 * (8**2 - 4**2))  # P(8 X - 4 Y > far)
        chance.append(1 - beyond if gap > 0 else beyond)
        seen.append(one.chosen == 0)
    spread = math.sqrt(sum(p * (1 - p) for p in chance))
    assert abs(sum(seen) - sum(chance)) < 6 * spread


def test_one_record_moves_the_query_of_above_threshold_by_two_over_n():
    """The sensitivity that its privacy rests on, tried on neighbours that differ in the worst way."""
    n, x = 50, np.array([1.0, 0.3, 0.2, 0.1])
    rows = COSINES.draw(np.random.default_rng(0), n, 0)
    largest = 0.0
    for k in range(200):
        other = rows.copy()
        z = np.random.default_rng(k).uniform(-1, 1, 4)
        other[0] = np.concatenate([np.cos(z), np.sin(z)])
        values = []
        for data in (rows, other):
            gradient, hessian = selection.mean_derivatives(COSINES, [data], x)
            values.append((np.linalg.norm(gradient) / COSINES.constants["L"], -np.linalg.eigvalsh(hessian)[0] / COSINES.constants["ell"]))
        largest = max(largest, *(abs(a - b) for a, b in zip(*values, strict=True)))
    assert 0.2 / n < largest <= 2 / n


@pytest.mark.parametrize(
    ("wrong", "said"),
    [({"n": 0}, "n = 0"), ({"sigma_hessian": -1.0}, "sigma_hessian = -1.0"), ({"gradient_limit": 0.0}, "gradient_limit = 0.0")],
)
def test_mistakes_are_named(wrong, said):
    numbers = {"n": 5, "sigma_gradient": 0.1, "sigma_hessian": 0.1, "gradient_limit": 1.0, "curvature_limit": 1.0}
    with pytest.raises(ValueError, match=said):
        selection.select(COSINES, PATH, **(numbers | wrong))


def test_above_threshold_needs_the_data_in_one_place():
    landscape = random_phase_cosines(4, phases=np.array([0.4, -0.4]))
    with pytest.raises(ValueError, match="2 clients"):
        selection.above_threshold(landscape, PATH, n=5, epsilon=1.0, gradient_limit=1.0, curvature_limit=1.0)


def test_above_threshold_needs_finite_constants():
    landscape = replace(COSINES, constants={**COSINES.constants, "L": math.inf})
    with pytest.raises(ValueError, match="L = inf"):
        selection.above_threshold(landscape, PATH, n=50, epsilon=1.0, gradient_limit=0.1, curvature_limit=0.1)


def test_every_client_holds_out_samples_of_its_own():
    phases = np.array([0.4, -0.4])
    rows = selection._draw_held_out(random_phase_cosines(4, phases=phases), 60, 1, 0)
    around = [np.arctan2(one[:, 4:], one[:, :4]) - phase for one, phase in zip(rows, phases, strict=True)]
    assert all(np.all(abs(one) <= 1 + 1e-12) for one in around)
    assert abs(np.corrcoef(around[0].ravel(), around[1].ravel())[0, 1]) < 0.3
