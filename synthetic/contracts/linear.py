"""The contract of a method that declares a linear step, by which its runs are predicted."""

import numpy as np

from synthetic.contracts.privacy import STEPS
from synthetic.contracts.trial import DoesNotApply, Trial, compare_numbers
from synthetic.draws import FloatArray
from synthetic.losses.contracts import gradient
from synthetic.methods.linear import step_matrix


def linear_step(trial: Trial) -> str:
    """Check that a step equals the declared linear step with the mean of the clipped gradients at x, and sigma times the noise."""
    if trial.method.linear_step is None:
        raise DoesNotApply("the method declares no linear_step")
    matrix, names = step_matrix(trial.method, trial.known), ("x", *trial.method.state)
    point = trial.start()
    clipped = 0
    for t, drawn in enumerate(trial.draw([1] * (max(STEPS) + 1))):
        mean, share = noisy_mean(trial, point.x, drawn)
        clipped += share
        before = np.array([point.released[name] for name in names] + [mean])
        found = trial.advance(point, drawn).end
        one, two = dict(zip(names, matrix @ before, strict=True)), {name: found.released[name] for name in names}
        compare_numbers("the step is not the declared linear_step", one, two, seed=trial.settings["seed"], replicate=0, step=t)
        point = found
    return f"{clipped} gradients were clipped" if trial.method.private else ""


def noisy_mean(trial: Trial, x: FloatArray, drawn: dict[str, FloatArray]) -> tuple[FloatArray, int]:
    """Return the noisy mean of the clipped gradients at x, (d,), with how many were clipped; without noise for a method that has none."""
    g, total, clipped = np.empty(x.size), np.zeros(x.size), 0
    for record in trial.records:
        gradient(x, record, trial.params, g)
        norm = float(np.linalg.norm(g))
        short = not trial.method.private or norm <= trial.settings["C"]
        total += g if short else g * (trial.settings["C"] / norm)
        clipped += not short
    noise = trial.settings["sigma"] * drawn[trial.noise.name][0] if trial.method.private else 0.0
    return total / len(trial.records) + noise, clipped
