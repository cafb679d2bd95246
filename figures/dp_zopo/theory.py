"""Two figures of DP-ZOPO: Lemma 4 and Theorem 2 as printed, beside simulation and the corrected statements.

zopo-lemma4   mean squared error of the gradient estimate of one zeroth-order step without noise: about the gradient of F, and in panel
              (d) about the mean of the estimate. Simulated: it depends neither on beta nor, where samples agree, on the batch; it grows
              as L^2, and the clipping bias is its floor. Printed: it falls as 1/(P m), and grows as L^4 and beta^2.
zopo-floor    iterates of the printed definition of the number of steps, which refers to itself: they converge where alpha is at least
              alpha_priv, a floor that the paper does not state; and that floor against n.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import bounds
from figures import experiments
from figures.parts import DOTS, LOOKS, FigureSpec, Record, draw_points, mean_interval
from figures.style import BLUE, GREEN, GREY, INK, RED, styled_figure
from synthetic import validate
from synthetic.methods.dp_zopo import DP_ZOO
from synthetic.objectives.stages import linear_slopes
from synthetic.objectives.sums import pseudo_huber
from synthetic.runs.simulate import simulate
from synthetic.sweeps.store import Store
from synthetic.sweeps.sweep import Cell
from synthetic.sweeps.workers import Workers

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NEARLY_0 = 1e-9  # stands for 0: the theorems take positive noise ratios and spreads only
VANISHING = {"n": 1e9, "T": 1.0, "epsilon": 1.0, "delta": 0.5, "c_noise": 1e-3, "sample_spread": NEARLY_0}  # noise of Lemma 4
ROOT_2 = math.sqrt(2)


# --- zopo-lemma4 ------------------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class ErrorExperiment:
    """Parameters of the experiment: one step on a linear loss, and on sqrt(1 + |x|^2) at |x| = 2, both L-Lipschitz.

    All samples are equal, C = sqrt(2) L as in the proof, no noise. `batches` with P in `several`; P in `many` at m = `batch`.
    """

    d: int = 20
    batches: tuple[int, ...] = (1, 2, 4, 8, 16, 32, 64)
    several: tuple[int, ...] = (1, 4, 16)
    batch: int = 64
    many: tuple[int, ...] = (1, 10, 100, 1000, 10_000)
    slopes: tuple[float, ...] = (0.01, 0.1, 1.0, 10.0, 100.0)
    radii: tuple[float, ...] = (0.001, 0.01, 0.1, 1.0, 10.0)
    replicates: int = 2000
    seed: int = 0

    def __post_init__(self) -> None:
        """Convert the fields to Python numbers; raise ValueError unless counts, batches, slopes L and radii beta are positive."""
        experiments.check_experiment(
            self, positive_integer="d batch replicates", positive_integers="batches several many", positive_array="slopes radii"
        )

    def point_settings(self) -> list[dict[str, Any]]:
        """Return the settings of each point: panel, m, P, L, beta, loss, replicates; by default m = batch, P = 1, L = 1, beta = 1e-6."""
        usual: dict[str, Any] = {"m": self.batch, "P": 1, "L": 1.0, "beta": 1e-6, "loss": "linear", "replicates": self.replicates}
        found = [{"panel": "batch", "m": m, "P": P} for P in self.several for m in self.batches]
        found += [{"panel": "directions", "P": P, "replicates": max(10, self.replicates // P)} for P in self.many]
        found += [{"panel": "slope", "L": L, "beta": 0.1} for L in self.slopes]
        found += [{"panel": "radius", "beta": beta, "loss": "root"} for beta in self.radii]
        return [usual | one for one in found]


def error_cell(*, loss: str, d: int, m: int, P: int, L: float, beta: float, replicates: int, seed: int) -> dict[str, np.ndarray]:
    """Run one step of DP-ZOO with step size 1 and no noise; return the squared errors of the gradient estimate, (replicates,).

    Loss "linear": |estimate - grad F|^2. Loss "root", which is not clipped: |estimate - mean of the estimates|^2, the spread about the
    gradient of the smoothed loss, not the error about grad F.
    """
    if loss == "linear":
        objective, C = linear_slopes("flat", d, m, seed, slopes="equal", steep=L), ROOT_2 * L
    else:
        data = pseudo_huber("flat", d, 1, seed).data[0]
        objective, C = pseudo_huber("flat", d, 1, seed, x0=data + np.eye(d)[0] * 2), 1e12
    run: dict[str, Any] = {"alpha": 1.0, "T": 1, "C": C, "sigma": 0.0, "P": P, "lam": beta, "replicates": replicates, "seed": seed}
    estimate = objective.x0 - simulate(DP_ZOO, objective, threads=1, **run).x
    gradient = objective.value_and_gradient(objective.x0)[1] if loss == "linear" else estimate.mean(axis=0)
    return {"error": np.sum((estimate - gradient) ** 2, axis=1)}


def error_data(e: ErrorExperiment, store: Store, *, workers: Workers = None, progress: experiments.Report = None) -> Record:
    """Run the cells that the store lacks; return the error of one DP-ZOO step, beside Lemma 4's bound as printed and corrected."""
    places, cells = e.point_settings(), dict[Any, list[Cell]]()
    for k, place in enumerate(places):
        given = {name: value for name, value in place.items() if name != "panel"} | {"d": e.d, "seed": experiments.child_seed(e.seed, k)}
        label = f"{place['panel']}, m = {place['m']}, P = {place['P']}"
        cells[k] = [Cell("figures.dp_zopo.theory:error_cell", given, float(place["replicates"] * place["m"] * place["P"]), label)]
    found = experiments.compute_groups("lemma4", cells, store, workers=workers, progress=progress)
    points = [place | {"printed": printed_error(e.d, place), "true": corrected_error(e.d, place), "value": mean_interval(found[k]["error"])}
              for k, place in enumerate(places)]  # fmt: skip
    return Record(e, tuple(points), {})


def printed_error(d: int, place: dict[str, Any]) -> float:
    """Return Lemma 4's printed bound on the squared error at one setting, with no privacy noise; for loss "root" only its term (27)."""
    theorem = bounds.THEOREMS["dp_zopo.lemma4"]
    at = {"d": d, "L": place["L"], "C": ROOT_2 * place["L"], "directions": place["P"], "minibatch": place["m"], "stage_lam": place["beta"]}
    if place["loss"] == "root":
        return 64 * d * place["beta"] ** 2 * place["L"] ** 4
    return theorem.evaluate(**at, **VANISHING).bound


def corrected_error(d: int, place: dict[str, Any]) -> float:
    """Return the corrected bound at the settings of a point."""
    if place["loss"] == "root":
        return bounds.THEOREMS["dp_zopo.corrected_moments"].evaluate(d=d, L=place["L"], C=1.0).bound
    theorem = bounds.THEOREMS["dp_zopo.corrected_gradient_error"]
    at = {"d": d, "L": place["L"], "C": ROOT_2 * place["L"], "directions": place["P"], "minibatch": place["m"], "n": 1e9}
    return theorem.evaluate(**at, sample_spread=NEARLY_0, noise_ratio=NEARLY_0).parts["sharp"]


def draw_error(record: Record) -> Figure:
    """Draw the errors against batch, directions, L and beta, with the printed and the corrected bounds; return the figure."""
    e = record.experiment
    title = rf"$E\|\nabla F - \nabla\hat f\|^2$ of one step, $d = {e.d}$, identical samples, $C = \sqrt{{2}}L$, no noise: "
    title += f"means of {e.replicates} steps with 95 %; dashed: as printed, dotted: what holds"
    with styled_figure(9.6, 7.4, title, 2, 2) as (figure, axes):
        panels = {
            "batch": ("m", axes[0, 0], "samples of a batch $m$", "(a) one batch shares its directions: $m$ does not help"),
            "directions": ("P", axes[0, 1], "directions $P$", rf"(b) the bias of clipping stays, $m = {e.batch}$"),
            "slope": ("L", axes[1, 0], "Lipschitz constant $L$", rf"(c) $L^2$, not $L^4$, $m = {e.batch}$, $P = 1$, $\beta = 0.1$"),
            "radius": ("beta", axes[1, 1], r"smoothing radius $\beta$", r"(d) $\sqrt{1 + \|x\|^2}$, unclipped: $\beta$ does not help"),
        }  # fmt: skip
        for name, (x, ax, label, words) in panels.items():
            groups = e.several if name == "batch" else (1,)
            for P, look in zip(groups, LOOKS, strict=False):
                rows = [p for p in record.points_with(panel=name) if p["P"] == P or name != "batch"]
                at, color = [p[x] for p in rows], look[0]
                draw_points(ax, rows, x, look, f"$P = {P}$" if name == "batch" else "run")
                ax.plot(at, [p["printed"] for p in rows], color=color, linestyle="--", linewidth=1.0)
                ax.plot(at, [p["true"] for p in rows], color=color, linestyle=DOTS, linewidth=1.2)
            ax.plot([], [], color=GREY, linestyle="--", label="(27), as printed" if name == "radius" else "Lemma 4, as printed")
            ax.plot([], [], color=GREY, linestyle=DOTS, label="what holds")
            ax.set(xscale="log", yscale="log", xlabel=label, title=words, ylabel="mean squared error")
        bias = math.erfc(1.0) ** 2
        axes[0, 1].axhline(bias, color=RED, linewidth=0.8, label=rf"$\|$bias$\|^2 = \mathrm{{erfc}}(1)^2 = {bias:.4f}$")
        for ax in axes.flat:
            ax.legend()
    return figure


ERROR_PROVENANCE = {
    "step": "one step of length 1 of the kernel of DP-ZOO, sigma = 0: x_0 - x_1 is the estimate; panel radius clips nothing, and takes the "
    "mean of the runs for the gradient of the smoothed loss",
    "printed": "Lemma 4 at sigma -> 0 and gamma -> 0, or of panel radius the right side of (27), 64 d beta^2 L^4",
    "true": "corrected_gradient_error, its sharper form; of panel radius E g^2 |v|^2 <= L^2 (d + 2 sqrt d)",
    "intervals": "95 % t-intervals of means of independent runs",
}
FEWER_ERRORS = ErrorExperiment(batches=(1, 8, 64), many=(1, 100), slopes=(0.1, 10.0), radii=(0.01, 1.0), replicates=300)
LEMMA_4 = FigureSpec("zopo-lemma4", ErrorExperiment(), FEWER_ERRORS, error_data, draw_error, ERROR_PROVENANCE)


# --- zopo-floor -------------------------------------------------------------------------------------------------------------------------
PAPERS_OWN: dict[str, float] = {"d": 3.55e8, "n": 1024, "epsilon": 4.0, "delta": 1 / 1024, "C": 30.0, "c_noise": 1.4, "stages": 3}


@dataclass(frozen=True)
class FloorExperiment:
    """Parameters: (a) the ratios alpha_S/alpha_priv at which T is iterated `rounds` times, from `start` times the T without noise.

    (b) the numbers of samples n at which mu alpha_priv is evaluated, with P = 1 or `several`, r_S = 1 or `tuned`.
    """

    ratios: tuple[float, ...] = (0.9, 0.99, 1.01, 1.1, 2.0)
    start: float = 100.0
    rounds: int = 300
    samples: tuple[float, ...] = (1e3, 1e4, 1e5, 1e6, 1e7, 1e8)
    several: int = 16
    tuned: float = 0.01

    def __post_init__(self) -> None:
        """Convert the fields to Python numbers; raise ValueError unless all of them are positive, and rounds and several integers."""
        validate.convert_fields(self)
        validate.positive(start=self.start, tuned=self.tuned)
        validate.positive_integer(rounds=self.rounds, several=self.several)
        for name in ("ratios", "samples"):
            validate.positive_array((None,), **{name: getattr(self, name)})


def floor_data(e: FloorExperiment, store: object = None, *, workers: Workers = None, progress: object = None) -> Record:
    """Iterate the printed definition of T in Theorem 2, and evaluate the floor mu alpha_priv for each n; return the record.

    Nothing is simulated: store and workers are not used.
    """
    theorem, laws, points = bounds.THEOREMS["dp_zopo.floor"], dict[Any, Any](), list[dict[str, Any]]()
    for ratio in e.ratios:
        steps = [e.start]
        for _ in range(e.rounds):
            steps.append(max(1.0, steps[-1] / ratio))
        laws[ratio] = np.arange(e.rounds + 1), np.array(steps)
        points.append({"panel": "definition", "ratio": ratio, "T_over_T_prime": steps[-1], "rounds": e.rounds})
    for P in (1, e.several):
        for n in e.samples:
            at = theorem.evaluate(**(PAPERS_OWN | {"n": n}), directions=P, growth_mu=1.0, tuned=e.tuned, stage_target=1e300)
            values = {"as printed": at.bound, **{name: at.parts[name] for name in ("masks", "together", "together with masks")}}
            points += [{"panel": "floor", "P": P, "n": n, "of": name, "mu_alpha_priv": value} for name, value in values.items()]
    return Record(e, tuple(points), laws)


def draw_floor(record: Record) -> Figure:
    """Draw the iterates of the printed definition of T, and the floor against n; return the figure."""
    e, own = record.experiment, PAPERS_OWN
    title = r"Theorem 2 takes $\eta_S$ from $\sigma$, $T$ from $\eta_S$, and $\sigma$ from $T$. Right: the paper's $d = 3.55 \cdot 10^8$, "
    title += rf"$\varepsilon = {own['epsilon']:g}$, "
    with styled_figure(
        9.6, 4.6, title + rf"$C = {own['C']:g}$, $c_2 = {own['c_noise']:g}$, $S = {own['stages']}$, as in the paper's experiments", 1, 2
    ) as (figure, (axes,)):
        top = min(1e6, 2 * max(float(steps.max()) for _, steps in record.laws.values()))  # a sequence that diverges leaves the panel
        for (ratio, (k, steps)), look in zip(record.laws.items(), LOOKS, strict=False):
            axes[0].plot(k, steps, color=look[0], linestyle=look[2], label=rf"$\alpha_S = {ratio:g}\,\alpha_{{\mathrm{{priv}}}}$")
        axes[0].set(xlabel="times that the definition is inserted", ylabel="$T$ over the $T'$ of the other terms", yscale="log",
                    ylim=(0.5, top), title=r"(a) a number of steps exists from $\alpha_{\mathrm{priv}}$ on")  # fmt: skip
        curves = {
            ("as printed", e.several): (RED, "s", "--"),
            ("as printed", 1): (INK, "o", "-"),
            ("together", e.several): (GREEN, "D", ":"),
            ("masks", 1): (BLUE, "^", "-."),
        }
        words = {"as printed": "as printed", "together": "directions counted together", "masks": rf"as printed, $r_S = {e.tuned:g}$"}
        for (of, P), (color, marker, dash) in curves.items():
            rows = record.points_with(panel="floor", of=of, P=P)
            label = f"{words[of]}, $P = {P}$"
            axes[1].plot(
                [p["n"] for p in rows], [p["mu_alpha_priv"] for p in rows], color=color, marker=marker, linestyle=dash, label=label
            )
        axes[1].axvline(own["n"], color=GREY, linewidth=0.8)
        axes[1].annotate(
            "the paper's $n$", (own["n"], 0.02), xycoords=("data", "axes fraction"), xytext=(4, 0), textcoords="offset points", fontsize=7.5
        )
        axes[1].axhline(0.45, color=GREY, linestyle=DOTS, label="mean loss of the paper's model, 0.45")
        axes[1].set(
            xscale="log",
            yscale="log",
            xlabel="samples $n$",
            ylabel=r"$\mu\,\alpha_{\mathrm{priv}}$",
            title="(b) the accuracy below which there is no schedule",
        )
        for ax in axes:
            ax.legend()
    return figure


FLOOR_PROVENANCE = {
    "definition": "T <- max(T', (alpha_priv / alpha_S) T), what Theorem 2 says of eta_S, T_S and, by (13), sigma, inserted into each other",
    "floor": "dp_zopo.floor with mu = 1 and the constants of the paper's experiments: "
    + ", ".join(f"{k} = {v:g}" for k, v in PAPERS_OWN.items()),
}
FEWER_FLOORS = FloorExperiment(ratios=(0.9, 1.1), rounds=100, samples=(1e3, 1e6))
FLOOR = FigureSpec("zopo-floor", FloorExperiment(), FEWER_FLOORS, floor_data, draw_floor, FLOOR_PROVENANCE)
