"""Test random draws, of noise, directions and indices, against their exact distributions.

Each check states the probability of a false alarm: all of its tests together raise one with probability at most `LEVEL`.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from paper_checks.compare import LEVEL
from paper_checks.record import Record
from paper_checks.shared.findings import ROUNDING
from paper_checks.verdict import Finding
from synthetic import draws
from synthetic.draws import FloatArray


def correlation_p_value(a: FloatArray, b: FloatArray) -> float:
    """Return the exact p-value of Pearson's correlation of independent normal a (n,) and any b (n,); 0 if one is constant."""
    if any(np.ptp(one) <= ROUNDING * np.abs(one).max() for one in (a, b)):  # the deviation of equal numbers need not be 0
        return 0.0
    r = float(np.clip(np.corrcoef(a, b)[0, 1], -1, 1))
    return float(2 * stats.t.sf(abs(r) * math.sqrt((len(a) - 2) / max(1 - r * r, 1e-300)), len(a) - 2))


def noise_p_values(noise: Sequence[FloatArray], directions: FloatArray | None = None) -> dict[str, float]:
    """Return exact p-values, {test: p}, of the hypothesis that the noise of two steps, each (runs, k), is standard normal.

    `noise` is divided by its declared deviation. Tests: its deviation (chi-square, both steps together), and the independence of
    coordinates, steps, runs and, where given, of a further number that is drawn in each run, `directions` (runs,) (correlations).
    """
    first_step, second_step = noise
    runs, p = len(first_step), dict[str, float]()
    for j, (first, second) in enumerate(zip(first_step.T, second_step.T, strict=True)):
        square = float((first**2).sum() + (second**2).sum())
        p[f"deviation of coordinate {j}"] = 2 * min(stats.chi2.cdf(square, 2 * runs), stats.chi2.sf(square, 2 * runs))
        p[f"steps, coordinate {j}"] = correlation_p_value(first, second)
        p[f"runs, coordinate {j}"] = correlation_p_value(first[: runs // 2], first[runs // 2 : 2 * (runs // 2)])
        if directions is not None:
            p[f"direction, coordinate {j}"] = correlation_p_value(first, directions)
        if j:
            p[f"coordinates 0 and {j}"] = correlation_p_value(first_step[:, 0], first)
    return p


def check_noise(noise: Sequence[FloatArray], *, beside: float, seed: int, rounding: float, directions: FloatArray | None = None) -> Finding:
    """Check that the noise of two steps, (runs, k) each over its declared deviation, is N(0, 1), by exact p-values; return a Finding.

    `beside` is the size of the noise in directions that should have none.
    """
    p, runs = noise_p_values(noise, directions), len(noise[0])
    least = min(p, key=lambda name: p[name])
    spread = [float(np.sqrt(np.mean(part**2))) for part in noise]
    numbers = {"tests": len(p), "least p-value": p[least], "of": least, "deviation / declared": spread, "beside u_t": beside, "runs": runs}
    record = Record(numbers, false_alarm=LEVEL, seed=seed)
    if not p[least] >= LEVEL / len(p) or not beside <= rounding:
        witness = {"test": least, "p-value": p[least], "deviation / declared": spread, "beside u_t": beside}
        record.refute(f"the noise is not as declared: {least}", witness)
    return record.conclude(f"{len(p)} tests of {runs} runs: deviation {spread[0]:.3f}, {spread[1]:.3f} of the declared")


def check_sphere_directions(*, dimensions: tuple[int, ...], samples: int, seed: int) -> Finding:
    """Check that drawn directions are uniform on the sphere of radius sqrt(d), by length, Beta law and signs; return a Finding.

    The law of u_1^2/d and of (v'u)^2/d is tested by Massart's DKW bound.
    """
    worst, least, at = 0.0, 1.0, {}
    for d in dimensions:
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(d,)))
        u = draws.draw_directions(rng, samples, d, "sphere")
        off = float(np.abs(np.linalg.norm(u, axis=1) / math.sqrt(d) - 1).max())
        v = np.ones(d) / math.sqrt(d)
        for axis in (u[:, 0], u @ v) if d > 1 else ():
            distance = stats.kstest(axis**2 / d, stats.beta(0.5, (d - 1) / 2).cdf).statistic
            sides = stats.binomtest(int((axis > 0).sum()), samples).pvalue  # the square does not depend on the sign
            least = min(least, 2 * math.exp(-2 * samples * distance**2), sides)
        if off > worst:
            worst, at = off, {"d": d, "|u| / sqrt(d) - 1": off}
    numbers = {"directions": samples * len(dimensions), "largest error of |u| / sqrt(d)": worst, "least p-value": least}
    record = Record(numbers, false_alarm=LEVEL, seed=seed)
    if worst > 1e-12 or least < LEVEL / (4 * len(dimensions)):
        record.refute("a direction is not uniform on the sphere", {**at, "p-value": least})
    return record.conclude(f"|u| = sqrt(d) to {worst:.1g}, and the Beta law fits")


def check_uniform_index(
    found: NDArray[np.integer[Any]], T: int, *, seed: int, rounding: float, off: float, name: str = "tau", point: str = "x_tau"
) -> Finding:
    """Check that indices `found` are uniform on 0..T-1, by binomial tails, and that `off` is at most `rounding`; return a Finding."""
    runs, counts = len(found), np.bincount(found, minlength=T)
    p = [2 * min(stats.binom.cdf(k, runs, 1 / T), stats.binom.sf(k - 1, runs, 1 / T)) for k in counts[:T].tolist()]
    numbers = {"counts": counts.tolist(), "least p-value": min(p), f"{point} against the path": off}
    record = Record(numbers, false_alarm=LEVEL, seed=seed)
    if len(counts) > T or found.min() < 0 or min(p) < LEVEL / T or not off <= rounding:
        witness = {"T": T, "counts": counts.tolist(), "off": off}
        record.refute(f"{name} is not uniform on 0..T-1, or {point} is not x at {name}", witness)
    return record.conclude(f"{runs} values of {name} on 0..{T - 1}: counts from {counts.min()} to {counts.max()}")
