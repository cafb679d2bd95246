"""DP-GRAPE and its relatives: equal to their slow twins, small in memory, and clear about what they cannot run."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from synthetic.draws import generator
from synthetic.methods.dp_grape import (
    DP_ADAM,
    DP_GALORE,
    DP_GRAPE,
    DP_GRAPE_BLOCKS,
    DP_SGD,
    GALORE,
    KERNELS,
    draw_projections,
    projected_shape,
    projection_layout,
)
from synthetic.objectives.matrices import matrix_quadratic
from synthetic.objectives.space import Space, matrix_space
from synthetic.objectives.sums import quadratic
from synthetic.runs.simulate import batches_of, simulate
from tests.synthetic.methods import grape_options as options

ROOT = Path(__file__).parents[3]
PLAIN = {"env": {**os.environ, "NUMBA_DISABLE_JIT": "1"}, "cwd": ROOT, "capture_output": True, "encoding": "utf-8", "check": False}


def test_every_option_equals_its_twin_and_every_gradient_its_difference():
    """Without the compiler, which would take longer than all of them; what it makes of the loops, the next test and the ledger see."""
    files = ["tests/synthetic/methods/grape_options.py", "tests/synthetic/objectives/matrix_losses.py"]
    done = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:xdist", *files], **PLAIN)
    assert done.returncode == 0, done.stdout[-3000:]
    assert done.stdout.count(".") >= len(options.EVERY) + 20  # one each


def test_what_is_compiled_equals_its_twin_too(monkeypatch):
    options.test_dp_grape_equals_its_twin(options.EVERY[-1], monkeypatch)
    options.test_dp_grape_equals_its_twin(next(one for one in options.EVERY if one["moments"] == "reprojected"), monkeypatch)
    large = matrix_quadratic("inverse", 2 * 64 * 48, 2, 0, m=64, layers=2)  # products of the library
    for side in ("smaller", "left"):
        run = simulate(DP_GRAPE, large, alpha=0.1, T=1, C=1e100, sigma=0.0, r=16, side=side)
        P = draw_projections(generator(0, 0, 4), (1, 2 * 16 * (48 if side == "smaller" else 64)), {"r": 16}).reshape(2, -1, 16)
        gradient = large.shape.parts(large.value_and_gradient(large.x0)[1])
        steps = [G @ p @ p.T if side == "smaller" else p @ (p.T @ G) for G, p in zip(gradient, P, strict=True)]
        np.testing.assert_allclose(run.x[0], large.x0 - 0.1 * large.shape.flat(steps), rtol=1e-10)


MEMORY = """
import tracemalloc
from synthetic.methods.dp_grape import DP_GRAPE
from synthetic.objectives.matrices import matrix_quadratic
from synthetic.runs.simulate import simulate

o = matrix_quadratic("flat", 60 * 60, 12, 0, m=60)
peaks = []
for B in (1, 2, 12):  # the first imports what is needed
    tracemalloc.start()
    simulate(DP_GRAPE, o, alpha=0.1, T=1, C=1.0, sigma=0.1, r=2, update="adam", batch_size=B, threads=1)
    peaks.append(tracemalloc.get_traced_memory()[1] / (8 * o.d))
    tracemalloc.stop()
print(*peaks[1:])
"""


def test_no_gradients_of_all_samples_are_kept_at_once():
    """Peak memory in gradients of one sample: no more for 12 samples than for 2, while they would be 12 of them."""
    done = subprocess.run([sys.executable, "-c", MEMORY], **PLAIN)
    assert done.returncode == 0, done.stderr
    small, large = map(float, done.stdout.split())
    assert large - small < 0.1
    assert large < 8


def test_layouts_of_matrices_and_vectors():
    space = Space(((3, 5), (5, 3), (4,)))
    np.testing.assert_array_equal(
        projection_layout(space, {"r": 2, "side": "smaller"}), [[3, 5, 1, 0, 0], [3, 5, 0, 15, 10], [0, 4, 1, 30, 20]]
    )
    np.testing.assert_array_equal(
        projection_layout(space, {"r": 2, "side": "left"}), [[3, 5, 1, 0, 0], [5, 3, 1, 15, 10], [0, 4, 1, 30, 16]]
    )
    assert projected_shape(space, {"layout": projection_layout(space, {"r": 2, "side": "left"}), "r": 2}) == (20,)


def test_orthonormal_projections_are_scaled_and_uniform():
    known = {"r": 2, "projection": "orthonormal", "layout": projection_layout(matrix_space((5, 7)), {"r": 2, "side": "left"})}
    P = draw_projections(np.random.default_rng(0), (4000, 10), known).reshape(-1, 5, 2)
    np.testing.assert_allclose(np.swapaxes(P, 1, 2) @ P, np.broadcast_to(2.5 * np.eye(2), (4000, 2, 2)), atol=1e-12)
    share = P[:, 0, 0] ** 2 / 2.5  # of a uniform direction in R^5 the square of a coordinate is Beta(1/2, 2)
    assert stats.kstest(share, stats.beta(0.5, 2).cdf).pvalue > 1e-6
    assert abs(P[:, 0, 0].mean()) < 6 * np.sqrt(0.5 / 4000)  # both signs: the mean square of an entry is 1/2


def test_poisson_batches():
    rows = batches_of(np.random.default_rng(0), 20_000, 10, 3, True)
    there = np.zeros((20_000, 10), dtype=bool)
    for row, drawn in zip(there, rows, strict=True):
        row[drawn[drawn >= 0]] = True
    assert np.all(there.sum(axis=1) == (rows >= 0).sum(axis=1))  # none twice
    sizes = np.bincount(there.sum(axis=1), minlength=11)
    expected = 20_000 * stats.binom.pmf(np.arange(11), 10, 0.3)
    assert stats.chisquare(np.append(sizes[:8], sizes[8:].sum()), np.append(expected[:8], expected[8:].sum())).pvalue > 1e-6
    assert np.abs(there.mean(axis=0) - 0.3).max() < 6 * np.sqrt(0.21 / 20_000)
    assert abs(np.corrcoef(there[:, 0], there[:, 9])[0, 1]) < 6 / np.sqrt(20_000)
    assert np.all(batches_of(np.random.default_rng(0), 5, 4, 1, True)[:, 0] >= -1)


OBJECTIVE = matrix_quadratic("inverse", 2 * 4 * 6, 5, 0, m=4, layers=2)
RUN = {"alpha": 0.1, "T": 3}
PRIVATE = {"C": 1.0, "sigma": 0.1}
VECTOR = quadratic("inverse", 8, 5, 0)


@pytest.mark.parametrize(
    ("kernel", "objective", "given", "sentence"),
    [
        (DP_GRAPE, OBJECTIVE, {"r": 5}, "r = 5: at most 4 is needed, the projected side of the matrix of shape (4, 6)"),
        (DP_GRAPE, OBJECTIVE, {"r": 0}, "r = 0: an integer of at least 1 is needed"),
        (DP_GRAPE, OBJECTIVE, {"r": 2, "F": 0}, "F = 0: an integer of at least 1 is needed"),
        (DP_GRAPE, OBJECTIVE, {"r": 2, "batch_size": 6}, "batch_size = 6: at most n = 5 is needed"),
        (DP_GRAPE, OBJECTIVE, {"r": 2, "beta1": 1.0}, "beta1 = 1.0: a number of at least 0 and below 1 is needed"),
        (DP_GRAPE, OBJECTIVE, {"r": 2, "phi": 0.0}, "phi = 0.0: a finite number above 0 is needed"),
        (DP_GRAPE, OBJECTIVE, {"r": 2, "moments": "old"}, "moments = 'old': one of kept, reset, reprojected is needed"),
        (DP_GRAPE, OBJECTIVE, {"r": 2, "sampling": "all"}, "sampling = 'all': one of without_replacement, poisson is needed"),
        (DP_GRAPE, VECTOR, {"r": 2}, "shape = ((8,),): at least one matrix is needed, because vectors are not projected"),
        (DP_GALORE, replace(OBJECTIVE, shape=matrix_space((12, 4))), {"r": 5, "side": "left"},
         "r = 5: at most 4 is needed, the projected side of the matrix of shape (12, 4)"),
        (DP_GRAPE_BLOCKS, replace(OBJECTIVE, shape=Space(((5, 9), (3,)))), {"r": 4},
         "r = 4: at most 3 is needed, the number of entries of the smallest block of shape ((5, 9), (3,))"),
        (DP_GRAPE_BLOCKS, OBJECTIVE, {"r": 2, "noise": "none"}, "noise = 'none': one of fresh, shared is needed"),
    ],
)  # fmt: skip
def test_what_cannot_be_run_is_said_before_it_is_tried(kernel, objective, given, sentence):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        simulate(kernel, objective, **RUN, **PRIVATE, **given)
    assert str(error.value) == sentence


def test_defaults_and_what_a_method_lacks():
    run = simulate(DP_GRAPE, OBJECTIVE, r=2, **RUN, **PRIVATE)
    own = {name: run.settings[name] for name in ("r", *(one.name for one in DP_GRAPE.own[1:]))}
    assert own == {
        "r": 2, "F": 1, "update": "sgd", "beta1": 0.9, "beta2": 0.999, "phi": 1e-8, "moments": "kept", "side": "smaller",
        "refresh": "start", "sampling": "without_replacement", "projection": "gaussian",
    }  # fmt: skip
    with pytest.raises(ValueError, match="C and sigma: galore neither clips nor adds noise, leave them out"):
        simulate(GALORE, OBJECTIVE, r=2, **RUN, **PRIVATE)
    for kernel in (DP_SGD, DP_ADAM):
        with pytest.raises(TypeError, match="r = 2: no such argument"):
            simulate(kernel, OBJECTIVE, r=2, **RUN, **PRIVATE)
    assert list(KERNELS) == ["dp_grape", "dp_grape_blocks", "dp_sgd", "dp_adam", "galore", "dp_galore"]


def test_a_record_that_is_not_finite_counts_as_nothing_and_a_run_that_diverges_says_where():
    far = np.full((5, 48), 1e200)  # whose squares overflow
    far[:4] = OBJECTIVE.data[:4]
    run = simulate(DP_GRAPE, replace(OBJECTIVE, data=far), r=2, **RUN, **PRIVATE, batch_size=5)
    assert np.all(np.isfinite(run.x))
    assert np.all(run.clipped >= 0.2)
    diverged = simulate(DP_GRAPE, OBJECTIVE, alpha=1e60, T=10, r=2, C=1e100, sigma=0.0)
    assert 1 < diverged.steps[0] < 10
    assert np.all(np.isnan(diverged.loss[0, diverged.steps[0] + 1 :]))
    assert f"1 diverged, the first in step {diverged.steps[0] + 1}, taken at the last finite step" in repr(diverged)


def test_a_sample_whose_projection_is_no_number_counts_as_clipped():
    """Sums of infinities of both signs are NaN, which no comparison with C tells."""
    o = matrix_quadratic("flat", 12, 4, 0, m=3)
    data = np.array(o.data)
    data[1] = 1.79e308
    run = simulate(DP_GRAPE, replace(o, data=data), alpha=0.1, T=1, C=1e6, sigma=0.0, r=2, replicates=50)
    assert np.all(run.clipped[:, 0] == 0.25)
    assert np.all(np.isfinite(run.x))
