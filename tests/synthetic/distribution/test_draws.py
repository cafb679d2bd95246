"""The draws of runs in law have the moments of the vectors that they stand for, and samples those of means in R^d.

Each comparison is a z-test at |z| < 6 on some thousand draws: false alarms below 1e-8 each; seeds are fixed.
"""

import numpy as np
import pytest

from synthetic.distribution import zeroth_order as in_law_zeroth
from synthetic.distribution.quadratic import Conditions, final_measures
from synthetic.distribution.samples import Sample
from synthetic.distribution.zeroth_order import Directions, _draw_vector_noise
from synthetic.grids.settings import Settings
from synthetic.groups import group_eigenvalues

GROUPS = group_eigenvalues([(1.0, 1), (0.8, 2), (0.5, 3), (0.2, 30)])
K = GROUPS.size


def z_of(values, expected):
    values = np.asarray(values)
    deviation = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return np.max(np.abs(values.mean(axis=0) - expected) / np.maximum(deviation, 1e-12))


def test_directions_are_normal_or_on_the_sphere():
    rng = np.random.default_rng(0)
    u = Directions.draw_steps(GROUPS, rng, rng, 4000, "gaussian")
    square = u.along**2 + u.across**2 + u.rest**2
    assert z_of(square, K) < 6
    assert z_of(square**2, K * (K + 2)) < 6
    assert z_of(u.along**2, 1.0) < 6
    np.testing.assert_allclose(u.length**2, square.sum(axis=1), rtol=1e-12)
    np.testing.assert_allclose(u.scaled_lengths(GROUPS.value) ** 2, square @ GROUPS.value**2, rtol=1e-12)
    u = Directions.draw_steps(GROUPS, rng, rng, 4000, "sphere")
    square = u.along**2 + u.across**2 + u.rest**2
    np.testing.assert_allclose(square.sum(axis=1), 36.0, rtol=1e-12)
    np.testing.assert_allclose(u.length, 6.0, rtol=1e-12)
    assert z_of(square, K) < 6
    assert z_of(square**2, K * (K + 2) * 36 / 38) < 6
    assert np.all(u.across[:, 0] == 0)
    assert np.all(u.rest[:, :2] == 0)


def test_noise_everywhere_has_an_entry_for_each_coordinate():
    rng = np.random.default_rng(0)
    w = _draw_vector_noise(GROUPS, rng, rng, 4000)
    assert z_of((w**2).sum(axis=1), K) < 6
    assert z_of((w**2).sum(axis=1) ** 2, K * (K + 2)) < 6
    assert z_of(w[:, 0] ** 2, 1.0) < 6
    assert np.all(w[:, 1:, 0] == 0)
    assert np.all(w[:, 2:, 1] == 0)
    assert np.all(w[:, 3, :3] == 0)


@pytest.mark.parametrize("distance", [0.0, 2.0])
def test_a_sample_measures_what_means_in_space_would(distance):
    """At D_0, x is x_0; at D = 0 it is the centre; at D aside of D_0 it is that far from it: each by its exact second moments."""
    n, excess, zero = 10.0, np.array([0.0, 0.3, 1.0, 3.0]), np.zeros(4)
    a, measured = GROUPS.value, []
    for r in range(3000):
        begun = Sample.draw_replicate(GROUPS, n, distance, 5, r).run_start(excess)
        points = [(begun.length, zero), (zero, zero), (zero, np.where(K > 1, 0.5, 0.0))]
        measured.append([begun.measures(p, q) for p, q in points] + [np.append(begun.length**2 @ a, [0, 0, 0])])
    at_start, at_centre, aside, length = np.moveaxis(np.array(measured), 1, 0)
    start = K * distance**2
    least = (n - 1) / n * a @ K / 2
    for point, train, test in (
        (at_start, start + K / n, start + K / n),  # |x_0 - m|^2, |x_0 - m'|^2
        (at_centre, K * excess / n, K * (2 + excess) / n),  # |c - m|^2, |c - m'|^2
        (aside, K * excess / n + 0.25 * (K > 1), K * (2 + excess) / n + 0.25 * (K > 1)),
    ):
        assert z_of(point[:, 0] ** 2, a**2 @ train) < 6
        assert z_of(point[:, 1] ** 2, a**2 @ test) < 6
        assert z_of(point[:, 2], a @ train / 2 + least) < 6
        assert z_of(point[:, 3], a @ test / 2 + least) < 6
    assert z_of(length[:, 0], a @ (start + K * (1 + excess) / n)) < 6
    # training and test means are not the same
    assert np.corrcoef(at_centre[:, 0], at_centre[:, 1])[0, 1] < 0.9


def test_samples_spread_about_their_own_mean(monkeypatch):
    """v is |A u| sqrt(1 - 1/n), and the error of a mean a share of what is not linear, over n."""
    seen = []
    monkeypatch.setattr(in_law_zeroth, "zeroth_order_steps", lambda *given: seen.append(given))
    one = Settings(np.array([0.1]), np.array([5]), np.array([1.0]), np.array([0.1]))
    for n in (10, np.inf):
        final_measures(("dpzero",), one, Conditions(GROUPS, n, replicates=1), threads=1)
    small, large = seen
    np.testing.assert_allclose(small[4], large[4] * np.sqrt(0.9), rtol=1e-12)
    np.testing.assert_allclose(small[13], in_law_zeroth.clipping_excess(GROUPS, 1.0, False, "sphere")[1] / 10, rtol=1e-12)
    assert large[13] == 0
