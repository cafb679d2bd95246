"""Ours: DPZero, DP-ZOSO and DP-ZOPO under one set of assumptions: one theorem, its parts, its runs, and what stages gain."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from bounds.dp_zopo.comparison import METHODS, Problem, Stage, compare
from paper_checks.compare import LEVEL, check_mean_below
from paper_checks.shared.findings import check_condition
from paper_checks.shared.search import Cases, check_allowances
from paper_checks.verdict import Finding
from synthetic.methods.dp_zopo import DP_ZOSO
from synthetic.objectives.stages import ball_quadratic
from synthetic.runs.simulate import simulate

Array = NDArray[np.float64]
ERRORS = 7.0  # standard errors: a normal number is further from its mean with probability 3e-12
AT: dict[str, Any] = {"d": 1e6, "delta": 1e-5, "L": 1.0, "ell": 1.0, "r": 10.0, "mu": 0.1, "gap": 1.0}
LOSSES: dict[str, Callable[[Array], Array]] = {  # 1-Lipschitz, at points (number, d)
    "linear": lambda x: x[:, 0],
    "root": lambda x: np.sqrt(1 + (x[:, 0] - 0.3) ** 2),
    "kink": lambda x: np.abs(x[:, 0] + x[:, 1]) / math.sqrt(2),
    "norm": lambda x: np.sqrt((x**2).sum(axis=1)),
    "maximum": lambda x: x.max(axis=1),
}


@check_allowances("a moment of a clipped two-point difference, less seven standard errors, over what the theorem takes for it", reach=0.9)
def check_moments(*, draws: int, seed: int) -> Cases:
    """Check that moments of clipped two-point differences are at most the theorem's bounds, by draws; return a Finding.

    They are E X^2 w of the clipped difference and of what clipping takes away, and the bias along the gradient, for several losses, spectra
    and thresholds.
    """
    rng = np.random.default_rng(seed)
    for d, sphere in ((2, False), (12, False), (12, True)):
        v = rng.standard_normal((draws, d))
        v *= math.sqrt(d) / np.linalg.norm(v, axis=1, keepdims=True) if sphere else 1.0
        for spectrum in (np.eye(d)[0], np.ones(d)):
            w = v**2 @ spectrum
            for name, loss in LOSSES.items():
                point, lam = rng.standard_normal(d), 10.0 ** rng.uniform(-2, 0.5)
                h = (loss(point + lam * v) - loss(point - lam * v)) / (2 * lam)
                for C in (0.5, 1.0, 2.0):
                    known: dict[str, Any] = {"d": d, "r": spectrum.sum(), "L": 1.0, "ell": 1.0, "mu": 1.0, "gap": 1.0, "T": 1, "alpha": 1.0}
                    at = Stage(**known, C=C, lam=0.0, sigma=0.0, P=1, sampling=0.0, split=1.0, spread=d / (d - 3) if sphere else 1.0)
                    kept, terms = np.clip(h, -C, C), at.terms()
                    drawn = {"kept": (kept**2 * w, at.of_samples(at.spread)), "lost": ((h - kept) ** 2 * w, terms["zo_rest"] ** 2)}
                    drawn["bias"] = (h - kept) * v[:, 0], terms["zo_tilt"]
                    for which, (samples, allowed) in drawn.items():
                        low = samples.mean() - ERRORS * samples.std() / math.sqrt(draws)
                        yield float(low / allowed), {"of": which, "loss": name, "C": C, "d": d, "r": known["r"], "sphere": sphere}


@check_allowances("the exact loss of an isotropic quadratic without clipping, over the certified one", reach=0.99)
def check_quadratics(*, problems: int, seed: int) -> Cases:
    """Check that stages' exact loss is at most the certified loss, on random isotropic quadratics; return a Finding.

    Directions are Gaussian: E F(x+) is F times a factor, plus noise.
    """
    rng = np.random.default_rng(seed)
    for _ in range(problems):
        d, P, ell, S = int(10 ** rng.uniform(0, 3)), int(10 ** rng.uniform(0, 2)), float(10 ** rng.uniform(-1, 1)), int(rng.integers(1, 6))
        square = 1 + (d + 1) / P
        alpha, T = 10 ** rng.uniform(-3, 0) / (ell * square) / 2.0 ** np.arange(S), [int(10 ** rng.uniform(0, 3)) * 2**s for s in range(S)]
        sigma, exact = float(10 ** rng.uniform(-3, 0) / math.sqrt(d)), 1.0
        for one, steps in zip(alpha, T, strict=True):
            keeps, adds = 1 - 2 * one * ell + (one * ell) ** 2 * square, one**2 * ell * sigma**2 * d / (2 * P)
            exact = keeps**steps * exact + adds * (1 - keeps**steps) / (1 - keeps)
        known = Problem(n=100, d=d, epsilon=1.0, delta=0.1, L=1.0, ell=ell, r=d, mu=ell, gap=1.0)
        yield exact / float(known.run(alpha.tolist(), T, 20.0, sigma, P, 100)[0]), {"d": d, "P": P, "ell": ell, "S": S, "sigma": sigma}


def check_runs(*, C: float, batch: int, P: int, direction: str, T: int, replicates: int, seed: int) -> Finding:
    """Check that runs of DP-ZOSO on a quadratic on a ball stay below the certified loss, by simulation; return a Finding."""
    one = ball_quadratic(np.linspace(0.5, 1, 8), 8, 40, 0, radius=0.5, spread=1.0, slopes="two")
    known = {name: one.constants[name] for name in ("n", "d", "L", "ell", "r", "mu", "gap")}
    problem = Problem(**known, epsilon=1.0, delta=0.1, spread=8 / 5 if direction == "sphere" else 1.0)  # type: ignore[arg-type]
    lengths, alpha, threshold = [T, 2 * T, 4 * T], [0.6 / (1 + (known["r"] + 1) / P) / 2**s for s in range(3)], C * known["L"]
    bound, lam = problem.run(alpha, lengths, threshold, 0.3, P, batch)
    settings: dict[str, Any] = {"alpha": tuple(alpha), "T": tuple(lengths), "stages": 3, "C": threshold, "sigma": 0.3, "lam": float(lam)}
    settings |= {"P": P, "direction": direction, "radius": 0.5, "batch_size": batch, "replicates": replicates, "seed": seed}
    run = simulate(DP_ZOSO, one, **settings)
    found = check_mean_below(run.loss[:, -1], float(bound), ceiling=known["ell"] / 8, seed=seed, where=f"C = {C:g} L, {direction}, P = {P}")
    return replace(found, numbers={**found.numbers, "clipped share": float(np.nanmean(run.clipped))}, false_alarm=LEVEL)


@cache
def least_bounds(n: int, **changed: float) -> dict[str, float]:
    """Return the least loss bound that each method certifies, {method: bound}, with any number of function values."""
    problem = Problem(n=n, **{"epsilon": 2.0, **AT, **changed})
    return {method: problem.least(method).bound for method in METHODS}


@check_allowances(
    "what a schedule gains over the best constant step, over what the recursion without clipping allows any to gain", reach=0.9
)
def check_gains(*, sizes: int) -> Cases:
    """Check that a decreasing schedule gains over the best constant step at most what theory allows; return a Finding.

    With f the limit of any schedule from an infinite start, the constant step reaches min_x e^-x gap + (1 - e^-x) x f/4.
    """
    for n in np.geomspace(10**3, 10**7, sizes).astype(int).tolist():
        for r, mu in ((3.0, 0.5), (10.0, 0.1), (100.0, 0.02)):
            least = least_bounds(n, r=r, mu=mu)
            if (best := least["decreasing"]) < 0.5:
                R = 1 / best - 1  # gap over f, with best = f/(1 + f/gap)
                constant = minimize_scalar(lambda x, R=R: math.exp(-x) * R - math.expm1(-x) * x / 4, bounds=(0, 60), method="bounded").fun
                yield least["dpzero"] / best / (constant * (1 + 1 / R)) / 1.01, {"n": n, "r": r, "mu": mu, **least}
                yield least["dp_zoso"] / best / 1.08, {"n": n, "r": r, "mu": mu, **least}


def check_improvement(*, by: str, sizes: tuple[int, ...]) -> Finding:
    """Check that stages certify less than the best constant step, by a factor or by a power of n (`by`); return a Finding."""
    least = [least_bounds(n) for n in sizes]
    gain = [one["dpzero"] / one["dp_zoso"] for one in least]
    numbers = {f"n = {n:g}": one for n, one in zip(sizes, least, strict=True)} | {"gain": gain}
    if by == "factor":
        return check_condition(all(one > 1.2 for one in gain), f"stages certify {gain[0]:.2f} to {gain[-1]:.2f} times less", numbers)
    power = math.log(gain[-1] / gain[-2]) / math.log(sizes[-1] / sizes[-2])
    words = f"between the two largest n the gain grows like n^{power:.3f}: a logarithm"
    return check_condition(power > 0.2, words, {**numbers, "power": power})


def check_function_values(*, said: dict[str, float]) -> Finding:
    """Check that one certified error takes the stated numbers of function values, `said` by name; return a Finding."""
    ask: dict[str, Any] = {"n": 10**4, "epsilon": 2.0, "batches": (False,), **AT}
    rows = {f"{row.method}, {when}": row for when, target in (("near", None), ("far", 5e-3)) for row in compare(**ask, target=target)}
    rows |= {f"{row.method}, far, P = 8": row for row in compare(**ask, target=5e-3, P=8)}
    rows |= {f"{row.method}, far": row for row in compare(**ask, target=5e-3, kept=(3.0, 1e-4, 0.1))}
    found = {name: float(row.function_values) for name, row in rows.items()}
    holds = all(abs(math.log(found[name] / value)) < 0.1 for name, value in said.items())
    return check_condition(holds, "; ".join(f"{name}: {found[name]:.2g}" for name in said), found)
