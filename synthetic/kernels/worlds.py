"""Losses by which a record says as much about itself as it can, f(x; row) = <turn_t row, x>, and an F that remembers where it was asked.

turn_t is a diagonal matrix, the same for all records, and another one in each step; params = (path, asked, turn) says which step it is.
"""

from numba import njit

from synthetic.kernels.vectors import copy_to


@njit(nogil=True, error_model="numpy")
def turned_loss(x, row, params):
    """Return <turn_t row, x>."""
    _, asked, turn = params
    total = 0.0
    for j in range(x.shape[0]):
        total += turn[asked[0] - 1, j] * row[j] * x[j]
    return total


@njit(nogil=True, error_model="numpy")
def turned_gradient(x, row, params, out):
    """Fill out (d,) with turn_t row."""
    _, asked, turn = params
    for j in range(out.shape[0]):
        out[j] = turn[asked[0] - 1, j] * row[j]


@njit(nogil=True, error_model="numpy")
def remember(x, data, params, out):
    """Write x, with which a step ends, to the next row of path (steps + 1, d), whose number asked (1,) counts."""
    path, asked, _ = params
    copy_to(path[asked[0]], x)
    asked[0] += 1
    out[:] = 0.0
    return 0.0
