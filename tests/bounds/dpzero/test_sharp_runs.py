"""The sharper theorems against runs of the algorithms, written out in plain NumPy, with clipping at work; and lies are caught.

Loss  f(x; xi) = sum_j h_j sqrt(1 + (x_j - xi_j)^2): L = ||h||, ell = h_1 = 1, H = diag(h), r = sum(h), not bounded.
"""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from bounds.symbols import C as C_letter
from tests.bounds.dpzero import sharper

CLIP_BIAS, LIPSCHITZ, NEVER_CLIP, DPGD_0TH, DP_GD, START = (
    sharper.THEOREMS[f"dpzero.sharp_{name}"] for name in ("clip_bias", "lipschitz", "never_clip", "dpgd_0th", "dp_gd", "start")
)


class Loss:
    def __init__(self, h, xi):
        self.h, self.xi = h, xi
        self.constants = {"d": h.size, "r": float(h.sum()), "L": float(np.linalg.norm(h)), "ell": float(h.max())}

    def value(self, x):
        """(runs, samples) from x (runs, d)."""
        return np.sqrt(1 + (x[:, None, :] - self.xi) ** 2) @ self.h

    def samples_gradient(self, x):
        away = x[:, None, :] - self.xi
        return self.h * away / np.sqrt(1 + away**2)

    def gradient(self, x):
        return self.samples_gradient(x).mean(axis=1)

    def optimum(self):
        slope = lambda t, column: float(((t - column) / np.sqrt(1 + (t - column) ** 2)).sum())
        return np.array([brentq(slope, column.min() - 1, column.max() + 1, args=(column,)) for column in self.xi.T])

    def gap(self, x0):
        return float(self.value(x0[None]).mean() - self.value(self.optimum()[None]).mean())


def run(method, loss, x0, *, alpha, T, C, lam, sigma, runs, seed):
    """Return (mean over t < T of ||grad F(x_t)||^2 for each run, share of clipped samples)."""
    rng, d = np.random.default_rng(seed), x0.size
    x, clipped, total = np.tile(x0, (runs, 1)), 0.0, np.zeros(runs)
    for _ in range(T):
        total += (loss.gradient(x) ** 2).sum(axis=1)
        if method == "dp_gd":
            step = loss.samples_gradient(x).mean(axis=1) + sigma * rng.standard_normal((runs, d))
        else:
            u = rng.standard_normal((runs, d))
            u *= math.sqrt(d) / np.linalg.norm(u, axis=1, keepdims=True)
            difference = (loss.value(x + lam * u) - loss.value(x - lam * u)) / (2 * lam)
            threshold = C if method == "dpzero" else C / math.sqrt(d)
            clipped += np.mean(np.abs(difference) > threshold) / T
            m = np.clip(difference, -threshold, threshold).mean(axis=1)[:, None]
            noise = sigma * rng.standard_normal((runs, 1)) * u if method == "dpzero" else sigma * rng.standard_normal((runs, d))
            step = m * u + noise
        x = x - alpha * step
    return total / T, clipped


def spread_out(d=20, samples=24, width=4.0, seed=0):
    return Loss(1 / np.arange(1, d + 1), width * np.random.default_rng(seed).standard_normal((samples, d)))


def one_sided(d=8):
    """A third of the samples far away with gradients of norm L, the others close by: their clipping shifts the balance."""
    return Loss(np.full(d, 1.0), np.concatenate([np.full((2, d), 60.0), np.zeros((4, d))]))


def bound(theorem, loss, x0, **schedule):
    return theorem.bound_at(n=loss.xi.shape[0], gap=loss.gap(x0), **loss.constants, **schedule)


CASES = {
    "clip bias, much clipping": (CLIP_BIAS, "dpzero", dict(alpha=0.02, T=1_500, C=1.2, lam=1e-4, sigma=0.1)),
    "clip bias, much noise": (CLIP_BIAS, "dpzero", dict(alpha=0.01, T=1_500, C=2.0, lam=1e-3, sigma=3.0)),
    "Lipschitz, wide differences": (LIPSCHITZ, "dpzero", dict(alpha=0.02, T=1_500, C=2.0, lam=0.05, sigma=0.5)),
    "never clip": (NEVER_CLIP, "dpzero", dict(alpha=0.02, T=1_500, C=6.0, lam=0.05, sigma=0.5)),
    "DPGD-0th, clipping": (DPGD_0TH, "dpgd_0th", dict(alpha=0.02, T=1_500, C=6.0, lam=1e-4, sigma=0.5)),
    "DP-GD": (DP_GD, "dp_gd", dict(alpha=0.3, T=300, C=1.3, lam=1e-4, sigma=0.3)),
}


@pytest.mark.parametrize("name", CASES)
def test_runs_stay_below_the_bound_and_a_hundredth_of_it_is_refuted(name):
    theorem, method, schedule = CASES[name]
    loss = spread_out()
    x0 = np.full(20, 6.0)
    seen, clipped = run(method, loss, x0, **schedule, runs=8, seed=1)
    error = seen.std(ddof=1) / math.sqrt(seen.size)
    claim = bound(theorem, loss, x0, **schedule)
    assert claim < loss.constants["L"] ** 2  # says something
    assert seen.mean() + 5 * error <= claim
    assert seen.mean() - 5 * error > claim / 100
    if theorem in (CLIP_BIAS, LIPSCHITZ, DPGD_0TH):
        assert clipped > 0.005


def test_a_theorem_that_forgets_the_clipping_is_refuted():
    loss, x0 = one_sided(), np.full(8, 1.0)
    schedule = dict(alpha=0.005, T=6_000, C=0.5 * math.sqrt(8), lam=1e-4, sigma=0.01)
    seen, clipped = run("dpzero", loss, x0, **schedule, runs=4, seed=2)
    forgets = CLIP_BIAS.in_constants(CLIP_BIAS.any_schedule).subs(C_letter, 100)  # as if the threshold were out of reach
    values = {letter: {**loss.constants, **schedule, "gap": loss.gap(x0)}[letter.name] for letter in forgets.free_symbols}
    error = seen.std(ddof=1) / math.sqrt(seen.size)
    assert clipped > 0.2
    assert seen.mean() - 5 * error > float(forgets.subs(values).evalf())
    assert seen.mean() + 5 * error <= bound(CLIP_BIAS, loss, x0, **schedule) <= loss.constants["L"] ** 2


def test_the_start_is_as_steep_as_its_bound_allows_at_most():
    loss = spread_out()
    for x0 in (np.zeros(20), np.full(20, 6.0), loss.optimum() + 0.01):
        claim = START.bound_at(gap=loss.gap(x0), **loss.constants)
        assert (loss.gradient(x0[None]) ** 2).sum() <= claim * (1 + 1e-6)


def test_dp_gd_needs_gradients_because_subgradients_need_not_average_to_the_gradient():
    # f+- = F +- k |x| with F = sqrt(1 + (x + 0.05)^2) - 1, k = F'(0): at x = 0 both samples have the subgradient 0, their mean F has k
    shift, alpha, T, sigma, runs = 0.05, 1.0, 2, 1e-4, 400
    slope = lambda x: (x + shift) / np.sqrt(1 + (x + shift) ** 2)
    kink, gap = slope(0.0), math.sqrt(1 + shift**2) - 1
    x, total, rng = np.zeros(runs), np.zeros(runs), np.random.default_rng(3)
    for _ in range(T):
        total += slope(x) ** 2
        sign = np.where(x == 0, -1.0, np.sign(x))
        mean = (slope(x) + kink * sign + slope(x) - kink * np.where(x == 0, 1.0, sign)) / 2  # the kinks agree but at 0: k - k there
        x = x - alpha * (mean + sigma * rng.standard_normal(runs))
    seen = total / T
    claim = DP_GD.bound_at(alpha=alpha, T=T, C=1 + kink, sigma=sigma, d=1, r=1, L=1 + kink, ell=1, gap=gap)
    assert seen.mean() - 5 * seen.std() / math.sqrt(runs) > 1.9 * claim
    assert "differentiable" in DP_GD.assumptions[0]
    assert "differentiable" not in LIPSCHITZ.assumptions[0]  # function values of a Lipschitz sample are enough
