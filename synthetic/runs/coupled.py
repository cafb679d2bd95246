"""Runs on the draws of a run on data, with the distribution of its samples in place of them: d operations a step rather than n d.

They use only the mean of the data, and end near the run on the data. Their own mean is that of `synthetic.distribution.quadratic` with
excess=False, up to what bins and the tolerance of DP-GD's weights do to both, some 0.2 %. So few datasets suffice for the mean of a run
over datasets: it is the mean difference between both runs, which varies little, plus the mean in distribution (control variates). The
distribution leaves out the error of clipped means beyond the mean of the data; this causes no bias.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from synthetic.distribution.first_order import transforms_of
from synthetic.distribution.samples import chunk_edges
from synthetic.draws import DIRECTIONS, NOISE, FloatArray, draw_directions, generator
from synthetic.grids import candidates
from synthetic.grids.grid import train_test_quadratics
from synthetic.grids.settings import Centred, Measures, Settings
from synthetic.grids.zeroth_order import VECTOR_NOISE
from synthetic.groups import group_eigenvalues
from synthetic.kernels.in_distribution import zeroth_order_steps
from synthetic.objectives.sums import Spectrum, spectrum_values
from synthetic.validate import one_of

CHUNK_BYTES = 2**21


def coupled_cell(
    *,
    method: Sequence[str],
    spectrum: Sequence[Spectrum],
    d: int,
    n: int,
    dataset: int,
    alpha: Sequence[float],
    T: Sequence[int],
    C: Sequence[float],
    sigma: Sequence[float],
    seed: int,
    direction: str,
) -> dict[str, np.ndarray]:
    """Run the settings of replay_cell on its draws, with gradients in distribution, not on data; return {"measures": (4, 1, settings)}.

    The gradients of a step come from the distribution of the samples; the draws and the mean of the data are those of the run on data.
    """
    for name in method:
        one_of((*VECTOR_NOISE, "dp_gd"), method=name)
    every = Settings(np.array(alpha), np.array(T, np.int64), np.array(C), np.array(sigma))
    train, test = map(Centred.from_objective, train_test_quadratics(spectrum[0], d, n, dataset))
    values = np.empty((4, 1, len(every)))
    for name in dict.fromkeys(spectrum):
        a = spectrum_values(name, d)
        measures, quadratic = Measures.from_data(a, train, test), replace(train, a=a[None])
        for zeroth in (True, False):
            mine = [k for k, one in enumerate(method) if (one in VECTOR_NOISE) is zeroth and spectrum[k] == name]
            if mine:
                vector = np.array([VECTOR_NOISE.get(method[k], False) for k in mine])
                some = every.take(np.array(mine))
                D = zeroth_order_offsets(quadratic, some, vector, seed, direction) if zeroth else first_order_offsets(quadratic, some, seed)
                values[:, 0, mine] = measures.evaluate(D)
    return {"measures": values}


def zeroth_order_offsets(quadratic: Centred, settings: Settings, vector: NDArray[np.bool_], seed: int, direction: str) -> FloatArray:
    """Run zeroth-order settings on a run's draws, gradients from the samples' distribution; return x_T - m, (settings, d).

    The kernel is that of runs in distribution, with every coordinate a group of its own.
    vector (settings,)   whether the noise has an entry for each coordinate (DPGD-0th)
    """
    (a,), (n, d) = quadratic.a, quadratic.samples.shape
    order = np.argsort(-settings.T, kind="stable")
    falling, noisy = settings.take(order), vector[order]
    sign = np.where(quadratic.start < 0, -1.0, 1.0)
    p = np.tile(np.abs(quadratic.start), (len(order), 1))
    q, along = np.zeros_like(p), generator(seed, 0, DIRECTIONS)
    scalars, vectors = (generator(seed, 0, NOISE) for _ in range(2))
    last, steps = int(falling.T[0]), max(1, CHUNK_BYTES // (8 * d * (7 if vector.any() else 3)))
    for begin, stop in pairwise(chunk_edges([last], falling.T, steps)):
        b, live = stop - begin, int(np.sum(begin < falling.T))
        u, nothing, w = draw_directions(along, b, d, direction), np.zeros((b, d)), np.zeros((b, 4, d))
        z = scalars.standard_normal(b)
        if noisy[:live].any():
            w[:, 0] = vectors.standard_normal((b, d)) * sign
        v, length = np.sqrt((u * a) ** 2 @ np.full(d, 1 - 1 / n)), np.sqrt(np.einsum("td,td->t", u, u))
        chosen = (falling.alpha[:live], falling.C[:live], falling.sigma[:live], noisy[:live], np.zeros(live))
        zeroth_order_steps(a, u * sign, nothing, nothing, v, length, z, w, nothing[:, 0], *chosen, p[:live], q[:live])
    return (p * sign)[np.argsort(order)]


def first_order_offsets(quadratic: Centred, settings: Settings, seed: int) -> FloatArray:
    """Run DP-GD settings on a run's draws, gradients from the samples' distribution also at m; return x_T - m, (settings, d)."""
    (a,), clips = quadratic.a, np.unique(settings.C)
    groups = group_eigenvalues(a)
    transforms = transforms_of(groups)
    slope = np.array([np.repeat(transforms.optimum_weights(float(C), 1), groups.size.astype(np.int64)) for C in clips])
    return candidates.predict_offsets(quadratic, settings, clips, np.zeros_like(slope), slope, seed)
