"""Checks of Algorithms 2 and 3 by replays at given query points, on neighbouring data sets, with the same draws."""

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bounds import privacy
from paper_checks.gauss_psgd.algorithms.plain_algorithms import AdaDpSpider, mean_gradient_of, unit_cosine_saddles
from paper_checks.record import Record
from paper_checks.shared.findings import ROUNDING, check_deviation, check_ratio, check_variance
from paper_checks.shared.privacy import Neighbours, release_distances
from paper_checks.shared.search import Cases, check_deviations, find_worst
from paper_checks.verdict import Finding
from synthetic import kernels
from synthetic.draws import FloatArray
from synthetic.kernels.gradient_oracles import CALLS, FRESH, USED
from synthetic.objectives.saddles import SaddleObjective
from synthetic.runs import psgd

NUMBERS: dict[str, Any] = {"b_1": 9, "b_2": 4, "sigma_1": 0.3, "sigma_2": 0.7, "kappa": 0.5, "eta": 0.4}


@dataclass(frozen=True, eq=False)
class Replay:
    """Answers of an oracle at k points: estimates (k, d), fresh or not (k,), drift (k,), messages (k, m, d), number of samples used."""

    estimates: FloatArray
    fresh: NDArray[np.bool_]
    drift: FloatArray
    messages: FloatArray
    used: int


def replay_oracle(
    landscape: SaddleObjective, points: FloatArray, rows: FloatArray, seed: int, *, kernel: Any = kernels.ada_dp_spider, **changed: float
) -> Replay:
    """Query a gradient oracle at points (k, d) in order on samples `rows` (m, n, p); return its answers; ValueError if rows run out."""
    values = {**NUMBERS, **changed}
    numbers = tuple(float(values[name]) for name in NUMBERS)
    loss = (landscape.value_gradient, landscape.batch_gradient, landscape.params)
    (k, d), m = points.shape, len(rows)
    memory, drift, counts = np.zeros((m + 1, d)), np.array([values["kappa"]]), np.zeros(7, dtype=np.int64)
    rng, out = np.random.default_rng(seed), np.empty(d)
    estimates, fresh, after, messages = np.empty((k, d)), np.zeros(k, dtype=bool), np.empty(k), np.empty((k, m, d))
    for t, x in enumerate(points):
        before = counts[FRESH]
        if not kernel(False, np.ascontiguousarray(x), *loss, rows, numbers, memory, drift, counts, rng, out):
            raise ValueError(f"rows: {rows.shape[1]} samples do not last for {k} calls")
        estimates[t], fresh[t], after[t], messages[t] = out, counts[FRESH] > before, drift[0], memory[:m]
    if counts[CALLS] != k:
        raise ValueError(f"the oracle counts {counts[CALLS]} calls, not {k}")
    return Replay(estimates, fresh, after, messages, int(counts[USED]))


def draw_samples(landscape: SaddleObjective, n: int, rng: np.random.Generator) -> FloatArray:
    """Return n samples of each of the m clients of an objective, (m, n, p)."""
    return np.stack([landscape.draw(rng, n, j) for j in range(landscape.clients)])


def random_walk(rng: np.random.Generator, k: int, d: int, length: float = 0.5) -> FloatArray:
    """Return k points (k, d) of a random walk from 0 with normal steps of root mean square norm `length`."""
    return np.cumsum(length * rng.standard_normal((k, d)) / math.sqrt(d), axis=0)


def check_printed_lines(*, cases: int, seed: int, phases: tuple[float, ...] | None = None) -> Finding:
    """Check that a kernel's estimates, drift and messages are those of the lines of Algorithm 2 (or 3), draw by draw; return a Finding."""
    landscape, rng, found, fresh = unit_cosine_saddles(3, None, phases), np.random.default_rng(seed), [], 0
    for k in range(cases):
        points, rows = random_walk(rng, 12, 3), draw_samples(landscape, 120, rng)
        changed = {"kappa": float(rng.uniform(0.05, 1.5)), "sigma_1": float(rng.uniform(0, 1)), "sigma_2": float(rng.uniform(0, 1))}
        seen = replay_oracle(landscape, points, rows, k, **changed)
        slow = AdaDpSpider(mean_gradient_of(landscape), rows, np.random.default_rng(k), **{**NUMBERS, **changed})
        for t, x in enumerate(points):
            off = float(np.abs(seen.estimates[t] - slow.ask(x)).max()) + abs(seen.drift[t] - slow.state["drift"])
            found.append((off + np.abs(seen.messages[t] - slow.state["sent"]).max(), {"call": t + 1, **changed}))
        if seen.used != slow.used or seen.fresh.sum() != slow.fresh:
            found.append((math.inf, {"samples": seen.used, "samples as written": slow.used, **changed}))
        fresh += slow.fresh
    worst = find_worst(found)
    words = f"estimates and drift of the printed lines, {fresh} of {12 * cases} calls being O_1"
    return check_deviation(worst.value, worst.at, 12 * cases, words, seed)


def check_sensitivity(*, which: str, cases: int, seed: int, client: int = 0, phases: tuple[float, ...] | None = None) -> Finding:
    """Check by search that one replaced sample changes a client's message by <= 2 G/b_1 (O_1) or 2 M |dx|/b_2 (O_2); return a Finding.

    Other clients' messages must not change.

    Every third case replaces the worst sample by its opposite: phases at which every coordinate of the gradient (of the gradient's
    change) is the largest possible. The noise is the same, so it must cancel.
    """
    pairs = neighbouring_queries(which, cases, seed, client, phases)
    found = find_worst(release_distances(pairs, lambda asked: replay_oracle(*asked, kappa=1e9).messages[-1]))
    words = "the change by one replaced sample over " + ("2 M |dx|/b_2" if which == "O_2" else "2 G/b_1")
    # differences of O_2 at |dx| = 1e-6 carry rounding errors of 1e-16/1e-6
    return check_ratio(found.value / (1 + 1e-7), found.at, cases, words, seed, reach=0.999)


def neighbouring_queries(which: str, cases: int, seed: int, client: int, phases: tuple[float, ...] | None) -> Iterator[Neighbours]:
    """Yield `cases` Neighbours of (objective, points, samples, seed) that differ in one sample of one client's release."""
    landscape, d = unit_cosine_saddles(3, None, phases), 3
    G, M, rng = landscape.constants["L"], landscape.constants["ell"], np.random.default_rng(seed)
    for k in range(cases):
        x = rng.uniform(-2, 2, d)
        y = x + 10.0 ** rng.uniform(-6, 0) * rng.standard_normal(d)
        points, rows = np.stack([x, y] if which == "O_2" else [x]), draw_samples(landscape, 20, rng)
        i = int(rng.integers(NUMBERS["b_1"])) if which == "O_1" else int(NUMBERS["b_1"] + rng.integers(NUMBERS["b_2"]))
        one, two = rows.copy(), rows.copy()
        for rows_k, sign in ((one, 1), (two, -1)):
            centre = math.pi / 2 * sign - x if which == "O_1" else math.pi / 2 * (1 - sign) - (x + y) / 2 + np.pi * (y < x)
            z = centre if k % 3 == 0 else rng.uniform(-np.pi, np.pi, d)
            rows_k[client, i] = np.concatenate([np.cos(z), np.sin(z)])
        declared = 2 * M * float(np.linalg.norm(y - x)) / NUMBERS["b_2"] if which == "O_2" else 2 * G / NUMBERS["b_1"]
        measured = partial(_sensitivity_ratio, client=client, declared=declared, x=x, y=y)
        yield Neighbours((landscape, points, one, k), (landscape, points, two, k), measured)


def _sensitivity_ratio(change: FloatArray, *, client: int, declared: float, x: FloatArray, y: FloatArray) -> tuple[float, dict[str, Any]]:
    """Return (change of a client's message over the declared sensitivity, inf if another message changed; the point by name)."""
    others = np.delete(change, client, axis=0)
    ratio = math.inf if others.size and np.abs(others).max() > 0 else float(np.linalg.norm(change[client])) / declared
    return ratio, {"x": x.tolist(), "y": y.tolist(), "distance / declared": ratio}


def check_noise_scale(*, repeats: int, seed: int) -> Finding:
    """Check by simulation that fresh gradients have noise deviation sigma_1, gradient differences sigma_2 |dx|; return a Finding."""
    landscape, rng, noises = unit_cosine_saddles(3), np.random.default_rng(seed), []  # of each release, over the declared deviation
    for k in range(repeats):
        points, rows = random_walk(rng, 8, 3), draw_samples(landscape, 80, rng)
        loud = replay_oracle(landscape, points, rows, seed + k, kappa=1e9, sigma_1=0.2, sigma_2=0.9)
        quiet = replay_oracle(landscape, points, rows, seed + k, kappa=1e9, sigma_1=0.0, sigma_2=0.0)
        scale = np.concatenate([[0.2], 0.9 * np.linalg.norm(np.diff(points, axis=0), axis=1)])
        noises.append(np.diff(loud.estimates - quiet.estimates, axis=0, prepend=0) / scale[:, None])
    squares = sum(float(np.sum(one**2)) for one in noises)
    return check_variance(squares, sum(one.size for one in noises), "noise of O_1 and O_2 with deviations sigma_1 and sigma_2 |dx|", seed)


def check_server_noise(*, m: int, repeats: int, seed: int) -> Finding:
    """Check by simulation that the server's mean of m clients' messages has noise of variance sigma_1^2/m; return a Finding."""
    landscape, points = unit_cosine_saddles(3, None, (0.0,) * m), np.zeros((1, 3))
    rows = draw_samples(landscape, 20, np.random.default_rng(seed))
    quiet = replay_oracle(landscape, points, rows, seed, sigma_1=0.0).estimates
    noise = np.array([replay_oracle(landscape, points, rows, seed + k, sigma_1=0.3).estimates - quiet for k in range(repeats)])
    return check_variance(float(np.sum(noise**2)) * m / 0.3**2, noise.size, f"noise of the mean of {m} clients, variance sigma^2/{m}", seed)


@check_deviations("the points of Algorithm 2 at m = 1", 1e-7)  # rounding grows where the run escapes
def check_one_client(*, cases: int, seed: int) -> Cases:
    """Check that Algorithm 1 makes the same steps with Algorithm 3 at one client as with Algorithm 2; return a Finding."""
    landscape = unit_cosine_saddles(3)
    numbers = {"n": 900, "b_1": 60, "b_2": 6, "sigma_1": 0.05, "sigma_2": 0.2, "kappa": 0.3, "eta": 0.5, "chi": 0.1, "R": 0.2}
    with ThreadPoolExecutor(1) as pool:
        for k in range(cases):
            common: dict[str, Any] = {**numbers, "Gamma": 5, "Q": 2, "seed": seed + k, "keep_points": True}
            two = psgd.gauss_psgd(landscape, oracle="ada_dp_spider", **common)
            three = psgd.gauss_psgd(landscape, oracle="distributed_ada_dp_spider", executor=pool, **common)
            same = two.points.shape == three.points.shape and two.samples == three.samples
            yield float(np.nanmax(np.abs(two.points - three.points))) if same else math.inf, {}


@check_deviations("a call without displacement repeats the answer, for b_2 samples")
def check_idle_call(*, cases: int, seed: int) -> Cases:
    """Check that a second call at the same point, as in steps 4 and 10, repeats the answer and uses b_2 samples; return a Finding."""
    landscape, rng = unit_cosine_saddles(3), np.random.default_rng(seed)
    for k in range(cases):
        x = rng.uniform(-2, 2, 3)
        seen = replay_oracle(landscape, np.stack([x, x]), draw_samples(landscape, 40, rng), k, kappa=1e9)
        off = max(float(np.abs(seen.estimates[1] - seen.estimates[0]).max()), abs(seen.used - 13.0))
        yield off, {"drift grown": float(seen.drift[1] - seen.drift[0])}


def query_points(
    landscape: SaddleObjective, kernel: Any, rows: FloatArray, seed: int, x: FloatArray, restarts: bool, **numbers: float
) -> FloatArray:
    """Return the points at which Algorithm 1 asks its oracle when it starts at x: (6, d), or (9, d) with `restarts`.

    These are five steps, or with `restarts` the idle call of step 4, five steps, x~ and one more.
    """
    points = [x]
    for call in range(8 if restarts else 5):
        ghat = replay_oracle(landscape, np.array(points), rows, seed, kernel=kernel, **numbers).estimates[-1]
        idle, back = restarts and call == 0, restarts and call == 6
        points.append(points[0] if back else points[-1] if idle else points[-1] - NUMBERS["eta"] * ghat)
    return np.array(points)


@check_deviations("drift is the sum of squared displacements since the last O_1")
def check_drift(*, drift: str, restarts: bool, cases: int, seed: int) -> Cases:
    """Check that an oracle's drift is the sum of squared query displacements since the last fresh gradient; return a Finding.

    After a call, the printed variable already counts the step that its estimate is meant for; the drift of queries does not.
    """
    landscape, rng = unit_cosine_saddles(3), np.random.default_rng(seed)
    kernel = kernels.query_dp_spider if drift == "queries" else kernels.ada_dp_spider
    for k in range(cases):
        rows = draw_samples(landscape, 60, rng)
        points = query_points(landscape, kernel, rows, k, rng.uniform(-2, 2, 3), restarts, kappa=1e9)
        counted = replay_oracle(landscape, points, rows, k, kernel=kernel, kappa=1e9).drift
        moved = np.concatenate([[0.0], np.cumsum(np.sum(np.diff(points, axis=0) ** 2, axis=1))])
        off = np.abs(counted - moved) if drift == "queries" else np.abs(counted[:-1] - moved[1:])
        t = int(off.argmax())
        yield off[t], {"call": t + 1, "drift": float(counted[t]), "sum of |y_k - y_(k-1)|^2": float(moved[t])}


def check_sampling_with_replacement(*, epsilon: float, delta: float) -> Finding:
    """Check that batches drawn with replacement keep the privacy of one release, by the exact delta; return a Finding."""
    n, releases, b = 10_000, 200, 50
    rng, uses = np.random.default_rng(0), np.zeros(n, dtype=int)
    for _ in range(releases):
        uses[np.unique(rng.integers(n, size=b))] += 1
    most = int(uses.max())
    sigma = privacy.sigma_gaussian(epsilon=epsilon, delta=delta, T=1, sensitivity=1.0)
    attained = privacy.delta_gaussian(epsilon=epsilon, sigma=sigma, T=most, sensitivity=1.0)
    numbers = {"n": n, "batches": releases, "b": b, "most releases of one sample": most, "delta attained": attained, "delta": delta}
    record = Record(numbers, seed=0)
    if attained > delta * (1 + ROUNDING):
        record.refute(f"a sample enters {most} releases, and delta = {attained:.3g}", numbers)
    return record.conclude("each sample enters one release")
