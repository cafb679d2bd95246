"""Checks of Algorithms 1 to 6: whether the kernels do what is printed, what is released, and what the printed lines leave open.

Each kernel runs beside a transcription of its lines, matrix by matrix, on the same draws. What a step releases is read off the step: the
projection has independent columns, so that the move of the weights determines the private projection that made it.
"""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from mpmath import mp

import bounds
from paper_checks.dp_grape import printed as p
from paper_checks.record import Record
from paper_checks.shared import findings, privacy
from paper_checks.shared.formulas import evaluate_formula
from paper_checks.shared.search import Cases, check_allowances, check_deviations
from paper_checks.verdict import Finding
from synthetic import kernels
from synthetic.draws import NOISE, FloatArray, generator
from synthetic.losses import sums as losses
from synthetic.methods import dp_grape as records
from synthetic.objectives.space import Space
from synthetic.objectives.sums import Objective
from synthetic.runs.simulate import simulate

ROUNDING = 1e-7  # error of a projection read off a step, by least squares with a matrix of 2 columns; a fault differs by far more
SPACE, R = Space(((3, 4), (4, 2), (2,))), 2  # a wide layer, a tall one, and one that is not projected
CURVATURE = 1.0 / np.sqrt(np.arange(1.0, SPACE.d + 1))
Blocks = Sequence[FloatArray]


def quadratic_objective(rows: FloatArray, x0: FloatArray) -> Objective:
    """Return the quadratic Objective whose samples are the rows (n, d): a sample's gradient is CURVATURE (x - row)."""
    params = (CURVATURE, rows.mean(axis=0), 0.0)
    return Objective("records", rows, params, *losses.QUADRATIC, x0=x0, optimum=params[1], constants={}, shape=SPACE)


def random_objective(rng: np.random.Generator) -> Objective:
    """Return a random quadratic Objective of one to five records, at distances from small to large."""
    rows = 10.0 ** rng.uniform(-1, 1.5) * rng.standard_normal((int(rng.integers(1, 6)), SPACE.d))
    return quadratic_objective(rows, rng.standard_normal(SPACE.d))


def split_blocks(x: FloatArray, flattened: bool = False) -> Blocks:
    """Return the layers of x (d,) as matrices, the smaller side first, and the last block as a column.

    `flattened`, as in Algorithm 6: all blocks as columns.
    """
    wide, tall, last = SPACE.parts(x)
    return [one.reshape(-1, 1) for one in (wide, tall, last)] if flattened else [wide, tall.T, last[:, None]]


def join_blocks(parts: Blocks) -> FloatArray:
    """Return the vector (d,) of a list of blocks, the inverse of `split_blocks`."""
    return SPACE.flat([one.T if one.shape == (2, 4) else one for one in parts])


def draw_subspaces(seeds: np.random.Generator, flattened: bool) -> Blocks:
    """Return the list of drawn P_l, with N(0, 1/r) entries for each layer and I for the last block.

    `flattened`, as in Algorithm 6: entries are drawn for every block.
    """
    P = [seeds.standard_normal((m, R)) / math.sqrt(R) for m in ((12, 8, 2) if flattened else (3, 2))]
    return P if flattened else [*P, np.eye(2)]


def project_blocks(P: Blocks, G: Blocks) -> Blocks:
    """Return the list of P_l' G_l for every block l."""
    return [p.T @ g for p, g in zip(P, G, strict=True)]


def clip_blocks(parts: Blocks, C: float) -> Blocks:
    """Return all blocks of one sample scaled by one factor, min(1, C / norm of all blocks)."""
    return [one * min(1.0, C / math.sqrt(sum(float(np.sum(each**2)) for each in parts))) for one in parts]


def leading_vectors(G: FloatArray) -> FloatArray:
    """Return U[:, :r] of the SVD of G, r = 2, with the entry of largest size in each column positive."""
    U = np.linalg.svd(G, full_matrices=False)[0][:, :R]
    return np.asarray(U * np.sign(U[np.abs(U).argmax(axis=0), np.arange(R)]))


def run_printed_lines(method: str, o: Objective, *, T: int, seed: int, alpha: float, C: float = np.inf, sigma: float = 0.0, F: int = 1,
           update: str = "sgd", beta1: float = 0.9, beta2: float = 0.99, phi: float = 1e-3) -> FloatArray:  # fmt: skip
    """Return x_T (d,) of a method run by its printed lines, in plain NumPy, with all n samples in every batch.

    A subspace is new at steps 1, F+1, ..., and moments are kept.
    """
    noise, seeds, x = generator(seed, 0, NOISE), generator(seed, 0, records.PROJECTIONS), o.x0
    flattened, projected, low_rank = method == "dp_grape_blocks", method.startswith("dp_grape"), method.endswith("galore")
    P: Blocks = [np.eye(len(one)) for one in split_blocks(x)]
    M = V = [np.zeros(1)] * len(P)
    for t in range(1, T + 1):
        if (t - 1) % F == 0 and projected:
            P = draw_subspaces(seeds, flattened)
        each = (split_blocks(CURVATURE * (x - row), flattened) for row in o.data)
        clipped = [clip_blocks(G if low_rank else project_blocks(P, G), C) for G in each]
        mean = [np.sum(one, axis=0) / o.n for one in zip(*clipped, strict=True)]
        z = noise.standard_normal(sum(one.size for one in mean))
        ends = np.cumsum([one.size for one in mean])[:-1]
        Z = [one.reshape(like.shape) for one, like in zip(np.split(z, ends), mean, strict=True)] if projected else split_blocks(z)
        released = [one + sigma * part for one, part in zip(mean, Z, strict=True)]
        if low_rank and (t - 1) % F == 0:
            P = [*map(leading_vectors, released[:2]), np.eye(2)]
        released = list(project_blocks(P, released)) if low_rank else released
        moves = [alpha * one for one in released]
        if update == "adam":  # Algorithms 2 and 3
            M = [beta1 * m + (1 - beta1) * one for m, one in zip(M, released, strict=True)]
            V = [beta2 * v + (1 - beta2) * one**2 for v, one in zip(V, released, strict=True)]
            rate = alpha * math.sqrt(1 - beta2**t) / (1 - beta1**t)
            moves = [rate * m / (np.sqrt(v) + phi) for m, v in zip(M, V, strict=True)]
        x = x - join_blocks([p @ move for p, move in zip(P, moves, strict=True)])
    return x


@check_deviations("the printed lines", 1e-8)
def check_printed_lines(*, method: str, cases: int, seed: int) -> Cases:
    """Check that a kernel ends where its printed lines do, on random cases with SGD or Adam and clipping; return a Finding."""
    rng, clipped, kernel = np.random.default_rng(seed), 0, records.KERNELS[method]
    had = {one.name for one in kernel.all_settings} - (set() if kernel.private else {"C", "sigma"})
    for k in range(cases):
        o, adam = random_objective(rng), method == "dp_adam" or ("update" in had and k % 2 == 1)
        every = {"r": R, "alpha": float(10.0 ** rng.uniform(-2, 0)), "C": float(10.0 ** rng.uniform(-1, 2)), "T": 4, "seed": k,
                 "sigma": float(10.0 ** rng.uniform(-2, 0)), "F": int(rng.integers(1, 4)), "update": "adam" if adam else "sgd",
                 "beta1": 0.9, "beta2": 0.99, "phi": 1e-3}  # fmt: skip
        given: dict[str, Any] = {name: value for name, value in every.items() if name in had}
        run = simulate(kernel, o, threads=1, **given)
        expected = run_printed_lines(method, o, **{name: one for name, one in given.items() if name != "r"} | {"update": every["update"]})
        clipped += bool(run.clipped.any())
        off = float(np.linalg.norm(run.x[0] - expected) / (1 + np.linalg.norm(expected) + np.abs(o.data).max()))
        yield off, given, {"cases with clipping": clipped}


def released_values(o: Objective, C: float, seed: int, *, sigma: float = 0.0, flattened: bool = False, noise: str = "fresh") -> FloatArray:
    """Return the vector that one step of Algorithm 1, or 6 if `flattened`, releases, by least squares from the move of the weights."""
    more: dict[str, Any] = {"noise": noise} if flattened else {}
    kernel = records.DP_GRAPE_BLOCKS if flattened else records.DP_GRAPE
    run = simulate(kernel, o, alpha=1.0, T=1, r=R, C=C, sigma=sigma, seed=seed, threads=1, **more)
    P = draw_subspaces(generator(seed, 0, records.PROJECTIONS), flattened)
    return SPACE.flat([np.asarray(np.linalg.lstsq(p, one)[0]) for p, one in zip(P, split_blocks(o.x0 - run.x[0], flattened), strict=True)])


def partly_clipped_mean(o: Objective, C: float, seed: int) -> FloatArray:
    """Return the mean of Algorithm 1, as one vector, where only projected gradients are clipped, and the last block is not."""
    P = draw_subspaces(generator(seed, 0, records.PROJECTIONS), False)
    each = [project_blocks(P, split_blocks(CURVATURE * (o.x0 - row))) for row in o.data]
    return np.asarray(np.mean([SPACE.flat([*clip_blocks(one[:2], C), one[2]]) for one in each], axis=0))


def neighbouring_objectives(cases: int, seed: int) -> Iterator[privacy.Neighbours]:
    """Yield `cases` Neighbours: two objectives with one record replaced by its mirror image, far or near, or by a random record."""
    rng = np.random.default_rng(seed)
    for k in range(cases):
        o, C = random_objective(rng), float(10.0 ** rng.uniform(-1, 1))
        one, i = o.data.copy(), int(rng.integers(o.n))
        if k % 3 == 0:
            one[i] = o.x0 + 1e3 * rng.standard_normal(SPACE.d)
        two = one.copy()
        two[i] = 2 * o.x0 - one[i] if k % 3 < 2 else 10.0 ** rng.uniform(-1, 2) * rng.standard_normal(SPACE.d)

        def measured(moved: FloatArray, n: int = o.n, C: float = C) -> tuple[float, dict[str, Any]]:
            """Return (distance of two releases over 2C/n, the point) from their difference."""
            distance = float(np.linalg.norm(moved))
            return distance * n / (2 * C), {"n": n, "C": C, "distance": distance}

        yield privacy.Neighbours((quadratic_objective(one, o.x0), C, k), (quadratic_objective(two, o.x0), C, k), measured, unit=C + 1e3)


def check_sensitivity(*, what: str, cases: int, seed: int) -> Finding:
    """Check that one replaced record changes the released values by at most 2C/B, by search; return a Finding.

    `what`: "layers" (Algorithm 1), "blocks" (Algorithm 6), or layers "left out" of clipping.
    """

    def release(of: Any, sigma: float = 0.0) -> FloatArray:
        """Return what one step releases on `of` = (objective, C, seed); "left out" has no noise."""
        return partly_clipped_mean(*of) if what == "left out" else released_values(*of, sigma=sigma, flattened=what == "blocks")

    found = privacy.release_distances(neighbouring_objectives(cases, seed), release, partial(release, sigma=1.0))
    return privacy.check_sensitivity(found, stated="2C/B", seed=seed, rounding=ROUNDING)


def check_block_noise(*, noise: str, cases: int, seed: int) -> Finding:
    """Check that two blocks of Algorithm 6 have independent noise, by the variance of their difference; return a Finding."""
    rng, off, at = np.random.default_rng(seed), np.empty((cases, R)), {}
    for k in range(cases):
        o = random_objective(rng)
        pairs = (released_values(o, 1.0, k, sigma=sigma, flattened=True, noise=noise).reshape(-1, R)[:2] for sigma in (1.0, 0.0))
        loud, quiet = (one[0] - one[1] for one in pairs)
        off[k], at = loud - quiet, {"difference released": loud.tolist(), "difference without noise": quiet.tolist(), "sigma": 1}
    if (worst := float(np.abs(off).max())) < ROUNDING:
        return Record({"cases": cases}, seed=seed).refute(f"the difference of two blocks is released to {worst:.1g}, without noise", at)
    return findings.check_variance(float(np.sum(off**2)) / 2, off.size, "noise in the difference of two blocks, over 2 sigma^2", seed)


@check_allowances("distance over C/B, one record added", reach=0.999, rounding=ROUNDING)
def check_divisor(*, by: str, cases: int, seed: int) -> Cases:
    """Check that one more record in a Poisson sample moves the mean of clipped gradients by at most C/B; return a Finding.

    `by`: the sum is divided by the "nominal" B, as in the kernel, or by the realised size.
    """
    rng, B = np.random.default_rng(seed), 4
    step: Any = kernels.dp_sgd
    for k in range(cases):
        n, C, moves = 1 + k % 6, float(10.0 ** rng.uniform(-1, 1)), []
        rows = 1e3 * rng.standard_normal((n + 1, SPACE.d))
        rows[n] = -rows[0]
        for size in (n, n + 1):
            batch, x, out = np.where(np.arange(n + 2) < size, np.arange(n + 2), -1)[None], np.zeros(SPACE.d), np.empty((3, 1))
            step(losses.quadratic_gradient, losses.quadratic_value_gradient, rows, (CURVATURE, rows.mean(axis=0), 0.0), x, 1.0, C, 0.0,
                 np.zeros((1, SPACE.d)), batch, B if by == "nominal" else size, *out, -1, np.empty(SPACE.d))  # fmt: skip
            moves.append(x)
        yield float(np.linalg.norm(moves[1] - moves[0])) * B / C, {"B": B, "C": C, "records in the sample": n}


def check_sigma_as_variance(*, T: int, **at: float) -> Finding:
    """Check that T releases with noise whose *variance* is the printed sigma are private, by the exact delta; return a Finding."""
    point, theorem = {**at, "T": T}, bounds.THEOREMS["dp_grape.theorem_4_1"]
    printed, held = (evaluate_formula(one, point) for one in (p.D10["sigma"], theorem.without_abbreviations(theorem.schedule["sigma"])))
    given: dict[str, Any] = {"epsilon": at["epsilon"], "delta": at["delta"], "T": T, "at": point, "name": "sigma"}
    return privacy.check_noise_unit(printed=mp.mpf(printed), computed=held, sensitivity=2 * mp.mpf(at["C"]) / at["n"], **given)


def check_subspace_of_samples(*, cases: int, seed: int) -> Finding:
    """Check that a sample's gradient has the subspace of Algorithm 5's step, by the sine of the angle; return a Finding."""
    rng, sines = np.random.default_rng(seed), dict[tuple[int, int], float]()
    for k in range(cases):
        o = quadratic_objective(rng.standard_normal((3, SPACE.d)), rng.standard_normal(SPACE.d))
        moved = o.x0 - run_printed_lines("dp_galore", o, T=1, seed=k, alpha=1.0, C=1.0, sigma=0.1)
        U = leading_vectors(split_blocks(moved)[0])  # it spans the move's columns
        for j, row in enumerate(o.data):
            own = leading_vectors(split_blocks(CURVATURE * (o.x0 - row))[0])
            sines[k, j] = float(np.linalg.norm(own - U @ (U.T @ own), 2))
    sine, (k, j) = min((one, at) for at, one in sines.items())
    record = Record({"samples": len(sines)}, seed=seed)
    if sine > 1e-6:
        words = f"no sample's subspace is that of the step: the nearest is off by a sine of {sine:.2g}"
        record.refute(words, {"seed": k, "sample": j, "sine of the angle": sine})
    return record.conclude("a sample has the subspace of the step")


INPUTS = {  # as printed; M, V and the words of Update belong to the chosen update
    "1": "X W^0 eta r F B C sigma T", "3": "X W^0 eta beta1 beta2 B T", "4": "X W^0 eta r F B T", "5": "X W^0 eta r F B C sigma T",
}  # fmt: skip
OURS = {"1": "W^1", "3": "C sigma phi", "4": "W^1", "5": "W^1"}  # inputs that our readings add
LINES = {  # "written = read"; "new" and "kept" lines run in steps with a new or a kept subspace; p and n are the steps before and after t
    "1": "G^t = X W^t; new s^t = ; kept s^t = s^p; P^t = s^t r; R^t = P^t G^t; R~^t = R^t C B sigma; W^n = W^t R~^t s^t eta",
    "3": "G^t = X W^t; G~^t = G^t B C sigma; alpha^t = eta beta1 beta2; W^t = W^p alpha^t G~^t phi",
    "4": "G^t = X W^t; new P^t = G^t r; kept P^t = P^p; R^t = P^t G^t; W^n = W^t R^t P^t eta",
    "5": "G^t = X W^t; G~^t = G^t B C sigma; new P^t = G~^t r; kept P^t = P^p; R~^t = P^t G~^t; W^n = W^t R~^t P^t eta",
}


def check_defined_symbols(*, algorithm: str, as_read: bool, T: int, F: int) -> Finding:
    """Check that each printed line reads only symbols that are inputs or written before, over T steps; return a Finding.

    `as_read`: with the inputs of OURS, a first refresh at t = 1, and in Algorithm 3 gradients at W^(t-1).
    """
    known, missing = {*INPUTS[algorithm].split(), *(OURS[algorithm].split() if as_read else ())}, []
    lines = LINES[algorithm].replace("X W^t", "X W^p") if as_read and algorithm == "3" else LINES[algorithm]
    for t in range(1, T + 1):
        new = t % F == 0 or (as_read and t == 1)
        for line in lines.replace("^t", f"^{t}").replace("^p", f"^{t - 1}").replace("^n", f"^{t + 1}").split(";"):
            left, _, right = line.partition("=")
            *when, written = left.split()
            if not when or when == ["new" if new else "kept"]:
                missing += [one for one in right.split() if one not in known]
                known |= {*right.split(), written}
    record = Record({"T": T, "F": F})
    if names := ", ".join(missing):
        record.refute(f"not there when they are read: {names}", {"T": T, "F": F, "read before they are there": names})
    return record.conclude("all that is read is there")


def check_moment_readings(*, seed: int) -> Finding:
    """Check that three readings of what happens to Adam's moments at a new subspace end at one point; return a Finding."""
    o = random_objective(np.random.default_rng(seed))
    given: dict[str, Any] = {"alpha": 0.1, "T": 6, "r": R, "F": 3, "C": 1.0, "sigma": 0.1, "update": "adam", "seed": seed}
    kept, *others = (simulate(records.DP_GRAPE, o, moments=how, **given).x[0] for how in records.MOMENTS)
    apart = {f"{how}: distance from kept": float(np.linalg.norm(x - kept)) for how, x in zip(records.MOMENTS[1:], others, strict=True)}
    if min(apart.values()) > ROUNDING:
        return Record(seed=seed).refute("three readings end at three points", apart)
    return Record(apart, seed=seed).conclude("it does not matter what is done with the moments")
