"""Losses of matrix parameters, as the kernels call them: f(x, row, params), g(x, row, params, out), F(x, data, params, out)."""

import math

from numba import njit


@njit(nogil=True, error_model="numpy")
def phase(x, row):
    """Return <a, x> - b of a row (a, b)."""
    u = -row[x.shape[0]]
    for j in range(x.shape[0]):
        u += row[j] * x[j]
    return u


@njit(nogil=True, error_model="numpy")
def cosine_loss(x, row, params):
    """1 - cos(<a, x> - b);  params = (0.0,)."""
    return 1.0 - math.cos(phase(x, row))


@njit(nogil=True, error_model="numpy")
def cosine_gradient(x, row, params, out):
    """Fill out with sin(<a, x> - b) a."""
    slope = math.sin(phase(x, row))
    for j in range(x.shape[0]):
        out[j] = slope * row[j]


@njit(nogil=True, error_model="numpy")
def cosine_value_gradient(x, data, params, out):
    """Means over the samples."""
    out[:] = 0.0
    total = 0.0
    for i in range(data.shape[0]):
        u = phase(x, data[i])
        slope = math.sin(u) / data.shape[0]
        total += 1.0 - math.cos(u)
        for j in range(x.shape[0]):
            out[j] += slope * data[i, j]
    return total / data.shape[0]


COSINE = cosine_loss, cosine_gradient, cosine_value_gradient
