"""Vector operations of the kernels: plain loops, so that no result depends on the number of BLAS threads."""

from numba import njit


@njit(nogil=True, error_model="numpy")
def squared_norm(v):
    """Return the squared norm |v|^2 of v (d,)."""
    total = 0.0
    for j in range(v.shape[0]):
        total += v[j] * v[j]
    return total


@njit(nogil=True, error_model="numpy")
def copy_to(target, source):
    """Copy source to target, of the same shape.

    `target[:] = source` takes seconds to compile, because of the message of an error that cannot occur.
    """
    for j in range(source.shape[0]):
        target[j] = source[j]


@njit(nogil=True, error_model="numpy")
def add_multiple(v, weight, u):
    """Add weight u to v in place; both have shape (d,)."""
    for j in range(v.shape[0]):
        v[j] += weight * u[j]


@njit(nogil=True, error_model="numpy")
def column_sums(rows, sums):
    """Write the column sums of rows (b, p) to sums (p,).

    Eight rows at a time, so that sums are read and written once for eight rows.
    """
    b, p = rows.shape
    sums[:] = 0.0
    whole = b - b % 8
    for k in range(0, whole, 8):
        for i in range(p):
            left = (rows[k, i] + rows[k + 1, i]) + (rows[k + 2, i] + rows[k + 3, i])
            right = (rows[k + 4, i] + rows[k + 5, i]) + (rows[k + 6, i] + rows[k + 7, i])
            sums[i] += left + right
    for k in range(whole, b):
        for i in range(p):
            sums[i] += rows[k, i]
