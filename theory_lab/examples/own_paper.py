"""A paper of your own in one file: averaged noisy gradient descent on a convex Lipschitz function.

    theory-lab --module own_paper.py check                                       (and report, list, show noisy_sgd.average --proof)
    theory-lab --module own_paper.py recommend noisy_sgd --d 20 --L 1 --sigma 0.3 --T 1000 --reach 3
    theory-lab --module own_paper.py simulate noisy_sgd --d 20 --sigma 0.3 --T 1000
    theory-lab --module own_paper.py figure noisy-sgd
    theory-lab --module own_paper.py simulate dpzero --objective cones --d 20 --n 1000 --plan sharp --epsilon 2 --delta 1e-6

Setting   f convex, L-Lipschitz and ell-smooth on R^d, ||x_0 - x*|| <= R.
Method    x_{t+1} = x_t - alpha (grad f(x_t) + sigma z_t),  z_t ~ N(0, I_d) independent.
Measure   E f(x_bar) - f*,  x_bar = (x_0 + ... + x_{T-1}) / T: the points where gradients were taken.
Source    Nemirovski, Juditsky, Lan, Shapiro (2009), SIAM J. Optim. 19(4), section 2.2.

Nothing in the lab is changed. A symbol that its glossary lacks is introduced, the theorem is a value, its proof a list of lines, and the
algorithm a kernel. The lab finds them in the file by the names THEOREM, DERIVATIONS, CLAIMS, METHOD and OBJECTIVES; the record METHOD has
the options, the recommendation and the figure. A claim names the proof that it rests on. The proof must end at the theorem, so a bound
that the proof does not reach is noticed. Copy what you need; any of these names may be missing.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp
from numba import njit

from bounds.plans.plan import Column, Plan
from bounds.proofs.derivation import Derivation
from bounds.proofs.lines import line
from bounds.proofs.meanings import introduce_average, introduce_run
from bounds.symbols import L, Letter, T, alpha, d, introduce, sigma
from bounds.theorem import Theorem
from paper_checks.record import Record
from paper_checks.shared.steps import check_steps
from paper_checks.verdict import Finding, Kind, Plot, claim
from synthetic.objectives import own
from synthetic.objectives.sums import Objective, Spectrum, spectrum_values
from synthetic.validate import positive_integer, seed_integer
from theory_lab.methods.record import Drawn, Figures, Method, Option, Plans, Told, needed, whole

if TYPE_CHECKING:
    from bounds.theorem import Evaluation
    from synthetic.draws import FloatArray

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
    in_letters=(sp.Le(gap_now, inner), sp.Le(first, R**2)),  # the first and the last assumption in the symbols of the proof
    schedule={"alpha": best_step},
    bound=rate,
    any_schedule=any_step,
)

# 2. Its proof: the facts that it uses and their sources, then steps that refer to lines by name. The last step is the theorem.
PROOF = Derivation(
    key="noisy_sgd.average",
    title="averaged noisy gradient descent",
    source=SOURCE,
    proves=THEOREM,
    facts=(
        line("convex", gap_now, "<=", inner).says("f(x*) >= f(x_t) + <grad f(x_t), x* - x_t>").assumed(),
        line("start", first, "<=", R**2).says("||x_0 - x*|| <= R").assumed(),
        line("square", after, "<=", now - 2 * alpha * inner + alpha**2 * second_moment)
        .says("the square of x_t - alpha (grad f(x_t) + sigma z_t) - x*, multiplied out")
        .reasoned("z_t is independent of x_t, E z_t = 0, E ||z_t||^2 = d, and ||grad f|| <= L"),
        line("jensen", gap_bar, "<=", mean_gap).says("f at the average is at most the average of f").reasoned("f is convex"),
    ),
    steps=(
        line("per_step", gap_now, "<=", (now - after) / (2 * alpha) + alpha * second_moment / 2)
        .says("so the mean gap at step t is at most", "convexity, divided by 2 alpha")
        .by("convex", (1 / (2 * alpha), "square")),
        line("averaged", mean_gap, "<=", (first - last) / (2 * alpha * T) + alpha * second_moment / 2)
        .says("averaged over t = 0, ..., T - 1 the squared distances telescope", "the line holds at every step")
        .averaging("per_step"),
        line("any_schedule", gap_bar, "<=", any_step)
        .says("the mean gap of the average for any step size", "a squared distance is not negative")
        .by("jensen", "averaged", (1 / (2 * alpha * T), "start"), (last, 1 / (2 * alpha * T))),
        line("bound", gap_bar, "<=", rate).says("the mean gap at the best step size", "insert alpha").by("any_schedule", at=("alpha",)),
    ),
)
DERIVATIONS = {PROOF.key: PROOF}


# 3. The algorithm: a loop on arrays, draws come in as z.
@njit(nogil=True, error_model="numpy")
def noisy_descent(x: Any, alpha: float, sigma: float, z: Any) -> Any:
    """Run T steps of noisy descent on f(x) = sqrt(1 + ||x||^2) - 1 and return f at the average of the iterates.

    f is convex, 1-Lipschitz and 1-smooth, and f* = 0.   x (d,) is overwritten; z (T, d) standard normal
    """
    T, d = z.shape
    mean = np.zeros(d)
    for t in range(T):
        slope = 1.0 / np.sqrt(1.0 + np.dot(x, x))
        for j in range(d):
            mean[j] += (x[j] - mean[j]) / (t + 1)
            x[j] -= alpha * (slope * x[j] + sigma * z[t, j])
    return np.sqrt(1.0 + np.dot(mean, mean)) - 1.0


def simulate_average(
    horizon: int, noise: float, replicates: int, seed: int, dimension: int = 20, reach: float = 3.0
) -> tuple[FloatArray, Evaluation]:
    """Simulate the method with the theorem's step size; return f(x_bar), an array (replicates,), and the theorem's evaluation."""
    positive_integer(T=horizon, d=dimension, replicates=replicates)
    seed_integer(seed=seed)
    found = THEOREM.evaluate(L=1.0, d=dimension, sigma=noise, T=horizon, reach=reach)
    start = np.full(dimension, reach / math.sqrt(dimension))
    streams = [np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(replicates)]
    values = [noisy_descent(start.copy(), found.schedule["alpha"], noise, rng.standard_normal((horizon, dimension))) for rng in streams]
    return np.array(values), found


# 4. The checks.
def check_proof(*, samples: int) -> Finding:
    """Check the certificates of the proof's steps, and test its formulas at random points; return the finding."""
    return check_steps(PROOF, samples=samples)


def check_bound(*, horizons: tuple[int, ...], noise: float, replicates: int, seed: int, factor: float = 1.0) -> Finding:
    """Compare the simulated mean of f(x_bar) at each horizon with `factor` times the bound; return the finding.

    x_bar moves by at most alpha sigma (T - t - 1) / T times a change of z_t, because a gradient step on a convex 1-smooth function
    with alpha <= 2 brings no two points further apart. So f(x_bar) is a Lipschitz function of all the noise, the mean of n
    replicates is sub-Gaussian around E f(x_bar) (Cirelson, Ibragimov, Sudakov 1976), and the interval holds without approximation.
    """
    level = 1e-9 / len(horizons)
    means, bounds, widths = [], [], []
    for horizon in horizons:
        values, found = simulate_average(horizon, noise, replicates, seed)
        alpha_used = found.schedule["alpha"]
        assert alpha_used <= 2, "the interval needs alpha <= 2"
        lipschitz = alpha_used * noise * math.sqrt(sum((1 - (t + 1) / horizon) ** 2 for t in range(horizon)))
        means.append(float(values.mean()))
        bounds.append(factor * found.bound)
        widths.append(lipschitz * math.sqrt(2 * math.log(2 / level) / replicates))
    plot = Plot(tuple(map(float, horizons)), {"bound": tuple(bounds), "mean of runs": tuple(means)}, "steps T", "f(x_bar) - f*")
    numbers = {"T": horizons, "mean": means, "half width": widths, "bound": bounds}
    record = Record(numbers, seed=seed, false_alarm=1e-9, plot=plot)
    for horizon, mean, width, bound in zip(horizons, means, widths, bounds, strict=True):
        if mean - width > bound:
            witness = {"T": horizon, "mean is at least": mean - width, "bound": bound}
            record.refute(f"at T = {horizon} the mean is above the bound", witness)
    ratio = max(mean / bound for mean, bound in zip(means, bounds, strict=True))
    end = max((mean + width) / bound for mean, width, bound in zip(means, widths, bounds, strict=True))
    words = f"the mean of {replicates} runs is at most {ratio:.2f} of the bound, the upper end of its interval at most {end:.2f}"
    return record.conclude(words)


CLAIMS = (
    claim("noisy_sgd.average.proof", SOURCE, Kind.INEQUALITY)
    .says("The proof of the bound, step by step")
    .consistent("the expectation over the noise and Jensen's inequality are argued in words")
    .derived("noisy_sgd.average")
    .examined(check_proof, samples=100),
    claim("noisy_sgd.average.simulation", SOURCE, Kind.CONVERGENCE)
    .says(
        "With the best step size the average of the iterates is at most R sqrt((L^2 + d sigma^2) / T) above the minimum",
        r"\mathbb{E} f(\bar x) - f^* \le R \sqrt{\frac{L^2 + d \sigma^2}{T}}",
    )
    .consistent("it is a theorem")
    .derived("noisy_sgd.average")
    .in_full(horizons=(100, 300, 1000, 3000, 10_000))
    .examined(check_bound, horizons=(100, 300, 1000), noise=0.3, replicates=400, seed=0),
)


# 5. The figure, the recommendation, the command `simulate`, and the record that declares them to the lab.
def draw_figure(arguments: argparse.Namespace, store: Any, progress: Any) -> Drawn:
    """Draw the bound and the simulated mean against T; yield the name of the figure, the picture, its rows and its provenance."""
    from matplotlib.figure import Figure

    runs = 20 if arguments.preview else 200
    plot = check_bound(horizons=(100, 300, 1000, 3000), noise=0.3, replicates=runs, seed=arguments.seed or 0).plot
    assert plot is not None
    figure = Figure(figsize=(5, 3.4), layout="constrained")
    ax = figure.subplots()
    for (name, values), style in zip(plot.series.items(), ("k--", "o-"), strict=True):
        ax.plot(plot.x, values, style, label=name)
    ax.set(xscale="log", yscale="log", xlabel=plot.x_label, ylabel=plot.y_label)
    ax.legend()
    rows = [{"T": T, **{name: values[k] for name, values in plot.series.items()}} for k, T in enumerate(plot.x)]
    yield "noisy-sgd", figure, rows, {"runs": runs}


@dataclass(frozen=True)
class Step(Column):
    """The theorem's step size and bound: the only variant of its plan."""

    ROWS = ("alpha", "bound")
    theorem: str
    alpha: float
    bound: float
    constants: dict[str, float] = field(hash=False)
    caveats: tuple[str, ...] = ("The guarantee is for the average of the points where gradients were taken.",)


@dataclass(frozen=True, repr=False)
class StepPlan(Plan):
    """The plan of the theorem for one problem. The plan of a private method also sets NEIGHBOURS, the relation of its privacy."""

    COLUMNS = ("proved",)
    method: str
    problem: dict[str, float]
    proved: Step
    caveats: tuple[str, ...]


def recommend_step(method: str, **problem: float) -> StepPlan:
    """Return the plan of a problem, for `theory_lab.recommend(METHOD, ...)` and the command `recommend`."""
    found = THEOREM.evaluate(**problem)
    step = Step(THEOREM.key, found.schedule["alpha"], found.bound, problem)
    return StepPlan(method, problem, step, step.caveats)


def run(method: str, objective: None, plan: None, *, d: int, T: int, sigma: float, replicates: int = 1, seed: int = 0) -> FloatArray:
    """Return f(x_bar) of every replicate, an array (replicates,), for `theory_lab.simulate(METHOD, ...)`."""
    return simulate_average(T, sigma, replicates, seed, dimension=d)[0]


def simulate_command(arguments: argparse.Namespace) -> Told:
    """Run the command `simulate` with its parsed arguments and return what it prints."""
    settings = {one.name: getattr(arguments, one.name) for one in METHOD.options}
    rows = [{"replicate": r, "gap": float(value)} for r, value in enumerate(run("noisy_sgd", None, None, **settings))]
    return Told({"method": "noisy_sgd", "settings": settings, "replicates": rows}, [("noisy_sgd, f(x_bar) - f*", rows)])


PROBLEM = {"d": "dimension", "L": "Lipschitz constant", "sigma": "noise per coordinate", "T": "steps", "reach": "bound on ||x_0 - x*||"}
METHOD = Method(
    name="noisy_sgd",
    paper="noisy_sgd",
    words="averaged noisy gradient descent",
    described="Run averaged noisy gradient descent on sqrt(1 + |x|^2) - 1.",
    options=(
        Option("d", "dimension", whole, required=True),
        Option("T", "steps", whole, required=True),
        Option("sigma", "noise per coordinate", float, required=True),
        Option("replicates", "independent runs (default: %(default)s)", whole, default=1),
        Option("seed", "seed of the noise (default: %(default)s)", whole, default=0),
    ),
    simulated=simulate_command,
    run=run,
    plans=Plans(
        words="step size",
        described="Recommend the step size of the theorem.",
        call=recommend_step,
        options=needed(**PROBLEM),
    ),
    figures=Figures(names=("noisy-sgd",), drawn=draw_figure, options=(Option("seed", "seed of the draws (default: 0)", whole),)),
)


# 6. An objective: loss and gradient of one sample as plain functions, and the constants that are known. Every method on sums runs on it.
def cone(x: Any, row: Any) -> Any:
    """Return sqrt(1 + ||x - row||^2) - 1, the loss of one sample: at least 0, 1-Lipschitz and 1-smooth in x."""
    return np.sqrt(1.0 + np.sum((x - row) ** 2)) - 1.0


def slope(x: Any, row: Any) -> Any:
    """Return the gradient of `cone` in x, an array (d,)."""
    return (x - row) / np.sqrt(1.0 + np.sum((x - row) ** 2))


def cones(spectrum: Spectrum, d: int, n: int, seed: int) -> Objective:
    """Return an objective: the mean of `cone` over n normal points, whose covariance has the eigenvalues of the spectrum.

    The start x_0 is at the distance 3 from 0.
    """
    rows = np.random.default_rng(seed).standard_normal((n, d)) * np.sqrt(spectrum_values(spectrum, d))
    x0 = np.full(d, 3 / math.sqrt(d))
    gap = float(np.mean([cone(x0, row) for row in rows]))  # F_S is at least 0
    return own.objective(rows, cone, slope, x0=x0, constants={"L": 1.0, "ell": 1.0, "r": d, "gap": gap}, name="cones")


OBJECTIVES = {"cones": cones}
