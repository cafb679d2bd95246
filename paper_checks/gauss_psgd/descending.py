"""Lemmas 3, 4, 5, 7 and 8, Corollary 2 and the concentration lemmas, where runs or exact laws can test them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import stats
from scipy.optimize import brentq

from bounds.gauss_psgd.block_numbers import accuracy_over_psi, block, whole
from paper_checks.compare import LEVEL, below
from paper_checks.gauss_psgd import printed
from paper_checks.gauss_psgd.common import at_most, claim, cosines, searched, spread, tail
from paper_checks.gauss_psgd.oracles import play, samples
from paper_checks.verdict import Finding, Kind, Outcome
from synthetic.draws import FloatArray
from synthetic.escapes import escape
from synthetic.local_cubic import local_cubic
from synthetic.psgd import gauss_psgd


def lemma3(*, oracle: str, cases: int, seed: int, longest: float) -> Finding:
    """Check (7) at every step of runs without restarts (Q = 1), eta up to `longest`/M: the change of F plus eta/2 (|grad F|^2 - |nu|^2)."""
    landscape, rng, worst, at, steps = cosines(3), np.random.default_rng(seed), 0.0, {}, 0
    for k in range(cases):
        eta = float(rng.uniform(0.2, 1.0)) * longest
        chosen: dict[str, Any] = {
            "eta": eta,
            "chi": 0.05,
            "R": 0.3,
            "Gamma": 8,
            "Q": 1,
            "seed": k,
            "threads": 1,
            "oracle": oracle,
            "limit": 60,
        }
        if oracle == "exact":
            chosen |= {"zeta": float(rng.uniform(0, 1)), "sigma_1": float(rng.uniform(0, 0.5))}
        else:
            chosen |= {"n": 900, "b_1": 60, "b_2": 6, "sigma_1": 0.1, "sigma_2": 0.2, "kappa": 0.3}
        run = gauss_psgd(landscape, x0=rng.uniform(-3, 3, 3), **chosen)
        change = np.diff(run.value[0])
        excess = change + eta / 2 * (run.grad_norm[0, :-1] ** 2 - run.error[0, :-1] ** 2)
        steps += len(excess)
        if excess.size and excess.max() > worst:
            t = int(excess.argmax())
            worst, at = float(excess.max()), {"eta": eta, "M": 1.0, "F(x_t) - F(x_{t-1})": float(change[t]), "excess": worst}
    return searched(worst, at, steps, "(7) at every step, its excess over 0", seed)


def mu_of_6(s: float, base: str) -> float:
    """Return the mu that is the largest entry of (6) at alpha = M = rho = U = C = 1, d = 10, with half of psi^2 in each kind of noise."""

    def excess(mu: float) -> float:
        psi = 1 / (16 * s * mu**2)
        case = printed.Case(n=1, d=10, epsilon=1, s=s)
        five = printed.equation_5(case, mu, psi)
        _, T = printed.rounds_and_steps(case, mu, five)
        unit = 1.0 if base == "e" else math.log(2)
        first, second, third, one = printed.equation_6(case, five, psi, psi / math.sqrt(20), T)
        return mu - max(first / unit, second / unit, third, one)

    return float(brentq(excess, 4.0, 64.0))


def drop(*, version: str, s: float, mu: float = 0.0, base: str = "", runs: int, seed: int) -> Finding:
    """Walk down F = g x_1, g = 1.2 R/(eta Gamma), noise at the size that the block admits: fall of F at the drift test over Phi.

    mu   given, or that of (6) with the logarithm to base "e" or "2"
    """
    mu = mu_of_6(s, base) if base else mu
    ratio = float(accuracy_over_psi(s=s, log_factor=mu, C_abs=1.0, c_abs=16.0, version=version))
    at = block(accuracy=1.0, s=s, log_factor=mu, ell=1.0, rho=1.0, version=version)
    at = whole(at) if version == "repaired" else at
    Gamma, d = math.ceil(at.Gamma - 1e-9), 10
    g = 1.2 * at.radius / (at.eta * Gamma)
    landscape = local_cubic(d, gamma=0.0, rho=0.0, ell=1e-9, slope=g)
    psi = 1 / ratio
    runs_made = escape(
        landscape, eta=at.eta, T=Gamma, sigma=psi / math.sqrt(2 * d), zeta=psi / math.sqrt(2), replicates=runs, seed=seed, threads=1
    )
    reached = runs_made.distance >= at.radius
    first = np.argmax(reached, axis=1)
    successful = reached.any(axis=1)
    falls = -runs_made.value[np.arange(runs), first][successful] / at.decrease
    violated = int(np.sum(falls < 1))
    numbers = {"rounds": runs, "mean drop / Phi": float(falls.mean()), "below Phi": violated,
               "s": s, "mu": mu, "gradient": g, "alpha": 1.0}  # fmt: skip
    words = f"F falls by {falls.mean():.3f} Phi on average in {len(falls)} successful rounds"
    return tail(violated, len(falls), min(1.0, 2 * math.exp(-at.iota)), words, seed, **numbers)


def lemma5(*, dimensions: tuple[int, ...], horizons: tuple[int, ...], omega: float) -> Finding:
    """Compute exactly, for Gaussian errors N(0, r^2 I), P(max_t |nu_t| > sqrt(2 log(4T/omega)) psi), psi = r sqrt(d), over omega/2."""
    worst, at, tried = 0.0, {}, 0
    for d in dimensions:
        for T in horizons:
            level = 2 * math.log(4 * T / omega) * d
            probability = -math.expm1(T * math.log1p(-float(stats.chi2.sf(level, d))))
            tried += 1
            if probability / (omega / 2) > worst:
                worst, at = probability / (omega / 2), {"d": d, "T": T, "omega": omega, "probability": probability}
    return at_most(worst, at, tried, "P(some |nu_t| above the bound) over omega/2, C = 1", None)


def triangle(*, C: float, points: int, seed: int) -> Finding:
    """Bound P(|zeta| + |xi| >= t) by 4 exp(-t^2/(2 (sigma + 2 sqrt(2) r sqrt(d))^2)), Lemma 10 and half of t to each part in proportion.

    Compare with 2 exp(-t^2/(2 C^2 psi^2)), both at most 1, on random sigma, r, d and t.
    """
    rng, worst, at = np.random.default_rng(seed), -math.inf, {}
    for _ in range(points):
        sigma, r, d = (float(10 ** rng.uniform(-3, 3)) for _ in range(3))
        psi, both = math.sqrt(sigma**2 + r**2 * d), sigma + 2 * math.sqrt(2) * r * math.sqrt(d)
        t = both * float(rng.uniform(0, 8))
        excess = min(0.0, math.log(4) - t**2 / (2 * both**2)) - min(0.0, math.log(2) - t**2 / (2 * C**2 * psi**2))
        if excess > worst:
            worst, at = excess, {"sigma": sigma, "r": r, "d": d, "t": t}
    return searched(worst, at, points, f"the logarithm of the tail over that of nSG({C:.4g} psi)", seed)


def corollary2(*, c: float, iotas: tuple[float, ...], horizons: tuple[int, ...], d: int) -> Finding:
    """Compute exactly, for Gaussian errors, P(sum |nu_t|^2 > 2 c psi^2 (t + iota)) over 2 e^(-iota): then (8) follows from (7)."""
    worst, at, tried = 0.0, {}, 0
    for iota in iotas:
        for t in horizons:
            probability = float(stats.chi2.sf(2 * c * d * (t + iota), t * d))
            tried += 1
            if probability / (2 * math.exp(-iota)) > worst:
                worst, at = probability / (2 * math.exp(-iota)), {"t": t, "iota": iota, "c": c, "probability": probability}
    return at_most(worst, at, tried, "the probability over 2 e^(-iota)", None)


def lemma10(*, constant: float, dimensions: tuple[int, ...]) -> Finding:
    """Compute P(|N(0, I_d)| >= t) exactly over 2 exp(-t^2/(2 constant^2 d)), on a grid of t."""
    worst, at, tried = 0.0, {}, 0
    for d in dimensions:
        for t in np.linspace(0.01, 12, 400) * math.sqrt(d):
            log_ratio = float(stats.chi2.logsf(t * t, d)) - math.log(2) + t * t / (2 * constant**2 * d)
            tried += 1
            if math.isfinite(log_ratio) and math.exp(min(log_ratio, 50)) > worst:
                worst, at = math.exp(min(log_ratio, 50)), {"d": d, "t": float(t), "constant": constant}
    return at_most(worst, at, tried, "the tail over that of nSG", None)


def lemma13(*, C: float, iotas: tuple[float, ...], folds: tuple[int, ...]) -> Finding:
    """Take |v|^2 = 2 zeta^2 (log 2 + Exp(1)), the heaviest nSG(zeta) law: exact P(sum > C zeta^2 (p + iota)) over e^(-iota)."""
    worst, at, tried = 0.0, {}, 0
    for iota in iotas:
        for p in folds:
            probability = float(stats.gamma.sf(C * (p + iota) / 2 - p * math.log(2), p))
            tried += 1
            if probability * math.exp(iota) > worst:
                worst, at = probability * math.exp(iota), {"p": p, "iota": iota, "C": C, "probability": probability}
    return at_most(worst, at, tried, "the probability over e^(-iota)", None)


def corollary3(*, log_of: float, C: float, dimensions: tuple[int, ...]) -> Finding:
    """Take one v = +-e_1, nSG(1): P(|v| >= 1) = 1 over 2 exp(-1/(2 C^2 log(log_of d)))."""
    worst, at = 0.0, {}
    for d in dimensions:
        width = C**2 * math.log(log_of * d)
        bound = 2 * math.exp(-1 / (2 * width)) if width > 0 else 0.0
        ratio = 1 / bound if bound > 0 else math.inf
        if ratio > worst:
            worst, at = ratio, {"d": d, "v": "+-e_1 with probability 1/2", "C": C, "P(|v| >= 1)": 1.0, "bound": bound}
    return at_most(worst, at, len(dimensions), "the probability over the bound", None)


def lemma12(*, C: float, iota: float, added: float) -> Finding:
    """Take p = d = 1, zeta = b = 1, B slightly above, a symmetric v with P(|v| >= t) = 2 e^(-t^2/2) from t = sqrt(2 log 2) on.

    `added` is what stands beside log(B/b): 0 in the lemma.
    """
    worst, at, widths = 0.0, {}, (1e-12, 1e-4, 1.0, 10.0)
    for width in widths:
        probability = min(1.0, 2 * math.exp(-(C**2) * iota / 2))
        bound = 2 * (added + math.log1p(width)) * math.exp(-iota)
        if probability / bound > worst:
            worst, at = probability / bound, {"C": C, "iota": iota, "b": 1.0, "B - b": width, "probability": probability, "bound": bound}
    return at_most(worst, at, len(widths), "the probability over 2 d log(B/b) e^(-iota)", None)


def lemma15(*, C: float, d: int, ts: tuple[float, ...], runs: int, seed: int) -> Finding:
    """Draw symmetric Gaussian matrices (psi_2 norm sqrt(8/3) an entry), and signs (1/sqrt(log 2)): share above C psi_2 (sqrt(d) + t)."""
    rng, worst = np.random.default_rng(seed), None
    for name, size in (("normal", math.sqrt(8 / 3)), ("sign", 1 / math.sqrt(math.log(2)))):
        norms = np.empty(runs)
        for k in range(runs):
            entries = rng.standard_normal((d, d)) if name == "normal" else rng.choice([-1.0, 1.0], (d, d))
            norms[k] = np.linalg.norm(np.triu(entries) + np.triu(entries, 1).T, 2)
        for t in ts:
            found = tail(
                int(np.sum(norms > C * size * (math.sqrt(d) + t))), runs, min(1.0, 4 * math.exp(-t * t)), f"{name} entries, t = {t}", seed
            )
            if found.outcome is Outcome.REFUTED:
                return found
            worst = found
    assert worst is not None
    return Finding(
        Outcome.CONSISTENT,
        f"{runs} matrices of each of two laws, {len(ts)} values of t, stay within C = {C}",
        worst.numbers,
        {},
        LEVEL,
        seed,
    )


def path_errors(
    b_1: int, b_2: int, steps: int, repeats: int, seed: int, length: float, m: int = 1, quiet: bool = False
) -> tuple[FloatArray, float]:
    """Return errors of the estimate after `steps` O_2 calls on a fixed path (repeats, d), and the sum of squared displacements."""
    landscape = cosines(3, None, (0.0,) * m)
    points = np.array([[0.3 + length * t, 1.0 - length * t, length * t] for t in range(steps + 1)])
    exact = landscape.value_and_gradient(points[-1])[1]
    rng, errors = np.random.default_rng(seed), np.empty((repeats, 3))
    noise = {"sigma_1": 0.0, "sigma_2": 0.0} if quiet else {"sigma_1": 0.4, "sigma_2": 0.8}
    for k in range(repeats):
        rows = samples(landscape, b_1 + steps * b_2, rng)
        errors[k] = play(landscape, points, rows, seed + k, b_1=b_1, b_2=b_2, kappa=1e9, **noise).estimates[-1] - exact
    return errors, steps * 3 * length**2


def lemma7_sampling(*, b_1: int, b_2: int, steps: int, m: int, repeats: int, seed: int) -> Finding:
    """Compare E|nu|^2 of sampling errors with (G^2/b_1 + M^2 sum |dx|^2/b_2)/m, the constants and logarithms of Lemma 7 being 1."""
    errors, moved = path_errors(b_1, b_2, steps, repeats, seed, 0.2, m, quiet=True)
    squares = np.sum(errors**2, axis=1)
    bound = (3.0 / b_1 + moved / b_2) / m
    ceiling = (2 * math.sqrt(3) + 2 * steps * 0.2 * math.sqrt(3)) ** 2  # each of the means errs by 2 G, or 2 M |dx|, at most
    return below(squares, bound, ceiling=ceiling, seed=seed, where=f"b_1 = {b_1}, b_2 = {b_2}, {steps} differences, m = {m}")


def lemma7_noise(*, steps: int, m: int, repeats: int, seed: int) -> Finding:
    """Compare the DP noise in an estimate with sigma_1^2 + sigma_2^2 sum |dx|^2 per coordinate, over m."""
    loud, moved = path_errors(9, 4, steps, repeats, seed, 0.3, m)
    quiet, _ = path_errors(9, 4, steps, repeats, seed, 0.3, m, quiet=True)
    variance = (0.4**2 + 0.8**2 * moved) / m
    return spread(float(np.sum((loud - quiet) ** 2)) / variance, loud.size, f"DP noise after {steps} differences, m = {m}", seed)


def martingale(*, steps: int, repeats: int, seed: int) -> Finding:
    """Correlate nu_t with nu_{t+k}: 0 for a martingale difference; sqrt(v_t/v_{t+k}) for noise that adds up."""
    landscape = cosines(3)
    points = np.array([[0.3 + 0.2 * t, 1.0, 0.0] for t in range(steps + 1)])
    rows = samples(landscape, 9 + 4 * steps, np.random.default_rng(seed))
    quiet = play(landscape, points, rows, seed, sigma_1=0.0, sigma_2=0.0, kappa=1e9).estimates
    nu = np.array([play(landscape, points, rows, seed + k, sigma_1=0.4, sigma_2=0.8, kappa=1e9).estimates - quiet for k in range(repeats)])
    first, last = nu[:, 0].ravel(), nu[:, -1].ravel()
    found = float(np.corrcoef(first, last)[0, 1])
    half = float(stats.norm.isf(LEVEL / 2)) / math.sqrt(len(first) - 3)  # Fisher's z, for Gaussian pairs
    low, high = math.tanh(math.atanh(found) - half), math.tanh(math.atanh(found) + half)
    stated = math.sqrt(0.4**2 / (0.4**2 + 0.8**2 * steps * 0.04))
    numbers = {"correlation": found, "low": low, "high": high, "sqrt(v_t/v_{t+k})": stated, "lag": steps}
    if low > 0:
        sentence = f"the correlation at lag {steps} is {found:.3f} (at least {low:.3f}); noise that adds up has {stated:.3f}"
        return Finding(Outcome.REFUTED, sentence, numbers, numbers, LEVEL, seed)
    return Finding(Outcome.CONSISTENT, f"the correlation is {found:.3f}", numbers, {}, LEVEL, seed)


def lemma8(*, factor: float, cases: int, seed: int) -> Finding:
    """Count O_1 calls of runs without restarts whose errors stay within chi: over (6 eta/kappa) (U + factor T eta chi^2) + 1."""
    landscape, rng, worst, at, used = cosines(3), np.random.default_rng(seed), 0.0, {}, 0
    for k in range(cases):
        eta, kappa, chi = float(rng.uniform(0.02, 0.3)), float(10 ** rng.uniform(-3, 0)), 0.4
        run = gauss_psgd(
            landscape, oracle="ada_dp_spider", x0=rng.uniform(-3, 3, 3), eta=eta, chi=chi, R=0.5, Gamma=20, Q=1, n=3000, b_1=60, b_2=20,
            sigma_1=0.05, sigma_2=0.1, kappa=kappa, seed=k, threads=1,
        )  # fmt: skip
        if np.nanmax(run.error) > chi:
            continue
        used += 1
        T = int(run.steps[0])
        bound = 6 * eta / kappa * (landscape.constants["U"] + factor * T * eta * chi**2) + 1
        if run.fresh_calls[0] / bound > worst:
            worst, at = (
                float(run.fresh_calls[0] / bound),
                {"eta": eta, "kappa": kappa, "T": T, "O_1 calls": int(run.fresh_calls[0]), "bound": bound},
            )
    if used == 0:
        return Finding(Outcome.INCONCLUSIVE, "no run stayed within chi", seed=seed)
    return at_most(worst, at, used, "O_1 calls over the bound", seed)


REFUTED, INEQUALITY = Outcome.REFUTED, Kind.INEQUALITY
DECREASE = r"F(x_{t_0+\tau}) - F(x_{t_0}) \le -\frac{s}{8\iota^3}\sqrt{\frac{\alpha^3}\rho} = -\Phi"
# fmt: off
CLAIMS = (
    *(
        claim(f"lemma3.{oracle}", "Lemma 3, (7)", f"Every step of runs with the oracle {oracle} obeys (7), eta up to 1/M", lemma3,
                  "M-smoothness", INEQUALITY, oracle=oracle,
              cases=40, seed=81, longest=1.0, full={"cases": 400})
        for oracle in ("exact", "ada_dp_spider")
    ),
    claim("lemma3.long_steps", "Lemma 3 without eta <= 1/M", "(7) holds for steps up to 3/M", lemma3, "it needs eta <= 1/M", INEQUALITY,
              REFUTED, "question", oracle="exact", cases=40,
          seed=82, longest=3.0, correction="eta <= 1/M, as the paper assumes", repaired_by="lemma3.exact"),
    *(
        claim(f"lemma4.printed_s{s:g}_{name}", f"Lemma 4; s = {s:g}, mu of (6) with log to base {base}, M = rho = 1",
                  "A round that succeeds lowers F by Phi at least, with probability 1 - 2 e^-iota or more", drop,
              "the fall is 9.6/iota of it on a slope", INEQUALITY, REFUTED, "reading", latex=DECREASE, version="printed", s=s, base=base,
              runs=100, seed=83, correction="Phi' = s/(8 iota^4) sqrt(alpha^3/rho), with alpha at least 4 sqrt(c) s^(3/2) mu^(5/2) psi",
              repaired_by=f"lemma4.repaired_{s:g}_8")
        for s, name, base in ((4.0, "ln", "e"), (10.0, "ln", "e"), (4.0, "log2", "2"))
    ),
    *(
        claim(f"lemma4.repaired_{s:g}_{mu:g}", f"Lemma 4 with our repaired block; s = {s:g}, mu = {mu:g}",
                  "A successful round lowers F by Phi'", drop, "the proof goes through",
              INEQUALITY, stated="question", version="repaired", s=s, mu=mu, runs=30, seed=84, full={"runs": 100})
        for s, mu in ((4.0, 4.0), (4.0, 8.0), (10.0, 8.0))
    ),
    claim("lemma4.small_iota", "Lemma 4, iota = 8", "The same slope does not refute it at s = 4, mu = 2", drop, "9.6/8 is above 1",
              INEQUALITY, stated="question", version="printed", s=4.0,
          mu=2.0, runs=100, seed=85),
    claim("lemma5.gaussian", "Lemma 5", "All of T Gaussian errors are below sqrt(2 log(4T/omega)) psi with probability 1 - omega/2",
              lemma5, "the chi-square law", INEQUALITY,
          dimensions=(1, 2, 10, 1000), horizons=(1, 100, 10**6, 10**12), omega=0.1),
    claim("lemma5.triangle", "ours; proof of Lemma 5", "nu_t is nSG(4 sqrt(2) psi) by the triangle inequality, without Corollary 3",
              triangle, "the parts share t in proportion to their constants", INEQUALITY, stated="question", C=4 * math.sqrt(2),
              points=2000, seed=89, full={"points": 10**6}),
    claim("corollary2.gaussian", "Corollary 2, (8), c = 8 C_13",
              "(8) holds for Gaussian errors with c = 8 times a valid constant of Lemma 13", corollary2, "the chi-square law", INEQUALITY,
          c=8 * 4 * math.log(3), iotas=(0.1, 1.0, 10.0, 100.0), horizons=(1, 10, 1000), d=2),
    claim("lemma10.constant", "Lemma 10", "N(0, r^2 I) is nSG(2 sqrt(2) r sqrt(d))", lemma10, "the chi-square tail", INEQUALITY,
              constant=2 * math.sqrt(2), dimensions=(1, 2, 3, 10, 100)),
    claim("lemma10.smaller", "Lemma 10 with another constant", "It is nSG(0.9 r sqrt(d))", lemma10, "at d = 1 the tail is e^(-t^2/2)",
              INEQUALITY, REFUTED, "question", constant=0.9,
          dimensions=(1, 2, 3, 10, 100), correction="The constant cannot be below 1", repaired_by="lemma10.constant"),
    claim("lemma13.heaviest", "Lemma 13, C = 4 log 3",
              "sum |v_i|^2 <= C zeta^2 (p + iota) with probability 1 - e^(-iota), for the heaviest nSG law", lemma13,
          "E exp(|v|^2/(4 zeta^2)) <= 3", INEQUALITY, stated="reading", C=4 * math.log(3), iotas=(0.01, 0.1, 1.0, 10.0, 100.0), folds=(1,
          2, 10, 1000)),
    claim("lemma13.half", "Lemma 13, C = 1.5", "The same with C = 1.5", lemma13, "one sample alone has the tail 2 e^(-C iota/2)",
              INEQUALITY, REFUTED, "question", C=1.5,
          iotas=(0.01, 0.1, 1.0, 10.0, 100.0), folds=(1, 2, 10), correction="C = 4 log 3 is enough", repaired_by="lemma13.heaviest"),
    claim("corollary3.two_d", "Corollary 3 with log(2 d)", "One sign vector obeys it with log(2 d), C = 2", corollary3, "log 2 > 0",
              INEQUALITY, stated="question", log_of=2.0, C=2.0,
          dimensions=(1, 2, 10)),
    claim("lemma12.wide", "Lemma 12 with 1 + log(B/b)",
        "(14) with 1 + log(B/b) for log(B/b) holds for every B > b, C = 4, iota = 1", lemma12, "the factor stays above 1", INEQUALITY,
              stated="question", C=4.0, iota=1.0, added=1.0),
    claim("lemma15.drawn", "Lemma 15, C = 1.3", "|M| <= C psi_2 (sqrt(d) + t) with probability 1 - 4 e^(-t^2)", lemma15,
              "2 sqrt(d) is the edge of the spectrum", INEQUALITY, stated="reading",
          C=1.3, d=30, ts=(0.0, 1.0, 2.0), runs=150, seed=86, full={"runs": 3000}),
    *(
        claim(f"lemma{9 if m > 1 else 7}.noise", f"Lemma {9 if m > 1 else 7}, r; m = {m}",
                  "DP noise adds up to sigma_1^2 + sigma_2^2 sum |dx|^2 a coordinate, over m", lemma7_noise,
              "independent Gaussians", INEQUALITY, steps=5, m=m, repeats=200, seed=87, full={"repeats": 2000})
        for m in (1, 5)
    ),
    *(
        claim(f"lemma{9 if m > 1 else 7}.sampling_{name}", f"Lemma {9 if m > 1 else 7}, sigma; m = {m}",
                  "E|nu|^2 of sampling errors is at most (G^2/b_1 + M^2 sum |dx|^2/b_2)/m",
              lemma7_sampling, "variances add up, each is at most a second moment", INEQUALITY, b_1=b_1, b_2=b_2, steps=steps, m=m,
              repeats=300, seed=88, full={"repeats": 2000})
        for name, b_1, b_2, steps, m in (("fresh", 4, 1, 0, 1), ("differences", 64, 2, 6, 1), ("clients", 8, 2, 4, 4))
    ),
    claim("lemma18.martingale", "Lemmas 19 and 20 with Algorithm 2", "The errors nu_t are martingale differences", martingale,
              "nu_t is carried on from call to call", INEQUALITY,
          REFUTED, "reading", steps=4, repeats=300, seed=89,
          correction="It holds for oracles whose errors are new in each step, as Theorem 1 assumes"),
    *(
        claim(f"lemma8.count_{name}",
                  "Lemma 8, proof: |T| <= (6 eta/kappa)(U + 5 T eta chi^2)" if name == "printed" else "Our constant in Lemma 8",
                  f"The bound on the number of O_1 calls, with {factor:g}",
              lemma8, "each epoch lowers F by kappa/(6 eta)", INEQUALITY, stated="printed" if name == "printed" else "question",
              factor=factor, cases=30, seed=90, full={"cases": 300})
        for name, factor in (("printed", 5.0), ("sharper", 0.75))
    ),
)
# fmt: on
