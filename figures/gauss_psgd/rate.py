"""Error of the point that Gauss-PSGD returns against n and epsilon, at scaled parameters, beside the exponents 1/3 and 2/5.

At large epsilon the sampling error dominates, at small epsilon the privacy noise. alpha of each plan is the smallest with
psi <= alpha/K (`bounds.gauss_psgd.scaled`); the error of a point is the smallest alpha for which it is an alpha-SOSP.

An escape phase begins where the estimate falls to 3 chi = (3/4) alpha. Where the curvature is c > 0, the remaining descent is then
about (3/4) alpha / c long. If that is more than the radius k_R sqrt(alpha/rho), the phase "escapes" down the slope, again and again, and
the run ends near the minimum, with an error that hardly depends on alpha. This happens above alpha* = (4 k_R c/3)^2 / rho, and exponents
are fitted below it only. k_R = 0.6 instead of 0.3 makes alpha* four times larger; pilot runs with both found no difference in success.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.gauss_psgd.scaled import Knobs
from figures.gauss_psgd import experiments
from figures.style import BLUE, GREY, INK, exponent_text, number_latex, provenance_header, styled_figure
from synthetic.estimate import Interval
from synthetic.objectives.separable_saddles import random_phase_cosines
from synthetic.sweeps.store import Store
from synthetic.sweeps.workers import Workers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAME = "psgd-rate"
PANELS = ("sampling", "privacy", "epsilon")
CLAIMED = {"sampling": -1 / 3, "privacy": -2 / 5, "epsilon": -2 / 5}  # exponents of Theorem 2, in n, n and epsilon


@dataclass(frozen=True)
class Experiment:
    """Parameters: n varies at epsilon = large and at epsilon = small, epsilon varies at one n; fits in epsilon use up to `fit_epsilon`."""

    d: int = 2
    delta: float = 1e-5
    large: float = 8.0
    large_n: tuple[int, ...] = (30_000, 60_000, 120_000, 250_000, 500_000, 1_000_000, 2_000_000, 4_000_000)
    small: float = 0.02
    small_n: tuple[int, ...] = (250_000, 400_000, 700_000, 1_200_000, 2_000_000, 3_500_000, 6_000_000)
    n: int = 1_000_000
    epsilons: tuple[float, ...] = (0.015, 0.025, 0.04, 0.07, 0.1, 0.3, 1.0, 4.0)
    fit_epsilon: float = 0.1
    replicates: int = 24
    knobs: Knobs = field(default_factory=lambda: Knobs(k_R=0.6))
    seed: int = 0

    def __post_init__(self) -> None:
        """Convert the fields to Python numbers; raise ValueError unless counts and epsilons are positive and 0 < delta < 1."""
        arrays = {"positive_integers": "large_n small_n", "positive_array": "epsilons"}
        experiments.check_experiment(
            self, **arrays, positive_integer="d n replicates", positive="large small fit_epsilon", inside_unit="delta"
        )

    def point_settings(self) -> dict[str, list[tuple[int, float]]]:
        """Return (n, epsilon) of every point, by panel: sampling, privacy, epsilon."""
        return {
            "sampling": [(n, self.large) for n in self.large_n],
            "privacy": [(n, self.small) for n in self.small_n],
            "epsilon": [(self.n, epsilon) for epsilon in self.epsilons],
        }


PAPER = Experiment()
PREVIEW = Experiment(
    large_n=(30_000, 100_000, 300_000), small_n=(250_000, 500_000, 1_000_000), n=300_000, epsilons=(0.025, 0.05, 0.1, 1.0), replicates=12
)


@dataclass(frozen=True)
class Record:
    """The data of the figure: run summaries of each panel, and exponents of the measured errors and of the planned alphas.

    measured   of the error that 75 % of the runs stay below;   ends   of alpha between the first two and the last two points
    turning    alpha*, above which the error hardly depends on alpha;   fitted   positions of the points below it, which are fitted
    """

    experiment: Experiment
    outcomes: dict[str, list[experiments.RunSummary]]
    measured: dict[str, Interval | None]
    planned: dict[str, Interval | None]
    ends: dict[str, tuple[float, float]]
    turning: float
    fitted: dict[str, list[int]]


def x_value(panel: str, o: experiments.RunSummary) -> float:
    """Return the position of a run summary on the x-axis of a panel: its epsilon or its n."""
    return o.task.problem.epsilon if panel == "epsilon" else o.task.problem.n


def data(e: Experiment, store: Store, *, workers: Workers = None, progress: experiments.Report = None) -> Record:
    """Run the cells that the store lacks; return errors of Gauss-PSGD's points against n and epsilon, with fitted exponents."""
    tasks, cells = {}, {}
    for p, (panel, places) in enumerate(e.point_settings().items()):
        for k, (n, epsilon) in enumerate(places):
            t = experiments.task({"d": e.d}, n=n, epsilon=epsilon, delta=e.delta, knobs=e.knobs)
            tasks[panel, k] = t
            cells[panel, k] = experiments.descent_cells(
                t, replicates=e.replicates, seed=experiments.child_seed(e.seed, p, k), label=f"n = {n:,}, epsilon = {epsilon:g}"
            )
    found = experiments.compute_groups("runs", cells, store, workers=workers, progress=progress)
    outcomes = {panel: [experiments.summarise_runs(tasks[q, k], found[q, k]) for q, k in tasks if q == panel] for panel in PANELS}
    place = random_phase_cosines(e.d)
    turning = (4 / 3 * e.knobs.k_R * float(np.linalg.eigvalsh(place.hessian(place.saddle))[-1])) ** 2 / place.constants["rho"]

    def wanted(panel: str, o: experiments.RunSummary) -> bool:
        return o.task.plan.accuracy <= turning and (panel != "epsilon" or x_value(panel, o) <= e.fit_epsilon)

    fitted = {panel: [k for k, o in enumerate(rows) if wanted(panel, o)] for panel, rows in outcomes.items()}
    used = {panel: [outcomes[panel][k] for k in fitted[panel]] for panel in PANELS}
    x = {panel: [x_value(panel, o) for o in rows] for panel, rows in used.items()}
    alpha = {panel: [o.task.plan.accuracy for o in rows] for panel, rows in used.items()}
    return Record(
        experiment=e,
        outcomes=outcomes,
        measured={panel: experiments.fit_exponent(x[panel], [o.error.value for o in rows]) for panel, rows in used.items()},
        planned={panel: experiments.fit_exponent(x[panel], alpha[panel]) for panel in PANELS},
        ends={panel: experiments.end_exponents(x[panel], alpha[panel]) for panel in PANELS},
        turning=turning,
        fitted=fitted,
    )


def table(record: Record) -> list[dict[str, Any]]:
    """Return the rows of the CSV file of psgd-rate: a run summary for each panel and point, and whether the exponent is fitted to it."""
    return [
        {"panel": panel, **experiments.summary_row(o), "fitted": k in record.fitted[panel]}
        for panel, rows in record.outcomes.items()
        for k, o in enumerate(rows)
    ]


def provenance(record: Record) -> dict[str, Any]:
    """Return the provenance of psgd-rate by name: experiment, claimed, measured and planned exponents, alpha*, fitted points."""
    return provenance_header(NAME, record) | {
        "exponents": {
            panel: {
                "claimed": CLAIMED[panel],
                "measured, 75 % of the runs": experiments.json_interval(record.measured[panel]),
                "planned alpha": experiments.json_interval(record.planned[panel]),
                "planned alpha between the first two and the last two points": record.ends[panel],
            }
            for panel in PANELS
        },
        "protocol": "error: the smallest alpha for which the returned point is an alpha-SOSP, max(|grad F|, lambda^2/rho) with lambda the "
        "negative part of the smallest eigenvalue; inf for a run that returned nothing; q75: 75 % of all runs stay below; "
        "intervals: order statistics, at least 95 %; exponents: least squares in logarithms with the 95 % interval of the regression",
        "alpha*": record.turning,
        "fitted": "points with alpha <= alpha*, and in panel epsilon with epsilon up to fit_epsilon: see the module",
        "not asymptotic": "the plan has Q Gamma ~ 1/alpha steps for one certification beside U/(eta chi^2) ~ alpha^(-5/2) for descent, "
        "and whole batches; so alpha falls faster in n than the claimed exponent, the more so the larger alpha is",
        "noise": "exact Gaussian accounting, each sample in one release (replace one record)",
    }


def draw(record: Record) -> Figure:
    """Draw planned alpha and measured errors against n and epsilon in three panels; return the figure."""
    e = record.experiment
    titles = {
        "sampling": rf"(a) $\varepsilon = {e.large:g}$: sampling decides",
        "privacy": rf"(b) $\varepsilon = {e.small:g}$: privacy decides",
        "epsilon": rf"(c) $n = {e.n:,}$",
    }
    title = (
        rf"Gauss-PSGD with Ada-DP-SPIDER at scaled parameters: random-phase cosines, $d = {e.d}$, $\delta = {number_latex(e.delta)}$, "
        rf"{e.replicates} runs a point; error = max($\|\nabla F\|$, $\lambda_-^2/\rho$)"
    )
    with styled_figure(10.5, 4.6, title, 1, 3, sharey=True) as (figure, axes):
        for ax, panel in zip(axes[0], PANELS, strict=True):
            shares = [o.task.privacy_share for o in record.outcomes[panel]]
            _draw_panel(ax, record, panel)
            ax.set_title(f"{titles[panel]}\nprivacy noise in $\\psi^2$: {100 * min(shares):.2g} to {100 * max(shares):.2g} %", fontsize=8.5)
        axes[0, 0].set_ylim(*experiments.y_limits([o for rows in record.outcomes.values() for o in rows]))
        axes[0, 0].set_ylabel(r"smallest $\alpha$ of which the point is an SOSP")
        figure.supxlabel(
            r"Not asymptotic: beside $U/(\eta\chi^2) \propto \alpha^{-5/2}$ steps the plan has $Q\Gamma \propto \alpha^{-1}$ for one "
            r"certification, so planned $\alpha$ falls faster than claimed, most so at its left ends.",
            fontsize=7.5,
        )
    return figure


def _draw_panel(ax: Axes, record: Record, panel: str) -> None:
    """Draw the planned alpha, the measured errors with failures, and the claimed exponent of one panel."""
    rows, claimed = record.outcomes[panel], CLAIMED[panel]
    x, alpha = [x_value(panel, o) for o in rows], [o.task.plan.accuracy for o in rows]
    ax.set(xscale="log", yscale="log", xlabel=r"privacy $\varepsilon$" if panel == "epsilon" else "samples $n$")
    ax.tick_params(axis="x", which="minor", labelbottom=False)
    ax.plot(x, alpha, color=BLUE, marker="s", linestyle="--", label=rf"planned $\alpha$: {exponent_text(record.planned[panel])}")
    experiments.draw_errors(ax, x, rows, INK, f"error, 75 % of runs: {exponent_text(record.measured[panel])}")
    ax.axhline(record.turning, color=GREY, linewidth=0.8, label=rf"$\alpha^*$ = {record.turning:.2f}; fitted below it")
    used = record.fitted[panel]
    if used:
        ends, anchor = (x[used[0]], x[used[-1]]), 1.6 * alpha[used[-1]]
        words = {-1 / 3: "-1/3", -2 / 5: "-2/5"}[claimed]
        power = [anchor * (ends[0] / ends[1]) ** claimed, anchor]
        ax.plot(ends, power, color=GREY, linestyle=":", label=f"claimed exponent {words}")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), title="exponents with 95 % intervals")
