"""From plan to run: a plan, which is one column of a recommendation, and an objective give the run of any method.

The command line, the Python front door, the claims about runs of DPZero and the experiments of Gauss-PSGD run their plans through this
module.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from bounds.dpzero.recommend import Schedule
from bounds.gauss_psgd.scaled import Schedule as PsgdSchedule
from bounds.privacy import ACCOUNTANTS, in_full
from bounds.validate import door, one_of, positive_integer, shown
from synthetic import psgd, simulate
from synthetic.draws import FloatArray
from synthetic.landscape import Landscape
from synthetic.objectives import Objective
from synthetic.psgd import PsgdRun
from synthetic.record import Kernel
from synthetic.simulate import Run


def run(method: Kernel | str, objective: Objective | Landscape, plan: Any = None, **settings: Any) -> Run | PsgdRun:
    """Run a method on an objective: the record of a kernel on a sum, or one of `synthetic.psgd` by its name.

    `plan` stands for the parameters that `settings` does not give.
    """
    if plan is not None:
        settings = arguments(method, objective, plan, **settings)
    if isinstance(method, Kernel):
        return simulate.simulate(method, objective, **settings)  # type: ignore[arg-type]  # it checks the objective
    one_of(("gauss_psgd", "frozen_psgd"), method=method)
    found: PsgdRun = getattr(psgd, method)(objective, **settings)
    return found


def arguments(method: Kernel | str, objective: Objective | Landscape, plan: Any, **settings: Any) -> dict[str, Any]:
    """Return the arguments of the run of a plan; what is given besides wins.

    A plan of Gauss-PSGD needs `n` besides, and for gauss_psgd itself `oracle`. Raises ValueError for what is no plan of this method, for a
    plan whose noise is too little for this objective (for its samples, or its L or ell where nothing is clipped), and for one that asks for
    more samples than there are.
    """
    saddle = isinstance(objective, Landscape)
    called = method.name if isinstance(method, Kernel) else method
    if isinstance(method, Kernel) and not method.private:
        raise ValueError(f"plan = {shown(plan)}: {called} has no plans, it is not private; give alpha and T instead")
    if hasattr(plan, "printed"):
        column = "scaled" if saddle else "sharp"
        raise ValueError(f"plan = the plans of {plan.method}: one of them is needed, such as plan.{column}")
    if not isinstance(plan, PsgdSchedule if saddle else Schedule):
        raise ValueError(f"plan = {shown(plan)}: one column of lab.recommend is needed, for {called} of its own method")
    if isinstance(plan, Schedule):
        assert isinstance(objective, Objective)
        if plan.method != called:
            raise ValueError(f"plan = one of {plan.method}: {called} needs one of its own, lab.recommend({called!r}, ...)")
        if objective.n < plan.n:
            raise ValueError(f"plan = one for n = {plan.n:g}: its sigma is too little for the objective, which has n = {objective.n}")
        if nowhere := [name for name in ("alpha", "C", "sigma") if math.isnan(getattr(plan, name))]:
            raise ValueError(f"plan = one of {plan.theorem}: at its problem the theorem gives no {nowhere[0]}, so it cannot be run")
        return {name: getattr(plan, name) for name in ("alpha", "T", "C", "lam", "sigma") if not math.isnan(getattr(plan, name))} | settings
    needed = ("n",) if method == "frozen_psgd" else ("oracle", "n")
    if missing := [name for name in needed if name not in settings]:
        raise ValueError(f"plan: {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} needed with it")
    positive_integer(n=settings["n"])
    oracle = settings.get("oracle", "ada_dp_spider")
    one_of(psgd.ORACLES, oracle=oracle)
    if not plan.runnable and oracle != "exact":
        raise ValueError(f"plan = {shown(plan)}: it cannot be run, because it asks for more samples than there are; take plan.scaled")
    worse = beyond(plan, objective)
    for name, noise in (("L", "sigma_1"), ("ell", "sigma_2")):
        if name in worse and noise in psgd.NEEDS[oracle] and noise not in settings and oracle != "exact":
            own, made = worse[name]
            raise ValueError(f"plan = one for {name} = {made:g}: its noise is too little for {objective.name}, which has {name} = {own:g}")
    if method == "frozen_psgd":
        return frozen_psgd(plan, objective.d, settings["n"]) | settings
    found = gauss_psgd(plan, objective.d, oracle, settings["n"]) | settings
    return {name: value for name, value in found.items() if name != "n" or oracle != "exact"}


def beyond(plan: Schedule | PsgdSchedule, objective: Objective | Landscape) -> dict[str, tuple[float, float]]:
    """Return the constants of an objective that are worse than those which a plan was made for: its own, and the plan's."""
    own: dict[str, float] = {**objective.constants, "d": objective.d}
    own |= {"m": objective.clients} if isinstance(objective, Landscape) else {}
    pairs = {name: (own[name], made) for name, made in plan.constants.items() if name in own}
    return {name: (one, made) for name, (one, made) in pairs.items() if (one < made if name in ("mu", "m") else one > made)}


def not_for(plan: Schedule | PsgdSchedule, objective: Objective | Landscape, what: str) -> str:
    """Return in a sentence which constants make an objective another than a plan was made for; empty where none does."""
    worse = [f"{name} = {own:g}, not {made:g}" for name, (own, made) in beyond(plan, objective).items()]
    return f"{what} is not for this objective, which has {', '.join(worse)}." if worse else ""


def gauss_psgd(plan: PsgdSchedule, d: int, oracle: str, n: int) -> dict[str, Any]:
    """Return the arguments of `synthetic.psgd.gauss_psgd` for an oracle.

    SGD has batches of the size at which the planned calls use up the samples, with the noise of O_1 for that size; the fixed period is the
    planned number of steps between two fresh gradients; the exact oracle has half of psi^2 as sampling error and half as Gaussian noise.
    """
    batch = max(1, n // max(plan.calls, 1))
    numbers: dict[str, Any] = {
        "n": n,
        "b_1": plan.b_1,
        "b_2": plan.b_2,
        "sigma_1": plan.sigma_fresh,
        "sigma_2": plan.sigma_difference,
        "kappa": plan.drift_limit,
        "period": max(1, round(plan.T / plan.fresh)),
    }
    if oracle == "sgd":
        numbers |= {"b_1": batch, "sigma_1": plan.sigma_fresh * plan.b_1 / batch}
    if oracle == "exact":
        numbers |= {"zeta": plan.psi / math.sqrt(2), "sigma_1": plan.psi / math.sqrt(2 * d), "limit": 4 * plan.calls}
    common = {"eta": plan.eta, "chi": plan.chi, "R": plan.radius, "Gamma": plan.Gamma, "Q": plan.Q}
    return common | {name: numbers[name] for name in psgd.NEEDS[oracle]}


def frozen_psgd(plan: PsgdSchedule, d: int, n: int) -> dict[str, Any]:
    """Return the arguments of `synthetic.psgd.frozen_psgd`: the same oracle, disturbed at 3 chi by noise of length chi, once a round."""
    same = gauss_psgd(plan, d, "ada_dp_spider", n)
    own = {"threshold": 3 * plan.chi, "extra": plan.chi / math.sqrt(d), "frozen_steps": plan.Gamma}
    return {name: value for name, value in same.items() if name not in ("chi", "R", "Gamma", "Q")} | own


@door
def sigma_table(*, accountant: str, epsilon: float, delta: float, n: int, horizons: Iterable[int], clips: Iterable[float]) -> FloatArray:
    """Return the noise of every horizon and clip, (horizons, clips): T releases of sensitivity 2C/n (replace one record)."""
    calibrate = ACCOUNTANTS[accountant]

    def sigma(T: int, C: float) -> float:
        return calibrate(epsilon=epsilon, delta=delta, T=int(T), sensitivity=in_full(2 * float(C) / n))

    return np.array([[sigma(T, C) for C in clips] for T in horizons])
