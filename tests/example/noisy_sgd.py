"""A paper of one's own, in one file: averaged noisy gradient descent on a convex Lipschitz function.

    theory-lab check --module tests/example/noisy_sgd.py
    python tests/example/noisy_sgd.py                      # draws noisy_sgd.png

Setting   f convex, L-Lipschitz and ell-smooth on R^d, ||x_0 - x*|| <= R.
Method    x_{t+1} = x_t - alpha (grad f(x_t) + sigma z_t),  z_t ~ N(0, I_d) independent.
Measure   E f(x_bar) - f*,  x_bar = (x_0 + ... + x_{T-1}) / T: the points where gradients were taken.
Source    Nemirovski, Juditsky, Lan, Shapiro (2009), SIAM J. Optim. 19(4), section 2.2.

Nothing of the lab is changed: a letter that its glossary lacks is introduced, the theorem is a value, its proof a list of lines, the
algorithm a kernel, and the claims are registered by CLAIMS at the end. A claim names the proof that it rests on, which must end at the
theorem: a bound that the proof does not reach is noticed.
"""

from __future__ import annotations

import math

import numpy as np
import sympy as sp
from numba import njit

from bounds.derivation import GIVENS, Assumed, Derivation, NonNegative, Reasoned, Telescoped, fact, line
from bounds.meanings import introduce_average, introduce_run
from bounds.symbols import L, Letter, T, alpha, d, introduce, sigma
from bounds.theorem import Theorem
from paper_checks.steps import examine_steps
from paper_checks.verdict import Claim, Finding, Kind, Outcome, Plot

SOURCE = "Nemirovski et al. (2009), section 2.2"

# 1. The theorem: its lemma for any step size, the best step size, the rate.
R = introduce(Letter("reach", "R", "bound on ||x_0 - x*||", 1e-3, 1e3, "problem"))
second_moment = L**2 + d * sigma**2  # E ||grad f(x_t) + sigma z_t||^2 is at most this
any_step = R**2 / (2 * alpha * T) + alpha * second_moment / 2
best_step = R / sp.sqrt(T * second_moment)
rate = R * sp.sqrt(second_moment / T)

now = introduce(Letter("distance_now", r"\mathbb{E}\|x_t-x^*\|^2", "squared distance at step t", 0, 1e6, "step"))
after = introduce(Letter("distance_next", r"\mathbb{E}\|x_{t+1}-x^*\|^2", "squared distance after step t", 0, 1e6, "step"))
first = introduce(Letter("distance_first", r"\|x_0-x^*\|^2", "squared distance at the start", 0, 1e6, "proof"))
last = introduce(Letter("distance_last", r"\mathbb{E}\|x_T-x^*\|^2", "squared distance at the end", 0, 1e6, "proof"))
inner = introduce(Letter("inner", r"\mathbb{E}\langle\nabla f(x_t),x_t-x^*\rangle", "mean of gradient times distance", 0, 1e6, "step"))
gap_now = introduce(Letter("gap_now", r"\mathbb{E}f(x_t)-f^*", "mean gap at step t", 0, 1e6, "step"))
mean_gap = introduce(Letter("mean_gap", r"\frac1T\sum_t\mathbb{E}f(x_t)-f^*", "mean gap, averaged over the steps", 0, 1e6, "proof"))
gap_bar = introduce(Letter("gap_bar", r"\mathbb{E}f(\bar x)-f^*", "mean gap of the average", 0, 1e6, "proof"))
introduce_run(now, after, first, last)
introduce_average(gap_now, mean_gap)

THEOREM = Theorem(
    key="noisy_sgd.average",
    title="averaged noisy gradient descent",
    source=SOURCE,
    claim="upper",
    measure="E f(x_bar) - f^*",
    measured=gap_bar,
    assumptions=("f convex", "f L-Lipschitz", "||x_0 - x*|| <= R"),
    in_letters=(sp.Le(gap_now, inner), sp.Le(first, R**2)),  # what the first and the last assumption say in the letters of the proof
    schedule={"alpha": best_step},
    bound=rate,
    any_schedule=any_step,
)

# 2. Its proof: what it takes and from where, then steps that use lines by their names. The last one is the theorem.
PROOF = Derivation(
    key="noisy_sgd.average",
    title="averaged noisy gradient descent",
    source=SOURCE,
    proves=THEOREM,
    facts=(
        fact("convex", "f(x*) >= f(x_t) + <grad f(x_t), x* - x_t>", gap_now, "<=", inner, Assumed()),
        fact("start", "||x_0 - x*|| <= R", first, "<=", R**2, Assumed()),
        fact(
            "square",
            "the square of x_t - alpha (grad f(x_t) + sigma z_t) - x*, multiplied out",
            after,
            "<=",
            now - 2 * alpha * inner + alpha**2 * second_moment,
            Reasoned("z_t is independent of x_t, E z_t = 0, E ||z_t||^2 = d, and ||grad f|| <= L"),
        ),
        fact("jensen", "f at the average is at most the average of f", gap_bar, "<=", mean_gap, Reasoned("f is convex")),
    ),
    steps=(
        line(
            "per_step",
            "so the mean gap at step t is at most",
            gap_now,
            "<=",
            (now - after) / (2 * alpha) + alpha * second_moment / 2,
            "convexity, divided by 2 alpha",
            NonNegative((("convex",), (1 / (2 * alpha), "square"))),
            where=GIVENS,
        ),
        line(
            "averaged",
            "averaged over t = 0, ..., T - 1 the squared distances telescope",
            mean_gap,
            "<=",
            (first - last) / (2 * alpha * T) + alpha * second_moment / 2,
            "the line holds at every step",
            Telescoped("per_step"),
            where=GIVENS,
        ),
        line(
            "any_schedule",
            "the mean gap of the average for any step size",
            gap_bar,
            "<=",
            any_step,
            "a squared distance is not negative",
            NonNegative((("jensen",), ("averaged",), (1 / (2 * alpha * T), "start"), (last, 1 / (2 * alpha * T)))),
            where=GIVENS,
        ),
        line("bound", "the mean gap at the best step size", gap_bar, "<=", rate, "insert alpha",
             NonNegative((("any_schedule",),), at=("alpha",)), where=GIVENS),
    ),
)  # fmt: skip
DERIVATIONS = {PROOF.key: PROOF}


# 3. The algorithm: a loop on arrays, draws come in as z.
@njit(nogil=True, error_model="numpy")
def noisy_descent(x, alpha, sigma, z):
    """Return f(x_bar) for f(x) = sqrt(1 + ||x||^2) - 1: convex, 1-Lipschitz, 1-smooth, f* = 0.   x (d,) is overwritten; z (T, d)."""
    T, d = z.shape
    mean = np.zeros(d)
    for t in range(T):
        slope = 1.0 / np.sqrt(1.0 + np.dot(x, x))
        for j in range(d):
            mean[j] += (x[j] - mean[j]) / (t + 1)
            x[j] -= alpha * (slope * x[j] + sigma * z[t, j])
    return np.sqrt(1.0 + np.dot(mean, mean)) - 1.0


def simulated(horizon: int, noise: float, replicates: int, seed: int, dimension: int = 20, reach: float = 3.0):
    """Return f(x_bar) of every replicate at the theorem's schedule, and that schedule's evaluation."""
    found = THEOREM.evaluate(L=1.0, d=dimension, sigma=noise, T=horizon, reach=reach)
    start = np.full(dimension, reach / math.sqrt(dimension))
    streams = [np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(replicates)]
    values = [noisy_descent(start.copy(), found.schedule["alpha"], noise, rng.standard_normal((horizon, dimension))) for rng in streams]
    return np.array(values), found


# 4. The examinations.
def proof_holds(*, samples: int) -> Finding:
    """Check the certificates and attack the formulas of the proof."""
    return examine_steps(PROOF, samples=samples)


def stays_below(*, horizons: tuple[int, ...], noise: float, replicates: int, seed: int, factor: float = 1.0) -> Finding:
    """Compare the mean of f(x_bar) with `factor` times the bound.

    x_bar moves by at most alpha sigma (T - t - 1) / T times a change of z_t, because a gradient step on a convex 1-smooth function
    with alpha <= 2 brings no two points further apart. So f(x_bar) is a Lipschitz function of all the noise, the mean of n
    replicates is sub-Gaussian around E f(x_bar) (Cirelson, Ibragimov, Sudakov 1976), and the interval holds without approximation.
    """
    level = 1e-9 / len(horizons)
    means, bounds, widths = [], [], []
    for horizon in horizons:
        values, found = simulated(horizon, noise, replicates, seed)
        alpha_used = found.schedule["alpha"]
        assert alpha_used <= 2, "the interval needs alpha <= 2"
        lipschitz = alpha_used * noise * math.sqrt(sum((1 - (t + 1) / horizon) ** 2 for t in range(horizon)))
        means.append(float(values.mean()))
        bounds.append(factor * found.bound)
        widths.append(lipschitz * math.sqrt(2 * math.log(2 / level) / replicates))
    plot = Plot(tuple(map(float, horizons)), {"bound": tuple(bounds), "mean of runs": tuple(means)}, "steps T", "f(x_bar) - f*")
    numbers = {"T": horizons, "mean": means, "half width": widths, "bound": bounds}
    for horizon, mean, width, bound in zip(horizons, means, widths, bounds, strict=True):
        if mean - width > bound:
            witness = {"T": horizon, "mean is at least": mean - width, "bound": bound}
            return Finding(Outcome.REFUTED, f"at T = {horizon} the mean is above the bound", numbers, witness, 1e-9, seed, plot)
    ratio = max(mean / bound for mean, bound in zip(means, bounds, strict=True))
    end = max((mean + width) / bound for mean, width, bound in zip(means, widths, bounds, strict=True))
    sentence = f"the mean of {replicates} runs is at most {ratio:.2f} of the bound, the upper end of its interval at most {end:.2f}"
    return Finding(Outcome.CONSISTENT, sentence, numbers, {}, 1e-9, seed, plot)


CLAIMS = (
    Claim(
        key="noisy_sgd.average.proof",
        source=SOURCE,
        words="The proof of the bound, step by step",
        kind=Kind.INEQUALITY,
        expected=Outcome.CONSISTENT,
        why="the expectation over the noise and Jensen's inequality are argued in words",
        examine=proof_holds,
        arguments={"samples": 100},
        derivations=("noisy_sgd.average",),
    ),
    Claim(
        key="noisy_sgd.average.simulation",
        source=SOURCE,
        words="With the best step size the average of the iterates is at most R sqrt((L^2 + d sigma^2) / T) above the minimum",
        latex=r"\mathbb{E} f(\bar x) - f^* \le R \sqrt{\frac{L^2 + d \sigma^2}{T}}",
        kind=Kind.CONVERGENCE,
        expected=Outcome.CONSISTENT,
        why="it is a theorem",
        derivations=("noisy_sgd.average",),
        examine=stays_below,
        arguments={"horizons": (100, 300, 1000), "noise": 0.3, "replicates": 400, "seed": 0},
        full={"horizons": (100, 300, 1000, 3000, 10_000)},
    ),
)


# 5. The figure.
def draw(path: str) -> None:
    """Draw bound and mean against T."""
    from matplotlib.figure import Figure

    plot = stays_below(horizons=(100, 300, 1000, 3000), noise=0.3, replicates=50, seed=0).plot
    figure = Figure(figsize=(5, 3.4), layout="constrained")
    ax = figure.subplots()
    for (name, values), style in zip(plot.series.items(), ("k--", "o-"), strict=True):
        ax.plot(plot.x, values, style, label=name)
    ax.set(xscale="log", yscale="log", xlabel=plot.x_label, ylabel=plot.y_label)
    ax.legend()
    figure.savefig(path, dpi=160)


if __name__ == "__main__":
    draw("noisy_sgd.png")
