"""DP-GD settings that are left out of a grid: what is foretold for them, by how much it is off, and that none was the best."""

import numpy as np
import pytest
from scipy import stats

from paper_checks.dpzero.experiments.figure_runs import PAPER
from synthetic.distribution.first_order import RULE, transforms_of
from synthetic.draws import NOISE, generator
from synthetic.grids import candidates as grid_law
from synthetic.grids.candidates import likely_best_mask, linearise_at_mean, predict_offsets
from synthetic.grids.grid import grid_cell, last_iterates, train_test_quadratics
from synthetic.grids.settings import Centred, Measures, Settings
from synthetic.kernels.clipped_weight import mean_clip_factors
from synthetic.objectives.sums import quadratic

HORIZONS = (10, 40, 160, 640)


def settings_of_the_figure(n):
    """Table 6 with four of its horizons, and the noise of n samples: four times as much at n = 2,500 as at 10,000."""
    sigma = PAPER.sigma()[[PAPER.horizons.index(T) for T in HORIZONS]] * PAPER.n / n
    axes = {"alphas": np.array(PAPER.alphas), "horizons": np.array(HORIZONS), "clips": np.array(PAPER.clips), "sigma": sigma}
    return axes, Settings.product(*axes.values())


def clipped_mean(e, y, C):
    g = e - y
    return np.mean(g * np.minimum(1.0, C / np.linalg.norm(g, axis=1))[:, None], axis=0)


@pytest.mark.parametrize("spectrum", ["flat", "inverse"])
def test_at_rest_the_mean_gradient_and_its_slopes_are_those_of_the_data(spectrum, monkeypatch):
    """By differences of the clipped mean gradient, and by the deviation of every sample's slope; also where rows come in pieces."""
    centred, clips = Centred.from_objective(quadratic(spectrum, 6, 90, seed=1)), np.array([0.3, 1.5, 2.5, 90.0])
    monkeypatch.setattr(grid_law, "ROWS", 32)
    y = centred.samples * centred.a[0]
    pull, slope, deviation = linearise_at_mean(centred, clips)
    worst = 0.0
    for c, C in enumerate(clips):
        np.testing.assert_allclose(pull[c], clipped_mean(np.zeros(6), y, C), atol=1e-13)
        for j in range(6):
            shift = np.zeros(6)
            shift[j] = 1e-6
            of_sample = np.array([(clipped_mean(shift, one[None], C)[j] - clipped_mean(-shift, one[None], C)[j]) / 2e-6 for one in y])
            assert slope[c, j] == pytest.approx(of_sample.mean(), rel=1e-6)
            worst = max(worst, of_sample.std() / of_sample.mean() / np.sqrt(len(y)))
    assert deviation == pytest.approx(worst, rel=1e-6)
    assert linearise_at_mean(centred, clips[3:])[2] < 1e-8


def test_what_is_foretold_is_the_recursion_that_is_written(monkeypatch):
    """Step by step in plain Python, with the weights of the law at every step; in chunks, and in any order of the settings."""
    monkeypatch.setattr(grid_law, "TOLERANCE", 1e-15)
    monkeypatch.setattr(grid_law, "CHUNK_BYTES", 8 * 5 * 7)
    centred = Centred.from_objective(quadratic("inverse", 5, 300, seed=0))
    settings = Settings(np.array([0.5, 0.1, 1.0]), np.array([9, 20, 1]), np.array([0.4, 2.0, 0.4]), np.array([0.05, 0.0, 0.3]))
    clips = np.unique(settings.C)
    pull, slope, _ = linearise_at_mean(centred, clips)
    found = predict_offsets(centred, settings, clips, pull, slope, 4)
    a, groups = centred.a[0], grid_law.group_eigenvalues(centred.a[0])
    assert groups.exact
    transforms = transforms_of(groups)
    z, at_last = generator(4, 0, NOISE).standard_normal((20, 5)), np.empty(grid_law.transforms_of(groups).extra.shape)
    for s in range(3):
        c = int(np.searchsorted(clips, settings.C[s]))
        power, scales, omega, log_r, log_i, H_r, H_i = transforms.tables(clips)
        D = centred.start.copy()
        for t in range(settings.T[s]):
            rule = (scales, omega, log_r, log_i, H_r[c], H_i[c], *RULE, transforms.extra, at_last)
            mean_clip_factors(a**2, np.ones(5), D**2, settings.C[s], power, *rule)
            ratio = at_last @ transforms.basis / transforms.optimum_weights(float(settings.C[s]), 1)
            D = D - settings.alpha[s] * (ratio * (slope[c] * a * D + pull[c]) + settings.sigma[s] * z[t])
        np.testing.assert_allclose(found[s], D, rtol=1e-9)


def test_what_never_clips_is_foretold_exactly():
    objective = quadratic("inverse_sqrt", 30, 200, seed=0)
    settings = Settings(np.array([0.1, 0.7]), np.array([30, 55]), np.full(2, 1e4), np.array([0.02, 0.3]))
    clips = np.unique(settings.C)
    centred = Centred.from_objective(objective)
    found = predict_offsets(centred, settings, clips, *linearise_at_mean(centred, clips)[:2], 6)
    np.testing.assert_allclose(found, last_iterates(("dp_gd",), objective, settings, seed=6)["dp_gd"][0], rtol=1e-9, atol=1e-12)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("spectrum", "d", "n", "dataset", "seed"),
    [("flat", 50, 2000, 0, 0), ("inverse", 50, 2000, 1, 1), ("inverse_sqrt", 50, 500, 2, 0), ("inverse", 20, 500, 3, 2),
     ("flat", 200, 2000, 4, 0), ("inverse", 200, 2000, 5, 3)],
)  # fmt: skip
def test_the_best_of_the_whole_grid_is_among_those_that_are_run(spectrum, d, n, dataset, seed):
    """By every measure; all that is left out is worse by more than the two errors that are allowed could hide, up to the errors found."""
    axes, settings = settings_of_the_figure(n)
    how = {"methods": ["dp_gd"], "spectrum": spectrum, "d": d, "n": n, "dataset": dataset, "seed": seed, "direction": "sphere"}
    whole = grid_cell(**how, **axes, precision="single")
    some = grid_cell(**how, **axes, precision="single", likely=True)
    train, test = train_test_quadratics(spectrum, d, n, dataset)
    measures, centred = Measures.from_objectives(train, test), Centred.from_objective(train)
    kept = np.isfinite(some["dp_gd/loss_test"])
    np.testing.assert_array_equal(kept.ravel(), likely_best_mask(centred, measures, settings, seed))
    assert 1 <= kept.sum() < len(settings) / (4 if n >= 2000 else 2)
    clips = np.unique(settings.C)
    pull, slope, deviation = linearise_at_mean(centred, clips)
    told = measures.evaluate(predict_offsets(centred, settings, clips, pull, slope, seed))
    for k, name in enumerate(Measures.NAMES):
        real, least = whole[f"dp_gd/{name}"], (0.0, 0.0, measures.spread_train, measures.spread_test)[k]
        assert kept.ravel()[np.argmin(real)]
        np.testing.assert_allclose(some[f"dp_gd/{name}"][kept], real[kept], rtol=1e-4)
        off = np.abs(grid_law.ROOTS[k] * np.log((real.ravel() - least) / (told[k] - least)))
        near = real.ravel() - least < 9 * (real.min() - least)  # far from the best errors of more than a few per cent decide nothing
        assert np.all(off[near] < grid_law.MARGIN + 4 * deviation)
        assert np.median(off[near]) < grid_law.MARGIN


@pytest.mark.parametrize(("measure", "by", "left_out"), [(None, 0.9, False), (None, 1.1, True), (0, 1.1, False), (3, 1.1, False)])
def test_a_setting_is_left_out_where_it_is_worse_by_more_than_both_errors_by_every_measure(measure, by, left_out, monkeypatch):
    """Two settings of different C; the second is foretold to be worse by a share of both errors, but perhaps by one measure."""
    centred = Centred.from_objective(quadratic("flat", 3, 50, seed=0))
    settings = Settings(np.ones(2), np.ones(2, np.int64), np.array([0.5, 1.0]), np.zeros(2))
    error = grid_law.MARGIN + grid_law.DEVIATIONS * linearise_at_mean(centred, settings.C)[2]
    lengths = np.full((4, 2), 5.0)
    lengths[:, 1] *= np.exp(by * 2 * error)
    if measure is not None:
        lengths[measure, 1] = 5.0
    told = lengths ** (1 / grid_law.ROOTS[:, None])
    monkeypatch.setattr(grid_law, "predict_offsets", lambda *_: np.zeros((2, 3)))
    measures = Measures(np.ones(3), np.arange(3.0), 7e9, 8e9)

    def of(self, D):
        np.testing.assert_array_equal(self.shift, measures.shift)
        return told + np.array([[0.0], [0.0], [self.spread_train], [self.spread_test]])

    monkeypatch.setattr(Measures, "evaluate", of)
    assert likely_best_mask(centred, measures, settings, 0).tolist() == [True, not left_out]


def test_a_setting_that_diverges_is_no_error_and_not_the_best(monkeypatch):
    monkeypatch.setattr(grid_law, "predict_offsets", lambda *_: np.array([[np.inf] * 3, [0.1] * 3]))
    settings = Settings(np.ones(2), np.ones(2, np.int64), np.array([0.5, 1.0]), np.zeros(2))
    measures = Measures(np.ones(3), np.zeros(3), 1.0, 1.0)
    assert likely_best_mask(Centred.from_objective(quadratic("flat", 3, 50, seed=0)), measures, settings, 0).tolist() == [False, True]


def test_the_probability_that_is_stated():
    """For every C and group of every cell, both sides of a normal law."""
    groups = [
        len(grid_law.group_eigenvalues(quadratic(s, d, 2, seed=0).eigenvalues).value) for s in PAPER.spectra for d in PAPER.dimensions
    ]
    assert sum(groups) * len(PAPER.clips) < 10_000
    assert 2 * stats.norm.sf(grid_law.DEVIATIONS) * 10_000 < 1e-9


@pytest.mark.parametrize(("spectrum", "d"), [("flat", 20), ("inverse", 20), ("inverse_sqrt", 200)])
def test_weights_of_what_is_hardly_ever_clipped_are_one(spectrum, d):
    """Also where the threshold is far beyond the law: 1 there, and rising to it without a jump."""
    transforms = transforms_of(grid_law.group_eigenvalues(quadratic(spectrum, d, 2, seed=0).eigenvalues))
    lengths = np.sqrt(transforms.groups.size @ transforms.groups.value**2) * np.array([1.0, 1.5, 2, 3, 4, 5, 6, 10, 100, 1e4])
    found = np.array([transforms.optimum_weights(float(C), 1) for C in lengths])
    assert np.all(np.diff(found, axis=0) > -3e-4)
    np.testing.assert_allclose(found[-3:], 1.0, rtol=1e-14)
    assert np.all(found[0] < 0.98)
