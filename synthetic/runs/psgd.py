"""Simulation of Gauss-PSGD on an objective with a saddle: validate, draw the samples, call the kernel, return a record."""

import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthetic import html, kernels
from synthetic.compiled import run_replicates, thread_count
from synthetic.draws import NOISE, FloatArray, generator
from synthetic.kernels import gradient_oracles as oracles
from synthetic.kernels import psgd as codes
from synthetic.memory import check_memory
from synthetic.objectives.saddles import SaddleObjective, check_saddle_objective
from synthetic.objectives.separable_saddles import random_phase_cosines
from synthetic.runs.distributed import run_clients
from synthetic.validate import array_of, flag, non_negative, one_of, positive, positive_integer, seed_integer, validated

ORACLES = ("exact", "sgd", "dp_spider", "ada_dp_spider", "distributed_ada_dp_spider")
RESTARTS = ("continue", "history", "renew")  # the oracle's memory when a round starts again; the kernel is given the index
DRIFTS = ("estimates", "queries")
OUTPUTS = ("anchor", "last")
STATUS = ("returned", "out of samples", "step limit", "not finite")
TRACE = ("value", "grad_norm", "error", "in_phase", "fresh")  # columns of the kernels' trace
COUNTED = {  # entries of the kernels' counts
    "samples": oracles.USED,
    "calls": oracles.CALLS,
    "fresh_calls": oracles.FRESH,
    "steps": codes.STEPS,
    "phases": codes.PHASES,
    "rounds": codes.ROUNDS,
    "escapes": codes.ESCAPES,
}
SAMPLES = 16  # role of a client's samples: clients 0, 1, ... draw them with SAMPLES, SAMPLES + 1, ...
ADAPTIVE = ("n", "b_1", "b_2", "sigma_1", "sigma_2", "kappa")
NEEDS = {
    "exact": ("zeta", "sigma_1", "limit"),
    "sgd": ("n", "b_1", "sigma_1"),
    "dp_spider": ("n", "b_1", "b_2", "sigma_1", "sigma_2", "period"),
    "ada_dp_spider": ADAPTIVE,
    "distributed_ada_dp_spider": ADAPTIVE,
}


@dataclass(frozen=True, eq=False)
class PsgdRun:
    """Result of runs of Gauss-PSGD, one row per replicate; after a run's last step its rows of steps hold NaN.

    status            0 returned a point, 1 out of samples, 2 step limit, 3 not finite (`STATUS`); only 0 claims an SOSP
    x (replicates, d)      the returned point; NaN where nothing was returned
    last (replicates, d)   the last iterate; where a point was returned, that of the last failed round
    value, grad_norm, error (replicates, steps)   F, |grad F| and the error of the gradient estimate where each step's gradient was taken
    in_phase, fresh        whether the step belongs to an escape phase, whether its estimate was a fresh gradient O_1
    points (replicates, steps, d)   where the gradients of the steps were taken, if ``keep_points``
    samples           samples that every client used;   calls, fresh_calls   of the oracle, of O_1
    steps, phases, rounds, escapes   of Algorithm 1
    remarks           sentences from the caller: where the plan's guarantee does not apply to the runs, or the plan's caveats
    vouched           whether there is a plan whose aim applies to these runs
    """

    objective: str
    settings: dict[str, Any]
    status: NDArray[np.int64]
    x: FloatArray
    last: FloatArray
    value: FloatArray
    grad_norm: FloatArray
    error: FloatArray
    in_phase: FloatArray
    fresh: FloatArray
    points: FloatArray
    samples: NDArray[np.int64]
    calls: NDArray[np.int64]
    fresh_calls: NDArray[np.int64]
    steps: NDArray[np.int64]
    phases: NDArray[np.int64]
    rounds: NDArray[np.int64]
    escapes: NDArray[np.int64]
    remarks: tuple[str, ...] = ()
    vouched: bool = False

    def __repr__(self) -> str:
        ends = ", ".join(f"{int(np.sum(self.status == code))} {end}" for code, end in enumerate(STATUS) if np.any(self.status == code))
        used = f"steps {self.steps.min()} to {self.steps.max()}, samples {self.samples.min()} to {self.samples.max()}"
        return f"PsgdRun({self.objective}: {len(self.status)} replicates, {ends}; {used}){' '.join(('', *self.remarks[:1]))}"

    def _repr_html_(self) -> str:
        head = ("replicate", "end", "steps", "samples", "escape phases", "escapes")
        columns = (self.status, self.steps, self.samples, self.phases, self.escapes)
        rows = [(r, STATUS[row[0]], *row[1:]) for r, row in enumerate(zip(*(column.tolist() for column in columns), strict=True))]
        return html.table(f"Gauss-PSGD on {self.objective}", head, rows, self.remarks)

    @property
    def returned(self) -> NDArray[np.bool_]:
        """Return which replicates returned a point, as booleans (replicates,)."""
        return self.status == codes.RETURNED

    @property
    def psi(self) -> float:
        """Return the root mean square of the gradient estimates' errors over all steps of all replicates; NaN without steps."""
        return float(np.sqrt(np.nanmean(self.error**2))) if np.any(self.steps) else math.nan

    def sosp(self, landscape: SaddleObjective, alpha: float) -> NDArray[np.bool_]:
        """Return which replicates returned a point that is an alpha-SOSP by exact derivatives, as booleans (replicates,)."""
        return np.array([bool(ok and landscape.certify_sosp(x, alpha).sosp) for ok, x in zip(self.returned, self.x, strict=True)])


@validated
def gauss_psgd(
    landscape: SaddleObjective,
    *,
    oracle: str,
    eta: float,
    chi: float,
    R: float,
    Gamma: int,
    Q: int,
    n: int | None = None,
    b_1: int | None = None,
    b_2: int | None = None,
    sigma_1: float | None = None,
    sigma_2: float | None = None,
    zeta: float | None = None,
    kappa: float | None = None,
    period: int | None = None,
    restart: str = "continue",
    drift: str = "estimates",
    output: str = "anchor",
    limit: int | None = None,
    x0: FloatArray | None = None,
    keep_points: bool = False,
    replicates: int = 1,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    executor: Executor | None = None,
) -> PsgdRun:
    """Run Gauss-PSGD (Algorithm 1) with a gradient oracle on an objective with a saddle; return a `PsgdRun`.

    oracle       "exact", "sgd", "dp_spider", "ada_dp_spider" or "distributed_ada_dp_spider"
    eta, chi, R, Gamma, Q   step size, gradient-error scale (an escape phase begins at 3 chi), radius, steps a round, rounds a phase
    n            samples of each client; each is used once, and a run that needs more stops with the status "out of samples"
    b_1, b_2     samples of a gradient O_1 and of a difference O_2, of each client
    sigma_1      standard deviation per coordinate of the noise that each client adds to O_1 (the paper's r for "exact")
    sigma_2      the same for O_2, per unit of the distance between the two points
    zeta         radius of the sphere on which the sampling error of "exact" lies (the paper's sigma)
    kappa, period   drift, or number of calls, after which the next call is an O_1
    restart      the oracle's memory when a round starts again (erratum E10 of Gauss-PSGD): "continue" from the last call (the
                 default: the algorithm as printed, read in the order of its calls), "history": as it was before the phase, "renew": a
                 fresh O_1
    drift        "estimates": eta^2 |estimate|^2 a call, as printed; "queries": squared distances between the points of the calls
    output       "anchor": the point where the last escape failed; "last": the last iterate of that round, as step 20 prints (E11 there)
    limit        most steps; by default as many as the samples allow
    keep_points  keep the points at which the steps' gradients were taken, 8 d bytes a step
    executor     "distributed_ada_dp_spider" only: compute the clients' messages in its workers instead of in this process

    The draws of a replicate depend on (seed, replicate) alone. Raises ValueError for arguments that are missing, unused or out of range.
    Source: Gauss-PSGD, Algorithms 1 to 3.
    """
    check_saddle_objective(landscape)
    one_of(ORACLES, oracle=oracle)
    one_of(RESTARTS, restart=restart)
    one_of(DRIFTS, drift=drift)
    one_of(OUTPUTS, output=output)
    positive(eta=eta, chi=chi, R=R)
    positive_integer(Gamma=Gamma, Q=Q)
    special = {"n": n, "b_1": b_1, "b_2": b_2, "sigma_1": sigma_1, "sigma_2": sigma_2, "zeta": zeta, "kappa": kappa, "period": period}
    numbers = _oracle_numbers(oracle, special | {"limit": limit}, eta)
    if limit is None:
        limit = (n or 0) // min(b for b in (b_1, b_2) if b is not None)
    if landscape.clients > 1 and oracle in ("dp_spider", "ada_dp_spider"):
        raise ValueError(f"oracle = {oracle!r}: this objective has {landscape.clients} clients; distributed_ada_dp_spider is needed")
    if drift == "queries" and not oracle.endswith("ada_dp_spider"):
        raise ValueError(f"drift = 'queries': only the adaptive oracles use it, not {oracle}; leave drift out")
    if executor is not None and oracle != "distributed_ada_dp_spider":
        raise ValueError(f"executor: only the oracle distributed_ada_dp_spider uses one, not {oracle}")
    adaptive = {"estimates": kernels.ada_dp_spider, "queries": kernels.query_dp_spider}[drift]  # the same for one client and for many
    kernel = {"exact": kernels.exact, "sgd": kernels.sgd, "dp_spider": kernels.dp_spider}.get(oracle, adaptive)
    rules = (float(eta), float(chi), float(R), Gamma, Q, RESTARTS.index(restart))  # an int would compile the kernel again
    problem = (landscape.value_gradient, landscape.batch_gradient, landscape.params)

    def descend(rows: FloatArray, x: FloatArray, last: FloatArray, *state: Any) -> int:
        """Run Gauss-PSGD once from x; write the returned point (NaN for none) to x and the last iterate to last; return the status."""
        if executor is None:
            status = int(kernels.gauss_psgd(kernel, *problem, rows, numbers, rules, x, last, *state))
        else:
            status = run_clients(executor, problem, drift == "queries", rows, numbers, rules, x, last, *state)
        if status != codes.RETURNED:
            last[:], x[:] = x, np.nan
        elif output == "last":
            x[:] = last
        return status

    settings = {"method": "gauss_psgd", "oracle": oracle, "eta": eta, "chi": chi, "R": R, "Gamma": Gamma, "Q": Q, "restart": restart}
    settings |= {"drift": drift, "output": output, "limit": limit, "replicates": replicates, "seed": seed}
    settings |= {name: value for name, value in special.items() if value is not None}
    return _run_replicates(landscape, descend, period or kappa or 0.0, settings, x0, keep_points, 1 if executor else threads, progress)


@validated
def frozen_psgd(
    landscape: SaddleObjective,
    *,
    eta: float,
    threshold: float,
    extra: float,
    frozen_steps: int,
    n: int,
    b_1: int,
    b_2: int,
    sigma_1: float,
    sigma_2: float,
    kappa: float,
    x0: FloatArray | None = None,
    limit: int | None = None,
    keep_points: bool = False,
    replicates: int = 1,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> PsgdRun:
    """Run the earlier saddle-escaping method, Gauss-PSGD's baseline, until samples or `limit` steps are used up; return a `PsgdRun`.

    threshold, extra, frozen_steps   a fresh gradient, with N(0, extra^2 I) on top, where the last estimate's norm is at most the threshold
                                     and the last such disturbance is at least frozen_steps steps ago
    The other arguments are as in `gauss_psgd`. The method returns no point, all iterates are candidates: `x` is NaN, `last` the last
    iterate, `phases` counts the disturbances.
    Source: Gauss-PSGD, Section 3.1, on Liu, Ganesh, Oh, Thakurta (2023).
    """
    check_saddle_objective(landscape)
    positive(eta=eta, threshold=threshold)
    non_negative(extra=extra)
    positive_integer(frozen_steps=frozen_steps)
    special = {"n": n, "b_1": b_1, "b_2": b_2, "sigma_1": sigma_1, "sigma_2": sigma_2, "kappa": kappa}
    numbers, rules = _oracle_numbers("ada_dp_spider", special, eta), (float(eta), float(threshold), float(extra), frozen_steps)
    problem = (landscape.value_gradient, landscape.batch_gradient, landscape.params)

    def descend(rows: FloatArray, x: FloatArray, last: FloatArray, *state: Any) -> int:
        """Run the earlier method once from x; write its last iterate to last and NaN to x; return the status."""
        status = int(kernels.frozen_psgd(kernels.ada_dp_spider, *problem, rows, numbers, rules, x, *state))
        last[:], x[:] = x, np.nan
        return status

    settings = {"method": "frozen_psgd", "eta": eta, "threshold": threshold, "extra": extra, "frozen_steps": frozen_steps}
    settings |= {"limit": n // min(b_1, b_2) if limit is None else limit, "replicates": replicates, "seed": seed, **special}
    return _run_replicates(landscape, descend, kappa, settings, x0, keep_points, threads, progress)


def _run_replicates(
    landscape: SaddleObjective,
    descend: Callable[..., int],
    drift: float,
    settings: dict[str, Any],
    x0: FloatArray | None,
    keep_points: bool,
    threads: int | None,
    progress: Callable[[int, int], None] | None,
) -> PsgdRun:
    """Run all replicates of a descent on an objective with a saddle, on threads; return a `PsgdRun`.

    descend(rows, x, last, (memory, drift, counts, rng), trace, points) overwrites all but rows, and returns a status
    drift   its initial value, which makes the first call an O_1
    """
    limit, replicates, seed, n = settings["limit"], settings["replicates"], settings["seed"], settings.get("n")
    m, d = landscape.clients, landscape.d
    positive_integer(limit=limit, replicates=replicates)
    seed_integer(seed=seed)
    flag(keep_points=keep_points)
    if threads is not None:
        positive_integer(threads=threads)
    check_memory(16 * replicates * limit * (5 + d * keep_points), replicates=replicates, limit=limit, d=d)
    if n is not None:
        width = _draw_samples(landscape, generator(0, 0, SAMPLES), 1, 0).shape[1]
        check_memory(16 * thread_count(replicates, threads) * m * n * width, n=n, clients=m, d=d)
    start = landscape.x0 if x0 is None else array_of((d,), x0=x0)
    if progress:
        progress(0, replicates)  # all settings have been checked, and no work is done yet

    def replicate(r: int) -> tuple[Any, ...]:
        x, last, counts = start.copy(), np.full(d, np.nan), np.zeros(codes.COUNTS, dtype=np.int64)
        trace, points = np.full((limit, len(TRACE)), np.nan), np.full((limit if keep_points else 0, d), np.nan)
        rows = np.empty((1, 0, 1))
        if n is not None:  # in the order in which they are used, (m, n, p)
            rows = np.stack([_draw_samples(landscape, generator(seed, r, SAMPLES + j), n, j) for j in range(m)])
        state = (np.zeros((m + 1, d)), np.array([drift], dtype=float), counts, generator(seed, r, NOISE))
        return descend(rows, x, last, state, trace, points), x, last, counts, trace, points

    done = run_replicates(landscape.name, replicate, replicates, threads, progress)
    status, x, last, counts, trace, points = (np.stack([one[k] for one in done]) for k in range(6))
    steps = int(counts[:, codes.STEPS].max())
    along: dict[str, Any] = dict(zip(TRACE, np.moveaxis(trace[:, :steps], 2, 0), strict=True))
    counted: dict[str, Any] = {name: counts[:, k] for name, k in COUNTED.items()}
    return PsgdRun(landscape.name, settings, status, x, last, **along, points=points[:, :steps], **counted)


def _oracle_numbers(oracle: str, given: dict[str, Any], eta: float) -> tuple[float, ...]:
    """Check the parameters that belong to an oracle, and refuse those that it does not use; return the numbers for its kernel."""
    needs = NEEDS[oracle]
    for name, value in given.items():
        if name in needs and value is None:
            raise ValueError(f"{name} = None: the oracle {oracle} needs it")
        if name not in needs and value is not None and name != "limit":
            raise ValueError(f"{name} = {value!r}: the oracle {oracle} does not use it; leave it out")
    positive_integer(**{name: given[name] for name in ("n", "b_1", "b_2", "period") if name in needs})
    non_negative(**{name: given[name] for name in ("sigma_1", "sigma_2", "zeta") if name in needs})
    positive(**{name: given[name] for name in ("kappa",) if name in needs})
    for name in ("b_1", "b_2"):
        if name in needs and given[name] > given["n"]:
            raise ValueError(f"{name} = {given[name]}: at most n = {given['n']} is needed")
    values = tuple(float(given[name]) for name in needs if name not in ("n", "limit"))
    return (*values, float(eta)) if "kappa" in needs else values


def _draw_samples(landscape: SaddleObjective, rng: np.random.Generator, n: int, client: int) -> FloatArray:
    """Draw n samples of a client with the objective's own `draw`; raise ValueError unless it returns finite numbers (n, p)."""
    return array_of((n, None), samples=landscape.draw(rng, n, client))


def descent_cell(
    *, landscape: Mapping[str, Any], run: Mapping[str, Any], starts: Sequence[Sequence[float]], seed: int
) -> dict[str, np.ndarray]:
    """Run Gauss-PSGD with the arguments `run` from every start (replicates, d); return the end of each run, arrays (replicates,).

    status      of `PsgdRun`
    error       `sosp_error` of the returned point; inf where none was returned, which is how a failure counts
    noise_sq    mean over the steps of the squared error of the gradient estimate
    samples, steps, fresh_calls
    """
    place = random_phase_cosines(**landscape)
    runs = [gauss_psgd(place, **run, x0=np.array(x0), seed=seed + r, threads=1) for r, x0 in enumerate(starts)]
    found = {name: [getattr(one, name)[0] for one in runs] for name in ("status", "samples", "steps", "fresh_calls")}
    found["error"] = [place.sosp_error(one.x[0]) if one.returned[0] else np.inf for one in runs]
    found["noise_sq"] = [np.mean(one.error[0] ** 2) for one in runs]
    return {name: np.array(values) for name, values in found.items()}
