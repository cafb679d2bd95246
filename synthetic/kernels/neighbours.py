"""Linear losses for audits, f(x; row) = <turn_t row, x>, an F that records the points where it is evaluated, and a loop over runs.

turn_t is a diagonal matrix for step t, the same for all records. params = (path, asked, turn, shown, seen, back) holds the step: asked
(1,) counts the evaluations of F, 1 before the first step; path (steps + 1, d) keeps the points x; turn (steps, d) holds the diagonals;
seen (steps + 1, size) keeps what the state `shown` (size,) is at these evaluations. At an iterate of the last `back` steps a gradient is
what it was there.
"""

from numba import njit

from synthetic.kernels.vectors import copy_to


@njit(nogil=True, error_model="numpy")
def current_diagonal(params):
    """Return the diagonal (d,) of the matrix turn_t of the current step."""
    _, asked, turn, _, _, _ = params
    return turn[min(asked[0], turn.shape[0]) - 1]


@njit(nogil=True, error_model="numpy")
def diagonal_at(x, params):
    """Return the diagonal (d,) of the step that began at x, the last one if there are several; the current one at other points."""
    path, asked, turn, _, _, back = params
    now = min(asked[0], turn.shape[0]) - 1
    for t in range(now, max(now - back, 0) - 1, -1):
        same = True
        for j in range(x.shape[0]):
            if x[j] != path[t, j]:
                same = False
                break
        if same:
            return turn[t]
    return turn[now]


@njit(nogil=True, error_model="numpy")
def linear_loss(x, row, params):
    """Return the linear loss <turn_t row, x> of the current step."""
    turn, total = current_diagonal(params), 0.0
    for j in range(x.shape[0]):
        total += turn[j] * row[j] * x[j]
    return total


@njit(nogil=True, error_model="numpy")
def linear_gradient(x, row, params, out):
    """Fill out (d,) with the gradient turn_t row of the current step's linear loss, or of the step that began at x."""
    turn = diagonal_at(x, params)
    for j in range(out.shape[0]):
        out[j] = turn[j] * row[j]


@njit(nogil=True, error_model="numpy")
def recording_value_gradient(x, data, params, out):
    """Return F_S(x), fill out (d,) with its gradient, and append x, the end of a step, to the path in params."""
    path, asked, _, shown, seen, _ = params
    turn, total = current_diagonal(params), 0.0
    for j in range(out.shape[0]):
        out[j] = 0.0
        for i in range(data.shape[0]):
            out[j] += turn[j] * data[i, j] / data.shape[0]
        total += out[j] * x[j]
    if asked[0] < path.shape[0]:
        copy_to(path[asked[0]], x)
        copy_to(seen[asked[0]], shown)
    asked[0] += 1
    return total


@njit(nogil=True, error_model="numpy")
def run_separately(function, reset, taken, rows, batch, batches, asked, path, seen, points, released, times, args):
    """Call function(*args) once for each run, and write what it recorded: path to points, seen to released, calls of F to times.

    reset              flat arrays among the args that are 0 before each run
    taken, rows        flat arrays among the args, and for each of them what it holds in each run, (runs, size)
    batch, batches     the same for the indices of samples; one row serves all runs
    points (runs, steps + 1, d), released (runs, steps + 1, size), times (runs,)
    """
    for r in range(times.shape[0]):
        for k in range(len(reset)):
            for j in range(reset[k].shape[0]):
                reset[k][j] = 0.0
        for k in range(len(taken)):
            copy_to(taken[k], rows[k][r])
        copy_to(batch, batches[r % batches.shape[0]])
        asked[0] = 1
        function(*args)
        times[r] = asked[0] - 1
        for t in range(path.shape[0]):
            copy_to(points[r, t], path[t])
            copy_to(released[r, t], seen[t])
