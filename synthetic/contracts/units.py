"""Contracts about units: a run does not depend on the units in which the loss and x are measured. Each takes a `Trial`, as in `runs`.

With the loss, C and sigma multiplied by a number and the step size divided by it, x moves along the same path. A normalised method, such as
Adam, has a step size in units of x instead. Where neither holds, a constant with a unit is hidden in the loop.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from synthetic.contracts.runs import recorded_arrays
from synthetic.contracts.trial import ContractBroken, Trial, compare_numbers
from synthetic.declared.dpzero import DPZero
from synthetic.declared.fields import UNITS
from synthetic.draws import FloatArray
from synthetic.methods.record import Kernel

TIMES = 4.0  # a power of 2, so that multiplying rounds nothing
STEPS = {"alpha in units of x^2 / loss": (-1, 2), "alpha in units of x, as in a normalised method": (0, 1)}


def setting_units(method: Kernel) -> dict[str, tuple[int, int]]:
    """Return the powers of the units of the loss and of x in each setting that has a unit; alpha depends on the method.

    A record without a declaration has the units of DPZero where a name is the same.
    """
    return {one.name: UNITS[one.rule.unit] for one in (method.declared or DPZero).fields if one.rule.unit}


def scaled_trial(trial: Trial, alpha: tuple[int, int], loss: float, x: float) -> Trial:
    """Return the trial with the loss and x measured in other units; `alpha` has the powers of these units in the step size."""
    settings = dict(trial.settings)
    for name, (of_loss, of_x) in {**setting_units(trial.method), "alpha": alpha}.items():
        if isinstance(settings.get(name), float):
            settings[name] = settings[name] * loss**of_loss * x**of_x
    records = trial.records * x
    records[:, 0] = trial.records[:, 0]
    params = (trial.params[0], trial.params[1] * loss / x**2)
    return replace(trial, settings=settings, records=records, params=params, x0=trial.x0 * x)


def run_in_units(trial: Trial, loss: float, x: float) -> Mapping[str, FloatArray]:
    """Return what a run of a trial in other units records, in the units of the original: x, value, squared gradient norm, clipped."""
    found = recorded_arrays(trial.run([trial.steps]))
    sizes = {"x": x, "value": loss, "grad_norm_sq": (loss / x) ** 2, "clipped": 1.0}
    return {name: found[name] / size for name, size in sizes.items()}


def _check_units(trial: Trial, what: str, loss: float, x: float) -> str:
    """Return which unit alpha has; raise ContractBroken where a run in other units differs whichever it has."""
    usual, broken = run_in_units(trial, 1.0, 1.0), dict[str, Any]()
    for words, alpha in STEPS.items():
        try:
            compare_numbers("", usual, run_in_units(scaled_trial(trial, alpha, loss, x), loss, x), 1e-7)
        except ContractBroken as error:
            broken[words] = str(error).lstrip(": ")
            continue
        return words
    first = next(iter(broken.values()))
    said = f"a run with {what} multiplied by {TIMES:g}, and the settings with it, is another one, so the loop hides a constant with a unit"
    raise ContractBroken(f"{said} ({first})", seed=trial.settings["seed"], replicate=0, difference=broken)


def loss_units(trial: Trial) -> str:
    """Check that loss, C and sigma times 4 and alpha divided by 4 give the same path."""
    return _check_units(trial, "the loss", TIMES, 1.0)


def x_units(trial: Trial) -> str:
    """Check that x, data and lam times 4, C and sigma divided by 4, and alpha times 16 give the same path."""
    return _check_units(trial, "x", 1.0, TIMES)
