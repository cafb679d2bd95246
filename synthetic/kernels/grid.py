"""The inner loops of the exact grid engine: every setting (alpha, T, C) at once."""

import numpy as np
from numba import njit

REORDERED = {"contract", "reassoc", "nsz"}


@njit(nogil=True, error_model="numpy", forceinline=True)
def clipped_sum_sorted(y, prefix, p, bound):
    """Return sum_i clip(p - y_i) to [-bound, bound], from sorted y (n,) and its prefix sums (n + 1,), by binary search."""
    n = y.shape[0]
    below = np.searchsorted(y, p - bound)  # these samples have p - y > bound
    above = n - np.searchsorted(y, p + bound, side="right")
    middle = (n - below - above) * p - (prefix[n - above] - prefix[below])
    return middle + bound * (below - above)


@njit(nogil=True, error_model="numpy", fastmath=REORDERED, forceinline=True)
def clipped_sum_unsorted(y, prefix, p, bound):
    """Return sum_i clip(p - y_i) to [-bound, bound] from unsorted y (n,), without prefix sums.

    This is quicker than `clipped_sum_sorted` when there are only a few settings.
    """
    low, high = y.dtype.type(p - bound), y.dtype.type(p + bound)
    total = 0.0
    for i in range(y.shape[0]):
        total += p - min(max(y[i], low), high)
    return total


@njit(nogil=True, error_model="numpy", fastmath=REORDERED)
def dot_product(x, y):
    """Return the dot product x'y."""
    total = 0.0
    for k in range(x.shape[0]):
        total += x[k] * y[k]
    return total


def _make_coefficients_kernel(clipped_sum, **options):
    """Return the jitted kernel `coefficients`, with clipped_sum(y, prefix, p, bound) as its sum of clipped slopes."""

    @njit(nogil=True, error_model="numpy", **options)
    def coefficients(y, prefix, scale, vu, vw, z, alpha, C, sigma, vector, projection, c):
        """Write the coefficients c (settings, b) of the directions: D_{t+1} = D_t - c_t u_t - [vector noise].

        y (b, n), prefix (b, n+1)   values, and their prefix sums where they are sorted;    scale, z (b,)
        vu (b, b), vw (b, b)        v_t' u_k and v_t' w_k
        alpha, C, sigma, vector     (settings,); vector says whether the noise is a vector (DPGD-0th) or a scalar along u (DPZero)
        projection (settings, b)    v_t' D at the start of the segment
        """
        b, n = y.shape
        for t in range(b):  # the samples of a step stay in the cache for all settings
            moved = vw[t, :t].sum()  # v_t' of the noise so far
            for s in range(alpha.shape[0]):
                p = projection[s, t] - dot_product(c[s, :t], vu[t, :t])
                bound = C[s]
                if vector[s]:
                    p -= alpha[s] * sigma[s] * moved
                    bound *= scale[t]
                c[s, t] = alpha[s] * clipped_sum(y[t], prefix[t], p, bound) / n
                if not vector[s]:
                    c[s, t] += alpha[s] * sigma[s] * z[t]

    return coefficients


coefficients_sorted = _make_coefficients_kernel(clipped_sum_sorted)
coefficients_unsorted = _make_coefficients_kernel(clipped_sum_unsorted, fastmath=REORDERED)

TILE = 24  # rows whose products stay in the second-level cache: 192 kB at d = 2000 in float32
ROWS = 12  # blocks have a multiple of this many rows, and columns come in threes: the unrolled loops below have no remainders
COLUMNS = 3  # by four rows: twelve sums and their factors fit the sixteen registers of AVX2
STRIP = 1024  # entries of four rows that stay in the first-level cache
# nnan lets the bounds be vectorised; no NaN can arise, because clipped steps keep the iterates finite
FAST = {"contract", "reassoc", "nsz", "nnan"}


@njit(nogil=True, error_model="numpy", fastmath=FAST)
def clip_weights(w, y_sq, e_sq, C, cap):
    """Replace the products w_i = e'y_i (rows,) of one column by clipping weights min(cap, C / |e - y_i|); return their sum.

    y_sq (rows,) and e_sq hold |y_i|^2 and |e|^2.
    """
    added, tiny = w.dtype.type(0), w.dtype.type(1e-37)
    for i in range(len(w)):
        weight = min(cap, C / np.sqrt(max(e_sq + y_sq[i] - (w[i] + w[i]), tiny)))
        w[i] = weight
        added += weight
    return added


@njit(nogil=True, error_model="numpy", fastmath=FAST)
def clip_weights_by_column(w, y_sq, of, e_sq, C, cap, total):
    """Apply `clip_weights` to every column of w (columns, rows), with norms y_sq[of] (rows,); add the sums to total (columns,)."""
    for s in range(len(total)):
        total[s] += clip_weights(w[s], y_sq[of[s]], e_sq[s], C[s], cap[s])


@njit(nogil=True, error_model="numpy", fastmath=FAST)
def clipped_sums(b, e_sq, C, cap, of, z, y_sq, w, V, total):
    """Write w = min(cap, C / |e - y_i|), e'y_i = b'z_i, for every column and row; add sum_i w_i z_i to V and sum_i w_i to total.

    Both matrix products are made for a few rows at a time, so that z is read from memory once.

    b (3k, d), of which the first len(total) are columns;   e_sq, C, cap, of, total (columns,);   V (3k, d), of the others is noise
    z (ROWS m, d);   y_sq (spectra, ROWS m): |y_i|^2 by spectrum, inf for rows that do not count;   w (3k, ROWS m)
    """
    n, d = z.shape
    columns = len(total)
    zero = z.dtype.type(0)
    for top in range(0, n, TILE):
        end = min(n, top + TILE)
        for s in range(0, columns, COLUMNS):  # w = b z', in rectangles of 3 by 4
            b0, b1, b2 = b[s], b[s + 1], b[s + 2]
            for i in range(top, end, 4):
                z0, z1, z2, z3 = z[i], z[i + 1], z[i + 2], z[i + 3]
                q00 = q01 = q02 = q03 = q10 = q11 = q12 = q13 = q20 = q21 = q22 = q23 = zero
                for j in range(d):
                    k0, k1, k2 = b0[j], b1[j], b2[j]
                    r0, r1, r2, r3 = z0[j], z1[j], z2[j], z3[j]
                    q00, q01, q02, q03 = q00 + k0 * r0, q01 + k0 * r1, q02 + k0 * r2, q03 + k0 * r3
                    q10, q11, q12, q13 = q10 + k1 * r0, q11 + k1 * r1, q12 + k1 * r2, q13 + k1 * r3
                    q20, q21, q22, q23 = q20 + k2 * r0, q21 + k2 * r1, q22 + k2 * r2, q23 + k2 * r3
                w[s, i], w[s, i + 1], w[s, i + 2], w[s, i + 3] = q00, q01, q02, q03
                w[s + 1, i], w[s + 1, i + 1], w[s + 1, i + 2], w[s + 1, i + 3] = q10, q11, q12, q13
                w[s + 2, i], w[s + 2, i + 1], w[s + 2, i + 2], w[s + 2, i + 3] = q20, q21, q22, q23
        for s in range(columns):
            total[s] += clip_weights(w[s, top:end], y_sq[of[s], top:end], e_sq[s], C[s], cap[s])
        for left in range(0, d, STRIP):  # V += w z, four rows at a time
            right = min(d, left + STRIP)
            for i in range(top, end, 4):
                z0, z1, z2, z3 = z[i, left:right], z[i + 1, left:right], z[i + 2, left:right], z[i + 3, left:right]
                for s in range(0, columns, COLUMNS):
                    f0, f1, f2, f3 = w[s, i], w[s, i + 1], w[s, i + 2], w[s, i + 3]
                    g0, g1, g2, g3 = w[s + 1, i], w[s + 1, i + 1], w[s + 1, i + 2], w[s + 1, i + 3]
                    h0, h1, h2, h3 = w[s + 2, i], w[s + 2, i + 1], w[s + 2, i + 2], w[s + 2, i + 3]
                    v0, v1, v2 = V[s, left:right], V[s + 1, left:right], V[s + 2, left:right]
                    for j in range(right - left):
                        r0, r1, r2, r3 = z0[j], z1[j], z2[j], z3[j]
                        v0[j] = v0[j] + f0 * r0 + f1 * r1 + f2 * r2 + f3 * r3
                        v1[j] = v1[j] + g0 * r0 + g1 * r1 + g2 * r2 + g3 * r3
                        v2[j] = v2[j] + h0 * r0 + h1 * r1 + h2 * r2 + h3 * r3


@njit(nogil=True, error_model="numpy", fastmath={"contract"})
def noisy_step(D, G, step, spread, stream, z):
    """Make one noisy gradient step for every setting: D -= step G + spread z[stream], for D, G (settings, d) row by row."""
    for s in range(D.shape[0]):
        noise = z[stream[s]]
        for j in range(D.shape[1]):
            D[s, j] -= step[s] * G[s, j] + spread[s] * noise[j]


@njit(nogil=True, error_model="numpy", fastmath={"contract"})
def rerun_steps(D, G, slope, step, noise, old, points):
    """Run b steps again with gradients linearised around the old points: G there, plus slopes times the difference to the new ones.

    D, slope (columns, d);   step (columns,);   G, noise (columns, b, d);   old (columns, b or more, d);   points (columns, b + 1, d)
    """
    columns, b, d = G.shape
    for s in range(columns):
        for j in range(d):
            points[s, 0, j] = D[s, j]
        for t in range(b):
            for j in range(d):
                x = points[s, t, j]
                points[s, t + 1, j] = x - step[s] * (G[s, t, j] + slope[s, j] * (x - old[s, t, j])) - noise[s, t, j]
