"""Two figures of DP-GRAPE on quadratics without clipping: error against the privacy budget, and the cost of keeping a subspace.

grape-rate       F = h/2 |W - W*|^2, h = 1, square W: expectations are exact (`bounds.dp_grape.quadratic`). T steps need the noise
                 sigma = 2 c_2 C sqrt(T log(1/delta))/(n epsilon) on the mean: Theorem 4.1 has c_2 = 1, its repaired proof sqrt 2. Each
                 point has the best T at alpha = share/(h kappa), kappa = 1 for DP-SGD, (m + r + 1)/r for the projection from the left,
                 (d + r + 1)/r for Algorithm 6 with one block. With u = sigma/sqrt T the asymptotic value is
                 sqrt(2 F_0 h d) u/(1 - share/2) at alpha T = sqrt(2 F_0/(h d))/u, for every method and r.
grape-subspace   Algorithm 1 without noise on |W - W*|^2/2, a new subspace every F steps; convergence theory needs F = 1. Any update inside
                 independent uniform subspaces of dimension r leaves, on average, at least (1 - r/m)^(T/F) of |W_0 - W*|^2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.dp_grape.quadratic import BestT, best_T, effective_stretch
from figures import experiments
from figures.parts import LEGEND_BELOW, LOOKS, FigureSpec, Record, draw_points, mean_interval, scale_interval
from figures.style import GREY, exponent_text, number_latex, set_x_ticks, styled_figure
from synthetic.estimate import Interval
from synthetic.methods.dp_grape import DP_GRAPE, DP_GRAPE_BLOCKS, DP_SGD
from synthetic.objectives.matrices import matrix_quadratic
from synthetic.runs.simulate import simulate
from synthetic.sweeps.store import Store
from synthetic.sweeps.sweep import Cell
from synthetic.sweeps.workers import Workers

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KERNELS = {"none": DP_SGD, "left": DP_GRAPE, "flattened": DP_GRAPE_BLOCKS}


def quadratic_cell(
    *, projection: str, m: int, columns: int, run: Any, replicates: int, seed: int, times: Any = ()
) -> dict[str, np.ndarray]:
    """Run a method on |W - W*|^2/2 without clipping; return the average of |grad F|^2 over t < T, and its values at `times`.

    Shapes (replicates,) and (replicates, times). Both are in units of |grad F(W_0)|^2, and so is sigma^2.
    """
    objective = matrix_quadratic("flat", m * columns, 1, 0, m=m)
    scale = float(np.linalg.norm(objective.value_and_gradient(objective.x0)[1]))
    settings = {**run, "sigma": run["sigma"] * scale, "C": 1e100, "replicates": replicates, "seed": seed, "threads": 1}
    squares = simulate(KERNELS[projection], objective, **settings).grad_norm_sq / scale**2
    return {"mean": squares[:, :-1].mean(axis=1), "at": squares[:, list(times)]}


# --- grape-rate -------------------------------------------------------------------------------------------------------------------------
METHODS = {  # projection and r
    ("none", 1): "DP-SGD",
    ("left", 1): "left, $r = 1$",
    ("left", 4): "left, $r = 4$",
    ("flattened", 1): "flattened, $r = 1$",
    ("flattened", 4): "flattened, $r = 4$",
}
DELTA, C_2, C, GAP, SHARE = 1e-5, math.sqrt(2), 1.0, 0.5, 0.2


@dataclass(frozen=True)
class RateExperiment:
    """Parameters: `dimensions` at n epsilon = budget, and `budgets` (n epsilon) at dimension d.

    Points that need more than `most` random numbers a run are not simulated.
    """

    dimensions: tuple[int, ...] = (64, 256, 1024, 4096)
    budget: float = 3000.0
    d: int = 1024
    budgets: tuple[float, ...] = (1000.0, 1800.0, 3000.0, 5600.0, 10_000.0)
    most: float = 6e7
    replicates: int = 16
    seed: int = 0

    def __post_init__(self) -> None:
        """Convert the fields to Python numbers; raise ValueError unless they are positive and every dimension is a square."""
        arrays = {"positive_integers": "dimensions", "positive_array": "budgets"}
        experiments.check_experiment(self, **arrays, positive_integer="d replicates", positive="budget most")
        for d in (*self.dimensions, self.d):
            if math.isqrt(d) ** 2 != d:
                raise ValueError(f"d = {d}: the square of an integer is needed, the matrices are square")

    def point_settings(self) -> list[tuple[str, int, float]]:
        """Return the panel, d and n epsilon of each point of the figure."""
        return [*(("d", d, self.budget) for d in self.dimensions), *(("budget", self.d, one) for one in self.budgets)]

    def cell(self, projection: str, r: int, d: int, budget: float, best: BestT) -> list[Cell]:
        """Return, in a list, the cell of a point at its best schedule; [] where a run needs more than `most` random numbers."""
        side, k = math.isqrt(d), list(METHODS).index((projection, r))
        numbers = float(best.T * {"none": d, "left": 2 * side * r, "flattened": (d + 1) * r}[projection])
        run = {"alpha": best.alpha, "T": best.T, "sigma": best.sigma / math.sqrt(2 * GAP)} | ({} if projection == "none" else {"r": r})
        arguments = {"projection": projection, "m": side, "columns": side, "run": run, "replicates": self.replicates}
        arguments["seed"] = experiments.child_seed(self.seed, k, d, round(budget))
        label = f"{projection}, r = {r}, d = {d}, n epsilon = {budget:g}"
        return [Cell("figures.dp_grape.rate:quadratic_cell", arguments, self.replicates * numbers, label)] if numbers <= self.most else []


def step_noise(budget: float) -> float:
    """Return sigma/sqrt(T), the noise per step, at a privacy budget n epsilon."""
    return 2 * C_2 * C * math.sqrt(math.log(1 / DELTA)) / budget


def best_schedule(projection: Any, r: int, d: int, budget: float) -> tuple[float, BestT]:
    """Return kappa, and the schedule with the least expected average of |grad F|^2, at a budget n epsilon.

    It is the same for every W_0, because the quadratic is isotropic.
    """
    start, ones = np.zeros((math.isqrt(d), math.isqrt(d))), np.ones(math.isqrt(d))
    start[0, 0] = math.sqrt(2 * GAP)
    place: dict[str, Any] = {"rows": ones, "columns": ones, "r": r}
    return effective_stretch(projection, **place), best_T(projection, **place, start=start, unit=step_noise(budget), share=SHARE)


def asymptotic_best(d: int, budget: float) -> tuple[float, float]:
    """Return the asymptotic best average of |grad F|^2 at dimension d and budget n epsilon, and its alpha T."""
    return math.sqrt(2 * GAP * d) * step_noise(budget) / (1 - SHARE / 2), math.sqrt(2 * GAP / d) / step_noise(budget)


def rate_data(e: RateExperiment, store: Store, *, workers: Workers = None, progress: experiments.Report = None) -> Record:
    """Run the cells that the store lacks; return the average |grad F|^2 by projection, r, d and n epsilon, beside its exact value.

    A point of both panels is run once.
    """
    keys = dict.fromkeys((*method, d, budget) for _, d, budget in e.point_settings() for method in METHODS)
    best = {key: best_schedule(*key) for key in keys}
    cells = {key: made for key, (_, one) in best.items() if (made := e.cell(*key, one))}
    found = experiments.compute_groups("rate", cells, store, workers=workers, progress=progress)
    points: list[dict[str, Any]] = []
    for panel, d, budget in e.point_settings():
        for projection, r in METHODS:
            (kappa, one), (law, tau) = best[projection, r, d, budget], asymptotic_best(d, budget)
            runs = found.get((projection, r, d, budget), {"mean": np.array([])})["mean"]
            place = {"panel": panel, "projection": projection, "r": r, "d": d, "n_epsilon": budget, "kappa": kappa, "alpha": one.alpha}
            exact = {"T": one.T, "sigma": one.sigma, "exact": one.value, "law": law, "law_T": tau * kappa / SHARE}
            points.append(place | exact | {"value": mean_interval(2 * GAP * runs)})
    return Record(e, tuple(points), {})


def fitted_exponents(record: Record, panel: str, name: str) -> dict[str, Interval | None]:
    """Fit the exponent of each method in a panel, in d or n epsilon, to the points' `exact` or simulated `value`; return it by method."""
    made = {}
    for (projection, r), words in METHODS.items():
        rows = record.points_with(panel=panel, projection=projection, r=r)
        y = [p[name].value if name == "value" else p[name] for p in rows]
        made[words.replace("$", "")] = experiments.fit_exponent([p["d" if panel == "d" else "n_epsilon"] for p in rows], y)
    return made


def exponent_summary(record: Record) -> dict[str, Any]:
    """Return the entry of the provenance with the fitted exponents of both panels, exact and simulated."""
    powers = {f"{name} in {panel}": fitted_exponents(record, panel, name) for panel in ("d", "budget") for name in ("exact", "value")}
    return {"exponents": {name: {m: experiments.json_interval(one) for m, one in of.items()} for name, of in powers.items()}}


def draw_rate(record: Record) -> Figure:
    """Draw the averages against d and n epsilon, simulated over exact values, and the best T against kappa; return the figure."""
    e = record.experiment
    title = rf"$F = \frac{{1}}{{2}}\|W - W^*\|^2$, square $W$, $F_0 = {GAP:g}$, nothing clipped, the best $T$ of each method: "
    title += rf"$\delta = {number_latex(DELTA)}$, $c_2 = {C_2:.3g}$, $C = {C:g}$; {e.replicates} runs a point, means with 95 %"
    with styled_figure(9.6, 7.4, title, 2, 2) as (figure, axes):
        for ax, panel, x, slope in ((axes[0, 0], "d", "d", "1/2"), (axes[0, 1], "budget", "n_epsilon", "-1")):
            whole = record.points_with(panel=panel, projection="none")
            ax.plot([p[x] for p in whole], [p["law"] for p in whole], color=GREY, linestyle=":", label=f"law, slope {slope}")
            power = exponent_text(fitted_exponents(record, panel, "exact")["DP-SGD"])
            ax.plot([p[x] for p in whole], [p["exact"] for p in whole], color=GREY, linewidth=0.8, label=f"exact, DP-SGD, slope {power}")
            for (method, words), look in zip(METHODS.items(), LOOKS, strict=True):
                rows = record.points_with(panel=panel, projection=method[0], r=method[1])
                draw_points(ax, [p for p in rows if math.isfinite(p["value"].value)], x, look, words)
            ax.set(xscale="log", yscale="log", ylabel=r"average of $\|\nabla F(W_t)\|^2$, $t < T$")
        axes[0, 0].set(xlabel="dimension $d$", title=rf"(a) $n\varepsilon = {e.budget:g}$")
        set_x_ticks(axes[0, 0], e.dimensions)
        axes[0, 1].set(xlabel=r"$n\varepsilon$", title=f"(b) $d = {e.d}$")
        for k, ((method, words), look) in enumerate(zip(METHODS.items(), LOOKS, strict=True)):
            rows, hollow = (
                record.points_with(panel="d", projection=method[0], r=method[1]),
                {"linestyle": "none", "mfc": "white", "label": words},
            )
            over = [{"d": p["d"] * 1.07 ** (k - 2), "value": scale_interval(p["value"], 1 / p["exact"])} for p in rows]
            draw_points(axes[1, 0], [p for p in over if math.isfinite(p["value"].value)], "d", look, words)
            axes[1, 1].plot([p["kappa"] for p in rows], [p["T"] for p in rows], color=look[0], marker=look[1], **hollow)
        axes[1, 0].axhline(1.0, color=GREY, linewidth=0.8)
        axes[1, 0].set(xscale="log", xlabel="dimension $d$", ylabel="simulated over exact", title="(c) as (a), methods side by side")
        set_x_ticks(axes[1, 0], e.dimensions)
        for d in e.dimensions:
            kappas, steps = zip(*sorted((p["kappa"], p["law_T"]) for p in record.points_with(panel="d", d=d)), strict=True)
            axes[1, 1].plot(kappas, steps, color=GREY, linestyle=":", label="law, slope 1" if d == e.dimensions[0] else None)
            plate: dict[str, Any] = {"fontsize": 7, "bbox": {"facecolor": "white", "edgecolor": "none", "pad": 0.5}}
            axes[1, 1].annotate(f"$d = {d}$", (kappas[-1], steps[-1]), xytext=(-8, 6), textcoords="offset points", **plate)
        axes[1, 1].set(xscale="log", yscale="log", xlabel=r"$\kappa$", ylabel="best $T$", title=r"(d) the price of a projection is steps")
        for ax in axes.flat:
            ax.legend(fontsize=6.5)
    return figure


RATE_PROVENANCE: dict[str, Any] = {
    "setting": {"delta": DELTA, "c_2": C_2, "C": C, "F_0": GAP, "alpha h kappa": SHARE},
    "claimed": {"exponent in d": 0.5, "exponent in n epsilon": -1.0, "exponent of T in kappa": 1.0},
    "intervals": "value: mean over independent runs of the average of |grad F(W_t)|^2 over t < T, with a 95 % t-interval; nan where a "
    "run needs more than `most` random numbers; exponents: least squares in logarithms with the 95 % interval of the regression",
    "noise": "sigma on the mean over the batch, the same for all methods at one T",
    "clipping": "none: C is in sigma only. |grad F(W_0)| = sqrt(2 h F_0); a Gaussian P can make it longer than C",
}
FEWER_RATES = RateExperiment(dimensions=(64, 256, 1024), budgets=(1000.0, 3000.0, 10_000.0), most=3e6, replicates=8)
RATE = FigureSpec("grape-rate", RateExperiment(), FEWER_RATES, rate_data, draw_rate, RATE_PROVENANCE, exponent_summary)


# --- grape-subspace ---------------------------------------------------------------------------------------------------------------------
HALF = 0.5  # alpha kappa, kappa = (m + r + 1)/r: at F = 1 the mean square converges for alpha below 2/kappa
LOWEST = 1e-5  # lower end of panel (a): curves are cut there


@dataclass(frozen=True)
class SubspaceExperiment:
    """Parameters: (a) matrices (rows, columns) at r, for each F of `stays`, T the largest; (b) `wide` rows, r of `ranks`, F = `stay`."""

    rows: int = 16
    columns: int = 16
    r: int = 4
    stays: tuple[int, ...] = (1, 5, 20, 100, 200)
    wide: int = 64
    ranks: tuple[int, ...] = (1, 4, 8, 16, 32)
    stay: int = 100
    subspaces: tuple[int, ...] = (1, 5, 10, 20)
    replicates: int = 300
    wide_replicates: int = 50
    seed: int = 0

    def __post_init__(self) -> None:
        """Convert the fields to Python numbers; raise ValueError unless all of them but the seed are positive integers."""
        counts = "rows columns r wide stay replicates wide_replicates"
        experiments.check_experiment(self, positive_integer=counts, positive_integers="stays ranks subspaces")

    def cell(self, m: int, r: int, F: int, at: Sequence[int], replicates: int, *keys: int) -> list[Cell]:
        """Return, in a list, the cell of runs on m rows at (r, F), whose error is recorded at the steps `at`."""
        run = {"alpha": HALF * r / (m + r + 1), "T": max(at), "sigma": 0.0, "r": r, "F": F, "side": "left"}
        arguments = {"projection": "left", "m": m, "columns": self.columns, "run": run, "times": list(at), "replicates": replicates}
        arguments["seed"] = experiments.child_seed(self.seed, *keys)
        return [Cell("figures.dp_grape.rate:quadratic_cell", arguments, replicates * max(at) * m, f"r = {r}, m = {m}, F = {F}")]


def subspace_data(e: SubspaceExperiment, store: Store, *, workers: Workers = None, progress: experiments.Report = None) -> Record:
    """Return the figure's data: ||W_t - W*||^2 / ||W_0 - W*||^2 by F, then by r, and its floor; runs what the store lacks."""
    T, wide = max(e.stays), [k * e.stay for k in e.subspaces]
    times = [*range(0, T, max(1, T // 20)), T]
    cells: dict[Any, list[Cell]] = {("stay", F): e.cell(e.rows, e.r, F, times, e.replicates, 0, k) for k, F in enumerate(e.stays)}
    cells |= {("rank", r): e.cell(e.wide, r, e.stay, wide, e.wide_replicates, 1, k) for k, r in enumerate(e.ranks)}
    found = experiments.compute_groups("subspace", cells, store, workers=workers, progress=progress)
    points: list[dict[str, Any]] = []
    every, fine, alpha = np.arange(T + 1), np.geomspace(min(e.ranks), max(e.ranks), 100) / e.wide, HALF * e.r / (e.rows + e.r + 1)
    laws: dict[Any, Any] = {("left", k): (fine, (1 - fine) ** k) for k in e.subspaces}
    laws["exact"] = every, (1 - 2 * alpha + alpha * HALF) ** every
    for F in e.stays:
        floor = (1 - e.r / e.rows) ** np.ceil(every / F)
        laws["floor", F] = every, floor
        for t, ratios in zip(times, found["stay", F]["at"].T, strict=True):
            points.append(
                {"panel": "stay", "m": e.rows, "r": e.r, "F": F, "steps": t, "value": mean_interval(ratios), "floor": float(floor[t])}
            )
    for r in e.ranks:
        for t, ratios in zip(wide, found["rank", r]["at"].T, strict=True):
            one = {"panel": "rank", "m": e.wide, "r": r, "F": e.stay, "steps": t, "value": mean_interval(ratios)}
            points.append(one | {"floor": (1 - r / e.wide) ** (t // e.stay)})
    return Record(e, tuple(points), laws)


def draw_subspace(record: Record) -> Figure:
    """Draw the error against the steps for each F, and the error after T/F subspaces against r/m; return the figure."""
    e = record.experiment
    title = r"Algorithm 1 without noise or clipping on $\frac{1}{2}\|W - W^*\|^2$, a new subspace every $F$ steps, "
    with styled_figure(9.6, 4.8, title + rf"$\eta = {HALF:g}/\kappa$: means of runs with 95 %", 1, 2) as (figure, (axes,)):
        for F, look in zip(e.stays, LOOKS, strict=False):
            rows = [p for p in record.points_with(panel="stay", F=F) if p["value"].low >= LOWEST]
            x, law = record.laws["exact"] if F == 1 else record.laws["floor", F]
            words, drawn = f"$F = T = {F}$" if F == max(e.stays) else f"$F = {F}$", "default" if F == 1 else "steps-pre"
            draw_points(axes[0], rows, "steps", look, words, law=(x[law >= LOWEST], law[law >= LOWEST]), drawstyle=drawn)
        axes[0].set(yscale="log", xlabel="step $t$", ylabel=r"$\|W_t - W^*\|^2 / \|W_0 - W^*\|^2$")
        axes[0].set_title(rf"(a) $m = {e.rows}$, $r = {e.r}$; lines: floor $(1 - r/m)^{{\lceil t/F \rceil}}$; for $F = 1$ the exact mean")
        for k, look in zip(e.subspaces, LOOKS, strict=False):
            rows = [p | {"r/m": p["r"] / p["m"]} for p in record.points_with(panel="rank", steps=k * e.stay)]
            draw_points(axes[1], rows, "r/m", look, f"$T/F = {k}$", record.laws["left", k], low=0.3)
        words = "the paper's $r/m$ = 1/64: RoBERTa-Large\nwith $T/F = 10$, OPT-6.7B with $T/F = 20$"
        axes[1].annotate(words, (0.08, 0.03), xycoords="axes fraction", fontsize=7.5)
        axes[1].axvline(1 / 64, color=GREY, linestyle=":")
        axes[1].set(xscale="log", yscale="log", xlabel="$r/m$", ylabel="the same, after $T/F$ subspaces")
        set_x_ticks(axes[1], [r / e.wide for r in e.ranks], [f"{r}/{e.wide}" for r in e.ranks])
        axes[1].set_title(f"(b) $m = {e.wide}$, $F = {e.stay}$; lines: $(1 - r/m)^{{T/F}}$")
        for ax in axes:
            ax.legend(**LEGEND_BELOW, ncol=3)
    return figure


SUBSPACE_PROVENANCE = {
    "floor": "steps inside of a subspace leave of W_t - W* at least what is orthogonal to it, whatever the update, SGD or Adam: of a "
    "vector that a uniform subspace of dimension r is independent of, 1 - r/m of the squared length in the mean",
    "exact": f"F = 1: (1 - 2 eta + eta^2 kappa)^t, kappa = (m + r + 1)/r, eta = {HALF:g}/kappa",
    "paper": "RoBERTa-Large: r = 16, m = 1024, T/F = 1000/100; OPT-6.7B: r = 64, m = 4096, T/F = 2000/100; of ViT F is not given",
    "protocol": "means over runs with 95 % t-intervals; with a Gaussian P so long that eta |PP'| > 2 a run would grow as long as P "
    "stays: such P are too rare to occur, yet for large F they decide the expectation, of which these means say nothing",
}
FEWER_SUBSPACES = SubspaceExperiment(stays=(1, 5, 20, 100), ranks=(1, 8, 32), subspaces=(1, 10), replicates=40, wide_replicates=10)
SUBSPACE = FigureSpec("grape-subspace", SubspaceExperiment(), FEWER_SUBSPACES, subspace_data, draw_subspace, SUBSPACE_PROVENANCE)
