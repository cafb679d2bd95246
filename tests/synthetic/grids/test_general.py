"""The general grid engine equals `simulate` to the last bit and the exact engine to rounding, resumes, and a fault in it is noticed."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from synthetic.grids import general
from synthetic.grids.general import general_grid
from synthetic.grids.grid import METHODS, grid
from synthetic.grids.settings import Measures
from synthetic.methods.dp_zopo import DP_ZOO
from synthetic.methods.dpzero import DP_GD, DPZERO, KERNELS, MEZO
from synthetic.objectives.sums import cosine, quadratic
from synthetic.runs.simulate import simulate
from synthetic.sweeps.store import Store
from tests.synthetic.methods.test_record import MOMENTUM
from tests.synthetic.planted import faulty_module

ALPHAS, HORIZONS, CLIPS = [0.01, 0.1], [4, 20, 9], [0.3, 3.0]
SIGMA = 3e-2 * np.outer(np.sqrt(HORIZONS), CLIPS)
AXES = {"alphas": ALPHAS, "horizons": HORIZONS, "clips": CLIPS, "sigma": SIGMA}
TRAIN, TEST = (quadratic("inverse", 8, 40, seed=k) for k in (0, 1))
OTHER, OTHER_TEST = (cosine("inverse", 8, 40, seed=k) for k in (0, 1))


def check_against_simulate(run_grid, kernel, train, test, **more):
    found = run_grid(kernel, train, **AXES, test=test, seed=3, **more)
    settings = {name: value for name, value in more.items() if name not in ("threads", "store", "progress")}
    for i, alpha in enumerate(ALPHAS):
        for j, T in enumerate(HORIZONS):
            for k, C in enumerate(CLIPS):
                run = simulate(kernel, train, alpha=alpha, T=T, C=C, sigma=SIGMA[j, k], seed=3, **settings)
                value, gradient = test.value_and_gradient(run.x[0])
                assert found.grad_norm_train[i, j, k] == np.sqrt(run.grad_norm_sq[0, -1])
                assert found.loss_train[i, j, k] == run.loss[0, -1]
                assert found.grad_norm_test[i, j, k] == np.sqrt(np.sum(gradient**2))
                assert found.loss_test[i, j, k] == value
    return found


@pytest.mark.parametrize("threads", [1, 3])
def test_a_grid_equals_one_simulation_for_each_setting(threads):
    """Of a method with state, draws that last and settings of its own; on an objective that is no quadratic too."""
    found = check_against_simulate(general_grid, MOMENTUM, TRAIN, TEST, beta=0.5, F=2, threads=threads)
    assert found.settings == {"objective": TRAIN.name, "seed": 3, "engine": "general", "batch_size": None, "beta": 0.5, "F": 2}
    assert repr(found).startswith(f"Grid(momentum on {TRAIN.name}, general engine: 2 x 3 x 2 settings (alpha, T, C), sigma from ")
    if threads == 3:
        check_against_simulate(general_grid, DPZERO, OTHER, OTHER_TEST, direction="gaussian", batch_size=7, lam=0.1)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"sigma": float(noise[j, k])}', '"sigma": float(noise.reshape(noise.shape[::-1])[k, j])}'),
        ('"C": float(thresholds[k])', '"C": float(thresholds[-1 - k])'),
        ('"T": int(steps[j])', '"T": int(np.sort(steps)[j])'),
        ('**private, "seed": seed', '**private, "seed": seed + i'),
    ],
)
def test_a_fault_in_the_order_of_the_settings_is_noticed(old, new):
    faulty = faulty_module("synthetic/grids/general.py:general_grid", old, new)
    with pytest.raises(AssertionError):
        check_against_simulate(faulty.general_grid, DP_GD, TRAIN, TEST)


@pytest.mark.parametrize("method", METHODS)
def test_the_general_engine_equals_the_exact_one_to_rounding(method):
    one = general_grid(KERNELS[method], TRAIN, **AXES, test=TEST, seed=3, lam=0.5)
    two = grid(method, TRAIN, **AXES, test=TEST, seed=3)
    for name in Measures.NAMES:
        np.testing.assert_allclose(getattr(one, name), getattr(two, name), rtol=1e-10)
    for name in ("alphas", "horizons", "clips", "sigma", "dropped"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
        assert getattr(one, name).dtype == getattr(two, name).dtype


def test_runs_that_diverge_are_infinite_as_in_the_exact_engine():
    axes = {"alphas": [1e200, 0.1], "horizons": [5], "clips": [1.0], "sigma": [[1.0]]}
    for test in (None, TEST):
        one, two = general_grid(DP_GD, TRAIN, **axes, test=test), grid("dp_gd", TRAIN, **axes, test=test)
        for name in Measures.NAMES:
            np.testing.assert_allclose(getattr(one, name), getattr(two, name), rtol=1e-10)
        assert np.all(np.isinf(one.loss_train[0]))
        assert one.best("loss_train") == (1, 0, 0)


def test_a_method_that_is_not_private_has_a_grid_without_clips():
    found = general_grid(MEZO, TRAIN, alphas=[0.01, 0.1], horizons=[4, 9])
    assert found.loss_train.shape == (2, 2, 1)
    assert found.loss_train[1, 0, 0] == simulate(MEZO, TRAIN, alpha=0.1, T=4).loss[0, -1]
    assert [*found.clips] == [np.inf]
    assert np.all(np.isnan(found.loss_test))
    assert repr(found).endswith("2 x 2 x 1 settings (alpha, T, C), neither clipping nor noise)")


def test_a_grid_that_is_run_again_computes_only_what_is_missing(tmp_path, monkeypatch):
    ran = []
    real = general.measure_setting
    monkeypatch.setattr(general, "measure_setting", lambda *of, **settings: ran.append(settings["T"]) or real(*of, **settings))
    store = tmp_path / "grid.sqlite"
    first = general_grid(DP_GD, TRAIN, **AXES, test=TEST, store=store, threads=1)
    assert sorted(ran) == sorted(HORIZONS * 4)
    assert ran[0] == 20  # the longest runs begin first
    told = []
    again = general_grid(DP_GD, TRAIN, **AXES, test=TEST, store=str(store), progress=lambda *one: told.append(one))
    assert len(ran) == 12
    assert told == [(4 * sum(HORIZONS), 4 * sum(HORIZONS))]
    for name in Measures.NAMES:
        np.testing.assert_array_equal(getattr(first, name), getattr(again, name))
    with Store(store) as opened:
        wider = general_grid(DP_GD, TRAIN, **{**AXES, "alphas": [0.1, 0.5]}, test=TEST, store=opened)
    assert len(ran) == 12 + 6
    np.testing.assert_array_equal(wider.loss_test[0], first.loss_test[1])


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 1},
        {"test": None},
        {"batch_size": 7},
        {"objective": replace(TRAIN, data=TRAIN.data + 1e-12)},
        {"objective": replace(TRAIN, x0=TRAIN.x0 + 1e-12)},
        {"objective": replace(TRAIN, params=(TRAIN.params[0], TRAIN.params[1], 0.0))},
        {"method": replace(DP_GD, function=KERNELS["dpgd_0th"].function, draws=KERNELS["dpgd_0th"].draws)},
    ],
)
def test_what_a_result_depends_on_is_in_its_key(change, tmp_path):
    axes = {"alphas": [0.1], "horizons": [3], "clips": [1.0], "sigma": [[0.1]]}
    with Store(tmp_path / "grid.sqlite") as store:
        given = {"method": DP_GD, "objective": TRAIN, "test": TEST, "seed": 0}
        for one in (given, {**given, **change}):
            method, objective, *_ = one.values()
            general_grid(
                method, objective, **axes, **{key: value for key, value in one.items() if key not in ("method", "objective")}, store=store
            )
        assert len(store.keys()) == 2


def test_an_interrupted_grid_keeps_what_was_finished_and_stops(tmp_path):
    def interrupt(done, total):
        if done >= 60:
            raise KeyboardInterrupt

    store, told = tmp_path / "grid.sqlite", []
    with pytest.raises(KeyboardInterrupt):
        general_grid(DP_GD, TRAIN, **AXES, store=store, threads=1, progress=interrupt)
    whole = general_grid(DP_GD, TRAIN, **AXES, store=store, threads=1, progress=lambda *one: told.append(one))
    assert told[0][0] == 40  # two runs of 20 steps were finished
    np.testing.assert_array_equal(whole.loss_train, general_grid(DP_GD, TRAIN, **AXES).loss_train)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"method": "dpzero"}, "method = 'dpzero': the record of a kernel is needed, .*"),
        ({"method": DP_ZOO}, "method = 'dp_zoo': it has stages, each with its own step size and length; a grid needs a method without"),
        ({"method": MEZO}, "clips and sigma: mezo neither clips nor adds noise, leave them out"),
        ({"objective": None}, "objective = None: an objective is needed, .*"),
        ({"clips": None}, "clips = None, sigma = .*: dp_gd needs both, because it is private"),
        ({"sigma": SIGMA.T}, r"sigma has shape \(2, 3\): shape \(3, 2\) is needed, .*"),
        ({"sigma": -SIGMA}, "sigma has the entry -.*: numbers of at least 0 are needed"),
        ({"horizons": [2.5]}, r"horizons has the entry 2.5: integers of at least 1 are needed"),
        ({"test": quadratic("flat", 3, 5, 0)}, "test = .*: its x has 3 numbers; 8 are needed, as many as the objective's"),
        ({"alpha": 0.1}, "alpha = 0.1: it is given by alphas; leave it out"),
        ({"replicates": 3}, "replicates = 3: it is given by a grid, which runs each setting once; leave it out"),
        ({"batch_size": 41}, "batch_size = 41: at most n = 40 is needed"),
        ({"seed": -1}, "seed = -1: an integer of at least 0 is needed"),
        ({"threads": 0}, "threads = 0: an integer of at least 1 is needed"),
        ({"progress": 3}, "progress = 3: a function of two numbers, done and total, is needed"),
        ({"store": 3}, "store = 3: the path of a file is needed, .*"),
        ({"clips": [1e-200, 1.0]}, "C = 1e-200: at least 1e-150 is needed, .*"),
    ],
)
def test_what_is_impossible_is_said_before_any_run(given, sentence, monkeypatch):
    monkeypatch.setattr(general, "measure_setting", partial(pytest.fail, "it ran"))
    arguments = {"method": DP_GD, "objective": TRAIN, **AXES, **given}
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        general_grid(**arguments)
