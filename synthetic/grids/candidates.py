"""Candidates: the DP-GD settings that are likely to be the best of a grid on a quadratic, found without its n samples a step.

The run on the data is D_{t+1} = D_t - alpha (G(D_t) + sigma z_t), G the mean of n clipped gradients. Here G(D) is predicted as
(f / f_0) (H D + G(0)). By the factor f the mean gradient is shortened in a group of equal eigenvalues if the samples are replaced by their
distribution (`kernels.clipped_weight`), f_0 is this factor at D = 0. G(0) and its derivative H there, of which the diagonal is kept, are
those of the data, computed once for every C. The start, the draws z and the measures are those of the run. So a setting costs d operations
a step rather than n d, and the prediction is of this run, not only of its distribution.

The error. Let X be the length of a measure: a norm, or the root of a loss minus its minimum, which is common to all settings. Near
D = 0 the slopes are exact. Elsewhere, and off the diagonal, a slope is a mean of n numbers, whose error is normal to first order in
1/sqrt(n): its relative standard deviation is taken from the data, the largest of all coordinates and C at D = 0. It counts while
|D| falls by about a factor e, for it vanishes with |D|^2, and moves log X by a share of that time: DEVIATIONS of it are allowed. MARGIN is
for what is of higher order and for the TOLERANCE of f: it is five times the largest of the errors, 0.002, at the best DP-GD settings of
Figures 1 to 3. A setting is left out where by every measure it lies above another one by more than both may be off. One of those is the
best with a probability of at most 2 Phi(-DEVIATIONS) = 6.4e-14 for each C and group of a cell, of which a figure has 10,000: below 1e-9.
This is an argument to first order, not a proof; `tests/synthetic/grids/test_candidates.py` compares with whole grids.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from synthetic.distribution.first_order import RULE, transforms_of
from synthetic.draws import NOISE, FloatArray, generator
from synthetic.grids.settings import Centred, Measures, Settings
from synthetic.groups import group_eigenvalues
from synthetic.kernels.grid_in_distribution import expected_clipping_steps

DEVIATIONS, MARGIN, TOLERANCE = 7.5, 0.01, 0.003
ROOTS = np.array([1.0, 1.0, 0.5, 0.5])  # powers by which the measures become lengths
ROWS = 512  # samples per matrix product
CHUNK_BYTES = 2**20  # draws that stay in the second-level cache while the settings pass over them


def likely_best_mask(quadratic: Centred, measures: Measures, settings: Settings, seed: int) -> NDArray[np.bool_]:
    """Return which DP-GD settings may be the best by some measure, as booleans (settings,), on the draws of replicate 0 of the seed.

    The quadratic's eigenvalues a must fall.
    """
    clips = np.unique(settings.C)
    with threadpool_limits(limits=1, user_api="blas"):
        pull, slope, deviation = linearise_at_mean(quadratic, clips)
    error = MARGIN + DEVIATIONS * deviation
    above = replace(measures, spread_train=0.0, spread_test=0.0)  # F_S(m) is common to all settings
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # a setting that diverges is no mistake
        length = ROOTS[:, None] * np.log(above.evaluate(predict_offsets(quadratic, settings, clips, pull, slope, seed)))
        return ~np.all(length > np.fmin.reduce(length, axis=1)[:, None] + 2 * error, axis=0)


def linearise_at_mean(quadratic: Centred, clips: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """Linearise the mean clipped gradient at D = 0: return gradient and slopes / a by threshold, (clips, d), and the slopes' error.

    The error is the largest relative standard deviation of a slope.
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
    return pull, first, float(np.sqrt(max(np.max(second / first**2) - 1, 0.0) / n))


def predict_offsets(
    quadratic: Centred, settings: Settings, clips: FloatArray, pull: FloatArray, slope: FloatArray, seed: int
) -> FloatArray:
    """Predict x_T - m of every DP-GD setting, (settings, d), from the distribution of the samples and the draws of the seed.

    pull, slope (clips, d)   gradient and slopes at D = 0, as `linearise_at_mean` returns them, for the rising thresholds clips
    """
    a, order = quadratic.a[0], np.argsort(-settings.T, kind="stable")
    falling, groups = settings.take(order), group_eigenvalues(quadratic.a[0])
    transforms, clip = transforms_of(groups), np.searchsorted(clips, falling.C)
    rest = np.array([transforms.optimum_weights(float(C), 1) for C in clips])
    rules = pull, slope, rest, transforms.tables(clips), RULE, transforms.extra, transforms.basis, TOLERANCE
    spectrum = a, np.concatenate([[0], np.cumsum(groups.size)]).astype(np.int64), groups.value, groups.size
    D, factor, at = np.tile(quadratic.start, (len(order), 1)), np.ones((len(order), len(groups.size))), np.full(len(order), np.nan)
    noise, steps = generator(seed, 0, NOISE), max(1, CHUNK_BYTES // (8 * len(a)))
    for begin, stop in pairwise(sorted({0, *falling.T.tolist(), *range(0, int(falling.T[0]), steps)})):
        live = slice(int(np.sum(begin < falling.T)))
        chosen = falling.alpha[live], falling.C[live], falling.sigma[live], clip[live]
        expected_clipping_steps(*spectrum, noise.standard_normal((stop - begin, len(a))), *chosen, *rules, D[live], factor[live], at[live])
    return D[np.argsort(order)]
