"""Losses that count: how often an algorithm asks for a loss, and for which samples it asks for gradients."""

from numba import njit

from synthetic.losses.saddles import CUBIC
from synthetic.losses.sums import quadratic_loss

cubic_value_gradient, cubic_batch_gradient = CUBIC


@njit(nogil=True, error_model="numpy")
def counted_loss(x, row, params):
    """Return (x - row)'A(x - row)/2 and count the call;  params = (a, mean, counter)."""
    params[2][0] += 1.0
    return quadratic_loss(x, row, params)


@njit(nogil=True, error_model="numpy")
def mean_gradient(x, data, params, out):
    """Fill out with A (x - mean) and return nothing of interest."""
    for j in range(x.shape[0]):
        out[j] = params[0][j] * (x[j] - params[1][j])
    return 0.0


@njit(nogil=True, error_model="numpy")
def logged_value_gradient(x, params, out):
    """As `cubic_value_gradient`, params = (those of the cubic, log)."""
    return cubic_value_gradient(x, params[0], out)


@njit(nogil=True, error_model="numpy")
def logged_batch_gradient(x, rows, params, out):
    """As `cubic_batch_gradient`; the last column of rows (b, d+1) is the number k of a sample, 1, 2, ...

    log (n+1, 3): log[0, 0] counts the evaluations; log[k] holds how many of them used sample k, the first of them and the last
    """
    cubic_batch_gradient(x, rows, params[0], out)
    log = params[1]
    log[0, 0] += 1.0
    for row in rows:
        k = int(row[x.shape[0]])
        if log[k, 0] == 0.0:
            log[k, 1] = log[0, 0]
        log[k, 0] += 1.0
        log[k, 2] = log[0, 0]
