"""Linear losses for audits, f(x; row) = <turn_t row, x>, and an F that records the points where it is evaluated.

turn_t is a diagonal matrix for step t, the same for all records. params = (path, asked, turn) holds the step: asked (1,) counts the
evaluations of F, 1 before the first step; path (steps + 1, d) keeps the points x; turn (steps, d) holds the diagonals.
"""

from numba import njit

from synthetic.kernels.vectors import copy_to


@njit(nogil=True, error_model="numpy")
def current_diagonal(params):
    """Return the diagonal (d,) of the matrix turn_t of the current step;  params = (path, asked, turn)."""
    _, asked, turn = params
    return turn[min(asked[0], turn.shape[0]) - 1]


@njit(nogil=True, error_model="numpy")
def linear_loss(x, row, params):
    """Return the linear loss <turn_t row, x> of the current step."""
    turn, total = current_diagonal(params), 0.0
    for j in range(x.shape[0]):
        total += turn[j] * row[j] * x[j]
    return total


@njit(nogil=True, error_model="numpy")
def linear_gradient(x, row, params, out):
    """Fill out (d,) with the gradient turn_t row of the current step's linear loss."""
    turn = current_diagonal(params)
    for j in range(out.shape[0]):
        out[j] = turn[j] * row[j]


@njit(nogil=True, error_model="numpy")
def recording_value_gradient(x, data, params, out):
    """Return F_S(x), fill out (d,) with its gradient, and append x, the end of a step, to the path in params."""
    path, asked, _ = params
    turn, total = current_diagonal(params), 0.0
    for j in range(out.shape[0]):
        out[j] = 0.0
        for i in range(data.shape[0]):
            out[j] += turn[j] * data[i, j] / data.shape[0]
        total += out[j] * x[j]
    if asked[0] < path.shape[0]:
        copy_to(path[asked[0]], x)
    asked[0] += 1
    return total
