"""DPZero on a radial Huber function, reduced to two numbers of its state, so that the cost does not depend on the dimension.

F(x) = h(sqrt(x'Qx)), Q = diag(1, ..., 1, c, 0, ..., 0), h(s) = ell s^2 / 2 up to s = L / ell and L s - L^2 / (2 ell) beyond. F depends on x
through p, its length in the space of the ones, and q, its coordinate of weight c. A direction u is described by three numbers: its
component `along` x in that space, the squared length of what is left there, `across`, and its coordinate `extra` of weight c.
"""

from math import sqrt

from numba import njit


@njit(nogil=True, error_model="numpy")
def huber_value(square, ell, L):
    """Return the Huber function h(sqrt(square)), with curvature ell near 0 and slope L beyond."""
    s = sqrt(square)
    return ell * square / 2.0 if ell * s <= L else L * s - L * L / (2.0 * ell)


@njit(nogil=True, error_model="numpy")
def radial_steps(along, extra, across, z, c, ell, L, alpha, lam, C, sigma, state):
    """Make the steps of Algorithm 2 of a chunk, overwriting state; return the sum of ||grad F||^2 over their starting points.

    along, extra, across, z (steps,)   of the directions, and the noise
    state (2,)                         p and q, overwritten
    """
    p, q, total = state[0], state[1], 0.0
    for t in range(along.shape[0]):
        s = sqrt(p * p + c * q * q)
        slope = ell if ell * s <= L else L / s
        total += slope * slope * (p * p + c * c * q * q)
        aside, reach, shift = lam * lam * across[t], lam * along[t], lam * extra[t]
        plus = huber_value((p + reach) ** 2 + aside + c * (q + shift) ** 2, ell, L)
        minus = huber_value((p - reach) ** 2 + aside + c * (q - shift) ** 2, ell, L)
        m = min(max((plus - minus) / (2.0 * lam), -C), C)
        kappa = alpha * (m + sigma * z[t])
        q -= kappa * extra[t]
        p = sqrt((p - kappa * along[t]) ** 2 + kappa * kappa * across[t])
    state[0], state[1] = p, q
    return total
