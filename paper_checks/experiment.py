"""From plan to run: run any method on an objective with the parameters of a plan.

The command line, `theory_lab`, the claims about runs of DPZero and the experiments of Gauss-PSGD run their plans through this module.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from bounds.plans.plan import Column, ObjectiveFacts, Plan
from bounds.privacy.accounting import of_means
from bounds.privacy.gaussian import ACCOUNTANTS, require_full_precision
from bounds.privacy.release import Sampling
from bounds.validate import positive_integer, short_repr, validated
from synthetic.draws import FloatArray
from synthetic.methods.record import Kernel
from synthetic.objectives.saddles import SaddleObjective
from synthetic.objectives.sums import Objective
from synthetic.runs import simulate
from synthetic.runs.psgd import PsgdRun
from synthetic.runs.simulate import Run

Runner = Callable[..., PsgdRun]


def run(method: Kernel | Runner, objective: Objective | SaddleObjective, plan: Any = None, /, **settings: Any) -> Run | PsgdRun:
    """Run a method on an objective and return its Run or PsgdRun; `settings` override the parameters that `plan` gives.

    The method is the record of a kernel on a sum, or a function such as those of `synthetic.runs.psgd`. Warnings and caveats of the plan
    are added to the remarks of the run. Raises ValueError for what is neither a kernel nor a function.
    """
    if not callable(method) and not isinstance(method, Kernel):
        raise ValueError(f"method = {short_repr(method)}: nothing runs it; its record needs a kernel, or a run of its own")
    if plan is not None:
        found = run(method, objective, **run_arguments(method, objective, plan, **settings))
        given = {name: value for name, value in settings.items() if value is not None}
        said = plan.remarks(describe_objective(objective), found.settings, given)
        return replace(found, remarks=(*said.against, *said.caveats, *found.remarks), vouched=not said.against)
    if isinstance(method, Kernel):
        return simulate.simulate(method, objective, **settings)  # type: ignore[arg-type]  # it checks the objective
    return method(objective, **settings)


def run_arguments(method: Kernel | Runner, objective: Objective | SaddleObjective, plan: Any, /, **settings: Any) -> dict[str, Any]:
    """Return the keyword arguments of a run as a dict: the parameters of one variant of a plan, overridden by `settings`.

    Raises ValueError for an object that is no variant of a plan of this method.
    """
    called = method.name if isinstance(method, Kernel) else getattr(method, "__name__", short_repr(method))
    if isinstance(method, Kernel) and not method.private:
        raise ValueError(f"plan = {short_repr(plan)}: {called} has no plans, it is not private; give alpha and T instead")
    if isinstance(plan, Plan):
        raise ValueError(f"plan = the plans of {plan.method}: one of them is needed, such as plan.{plan.COLUMNS[-1]}")
    if not isinstance(plan, Column):
        raise ValueError(f"plan = {short_repr(plan)}: one column of lab.recommend is needed, for {called} of its own method")
    return plan.arguments(called, describe_objective(objective), **settings)


def describe_objective(objective: Objective | SaddleObjective) -> ObjectiveFacts:
    """Return the ObjectiveFacts of an objective, as `plan.arguments` takes them: its name, constants and parameter shapes."""
    if isinstance(objective, SaddleObjective):
        return ObjectiveFacts(
            objective.name, {**objective.constants, "d": objective.d, "m": objective.clients}, objective.where, objective.shape.shapes
        )
    return ObjectiveFacts(objective.name, {**objective.constants, "d": objective.d, "n": objective.n}, shapes=objective.shape.shapes)


def check_covered(settings: Mapping[str, Any]) -> None:
    """Raise ValueError for settings of a run, defaults included, whose releases no noise makes private as accountants count them."""
    if settings.get("noise") == "shared":
        raise ValueError("noise = 'shared': it releases a difference of blocks without noise, which is never private")


@validated
def sigma_table(
    *, accountant: str, epsilon: float, delta: float, n: int, horizons: Iterable[int], clips: Iterable[float], P: int = 1
) -> FloatArray:
    """Return noise deviations sigma (horizons, clips), with which T P releases of sensitivity 2C/n, replace-one, are private."""
    calibrate = ACCOUNTANTS[accountant]
    positive_integer(P=P)

    def sigma(T: int, C: float) -> float:
        """Return the noise deviation for one horizon and clip."""
        return calibrate(epsilon=epsilon, delta=delta, T=int(T) * P, sensitivity=require_full_precision(2 * float(C) / n))

    return np.array([[sigma(T, C) for C in clips] for T in horizons])


@validated
def batch_sigma_table(
    *,
    epsilon: float,
    delta: float,
    n: int,
    horizons: Iterable[int],
    clips: Iterable[float],
    batch_size: int,
    sampling: Sampling,
    P: int = 1,
) -> FloatArray:
    """Return noise deviations sigma (horizons, clips) on the mean over a random batch, with which T steps are private.

    The releases of a step are P scalars of each record in the batch, or one vector with P = 1. Replace-one, by `bounds.privacy.accounting`.
    """
    at_one = [of_means(n, batch_size, 1.0, int(T), sampling, P=P).calibrate_noise(epsilon, delta).sigma for T in horizons]
    return np.outer(at_one, [float(C) for C in clips]) * (1 + 2.0**-50)  # sigma is proportional to C; rounded up


def noise_over_clip(*, accountant: str, epsilon: float, delta: float, n: float) -> Callable[[int], float]:
    """Return the function T -> sigma / C for a privacy budget, sigma the deviation at which T releases are private."""
    budget = {"accountant": accountant, "epsilon": epsilon, "delta": delta, "n": int(n)}
    return lambda T: float(sigma_table(**budget, horizons=[T], clips=[1.0])[0, 0])  # type: ignore[arg-type]  # a budget has its types
