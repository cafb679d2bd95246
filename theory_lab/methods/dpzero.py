"""DPZero and what it is compared with: DPGD-0th, DP-GD and MeZO."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from theory_lab.methods.record import SUM, Figures, Method, Option, Plans, Told, assigned, whole, wholes, words

if TYPE_CHECKING:
    from bounds.dpzero.recommend import Schedule
    from synthetic.objectives import Objective

PAPER = "dpzero"
SHARED = "bounds.dpzero.recommend:recommend"
PLANNED = {  # private methods, and what recommends their parameters
    "dpzero": SHARED,
    "dpgd_0th": SHARED,
    "dp_gd": SHARED,
}
Private = Literal["dpzero", "dpgd_0th", "dp_gd"]  # the same names, for editors and mypy
SPECTRA = ("flat", "inverse_sqrt", "inverse")
LIPSCHITZ = ("pseudo_huber", "cosine", "logistic")  # objectives with a finite L
ACCOUNTED = ("T", "C", "sigma", "batch_size")  # what the privacy of a plan rests on
RUN = (
    Option("spectrum", "1, 1/sqrt(i) or 1/i (default: %(default)s)", choices=SPECTRA, default="inverse"),
    Option("d", "dimension", whole, required=True),
    Option("n", "samples", whole, required=True),
    Option("more", "an argument of an objective of one's own", flag="--with", metavar="NAME=VALUE", many=True),
)
PLAN = (
    Option("plan", "run this column of the recommendation for the objective, which must be Lipschitz", choices=("printed", "sharp")),
    Option("epsilon", "privacy, for --plan", float),
    Option("delta", "privacy, for --plan", float),
)
SIMULATE = (
    Option("alpha", "stepsize", float),
    Option("T", "steps", whole),
    Option("C", "clipping threshold", float),
    Option("lam", "smoothing of the two-point difference (default: 0.0001)", float),
    Option("sigma", "noise on the mean over the batch, per coordinate", float),
    Option("replicates", "independent runs (default: %(default)s)", whole, default=1),
    Option("direction", "law of the directions", choices=("sphere", "gaussian"), default="sphere"),
    Option("batch_size", "samples a step (default: all)", whole),
    Option("seed", "seed of data and draws (default: %(default)s)", whole, default=0),
)


def simulated(arguments: argparse.Namespace) -> Told:
    """Run a method; tell the first and last values of loss and gradient norm."""
    import numpy as np

    import theory_lab as lab

    drawn = (arguments.spectrum, arguments.d, arguments.n, arguments.seed)
    objective = arguments.record.kind.built(arguments.objective, *drawn, **assigned(arguments.more))
    settings = {one.name: getattr(arguments, one.name) for one in SIMULATE}
    column, budget = None, {}
    if getattr(arguments, "plan", None):
        budget = {name: getattr(arguments, name) for name in ("epsilon", "delta")}
        if missing := [f"--{name}" for name, value in budget.items() if value is None]:
            raise ValueError(f"plan = {arguments.plan!r}: {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} needed with it")
        column = getattr(lab.recommend(arguments.method, objective, **budget), arguments.plan)
        settings = {name: value for name, value in settings.items() if value is not None} | {"plan": column}
    else:
        for name in ("epsilon", "delta"):
            if getattr(arguments, name, None) is not None:
                raise ValueError(f"{name} = {getattr(arguments, name)!r}: only --plan takes it, leave it out")
        if missing := [f"--{name}" for name in ("alpha", "T") if settings[name] is None]:
            asked = f"theory-lab simulate {arguments.method} --help"
            raise ValueError(f"the following arguments are required: {', '.join(missing)} (see {asked})")
        settings["lam"] = 1e-4 if settings["lam"] is None else settings["lam"]
    run = lab.simulate(arguments.method, objective, **settings, **arguments.watched)
    notes, planned = run.remarks, {}
    if column and notes == column.caveats:
        planned = {"column": arguments.plan} | {name: getattr(column, name) for name in ("theorem", "measure", "certified")} | budget
        words = f"{column.theorem} certifies at most {column.certified:.4g} for {column.measure}"
        notes = (f"The {arguments.plan} plan for ({budget['epsilon']:g}, {budget['delta']:g}): {words}.", *column.caveats)
    rows = [
        {
            "replicate": r,
            "loss_start": float(run.loss[r, 0]),
            "loss_end": float(run.loss[r, run.steps[r]]),
            "grad_norm_start": float(np.sqrt(run.grad_norm_sq[r, 0])),
            "grad_norm_end": float(np.sqrt(run.grad_norm_sq[r, run.steps[r]])),
            "grad_norm_tau": float(np.sqrt(run.grad_norm_sq_tau[r])),
            "clipped": float(np.nanmean(run.clipped[r])),
            "finite_steps": int(run.steps[r]),
        }
        for r in range(arguments.replicates)
    ]
    told = {"method": run.method, "objective": run.objective, "settings": run.settings, "replicates": rows}
    told |= ({"plan": planned} if planned else {}) | ({"remarks": notes} if notes else {})
    return Told(told, [(f"{run.method} on {run.objective}, n = {objective.n}", rows)], notes)


def overridden(plan: Schedule, objective: Objective, settings: Mapping[str, Any], given: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what a plan does not vouch for in a run, and its caveats while it vouches for privacy; `given` are settings given besides."""
    from paper_checks.experiment import not_for  # here: it loads the kernels

    if accounted := [name for name in ACCOUNTED if name in given]:
        return (f"No (epsilon, delta) goes with this run: {', '.join(accounted)} set by hand.",)
    if by_hand := [name for name in ("alpha", "lam") if name in given]:
        said = f"What the plan certifies is not for this run: {', '.join(by_hand)} set by hand."
    elif settings.get("direction", "sphere") != "sphere" and not math.isnan(plan.lam):
        said = "What the plan certifies is not for this run: it is proved for directions on the sphere."
    else:
        said = not_for(plan, objective, "What the plan certifies")
    return (*([said] if said else []), *plan.caveats)


# --- recommend --------------------------------------------------------------------------------------------------------------------------
def steps(text: str) -> int | str | None:
    """Return the number of steps that a text gives: a number, "printed", or None for "free"."""
    if text in ("printed", "free"):
        return None if text == "free" else text
    try:
        return whole(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"{text!r}: an integer of at least 1, printed or free is needed") from None


def problem(method: str, objective: Objective, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the constants that an objective has and nobody gave; raise ValueError where one that every theorem asks for is missing."""
    known = {name: objective.constants[name] for name in ("r", "L", "ell", "gap", "B") if name in objective.constants}
    known = {"n": objective.n, "d": objective.d} | known | dict(given)
    if known.get("L") == math.inf:
        others = f"take {', '.join(LIPSCHITZ)}, or give lab.recommend L=, a bound on the gradients that the run meets"
        raise ValueError(f"objective = {objective.name!r}: it is not Lipschitz (L = inf), and every theorem here asks for that; {others}")
    if missing := [name for name in ("L", "ell", "gap") if name not in known]:
        said = ", ".join(f"{name}=" for name in missing)
        raise ValueError(
            f"objective = {objective.name!r}: its constants have no {', '.join(missing)}, give {said} as well, to lab.recommend or in the "
            "constants of lab.objective"
        )
    return known


def plans(name: str) -> Plans:
    """Return how the parameters of a method are recommended."""
    return Plans(
        words="alpha, T, C, lambda, sigma",
        described=f"Recommend a schedule for {name}.",
        call=PLANNED[name],
        problem=problem,
        options=(
            Option("n", "samples", float, required=True),
            Option("d", "dimension", float, required=True),
            Option("epsilon", "privacy", float, required=True),
            Option("delta", "privacy", float, required=True),
            Option("L", "Lipschitz constant", float, required=True),
            Option("ell", "smoothness constant", float, required=True),
            Option("gap", "F_S(x_0) - F_S^*, or an upper bound of it", float, required=True),
            Option("r", "effective rank, Tr(H) <= r ||H|| (default: unknown, so d)", float),
            Option("B", "bound on |F_S| everywhere (only the printed Theorem 3 needs it)", float),
            Option("mu", "constant of the PL inequality: the printed plan is then that of the corollary", float),
            Option(
                "T_max", "most steps of the sharp plan: a number, printed (the default), or free", steps, default="printed", metavar="T"
            ),
            Option("lam", "smoothing radius of the sharp plan (default: the largest that costs 1 %%)", float),
        ),
    )


# --- figures ----------------------------------------------------------------------------------------------------------------------------
MODULES = {
    "dpzero-1": "figures.dpzero_synthetic:FIGURE_1",
    "dpzero-2": "figures.dpzero_synthetic:FIGURE_2",
    "dpzero-3": "figures.dpzero_synthetic:FIGURE_3",
}
FIGURES = Figures(
    names=tuple(MODULES),
    parts=MODULES,
    store="results/dpzero.sqlite",
    options=(
        Option("accountant", "noise: the paper's Lemma 2.2 (default) or the least possible", choices=("lemma", "exact")),
        Option("dimensions", "instead of 20,50,...,2000", wholes, metavar="D,D,..."),
        Option("spectra", ", ".join(SPECTRA), words(SPECTRA), metavar="NAME,..."),
        Option("horizons", "instead of 10,20,...,5120", wholes, metavar="T,T,..."),
        Option("n", "training samples, and as many test samples (default: 10000)", whole),
        Option("epsilon", "privacy (default: 2)", float),
        Option("delta", "privacy (default: 1e-6)", float),
        Option("seed", "seed of the draws (default: 0)", whole),
    ),
)


def record(name: str) -> Method:
    """Return the record of a method of this paper."""
    private = name in PLANNED
    return Method(
        name=name,
        paper=PAPER,
        words="a method of the DPZero paper",
        described=f"Run {name} on an objective.",
        options=RUN + (SIMULATE + PLAN if private else tuple(replace(one, required=one.name in ("alpha", "T")) for one in SIMULATE)),
        simulated="theory_lab.methods.dpzero:simulated",
        remark="theory_lab.methods.dpzero:overridden",
        kind=SUM,
        plans=plans(name) if private else None,
        figures=FIGURES if private else None,
        unplanned="" if private else f"{name} has no plans, it is not private; give alpha and T instead",
    )


METHODS = tuple(map(record, (*PLANNED, "mezo")))
