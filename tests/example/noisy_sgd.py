"""A paper of one's own, in one file: averaged noisy gradient descent on a convex Lipschitz function.

    theory-lab check --module tests/example/noisy_sgd.py
    python tests/example/noisy_sgd.py                      # draws noisy_sgd.png

Setting   f convex, L-Lipschitz and ell-smooth on R^d, ||x_0 - x*|| <= R.
Method    x_{t+1} = x_t - alpha (grad f(x_t) + sigma z_t),  z_t ~ N(0, I_d) independent.
Measure   E f(x_bar) - f*,  x_bar = (x_0 + ... + x_{T-1}) / T: the points where gradients were taken.
Source    Nemirovski, Juditsky, Lan, Shapiro (2009), SIAM J. Optim. 19(4), section 2.2.

Nothing of the lab is changed: a letter that its glossary lacks is introduced, the theorem is a value, its proof a list of steps, the
algorithm a kernel, and the claims are registered by CLAIMS at the end.
"""

from __future__ import annotations

import math

import numpy as np
import sympy as sp
from numba import njit

from bounds.derivation import Derivation, Given, NonNegative, Reasoned, Step, Substitution
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

THEOREM = Theorem(
    key="noisy_sgd.average",
    title="averaged noisy gradient descent",
    source=SOURCE,
    claim="upper",
    measure="E f(x_bar) - f^*",
    assumptions=("f convex", "f L-Lipschitz", "||x_0 - x*|| <= R"),
    schedule={"alpha": best_step},
    bound=rate,
    any_schedule=any_step,
)

# 2. Its proof. Every formula is attacked at points of its domain, so each letter says where it lives.
now = introduce(Letter("distance_t", r"\mathbb{E}\|x_t-x^*\|^2", "squared distance at step t", 0, 1e6, "proof"))
last = introduce(Letter("distance_T", r"\mathbb{E}\|x_T-x^*\|^2", "squared distance at the end", 0, 1e6, "proof"))
inner = introduce(Letter("inner", r"\langle\nabla f(x_t),x_t-x^*\rangle", "gradient times distance", 0, 1e6, "proof"))
gap_t = introduce(Letter("gap_t", "f(x_t)-f^*", "gap at step t", 0, "inner", "proof"))

PROOF = Derivation(
    key="noisy_sgd.average",
    title="averaged noisy gradient descent",
    source=SOURCE,
    proves="noisy_sgd.average",
    steps=(
        Step(
            1,
            "E ||x_{t+1} - x*||^2 <= E ||x_t - x*||^2 - 2 alpha <grad f(x_t), x_t - x*> + alpha^2 (L^2 + d sigma^2)",
            None,
            "<=",
            None,
            "expand the square",
            Reasoned("z_t is independent of x_t, E z_t = 0, E ||z_t||^2 = d, and ||grad f|| <= L"),
        ),
        Step(
            2,
            "by convexity the right side is at most",
            now - 2 * alpha * inner + alpha**2 * second_moment,
            "<=",
            now - 2 * alpha * gap_t + alpha**2 * second_moment,
            "f(x*) >= f(x_t) + <grad f(x_t), x* - x_t>",
            NonNegative(((2 * alpha, inner - gap_t),), given=(Given(inner - gap_t, "f is convex"),)),
        ),
        Step(
            3,
            "averaged over t = 0, ..., T - 1 the squared distances telescope, and f(x_bar) is at most the average of f(x_t)",
            (R**2 - last) / (2 * alpha * T) + alpha * second_moment / 2,
            "<=",
            any_step,
            "||x_0 - x*|| <= R",
            NonNegative(((last, 1 / (2 * alpha * T)),)),
        ),
        Step(4, "the best step size", any_step, "=", rate, "insert alpha", Substitution({alpha: best_step})),
    ),
)


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
    return examine_steps(PROOF.steps, samples=samples)


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
    return Finding(Outcome.CONSISTENT, f"the mean of {replicates} runs is at most {ratio:.2f} of the bound", numbers, {}, 1e-9, seed, plot)


CLAIMS = (
    Claim(
        key="noisy_sgd.average.proof",
        source=SOURCE,
        words="The proof of the bound, step by step",
        kind=Kind.INEQUALITY,
        expected=Outcome.CONSISTENT,
        why="one step, the expectation over the noise, is argued in words",
        examine=proof_holds,
        arguments={"samples": 100},
    ),
    Claim(
        key="noisy_sgd.average.simulation",
        source=SOURCE,
        words="With the best step size the average of the iterates is at most R sqrt((L^2 + d sigma^2) / T) above the minimum",
        latex=r"\mathbb{E} f(\bar x) - f^* \le R \sqrt{\frac{L^2 + d \sigma^2}{T}}",
        kind=Kind.CONVERGENCE,
        expected=Outcome.CONSISTENT,
        why="it is a theorem",
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
