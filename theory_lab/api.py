"""The calls that join theory and simulation: a hand-over, no mathematics of their own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from bounds.gauss_psgd.recommend import Plan as SospPlan
from bounds.gauss_psgd.recommend import recommend_sosp as plan_sosp
from bounds.gauss_psgd.scaled import Schedule as SospSchedule
from bounds.privacy import ACCOUNTANTS, delta_remark, in_full
from bounds.recommend import METHODS as DPZERO
from bounds.recommend import Plan, Schedule
from bounds.recommend import recommend as plan
from bounds.validate import door, inside_unit, one_of, positive, positive_integer, shown
from synthetic import grid as engine
from synthetic import psgd
from synthetic.objectives import Objective
from synthetic.psgd import PsgdRun
from synthetic.saddles import Landscape
from synthetic.simulate import METHODS, Run
from synthetic.simulate import simulate as first_order
from synthetic.validate import flag, positive_array, positive_integers
from theory_lab import sosp

if TYPE_CHECKING:
    from paper_checks.verdict import Verdict


@door
def grid(
    method: str,
    objective: Objective,
    *,
    alphas: Sequence[float],
    horizons: Sequence[int],
    clips: Sequence[float],
    epsilon: float,
    delta: float,
    lam: float = 1e-4,
    test: Objective | None = None,
    accountant: str = "lemma",
    seed: int = 0,
    direction: str = "sphere",
    precision: str = "double",
    prune: bool = False,
    threads: int | None = None,
) -> engine.Grid:
    """Run a method with every (alpha, T, C) on a quadratic, each with the noise that makes it (epsilon, delta)-private.

    The noise has sensitivity 2C/n (replace one record) and T releases; ``accountant="lemma"`` is Lemma 2.2 of DPZero as printed,
    ``"exact"`` the least Gaussian noise. The result has it as ``sigma``, and in ``settings`` which accountant gave it for which privacy,
    with a remark where delta is not well below 1/n. On a quadratic the two-point difference is the same for every lam, so ``lam`` changes
    nothing but rounding; it is checked and otherwise unused. The rest is as in `synthetic.grid.grid`.
    """
    if not isinstance(objective, Objective):
        raise ValueError(f"objective = {shown(objective)}: a quadratic is needed, such as lab.quadratic('inverse', d=20, n=100, seed=0)")
    one_of(tuple(ACCOUNTANTS), accountant=accountant)
    positive(epsilon=epsilon, lam=lam)
    inside_unit(delta=delta)
    steps = positive_integers(horizons=horizons)
    stepsizes, thresholds = positive_array((None,), alphas=alphas), positive_array((None,), clips=clips)
    calibrate = ACCOUNTANTS[accountant]
    sensitivities = [in_full(2 * float(C) / objective.n) for C in thresholds]
    sigma = np.array([
        [calibrate(epsilon=epsilon, delta=delta, T=int(T), sensitivity=sensitivity) for sensitivity in sensitivities] for T in steps
    ])  # fmt: skip
    found = engine.grid(
        method, objective, alphas=stepsizes, horizons=steps, clips=thresholds, sigma=sigma, test=test, seed=seed,
        direction=direction, precision=precision, prune=prune, threads=threads,
    )  # fmt: skip
    noise = {
        "accountant": accountant,
        "noise": NOISE[accountant],
        "epsilon": epsilon,
        "delta": delta,
        "remark": delta_remark(delta, objective.n),
    }
    return replace(found, settings={**found.settings, **noise})


NOISE = {"lemma": "Lemma 2.2 of DPZero", "exact": "exact accounting, the least noise"}


@overload
def simulate(
    method: str,
    objective: Objective,
    *,
    plan: Any = None,
    alpha: float = ...,
    T: int = ...,
    C: float | None = ...,
    lam: float = ...,
    sigma: float | None = ...,
    replicates: int = ...,
    seed: int = ...,
    direction: str = ...,
    batch_size: int | None = ...,
    threads: int | None = ...,
) -> Run: ...


@overload
def simulate(method: str, objective: Landscape, *, plan: Any = None, **settings: Any) -> PsgdRun: ...


@door
def simulate(method: str, objective: Objective | Landscape, *, plan: Any = None, **settings: Any) -> Run | PsgdRun:
    """Run a method on an objective: `synthetic.simulate.simulate`, or one of `synthetic.psgd` for gauss_psgd and frozen_psgd.

    ``plan`` stands for the parameters of one column of a recommendation; what is given besides wins. For the methods of DPZero that is
    ``lab.recommend("dpzero", ...).sharp`` or ``.printed``, for gauss_psgd ``lab.recommend("gauss_psgd", ...).scaled`` with ``oracle``
    and ``n``.
    """
    one_of((*METHODS, *sosp.METHODS), method=method)
    second_order = method in sosp.METHODS
    if isinstance(objective, Objective) and second_order:
        raise ValueError(f"objective = {objective.name!r}: {method} needs one with a saddle, such as lab.random_phase_cosines(d)")
    if isinstance(objective, Landscape) and not second_order:
        raise ValueError(f"method = {method!r}: on an objective with a saddle, one of {', '.join(sosp.METHODS)} is needed")
    if not isinstance(objective, Objective | Landscape):
        raise ValueError(f"objective = {shown(objective)}: an objective is needed, such as lab.quadratic('inverse', d=20, n=100, seed=0)")
    if plan is not None:
        settings = _parameters(method, objective, plan, settings) | settings
    if isinstance(objective, Objective):
        return first_order(method, objective, **settings)
    if method == "frozen_psgd":
        return psgd.frozen_psgd(objective, **settings)
    if settings.get("oracle") == "exact" and plan is not None:
        del settings["n"]
    return psgd.gauss_psgd(objective, **settings)


def _parameters(method: str, objective: Objective | Landscape, plan: Any, settings: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of one column of a recommendation for this method."""
    kind: type = Schedule if isinstance(objective, Objective) else SospSchedule
    if isinstance(plan, Plan | SospPlan):
        raise ValueError(
            f"plan = the plans of {plan.method}: one of them is needed, such as plan.{'sharp' if kind is Schedule else 'scaled'}"
        )
    if not isinstance(plan, kind) or method in ("mezo", "frozen_psgd"):
        raise ValueError(f"plan = {shown(plan)}: one column of lab.recommend is needed, for {method} of its own method")
    if isinstance(plan, Schedule):
        return {name: getattr(plan, name) for name in ("alpha", "T", "C", "lam", "sigma") if not math.isnan(getattr(plan, name))}
    assert isinstance(objective, Landscape)
    assert isinstance(plan, SospSchedule)
    if "oracle" not in settings or "n" not in settings:
        raise ValueError("plan: oracle and n are needed with it")
    one_of(psgd.ORACLES, oracle=settings["oracle"])
    return sosp.planned(plan, objective, settings["oracle"], settings["n"])


@overload
def recommend(method: Literal["dpzero", "dpgd_0th", "dp_gd"], objective: Objective | Landscape | None = None, **problem: Any) -> Plan: ...


@overload
def recommend(method: Literal["gauss_psgd"], objective: Objective | Landscape | None = None, **problem: Any) -> SospPlan: ...


@overload
def recommend(method: str, objective: Objective | Landscape | None = None, **problem: Any) -> Plan | SospPlan: ...


@door
def recommend(method: str, objective: Objective | Landscape | None = None, **problem: Any) -> Plan | SospPlan:
    """Return plans for a problem, given by its constants or by an objective that carries them.

    ``lab.recommend("dpzero", objective, epsilon=2.0, delta=1e-6)`` takes n, d, r, L, ell, gap and B from the objective,
    ``lab.recommend("gauss_psgd", landscape, n=10**6, epsilon=2.0, delta=1e-6)`` d, m, L, ell, rho and U; values that are given as well
    win. The rest is as in `bounds.recommend.recommend` and `bounds.gauss_psgd.recommend.recommend_sosp`.
    """
    one_of((*DPZERO, "gauss_psgd"), method=method)
    if method == "gauss_psgd":
        if not (objective is None or isinstance(objective, Landscape)):
            name = getattr(objective, "name", objective)
            raise ValueError(f"objective = {shown(name)}: {method} needs one with a saddle, such as lab.random_phase_cosines(d)")
        return plan_sosp(method, **((sosp.problem_of(objective, problem) if isinstance(objective, Landscape) else {}) | problem))
    if isinstance(objective, Landscape):
        raise ValueError(f"method = {method!r}: on an objective with a saddle, gauss_psgd is needed")
    if objective is not None:
        if not isinstance(objective, Objective):
            raise ValueError(f"objective = {shown(objective)}: an objective of the lab is needed, or none and the constants by name")
        known = {name: objective.constants[name] for name in ("r", "L", "ell", "gap", "B") if name in objective.constants}
        problem = {"n": objective.n, "d": objective.d} | known | problem
        if problem.get("L") == math.inf:
            raise ValueError(f"objective = {objective.name!r}: it is not Lipschitz (L = inf), and every theorem here asks for that")
        for name in ("L", "ell", "gap"):
            if name not in problem:
                raise ValueError(f"objective = {objective.name!r}: its constants have no {name}, give {name}= as well")
    return plan(method, **problem)


@door
def check(*select: str, module: str | Path | None = None, quick: bool = False, workers: int = 1) -> list[Verdict]:
    """Examine the claims that the patterns select ("dpzero", "dpzero.theorem3", "dpzero.*privacy*"; all without one).

    With ``module``, the CLAIMS of that Python file instead of the lab's.
    With more than one worker the claims are spread over processes; a script then needs ``if __name__ == "__main__":``.
    Raises ValueError for a pattern that selects nothing, and BrokenRun, which has the other verdicts, where the processes that examined
    a claim died three times or had no memory.
    """
    from paper_checks import papers  # here: the ledger loads SymPy and every proof, which nothing else at this door needs
    from paper_checks import run as ledger

    for pattern in select:
        if not isinstance(pattern, str):
            raise ValueError(f"select = {shown(pattern)}: words are needed, such as lab.check('dpzero', 'gauss_psgd')")
    if not isinstance(module, str | Path | None):
        raise ValueError(f"module = {shown(module)}: the path of a Python file is needed")
    positive_integer(workers=workers)
    flag(quick=quick)
    chosen = ledger.select(papers.claims([Path(module)] if module is not None else ()), select)
    return ledger.run(chosen, full=not quick, workers=workers)
