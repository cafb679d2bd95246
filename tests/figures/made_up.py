"""Figures of small experiments whose cells are not computed: their arrays are random numbers that depend on the cell and nothing else."""

import hashlib
import json
from concurrent.futures import Future
from contextlib import contextmanager

import numpy as np

from bounds.gauss_psgd.scaled import Knobs
from figures.dp_grape import digits as grape_digits
from figures.dp_grape import projection, rate
from figures.dp_zopo import digits as zopo_digits
from figures.dp_zopo import pruning, theory
from figures.dp_zopo import stages as zopo_stages
from figures.dpzero.scale import ScaleExperiment
from figures.dpzero.tuned import TunedExperiment
from figures.gauss_psgd import digits as psgd_digits
from figures.gauss_psgd import distributed as psgd_distributed
from figures.gauss_psgd import escape as psgd_escape
from figures.gauss_psgd import rate as psgd_rate
from figures.gauss_psgd import selection as psgd_selection
from paper_checks.dpzero.experiments.figure_runs import Experiment
from synthetic.grids.settings import Measures
from synthetic.sweeps.store import Store

GRID = Experiment(
    dimensions=(3, 5, 9), spectra=("flat", "inverse"), n=5_000, horizons=(2, 6), alphas=(0.1, 0.3, 0.7), clips=(1.0, 2.0), fresh_datasets=3,
    epsilon=1.5, delta=1e-4,
)  # fmt: skip
SMALL = {  # in all that a figure says of itself other numbers than those of the full figure
    **{f"dpzero-{k}": GRID for k in (1, 2, 3)},
    "dpzero-scale": ScaleExperiment(
        dimensions=(3, 7, 10**6), samples=(100, 1000), spectra=("inverse",), n=200, wide=30, T_max=9_001, data=(3,), datasets=2,
        epsilon=1.5, delta=1e-4,
    ),
    "dpzero-tuned": TunedExperiment(
        dimensions=(3, 5), spectra=("inverse",), n=50, horizons=(2, 6), alphas=(0.1, 0.3), clips=(1.0,), most=48, longer=1_234, narrow=0.12
    ),
    "psgd-escape": psgd_escape.Experiment(
        d=7, accuracy=0.2, log_factors=(4, 5), replicates=3_000, path_log_factor=4, path_replicates=1_200, points=10
    ),
    "psgd-rate": psgd_rate.Experiment(
        d=3, delta=1e-4, large=9.0, large_n=(10_000, 20_000, 40_000), small=0.5, small_n=(10_000, 20_000), n=20_000, epsilons=(0.5, 2.0),
        fit_epsilon=1.0, replicates=7, knobs=Knobs(k_R=2.0),
    ),
    "psgd-distributed": psgd_distributed.Experiment(
        d=2, n=11_000, epsilon=1.5, delta=1e-4, phase=0.4, clients=(1, 2, 4, 8), replicates=7
    ),
    "psgd-selection": psgd_selection.Experiment(
        dimensions=(3, 5), accuracy=0.4, n=2_000, epsilon=1.5, delta=1e-4, omega=0.2, T=60, replicates=7
    ),
    "psgd-digits": psgd_digits.Experiment(
        epsilons=(2.0, 3.0), delta=1e-4, clients=(1, 2), epochs=2, clip=0.7, eta=3.0, replicates=3, seed=6
    ),
    "grape-rate": rate.RateExperiment(dimensions=(16, 64, 100), d=16, budgets=(300.0, 600.0, 1200.0), budget=600.0, most=4e4, replicates=3),
    "grape-subspace": rate.SubspaceExperiment(
        rows=8, columns=3, r=2, stays=(1, 5, 20), wide=9, ranks=(1, 4), stay=5, subspaces=(1, 3), replicates=4, wide_replicates=3
    ),
    "grape-spectrum": projection.SpectrumExperiment(
        m=20, batch=3_000, rank=4, shown=8, replicates=3, low=5, long=9, factors=(0.5, 2.0), pairs=3
    ),
    "grape-direction": projection.DirectionExperiment(m=16, rank=2, ranks=(2, 4), snrs=(0.1, 1.0), replicates=3),
    "grape-digits": grape_digits.Experiment(epsilons=(2.0, 8.0), q=0.2, epochs=1, Cs=(0.5, 1.0), alphas=(0.01, 0.1), replicates=3),
    "zopo-lemma4": theory.ErrorExperiment(
        d=3, batches=(2, 4), several=(1, 3), batch=2, many=(2,), slopes=(1.0,), radii=(0.1,), replicates=70
    ),
    "zopo-floor": theory.FloorExperiment(rounds=5, several=8, tuned=0.02),
    "zopo-stages": zopo_stages.Experiment(stages=2, ratios=(1.0, 2.5, 6.0), replicates=3, d=3, steps_replicates=4),
    "zopo-pruning": pruning.MaskExperiment(d=20, support=3, T=14, sigma=0.4, snrs=(2.0,), replicates=5),
    "zopo-scores": pruning.ScoreExperiment(width=6, layers=2, several=(2, 4), rate=0.1, replicates=3),
    "zopo-digits": zopo_digits.Experiment(epsilons=(2.0, 8.0), q=0.2, epochs=1, alphas=(0.01, 0.1), search_replicates=1, replicates=3),
}  # fmt: skip

SHAPES = {  # of the arrays of a task, from its arguments
    "masks_cell": lambda a: dict.fromkeys(("gap", "caught"), (a["replicates"],)),
    "scores_cell": lambda a: dict.fromkeys(("exact", "again"), (1, len(a["several"]))) | {"noise": (1, 1), "size": (1, 1), "rates": (1, 5)},
    "stages_cell": lambda a: {"gap": (a["replicates"], a["stages"])},
    "unclipped_gap_cell": lambda a: {"gap": (a["replicates"],)},
    "error_cell": lambda a: {"error": (a["replicates"],)},
    "quadratic_cell": lambda a: {"mean": (a["replicates"],), "at": (a["replicates"], len(a.get("times", ())))},
    "spectrum_cell": lambda a: {"values": (1, 5, a["shown"]), "kept": (1, 5), "square": (1, 5)},
    "overlap_cell": lambda a: dict.fromkeys(("left", "right"), (a["replicates"],)),
    "direction_cell": lambda a: dict.fromkeys(projection.UPDATES, (a["replicates"], len(a["ranks"]))),
    "figures.digits_cell": lambda a: dict.fromkeys(("test", "held_out"), (len(a["seeds"]),)),
    "synthetic.digits_cell": lambda a: dict.fromkeys(("accuracy", "loss", "train"), (a["replicates"], a["epochs"] + 1))
    | dict.fromkeys(("steps", "phases", "fresh_calls", "returned"), (a["replicates"],)),
    "descent_cell": lambda a: dict.fromkeys(("noise_sq", "steps", "samples", "fresh_calls", "status", "error"), (len(a["starts"]),)),
    "escape_cell": lambda a: {"escaped": (a["replicates"],)},
    "path_cell": lambda a: dict.fromkeys(("distance", "drop", "apart"), (a["replicates"], len(a["times"]))),
    "selection_cell": lambda a: {
        f"{rule}/{name}": (a["replicates"],)
        for rule in (*a["rules"], "own")
        for name in (("error",) if rule == "own" else ("chosen", "error", "gradient_noise", "hessian_noise"))
    },
    "tune_cell": lambda a: dict.fromkeys(("alpha", "T", "C", "sigma"), (1,)) | {"values": (a["replicates"], 4)},
    "coupled_mean": lambda a: {"values": (a["replicates"], 4, len(a["alpha"]))},
    "grid_cell": lambda a: {
        f"{method}/{name}": (len(a["alphas"]), len(a["horizons"]), len(a["clips"])) for method in a["methods"] for name in Measures.NAMES
    }
    | {f"start/{name}": () for name in Measures.NAMES},
    "replay_cell": lambda a: {"measures": (4, a["replicates"], len(a["alpha"]))},
    "coupled_cell": lambda a: {"measures": (4, 1, len(a["alpha"]))},
}  # fmt: skip


def numbers(*depends):
    """Return a stream that depends on these and nothing else."""
    return np.random.default_rng(int(hashlib.sha256(json.dumps(depends, sort_keys=True).encode()).hexdigest()[:15], 16))


def arrays(task, arguments):
    """Return the made-up arrays of a cell."""
    rng, name = numbers(task, arguments), task.rpartition(":")[2]
    shapes = SHAPES[name if name != "digits_cell" else f"{task.split('.')[0]}.{name}"](arguments)
    found = {key: rng.uniform(0.5, 1.5, shape) for key, shape in shapes.items()}
    if "status" in found:
        found["status"] = np.zeros(len(found["status"]))
    for key in {"escaped", "phases", "returned"} & found.keys():
        found[key] = found[key] > 1.0
    if name == "grid_cell":  # what is at x_0 depends on the data alone
        start = numbers(task, {one: arguments[one] for one in ("spectrum", "d", "n", "dataset")})
        found |= {key: start.uniform(0.5, 1.5, ()) for key in shapes if key.startswith("start/")}
    if name == "tune_cell":
        found["T"] = np.array([1 + int(rng.integers(arguments["T_max"]))])
    return found


class Made:
    """An executor whose calls give made-up arrays; `cells` is what was asked for, task and arguments in order."""

    def __init__(self):
        self.cells = []

    def submit(self, function, task, arguments, *more):
        arguments = json.loads(json.dumps(dict(arguments)))
        self.cells.append((task, arguments))
        future = Future()
        future.set_result((0.0, arrays(task, arguments)))
        return future

    def shutdown(self, *given, **named):
        pass


@contextmanager
def executor(monkeypatch):
    """Give the executor on which all cells run."""
    made = Made()

    @contextmanager
    def processes(workers=None):
        yield made

    grape_digits.noise_multiplier.cache_clear()

    for where in ("synthetic.sweeps.sweep", "figures.dp_grape.digits", "paper_checks.dpzero.experiments.figure_runs"):
        monkeypatch.setattr(f"{where}.open_executor", processes)
    monkeypatch.setattr("synthetic.sweeps.sweep.code_version", lambda task: "made up")
    monkeypatch.setattr("bounds.privacy.subsampled.sigma_subsampled", lambda *, epsilon, delta, T, q, **_: q * (T + 1 / delta) / epsilon)
    monkeypatch.setattr("figures.dp_grape.digits.digits_network", lambda **_: None)
    grape_digits.noise_multiplier.cache_clear()
    yield made
    grape_digits.noise_multiplier.cache_clear()


def conducted(part, experiment, monkeypatch):
    """Return the record of an experiment, and the cells that it asked for."""
    with executor(monkeypatch) as made, Store(":memory:") as store:
        return part.data(experiment, store), made.cells
