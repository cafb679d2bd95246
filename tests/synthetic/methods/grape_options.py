"""DP-GRAPE's kernels equal their slow twins at every step, for every option; `test_grape` runs this without the compiler."""

import itertools

import numpy as np
import pytest

from synthetic.draws import BATCHES, NOISE, generator
from synthetic.methods.dp_grape import DP_ADAM, DP_GALORE, DP_GRAPE, DP_GRAPE_BLOCKS, DP_SGD, GALORE, PROJECTIONS
from synthetic.objectives.space import Space
from synthetic.objectives.sums import Objective
from synthetic.objectives.sums import quadratic as of_vectors
from synthetic.runs.simulate import simulate
from tests.reference import dp_grape as naive_grape

SHAPES = ((4, 6), (5, 3), (3,), (4, 4))  # wide, tall, a vector, square
SPACE = Space(SHAPES)
VECTORS = of_vectors("inverse", SPACE.d, 9, seed=5)
OBJECTIVE = Objective(**{**vars(VECTORS), "shape": SPACE})
R, T, SEED = 2, 9, 3
RUN = {"alpha": 0.05, "T": T, "seed": SEED, "replicates": 2}
PRIVATE = {"C": 2.0, "sigma": 0.1}
ADAM = {"beta1": 0.7, "beta2": 0.9, "phi": 1e-3}


def gradient(W, k):
    x = np.concatenate([one.ravel() for one in W])
    return SPACE.parts(OBJECTIVE.eigenvalues * (x - OBJECTIVE.data[k]))


def batches_of(r, size, sampling):
    if size is None:
        return [range(9)] * T
    rng = generator(SEED, r, BATCHES)
    return [rng.choice(9, size if sampling == "without_replacement" else rng.binomial(9, size / 9), replace=False) for _ in range(T)]


def noise_of(r, size):
    return generator(SEED, r, NOISE).standard_normal((T, size))


def subspaces_of(r, rows, sides, projection="gaussian"):
    """The draws of every subspace: Gaussian numbers block by block, or the Q of their QR with a positive diagonal, scaled."""
    found = []
    for drawn in generator(SEED, r, PROJECTIONS).standard_normal((rows, sum(sides) * R)):
        parts = [part.reshape(-1, R) for part in np.split(drawn, np.cumsum(sides)[:-1] * R)]
        if projection == "orthonormal":
            for k, (Q, upper) in enumerate(np.linalg.qr(part) if len(part) else (part, part) for part in parts):
                parts[k] = np.sqrt(sides[k] / R) * Q * (np.sign(np.diag(upper)) if sides[k] else 1)
        else:
            parts = [part / np.sqrt(R) for part in parts]
        found.append(parts)
    return found


def same(run, twin, chunks=None):
    for r in range(2):
        path, clipped = twin(r)
        points = [SPACE.flat(W) for W in path]
        values = [OBJECTIVE.value_and_gradient(x) for x in points]
        np.testing.assert_allclose(run.loss[r], [v for v, _ in values], rtol=1e-10)
        np.testing.assert_allclose(run.grad_norm_sq[r], [g @ g for _, g in values], rtol=1e-9)
        np.testing.assert_allclose(run.x[r], points[-1], rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(run.x_tau[r], points[run.tau[r]], rtol=1e-9, atol=1e-11)
        np.testing.assert_array_equal(run.clipped[r], clipped)


NAMES = ("update", "moments", "refresh", "F", "side", "sampling", "batch_size", "projection")
GIVEN = [
    *itertools.product(("sgd", "adam"), ("kept",), ("start", "printed"), (1, 4), ("smaller",), ("without_replacement",), (None,)),
    *itertools.product(("adam",), ("reset", "reprojected"), ("start", "printed"), (1, 3), ("smaller",), ("poisson",), (4,)),
]
OTHER = itertools.product(("sgd", "adam"), ("reprojected",), ("start",), (2,), ("left", "smaller"), ("without_replacement",), (4,))
EVERY = [dict(zip(NAMES, (*one, "gaussian"), strict=True)) for one in GIVEN]
EVERY += [dict(zip(NAMES, (*one, "orthonormal"), strict=True)) for one in OTHER]


@pytest.mark.parametrize("options", EVERY, ids=lambda one: "-".join(map(str, one.values())))
def test_dp_grape_equals_its_twin(options, monkeypatch):
    settings = {**options, **ADAM, **PRIVATE}
    sides = [0 if len(s) == 1 else s[0] if options["side"] == "left" else min(s) for s in SHAPES]
    size = sum(s[0] if not side else R * (np.prod(s) // side) for s, side in zip(SHAPES, sides, strict=True))

    def twin(r):
        P = subspaces_of(r, T + 1, sides, options["projection"])
        given = {name: settings[name] for name in ("F", "refresh", "update", "moments", "side", *ADAM, *PRIVATE)}
        batches = batches_of(r, options["batch_size"], options["sampling"])
        nominal = options["batch_size"] or 9
        start = SPACE.parts(OBJECTIVE.x0)
        return naive_grape.dp_grape(gradient, start, alpha=0.05, P=P, z=noise_of(r, int(size)), batches=batches, nominal=nominal, **given)

    runs = []
    for floats in (2**20, 3 * size, 1):  # chunks of all steps, of a few, of one
        monkeypatch.setattr("synthetic.draws.CHUNK_BYTES", 8 * int(floats))
        runs.append(simulate(DP_GRAPE, OBJECTIVE, r=R, threads=len(runs) % 2 + 1, **settings, **RUN))
    same(runs[0], twin)
    assert 0 < runs[0].clipped.mean() < 1
    for one in runs[1:]:
        for name in ("loss", "x", "x_tau", "clipped"):
            np.testing.assert_array_equal(getattr(one, name), getattr(runs[0], name))


@pytest.mark.parametrize("noise", ["fresh", "shared"])
@pytest.mark.parametrize(("size", "sampling"), [(None, "without_replacement"), (4, "poisson")])
def test_dp_grape_blocks_equals_its_twin(noise, size, sampling):
    run = simulate(DP_GRAPE_BLOCKS, OBJECTIVE, r=R, noise=noise, batch_size=size, sampling=sampling, **PRIVATE, **RUN)
    sides = [int(np.prod(s)) for s in SHAPES]
    same(run, lambda r: naive_grape.dp_grape_blocks(
        gradient, SPACE.parts(OBJECTIVE.x0), alpha=0.05, P=subspaces_of(r, T, sides), z=noise_of(r, R * (4 if noise == "fresh" else 1)),
        batches=batches_of(r, size, sampling), nominal=size or 9, **PRIVATE))  # fmt: skip


@pytest.mark.parametrize(("size", "sampling"), [(None, "without_replacement"), (4, "poisson"), (4, "without_replacement")])
def test_dp_sgd_and_dp_adam_equal_their_twins(size, sampling):
    for kernel, twin, own in ((DP_SGD, naive_grape.dp_sgd, {}), (DP_ADAM, naive_grape.dp_adam, ADAM)):
        run = simulate(kernel, OBJECTIVE, batch_size=size, sampling=sampling, **own, **PRIVATE, **RUN)
        same(run, lambda r, twin=twin, own=own: twin(
            gradient, SPACE.parts(OBJECTIVE.x0), alpha=0.05, z=noise_of(r, SPACE.d), batches=batches_of(r, size, sampling),
            nominal=size or 9, **own, **PRIVATE))  # fmt: skip


LOW_RANK = [
    {"update": "sgd", "moments": "kept", "refresh": "start", "F": 1, "side": "smaller"},
    {"update": "adam", "moments": "kept", "refresh": "printed", "F": 4, "side": "left"},
    {"update": "adam", "moments": "reset", "refresh": "printed", "F": 3, "side": "smaller"},
    {"update": "adam", "moments": "reprojected", "refresh": "start", "F": 2, "side": "smaller"},
]


@pytest.mark.parametrize("options", LOW_RANK, ids=lambda one: "-".join(map(str, one.values())))
@pytest.mark.parametrize(("size", "sampling"), [(None, "without_replacement"), (4, "poisson")])
def test_galore_with_and_without_privacy_equals_its_twin(options, size, sampling, monkeypatch):
    given = {**options, **ADAM, "r": R}
    common = {**given, "batch_size": size, "sampling": sampling, **RUN}
    start, nominal = SPACE.parts(OBJECTIVE.x0), size or 9
    if sampling != "poisson":  # whose batch may be empty: then the basis of a gradient of 0 is any
        run = simulate(GALORE, OBJECTIVE, **common)
        same(run, lambda r: naive_grape.galore(
            gradient, start, alpha=0.05, batches=batches_of(r, size, sampling), nominal=nominal, **given))  # fmt: skip
    run = simulate(DP_GALORE, OBJECTIVE, **common, **PRIVATE)
    same(run, lambda r: naive_grape.dp_galore(
        gradient, start, alpha=0.05, z=noise_of(r, SPACE.d), batches=batches_of(r, size, sampling), nominal=nominal, **given, **PRIVATE
    ))  # fmt: skip
    monkeypatch.setattr("synthetic.draws.CHUNK_BYTES", 8 * 2 * SPACE.d)
    np.testing.assert_array_equal(run.x, simulate(DP_GALORE, OBJECTIVE, **common, **PRIVATE).x)
