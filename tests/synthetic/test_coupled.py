"""Runs that share their draws with a run on data: equal to it where nothing is clipped, near it where it is, and otherwise unbiased."""

import numpy as np
import pytest

from synthetic.coupled import coupled_cell
from synthetic.grid import replay_cell
from synthetic.grid_settings import Settings
from synthetic.groups import grouped
from synthetic.in_law import Conditions, last

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


@pytest.mark.slow
def test_with_clipping_the_difference_varies_far_less_than_the_runs():
    """Forty datasets, test gradient norms; a standard deviation is known to 11 %, so that a factor of 2 has many."""
    data, law = np.moveaxis([both([0.3, 2.0, 0.8, 0.4, 2.0, 3.0], d=25, n=2000, dataset=k, seed=100 + k) for k in range(40)], 1, 0)
    values, difference = data[:, 1, 0], (data - law)[:, 1, 0]
    assert np.all(difference.std(axis=0) < 0.5 * values.std(axis=0))
    error = difference.std(axis=0, ddof=1) / np.sqrt(40)
    assert np.all(np.abs(difference.mean(axis=0)) < 5 * error + 0.02 * values.mean(axis=0))


@pytest.mark.slow
def test_their_mean_is_that_of_runs_in_law_without_excess():
    """Six settings, two norms, 300 datasets: |z| < 6, a false alarm below 3e-8; one per mille is allowed for bins and weights."""
    C = [0.3, 2.0, 0.8, 0.4, 2.0, 3.0]
    setting = {**SETTING, "C": C, "sigma": [0.02] * 6}
    law = np.array([coupled_cell(**setting, d=8, n=100, dataset=k, seed=k, direction="sphere")["measures"][:2, 0] for k in range(300)])
    for k, (method, spectrum) in enumerate(zip(METHODS, SPECTRA, strict=True)):
        one = Settings(*(np.array([setting[name][k]]) for name in ("alpha", "T", "C", "sigma")))
        c = Conditions(grouped(spectrum, 8), 100, seed=5, replicates=4000, excess=False)
        expected = last((method,), one, c)[method][:2, :, 0]
        error = np.hypot(law[:, :, k].std(axis=0) / np.sqrt(300), expected.std(axis=1) / np.sqrt(4000))
        assert np.all(np.abs(law[:, :, k].mean(axis=0) - expected.mean(axis=1)) < 6 * error + 1e-3 * expected.mean(axis=1))
