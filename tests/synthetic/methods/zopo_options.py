"""DP-ZOPO's kernels equal their slow twins at every step, for every option; `test_zopo` runs this without the compiler."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from synthetic.draws import BATCHES, DIRECTIONS, NOISE, generator
from synthetic.methods.dp_zopo import DP_ZOO, DP_ZOPO, DP_ZOSO, SCORES
from synthetic.methods.scores import estimate_synflow_scores, synflow_scores
from synthetic.objectives.sums import pseudo_huber, quadratic
from synthetic.runs.simulate import simulate
from tests.reference import dp_zopo as naive_zopo

D, N, SEED = 12, 9, 3
START = np.linspace(-0.6, 0.5, D)
QUADRATIC, HUBER = (f("inverse", D, N, seed=5, x0=START) for f in (quadratic, pseudo_huber))
T, ALPHA, LAM, RATES = (3, 5, 8), (0.2, 0.05, 0.1), (0.01, 0.1, 0.05), (0.25, 0.4, 0.5)
PLAIN = {"C": 0.6, "sigma": 0.2, "P": 2, "direction": "gaussian", "anchor": None, "regulariser": "explicit", "radius": None,
         "output": "last", "tail": 0.5, "batch_size": None, "sampling": "without_replacement"}  # fmt: skip
MASKS = {"rates": RATES, "strategy": "dynamic", "weights": "pruning", "upper": 1.3, "lower": 0.4, "score": "random"}
ARRAY = np.random.default_rng(0).integers(0, 4, (3, D)).astype(float)  # with ties

OPTIONS = [
    *({"regulariser": a, "anchor": b, "radius": c} for a, b, c in itertools.product(("explicit", "proximal"), (None, 0.3), (None, 1.4))),
    *({"output": a, "tail": b, "anchor": 2.0} for a, b in (("average", 0.5), ("suffix", 0.4), ("suffix", 0.01), ("suffix", 1.0))),
    *({"direction": a, "P": b} for a, b in itertools.product(("gaussian", "sphere"), (1, 3))),
    *({"batch_size": a, "sampling": b} for a, b in ((4, "without_replacement"), (2, "poisson"), (9, "poisson"))),
]
EVERY = [(DP_ZOSO, one) for one in OPTIONS] + [(DP_ZOPO, one) for one in OPTIONS]
SCORED = itertools.product(("static", "dynamic", "incremental"), ("pruning", "rank"), ("random", "synflow", "synflow_exact", "array"))
for strategy, weights, score in SCORED:
    one = {"strategy": strategy, "weights": weights, "score": score, "direction": "sphere", "radius": 1.4}
    EVERY.append((DP_ZOPO, one | ({"rates": (0.3,) * 3} if strategy == "static" else {})))
EVERY += [(DP_ZOPO, {"rates": (1.0,) * 3, "weights": "rank", "score": "array"})]


def draws(r, options, sizes):
    """Everything that is random, drawn for the whole run at once."""
    P, rngs = options["P"], {role: generator(SEED, r, role) for role in (DIRECTIONS, NOISE, BATCHES)}
    v = []
    for steps, k in zip(T, sizes, strict=True):
        one = rngs[DIRECTIONS].standard_normal((steps, P, k))
        if options["direction"] == "sphere":
            one *= np.sqrt(k) / np.linalg.norm(one, axis=2, keepdims=True)
        v.append(one)
    size, poisson = options["batch_size"], options["sampling"] == "poisson"
    batches = [
        range(N) if size is None else rngs[BATCHES].choice(N, rngs[BATCHES].binomial(N, size / N) if poisson else size, replace=False)
        for _ in range(sum(T))
    ]
    return {"v": v, "z": rngs[NOISE].standard_normal((sum(T), P)), "batches": batches, "nominal": size or N}


def twin(kernel, objective, options, r):
    def loss(x, i):
        return objective.loss(x, objective.data[i], objective.params)

    given = {name: options[name] for name in ("C", "sigma", "anchor", "regulariser", "radius", "output", "tail")}
    given |= {"alpha": ALPHA, "lam": LAM, "T": T}
    if kernel is DP_ZOSO:
        return naive_zopo.dp_zoso(loss, objective.x0, **given, **draws(r, options, (D, D, D)))
    rng = generator(SEED, r, SCORES)

    def scores(x, s):
        if options["score"] == "synflow":
            return estimate_synflow_scores(x, objective.shape, rng.standard_normal((2, D)), 0.1)
        if options["score"] == "random":
            return rng.standard_normal(D)
        return ARRAY[s] if options["score"] == "array" else synflow_scores(x, objective.shape)

    given |= {name: options[name] for name in MASKS if name != "score"} | draws(
        r, options, [int(np.ceil(one * D)) for one in options["rates"]]
    )
    return naive_zopo.dp_zopo(loss, objective.x0, scores=scores, **given)


@pytest.mark.parametrize(("kernel", "options"), EVERY, ids=lambda one: getattr(one, "name", None) or "-".join(map(str, one.values())))
def test_stages_equal_their_twin(kernel, options, monkeypatch):
    options = PLAIN | (MASKS if kernel is DP_ZOPO else {}) | options
    given = {**options, "alpha": ALPHA, "T": T, "lam": LAM, "stages": 3, "seed": SEED, "replicates": 2}
    if kernel is DP_ZOPO:
        given |= {"score_P": 2, "score_lam": 0.1} | ({"score": ARRAY} if options["score"] == "array" else {})
    for objective in (HUBER, QUADRATIC, replace(QUADRATIC, part=None))[: 3 if kernel is DP_ZOPO else 1]:
        runs = []
        for floats in (2**20, 3 * D, 1) if objective is HUBER else (2**20,):  # chunks of all steps, of a few, of one
            monkeypatch.setattr("synthetic.draws.CHUNK_BYTES", 8 * floats)
            runs.append(simulate(kernel, objective, threads=len(runs) % 2 + 1, **given))
        for one in runs[1:]:
            for name in (
                "loss",
                "grad_norm_sq",
                "x",
                "x_tau",
                "clipped",
                "stage_x",
                "stage_loss",
                *(["kept"] if kernel is DP_ZOPO else []),
            ):
                np.testing.assert_array_equal(getattr(one, name), getattr(runs[0], name))
        run = runs[0]
        assert 0 < run.clipped.mean() < 1
        for r in range(2):
            path, clipped, handed, masks = twin(kernel, objective, options, r)
            values = [objective.value_and_gradient(x) for x in path]
            np.testing.assert_allclose(run.loss[r], [v for v, _ in values], rtol=1e-9)
            np.testing.assert_allclose(run.grad_norm_sq[r], [g @ g for _, g in values], rtol=1e-9)
            np.testing.assert_allclose(run.clipped[r], clipped, rtol=1e-12)
            np.testing.assert_allclose(run.stage_x[r], handed, rtol=1e-9, atol=1e-11)
            np.testing.assert_allclose(run.stage_loss[r], [objective.value_and_gradient(x)[0] for x in handed], rtol=1e-9)
            np.testing.assert_array_equal(run.x[r], run.stage_x[r, -1])
            starts, t = [objective.x0, *handed], int(run.tau[r])
            begins = np.cumsum((0, *T))
            before = starts[int(np.flatnonzero(begins == t)[0])] if t in begins else path[t]  # where a mean was handed on, not the last
            np.testing.assert_allclose(run.x_tau[r], before, rtol=1e-9, atol=1e-11)
            if kernel is DP_ZOPO:
                np.testing.assert_array_equal(run.kept[r], masks)
            else:
                assert run.kept is None


def test_one_stage_is_algorithm_2():
    given = {"alpha": 0.1, "T": 6, "lam": 0.1, "seed": SEED, "replicates": 2, **PLAIN, "anchor": 0.5}
    one, staged = simulate(DP_ZOO, HUBER, **given), simulate(DP_ZOSO, HUBER, **given)
    for name in ("loss", "x", "stage_x", "clipped"):
        np.testing.assert_array_equal(getattr(one, name), getattr(staged, name))
