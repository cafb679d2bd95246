"""The effect of stages, simulated with the kernels of DP-ZOSO: figure zopo-stages.

(a) The gap after each stage on a ball where every hypothesis of Theorem 2 holds (d = 1, 30 % of the slopes 1 and 70 % -3/7, a quadratic of
    curvature kappa on [-1, 1]), with the printed step sizes, stage lengths and lambda, without noise.
(b) The final gap for each clipping threshold, beside the gap where the mean of the clipped slopes vanishes: on average over directions, a
    slope g becomes g erf(C/(sqrt 2 |g|)).
(c) Stages against constant steps on |x|^2/2 with noise, with the same total number of steps, by output: last iterate, mean of all
    iterates, mean of the last ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import brentq

from figures import experiments, parts
from figures.parts import LOOKS, Record, draw_points, mean_interval
from figures.style import GREY, INK, provenance_header, set_x_ticks, styled_figure
from synthetic.methods.dp_zopo import DP_ZOO, DP_ZOSO
from synthetic.objectives.stages import ball_quadratic
from synthetic.runs.simulate import simulate
from synthetic.sweeps.store import Store
from synthetic.sweeps.sweep import Cell
from synthetic.sweeps.workers import Workers

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAME, table = "zopo-stages", parts.table
KAPPA, SHARE, L, M, STEP = 0.1, 0.3, 1.1, 64, 1.2837222  # eta_s/alpha_s as printed, at C^2 = 2 L^2, m = 64, P = 1, beta = 0.04
LAMBDA, BETA, ALPHA_0 = 3.5 / (KAPPA / 4), 0.04, 0.05
SETTINGS = {  # step sizes and lengths of the stages, output, share of the iterates that a "suffix" averages
    "stages, last": ((0.008, 0.004, 0.002), (1000, 2000, 4000), "last", 1.0),
    "stages, means": ((0.008, 0.004, 0.002), (1000, 2000, 4000), "average", 1.0),
    "0.004, last": ((0.004,), (7000,), "last", 1.0),
    "0.002, last": ((0.002,), (7000,), "last", 1.0),
    "0.004, mean of all": ((0.004,), (7000,), "average", 1.0),
    "0.002, mean of all": ((0.002,), (7000,), "average", 1.0),
    "0.004, mean of the last 4000": ((0.004,), (7000,), "suffix", 4 / 7),
    "0.002, mean of the last 4000": ((0.002,), (7000,), "suffix", 4 / 7),
}


@dataclass(frozen=True)
class Experiment:
    """Parameters of the experiment: (a), (b) `stages` stages for each ratio C/L; (c) dimension d, with |x_0| = 5 and noise sigma = 1."""

    stages: int = 6
    ratios: tuple[float, ...] = (1.0, math.sqrt(2), 2.0, 2.5, 3.0, 7.3 / L)
    replicates: int = 16
    d: int = 50
    steps_replicates: int = 200
    seed: int = 0

    def __post_init__(self) -> None:
        """Convert the fields to Python numbers; raise ValueError unless the counts and the ratios C/L are positive."""
        experiments.check_experiment(self, positive_integer="stages replicates d steps_replicates", positive_array="ratios")


PAPER = Experiment()
PREVIEW = Experiment(stages=3, ratios=(math.sqrt(2), 7.3 / L), replicates=4, steps_replicates=20)


def stages_cell(*, C: float, stages: int, replicates: int, seed: int) -> dict[str, np.ndarray]:
    """Run DP-ZOSO at threshold C in panels (a), (b); return the gap after each stage, (replicates, stages).

    The batch is all ten samples: the mean of its slopes is that of m = 64.
    """
    objective = ball_quadratic(np.array([KAPPA]), 1, 10, 0, radius=1.0, spread=math.sqrt(SHARE / (1 - SHARE)), slopes="two")
    first = round(LAMBDA / (ALPHA_0 / 2 * STEP))
    run: dict[str, Any] = {"alpha": ALPHA_0 / 2 * STEP, "T": first * (2**stages - 1), "stages": stages, "lam": BETA, "anchor": LAMBDA}
    run |= {"C": C, "sigma": 0.0, "regulariser": "proximal", "radius": 1.0, "output": "average", "replicates": replicates, "seed": seed}
    return {"gap": np.asarray(simulate(DP_ZOSO, objective, threads=1, **run).stage_loss)}


def unclipped_gap_cell(
    *, d: int, alphas: list[float], lengths: list[int], output: str, tail: float, replicates: int, seed: int
) -> dict[str, np.ndarray]:
    """Run stages, or constant steps, on |x|^2/2 without clipping; return the gap of the output, (replicates,)."""
    objective = ball_quadratic("flat", d, 2, 0, radius=5.0)
    run: dict[str, Any] = {"C": 1e12, "sigma": 1.0, "output": output, "tail": tail, "replicates": replicates, "seed": seed, "threads": 1}
    if len(alphas) > 1:
        found = simulate(DP_ZOSO, objective, alpha=tuple(alphas), T=tuple(lengths), stages=len(alphas), **run)
    else:
        found = simulate(DP_ZOO, objective, alpha=alphas[0], T=lengths[0], **run)
    return {"gap": np.sum(found.x**2, axis=1) / 2}


def stalled_gap(C: float) -> float:
    """Return the gap at the point of [0, 1] where the mean of the slopes clipped at C is 0, or at 1 where it stays negative."""

    def clipped(x: float) -> float:
        slopes = ((SHARE, 1 + KAPPA * x), (1 - SHARE, KAPPA * x - SHARE / (1 - SHARE)))
        return sum(share * g * math.erf(C / (math.sqrt(2) * abs(g))) for share, g in slopes)

    return KAPPA / 2 * (float(brentq(clipped, 0.0, 1.0, xtol=1e-15)) if clipped(1.0) > 0 else 1.0) ** 2


def data(e: Experiment, store: Store, *, workers: Workers = None, progress: experiments.Report = None) -> Record:
    """Run the cells that the store lacks; return the gap after each stage by C/L, and the final gaps of stages and of constant steps."""
    cells, task = dict[Any, list[Cell]](), "figures.dp_zopo.stages:"
    for k, ratio in enumerate(e.ratios):
        given: dict[str, Any] = {
            "C": ratio * L,
            "stages": e.stages,
            "replicates": e.replicates,
            "seed": experiments.child_seed(e.seed, 0, k),
        }
        cells["stages", ratio] = [Cell(task + "stages_cell", given, e.replicates * 4e3 * 2**e.stages, f"C = {ratio:g} L")]
    for k, (name, (alphas, lengths, output, tail)) in enumerate(SETTINGS.items()):
        given = {"d": e.d, "alphas": list(alphas), "lengths": list(lengths), "output": output, "tail": tail}
        given |= {"replicates": e.steps_replicates, "seed": experiments.child_seed(e.seed, 1, k)}
        cells["steps", name] = [Cell(task + "unclipped_gap_cell", given, e.steps_replicates * 7e3 * e.d / 10, name)]
    found, points = experiments.compute_groups("stages", cells, store, workers=workers, progress=progress), list[dict[str, Any]]()
    for ratio in e.ratios:
        gaps = found["stages", ratio]["gap"]
        points += [
            {"panel": "stages", "C_over_L": ratio, "stage": s + 1, "alpha_s": ALPHA_0 / 2 ** (s + 1)}
            | {"stalled": stalled_gap(ratio * L), "value": mean_interval(gaps[:, s])}
            for s in range(e.stages)
        ]  # fmt: skip
    points += [{"panel": "steps", "setting": name, "value": mean_interval(found["steps", name]["gap"])} for name in SETTINGS]
    fine = np.linspace(min(e.ratios), max(e.ratios), 200)
    return Record(e, tuple(points), {"stalled": (fine, np.array([stalled_gap(ratio * L) for ratio in fine]))})


def provenance(record: Record) -> dict[str, Any]:
    """Return the provenance of zopo-stages by name: experiment, constants and step sizes of the stages, meaning of the intervals."""
    constants = {"kappa": KAPPA, "L": L, "m": M, "eta_s/alpha_s": STEP, "lambda": LAMBDA, "beta": BETA, "alpha_0": ALPHA_0}
    return provenance_header(NAME, record) | {
        "stages": constants | {"noise": "none", "output": "mean of the iterates of a stage, proximal steps, projected on [-1, 1]"},
        "stalled": "gap where the mean of g erf(C/(sqrt 2 |g|)) over the samples is 0",
        "steps": {name: f"step sizes {setting[0]}, lengths {setting[1]}" for name, setting in SETTINGS.items()},
        "intervals": "95 % t-intervals of means of independent runs",
    }


def draw(record: Record) -> Figure:
    """Draw the gaps by stage, by threshold C/L, and by output of the run; return the figure."""
    e = record.experiment
    title = r"DP-ZOSO: (a), (b) without noise where every hypothesis of Theorem 2 holds; (c) $|x|^2/2$, "
    title += rf"$d = {e.d}$, $|x_0| = 5$, noise 1 along each direction, 7000 steps, {e.steps_replicates} runs; means with 95 %"
    with styled_figure(12.4, 4.4, title, 1, 3, width_ratios=(1.1, 1, 1.1)) as (figure, (axes,)):
        shown = [ratio for ratio in e.ratios if ratio in (math.sqrt(2), 2.5, 7.3 / L)]
        for ratio, drawn in zip(shown, LOOKS, strict=False):
            rows = [p for p in record.points_with(panel="stages", C_over_L=ratio) if p["value"].value > 1e-7]
            words = r"\sqrt{2}" if ratio == math.sqrt(2) else f"{ratio:.3g}"
            draw_points(axes[0], rows, "stage", drawn, f"run, $C = {words}L$", low=0.1)
        stages = range(1, e.stages + 1)
        axes[0].plot(stages, [ALPHA_0 / 2**s for s in stages], color=GREY, linestyle="--", label=r"$\alpha_s$, which is claimed")
        axes[0].set(yscale="log", xlabel="stage", ylabel=r"$F - F^*$ of what it hands on", title="(a) with the printed $C$ the gap stalls")
        last = [p for p in record.points_with(panel="stages", stage=e.stages) if p["value"].value > 1e-7]
        draw_points(axes[1], last, "C_over_L", LOOKS[0], f"run, after stage {e.stages}", low=0.1)
        axes[1].plot(*record.laws["stalled"], color=GREY, label="where the clipped mean slope is 0")
        axes[1].axvline(math.sqrt(2), color=GREY, linestyle=":", label=r"as printed, $\sqrt{2}$")
        axes[1].axhline(ALPHA_0 / 2**e.stages, color=GREY, linestyle="--", label=rf"$\alpha_S$, $S = {e.stages}$")
        axes[1].set(yscale="log", ylim=(1e-7, 0.1), xlabel="$C/L$", ylabel="$F - F^*$", title="(b) what the bias of the clip leaves")
        rows = record.points_with(panel="steps")[::-1]
        for k, p in enumerate(rows):
            v = p["value"]
            staged = p["setting"].startswith("stages")
            look: dict[str, Any] = {"color": INK, "marker": "s" if staged else "o", "markerfacecolor": INK if staged else "white"}
            axes[2].errorbar([v.value], [k], xerr=[[v.value - max(v.low, 1e-9)], [v.high - v.value]], linestyle="none", capsize=2.5, **look)
        axes[2].set(xscale="log", xlabel="$F - F^*$ at the end", title="(c) the gain is the start left out")
        axes[2].set_xlim(0.004, 0.12)
        set_x_ticks(axes[2], [0.005, 0.01, 0.02, 0.05, 0.1])
        axes[2].set_yticks(range(len(rows)), [p["setting"] for p in rows])
        for ax in axes[:2]:
            ax.legend()
    return figure
