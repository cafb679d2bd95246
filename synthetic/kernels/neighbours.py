"""Losses by which a record says as much about itself as it can, f(x; row) = <turn_t row, x>, and an F that remembers where it was asked.

turn_t is a diagonal matrix, the same for all records, and another one in each step; params = (path, asked, turn) says which step it is:
asked (1,) counts the points where F was asked for, 1 before the first step, and path (steps + 1, d) keeps them.
"""

from numba import njit

from synthetic.kernels.vectors import copy_to


@njit(nogil=True, error_model="numpy")
def turn_of(params):
    """Return the diagonal of turn_t, (d,)."""
    _, asked, turn = params
    return turn[min(asked[0], turn.shape[0]) - 1]


@njit(nogil=True, error_model="numpy")
def turned_loss(x, row, params):
    """Return <turn_t row, x>."""
    turn, total = turn_of(params), 0.0
    for j in range(x.shape[0]):
        total += turn[j] * row[j] * x[j]
    return total


@njit(nogil=True, error_model="numpy")
def turned_gradient(x, row, params, out):
    """Fill out (d,) with turn_t row."""
    turn = turn_of(params)
    for j in range(out.shape[0]):
        out[j] = turn[j] * row[j]


@njit(nogil=True, error_model="numpy")
def remember(x, data, params, out):
    """Return F_S and fill out with its gradient, as of any objective; keep x, with which a step ends."""
    path, asked, _ = params
    turn, total = turn_of(params), 0.0
    for j in range(out.shape[0]):
        out[j] = 0.0
        for i in range(data.shape[0]):
            out[j] += turn[j] * data[i, j] / data.shape[0]
        total += out[j] * x[j]
    if asked[0] < path.shape[0]:
        copy_to(path[asked[0]], x)
    asked[0] += 1
    return total
