"""Checks that every statement shares: its printed schedule, runs below its bound; and values for checks of its orders, units and counts.

Each theorem runs with its own schedule at an integer T, by the rule of `bounds.dpzero.remark_f5.integer_T`, or, for the sharper theorems,
with the plan that minimises its bound. The compared quantity is |grad F_S(x_tau)|^2 with its mean over tau computed exactly on every
run: the same expectation, less variance, and still in [0, L^2]. A run that diverged counts as L^2.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sp

import bounds
from bounds.dpzero import sharp_schedule
from bounds.dpzero.columns import Schedule
from bounds.dpzero.recommend import problem_constants
from bounds.dpzero.remark_f5 import integer_T
from bounds.privacy.gaussian import sigma_gaussian
from bounds.proofs.inequalities import is_zero
from bounds.symbols import Y, d, ell, lam, symbols
from paper_checks import experiment
from paper_checks.dpzero import printed
from paper_checks.record import Record
from paper_checks.shared.formulas import difference_witness
from paper_checks.shared.orders import fix_symbols
from paper_checks.shared.runs import check_run_below, failed_hypotheses
from paper_checks.verdict import Finding, not_testable
from synthetic.methods.dpzero import KERNELS
from synthetic.objectives import sums as objectives
from synthetic.objectives.sums import Objective
from synthetic.runs.simulate import Run

VALUES = {"n": 1000, "d": 50, "r": 3, "epsilon": 2, "delta": sp.Rational(1, 10**6), "L": 2, "ell": 3, "gap": 1, "B": 5, "mu": 1}
UNITS = {  # powers of the units of loss and of length
    "L": (1, -1), "ell": (1, -2), "gap": (1, 0), "B": (1, 0), "mu": (1, -2),
    "alpha": (-1, 2), "T": (0, 0), "C": (1, -1), "lam": (0, 1), "sigma": (1, -1),
}  # fmt: skip
SHARP_EVENT = "dpzero.sharp_event"
SPELLED = {bounds.page("dpzero.lemma_c2").symbol("grad_f_sq"): symbols("a_sq")[0]}  # symbols of the proofs: their names in the print
STEPS = {key: page.schedule["T"] for key, page in printed.PAGES.items()}
OF_Y = {key: {Y: page.definitions["Y"]} for key, page in printed.PAGES.items() if "Y" in page.definitions}


def limit_at_infinity(letter: Any, formula: Any) -> Any:
    """Return the limit of a formula as the symbol `letter` grows to infinity, with all other symbols at VALUES, a SymPy expression."""
    return sp.limit(fix_symbols(formula, VALUES, keep=letter), letter, sp.oo)


def check_schedule(*, key: str) -> Finding:
    """Check that the last bound of the proof of `key`, at the printed schedule, is the printed bound and the theory's; return a Finding."""
    page, theorem = printed.PAGES[key], bounds.THEOREMS[key]
    inserted, bound = page.in_letters(page.before.xreplace({lam: page.lam})), page.in_letters(page.bound)
    if not is_zero(inserted - bound):
        witness = difference_witness(inserted, bound, ("schedule inserted", "printed bound"))
        return Record().refute("the schedule inserted in the bound before it does not give the printed bound", witness)
    if not sp.diff(page.before, lam).is_nonnegative:
        return Record().leave_open("the bound is not known to grow with lam, so a smaller lam needs an argument")
    rules = [rule for rule in (page.lam, page.lam_clipping) if rule is not None]
    ends = theorem.schedule["lam"].args if isinstance(theorem.schedule["lam"], sp.Min) else (theorem.schedule["lam"],)
    both = [("bound", theorem.bound, page.bound), ("sigma", theorem.schedule["sigma"], printed.FORMULAS["noise_sd"])]
    both += [(name, theorem.schedule[name], page.schedule[name]) for name in ("alpha", "T", "C")]
    both += [(name, meaning, page.definitions[name]) for name, meaning in theorem.definitions.items()]
    both += [("lam", min((end - rule for end in ends), key=lambda gap: not is_zero(gap)), sp.Integer(0)) for rule in rules]
    differing = [name for name, ours, theirs in both if not is_zero(ours - theirs)]
    if page.lam_clipping is not None:
        room = page.schedule["C"] - page.schedule["C_0"] - ell * d * page.lam_clipping / 2
        room = room.xreplace({symbols("L_tilde")[0]: page.definitions["L_tilde"]})
        differing += [] if is_zero(room) else ["C >= C_0 + ell lam d/2"]
    record = Record({"entries compared with the theory": len(both)})
    if differing:
        record.leave_open(f"the theory and the print differ in {', '.join(differing)}; comparing the two would settle it")
    words = "the two expand to the same at the largest lam, and a smaller lam lowers the bound"
    return record.prove(f"{words}; {theorem.title} in the theory is the same")


def plan_schedule(key: str, one: Objective, epsilon: float, delta: float, T_max: int = 300) -> Schedule:
    """Return the Schedule of theorem `key` for an objective at (epsilon, delta), with an integer T and the bound of the theorem.

    A sharper theorem gets the schedule that minimises its bound for T up to `T_max` (`sharp_event`: T = `T_max`); ValueError where
    publishing x_0 is better.
    """
    theorem, letters = bounds.THEOREMS[key], {name: one.constants[name] for name in ("n", "d", "r", "L", "ell", "gap")}
    values = {**letters, "B": one.constants["B"], "epsilon": epsilon, "delta": delta}
    if key == SHARP_EVENT:
        found, bound = event_schedule(letters, epsilon, delta, T_max)
    elif not theorem.schedule:
        asked: dict[str, Any] = {**letters, "epsilon": epsilon, "delta": delta, "T_max": T_max}
        plan = sharp_schedule.sharp_plan(str(theorem.method), **asked, theorem=key)
        if plan.theorem != key:
            raise ValueError(f"{key}: publishing x_0 is better here, choose a larger n epsilon")
        found, bound = {"alpha": plan.alpha, "T": plan.T, "C": plan.C, "lam": plan.lam or 1e-4, "sigma": plan.sigma}, plan.bound
    else:
        whole = integer_T(key, **{name: values[name] for name in theorem.parameters})
        found, bound = {"lam": 1e-4, **whole.schedule, "T": whole.T}, whole.printed
    certified: dict[str, Any] = {"bound": bound, "certified": bound, "constants": problem_constants(letters)}
    return Schedule(key, theorem.measure, **found, **certified, method=str(theorem.method), n=one.n)


def event_schedule(letters: Mapping[str, float], epsilon: float, delta: float, T: int) -> tuple[dict[str, Any], float]:
    """Return (schedule of `sharp_event` for T steps with the best C of a grid, its bound); `letters` are the constants by name."""
    schedules = []
    for C in (np.linspace(2, 30, 57) * letters["L"]).tolist():
        noise = sigma_gaussian(epsilon=epsilon, delta=delta, T=T - 1, sensitivity=2 * C / letters["n"])
        schedules.append({"alpha": 1 / (4 * letters["ell"] * (letters["r"] + 2)), "T": T, "C": C, "lam": 1e-4, "sigma": noise})
    return min(((one, bounds.THEOREMS[SHARP_EVENT].bound_at(**letters, **one)) for one in schedules), key=lambda found: found[1])


def failed_assumption(key: str, one: Objective, epsilon: float, delta: float) -> str:
    """Return, in words, what theorem `key` assumes and an objective does not meet at (epsilon, delta); "" if there is nothing."""
    theorem = bounds.THEOREMS[key]
    if math.isinf(one.constants["L"]):
        return "it is not Lipschitz: L = inf"
    if "B" in theorem.parameters and math.isinf(one.constants["B"]):
        return "it is not bounded: B = inf, and Theorem 3 asks for |F_S| <= B"
    return failed_hypotheses(theorem, {**one.constants, "epsilon": epsilon, "delta": delta}) if theorem.schedule else ""


def check_runs_below_bound(*, theorem: str, objective: str, d: int, n: int, epsilon: float, delta: float, runs: int, seed: int) -> Finding:
    """Check that the mean squared gradient norm over simulated runs at a theorem's own schedule is below its bound; return a Finding.

    NOT_TESTABLE if the objective does not meet an assumption of the theorem.
    """
    one: Objective = getattr(objectives, objective)("inverse", d, n, seed)
    failing = failed_assumption(theorem, one, epsilon, delta)
    if failing:
        return not_testable(f"{one.name} does not meet the assumptions of {theorem}: {failing}", {"fails": failing})
    plan = plan_schedule(theorem, one, epsilon, delta)
    kernel = KERNELS[plan.method]
    found = experiment.run(kernel, one, plan, replicates=runs, seed=seed, threads=1)
    assert isinstance(found, Run)
    schedule = experiment.run_arguments(kernel, one, plan)
    where = f"{one.name}, n = {n}, (epsilon, delta) = ({epsilon:g}, {delta:g}), T = {plan.T}"
    return check_run_below(found, plan.bound, ceiling=one.constants["L"] ** 2, schedule=schedule, seed=seed, where=where)
