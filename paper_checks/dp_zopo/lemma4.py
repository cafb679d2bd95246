"""Lemmas 3 and 4: smoothing and the error of the gradient, step by step; what holds instead, by quadrature and by draws."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import sympy as sp
from scipy import special, stats

import bounds
from paper_checks.dp_zopo import printed as p
from paper_checks.shared.findings import check_condition, check_sample_means
from paper_checks.shared.search import Cases, check_allowances
from paper_checks.verdict import Finding
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
WITHOUT_NOISE = sum(p.FORMULAS[f"error_{name}"] for name in ("clipping", "smoothing", "sampling"))  # of Lemma 4
RIGHT_OF_30 = sp.lambdify((p.d, p.C, p.L), p.FORMULAS["equation_30"], "math")


def grid_mean(values: FloatArray) -> float:
    """Return the mean of a function of a standard normal number, given by its values (4001,) on the grid X."""
    return float(WEIGHTS @ values)


def mean_lower_limit(samples: FloatArray) -> float:
    """Return the mean of independent samples (n,) minus seven standard errors."""
    return float(samples.mean() - STANDARD_ERRORS * samples.std() / math.sqrt(len(samples)))


def two_point_quotients() -> Iterator[tuple[dict[str, Any], FloatArray, Callable[[Any], Any], FloatArray]]:
    """Yield (case, two-point quotient on X, one-sided quotient as a function, slopes on X) for each profile, beta and theta.

    The function is f(theta + beta (X + by)) - f(theta) over beta, of `by`; the slopes are at the moved points, on the grid.
    """
    for name, (value, slope) in PROFILES.items():
        for beta, t in ((beta, t) for beta in (1e-3, 0.1, 1.0, 5.0) for t in (0.0, 0.3, 2.0)):
            h = partial(lambda by, f, beta, t: (f(t + beta * (X + by)) - f(np.float64(t))) / beta, f=value, beta=beta, t=t)
            yield {"f": name, "beta": beta, "theta": t}, (h(0) - h(0)[::-1]) / 2, h, slope(t + beta * X)


QUANTITIES: dict[str, Callable[..., float]] = {  # over what is allowed; of (iv) the difference from a numerical slope, over 1e-3
    "(i)": lambda g, h, slope, d, C: abs(grid_mean(slope)),
    "(ii)": lambda g, h, slope, d, C: abs(grid_mean(h(0))) / math.sqrt(d),
    "(iii), sharper": lambda g, h, slope, d, C: abs(grid_mean(slope * X)) / math.sqrt(2 / math.pi),
    "(iv)": lambda g, h, slope, d, C: abs(grid_mean(g * X) - grid_mean(h(0.02) - h(-0.02)) / 0.04) / 1e-3,
    "(24)": lambda g, h, slope, d, C: grid_mean(np.abs(h(0) - grid_mean(h(0))) >= C + CELL) / (2 * math.exp(-(C**2) / 2)),
    "(25)": lambda g, h, slope, d, C: grid_mean((h(0) - grid_mean(h(0))) ** 2) / 4,
    "(30)": lambda g, h, slope, d, C: grid_mean((g - np.clip(g, -C, C)) ** 2 * (X**2 + d - 1)) / RIGHT_OF_30(d, C, 1.0),
}


@check_allowances("{which}: over what is allowed", rounding=ROUNDING)
def check_lemma_quantity(*, which: str, d: int) -> Cases:
    """Check that quantity `which` of QUANTITIES is at most what is allowed, for losses of one of d coordinates; return a Finding.

    For (ii) the loss ||x|| at 0 is a case too.
    """
    if which == "(ii)":
        yield math.exp(special.gammaln((d + 1) / 2) - special.gammaln(d / 2)) * math.sqrt(2 / d), {"f": "||x||", "d": d}
    for at, g, h, slope in two_point_quotients():
        for C in (0.2, 1.0, ROOT_2, 2.0, 4.0) if which in ("(24)", "(30)") else (1.0,):
            yield QUANTITIES[which](g, h, slope, d, C), {**at, "C": C}


@check_allowances("moments, tails and biases of quotients over what they are to be at most", reach=0.999, rounding=ROUNDING)
def check_corrected_moments(*, draws: int, seed: int) -> Cases:
    """Check that moments, tail and bias of clipped quotients, L = 1, are at most the corrected bounds; return a Finding.

    Quotients of one coordinate are integrated; those of the largest coordinate and of ||x|| are drawn.
    """
    cases = ((1, 0.3), (1, 1.0), (2, ROOT_2), (10, ROOT_2), (1000, 3.0), (5, ROOT_2))
    of_moments, of_bias = (bounds.THEOREMS[f"dp_zopo.corrected_{name}"] for name in ("moments", "clip_bias"))
    held = {(d, C): (of_moments.evaluate(d=d, L=1.0, C=C), of_bias.evaluate(L=1.0, C=C).bound) for d, C in cases}

    def ratios(d: int, C: float, average: Callable[[FloatArray], float], v: FloatArray, square: FloatArray, g: FloatArray) -> list[float]:
        """Return tail, bias and moments of the quotient g, its clipped part and the remainder, each over its bound."""
        at, bias = held[d, C]
        kept, parts = np.clip(g, -C, C), at.parts
        found = [average(np.abs(g) > C + CELL) / parts["tail"], average((g - kept) * v) / bias]
        for one in (g, kept, g - kept):
            found += [average(one**2) / parts["second"], average(one**4) / parts["fourth"], average(one**2 * square) / at.bound]
        return found

    for at, g, _, _ in two_point_quotients():
        for d, C in cases[:-1]:
            yield max(ratios(d, C, grid_mean, X, X**2 + d - 1, g)), {**at, "d": d, "C": C}
    v, e = np.random.default_rng(seed).standard_normal((draws, 5)), np.eye(5)[0]
    norms = (np.linalg.norm(e + v, axis=1) - np.linalg.norm(e - v, axis=1)) / 2
    for name, g in (("largest", (v.max(axis=1) + v.min(axis=1)) / 2), ("||x||", norms)):
        yield max(ratios(5, ROOT_2, mean_lower_limit, v[:, 0], (v**2).sum(axis=1), g)), {"f": name, "d": 5, "C": ROOT_2}


def draw_errors(rng: np.random.Generator, f: str, a: FloatArray, b: FloatArray, draws: int, **step: Any) -> tuple[FloatArray, float]:
    """Return draws (draws,) of ||grad F_beta - grad f^||^2 at 0 for losses f(a_i'x - b_i), and gamma, their gradients' spread.

    A step of Algorithm 2, written out: every sample's quotient along every direction is clipped, noise of deviation s is on the mean.
    """
    (value, slope), (m, P, C, beta, s) = PROFILES[f], (step[name] for name in ("m", "P", "C", "beta", "s"))
    lengths = np.linalg.norm(a, axis=1)
    each = a * np.array([grid_mean(slope(beta * one * X - off)) for one, off in zip(lengths, b, strict=True)])[:, None]
    v = rng.standard_normal((draws, P, a.shape[1]))
    clips = np.clip((value(beta * v @ a.T - b) - value(-beta * v @ a.T - b)) / (2 * beta), -C, C)
    order = rng.random((draws, len(a)))
    chosen = order < m / len(a) if step["poisson"] else order.argsort(axis=1) < m
    scalars = (clips * chosen[:, None, :]).sum(axis=2) / m + s * rng.standard_normal((draws, P))
    off = (scalars[..., None] * v).mean(axis=1) - each.mean(axis=0)
    return (off**2).sum(axis=1), math.sqrt(float(((each - each.mean(axis=0)) ** 2).sum(axis=1).mean()))


@check_allowances("mean squared errors of the estimate, less seven standard errors, over the corrected bound", reach=0.5)
def check_corrected_error(*, of: str, settings: int, draws: int, seed: int) -> Cases:
    """Check that mean squared errors of the estimate are at most the corrected bound, in random settings; return a Finding.

    Losses, batches, directions, thresholds and noise are random. The errors are compared with the bound and with its sharp form.
    """
    rng = np.random.default_rng(seed)
    for trial in range(settings):
        n, d, P = int(rng.integers(2, 9)), int(rng.integers(1, 9)), int(rng.choice([1, 2, 8, 32]))
        m, C, sigma = int(rng.integers(1, n + 1)), float(rng.choice([0.5, 1, ROOT_2, 3])), float(rng.choice([0.01, 1, 5]))
        f, beta = (*PROFILES,)[trial % 5], float(rng.choice([1e-3, 0.3, 2]))
        a = rng.standard_normal((n, d)) * rng.choice([0.1, 1]) + np.eye(d)[0]
        a /= np.maximum(1, np.linalg.norm(a, axis=1))[:, None]
        step = {"m": m, "P": P, "C": C, "beta": beta, "s": sigma * C / m, "poisson": of == "poisson"}
        drawn, gamma = draw_errors(rng, f, a, rng.standard_normal(n), draws, **step)
        at = {"n": n, "d": d, "minibatch": m, "directions": P, "C": C, "noise_ratio": sigma, "sample_spread": gamma}
        held = bounds.THEOREMS[f"dp_zopo.corrected_{of}_error"].evaluate(**at, L=1.0)
        yield max(mean_lower_limit(drawn) / held.bound, mean_lower_limit(drawn) / held.parts["sharp"]), {"f": f, "beta": beta, **at}


def check_exact_error(*, opposite: bool, d: int, cases: tuple[tuple[int, int], ...], draws: int, seed: int) -> Finding:
    """Check that the exact error of one linear loss, or of two opposite ones, is at most Lemma 4's; return a Finding."""
    c = np.clip(X, -ROOT_2, ROOT_2)
    second, first = grid_mean(c**2 * (X**2 + d - 1)), grid_mean(c * X)
    agree, sides, rng = dict[str, tuple[FloatArray, float]](), dict[str, tuple[float, float]](), np.random.default_rng(seed)
    for m, P in cases:
        n = 4 * m if opposite else max(2, m)
        a = np.eye(d)[[0] * n] * np.where(opposite & (np.arange(n) % 2 == 1), -1, 1)[:, None]
        exact = (n - m) / ((n - 1) * m) * (second / P + (1 - 1 / P) * first**2) if opposite else (1 - first) ** 2 + (second - first**2) / P
        held = WITHOUT_NOISE.subs({p.d: d, p.C: sp.sqrt(2), p.P: P, p.m: m, p.L: 1, p.beta: 0, p.gamma: int(opposite)})
        samples, _ = draw_errors(rng, "y", a, np.zeros(n), draws, m=m, P=P, C=ROOT_2, beta=1e-3, s=0.0, poisson=False)
        agree[f"m = {m}, P = {P}"], sides[f"m = {m}, P = {P}: error, Lemma 4"] = (samples, exact), (exact, float(held))
    above = [name for name, (exact, held) in sides.items() if exact > held]
    found = check_condition(not above, f"the error is above Lemma 4 in {len(above)} of {len(cases)} cases", sides)
    return check_sample_means(agree, found, seed)


def check_integrated_error(*, vector: bool, d: int, cases: tuple[tuple[float, int], ...]) -> Finding:
    """Check that Lemma 4 bounds the error of a clipped vector g v, or (27) a variance, by quadrature; return a Finding.

    `vector` chooses Lemma 4, with cases (m, P) of one linear loss. Otherwise the loss is sqrt(1 + ||theta||^2) at 2 e_1, with cases
    (beta, P).
    """
    v, rest = np.linspace(-8, 8, 801)[:, None], stats.chi2.ppf((np.arange(400) + 0.5) / 400, d - 1)[None, :]  # first coordinate; the others
    weights, sides = stats.norm.pdf(v) * 0.02 / 400 * np.ones_like(rest), dict[str, tuple[float, float]]()
    for one, P in cases:
        plus, minus = (np.sqrt(1 + (2 + sign * one * v) ** 2 + one**2 * rest) for sign in (1, -1))
        length = np.maximum(np.abs(v) * np.sqrt(v**2 + rest), 1e-300)
        g = v * np.minimum(1, ROOT_2 / length) if vector else (plus - minus) / (2 * one)
        first, second = float((weights * g * v).sum()), float((weights * g**2 * (v**2 + rest)).sum())
        printed = 16 * d / (math.e * P * one) if vector else float(p.FORMULAS["equation_27"].subs({p.d: d, p.L: 1, p.beta: one}))
        sides[f"{one:g}, {P}: left, right side"] = (1 - first) ** 2 * vector + (second - first**2) / P, printed
    holds = all(left <= right for left, right in sides.values())
    return check_condition(holds, "integrated left side against the printed right side", sides)


def check_transcription() -> Finding:
    """Check that Lemmas 3 and 4 of the theory are the printed formulas, by algebra; return a Finding."""
    three, four = (bounds.THEOREMS[f"dp_zopo.lemma{number}"] for number in (3, 4))
    held = {"bound": three.bound, **{part.name: part.value for part in three.parts}}
    pairs = {f"Lemma 3, {name}": (held[name], one) for name, one in p.FORMULAS.of("lemma3").items()}
    return p.compare_transcriptions(pairs | {"Lemma 4": (four.bound, p.FORMULAS["error"])})


# powers of the loss and of length
SQUARED_SLOPES = {"(26)": (p.FORMULAS["equation_26"], (2, -2)), "(27)": (p.FORMULAS["equation_27"], (2, -2))}
UNITS = {p.L: (1, -1), p.beta: (0, 1)}
