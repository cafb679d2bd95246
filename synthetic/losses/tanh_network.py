"""Cross-entropy of a network with one hidden layer of tanh units and a fixed output layer; the hidden weights are trained.

x (k p,) is W (k, p) row by row;  rows (b, p + 1): the p features of a record, then its class;  out (k p,) the gradient.
params = (V, clip, train): output layer (classes, k), the norm to which every record's gradient is clipped, the training rows.
"""

import math

import numpy as np
from numba import njit


@njit(nogil=True, error_model="numpy")
def record_gradient(x, row, V, back):
    """Return the loss -log softmax(V tanh(W a))_y of a row (a, y), and fill back (k,) with its gradient in h = W a.

    The gradient in W is the outer product back a'.
    """
    classes, k = V.shape
    p = row.shape[0] - 1
    y = int(row[p])
    u, z = np.empty(k), np.zeros(classes)
    for i in range(k):
        h = 0.0
        for q in range(p):
            h += x[i * p + q] * row[q]
        u[i] = math.tanh(h)
    top = -np.inf
    for c in range(classes):
        for i in range(k):
            z[c] += V[c, i] * u[i]
        top = max(top, z[c])
    total = 0.0
    for c in range(classes):
        total += math.exp(z[c] - top)
    loss = math.log(total) + top - z[y]
    back[:] = 0.0
    for c in range(classes):
        excess = math.exp(z[c] - top) / total - (1.0 if c == y else 0.0)
        for i in range(k):
            back[i] += V[c, i] * excess
    for i in range(k):
        back[i] *= 1 - u[i] ** 2
    return loss


@njit(nogil=True, error_model="numpy")
def tanh_value_gradient(x, params, out):
    """Return F(x), the mean loss over the training rows, and fill out with its gradient, which is not clipped."""
    V, _, train = params
    n, p = train.shape[0], train.shape[1] - 1
    back, value = np.empty(V.shape[1]), 0.0
    out[:] = 0.0
    for r in range(n):
        value += record_gradient(x, train[r], V, back)
        for i in range(V.shape[1]):
            for q in range(p):
                out[i * p + q] += back[i] * train[r, q] / n
    return value / n


@njit(nogil=True, error_model="numpy")
def tanh_batch_gradient(x, rows, params, out):
    """Fill out (k p,) with the mean over rows of the records' gradients, each clipped to the norm `clip` of params."""
    V, clip, _ = params
    b, p = rows.shape[0], rows.shape[1] - 1
    back = np.empty(V.shape[1])
    out[:] = 0.0
    for r in range(b):
        record_gradient(x, rows[r], V, back)
        length, size = 0.0, 0.0
        for i in range(V.shape[1]):
            length += back[i] ** 2
        for q in range(p):
            size += rows[r, q] ** 2
        norm = math.sqrt(length * size)
        scale = (clip / norm if norm > clip else 1.0) / b
        for i in range(V.shape[1]):
            for q in range(p):
                out[i * p + q] += scale * back[i] * rows[r, q]
