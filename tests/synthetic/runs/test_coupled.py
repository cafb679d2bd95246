"""Runs that share their draws with a run on data: equal to it where nothing is clipped, near it where it is, and otherwise unbiased."""

import numpy as np
import pytest
from scipy import stats

from synthetic.distribution.quadratic import Conditions, final_measures
from synthetic.grids.grid import replay_cell, train_test_quadratics
from synthetic.grids.settings import Centred, Settings
from synthetic.groups import group_eigenvalues
from synthetic.runs.coupled import coupled_cell

METHODS = ["dpzero", "dpgd_0th", "dp_gd", "dpzero", "dp_gd", "dpgd_0th"]
SPECTRA = ["inverse", "inverse", "inverse", "flat", "flat", "flat"]

SETTING = {"method": METHODS, "spectrum": SPECTRA, "alpha": [0.3, 0.02, 0.5, 0.04, 0.6, 0.003], "T": [70, 40, 30, 55, 30, 70]}


def both(C, *, d, n, dataset, seed, direction="sphere"):
    shared = {**SETTING, "C": C, "sigma": [0.02 * min(one, 5.0) for one in C], "direction": direction}
    shared |= {"d": d, "n": n, "dataset": dataset, "seed": seed}
    return replay_cell(**shared, replicates=1, precision="double")["measures"], coupled_cell(**shared)["measures"]


@pytest.mark.parametrize("direction", ["sphere", "gaussian"])
def test_without_clipping_both_are_one_run(direction):
    data, law = both([1e5] * 6, d=12, n=60, dataset=3, seed=7, direction=direction)
    np.testing.assert_allclose(law, data, rtol=1e-9)


def test_a_setting_is_the_same_alone_and_among_others():
    setting = {**SETTING, "spectrum": ["inverse"] * 6, "T": SETTING["T"][::-1], "C": [0.3, 2.0, 0.8, 0.4, 2.0, 3.0], "sigma": [0.02] * 6}
    shared = {"d": 6, "n": 40, "dataset": 3, "seed": 7, "direction": "sphere"}
    every = coupled_cell(**setting, **shared)["measures"]
    for k in range(6):
        alone = coupled_cell(**{name: [values[k]] for name, values in setting.items()}, **shared)["measures"]
        np.testing.assert_allclose(alone[..., 0], every[..., k], rtol=1e-9)


@pytest.mark.parametrize(("method", "direction", "C"), [("dpzero", "sphere", 0.7), ("dpgd_0th", "gaussian", 1e-6)])
def test_a_step_is_the_mean_of_clipped_normals_with_the_variance_of_the_samples(method, direction, C):
    """In one dimension, where directions are signs; or lengths besides, which nothing clipped depends on."""
    setting = {"method": [method], "spectrum": ["flat"], "alpha": [0.5 / C], "T": [1], "C": [C], "sigma": [0.0]}
    found = coupled_cell(**setting, d=1, n=10, dataset=3, seed=5, direction=direction)["measures"]
    start = Centred.from_objective(train_test_quadratics("flat", 1, 10, 3)[0]).start[0]
    y = np.sqrt(0.9) * stats.norm.ppf((np.arange(10**5) + 0.5) / 10**5)
    assert found[0].item() == pytest.approx(abs(start - 0.5 / C * np.clip(start - y, -C, C).mean()), rel=1e-3)


@pytest.mark.verify
def test_with_clipping_the_difference_varies_far_less_than_the_runs():
    """Forty datasets, test gradient norms; a standard deviation is known to 11 %, so that a factor of 2 has many."""
    data, law = np.moveaxis([both([0.3, 2.0, 0.8, 0.4, 2.0, 3.0], d=25, n=2000, dataset=k, seed=100 + k) for k in range(40)], 1, 0)
    values, difference = data[:, 1, 0], (data - law)[:, 1, 0]
    assert np.all(difference.std(axis=0) < 0.5 * values.std(axis=0))
    error = difference.std(axis=0, ddof=1) / np.sqrt(40)
    assert np.all(np.abs(difference.mean(axis=0)) < 5 * error + 0.02 * values.mean(axis=0))


@pytest.mark.verify
def test_their_mean_is_that_of_runs_in_law_without_excess():
    """Six settings, two norms, 300 datasets: |z| < 6, a false alarm below 3e-8; one per mille is allowed for bins and weights."""
    C = [0.3, 2.0, 0.8, 0.4, 2.0, 3.0]
    setting = {**SETTING, "C": C, "sigma": [0.02] * 6}
    law = np.array([coupled_cell(**setting, d=8, n=100, dataset=k, seed=k, direction="sphere")["measures"][:2, 0] for k in range(300)])
    for k, (method, spectrum) in enumerate(zip(METHODS, SPECTRA, strict=True)):
        one = Settings(*(np.array([setting[name][k]]) for name in ("alpha", "T", "C", "sigma")))
        c = Conditions(group_eigenvalues(spectrum, 8), 100, seed=5, replicates=4000, excess=False)
        expected = final_measures((method,), one, c)[method][:2, :, 0]
        error = np.hypot(law[:, :, k].std(axis=0) / np.sqrt(300), expected.std(axis=1) / np.sqrt(4000))
        assert np.all(np.abs(law[:, :, k].mean(axis=0) - expected.mean(axis=1)) < 6 * error + 1e-3 * expected.mean(axis=1))
