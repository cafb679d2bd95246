"""Zeroth-order methods (Algorithms 1 and 2 of DPZero) on a quadratic, simulated in the lengths of D = x - centre within its groups.

In a group of k equal eigenvalues a, D is described by two numbers: p, its component along its start, and q >= 0, the length of the rest.
A direction u is described by three: the component `along` p's axis, the component `across` it, along the rest of D, and the length of what
is left. The slopes u'A D - y_i of the samples have y_i ~ N(0, v^2) given u, v = |A u|.
"""

from math import erf, erfc, exp, sqrt

import numpy as np
from numba import njit

REORDERED = {"contract", "reassoc", "nsz"}
ROOT_HALF, DENSITY = sqrt(0.5), 1 / sqrt(2 * np.pi)
NARROW = 1e-4  # of C / v: below it a series in C / v has eight digits


@njit(nogil=True, error_model="numpy")
def clipped_moments(s, v, C):
    """Return the mean of clip(s + v g) to [-C, C], g ~ N(0, 1), and the part of its variance that is not linear in g.

    The covariance of the clipped value with g is v P(|s + v g| < C), by Stein's lemma.
    """
    if not v > 0.0:
        return (-C if s < -C else C if s > C else s), 0.0
    if C < NARROW * v:  # the formulas below would subtract numbers that are nearly equal
        x = s / v
        at, inside = DENSITY * exp(-0.5 * x * x), 2.0 * C / v * DENSITY * exp(-0.5 * x * x)
        sign = erf(x * ROOT_HALF)
        mean = C * (sign - (C / v) ** 2 * x * at / 3.0)
        nonlinear = C * C * (1.0 - sign * sign - 2.0 / 3.0 * inside) - v * v * inside * inside
        return mean, nonlinear if nonlinear > 0.0 else 0.0
    low, high = (-C - s) / v, (C - s) / v
    below, above = 0.5 * erfc(-low * ROOT_HALF), 0.5 * erfc(high * ROOT_HALF)
    inside = 1.0 - below - above
    if above + below == 0.0:
        return s, 0.0
    at_low, at_high = DENSITY * exp(-0.5 * low * low), DENSITY * exp(-0.5 * high * high)
    mean = s * inside + v * (at_low - at_high) + C * (above - below)
    square = C * C * (below + above) + (s * s + v * v) * inside + v * (2.0 * s * (at_low - at_high) + v * (low * at_low - high * at_high))
    nonlinear = square - mean * mean - v * v * inside * inside
    return mean, nonlinear if nonlinear > 0.0 else 0.0


@njit(nogil=True, error_model="numpy", fastmath=REORDERED)
def zeroth_order_steps(a, along, across, rest, v, length, z, w, sampled, alpha, C, sigma, vector, spread, p, q):
    """Make the zeroth-order steps of a chunk for every setting: p, q (settings, G) are overwritten.

    a (G,)                          eigenvalues
    along, across, rest (b, G)      of u;   v, length (b,): |A u| of a sample, and |u|
    z (b,)                          noise along u;   w (b, 4, G): in every coordinate: its components along p, along q, along the rest of u,
                                    and the length of what is left; (0, 4, G) if there is none
    sampled (b,)                    standard normal: the error of a mean over samples
    alpha, C, sigma (settings,)     vector (settings,): DPGD-0th, which clips s u to length C and adds noise in every coordinate
    spread (settings,)              variance of the error of the mean, over the second value of `clipped_moments`
    """
    for s in range(alpha.shape[0]):
        for t in range(v.shape[0]):
            slope = 0.0  # u'A D
            for g in range(a.shape[0]):
                slope += a[g] * (along[t, g] * p[s, g] + across[t, g] * q[s, g])
            mean, nonlinear = clipped_moments(slope, v[t], C[s] / length[t] if vector[s] else C[s])
            mean += sqrt(spread[s] * nonlinear) * sampled[t]
            if vector[s]:  # D -= kappa u + tau w
                kappa, tau = alpha[s] * mean, alpha[s] * sigma[s]
                for g in range(a.shape[0]):
                    p[s, g] -= kappa * along[t, g] + tau * w[t, 0, g]
                    left, side = q[s, g] - kappa * across[t, g] - tau * w[t, 1, g], kappa * rest[t, g] + tau * w[t, 2, g]
                    beyond = tau * w[t, 3, g]
                    q[s, g] = sqrt(left * left + side * side + beyond * beyond)
            else:  # D -= kappa u
                kappa = alpha[s] * (mean + sigma[s] * z[t])
                for g in range(a.shape[0]):
                    p[s, g] -= kappa * along[t, g]
                    left, side = q[s, g] - kappa * across[t, g], kappa * rest[t, g]
                    q[s, g] = sqrt(left * left + side * side)
