"""DP-ZOPO: equal to its slow twin, its schedules and masks, and clear about what it cannot run."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from synthetic.kernels import dp_zoo
from synthetic.methods.dp_zopo import DP_ZOO, DP_ZOPO, DP_ZOSO, KERNELS, stage_lengths
from synthetic.methods.masks import importance_weights, kept_count
from synthetic.objectives.space import vector_space
from synthetic.objectives.sums import Objective, quadratic
from synthetic.runs.simulate import simulate
from tests.synthetic.methods import zopo_options as options

ROOT = Path(__file__).parents[3]
PLAIN = {"env": {**os.environ, "NUMBA_DISABLE_JIT": "1"}, "cwd": ROOT, "capture_output": True, "encoding": "utf-8", "check": False}
OBJECTIVE = quadratic("inverse", 8, 5, 0)
RUN = {"alpha": 0.1, "T": 7, "C": 1.0, "sigma": 0.1}


def test_every_option_equals_its_twin():
    """Without the compiler, which would take longer than all of them; what it makes of the loop, the next tests and the ledger see."""
    done = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:xdist", "tests/synthetic/methods/zopo_options.py"], **PLAIN)
    assert done.returncode == 0, done.stdout[-3000:]
    assert f"{len(options.EVERY) + 1} passed" in done.stdout


def test_what_is_compiled_equals_its_twin_too_and_is_compiled_once(monkeypatch):
    before = len(dp_zoo.signatures)
    for kernel, one in (options.EVERY[3], options.EVERY[-2], options.EVERY[-1]):
        options.test_stages_equal_their_twin(kernel, one, monkeypatch)
    options.test_one_stage_is_algorithm_2()
    assert len(dp_zoo.signatures) - before <= 2  # of the two objectives


def staged(stages=1, **given):
    return stage_lengths(vector_space(8), {"stages": stages, "alpha": 1.0, "lam": 1.0, "T": 7, **given})


def test_stages_double_and_the_last_takes_the_rest():
    assert staged(T=7000, stages=3) == (1000, 2000, 4000)
    assert staged(T=6000, stages=3) == (857, 1714, 3429)
    assert staged(T=11000, stages=5) == (355, 710, 1419, 2839, 5677)
    for S in range(1, 9):
        for T in range(2**S - 1, 2**S + 60):
            parts = staged(T=T, stages=S)
            assert sum(parts) == T
            assert parts[:-1] == tuple(round(T * 2**s / (2**S - 1)) for s in range(S - 1))
            assert min(parts) >= 1


def test_schedules_halve_the_step_and_widen_the_smoothing():
    o, given = quadratic("flat", 3, 2, 0), {"C": 1.0, "sigma": 0.1, "seed": 1}
    short = simulate(DP_ZOSO, o, alpha=0.2, T=7, lam=0.01, widening=10, stages=3, **given)
    long = simulate(DP_ZOSO, o, alpha=(0.2, 0.1, 0.05), T=[1, 2, 4], lam=np.array([0.01, 0.1, 1.0]), stages=3, **given)
    np.testing.assert_allclose(short.loss, long.loss, rtol=1e-12)
    assert long.settings["T"] == (1, 2, 4)
    assert long.loss.shape == (1, 8)
    assert repr(long).startswith("Run(dp_zoso on quadratic, flat spectrum, d = 3: 1 x 7 (replicates, steps), ")
    assert simulate(DP_ZOO, o, alpha=0.1, T=2, **given).stage_x.shape == (1, 1, 3)


def test_a_run_that_leaves_the_finite_numbers_hands_on_nothing():
    run = simulate(DP_ZOPO, quadratic("flat", 4, 2, 0), alpha=(1e-3, 1e200), T=(3, 4), C=1e150, sigma=0.1, stages=2, rates=0.5,
                   score="random", seed=1)  # fmt: skip
    assert 3 <= run.steps[0] < 7
    assert np.all(np.isfinite(run.stage_loss[0, 0]))
    assert np.all(np.isnan(run.stage_loss[0, 1]))
    assert np.all(np.isnan(run.stage_x[0, 1]))
    assert np.all(np.isnan(run.kept[0, 1]))
    assert np.all(np.isnan(run.loss[0, run.steps[0] + 1 :]))


def test_masks_keep_what_is_large_break_ties_by_place_and_grow():
    scores = np.array([3.0, 1.0, 3.0, -5.0, 2.0])
    np.testing.assert_array_equal(importance_weights(scores, 0.2), [1, 0, 0, 0, 0])
    np.testing.assert_array_equal(importance_weights(scores, 0.5), [1, 0, 1, 0, 1])
    np.testing.assert_allclose(importance_weights(scores, 0.6, weights="rank"), [1.2, 0, 1.2 - 0.4 / 3, 0, 1.2 - 0.8 / 3])
    grown = importance_weights(scores, 0.4, before=np.array([0, 0, 0, 0.7, 0]), weights="rank", upper=2.0, lower=1.0)
    np.testing.assert_allclose(grown, [2.0, 0, 0, 1.5, 0])  # the old one has the least score
    assert [kept_count(rate, d) for rate, d in ((0.07, 100), (0.01, 2000), (0.3, 10), (1e-9, 5), (1.0, 7), (0.0701, 100))] == [
        7,
        20,
        3,
        1,
        7,
        8,
    ]
    with pytest.raises(
        ValueError, match=r"^rate = 0.2: it keeps 1 coordinates, and the mask before has 2; a rate that does not decrease is"
    ):
        importance_weights(scores, 0.2, before=np.array([0, 1, 1, 0, 0]))


def test_a_mask_that_need_not_grow_may_stay_as_large():
    run = simulate(DP_ZOPO, quadratic("flat", 4, 2, 0), alpha=0.1, T=(1, 1, 1), C=1.0, sigma=0.1, stages=3, rates=(0.25, 0.5, 0.5),
                   strategy="incremental", score="random", seed=1)  # fmt: skip
    assert [np.count_nonzero(one) for one in run.kept[0]] == [1, 2, 2]
    assert np.all(run.kept[0, 1] == run.kept[0, 2])


def test_a_suffix_is_the_rounded_share_of_a_stage():
    given = {"alpha": 0.1, "C": 1.0, "sigma": 0.1, "seed": 2, "lam": 0.1}
    mean = simulate(DP_ZOO, quadratic("flat", 3, 2, 0), T=6, output="suffix", tail=0.6, **given).x
    path = [simulate(DP_ZOO, quadratic("flat", 3, 2, 0), T=T, **given).x for T in (3, 4, 5, 6)]  # 3.6 of 6 are 4
    np.testing.assert_allclose(mean, np.mean(path, axis=0), rtol=1e-10)


@pytest.mark.parametrize("part", [True, False])
def test_a_step_that_leaves_the_ball_ends_on_it(part):
    """What is tuned is shortened, so that with what is not it is as long as the radius."""
    o = replace(OBJECTIVE, x0=np.ones(8)) if part else replace(OBJECTIVE, x0=np.ones(8), part=None)
    given = {"alpha": 50.0, "T": 1, "C": 1.0, "sigma": 1.0, "rates": 0.5, "score": np.arange(8.0), "seed": 1}
    free, ball = (simulate(DP_ZOPO, o, radius=one, **given).x[0] for one in (None, 3.0))
    assert np.linalg.norm(free) > 6
    np.testing.assert_array_equal(ball[:4], 1)
    np.testing.assert_allclose(ball[4:], free[4:] * np.sqrt(9 - 4) / np.linalg.norm(free[4:]), rtol=1e-12)


def test_what_is_done_where_a_setting_is_left_out():
    left = {one.name: one.default for one in DP_ZOPO.all_settings if not one.needed}
    assert left == {
        "C": None, "sigma": None, "lam": 1e-4, "replicates": 1, "seed": 0, "batch_size": None, "direction": "gaussian", "stages": 1,
        "widening": 1.0, "P": 1, "anchor": None, "regulariser": "explicit", "radius": None, "output": "last", "tail": 0.5,
        "sampling": "without_replacement", "strategy": "static", "weights": "pruning", "upper": 1.2, "lower": 0.8, "score": "synflow",
        "score_P": 1, "score_lam": 1e-3,
    }  # fmt: skip


def test_on_its_part_an_objective_is_itself():
    o, kept = quadratic("inverse", 9, 4, 3), np.array([1, 4, 5])
    rng = np.random.default_rng(0)
    x = rng.standard_normal(9)
    data, params = o.part(x, kept)
    assert data.flags.c_contiguous
    part = Objective("part", data, params, o.loss, o.gradient, o.value_gradient, x0=x[kept], optimum=x[kept], constants={})
    for _ in range(5):
        y = x.copy()
        y[kept] = rng.standard_normal(3)
        value, gradient = o.value_and_gradient(y)
        np.testing.assert_allclose(part.value_and_gradient(y[kept])[0], value, rtol=1e-13)
        np.testing.assert_allclose(part.value_and_gradient(y[kept])[1], gradient[kept], rtol=1e-13)
        np.testing.assert_array_equal(np.delete(gradient, kept), np.delete(o.value_and_gradient(x)[1], kept))


@pytest.mark.parametrize(
    ("kernel", "given", "sentence"),
    [
        (DP_ZOSO, {"stages": 4}, "T = 7, stages = 4: at least 2^4 - 1 steps are needed, because stages double"),
        (DP_ZOSO, {"stages": 10**9}, "T = 7, stages = 1000000000: at least 2^1000000000 - 1 steps are needed, because stages double"),
        (DP_ZOSO, {"stages": 3, "T": (2, 4)}, "T = (2, 4): a number, or 3 of them, one for each stage, is needed"),
        (DP_ZOSO, {"alpha": ()}, "alpha = (): a number, or 1 of them, one for each stage, is needed"),
        (DP_ZOSO, {"stages": 2, "T": (2, 0)}, "T = 0: an integer of at least 1 is needed"),
        (DP_ZOSO, {"stages": 2, "lam": (0.1, -1)}, "lam = -1: a finite number above 0 is needed"),
        (DP_ZOO, {"alpha": (0.1,)}, "alpha = (0.1,): one number is needed, because dp_zoo has stages; only methods without stages take a "
         "value for each step"),
        (DP_ZOSO, {"radius": 0.5}, "radius = 0.5: at least |x0| = 2.82843 is needed, because the run starts in the ball"),
        (DP_ZOSO, {"radius": 2.8}, "radius = 2.8: at least |x0| = 2.82843 is needed, because the run starts in the ball"),
        (DP_ZOSO, {"tail": 1.5}, "tail = 1.5: a number above 0 and at most 1 is needed"),
        (DP_ZOPO, {"rates": (0.1, 0.2)}, "rates = (0.1, 0.2): a number, or 1 of them, one for each stage, is needed"),
        (DP_ZOPO, {"rates": 0.0}, "rates = 0.0: a number above 0 and at most 1 is needed"),
        (DP_ZOPO, {"rates": (0.1, 0.2), "stages": 2}, "rates = (0.1, 0.2): one number is needed, because the static mask never changes"),
        (DP_ZOPO, {"rates": (0.4, 0.2), "stages": 2, "strategy": "incremental"},
         "rates = (0.4, 0.2): rates that do not decrease are needed, because an incremental mask contains the one before"),
        (DP_ZOPO, {"rates": 0.2, "upper": 0.5}, "upper = 0.5, lower = 0.8: an upper weight of at least the lower one is needed"),
        (DP_ZOPO, {"rates": 0.2, "score": np.ones(7)}, "score has shape (7,): shape (8,), or (1, 8), is needed"),
        (DP_ZOPO, {"rates": 0.2, "score": "best"}, "score = 'best': one of synflow, synflow_exact, random is needed"),
    ],
)  # fmt: skip
def test_what_cannot_be_run_is_said_before_it_is_tried(kernel, given, sentence):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        simulate(kernel, replace(OBJECTIVE, x0=np.ones(8)), **{**RUN, **given})
    assert str(error.value) == sentence


def test_the_kernels_by_name():
    assert list(KERNELS) == ["dp_zoo", "dp_zoso", "dp_zopo"]
    assert {"stages", "widening"}.isdisjoint(one.name for one in DP_ZOO.all_settings)
    assert [one.name for one in DP_ZOSO.all_settings[:6]] == ["alpha", "T", "C", "lam", "sigma", "replicates"]
