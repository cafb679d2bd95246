"""DP-GD settings that are likely to be the best of a grid on a quadratic, told without its n samples a step.

The run on the data is D_{t+1} = D_t - alpha (G(D_t) + sigma z_t), G the mean of n clipped gradients. Here G(D) is told by the law of the
samples: in a group of equal eigenvalues a it is f (a D + G(0)/f_0), where f is by how much clipping shortens the mean gradient
(`kernels.clipped_weight`), f_0 what it is at D = 0, and G(0) is taken from the data, once for every C. The start, the draws z and the
measures are those of the run, so that a setting costs d operations a step rather than n d, and what is foretold is the run itself rather
than a law: at n = 10,000 and d = 200 it is within 2 % of the run for every setting that was compared.

The error. f is the mean of n numbers, so that its error is normal to first order in 1/sqrt(n): the standard deviation of a coordinate's
slope, clipped_j' at D = 0, over its mean and sqrt(n) is taken from the data, the largest of all coordinates. With DEVIATIONS of it, and
MARGIN for what is of higher order and for the weights' TOLERANCE, f is off by a share eps at most. Where a slope is off by eps, what is
left of the start, a share exp(-x) of it, changes by a share eps x, and the noise that was added by a share eps / 2 at most; exp(-x) is no
less than the share X / X_0 of the start that is left of the measure X, a norm or the root of a loss over the least there is. So log X is
off by eps (1 + log^+(X_0 / X)) at most. A setting is left out where by every measure it lies above another one by more than both may be
off. That one of those is the best has a probability of at most 2 Phi(-DEVIATIONS) = 6e-14 for each C and group, of which the figures have
10,000: below 1e-9.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from synthetic.draws import NOISE, FloatArray, generator
from synthetic.grid_settings import Centred, Measures, Settings
from synthetic.groups import grouped
from synthetic.in_law_first import RULE, transforms_of
from synthetic.kernels.grid_law import foretell

DEVIATIONS, MARGIN, TOLERANCE = 7.5, 0.02, 0.005
ROOTS = np.array([1.0, 1.0, 0.5, 0.5])  # powers by which the measures become lengths
ROWS = 512  # samples at a time
CHUNK_BYTES = 2**20  # draws that stay in the second-level cache while the settings pass over them


def likely_best(quadratic: Centred, measures: Measures, settings: Settings, seed: int) -> NDArray[np.bool_]:
    """Return which DP-GD settings may be the best by a measure, with the draws of replicate 0 of the seed; eigenvalues a fall."""
    clips, clip = np.unique(settings.C, return_inverse=True)
    with threadpool_limits(limits=1, user_api="blas"):
        pull, slope, deviation = at_rest(quadratic, clips)
    error = MARGIN + DEVIATIONS * deviation[clip]
    above = replace(measures, spread_train=0.0, spread_test=0.0)  # F_S(m) is common to all settings
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # a setting that diverges is no mistake
        length = ROOTS[:, None] * np.log(above.of(foretold(quadratic, settings, clips, pull, slope, seed)))
        least = np.fmin.reduce(length + error, axis=1)[:, None]
        return ~np.all(length - error > least, axis=0)


def at_rest(quadratic: Centred, clips: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean clipped gradient at D = 0, its slopes there over a, (clips, d), and their largest relative deviation, (clips,).

    A sample's slope in coordinate j is a_j w (1 - y_j^2 / |y|^2) with w = C / |y| where it is clipped, and a_j elsewhere.
    """
    (a,), n = quadratic.a, len(quadratic.samples)
    pull, first, second = np.zeros((3, len(clips), len(a)))
    for top in range(0, n, ROWS):
        y = quadratic.samples[top : top + ROWS] * a
        squares = y**2
        norm_sq = squares.sum(axis=1)
        w = np.minimum(1.0, clips[:, None] / np.sqrt(norm_sq))
        share = np.where(w < 1, w / norm_sq, 0.0)
        pull -= w @ y / n
        first += (w.sum(axis=1)[:, None] - share @ squares) / n
        second += ((w**2).sum(axis=1)[:, None] - 2 * (w * share) @ squares + share**2 @ squares**2) / n
    variance = np.maximum(second / first**2 - 1, 0.0)
    return pull, first, np.sqrt(variance.max(axis=1) / n)


def foretold(quadratic: Centred, settings: Settings, clips: FloatArray, pull: FloatArray, slope: FloatArray, seed: int) -> FloatArray:
    """Return x_T - m of every setting, (settings, d), as the law of the samples has it; pull (clips, d) for the rising clips."""
    a, order = quadratic.a[0], np.argsort(-settings.T, kind="stable")
    falling, groups = settings.at(order), grouped(quadratic.a[0])
    transforms, clip = transforms_of(groups), np.searchsorted(clips, falling.C)
    rest = np.array([transforms.at_rest(float(C), 1) for C in clips])
    rules = pull, slope, rest, transforms.tables(clips), RULE, transforms.extra, transforms.basis, TOLERANCE
    spectrum = a, np.concatenate([[0], np.cumsum(groups.size)]).astype(np.int64), groups.value, groups.size
    D, factor, at = np.tile(quadratic.start, (len(order), 1)), np.ones((len(order), len(groups.size))), np.full(len(order), np.nan)
    noise, steps = generator(seed, 0, NOISE), max(1, CHUNK_BYTES // (8 * len(a)))
    for begin, stop in pairwise(sorted({0, *falling.T.tolist(), *range(0, int(falling.T[0]), steps)})):
        live = slice(int(np.sum(begin < falling.T)))
        chosen = falling.alpha[live], falling.C[live], falling.sigma[live], clip[live]
        foretell(*spectrum, noise.standard_normal((stop - begin, len(a))), *chosen, *rules, D[live], factor[live], at[live])
    return D[np.argsort(order)]
