"""Losses on which contracts of methods are tried: f(x; row) = size (w / 2 sum_j h_j (x_j - a_j)^2 + <b, x>), row = (w, a, b).

params = (h, size).
"""

import numpy as np
from numba import njit


@njit(nogil=True, error_model="numpy")
def loss(x, row, params):
    """Return f(x; row)."""
    h, size = params
    d, total = x.shape[0], 0.0
    for j in range(d):
        total += row[0] * h[j] * (x[j] - row[1 + j]) ** 2 / 2 + row[1 + d + j] * x[j]
    return size * total


@njit(nogil=True, error_model="numpy")
def gradient(x, row, params, out):
    """Fill out (d,) with the gradient of f(.; row)."""
    h, size = params
    d = x.shape[0]
    for j in range(d):
        out[j] = size * (row[0] * h[j] * (x[j] - row[1 + j]) + row[1 + d + j])


@njit(nogil=True, error_model="numpy")
def value_gradient(x, data, params, out):
    """Return F_S(x), and fill out (d,) with its gradient."""
    n, d, total = data.shape[0], x.shape[0], 0.0
    own = np.empty(d)
    out[:] = 0.0
    for i in range(n):
        total += loss(x, data[i], params) / n
        gradient(x, data[i], params, own)
        for j in range(d):
            out[j] += own[j] / n
    return total
