"""Checks of Remark F.5: DPZero's theorems when T must be an integer of at least 1, and when T* is below 1; random problems for them."""

import math

import numpy as np

from bounds.dpzero import DERIVATIONS, THEOREMS, remark_f5
from bounds.proofs.certificates import Standing
from bounds.symbols import B, L, Min, mu
from paper_checks.dpzero.experiments.figure_runs import PAPER
from paper_checks.record import Record
from paper_checks.shared.rounding import Array
from paper_checks.shared.steps import step_outcomes
from paper_checks.verdict import Finding

DELTAS = (0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6)
AT_FIGURES = {"n": float(PAPER.n), "epsilon": PAPER.epsilon, "delta": PAPER.delta, "L": 1.0, "ell": 1.0}  # Table 6, in units of the loss


def random_problems(points: int, seed: int) -> dict[str, Array]:
    """Return `points` random problems, each constant an array (points,), with 1 <= r <= d and gap <= min(2 B, L^2/(2 mu))."""
    chance = np.random.default_rng(seed)

    def spread(low: float, high: float) -> Array:
        return np.asarray(10.0 ** chance.uniform(low, high, points))

    dimension, smooth, lipschitz = np.floor(spread(0, 4)), spread(-1, 1), spread(-1, 1)
    pl = smooth * spread(-4, 0)
    start = np.minimum(lipschitz**2 / smooth * spread(-3, 4), lipschitz**2 / (2 * pl) * chance.uniform(0, 1, points))
    values = {"n": np.floor(spread(0, 7)), "d": dimension, "r": np.minimum(dimension, dimension ** chance.uniform(0, 1, points))}
    values |= {"epsilon": spread(-3, 2), "delta": spread(-9, -0.01), "L": lipschitz, "ell": smooth, "gap": start}
    return values | {"B": start * chance.uniform(0.5, 2, points), "mu": pl}


def edge_problems(points: int, seed: int) -> dict[str, Array]:
    """Return `points` random problems of Theorem 3, each constant an array (points,), whose printed bound is just below L^2.

    There rounding T costs most. All numbers have few digits.
    """
    chance = np.random.default_rng(seed)
    start = np.where(chance.random(points) < 0.5, 0.1, np.round(10.0 ** chance.uniform(1, 3.3, points)))
    ones = np.ones(points)
    epsilon = np.asarray(chance.integers(1, 9, points), dtype=float)
    values: dict[str, Array] = {"d": np.asarray(np.rint(10.0 ** chance.uniform(0, 3, points)), dtype=float), "epsilon": epsilon}
    values |= {"delta": chance.choice(DELTAS, points), "r": ones, "L": ones, "ell": ones, "gap": start, "B": start / 2, "mu": ones / 10}
    A = np.log(math.e + values["epsilon"] / values["delta"])
    wanted = np.full(points, 1000.0)
    for _ in range(20):  # T* = 3 (16 (gap + log X) + 1/2) makes the printed bound L^2; X depends on n, n on T*
        rows = wanted * 4 * np.sqrt(A) / (3 * values["epsilon"])
        X = 32 * math.sqrt(2 * math.pi) * rows * wanted**2 * (values["d"] + 24 * values["B"]) / 3
        wanted = 3 * (16 * (start + np.log(X)) + 0.5)
    return values | {"n": np.ceil(rows * (1 + 10.0 ** chance.uniform(-4, -1, points)))}


def theorem3_problems(points: int, seed: int) -> dict[str, Array]:
    """Return `points` random problems, each constant an array (points,): half from `edge_problems`, half from `random_problems`."""
    edge, anywhere = edge_problems(points // 2, seed), random_problems(points - points // 2, seed)
    return {name: np.concatenate([edge[name], anywhere[name]]) for name in anywhere}


def small_T_problems(points: int, seed: int) -> dict[str, Array]:
    """Return `points` random problems of the corollaries, each constant an array (points,), with T* between 1 and 2.

    There rounding T up costs most. All numbers have few digits.
    """
    chance = np.random.default_rng(seed)
    d, epsilon, delta = chance.integers(1, 4, points) * 1.0, chance.choice(DELTAS[:3], points), chance.choice(DELTAS, points)
    form = chance.integers(0, 3, points)  # of F.2, F.3, F.4: Y = n^2 epsilon^2 / (kappa k A), T* = 8 kappa D log Y
    kappa = np.where(form == 2, chance.choice([1e4, 1e5], points), chance.choice([100.0, 1000.0], points))
    k, D = np.choose(form, (d**3, d**2, np.ones(points))), np.where(form == 0, d, 3.0)
    Y = np.exp(chance.uniform(1, 1.3, points) / (8 * kappa * D))
    n = np.ceil(np.sqrt(Y * kappa * k * np.log(math.e + epsilon / delta)) / epsilon)
    ones = np.ones(points)
    values = {"n": n, "d": d, "r": ones, "epsilon": epsilon, "delta": delta, "L": ones, "ell": ones}
    return values | {"gap": ones / 100, "B": kappa, "mu": 1 / kappa}


def check_trivial_bound(*, scale: float) -> Finding:
    """Check whether L^2 bounds F - F^* on F = scale x^2/2 over [-1, 1], where L = mu = ell = scale, at x = 1; return a Finding."""
    distance, lipschitz, pl = scale / 2, scale, scale
    corollaries = {key: THEOREMS[key].at_integer_T.trivial for key in remark_f5.ROUNDED if "corollary" in key}
    half = {key: trivial in (L**2 / (2 * mu), Min(L**2 / (2 * mu), 2 * B)) for key, trivial in corollaries.items()}
    record = Record({"F - F^*": distance, "L^2": lipschitz**2, "L^2 / (2 mu)": lipschitz**2 / (2 * pl)})
    if not all(half.values()) or distance > lipschitz**2 / (2 * pl):
        record.leave_open(f"bounds.dpzero caps the corollaries otherwise: {half}")
    if distance > lipschitz**2:
        sentence = f"F = {scale} x^2/2 has F - F^* = {distance:g} at x = 1, above L^2 = {lipschitz**2:g}; L^2/(2 mu) is attained"
        record.refute(sentence, {"F": f"{scale} x^2 / 2 on [-1, 1]", "x": 1.0, **record.numbers})
    return record.conclude("not above L^2")


def check_remark_f5(*, points: int, seed: int) -> Finding:
    """Check that (7) exceeds L^2 where T* < 1 and X >= 1, so that T = 1 and L^2 are right, by proof and at points; return a Finding."""
    theorem, remark = THEOREMS["dpzero.theorem3"], THEOREMS["dpzero.remark_f5"]
    values, tried, record = random_problems(points, seed), 0, Record(seed=seed)
    values["epsilon"] = np.minimum(values["epsilon"], 4 * np.sqrt(values["r"]) / ((values["r"] + 2) * values["n"]))  # T* <= 1
    for k in range(points):
        at = {name: float(value[k]) for name, value in values.items()}
        at_T = theorem.evaluate(**at)
        if not (at_T.schedule["T"] < 1 and at_T.bound > 0 and math.isfinite(at_T.schedule["C"])):
            continue
        tried, ours = tried + 1, remark.evaluate(**at)
        if at_T.bound < at["L"] ** 2 or not math.isclose(ours.bound, at["L"] ** 2) or ours.schedule["T"] != 1:
            witness = {**at, "T*": at_T.schedule["T"], "T": ours.schedule["T"], "bound": ours.bound, "(7)": at_T.bound}
            return record.refute("the remark does not give T = 1 and L^2 there", witness)
    record.note({"tried": tried})
    if not tried or step_outcomes(DERIVATIONS["dpzero.exceeds_L_squared"]) != {Standing.CERTIFIED}:
        record.leave_open("a step does not check, or no point was tried")
    return record.prove(f"when T* < 1, (7) exceeds L^2; T = 1 and L^2 at {tried} points")
