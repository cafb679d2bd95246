"""Zeroth-order methods on a quadratic in the coordinates of its groups: what Algorithms 1 and 2 of DPZero do to lengths.

D = x - centre meets a group of k equal eigenvalues a in two numbers: p, its component along where it began, and q >= 0, the length of the
rest. A direction u meets it in three: the component `along` p's axis, the one `across` it, along the rest of D, and the length of what is
left. The slopes u'A D - y_i of the samples have y_i ~ N(0, v^2) given u, v = |A u|.
"""

from math import erfc, exp, sqrt

import numpy as np
from numba import njit

REORDERED = {"contract", "reassoc", "nsz"}
ROOT_HALF, DENSITY = sqrt(0.5), 1 / sqrt(2 * np.pi)


@njit(nogil=True, error_model="numpy")
def clipped_moments(s, v, C):
    """Return the mean of clip(s + v g) to [-C, C], g ~ N(0, 1), and the part of its variance that is not linear in g.

    The covariance of the clipped value with g is v P(|s + v g| < C), by Stein's lemma.
    """
    if not v > 0.0:
        return min(max(s, -C), C), 0.0
    low, high = (-C - s) / v, (C - s) / v
    below, above = 0.5 * erfc(-low * ROOT_HALF), 0.5 * erfc(high * ROOT_HALF)
    inside = max(0.0, 1.0 - below - above)
    if above + below == 0.0:
        return s, 0.0
    at_low, at_high = DENSITY * exp(-0.5 * low * low), DENSITY * exp(-0.5 * high * high)
    mean = s * inside + v * (at_low - at_high) + C * (above - below)
    square = C * C * (below + above) + (s * s + v * v) * inside + v * (2.0 * s * (at_low - at_high) + v * (low * at_low - high * at_high))
    return mean, max(0.0, square - mean * mean - (v * inside) ** 2)


@njit(nogil=True, error_model="numpy", fastmath=REORDERED)
def projection(along, across, p, q):
    """Return u'A D, from the components of A u."""
    total = 0.0
    for g in range(p.shape[0]):
        total += along[g] * p[g] + across[g] * q[g]
    return total


@njit(nogil=True, error_model="numpy", fastmath=REORDERED)
def move_along(p, q, kappa, along, across, rest):
    """D -= kappa u."""
    for g in range(p.shape[0]):
        p[g] -= kappa * along[g]
        left, side = q[g] - kappa * across[g], kappa * rest[g]
        q[g] = np.sqrt(left * left + side * side)


@njit(nogil=True, error_model="numpy", fastmath=REORDERED)
def move_everywhere(p, q, kappa, along, across, rest, tau, w):
    """D -= kappa u + tau w: the components of w along p, along q, along the rest of u, and the length of what is left are w[:, g]."""
    for g in range(p.shape[0]):
        p[g] -= kappa * along[g] + tau * w[0, g]
        left, side, beyond = q[g] - kappa * across[g] - tau * w[1, g], kappa * rest[g] + tau * w[2, g], tau * w[3, g]
        q[g] = np.sqrt(left * left + side * side + beyond * beyond)


@njit(nogil=True, error_model="numpy")
def zeroth_order(a, along, across, rest, v, length, z, w, sampled, alpha, C, sigma, vector, spread, p, q):
    """Make the steps of a chunk for every setting: p, q (settings, G) are overwritten.

    a (G,)                          eigenvalues
    along, across, rest (b, G)      of u;   v, length (b,): |A u| of a sample, and |u|
    z (b,)                          noise along u;   w (b, 4, G): in every coordinate, as in `move_everywhere`, (0, 4, G) if there is none
    sampled (b,)                    standard normal: the error of a mean over samples
    alpha, C, sigma (settings,)     vector (settings,): DPGD-0th, which clips s u to length C and adds noise in every coordinate
    spread (settings,)              variance of the error of the mean over what the second of `clipped_moments` is
    """
    b, G = along.shape
    A_along, A_across = np.empty((b, G)), np.empty((b, G))
    for t in range(b):
        for g in range(G):
            A_along[t, g], A_across[t, g] = a[g] * along[t, g], a[g] * across[t, g]
    for s in range(alpha.shape[0]):
        for t in range(b):
            slope = projection(A_along[t], A_across[t], p[s], q[s])
            mean, nonlinear = clipped_moments(slope, v[t], C[s] / length[t] if vector[s] else C[s])
            mean += np.sqrt(spread[s] * nonlinear) * sampled[t]
            if vector[s]:
                move_everywhere(p[s], q[s], alpha[s] * mean, along[t], across[t], rest[t], alpha[s] * sigma[s], w[t])
            else:
                move_along(p[s], q[s], alpha[s] * (mean + sigma[s] * z[t]), along[t], across[t], rest[t])
