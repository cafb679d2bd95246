"""Runs on a quadratic whose law is known at any dimension: the state of a method is a Markov chain in two numbers for each eigenvalue.

f(x; x_i) = (x - x_i)' A (x - x_i) / 2 with x_i ~ N(x*, I), A diagonal: the quadratic of DPZero, Section 5. What is measured at x depends on
the lengths of its parts in the eigenspaces of A, and these lengths move by laws of their own, whatever the dimension of an eigenspace is
(`kernels.in_law`, `kernels.clipped_weight`). Clipping and noise are those of the algorithms.

Exact                      DPZero, DPGD-0th, MeZO and DP-GD in the limit of many samples, but for the bins of `groups`; without clipping for
                           every n
To first order in 1/n      with clipping: the mean of n clipped values moves with the samples' mean, and has an error besides
                           (`in_law_sample`, which says what is neglected)
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from synthetic.distribution import first_order as in_law_first
from synthetic.distribution import zeroth_order as in_law_zeroth
from synthetic.distribution.first_order import FirstOrder
from synthetic.distribution.samples import Sample
from synthetic.distribution.zeroth_order import ZerothOrder
from synthetic.draws import DIRECTION_LAWS, Direction, FloatArray, generator
from synthetic.grids.settings import Measures, Settings
from synthetic.groups import Groups
from synthetic.memory import room_for
from synthetic.validate import (
    door,
    inside_unit,
    is_real,
    non_negative,
    one_of,
    positive_array,
    positive_integer,
    positive_integers,
    seed_integer,
    shown,
)

METHODS = (*in_law_zeroth.VECTOR_NOISE, *in_law_first.METHODS)
MEASURES = Measures.NAMES
TOLERANCE = 1e-3
FEWEST_SAMPLES = 10  # a sample's error is told to first order in 1/n


@dataclass(frozen=True)
class Conditions:
    """What all settings of runs in law share, checked.

    groups      of the spectrum;   n   number of samples, of training and of test set, inf: their law itself
    distance    of the start from x* in every coordinate;   direction   law of the directions
    tolerance   of DP-GD's weights, see `in_law_first.FirstOrder`
    excess      whether clipping with n samples makes errors of its own; without them runs know of n samples their mean alone
    first       number of the first replicate, each of which has its own draws: more of them can be added to some
    """

    groups: Groups
    n: float
    distance: float = 1.0
    direction: Direction = "sphere"
    seed: int = 0
    replicates: int = 16
    tolerance: float = TOLERANCE
    excess: bool = True
    first: int = 0

    def __post_init__(self) -> None:
        """Raise ValueError where an argument cannot be meant."""
        if not isinstance(self.groups, Groups):
            raise ValueError(f"groups = {shown(self.groups)}: a spectrum from synthetic.groups.grouped is needed")
        if not (self.n == np.inf or (is_real(self.n) and self.n >= FEWEST_SAMPLES and self.n == int(self.n))):
            raise ValueError(f"n = {shown(self.n)}: a whole number of at least {FEWEST_SAMPLES} samples is needed, or inf")
        non_negative(distance=self.distance)
        one_of(DIRECTION_LAWS, direction=self.direction)
        seed_integer(seed=self.seed, first=self.first)
        positive_integer(replicates=self.replicates)
        inside_unit(tolerance=self.tolerance)


@door
def last(
    methods: Sequence[str], settings: Settings, conditions: Conditions, *, late: bool = False, threads: int | None = None
) -> dict[str, FloatArray]:
    """Return the measures at x_T of every method and setting, (4, replicates, settings), in the order of MEASURES.

    All methods and settings share the draws of a replicate, from the first step on, or up to the last one: `late`, which tells settings
    of different T apart by fewer replicates, for runs forget how they began. Zeroth-order methods share their directions.
    """
    ends = sorted({int(t) for t in settings.T})
    times = ends[-1:] if late else ends
    found = _measured(methods, settings, conditions, times, threads, late)
    column = np.zeros(len(settings), np.int64) if late else np.searchsorted(ends, settings.T)
    return {method: values[:, :, np.arange(len(settings)), column] for method, values in found.items()}


@door
def along(
    methods: Sequence[str], settings: Settings, conditions: Conditions, times: NDArray[np.int64], *, threads: int | None = None
) -> dict[str, FloatArray]:
    """Return the measures after the given numbers of steps, (4, replicates, settings, times): NaN beyond T; 0 is the start."""
    if np.any(later := np.asarray(times) != 0):
        positive_integers(steps=np.asarray(times)[later])
    return _measured(methods, settings, conditions, [int(t) for t in times], threads)


def _measured(
    methods: Sequence[str], settings: Settings, conditions: Conditions, times: list[int], threads: int | None, late: bool = False
) -> dict[str, FloatArray]:
    for method in methods:
        one_of(METHODS, method=method)
    if threads is not None:
        positive_integer(threads=threads)
    _check(settings)
    G, count = len(conditions.groups.value), len(settings) * len(methods)
    room_for(8 * (4 * conditions.replicates * count * len(times) + 6 * count * G), settings=len(settings), times=len(times), groups=G)
    found: dict[str, FloatArray] = {}
    zeroth = [one for one in methods if one in in_law_zeroth.VECTOR_NOISE]
    for some in [zeroth, *([one] for one in methods if one in in_law_first.METHODS)]:
        if some:
            found |= _of_kind(some, settings, conditions, times, threads or os.cpu_count() or 1, late)
    return {method: found[method] for method in methods}


def _check(settings: Settings) -> None:
    positive_array((None,), alpha=settings.alpha)
    positive_integers(T=settings.T)
    for one in settings.C:
        if not one > 0:
            raise ValueError(f"C has the entry {float(one)!r}: numbers above 0, or inf, are needed")
    for one in settings.sigma:
        non_negative(sigma=float(one))


QUIET = {"over": "ignore", "invalid": "ignore", "divide": "ignore"}  # a setting that diverges is no mistake


@np.errstate(**QUIET)  # type: ignore[arg-type]
def _of_kind(methods: list[str], settings: Settings, of: Conditions, times: list[int], threads: int, late: bool) -> dict[str, FloatArray]:
    """Run methods of one kind, zeroth-order ones or DP-GD."""
    tiled = settings.tiled(len(methods))
    order = np.argsort(-tiled.T, kind="stable")  # the running settings are a prefix
    chosen = tiled.at(order)
    names = np.repeat(methods, len(settings))[order]
    ends = [t for t in sorted({*times}) if 0 < t <= int(chosen.T.max())]
    runs: FirstOrder | ZerothOrder = (
        FirstOrder.of(of.groups, chosen, of.n if of.excess else np.inf, of.tolerance)
        if methods[0] in in_law_first.METHODS
        else ZerothOrder.of(of.groups, chosen, names, of.n, of.direction, of.excess)
    )
    kinds, which = np.unique(runs.excess, axis=0, return_inverse=True)
    values = np.full((4, of.replicates, len(chosen), len(times)), np.nan)

    @np.errstate(**QUIET)  # type: ignore[arg-type]  # of the thread that it runs in
    def one(at: int) -> None:
        replicate = of.first + at
        sample = Sample.of(of.groups, of.n, of.distance, of.seed, replicate)
        begun = [sample.begun(excess) for excess in kinds]
        start = np.array([begun[kind].length for kind in which])
        states = runs.states(start, ends, partial(generator, of.seed, replicate), late) if ends else iter(())
        for t, p, q in chain([(0, start, np.zeros_like(start))], states):
            columns = [j for j, time in enumerate(times) if time == t]
            for kind in np.unique(which[: len(p)]):
                these = np.flatnonzero(which[: len(p)] == kind)
                for j in columns:
                    values[:, at, these, j] = begun[kind].measures(p[these], q[these])

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(one, range(of.replicates)))
    back = np.argsort(order)
    return dict(zip(methods, np.split(values[:, :, back], len(methods), axis=2), strict=True))
