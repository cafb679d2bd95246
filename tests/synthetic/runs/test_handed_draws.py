"""What the loop of every method is handed, seen by a loop that does nothing: draws that share nothing, batches, chunks and settings.

A loop that keeps its arguments takes the place of the compiled one, so that nothing is compiled and every method can be tried.
"""

import copy
import math
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest

from synthetic.draws import BATCHES, OUTPUT
from synthetic.methods.dp_grape import KERNELS as GRAPE
from synthetic.methods.dp_zopo import KERNELS as ZOPO
from synthetic.methods.dpzero import KERNELS as FIRST
from synthetic.objectives.matrices import matrix_quadratic
from synthetic.objectives.space import matrix_space
from synthetic.objectives.sums import quadratic
from synthetic.runs import simulate as module
from synthetic.runs.simulate import simulate

KERNELS = FIRST | GRAPE | ZOPO
N, T, REPLICATES = 9, 24, 3
PLACES = {
    "vector": quadratic("inverse", 12, N, 5, x0=np.linspace(1.0, 2.0, 12)),
    "matrix": replace(matrix_quadratic("inverse", 12, N, 5, m=3), shape=matrix_space((4, 2), (2, 2))),
}
STAGES = {"stages": 2}
OWN = {
    "dp_grape": {"r": 2, "F": 3}, "dp_grape_blocks": {"r": 2}, "galore": {"r": 2, "F": 3}, "dp_galore": {"r": 2, "F": 3},
    "dp_zoo": {"P": 2}, "dp_zoso": {"P": 2, **STAGES},
    "dp_zopo": {"P": 2, **STAGES, "rates": 0.5, "strategy": "dynamic", "score": "random"},
}  # fmt: skip


def place_of(name):
    return PLACES["matrix" if name in GRAPE else "vector"]


def handed(monkeypatch, name, *, chunk_bytes=None, **changed):
    """Return the run, and what its loop is handed: by replicate a list of chunks, arguments by name."""
    kernel, calls = copy.copy(KERNELS[name]), []

    def keep(*given):
        named = dict(zip(kernel.takes, given, strict=True))
        calls.append({key: value.copy() if isinstance(value, np.ndarray) else value for key, value in named.items()})
        named["value"][:] = named["grad_norm_sq"][:] = 1.0
        return len(named["value"])

    assert kernel.takes  # known before the loop is replaced
    object.__setattr__(kernel, "function", keep)
    if chunk_bytes:
        monkeypatch.setattr("synthetic.draws.CHUNK_BYTES", chunk_bytes)
    settings = {"alpha": 0.1, "T": T, "replicates": REPLICATES, "seed": 4, "threads": 1, **OWN.get(name, {})}
    settings |= {"C": 1.0, "sigma": 0.1} if kernel.private else {}
    run = simulate(kernel, place_of(name), **settings | changed)
    steps = [len(one["value"]) for one in calls]
    ends = np.cumsum(steps)
    of = (ends - 1) // (run.loss.shape[1] - 1)
    return run, [[one for one, r in zip(calls, of, strict=True) if r == k] for k in range(len(run.steps))]


def drawn(kernel, chunks):
    """Return the numbers of each draw of a replicate in their order; rows that stay from one chunk to the next count once."""
    found = {}
    for draw in kernel.draws:
        rows = [one[draw.name].reshape(len(one[draw.name]), -1) for one in chunks]
        whole = [rows[0]] + [now[1:] if np.array_equal(now[0], before[-1]) else now for before, now in pairwise(rows)]
        found[draw.name] = np.concatenate([one.ravel() for one in whole])
    return found


def related(one, other):
    """Whether two arrays of draws share numbers, or go up and down together: beyond six deviations of what independent ones do."""
    size = min(len(one), len(other))
    if size < 12:
        return bool(set(one.tolist()) & set(other.tolist()))
    a, b = one[:size], other[:size]
    correlation = np.corrcoef(a, b)[0, 1]
    return bool(set(np.abs(one).tolist()) & set(np.abs(other).tolist())) or abs(correlation) > 6 / math.sqrt(size)


@pytest.mark.parametrize("name", sorted(KERNELS))
def test_draws_of_replicates_roles_and_seeds_are_unrelated_and_none_comes_twice(name, monkeypatch):
    """Of 3 replicates, all roles of each, and another seed; 24 steps, in parts as well: correlations of 24 numbers and more."""
    arrays = {}
    for seed in (4, 5):
        _, replicates = handed(monkeypatch, name, seed=seed, chunk_bytes=800)
        assert len(replicates) == REPLICATES
        for r, chunks in enumerate(replicates):
            for role, numbers in drawn(KERNELS[name], chunks).items():
                assert len(set(numbers.tolist())) > 0.9 * len(numbers), (role, "repeats itself")
                arrays[seed, r, role] = numbers
    data = place_of(name).data.ravel()
    for one, other in combinations(arrays, 2):
        assert not related(arrays[one], arrays[other]), (one, other)
    for key, numbers in arrays.items():
        assert not related(numbers, data - data.mean()), key


@pytest.mark.parametrize("name", sorted(KERNELS))
def test_every_step_has_its_own_draws_however_they_are_cut(name, monkeypatch):
    """Rows of one step are none of another's, but for those that stay for as many steps as are asked; cut or not, they are the same."""
    kernel = KERNELS[name]
    whole, parts = (handed(monkeypatch, name, chunk_bytes=size)[1] for size in (2**23, 800))
    for one, other in zip(whole, parts, strict=True):
        a, b = drawn(kernel, one), drawn(kernel, other)
        for draw in kernel.draws:
            np.testing.assert_array_equal(a[draw.name], b[draw.name], draw.name)
            for chunk in one:
                rows = [row.tobytes() for row in chunk[draw.name]]
                assert len(set(rows)) == len(rows)
    if kernel.draws:
        assert max(len(chunks) for chunks in parts) > max(len(chunks) for chunks in whole)


@pytest.mark.parametrize("name", sorted(KERNELS))
def test_batches_are_drawn_anew_at_every_step_by_replicates_of_their_own(name, monkeypatch):
    _, replicates = handed(monkeypatch, name, batch_size=4)
    seen = []
    for chunks in replicates:
        rows = np.concatenate([one["batch"] for one in chunks])
        assert rows.shape == (T, 4)
        assert all(len(set(row)) == 4 for row in rows.tolist())
        assert set(rows.ravel().tolist()) == set(range(N))
        seen.append(rows)
    for a, b in combinations(seen, 2):  # two independent orders of 4 of 9 agree in a step with a probability of 1/3024
        assert sum(np.array_equal(x, y) for x, y in zip(a, b, strict=True)) <= 1
    for rows in seen:
        assert sum(np.array_equal(x, y) for x, y in pairwise(rows)) <= 1
    _, replicates = handed(monkeypatch, name)
    assert all(one["batch"].tolist() == [list(range(N))] for chunks in replicates for one in chunks)
    if "nominal" in KERNELS[name].takes:
        _, replicates = handed(monkeypatch, name, batch_size=4, sampling="poisson")
        sizes = np.concatenate([(one["batch"] >= 0).sum(axis=1) for chunks in replicates for one in chunks])
        assert all(one["nominal"] == 4 for chunks in replicates for one in chunks)
        assert len(set(sizes.tolist())) > 2
        deviation = math.sqrt(4 * (1 - 4 / N) / len(sizes))
        assert abs(sizes.mean() - 4) < 5 * deviation
        assert all(len(set(row[row >= 0])) == (row >= 0).sum() for chunks in replicates for one in chunks for row in one["batch"])


@pytest.mark.parametrize("name", sorted(KERNELS))
def test_every_setting_reaches_the_loop_or_what_it_is_handed(name, monkeypatch):
    """A setting that changes nothing of what the loop is given is one that is silently ignored."""
    plain = fingerprint(*handed(monkeypatch, name))
    assert plain == fingerprint(*handed(monkeypatch, name))
    ignored = IGNORED.get(name, set()) | (set() if KERNELS[name].private else {"C", "sigma"})  # these are refused
    for setting in KERNELS[name].all_settings:
        if setting.name in ignored:
            continue
        other, besides = CHANGED[setting.name]
        other = {"sphere": "gaussian", "gaussian": "sphere"}[setting.default] if setting.name == "direction" else other
        base = fingerprint(*handed(monkeypatch, name, **besides)) if besides else plain
        assert fingerprint(*handed(monkeypatch, name, **besides, **{setting.name: other})) != base, setting.name


IGNORED = {"dp_gd": {"lam", "direction"}}  # the methods of DPZero are called alike; this one takes no differences along directions
CHANGED = {  # another value, and what has to be given besides
    "alpha": (0.3, {}), "T": (12, {}), "C": (2.0, {}), "sigma": (0.7, {}), "lam": (0.01, {}), "replicates": (2, {}), "seed": (9, {}),
    "direction": ("", {}), "batch_size": (3, {}), "sampling": ("poisson", {"batch_size": 4}), "r": (1, {}), "F": (2, {}),
    "P": (3, {}), "anchor": (2.0, {}), "regulariser": ("proximal", {}), "radius": (9.0, {}), "output": ("average", {}),
    "tail": (0.9, {"output": "suffix"}), "stages": (3, {}), "widening": (2.0, {}), "rates": (0.25, {}), "strategy": ("static", {}),
    "weights": ("rank", {}), "upper": (3.0, {"weights": "rank"}), "lower": (0.1, {"weights": "rank"}), "score": ("synflow", {}),
    "score_P": (5, {"score": "synflow"}), "score_lam": (50.0, {"score": "synflow"}), "beta1": (0.5, {}), "beta2": (0.5, {}),
    "phi": (0.1, {}), "update": ("adam", {}),
    "moments": ("reset", {}), "side": ("left", {}), "projection": ("orthonormal", {}), "noise": ("shared", {}),
    "refresh": ("printed", {}),
}  # fmt: skip


def fingerprint(run, replicates):
    """Return all that the loops were handed, and what the run keeps of its settings as far as they are not only repeated."""

    def word(value):
        return (value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value if not callable(value) else None

    return repr([[{key: word(value) for key, value in one.items()} for one in chunks] for chunks in replicates]) + repr(run.loss.shape)


def test_roles_of_a_method_are_none_of_those_that_every_run_has():
    for kernel in KERNELS.values():
        streams = [one.stream for one in kernel.draws] + ([kernel.stages.stream] if kernel.stages else [])
        assert len({*streams, BATCHES, OUTPUT}) == len(streams) + 2, kernel.name


def test_tau_is_uniform_on_the_points_where_gradients_were_taken(monkeypatch):
    """0 to T - 1, each about as often; 400 replicates of T = 4: within five deviations of 100 each. T = 1 has x_0 only."""
    run, _ = handed(monkeypatch, "dp_gd", T=4, replicates=400)
    counts = np.bincount(run.tau, minlength=4)
    assert len(counts) == 4
    assert np.all(np.abs(counts - 100) < 5 * math.sqrt(400 * 3 / 16))
    run, replicates = handed(monkeypatch, "dp_gd", T=1, replicates=2)
    assert run.tau.tolist() == [0, 0]
    assert [chunks[0]["tau"] for chunks in replicates] == [0, 0]


def test_the_module_that_is_tried_is_the_one_that_runs():
    assert module.simulate is simulate


@pytest.mark.parametrize("setting", ["alpha", "T", "lam", "rates", "score"])
@pytest.mark.parametrize("stage", [0, 1])
def test_a_setting_of_one_stage_is_that_stage_s_alone(setting, stage, monkeypatch):
    """Changed in the first stage it changes the first and what follows; in the second, the second only."""
    rng = np.random.default_rng(1)
    values = {"alpha": (0.1, 0.2), "T": (8, 12), "lam": (0.1, 0.2), "rates": (0.5, 0.75), "score": rng.random((2, 12))}
    other = np.array(values[setting], dtype=float)
    other[stage] = 1 - other[stage] if setting == "score" else {"T": 5}.get(setting, 0.3)
    changed = other if setting == "score" else tuple(type(values[setting][0])(one) for one in other)
    runs = [handed(monkeypatch, "dp_zopo", replicates=1, **values | {setting: given})[1][0] for given in (values[setting], changed)]
    names = ("step", "smoothing", "data", "scales", "v", "z")  # data: the columns of the coordinates that are kept
    parts = [[tuple(np.asarray(chunk.get(name, 0.0)).tobytes() for name in names) for chunk in chunks] for chunks in runs]
    assert [len(one) for one in parts] == [2, 2]  # a chunk a stage
    assert (parts[0][0] != parts[1][0]) == (stage == 0)
    assert parts[0][1] != parts[1][1] or (stage, setting) in {(0, "alpha"), (0, "lam"), (0, "rates"), (0, "score")}
