"""Methods on sums of losses: `record` makes the record of a method from its kernel; `simulated` runs the command `simulate`."""

from __future__ import annotations

import argparse
import inspect
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from theory_lab import NAMES
from theory_lab.methods.record import SUM, Figures, Kind, Method, Option, Plans, Told, assigned, whole, worded
from theory_lab.spectra import WORDS, expand_spectrum, parse_spectrum

if TYPE_CHECKING:
    from synthetic.draws import FloatArray
    from synthetic.methods.record import Kernel

SIMULATED = "theory_lab.methods.sums:simulated"  # the address of `simulated`
ZEROTH = ("lam", "direction")  # options of methods that draw directions only
RUN = (
    Option("spectrum", f"{WORDS} (default: %(default)s)", parse_spectrum, default="inverse", metavar="NAME|FILE"),
    Option("d", "dimension", whole, required=True),
    Option("n", "number of samples", whole, required=True),
)
BUDGET = (
    Option("epsilon", "privacy parameter epsilon, for --plan", float),
    Option("delta", "privacy parameter delta, for --plan", float),
)
SIMULATE = (
    Option("alpha", "step size", float),
    Option("T", "number of steps", whole),
    Option("C", "clipping threshold", float),
    Option("lam", "smoothing of the two-point difference (default: 0.0001)", float),
    Option("sigma", "standard deviation of the noise on the mean over the batch, per coordinate", float),
    Option("replicates", "independent runs (default: %(default)s)", whole, default=1),
    Option("direction", "distribution of the directions (default: %(default)s)", choices=("sphere", "gaussian"), default="sphere"),
    Option("batch_size", "samples per step (default: all)", whole),
    Option("seed", "seed of data and draws (default: %(default)s)", whole, default=0),
)


def simulated(arguments: argparse.Namespace) -> Told:
    """Run the command `simulate` of a method on sums; return a `Told`: first and last loss and gradient norm by replicate, remarks."""
    import numpy as np

    import theory_lab as lab

    of_kernel, of_objective = shared_out(arguments)
    drawn = (expand_spectrum(arguments.spectrum), arguments.d, arguments.n, arguments.seed)
    objective = arguments.record.kind.built(arguments.objective, *drawn, **of_objective)
    settings = {one.name: getattr(arguments, one.name) for one in SIMULATE if hasattr(arguments, one.name)}
    settings = {name: value for name, value in settings.items() if value is not None} | of_kernel
    column, budget = None, {}
    if getattr(arguments, "plan", None):
        budget = {name: getattr(arguments, name) for name in ("epsilon", "delta")}
        if missing := [f"--{name}" for name, value in budget.items() if value is None]:
            raise ValueError(f"plan = {arguments.plan!r}: {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} needed with it")
        of_plan = {one.name for one in arguments.record.plans.options} & of_kernel.keys()  # settings that the plan needs too, such as r
        wanted = budget | {name: settings.pop(name) for name in of_plan}
        arguments.record.plans.need(arguments.method, objective, wanted, "--{name} too")
        plan = lab.recommend(arguments.record, objective, **wanted)
        if arguments.plan not in plan.columns:
            said = f"the variants of its plan are {', '.join(plan.columns)}"
            raise ValueError(f"columns of the plans of {arguments.method} have {arguments.plan!r}: {said}")
        settings["plan"] = column = plan.columns[arguments.plan]
        if "direction" not in of_kernel and settings.get("direction") == "sphere":  # the option's default, not given by the user
            del settings["direction"]
    else:
        for name in ("epsilon", "delta"):
            if getattr(arguments, name, None) is not None:
                raise ValueError(f"{name} = {getattr(arguments, name)!r}: it is for --plan only; give --plan too, or leave it out")
        if missing := [f"--{name}" for name in ("alpha", "T") if name not in settings]:
            asked = f"theory-lab simulate {arguments.method} --help"
            raise ValueError(f"the following arguments are required: {', '.join(missing)} (see {asked})")
    run = lab.simulate(arguments.record, objective, **settings, **arguments.watched)
    notes, planned = run.remarks, {}
    if column and run.vouched:
        of_column = column.record()
        promised = {name: of_column[name] for name in ("theorem", "measure", "certified") if name in of_column}
        planned = {"column": arguments.plan} | promised | budget
        words = "{theorem} certifies at most {certified:.4g} for {measure}" if len(promised) == 3 else "it rests on {theorem}"
        said = words.format(**promised)
        if "||^2" in promised.get("measure", "") and "x_tau" in promised["measure"]:
            said += f", a mean of squares; here the mean of grad_norm_tau^2 is {float(np.mean(run.grad_norm_sq_tau)):.4g}"
        notes = (f"The {arguments.plan} plan for ({budget['epsilon']:g}, {budget['delta']:g}): {said}.", *run.remarks)
    if np.any(run.diverged):
        first = int(run.steps[run.diverged].min()) + 1
        notes = (
            *notes,
            f"{int(run.diverged.sum())} of {arguments.replicates} runs diverged to values that are not finite, the first in step {first}.",
        )
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
    tables: list[tuple[str, list[dict[str, Any]]]] = [(f"{run.method} on {run.objective}, n = {objective.n}", rows)]
    if run.stage_loss is not None:
        told["replicates"] = [row | {"stage_loss": run.stage_loss[r].tolist()} for r, row in enumerate(rows)]
        lengths = arguments.record.runner.stages.lengths(objective.shape, run.settings)
        tables.append(
            ("F_S at the point that each stage returns, over the replicates in which it ended", stage_rows(lengths, run.stage_loss))
        )
    told |= ({"plan": planned} if planned else {}) | ({"remarks": notes} if notes else {})
    return Told(told, tables, notes)


def stage_rows(lengths: Sequence[int], losses: FloatArray) -> list[dict[str, Any]]:
    """Return one row per stage: its number of steps, and mean, least and most of the finite losses (replicates, stages) at its end."""
    found = []
    for number, steps in enumerate(lengths):
        ended = [float(one) for one in losses[:, number] if math.isfinite(one)]
        of = {"mean": sum(ended) / len(ended), "least": min(ended), "most": max(ended)} if ended else {}
        found.append({"stage": number + 1, "steps": steps} | {name: of.get(name, math.nan) for name in ("mean", "least", "most")})
    return found


def shared_out(arguments: argparse.Namespace) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split the `--with` arguments of the command into settings of the kernel and arguments of the objective; return both.

    A name that both take, such as radius, goes to both. Raises ValueError for a name that neither takes, and for a missing setting that
    the kernel needs.
    """
    kernel = arguments.record.runner
    if wrong := [name for name in ZEROTH if hasattr(arguments, name) != (name in {one.name for one in kernel.settings})]:
        has = "lacks" if hasattr(arguments, wrong[0]) else "has"
        raise ValueError(f"zeroth of the record of {arguments.method}: its kernel {has} {wrong[0]}; zeroth={has == 'has'} is needed")
    constructor = arguments.record.kind.made(arguments.objective)
    given, own = assigned(arguments.more, worded(constructor)), {one.name: one for one in kernel.own}
    flags = {name: getattr(arguments, name) for name in own if getattr(arguments, name, None) is not None}
    settings = flags | {name: given[name] for name in own if name in given}
    planned = bool(getattr(arguments, "plan", None))
    if missing := [name for name, one in own.items() if one.needed and name not in settings and not planned]:
        way = f"--{missing[0]} 2" if hasattr(arguments, missing[0]) else f"--with {missing[0]}=2"
        raise ValueError(f"{missing[0]} is missing: {arguments.method} needs {', '.join(missing)}, for instance {way}")
    takes = inspect.signature(constructor).parameters
    given = {name: value for name, value in given.items() if name not in own or name in takes}
    if own and arguments.objective in NAMES and (strange := given.keys() - takes):  # names that neither takes
        more = [name for name, one in takes.items() if one.kind is one.KEYWORD_ONLY]
        word, takers = min(strange), {arguments.method: own, arguments.objective: more}
        taken = "; ".join(f"{name} takes {', '.join(words)}" for name, words in takers.items() if words)
        raise ValueError(f"--with {word}=...: neither {' nor '.join(takers)} takes {word}; {taken}")
    return settings, given


def record(
    name: str,
    *,
    paper: str,
    words: str,
    kernel: Kernel | str,
    kind: Kind = SUM,
    plans: Plans | None = None,
    figures: Figures | None = None,
    own: tuple[str, ...] = (),
    zeroth: bool = True,
    unplanned: str = "",
    options: tuple[Option, ...] = (),
    law: tuple[Option, ...] = (),
) -> Method:
    """Return a Method that runs this kernel on sums of losses; `kernel` may be its import address, so that --help need not load it.

    own       names of the kernel's further settings, for `--with`; needed where `kernel` is an address, which --help does not import
    zeroth    whether the method has lam and directions; likewise
    options   options for those settings that --with cannot give, such as words, or that differ from the usual ones
    unplanned the reason why it has no plans, a sentence
    law       options of `predict`, where its runs on a quadratic can be simulated in distribution
    """
    if not isinstance(kernel, str):
        own, zeroth = tuple(one.name for one in kernel.own), len(kernel.own) < len(kernel.settings)
    flags = {one.name for one in options}
    own = tuple(name for name in own if name not in flags)
    simulate = (*(one for one in SIMULATE if (zeroth or one.name not in ZEROTH) and one.name not in flags), *options)
    if plans and not plans.columns:
        raise ValueError(f"columns of the plans of {name} = (): the names of its plan's variants are needed, for --plan")
    if plans:
        words_of_plan = "run this variant of the recommended plan for the objective, which must be Lipschitz: %(choices)s"
        simulate += (Option("plan", words_of_plan, choices=plans.columns), *BUDGET)
    else:
        simulate = tuple(replace(one, required=one.required or one.name in ("alpha", "T")) for one in simulate)
    given = f"a further setting of the method ({', '.join(own)}), or an argument" if own else "an argument"
    more = Option("more", f"{given} of the objective", flag="--with", metavar="NAME=VALUE", many=True)
    return Method(
        name=name,
        paper=paper,
        words=words,
        described=f"Run {name} on an objective.",
        options=(*RUN, more, *simulate),
        simulated=SIMULATED,
        kernel=kernel,
        kind=kind,
        plans=plans,
        figures=figures,
        unplanned=unplanned,
        law=law,
    )
