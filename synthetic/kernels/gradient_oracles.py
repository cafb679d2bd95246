"""Private gradient oracles: exact with noise, SGD, and SPIDER with a fixed or an adaptive period, on one client or on many.

Source    Gauss-PSGD, equations (1) to (3); Algorithm 2 (Ada-DP-SPIDER) and Algorithm 3 (its distributed form).

Arguments of all oracles
    fresh           whether a fresh gradient O_1 is required, whatever the drift is
    x (d,)          the point at which the gradient is estimated
    value_gradient, batch_gradient, params    of an objective with saddles
    rows (m, n, p)  the samples of m clients, in the order in which they are used: each sample once, batches from the front
    numbers         further numbers of the oracle: see each
    memory (m+1, d) the clients' estimates of the previous call, and the point of that call
    drift (1,)      drift since the last O_1; at first at least the limit, so that the first call is an O_1
    counts          samples used by every client, calls, calls of O_1
    rng             draws the noise, client after client
    out (d,)        the estimate
They return whether there were enough samples; if not, nothing has changed.

A sample whose gradient is not finite, or too long for its norm to be, counts as 0, in a difference in both of its parts: the mean of a
batch then moves by no more than the sensitivity when such a record is replaced.
"""

import numpy as np
from numba import njit

from synthetic.kernels.vectors import copy_to, squared_norm

USED, CALLS, FRESH = 0, 1, 2


@njit(nogil=True, error_model="numpy")
def add_gaussian_noise(rng, scale, g):
    """Add independent N(0, scale^2) noise to every coordinate of g (d,)."""
    for i in range(g.shape[0]):
        g[i] += scale * rng.standard_normal()


@njit(nogil=True, error_model="numpy")
def add_sphere_noise(rng, radius, g):
    """Add a random vector, uniform on the sphere of this radius, to g (d,); nothing is drawn for radius 0."""
    if radius > 0:
        z = np.zeros(g.shape[0])
        add_gaussian_noise(rng, 1.0, z)
        scale = radius / np.sqrt(squared_norm(z))
        for i in range(g.shape[0]):
            g[i] += scale * z[i]


@njit(nogil=True, error_model="numpy")
def batch_mean_gradient(ask, x, before, batch_gradient, params, batch, g, old):
    """Write the mean gradient of a batch at x to g and, unless `ask`, that at `before` to old; samples that are not finite count as 0."""
    batch_gradient(x, batch, params, g)
    if not ask:
        batch_gradient(before, batch, params, old)
    if np.isfinite(squared_norm(g)) and (ask or np.isfinite(squared_norm(old))):
        return
    b, d = batch.shape[0], x.shape[0]
    one, one_before = np.empty(d), np.zeros(d)
    g[:] = 0.0
    old[:] = 0.0
    for k in range(b):
        batch_gradient(x, batch[k : k + 1], params, one)
        if not ask:
            batch_gradient(before, batch[k : k + 1], params, one_before)
        if np.isfinite(squared_norm(one)) and np.isfinite(squared_norm(one_before)):
            for i in range(d):
                g[i] += one[i] / b
                old[i] += one_before[i] / b


@njit(nogil=True, error_model="numpy")
def exact(fresh, x, value_gradient, batch_gradient, params, rows, numbers, memory, drift, counts, rng, out):
    """Write the exact gradient plus noise, grad F(x) + zeta + xi (equations (1), (2)), to out;  numbers = (radius, sigma).

    zeta is uniform on the sphere of this radius, xi ~ N(0, sigma^2 I).
    """
    radius, sigma = numbers
    value_gradient(x, params, out)
    add_sphere_noise(rng, radius, out)
    if sigma > 0:
        add_gaussian_noise(rng, sigma, out)
    counts[CALLS] += 1
    counts[FRESH] += 1
    return True


@njit(nogil=True, error_model="numpy")
def sgd(fresh, x, value_gradient, batch_gradient, params, rows, numbers, memory, drift, counts, rng, out):
    """Write the mean over clients of b-sample gradients, each with N(0, sigma^2 I) noise, to out;  numbers = (b, sigma)."""
    b, sigma = int(numbers[0]), numbers[1]
    m, n, _ = rows.shape
    first = counts[USED]
    if first + b > n:
        return False
    g, unused = np.empty(x.shape[0]), np.empty(x.shape[0])
    every = bool(1)  # the word True is a type of its own, see `synthetic.kernels.psgd`
    out[:] = 0.0
    for j in range(m):
        batch_mean_gradient(every, x, x, batch_gradient, params, rows[j, first : first + b], g, unused)
        add_gaussian_noise(rng, sigma, g)
        for i in range(x.shape[0]):
            out[i] += g[i] / m
    counts[USED] += b
    counts[CALLS] += 1
    counts[FRESH] += 1
    return True


@njit(nogil=True, error_model="numpy")
def spider_estimate(ask, x, batch_gradient, params, rows, b_1, b_2, sigma_1, sigma_2, memory, counts, rng, out):
    """Write SPIDER's estimate to out: mean over clients of O_1 if `ask`, else of previous + O_2; return False if samples run out.

    O_1 = mean gradient at x over b_1 samples + N(0, sigma_1^2 I)
    O_2 = mean over b_2 samples of the gradient at x minus that at the previous point y, + N(0, sigma_2^2 |x - y|^2 I)
    """
    m, n, _ = rows.shape
    d = x.shape[0]
    first, b = counts[USED], b_1 if ask else b_2
    if first + b > n:
        return False
    before = memory[m]
    g, old = np.empty(d), np.empty(d)
    distance = 0.0
    for i in range(d):
        distance += (x[i] - before[i]) ** 2
    scale = sigma_1 if ask else sigma_2 * np.sqrt(distance)
    out[:] = 0.0
    for j in range(m):
        batch_mean_gradient(ask, x, before, batch_gradient, params, rows[j, first : first + b], g, old)
        if not ask:
            for i in range(d):
                g[i] += memory[j, i] - old[i]
        add_gaussian_noise(rng, scale, g)
        for i in range(d):
            memory[j, i] = g[i]
            out[i] += g[i] / m
    copy_to(before, x)
    counts[USED] += b
    counts[CALLS] += 1
    counts[FRESH] += ask
    return True


@njit(nogil=True, error_model="numpy")
def dp_spider(fresh, x, value_gradient, batch_gradient, params, rows, numbers, memory, drift, counts, rng, out):
    """Write the estimate of SPIDER with a fixed period to out: O_1 at every period-th call, O_2 otherwise.

    numbers = (b_1, b_2, sigma_1, sigma_2, period);  drift counts the calls.
    """
    b_1, b_2, sigma_1, sigma_2, period = numbers
    ask = fresh or drift[0] >= period
    if not spider_estimate(ask, x, batch_gradient, params, rows, int(b_1), int(b_2), sigma_1, sigma_2, memory, counts, rng, out):
        return False
    drift[0] = (0.0 if ask else drift[0]) + 1.0
    return True


@njit(nogil=True, error_model="numpy")
def ada_dp_spider(fresh, x, value_gradient, batch_gradient, params, rows, numbers, memory, drift, counts, rng, out):
    """Write the estimate of Ada-DP-SPIDER (Algorithms 2 and 3) to out: O_1 once the drift reaches kappa, O_2 otherwise.

    numbers = (b_1, b_2, sigma_1, sigma_2, kappa, eta). The drift grows by eta^2 |estimate|^2 at every call, as printed, whether or not a
    step of that length is taken (erratum E10 of Gauss-PSGD).
    """
    b_1, b_2, sigma_1, sigma_2, kappa, eta = numbers
    ask = fresh or drift[0] >= kappa
    if not spider_estimate(ask, x, batch_gradient, params, rows, int(b_1), int(b_2), sigma_1, sigma_2, memory, counts, rng, out):
        return False
    drift[0] = (0.0 if ask else drift[0]) + eta**2 * squared_norm(out)
    return True


@njit(nogil=True, error_model="numpy")
def query_dp_spider(fresh, x, value_gradient, batch_gradient, params, rows, numbers, memory, drift, counts, rng, out):
    """Write the estimate of Ada-DP-SPIDER to out, with the drift that Lemma 7 bounds: our repair of erratum E10.

    The drift is the sum of |y_k - y_(k-1)|^2 over the points y_k where gradients are estimated. The present displacement counts before the
    test, so jumps back to a saddle count and idle calls do not. numbers as in `ada_dp_spider`.
    """
    b_1, b_2, sigma_1, sigma_2, kappa, _ = numbers
    before = memory[rows.shape[0]]
    moved = drift[0]
    for i in range(x.shape[0]):
        moved += (x[i] - before[i]) ** 2
    ask = fresh or moved >= kappa
    if not spider_estimate(ask, x, batch_gradient, params, rows, int(b_1), int(b_2), sigma_1, sigma_2, memory, counts, rng, out):
        return False
    drift[0] = 0.0 if ask else moved
    return True
