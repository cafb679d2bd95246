"""The calls that join theory and simulation: a hand-over, no mathematics of their own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bounds.gauss_psgd.recommend import Plan as SospPlan
from bounds.gauss_psgd.recommend import recommend_sosp as plan_sosp
from bounds.privacy import delta_remark
from bounds.recommend import Plan
from bounds.recommend import recommend as plan
from bounds.validate import inside_unit, one_of, positive
from paper_checks import papers
from paper_checks import run as ledger
from paper_checks.dpzero.synthetic_experiment import ACCOUNTANTS
from paper_checks.verdict import Verdict
from synthetic import grid as engine
from synthetic import psgd
from synthetic.objectives import Objective
from synthetic.psgd import PsgdRun
from synthetic.saddles import Landscape
from synthetic.simulate import Run
from synthetic.simulate import simulate as first_order
from synthetic.validate import positive_array, positive_integers
from theory_lab import sosp


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
    one_of(tuple(ACCOUNTANTS), accountant=accountant)
    positive(epsilon=epsilon, lam=lam)
    inside_unit(delta=delta)
    steps, thresholds = positive_integers(horizons=horizons), positive_array((None,), clips=clips)
    calibrate = ACCOUNTANTS[accountant]
    sigma = np.array([
        [calibrate(epsilon=epsilon, delta=delta, T=int(T), sensitivity=2 * float(C) / objective.n) for C in thresholds] for T in steps
    ])  # fmt: skip
    found = engine.grid(
        method, objective, alphas=np.asarray(alphas), horizons=steps, clips=thresholds, sigma=sigma, test=test, seed=seed,
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


def simulate(method: str, objective: Objective | Landscape, **settings: Any) -> Run | PsgdRun:
    """Run a method on an objective: `synthetic.simulate.simulate`, or one of `synthetic.psgd` for gauss_psgd and frozen_psgd.

    For gauss_psgd, ``plan=lab.recommend("gauss_psgd", ...).scaled`` with ``oracle`` and ``n`` stands for the parameters of that plan;
    what is given besides wins.
    """
    if method not in sosp.METHODS:
        if isinstance(objective, Landscape):
            raise ValueError(f"method = {method!r}: on an objective with a saddle, one of {', '.join(sosp.METHODS)} is needed")
        return first_order(method, objective, **settings)
    if not isinstance(objective, Landscape):
        raise ValueError(f"objective = {objective.name!r}: {method} needs one with a saddle, such as lab.random_phase_cosines(d)")
    if method == "frozen_psgd":
        return psgd.frozen_psgd(objective, **settings)
    plan = settings.pop("plan", None)
    if plan is not None:
        if "oracle" not in settings or "n" not in settings:
            raise ValueError("plan: oracle and n are needed with it")
        settings = sosp.planned(plan, objective, settings["oracle"], settings["n"]) | settings
        if settings["oracle"] == "exact":
            del settings["n"]
    return psgd.gauss_psgd(objective, **settings)


def recommend(method: str, objective: Objective | Landscape | None = None, **problem: Any) -> Plan | SospPlan:
    """Return plans for a problem, given by its constants or by an objective that carries them.

    ``lab.recommend("dpzero", objective, epsilon=2.0, delta=1e-6)`` takes n, d, r, L, ell, gap and B from the objective,
    ``lab.recommend("gauss_psgd", landscape, n=10**6, epsilon=2.0, delta=1e-6)`` d, m, L, ell, rho and U; values that are given as well
    win. The rest is as in `bounds.recommend.recommend` and `bounds.gauss_psgd.recommend.recommend_sosp`.
    """
    if method == "gauss_psgd":
        if isinstance(objective, Objective):
            raise ValueError(f"objective = {objective.name!r}: {method} needs one with a saddle, such as lab.random_phase_cosines(d)")
        return plan_sosp(method, **((sosp.problem_of(objective) if objective else {}) | problem))
    if isinstance(objective, Landscape):
        raise ValueError(f"method = {method!r}: on an objective with a saddle, gauss_psgd is needed")
    if objective is not None:
        known = {name: objective.constants[name] for name in ("n", "d", "r", "L", "ell", "gap", "B")}
        problem = known | problem
        if math.isinf(problem["L"]):
            raise ValueError(f"objective = {objective.name!r}: it is not Lipschitz (L = inf), and every theorem here asks for that")
    return plan(method, **problem)


def check(*select: str, quick: bool = False, workers: int = 1) -> list[Verdict]:
    """Examine the claims that the patterns select ("dpzero", "dpzero.theorem3", "dpzero.*privacy*"; all without one).

    With more than one worker the claims are spread over processes; a script then needs ``if __name__ == "__main__":``.
    Raises ValueError for a pattern that selects nothing.
    """
    chosen = ledger.select(papers.claims(), select)
    return ledger.run(chosen, full=not quick, workers=workers)
