"""Run a method on an objective: validate, draw, call the kernel, return a Run.

A method is a line of `KERNELS`. Its kernel is given what its arguments are named after; `synthetic.kernels.dpzero` says what there is.
It is private if it takes C.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthetic import kernels
from synthetic.compiled import on_threads
from synthetic.draws import BATCHES, DIRECTIONS, NOISE, OUTPUT, FloatArray, chunk, directions, generator
from synthetic.memory import room_for
from synthetic.objectives import Objective
from synthetic.validate import door, non_negative, one_of, positive, positive_integer, seed_integer, shown

KERNELS: dict[str, Callable[..., int]] = {
    "dpzero": kernels.dpzero,
    "dpgd_0th": kernels.dpgd_0th,
    "dp_gd": kernels.dp_gd,
    "mezo": kernels.mezo,
}
LEAST_C = 1e-150  # whose square is far above the least float: below it the squares of a gradient vanish, and nothing would be clipped
DIRECTION_LAWS = ("sphere", "gaussian")


@dataclass(frozen=True, eq=False)
class Run:
    """What a simulation saw, one row a replicate; from the first F_S or gradient on that was not finite the row holds NaN.

    loss, grad_norm_sq (replicates, T+1)    F_S(x_t) and |grad F_S(x_t)|^2, t = 0..T
    clipped (replicates, T)                 fraction of the batch that was clipped at step t
    x, x_tau (replicates, d)                the last iterate, x_T unless |x|^2 overflowed, and the one at tau, uniform on 0..T-1
    tau (replicates,)                       which iterate x_tau is
    steps (replicates,)                     steps that ended finite: T, or the number of the step that did not
    settings                                everything that determines the run, the seed included
    remarks                                 what the caller of `simulate` says: where a plan does not vouch for the run, or its caveats
    vouched                                 whether there is a plan, and what it promises is for this run
    """

    method: str
    objective: str
    settings: dict[str, Any]
    loss: FloatArray
    grad_norm_sq: FloatArray
    clipped: FloatArray
    x: FloatArray
    x_tau: FloatArray
    tau: NDArray[np.int64]
    steps: NDArray[np.int64]
    remarks: tuple[str, ...] = ()
    vouched: bool = False

    def __repr__(self) -> str:
        rows, ends = np.arange(len(self.steps)), self.steps
        loss, slope = ((of[:, 0].mean(), of[rows, ends].mean()) for of in (self.loss, self.grad_norm_sq))
        sizes = f"{len(rows)} x {self.loss.shape[1] - 1} (replicates, steps)"
        means = f"mean F_S {loss[0]:.4g} to {loss[1]:.4g}, mean |grad F_S|^2 {slope[0]:.4g} to {slope[1]:.4g}"
        diverged = f"; {int(self.diverged.sum())} diverged, taken at the last finite step" if np.any(self.diverged) else ""
        return f"Run({self.method} on {self.objective}: {sizes}, {means}{diverged}){' '.join(('', *self.remarks[:1]))}"

    @property
    def diverged(self) -> NDArray[np.bool_]:
        """Which replicates left the finite numbers, (replicates,)."""
        return self.steps < self.loss.shape[1] - 1

    @property
    def grad_norm_sq_tau(self) -> FloatArray:
        """|grad F_S(x_tau)|^2 of each replicate, (replicates,): the measure of Theorems 1 to 3 of DPZero."""
        return self.grad_norm_sq[np.arange(len(self.tau)), self.tau]


@door
def simulate(
    method: str,
    objective: Objective,
    *,
    alpha: float,
    T: int,
    C: float | None = None,
    lam: float = 1e-4,
    sigma: float | None = None,
    replicates: int = 1,
    seed: int = 0,
    direction: str = "sphere",
    batch_size: int | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Run:
    """Run ``replicates`` independent runs of T steps of one of the methods of `KERNELS`.

    sigma is the standard deviation of the noise added to the mean over the batch, per coordinate. C and sigma are needed by the
    private methods and refused by the others; a sample whose contribution is not finite counts as 0 there, and as clipped, so that the
    sensitivity is that of C whatever a record is. ``batch_size=None`` is the full batch; otherwise each step draws that many samples
    uniformly without replacement (the paper states no scheme). Draws come in chunks of at most 8 MiB, so that a replicate
    holds the chunk and less than eight vectors of size d. The result does not depend on ``threads`` (default: all cores).
    ``progress`` is told, some fifty times a replicate, how many of all steps are done.
    """
    one_of(tuple(KERNELS), method=method)
    one_of(DIRECTION_LAWS, direction=direction)
    positive(alpha=alpha, lam=lam)
    positive_integer(T=T, replicates=replicates)
    seed_integer(seed=seed)
    if "C" not in signature(KERNELS[method]).parameters:
        if C is not None or sigma is not None:
            raise ValueError(f"C and sigma: {method} neither clips nor adds noise, leave them out")
    else:
        if C is None or sigma is None:
            raise ValueError(f"C = {C!r}, sigma = {sigma!r}: {method} needs both")
        positive(C=C)
        if C < LEAST_C:
            raise ValueError(f"C = {shown(C)}: at least {LEAST_C:g} is needed, the squares of shorter gradients leave floating point")
        non_negative(sigma=sigma)
    if not isinstance(objective, Objective):
        raise ValueError(f"objective = {shown(objective)}: an objective is needed, such as quadratic('inverse', d=20, n=100, seed=0)")
    if threads is not None:
        positive_integer(threads=threads)
    alpha, lam = float(alpha), float(lam)  # an int would compile the kernel again
    C, sigma = None if C is None else float(C), None if sigma is None else float(sigma)
    if batch_size is not None:
        positive_integer(batch_size=batch_size)
        if batch_size > objective.n:
            raise ValueError(f"batch_size = {batch_size}: at most n = {objective.n} is needed")
    room_for(8 * replicates * (3 * (T + 1) + 2 * objective.d + 2), replicates=replicates, T=T, d=objective.d)

    settings: dict[str, Any] = {"alpha": alpha, "T": T, "C": C, "lam": lam, "sigma": sigma, "replicates": replicates, "seed": seed}
    settings |= {"direction": direction, "batch_size": batch_size}
    start, gradient = objective.value_and_gradient(objective.x0)
    arrays: dict[str, Any] = {
        "loss": np.full((replicates, T + 1), start),
        "grad_norm_sq": np.full((replicates, T + 1), np.sum(gradient**2)),
        "clipped": np.zeros((replicates, T)),
        "x": np.tile(objective.x0, (replicates, 1)),
        "x_tau": np.full((replicates, objective.d), np.nan),
        "tau": np.array([generator(seed, r, OUTPUT).integers(T) for r in range(replicates)]),
    }
    lock, total = Lock(), 0

    def tell(made: int) -> None:
        nonlocal total
        with lock:
            total += made
            if progress:
                progress(total, replicates * T)

    def replicate(r: int) -> int:
        row = {name: values[r] for name, values in arrays.items()}
        return _replicate(KERNELS[method], objective, settings, r, row, tell, max(1, T // 50) if progress else T)

    steps = on_threads(objective.name, replicate, replicates, threads)
    return Run(method=method, objective=objective.name, settings=settings, **arrays, steps=np.array(steps))


def _replicate(
    kernel: Callable[..., int],
    objective: Objective,
    settings: Mapping[str, Any],
    r: int,
    row: Mapping[str, Any],
    tell: Callable[[int], None],
    pace: int,
) -> int:
    """Run replicate r in chunks of at most `pace` steps, writing into its rows of the arrays; return how many steps ended finite."""
    T, d, seed, done = settings["T"], objective.d, settings["seed"], 0
    along, noise, batches = (generator(seed, r, role) for role in (DIRECTIONS, NOISE, BATCHES))
    everything, size = np.arange(objective.n)[None, :], min(chunk(T, d), pace)
    takes = tuple(signature(kernel).parameters)
    given = {name: getattr(objective, name) for name in ("loss", "gradient", "value_gradient", "data", "params")}
    given |= {name: settings[name] for name in ("alpha", "lam", "C", "sigma")} | {"x": row["x"], "x_tau": row["x_tau"]}
    while done < T:
        steps = min(size, T - done)
        after = slice(done + 1, done + steps + 1)
        given |= {"value": row["loss"][after], "grad_norm_sq": row["grad_norm_sq"][after], "clipped": row["clipped"][done : done + steps]}
        given["tau"] = int(row["tau"]) - done
        given["batch"] = everything if settings["batch_size"] is None else _batches(batches, steps, objective.n, settings["batch_size"])
        if "u" in takes:
            given["u"] = directions(along, steps, d, settings["direction"])
        if "z" in takes:
            given["z"] = noise.standard_normal((steps, d))
        if "z_along" in takes:
            given["z_along"] = noise.standard_normal(steps)
        reached = kernel(*(given[name] for name in takes))
        done += reached
        tell(reached if reached == steps else T - done + reached)
        if reached < steps:
            break
    bad = ~(np.isfinite(row["loss"][1 : done + 1]) & np.isfinite(row["grad_norm_sq"][1 : done + 1]))
    done = int(bad.argmax()) if np.any(bad) else done
    row["loss"][done + 1 :] = row["grad_norm_sq"][done + 1 :] = row["clipped"][done + 1 :] = np.nan
    return done


def _batches(rng: np.random.Generator, steps: int, n: int, size: int) -> NDArray[np.int64]:
    """Return (steps, size) indices, each row drawn uniformly without replacement."""
    return np.stack([rng.choice(n, size, replace=False) for _ in range(steps)])
