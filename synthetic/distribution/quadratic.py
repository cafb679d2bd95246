"""Runs on a quadratic in distribution, at any dimension: the state of a method is a Markov chain in two numbers per eigenvalue.

f(x; x_i) = (x - x_i)' A (x - x_i) / 2 with x_i ~ N(x*, I), A diagonal: the quadratic of DPZero, Section 5. What is measured at x depends on
the lengths of its parts in the eigenspaces of A, and the distribution of these lengths at the next step depends on these lengths alone,
whatever the dimension of an eigenspace is (`kernels.in_distribution`, `kernels.clipped_weight`). Clipping and noise are those of the
algorithms.

Exact                      DPZero, DPGD-0th, MeZO, DP-GD and linear steps in the limit of many samples, up to the bins of `groups`;
                           without clipping for every n
To first order in 1/n      with clipping: the mean of n clipped values moves with the samples' mean, and has an error besides
                           (`samples` lists what is neglected)
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

from synthetic.distribution import first_order, zeroth_order
from synthetic.distribution.first_order import FirstOrder
from synthetic.distribution.samples import Sample
from synthetic.distribution.zeroth_order import ZerothOrder
from synthetic.draws import DIRECTION_KINDS, Direction, FloatArray, generator
from synthetic.grids.settings import Measures, Settings
from synthetic.groups import Groups
from synthetic.memory import check_memory
from synthetic.validate import (
    inside_unit,
    is_real,
    non_negative,
    one_of,
    positive_array,
    positive_integer,
    positive_integers,
    seed_integer,
    short_repr,
    validated,
)

METHODS = (*zeroth_order.VECTOR_NOISE, *first_order.METHODS)
MEASURES = Measures.NAMES
TOLERANCE = 1e-3
FEWEST_SAMPLES = 10  # the effect of n samples is computed to first order in 1/n


@dataclass(frozen=True)
class Conditions:
    """Conditions that all settings of runs in distribution share, validated.

    groups      of the spectrum;   n   number of samples, of training and of test set; inf: the distribution of the samples itself
    distance    of the start from x* in every coordinate;   direction   distribution of the directions
    tolerance   of DP-GD's weights, see `first_order.FirstOrder`
    excess      whether clipping with n samples makes errors of its own; without them the n samples enter a run by their mean alone
    first       number of the first replicate; each has its own draws, so that further replicates can be added later
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
        """Raise ValueError unless groups are `Groups`, n is at least 10 or inf, and every other field is in its range."""
        if not isinstance(self.groups, Groups):
            raise ValueError(f"groups = {short_repr(self.groups)}: a spectrum from synthetic.groups.group_eigenvalues is needed")
        if not (self.n == np.inf or (is_real(self.n) and self.n >= FEWEST_SAMPLES and self.n == int(self.n))):
            raise ValueError(f"n = {short_repr(self.n)}: a whole number of at least {FEWEST_SAMPLES} samples is needed, or inf")
        non_negative(distance=self.distance)
        one_of(DIRECTION_KINDS, direction=self.direction)
        seed_integer(seed=self.seed, first=self.first)
        positive_integer(replicates=self.replicates)
        inside_unit(tolerance=self.tolerance)


@validated
def final_measures(
    methods: Sequence[str], settings: Settings, conditions: Conditions, *, late: bool = False, threads: int | None = None
) -> dict[str, FloatArray]:
    """Return the measures at x_T of every method and setting, (4, replicates, settings) by method, in the order of MEASURES.

    All methods and settings share the draws of a replicate, counted from the first step on or, if `late`, up to the last step. With `late`
    fewer replicates distinguish settings of different T, for runs forget how they began. Zeroth-order methods share their directions.
    """
    ends = sorted({int(t) for t in settings.T})
    times = ends[-1:] if late else ends
    found = _run_methods(methods, settings, conditions, times, threads, late)
    column = np.zeros(len(settings), np.int64) if late else np.searchsorted(ends, settings.T)
    return {method: values[:, :, np.arange(len(settings)), column] for method, values in found.items()}


@validated
def measures_at_steps(
    methods: Sequence[str], settings: Settings, conditions: Conditions, times: NDArray[np.int64], *, threads: int | None = None
) -> dict[str, FloatArray]:
    """Return the measures after the given numbers of steps, (4, replicates, settings, times) by method: NaN beyond T; 0 is the start."""
    if np.any(later := np.asarray(times) != 0):
        positive_integers(steps=np.asarray(times)[later])
    return _run_methods(methods, settings, conditions, [int(t) for t in times], threads)


@validated
def measures_of_linear(
    matrix: FloatArray, settings: Settings, conditions: Conditions, times: NDArray[np.int64], *, threads: int | None = None
) -> FloatArray:
    """Return the measures of a first-order method with a linear step after the given numbers of steps, as `measures_at_steps`.

    matrix   (m, m + 1): x and the m - 1 vectors of the state after a step, from those before it and from the noisy mean of the clipped
             gradients, which comes last. So ((1, -alpha),) is DP-GD. x and the state start at 0. The alpha of the settings is not used.
    """
    steps = np.asarray(matrix, dtype=float)
    if steps.ndim != 2 or steps.shape[1] != len(steps) + 1 or not np.all(np.isfinite(steps)):
        raise ValueError(f"matrix = {short_repr(matrix)}: finite numbers (m, m + 1) are needed, such as ((1, -alpha),)")
    if np.any(later := np.asarray(times) != 0):
        positive_integers(steps=np.asarray(times)[later])
    return _run_methods(["dp_gd"], settings, conditions, [int(t) for t in times], threads, matrix=steps)["dp_gd"]


def _run_methods(
    methods: Sequence[str],
    settings: Settings,
    conditions: Conditions,
    times: list[int],
    threads: int | None,
    late: bool = False,
    matrix: FloatArray | None = None,
) -> dict[str, FloatArray]:
    """Validate methods and settings, run them; return the measures at the given times, (4, replicates, settings, times) by method.

    matrix   a linear step in place of that of DP-GD, or None
    """
    for method in methods:
        one_of(METHODS, method=method)
    if threads is not None:
        positive_integer(threads=threads)
    _check_settings(settings)
    G, count = len(conditions.groups.value), len(settings) * len(methods)
    vectors = 1 if matrix is None else len(matrix)
    check_memory(
        8 * (4 * conditions.replicates * count * len(times) + 6 * count * G * vectors**2),
        settings=len(settings),
        times=len(times),
        groups=G,
    )
    found: dict[str, FloatArray] = {}
    zeroth = [one for one in methods if one in zeroth_order.VECTOR_NOISE]
    for some in [zeroth, *([one] for one in methods if one in first_order.METHODS)]:
        if some:
            found |= _run_kind(some, settings, conditions, times, threads or os.cpu_count() or 1, late, matrix)
    return {method: found[method] for method in methods}


def _check_settings(settings: Settings) -> None:
    """Raise ValueError for settings that are not allowed; C may be infinite."""
    positive_array((None,), alpha=settings.alpha)
    positive_integers(T=settings.T)
    for one in settings.C:
        if not one > 0:
            raise ValueError(f"C has the entry {float(one)!r}: numbers above 0, or inf, are needed")
    for one in settings.sigma:
        non_negative(sigma=float(one))


QUIET = {"over": "ignore", "invalid": "ignore", "divide": "ignore"}  # a setting that diverges is no mistake


@np.errstate(**QUIET)  # type: ignore[arg-type]
def _run_kind(
    methods: list[str], settings: Settings, of: Conditions, times: list[int], threads: int, late: bool, matrix: FloatArray | None
) -> dict[str, FloatArray]:
    """Run methods of one kind, zeroth-order ones or DP-GD; return measures (4, replicates, settings, times) by method."""
    tiled = settings.repeat(len(methods))
    order = np.argsort(-tiled.T, kind="stable")  # the running settings are a prefix
    chosen = tiled.take(order)
    names = np.repeat(methods, len(settings))[order]
    ends = [t for t in sorted({*times}) if 0 < t <= int(chosen.T.max())]
    runs: FirstOrder | ZerothOrder = (
        FirstOrder.prepare_runs(of.groups, chosen, of.n if of.excess else np.inf, of.tolerance, matrix)
        if methods[0] in first_order.METHODS
        else ZerothOrder.prepare_runs(of.groups, chosen, names, of.n, of.direction, of.excess)
    )
    kinds, which = np.unique(runs.excess, axis=0, return_inverse=True)
    values = np.full((4, of.replicates, len(chosen), len(times)), np.nan)

    @np.errstate(**QUIET)  # type: ignore[arg-type]  # a state of each thread
    def run_replicate(at: int) -> None:
        replicate = of.first + at
        sample = Sample.draw_replicate(of.groups, of.n, of.distance, of.seed, replicate)
        begun = [sample.run_start(excess) for excess in kinds]
        start = np.array([begun[kind].length for kind in which])
        states = runs.states(start, ends, partial(generator, of.seed, replicate), late) if ends else iter(())
        for t, p, q in chain([(0, start, np.zeros_like(start))], states):
            columns = [j for j, time in enumerate(times) if time == t]
            for kind in np.unique(which[: len(p)]):
                these = np.flatnonzero(which[: len(p)] == kind)
                for j in columns:
                    values[:, at, these, j] = begun[kind].measures(p[these], q[these])

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(run_replicate, range(of.replicates)))
    back = np.argsort(order)
    return dict(zip(methods, np.split(values[:, :, back], len(methods), axis=2), strict=True))
