"""Kernel of a stage of DP-ZOPO: two-point differences along several directions, clipped per sample, with scalar noise for each direction.

Source    Liu, Lou and others: "Differentially Private Zeroth-Order Methods for Scalable Large Language Model Fine-tuning", Algorithm 2.

The arguments of the kernel are those of `synthetic.methods.record`, and
    kept (k,)               indices of the coordinates that are tuned; empty: all are
    v (steps, P, k)         directions in these coordinates;   z (steps, P) standard normal noise
    step, smoothing         of the stage;   pull   step over the weight of the regulariser, 0 without one
    proximal                whether the regulariser's step is made at the new iterate, or, as printed, at the old one
    reach                   largest norm of the tuned part of x, inf without a ball: longer ones are scaled to it, which is the projection
                            on the points of the ball that have the other coordinates of x
    first                   the step of the run from which on the mean of the iterates is written to `handed`; -1: never
All directions use the same batch, all samples the same directions. A sample whose difference is not finite counts as 0, and as clipped.
"""

import numpy as np
from numba import njit

from synthetic.kernels.dp_grape import sum_of_squares
from synthetic.kernels.dpzero import mean_clipped_slope
from synthetic.kernels.vectors import add_multiple, copy_to


@njit(nogil=True, error_model="numpy")
def coordinate_index(kept, j):
    """Return the index in x of tuned coordinate number j; an empty `kept` means that all are tuned."""
    return kept[j] if len(kept) else j


@njit(nogil=True, error_model="numpy")
def perturb_both_sides(plus, minus, x, kept, smoothing, v):
    """Write x + smoothing v and x - smoothing v to the tuned coordinates of plus and minus; v (k,)."""
    for j in range(v.shape[0]):
        i = coordinate_index(kept, j)
        plus[i] = x[i] + smoothing * v[j]
        minus[i] = x[i] - smoothing * v[j]


@njit(nogil=True, error_model="numpy")
def regularised_step(x, kept, g, centre, step, pull, proximal, reach):
    """Make one step on the tuned coordinates of x: along -g, with the regulariser's pull to the centre, then onto the ball.

    The ball has radius `reach`; with `proximal` the regulariser acts at the new iterate, else at the old.
    """
    total = 0.0
    for j in range(g.shape[0]):
        i = coordinate_index(kept, j)
        if proximal:
            x[i] = (x[i] - step * g[j] + pull * centre[i]) / (1.0 + pull)
        else:
            x[i] -= step * g[j] + pull * (x[i] - centre[i])
        total += x[i] ** 2
    if total > reach**2 and np.isfinite(total):  # where it is not finite the run ends
        for j in range(g.shape[0]):
            x[coordinate_index(kept, j)] *= reach / np.sqrt(total)


@njit(nogil=True, error_model="numpy")
def dp_zoo(loss, value_gradient, data, params, x, centre, handed, kept, step, smoothing, pull, proximal, reach, first, C, sigma, v, z,
           batch, nominal, value, grad_norm_sq, clipped, tau, x_tau, t0):  # fmt: skip
    """Run one stage of Algorithm 2 of DP-ZOPO, overwriting x; return the number of steps before the first iterate that is not finite."""
    steps, P, k = v.shape
    plus, minus, full, g = x.copy(), x.copy(), np.empty(x.shape[0]), np.empty(k)
    for t in range(steps):
        if t == tau:
            copy_to(x_tau, x)
        row = batch[t % batch.shape[0]]
        there = row.shape[0]
        while there > 0 and row[there - 1] < 0:
            there -= 1
        g[:] = 0.0
        clipped[t] = 0.0
        for p in range(P):
            noisy = sigma * z[t, p]
            if there > 0:
                perturb_both_sides(plus, minus, x, kept, smoothing, v[t, p])
                slope, share = mean_clipped_slope(loss, data, params, plus, minus, smoothing, C, 1.0, row[:there], there)
                noisy += slope * (there / nominal)
                clipped[t] += share / P
            add_multiple(g, noisy / P, v[t, p])
        regularised_step(x, kept, g, centre, step, pull, proximal, reach)
        value[t] = value_gradient(x, data, params, full)
        grad_norm_sq[t] = sum_of_squares(full)
        if not np.isfinite(sum_of_squares(x)):
            return t
        if 0 <= first <= t0 + t:
            for j in range(k):
                handed[j] += (x[coordinate_index(kept, j)] - handed[j]) / (t0 + t - first + 1)
    return steps
