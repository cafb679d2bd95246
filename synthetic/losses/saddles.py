"""Losses with saddles for kernels: F(x, params, out) with its gradient, and the mean gradient over a batch g(x, rows, params, out).

Rows (b, p) are samples, out (d,) receives the gradient.
"""

import math
from typing import Any

import numpy as np
from numba import njit

from synthetic.kernels.vectors import column_sums


@njit(nogil=True, error_model="numpy")
def cosines_value_gradient(x, params, out):
    """Return F(x) = (A / w^2) sum_i s_i c_i cos(w x_i), c_i = E cos z_i, and fill out with its gradient."""
    A, w, signs, mean_cos = params
    value = 0.0
    for i in range(x.shape[0]):
        u = w * x[i]
        sine = math.sin(u)
        cosine = math.sqrt(1 - sine * sine) if abs(u) < 0.78 else math.cos(u)  # below pi/4 the root is as exact, and quicker
        value += signs[i] * mean_cos[i] * cosine
        out[i] = -A / w * signs[i] * mean_cos[i] * sine
    return A / w**2 * value


@njit(nogil=True, error_model="numpy")
def cosines_batch_gradient(x, rows, params, out):
    """Fill out (d,) with the mean of grad f(x; z) over rows (cos z, sin z), of shape (b, 2 d).

    As sin(w x + z) = sin(w x) cos z + cos(w x) sin z, the column means suffice.
    """
    A, w, signs, _ = params
    d, b = x.shape[0], rows.shape[0]
    sums = np.empty(2 * d)
    column_sums(rows, sums)
    for i in range(d):
        out[i] = -A / w * signs[i] * (math.sin(w * x[i]) * sums[i] + math.cos(w * x[i]) * sums[d + i]) / b


COSINES = cosines_value_gradient, cosines_batch_gradient


@njit(nogil=True, error_model="numpy")
def add_column_means(rows, out):
    """Add the column means of rows (b, d) to out (d,): the gradient of the term z'x, averaged over samples z, in one pass."""
    b, d = rows.shape
    sums = np.zeros(d)
    for k in range(b):
        for i in range(d):
            sums[i] += rows[k, i]
    for i in range(d):
        out[i] += sums[i] / b


def value_and_batch_gradient(value_gradient: Any) -> tuple[Any, Any]:
    """Return the jitted pair (value_gradient, batch_gradient) of samples f(x; z) = F(x) + z'x, where rows hold the vectors z.

    value_gradient is the given function of F; the batch gradient is grad F(x) plus the mean of the rows.
    """

    @njit(nogil=True, error_model="numpy")
    def batch_gradient(x, rows, params, out):
        """Fill out (d,) with grad F(x) plus the mean of rows (b, d)."""
        value_gradient(x, params, out)
        add_column_means(rows, out)

    return value_gradient, batch_gradient


@njit(nogil=True, error_model="numpy")
def slope_value_gradient(x, params, out):
    """Return F(x) = (g / w) sin(w x_1), or g x_1 for w = 0, and fill out with its gradient;  params = (g, w)."""
    g, w = params
    out[:] = 0.0
    out[0] = g * math.cos(w * x[0])
    if w == 0.0:
        return g * x[0]
    return g / w * math.sin(w * x[0])


SLOPE = value_and_batch_gradient(slope_value_gradient)


@njit(nogil=True, error_model="numpy")
def profile_derivatives(t, profile):
    """Return value, slope and curvature at t of the even periodic function that a profile describes.

    profile   a `synthetic.objectives.separable_saddles.Profile`
    """
    a, e, k, b, rho, curvature_b, slope_b, value_b, c, value_c, p = profile
    s, sign, lift, flip = abs(t), 1.0 if t >= 0 else -1.0, 0.0, 1.0
    if s >= 2 * p:  # a remainder takes longer than all the rest, and few coordinates come this far
        s %= 2 * p
    if s > p:  # even about the top p
        s, sign = 2 * p - s, -sign
    if s > c:  # odd about the inflection c
        s, lift, flip = 2 * c - s, 2 * value_c, -1.0
    if s <= b:
        value = a / 2 * s**2 + e / 6 * s**3 + k / 4 * s**4
        slope = a * s + e / 2 * s**2 + k * s**3
        curvature = a + e * s + 3 * k * s**2
    else:
        u = s - b
        value = value_b + slope_b * u + curvature_b / 2 * u**2 - rho / 6 * u**3
        slope = slope_b + curvature_b * u - rho / 2 * u**2
        curvature = curvature_b - rho * u
    return lift + flip * value, sign * slope, flip * curvature


@njit(nogil=True, error_model="numpy")
def wells_value_gradient(x, params, out):
    """Return F(x) = q_1(x_1) + sum_(i >= 2) q(x_i) and fill out with its gradient;  params = (unstable, stable).

    q_1 and q are the functions of the profiles unstable and stable, see `profile_derivatives`.
    """
    unstable, stable = params
    total, out[0], _ = profile_derivatives(x[0], unstable)
    a, e, k, b = stable.a, stable.e, stable.k, stable.b
    for i in range(1, x.shape[0]):
        s = abs(x[i])
        if s <= b:  # the polynomial itself, as in `profile_derivatives`: nearly all coordinates stay here
            total += s * s * (a / 2 + s * (e / 6 + s * k / 4))
            slope = s * (a + s * (e / 2 + s * k))
            out[i] = slope if x[i] >= 0 else -slope
        else:
            value, out[i], _ = profile_derivatives(x[i], stable)
            total += value
    return total


WELLS = value_and_batch_gradient(wells_value_gradient)


@njit(nogil=True, error_model="numpy")
def octopus_arm(t, params):
    """Return the octopus's arm function psi and its first two derivatives at t >= 0;  params = (L, gamma, tau).

    psi is -gamma t^2 up to tau, a quartic on [tau, 2 tau], and L (t - 4 tau)^2 - nu beyond.
    """
    L, gamma, tau = params
    if t >= 2 * tau:
        return L * (t - 4 * tau) ** 2 - (37 * L + 13 * gamma) / 6 * tau**2, 2 * L * (t - 4 * tau), 2 * L
    value, slope, curvature = -gamma * t**2, -2 * gamma * t, -2 * gamma
    if t > tau:
        v, third, fourth = t - tau, (10 * gamma - 14 * L) / (3 * tau), (5 * L - 3 * gamma) / (2 * tau**2)
        value += third * v**3 + fourth * v**4
        slope += 3 * third * v**2 + 4 * fourth * v**3
        curvature += 6 * third * v + 12 * fourth * v**2
    return value, slope, curvature


@njit(nogil=True, error_model="numpy")
def octopus_gate(s, tau):
    """Return the octopus's transition weight w and its first two derivatives at s >= 0.

    w is 0 up to tau, 1 from 2 tau on, and 10 v^3 - 15 v^4 + 6 v^5 between, v = s / tau - 1.
    """
    v = min(max(s / tau - 1, 0.0), 1.0)
    return v**3 * (10 - 15 * v + 6 * v**2), 30 * (v * (1 - v)) ** 2 / tau, 60 * v * (1 - v) * (1 - 2 * v) / tau**2


@njit(nogil=True, error_model="numpy")
def octopus_value_gradient(x, params, out):
    """Return F(x) of the octopus function and fill out with its gradient;  params = (L, gamma, tau).

    F(x) = sum_i (1 - w_i) L x_i^2 + w_i psi(|x_i|), w_1 = 1, w_i = w(|x_(i-1)|) for i >= 2.
    """
    L, tau = params[0], params[2]
    total, weight, gate_slope = 0.0, 1.0, 0.0
    for i in range(x.shape[0]):
        t = abs(x[i])
        value, slope, _ = octopus_arm(t, params)
        total += (1 - weight) * L * t**2 + weight * value
        out[i] = ((1 - weight) * 2 * L * t + weight * slope) * (1.0 if x[i] >= 0 else -1.0)
        if i > 0:
            out[i - 1] += gate_slope * (value - L * t**2) * (1.0 if x[i - 1] >= 0 else -1.0)
        weight, gate_slope, _ = octopus_gate(t, tau)
    return total


OCTOPUS = value_and_batch_gradient(octopus_value_gradient)


@njit(nogil=True, error_model="numpy")
def matrix_value_gradient(x, params, out):
    """Return F(X) = |X X' - M|^2 / 4, M = diag(eigenvalues), and fill out with its gradient X (X'X) - M X.

    x holds the rows of X one after the other;  params = (eigenvalues (rows,), rank, sum of the squared eigenvalues)
    """
    eigenvalues, rank, squares = params
    rows = eigenvalues.shape[0]
    gram = np.zeros((rank, rank))
    linear = 0.0
    for a in range(rows):
        for c in range(rank):
            linear += eigenvalues[a] * x[a * rank + c] ** 2
            for e in range(rank):
                gram[c, e] += x[a * rank + c] * x[a * rank + e]
    quartic = 0.0
    for c in range(rank):
        for e in range(rank):
            quartic += gram[c, e] ** 2
    for a in range(rows):
        for c in range(rank):
            total = -eigenvalues[a] * x[a * rank + c]
            for e in range(rank):
                total += x[a * rank + e] * gram[e, c]
            out[a * rank + c] = total
    return (quartic - 2 * linear + squares) / 4


MATRIX = value_and_batch_gradient(matrix_value_gradient)


@njit(nogil=True, error_model="numpy")
def phase_value_gradient(x, params, out):
    """Return F(x) = c (3/4 |x|^4 - |x|^2 / 2 - x_1^2 + 3/4) and fill out with its gradient;  params = (c,), c = d / (d + 2)."""
    c = params[0]
    square = 0.0
    for i in range(x.shape[0]):
        square += x[i] ** 2
    for i in range(x.shape[0]):
        out[i] = c * (3 * square - 1) * x[i]
    out[0] -= 2 * c * x[0]
    return c * (0.75 * square**2 - square / 2 - x[0] ** 2 + 0.75)


@njit(nogil=True, error_model="numpy", fastmath={"reassoc"})
def dot_product(row, x):
    """Return the dot product row'x. The compiler may reorder the sum, which makes it 2.5 times faster.

    This flag alone leaves NaN and infinity as they are; the result is the same on every run, to rounding on every machine.
    """
    total = 0.0
    for i in range(x.shape[0]):
        total += row[i] * x[i]
    return total


@njit(nogil=True, error_model="numpy")
def phase_batch_gradient(x, rows, params, out):
    """Fill out (d,) with the mean of ((a'x)^2 - a_1^2) (a'x) a over rows a (b, d)."""
    b, d = rows.shape
    out[:] = 0.0
    for k in range(b):
        u = dot_product(rows[k], x)
        u *= u**2 - rows[k, 0] ** 2
        for i in range(d):
            out[i] += u * rows[k, i]
    for i in range(d):
        out[i] /= b


PHASE = phase_value_gradient, phase_batch_gradient


@njit(nogil=True, error_model="numpy")
def cubic_value_gradient(x, params, out):
    """Return F(x) of a saddle with cubic terms and fill out with its gradient;  params = (slope, gamma, mirror, bend, stiffness).

    F(x) = slope x_1 - gamma x_1^2 / 2 + (mirror |x_1|^3 + bend x_1^3) / 6 + stiffness (x_2^2 + ... + x_d^2) / 2.
    """
    slope, gamma, mirror, bend, stiffness = params
    u = x[0]
    value = slope * u - gamma * u * u / 2 + (mirror * abs(u) + bend * u) * u * u / 6
    out[0] = slope - gamma * u + (mirror * abs(u) + bend * u) * u / 2
    for i in range(1, x.shape[0]):
        value += stiffness * x[i] * x[i] / 2
        out[i] = stiffness * x[i]
    return value


CUBIC = value_and_batch_gradient(cubic_value_gradient)
