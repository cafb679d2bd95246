"""Losses of matrix parameters for kernels: f(x, row, params), g(x, row, params, out), F(x, data, params, out)."""

import math

import numpy as np
from numba import njit

from synthetic.kernels.vectors import add_multiple


@njit(nogil=True, error_model="numpy")
def linear_residual(x, row):
    """Return the residual <a, x> - b of a row (a, b), for x (d,)."""
    u = -row[x.shape[0]]
    for j in range(x.shape[0]):
        u += row[j] * x[j]
    return u


@njit(nogil=True, error_model="numpy")
def cosine_loss(x, row, params):
    """Return 1 - cos(<a, x> - b) of a row (a, b);  params = (0.0,)."""
    return 1.0 - math.cos(linear_residual(x, row))


@njit(nogil=True, error_model="numpy")
def cosine_gradient(x, row, params, out):
    """Fill out (d,) with the gradient sin(<a, x> - b) a of a row (a, b)."""
    slope = math.sin(linear_residual(x, row))
    for j in range(x.shape[0]):
        out[j] = slope * row[j]


@njit(nogil=True, error_model="numpy")
def cosine_value_gradient(x, data, params, out):
    """Return the mean of 1 - cos(<a, x> - b) over the rows (a, b) of data, and fill out (d,) with its gradient."""
    out[:], total, n = 0.0, 0.0, data.shape[0]
    for i in range(n):
        u = linear_residual(x, data[i])
        total += 1.0 - math.cos(u)
        add_multiple(out, math.sin(u) / n, data[i, :-1])
    return total / n


@njit(nogil=True, error_model="numpy")
def product_value_gradient(x, target, rank, m, k, out):
    """Return |U V' - target|^2 / 2 and fill out with its gradient; x = (U (m, rank), V (k, rank)), target (m k,)."""
    U, V = x[: m * rank].reshape(m, rank), x[m * rank :].reshape(k, rank)
    out_U, out_V = out[: m * rank].reshape(m, rank), out[m * rank :].reshape(k, rank)
    out[:] = 0.0
    total = 0.0
    for i in range(m):
        for j in range(k):
            e = -target[i * k + j]
            for q in range(rank):
                e += U[i, q] * V[j, q]
            total += e * e
            for q in range(rank):
                out_U[i, q] += e * V[j, q]
                out_V[j, q] += e * U[i, q]
    return total / 2


@njit(nogil=True, error_model="numpy")
def product_gradient(x, row, params, out):
    """Fill out (d,) with the gradient of |U V' - X|^2 / 2, X = row;  params = (mean (m, k), rank, spread)."""
    product_value_gradient(x, row, params[1], params[0].shape[0], params[0].shape[1], out)


@njit(nogil=True, error_model="numpy")
def product_loss(x, row, params):
    """Return |U V' - X|^2 / 2 of a sample X = row; params as in `product_gradient`."""
    return product_value_gradient(x, row, params[1], params[0].shape[0], params[0].shape[1], np.empty(x.shape[0]))


@njit(nogil=True, error_model="numpy")
def product_mean_value_gradient(x, data, params, out):
    """Return the full loss |U V' - mean|^2 / 2 + spread, fill out (d,) with its gradient; uses the data's mean only, never `data`."""
    mean, rank, spread = params
    return product_value_gradient(x, mean.reshape(-1), rank, mean.shape[0], mean.shape[1], out) + spread


@njit(nogil=True, error_model="numpy")
def add_phase_gradient(x, row, weight, out):
    """Add weight (|X'a|^2 - y) a (X'a)' to out, X (m, k), row = (a, y); return the loss (|X'a|^2 - y)^2 / 4."""
    m = row.shape[0] - 1
    k = x.shape[0] // m
    X, G, seen, excess = x.reshape(m, k), out.reshape(m, k), np.zeros(k), -row[m]
    for i in range(m):
        for j in range(k):
            seen[j] += row[i] * X[i, j]
    for j in range(k):
        excess += seen[j] * seen[j]
    for i in range(m):
        for j in range(k):
            G[i, j] += weight * excess * row[i] * seen[j]
    return excess * excess / 4


@njit(nogil=True, error_model="numpy")
def phase_loss(x, row, params):
    """Return (|X'a|^2 - y)^2 / 4 of a row (a, y);  params = (0.0,)."""
    return add_phase_gradient(x, row, 0.0, np.zeros(x.shape[0]))


@njit(nogil=True, error_model="numpy")
def phase_gradient(x, row, params, out):
    """Fill out with the gradient (|X'a|^2 - y) a (X'a)' of a row (a, y), which has rank 1."""
    out[:] = 0.0
    add_phase_gradient(x, row, 1.0, out)


@njit(nogil=True, error_model="numpy")
def phase_retrieval_value_gradient(x, data, params, out):
    """Return the mean of (|X'a|^2 - y)^2 / 4 over the rows (a, y) of data, and fill out (d,) with its gradient."""
    out[:], total, n = 0.0, 0.0, data.shape[0]
    for i in range(n):
        total += add_phase_gradient(x, data[i], 1.0 / n, out)
    return total / n


@njit(nogil=True, error_model="numpy", fastmath={"reassoc", "contract"})  # sums in whatever order is quickest
def network_gradient(x, row, params, out):
    """Fill out with the gradient of -log softmax(V tanh(W a + b) + c)_y, row = (a, y), and return the loss; x = (W, b, V, c).

    params = (units, classes).
    """
    units, classes = params
    p = row.shape[0] - 1
    W, b, G_W, G_b = x[: units * p].reshape(units, p), x[units * p :], out[: units * p].reshape(units, p), out[units * p :]
    at = units * (p + 1)
    V, G_V = x[at : at + classes * units].reshape(classes, units), out[at : at + classes * units].reshape(classes, units)
    c, G_c = x[at + classes * units :], out[at + classes * units :]
    u, s, back, y, top, total = np.empty(units), np.empty(classes), np.zeros(units), int(row[p]), -np.inf, 0.0
    for i in range(units):
        h = b[i]
        for q in range(p):
            h += W[i, q] * row[q]
        u[i] = math.tanh(h)
    for k in range(classes):
        s[k] = c[k]
        for i in range(units):
            s[k] += V[k, i] * u[i]
        top = max(top, s[k])
    loss = top - s[y]
    for k in range(classes):
        s[k] = math.exp(s[k] - top)
        total += s[k]
    for k in range(classes):
        excess = s[k] / total - (1.0 if k == y else 0.0)
        G_c[k] = excess
        for i in range(units):
            G_V[k, i] = excess * u[i]
            back[i] += V[k, i] * excess
    for i in range(units):
        slope = back[i] * (1.0 - u[i] ** 2)
        G_b[i] = slope
        for q in range(p):
            G_W[i, q] = slope * row[q]
    return loss + math.log(total)


@njit(nogil=True, error_model="numpy")
def network_loss(x, row, params):
    """Return -log softmax(V tanh(W a + b) + c)_y of a row (a, y); x and params as in `network_gradient`."""
    return network_gradient(x, row, params, np.empty(x.shape[0]))


@njit(nogil=True, error_model="numpy")
def network_value_gradient(x, data, params, out):
    """Return the mean of `network_loss` over the rows of data, and fill out (d,) with its gradient."""
    out[:], one, total, n = 0.0, np.empty(x.shape[0]), 0.0, data.shape[0]
    for i in range(n):
        total += network_gradient(x, data[i], params, one)
        add_multiple(out, 1.0 / n, one)
    return total / n


PRODUCT = product_loss, product_gradient, product_mean_value_gradient
PHASE = phase_loss, phase_gradient, phase_retrieval_value_gradient
NETWORK = network_loss, network_gradient, network_value_gradient
COSINE = cosine_loss, cosine_gradient, cosine_value_gradient
