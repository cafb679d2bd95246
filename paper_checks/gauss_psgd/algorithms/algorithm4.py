"""Checks of Algorithm 4: sensitivities, noise against the allowances in the two tests, and what the print leaves open."""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from scipy import stats

from bounds.gauss_psgd import selection as theory
from bounds.gauss_psgd.fixed_point import Problem
from paper_checks.gauss_psgd.algorithms.plain_algorithms import unit_cosine_saddles
from paper_checks.record import Record
from paper_checks.shared.findings import check_probability_at_most, check_variance
from paper_checks.shared.privacy import Neighbours, release_distances
from paper_checks.shared.search import Cases, check_allowances
from paper_checks.shared.tails import probability_of_any
from paper_checks.verdict import Finding
from synthetic.draws import FloatArray
from synthetic.runs import selection
from synthetic.runs.selection import select

SETTING: dict[str, Any] = {"n": 6000.0, "epsilon": 1.0, "delta": 1e-5, "L": 1.0, "ell": 1.0}
OPEN: dict[str, Any] = {"gradient_limit": 1e-12, "curvature_limit": 1.0}  # no point passes, so every point is looked at


@check_allowances("the change by one replaced sample over the stated sensitivity", reach=0.999, rounding=1e-12)
def check_sensitivity(*, what: str, cases: int, seed: int) -> Cases:
    """Check by search that one replaced held-out sample changes a mean (`what`) by at most the stated sensitivity; return a Finding.

    The mean gradient changes by 2 L/n at most. The change of the mean Hessian (entries on and above the diagonal) is compared with
    2 ell sqrt(d)/n, which the noise of Algorithm 4 is for, or ("operator") with 2 ell/n.
    """

    def released(of: Any) -> FloatArray:
        gradient, hessian = selection.mean_derivatives(*of)
        return gradient if what == "gradient" else np.triu(hessian)

    return release_distances(neighbouring_samples(what, cases, seed), released)


def neighbouring_samples(what: str, cases: int, seed: int) -> Iterator[Neighbours]:
    """Yield `cases` Neighbours of (objective, clients' held-out samples, point) that differ in the first sample."""
    d, n, rng = 5, 12, np.random.default_rng(seed)
    landscape = unit_cosine_saddles(d)
    G, M = landscape.constants["L"], landscape.constants["ell"]
    allowed = {"gradient": 2 * G / n, "hessian": 2 * M * math.sqrt(d) / n, "operator": 2 * M / n}[what]
    for k in range(cases):
        rows, x, pair = landscape.draw(rng, n, 0), rng.uniform(-2, 2, d), []
        for sign in (1, -1):
            extreme = sign * math.pi / 2 - x if what == "gradient" else math.pi / 2 * (1 - sign) - x
            z = extreme if k % 3 == 0 else rng.uniform(-np.pi, np.pi, d)
            other = rows.copy()
            other[0] = np.concatenate([np.cos(z), np.sin(z)])
            pair.append((landscape, [other], x))
        one, two = pair
        yield Neighbours(one, two, partial(_sensitivity_ratio, allowed=allowed, n=n, x=x))


def _sensitivity_ratio(change: FloatArray, *, allowed: float, n: int, x: FloatArray) -> tuple[float, dict[str, Any]]:
    """Return (norm of the change of a released mean over the allowed sensitivity, the numbers behind it by name)."""
    ratio = float(np.linalg.norm(change)) / allowed
    return ratio, {"n": n, "d": len(x), "x": x.tolist(), "change": ratio * allowed, "allowed": allowed}


def check_selection_noise(*, what: str, m: int, T: int, seed: int) -> Finding:
    """Check by simulation that noise on T gradients or Hessians, averaged over m clients, has variance sigma^2/m; return a Finding.

    `what`: "gradient", or any other word for the Hessian.
    """
    d = 6 if what == "gradient" else 1
    found = select(
        unit_cosine_saddles(d, None, (0.0,) * m), np.zeros((T, d)), n=2, sigma_gradient=0.7, sigma_hessian=0.3, seed=seed, **OPEN
    )
    squares = found.gradient_noise**2 / 0.7**2 if what == "gradient" else found.hessian_noise**2 / 0.3**2
    return check_variance(float(squares.sum()) * m, T * d, f"noise on the {what}, {m} clients", seed)


def check_gradient_allowance(*, dimensions: tuple[int, ...], omega: float, T: int, c_1: float, share: float | None = None) -> Finding:
    """Check exactly that |theta_p| exceeds its printed allowance with probability at most omega', or `share` if given; return a Finding."""
    found = {}
    for d in dimensions:
        unit = math.sqrt(T * math.log(1 / SETTING["delta"])) / (SETTING["n"] * SETTING["epsilon"])
        sigma = theory.noise_scales(d=d, T=T, constant=c_1, **SETTING)[0]
        allowed = theory.printed_allowances(d=d, T=T, m=1, omega=omega, **SETTING)[0] - math.log(8 * d / omega) / math.sqrt(SETTING["n"])
        if abs(allowed / (math.sqrt(d * math.log(16 / omega)) * unit) - 1) > 1e-9 or abs(sigma / (math.sqrt(c_1) * unit) - 1) > 1e-9:
            return Record().leave_open("the library's allowance or noise is not the printed one")
        found[d] = float(stats.chi2.sf((allowed / sigma) ** 2, d))
    record = Record({f"P(|theta| > allowance), d = {d}": p for d, p in found.items()})
    worst, largest = max(found.items(), key=lambda entry: entry[1])
    if largest > (omega if share is None else share):
        witness = {"d": worst, "omega'": omega, "c_1": c_1, "epsilon": SETTING["epsilon"], "n": SETTING["n"], "probability": largest}
        record.refute(f"at d = {worst} the noise exceeds its allowance with probability {largest:.3f}", witness)
    return record.conclude(f"at most {largest:.3g}")


def check_noise_allowance(*, what: str, tests: str, d: int, omega: float, points: int, seed: int) -> Finding:
    """Check by simulation that the least private noise exceeds its allowance with probability at most omega; return a Finding.

    `what`: noise on the "gradient" or the "hessian". `tests`: the "printed" allowance, without its sampling term, or else the proved one.
    """
    at: dict[str, Any] = {"d": d, "T": 100, "m": 1, "omega": omega}
    constant = theory.noise_constant("exact", epsilon=1.0, delta=1e-5, T=100)
    sigmas = theory.noise_scales(d=d, T=100, constant=constant, **SETTING)
    found = select(unit_cosine_saddles(d), np.zeros((points, d)), n=2, sigma_gradient=sigmas[0], sigma_hessian=sigmas[1], seed=seed, **OPEN)
    if tests == "printed":
        both = theory.printed_allowances(**at, **SETTING)
        sampling = math.log(8 * d / omega) / math.sqrt(SETTING["n"]), math.sqrt(math.log(8 * d / omega) / SETTING["n"])
    else:
        at |= {name: SETTING[name] for name in ("n", "L", "ell")}
        both, sampling = (theory.proved_allowances(**at, sigmas=of) for of in (sigmas, (0.0, 0.0)))
    which, norms = (0, found.gradient_noise) if what == "gradient" else (1, found.hessian_noise)
    allowed = both[which] - sampling[which]
    words = f"noise on the {what} above its {tests} allowance, d = {d}"
    drawn = {"mean / allowed": float(norms.mean() / allowed), "c_1 = c_2": constant, "epsilon": SETTING["epsilon"], "n": SETTING["n"]}
    return check_probability_at_most(int(np.sum(norms > allowed)), points, omega, words, seed, **drawn)


def check_bernstein_factor(*, factor: float, d: int, omega: float, n: int) -> Finding:
    """Check exactly that the mean of n sign matrices exceeds factor sqrt(log(8d/omega)/n) with probability <= omega; return a Finding."""
    threshold = factor * math.sqrt(math.log(8 * d / omega) / n)
    probability = probability_of_any(d, 2 * float(stats.binom.sf(math.ceil(n * (1 + threshold) / 2) - 1, n, 0.5)))
    record = Record({"d": d, "m n": n, "omega'": omega, "factor": factor, "probability": probability})
    if probability > omega:
        record.refute(f"the sampling error exceeds it with probability {probability:.3f}", record.numbers)
    return record.conclude(f"exceeded with probability {probability:.3g} at most omega' = {omega:g}")


def selection_arguments(at: theory.Selection) -> dict[str, Any]:
    """Return the noise deviations and the limits of the two tests of a Selection, as keyword arguments of `select`."""
    noise = {"sigma_gradient": at.sigma_gradient, "sigma_hessian": at.sigma_hessian}
    return noise | {"gradient_limit": at.gradient, "curvature_limit": at.hessian}


def check_selects_a_point(*, seed: int) -> Finding:
    """Check on one run that Algorithm 4 with the printed thresholds chooses a point when all points are saddles; return a Finding."""
    problem = Problem(n=100_000, d=3, epsilon=8.0, delta=1e-5, L=math.sqrt(3), ell=1.0, rho=1.0, U=1.0)
    at = theory.selection_tests("printed", problem, T=3, accuracy=0.1)
    found = select(unit_cosine_saddles(3), np.zeros((3, 3)), n=100_000, seed=seed, **selection_arguments(at))
    record = Record({"sigma_gradient": at.sigma_gradient, "sigma_hessian": at.sigma_hessian}, seed=seed)
    if found.chosen is None:
        witness = {"points": "three times the saddle of random-phase cosines, d = 3", "n": 100_000, "chosen": "none"}
        record.refute("no point passes, and no output is defined", witness)
    return record.conclude(f"point {found.chosen} is chosen")


def check_sosp_accepted(*, tests: str, d: int, epsilon: float, omega: float, runs: int, seed: int) -> Finding:
    """Check by simulation that Algorithm 4 rejects an alpha-SOSP of gradient 0.999 alpha with probability <= omega; return a Finding."""
    alpha, n, landscape, x = 0.3, 4000, unit_cosine_saddles(d), np.zeros(d)
    x[:2] = math.pi, math.asin(0.999 * alpha / math.sin(1.0))  # the gradient has length 0.999 alpha, the Hessian is positive
    assert landscape.certify_sosp(x, alpha).sosp
    problem = Problem(n=n, d=d, epsilon=epsilon, delta=1e-5, L=math.sqrt(d), ell=1.0, rho=1.0, U=1.0, omega=omega)
    at = theory.selection_tests(tests, problem, T=100, accuracy=alpha)
    runs_of = (select(landscape, x[None], n=n, seed=seed, replicate=r, **selection_arguments(at)) for r in range(runs))
    missed, at_these = sum(one.chosen is None for one in runs_of), {"c_1 = c_2": at.constant, "epsilon": epsilon, "n": n}
    return check_probability_at_most(missed, runs, omega, f"an alpha-SOSP is turned down by the {tests} tests, d = {d}", seed, **at_these)


def check_curved_sosp_accepted(*, d: int, alpha: float, omega: float, runs: int, seed: int) -> Finding:
    """Check by simulation that Algorithm 4's Hessian test rejects -sqrt(rho alpha) I with probability at most omega; return a Finding.

    This is the mean Hessian of an alpha-SOSP. rho = 1; the sampling error is 0, and c_2 the least that keeps the releases private.
    """
    constant = theory.noise_constant("exact", epsilon=SETTING["epsilon"], delta=SETTING["delta"], T=100)
    sigma = theory.noise_scales(d=d, T=100, constant=constant, **SETTING)[1]
    allowed = theory.printed_allowances(d=d, T=100, m=1, omega=omega, **SETTING)[1]
    upper = np.triu(np.random.default_rng(seed).normal(0.0, sigma, (runs, d, d)))
    noisy = upper + np.swapaxes(np.triu(upper, 1), 1, 2) - math.sqrt(alpha) * np.eye(d)
    failed = int(np.sum(np.linalg.eigvalsh(noisy)[:, 0] < -(math.sqrt(alpha) + allowed)))
    at_these = {"c_2": constant, "epsilon": SETTING["epsilon"], "n": SETTING["n"], "alpha": alpha}
    return check_probability_at_most(failed, runs, omega, f"-sqrt(rho alpha) I fails the Hessian's test, d = {d}", seed, **at_these)
