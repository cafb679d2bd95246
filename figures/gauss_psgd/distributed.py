"""Gauss-PSGD with distributed Ada-DP-SPIDER against the number of clients: gradient noise and error of the returned point.

Clients are heterogeneous: the phases of half of them are shifted by +phase, of the other half by -phase, so that F is the same for every
even m; the one client of m = 1 has the phase 0 and so a slightly steeper F. (a) one schedule for all m; (b) a plan for each m, with the
knob k_R at 0.9, so that for m >= 2 the errors stay in the regime where they follow alpha (alpha below alpha*, see
`figures.gauss_psgd.rate`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bounds.gauss_psgd.scaled import Knobs
from figures.gauss_psgd import experiments
from figures.style import BLUE, GREY, INK, draw_error_bars, exponent_text, number_latex, provenance_header, set_x_ticks, styled_figure
from synthetic.estimate import Interval
from synthetic.sweeps.store import Store
from synthetic.sweeps.workers import Workers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAME = "psgd-distributed"
PANELS = ("fixed", "planned")


@dataclass(frozen=True)
class Experiment:
    """Parameters of the experiment: m clients with n samples each; the schedule of panel (a) is the plan for m = 2."""

    d: int = 10
    n: int = 60_000
    epsilon: float = 1.0
    delta: float = 1e-5
    phase: float = 0.5
    clients: tuple[int, ...] = (1, 2, 4, 8, 16)
    replicates: int = 24
    knobs: Knobs = field(default_factory=lambda: Knobs(k_R=0.9))
    seed: int = 0

    def __post_init__(self) -> None:
        """Convert the fields to Python numbers; raise ValueError unless counts and epsilon are positive and 0 < delta < 1."""
        counts = {"positive_integers": "clients", "positive_integer": "d n replicates"}
        experiments.check_experiment(self, **counts, positive="epsilon", real="phase", inside_unit="delta")


PAPER = Experiment()
PREVIEW = Experiment(d=5, n=30_000, clients=(1, 2, 4, 8), replicates=12)


@dataclass(frozen=True)
class Record:
    """The data of the figure: run summaries of each panel by rising m, and exponents fitted over the even m, where F is the same.

    rms, bound     of the root mean square noise, at one schedule and with a plan for each m
    error, alpha   of the measured error and of the planned alpha, with a plan for each m
    """

    experiment: Experiment
    outcomes: dict[str, list[experiments.RunSummary]]
    rms: Interval | None
    bound: Interval | None
    error: Interval | None
    alpha: Interval | None


def data(e: Experiment, store: Store, *, workers: Workers = None, progress: experiments.Report = None) -> Record:
    """Run the cells that the store lacks; return gradient noise and error for each number of clients m, with exponents fitted in m."""

    def place(m: int) -> dict[str, Any]:
        return {"d": e.d, "phases": experiments.alternating_phases(m, e.phase)}

    common: dict[str, Any] = {"n": e.n, "epsilon": e.epsilon, "delta": e.delta, "knobs": e.knobs}
    fixed = experiments.task(place(2), **common).plan
    tasks, cells = {}, {}
    for p, panel in enumerate(PANELS):
        for m in e.clients:
            t = experiments.task(place(m), **common, plan=fixed if panel == "fixed" else None)
            tasks[panel, m] = t
            cells[panel, m] = experiments.descent_cells(
                t, replicates=e.replicates, seed=experiments.child_seed(e.seed, p, m), label=f"m = {m}, {panel}"
            )
    found = experiments.compute_groups("runs", cells, store, workers=workers, progress=progress)
    outcomes = {panel: [experiments.summarise_runs(tasks[panel, m], found[panel, m]) for m in e.clients] for panel in PANELS}
    even = {panel: [o for o in rows if o.task.problem.m > 1] for panel, rows in outcomes.items()}

    def slope(panel: str, values: list[float]) -> Interval | None:
        return experiments.fit_exponent([o.task.problem.m for o in even[panel]], values)

    return Record(
        experiment=e,
        outcomes=outcomes,
        rms=slope("fixed", [o.rms.value for o in even["fixed"]]),
        bound=slope("planned", [o.rms.value for o in even["planned"]]),
        error=slope("planned", [o.error.value for o in even["planned"]]),
        alpha=slope("planned", [o.task.plan.accuracy for o in even["planned"]]),
    )


def table(record: Record) -> list[dict[str, Any]]:
    """Return the rows of the CSV file of psgd-distributed: one run summary for each panel and number of clients."""
    return [{"panel": panel, **experiments.summary_row(o)} for panel, rows in record.outcomes.items() for o in rows]


def provenance(record: Record) -> dict[str, Any]:
    """Return the provenance of psgd-distributed by name: experiment, fitted exponents in m beside the claimed ones, protocol, noise."""
    return provenance_header(NAME, record) | {
        "exponents in m, even m": {
            "rms noise, one schedule (claimed -1/2)": experiments.json_interval(record.rms),
            "rms noise, a plan for each m": experiments.json_interval(record.bound),
            "error that 75 % of the runs stay below, a plan for each m": experiments.json_interval(record.error),
            "planned alpha (Theorem 3: -1/3 where sampling decides, -1/5 where privacy does)": experiments.json_interval(record.alpha),
        },
        "protocol": "rms: root mean square of |estimate - grad F| over the steps, then over runs, interval of the mean square; error: "
        "the smallest alpha for which the returned point is an alpha-SOSP, inf for a run that returned nothing; q75: 75 % of all runs "
        "stay below; psi_bound is that of the plan, which in panel fixed is for m = 2",
        "noise": "each client's, exact Gaussian accounting, each sample in one release; it does not depend on m in panel fixed",
    }


def draw(record: Record) -> Figure:
    """Draw the gradient noise at one schedule, and the errors with a plan for each m; return the figure."""
    e = record.experiment
    title = (
        rf"Gauss-PSGD, $m$ clients with $n = {e.n:,}$ samples each: random-phase cosines, $d = {e.d}$, phases $\pm {e.phase:g}$ (0 for "
        rf"$m = 1$), $\varepsilon = {e.epsilon:g}$, $\delta = {number_latex(e.delta)}$, {e.replicates} runs a point"
    )
    with styled_figure(8.4, 4.6, title, 1, 2) as (figure, axes):
        _draw_noise(axes[0, 0], record)
        _draw_error(axes[0, 1], record)
        for ax in axes[0]:
            set_x_ticks(ax, e.clients)
            ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), title=r"exponents over $m \geq 2$ with 95 % intervals")
    return figure


def _draw_noise(ax: Axes, record: Record) -> None:
    """Draw the root mean square noise of the gradient estimates against the number of clients."""
    ax.set(xscale="log", yscale="log", xlabel="clients $m$", title=r"(a) one schedule: RMS of $\|\hat g_t - \nabla F\|$")
    rows = record.outcomes["fixed"]
    m = [o.task.problem.m for o in rows]
    ax.tick_params(axis="y", which="minor", labelsize=7)
    label = f"measured: {exponent_text(record.rms)}"
    draw_error_bars(ax, m, [o.rms for o in rows], color=INK, marker="o", linestyle="none", label=label)
    ends, first = [m[0], m[-1]], next(o for o in rows if o.task.problem.m > 1 or len(rows) == 1)
    line = [first.rms.value * (first.task.problem.m / v) ** 0.5 for v in ends]
    ax.plot(ends, line, color=GREY, linestyle=":", label="exponent -1/2 through m = 2")
    low, high = ax.get_ylim()
    ax.set_ylim(low / 1.3, high)
    for o in (o for o in rows if o.failed):
        where: Any = ("data", "axes fraction")
        ax.annotate(f"{o.failed}/{o.replicates} failed", (o.task.problem.m, 0.02), xycoords=where, fontsize=6, ha="center")


def _draw_error(ax: Axes, record: Record) -> None:
    """Draw the planned alpha and the measured errors against the number of clients, with the claimed exponents."""
    rows = record.outcomes["planned"]
    m, alpha = [o.task.problem.m for o in rows], [o.task.plan.accuracy for o in rows]
    ax.set(xscale="log", yscale="log", xlabel="clients $m$", title="(b) a plan for each $m$: error of the returned point")
    ax.plot(m, alpha, color=BLUE, marker="s", linestyle="--", label=rf"planned $\alpha$: {exponent_text(record.alpha)}")
    experiments.draw_errors(ax, m, rows, INK, f"error, 75 % of runs: {exponent_text(record.error)}")
    for power, words, style in ((1 / 3, "-1/3 (sampling)", ":"), (1 / 5, "-1/5 (privacy)", "-.")):
        line = [1.5 * alpha[0], 1.5 * alpha[0] * (m[0] / m[-1]) ** power]
        ax.plot([m[0], m[-1]], line, color=GREY, linestyle=style, label=f"claimed {words}")
    ax.set_ylim(*experiments.y_limits(rows))
