"""Vector helpers of the kernels: plain loops, so that no result depends on the number of BLAS threads."""

from __future__ import annotations

from numba import njit


@njit(nogil=True, error_model="numpy")
def norm_sq(v):
    """Return |v|^2."""
    total = 0.0
    for j in range(v.shape[0]):
        total += v[j] * v[j]
    return total


@njit(nogil=True, error_model="numpy")
def copy_to(target, source):
    """Write source to target, of the same shape; `target[:] = source` takes seconds to compile, for the text of an error that cannot be."""
    for j in range(source.shape[0]):
        target[j] = source[j]
