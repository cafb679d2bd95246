"""Worlds of methods on sums, beside slow twins that are written from the algorithms and know how noise is read off a step."""

import math
from dataclasses import replace

import numpy as np
import pytest
from numba import njit
from scipy import stats

from synthetic import kernels
from synthetic.audits.replay import PUBLIC, TURN, check_equal_distances, matches_prediction, prepare_replay
from synthetic.audits.secret_batches import secret_batch_scores
from synthetic.audits.sums import AuditScores, neighbour_scores, worst_case_rows
from synthetic.draws import BATCHES, DIRECTIONS, NOISE, draw_directions, generator
from synthetic.methods.dp_grape import DP_ADAM, DP_GRAPE
from synthetic.methods.dp_zopo import DP_ZOO
from synthetic.methods.dpzero import DPZERO
from synthetic.objectives.space import Space
from synthetic.runs.simulate import batches_of

N, T, C, SIGMA, LONG = 4, 2, 1.5, 0.8, 1e9
SPACE = Space(((2, 3),))
ALARM = 1e-9  # that a test of this page fails by chance


def turned(rows, seed, steps):
    """Return the rows of both worlds in each step, (steps, n, d): times a direction of length sqrt(d), coordinate by coordinate."""
    turn = draw_directions(generator(seed, PUBLIC, TURN), steps, rows[0].shape[1], "sphere")
    return [turn[:, None, :] * each for each in rows]


def dpzero_twin(one, two, runs, seed):
    """Decode the noisy slope of every step, and add up the slopes' differences over sigma: DPZero, along u of length sqrt(d)."""
    d, steps = one.shape[1], T * runs
    u, scores = draw_directions(generator(seed, PUBLIC, DIRECTIONS), steps, d, "sphere"), []
    rows = turned((one, two), seed, steps)
    for world, data in enumerate((one, two)):
        z, found = generator(seed, world, NOISE).standard_normal(steps), np.zeros(runs)
        for t in range(steps):
            mean = [sum(float(np.clip(row @ u[t], -C, C)) for row in each[t]) / N for each in rows]
            move = -(mean[world] + SIGMA * z[t]) * u[t]  # alpha = 1
            slope = -(move @ u[t]) / (u[t] @ u[t])
            found[t // T] += (mean[0] - mean[1]) * (slope - sum(mean) / 2) / SIGMA**2
        scores.append(found / (2 * C / N * math.sqrt(T) / SIGMA))
        assert len(data) == N
    return scores


def grape_twin(one, two, runs, seed):
    """Decode the private projection of every step, by least squares: DP-GRAPE of one 2 x 3 layer, projected to r = 1."""
    steps, scores = T * runs, []
    P, rows = generator(seed, PUBLIC, 4).standard_normal((steps, 2)), turned((one, two), seed, steps)
    for world in (0, 1):
        z, found = generator(seed, world, NOISE).standard_normal((steps, 3)), np.zeros(runs)
        for t in range(steps):
            mean = []
            for data in rows:
                R = [P[t] @ row.reshape(2, 3) for row in data[t]]
                mean.append(sum(row * min(1.0, C / max(np.linalg.norm(row), 1e-300)) for row in R) / N)
            move = -np.outer(P[t], mean[world] + SIGMA * z[t])
            released = -(P[t] @ move) / (P[t] @ P[t])
            found[t // T] += (mean[0] - mean[1]) @ (released - (mean[0] + mean[1]) / 2) / SIGMA**2
        scores.append(found / (2 * C / N * math.sqrt(T) / SIGMA))
    return scores


CASES = {
    "dpzero": (DPZERO, Space(((3,),)), {"lam": 1.0}, dpzero_twin),
    "dp_grape": (DP_GRAPE, SPACE, {"r": 1}, grape_twin),
}


def seen(case, runs, seed=5):
    method, space, more, _ = CASES[case]
    one, two = worst_case_rows(space.d, N, LONG)
    return neighbour_scores(method, one, two, T=T, runs=runs, seed=seed, space=space, alpha=1.0, C=C, sigma=SIGMA, **more)


@pytest.mark.parametrize("case", CASES)
def test_scores_are_those_of_a_slow_twin(case):
    _, space, _, twin = CASES[case]
    found, expected = seen(case, 40), twin(*worst_case_rows(space.d, N, LONG), 40, 5)
    np.testing.assert_allclose(found.one, expected[0], rtol=0, atol=1e-5)
    np.testing.assert_allclose(found.two, expected[1], rtol=0, atol=1e-5)
    assert found.normal


@pytest.mark.parametrize("case", CASES)
def test_scores_are_normal_at_half_the_distance_either_way(case):
    runs, mu = 10_000, 2 * C / N * math.sqrt(T) / SIGMA
    found = seen(case, runs)
    for scores, mean in ((found.one, mu / 2), (found.two, -mu / 2)):
        assert abs(scores.mean() - mean) <= stats.norm.isf(ALARM / 8) / math.sqrt(runs)
        low, high = stats.chi2.ppf([ALARM / 8, 1 - ALARM / 8], runs - 1) / runs
        assert low <= scores.var() <= high


def mixture(at, sign, q, shift):
    """Return the density of a step at `at`, over that without the record, where it moves the release by sign shift."""
    return (1 - q) + q * math.exp(sign * shift * at - shift**2 / 2)


@pytest.mark.parametrize("sampling", ["poisson", "without_replacement"])
def test_scores_of_secret_batches_are_those_of_a_slow_twin(sampling):
    runs, B, seed, poisson = 40, 2, 6, sampling == "poisson"
    one, two = worst_case_rows(3, N, LONG)
    if not poisson:
        one[1:] = two[1:] = two[0]
    found = secret_batch_scores(
        DP_ZOO, one, two, T=T, runs=runs, seed=seed, batch_size=B, alpha=1.0, C=C, sigma=SIGMA, lam=1.0, sampling=sampling
    )
    v, shift = draw_directions(generator(seed, PUBLIC, DIRECTIONS), T * runs, 3, "gaussian"), C / B / SIGMA
    rows = turned((one, two), seed, T * runs)[0]
    for world, scores in enumerate((found.one, found.two)):
        z, expected = generator(seed, world, NOISE).standard_normal(T * runs), np.zeros(runs)
        batch = batches_of(generator(seed, world, BATCHES), T * runs, N, B, poisson)
        for t in range(T * runs):
            towards = math.copysign(1.0, float(rows[t, 0] @ v[t]))  # of the slope of the first record in the first world
            inside = 0 in batch[t]
            if poisson:
                at = (1 - 2 * world) * shift * inside + towards * z[t]
                expected[t // T] += math.log(mixture(at, 1, B / N, shift)) - math.log(mixture(at, -1, B / N, shift))
            else:  # all others are opposite
                at = 2 * shift * (inside and world == 0) + towards * z[t]
                expected[t // T] += math.log(mixture(at, 1, B / N, 2 * shift))
        np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-5)
    assert not found.normal


ONE, TWO = worst_case_rows(2, N, 1.0)
GIVEN = {"T": 1, "runs": 2, "alpha": 1.0, "C": 1.0, "sigma": 1.0}
OTHERS = ONE + np.array([0.0, 1.0, 1.0, 1.0])[:, None]
UNEVEN = ONE + np.arange(4.0)[:, None]
ERRORS = {
    "no runs": (neighbour_scores, DPZERO, ONE, TWO, {"runs": 0}, "runs = 0: "),
    "half a step": (neighbour_scores, DPZERO, ONE, TWO, {"T": 0.5}, "T = 0.5: "),
    "a negative seed": (neighbour_scores, DPZERO, ONE, TWO, {"seed": -1}, "seed = -1: "),
    "a number for gradients": (neighbour_scores, DPZERO, 1.0, TWO, {}, "one = 1.0: "),
    "worlds of two sizes": (neighbour_scores, DPZERO, ONE, TWO[:2], {}, "two has shape "),
    "one world twice": (neighbour_scores, DPZERO, ONE, ONE, {}, "one and two: finite gradients that make a difference in every run"),
    "Adam": (neighbour_scores, DP_ADAM, ONE, TWO, {},
         "method = 'dp_adam': an audit needs iterates that are affine in the noise of their run"),
    "a ball": (neighbour_scores, DP_ZOO, ONE, TWO, {"radius": 1e-3}, ""),
    "more than there is room for": (neighbour_scores, DPZERO, ONE, TWO, {"runs": 10**13}, "T = 1, runs = 10000000000000: "),
    "all records in a batch": (secret_batch_scores, DP_ZOO, ONE, TWO, {"batch_size": 4}, "batch_size = 4: fewer than the n = 4 records"),
    "no batch": (secret_batch_scores, DP_ZOO, ONE, TWO, {"batch_size": 0}, "batch_size = 0: "),
    "others that differ": (secret_batch_scores, DP_ZOO, UNEVEN, UNEVEN, {"batch_size": 1},
         "one and two: all rows after the first must be equal"),
    "others under Poisson": (secret_batch_scores, DP_ZOO, OTHERS, OTHERS, {"batch_size": 1, "sampling": "poisson"},
                             "one and two: all rows after the first must be 0 under Poisson sampling"),
    "one world twice, batches": (secret_batch_scores, DP_ZOO, ONE, ONE, {"batch_size": 1}, "one and two: finite gradients"),
    "Adam on batches": (secret_batch_scores, DP_ADAM, ONE, TWO, {"batch_size": 1},
         "method = 'dp_adam': an audit needs steps that are each affine"),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_worlds_that_cannot_be_are_refused_in_a_sentence(name):
    function, method, one, two, more, words = ERRORS[name]
    with pytest.raises(ValueError, match=r"needed|needs|must be") as told:
        function(method, one, two, **{**GIVEN, **more})
    assert str(told.value).startswith(words)
    assert "\n" not in str(told.value)


def test_what_is_seen_is_told_in_a_line():
    assert repr(AuditScores(np.ones(3), np.zeros(3))) == "AuditScores(3 and 3 runs, means 1 and 0)"


def test_worlds_that_are_further_apart_in_some_runs_are_not_normal():
    """A record that is not clipped moves a step by its slope along u, which is not the same in every run."""
    one, two = worst_case_rows(3, N, 1.0)
    given = {"T": 1, "runs": 30, "seed": 1, "alpha": 1.0, "sigma": SIGMA, "lam": 1.0}
    assert not neighbour_scores(DPZERO, one, two, C=1e3, **given).normal
    assert neighbour_scores(DPZERO, LONG * one, LONG * two, C=1e3, **given).normal


def bent(share):
    """Return Algorithm 2 of DP-ZOPO with a noise z + share z^2 for z."""

    @njit(nogil=True, error_model="numpy")
    def loop(loss, value_gradient, data, params, x, centre, handed, kept, step, smoothing, pull, proximal, reach, first, C, sigma, v, z,
             batch, nominal, value, grad_norm_sq, clipped, tau, x_tau, t0):  # fmt: skip
        return kernels.dp_zoo(loss, value_gradient, data, params, x, centre, handed, kept, step, smoothing, pull, proximal, reach, first, C,
                              sigma, v, z + share * z**2, batch, nominal, value, grad_norm_sq, clipped, tau, x_tau, t0)  # fmt: skip

    return replace(DP_ZOO, function=loop)


@pytest.mark.parametrize(("function", "more"), [(neighbour_scores, {}), (secret_batch_scores, {"batch_size": 2})])
def test_noise_that_is_a_little_bent_is_refused(function, more):
    one, two = worst_case_rows(2, N, LONG)
    one[1:] = two[1:] = two[0]
    given = {"T": 1, "runs": 50, "seed": 2, "alpha": 1.0, "C": C, "sigma": SIGMA, "lam": 1.0, **more}
    function(bent(0.0), one, two, **given)
    with pytest.raises(ValueError, match="affine"):
        function(bent(1e-4), one, two, **given)


def test_parts_of_many_runs_have_draws_of_their_own():
    given = {"alpha": 1.0, "C": 1.0, "sigma": 1.0, "lam": 1.0}
    one, two = (prepare_replay(DPZERO, Space(((3,),)), given, 2, 5, 0, part=part, together=2) for part in (0, 1))
    assert not np.any(one.turn == two.turn)
    assert not np.any(one.known["u"] == two.known["u"])
    for replay in (one, two):
        np.testing.assert_allclose(np.sum(replay.turn**2, axis=1), 3.0)
        assert not np.any(replay.turn == replay.known["u"])  # another stream than that of directions


def test_what_is_rounding_and_what_is_not():
    for sign in (1, -1):
        assert matches_prediction(np.array([0.5e-8 * sign]), np.zeros(1), 1.0, np.ones(1))
        assert not matches_prediction(np.array([2e-8 * sign]), np.zeros(1), 1.0, np.ones(1))
    replay = prepare_replay(DPZERO, Space(((3,),)), {"alpha": 1.0, "C": 1.0, "sigma": 1.0}, 1, 2, 0, together=1)
    assert check_equal_distances(np.array([1, 1 - 5e-6]), replay)
    assert not check_equal_distances(np.array([1, 1 - 2e-5]), replay)


def test_others_that_differ_in_the_second_world_are_refused():
    one, two = worst_case_rows(2, N, LONG)
    two[1:] = 1.0
    with pytest.raises(ValueError, match=r"^one and two: all rows after the first must be equal to each other$"):
        secret_batch_scores(DP_ZOO, one, two, batch_size=1, lam=1.0, **GIVEN)
