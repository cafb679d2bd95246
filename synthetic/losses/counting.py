"""Losses that count calls: how often an algorithm evaluates a loss, and for which samples it evaluates gradients."""

from numba import njit

from synthetic.losses.saddles import CUBIC
from synthetic.losses.sums import quadratic_loss

cubic_value_gradient, cubic_batch_gradient = CUBIC


@njit(nogil=True, error_model="numpy")
def counted_loss(x, row, params):
    """Return (x - row)' A (x - row) / 2 and add 1 to the counter;  params = (a, mean, counter), A = diag(a)."""
    params[2][0] += 1.0
    return quadratic_loss(x, row, params)


@njit(nogil=True, error_model="numpy")
def mean_gradient(x, data, params, out):
    """Fill out (d,) with A (x - mean) and return 0 in place of a value; params as in `counted_loss`."""
    for j in range(x.shape[0]):
        out[j] = params[0][j] * (x[j] - params[1][j])
    return 0.0


@njit(nogil=True, error_model="numpy")
def logged_value_gradient(x, params, out):
    """Return F(x) and fill out (d,) with its gradient, as `cubic_value_gradient`;  params = (its params, log)."""
    return cubic_value_gradient(x, params[0], out)


@njit(nogil=True, error_model="numpy")
def logged_batch_gradient(x, rows, params, out):
    """Fill out (d,) as `cubic_batch_gradient` does, and log which samples are used; params = (its params, log).

    rows (b, d+1)   the last column is the number k of a sample, 1, 2, ...
    log (n+1, 3)    log[0, 0] counts the evaluations; log[k] holds how many of them used sample k, the first of them and the last
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
