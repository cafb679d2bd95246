"""Is the noise of DPZero's Lemma 2.2 enough? The exact Gaussian curve against the lemma, over the whole domain that it states."""

from __future__ import annotations

import math

import numpy as np

from bounds import privacy
from paper_checks.verdict import Claim, Finding, Kind, Outcome


def lemma_2_2_anywhere(*, lowest: float, highest: float, points: int) -> Finding:
    """Search epsilon in [lowest, highest] and delta in [1e-300, 0.99], ends included, for a point where the lemma is not private."""
    worst, at, failures = -math.inf, (lowest, 0.5), 0
    deltas = np.concatenate([10.0 ** -np.array([300.0, 100.0, 30.0, 15.0]), np.geomspace(1e-10, 0.99, points)])
    for delta in deltas.tolist():
        for epsilon in np.geomspace(lowest, highest, points).tolist():
            excess = log_excess(epsilon, delta)
            failures += excess > 0
            if excess > worst:
                worst, at = excess, (epsilon, delta)
    tried = points * len(deltas)
    numbers = {"tried": tried, "not private": failures, "largest log(attained / claimed)": worst}
    if not failures:
        return Finding(Outcome.CONSISTENT, f"private at each of {tried} points, far ends included", numbers)
    epsilon, delta = rounded_failure(*at)
    attained = delta * math.exp(log_excess(epsilon, delta))
    witness = {"epsilon": epsilon, "delta": delta, "delta attained": attained}
    return Finding(
        Outcome.REFUTED, f"at epsilon = {epsilon:g}, delta = {delta:g} the noise gives only delta = {attained:.4g}", numbers, witness
    )


def log_excess(epsilon: float, delta: float) -> float:
    """Return log(delta attained / delta claimed) with the noise of Lemma 2.2; it depends neither on T nor on the sensitivity."""
    T, sensitivity = 7, 0.3
    sigma = privacy.sigma_lemma_2_2(epsilon=epsilon, delta=delta, T=T, sensitivity=sensitivity)
    return privacy.log_delta(epsilon=epsilon, mu=math.sqrt(T) * sensitivity / sigma) - math.log(delta)


def rounded_failure(epsilon: float, delta: float) -> tuple[float, float]:
    """Return the first failure of the lemma with one significant digit in both numbers, or the given one."""
    for e in (1.0, 10.0, 100.0, 1000.0, 10_000.0, 100_000.0):
        for factor in (1, 2, 5):
            for p in (1, 2, 3, 5, 6):
                if log_excess(factor * e, 10.0**-p) > 0:
                    return factor * e, 10.0**-p
    return epsilon, delta


CLAIMS = (
    Claim(
        key="dpzero.lemma_2_2.any_epsilon",
        source="Lemma 2.2",
        words="The noise of Lemma 2.2 gives (epsilon, delta)-DP under T-fold composition for any epsilon > 0 and delta in (0, 1)",
        latex=r"\sigma^2 = 8 \Delta^2 T \log(e + \varepsilon/\delta) / \varepsilon^2 \;\Rightarrow\; (\varepsilon, \delta)\text{-DP}",
        kind=Kind.PRIVACY,
        expected=Outcome.REFUTED,
        why="mu = epsilon / sqrt(8 log(e + epsilon/delta)) grows with epsilon; from 83 on it is too much for some delta",
        examine=lemma_2_2_anywhere,
        arguments={"lowest": 1e-6, "highest": 1e6, "points": 25},
        full={"points": 200},
        correction="It holds for every delta when epsilon <= 8 log(e + epsilon/delta), hence for every epsilon up to 27",
        correction_latex=r"\varepsilon \le 8 \log(e + \varepsilon/\delta)",
        repaired_by="dpzero.lemma_2_2.safe_region",
        derivations=("dpzero.lemma_2_2",),
    ),
    Claim(
        key="dpzero.lemma_2_2.up_to_83",
        source="Lemma 2.2",
        words="Up to epsilon = 83.04 the lemma is private for every delta",
        kind=Kind.PRIVACY,
        expected=Outcome.CONSISTENT,
        why="the least critical epsilon over delta is 83.045",
        examine=lemma_2_2_anywhere,
        arguments={"lowest": 1e-6, "highest": 83.04, "points": 25},
        full={"points": 200},
    ),
)
