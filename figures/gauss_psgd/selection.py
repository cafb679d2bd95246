"""Private selection of an iterate against d: Algorithm 4 with printed and repaired constants, AboveThreshold, and no selection.

The candidates are the first T iterates of Gauss-PSGD under the noise model (1), (2) with psi = alpha/8 at every d, so that only the
selection depends on d. Held-out samples are another data set of the same size: run and selection are each (epsilon, delta)-private on
their own data. AboveThreshold needs all data in one place, hence one client.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.gauss_psgd import selection as theory
from bounds.gauss_psgd.fixed_point import Problem
from bounds.gauss_psgd.rates import largest_dimension
from figures.gauss_psgd import experiments
from figures.style import (
    BLUE,
    GREEN,
    GREY,
    INK,
    RED,
    Look,
    draw_error_bars,
    interval_columns,
    number_latex,
    provenance_header,
    set_x_ticks,
    styled_figure,
)
from synthetic.draws import FloatArray
from synthetic.estimate import Interval, proportion, quantile
from synthetic.objectives.separable_saddles import random_phase_cosines
from synthetic.sweeps.store import Store
from synthetic.sweeps.sweep import Cell
from synthetic.sweeps.workers import Workers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAME = "psgd-selection"
RULES = ("printed", "proved", "above_threshold")
LOOKS = {
    "printed": Look("Algorithm 4, printed", RED, "s", "--"),
    "proved": Look("Algorithm 4, repaired constants", BLUE, "o", "-"),
    "above_threshold": Look("AboveThreshold", GREEN, "^", "-."),
    "own": Look("the run's own output", INK, "D", ":"),
}


@dataclass(frozen=True)
class Experiment:
    """Parameters of the experiment: at most T candidates, n held-out samples; scaled schedule with k_eta = 1, k_R = 0.6, k_Gamma = 6."""

    dimensions: tuple[int, ...] = (5, 10, 20, 40, 60, 80, 120)
    accuracy: float = 0.3
    n: int = 5_000
    epsilon: float = 1.0
    delta: float = 1e-5
    omega: float = 0.1
    T: int = 80
    Q: int = 2
    replicates: int = 30
    seed: int = 0

    def __post_init__(self) -> None:
        """Convert the fields to Python numbers; raise ValueError unless they are positive, delta and omega below 1."""
        counts = {"positive_integers": "dimensions", "positive_integer": "n T Q replicates"}
        experiments.check_experiment(self, **counts, positive="accuracy epsilon", inside_unit="delta omega")


PAPER = Experiment()
PREVIEW = Experiment(dimensions=(5, 20, 60), replicates=10)


@dataclass(frozen=True)
class Point:
    """Results of one selection rule at one d: share of runs with a selected point, error of that point, noise over its allowance.

    error    the error that 75 % of all runs stay below, inf for a run without a selected point;   middle   its median
    gradient_ratio, hessian_ratio   (5 %, 50 %, 95 %) quantiles of the noise norm over the allowance of the test; nan without a test
    """

    rule: str
    d: int
    selected: Interval
    error: Interval
    middle: Interval
    gradient_ratio: tuple[float, float, float]
    hessian_ratio: tuple[float, float, float]


@dataclass(frozen=True)
class Record:
    """The data of the figure: points, the settings of each rule by d, and the largest d of Remark 4."""

    experiment: Experiment
    points: tuple[Point, ...]
    rules: dict[int, dict[str, dict[str, float]]]
    largest: float

    def curve(self, rule: str) -> list[Point]:
        """Return the points of one rule, in the order of d."""
        return [p for p in self.points if p.rule == rule]


def rule_settings(e: Experiment, d: int) -> tuple[dict[str, dict[str, float]], dict[str, tuple[float, float]]]:
    """Return the settings of each rule at d by name, and the noise that Algorithm 4's tests allow on gradient and Hessian, by rule."""
    constants = random_phase_cosines(d).constants
    privacy: dict[str, Any] = {"n": e.n, "d": d, "epsilon": e.epsilon, "delta": e.delta}
    held = Problem(**privacy, **{name: constants[name] for name in ("L", "ell", "rho", "U")}, omega=e.omega)
    problem: dict[str, Any] = privacy | {"L": held.L, "ell": held.ell, "T": e.T}
    rules, allowed = {}, {}
    for kind in ("printed", "proved"):
        s = theory.selection_tests(kind, held, T=e.T, accuracy=e.accuracy)
        sigmas = {"sigma_gradient": s.sigma_gradient, "sigma_hessian": s.sigma_hessian}
        rules[kind] = {**sigmas, "gradient_limit": s.gradient, "curvature_limit": s.hessian}
        if kind == "printed":
            whole, sampling = (theory.printed_allowances(**problem | {"epsilon": x}, m=1, omega=e.omega) for x in (e.epsilon, math.inf))
        else:
            short = {name: problem[name] for name in ("n", "d", "L", "ell", "T")}
            noise = ((s.sigma_gradient, s.sigma_hessian), (0.0, 0.0))
            whole, sampling = (theory.proved_allowances(**short, m=1, omega=e.omega, sigmas=x) for x in noise)
        allowed[kind] = (whole[0] - sampling[0], whole[1] - sampling[1])
    limits = theory.above_threshold_limits(held, T=e.T, accuracy=e.accuracy)
    rules["above_threshold"] = {"epsilon": e.epsilon, "gradient_limit": limits[0], "curvature_limit": limits[1]}
    return rules, allowed


def selection_cells(e: Experiment, d: int, rules: dict[str, dict[str, float]], seed: int, chunk: int = 5) -> list[Cell]:
    """Return the cells that run all rules at dimension d, each with at most `chunk` replicates."""
    psi, rate = e.accuracy / 8, math.sqrt(e.accuracy)  # rho = ell = 1
    run = {"oracle": "exact", "eta": rate, "chi": e.accuracy / 4, "R": 0.6 * rate, "Gamma": math.ceil(6 / rate**2 - 1e-9), "Q": e.Q}
    run |= {"zeta": psi / math.sqrt(2), "sigma_1": psi / math.sqrt(2 * d)}
    shared = {"landscape": {"d": d}, "run": run, "T": e.T, "n": e.n, "rules": rules}
    task, label = "synthetic.runs.selection:selection_cell", f"selection, d = {d}"
    return experiments.split_cells(task, shared, d**2, label, replicates=e.replicates, seed=seed, chunk=chunk)


def data(e: Experiment, store: Store, *, workers: Workers = None, progress: experiments.Report = None) -> Record:
    """Run the cells that the store lacks; return share of runs with a chosen point, its error and noise by selection rule and d."""
    designs = {d: rule_settings(e, d) for d in e.dimensions}
    groups = {d: selection_cells(e, d, designs[d][0], experiments.child_seed(e.seed, d)) for d in e.dimensions}
    found = experiments.compute_groups("selection", groups, store, workers=workers, progress=progress)
    points = [rule_point(rule, d, found[d], designs[d][1].get(rule)) for rule in (*RULES, "own") for d in e.dimensions]
    problem = Problem(n=e.n, d=1, epsilon=e.epsilon, delta=e.delta, L=1, ell=1, rho=1, U=1)  # only n and epsilon enter Remark 4
    return Record(e, tuple(points), {d: rules for d, (rules, _) in designs.items()}, largest_dimension(problem))


def rule_point(rule: str, d: int, found: dict[str, np.ndarray], allowed: tuple[float, float] | None) -> Point:
    """Return the plotted `Point` of one selection rule in dimension d, from its runs; nan noise ratios if `allowed` is None."""
    errors = found[f"{rule}/error"]

    def ratio(name: str, allowance: float) -> tuple[float, float, float]:
        low, middle, high = np.quantile(found[f"{rule}/{name}"] / allowance, (0.05, 0.5, 0.95))
        return float(low), float(middle), float(high)

    nothing = (math.nan, math.nan, math.nan)
    return Point(
        rule=rule,
        d=d,
        selected=proportion(int(np.isfinite(errors).sum()), len(errors)),
        error=quantile(errors, experiments.ERROR_QUANTILE),
        middle=quantile(errors, 0.5),
        gradient_ratio=nothing if allowed is None else ratio("gradient_noise", allowed[0]),
        hessian_ratio=nothing if allowed is None else ratio("hessian_noise", allowed[1]),
    )


def table(record: Record) -> list[dict[str, Any]]:
    """Return the rows of the figure's CSV file, one for each rule and d."""
    rows = []
    for p in record.points:
        row: dict[str, Any] = {"rule": p.rule, "d": p.d}
        row |= interval_columns(selected=p.selected, error=p.error, middle=p.middle)
        for name in ("gradient_ratio", "hessian_ratio"):
            row |= {f"{name}_q{q}": value for q, value in zip((5, 50, 95), getattr(p, name), strict=True)}
        numbers = record.rules[p.d].get(p.rule, {})
        rows.append(
            row | {name: numbers.get(name, "") for name in ("sigma_gradient", "sigma_hessian", "gradient_limit", "curvature_limit")}
        )
    return rows


def provenance(record: Record) -> dict[str, Any]:
    """Return the provenance of psgd-selection by name: experiment, largest d of Remark 4, protocol, and the noise of the two rules."""
    return provenance_header(NAME, record) | {
        "Remark 4: largest d, N^(6/13)": record.largest,
        "protocol": "selected: share of runs in which a point was selected (own: returned), 95 % interval of Clopper and Pearson; "
        "error: the smallest alpha for which the point is an alpha-SOSP, inf where none, 75 % of all runs stay below, middle the median; "
        "ratios: norm of the noise at the first look over what the test allows for noise. The rules see the same runs and held-out samples",
        "printed": "noise of Definition 8 for one release with T in the variance: not private for 2 T releases; proved: exact accounting",
    }


def draw(record: Record) -> Figure:
    """Draw the share of runs with a selected point, its error, and noise over allowance, against d; return the figure."""
    e = record.experiment
    title = (
        rf"Selection among at most {e.T} iterates of Gauss-PSGD, $\alpha = {e.accuracy:g}$: random-phase cosines, one client, "
        rf"{e.n:,} held-out samples, $\varepsilon = {e.epsilon:g}$, $\delta = {number_latex(e.delta)}$, "
        rf"$\omega' = {e.omega:g}$, {e.replicates} runs"
    )
    with styled_figure(10.8, 4.7, title, 1, 3) as (figure, axes):
        _draw_selected(axes[0, 0], record)
        _draw_errors(axes[0, 1], record)
        _draw_ratios(axes[0, 2], record)
        for ax in axes[0]:
            ax.set_xscale("log")
            set_x_ticks(ax, e.dimensions, fontsize=7)
            ax.set_xlabel("dimension $d$")
            ax.axvline(record.largest, color=GREY, linestyle=":", label=rf"Remark 4: $N^{{6/13}}$ = {record.largest:.0f}")
            ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), fontsize=7)
    return figure


def _plot_arguments(record: Record, rule: str, k: int) -> tuple[list[Point], FloatArray, dict[str, Any]]:
    """Return the points of the k-th rule, their x positions, shifted slightly so that bars do not overlap, and its plot options."""
    curve = record.curve(rule)
    x = np.array([float(p.d) for p in curve]) * 1.05 ** (k - 1.5)
    return curve, x, LOOKS[rule].plot_options


def _draw_selected(ax: Axes, record: Record) -> None:
    """Draw the share of runs in which a point was selected, for each rule, against d."""
    for k, rule in enumerate((*RULES, "own")):
        curve, x, look = _plot_arguments(record, rule, k)
        draw_error_bars(ax, x, [p.selected for p in curve], **look)
    ax.set(ylim=(-0.03, 1.05), title="(a) share of runs in which a point is selected")


def _draw_errors(ax: Axes, record: Record) -> None:
    """Draw the error that 75 % of the runs stay below, for each rule; a cross at the top where more than 25 % have no point."""
    ax.axhline(record.experiment.accuracy, color=GREY, linestyle="-", linewidth=0.8, label=r"$\alpha$ of the test")
    for k, rule in enumerate((*RULES, "own")):
        curve, x, look = _plot_arguments(record, rule, k)
        draw_error_bars(ax, x, [p.error for p in curve], 1e3, 0.98 - 0.03 * k, **look)
    shown = [v for p in record.points for v in (p.error.value, p.error.low) if np.isfinite(v) and v > 0]
    ax.set(yscale="log", ylim=(0.6 * min(shown), 3 * max(shown)), title="(b) error of the selected point")


def _draw_ratios(ax: Axes, record: Record) -> None:
    """Draw the noise norm over its allowance for Algorithm 4's gradient and Hessian tests, against d."""
    ax.axhline(1.0, color=GREY, linestyle="-", linewidth=0.8)
    kinds = (("gradient_ratio", "gradient", "-"), ("hessian_ratio", "Hessian", ":"))
    for k, (rule, (name, words, dash)) in enumerate(product(("printed", "proved"), kinds)):
        curve, x, look = _plot_arguments(record, rule, k)
        look |= {"linestyle": dash, "label": f"{look['label']}: {words}", "markerfacecolor": "white" if dash == ":" else look["color"]}
        draw_error_bars(ax, x, [Interval(middle, low, high, 0.9) for low, middle, high in (getattr(p, name) for p in curve)], **look)
    ax.set(ylim=(0, None), title="(c) noise norm over its allowance, 5, 50, 95 %")
