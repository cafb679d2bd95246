"""Cells of settings in law: what chose is not what tells, and the means of coupled runs are those without excess."""

import numpy as np

from paper_checks.dpzero.experiments import distribution_runs
from synthetic.distribution.quadratic import Conditions, final_measures
from synthetic.distribution.tuning import FRESH, TunedSetting
from synthetic.estimate import Interval
from synthetic.grids.settings import Settings
from synthetic.groups import group_eigenvalues

PAIR = [{"alpha": 0.3, "T": 4, "C": 0.5, "sigma": 0.02}, {"alpha": 0.1, "T": 6, "C": 2.0, "sigma": 0.1}]


def test_what_is_told_is_of_draws_that_chose_nothing_and_of_coupled_runs_without_excess(monkeypatch):
    settings = Settings(*(np.array([one[name] for one in PAIR]) for name in ("alpha", "T", "C", "sigma")))
    own, without = (
        final_measures(
            ("dpzero",), settings, Conditions(group_eigenvalues("inverse", 6), 100, replicates=5, seed=3 + FRESH, excess=excess)
        )["dpzero"]
        for excess in (True, False)
    )
    told = TunedSetting(**PAIR[0], measure="", error=Interval(1, 1, 1, 0.95), searched=1, values=own[:, :, 0])
    monkeypatch.setattr(distribution_runs, "tune", lambda *_, **__: told)
    shared = {"spectrum": "inverse", "d": 6, "n": 100, "replicates": 5, "seed": 3}
    chosen = distribution_runs.tune_cell(method="dpzero", T_max=10, accountant="lemma", epsilon=2.0, delta=1e-6, **shared)
    assert {name: chosen[name].item() for name in PAIR[0]} == PAIR[0]
    np.testing.assert_array_equal(chosen["values"], own[:, :, 0].T)
    spread = own[1, :, 0].std(ddof=1) / own[1, :, 0].mean()
    for narrow, replicates in ((10 * spread, 5), (0.9 * spread, 10), (1e-9, 320)):  # 1.24, 0.7, and 0.1 deviations
        more = distribution_runs.tune_cell(method="dpzero", T_max=10, accountant="lemma", epsilon=2.0, delta=1e-6, narrow=narrow, **shared)
        every = Conditions(group_eigenvalues("inverse", 6), 100, replicates=replicates, seed=3 + FRESH)
        np.testing.assert_array_equal(more["values"], final_measures(("dpzero",), settings, every)["dpzero"][:, :, 0].T)
    cell = distribution_runs.mean_cell("dpzero", settings=PAIR, **shared)
    found = distribution_runs.coupled_mean(**cell.arguments)["values"]
    np.testing.assert_array_equal(found, np.swapaxes(without, 0, 1))
    assert np.all(own[1] != without[1])
