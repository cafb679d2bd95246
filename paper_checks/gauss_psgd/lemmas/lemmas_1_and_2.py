"""Checks of Lemmas 1 and 2 and Corollary 1, escaping from a saddle: exact probabilities, runs, and the rounds of an escape."""

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from scipy import stats

import bounds
from bounds.gauss_psgd.block import Block, Constants, block
from bounds.gauss_psgd.fixed_point import FixedPoint, fixed_point_given_noise
from bounds.proofs.inequalities import is_zero
from paper_checks.compare import LEVEL
from paper_checks.gauss_psgd import printed as p
from paper_checks.gauss_psgd.algorithms.algorithm1 import DESCENT, SPIDER
from paper_checks.gauss_psgd.algorithms.plain_algorithms import unit_cosine_saddles
from paper_checks.gauss_psgd.lemmas.lemmas_18_to_20 import noise_growth
from paper_checks.gauss_psgd.scaled import Setting, run_setting
from paper_checks.record import Record
from paper_checks.shared.findings import check_probability_at_least, clopper_pearson
from paper_checks.verdict import Finding, Plot
from synthetic.objectives.saddles import SaddleObjective
from synthetic.objectives.separable_saddles import local_cubic
from synthetic.runs.escapes import escape
from synthetic.runs.psgd import gauss_psgd

NOISE_OF_E2: dict[str, Any] = {"psi": 1.0, "added_noise": 0.01, "d": 2, "rho": 1e12, "U": 1.0, "omega": 0.1}


@lru_cache
def counterexample_parameters(version: str, base: str, s: float) -> tuple[FixedPoint, float]:
    """Return (FixedPoint, gamma): the parameters for the noise of erratum E2, and gamma = M = sqrt(rho alpha) of the hardest saddle."""
    ell = 1.0
    for _ in range(300):
        found = fixed_point_given_noise(ell=ell, constants=Constants(version, s=s, C_abs=1.0, base=base), **NOISE_OF_E2)
        again = math.sqrt(NOISE_OF_E2["rho"] * found.block.accuracy)
        if abs(again / ell - 1) < 1e-12:
            return found, again
        ell = again
    raise ValueError(f"version = {version!r}: the parameters do not settle")


def check_escape_probability(*, version: str, base: str, s: float, runs: int, seed: int) -> Finding:
    """Check the claimed escape probability 1/8 in Gamma steps at the saddle of erratum E2, by a union bound and runs; return a Finding.

    The exact bound is for the linear part of the run.
    F = -gamma x^2/2 + M y^2/2 is rho-Hessian-Lipschitz for every rho. With sampling errors along y alone, of length sigma, x_t is
    N(0, eta^2 r^2 a(t)^2) and |y_t| at most sigma/M plus Gaussian noise; a union over t <= Gamma bounds the way. The runs are on the same
    saddle with its cubic term, without sampling errors. Corollary 1 claims 1/8.
    """
    point, gamma = counterexample_parameters(version, base, s)
    b, r = point.block, NOISE_OF_E2["added_noise"]
    eta, R, Gamma = float(b.eta), float(b.radius), math.ceil(b.Gamma - 1e-9)
    deviations = R / (eta * r * noise_growth(eta, gamma, Gamma))
    sigma = math.sqrt(1 - 2 * r**2)
    room = R - sigma / gamma  # distance that remains for the Gaussian noise along y
    stable = room / (eta * r / math.sqrt(1 - (1 - eta * gamma) ** 2))
    log_bound = math.log(2 * Gamma) + float(np.logaddexp(stats.norm.logsf(deviations / 1.5), stats.norm.logsf(stable / 1.5)))
    landscape = local_cubic(2, gamma=gamma, rho=NOISE_OF_E2["rho"], ell=gamma)
    hits = int(escape(landscape, eta=eta, T=Gamma, sigma=r, replicates=runs, seed=seed, threads=1).escaped(R, Gamma).sum())
    low, high = clopper_pearson(hits, runs)
    record = Record({"mu": point.log_factor, "Gamma": Gamma, "R in deviations of x_Gamma": deviations}, seed=seed, false_alarm=LEVEL)
    record.note({"log10 of the bound on the probability": log_bound / math.log(10), "escapes": hits, "runs": runs})
    record.note({**p.spell_keys(NOISE_OF_E2), "s": s, "C": 1.0})
    if high < 1 / 8 and log_bound < math.log(1 / 8):
        sentence = f"R is {deviations:.4g} deviations of x_Gamma away: {hits} of {runs} runs escape, the probability is below 1/8"
        losses = {"F": "-gamma x_1^2/2 + rho |x_1|^3/6 + gamma x_2^2/2", "gamma = M": gamma, "x_0": 0, "eta": eta, "R": R}
        record.refute(sentence, {**losses, **record.numbers})
    if low < 1 / 8:
        record.leave_open(f"{hits} of {runs} runs escape: more runs would settle it")
    return record.conclude(f"{hits} of {runs} runs escape (at least {low:.3g}), 1/8 is claimed")


def unit_scale_saddle(mu: float) -> tuple[SaddleObjective, Block, float, float]:
    """Return (saddle objective, its Block, noise deviation r, sampling error sigma) for a given mu, at alpha = 1/4 and unit constants.

    M = rho = s = C = 1, d = 10, gamma = sqrt(rho alpha). r and sigma have half of psi^2 each.
    """
    at = block(accuracy=0.25, s=1.0, log_factor=mu, ell=1.0, rho=1.0)
    psi = 0.25 / (16 * mu**2)
    return local_cubic(10, gamma=0.5, rho=1.0, ell=1.0), at, psi / math.sqrt(20), psi / math.sqrt(2)


def count_escapes(mu: float, runs: int, seed: int) -> int:
    """Return how many of `runs` simulated runs escape from the unit-scale saddle within Gamma steps, with new noise in every step."""
    landscape, at, r, sigma = unit_scale_saddle(mu)
    Gamma = math.ceil(at.Gamma - 1e-9)
    found = escape(landscape, eta=at.eta, T=Gamma, sigma=r, zeta=sigma, replicates=runs, seed=seed, threads=1)
    return int(found.escaped(at.radius, Gamma).sum())


def count_frozen_escapes(mu: float, runs: int, seed: int) -> int:
    """Return how many of `runs` runs escape from the unit-scale saddle within Gamma steps if each run draws its noise only once."""
    landscape, at, r, sigma = unit_scale_saddle(mu)
    rng, shape = np.random.default_rng(seed), (runs, landscape.d)
    zeta = rng.standard_normal(shape)
    nu = sigma * zeta / np.linalg.norm(zeta, axis=1)[:, None] + r * rng.standard_normal(shape)
    x, escaped = np.zeros(shape), np.zeros(runs, dtype=bool)
    for _ in range(math.ceil(at.Gamma - 1e-9)):
        gradient = x.copy()
        gradient[:, 0] = -0.5 * x[:, 0] + x[:, 0] * np.abs(x[:, 0]) / 2
        x = np.where(escaped[:, None], x, x - at.eta * (gradient + nu))
        escaped |= np.linalg.norm(x, axis=1) >= at.radius
    return int(escaped.sum())


def check_escape_at_mu(*, mus: tuple[float, ...], bound: float, runs: int, seed: int) -> Finding:
    """Check by simulation that runs escape from the unit-scale saddle with probability >= `bound` at mu = mus[-1]; return a Finding."""
    hits = {mu: count_escapes(mu, runs, seed) for mu in mus}
    plot = Plot(mus, {"share of runs that escape": tuple(h / runs for h in hits.values())}, "mu", "probability", log=False)
    shares = {f"share at {mu:g}": h / runs for mu, h in hits.items()}
    return replace(check_probability_at_least(hits[mus[-1]], runs, bound, f"escapes at mu = {mus[-1]:g}", seed, **shares), plot=plot)


def check_frozen_noise(*, mu: float, runs: int, seed: int) -> Finding:
    """Check by simulation that runs whose noise is drawn once escape more often than with independent noise; return a Finding."""
    frozen, fresh = count_frozen_escapes(mu, runs, seed), count_escapes(mu, runs, seed)
    (low, high), (low_2, high_2) = clopper_pearson(frozen, runs, LEVEL / 2), clopper_pearson(fresh, runs, LEVEL / 2)
    record = Record({"mu": mu, "frozen": frozen, "independent": fresh, "runs": runs}, seed=seed, false_alarm=LEVEL)
    if high < low_2:
        record.refute(f"{frozen} against {fresh} of {runs}", record.numbers)
    if low <= high_2:
        record.leave_open("the intervals overlap: more runs would settle it")
    return record.conclude(f"{frozen} of {runs} runs escape with frozen noise, {fresh} with independent")


def check_round_count(*, base: int) -> Finding:
    """Check that (7/8)^((26/5) log(y)) <= 1/y for all y > 1, with log to base 2 or, for `base` = 0, natural; return a Finding."""
    theory, printed, name = bounds.THEOREMS["gauss_psgd.lemma2"], sp.Rational(26, 5), "base 2" if base else ""
    rounds = next((part.value for part in theory.parts if part.name == name), theory.schedule["Q"])
    unit = sp.log(1 / theory.bound) / (sp.log(base) if base else 1)
    least = sp.log(base if base else sp.E) / sp.log(sp.Rational(8, 7))
    record = Record({"least factor of the logarithm": float(least), "printed": 26 / 5})
    if not is_zero(rounds / unit - printed):
        return record.leave_open("the theory has another number of rounds; comparing the two would settle it")
    if not (8**26 >= 2**5 * 7**26 if base == 2 else sp.N(26 * sp.log(8) - 26 * sp.log(7) - 5, 40) >= 0):
        exponent = float(printed / least)
        witness = {"omega_0": 0.01, "probability that all rounds fail": 0.01**exponent, "least factor": float(least)}
        record.refute(f"all rounds fail with probability omega_0^{exponent:.4f}", witness)
    return record.prove(f"8^26 = {8**26} >= 2^5 7^26 = {2**5 * 7**26}: 26/5 is enough, {float(least):.6f} is least")


def check_rounds_start_fresh(*, restart: str, cases: int, seed: int) -> Finding:
    """Check by simulation that every round of an escape phase begins with a fresh gradient (O_1); return a Finding."""
    given = {**DESCENT, "R": 5.0, "chi": 0.2, **SPIDER, "kappa": 2.0, "oracle": "ada_dp_spider", "restart": restart}
    rounds = fresh = 0
    for k in range(cases):
        run = gauss_psgd(unit_cosine_saddles(3), seed=seed + k, threads=1, keep_points=True, **given)
        in_phase = np.flatnonzero(run.in_phase[0] == 1)  # no round succeeds: R is out of reach, so rounds have Gamma steps each
        starts = in_phase[:: DESCENT["Gamma"]]
        rounds += len(starts)
        fresh += int(run.fresh[0][starts].sum())
    record = Record({"rounds": rounds, "begin with an O_1": fresh}, seed=seed)
    if fresh < rounds:
        record.refute(f"{rounds - fresh} of {rounds} rounds begin without an O_1 and share its error", record.numbers)
    return record.conclude(f"all of {rounds} rounds begin with an O_1")


def check_round_independence(*, oracle: str, restart: str, n: int, k_Gamma: float, runs: int, seed: int) -> Finding:
    """Check by simulation that all 8 rounds of the first escape phase fail no more often than independent ones; return a Finding.

    Independent rounds fail with the probability at Q = 1 to the eighth. Random-phase cosines, d = 10, the pilot's knobs but a small
    k_Gamma, so that single rounds often fail. With the oracle "exact" (new errors in every step) runs start at the saddle, so that x~ is
    the same in all of them.
    """
    setting = Setting(d=10, n=n, epsilon=8e6 / n, runs=runs, seed=seed, oracle=oracle, restart=restart, k_Gamma=k_Gamma)
    pilots = (run_setting(replace(setting, Q=Q, at_saddle=oracle == "exact"))[1] for Q in (1, 8))
    one, eight = (int(np.sum(run.returned & (run.phases == 1))) for run in pilots)  # in how many runs the first phase fails
    low, most = clopper_pearson(eight, runs, LEVEL / 2)[0], clopper_pearson(one, runs, LEVEL / 2)[1] ** 8
    record = Record({"runs": runs, "failed at Q = 1": one, "failed at Q = 8": eight}, seed=seed, false_alarm=LEVEL)
    record.note({"probability at Q = 8, at least": low, "independent rounds, at most": most, "independent rounds": (one / runs) ** 8})
    words = f"the first phase fails in {one} of {runs} runs at Q = 1, in {eight} at Q = 8"
    if one in (0, runs):
        record.leave_open(f"{words}: a k_Gamma at which single rounds fail now and then would settle it")
    if low > most:
        record.refute(f"{words}; independent rounds fail with at most {most:.3g}", record.numbers)
    if clopper_pearson(eight, runs, 0.01)[0] > (one / runs) ** 8:
        record.leave_open(f"{words}: more runs would settle it")
    return record.conclude(f"{words}, as independent rounds would")
