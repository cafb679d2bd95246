"""The cells of the experiments: data of their own for tests, and draws of their own for every replicate."""

import inspect
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest

from figures.gauss_psgd import experiments
from synthetic.grids import grid
from synthetic.grids.settings import Measures
from synthetic.objectives.separable_saddles import random_phase_cosines
from synthetic.objectives.sums import quadratic
from synthetic.runs import escapes, psgd, selection
from synthetic.runs.psgd import gauss_psgd

GRID = {"d": 5, "n": 40, "seed": 3, "direction": "sphere", "precision": "double"}
RUN = {
    "oracle": "distributed_ada_dp_spider", "eta": 0.5, "chi": 0.05, "R": 0.3, "Gamma": 8, "Q": 2, "n": 2000, "b_1": 40, "b_2": 20,
    "sigma_1": 0.02, "sigma_2": 0.02, "kappa": 0.3,
}  # fmt: skip


def test_no_two_data_sets_are_the_same_and_the_seeds_are_those_that_are_printed():
    """Training seed 2k and test seed 2k + 1, as the JSON of every figure says."""
    drawn = []
    for k in (0, 1, 2, 5):
        train, test = grid.train_test_quadratics("flat", 3, 7, k)
        np.testing.assert_array_equal(train.data, quadratic("flat", 3, 7, 2 * k).data)
        np.testing.assert_array_equal(test.data, quadratic("flat", 3, 7, 2 * k + 1).data)
        drawn += [train.data, test.data]
    assert not any(np.array_equal(a, b) for a, b in combinations(drawn, 2))


@pytest.mark.parametrize("dataset", [0, 4])
def test_the_measures_of_a_cell_are_those_of_its_two_data_sets(dataset):
    """Training measures at the point are F_S's, test measures those of data that no step has seen."""
    numbers = {"method": ["dp_gd"], "spectrum": ["inverse"], "alpha": [0.2], "T": [6], "C": [2.0], "sigma": [0.05]}
    found = grid.replay_cell(**GRID, dataset=dataset, replicates=2, **numbers)["measures"]
    axes = {"alphas": [0.2], "horizons": [6], "clips": [2.0], "sigma": [[0.05]]}
    whole = grid.grid_cell(methods=["dp_gd"], spectrum="inverse", **GRID, dataset=dataset, **axes)
    train, test = (quadratic("inverse", 5, 40, 2 * dataset + k) for k in (0, 1))
    from synthetic.methods.dpzero import DP_GD
    from synthetic.runs.simulate import simulate

    run = simulate(DP_GD, train, alpha=0.2, T=6, C=2.0, sigma=0.05, seed=3, replicates=2)
    for r, x in enumerate(run.x):
        (f, g), (F, G) = train.value_and_gradient(x), test.value_and_gradient(x)
        wanted = {"grad_norm_train": np.linalg.norm(g), "grad_norm_test": np.linalg.norm(G), "loss_train": f, "loss_test": F}
        assert len({round(v, 6) for v in wanted.values()}) == 4  # so an exchange would be seen
        for m, name in enumerate(Measures.NAMES):
            assert found[m, r, 0] == pytest.approx(wanted[name], rel=1e-9)
            if r == 0:
                assert whole[f"dp_gd/{name}"][0, 0, 0] == pytest.approx(wanted[name], rel=1e-9)
    (f, g), (F, G) = train.value_and_gradient(train.x0), test.value_and_gradient(train.x0)
    wanted = {"grad_norm_train": np.linalg.norm(g), "grad_norm_test": np.linalg.norm(G), "loss_train": f, "loss_test": F}
    assert {name: float(whole[f"start/{name}"]) for name in wanted} == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize(("precision", "rtol"), [("double", 1e-9), ("single", 1e-4)])
def test_fresh_runs_of_several_methods_and_spectra_are_the_runs_that_they_name(precision, rtol):
    """In one cell, in no order, with replicates: each equals `simulate` on the data and the draws of its own."""
    from synthetic.methods.dpzero import KERNELS
    from synthetic.runs.simulate import simulate

    runs = [
        ("inverse", "dp_gd", 0.2, 60, 0.5), ("flat", "dpzero", 0.05, 150, 1.0), ("inverse_sqrt", "dpgd_0th", 0.1, 40, 3.0),
        ("flat", "dp_gd", 0.1, 6, 30.0), ("flat", "dpgd_0th", 0.05, 20, 0.3), ("inverse", "dpzero", 0.1, 150, 0.3),
        ("inverse", "dp_gd", 0.1, 7, 3.0), ("flat", "dpzero", 0.03, 9, 2.0),
    ]  # fmt: skip
    spectrum, method, alpha, T, C = (list(part) for part in zip(*runs, strict=True))
    numbers = {"spectrum": spectrum, "method": method, "alpha": alpha, "T": T, "C": C, "sigma": [0.02 + 0.01 * s for s in range(len(runs))]}
    found = grid.replay_cell(**GRID | {"precision": precision}, dataset=2, replicates=2, **numbers)["measures"]
    assert found.shape == (4, 2, len(runs))
    for s in range(len(runs)):
        train, test = (quadratic(spectrum[s], 5, 40, 4 + k) for k in (0, 1))
        run = simulate(KERNELS[method[s]], train, alpha=alpha[s], T=T[s], C=C[s], lam=0.5, sigma=numbers["sigma"][s], seed=3, replicates=2)
        for r, x in enumerate(run.x):
            (f, g), (F, G) = train.value_and_gradient(x), test.value_and_gradient(x)
            np.testing.assert_allclose(found[:, r, s], [np.linalg.norm(g), np.linalg.norm(G), f, F], rtol=rtol)


def test_every_replicate_of_a_descent_cell_has_draws_of_its_own():
    """From one start and by one seed: replicate r is the run with the seed plus r, and no two runs are the same."""
    start = [[0.0, 1.0, 0.7]] * 4
    found = psgd.descent_cell(landscape={"d": 3}, run=RUN, starts=start, seed=11)
    assert len(set(found["noise_sq"].tolist())) == 4
    place = random_phase_cosines(3)
    for r in range(4):
        one = gauss_psgd(place, **RUN, x0=np.array(start[0]), seed=11 + r)
        assert found["noise_sq"][r] == pytest.approx(np.mean(one.error[0] ** 2), rel=1e-12)
        assert found["steps"][r] == one.steps[0]
        assert found["samples"][r] == one.samples[0]
        assert found["fresh_calls"][r] == one.fresh_calls[0]
        assert found["status"][r] == one.status[0]
        assert found["error"][r] == (place.sosp_error(one.x[0]) if one.returned[0] else np.inf)


def test_every_replicate_of_the_other_cells_has_draws_of_its_own():
    noise = {"landscape": {"d": 3, "unstable_h": 1.5}, "eta": 0.5, "sigma": 0.1, "zeta": 0.1, "seed": 5}
    paths = escapes.path_cell(**noise, times=[3, 9], replicates=5)
    for name in ("distance", "drop", "apart"):
        assert len({tuple(row) for row in paths[name].tolist()}) == 5
    rules = {"above_threshold": {"epsilon": 1.0, "gradient_limit": 0.1, "curvature_limit": 0.1}}
    run = {"oracle": "exact", "eta": 0.5, "chi": 0.075, "R": 0.3, "Gamma": 12, "Q": 2, "zeta": 0.03, "sigma_1": 0.02}
    found = selection.selection_cell(landscape={"d": 3}, run=run, T=10, n=50, rules=rules, replicates=4, seed=5)
    assert len(set(found["above_threshold/gradient_noise"].tolist())) == 4


def test_the_cells_of_escapes_hold_the_runs_that_they_name():
    """Distance, drop of the value and distance of pairs at the times asked for; which runs escaped."""
    place = {"d": 3, "unstable_h": 1.5}
    noise = {"eta": 0.5, "sigma": 0.1, "zeta": 0.05, "replicates": 6, "seed": 5}
    landscape = random_phase_cosines(**place)
    runs, pairs = escapes.escape(landscape, T=9, **noise), escapes.couple(landscape, T=9, **noise)
    found = escapes.path_cell(landscape=place, **noise, times=[9, 2, 5])
    for k, t in enumerate((9, 2, 5)):
        np.testing.assert_array_equal(found["distance"][:, k], runs.distance[:, t])
        np.testing.assert_array_equal(found["drop"][:, k], runs.value[:, 0] - runs.value[:, t])
        np.testing.assert_array_equal(found["apart"][:, k], pairs.apart[:, t])
    R = float(np.median(runs.distance[:, 9]))
    escaped = escapes.escape_cell(landscape=place, **noise, R=R, Gamma=9)["escaped"]
    np.testing.assert_array_equal(escaped, runs.distance[:, 1:].max(axis=1) >= R)
    assert 0 < escaped.sum() < 6


def test_the_cell_of_the_selection_holds_what_each_rule_chose():
    """The run's own output, and for each rule the number and the error of its point and the noise of its first look."""
    run = {"oracle": "exact", "eta": 0.5, "chi": 0.075, "R": 0.3, "Gamma": 12, "Q": 2, "zeta": 0.03, "sigma_1": 0.02}
    noisy = {"sigma_gradient": 0.05, "sigma_hessian": 0.05}
    rules = {
        "proved": {**noisy, "gradient_limit": 0.4, "curvature_limit": 0.6},
        "printed": {**noisy, "gradient_limit": 1e-9, "curvature_limit": 0.1},
        "above_threshold": {"epsilon": 2.0, "gradient_limit": 0.4, "curvature_limit": 0.6},
    }  # fmt: skip
    found = selection.selection_cell(landscape={"d": 3}, run=run, T=25, n=300, rules=rules, replicates=3, seed=5)
    place = random_phase_cosines(3)
    runs = gauss_psgd(place, **run, limit=25, keep_points=True, replicates=3, seed=5)
    assert {name.split("/")[0] for name in found} == {"own", *rules}
    for r in range(3):
        assert found["own/error"][r] == (place.sosp_error(runs.x[r]) if runs.returned[r] else np.inf)
        points = runs.points[r, : runs.steps[r]]
        for name, numbers in rules.items():
            rule = selection.above_threshold if name == "above_threshold" else selection.select
            seen = rule(place, points, n=300, **numbers, seed=5, replicate=r)
            assert found[f"{name}/chosen"][r] == (-1 if seen.chosen is None else seen.chosen)
            error = np.inf if seen.chosen is None else place.sosp_error(points[seen.chosen])
            assert found[f"{name}/error"][r] == error
            assert found[f"{name}/gradient_noise"][r] == seen.gradient_noise[0]
            assert found[f"{name}/hessian_noise"][r] == seen.hessian_noise[0]
    assert set(found["printed/chosen"]) == {-1.0}
    assert np.all(found["proved/chosen"] >= 0)


def test_the_parts_of_an_experiment_share_no_seed_and_no_start():
    """Chunks of one point, points of one panel and panels of one figure."""
    t = experiments.task({"d": 2}, n=100_000, epsilon=4.0, delta=1e-5, knobs=experiments.Knobs(k_R=0.6))
    groups = [
        experiments.descent_cells(t, replicates=9, seed=experiments.child_seed(0, *keys), label="") for keys in ((0, 0), (0, 1), (1, 0))
    ]
    every = [cell.arguments for group in groups for cell in group]
    assert [len(one["starts"]) for one in every] == [4, 4, 1] * 3
    seeds = [one["seed"] + r for one in every for r in range(len(one["starts"]))]
    assert len(set(seeds)) == len(seeds)
    starts = [tuple(x) for one in every for x in one["starts"]]
    assert len(set(starts)) == len(starts)
    assert all(x[0] == 0.0 and 0.5 <= x[1] <= 1.5 for x in starts)
    of_the_runs = [x for one in every for x in np.random.default_rng(one["seed"]).uniform(0.5, 1.5, (len(one["starts"]), 2))[:, 1]]
    assert not {x[1] for x in starts} & set(of_the_runs)
    h = experiments.hardest_saddle(d=3, accuracy=0.25, log_factor=5)
    for made in (experiments.escape_cells(h, replicates=2500, seed=1), experiments.path_cells(h, times=[1, 2], replicates=1200, seed=1)):
        assert len({cell.arguments["seed"] for cell in made}) == len(made) == 3
        assert sum(cell.arguments["replicates"] for cell in made) == {"escape_cell": 2500, "path_cell": 1200}[made[0].task.split(":")[1]]


def test_a_seed_of_a_part_depends_on_every_key_and_on_the_seed():
    made = [experiments.child_seed(*keys) for keys in ((0,), (1,), (0, 0), (0, 1), (1, 0), (0, 0, 0), (0, 0, 1))]
    assert len(set(made)) == len(made)
    assert list(inspect.signature(experiments.child_seed).parameters) == ["seed", "keys"]


@pytest.mark.parametrize("method", ["gauss_psgd", "frozen_psgd"])
def test_the_cell_of_the_digits_scores_the_point_of_each_run_after_each_epoch(method, monkeypatch):
    """Runs of 1, 2 and 3 epochs, made up here: a returned point counts, or else the last iterate; the counts are those of the longest."""
    pytest.importorskip("sklearn")
    from synthetic.objectives import digits as module
    from synthetic.objectives.digits import digits_objective

    place, calls, points = digits_objective(clients=2, beta=1.5, clip=0.9), [], {}

    def made_up(landscape, **given):
        epoch = len(calls) + 1
        calls.append(given)
        x, last = np.random.default_rng(epoch).normal(0, 0.3, (2, 3, landscape.d))
        returned = np.array([True, False, epoch > 1])
        x[~returned] = np.nan
        points[epoch] = np.array([x[0], last[1], x[2] if epoch > 1 else last[2]])
        counts = {name: np.arange(3) + 10 * epoch + k for k, name in enumerate(("steps", "phases", "fresh_calls"))}
        return SimpleNamespace(x=x, last=last, returned=returned, **counts)

    monkeypatch.setattr(module, method, made_up)
    found = module.digits_cell(method=method, clients=2, beta=1.5, clip=0.9, epochs=3, run={"eta": 0.5}, replicates=3, seed=7)
    oracle = {"oracle": "distributed_ada_dp_spider"} if method == "gauss_psgd" else {}
    assert calls == [{"n": n, "replicates": 3, "seed": 7, "threads": 1, "eta": 0.5, **oracle} for n in (700, 1400, 2100)]
    points[0] = np.tile(place.landscape.x0, (3, 1))
    for epoch in range(4):
        for r, x in enumerate(points[epoch]):
            accuracy, loss = place.scores(x)
            assert (found["accuracy"][r, epoch], found["loss"][r, epoch]) == (accuracy, loss)
            assert found["train"][r, epoch] == place.landscape.value_and_gradient(x)[0]
    assert {name: found[name].shape for name in ("accuracy", "loss", "train")} == dict.fromkeys(("accuracy", "loss", "train"), (3, 4))
    assert [found[name].tolist() for name in ("steps", "phases", "fresh_calls")] == [[30, 31, 32], [31, 32, 33], [32, 33, 34]]
    assert found["returned"].tolist() == [True, False, True]
