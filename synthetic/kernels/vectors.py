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
