"""Escape from a strict saddle: distance and value over time, coupled sequences, and the probability of escape against mu.

The saddle is the hardest case of Lemma 1 of Gauss-PSGD, curvature sqrt(rho alpha), on random-phase cosines; step size, radius R, round
length Gamma and noise are those of (5) with s = C = 1. Half of psi^2 is sampling error on a sphere, half Gaussian noise.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

from figures.gauss_psgd import experiments
from figures.style import BLUE, GREY, INK, QUANTILES, RED, draw_bands, draw_error_bars, provenance_header, sample_quantiles, styled_figure
from synthetic.draws import FloatArray
from synthetic.estimate import Interval, proportion
from synthetic.sweeps.store import Store
from synthetic.sweeps.workers import Workers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAME = "psgd-escape"
CLAIMED = 1 / 8  # Corollary 1


@dataclass(frozen=True)
class Experiment:
    """Parameters of the experiment: log_factors are the values of mu; paths and pairs are drawn at `path_log_factor`, for two rounds."""

    d: int = 10
    accuracy: float = 0.25
    log_factors: tuple[float, ...] = (5, 6, 6.5, 7, 7.5, 8, 9, 10, 11, 12)
    replicates: int = 10_000
    path_log_factor: float = 9
    path_replicates: int = 1000
    points: int = 120
    seed: int = 0

    def __post_init__(self) -> None:
        """Convert the fields to Python numbers; raise ValueError unless counts and mu are positive and accuracy is in [0.003, 0.7]."""
        counts, numbers = "d replicates path_replicates points", "accuracy path_log_factor"
        experiments.check_experiment(self, positive_integer=counts, positive_array="log_factors", positive=numbers)
        if not 0.003 <= self.accuracy <= 0.7:
            raise ValueError(f"accuracy = {self.accuracy!r}: a number from 0.003 to 0.7 is needed, the square of a curvature")


PAPER = Experiment()
PREVIEW = Experiment(log_factors=(5, 7, 8, 9), replicates=400, path_log_factor=8, path_replicates=200)


@dataclass(frozen=True, eq=False)
class Record:
    """The data of the figure: quantiles (5, times) of paths and pairs, and the probability of escape for each mu.

    distance, drop, apart   quantiles, in the order of `QUANTILES`, of |x_t - saddle|, F(saddle) - F(x_t) and the distance of a pair

    linear    the same quantiles of |N(0, (2 eta r a(t))^2)|, the law of the linear part of the distance within a pair (Lemma 19)
    pairs_at_gamma   root mean square distance of the pairs at Gamma over 2 eta r a(Gamma): 1 by Lemma 19 if the curvature were constant
    shares    measured probability of escape for each mu;  gaussian: P(|N(0, eta^2 psi^2 a(Gamma)^2 / d)| >= R), the linear part at Gamma
    marks     the mu that equals the second entry of (6): as printed with log to base e, with log to base 2, and corrected
    """

    experiment: Experiment
    shown: experiments.HardestSaddle
    times: FloatArray
    distance: FloatArray
    drop: FloatArray
    apart: FloatArray
    linear: FloatArray
    pairs_at_gamma: Interval
    shares: tuple[Interval, ...]
    gaussian: FloatArray
    gaussian_mu: FloatArray
    marks: tuple[float, ...]


def data(e: Experiment, store: Store, *, workers: Workers = None, progress: experiments.Report = None) -> Record:
    """Run the cells that the store lacks; return quantiles of escape paths and coupled pairs, and the escape probability for each mu."""
    shown = experiments.hardest_saddle(d=e.d, accuracy=e.accuracy, log_factor=e.path_log_factor)
    times = np.unique([*np.linspace(1, 2 * shown.Gamma, e.points).astype(int), shown.Gamma])
    saddles = [experiments.hardest_saddle(d=e.d, accuracy=e.accuracy, log_factor=mu) for mu in e.log_factors]
    cells: dict[Any, list[Any]] = {
        saddle.log_factor: experiments.escape_cells(saddle, replicates=e.replicates, seed=experiments.child_seed(e.seed, 0, k))
        for k, saddle in enumerate(saddles)
    }
    cells["paths"] = experiments.path_cells(
        shown, times=times.tolist(), replicates=e.path_replicates, seed=experiments.child_seed(e.seed, 1)
    )
    found = experiments.compute_groups("escapes", cells, store, workers=workers, progress=progress)
    half_normal = np.array([NormalDist().inv_cdf((1 + q) / 2) for q in QUANTILES])
    apart = 2 * shown.eta * shown.sigma * experiments.noise_growth(shown.curvature, shown.eta, times)
    fine = np.linspace(min(e.log_factors) - 0.5, 13, 100)
    return Record(
        experiment=e,
        shown=shown,
        times=times.astype(float),
        distance=sample_quantiles(found["paths"]["distance"]),
        drop=sample_quantiles(found["paths"]["drop"]),
        apart=sample_quantiles(found["paths"]["apart"]),
        linear=half_normal[:, None] * apart,
        pairs_at_gamma=rms_interval(found["paths"]["apart"][:, times == shown.Gamma][:, 0] / apart[times == shown.Gamma]),
        shares=tuple(proportion(int(found[mu]["escaped"].sum()), e.replicates) for mu in e.log_factors),
        gaussian=np.array([escape_probability(e, mu) for mu in fine]),
        gaussian_mu=fine,
        marks=tuple(
            experiments.fixed_log_factor(d=e.d, accuracy=e.accuracy, version=version, base=base)
            for version, base in (("printed", "e"), ("printed", "2"), ("corrected", "e"))
        ),
    )


def rms_interval(z: FloatArray, coverage: float = 0.95) -> Interval:
    """Return the root mean square of centred normal values z (k,) with its chi-square interval."""
    total, tails = float(np.sum(z**2)), stats.chi2.ppf([(1 + coverage) / 2, (1 - coverage) / 2], len(z))
    return Interval(np.sqrt(total / len(z)), float(np.sqrt(total / tails[0])), float(np.sqrt(total / tails[1])), coverage)


def escape_probability(e: Experiment, log_factor: float) -> float:
    """Return the probability that the linear part along the escape direction, as a Gaussian, exceeds R at time Gamma, for one mu."""
    h = experiments.hardest_saddle(d=e.d, accuracy=e.accuracy, log_factor=log_factor)
    sd = h.eta * np.sqrt(h.sigma**2 + h.zeta**2 / e.d) * experiments.noise_growth(h.curvature, h.eta, np.array([float(h.Gamma)]))[0]
    return math.erfc(h.R / (math.sqrt(2) * float(sd)))


def table(record: Record) -> list[dict[str, Any]]:
    """Return the rows of the figure's CSV file: one for each time of each panel, one for each mu."""
    rows = []
    panels = {"distance": record.distance, "drop": record.drop, "apart": record.apart, "apart_linear": record.linear}
    for panel, values in panels.items():
        for k, t in enumerate(record.times):
            bands = {f"q{100 * q:.0f}": float(values[i, k]) for i, q in enumerate(QUANTILES)}
            rows.append({"panel": panel, "x": float(t), **bands, "value": "", "low": "", "high": ""})
    for mu, share in zip(record.experiment.log_factors, record.shares, strict=True):
        row: dict[str, Any] = {f"q{100 * q:.0f}": "" for q in QUANTILES}
        rows.append({"panel": "escaped", "x": mu, **row, "value": share.value, "low": share.low, "high": share.high})
    return rows


def provenance(record: Record) -> dict[str, Any]:
    """Return the provenance of psgd-escape by name: experiment, saddle, protocol, and the mu that equal their lower bound in (6)."""
    return provenance_header(NAME, record) | {
        "shown": asdict(record.shown),
        "protocol": "distance, drop = F(saddle) - F(x_t), apart = |x_t - x'_t|: quantiles over runs, or over coupled pairs (Def. 5); "
        "apart_linear: quantiles of |N(0, (2 eta r a(t))^2)|, Lemma 19; escaped: share of runs that reach R within Gamma, 95 % interval of "
        "Clopper and Pearson; one fresh set of runs for each mu",
        "pairs at Gamma: root mean square distance over 2 eta r a(Gamma)": asdict(record.pairs_at_gamma),
        "second entry of (6) equals mu at": dict(zip(("printed, ln", "printed, log2", "corrected"), record.marks, strict=True)),
        "parameters": "(5) with s = C = rho = M = 1, far below what the proof asks of s; psi^2 = sigma^2 + r^2 d in equal halves",
    }


def draw(record: Record) -> Figure:
    """Draw distance, drop and pair distance against time, and the escape probability against mu; return the figure."""
    h, e = record.shown, record.experiment
    title = (
        rf"Gauss-PSGD, escape from a saddle of curvature $\sqrt{{\rho\alpha}}$: random-phase cosines, $d = {e.d}$, "
        rf"$\alpha = {e.accuracy:g}$, (5) with $s = C = 1$; (a) to (c): $\mu = {h.log_factor:g}$, "
        rf"{e.path_replicates:,} runs; (d): {e.replicates:,} runs a point"
    )
    with styled_figure(9.6, 6.8, title, 2, 2) as (figure, axes):
        for ax in (axes[0, 0], axes[0, 1], axes[1, 0]):
            ax.axvline(h.Gamma, color=GREY, linestyle=":")
            ax.annotate(r"$\Gamma$", (h.Gamma, 0.02), xycoords=("data", "axes fraction"), xytext=(-10, 0), textcoords="offset points")
            ax.set_xlabel("step $t$")
        ax = axes[0, 0]
        draw_bands(ax, record.times, record.distance, "median")
        ax.axhline(h.R, color=RED, linestyle="--", label=rf"radius $\mathcal{{R}}$ = {h.R:.3g}")
        ax.set(yscale="log", title=r"(a) distance from the saddle, $\|x_t - \tilde x\|$")
        ax.legend(loc="lower right")
        ax = axes[0, 1]
        draw_bands(ax, record.times, record.drop, "median")
        ax.axhline(h.decrease, color=RED, linestyle="--", label=rf"$\Phi$ = {h.decrease:.2g} (Lemma 4)")
        ax.set_yscale("symlog", linthresh=h.decrease / 10)
        ax.set_ylim(-h.decrease / 20, 2 * record.drop[4].max())  # values below that of the saddle occur only in the first noisy steps
        ax.set_title(r"(b) drop of the value, $F(\tilde x) - F(x_t)$")
        ax.legend(loc="upper left")
        ax = axes[1, 0]
        draw_bands(ax, record.times, record.apart, "median of pairs")
        for i, style in ((0, ":"), (2, "--"), (4, ":")):
            label = {2: r"$|N(0, (2\eta r\,\mathfrak{a}(t))^2)|$: median", 0: "its 5 % and 95 %"}.get(i)
            ax.plot(record.times, record.linear[i], color=BLUE, linestyle=style, label=label)
        low, high, at = record.apart[0].min(), record.apart[4].max(), record.pairs_at_gamma
        words = r"at $\Gamma$: RMS over $2\eta r\,\mathfrak{a}$ is" + f"\n{at.value:.3f} [{at.low:.3f}, {at.high:.3f}]"
        ax.text(0.02, 0.98, words, transform=ax.transAxes, fontsize=7.5, va="top")
        ax.set(yscale="log", title=r"(c) coupled pairs: $\|x_t - x'_t\|$ and its linear part", ylim=(low / 3, high * 3))
        ax.legend(loc="lower right")
        _draw_probability(axes[1, 1], record)
    return figure


def _draw_probability(ax: Axes, record: Record) -> None:
    """Draw the measured and the Gaussian probability of escape against mu, with the claimed 1/8."""
    look: dict[str, Any] = {"color": INK, "marker": "o", "linestyle": "none"}
    draw_error_bars(ax, record.experiment.log_factors, record.shares, **look, label="measured, 95 %")
    ax.plot(record.gaussian_mu, record.gaussian, color=BLUE, label=r"Gaussian law of the linear part at $\Gamma$")
    ax.axhline(CLAIMED, color=RED, linestyle="--", label="1/8, claimed (Corollary 1)")
    words = ("printed, ln", r"printed, log$_2$", "corrected")
    for mark, word in zip(record.marks, words, strict=True):
        ax.axvline(mark, color=GREY, linestyle=":")
        ax.annotate(f"{word}: {mark:.1f}", (mark, 0.35), rotation=90, xytext=(3, 0), textcoords="offset points", va="center", fontsize=7.5)
    ax.set(xlabel=r"log factor $\mu$ (dotted: what the second entry of (6) asks for)", ylim=(-0.03, 1.03))
    ax.set_title(r"(d) probability of escape within $\Gamma$")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), ncol=2, columnspacing=1.0)
