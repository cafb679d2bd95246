"""The contract of a method that declares a linear step, by which its runs are predicted."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from synthetic.compiled import explain_compile_errors
from synthetic.contracts.privacy import STEPS
from synthetic.contracts.trial import ContractBroken, DoesNotApply, Trial, compare_numbers, make_trial
from synthetic.contracts.trial import T as SHORTEST
from synthetic.draws import FloatArray
from synthetic.losses.contracts import gradient
from synthetic.methods.linear import step_matrix
from synthetic.methods.record import Kernel

TRIED = max(STEPS) + 1  # steps


def linear_step(trial: Trial) -> str:
    """Check that a step equals the declared linear step with the mean of the clipped gradients at x, and sigma times the noise."""
    return compare_steps(trial, 0)


def compare_steps(trial: Trial, t0: int) -> str:
    """Compare some steps from the start of a run, as if t0 steps had been made before, with the declared linear step."""
    if trial.method.linear_step is None:
        raise DoesNotApply("the method declares no linear_step")
    matrix, names = step_matrix(trial.method, trial.known), ("x", *trial.method.state)
    point = replace(trial.start(), t0=t0)
    clipped = 0
    for t, drawn in enumerate(trial.draw([1] * TRIED)):
        mean, share = noisy_mean(trial, point.x, drawn)
        clipped += share
        before = np.array([point.released[name] for name in names] + [mean])
        found = trial.advance(point, drawn).end
        one, two = dict(zip(names, matrix @ before, strict=True)), {name: found.released[name] for name in names}
        compare_numbers("linear_step and the step of the loop differ", one, two, seed=trial.settings["seed"], replicate=0, step=t)
        point = found
    return f"{clipped} gradients were clipped" if trial.method.private else ""


def require_linear_step(method: Kernel, settings: Mapping[str, Any]) -> None:
    """Raise ValueError unless a method's loop, as plain Python, makes the step that it declares, on a few records.

    Tried are these settings, and other alpha, C and sigma, with which about half of the gradients are clipped: at the beginning, in the
    middle and at the end of a run of T steps.
    """
    T = max(settings["T"], SHORTEST)
    usual = {name: value for name, value in settings.items() if name not in ("alpha", "C", "sigma")}
    trials = [make_trial(method, {**one, "T": T}, plain=True) for one in (settings, usual)]
    if method.private:
        trials[1] = trials[1].changed(C=float(np.median([np.linalg.norm(one) for one in gradients(trials[1], trials[1].x0)])))
    try:
        with explain_compile_errors(method.name):
            for trial, t0 in product(trials, (0, T // 2, T - TRIED)):
                compare_steps(trial, t0)
    except ContractBroken as error:
        raise ValueError(f"linear_step of {method.name}: {error}; one of them is to be changed") from None


def gradients(trial: Trial, x: FloatArray) -> list[FloatArray]:
    """Return the gradients at x of the records of a trial, (d,) each."""
    found = [np.empty(x.size) for _ in trial.records]
    for g, record in zip(found, trial.records, strict=True):
        gradient(x, record, trial.params, g)
    return found


def noisy_mean(trial: Trial, x: FloatArray, drawn: dict[str, FloatArray]) -> tuple[FloatArray, int]:
    """Return the noisy mean of the clipped gradients at x, (d,), with how many were clipped; without noise for a method that has none."""
    total, clipped = np.zeros(x.size), 0
    for g in gradients(trial, x):
        norm = float(np.linalg.norm(g))
        short = not trial.method.private or norm <= trial.settings["C"]
        total += g if short else g * (trial.settings["C"] / norm)
        clipped += not short
    noise = trial.settings["sigma"] * drawn[trial.noise.name][0] if trial.method.private else 0.0
    return total / len(trial.records) + noise, clipped
