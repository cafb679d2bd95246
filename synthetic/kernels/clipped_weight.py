"""DP-GD on a quadratic, in the coordinates of its groups of eigenvalues: the factor by which clipping shortens the mean gradient.

The gradient of a sample has the squared norm q = sum over groups of a^2 times a noncentral chi-square number: k degrees of freedom,
noncentrality E = |D|^2 in the group. In a group, E[min(1, C / sqrt(q)) gradient] is the gradient of the mean times E min(1, C / sqrt(q')),
where q' has two degrees of freedom more in this group (Stein's lemma for a chi-square). This factor depends on the group through a^2 alone.
It is computed at some values of a^2 (`extra`) and interpolated between them by a polynomial.
"""

from math import erfc, exp, inf, sqrt

import numpy as np
from numba import njit

ROOT_HALF, DENSITY = sqrt(0.5), 1 / sqrt(2 * np.pi)
CONCENTRATED = 12.0  # mean over deviation of q from which four cumulants give its distribution, to 1e-4; for i^-0.4 and 1/sqrt(i) to 5e-4
TILT = 0.1  # over the deviation of q: the line on which its transform is taken, left of the first pole at 1 / (2 a^2)
UNCLIPPED = 20.0  # q exceeds its mean by more than the bound with this exponent with probability exp(-20) at most (Birge 2001, Lemma 8.1)
BEYOND = 9.0  # deviations, outside which a distribution so concentrated has no mass
FAST = {"contract", "reassoc", "nsz"}


@njit(nogil=True, error_model="numpy")
def factor_from_cumulants(one, two, three, four, C, power, nodes, masses):
    """Return E min(1, C / sqrt(q))^power from the first four cumulants of q, by Edgeworth's density of order 1 / d.

    one, two, three, four   the cumulants;   nodes, masses   of a Gauss-Legendre rule on (-1, 1)
    """
    deviation = sqrt(two)
    skew, tail = three / (two * deviation), four / (two * two)
    low, high = max(-BEYOND, -one / deviation), BEYOND
    kink = min(max((C * C - one) / deviation, low), high)
    total = 0.5 * erfc(-kink * ROOT_HALF)  # all that is not clipped
    h2, h3, h5 = kink * kink - 1, kink * (kink * kink - 3), kink * (kink**4 - 10 * kink * kink + 15)
    total -= DENSITY * exp(-0.5 * kink * kink) * (skew / 6 * h2 + tail / 24 * h3 + skew * skew / 72 * h5)
    middle, half = 0.5 * (high + kink), 0.5 * (high - kink)
    for i in range(nodes.shape[0]):
        x = middle + half * nodes[i]
        h3, h4, h6 = x * (x * x - 3), x**4 - 6 * x * x + 3, x**6 - 15 * x**4 + 45 * x * x - 15
        density = DENSITY * exp(-0.5 * x * x) * (1 + skew / 6 * h3 + tail / 24 * h4 + skew * skew / 72 * h6)
        total += half * masses[i] * density * (C / sqrt(max(one + deviation * x, C * C))) ** power
    return total


@njit(nogil=True, error_model="numpy", fastmath=FAST)
def add_exponents(a_sq, E, c, omega, real, imaginary):
    """Add the exponent sum_g s a_g^2 E_g / (1 - 2 s a_g^2), s = c + i omega, to log E exp(s q), given as real and imaginary (N,).

    a_sq, E (G,)   squared eigenvalues and noncentralities;   omega (N,)
    """
    for g in range(a_sq.shape[0]):
        e, size, kept = a_sq[g], a_sq[g] * E[g], 1 - 2 * c * a_sq[g]
        for i in range(omega.shape[0]):
            w = omega[i]
            share = size / (kept * kept + 4 * w * w * e * e)
            real[i] += (c * kept - 2 * w * w * e) * share
            imaginary[i] += w * share


@njit(nogil=True, error_model="numpy", fastmath=FAST)
def factors_from_transform(a_sq, E, c, omega, log_real, log_imaginary, H_real, H_imaginary, extra, out):
    """Write E w(q + e chi-square of 2) for every e of `extra` to out, from the transform H of the function w.

    It is (1/pi) integral of Re[phi H / (1 - 2 s e)] on the line s = c + i omega to the right of 0. What a large C adds to H is small there,
    where on the axis itself it would oscillate.
    omega (N,)   nodes;   log_* (N,) log phi(s) = log E exp(s q) at E = 0;   H_* (N,) transform times mass / pi
    """
    real, imaginary = log_real.copy(), log_imaginary.copy()
    add_exponents(a_sq, E, c, omega, real, imaginary)
    for i in range(omega.shape[0]):
        size = np.exp(real[i])
        cosine, sine = size * np.cos(imaginary[i]), size * np.sin(imaginary[i])
        real[i], imaginary[i] = cosine * H_real[i] - sine * H_imaginary[i], cosine * H_imaginary[i] + sine * H_real[i]
    for j in range(extra.shape[0]):
        total, kept = 0.0, 1 - 2 * c * extra[j]
        for i in range(omega.shape[0]):
            twice = 2 * omega[i] * extra[j]
            total += (real[i] * kept - twice * imaginary[i]) / (kept * kept + twice * twice)
        out[j] = total


@njit(nogil=True, error_model="numpy")
def mean_clip_factors(a_sq, k, E, C, power, scales, omega, log_real, log_imaginary, H_real, H_imaginary, nodes, masses, extra, out):
    """Write E[min(1, C / sqrt(q + e X))^power], X a chi-square of 2 degrees of freedom, to out for each e of `extra`.

    a_sq, k, E (G,)    squared eigenvalues, degrees of freedom and noncentralities of q
    scales (levels,)   deviations of q, rising, for which the nodes omega (levels, N), log_* and H_* were made
    """
    one, two, three, four, largest = 0.0, 0.0, 0.0, 0.0, 0.0
    for g in range(a_sq.shape[0]):
        s = a_sq[g]
        largest = max(largest, s)
        one += s * (k[g] + E[g])
        two += 2 * s**2 * (k[g] + 2 * E[g])
        three += 8 * s**3 * (k[g] + 3 * E[g])
        four += 48 * s**4 * (k[g] + 4 * E[g])
    widest = two + 4 * largest**2
    if C * C > one + 2 * largest + sqrt(2 * widest * UNCLIPPED) + 2 * largest * UNCLIPPED:
        out[:] = 1.0  # hardly ever clipped
        return
    if one * one > CONCENTRATED**2 * two:
        for j in range(extra.shape[0]):
            e = extra[j]
            out[j] = factor_from_cumulants(one + 2 * e, two + 4 * e**2, three + 16 * e**3, four + 96 * e**4, C, power, nodes, masses)
        return
    level = 0
    while level < scales.shape[0] - 1 and scales[level] < sqrt(two):
        level += 1
    factors_from_transform(
        a_sq, E, TILT / scales[level], omega[level], log_real[level], log_imaginary[level], H_real[level], H_imaginary[level], extra, out
    )


@njit(nogil=True, error_model="numpy")
def first_order_steps(a, k, w, matrix, C, sigma, clip, tables, rule, extra, basis, tolerance, centre, along, rest, factor, at):
    """Make the steps of a chunk for every setting: along (settings, m, G), rest (settings, m, m, G), factor and at are overwritten.

    The m vectors of a run are D = x - centre and its state; DP-GD has D alone. Noise is the same in all directions, so a step depends on
    the vectors through their lengths and angles in each group.
    matrix (settings, m, m + 1)   the step: x and the state after it from those before it and from the noisy mean gradient, which comes last
    centre (settings, G)          x - D along the start of D: where a run starts at x = 0, the start of D with the other sign
    along, rest                   in every group the vectors' components along the start of D, and their coordinates in m axes orthogonal
                                  to it, of which vector i uses the first i + 1
    a, k (G,)                     eigenvalues and sizes
    w (b, m + 2, G)               noise along the start of D, along the m axes, and the length of what is left
    C, sigma, clip (settings,)    clip: the index of C among the tables of transforms
    tables                        as in `mean_clip_factors`: power, scales, omega, log_real, log_imaginary, and
                                  H_real, H_imaginary (clips, levels, N)
    rule                          nodes and masses, as in `factor_from_cumulants`
    extra (P,), basis (P, G)      factors at `extra`, times basis, are those of the groups
    tolerance                     relative change of E q up to which a factor is kept: its error is half of that at most
    factor, at                    (settings, G), (settings,): by which the mean gradient is shortened, and E q for which that was computed
    """
    power, scales, omega, log_real, log_imaginary, H_real, H_imaginary = tables
    found, E, a_sq = np.empty(extra.shape[0]), np.empty(a.shape[0]), np.empty(a.shape[0])
    m = along.shape[1]
    step, moved, turned = np.empty((m, m)), np.empty(m), np.empty((m, m + 1))
    size = 0.0
    for g in range(a.shape[0]):
        a_sq[g] = a[g] * a[g]
        size += a_sq[g] * k[g]
    for s in range(C.shape[0]):
        for t in range(w.shape[0]):
            one = size
            for g in range(a.shape[0]):
                E[g] = along[s, 0, g] * along[s, 0, g] + rest[s, 0, 0, g] * rest[s, 0, 0, g]
                one += a_sq[g] * E[g]
            if C[s] < inf and not abs(one - at[s]) <= tolerance * one:
                real, imaginary = H_real[clip[s]], H_imaginary[clip[s]]
                mean_clip_factors(
                    a_sq, k, E, C[s], power, scales, omega, log_real, log_imaginary, real, imaginary, rule[0], rule[1], extra, found
                )
                for g in range(a.shape[0]):
                    factor[s, g] = 0.0
                    for j in range(extra.shape[0]):
                        factor[s, g] += found[j] * basis[j, g]
                at[s] = one
            for g in range(a.shape[0]):
                for i in range(m):  # the mean gradient is factor a D, and noise
                    noise = matrix[s, i, m] * sigma[s]
                    for j in range(m):
                        step[i, j] = matrix[s, i, j]
                    step[i, 0] += matrix[s, i, m] * factor[s, g] * a[g]
                    moved[i] = noise * w[t, 0, g] + (matrix[s, i, 0] - (1.0 if i == 0 else 0.0)) * centre[s, g]
                    for j in range(m):
                        moved[i] += step[i, j] * along[s, j, g]
                        turned[i, j] = noise * w[t, 1 + j, g]
                        for h in range(j, m):
                            turned[i, j] += step[i, h] * rest[s, h, j, g]
                    turned[i, m] = noise * w[t, 1 + m, g]
                triangulate(turned)
                for i in range(m):
                    along[s, i, g] = moved[i]
                    for j in range(i + 1):
                        rest[s, i, j, g] = turned[i, j]


@njit(nogil=True, error_model="numpy")
def triangulate(rows):
    """Turn the axes in which rows (m, m + 1) are given until row i is 0 beyond entry i, which is at least 0; overwrite the rows."""
    for i in range(rows.shape[0]):
        for j in range(i + 1, rows.shape[1]):
            length = sqrt(rows[i, i] * rows[i, i] + rows[i, j] * rows[i, j])
            if length == 0.0:
                continue
            cosine, sine = rows[i, i] / length, rows[i, j] / length
            for h in range(i + 1, rows.shape[0]):
                rows[h, i], rows[h, j] = cosine * rows[h, i] + sine * rows[h, j], cosine * rows[h, j] - sine * rows[h, i]
            rows[i, i], rows[i, j] = length, 0.0
