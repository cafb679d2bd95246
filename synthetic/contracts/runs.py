"""Contracts about runs: the same seed, threads, pieces of a run, what is recorded, divergence, plain Python. Each takes a `Trial`.

A contract returns what it found, in words, or "". It raises ContractBroken where the method breaks it, DoesNotApply with a reason.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numba import config

from synthetic.contracts.objective import mean_and_squared_gradient
from synthetic.contracts.trial import ContractBroken, DoesNotApply, Piece, Trial, compare_numbers
from synthetic.draws import FloatArray
from synthetic.runs.simulate import Run, simulate

PIECES = (1, 2, 3)  # steps of a piece
STEEP = (1e50, 3e153, 1e160)  # step sizes with which runs diverge: slowly where a step grows with x, at once where it is clipped


def run_arrays(run: Run) -> dict[str, FloatArray]:
    """Return the results of a run by name."""
    names = ("loss", "grad_norm_sq", "clipped", "x", "x_tau", "tau", "steps", "stage_x", "stage_loss")
    return {name: np.asarray(getattr(run, name), dtype=float) for name in names if getattr(run, name) is not None}


def recorded_arrays(pieces: list[Piece]) -> dict[str, FloatArray]:
    """Return the last point of consecutive pieces and all that they recorded, by name."""
    found = {name: np.concatenate([getattr(one, name) for one in pieces]) for name in ("value", "grad_norm_sq", "clipped")}
    return {**found, **pieces[-1].end.released}


def same_seed(trial: Trial) -> str:
    """Check that two runs with the same seed give the same numbers, bit for bit."""
    one, two = (run_arrays(simulate(trial.method, trial.objective, **trial.given)) for _ in range(2))
    what = "two runs with the same seed differ, so the loop has randomness of its own: random numbers have to come from its draws"
    compare_numbers(what, one, two, 0.0, seed=trial.settings["seed"])
    return ""


def threads_and_order(trial: Trial) -> str:
    """Check that a replicate does not depend on the number of threads, nor on the other replicates."""
    several, alone = trial.given, {**trial.given, "replicates": 1}
    one, two = (run_arrays(simulate(trial.method, trial.objective, **several, threads=count)) for count in (1, 3))
    compare_numbers("runs on 1 and on 3 threads differ", one, two, 0.0, seed=trial.settings["seed"])
    row = run_arrays(simulate(trial.method, trial.objective, **alone))
    what = "replicate 0 depends on whether others are run with it"
    compare_numbers(what, {name: each[:1] for name, each in one.items()}, row, 0.0, seed=trial.settings["seed"], replicate=0)
    return ""


def pieces(trial: Trial) -> str:
    """Check that a run in pieces of 1, 2 or 3 steps equals the whole, so that it can be interrupted."""
    T = trial.steps
    for replicate in range(2):
        whole = recorded_arrays(trial.run([T], replicate))
        for size in PIECES:
            sizes = [size] * (T // size) + ([T % size] if T % size else [])
            what = f"a run in pieces of {size} differs from the whole: keep what steps share in the record's state, and count steps from t0"
            found = recorded_arrays(trial.run(sizes, replicate))
            compare_numbers(what, whole, found, seed=trial.settings["seed"], replicate=replicate, steps_per_piece=size)
    if not trial.plain:
        one, two = (run_arrays(simulate(trial.method, trial.objective, **trial.given, progress=shown)) for shown in (None, _ignore))
        compare_numbers("a run whose progress is shown differs from the same run without", one, two, seed=trial.settings["seed"])
    return f"pieces of {', '.join(map(str, PIECES))} of {T} steps"


def _ignore(done: int, total: int) -> None:
    """Ignore the progress of a run."""


def recorded(trial: Trial) -> str:
    """Check that value[t], grad_norm_sq[t] are F_S and its squared gradient norm after step t, and clipped[t] is in [0, 1]."""
    for t, piece in enumerate(trial.run([1] * trial.steps)):
        where = {"seed": trial.settings["seed"], "replicate": 0, "step": t}
        value, slope = mean_and_squared_gradient(piece.end.x, trial.records, trial.params)
        expected = {"value": np.array([value]), "grad_norm_sq": np.array([slope])}
        found = {"value": piece.value, "grad_norm_sq": piece.grad_norm_sq}
        compare_numbers(f"the numbers recorded in step {t} are not those of the iterate after it", found, expected, **where)
        if not 0 <= piece.clipped[0] <= 1 + 1e-12:
            said = f"clipped[{t}] = {piece.clipped[0]:g}: the share of the batch that was clipped, between 0 and 1, is needed"
            raise ContractBroken(said, **where)
    return ""


def x_tau(trial: Trial) -> str:
    """Check that x_tau is the iterate before step tau, and untouched where tau is no step of the piece."""
    draws, point = trial.draw([1] * trial.steps), trial.start()
    for t, drawn in enumerate(draws):
        where = {"seed": trial.settings["seed"], "replicate": 0, "step": t}
        piece = trial.advance(point, drawn, tau=0)
        compare_numbers(f"x_tau is not the iterate before step tau = {t}", {"x_tau": piece.x_tau}, {"x_tau": point.x}, **where)
        for tau in (-1, 1):
            if not np.all(np.isnan(trial.advance(point, drawn, tau=tau).x_tau)):
                raise ContractBroken(f"x_tau was written in step {t} of a run, though tau is no step of this piece", tau=tau, **where)
        point = piece.end
    T = trial.steps
    found = trial.advance(trial.start(), next(trial.draw([T])), T, tau=T - 1).x_tau
    before = trial.run([T - 1])[0].end.x if T > 1 else trial.x0
    compare_numbers(
        f"x_tau is not the iterate before step tau = {T - 1}",
        {"x_tau": found},
        {"x_tau": before},
        seed=trial.settings["seed"],
        replicate=0,
        tau=T - 1,
    )
    return ""


def steps(trial: Trial) -> str:
    """Check that the loop returns how many steps ended with a finite |x|^2, also where a run diverges."""
    diverged = 0
    for alpha in (trial.settings["alpha"], *STEEP):
        run = trial.changed(alpha=alpha)
        T = run.steps
        where = {"seed": trial.settings["seed"], "replicate": 0, "alpha": alpha}
        for t, one in enumerate(run.run([1] * T)):
            if one.reached != (ended := _is_finite(one)):
                said = "finite" if ended else "not finite"
                raise ContractBroken(f"the loop returns {one.reached} of 1 steps where |x|^2 is {said} after it", step=t, **where)
        reached = run.run([T])[0].reached
        if reached and not _is_finite(run.run([reached])[0]):
            raise ContractBroken(f"the loop returns {reached} of {T} steps, but |x|^2 is not finite after step {reached}", **where)
        if reached < T and _is_finite(run.run([reached + 1])[0]):
            raise ContractBroken(f"the loop returns {reached} of {T} steps, but |x|^2 is finite after step {reached + 1}", **where)
        diverged += reached < T
    return f"diverges with {diverged} of {len(STEEP)} step sizes up to {STEEP[-1]:g}"


def _is_finite(piece: Piece) -> bool:
    """Return whether |x|^2 is finite after a piece."""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(piece.end.x @ piece.end.x))


def results(trial: Trial) -> str:
    """Check that a run returns arrays of the documented shapes, which are finite in an ordinary run."""
    run, T, d = simulate(trial.method, trial.objective, **trial.given), trial.settings["T"], trial.space.d
    R = trial.settings["replicates"]
    shapes = {"loss": (R, T + 1), "grad_norm_sq": (R, T + 1), "clipped": (R, T), "x": (R, d), "x_tau": (R, d), "tau": (R,), "steps": (R,)}
    where: dict[str, Any] = {"seed": trial.settings["seed"]}
    for name, shape in shapes.items():
        found = getattr(run, name)
        if found.shape != shape:
            raise ContractBroken(f"{name} has the shape {found.shape}, {shape} is needed", **where)
        if not np.all(np.isfinite(found)):
            at = [int(k) for k in np.argwhere(~np.isfinite(found))[0]]
            raise ContractBroken(f"{name}{at} is {found[tuple(at)]} in an ordinary run: alpha = {trial.settings['alpha']:g}", **where)
    if np.any(run.steps != T):
        raise ContractBroken(f"an ordinary run counts as diverged after {int(run.steps.min())} of {T} steps", **where)
    return ""


def plain_python(trial: Trial) -> str:
    """Check that the compiled loop equals the same loop as plain Python, up to rounding."""
    if trial.plain or config.DISABLE_JIT or not hasattr(trial.method.function, "py_func"):  # type: ignore[attr-defined]
        raise DoesNotApply("the loop is not compiled")
    one, two = (recorded_arrays(replace(trial, plain=plain).run([trial.steps])) for plain in (False, True))
    what = "the compiled loop differs from the same loop as plain Python"
    compare_numbers(what, one, two, 1e-7, seed=trial.settings["seed"], replicate=0)
    return ""


def step_size(trial: Trial) -> str:
    """Check that a tiny step size moves x by little."""
    small = 1e-9 * trial.settings["alpha"]
    moved = float(np.max(np.abs(trial.changed(alpha=small).run([trial.steps])[0].end.x - trial.x0)))
    usual = float(np.max(np.abs(trial.run([trial.steps])[0].end.x - trial.x0)))
    where = {"seed": trial.settings["seed"], "replicate": 0, "alpha": small}
    if not usual > 0:
        raise ContractBroken(f"x does not move in {trial.steps} steps of alpha = {trial.settings['alpha']:g}", **where)
    if not moved <= 1e-5 * usual:
        raise ContractBroken(
            f"x moves by {moved:.3g} in a run with alpha = {small:g}, and by {usual:.3g} with alpha 1e9 times larger", **where
        )
    return ""
