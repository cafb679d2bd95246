"""Checks that the draws of a run are those of Algorithms 1 and 2: directions, noise and tau of `synthetic.runs.simulate`, by exact tests.

A loss that is 0 everywhere makes every step pure noise, so that the noise can be read off the iterates.
"""

import math
from typing import Any

import numpy as np

from bounds import privacy
from paper_checks.dpzero.algorithms import ROUNDING
from paper_checks.shared.draws import check_noise, check_uniform_index
from paper_checks.shared.findings import check_deviation
from paper_checks.shared.search import Cases, check_deviations
from paper_checks.verdict import Finding
from synthetic import draws
from synthetic.losses import sums as losses
from synthetic.losses.counting import counted_loss, mean_gradient
from synthetic.methods.dpzero import DPZERO, KERNELS, MEZO
from synthetic.objectives.sums import Objective
from synthetic.runs.simulate import simulate


def probe_objective(d: int, row: float = 0.0) -> Objective:
    """Return an Objective in d dimensions: 0 everywhere if row = 0, so that steps are noise alone, else a quadratic around one record."""
    rows, a = np.full((1, d), row), np.full(d, float(row != 0))
    functions = counted_loss, losses.quadratic_gradient, mean_gradient
    return Objective("probe", rows, (a, rows[0].copy(), np.zeros(1)), *functions, np.zeros(d), rows[0], {"n": 1, "d": d})


def check_noise_distribution(*, method: str, d: int, runs: int, seed: int) -> Finding:
    """Check that the noise of two steps is uncorrelated and has Lemma 2.2's sigma, by p-values of exact tests; return a Finding."""
    n, C, epsilon, delta, T = 1, 1.0, 2.0, 1e-6, 2
    declared = 4 * C * math.sqrt(2 * T * math.log(math.e + epsilon / delta)) / (n * epsilon)
    sigma = privacy.sigma_lemma_2_2(epsilon=epsilon, delta=delta, T=T, sensitivity=2 * C / n)
    common: dict[str, Any] = {"alpha": 1.0, "C": C, "sigma": sigma, "replicates": runs, "seed": seed}
    after = [simulate(KERNELS[method], probe_objective(d), T=t, **common, threads=1).x for t in (1, 2)]
    noise = [-after[0] / declared, (after[0] - after[1]) / declared]  # (runs, d) each
    u = np.stack([draws.draw_directions(draws.generator(seed, r, draws.DIRECTIONS), 2, d, "sphere") for r in range(runs)])
    if method == "dpzero":
        z = [(noise[t] * u[:, t]).sum(axis=1, keepdims=True) / d for t in (0, 1)]
        beside = max(float(np.abs(noise[t] - z[t] * u[:, t]).max()) for t in (0, 1))
    else:
        z, beside = noise, 0.0
    return check_noise(z, beside=beside, seed=seed, rounding=ROUNDING, directions=u[:, 0, 0])


@check_deviations("the direction of the seed, whatever the data", ROUNDING)
def check_directions_ignore_data(*, d: int, seed: int) -> Cases:
    """Check that the first step from one seed is along the same direction on four data sets, by simulation; return a Finding."""
    u = draws.draw_directions(draws.generator(seed, 0, draws.DIRECTIONS), 1, d, "sphere")[0]
    for row in (0.0, 1e-3, 7.0, -1e6):
        step = simulate(DPZERO, probe_objective(d, row), alpha=1.0, T=1, C=1.0, sigma=1.0, seed=seed, threads=1).x[0]
        yield float(np.linalg.norm(step - (step @ u) / d * u) / np.linalg.norm(step)), {"seed": seed, "record": row}


def check_tau_distribution(*, T: int, runs: int, seed: int) -> Finding:
    """Check that tau is uniform on 0..T-1, by exact binomial tails, and that x_tau is the iterate tau; return a Finding."""
    run = simulate(DPZERO, probe_objective(2, 3.0), alpha=0.1, T=T, C=1.0, sigma=0.5, replicates=runs, seed=seed, threads=1)
    norms = np.sum((run.x_tau - 3.0) ** 2, axis=1)
    off = float(np.max(np.abs(norms - run.grad_norm_sq_tau) / norms))
    return check_uniform_index(run.tau, T, seed=seed, rounding=ROUNDING, off=off)


def check_mezo_without_noise(*, seed: int) -> Finding:
    """Check that MeZO stays at its start on a loss of 0, so adds no noise, and refuses C and sigma; return a Finding."""
    refused = 0
    unwanted: tuple[dict[str, Any], ...] = ({"C": 1.0}, {"sigma": 1.0})
    for extra in unwanted:
        try:
            simulate(MEZO, probe_objective(2), alpha=1.0, T=1, **extra)
        except ValueError:
            refused += 1
    run = simulate(MEZO, probe_objective(2), alpha=1.0, T=5, seed=seed, threads=1)
    return check_deviation(
        float(np.abs(run.x).max()) + run.clipped.max() + 2 - refused, {"refused": refused}, 5, "no noise, no clipping", seed
    )
