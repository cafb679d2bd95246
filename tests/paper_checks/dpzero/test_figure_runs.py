import csv
from concurrent.futures import Future
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from bounds import privacy
from paper_checks.dpzero.experiments.figure_runs import (
    METHODS,
    PAPER,
    PREVIEW,
    Experiment,
    best_setting,
    expected_replays,
    grid_cells,
    replay_cells,
    run_experiment,
)
from synthetic.grids.grid import grid_cell, replay_cell
from synthetic.grids.settings import Measures
from synthetic.methods.dpzero import DP_GD
from synthetic.objectives.sums import quadratic
from synthetic.runs.simulate import simulate
from synthetic.sweeps.store import Store


def test_the_grid_is_table_6():
    assert len(PAPER.alphas) * len(PAPER.horizons) * len(PAPER.clips) == 880
    assert PAPER.dimensions == (20, 50, 100, 200, 500, 1000, 2000)
    assert PREVIEW.dimensions[-1] == 200
    np.testing.assert_allclose(PAPER.sigma() / np.outer(np.sqrt(PAPER.horizons), PAPER.clips), 1.07735e-3, rtol=1e-5)
    cells = grid_cells(PAPER)
    assert len({cell.key for cell in cells.values()}) == 3 * 7 * 2


def test_the_exact_accountant_needs_less_noise():
    ratio = PAPER.sigma() / Experiment(accountant="exact").sigma()
    np.testing.assert_allclose(ratio, privacy.lemma_2_2_ratio(2.0, 1e-6), rtol=1e-9)


def test_fresh_runs_share_no_seed_with_the_grid_or_each_other():
    cells = replay_cells(PAPER, 20, [("flat", "dpzero", 0, 0, 0)])
    datasets = {cell.arguments["dataset"] for cell in cells}
    seeds = {cell.arguments["seed"] for cell in cells}
    assert len(datasets) == len(seeds) == PAPER.fresh_datasets >= 3
    assert PAPER.fresh_datasets * PAPER.fresh_replicates >= 10
    assert 0 not in datasets
    assert PAPER.seed not in seeds


def test_fresh_runs_are_expected_by_their_labels_and_at_about_the_costs_that_the_winners_of_figure_1_have():
    """The winners are those of the committed figure."""
    with (Path(__file__).parents[3] / "figures" / "gallery" / "dpzero-1.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    expected = expected_replays(PAPER)
    for d in PAPER.dimensions:
        winners = []
        for p in (p for p in rows if int(p["d"]) == d):
            numbers = [
                getattr(PAPER, axis).index(float(p[name])) for axis, name in (("alphas", "alpha"), ("horizons", "T"), ("clips", "C"))
            ]
            winners.append((p["spectrum"], p["method"], *numbers))
        cells = replay_cells(PAPER, d, winners)
        assert {cell.label for cell in cells} == {f"fresh runs, d = {d}"}
        assert len(cells) == expected.pop(f"fresh runs, d = {d}").count
    assert not expected
    assert [one.count for one in expected_replays(PAPER, ("dp_gd",)).values()] == [5] * 7


def test_cells_agree_with_each_other():
    """A replay on the grid's own dataset and seed gives the grid's value."""
    e = Experiment(dimensions=(6,), n=80, horizons=(4, 30), alphas=(0.01, 0.1), clips=(0.5, 5.0))
    sigma = e.sigma()
    for method, precision in (("dpzero", "double"), ("dp_gd", "double")):
        grid = grid_cell(
            methods=[method], spectrum="inverse", d=6, n=80, dataset=0, seed=0, alphas=e.alphas, horizons=e.horizons, clips=e.clips,
            sigma=sigma.tolist(), direction="sphere", precision=precision,
        )  # fmt: skip
        again = replay_cell(
            method=[method], spectrum=["inverse"], d=6, n=80, dataset=0, seed=0, replicates=1, alpha=[0.1], T=[30], C=[0.5],
            sigma=[float(sigma[1, 0])], direction="sphere", precision=precision,
        )["measures"]  # fmt: skip
        for m, name in enumerate(("grad_norm_train", "grad_norm_test", "loss_train", "loss_test")):
            assert again[m, 0, 0] == pytest.approx(grid[f"{method}/{name}"][1, 1, 0], rel=1e-10)


@pytest.mark.parametrize(
    ("change", "name"),
    [({"n": 0}, "n"), ({"alphas": ()}, "alphas"), ({"clips": (1.0, -1.0)}, "clips"), ({"spectra": ("steep",)}, "spectrum"),
     ({"accountant": "magic"}, "accountant"), ({"fresh_datasets": 1}, "fresh_datasets"), ({"delta": 0.0}, "delta")],
)  # fmt: skip
def test_bad_experiments_are_refused(change, name):
    with pytest.raises(ValueError, match=f"^{name}"):
        Experiment(**change)


class Here:
    """An executor that computes in this process."""

    def submit(self, function, *arguments):
        future = Future()
        future.set_result(function(*arguments))
        return future


def test_the_points_are_the_best_of_the_grid_and_fresh_runs_of_its_setting(tmp_path):
    """Every number of a small experiment of DP-GD, by `simulate`, one setting and one data set at a time."""
    e = Experiment(dimensions=(4, 6), spectra=("inverse",), n=60, horizons=(3, 9), alphas=(0.03, 0.1, 0.3), clips=(1.0, 3.0),
                   epsilon=0.5, fresh_datasets=3, fresh_replicates=2, seed=4)  # fmt: skip
    with Store(tmp_path / "s.sqlite") as store:
        found = run_experiment(e, store, Here(), methods=("dp_gd",))
    sigma = e.sigma()
    assert {(p.d, p.measure) for p in found.points} == {(d, m) for d in (4, 6) for m in Measures.NAMES}
    assert {p.method for p in found.points} == {"dp_gd"}

    def seen(d, dataset, seed, setting, r, replicates):
        i, j, k = setting
        train, test = (quadratic("inverse", d, 60, 2 * dataset + one) for one in (0, 1))
        run = simulate(DP_GD, train, alpha=e.alphas[i], T=e.horizons[j], C=e.clips[k], sigma=sigma[j, k], seed=seed, replicates=replicates)
        (f, g), (F, G) = (o.value_and_gradient(run.x[r]) for o in (train, test))
        return {"grad_norm_train": np.linalg.norm(g), "grad_norm_test": np.linalg.norm(G), "loss_train": f, "loss_test": F}

    for d in (4, 6):
        settings = [(i, j, k) for i in range(3) for j in range(2) for k in range(2)]
        values = {setting: seen(d, 0, 4, setting, 0, 1) for setting in settings}
        for p in (p for p in found.points if p.d == d):
            winner = min(settings, key=lambda setting: values[setting][p.measure])
            i, j, k = winner
            assert (p.alpha, p.T, p.C, p.sigma) == (e.alphas[i], e.horizons[j], e.clips[k], sigma[j, k])
            assert p.best == pytest.approx(values[winner][p.measure], rel=1e-5)
            assert (p.settings, p.fresh_runs) == (12, 6)
            fresh = [np.mean([seen(d, 1 + c, 5 + c, winner, r, 2)[p.measure] for r in range(2)]) for c in range(3)]
            half = stats.t.isf(0.025, 2) * np.std(fresh, ddof=1) / np.sqrt(3)
            assert (p.fresh.value, p.fresh.low, p.fresh.high) == pytest.approx(
                (np.mean(fresh), np.mean(fresh) - half, np.mean(fresh) + half), rel=1e-4
            )
            assert p.fresh.value != pytest.approx(p.best, rel=1e-3)
        train, test = (quadratic("inverse", d, 60, one) for one in (0, 1))
        for name, o, gradient in (
            ("grad_norm_train", train, 1),
            ("grad_norm_test", test, 1),
            ("loss_train", train, 0),
            ("loss_test", test, 0),
        ):
            value = o.value_and_gradient(np.zeros(d))
            assert found.start["inverse", d, name] == pytest.approx(np.linalg.norm(value[1]) if gradient else value[0], rel=1e-12)


@pytest.mark.verify
def test_fresh_runs_of_a_dimension_begin_when_its_grid_is_done_and_a_run_resumes_to_the_same_points(tmp_path):
    """All methods and two spectra: the order of the cells, and the points after any part of them was lost or computed elsewhere."""
    e = Experiment(dimensions=(3, 5), spectra=("flat", "inverse"), n=40, horizons=(3, 9), alphas=(0.03, 0.1), clips=(1.0, 3.0),
                   fresh_datasets=2, fresh_replicates=2, seed=2)  # fmt: skip
    asked, order = Here(), []

    def submit(function, *arguments):
        order.append((arguments[0].partition(":")[2], arguments[1]["d"]))
        return Here().submit(function, *arguments)

    asked.submit = submit
    with Store(tmp_path / "s.sqlite") as store:
        seen = []
        whole = run_experiment(e, store, asked, progress=lambda stage, p: seen.append((p.done, p.total)))
        assert seen == [(done, 12) for done in range(13)]  # eight cells of the grid and four of fresh runs, from the beginning
        assert {d: sum(one == ("grid_cell", d) for one in order) for d in e.dimensions} == {3: 4, 5: 4}
        for d in e.dimensions:
            again = [place for place, one in enumerate(order) if one == ("replay_cell", d)]
            assert len(again) == e.fresh_datasets
            assert min(again) > max(place for place, one in enumerate(order) if one == ("grid_cell", d))
        assert {(p.method, p.spectrum, p.d, p.measure) for p in whole.points} == set(
            product(METHODS, e.spectra, e.dimensions, Measures.NAMES)
        )
        everything = len(order)
        assert run_experiment(e, store, asked) == whole
        assert len(order) == everything
        store.forget(sorted(store.keys())[::2])
        assert run_experiment(e, store, asked) == whole
        assert len(order) == everything + -(-everything // 2)
    with Store(tmp_path / "t.sqlite") as store:
        assert run_experiment(e, store, workers=2) == whole


@pytest.mark.parametrize(("method", "rounding"), [("dp_gd", 4e-7), ("dpzero", 1e-12)])
def test_of_settings_that_agree_up_to_rounding_the_smallest_alpha_wins_on_every_processor(method, rounding):
    table = np.full((3, 2, 2), 5.0)
    table[0, 0, 0], table[1, 1, 0], table[2, 0, 1] = np.nan, 2.0, 2.0
    for a, b in ((1, 1 + rounding), (1 + rounding, 1)):
        near = table * np.array([1.0, a, b])[:, None, None]
        assert best_setting(method, near) == (1, 1, 0)
    table[2, 0, 1] = 2 - 1e-5
    assert best_setting(method, table) == (2, 0, 1)
