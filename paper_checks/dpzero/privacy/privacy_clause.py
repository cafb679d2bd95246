r"""Checks of the privacy clause of Theorems 1, 2 and 3 at their own parameters, by a counterexample with an exact privacy curve.

One sample, one dimension: n = d = r = 1, S = {+1} against S' = {-1}, and f(x; xi) = L psi(xi x) with psi odd, psi(x) = x on
[-M, M], constant far out, and in between as smooth as Assumption 3.5 asks (psi' falls from 1 to 0 along a smoothstep of width
2 L/ell, so psi'' is continuous and at most 3 ell/(4 L)). So f is L-Lipschitz, ell-smooth, twice differentiable and bounded by
B = L M + 2 L^2/ell: every assumption is met, B of Theorem 3 included.

While the iterates stay in [-M, M] both algorithms are the same Gaussian walk: x_t ~ N(x_0 -+ alpha h t, alpha^2 sigma^2 t) with
h = min(L, C), because u_t = +-1. The likelihood ratio of the two walks at x is e^{-2 h (x - x_0) / (alpha sigma^2)} for every t, hence
also for the mixture x_tau; so the best set is a half-line for every t at once, and with mu_t = 2 h sqrt(t) / sigma

    delta(x_T) = delta(epsilon; mu_T),      delta(x_tau) = (1/T) sum_{t < T} delta(epsilon; mu_t)     exactly.

M is so large that leaving [-M, M] has probability at most T e^{-epsilon - 100}, which costs delta at most 2 T e^{-100}.
"""

import math
from collections.abc import Sequence
from typing import Any

from mpmath import mp

from bounds.dpzero import THEOREMS
from paper_checks.shared.privacy import DIGITS, check_privacy_clause, half_line_delta_lower_bound, mean_delta, walk_delta_lower_bound
from paper_checks.shared.search import Cases, check_ratios
from paper_checks.verdict import Finding

L = ell = 1.0
SAMPLE = {"n": 1.0, "d": 1.0, "r": 1.0, "L": L, "ell": ell}


def counterexample(
    key: str, *, epsilon: float, delta: float, last: bool, up: bool, B: float = 0.0, threshold: float | None = None
) -> dict[str, Any]:
    """Return the counterexample to theorem `key` at (epsilon, delta), by name: T, C, sigma, M, a lower bound on delta, and "fails".

    `last`: x_T is released, not x_tau;  `up`: T is rounded up;  `threshold` replaces the theorem's own C, since the privacy clause is about
    the algorithm, whatever its C is.
    """
    at = THEOREMS[key].evaluate(**SAMPLE, epsilon=epsilon, delta=delta, gap=B, B=B).schedule
    real_T, C = at["T"], at["C"] if threshold is None else threshold
    T = max(1, math.ceil(real_T) if up else math.floor(real_T))
    with mp.workdps(DIGITS):
        # the noise of the algorithms, from its formula
        sigma = 4 * mp.mpf(C) * mp.sqrt(2 * T * mp.log(mp.e + mp.mpf(epsilon) / mp.mpf(delta))) / mp.mpf(epsilon)
        walk = {"epsilon": mp.mpf(epsilon), "shift": mp.mpf(min(L, C)), "sigma": sigma, "T": T}
        M = mp.mpf(at["alpha"]) * (walk["shift"] * T + sigma * mp.sqrt(2 * T * (walk["epsilon"] + 100))) + mp.mpf(at["lam"])
        spent = walk_delta_lower_bound(**walk, last=last)
        spent -= 2 * T * mp.exp(-100)
        run = {"epsilon": epsilon, "delta": delta, "T*": real_T, "T": T, "C": C, "sigma": float(sigma), "alpha": at["alpha"], "M": float(M)}
        run |= {"largest |F_S|": float(L * M + 2 * L**2 / ell), "B": B, "delta spent is at least": mp.nstr(spent, 8)}
        return run | {"fails": bool(spent > mp.mpf(delta)) and (key != "dpzero.theorem3" or run["largest |F_S|"] <= B)}


def check_counterexample(
    *, key: str, points: Sequence[tuple[float, float]], last: bool = False, B: float = 0.0, threshold: float | None = None
) -> Finding:
    """Check whether the counterexample to theorem `key` stays within delta at `points` (epsilon, delta), exactly; return a Finding."""

    def runs(epsilon: float, delta: float) -> list[dict[str, Any]]:
        return [counterexample(key, epsilon=epsilon, delta=delta, last=last, up=up, B=B, threshold=threshold) for up in (False, True)]

    words = "n = d = 1, S = {{+1}}, S' = {{-1}}: at ({epsilon}, {delta}) " + ("x_T" if last else "x_tau")
    return check_privacy_clause(points, runs, words=words + " spends delta >= {spent} (T rounded down or up)")


@check_ratios(
    "relative difference", "the half-line misses the average of the curves", "equal to {value:.1g} at {tried} points", limit=1e-30
)
def check_mixture() -> Cases:
    """Check that P - e^epsilon Q of the half-line is the mean of the Gaussian curves delta(epsilon; mu_t), at points; return a Finding."""
    for epsilon, sigma, T in ((0.5, 3, 9), (2, 2, 12), (20, 0.9, 30), (200, 0.8, 48)):
        with mp.workdps(DIGITS):
            eps, deviation = mp.mpf(epsilon), mp.mpf(sigma)
            mixture = half_line_delta_lower_bound(epsilon=eps, shift=mp.mpf(1), sigma=deviation, T=T, last=False)
            average = mean_delta(eps, 2 / deviation, T)
            error, numbers = float(abs(mixture / average - 1)), {"half-line": float(mixture), "average": float(average)}
        yield error, {"epsilon": epsilon, "sigma": sigma, "T": T, **numbers}
