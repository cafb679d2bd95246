"""Losses by which a record says as much about itself as it can: f(x; row) = <row, x>, and an F that remembers where it was asked."""

from numba import njit

from synthetic.kernels.vectors import copy_to


@njit(nogil=True, error_model="numpy")
def linear_loss(x, row, params):
    """Return <row, x>."""
    total = 0.0
    for j in range(x.shape[0]):
        total += row[j] * x[j]
    return total


@njit(nogil=True, error_model="numpy")
def linear_gradient(x, row, params, out):
    """Fill out (d,) with the row."""
    copy_to(out, row)


@njit(nogil=True, error_model="numpy")
def remember(x, data, params, out):
    """Write x to the next row of path (steps + 1, d), whose number asked (1,) counts; params = (path, asked)."""
    path, asked = params
    copy_to(path[asked[0]], x)
    asked[0] += 1
    out[:] = 0.0
    return 0.0
