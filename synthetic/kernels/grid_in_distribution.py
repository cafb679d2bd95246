"""Kernel of DP-GD whose mean clipped gradient comes from its distribution, not from samples, on the noise of a run."""

import numpy as np
from numba import njit

from synthetic.kernels.clipped_weight import mean_clip_factors

REORDERED = {"contract", "reassoc", "nsz"}


@njit(nogil=True, error_model="numpy", fastmath=REORDERED)
def step_with_group_norms(x, edges, kept, drift, noise, z, E):
    """Overwrite x (d,) with kept x - drift - noise z, and E (G,) with the new squared norms |x|^2 within the groups.

    Group g holds the coordinates edges[g]..edges[g+1]-1.
    """
    for g in range(E.shape[0]):
        total = 0.0
        for j in range(edges[g], edges[g + 1]):
            moved = kept[j] * x[j] - drift[j] - noise * z[j]
            x[j] = moved
            total += moved * moved
        E[g] = total


@njit(nogil=True, error_model="numpy")
def expected_clipping_steps(
    a, edges, value, k, z, alpha, C, sigma, clip, pull, slope, rest, tables, rule, extra, basis, tolerance, D, factor, at
):
    """Make a chunk's steps with the expected clipped gradient, overwriting D (settings, d), factor (settings, G), at (settings,).

    a (d,)                              eigenvalues;   group g holds the coordinates edges[g]..edges[g+1]-1, has the value and the size k
    z (b, d)                            noise of the steps
    alpha, C, sigma, clip (settings,)   clip: the index of C among
    pull, slope (clips, d)              mean clipped gradient at D = 0, and its slopes there over a;   rest (clips, G)   `factor` there
    the others                          as in `clipped_weight.first_order_steps`
    """
    power, scales, omega, log_real, log_imaginary, H_real, H_imaginary = tables
    G = value.shape[0]
    found, E, a_sq = np.empty(extra.shape[0]), np.empty(G), value * value
    still, nothing = np.ones(a.shape[0]), np.zeros(a.shape[0])
    kept, drift, size = still.copy(), nothing.copy(), 0.0
    for g in range(G):
        size += a_sq[g] * k[g]
    for s in range(alpha.shape[0]):
        c, noise, known = clip[s], alpha[s] * sigma[s], False
        step_with_group_norms(D[s], edges, still, nothing, 0.0, nothing, E)
        for t in range(z.shape[0]):
            one = size
            for g in range(G):
                one += a_sq[g] * E[g]
            if not abs(one - at[s]) <= tolerance * one:
                real, imaginary = H_real[c], H_imaginary[c]
                mean_clip_factors(
                    a_sq, k, E, C[s], power, scales, omega, log_real, log_imaginary, real, imaginary, rule[0], rule[1], extra, found
                )
                for g in range(G):
                    factor[s, g] = 0.0
                    for j in range(extra.shape[0]):
                        factor[s, g] += found[j] * basis[j, g]
                at[s], known = one, False
            if not known:
                for g in range(G):
                    for j in range(edges[g], edges[g + 1]):
                        reach = alpha[s] * factor[s, g] / rest[c, g]
                        kept[j], drift[j] = 1 - reach * slope[c, j] * a[j], reach * pull[c, j]
                known = True
            step_with_group_norms(D[s], edges, kept, drift, noise, z[t], E)
