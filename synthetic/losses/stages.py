"""Losses of the objectives in stages, for kernels: f(x, row, params), g(x, row, params, out), F(x, data, params, out)."""

import math

import numpy as np
from numba import njit

from synthetic.kernels.vectors import add_multiple
from synthetic.losses.matrices import linear_residual


@njit(nogil=True, error_model="numpy")
def tilted_loss(x, row, params):
    """Return sum_j (a_j x_j^2 / 2 + h_j max(x_j, -2 x_j) + row_j x_j);  params = (a, h, mean of the rows)."""
    a, h, _ = params
    total = 0.0
    for j in range(x.shape[0]):
        total += (a[j] * x[j] / 2 + row[j]) * x[j] + h[j] * max(x[j], -2.0 * x[j])
    return total


@njit(nogil=True, error_model="numpy")
def tilted_gradient(x, row, params, out):
    """Fill out (d,) with a (sub)gradient of `tilted_loss`.

    That of h_j max(x_j, -2 x_j) is h_j right of 0, -2 h_j left of it, and the mean of both at 0.
    """
    a, h, _ = params
    for j in range(x.shape[0]):
        out[j] = a[j] * x[j] + h[j] * (1.5 * np.sign(x[j]) - 0.5) + row[j]


@njit(nogil=True, error_model="numpy")
def tilted_value_gradient(x, data, params, out):
    """Return the mean of `tilted_loss` over the samples, and fill out (d,) with a (sub)gradient, in O(d) operations."""
    tilted_gradient(x, params[2], params, out)
    return tilted_loss(x, params[2], params)


@njit(nogil=True, error_model="numpy")
def root_loss(x, row, params):
    """Return sqrt(1 + (a'x - b)^2) of a row (a, b);  params = (0.0,)."""
    return math.sqrt(1.0 + linear_residual(x, row) ** 2)


@njit(nogil=True, error_model="numpy")
def root_gradient(x, row, params, out):
    """Fill out (d,) with the gradient of `root_loss`, u / sqrt(1 + u^2) a with u = a'x - b."""
    out[:], u = 0.0, linear_residual(x, row)
    add_multiple(out, u / math.sqrt(1.0 + u * u), row[:-1])


@njit(nogil=True, error_model="numpy")
def root_value_gradient(x, data, params, out):
    """Return the mean of sqrt(1 + (a'x - b)^2) over the rows (a, b) of data, and fill out (d,) with its gradient."""
    out[:], total, n = 0.0, 0.0, data.shape[0]
    for i in range(n):
        u = linear_residual(x, data[i])
        root = math.sqrt(1.0 + u * u)
        total += root
        add_multiple(out, u / root / n, data[i, :-1])
    return total / n


TILTED = tilted_loss, tilted_gradient, tilted_value_gradient
ROOT = root_loss, root_gradient, root_value_gradient
