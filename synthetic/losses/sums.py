"""Losses and gradients of finite sums for kernels: f(x, row, params), g(x, row, params, out), F(x, data, params, out)."""

import math

from numba import njit


@njit(nogil=True, error_model="numpy")
def quadratic_loss(x, row, params):
    """Return (x - row)' A (x - row) / 2, A = diag(a);  params = (a, mean, spread)."""
    a = params[0]
    total = 0.0
    for j in range(x.shape[0]):
        total += a[j] * (x[j] - row[j]) ** 2
    return total / 2


@njit(nogil=True, error_model="numpy")
def quadratic_gradient(x, row, params, out):
    """Fill out (d,) with the gradient A (x - row); params as in `quadratic_loss`."""
    a = params[0]
    for j in range(x.shape[0]):
        out[j] = a[j] * (x[j] - row[j])


@njit(nogil=True, error_model="numpy")
def quadratic_value_gradient(x, data, params, out):
    """Return F_S(x) = (x - mean)' A (x - mean) / 2 + spread and fill out (d,) with A (x - mean): O(d), whatever n."""
    a, mean, spread = params
    total = 0.0
    for j in range(x.shape[0]):
        out[j] = a[j] * (x[j] - mean[j])
        total += out[j] * (x[j] - mean[j])
    return total / 2 + spread


@njit(nogil=True, error_model="numpy")
def pseudo_huber_loss(x, row, params):
    """Return sqrt(1 + (x - row)' A (x - row)), A = diag(a);  params = (a,)."""
    a = params[0]
    q = 1.0
    for j in range(x.shape[0]):
        q += a[j] * (x[j] - row[j]) ** 2
    return math.sqrt(q)


@njit(nogil=True, error_model="numpy")
def pseudo_huber_gradient(x, row, params, out):
    """Fill out (d,) with the gradient A (x - row) / sqrt(1 + (x - row)' A (x - row))."""
    a = params[0]
    q = 1.0
    for j in range(x.shape[0]):
        out[j] = a[j] * (x[j] - row[j])
        q += out[j] * (x[j] - row[j])
    scale = 1.0 / math.sqrt(q)
    for j in range(x.shape[0]):
        out[j] *= scale


@njit(nogil=True, error_model="numpy")
def pseudo_huber_value_gradient(x, data, params, out):
    """Return the mean of sqrt(1 + (x - row)' A (x - row)) over the rows of data, and fill out (d,) with its gradient."""
    a = params[0]
    n, d = data.shape
    out[:] = 0.0
    total = 0.0
    for i in range(n):
        q = 1.0
        for j in range(d):
            q += a[j] * (x[j] - data[i, j]) ** 2
        root = math.sqrt(q)
        total += root
        for j in range(d):
            out[j] += a[j] * (x[j] - data[i, j]) / root
    for j in range(d):
        out[j] /= n
    return total / n


@njit(nogil=True, error_model="numpy")
def cosine_loss(x, row, params):
    """Return sum_j h_j (1 - cos(x_j - row_j));  params = (h, R, theta)."""
    h = params[0]
    total = 0.0
    for j in range(x.shape[0]):
        total += h[j] * (1.0 - math.cos(x[j] - row[j]))
    return total


@njit(nogil=True, error_model="numpy")
def cosine_gradient(x, row, params, out):
    """Fill out (d,) with the gradient, h_j sin(x_j - row_j)."""
    h = params[0]
    for j in range(x.shape[0]):
        out[j] = h[j] * math.sin(x[j] - row[j])


@njit(nogil=True, error_model="numpy")
def cosine_value_gradient(x, data, params, out):
    """Return F_S(x) = sum_j h_j (1 - R_j cos(x_j - theta_j)) and fill out (d,) with its gradient: O(d), whatever n.

    The mean of cos(x - row) over the samples is R cos(x - theta).
    """
    h, R, theta = params
    total = 0.0
    for j in range(x.shape[0]):
        out[j] = h[j] * R[j] * math.sin(x[j] - theta[j])
        total += h[j] * (1.0 - R[j] * math.cos(x[j] - theta[j]))
    return total


@njit(nogil=True, error_model="numpy")
def log_loss_and_sigmoid(x, row):
    """Return log(1 + exp(-row'x)) and the sigmoid 1 / (1 + exp(row'x)), without overflow."""
    margin = 0.0
    for j in range(x.shape[0]):
        margin += row[j] * x[j]
    small = math.exp(-abs(margin))
    return max(-margin, 0.0) + math.log1p(small), small / (1.0 + small) if margin > 0 else 1.0 / (1.0 + small)


@njit(nogil=True, error_model="numpy")
def logistic_loss(x, row, params):
    """Return log(1 + exp(-row'x)); a row is the label times the features;  params = (0.0,)."""
    return log_loss_and_sigmoid(x, row)[0]


@njit(nogil=True, error_model="numpy")
def logistic_gradient(x, row, params, out):
    """Fill out (d,) with the gradient -row / (1 + exp(row'x))."""
    _, share = log_loss_and_sigmoid(x, row)
    for j in range(x.shape[0]):
        out[j] = -share * row[j]


@njit(nogil=True, error_model="numpy")
def logistic_value_gradient(x, data, params, out):
    """Return the mean of log(1 + exp(-row'x)) over the rows of data, and fill out (d,) with its gradient."""
    n, d = data.shape
    out[:] = 0.0
    total = 0.0
    for i in range(n):
        value, share = log_loss_and_sigmoid(x, data[i])
        total += value
        for j in range(d):
            out[j] -= share * data[i, j]
    for j in range(d):
        out[j] /= n
    return total / n


QUADRATIC = quadratic_loss, quadratic_gradient, quadratic_value_gradient
PSEUDO_HUBER = pseudo_huber_loss, pseudo_huber_gradient, pseudo_huber_value_gradient
COSINE = cosine_loss, cosine_gradient, cosine_value_gradient
LOGISTIC = logistic_loss, logistic_gradient, logistic_value_gradient


@njit(nogil=True, error_model="numpy")
def zero_value_gradient(x, data, params, out):
    """Return 0 and fill out (d,) with 0, in place of a value_gradient, where no value or gradient norm of a run is needed."""
    out[:] = 0.0
    return 0.0
