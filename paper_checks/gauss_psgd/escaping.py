"""Lemma 1, Corollary 1 and Lemma 2 on saddles whose law is known: exact probabilities where there are any, runs elsewhere."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import stats

from bounds.gauss_psgd.block_numbers import Block, Constants, block, entries
from bounds.gauss_psgd.fixed_point import FixedPoint, given_noise
from paper_checks.compare import LEVEL
from paper_checks.gauss_psgd.common import at_least, at_most, claim, searched, share, spread
from paper_checks.gauss_psgd.formulas import lettered
from paper_checks.gauss_psgd.pilot import outcomes
from paper_checks.verdict import Finding, Kind, Outcome, Plot
from synthetic.draws import NOISE, FloatArray, generator
from synthetic.escapes import couple, escape
from synthetic.local_cubic import local_cubic
from synthetic.saddles import Landscape

E2: dict[str, Any] = {"psi": 1.0, "added_noise": 0.01, "d": 2, "rho": 1e12, "U": 1.0, "omega": 0.1}


def growth(eta: float, gamma: float, t: float) -> float:
    """Return a(t) of (30), sqrt(sum_{i <= t} (1 + eta gamma)^(2 (t - i)))."""
    x = eta * gamma
    return math.sqrt(math.expm1(2 * t * math.log1p(x)) / (2 * x + x * x))


@lru_cache
def counterexample(version: str, base: str, s: float) -> tuple[FixedPoint, float]:
    """Return the parameters for E2's noise at ell = gamma = sqrt(rho alpha), the hardest saddle, and that gamma."""
    ell = 1.0
    for _ in range(300):
        found = given_noise(ell=ell, constants=Constants(version, s=s, C_abs=1.0, base=base), **E2)
        again = math.sqrt(E2["rho"] * found.block.accuracy)
        if abs(again / ell - 1) < 1e-12:
            return found, again
        ell = again
    raise ValueError(f"version = {version!r}: the parameters do not settle")


def unit_of_length(*, version: str, factors: tuple[float, ...]) -> Finding:
    """Measure x in other units (psi / u, r / u, ell / u^2, rho / u^3): largest change of an entry of (6)."""
    worst, at = 0.0, {}

    def found(u: float) -> tuple[Any, ...]:
        letters: dict[str, Any] = {"ell": 2.0 / u**2, "rho": 3.0 / u**3}
        at_block = block(accuracy=16 * 4.0 * 25.0 * 0.1 / u, s=4.0, log_factor=5.0, version="printed", **letters)
        return entries(
            at_block, psi=0.1 / u, added_noise=0.01 / u, d=5.0, s=4.0, C_abs=1.0, rho=letters["rho"], U=1.0, omega=0.1, T=1e9,
            version=version, base="e",
        )  # fmt: skip

    for u in factors:
        off = [abs(a - b) for a, b in zip(found(u), found(1.0), strict=True)]
        if max(off) > worst:
            k = off.index(max(off))
            worst, at = max(off), {"entry": k + 1, "1 length = u": u, "entry before": found(1.0)[k], "entry after": found(u)[k]}
    return searched(worst, at, len(factors), "the entries of (6) do not change with the unit of length", None)


def smaller_noise(*, shares: tuple[float, ...]) -> Finding:
    """Compute the mu of (6), corrected, at r = psi / sqrt(2 d) and at a share of that, psi being the same."""
    letters: dict[str, Any] = {"psi": 1.0, "d": 5.0, "ell": 2.0, "rho": 1.0, "U": 100.0, "omega": 0.1}
    bound = letters["psi"] / math.sqrt(2 * letters["d"])
    mu = {share: given_noise(added_noise=share * bound, constants=Constants("corrected", s=4.0), **letters).log_factor for share in shares}
    at_bound, smallest = mu[1.0], min(shares)
    numbers = {**lettered(letters), "s": 4, "C": 1, "r at most": bound, "mu at that r": at_bound}
    if mu[smallest] > at_bound * (1 + 1e-9):
        witness = {**numbers, "r": smallest * bound, "mu at this r": mu[smallest]}
        return Finding(
            Outcome.REFUTED, f"mu = {at_bound:.3g} at the bound, {mu[smallest]:.3g} is needed at {smallest:g} times it", numbers, witness
        )
    return Finding(Outcome.CONSISTENT, "mu does not grow as r falls", numbers)


def escapes_at(*, version: str, base: str, s: float, runs: int, seed: int) -> Finding:
    """Bound the probability that a single run escapes from E2's saddle within Gamma steps, exactly for its linear part; run it too.

    F = -gamma x^2/2 + M y^2/2 is rho-Hessian-Lipschitz for every rho. With sampling errors along y alone, of length sigma, x_t is
    N(0, eta^2 r^2 a(t)^2) and |y_t| at most sigma/M plus Gaussian noise; a union over t <= Gamma bounds the way. The runs are on the same
    saddle with its cubic term, without sampling errors. Corollary 1 claims 1/8.
    """
    point, gamma = counterexample(version, base, s)
    b, r = point.block, E2["added_noise"]
    eta, R, Gamma = float(b.eta), float(b.radius), math.ceil(b.Gamma - 1e-9)
    deviations = R / (eta * r * growth(eta, gamma, Gamma))
    sigma = math.sqrt(1 - 2 * r**2)
    room = R - sigma / gamma  # left for the Gaussian noise along y
    stable = room / (eta * r / math.sqrt(1 - (1 - eta * gamma) ** 2))
    log_bound = math.log(2 * Gamma) + float(np.logaddexp(stats.norm.logsf(deviations / 1.5), stats.norm.logsf(stable / 1.5)))
    landscape = local_cubic(2, gamma=gamma, rho=E2["rho"], ell=gamma)
    hits = int(escape(landscape, eta=eta, T=Gamma, sigma=r, replicates=runs, seed=seed, threads=1).escaped(R, Gamma).sum())
    numbers = {
        "mu": point.log_factor, "Gamma": Gamma, "R in deviations of x_Gamma": deviations, "log10 of the bound on the probability":
        log_bound / math.log(10), "escapes": hits, "runs": runs, **lettered(E2), "s": s, "C": 1.0,
    }  # fmt: skip
    low, high = share(hits, runs)
    if high < 1 / 8 and log_bound < math.log(1 / 8):
        sentence = f"R is {deviations:.4g} deviations of x_Gamma away: {hits} of {runs} runs escape, the probability is below 1/8"
        return Finding(Outcome.REFUTED, sentence, numbers, numbers, LEVEL, seed)
    if low < 1 / 8:
        return Finding(Outcome.INCONCLUSIVE, f"{hits} of {runs} runs escape: more runs would settle it", numbers, {}, LEVEL, seed)
    return Finding(Outcome.CONSISTENT, f"{hits} of {runs} runs escape (at least {low:.3g}), 1/8 is claimed", numbers, {}, LEVEL, seed)


def hardest(mu: float) -> tuple[Landscape, Block, float, float]:
    """Return S2 at alpha = 1/4, M = rho = s = C = 1, d = 10, gamma = sqrt(rho alpha), its block, r and sigma (half of psi^2 each)."""
    at = block(accuracy=0.25, s=1.0, log_factor=mu, ell=1.0, rho=1.0)
    psi = 0.25 / (16 * mu**2)
    return local_cubic(10, gamma=0.5, rho=1.0, ell=1.0), at, psi / math.sqrt(20), psi / math.sqrt(2)


def single_runs(mu: float, runs: int, seed: int) -> int:
    """Return how many single runs escape within Gamma steps."""
    landscape, at, r, sigma = hardest(mu)
    Gamma = math.ceil(at.Gamma - 1e-9)
    found = escape(landscape, eta=at.eta, T=Gamma, sigma=r, zeta=sigma, replicates=runs, seed=seed, threads=1)
    return int(found.escaped(at.radius, Gamma).sum())


def frozen_runs(mu: float, runs: int, seed: int) -> int:
    """Return how many runs escape whose noise is drawn once and kept, as between two O_1 calls without O_2 noise."""
    landscape, at, r, sigma = hardest(mu)
    rng, d = np.random.default_rng(seed), landscape.d
    zeta = rng.standard_normal((runs, d))
    nu = sigma * zeta / np.linalg.norm(zeta, axis=1)[:, None] + r * rng.standard_normal((runs, d))
    x, escaped = np.zeros((runs, d)), np.zeros(runs, dtype=bool)
    for _ in range(math.ceil(at.Gamma - 1e-9)):
        gradient = x.copy()
        gradient[:, 0] = -0.5 * x[:, 0] + x[:, 0] * np.abs(x[:, 0]) / 2
        x = np.where(escaped[:, None], x, x - at.eta * (gradient + nu))
        escaped |= np.linalg.norm(x, axis=1) >= at.radius
    return int(escaped.sum())


def at_mu(*, mus: tuple[float, ...], bound: float, runs: int, seed: int) -> Finding:
    """Run from the hardest saddle of unit scale at each mu; judge the largest."""
    hits = {mu: single_runs(mu, runs, seed) for mu in mus}
    plot = Plot(mus, {"share of runs that escape": tuple(h / runs for h in hits.values())}, "mu", "probability", log=False)
    found = at_least(
        hits[mus[-1]], runs, bound, f"escapes at mu = {mus[-1]:g}", seed, **{f"share at {mu:g}": h / runs for mu, h in hits.items()}
    )
    return Finding(found.outcome, found.sentence, found.numbers, found.witness, found.false_alarm, seed, plot)


def frozen_is_faster(*, mu: float, runs: int, seed: int) -> Finding:
    """Compare escapes with frozen and with independent noise at the same mu."""
    frozen, fresh = frozen_runs(mu, runs, seed), single_runs(mu, runs, seed)
    (low, high), (low_2, high_2) = share(frozen, runs, LEVEL / 2), share(fresh, runs, LEVEL / 2)
    numbers = {"mu": mu, "frozen": frozen, "independent": fresh, "runs": runs}
    if high < low_2:
        return Finding(Outcome.REFUTED, f"{frozen} against {fresh} of {runs}", numbers, numbers, LEVEL, seed)
    if low <= high_2:
        return Finding(Outcome.INCONCLUSIVE, "the intervals overlap: more runs would settle it", numbers, {}, LEVEL, seed)
    return Finding(
        Outcome.CONSISTENT, f"{frozen} of {runs} runs escape with frozen noise, {fresh} with independent", numbers, {}, LEVEL, seed
    )


def coupling(*, cases: int, seed: int) -> Finding:
    """Write out Definition 5 on a quadratic saddle with the same draws: both runs, and how far they are apart."""
    landscape, T, worst = local_cubic(4, gamma=0.7, rho=0.0, ell=1.3), 15, 0.0
    rng, H = np.random.default_rng(seed), np.array([-0.7, 1.3, 1.3, 1.3])
    for k in range(cases):
        eta, sigma, zeta = (float(v) for v in rng.uniform(0.05, 0.5, 3))
        seen = couple(landscape, eta=eta, T=T, sigma=sigma, zeta=zeta, seed=k, threads=1)
        draws, x, y, rows = generator(k, 0, NOISE), np.zeros(4), np.zeros(4), [(0.0, 0.0, 0.0)]
        for _ in range(T):
            z, xi = draws.standard_normal(4), None
            common = zeta * z / np.linalg.norm(z)
            xi = sigma * draws.standard_normal(4)
            opposite = xi * np.array([-1.0, 1.0, 1.0, 1.0])  # v_min = e_1
            x, y = x - eta * (H * x + common + xi), y - eta * (H * y + common + opposite)
            rows.append((float(np.linalg.norm(x)), float(np.linalg.norm(y)), float(np.linalg.norm(x - y))))
        wanted: FloatArray = np.array(rows).T
        worst = max(
            worst, *(float(np.abs(a[0] - b).max()) for a, b in zip((seen.distance, seen.twin_distance, seen.apart), wanted, strict=True))
        )
    return searched(worst, {}, cases, "the two runs of Definition 5", seed)


def law_of_the_noise(*, runs: int, seed: int) -> Finding:
    """On a quadratic saddle coupled runs differ by P_p alone: |x - x'|^2 at t = Gamma over 4 eta^2 r^2 a(Gamma)^2 is chi-square."""
    landscape, eta, r, T = local_cubic(3, gamma=0.5, rho=0.0, ell=1.0), 0.1, 0.02, 60
    apart = couple(landscape, eta=eta, T=T, sigma=r, zeta=0.3, replicates=runs, seed=seed, threads=1).apart[:, -1]
    return spread(float(np.sum(apart**2)) / (2 * eta * r * growth(eta, 0.5, T)) ** 2, runs, "P_p(Gamma), variance 4 eta^2 r^2 a^2", seed)


def lower_tail(*, times: tuple[int, ...], Gamma: int, x: float) -> Finding:
    """Compute P(|P_p(t)| >= b(Gamma) eta r/10) exactly, with eta gamma = x, for (32)'s times t; 2/3 is claimed."""
    eta = 1.0
    found = {}
    for t in times:
        a = growth(eta, x, t)
        threshold = (1 + x) ** Gamma / math.sqrt(2 * x) / 20
        found[t] = 2 * float(stats.norm.sf(threshold / a)) if t else 0.0
    worst = min(found, key=lambda t: found[t])
    numbers = {f"P at t = {t}": p for t, p in found.items()} | {"Gamma": Gamma, "eta gamma": x}
    if found[worst] < 2 / 3:
        sentence = f"at t = {worst}, Gamma = {Gamma}, the probability is {found[worst]:.3g}"
        return Finding(Outcome.REFUTED, sentence, numbers, {"t": worst, "Gamma": Gamma, "eta gamma": x, "probability": found[worst]})
    return Finding(Outcome.CONSISTENT, f"at least {found[worst]:.4f}", numbers)


def upper_tail(*, c: float) -> Finding:
    """Compare P(|N(0, 4)| > c sqrt(iota)) a/b, a <= b, with 2 e^(-iota), iota from 1e-3 to 300."""
    worst, at, tried = 0.0, {}, 0
    for iota in np.geomspace(1e-3, 300, 400).tolist():
        log_ratio = math.log(2) + float(stats.norm.logsf(c * math.sqrt(iota) / 2)) - (math.log(2) - iota)
        tried += 1
        if math.exp(min(log_ratio, 50.0)) > worst:
            worst, at = math.exp(min(log_ratio, 50.0)), {"iota": iota, "c": c}
    return at_most(worst, at, tried, "the probability over 2 e^(-iota)", None)


def rounds(*, oracle: str, restart: str, n: int, k_Gamma: float, runs: int, seed: int) -> Finding:
    """Compare how often all Q = 8 rounds of the first escape phase fail with what independent rounds would give, Q = 1 to the eighth.

    Random-phase cosines, d = 10, the pilot's knobs but a small k_Gamma, so that single rounds often fail. With the oracle "exact" (new
    errors in every step) runs start at the saddle, so that x~ is the same in all of them.
    """
    failed = {}
    for Q in (1, 8):
        _, run = outcomes(
            d=10,
            n=n,
            epsilon=8e6 / n,
            runs=runs,
            seed=seed,
            oracle=oracle,
            restart=restart,
            Q=Q,
            k_Gamma=k_Gamma,
            at_saddle=oracle == "exact",
        )
        failed[Q] = int(np.sum(run.returned & (run.phases == 1)))
    (low, _), (_, most) = share(failed[8], runs, LEVEL / 2), share(failed[1], runs, LEVEL / 2)
    numbers = {"runs": runs, "failed at Q = 1": failed[1], "failed at Q = 8": failed[8], "probability at Q = 8, at least": low,
               "independent rounds, at most": most**8, "independent rounds": (failed[1] / runs) ** 8}  # fmt: skip
    words = f"the first phase fails in {failed[1]} of {runs} runs at Q = 1, in {failed[8]} at Q = 8"
    if failed[1] in (0, runs):
        return Finding(
            Outcome.INCONCLUSIVE, f"{words}: a k_Gamma at which single rounds fail now and then would settle it", numbers, seed=seed
        )
    if low > most**8:
        return Finding(Outcome.REFUTED, f"{words}; independent rounds fail with at most {most**8:.3g}", numbers, numbers, LEVEL, seed)
    if share(failed[8], runs, 0.01)[0] > (failed[1] / runs) ** 8:
        return Finding(Outcome.INCONCLUSIVE, f"{words}: more runs would settle it", numbers, {}, LEVEL, seed)
    return Finding(Outcome.CONSISTENT, f"{words}, as independent rounds would", numbers, {}, LEVEL, seed)


REFUTED, INEQUALITY, CONVERGENCE = Outcome.REFUTED, Kind.INEQUALITY, Kind.CONVERGENCE
SHARED = "rounds share the last O_1 and its error", "rounds still share x~ and the way to it"
SECOND = "Its second entry takes b(Gamma) eta r/40 from (52), which loses sqrt(gamma/r)"
# fmt: off
CLAIMS = (
    claim("equation_6.unit", "Equation (6)", "mu does not depend on the unit of length", unit_of_length,
              "its second entry has the unit sqrt(length)", Kind.SCOPE, REFUTED,
          "reading", version="printed", factors=(10.0, 1e-3, 1e6), correction="Take the second entry from the corrected (52)",
          repaired_by="equation_6.unit_corrected"),
    claim("equation_6.unit_corrected", "Our correction of (6)", "The corrected entries do not depend on the unit of length",
              unit_of_length, "the corrected entry is a ratio",
          Kind.SCOPE, stated="question", version="corrected", factors=(10.0, 1e-3, 1e6)),
    claim("equation_6.bound_on_r", "(6) with Lemma 7; Theorem 2", "Lemma 7's r, which bounds the noise from above, may stand for r in (6)",
          smaller_noise, "mu grows as r falls, and what O_2 adds vanishes with the displacement", Kind.SCOPE, REFUTED, "reading",
          shares=(1.0, 0.1, 0.01), correction="Noise of at least r on every step, as exact gradients with fixed noise have"),
    *(
        claim(f"corollary1.printed_{name}", f"Lemma 1, Corollary 1, (5), (6), log to base {base}",
                  "With the printed mu a run from a saddle reaches R within Gamma steps with probability 1/8",
              escapes_at, f"{SECOND}", CONVERGENCE, REFUTED, "reading", version="printed", base=base, s=4.0, runs=200, seed=61,
              full={"runs": 400},
              correction="The second entry of (6) must be log_2(40 sqrt(2) R (rho alpha)^(1/4)/(sqrt(eta) r))",
              repaired_by="corollary1.corrected")
        for name, base in (("ln", "e"), ("log2", "2"))
    ),
    claim("corollary1.printed_larger_s", "Lemma 1, Corollary 1, (5), (6), s = 20", "The same with a larger s", escapes_at,
              f"{SECOND}; no s helps", CONVERGENCE, REFUTED, "reading",
          version="printed", base="e", s=20.0, runs=200, seed=61, correction="The same", repaired_by="corollary1.corrected"),
    claim("corollary1.corrected", "Corollary 1 with the corrected mu", "With the corrected mu it does", escapes_at,
              "the corrected requirement is what the proof needs", CONVERGENCE,
          stated="question", version="corrected", base="e", s=4.0, runs=40, seed=62, full={"runs": 200}),
    claim("corollary1.unit_scale", "Corollary 1 where all constants are 1",
              "At M = rho = s = C = 1, d = 10, alpha = 1/4 the printed mu (8.7) gives 1/8", at_mu,
          "there the misprint is small", CONVERGENCE, stated="reading",
          mus=(7.0, 8.0, 8.7), bound=0.125, runs=300, seed=63, full={"runs": 5000}),
    claim("lemma1.frozen_noise", "Lemma 1 with Algorithm 2 between O_1 calls",
              "Noise that is drawn once escapes at least as often as independent noise", frozen_is_faster,
          "it pushes one way", CONVERGENCE, stated="question", mu=7.0, runs=300, seed=64, full={"runs": 5000}),
    claim("definition5.coupling", "Definition 5", "Coupled runs share all noise but xi along v_min, which is opposite", coupling,
              "the kernel draws so", cases=40, seed=65,
          full={"cases": 1000}),
    claim("lemma19.law", "Lemma 19, proof", "P_p(t) ~ N(0, 4 eta^2 r^2 a(t)^2) along v_min", law_of_the_noise,
              "a sum of independent Gaussians", INEQUALITY, stated="reading", runs=400, seed=66,
          full={"runs": 10_000}),
    claim("lemma19.upper", "Lemma 19, (31)", "(31) holds with c = 2 sqrt(2)", upper_tail, "a Gaussian tail", INEQUALITY, stated="reading",
              c=2 * math.sqrt(2)),
    claim("lemma19.upper_smaller", "Lemma 19, (31)", "(31) holds with c = 2", upper_tail, "the tail e^(-iota/2) is larger than e^(-iota)",
              INEQUALITY, REFUTED, "question", c=2.0,
          correction="c = 2 sqrt(2) is the least", repaired_by="lemma19.upper"),
    claim("lemma19.lower_at_gamma", "Lemma 19, (32) at t = Gamma",
        "|P_p(t)| >= b(Gamma) eta r/10 with probability 2/3 at t = Gamma", lower_tail, "b/(20 a) is below 0.071",
              INEQUALITY, times=(100,), Gamma=100, x=0.05),
    claim("lemma2.independent_noise", "Lemma 2 with noise independent from step to step",
              "Eight rounds fail together as seldom as independent ones", rounds,
          "as the lemma assumes", CONVERGENCE, oracle="exact", restart="continue", n=60_000, k_Gamma=2.0, runs=300, seed=67,
          full={"runs": 1000}),
    *(
        claim(f"lemma2.rounds_{restart}", f"Lemma 2 with Algorithm 2, reading '{restart}'",
                  "Eight rounds fail together as seldom as independent ones", rounds,
              SHARED[restart == "renew"], CONVERGENCE,
              REFUTED, "question" if restart == "renew" else "reading",
              oracle="ada_dp_spider", restart=restart, n=30_000, k_Gamma=0.75, runs=100, seed=68,
              needs_full=restart != "continue", full={"runs": 400 if restart == "renew" else 100, "n": 60_000},
              correction="Choose Q by the measured success of whole phases",
              repaired_by="lemma2.independent_noise")
        for restart in ("history", "continue", "renew")
    ),
)
# fmt: on
