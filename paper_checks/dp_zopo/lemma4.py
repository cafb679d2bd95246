"""Lemmas 3 and 4: smoothing and the error of the gradient, step by step; what holds instead, by quadrature and by draws."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import sympy as sp
from scipy import special, stats

import bounds
from bounds.inequalities import is_zero
from paper_checks.dp_zopo import printed as p
from paper_checks.examine.judge import decided, means_agree
from paper_checks.examine.proofs import ANOTHER, STOPS, WORDED, true_line, whole_proof
from paper_checks.examine.search import Cases, allowances
from paper_checks.examine.units import units
from paper_checks.examine.witness import at_witness, false_line
from paper_checks.verdict import Claim, Finding, Kind, OpenClaim, Size, claim, inconclusive, proved
from synthetic.draws import FloatArray

X = np.linspace(-10, 10, 4001)
WEIGHTS, CELL = stats.norm.pdf(X) * (X[1] - X[0]), (X[1] - X[0]) / 2
ROUNDING, STANDARD_ERRORS = 1e-4, 7.0  # of the grid; a normal number is further from its mean with probability 3e-12
PROFILES: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {  # 1-Lipschitz, and their slopes
    "y": (lambda y: y, np.ones_like),
    "sqrt(1 + y^2)": (lambda y: np.sqrt(1 + y**2), lambda y: y / np.sqrt(1 + y**2)),
    "max(y, -2y)/2": (lambda y: np.maximum(y, -2 * y) / 2, lambda y: np.where(y > 0, 0.5, -1.0)),
    "|y|": (np.abs, np.sign),
    "sin y": (np.sin, np.cos),
}
ROOT_2 = math.sqrt(2)  # C/L of the proof


def mean(values: FloatArray) -> float:
    """Return the mean of a function of a standard normal number, given on the grid."""
    return float(WEIGHTS @ values)


def lower(samples: FloatArray) -> float:
    """Return the mean of independent samples less seven standard errors."""
    return float(samples.mean() - STANDARD_ERRORS * samples.std() / math.sqrt(len(samples)))


def quotients() -> Iterator[tuple[dict[str, Any], FloatArray, Callable[[Any], Any], FloatArray]]:
    """Yield where, the two-point quotient on the grid, f(. + beta v) over beta as a function, and the slope at the moved points."""
    for name, (value, slope) in PROFILES.items():
        for beta, t in ((beta, t) for beta in (1e-3, 0.1, 1.0, 5.0) for t in (0.0, 0.3, 2.0)):
            h = partial(lambda by, f, beta, t: (f(t + beta * (X + by)) - f(np.float64(t))) / beta, f=value, beta=beta, t=t)
            yield {"f": name, "beta": beta, "theta": t}, (h(0) - h(0)[::-1]) / 2, h, slope(t + beta * X)


QUANTITIES: dict[str, Callable[..., float]] = {  # over what is allowed; of (iv) the difference from a numerical slope, over 1e-3
    "(i)": lambda g, h, slope, d, C: abs(mean(slope)),
    "(ii)": lambda g, h, slope, d, C: abs(mean(h(0))) / math.sqrt(d),
    "(iii), sharper": lambda g, h, slope, d, C: abs(mean(slope * X)) / math.sqrt(2 / math.pi),
    "(iv)": lambda g, h, slope, d, C: abs(mean(g * X) - mean(h(0.02) - h(-0.02)) / 0.04) / 1e-3,
    "(24)": lambda g, h, slope, d, C: mean(np.abs(h(0) - mean(h(0))) >= C + CELL) / (2 * math.exp(-(C**2) / 2)),
    "(25)": lambda g, h, slope, d, C: mean((h(0) - mean(h(0))) ** 2) / 4,
    "(30)": lambda g, h, slope, d, C: mean((g - np.clip(g, -C, C)) ** 2 * (X**2 + d - 1)) / p.right_of_30(d, C, 1.0),
}


@allowances("{which}: over what is allowed", rounding=ROUNDING)
def allowed(*, which: str, d: int) -> Cases:
    """Yield a quantity of a loss of one of d coordinates over what is allowed; of (ii) that of ||x|| at 0 too."""
    if which == "(ii)":
        yield math.exp(special.gammaln((d + 1) / 2) - special.gammaln(d / 2)) * math.sqrt(2 / d), {"f": "||x||", "d": d}
    for at, g, h, slope in quotients():
        for C in (0.2, 1.0, ROOT_2, 2.0, 4.0) if which in ("(24)", "(30)") else (1.0,):
            yield QUANTITIES[which](g, h, slope, d, C), {**at, "C": C}


@allowances("moments, tails and biases of quotients over what they are to be at most", reach=0.999, rounding=ROUNDING)
def moments(*, draws: int, seed: int) -> Cases:
    """Yield them of quotient, clip and what clipping takes, L = 1: of one coordinate integrated, of the largest and of ||x|| by draws."""
    cases = ((1, 0.3), (1, 1.0), (2, ROOT_2), (10, ROOT_2), (1000, 3.0), (5, ROOT_2))
    of_moments, of_bias = (bounds.THEOREMS[f"dp_zopo.corrected_{name}"] for name in ("moments", "clip_bias"))
    held = {(d, C): (of_moments.evaluate(d=d, L=1.0, C=C), of_bias.evaluate(L=1.0, C=C).bound) for d, C in cases}

    def ratios(d: int, C: float, average: Callable[[FloatArray], float], v: FloatArray, square: FloatArray, g: FloatArray) -> list[float]:
        at, bias = held[d, C]
        kept, parts = np.clip(g, -C, C), at.parts
        found = [average(np.abs(g) > C + CELL) / parts["tail"], average((g - kept) * v) / bias]
        for one in (g, kept, g - kept):
            found += [average(one**2) / parts["second"], average(one**4) / parts["fourth"], average(one**2 * square) / at.bound]
        return found

    for at, g, _, _ in quotients():
        for d, C in cases[:-1]:
            yield max(ratios(d, C, mean, X, X**2 + d - 1, g)), {**at, "d": d, "C": C}
    v, e = np.random.default_rng(seed).standard_normal((draws, 5)), np.eye(5)[0]
    norms = (np.linalg.norm(e + v, axis=1) - np.linalg.norm(e - v, axis=1)) / 2
    for name, g in (("largest", (v.max(axis=1) + v.min(axis=1)) / 2), ("||x||", norms)):
        yield max(ratios(5, ROOT_2, lower, v[:, 0], (v**2).sum(axis=1), g)), {"f": name, "d": 5, "C": ROOT_2}


def errors(rng: np.random.Generator, f: str, a: FloatArray, b: FloatArray, draws: int, **step: Any) -> tuple[FloatArray, float]:
    """Return draws of ||grad F_beta - grad f^||^2 at 0 for losses f(a_i'x - b_i), and gamma.

    A step of Algorithm 2, written out: every sample's quotient along every direction is clipped, noise of deviation s is on the mean.
    """
    (value, slope), (m, P, C, beta, s) = PROFILES[f], (step[name] for name in ("m", "P", "C", "beta", "s"))
    lengths = np.linalg.norm(a, axis=1)
    each = a * np.array([mean(slope(beta * one * X - off)) for one, off in zip(lengths, b, strict=True)])[:, None]
    v = rng.standard_normal((draws, P, a.shape[1]))
    clips = np.clip((value(beta * v @ a.T - b) - value(-beta * v @ a.T - b)) / (2 * beta), -C, C)
    order = rng.random((draws, len(a)))
    chosen = order < m / len(a) if step["poisson"] else order.argsort(axis=1) < m
    scalars = (clips * chosen[:, None, :]).sum(axis=2) / m + s * rng.standard_normal((draws, P))
    off = (scalars[..., None] * v).mean(axis=1) - each.mean(axis=0)
    return (off**2).sum(axis=1), math.sqrt(float(((each - each.mean(axis=0)) ** 2).sum(axis=1).mean()))


@allowances("mean squared errors of the estimate, less seven standard errors, over the corrected bound", reach=0.5)
def error_attacked(*, of: str, settings: int, draws: int, seed: int) -> Cases:
    """Yield them for random losses, batches, directions, thresholds and noise, over the bound and over its sharp form."""
    rng = np.random.default_rng(seed)
    for trial in range(settings):
        n, d, P = int(rng.integers(2, 9)), int(rng.integers(1, 9)), int(rng.choice([1, 2, 8, 32]))
        m, C, sigma = int(rng.integers(1, n + 1)), float(rng.choice([0.5, 1, ROOT_2, 3])), float(rng.choice([0.01, 1, 5]))
        f, beta = (*PROFILES,)[trial % 5], float(rng.choice([1e-3, 0.3, 2]))
        a = rng.standard_normal((n, d)) * rng.choice([0.1, 1]) + np.eye(d)[0]
        a /= np.maximum(1, np.linalg.norm(a, axis=1))[:, None]
        step = {"m": m, "P": P, "C": C, "beta": beta, "s": sigma * C / m, "poisson": of == "poisson"}
        drawn, gamma = errors(rng, f, a, rng.standard_normal(n), draws, **step)
        at = {"n": n, "d": d, "minibatch": m, "directions": P, "C": C, "noise_ratio": sigma, "sample_spread": gamma}
        held = bounds.THEOREMS[f"dp_zopo.corrected_{of}_error"].evaluate(**at, L=1.0)
        yield max(lower(drawn) / held.bound, lower(drawn) / held.parts["sharp"]), {"f": f, "beta": beta, **at}


def drawn(*, opposite: bool, d: int, cases: tuple[tuple[int, int], ...], draws: int, seed: int) -> Finding:
    """Compare the exact error for one linear loss, or two opposite ones, L = 1, no noise, with Lemma 4 and with draws."""
    c = np.clip(X, -ROOT_2, ROOT_2)
    second, first = mean(c**2 * (X**2 + d - 1)), mean(c * X)
    agree, sides, rng = dict[str, tuple[FloatArray, float]](), dict[str, tuple[float, float]](), np.random.default_rng(seed)
    for m, P in cases:
        n = 4 * m if opposite else max(2, m)
        a = np.eye(d)[[0] * n] * np.where(opposite & (np.arange(n) % 2 == 1), -1, 1)[:, None]
        exact = (n - m) / ((n - 1) * m) * (second / P + (1 - 1 / P) * first**2) if opposite else (1 - first) ** 2 + (second - first**2) / P
        held = sum(p.ERROR_TERMS[1:]).subs({p.d: d, p.C: sp.sqrt(2), p.P: P, p.m: m, p.L: 1, p.beta: 0, p.gamma: int(opposite)})
        samples, _ = errors(rng, "y", a, np.zeros(n), draws, m=m, P=P, C=ROOT_2, beta=1e-3, s=0.0, poisson=False)
        agree[f"m = {m}, P = {P}"], sides[f"m = {m}, P = {P}: error, Lemma 4"] = (samples, exact), (exact, float(held))
    above = [name for name, (exact, held) in sides.items() if exact > held]
    return means_agree(agree, decided(not above, f"the error is above Lemma 4 in {len(above)} of {len(cases)} cases", sides), seed)


def integrated(*, vector: bool, d: int, cases: tuple[tuple[float, int], ...]) -> Finding:
    """Integrate the error where CLIP shortens the vector g v of one linear loss, or (27) for sqrt(1 + ||theta||^2) at 2 e_1, beta for m."""
    v, rest = np.linspace(-8, 8, 801)[:, None], stats.chi2.ppf((np.arange(400) + 0.5) / 400, d - 1)[None, :]  # first coordinate; the others
    weights, sides = stats.norm.pdf(v) * 0.02 / 400 * np.ones_like(rest), dict[str, tuple[float, float]]()
    for one, P in cases:
        plus, minus = (np.sqrt(1 + (2 + sign * one * v) ** 2 + one**2 * rest) for sign in (1, -1))
        length = np.maximum(np.abs(v) * np.sqrt(v**2 + rest), 1e-300)
        g = v * np.minimum(1, ROOT_2 / length) if vector else (plus - minus) / (2 * one)
        first, second = float((weights * g * v).sum()), float((weights * g**2 * (v**2 + rest)).sum())
        printed = 16 * d / (math.e * P * one) if vector else float(p.EQUATION_27.subs({p.d: d, p.L: 1, p.beta: one}))
        sides[f"{one:g}, {P}: left, right side"] = (1 - first) ** 2 * vector + (second - first**2) / P, printed
    return decided(all(left <= right for left, right in sides.values()), "integrated left side against the printed right side", sides)


def as_printed() -> Finding:
    """Compare Lemmas 3 and 4 of the theory with the print."""
    three, four = (bounds.THEOREMS[f"dp_zopo.lemma{number}"] for number in (3, 4))
    held = {"bound": three.bound, **{part.name: part.value for part in three.parts}}
    pairs = {**{f"Lemma 3, {name}": (held[name], one) for name, one in p.LEMMA3.items()}, "Lemma 4": (four.bound, sum(p.ERROR_TERMS))}
    if differing := [name for name, (one, other) in pairs.items() if not is_zero(one - other)]:
        return inconclusive(ANOTHER.format(", ".join(differing)), {"formulas": len(pairs)})
    return proved(f"{len(pairs)} formulas, by two transcriptions, are the same", {"formulas": len(pairs)})


TABLE = """
lemma3 | Lemma 3 | chain | Gaussian smoothing, (ii) and (iii)
corrected_moments | ours; (25) to (27), (29) | chain | Moments of the quotient, of its clip, and of what clipping takes
corrected_clip_bias | ours; (21), (28) | chain | The bias of a clipped estimate is L erfc(C/(sqrt(2) L)) at most
corrected_smoothness | ours; Lemma 3 (iii) | chain | f_beta is sqrt(2/pi) L/beta-smooth
corrected_gradient_error | ours; in place of Lemma 4 | chain | The error of a noisy, clipped estimate, batches without replacement
corrected_poisson_error | ours; in place of Lemma 4 | chain | The same for Poisson batches
lemma3.lipschitz | Lemma 3 | (i) | f_beta is L-Lipschitz
lemma3.close | Lemma 3 | (ii) | |f_beta - f| <= L beta sqrt(d)
lemma3.smooth | ours; Lemma 3 | (iii), sharper | f_beta is sqrt(2/pi) L/beta-smooth, which |x| attains
lemma3.unbiased | Lemma 3, (9) | (iv) | E g v = grad f_beta
lemma4.noise | (14), first term | lemma4: noise_term | The noise by (13) has the energy d c_2^2 C^2 P T log(P/delta)/(epsilon n)^2
equation_22.holds | (22) | lemma4: equation_22 | E g^2 by the deviations on both sides, from (a - b)^2 <= 2 a^2 + 2 b^2
equation_24.holds | (24) | (24) | P(|h - E h| >= c) <= 2 exp(-c^2/(2 beta^2 L^2))
equation_25.holds | (25) | (25) | E |h - E h|^2 <= 4 beta^2 L^2
equation_29.holds | (29) | lemma4: equation_29 | P(|g| >= C) <= 2 exp(-C^2/(2 L^2))
equation_30.holds | (30), one coordinate | (30) | E ||(g - clip g) v||^2 <= (2 d C^2 + 4 d L^2) exp(-C^2/(2 L^2))
equation_31.holds | (31) | lemma4: equation_31 | E ||(g - clip g) v||^2 <= 8 d C^2/e at C^2 = 2 L^2
equation_21.printed_21 | (21) | witness | The error of a mean of P estimates is 1/P^2 times the sum of theirs | means keep the bias
lemma4.printed_floor | (14) | witness | All but the noise tends to 0 as P grows | the squared bias of clipping stays
lemma4.printed_sampling | (14) | witness | Sampling adds gamma^2/(P m) | directions share the batch: gamma^2/m stays as P grows
lemma4.uniform_gamma | (11), (14) | witness | Lemma 4 holds if gamma bounds every sample | two slopes are equally far from their mean
equation_26.printed_26 | (26) | lemma4: equation_26 | E g^2 <= 4 L^4 | (22), (23) and (25) give 4 L^2 | 4 L^2; L^2 by Poincare
equation_27.printed_27 | (27) | lemma4: equation_27 | E ||g v - E g v||^2 <= 64 d beta^2 L^4 | (d + 1) L^2 of linear losses | 4 d L^2
lemma4.printed_shared | (14) | corrected_gradient_error: bound | All but noise falls like 1/(P m) | directions are shared | d C^2/P
equation_31.printed_31 | (31) | lemma4: equation_31 | (30) is 8 d C^2/e at C^2 = 2 L^2 | it lacks the 2 of (29) | 4 d C^2/e
equation_36.printed_36 | after (36) | lemma4: noise_term | The noise is z v, z of deviation sigma C | it is z/m | m^2 times the first term
"""
INSTEAD, SHARED = "The corrected error", "lemma4.repaired_shared"


def stated(key: str, source: str, words: str, kind: Kind = Kind.INEQUALITY) -> OpenClaim:
    """Open a claim of the paper, or one of ours where its source says so."""
    return claim(f"dp_zopo.{key}", source, kind).stated_as("question" if source.startswith("ours") else "printed").says(words)


def closed(key: str, source: str, by: str, words: str, *more: str) -> tuple[Claim, ...]:
    """Close a row of the table: a whole proof, a quantity that is integrated, a witness, lines that hold or what holds instead."""
    one = stated(key, source, words)
    if by == "chain":
        return (whole_proof(f"dp_zopo.{key}", source, words, WORDED, stated=one.given["stated"], samples=5),)
    if by in QUANTITIES:
        return (one.consistent("by quadrature").examined(allowed, which=by, d=10),)
    if by == "witness":
        name = key.rpartition("_")[2].replace("gamma", "sampling")
        read = one.stated_as("printed" if name in key else "reading").refuted(more[0]).corrected(INSTEAD, by=SHARED)
        return (read.examined(at_witness, key=f"dp_zopo.printed_{name}"),)
    return one.refuted(more[0], instead=more[1]).closed(false_line, by) if more else one.closed(true_line, by)


CLAIMS = (
    stated("lemma4.as_printed", "Lemmas 3, 4 and 6", "What the theory holds for these is what the paper prints", Kind.IDENTITY)
    .formula(p.GRADIENT_ERROR).proved("two transcriptions agree").examined(as_printed),
    whole_proof("dp_zopo.lemma4", "Lemma 6, (21) to (32)", "The steps of its proof, with what they give", STOPS, samples=5),
    *(one for row in TABLE.strip().splitlines() for one in closed(*row.split(" | "))),
    stated("lemma4.units", "(26), (27)", "Both are squared slopes: the loss squared over a length squared", Kind.SCOPE)
    .refuted("L^4 and beta^2 L^4 are not").corrected("L^2 and d L^2", by="equation_27.repaired_27")
    .examined(units, formulas={"(26)": (p.EQUATION_26, (2, -2)), "(27)": (p.EQUATION_27, (2, -2))},
              letters={p.L: (1, -1), p.beta: (0, 1)}, names=("loss", "length")),
    stated("equation_27.powers", "(27)", "(27) holds for sqrt(1 + ||theta||^2) too, beta from 10^-3 to 1")
    .refuted("the left side does not fall with beta").corrected("4 d L^2", by="equation_27.repaired_27")
    .examined(integrated, vector=False, d=10, cases=((1e-3, 1), (1e-2, 1), (0.1, 1), (1.0, 1))),
    stated("lemma4.vector_clip", "(14), CLIP as a clip of vectors", "Lemma 4 holds if CLIP shortens g v to C").stated_as("reading")
    .refuted("false from m = 55 on for P = 1, and from P m = 210 on for every P, at d = 20").corrected(INSTEAD, by=SHARED)
    .examined(integrated, vector=True, d=20, cases=((54, 1), (55, 1), (1, 209), (1, 210))),
    *(stated(f"lemma4.drawn_{name}", "(14)", f"The error of the estimate is at most (14): {words}", Kind.CONVERGENCE)
      .refuted("as computed, with which draws agree").corrected(INSTEAD, by=SHARED)
      .examined(drawn, opposite=name == "opposite", d=d, cases=cases, draws=Size(500, 4000), seed=3)
      for name, words, d, cases in (
          ("alike", "one linear loss, m from 1 to 64", 20, ((1, 1), (8, 1), (64, 1))),
          ("floor", "one linear loss, P = 1000", 2, ((1, 1000), (4, 100))),
          ("opposite", "two opposite slopes, P = 64", 2, ((4, 16), (4, 64))),
      )),
    stated("corrected_moments.attacked", "ours; (25) to (29)", "Moments, tails and biases are as certified, and reach it")
    .consistent("by quadrature and by draws", "dp_zopo.corrected_moments", "dp_zopo.corrected_clip_bias")
    .examined(moments, draws=Size(20000, 10**6), seed=5),
    *(stated(f"corrected_{of}_error.attacked", "ours; in place of (14)", "Errors of random losses stay below both forms", Kind.CONVERGENCE)
      .consistent("by draws", f"dp_zopo.corrected_{of}_error")
      .examined(error_attacked, of=of, settings=Size(20, 60), draws=Size(1000, 4000), seed=11) for of in ("gradient", "poisson")),
)  # fmt: skip
