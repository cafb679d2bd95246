"""Losses and gradients of the objectives, as the kernels call them: f(x, row, params) and so on."""

from __future__ import annotations

from numba import njit


@njit(nogil=True, error_model="numpy")
def quadratic_loss(x, row, params):
    """f(x; row) = (x - row)' A (x - row) / 2;  params = (a, mean, spread)."""
    a = params[0]
    total = 0.0
    for j in range(x.shape[0]):
        total += a[j] * (x[j] - row[j]) ** 2
    return total / 2


@njit(nogil=True, error_model="numpy")
def quadratic_gradient(x, row, params, out):
    """Fill out (d,) with A (x - row)."""
    a = params[0]
    for j in range(x.shape[0]):
        out[j] = a[j] * (x[j] - row[j])


@njit(nogil=True, error_model="numpy")
def quadratic_value_gradient(x, data, params, out):
    """Return F_S(x) = (x - mean)' A (x - mean) / 2 + spread, and fill out (d,) with A (x - mean): O(d), whatever n."""
    a, mean, spread = params
    total = 0.0
    for j in range(x.shape[0]):
        out[j] = a[j] * (x[j] - mean[j])
        total += out[j] * (x[j] - mean[j])
    return total / 2 + spread
