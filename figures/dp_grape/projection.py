"""Two figures of DP-GRAPE on synthetic matrices: the effect of noise on singular values, and of projections on one update.

grape-spectrum   singular values of a clipped and noised batch gradient, as in the paper's Figure 1, beside the theory of a low-rank
                 matrix in Gaussian noise of deviation sd per entry (Benaych-Georges and Nadakuditi 2012, J. Multivariate Anal. 111): the
                 bulk ends at sd (sqrt m + sqrt n); a direction of singular value s leaves it only where s > sd (m n)^(1/4).
grape-direction  cosine of one update with the gradient: noise before a projection (Algorithm 5) or after it (Algorithm 1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from figures import experiments
from figures.parts import DASHES, DOTS, LEGEND_BELOW, LOOKS, FigureSpec, Record, draw_points, mean_interval
from figures.style import GREY, styled_figure
from synthetic.draws import FloatArray
from synthetic.estimate import Interval
from synthetic.sweeps.store import Store
from synthetic.sweeps.sweep import Cell
from synthetic.sweeps.workers import Workers

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# --- a low-rank matrix in Gaussian noise ------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class NoisyLowRank:
    """Limits for a low-rank m x n matrix plus independent N(0, 1) noise: singular values and vectors for large m <= n, ratio = m/n.

    All lengths are in units of sqrt(n). The singular values of the noise form a bulk that ends at `edge`. A singular value theta of the
    matrix shows above the bulk only where theta is above `threshold`.
    """

    ratio: float
    edge = property(lambda self: 1 + math.sqrt(self.ratio))
    threshold = property(lambda self: self.ratio**0.25)

    def outlier_value(self, theta: FloatArray) -> FloatArray:
        """Return the singular value of the noisy matrix that belongs to each theta above the threshold."""
        return np.asarray(np.sqrt((1 + theta**2) * (self.ratio + theta**2)) / theta)

    def squared_cosines(self, theta: Any) -> tuple[FloatArray, FloatArray]:
        """Return the squared cosines of theta's left and right vectors with those of the noisy matrix; 0 below the threshold."""
        square, c = np.maximum(theta, self.threshold) ** 2, self.ratio
        return 1 - c * (1 + square) / (square * (square + c)), 1 - (c + square) / (square * (square + 1))

    def top(self, theta: float = 0.0) -> tuple[FloatArray, FloatArray]:
        """Return singular values y from the edge down, and for each y how much of theta's left vector lies above it.

        That is its squared length in the span of the left singular vectors of the noisy matrix with values above y; its density is
        m_1/(1 - theta^2 z m_1 m_2), with m_1 and m_2 the Stieltjes transforms of the squared singular values of the noise and of those
        of its transpose. For theta = 0 it is the fraction of all m singular values above y.
        """
        y, c = 1 + math.sqrt(self.ratio) * np.cos(np.linspace(0, np.pi, 5001)), self.ratio
        z = np.maximum(y, 1e-9) ** 2
        first = ((1 - c - z) + 1j * np.sqrt(np.maximum(4 * c - (z - 1 - c) ** 2, 0.0))) / (2 * c * z)
        inside = slice(1, -1)  # where theta is at the threshold the density is infinite at an end, but integrable
        density, first, z = np.zeros(len(y)), first[inside], z[inside]
        density[inside] = (first / (1 - theta**2 * (c * z * first**2 - (1 - c) * first))).imag * 2 * y[inside] / np.pi
        return y, np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2 * -np.diff(y))])

    def values(self, shares: FloatArray) -> FloatArray:
        """Return the quantiles of the singular values of the noise: the values above which the given shares of them lie."""
        y, above = self.top()
        return np.interp(shares, above, y)

    def captured_length(self, theta: float, share: float) -> float:
        """Return the squared length of theta's left vector in the span of its outlier and of the top `share` of the other left vectors."""
        return float(self.squared_cosines(theta)[0] + np.interp(share, self.top()[1], self.top(theta)[1]))


# --- grape-spectrum ---------------------------------------------------------------------------------------------------------------------
SETTINGS = {  # (C, noise multiplier): C = 0 clips nothing
    (0.0, 0.0): r"$C = \infty$, no noise",
    (1.0, 0.0): "$C = 1$, no noise",
    (1.0, 0.5): "$C = 1$, multiplier 0.5",
    (1.0, 2.0): "$C = 1$, multiplier 2",
    (0.1, 2.0): "$C = 0.1$, multiplier 2",
}
SPREAD, LOGSD = 2.0, 0.5


@dataclass(frozen=True)
class SpectrumExperiment:
    """Parameters of the experiment: batches of sample gradients rho_i (G + SPREAD u_i v_i'), and overlaps of one planted direction.

    u_i and v_i are uniform on spheres, log rho_i has the deviation LOGSD, G (m, m) has |G| = 1 and `rank` singular values like 1/j.
    Overlaps: matrices (low, long) with one singular value, `factors` times the threshold; `pairs` draws for each.
    """

    m: int = 768
    batch: int = 1000
    rank: int = 32
    shown: int = 64
    replicates: int = 5
    low: int = 128
    long: int = 512
    factors: tuple[float, ...] = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)
    pairs: int = 50
    seed: int = 0

    def __post_init__(self) -> None:
        """Convert the fields to Python numbers; raise ValueError unless they are positive, rank <= shown <= m and low <= long."""
        experiments.check_experiment(self, positive_integer="m batch rank shown replicates low long pairs", positive_array="factors")
        if not self.rank <= self.shown <= self.m or self.low > self.long:
            raise ValueError(f"rank = {self.rank}, shown = {self.shown}, low = {self.low}: rank <= shown <= m and low <= long are needed")

    @property
    def signal(self) -> FloatArray:
        """The nonzero singular values of the common gradient G, proportional to 1/j and of norm 1, (rank,)."""
        decay = 1 / np.arange(1, self.rank + 1)
        return np.asarray(decay / np.linalg.norm(decay))

    def predicted_values(self, C: float, multiplier: float, kept: float, square: float) -> tuple[FloatArray, float, float]:
        """Return the predicted singular values (shown,) of a noised mean gradient, the edge of the bulk and the threshold.

        kept, square   means of rho_i times the clipping factor, and of its square

        Sampling noise alone is not Gaussian: without privacy noise the bulk has no prediction, and its values are nan.
        """
        bulk, unit = NoisyLowRank(1.0), math.sqrt((multiplier * C / self.batch) ** 2 * self.m + square * SPREAD**2 / (self.batch * self.m))
        seen = kept * self.signal[kept * self.signal > unit * bulk.threshold] / unit
        noise = bulk.values((np.arange(self.shown - len(seen)) + 0.5) / (self.m - len(seen)))
        return (
            unit * np.concatenate([bulk.outlier_value(seen), noise if multiplier else np.nan * noise]),
            unit * bulk.edge,
            unit * bulk.threshold,
        )


def spectrum_cell(*, m: int, batch: int, signal: list[float], spread: float, logsd: float, shown: int, seed: int) -> dict[str, np.ndarray]:
    """Draw one batch; return for each setting the largest singular values (1, settings, shown), and `kept`, `square` (1, settings)."""
    rng, k = np.random.default_rng(seed), len(signal)
    u, v = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in rng.standard_normal((2, batch, m)))
    rho, noise = np.exp(logsd * rng.standard_normal(batch)), rng.standard_normal((m, m))
    lengths = rho * np.sqrt(np.sum(np.square(signal)) + spread**2 + 2 * spread * (u[:, :k] * v[:, :k]) @ np.array(signal))
    weights = [rho * np.minimum(1.0, C / lengths) if C else rho for C, _ in SETTINGS]
    means = [w.mean() * np.diag([*signal, *np.zeros(m - k)]) + spread * (u * w[:, None]).T @ v / batch for w in weights]
    noised = [one + C * multiplier / batch * noise for one, (C, multiplier) in zip(means, SETTINGS, strict=True)]
    values = [np.linalg.svd(one, compute_uv=False)[:shown] for one in noised]
    return {"values": np.array([values]), "kept": np.mean([weights], axis=2), "square": np.mean(np.square([weights]), axis=2)}


def overlap_cell(*, m: int, n: int, factor: float, replicates: int, seed: int) -> dict[str, np.ndarray]:
    """Plant one singular value in m x n noise; return the squared cosines of the first left and right vectors with it, (replicates,)."""
    noisy = np.random.default_rng(seed).standard_normal((replicates, m, n))
    noisy[:, 0, 0] += factor * (m * n) ** 0.25
    left, _, right = np.linalg.svd(noisy, full_matrices=False)
    return {"left": left[:, 0, 0] ** 2, "right": right[:, 0, 0] ** 2}


def spectrum_data(e: SpectrumExperiment, store: Store, *, workers: Workers = None, progress: experiments.Report = None) -> Record:
    """Return the figure's data: singular values of noisy gradients, overlaps with planted vectors, theory; runs what the store lacks."""
    task, other = (f"figures.dp_grape.projection:{name}_cell" for name in ("spectrum", "overlap"))
    shared = {"m": e.m, "batch": e.batch, "spread": SPREAD, "logsd": LOGSD, "shown": e.shown, "signal": e.signal.tolist()}
    seeds = [experiments.child_seed(e.seed, 0, k) for k in range(e.replicates)]
    cells: dict[Any, list[Cell]] = {"values": [Cell(task, shared | {"seed": seed}, e.pairs, "spectrum") for seed in seeds]}
    for k, factor in enumerate(e.factors):
        place = {"m": e.low, "n": e.long, "factor": factor, "replicates": e.pairs, "seed": experiments.child_seed(e.seed, 1, k)}
        cells[factor] = [Cell(other, place, e.pairs, f"overlap, {factor:g} x threshold")]
    found = experiments.compute_groups("spectrum", cells, store, workers=workers, progress=progress)
    points: list[dict[str, Any]] = []
    for i, (C, multiplier) in enumerate(SETTINGS):
        values, kept, square = (found["values"][name][:, i] for name in ("values", "kept", "square"))
        law, edge, threshold = e.predicted_values(C, multiplier, float(kept.mean()), float(square.mean()))
        setting = {"panel": "values", "C": C or math.inf, "multiplier": multiplier, "edge": edge, "threshold": threshold}
        points += [setting | {"index": j + 1, "value": mean_interval(values[:, j]), "law": float(law[j])} for j in range(e.shown)]
    bulk, fine = NoisyLowRank(e.low / e.long), np.linspace(min(e.factors), max(e.factors), 200)
    sides = dict(zip(("left", "right"), bulk.squared_cosines(bulk.threshold * np.array(e.factors)), strict=True))
    for side, laws in sides.items():
        at = dict(zip(e.factors, laws.tolist(), strict=True))
        points += [{"panel": side, "factor": factor, "value": mean_interval(found[factor][side]), "law": law} for factor, law in at.items()]
    return Record(
        e, tuple(points), {side: (fine, law) for side, law in zip(sides, bulk.squared_cosines(fine * bulk.threshold), strict=True)}
    )


def draw_spectrum(record: Record) -> Figure:
    """Draw the singular values of each setting, and the overlaps with the planted vectors; return the figure."""
    e = record.experiment
    title = rf"Mean gradient of {e.batch:,} samples in ${e.m} \times {e.m}$: rank {e.rank} and sampling noise, clipped to $C$; "
    title += rf"privacy noise multiplier $\cdot\, C/{e.batch}$: means with 95 %"
    with styled_figure(9.6, 4.8, title, 1, 2, width_ratios=(1.5, 1)) as (figure, (axes,)):
        edges = {"edge": {"linestyle": DASHES, "linewidth": 0.7}, "threshold": {"linestyle": DOTS, "linewidth": 1.0}}
        for ((C, multiplier), words), look in zip(SETTINGS.items(), LOOKS, strict=True):
            rows = record.points_with(panel="values", C=C or math.inf, multiplier=multiplier)
            draw_points(axes[0], rows, "index", look, words, law=([p["index"] for p in rows], [p["law"] for p in rows]))
            for name, line in edges.items() if multiplier else ():
                axes[0].axhline(rows[0][name], color=look[0], **line)
        axes[0].plot([], [], color=GREY, label="laws")
        axes[0].plot([], [], color=GREY, label=r"bulk edge $sd\,(\sqrt{m} + \sqrt{n})$", **edges["edge"])
        axes[0].plot([], [], color=GREY, label=r"threshold $sd\,(mn)^{1/4}$", **edges["threshold"])
        axes[0].set(yscale="log", xlabel="index", ylabel="singular value", title="(a) noise flattens the spectrum")
        for side, look in zip(record.laws, LOOKS[1:], strict=False):
            draw_points(
                axes[1], record.points_with(panel=side), "factor", look, f"{side} vector", record.laws[side], label=f"{side} vector, law"
            )
        axes[1].axvline(1.0, color=GREY, linestyle=":")
        axes[1].set(xlabel="singular value over threshold", ylabel="squared cosine with the planted vector", ylim=(-0.04, 1.04))
        axes[1].set_title(f"(b) what is left of one direction, {e.low} x {e.long}")
        for ax, columns in zip(axes, (3, 2), strict=True):
            ax.legend(**LEGEND_BELOW, ncol=columns)
    return figure


SPECTRUM_PROVENANCE = {
    "gradients": f"a common low-rank part and, {SPREAD:g} times as long, a rank-one part of each sample, as of a linear layer, scaled by a "
    f"log-normal number, deviation {LOGSD:g} of its logarithm: in place of the paper's, of a Vision Transformer and of OPT-1.3B",
    "noise": "deviation multiplier C/batch in each entry of the mean: the multiplier is the sigma of Algorithm 1; one draw for all",
    "law": "sampling and privacy noise together as Gaussian noise: where singular values leave the bulk, then quantiles of the bulk",
    "protocol": "means over independent batches in (a), matrices in (b), with 95 % t-intervals; C = inf clips nothing",
}
FEWER_SPECTRA = SpectrumExperiment(m=256, shown=48, replicates=3, pairs=20)
SPECTRUM = FigureSpec("grape-spectrum", SpectrumExperiment(), FEWER_SPECTRA, spectrum_data, draw_spectrum, SPECTRUM_PROVENANCE)


# --- grape-direction --------------------------------------------------------------------------------------------------------------------
UPDATES = {
    "sgd": "DP-SGD",
    "grape": "DP-GRAPE, noise after projecting",
    "earlier": "naive, subspace by SVD of an earlier step",
    "random": "naive, random subspace",
}


@dataclass(frozen=True)
class DirectionExperiment:
    """Parameters: an m x m gradient of norm 1 with `rank` equal singular values, noise of norm 1/snr, projections of `ranks`.

    Panel (a) shows the second of `ranks`.
    """

    m: int = 128
    rank: int = 4
    ranks: tuple[int, ...] = (4, 8, 32)
    snrs: tuple[float, ...] = (0.02, 0.03, 0.05, 0.08, 0.12, 0.2, 0.3, 0.5, 0.8, 1.2, 2.0, 4.0)
    replicates: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        """Convert the fields to Python numbers; raise ValueError unless they are positive, with two or more `ranks` in [rank, m)."""
        experiments.check_experiment(self, positive_integer="m rank replicates", positive_integers="ranks", positive_array="snrs")
        if not self.rank <= min(self.ranks) <= max(self.ranks) < self.m or len(self.ranks) < 2:
            raise ValueError(f"ranks = {self.ranks}: at least two numbers from rank = {self.rank} to below m = {self.m} are needed")

    def predicted_cosine(self, method: str, r: int, snr: float) -> float:
        """Return the predicted cosine of an update U with G, E <U, G> / sqrt(E |U|^2); with an SVD, the limit of large m at r/m.

        Method "gain" is the ratio of `grape` to `earlier`.
        """
        if method == "gain":
            return self.predicted_cosine("grape", r, snr) / self.predicted_cosine("earlier", r, snr)
        if method in ("sgd", "grape"):
            return 1 / math.sqrt((1.0 if method == "sgd" else (self.m + r + 1) / r) + snr**-2)
        theta, captured = snr * math.sqrt(self.m / self.rank), r / self.m
        if method == "earlier":
            captured = NoisyLowRank(1.0).captured_length(theta, captured)
        return captured / math.sqrt(captured + r / self.m * snr**-2)


def direction_cell(*, m: int, rank: int, ranks: list[int], snr: float, replicates: int, seed: int) -> dict[str, np.ndarray]:
    """Draw one update of each method; return its cosines with the gradient G by method, (replicates, ranks).

    All draws are invariant to rotations, so G is diagonal without loss. DP-GRAPE has noise of the same deviation, on r x m.
    """
    rng, sd, found = np.random.default_rng(seed), 1 / (snr * m), {name: np.empty((replicates, len(ranks))) for name in UPDATES}
    G = np.diag([1 / math.sqrt(rank)] * rank + [0.0] * (m - rank))
    for i in range(replicates):
        noisy, before = G + sd * rng.standard_normal((2, m, m))
        left = np.linalg.svd(before)[0]
        for j, r in enumerate(ranks):
            P, Q = rng.standard_normal((m, r)) / math.sqrt(r), np.linalg.qr(rng.standard_normal((m, r)))[0]
            updates = {"sgd": noisy, "grape": P @ (P.T @ G + sd * rng.standard_normal((r, m)))}
            updates |= {"random": Q @ (Q.T @ noisy), "earlier": left[:, :r] @ (left[:, :r].T @ noisy)}
            for name, U in updates.items():
                found[name][i, j] = np.sum(U * G) / np.linalg.norm(U)
    return found


def direction_data(e: DirectionExperiment, store: Store, *, workers: Workers = None, progress: experiments.Report = None) -> Record:
    """Run the cells that the store lacks; return the cosine of each method's update with the gradient by r and snr, beside theory."""
    place = {"m": e.m, "rank": e.rank, "ranks": list(e.ranks), "replicates": e.replicates}
    task = "figures.dp_grape.projection:direction_cell"
    seeds = {snr: experiments.child_seed(e.seed, k) for k, snr in enumerate(e.snrs)}
    cells = {snr: [Cell(task, place | {"snr": snr, "seed": seed}, 1.0, f"snr = {snr:g}")] for snr, seed in seeds.items()}
    found, points = experiments.compute_groups("direction", cells, store, workers=workers, progress=progress), []
    fine, laws = np.geomspace(min(e.snrs), max(e.snrs), 60), dict[Any, Any]()
    for j, r in enumerate(e.ranks):
        laws |= {(name, r): (fine, np.array([e.predicted_cosine(name, r, float(snr)) for snr in fine])) for name in (*UPDATES, "gain")}
        for snr in e.snrs:
            measured = {name: mean_interval(found[snr][name][:, j]) for name in UPDATES}
            measured["gain"] = ratio_of_means(found[snr]["grape"][:, j], found[snr]["earlier"][:, j])
            points += [
                {"of": of, "m": e.m, "r": r, "snr": snr, "value": v, "law": e.predicted_cosine(of, r, snr)} for of, v in measured.items()
            ]
    return Record(e, tuple(points), laws)


def ratio_of_means(a: FloatArray, b: FloatArray) -> Interval:
    """Return the ratio R of the means of pairs (a_i, b_i), with a 95 % interval to first order, that of mean (a_i - R b_i)/mean(b)."""
    value = float(a.mean() / b.mean())
    off = mean_interval((a - value * b) / b.mean())
    return Interval(value, value + off.low - off.value, value + off.high - off.value, off.coverage)


def crossing_snr(record: Record) -> dict[int, float]:
    """Return by r the least snr at which the naive method with an SVD has a larger predicted cosine than DP-GRAPE; nan for none."""
    curves = {r: record.laws["gain", r] for r in record.experiment.ranks}
    return {r: float(snr[np.argmax(gain < 1)]) if np.any(gain < 1) else math.nan for r, (snr, gain) in curves.items()}


def crossing_summary(record: Record) -> dict[str, Any]:
    """Return the entry of the provenance with the snr at which the naive method overtakes DP-GRAPE, by r."""
    return {"naive with SVD overtakes at snr": {f"r = {r}": snr for r, snr in crossing_snr(record).items()}}


def draw_direction(record: Record) -> Figure:
    """Draw the cosines of all methods at one r, and the ratio of DP-GRAPE to the naive method for each r; return the figure."""
    e, r = record.experiment, record.experiment.ranks[1]
    title = rf"One update for a gradient $G$ of rank {e.rank} in ${e.m} \times {e.m}$, $\|G\| = 1$, noise of length $1/\mathrm{{snr}}$: "
    with styled_figure(9.6, 4.8, title + f"means of {e.replicates} draws with 95 %, and laws", 1, 2) as (figure, (axes,)):
        for (name, words), look in zip(UPDATES.items(), LOOKS, strict=False):
            draw_points(axes[0], record.points_with(of=name, r=r), "snr", look, words, record.laws[name, r], low=0.3)
        axes[0].axvline(crossing_snr(record)[r], color=GREY, linestyle=":", label="naive with SVD overtakes DP-GRAPE")
        axes[0].set(ylabel="cosine of the update with $G$", title=f"(a) $r/m$ = {r}/{e.m}")
        for k, look in zip(e.ranks, LOOKS, strict=False):
            draw_points(axes[1], record.points_with(of="gain", r=k), "snr", look, f"$r/m$ = {k}/{e.m}", record.laws["gain", k], low=0.3)
            axes[1].axhline(math.sqrt(e.m / k), color=look[0], linestyle=DOTS, linewidth=1.0)
        axes[1].axhline(1.0, color=GREY, linewidth=0.8)
        axes[1].plot([], [], color=GREY, linestyle=DOTS, label=r"$\sqrt{m/r}$")
        axes[1].set(ylabel="cosine of DP-GRAPE over naive with SVD", title="(b) above 1: noise after projecting is better")
        for ax in axes:
            ax.set(xscale="log", yscale="log", xlabel="snr, length of $G$ over that of the noise")
            ax.legend(**LEGEND_BELOW, ncol=2)
    return figure


DIRECTION_PROVENANCE = {
    "methods": "sgd: G + N; grape: P (P'G + Z), P ~ N(0, 1/r), Z with the deviation of N on r x m; random: QQ'(G + N), Q uniform with "
    "orthonormal columns; earlier: Q the first r left singular vectors of G + N', N' independent of N, G still the same",
    "law": "mean of <U, G> over the root of the mean of |U|^2; of `earlier` for m -> infinity, off by a fifth near the threshold",
    "protocol": "means over independent draws with 95 % t-intervals; gain: ratio of the means of grape and earlier, to first order",
}
FEWER_DIRECTIONS = DirectionExperiment(snrs=(0.03, 0.1, 0.3, 1.0), replicates=30)
DIRECTION = FigureSpec(
    "grape-direction", DirectionExperiment(), FEWER_DIRECTIONS, direction_data, draw_direction, DIRECTION_PROVENANCE, crossing_summary
)
