"""From plan to run: a column of a plan and an objective give the run of any method.

The command line, the Python front door, the claims about runs of DPZero and the experiments of Gauss-PSGD run their plans through this
module.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from bounds.plans.plan import Column, Place, Plan
from bounds.privacy.gaussian import ACCOUNTANTS, in_full
from bounds.validate import door, shown
from synthetic.draws import FloatArray
from synthetic.methods.record import Kernel
from synthetic.objectives.saddles import Landscape
from synthetic.objectives.sums import Objective
from synthetic.runs import simulate
from synthetic.runs.psgd import PsgdRun
from synthetic.runs.simulate import Run

Runner = Callable[..., PsgdRun]


def run(method: Kernel | Runner, objective: Objective | Landscape, plan: Any = None, /, **settings: Any) -> Run | PsgdRun:
    """Run a method on an objective: the record of a kernel on a sum, or a function such as those of `synthetic.runs.psgd` itself.

    `plan` stands for the parameters that `settings` does not give; what it says of the run is added. Raises ValueError for what is
    neither a kernel nor a function.
    """
    if not callable(method) and not isinstance(method, Kernel):
        raise ValueError(f"method = {shown(method)}: nothing runs it; its record needs a kernel, or a run of its own")
    if plan is not None:
        found = run(method, objective, **arguments(method, objective, plan, **settings))
        given = {name: value for name, value in settings.items() if value is not None}
        said = plan.remarks(place(objective), found.settings, given)
        return replace(found, remarks=(*said.against, *said.caveats, *found.remarks), vouched=not said.against)
    if isinstance(method, Kernel):
        return simulate.simulate(method, objective, **settings)  # type: ignore[arg-type]  # it checks the objective
    return method(objective, **settings)


def arguments(method: Kernel | Runner, objective: Objective | Landscape, plan: Any, /, **settings: Any) -> dict[str, Any]:
    """Return the arguments of the run of a plan; what is given besides wins. Raises ValueError for what is no plan of this method."""
    called = method.name if isinstance(method, Kernel) else getattr(method, "__name__", shown(method))
    if isinstance(method, Kernel) and not method.private:
        raise ValueError(f"plan = {shown(plan)}: {called} has no plans, it is not private; give alpha and T instead")
    if isinstance(plan, Plan):
        raise ValueError(f"plan = the plans of {plan.method}: one of them is needed, such as plan.{plan.COLUMNS[-1]}")
    if not isinstance(plan, Column):
        raise ValueError(f"plan = {shown(plan)}: one column of lab.recommend is needed, for {called} of its own method")
    return plan.arguments(called, place(objective), **settings)


def place(objective: Objective | Landscape) -> Place:
    """Return what a plan asks of an objective."""
    if isinstance(objective, Landscape):
        return Place(
            objective.name, {**objective.constants, "d": objective.d, "m": objective.clients}, objective.where, objective.shape.shapes
        )
    return Place(objective.name, {**objective.constants, "d": objective.d, "n": objective.n}, shapes=objective.shape.shapes)


@door
def sigma_table(*, accountant: str, epsilon: float, delta: float, n: int, horizons: Iterable[int], clips: Iterable[float]) -> FloatArray:
    """Return the noise of every horizon and clip, (horizons, clips): T releases of sensitivity 2C/n (replace one record)."""
    calibrate = ACCOUNTANTS[accountant]

    def sigma(T: int, C: float) -> float:
        return calibrate(epsilon=epsilon, delta=delta, T=int(T), sensitivity=in_full(2 * float(C) / n))

    return np.array([[sigma(T, C) for C in clips] for T in horizons])


def noise_over_clip(*, accountant: str, epsilon: float, delta: float, n: float) -> Callable[[int], float]:
    """Return sigma / C as a function of T, as `sigma_table` has it: the noise is proportional to C."""
    budget = {"accountant": accountant, "epsilon": epsilon, "delta": delta, "n": int(n)}
    return lambda T: float(sigma_table(**budget, horizons=[T], clips=[1.0])[0, 0])  # type: ignore[arg-type]  # a budget has its types
