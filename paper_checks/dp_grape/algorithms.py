"""Algorithms 1 to 6: whether the kernels do what is printed, what is released, and what the printed lines leave open.

Each kernel walks beside a transcription of its lines, matrix by matrix, on the same draws. What a step releases is read off the step: the
projection has independent columns, so that the move of the weights says which private projection it was made of.
"""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from paper_checks.examine import judge, privacy
from paper_checks.examine.search import Cases, deviations
from paper_checks.verdict import Finding, Kind, OpenClaim, Size, claim, consistent, question, reading, refuted
from synthetic import dp_grape as records
from synthetic import kernels
from synthetic.draws import NOISE, FloatArray, generator
from synthetic.kernels import losses
from synthetic.objectives import Objective
from synthetic.simulate import simulate
from synthetic.space import Space

ROUNDING = 1e-7  # of a projection that is read off a step, by least squares with a matrix of 2 columns; what is wrong differs by far more
SPACE, R = Space(((3, 4), (4, 2), (2,))), 2  # a wide layer, a tall one, and one that is not projected
CURVATURE = 1.0 / np.sqrt(np.arange(1.0, SPACE.d + 1))
Blocks = Sequence[FloatArray]


def of_records(rows: FloatArray, x0: FloatArray) -> Objective:
    """Return the quadratic whose samples are the rows: the gradient of one is CURVATURE (x - row)."""
    params = (CURVATURE, rows.mean(axis=0), 0.0)
    return Objective("records", rows, params, *losses.QUADRATIC, x0=x0, optimum=params[1], constants={}, shape=SPACE)


def turned(one: FloatArray) -> FloatArray:
    """Return a layer with its smaller side first."""
    return one.T if one.ndim == 2 and one.shape[0] > one.shape[1] else one


def subspaces(seeds: np.random.Generator, flattened: bool) -> Blocks:
    """Draw P_l with N(0, 1/r) entries for the layers, or, as Algorithm 6, for every block; an empty one where none is needed."""
    rows = [one.size if flattened else turned(one).shape[0] * (one.ndim == 2) for one in SPACE.parts(np.zeros(SPACE.d))]
    return [seeds.standard_normal((m, R)) / math.sqrt(R) for m in rows]


def into(P: Blocks, G: Blocks, flattened: bool = False) -> Blocks:
    """Project every block: P'G of a layer, P' vec(G) of a flattened block, G itself where there is no P."""
    return [p.T @ (g.ravel() if flattened else turned(g)) if len(p) else g for p, g in zip(P, G, strict=True)]


def back(P: Blocks, U: Blocks, W: Blocks) -> Blocks:
    """Map P U of every block back to its shape."""
    return [(p @ u if turned(w).shape == w.shape or u.ndim == 1 else (p @ u).T).reshape(w.shape) if len(p) else u
            for p, u, w in zip(P, U, W, strict=True)]  # fmt: skip


def clip(parts: Blocks, C: float, over: Sequence[int] | None = None) -> Blocks:
    """Scale all blocks of a sample by one factor, min(1, C / length of all), or only those of the numbers `over` by theirs."""
    chosen = range(len(parts)) if over is None else over
    factor = min(1.0, C / math.sqrt(sum(float(np.sum(parts[k] ** 2)) for k in chosen)))
    return [factor * one if k in chosen else one for k, one in enumerate(parts)]


def walked(method: str, o: Objective, *, T: int, seed: int, alpha: float, C: float = np.inf, sigma: float = 0.0, F: int = 1,
           update: str = "sgd", beta1: float = 0.9, beta2: float = 0.99, phi: float = 1e-3) -> FloatArray:  # fmt: skip
    """Return x_T by the printed lines; a subspace is new at steps 1, F+1, ..., moments are kept, all n samples are a batch."""
    noise, seeds, W = generator(seed, 0, NOISE), generator(seed, 0, records.PROJECTIONS), o.shape.parts(o.x0)
    P: Blocks = [np.empty((0, 0))] * len(W)
    M = V = [np.zeros(1)] * len(W)
    flattened, low_rank = method == "dp_grape_blocks", method.endswith("galore")
    for t in range(1, T + 1):
        G = [SPACE.parts(CURVATURE * (SPACE.flat(W) - row)) for row in o.data]
        if (t - 1) % F == 0 and method.startswith("dp_grape"):
            P = subspaces(seeds, flattened)
        per_sample = [clip(one if low_rank else into(P, one, flattened), C) for one in G]
        mean = [np.sum(one, axis=0) / o.n for one in zip(*per_sample, strict=True)]
        z = noise.standard_normal(sum(one.size for one in mean))
        released = [one + sigma * part.reshape(one.shape) for one, part in
                    zip(mean, np.split(z, np.cumsum([one.size for one in mean])[:-1]), strict=True)]  # fmt: skip
        if low_rank:
            if (t - 1) % F == 0:
                P = [leading(turned(one)) if one.ndim == 2 else np.empty((0, 0)) for one in released]
            released = list(into(P, released))
        if update == "adam":  # Algorithms 2 and 3
            M = [beta1 * m + (1 - beta1) * one for m, one in zip(M, released, strict=True)]
            V = [beta2 * v + (1 - beta2) * one**2 for v, one in zip(V, released, strict=True)]
            rate = alpha * math.sqrt(1 - beta2**t) / (1 - beta1**t)
            moves = [rate * m / (np.sqrt(v) + phi) for m, v in zip(M, V, strict=True)]
        else:
            moves = [alpha * one for one in released]
        W = [w - move for w, move in zip(W, back(P, moves, W), strict=True)]
    return SPACE.flat(W)


def leading(G: FloatArray) -> FloatArray:
    """Return U[:, :r] of the SVD, the largest entry of a column positive."""
    U = np.linalg.svd(G, full_matrices=False)[0][:, :R]
    return np.asarray(U * np.sign(U[np.abs(U).argmax(axis=0), np.arange(R)]))


def settings_of(method: str, **values: Any) -> dict[str, Any]:
    """Return of these settings those that a method has, and r."""
    kernel = records.KERNELS[method]
    named = {one.name for one in kernel.all_settings} - (set() if kernel.private else {"C", "sigma"})
    return {name: value for name, value in {"r": R, **values}.items() if name in named}


def drawn(rng: np.random.Generator) -> Objective:
    """Return a random case: one to five records, near and far."""
    rows = 10.0 ** rng.uniform(-1, 1.5) * rng.standard_normal((int(rng.integers(1, 6)), SPACE.d))
    return of_records(rows, rng.standard_normal(SPACE.d))


@deviations("the printed lines", 1e-8)
def as_written(*, method: str, cases: int, seed: int) -> Cases:
    """Walk a kernel and its lines side by side, with clipping at work, by SGD and by Adam, subspaces that stay for 1 to 3 steps."""
    rng, clipped = np.random.default_rng(seed), 0
    for k in range(cases):
        o, adam = drawn(rng), (method != "dp_sgd" and k % 2 == 1) or method == "dp_adam"
        given = settings_of(method, alpha=float(10.0 ** rng.uniform(-2, 0)), C=float(10.0 ** rng.uniform(-1, 2)), T=4, seed=k,
                            sigma=float(10.0 ** rng.uniform(-2, 0)), F=int(rng.integers(1, 4)), update="adam" if adam else "sgd",
                            beta1=0.9, beta2=0.99, phi=1e-3)  # fmt: skip
        run = simulate(records.KERNELS[method], o, threads=1, **given)
        plain = {name: value for name, value in given.items() if name != "r"} | ({"update": "adam"} if method == "dp_adam" else {})
        expected = walked(method, o, **plain)
        clipped += bool(run.clipped.any())
        off = float(np.linalg.norm(run.x[0] - expected) / (1 + np.linalg.norm(expected) + np.abs(o.data).max()))
        yield off, given, {"cases with clipping": clipped}


def released(o: Objective, *, C: float, sigma: float, seed: int, flattened: bool = False, noise: str = "fresh") -> FloatArray:
    """Return what one step of Algorithm 1, or 6, releases, by least squares from the move of the weights."""
    more: dict[str, Any] = {"noise": noise} if flattened else {}
    kernel = records.DP_GRAPE_BLOCKS if flattened else records.DP_GRAPE
    run = simulate(kernel, o, alpha=1.0, T=1, r=R, C=C, sigma=sigma, seed=seed, threads=1, **more)
    P, moved = subspaces(generator(seed, 0, records.PROJECTIONS), flattened), SPACE.parts(o.x0 - run.x[0])
    seen = [np.asarray(np.linalg.lstsq(p, one.ravel() if flattened else turned(one))[0]) if len(p) else one
            for p, one in zip(P, moved, strict=True)]  # fmt: skip
    return SPACE.flat(seen)


def left_out(o: Objective, *, C: float, seed: int) -> FloatArray:
    """Return the mean of Algorithm 1 where only projected gradients are clipped."""
    P = subspaces(generator(seed, 0, records.PROJECTIONS), False)
    each = [SPACE.flat(clip(into(P, SPACE.parts(CURVATURE * (o.x0 - row))), C, over=(0, 1))) for row in o.data]
    return np.asarray(np.mean(each, axis=0))


def neighbours(cases: int, seed: int) -> Iterator[privacy.Neighbours]:
    """Yield pairs with one record replaced: by its mirror image, far out or not, or by any."""
    rng = np.random.default_rng(seed)
    for k in range(cases):
        o, C = drawn(rng), float(10.0 ** rng.uniform(-1, 1))
        one, i = o.data.copy(), int(rng.integers(o.n))
        if k % 3 == 0:
            one[i] = o.x0 + 1e3 * rng.standard_normal(SPACE.d)
        two = one.copy()
        two[i] = 2 * o.x0 - one[i] if k % 3 < 2 else 10.0 ** rng.uniform(-1, 2) * rng.standard_normal(SPACE.d)

        def measured(moved: FloatArray, n: int = o.n, C: float = C) -> tuple[float, dict[str, Any]]:
            distance = float(np.linalg.norm(moved))
            return distance * n / (2 * C), {"n": n, "C": C, "distance": distance}

        yield privacy.Neighbours((of_records(one, o.x0), C, k), (of_records(two, o.x0), C, k), measured, unit=C + 1e3)


def sensitivity(*, what: str, cases: int, seed: int) -> Finding:
    """Search the largest distance of what is released between neighbours, over 2C/B: "layers", "blocks", or layers "left out"."""
    if what == "left out":
        found = privacy.apart(neighbours(cases, seed), lambda of: left_out(of[0], C=of[1], seed=of[2]))
    else:

        def release(of: Any, sigma: float = 0.0) -> FloatArray:
            return released(of[0], C=of[1], sigma=sigma, seed=of[2], flattened=what == "blocks")

        found = privacy.apart(neighbours(cases, seed), release, partial(release, sigma=1.0))  # fmt: skip
    return privacy.sensitivity(found, stated="2C/B", seed=seed, rounding=ROUNDING)


def noise(*, runs: int, seed: int, flattened: bool) -> Finding:
    """Judge the variance of every number that is released, those that are not projected among them, against sigma^2."""
    o, sigma, total, degrees = drawn(np.random.default_rng(seed)), 3.0, 0.0, 0
    for k in range(runs):
        quiet, loud = (released(o, C=1.0, sigma=value, seed=k, flattened=flattened) for value in (0.0, sigma))
        total, degrees = total + float(np.sum((loud - quiet) ** 2)) / sigma**2, degrees + len(quiet)
    return judge.spread(total, degrees, "noise of what is released", seed)


def unbiased(*, runs: int, seed: int) -> Finding:
    """Judge <u v', P P' u v'> of the first layer, the move of a noiseless step: r times it is chi-square with r degrees, of mean r."""
    rng, total = np.random.default_rng(seed), 0.0
    u, v = rng.standard_normal(3), rng.standard_normal(4)
    G = np.concatenate([np.outer(u, v).ravel() / np.linalg.norm(u) / np.linalg.norm(v), np.zeros(SPACE.d - 12)])
    o = of_records(np.zeros((1, SPACE.d)), G / CURVATURE)  # whose gradient at the start is G
    run = simulate(records.DP_GRAPE, o, alpha=1.0, T=1, r=R, C=1e100, sigma=0.0, replicates=runs, seed=seed, threads=1)
    total = float(np.sum(R * ((o.x0 - run.x) @ G)))
    return judge.spread(total, R * runs, "<G, P P'G> over |G|^2, in which 1 is P P' = I in the mean", seed)


def one_subspace(*, cases: int, seed: int) -> Finding:
    """Look at the rank of the move of a layer after F steps, and after F + 1: with P kept, and mapped back by it, r and then more."""
    rng, F = np.random.default_rng(seed), 3
    for k in range(cases):
        o = drawn(rng)
        runs = [simulate(records.DP_GRAPE, o, alpha=0.1, T=T, r=R, F=F, C=1.0, sigma=0.1, update="adam", seed=k) for T in (F, F + 1)]
        third = [np.linalg.svd(SPACE.parts(run.x[0] - o.x0)[0])[1][R] for run in runs]
        if third[0] > 1e-12 or third[1] < 1e-9:
            return refuted("a layer leaves its subspace, or keeps it", {}, {"singular value r+1 after F, F+1": third}, seed=seed)
    return consistent(f"rank {R} after F steps, more after F + 1, in {cases} cases", {"cases": cases}, seed=seed)


def shared(*, noise: str, cases: int, seed: int) -> Finding:
    """Subtract the released vectors of two blocks: noise of deviation sqrt(2) sigma is in the difference, or, if it is shared, none."""
    rng, total, worst, at = np.random.default_rng(seed), 0.0, 0.0, {}
    for k in range(cases):
        o = drawn(rng)
        loud, quiet = (released(o, C=1.0, sigma=value, seed=k, flattened=True, noise=noise).reshape(-1, R) for value in (1.0, 0.0))
        off = (loud[0] - loud[1]) - (quiet[0] - quiet[1])
        total, worst = total + float(np.sum(off**2)) / 2, max(worst, float(np.abs(off).max()))
        at = {"difference released": (loud[0] - loud[1]).tolist(), "difference without noise": (quiet[0] - quiet[1]).tolist(), "sigma": 1}
    if worst < ROUNDING:
        return refuted(f"the difference of two blocks is released to {worst:.1g}, without noise", {"cases": cases}, at, seed=seed)
    return judge.spread(total, cases * R, "noise in the difference of two blocks, over 2 sigma^2", seed)


def divided(*, by: str, cases: int, seed: int) -> Finding:
    """Search how far one record more in a Poisson sample moves the mean, over C/B: with B nominal, in the kernel, or the realised size."""
    rng, B, largest, at = np.random.default_rng(seed), 4, 0.0, {}
    for k in range(cases):
        n, C = 1 + k % 6, float(10.0 ** rng.uniform(-1, 1))
        rows, moves = 1e3 * rng.standard_normal((n + 1, SPACE.d)), []
        rows[n] = -rows[0]
        for size in (n, n + 1):
            batch, x, out = np.where(np.arange(n + 2) < size, np.arange(n + 2), -1)[None], np.zeros(SPACE.d), np.empty((3, 1))
            params = (CURVATURE, rows.mean(axis=0), 0.0)
            step: Any = kernels.dp_sgd
            step(losses.quadratic_gradient, losses.quadratic_value_gradient, rows, params, x, 1.0, C, 0.0,
                 np.zeros((1, SPACE.d)), batch, B if by == "nominal" else size, *out, -1, np.empty(SPACE.d))  # fmt: skip
            moves.append(x)
        ratio = float(np.linalg.norm(moves[1] - moves[0])) * B / C
        if ratio > largest:
            largest, at = ratio, {"B": B, "C": C, "records in the sample": n}
    return judge.at_most(largest / (1 + ROUNDING), at, cases, "distance over C/B, one record added", seed, reach=0.999)


ALGORITHM, PRIVACY, TOGETHER = Kind.ALGORITHM, Kind.PRIVACY, "kernels of DP-GRAPE"


def opened(key: str, source: str, kind: Kind = ALGORITHM, how: Any = claim) -> OpenClaim:
    """Open a claim that runs kernels: those are compiled once for all."""
    made: OpenClaim = how(f"dp_grape.{key}", source, kind)
    return made.sharing(TOGETHER)


NAMES = {"dp_grape": ("algorithm_1", "Algorithms 1 and 2"), "dp_adam": ("algorithm_3", "Algorithm 3"),
         "galore": ("algorithm_4", "Algorithm 4"), "dp_galore": ("algorithm_5", "Algorithm 5"),
         "dp_grape_blocks": ("algorithm_6", "Algorithm 6"),
         "dp_sgd": ("dp_sgd", "Section 4, DP-SGD")}  # fmt: skip
STEPS = tuple(
    (row.only_in_full() if "galore" in method else row).examined(as_written, method=method, cases=Size(20, 600), seed=1)
    for method, (name, place) in NAMES.items()
    for row in (
        opened(f"{name}.step", f"{place}, all lines")
        .says("The kernel walks where the printed lines lead, with clipping at work, as far as they are read alike")
        .consistent("it is those lines"),
    )
)
CLAIMS = (
    *STEPS,
    *(
        opened(f"algorithm_{k}.sensitivity", f"Algorithm {k}; proof of Theorem D.10, Delta = 2C/B", PRIVACY)
        .says("Replacing a record moves what is released by at most 2C/B, layers that are not projected included, and some move it so far")
        .consistent("one factor scales all of a sample's vector, after the projection, to length C at most")
        .examined(sensitivity, what="layers" if k == "1" else "blocks", cases=Size(60, 3000), seed=2)
        for k in "16"
    ),
    *(
        opened(f"algorithm_{k}.noise", f"Algorithm {k}, noise", PRIVACY)
        .says("Every number that is released has noise of deviation sigma on the mean over the batch, in the subspaces")
        .consistent("noise is added to the sum, after the projection")
        .examined(noise, flattened=k == "6", runs=Size(60, 3000), seed=3)
        for k in "16"
    ),
    opened("algorithm_1.unbiased", "Algorithm 1, lines 9 and 10; Algorithm 2, last line")
    .says("A gradient that is projected and mapped back is itself in the mean, E P P' = I", r"\mathbb E[PP^\top]=I")
    .consistent("entries N(0, 1/r), and the P that projects maps back")
    .examined(unbiased, runs=Size(1000, 100_000), seed=4),
    opened("algorithm_1.one_subspace", "Algorithm 1, lines 4 to 8; Algorithm 2, last line")
    .says("For F steps a layer moves in one subspace of dimension r, that of the P that projects")
    .consistent("s^t stays for F steps and gives both")
    .examined(one_subspace, cases=Size(8, 200), seed=5),
    reading("dp_grape.algorithm_1.unclipped_layers", "Section 3.2, nonlinear layers are handled as in DP-Adam", PRIVACY)
    .says("The clip may leave layers that are not projected out, as line 12 does, whose R has only the projected: the sensitivity is 2C/B")
    .refuted("their gradients are as long as the data make them", instead="They enter the clip like all", by="algorithm_1.sensitivity")
    .examined(sensitivity, what="left out", cases=Size(60, 3000), seed=6),
    opened("algorithm_1.nominal", "ours; Algorithm 1, line 13, under Poisson sampling", PRIVACY, question)
    .says("With the sum divided by the nominal B, one record more in the sample moves the mean by at most C/B")
    .consistent("one clipped vector is added, and B knows no data")
    .examined(divided, by="nominal", cases=Size(60, 2000), seed=7),
    opened("algorithm_1.realised", "Algorithm 1, line 13, under Poisson sampling", PRIVACY, reading)
    .says("B in 1/B may be the number of records that were drawn: one record more moves the mean by at most C/B")
    .refuted("small samples have a large mean, which one record turns", instead="B is the nominal size, q n", by="algorithm_1.nominal")
    .examined(divided, by="realised", cases=Size(60, 2000), seed=7),
    opened("algorithm_6.shared_noise", "Proof of Theorem D.10, P_t z_t with z_t in R^r; Algorithm 6, line 10", PRIVACY, reading)
    .says("One z_t in R^r may serve all blocks: every number released has noise")
    .refuted("the difference of two blocks has none", instead="Each block has a z of its own, and (6) stays: sigma^2 |U_l|, summed over "
             "blocks, is sigma^2 d", by="algorithm_6.fresh_noise")
    .examined(shared, noise="shared", cases=Size(20, 500), seed=9),
    opened("algorithm_6.fresh_noise", "ours; Algorithm 6, line 10 inside its loop over blocks", PRIVACY, question)
    .says("With a z of its own for each block, the difference of two blocks has noise of variance 2 sigma^2")
    .consistent("independent draws")
    .examined(shared, noise="fresh", cases=Size(60, 2000), seed=9),
)  # fmt: skip
