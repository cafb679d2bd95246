"""DP-GD on a quadratic in the coordinates of its groups: by how much clipping shortens the mean gradient.

The gradient of a sample has the squared length q = sum over groups of a^2 times a noncentral chi-square number: k degrees of freedom,
noncentrality E = |D|^2 in the group. E[min(1, C / sqrt(q)) gradient] is, in a group, the gradient of the mean times E min(1, C / sqrt(q')),
q' with two degrees of freedom more in this group: so Stein's lemma for a chi-square. It depends on the group through a^2 alone, and is
computed at some values of a^2 (`extra`) between which a polynomial is put.
"""

from math import cos, erfc, exp, inf, sin, sqrt

import numpy as np
from numba import njit

ROOT_HALF, DENSITY = sqrt(0.5), 1 / sqrt(2 * np.pi)
CONCENTRATED = 2 * 12.0**2  # where the mean of q is above 12 deviations, four cumulants tell its law: what is left out is below 1e-4
BEYOND = 9.0  # deviations, outside which a law so concentrated has no mass
FAST = {"contract", "reassoc", "nsz"}

# Two functions and few kinds of operations in them: what Numba takes to compile is a large part of the time of one run.


@njit(nogil=True, error_model="numpy", fastmath=FAST)
def weights(a_sq, k, E, C, power, scales, omega, log_real, log_imaginary, H_real, H_imaginary, nodes, masses, extra, out):
    """Write E min(1, C / sqrt(q + e chi-square of 2))^power, power 1 or 2, for every e of `extra`.

    Where q is concentrated, from its first four cumulants: Edgeworth's density of order 1 / d, between its ends. Else from the
    transform H of the weight: (1/pi) integral of Re[phi H / (1 - 2 i omega e)].
    scales (levels,)   deviations of q, rising, for which these were made: omega (levels, N), nodes; log_* (levels, N), log phi at E = 0;
                       H_* (levels, N), transform times mass / pi
    nodes, masses      of a Gauss-Legendre rule on (-1, 1)
    """
    one, two, three, four = 0.0, 0.0, 0.0, 0.0  # cumulants over 1, 2, 8, 48
    for g in range(a_sq.shape[0]):
        s, freedom, size = a_sq[g], k[g], E[g]
        square = s * s
        one += s * (freedom + size)
        two += square * (freedom + 2.0 * size)
        three += square * s * (freedom + 3.0 * size)
        four += square * square * (freedom + 4.0 * size)
    if one * one > CONCENTRATED * two:
        for j in range(extra.shape[0]):
            e = extra[j]
            square = e * e
            mean, variance = one + e + e, 2.0 * (two + square + square)
            deviation = sqrt(variance)
            skew = 4.0 * (three + 2.0 * square * e) / (3.0 * variance * deviation)  # over 6, as the next is over 24 and the third over 72
            tail, both = 2.0 * (four + 2.0 * square * square) / (variance * variance), 0.5 * skew * skew
            low, kink = -mean / deviation, (C * C - mean) / deviation
            low = low if low > -BEYOND else -BEYOND
            kink = low if kink < low else BEYOND if kink > BEYOND else kink
            y = kink * kink
            edge = skew * (y - 1.0) + kink * (tail * (y - 3.0) + both * ((y - 10.0) * y + 15.0))
            total = 0.5 * erfc(-kink * ROOT_HALF) - DENSITY * exp(-0.5 * y) * edge  # all that is not clipped
            middle, half = 0.5 * (BEYOND + kink), 0.5 * (BEYOND - kink)
            for i in range(nodes.shape[0]):
                x = middle + half * nodes[i]
                y = x * x
                density = 1.0 + skew * x * (y - 3.0) + tail * ((y - 6.0) * y + 3.0) + both * (((y - 15.0) * y + 45.0) * y - 15.0)
                square = mean + deviation * x
                ratio = C / sqrt(square) if square > C * C else 1.0
                total += half * masses[i] * DENSITY * exp(-0.5 * y) * density * (ratio if power == 1 else ratio * ratio)
            out[j] = total
        return
    level, deviation = 0, sqrt(2.0 * two)
    while level < scales.shape[0] - 1 and scales[level] < deviation:
        level += 1
    N = omega.shape[1]
    real, imaginary = np.empty(N), np.empty(N)
    for i in range(N):
        real[i], imaginary[i] = log_real[level, i], log_imaginary[level, i]
    for g in range(a_sq.shape[0]):  # log phi += i omega a^2 E / (1 - 2 i omega a^2)
        s, size = a_sq[g], E[g]
        for i in range(N):
            twice = 2.0 * omega[level, i] * s
            share = 0.5 * twice * size / (1.0 + twice * twice)
            real[i] -= twice * share
            imaginary[i] += share
    for i in range(N):
        size = exp(real[i])
        cosine, sine = size * cos(imaginary[i]), size * sin(imaginary[i])
        real[i] = cosine * H_real[level, i] - sine * H_imaginary[level, i]
        imaginary[i] = cosine * H_imaginary[level, i] + sine * H_real[level, i]
    for j in range(extra.shape[0]):
        e, total = extra[j], 0.0
        for i in range(N):
            twice = 2.0 * omega[level, i] * e
            total += (real[i] - twice * imaginary[i]) / (1.0 + twice * twice)
        out[j] = total


@njit(nogil=True, error_model="numpy")
def first_order(a, k, w, alpha, C, sigma, clip, tables, rule, extra, basis, tolerance, p, q, factor, at):
    """Make the steps of a chunk for every setting: p, q, factor (settings, G) and at (settings,) are overwritten.

    a, k (G,)                     eigenvalues and sizes;   w (b, 3, G): noise along p, along q, and the length of what is left
    alpha, C, sigma, clip (settings,)    clip: the index of C among the tables of transforms
    tables                        as in `weights`: power, scales, omega, log_real, log_imaginary, and H_real, H_imaginary (clips, levels, N)
    rule                          nodes and masses, as in `weights`
    extra (P,), basis (P, G)      weights at `extra`, times basis, are those of the groups
    tolerance                     relative change of E q up to which a weight is kept: it is wrong by half of that at most
    factor, at                    by which the mean gradient is shortened, and E q for which that was computed
    """
    power, scales, omega, log_real, log_imaginary, H_real, H_imaginary = tables
    found, E, a_sq = np.empty(extra.shape[0]), np.empty(a.shape[0]), np.empty(a.shape[0])
    size = 0.0
    for g in range(a.shape[0]):
        a_sq[g] = a[g] * a[g]
        size += a_sq[g] * k[g]
    for s in range(alpha.shape[0]):
        for t in range(w.shape[0]):
            one = size
            for g in range(a.shape[0]):
                E[g] = p[s, g] * p[s, g] + q[s, g] * q[s, g]
                one += a_sq[g] * E[g]
            if C[s] < inf and not abs(one - at[s]) <= tolerance * one:
                real, imaginary = H_real[clip[s]], H_imaginary[clip[s]]
                weights(a_sq, k, E, C[s], power, scales, omega, log_real, log_imaginary, real, imaginary, rule[0], rule[1], extra, found)
                for g in range(a.shape[0]):
                    factor[s, g] = 0.0
                    for j in range(extra.shape[0]):
                        factor[s, g] += found[j] * basis[j, g]
                at[s] = one
            noise = alpha[s] * sigma[s]
            for g in range(a.shape[0]):
                kept = 1.0 - alpha[s] * factor[s, g] * a[g]
                p[s, g] = p[s, g] * kept - noise * w[t, 0, g]
                left, beyond = q[s, g] * kept - noise * w[t, 1, g], noise * w[t, 2, g]
                q[s, g] = sqrt(left * left + beyond * beyond)
