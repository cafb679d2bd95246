"""Losses of the objectives in stages, as the kernels call them: f(x, row, params), g(x, row, params, out), F(x, data, params, out)."""

import math

import numpy as np
from numba import njit

from synthetic.kernels.matrix_losses import phase
from synthetic.kernels.vectors import add


@njit(nogil=True, error_model="numpy")
def tilted_gradient(x, row, params, out):
    """Fill out with A x + row;  params = (a, mean of the rows)."""
    for j in range(x.shape[0]):
        out[j] = params[0][j] * x[j] + row[j]


@njit(nogil=True, error_model="numpy")
def tilted_loss(x, row, params):
    """Return x' A x / 2 + row'x."""
    total = 0.0
    for j in range(x.shape[0]):
        total += (params[0][j] * x[j] / 2 + row[j]) * x[j]
    return total


@njit(nogil=True, error_model="numpy")
def tilted_value_gradient(x, data, params, out):
    """Return x' A x / 2 + mean'x: O(d), whatever n."""
    tilted_gradient(x, params[1], params, out)
    return tilted_loss(x, params[1], params)


@njit(nogil=True, error_model="numpy")
def kinks_gradient(x, row, params, out):
    """Fill out with h_j times 1 right of 0, -2 left of it and -1/2 at 0, plus row;  params = (h, mean of the rows)."""
    for j in range(x.shape[0]):
        out[j] = params[0][j] * (1.5 * np.sign(x[j]) - 0.5) + row[j]


@njit(nogil=True, error_model="numpy")
def kinks_loss(x, row, params):
    """sum_j h_j max(x_j, -2 x_j) + row'x."""
    total = 0.0
    for j in range(x.shape[0]):
        total += params[0][j] * max(x[j], -2.0 * x[j]) + row[j] * x[j]
    return total


@njit(nogil=True, error_model="numpy")
def kinks_value_gradient(x, data, params, out):
    """Do the same with the mean of the rows: O(d), whatever n."""
    kinks_gradient(x, params[1], params, out)
    return kinks_loss(x, params[1], params)


@njit(nogil=True, error_model="numpy")
def root_loss(x, row, params):
    """sqrt(1 + (a'x - b)^2) of a row (a, b);  params = (0.0,)."""
    return math.sqrt(1.0 + phase(x, row) ** 2)


@njit(nogil=True, error_model="numpy")
def root_gradient(x, row, params, out):
    """Fill out with its gradient, which is along a."""
    u = phase(x, row)
    slope = u / math.sqrt(1.0 + u * u)
    for j in range(x.shape[0]):
        out[j] = slope * row[j]


@njit(nogil=True, error_model="numpy")
def root_value_gradient(x, data, params, out):
    """Means over the samples."""
    out[:], total, n = 0.0, 0.0, data.shape[0]
    for i in range(n):
        u = phase(x, data[i])
        root = math.sqrt(1.0 + u * u)
        total += root
        add(out, u / root / n, data[i, :-1])
    return total / n


@njit(nogil=True, error_model="numpy")
def forward(x, row, params, signals):
    """Write the input a and what every layer makes of it to signals (layers + 1, m); return |last - y|^2 / (2 m), row = (a, y).

    params = (m, layers): x is the square matrices W_1, W_2, ..., with tanh after each but the last.
    """
    m, layers = params
    signals[0] = row[:m]
    for one in range(layers):
        W = x[one * m * m : (one + 1) * m * m].reshape(m, m)
        for i in range(m):
            total = 0.0
            for j in range(m):
                total += W[i, j] * signals[one, j]
            signals[one + 1, i] = total if one == layers - 1 else math.tanh(total)
    loss = 0.0
    for i in range(m):
        loss += (signals[layers, i] - row[m + i]) ** 2
    return loss / (2 * m)


@njit(nogil=True, error_model="numpy")
def perceptron_loss(x, row, params):
    """|W_L tanh(... tanh(W_1 a)) - y|^2 / (2 m)."""
    return forward(x, row, params, np.empty((params[1] + 1, params[0])))


@njit(nogil=True, error_model="numpy")
def add_perceptron_gradient(x, row, params, weight, out):
    """Add weight times the gradient to out, return the loss."""
    m, layers = params
    signals, back, below = np.empty((layers + 1, m)), np.empty(m), np.empty(m)
    loss = forward(x, row, params, signals)
    for i in range(m):
        back[i] = weight * (signals[layers, i] - row[m + i]) / m
    for one in range(layers - 1, -1, -1):
        W, G = x[one * m * m : (one + 1) * m * m].reshape(m, m), out[one * m * m : (one + 1) * m * m].reshape(m, m)
        below[:] = 0.0
        for i in range(m):
            for j in range(m):
                G[i, j] += back[i] * signals[one, j]
                below[j] += back[i] * W[i, j]
        for j in range(m):
            back[j] = below[j] * (1.0 - signals[one, j] ** 2)
    return loss


@njit(nogil=True, error_model="numpy")
def perceptron_gradient(x, row, params, out):
    """Fill out with the gradient."""
    out[:] = 0.0
    add_perceptron_gradient(x, row, params, 1.0, out)


@njit(nogil=True, error_model="numpy")
def perceptron_value_gradient(x, data, params, out):
    """Means over the samples."""
    out[:], total, n = 0.0, 0.0, data.shape[0]
    for i in range(n):
        total += add_perceptron_gradient(x, data[i], params, 1.0 / n, out)
    return total / n


TILTED = tilted_loss, tilted_gradient, tilted_value_gradient
KINKS = kinks_loss, kinks_gradient, kinks_value_gradient
ROOT = root_loss, root_gradient, root_value_gradient
PERCEPTRON = perceptron_loss, perceptron_gradient, perceptron_value_gradient
