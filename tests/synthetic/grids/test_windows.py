"""Windows of DP-GD steps end where single steps end, whatever guesses them, and pass over the data a few times each."""

import numpy as np
import pytest

from synthetic.grids import first_order
from synthetic.grids import windows as grid_windows
from synthetic.grids.first_order import Gradients, Samples
from synthetic.grids.grid import last_iterates
from synthetic.grids.settings import Centred, Settings
from synthetic.grids.windows import Linearisation, Slopes, run_window
from synthetic.objectives.sums import quadratic

N, D = 200, 6


@pytest.fixture(scope="module")
def place():
    rng = np.random.default_rng(5)
    samples = rng.standard_normal((N, D))
    a = np.stack([np.ones(D), 1.0 / np.arange(1, D + 1)])
    return a, samples - samples.mean(axis=0)


def steps(look, a, D0, step, noise, C, shared, of):
    """The recursion, a step at a time: the slow twin of a window."""
    points = [D0]
    for t in range(noise.shape[1]):
        G, _ = look(points[-1] * a, C, shared, of)
        points.append(points[-1] - step[:, None] * G - noise[:, t])
    return np.stack(points, axis=1)


@pytest.mark.parametrize("slope", [0.0, 0.3, "right"])
@pytest.mark.parametrize("scale", [0.1, 5.0])
def test_a_window_ends_where_its_steps_end_whatever_the_slopes(place, slope, scale, monkeypatch):
    """Columns that clip all, some and no samples, of two spectra; near rest and far from it."""
    monkeypatch.setattr(grid_windows, "PATIENCE", 12)  # without slopes a step more is right at every repetition
    a, z = place
    rng = np.random.default_rng(1)
    samples = Samples.from_centred(a, z, "double")
    look, of = Gradients(samples, None), np.array([0, 1, 0, 1])
    C, shared, step = np.array([1.0, 0.5, 2.0, 100.0]), np.array([True, False, False, False]), np.array([0.2, 0.3, 0.1, 0.2])
    D0, noise = scale * rng.standard_normal((4, D)), 0.02 * rng.standard_normal((4, 12, D))
    where = a[of], D0
    slopes = np.full((4, D), slope) if slope != "right" else Slopes(a, samples.z, samples.norm_sq)(D0 * a[of], C, shared, of)
    first = Linearisation(D0, look(D0 * a[of], C, shared, of)[0], slopes)
    found, D1, passes = [], D0, []
    for part in (noise[:, :5], noise[:, 5:]):  # the second one is guessed from where the first one ended
        one = run_window(look, a[of], D1, first, step, part, C, shared, of)
        found, D1, first = [*found, one.points], one.points[:, -1], one.place
        passes.append(one.passes)
        assert one.settled
    truth = steps(look, a[of], where[1], step, noise, C, shared, of)
    error = np.abs(np.concatenate([found[0], found[1][:, 1:]], axis=1) - truth)
    assert error.max() < grid_windows.SETTLED * np.abs(truth).max()
    assert slope != "right" or max(passes) <= 4
    np.testing.assert_allclose(first.gradient, look(truth[:, -2] * a[of], C, shared, of)[0], atol=1e-3 * scale)


def test_a_window_knows_its_nearest_sample(place):
    a, z = place
    samples = Samples.from_centred(a[:1], z, "double")
    look, one = Gradients(samples, None), np.ones(1)
    D0, of, shared = np.full((1, D), 2.0), np.zeros(1, np.int64), one > 0
    first = Linearisation(D0, look(D0, one, shared, of)[0], np.full((1, D), 0.3))
    found = run_window(look, a[:1], D0, first, 0.3 * one, np.zeros((1, 9, D)), one, shared, of)
    distances = [np.linalg.norm(point - z, axis=1).min() for point in found.points[0, :-1]]
    assert np.ptp(distances) > 0.1
    assert found.nearest[0] == pytest.approx(min(distances), rel=1e-3)


@pytest.mark.parametrize("shared", [True, False])
def test_slopes_are_the_derivatives_of_the_clipped_mean(place, shared, monkeypatch):
    """From all samples, against differences; of all clipped samples at C = 1, and of some at C = 2."""
    monkeypatch.setattr(grid_windows, "SPARSE", 1)
    a, z = place
    samples, of = Samples.from_centred(a, z, "double"), np.array([1])
    look, C, mask, point = Gradients(samples, None), np.array([1.0 if shared else 2.0]), np.array([shared]), np.linspace(-0.5, 0.7, D)[None]
    slope = Slopes(a, samples.z, samples.norm_sq)(point * a[of], C, mask, of)[0]
    for j in range(D):
        h = np.zeros((1, D))
        h[0, j] = 1e-6
        up, down = (look((point + sign * h) * a[of], C, mask, of)[0][0, j] for sign in (1, -1))
        assert slope[j] == pytest.approx((up - down) / 2e-6, rel=1e-4)


@pytest.mark.parametrize("T", [1, 2, 7, 150])
def test_runs_in_windows_end_where_single_steps_end(T, monkeypatch):
    """Settings that share a column, until one sample of one of them is not clipped, and horizons within a window."""
    objective = quadratic("inverse", 9, 300, seed=0)
    alpha, C = np.array([0.1, 0.3, 1.0, 0.3, 0.3, 0.03]), np.array([3.0, 1.0, 0.3, 1.0, 0.2, 50.0])
    horizons = np.array([T, T, T, max(1, T // 3), T, T])
    settings = Settings(alpha, horizons, C, 0.02 * C)
    truth = last_iterates(("dp_gd",), objective, settings, seed=4, replicates=1, precision="double", threads=1)["dp_gd"]
    looks = []
    look = Gradients.__call__

    def counted(self, E, *rest):
        looks.append(len(E))
        return look(self, E, *rest)

    monkeypatch.setattr(Gradients, "__call__", counted)
    found = last_iterates(("dp_gd",), objective, settings, seed=4, replicates=1, precision="single", threads=1)["dp_gd"]
    scale = np.abs(truth * Centred.from_objective(objective).a).max()
    np.testing.assert_allclose(found, truth, rtol=2e-5, atol=2e-5 * scale)
    if T == 150:
        assert len(looks) < 0.6 * T


def test_a_window_that_does_not_settle_is_made_shorter(monkeypatch):
    """With no patience every window fails, and single steps do it; with a tolerance of nothing likewise."""
    objective, settings = quadratic("flat", 5, 60, seed=0), Settings(np.array([0.3]), np.array([40]), np.array([1.0]), np.array([0.05]))
    truth = last_iterates(("dp_gd",), objective, settings, seed=4, precision="double")["dp_gd"]
    monkeypatch.setattr(grid_windows, "SETTLED", -1.0)
    monkeypatch.setattr(grid_windows, "PATIENCE", 1)
    found = last_iterates(("dp_gd",), objective, settings, seed=4, precision="single")["dp_gd"]
    np.testing.assert_allclose(found, truth, rtol=1e-5, atol=1e-6)
    assert first_order.window_length(1) > 1
