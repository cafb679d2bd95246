"""Two figures of DP-ZOPO: the benefit of masks by the quality of their scores, and the accuracy of zeroth-order scores.

zopo-pruning   four strategies on noisy quadratics |x - truth|^2/2, with the same number of steps. The truth is sparse, spread over all
               coordinates, or sparse and moving from stage to stage. Scores are snr |truth_j| plus standard normal numbers, so that snr = 0
               is a random mask; step sizes are 1/(2 (k + 2)) for k coordinates.
zopo-scores    for a network, the overlap of the best coordinates by Algorithm 3's score with those by the exact SynFlow score, and of
               two draws of it, beside controls that use only the parameters of the network.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from figures import experiments
from figures.parts import DOTS, LOOKS, FigureSpec, Record, draw_points, mean_interval
from figures.style import GREY, set_x_ticks, styled_figure
from paper_checks.dp_zopo.tables import paper_tables
from synthetic.draws import FloatArray
from synthetic.methods.dp_zopo import DP_ZOPO
from synthetic.methods.scores import estimate_synflow_scores, synflow_scores
from synthetic.objectives.space import Space
from synthetic.objectives.stages import drifting_quadratics
from synthetic.runs.simulate import simulate
from synthetic.sweeps.store import Store
from synthetic.sweeps.sweep import Cell
from synthetic.sweeps.workers import Workers

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# --- zopo-pruning -----------------------------------------------------------------------------------------------------------------------
STRATEGIES = {  # rates of the stages over support/d; whether a mask is new (False), contains the last (True) or stays (None)
    "static": ((1.0, 1.0, 1.0), None),
    "dynamic, constant": ((1.0, 1.0, 1.0), False),
    "dynamic, rising": ((0.5, 1.0, 2.0), False),
    "incremental": ((0.5, 1.0, 2.0), True),
}
TRUTHS = {"sparse": "sparse", "spread": "spread over all coordinates", "moving": "sparse, half of it moves"}
KEPT_SCORE = 1e9  # score of a coordinate that stays in a mask


@dataclass(frozen=True)
class MaskExperiment:
    """Parameters of the experiment: support and dimension d, T steps in three doubling stages, noise sigma, snrs besides 0."""

    d: int = 1000
    support: int = 20
    T: int = 700
    sigma: float = 0.3
    snrs: tuple[float, ...] = (0.5, 1.0, 2.0, 3.0, 4.0, 6.0)
    replicates: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        """Convert the fields to Python numbers; raise ValueError unless they are positive and support is at most d/2."""
        experiments.check_experiment(self, positive_integer="d support T replicates", positive="sigma", positive_array="snrs")
        if self.d < 2 * self.support:
            raise ValueError(
                f"support = {self.support}: at most d/2 = {self.d / 2:g} is needed, masks have up to twice as many coordinates"
            )


def masks_cell(
    *, truth: str, strategy: str, snr: float, d: int, support: int, T: int, sigma: float, replicates: int, seed: int
) -> dict[str, np.ndarray]:
    """Run a pruning strategy; return the last gap over the first, and the share of |truth|^2 in the last mask, (replicates,) each.

    Strategy "all" tunes all coordinates. Each stage starts where the stage before has ended.
    """
    found: dict[str, list[float]] = {"gap": [], "caught": []}
    for r in range(replicates):
        child = experiments.child_seed(seed, r)
        rng, start, mask, first = np.random.default_rng(child), np.zeros(d), np.zeros(d, dtype=bool), 0.0
        moved = support // 2 if truth == "moving" else 0
        stages = drifting_quadratics("flat", d, 1, child, support=d if truth == "spread" else support, stages=3, moved=moved)
        scores = snr * np.abs(stages[0].optimum) + rng.standard_normal(d)
        for s, one in enumerate(stages):
            rates, keeps = STRATEGIES.get(strategy, ((d / support,) * 3, None))
            if s and keeps is not None:
                scores = snr * np.abs(one.optimum) + rng.standard_normal(d)
            given = np.where(mask, KEPT_SCORE, scores) if keeps else scores
            size = max(1, round(rates[s] * support))
            objective = drifting_quadratics(
                "flat", d, 1, child, support=d if truth == "spread" else support, stages=3, moved=moved, x0=start
            )[s]
            run: dict[str, Any] = {"alpha": 0.5 / (size + 2), "T": max(1, T * 2**s // 7), "stages": 1, "rates": size / d, "score": given}
            done = simulate(DP_ZOPO, objective, **run, C=1e12, sigma=sigma, seed=experiments.child_seed(child, s), threads=1)
            first = first or float(done.loss[0, 0])
            start, mask = done.x[0], np.asarray(done.kept)[0, 0] > 0
        best = stages[-1].optimum
        found["gap"].append(float(np.sum((start - best) ** 2)) / 2 / first)
        found["caught"].append(float(np.sum(best[mask] ** 2) / np.sum(best**2)))
    return {name: np.array(values) for name, values in found.items()}


def masks_data(e: MaskExperiment, store: Store, *, workers: Workers = None, progress: experiments.Report = None) -> Record:
    """Run the cells that the store lacks; return the final gap and the share of |truth|^2 in the last mask, by strategy and snr."""
    place = {"d": e.d, "support": e.support, "T": e.T, "sigma": e.sigma, "replicates": e.replicates}
    cells = {}
    for i, truth in enumerate(TRUTHS):
        for j, strategy in enumerate((*STRATEGIES, "all")):
            for k, snr in enumerate((0.0, *e.snrs) if strategy != "all" else (0.0,)):
                given = place | {"truth": truth, "strategy": strategy, "snr": snr, "seed": experiments.child_seed(e.seed, i, j, k)}
                label = f"{truth}, {strategy}, snr = {snr:g}"
                cells[truth, strategy, snr] = [Cell("figures.dp_zopo.pruning:masks_cell", given, float(e.replicates * e.T), label)]
    found = experiments.compute_groups("masks", cells, store, workers=workers, progress=progress)
    points = [
        {"truth": truth, "strategy": strategy, "snr": snr, "of": name, "value": mean_interval(found[truth, strategy, snr][name])}
        for truth, strategy, snr in cells
        for name in ("gap", "caught")
    ]
    return Record(e, tuple(points), {})


def draw_masks(record: Record) -> Figure:
    """Draw gaps of the strategies against the snr of the scores for three truths, and what the last mask catches; return the figure."""
    e = record.experiment
    title = rf"DP-ZOPO on $\|x - x^*\|^2/2$, $d = {e.d}$, {e.support} coordinates where it is sparse, three stages of {e.T} steps in all, "
    title += rf"$\sigma = {e.sigma:g}$: means of {e.replicates} runs with 95 %"
    with styled_figure(10.0, 7.4, title, 2, 2) as (figure, axes):
        for ax, (truth, words), letter in zip(axes.flat, TRUTHS.items(), "abc", strict=False):
            for strategy, look in zip(STRATEGIES, LOOKS, strict=False):
                rows = record.points_with(truth=truth, strategy=strategy, of="gap")
                draw_points(ax, rows, "snr", look, strategy, ([p["snr"] for p in rows], [p["value"].value for p in rows]))
            (whole,) = record.points_with(truth=truth, strategy="all", of="gap")
            ax.axhline(whole["value"].value, color=GREY, label="no mask, DP-ZOSO")
            ax.set(ylabel="last gap over the first", ylim=(0, None), title=f"({letter}) the truth is {words}")
        for strategy, look in zip(STRATEGIES, LOOKS, strict=False):
            rows = record.points_with(truth="moving", strategy=strategy, of="caught")
            draw_points(axes[1, 1], rows, "snr", look, strategy, ([p["snr"] for p in rows], [p["value"].value for p in rows]))
        axes[1, 1].axhline(
            e.support / e.d, color=GREY, linestyle=DOTS, label=f"random mask, {100 * e.support / e.d:g} % of the coordinates"
        )
        axes[1, 1].set(ylabel=r"share of $\|x^*\|^2$ in the last mask", ylim=(0, 1.05), title="(d) what the last mask catches in (c)")
        for ax in axes.flat:
            ax.set_xlabel("snr of the scores; at 0 the mask is random")
            ax.legend()
    return figure


MASK_PROVENANCE: dict[str, Any] = {
    "scores": "snr |truth_j| + N(0, 1), fresh in each stage but of the static strategy; an incremental mask contains the one before",
    "rates": {name: f"{rates} times support/d" for name, (rates, _) in STRATEGIES.items()},
    "steps": "1/(2 (k + 2)) with k coordinates tuned, stages of T/7, 2T/7 and 4T/7 steps, last iterates; nothing is clipped",
    "moving": "half of the support leaves it from stage to stage; the gap is that of the last stage",
    "intervals": "95 % t-intervals of means of independent runs, whose truths, scores, directions and noise differ",
}
FEWER_MASKS = MaskExperiment(d=200, support=10, snrs=(2.0, 6.0), replicates=10)
PRUNING = FigureSpec("zopo-pruning", MaskExperiment(), FEWER_MASKS, masks_data, draw_masks, MASK_PROVENANCE)


# --- zopo-scores ------------------------------------------------------------------------------------------------------------------------
RATES = (0.005, 0.01, 0.02, 0.04, 0.08)


@dataclass(frozen=True)
class ScoreExperiment:
    """Parameters of the experiment: networks of `layers` matrices (width, width), scores of P directions, masks of the best `rate`."""

    width: int = 60
    layers: int = 3
    several: tuple[int, ...] = (1, 4, 16, 64, 256, 1024, 4096, 16_384)
    rate: float = 0.01
    lam: float = 1e-3
    replicates: int = 12
    seed: int = 0

    def __post_init__(self) -> None:
        """Convert the fields to Python numbers; raise ValueError unless counts, rate and lam are positive."""
        experiments.check_experiment(self, positive_integer="width layers replicates", positive_integers="several", positive="rate lam")


def overlap(one: FloatArray, other: FloatArray, rate: float) -> float:
    """Return the share of the best coordinates by one score (d,) that are also among the best by the other; `rate` of d are best."""
    k = math.ceil(rate * len(one))
    best = [set(np.argsort(-scores, kind="stable")[:k]) for scores in (one, other)]
    return len(best[0] & best[1]) / k


def scores_cell(*, width: int, layers: int, several: list[int], rate: float, lam: float, seed: int) -> dict[str, np.ndarray]:
    """Return the overlaps of masks of one random network by name: with the exact mask, of two draws, and of controls.

    exact, again (1, numbers of directions)   with the exact mask; of two draws
    noise, size (1, 1)                        of the exact mask with those of noise times parameters and of |parameters|
    rates (1, RATES)                          of two draws of noise times parameters, at each rate
    """
    space, rng = Space(((width, width),) * layers), np.random.default_rng(seed)
    x = rng.standard_normal(space.d) / math.sqrt(width)
    exact, sums = synflow_scores(x, space), np.zeros((2, space.d))
    found: dict[str, list[float]] = {"exact": [], "again": []}
    for before, P in zip([0, *several], several, strict=False):  # each P adds directions to those of the one before
        for at in range(before, P, 512):
            for one in sums:
                v = rng.standard_normal((min(512, P - at), space.d))
                one += estimate_synflow_scores(x, space, v, lam) * len(v)
        found["exact"].append(overlap(exact, sums[0], rate))
        found["again"].append(overlap(sums[0], sums[1], rate))
    noise = rng.standard_normal((2, space.d)) * x
    found["noise"] = [overlap(exact, noise[0], rate)]
    found["size"] = [overlap(exact, np.abs(x), rate)]
    found["rates"] = [overlap(noise[0], noise[1], one) for one in RATES]
    return {name: np.array([values]) for name, values in found.items()}


def scores_data(e: ScoreExperiment, store: Store, *, workers: Workers = None, progress: experiments.Report = None) -> Record:
    """Run the cells that the store lacks; return the overlaps of zeroth-order masks with exact masks, of two draws, and of controls."""
    given = {"width": e.width, "layers": e.layers, "several": list(e.several), "rate": e.rate, "lam": e.lam}
    seeds = [experiments.child_seed(e.seed, k) for k in range(e.replicates)]
    cells = {
        "all": [Cell("figures.dp_zopo.pruning:scores_cell", given | {"seed": seed}, float(max(e.several)), "scores") for seed in seeds]
    }
    found, points = experiments.compute_groups("scores", cells, store, workers=workers, progress=progress)["all"], list[dict[str, Any]]()
    for name in ("exact", "again"):
        points += [{"panel": name, "P": P, "rate": e.rate, "value": mean_interval(found[name][:, k])} for k, P in enumerate(e.several)]
    points += [{"panel": name, "rate": e.rate, "value": mean_interval(found[name][:, 0])} for name in ("noise", "size")]
    points += [{"panel": "rates", "rate": rate, "value": mean_interval(found["rates"][:, k] / rate)} for k, rate in enumerate(RATES)]
    return Record(e, tuple(points), {})


def printed_overlaps() -> dict[float, list[float]]:
    """Return the printed overlaps of masks of neighbouring stages over chance, by the rate of the later stage (Table VI).

    Rows of the incremental strategy are left out.
    """
    found: dict[float, list[float]] = {}
    for rates, (cells,) in paper_tables()["VI"].rows.items():
        if not rates.endswith("*"):
            for rate, share in zip(rates.split("-")[1:], cells, strict=False):
                found.setdefault(float(rate) / 100, []).append(share / float(rate))
    return found


def draw_scores(record: Record) -> Figure:
    """Draw the overlaps of scores against P, and the overlaps of two stages: the control beside the printed values."""
    e = record.experiment
    title = rf"SynFlow scores of networks of {e.layers} matrices ${e.width} \times {e.width}$: means of {e.replicates} networks with 95 %"
    with styled_figure(9.6, 4.6, title, 1, 2) as (figure, (axes,)):
        words = {
            "exact": "with the best by exact scores",
            "again": "of two draws",
            "noise": "pure noise times the parameters",
            "size": "sizes",
        }
        for name, look in zip(("exact", "again"), LOOKS, strict=False):
            rows = record.points_with(panel=name)
            draw_points(axes[0], rows, "P", look, words[name], ([p["P"] for p in rows], [p["value"].value for p in rows]))
        for name, dash in (("size", "--"), ("noise", "-")):
            (row,) = record.points_with(panel=name)
            axes[0].axhline(row["value"].value, color=GREY, linestyle=dash, label=f"control: {words[name]} of the parameters, with exact"
                            if name == "size" else f"control: {words[name]}, with exact")  # fmt: skip
        axes[0].axhline(e.rate, color=GREY, linestyle=DOTS, label="chance")
        axes[0].set(xscale="log", ylim=(0, 1), xlabel="directions $P$ of the score", ylabel=f"overlap of the best {100 * e.rate:g} %",
                    title="(a) what Algorithm 3 sees")  # fmt: skip
        rows = record.points_with(panel="rates")
        draw_points(axes[1], rows, "rate", LOOKS[0], low=0.3, words="control: two draws of pure noise times the parameters")
        shown = [(rate, one) for rate, values in printed_overlaps().items() for one in values]
        axes[1].plot(
            *zip(*shown, strict=True),
            linestyle="none",
            marker="x",
            color=LOOKS[1][0],
            label="printed, Table VI: a mask with that of the stage before",
        )
        axes[1].axhline(1.0, color=GREY, linestyle=DOTS, label="chance")
        axes[1].set(
            xscale="log", xlabel="share of the parameters that is tuned", ylabel="overlap over chance", title="(b) masks of two stages"
        )
        set_x_ticks(axes[1], RATES, [f"{100 * rate:g} %" for rate in RATES])
        for ax in axes:
            ax.legend()
    return figure


SCORE_PROVENANCE = {
    "exact": "share of the best coordinates by the score of P directions that are among as many best by the exact score",
    "again": "the same of two scores of P directions each",
    "controls": "noise: independent standard normal numbers times the parameters in place of a score; size: |parameters|",
    "printed": "Table VI, stage 1 with 2 and 2 with 3, over the rate of the later stage",
    "intervals": "95 % t-intervals over independent networks",
}
FEWER_SCORES = ScoreExperiment(width=20, several=(1, 64, 1024), replicates=3)
SCORES = FigureSpec("zopo-scores", ScoreExperiment(), FEWER_SCORES, scores_data, draw_scores, SCORE_PROVENANCE)
