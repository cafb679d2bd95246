"""Methods on sums of losses: `record` makes the record of a method from its kernel; `simulated` runs the command `simulate`."""

from __future__ import annotations

import argparse
import inspect
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from synthetic.declared.dpzero import DPZero
from theory_lab import NAMES
from theory_lab.methods.record import SUM, TAKEN, Figures, Kind, Method, Option, Plans, Told, assigned, option_of, whole, worded
from theory_lab.spectra import WORDS, expand_spectrum, parse_spectrum

if TYPE_CHECKING:
    from synthetic.declared.fields import Declaration
    from synthetic.draws import FloatArray
    from synthetic.methods.record import Kernel

USUAL = {one.name for one in DPZero.fields}  # settings that kernels have without declaring them
BATCHES = {"batch_size", "sampling"}  # options that the variant of a plan for batches is made for
SIMULATED = "theory_lab.methods.sums:simulated"  # the address of `simulated`
RUN = (
    Option("spectrum", f"{WORDS} (default: %(default)s)", parse_spectrum, default="inverse", metavar="NAME|FILE"),
    Option("d", "dimension", whole, required=True),
    Option("n", "number of samples", whole, required=True),
)
BUDGET = (
    Option("epsilon", "privacy parameter epsilon, for --plan", float),
    Option("delta", "privacy parameter delta, for --plan", float),
)
REPEATED = (
    Option("replicates", "independent runs (default: %(default)s)", whole, default=1),
    Option("seed", "seed of data and draws (default: %(default)s)", whole, default=0),
)


def simulated(arguments: argparse.Namespace) -> Told:
    """Run the command `simulate` of a method on sums; return a `Told`: first and last loss and gradient norm by replicate, remarks."""
    import numpy as np

    import theory_lab as lab

    of_kernel, of_objective = shared_out(arguments)
    drawn = (expand_spectrum(arguments.spectrum), arguments.d, arguments.n, arguments.seed)
    objective = arguments.record.kind.built(arguments.objective, *drawn, **of_objective)
    settings = dict(of_kernel)
    column, budget = None, {}
    if getattr(arguments, "plan", None):
        budget = {name: getattr(arguments, name) for name in ("epsilon", "delta")}
        if missing := [f"--{name}" for name, value in budget.items() if value is None]:
            raise ValueError(f"plan = {arguments.plan!r}: {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} needed with it")
        own = {one.name for one in arguments.record.runner.own} & settings.keys()
        of_plan = {one.name for one in arguments.record.plans.options} & own  # settings that the plan needs too, such as r
        if arguments.record.plans.batched:
            of_plan -= BATCHES
        if arguments.plan == arguments.record.plans.batched:
            if "batch_size" not in settings:
                raise ValueError(f"plan = {arguments.plan!r}: --batch-size is needed with it")
            of_plan |= BATCHES & settings.keys()
        wanted = budget | {name: settings.pop(name) for name in of_plan}
        arguments.record.plans.need(arguments.method, objective, wanted, "--{name} too")
        plan = lab.recommend(arguments.record, objective, **wanted)
        if arguments.plan not in plan.columns:
            said = f"the variants of its plan are {', '.join(plan.columns)}"
            raise ValueError(f"columns of the plans of {arguments.method} have {arguments.plan!r}: {said}")
        settings["plan"] = column = plan.columns[arguments.plan]
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
    """Return the settings of the run, from options and `--with`, and the arguments of the objective, from `--with`.

    A name that both take, such as radius, goes to both. Raises ValueError for a name that neither takes, and for a missing setting that
    the kernel needs.
    """
    kernel = arguments.record.runner
    taken = {one.name for one in kernel.settings}
    if arguments.record.declared is None and (wrong := [one for one in ("lam", "direction") if hasattr(arguments, one) != (one in taken)]):
        has = "lacks" if hasattr(arguments, wrong[0]) else "has"
        raise ValueError(f"zeroth of the record of {arguments.method}: its kernel {has} {wrong[0]}; zeroth={has == 'has'} is needed")
    constructor = arguments.record.kind.made(arguments.objective)
    own = {one.name: one for one in kernel.own}
    given = assigned(arguments.more, {*worded(constructor), *(name for name, one in own.items() if one.number is str)})
    flags = {one.name: getattr(arguments, one.name, None) for one in kernel.all_settings}
    settings = {name: value for name, value in flags.items() if value is not None} | {name: given[name] for name in own if name in given}
    planned = bool(getattr(arguments, "plan", None))
    if missing := [name for name, one in own.items() if one.needed and name not in settings and not planned]:
        way = f"--{missing[0]} 2" if hasattr(arguments, missing[0]) else f"--with {missing[0]}=2"
        raise ValueError(f"{missing[0]} is missing: {arguments.method} needs {', '.join(missing)}, for instance {way}")
    takes = inspect.signature(constructor).parameters
    given = {name: value for name, value in given.items() if name not in own or name in takes}
    if own and arguments.objective in NAMES and (strange := given.keys() - takes):  # names that neither takes
        more = [name for name in takes if name not in arguments.record.kind.takes]
        word, takers = min(strange), {arguments.method: own, arguments.objective: more}
        listed = "; ".join(f"{name} takes {', '.join(words)}" for name, words in takers.items() if words)
        raise ValueError(f"--with {word}=...: neither {' nor '.join(takers)} takes {word}; {listed}")
    return settings, given


def record(
    method: str | type[Declaration],
    *,
    paper: str,
    words: str = "",
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
    """Return a Method that runs this kernel on sums of losses.

    method    the declaration of the method, or the name of one whose kernel has its settings in its record
    words     what it is, by default what the declaration says
    kernel    may be its import address, so that --help need not load it; then own and zeroth are needed where there is no declaration
    own       names of the kernel's further settings, for `--with`
    zeroth    whether the method has lam and directions
    options   options in place of those that the settings give
    unplanned the reason why it has no plans, a sentence
    law       options of `predict`, where its runs on a quadratic can be simulated in distribution
    """
    declared = (None if isinstance(kernel, str) else kernel.declared) if isinstance(method, str) else method
    name = method if isinstance(method, str) else method.key
    if declared:
        own = tuple(one.name for one in declared.fields if one.name in TAKEN)
        fields = [one for one in declared.fields if one.name not in TAKEN]
    else:
        missing = {"sampling"} if zeroth else {"lam", "direction", "sampling"}
        if not isinstance(kernel, str):
            own = tuple(one.name for one in kernel.own)
            missing = USUAL - {one.name for one in kernel.all_settings} | (set() if kernel.private else {"C", "sigma"})
        fields = [one for one in DPZero.fields if one.name not in missing]
    flags = {one.name: one for one in options}
    made = [option_of(one, required=not plans and one.name in ("alpha", "T")) for one in fields if one.name not in flags]
    simulate = (*made, *options, *REPEATED)
    if plans and not plans.columns:
        raise ValueError(f"columns of the plans of {name} = (): the names of its plan's variants are needed, for --plan")
    if plans:
        words_of_plan = "run this variant of the recommended plan for the objective, which must be Lipschitz: %(choices)s"
        simulate += (Option("plan", words_of_plan, choices=plans.columns), *BUDGET)
    given = f"a further setting of the method ({', '.join(own)}), or an argument" if own else "an argument"
    more = Option("more", f"{given} of the objective", flag="--with", metavar="NAME=VALUE", many=True)
    return Method(
        name=name,
        paper=paper,
        words=words or (declared.words() if declared else name),
        described=f"Run {name} on an objective.",
        options=(*RUN, more, *simulate),
        simulated=SIMULATED,
        kernel=kernel,
        kind=kind,
        plans=plans,
        figures=figures,
        unplanned=unplanned,
        law=law,
        declared=declared,
    )
