"""Audit kernels of Gauss-PSGD: log every call of a gradient oracle, then repeat each call on two neighbouring data sets.

Each repeated call starts from the logged state. A record (g, c) has the gradient g + c x: so it can move a gradient, with c = 0, or a
difference of gradients, with g = 0, as far as any record can.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numba import float64, int64, njit
from numba.experimental import jitclass

from synthetic.kernels.gradient_oracles import CALLS, USED
from synthetic.kernels.psgd import COUNTS, frozen_psgd, gauss_psgd
from synthetic.kernels.vectors import copy_to

FRESHLY, SAMPLES, AT, FIRST, END = range(5)  # columns of the integers in the log of a call


@jitclass([("z", float64[:]), ("at", int64), ("first", int64)])
class ReplayedNumbers:
    """A stand-in for a random generator that returns given numbers z in order, and starts again after the last.

    at   how many were returned;   first   index of the first number returned since it was last set to -1
    """

    def __init__(self, z: Any) -> None:
        """Start with the first number of z (k,)."""
        self.z = z
        self.at = 0
        self.first = -1

    def standard_normal(self) -> Any:
        """Return the next number of z."""
        if self.first < 0:
            self.first = self.at
        self.at += 1
        return self.z[(self.at - 1) % self.z.shape[0]]


@njit(nogil=True, error_model="numpy")
def zero_value_gradient(x, params, out):
    """Return 0 and fill out (d,) with 0: a value_gradient for oracles on samples, which never evaluate F."""
    out[:] = 0.0
    return 0.0


@njit(nogil=True, error_model="numpy")
def affine_batch_gradient(x, rows, params, out):
    """Fill out (d,) with the mean of g + c x over rows (g, c) of shape (b, d + 1)."""
    b, d = rows.shape[0], x.shape[0]
    out[:] = 0.0
    for k in range(b):
        for i in range(d):
            out[i] += (rows[k, i] + rows[k, d] * x[i]) / b


@lru_cache
def logging_oracle(oracle: Callable[..., Any]) -> Any:
    """Return a jitted oracle that also logs its calls in params: the state before each call, and its messages after it.

    It returns False, which ends the run, once the log is full.
    params   points (T, d + 1): x and drift;  whole (T + 1, 5): fresh, samples used, position in the noise, the first and one after the last
             of its numbers that are used, and in the last row the number of calls;  memory and seen (T, m + 1, d), where seen is the
             server's estimate and then every client's message
    """

    @njit(nogil=True, error_model="numpy")
    def watch(fresh, x, value_gradient, gradient, params, rows, numbers, memory, drift, counts, rng, out):
        """Log the state, call the oracle and log its messages; return whether it succeeded."""
        points, whole, memories, seen = params
        T, d = points.shape[0], x.shape[0]
        t = whole[T, 0]
        if t == T:
            return False
        copy_to(points[t], x)
        points[t, d], whole[t, FRESHLY], whole[t, SAMPLES], whole[t, AT], rng.first = drift[0], fresh, counts[USED], rng.at, -1
        copy_rows(memories[t], memory)
        if not oracle(fresh, x, value_gradient, gradient, params, rows, numbers, memory, drift, counts, rng, out):
            return False
        whole[t, FIRST], whole[t, END] = rng.first, rng.at
        copy_to(seen[t, 0], out)
        copy_rows(seen[t, 1:], memory[: rows.shape[0]])
        whole[T, 0] += 1
        return True

    return watch


@njit(nogil=True, error_model="numpy")
def run_descent(oracle, value_gradient, gradient, params, rows, numbers, rules, x, memory, drift, counts, rng):
    """Subtract eta times the oracle's estimate from x (d,) until the oracle returns False;  rules = (eta,)."""
    g, no = np.empty(x.shape[0]), bool(0)
    while oracle(no, x, value_gradient, gradient, params, rows, numbers, memory, drift, counts, rng, g):
        for i in range(x.shape[0]):
            x[i] -= rules[0] * g[i]


@njit(nogil=True, error_model="numpy")
def run_gauss_psgd(oracle, value_gradient, gradient, params, rows, numbers, rules, x, memory, drift, counts, rng):
    """Run Algorithm 1 (`gauss_psgd`) with a logging oracle, without keeping its trace;  rules as there."""
    trace, points, last, state = (
        np.empty((params[0].shape[0], 5)),
        np.empty((0, x.shape[0])),
        np.empty(x.shape[0]),
        (memory, drift, counts, rng),
    )
    gauss_psgd(oracle, value_gradient, gradient, params, rows, numbers, rules, x, last, state, trace, points)


@njit(nogil=True, error_model="numpy")
def run_frozen_psgd(oracle, value_gradient, gradient, params, rows, numbers, rules, x, memory, drift, counts, rng):
    """Run `frozen_psgd` with a logging oracle, without keeping its trace;  rules as there."""
    trace, points, state = np.empty((params[0].shape[0], 5)), np.empty((0, x.shape[0])), (memory, drift, counts, rng)
    frozen_psgd(oracle, value_gradient, gradient, params, rows, numbers, rules, x, state, trace, points)


@njit(nogil=True, error_model="numpy")
def run_and_replay(loop, watch, oracle, data, world, numbers, rules, start, first_drift, log, z, own, quiet, seen, where, hidden):
    """Run the loop once per row of z; repeat each oracle call on both data sets without noise, and with single noise numbers.

    data (2, m, n, d+1)   the samples of the two data sets;   world   the index of the one that is run;   start (d,)   x
    log   empty, see `logging_oracle`;   z (runs, k)   the noise;   own   how many numbers of a call, its first, the observer does not know
    quiet (2, runs, T, m+1, d)     each call on both data sets without noise;   seen (runs, T, m+1, d)   its messages; at first both are 0
    where (runs, k, T, m+1, d)     what each number adds;   hidden (runs, k)   whether it is unknown; at first both are 0
    """
    width, d = z.shape[1], start.shape[0]
    whole, saw = log[1], log[3]
    T = whole.shape[0] - 1
    rows, m = data[world], data.shape[1]
    one, unit = np.empty((m + 1, d)), np.zeros(width)
    for r in range(z.shape[0]):
        whole[T, 0] = 0
        x, memory, drift, counts = np.empty(d), np.zeros((m + 1, d)), np.empty(1), np.zeros(COUNTS, dtype=np.int64)
        copy_to(x, start)
        drift[0] = first_drift
        loop(watch, zero_value_gradient, affine_batch_gradient, log, rows, numbers, rules, x, memory, drift, counts, ReplayedNumbers(z[r]))
        for t in range(whole[T, 0]):
            first, end = whole[t, FIRST], whole[t, END]
            copy_rows(seen[r, t], saw[t])
            for k in range(first - 2, end if first >= 0 else first):  # without noise on both data sets, then with one number of it
                which = k - first + 2 if k < first else world
                unit[k % width] = 0.0 if k < first else 1.0
                replay_call(oracle, data[which], numbers, log, t, unit, one)
                unit[k % width] = 0.0
                if k < first:
                    copy_rows(quiet[which, r, t], one)
                else:
                    hidden[r, k % width] = k - first < own
                    for j in range(m + 1):
                        for i in range(d):
                            where[r, k % width, t, j, i] += one[j, i] - quiet[world, r, t, j, i]


@njit(nogil=True, error_model="numpy")
def replay_call(oracle, rows, numbers, log, t, z, one):
    """Repeat call t of the log with other samples and noise z; write its messages to one (m+1, d), the server's estimate first."""
    points, whole, memories = log[0], log[1], log[2]
    m, d = rows.shape[0], points.shape[1] - 1
    memory, drift, counts, out = np.empty((m + 1, d)), np.empty(1), np.zeros(COUNTS, dtype=np.int64), np.empty(d)
    x = np.empty(d)
    for i in range(d):
        x[i] = points[t, i]
    copy_rows(memory, memories[t])
    drift[0], counts[USED], counts[CALLS] = points[t, d], whole[t, SAMPLES], t
    rng = ReplayedNumbers(z)
    rng.at = whole[t, AT]
    oracle(whole[t, FRESHLY] == 1, x, zero_value_gradient, affine_batch_gradient, log, rows, numbers, memory, drift, counts, rng, out)
    copy_to(one[0], out)
    copy_rows(one[1:], memory[:m])


@njit(nogil=True, error_model="numpy")
def copy_rows(target, source):
    """Copy source (k, d) to target (k, d)."""
    for j in range(source.shape[0]):
        copy_to(target[j], source[j])


@njit(nogil=True, error_model="numpy")
def log_likelihood_scores(world, quiet, seen, where, hidden, z, least, score, mu):
    """Write each run's log-likelihood ratio over its standard deviation to score, the deviation to mu; return the largest model error.

    The ratio compares the two data sets; both numbers are 0 where these do not differ. The model error is that of predicting seen from
    quiet, where and z, which is affine in z, relative to 1 or |seen|.
    quiet (2, runs, s), seen (runs, s), where (runs, k, s), hidden, z (runs, k), score, mu (runs,);   world as in `run_and_replay`
    least   relative to the difference of the data sets, and to the noise: a smaller deviation hides nothing
    """
    runs, width, size = where.shape
    between, rest, weight, spread = np.empty(size), np.empty(size), np.empty(size), np.empty((size, size))
    worst, towards = 0.0, 1.0 - 2.0 * world  # from the midpoint to the world of the run
    for r in range(runs):
        score[r], mu[r], scale = 0.0, 0.0, 0.0
        for i in range(size):
            between[i] = quiet[0, r, i] - quiet[1, r, i]
            scale += between[i] ** 2
            rest[i] = seen[r, i] - quiet[world, r, i]
            for k in range(width):
                if not hidden[r, k]:
                    rest[i] -= where[r, k, i] * z[r, k]
            foreseen = rest[i]
            for k in range(width):
                if hidden[r, k]:
                    foreseen -= where[r, k, i] * z[r, k]
            worst = max(worst, abs(foreseen) / max(1.0, abs(seen[r, i])))
        if scale == 0:
            continue
        for i in range(size):
            for j in range(i + 1):
                total = 0.0
                for k in range(width):
                    if hidden[r, k]:
                        total += where[r, k, i] * where[r, k, j]
                spread[i, j] = total
            spread[i, i] += least**2 * (scale + spread[i, i])
        solve_cholesky(spread, between, weight)
        for i in range(size):
            mu[r] += weight[i] * between[i]
            score[r] += weight[i] * (rest[i] + towards * between[i] / 2)
        mu[r] = np.sqrt(mu[r])
        score[r] /= mu[r]
    return worst


@njit(nogil=True, error_model="numpy")
def solve_cholesky(a, b, x):
    """Write the solution of a x = b to x (n,), a positive definite, by Cholesky, which reads and overwrites a's lower triangle."""
    n = b.shape[0]
    for j in range(n):
        for i in range(j, n):
            total = a[i, j]
            for k in range(j):
                total -= a[i, k] * a[j, k]
            a[i, j] = np.sqrt(total) if i == j else total / a[j, j]
    for i in range(n):
        total = b[i]
        for k in range(i):
            total -= a[i, k] * x[k]
        x[i] = total / a[i, i]
    for i in range(n - 1, -1, -1):
        total = x[i]
        for k in range(i + 1, n):
            total -= a[k, i] * x[k]
        x[i] = total / a[i, i]
