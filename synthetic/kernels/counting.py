"""The quadratic with a counter of its loss evaluations, to see how often an algorithm asks."""

from __future__ import annotations

from numba import njit

from synthetic.kernels.losses import quadratic_loss


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
