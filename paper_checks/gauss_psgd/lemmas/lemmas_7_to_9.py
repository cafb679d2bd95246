"""Checks of Lemmas 7, 8 and 9: the error of an estimate, for one client and for many, and how often a fresh gradient is asked for."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from paper_checks.compare import check_mean_below
from paper_checks.gauss_psgd.algorithms.algorithm1 import DESCENT
from paper_checks.gauss_psgd.algorithms.algorithms_2_and_3 import Replay, draw_samples, replay_oracle
from paper_checks.gauss_psgd.algorithms.plain_algorithms import unit_cosine_saddles
from paper_checks.record import Record
from paper_checks.shared.findings import check_ratio, check_variance
from paper_checks.shared.search import Cases, find_worst
from paper_checks.verdict import Finding
from synthetic import kernels
from synthetic.draws import FloatArray
from synthetic.runs.psgd import gauss_psgd


def simulate_path_errors(
    b_1: int, b_2: int, steps: int, repeats: int, seed: int, length: float, m: int = 1, quiet: bool = False
) -> tuple[FloatArray, float]:
    """Return errors (repeats, 3) of Ada-DP-SPIDER's last estimate on a fixed path of `steps` differences, and the path's sum of |dx|^2.

    `quiet`: without DP noise; `m` clients; every step moves each coordinate by `length`.
    """
    landscape = unit_cosine_saddles(3, None, (0.0,) * m)
    points = np.array([[0.3 + length * t, 1.0 - length * t, length * t] for t in range(steps + 1)])
    exact = landscape.value_and_gradient(points[-1])[1]
    rng, errors = np.random.default_rng(seed), np.empty((repeats, 3))
    noise = {"sigma_1": 0.0, "sigma_2": 0.0} if quiet else {"sigma_1": 0.4, "sigma_2": 0.8}
    for k in range(repeats):
        rows = draw_samples(landscape, b_1 + steps * b_2, rng)
        errors[k] = replay_oracle(landscape, points, rows, seed + k, b_1=b_1, b_2=b_2, kappa=1e9, **noise).estimates[-1] - exact
    return errors, steps * 3 * length**2


def check_lemma7_sampling(*, b_1: int, b_2: int, steps: int, m: int, repeats: int, seed: int) -> Finding:
    """Check by simulation that sampling errors have E|nu|^2 <= (G^2/b_1 + M^2 sum |dx|^2/b_2)/m, as in Lemma 7; return a Finding."""
    errors, moved = simulate_path_errors(b_1, b_2, steps, repeats, seed, 0.2, m, quiet=True)
    bound = (3.0 / b_1 + moved / b_2) / m
    ceiling = (2 * math.sqrt(3) + 2 * steps * 0.2 * math.sqrt(3)) ** 2  # each of the means errs by 2 G, or 2 M |dx|, at most
    where = f"b_1 = {b_1}, b_2 = {b_2}, {steps} differences, m = {m}"
    return check_mean_below(np.sum(errors**2, axis=1), bound, ceiling=ceiling, seed=seed, where=where)


def check_lemma7_noise(*, steps: int, m: int, repeats: int, seed: int) -> Finding:
    """Check by simulation that an estimate's DP noise has variance (sigma_1^2 + sigma_2^2 sum |dx|^2)/m; return a Finding."""
    loud, moved = simulate_path_errors(9, 4, steps, repeats, seed, 0.3, m)
    quiet, _ = simulate_path_errors(9, 4, steps, repeats, seed, 0.3, m, quiet=True)
    variance = (0.4**2 + 0.8**2 * moved) / m
    return check_variance(float(np.sum((loud - quiet) ** 2)) / variance, loud.size, f"DP noise after {steps} differences, m = {m}", seed)


def check_lemma8(*, factor: float, cases: int, seed: int) -> Finding:
    """Check that simulated runs with errors <= chi take <= (6 eta/kappa)(U + factor T eta chi^2) + 1 fresh gradients; return a Finding."""
    landscape, rng = unit_cosine_saddles(3), np.random.default_rng(seed)
    fixed: dict[str, Any] = {"chi": 0.4, "R": 0.5, "Gamma": 20, "Q": 1, "n": 3000, "b_1": 60, "b_2": 20, "sigma_1": 0.05, "sigma_2": 0.1}

    def ratios() -> Cases:
        for k in range(cases):
            eta, kappa = float(rng.uniform(0.02, 0.3)), float(10 ** rng.uniform(-3, 0))
            x0 = rng.uniform(-3, 3, 3)
            run = gauss_psgd(landscape, oracle="ada_dp_spider", x0=x0, eta=eta, kappa=kappa, seed=k, threads=1, **fixed)
            if np.nanmax(run.error) <= 0.4:
                T, calls = int(run.steps[0]), int(run.fresh_calls[0])
                bound = 6 * eta / kappa * (landscape.constants["U"] + factor * T * eta * 0.4**2) + 1
                yield calls / bound, {"eta": eta, "kappa": kappa, "T": T, "O_1 calls": calls, "bound": bound}

    found = find_worst(ratios())
    if found.tried == 0:
        return Record(seed=seed).leave_open("no run stayed within chi")
    return check_ratio(found.value, found.at, found.tried, "O_1 calls over the bound", seed)


def check_jump_within_kappa(*, drift: str, steps: int, seed: int) -> Finding:
    """Check on a replay that step 8's jump back to x~ is answered by a fresh gradient (O_1) or is within kappa; return a Finding.

    `drift`: "queries" for the drift between query points, any other word for the printed drift.
    """
    landscape = unit_cosine_saddles(2)
    kernel = kernels.query_dp_spider if drift == "queries" else kernels.ada_dp_spider
    rows, points = draw_samples(landscape, 400, np.random.default_rng(seed)), [np.array([0.3, 0.0])]

    def replay(kappa: float) -> Replay:
        numbers = {"b_1": 100, "b_2": 10, "sigma_1": 0.0, "sigma_2": 0.0, "eta": 0.1}
        return replay_oracle(landscape, np.array(points), rows, seed, kernel=kernel, **numbers, kappa=kappa)

    for _ in range(steps):
        points.append(points[-1] - 0.1 * replay(1e9).estimates[-1])
    points.append(points[0])  # step 8
    moves = np.sum(np.diff(points, axis=0) ** 2, axis=1)
    moved, jump = float(moves[:-1].sum()), float(moves[-1])
    kappa = 2 * moved  # twice the drift of the round: no O_1 is due within it
    record = Record({"kappa": kappa, "drift of the round": moved, "jump^2": jump}, seed=seed)
    if not replay(kappa).fresh[-1] and jump > kappa:
        sentence = f"an O_2 over a jump with |x - x~|^2 = {jump / kappa:.3g} kappa is answered, no O_1 is called"
        record.refute(sentence, {**record.numbers, "jump^2 / kappa": jump / kappa})
    return record.conclude(f"after {steps} steps the jump is answered by an O_1, or is within kappa")


def drift_rows(moves: Sequence[Fraction], kappa: Fraction) -> list[tuple[int, Fraction, Fraction, bool]]:
    """Return (tau(t), drift sum (9), the sum in Lemma 7's proof, whether Algorithm 2 asks for a fresh gradient) for every step t.

    `moves` are ||x_t - x_{t-1}||^2 for t = 1, 2, ...
    """
    rows, total, tau = [], kappa, 1
    for t, move in enumerate(moves, start=1):
        fresh = total >= kappa
        if fresh:
            tau, total = t, Fraction(0)
        total += move
        rows.append((tau, sum(moves[tau - 1 : t], Fraction(0)), sum(moves[tau - 1 : t - 1], Fraction(0)), fresh))
    return rows


def check_drift_sums(*, paths: int, length: int, shifted: bool, seed: int) -> Finding:
    """Check exactly that Lemma 8's {t: drift_t >= kappa} is the set of steps before a fresh gradient, on random paths; return a Finding.

    drift_t is the sum (9) or, if `shifted`, the sum in Lemma 7's proof, which stays below kappa.
    """
    rng, hits, resets, above, sums = np.random.default_rng(seed), 0, 0, 0, 2 if shifted else 1
    for _ in range(paths):
        kappa = Fraction(int(rng.integers(1, 9)))
        rows = drift_rows([Fraction(int(value), 4) for value in rng.integers(0, 9, length)], kappa)
        inside, later = [row[sums] >= kappa for row in rows[:-1]], [fresh for *_, fresh in rows[1:]]
        resets, hits = resets + sum(later), hits + sum(inside)
        above += sum(one != fresh for one, fresh in zip(inside, later, strict=True))
    record = Record({"paths": paths, "fresh gradients after the first": resets, "steps in the set": hits}, seed=seed)
    record.note({"steps where the two differ": above})
    if above:
        small = drift_rows([Fraction(1)] * 3, Fraction(2))  # O_1, then two moves reach kappa, so the third call is O_1 again
        asked, sizes = tuple(at for at, row in enumerate(small, start=1) if row[3]), tuple(str(row[sums]) for row in small)
        witness = {"||x_t - x_(t-1)||^2": "1, 1, 1", "kappa": 2, "fresh at t": asked, "sums": sizes}
        record.refute(f"the set has {hits} steps on {paths} paths on which {resets} fresh gradients are asked for", witness)
    return record.conclude(f"the set has a step for each of {resets} fresh gradients on {paths} paths")


def check_jump_lowers_F(*, runs: int, seed: int) -> Finding:
    """Check by simulation that step 8's jump from a failed round's last iterate back to x~ does not raise F; return a Finding."""
    landscape, knobs = unit_cosine_saddles(3), {**DESCENT, "R": 0.5, "Gamma": 5, "Q": 2}
    run = gauss_psgd(landscape, oracle="exact", zeta=0.0, sigma_1=0.05, limit=400, replicates=runs, seed=seed, **knobs)
    values = np.array([[landscape.value_and_gradient(x)[0] for x in points] for points in (run.x, run.last)])
    rises = np.where(run.returned, values[0] - values[1], -math.inf)
    k = int(np.argmax(rises))
    record = Record({"runs": runs, "returned": int(run.returned.sum()), "jumps that raise F": int(np.sum(rises > 1e-9))}, seed=seed)
    record.note({"largest rise": rises[k]})
    if rises[k] > 1e-9:  # far above rounding of values of order 1
        witness = {"replicate": k, "x~": run.x[k].tolist(), "last iterate": run.last[k].tolist(), "rise of F": float(rises[k])}
        record.refute(f"going back to x~ raises F by up to {rises[k]:.3g}", witness)
    return record.conclude("no jump back raised F")
