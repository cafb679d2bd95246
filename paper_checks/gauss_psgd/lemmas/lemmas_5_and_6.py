"""Checks of Lemmas 5 and 6: every estimate within chi of its gradient, and the number of steps."""

import itertools
import math
from collections.abc import Mapping

import numpy as np
from scipy import stats

import bounds
from paper_checks.gauss_psgd import printed as p
from paper_checks.gauss_psgd.algorithms.algorithm1 import random_settings
from paper_checks.gauss_psgd.algorithms.plain_algorithms import unit_cosine_saddles
from paper_checks.record import Record
from paper_checks.shared.findings import check_ratio
from paper_checks.shared.formulas import monomial_exponents
from paper_checks.shared.search import Cases, check_allowances, check_deviations, find_worst
from paper_checks.shared.tails import probability_of_any
from paper_checks.verdict import Finding
from synthetic.runs.psgd import gauss_psgd


@check_allowances("P(some |nu_t| above the bound) over omega/2, C = 1")
def check_lemma5(*, dimensions: tuple[int, ...], horizons: tuple[int, ...], omega: float) -> Cases:
    """Check exactly that P(max_t |nu_t| > sqrt(2 log(4T/omega)) psi) <= omega/2, Lemma 5, for Gaussian errors; return a Finding.

    P(max_t |nu_t| > sqrt(2 log(4T/omega)) psi) for errors N(0, r^2 I), psi = r sqrt(d), is compared with omega/2.
    """
    for d, T in itertools.product(dimensions, horizons):
        probability = probability_of_any(T, float(stats.chi2.sf(2 * math.log(4 * T / omega) * d, d)))
        yield probability / (omega / 2), {"d": d, "T": T, "omega": omega, "probability": probability}


@check_deviations("the logarithm of the tail over that of nSG({C:.4g} psi)")
def check_error_sum_tail(*, C: float, points: int, seed: int) -> Cases:
    """Check that sampling error plus noise is norm-subGaussian with C psi, by tail bounds at random sigma, r, d, t; return a Finding.

    P(|zeta| + |xi| >= t) is at most 4 exp(-t^2/(2 (sigma + 2 sqrt(2) r sqrt(d))^2)), by Lemma 10 and with half of t for each part in
    proportion. It is compared with 2 exp(-t^2/(2 C^2 psi^2)), both at most 1.
    """
    rng = np.random.default_rng(seed)
    for _ in range(points):
        sigma, r, d = (float(10 ** rng.uniform(-3, 3)) for _ in range(3))
        psi, both = math.sqrt(sigma**2 + r**2 * d), sigma + 2 * math.sqrt(2) * r * math.sqrt(d)
        t = both * float(rng.uniform(0, 8))
        excess = min(0.0, math.log(4) - t**2 / (2 * both**2)) - min(0.0, math.log(2) - t**2 / (2 * C**2 * psi**2))
        yield excess, {"sigma": sigma, "r": r, "d": d, "t": t}


def check_alpha_powers(*, wanted: Mapping[str, str]) -> Finding:
    """Check by algebra that the block (5) and the step count (76) have the powers of alpha in `wanted`, {name: power}; return a Finding."""
    formulas = {p.letter(one): one for one in p.FIVE} | {"T_eff": p.FORMULAS["steps_76"]}
    found = {name: str(monomial_exponents(p.express_in_alpha(formulas[name]), p.alpha)[0]) for name in wanted}
    theory = bounds.THEOREMS["gauss_psgd.lemma6"]
    (once,) = (part.value for part in theory.parts if part.name == "once")
    in_psi = str(monomial_exponents(theory.in_constants(once), p.psi)[0])  # alpha is proportional to psi
    record = Record({f"power of alpha in {name}": one for name, one in found.items()} | {"power of psi in the theory's T_eff": in_psi})
    if found != dict(wanted) or in_psi != wanted.get("T_eff", in_psi):
        record.refute("a power of alpha is another one", {**found, "claimed": str(dict(wanted))})
    return record.prove("; ".join(f"{name}: alpha^({one})" for name, one in found.items()))


def check_phase_thresholds(*, cases: int, seed: int) -> Finding:
    """Check by simulation that |grad F| >= 2 chi in descent and <= 4 chi at x~, as in Lemma 6's proof; return a Finding.

    chi = 0.1, and runs with an error above chi are left out. Phases begin at |grad F| <= 4 chi, and descent goes on at |grad F| >= 2 chi.
    """
    landscape, rng, ratios, steps = unit_cosine_saddles(3), np.random.default_rng(seed), [], 0
    for k in range(cases):
        chosen = {**random_settings(rng), "chi": 0.1}
        run = gauss_psgd(landscape, oracle="exact", zeta=0.05, sigma_1=0.02, limit=100, seed=k, threads=1, **chosen)
        if np.nanmax(run.error) > 0.1:
            continue
        descent = run.in_phase[0] == 0
        steps += int(descent.sum())
        if descent.any():
            ratios.append((2 * 0.1 / float(run.grad_norm[0][descent].min()), {"seed": k}))
        if run.returned[0]:
            ratios.append((landscape.certify_sosp(run.x[0], 1.0).grad_norm / 0.4, {"seed": k}))
    worst = find_worst(ratios)
    return check_ratio(worst.value, worst.at, steps, "the two cases of the proof, over their thresholds 4 chi and 2 chi", seed, reach=0.5)
