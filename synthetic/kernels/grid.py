"""The inner loops of the exact grid engine."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, error_model="numpy")
def direction_coefficients(y, prefix, scale, vu, vw, z, alpha, C, sigma, vector, projection, c):
    """Write the coefficients c (settings, b) of the directions: D_{t+1} = D_t - c_t u_t - [vector noise].

    y (b, n), prefix (b, n+1)   sorted values and prefix sums;    scale, z (b,)
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
            below = np.searchsorted(y[t], p - bound)  # these samples have p - y > bound
            above = n - np.searchsorted(y[t], p + bound, side="right")
            middle = (n - below - above) * p - (prefix[t, n - above] - prefix[t, below])
            c[s, t] = alpha[s] * (middle + bound * (below - above)) / n
            if not vector[s]:
                c[s, t] += alpha[s] * sigma[s] * z[t]


# nnan lets the bounds be vectorised; no NaN can arise, because clipped steps keep the iterates finite.
@njit(nogil=True, error_model="numpy", fastmath={"contract", "reassoc", "nsz", "nnan"})
def weigh(q, e_sq, y_sq, C, cap, tiny, total):
    """Turn the products q = e'y (columns, rows) into weights min(cap, C / |e - y|) and add them to total (columns,)."""
    for s in range(q.shape[0]):
        row, e, clip, most = q[s], e_sq[s], C[s], cap[s]
        added = tiny - tiny
        for i in range(row.shape[0]):
            w = min(most, clip / np.sqrt(max(e + y_sq[i] - (row[i] + row[i]), tiny)))
            row[i] = w
            added += w
        total[s] += added


@njit(nogil=True, error_model="numpy", fastmath={"contract"})
def move(D, G, step, spread, stream, z):
    """D -= step G + spread z[stream], row by row."""
    for s in range(D.shape[0]):
        noise = z[stream[s]]
        for j in range(D.shape[1]):
            D[s, j] -= step[s] * G[s, j] + spread[s] * noise[j]
