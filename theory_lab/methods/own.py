"""A method of one's own, from one file: a declaration of its settings, a jitted loop, and `declare`, which joins them.

This module has all the names that such a file needs; docs/howto/method.md has an example. The loop receives what its arguments are named
after, see `synthetic.methods.record`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from synthetic.declared.fields import (
    AtLeast,
    BatchSize,
    Between,
    Declaration,
    Directions,
    Noise,
    Number,
    Positive,
    Radius,
    Rule,
    Sampling,
    Schedule,
    Share,
    Steps,
    StepSize,
    Threshold,
)  # fmt: skip
from synthetic.draws import BATCHES, DIRECTIONS, NOISE, OUTPUT
from synthetic.kernels.dpzero import mean_clipped_slope, record_and_check, two_points
from synthetic.kernels.vectors import copy_to, squared_norm
from synthetic.methods.dpzero import Z_ALONG, U, Z
from synthetic.methods.record import Draw, Kernel, Shape, Stages, Table, normal, scalar, vector
from theory_lab.methods.dpzero import predict_options
from theory_lab.methods.record import SUM, Figures, Kind, Method, Option, Plans, option_of
from theory_lab.methods.sums import record

__all__ = [
    "BATCHES",
    "DIRECTIONS",
    "NOISE",
    "OUTPUT",
    "Z_ALONG",
    "Annotated",
    "AtLeast",
    "BatchSize",
    "Between",
    "Declaration",
    "Descent",
    "Directions",
    "Draw",
    "Literal",
    "Noise",
    "Number",
    "Option",
    "Plans",
    "Positive",
    "PrivateDescent",
    "Radius",
    "Rule",
    "Sampling", "Schedule",
    "Share",
    "Stages",
    "StepSize",
    "Steps",
    "Threshold",
    "U",
    "Z",
    "copy_to",
    "declare",
    "mean_clipped_slope",
    "normal",
    "record_and_check",
    "scalar",
    "squared_norm",
    "two_points",
    "vector",
]  # fmt: skip

OF_LAW = ("alpha", "T", "C", "sigma", "batch_size", "sampling")  # settings that `predict` has, or that full batches have not


class Descent(Declaration):
    """Settings of every method on sums: step size, steps and batches."""

    alpha: StepSize
    T: Steps
    batch_size: BatchSize = None


class PrivateDescent(Descent):
    """Settings of every private method on sums: those of `Descent`, the clipping threshold and the noise."""

    C: Threshold
    sigma: Noise


def declare(
    declared: type[Declaration],
    loop: Callable[..., int],
    *,
    draws: Draw | tuple[Draw, ...] = (),
    state: Mapping[str, Shape] | None = None,
    tables: Mapping[str, Table] | None = None,
    stages: Stages | None = None,
    publishes: str = "x",
    releases: str = "",
    linear_step: Callable[..., Any] | None = None,
    paper: str = "own",
    kind: Kind = SUM,
    plans: Plans | None = None,
    figures: Figures | None = None,
) -> Method:
    """Return the record of a method of one's own, for the name METHOD of a file.

    declared   its settings, a subclass of `Declaration`;   loop   its jitted loop
    draws      its random arrays, such as `Z`, the noise z in every coordinate;   state   arrays that keep their values, by name
    tables     constant integer arrays, by name;   stages   the stages of its runs
    publishes  what each step releases: "x", the iterate, or the name of a state, see `synthetic.methods.record.Kernel`
    releases   the name of the setting that counts the releases of a step, such as directions, if there can be several
    linear_step  the step as a plain function of x, the noisy mean g of the clipped gradients, state and settings, where it is linear in
               x, g and state: then `predict` knows the method, see `synthetic.methods.linear`
    paper      a key for its group;   kind   of its objectives;   plans, figures   see `theory_lab.methods.record`

    Raises ValueError where loop, settings, draws and state do not fit each other, see `synthetic.methods.record.Kernel`.
    """
    if not (isinstance(declared, type) and issubclass(declared, Declaration)):
        raise ValueError(f"declared = {declared!r:.80}: a subclass of Declaration is needed, such as PrivateDescent with further settings")
    draws = (draws,) if isinstance(draws, Draw) else draws
    more: dict[str, Any] = {"state": state or {}, "tables": tables or {}, "stages": stages, "publishes": publishes}
    more |= {"releases": releases, "linear_step": linear_step}
    kernel = Kernel.of(declared, loop, draws, **more)
    has, private = {one.name for one in declared.fields}, {"C", "sigma"}
    if kernel.private and not private <= has:
        raise ValueError(f"declared = {declared.__name__}: its loop takes C and sigma; it needs these settings, as PrivateDescent has them")
    if not kernel.private and private & has:
        raise ValueError(f"declared = {declared.__name__}: its loop takes neither C nor sigma; leave these settings out, as Descent does")
    law: tuple[Option, ...] = ()
    fields = [one for one in declared.fields if one.name not in OF_LAW]
    if linear_step:
        law = (*predict_options(kernel.private, zeroth=False), *(option_of(one, required=one.needed) for one in fields))
    found = record(declared, paper=paper, kernel=kernel, kind=kind, plans=plans, figures=figures, law=law)
    found = replace(found, law_settings=tuple(one.name for one in fields if linear_step))
    declared.method = found
    return found
