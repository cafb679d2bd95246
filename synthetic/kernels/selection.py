"""Kernels of AboveThreshold: its noise draws, and the loop of its decisions.

Source    Dwork, Roth (2014), Algorithm 1 and Theorem 3.23, for queries that one record moves by at most 2/n.
"""

from numba import njit


@njit(nogil=True, error_model="numpy")
def draw_limit_noise(n, epsilon, rng):
    """Draw the noise of AboveThreshold's limit, one Laplace number of scale 4 / (n epsilon)."""
    return rng.laplace(0.0, 4 / (n * epsilon))


@njit(nogil=True, error_model="numpy")
def accept_query(query, limit, n, epsilon, rng):
    """Return whether query + noise <= limit, the noisy limit of AboveThreshold, and the noise, Laplace of scale 8 / (n epsilon)."""
    noise = rng.laplace(0.0, 8 / (n * epsilon))
    return query + noise <= limit, noise


@njit(nogil=True, error_model="numpy")
def first_accepted_queries(query, n, epsilon, rng, chosen):
    """Write the index of the first accepted query of (T,), -1 where none is, to chosen (runs,): independent runs."""
    for r in range(chosen.shape[0]):
        limit = draw_limit_noise(n, epsilon, rng)
        chosen[r] = -1
        for t in range(query.shape[0]):
            accepted, _ = accept_query(query[t], limit, n, epsilon, rng)
            if accepted:
                chosen[r] = t
                break
