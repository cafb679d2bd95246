"""Checks of Lemmas 18 to 20 and Definition 5: two coupled runs, and the three parts of their difference."""

import math

import numpy as np
from scipy import stats

from paper_checks.compare import LEVEL
from paper_checks.gauss_psgd.algorithms.algorithms_2_and_3 import draw_samples, replay_oracle
from paper_checks.gauss_psgd.algorithms.plain_algorithms import unit_cosine_saddles
from paper_checks.record import Record
from paper_checks.shared.findings import check_variance
from paper_checks.shared.search import Cases, check_allowances, check_deviations
from paper_checks.verdict import Finding
from synthetic.draws import NOISE, generator
from synthetic.objectives.separable_saddles import local_cubic
from synthetic.runs.escapes import couple


def check_error_correlation(*, steps: int, repeats: int, seed: int) -> Finding:
    """Check by simulation that the errors nu_t and nu_{t+k} of estimates are uncorrelated, as martingale differences; return a Finding.

    k is `steps`, t = 1. Noise that adds up has the correlation sqrt(v_t/v_{t+k}) instead.
    """
    landscape, points = unit_cosine_saddles(3), np.array([[0.3 + 0.2 * t, 1.0, 0.0] for t in range(steps + 1)])
    asked = landscape, points, draw_samples(landscape, 9 + 4 * steps, np.random.default_rng(seed))
    quiet = replay_oracle(*asked, seed, sigma_1=0.0, sigma_2=0.0, kappa=1e9).estimates
    nu = np.array([replay_oracle(*asked, seed + k, sigma_1=0.4, sigma_2=0.8, kappa=1e9).estimates - quiet for k in range(repeats)])
    first, last = nu[:, 0].ravel(), nu[:, -1].ravel()
    found = float(np.corrcoef(first, last)[0, 1])
    half = float(stats.norm.isf(LEVEL / 2)) / math.sqrt(len(first) - 3)  # Fisher's z, for Gaussian pairs
    low, high = math.tanh(math.atanh(found) - half), math.tanh(math.atanh(found) + half)
    stated = math.sqrt(0.4**2 / (0.4**2 + 0.8**2 * steps * 0.04))
    numbers = {"correlation": found, "low": low, "high": high, "sqrt(v_t/v_{t+k})": stated, "lag": steps}
    record = Record(numbers, seed=seed, false_alarm=LEVEL)
    if low > 0:
        record.refute(f"the correlation at lag {steps} is {found:.3f} (at least {low:.3f}); noise that adds up has {stated:.3f}", numbers)
    return record.conclude(f"the correlation is {found:.3f}")


def noise_growth(eta: float, gamma: float, t: float) -> float:
    """Return the noise growth a(t) of (30), sqrt(sum_{i=1}^t (1 + eta gamma)^(2 (t - i)))."""
    x = eta * gamma
    return math.sqrt(math.expm1(2 * t * math.log1p(x)) / (2 * x + x * x))


@check_deviations("the two runs of Definition 5")
def check_coupled_runs(*, cases: int, seed: int) -> Cases:
    """Check that simulated coupled runs on a quadratic saddle follow the lines of Definition 5, on the same draws; return a Finding."""
    landscape, T = local_cubic(4, gamma=0.7, rho=0.0, ell=1.3), 15
    rng, H = np.random.default_rng(seed), np.array([-0.7, 1.3, 1.3, 1.3])
    for k in range(cases):
        eta, sigma, zeta = (float(v) for v in rng.uniform(0.05, 0.5, 3))
        seen = couple(landscape, eta=eta, T=T, sigma=sigma, zeta=zeta, seed=k, threads=1)
        draws, x, y, rows = generator(k, 0, NOISE), np.zeros(4), np.zeros(4), [(0.0, 0.0, 0.0)]
        for _ in range(T):
            z = draws.standard_normal(4)
            common, xi = zeta * z / np.linalg.norm(z), sigma * draws.standard_normal(4)
            opposite = xi * np.array([-1.0, 1.0, 1.0, 1.0])  # v_min = e_1
            x, y = x - eta * (H * x + common + xi), y - eta * (H * y + common + opposite)
            rows.append((float(np.linalg.norm(x)), float(np.linalg.norm(y)), float(np.linalg.norm(x - y))))
        pairs = zip((seen.distance, seen.twin_distance, seen.apart), np.array(rows).T, strict=True)
        yield max(float(np.abs(a[0] - b).max()) for a, b in pairs), {}


def check_noise_distribution(*, runs: int, seed: int) -> Finding:
    """Check by simulation that |x - x'|^2/(4 eta^2 r^2 a(Gamma)^2) of coupled runs is chi-square at t = Gamma; return a Finding.

    On a quadratic saddle the two runs differ by P_p alone, whose distribution is known exactly.
    """
    landscape, eta, r, T = local_cubic(3, gamma=0.5, rho=0.0, ell=1.0), 0.1, 0.02, 60
    apart = couple(landscape, eta=eta, T=T, sigma=r, zeta=0.3, replicates=runs, seed=seed, threads=1).apart[:, -1]
    return check_variance(
        float(np.sum(apart**2)) / (2 * eta * r * noise_growth(eta, 0.5, T)) ** 2, runs, "P_p(Gamma), variance 4 eta^2 r^2 a^2", seed
    )


def check_noise_lower_tail(*, times: tuple[int, ...], Gamma: int, x: float) -> Finding:
    """Check exactly that P(|P_p(t)| >= b(Gamma) eta r/10) >= 2/3 at the times t of (32), with eta gamma = x; return a Finding."""
    threshold = (1 + x) ** Gamma / math.sqrt(2 * x) / 20
    found = {t: 2 * float(stats.norm.sf(threshold / noise_growth(1.0, x, t))) if t else 0.0 for t in times}
    worst = min(found, key=lambda t: found[t])
    record = Record({f"P at t = {t}": p for t, p in found.items()} | {"Gamma": Gamma, "eta gamma": x})
    if found[worst] < 2 / 3:
        sentence = f"at t = {worst}, Gamma = {Gamma}, the probability is {found[worst]:.3g}"
        record.refute(sentence, {"t": worst, "Gamma": Gamma, "eta gamma": x, "probability": found[worst]})
    return record.conclude(f"at least {found[worst]:.4f}")


@check_allowances("the probability over 2 e^(-iota)")
def check_noise_upper_tail(*, c: float) -> Cases:
    """Check exactly that P(|N(0, 4)| > c sqrt(iota)) <= 2 e^(-iota) on a grid of iota from 1e-3 to 300; return a Finding."""
    for iota in np.geomspace(1e-3, 300, 400).tolist():
        log_ratio = math.log(2) + float(stats.norm.logsf(c * math.sqrt(iota) / 2)) - (math.log(2) - iota)
        yield math.exp(min(log_ratio, 50.0)), {"iota": iota, "c": c}
