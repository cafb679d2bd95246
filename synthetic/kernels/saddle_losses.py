"""Losses with saddles: F and its gradient, and the mean gradient of a batch of samples. Rows (b, p) are samples, out (d,) the gradient."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from synthetic.kernels.columns import column_sums


@njit(nogil=True, error_model="numpy")
def cosines_value_gradient(x, params, out):
    """F(x) = (A / w^2) sum_i s_i c_i cos(w x_i), c_i = E cos z_i."""
    A, w, signs, mean_cos = params
    value = 0.0
    for i in range(x.shape[0]):
        value += signs[i] * mean_cos[i] * math.cos(w * x[i])
        out[i] = -A / w * signs[i] * mean_cos[i] * math.sin(w * x[i])
    return A / w**2 * value


@njit(nogil=True, error_model="numpy")
def cosines_batch_gradient(x, rows, params, out):
    """Mean over rows (cos z, sin z) of grad f(x; z): sin(w x + z) = sin(w x) cos z + cos(w x) sin z, so the column means suffice."""
    A, w, signs, _ = params
    d, b = x.shape[0], rows.shape[0]
    sums = np.empty(2 * d)
    column_sums(rows, sums)
    for i in range(d):
        out[i] = -A / w * signs[i] * (math.sin(w * x[i]) * sums[i] + math.cos(w * x[i]) * sums[d + i]) / b


@njit(nogil=True, error_model="numpy")
def cubic_value_gradient(x, params, out):
    """F(x) = slope x_1 - gamma x_1^2 / 2 + (mirror |x_1|^3 + bend x_1^3) / 6 + stiffness (x_2^2 + ... + x_d^2) / 2."""
    slope, gamma, mirror, bend, stiffness = params
    u = x[0]
    value = slope * u - gamma * u * u / 2 + (mirror * abs(u) + bend * u) * u * u / 6
    out[0] = slope - gamma * u + (mirror * abs(u) + bend * u) * u / 2
    for i in range(1, x.shape[0]):
        value += stiffness * x[i] * x[i] / 2
        out[i] = stiffness * x[i]
    return value


@njit(nogil=True, error_model="numpy")
def cubic_batch_gradient(x, rows, params, out):
    """Mean over rows z of grad f(x; z), f(x; z) = F(x) + z'x."""
    cubic_value_gradient(x, params, out)
    for k in range(rows.shape[0]):
        for i in range(x.shape[0]):
            out[i] += rows[k, i] / rows.shape[0]
