"""The inner loops of the exact grid engine."""

import numpy as np
from numba import njit

REORDERED = {"contract", "reassoc", "nsz"}


@njit(nogil=True, error_model="numpy", forceinline=True)
def sum_of_sorted(y, prefix, p, bound):
    """Return sum_i clip(p - y_i) to [-bound, bound], from sorted y (n,) and its prefix sums (n + 1,)."""
    n = y.shape[0]
    below = np.searchsorted(y, p - bound)  # these samples have p - y > bound
    above = n - np.searchsorted(y, p + bound, side="right")
    middle = (n - below - above) * p - (prefix[n - above] - prefix[below])
    return middle + bound * (below - above)


@njit(nogil=True, error_model="numpy", fastmath=REORDERED, forceinline=True)
def sum_of_few(y, prefix, p, bound):
    """Return the same from unsorted y, without prefix sums: quicker when there are only a few settings."""
    low, high = y.dtype.type(p - bound), y.dtype.type(p + bound)
    total = 0.0
    for i in range(y.shape[0]):
        total += p - min(max(y[i], low), high)
    return total


def _coefficients(clipped_sum, **options):
    """Return the kernel of the coefficients, by one of the two sums."""

    @njit(nogil=True, error_model="numpy", **options)
    def coefficients(y, prefix, scale, vu, vw, z, alpha, C, sigma, vector, projection, c):
        """Write the coefficients c (settings, b) of the directions: D_{t+1} = D_t - c_t u_t - [vector noise].

        y (b, n), prefix (b, n+1)   values, and their prefix sums where they are sorted;    scale, z (b,)
        vu (b, b), vw (b, b)        v_t' u_k and v_t' w_k
        alpha, C, sigma, vector     (settings,); vector says whether the noise is a vector (DPGD-0th) or a scalar along u (DPZero)
        projection (settings, b)    v_t' D at the start of the segment
        """
        b, n = y.shape
        for s in range(alpha.shape[0]):
            for t in range(b):
                p = projection[s, t]
                for k in range(t):
                    p -= c[s, k] * vu[t, k]
                bound = C[s]
                if vector[s]:
                    moved = 0.0
                    for k in range(t):
                        moved += vw[t, k]
                    p -= alpha[s] * sigma[s] * moved
                    bound *= scale[t]
                c[s, t] = alpha[s] * clipped_sum(y[t], prefix[t], p, bound) / n
                if not vector[s]:
                    c[s, t] += alpha[s] * sigma[s] * z[t]

    return coefficients


direction_coefficients = _coefficients(sum_of_sorted)
few_coefficients = _coefficients(sum_of_few, fastmath=REORDERED)

TILE = 24  # rows whose products stay in the second-level cache: 192 kB at d = 2000 in float32
ROWS = 12  # blocks have a multiple of this many rows, columns come in fours: the unrolled loops below have no remainders
STRIP = 512  # entries of six rows that stay in the first-level cache
# nnan lets the bounds be vectorised; no NaN can arise, because clipped steps keep the iterates finite
FAST = {"contract", "reassoc", "nsz", "nnan"}


@njit(nogil=True, error_model="numpy", fastmath=FAST)
def weigh(w, y_sq, e_sq, C, cap):
    """Turn the products w = e'y_i (rows,) of one column into weights min(cap, C / |e - y_i|); return their sum."""
    added, tiny = w.dtype.type(0), w.dtype.type(1e-37)
    for i in range(len(w)):
        weight = min(cap, C / np.sqrt(max(e_sq + y_sq[i] - (w[i] + w[i]), tiny)))
        w[i] = weight
        added += weight
    return added


@njit(nogil=True, error_model="numpy", fastmath=FAST)
def weigh_columns(w, y_sq, e_sq, C, cap, total):
    """Weigh every column of w (columns, rows); add the sums of the weights to total (columns,)."""
    for s in range(len(total)):
        total[s] += weigh(w[s], y_sq, e_sq[s], C[s], cap[s])


@njit(nogil=True, error_model="numpy", fastmath=FAST)
def clipped_sums(e, e_sq, C, cap, y, y_sq, w, V, total):
    """Write w = min(cap, C / |e - y_i|) for every column e and row y_i; add sum_i w_i y_i to V and sum_i w_i to total.

    The two matrix products of `weigh_columns`, a few rows at a time, so that y is read from memory once.

    e (4k, d), of which the first len(total) are columns;   e_sq, C, cap, total (columns,);   V (columns, d)
    y (ROWS m, d), y_sq (ROWS m,): inf for rows that do not count;   w (4k, ROWS m)
    """
    n, d = y.shape
    columns = len(total)
    zero = y.dtype.type(0)
    for top in range(0, n, TILE):
        end = min(n, top + TILE)
        for s in range(0, columns, 4):  # w = e y', in squares of 4 by 4
            e0, e1, e2, e3 = e[s], e[s + 1], e[s + 2], e[s + 3]
            for i in range(top, end, 4):
                y0, y1, y2, y3 = y[i], y[i + 1], y[i + 2], y[i + 3]
                q00 = q01 = q02 = q03 = q10 = q11 = q12 = q13 = zero
                q20 = q21 = q22 = q23 = q30 = q31 = q32 = q33 = zero
                for j in range(d):
                    a0, a1, a2, a3 = e0[j], e1[j], e2[j], e3[j]
                    b0, b1, b2, b3 = y0[j], y1[j], y2[j], y3[j]
                    q00, q01, q02, q03 = q00 + a0 * b0, q01 + a0 * b1, q02 + a0 * b2, q03 + a0 * b3
                    q10, q11, q12, q13 = q10 + a1 * b0, q11 + a1 * b1, q12 + a1 * b2, q13 + a1 * b3
                    q20, q21, q22, q23 = q20 + a2 * b0, q21 + a2 * b1, q22 + a2 * b2, q23 + a2 * b3
                    q30, q31, q32, q33 = q30 + a3 * b0, q31 + a3 * b1, q32 + a3 * b2, q33 + a3 * b3
                w[s, i], w[s, i + 1], w[s, i + 2], w[s, i + 3] = q00, q01, q02, q03
                w[s + 1, i], w[s + 1, i + 1], w[s + 1, i + 2], w[s + 1, i + 3] = q10, q11, q12, q13
                w[s + 2, i], w[s + 2, i + 1], w[s + 2, i + 2], w[s + 2, i + 3] = q20, q21, q22, q23
                w[s + 3, i], w[s + 3, i + 1], w[s + 3, i + 2], w[s + 3, i + 3] = q30, q31, q32, q33
        for s in range(columns):
            total[s] += weigh(w[s, top:end], y_sq[top:end], e_sq[s], C[s], cap[s])
        for i in range(top, end, 6):  # V += w y, six rows at a time
            for left in range(0, d, STRIP):
                right = min(d, left + STRIP)
                y0, y1, y2 = y[i, left:right], y[i + 1, left:right], y[i + 2, left:right]
                y3, y4, y5 = y[i + 3, left:right], y[i + 4, left:right], y[i + 5, left:right]
                for s in range(columns):
                    w0, w1, w2, w3, w4, w5 = w[s, i], w[s, i + 1], w[s, i + 2], w[s, i + 3], w[s, i + 4], w[s, i + 5]
                    v = V[s, left:right]
                    for j in range(right - left):
                        v[j] = v[j] + w0 * y0[j] + w1 * y1[j] + w2 * y2[j] + w3 * y3[j] + w4 * y4[j] + w5 * y5[j]


@njit(nogil=True, error_model="numpy", fastmath={"contract"})
def move(D, G, step, spread, stream, z):
    """D -= step G + spread z[stream], row by row."""
    for s in range(D.shape[0]):
        noise = z[stream[s]]
        for j in range(D.shape[1]):
            D[s, j] -= step[s] * G[s, j] + spread[s] * noise[j]
