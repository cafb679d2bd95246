"""Kernels of Gauss-PSGD: perturbed descent that finds second-order stationary points, and its coupled runs.

Source    Gauss-PSGD, Algorithm 1 and Definition 5 (coupling sequence); oracles are those of `gradient_oracles`.
"""

import numpy as np
from numba import njit

from synthetic.kernels.gradient_oracles import FRESH, add_sphere_noise
from synthetic.kernels.vectors import copy_to, squared_norm

RETURNED, OUT_OF_SAMPLES, STEP_LIMIT, NOT_FINITE = range(4)
CONTINUE, HISTORY, RENEW = range(3)  # the oracle's memory when a round starts again at the saddle
STEPS, PHASES, ROUNDS, ESCAPES = 3, 4, 5, 6  # of counts, after those of the oracles
COUNTS = 7
VALUE, GRAD_NORM, ERROR, IN_PHASE, IS_FRESH = range(5)  # columns of trace


@njit(nogil=True, error_model="numpy")
def gauss_psgd(oracle, value_gradient, batch_gradient, params, rows, numbers, rules, x, last, state, trace, points):
    """Run Algorithm 1 from x; return RETURNED, OUT_OF_SAMPLES, STEP_LIMIT or NOT_FINITE. RETURNED claims a second-order point.

    rules            eta, chi, R, Gamma, Q, restart
    state            memory, drift, counts, rng: as the oracles take them, like the arguments from value_gradient to numbers
    x (d,)           the start, overwritten: with RETURNED the point x~ where the last escape failed, else the last iterate
    last (d,)        with RETURNED the last iterate of the last failed round, which is what step 20 prints (erratum E11 of Gauss-PSGD)
    trace (limit, 5) one row for each step: F and |grad F| at the point of its gradient, the error of that gradient, whether the step
                     belongs to an escape phase, whether the gradient was an O_1
    points           (limit, d): where the gradients of the steps were estimated; (0, d) keeps none
    counts           samples of every client, calls, O_1 calls, steps, escape phases, rounds, escapes
    """
    eta, chi, R, Gamma, Q, restart = rules
    memory, drift, counts, rng = state
    d, limit = x.shape[0], trace.shape[0]
    g, anchor, exact = np.empty(d), np.empty(d), np.empty(d)
    held, held_drift = memory.copy(), drift.copy()
    not_asked = bool(0)  # the word False is a type of its own, and the oracle would be compiled for it too
    while True:
        if restart == HISTORY:
            for j in range(memory.shape[0]):
                copy_to(held[j], memory[j])
            held_drift[0] = drift[0]
        before = counts[FRESH]
        if not oracle(not_asked, x, value_gradient, batch_gradient, params, rows, numbers, memory, drift, counts, rng, g):
            return OUT_OF_SAMPLES
        if np.sqrt(squared_norm(g)) > 3 * chi:  # ordinary descent
            if counts[STEPS] == limit:
                return STEP_LIMIT
            write_trace_row(0.0, counts[FRESH] > before, x, g, value_gradient, params, counts, trace, points, exact)
            for i in range(d):
                x[i] -= eta * g[i]
            if not np.isfinite(squared_norm(x)):
                return NOT_FINITE
            continue
        counts[PHASES] += 1
        copy_to(anchor, x)
        escaped = False
        for _ in range(Q):
            counts[ROUNDS] += 1
            copy_to(x, anchor)
            if restart == HISTORY:
                for j in range(memory.shape[0]):
                    copy_to(memory[j], held[j])
                drift[0] = held_drift[0]
            for tau in range(Gamma):
                before = counts[FRESH]
                fresh = restart == RENEW and tau == 0
                if not oracle(fresh, x, value_gradient, batch_gradient, params, rows, numbers, memory, drift, counts, rng, g):
                    return OUT_OF_SAMPLES
                if counts[STEPS] == limit:
                    return STEP_LIMIT
                write_trace_row(1.0, counts[FRESH] > before, x, g, value_gradient, params, counts, trace, points, exact)
                away = 0.0
                for i in range(d):
                    x[i] -= eta * g[i]
                    away += (x[i] - anchor[i]) ** 2
                if not np.isfinite(away):
                    return NOT_FINITE
                if np.sqrt(away) >= R:
                    escaped = True
                    break
            if escaped:
                break
        if not escaped:
            copy_to(last, x)
            copy_to(x, anchor)
            return RETURNED
        counts[ESCAPES] += 1


@njit(nogil=True, error_model="numpy")
def write_trace_row(in_phase, is_fresh, x, g, value_gradient, params, counts, trace, points, exact):
    """Write the trace row (5,) of the next step, from x along the estimate g: F, |grad F|, error of g, phase, O_1; count the step."""
    t, error = counts[STEPS], 0.0
    trace[t, VALUE] = value_gradient(x, params, exact)
    for i in range(x.shape[0]):
        error += (g[i] - exact[i]) ** 2
    trace[t, GRAD_NORM] = np.sqrt(squared_norm(exact))
    trace[t, ERROR] = np.sqrt(error)
    trace[t, IN_PHASE] = in_phase
    trace[t, IS_FRESH] = is_fresh
    if points.shape[0] > 0:
        copy_to(points[t], x)
    counts[STEPS] += 1


@njit(nogil=True, error_model="numpy")
def perturbed_descent(value_gradient, params, x, eta, radius, sigma, rng, value, distance):
    """Run T steps of descent with spherical and Gaussian noise, from exact gradients; return how many steps stayed finite.

    x_t = x_(t-1) - eta (grad F(x_(t-1)) + zeta_t + xi_t), equations (1), (2), (4)
    x (d,) overwritten;   value, distance (T+1,): F(x_t) and |x_t - x_0|
    zeta_t uniform on the sphere of the given radius, xi_t ~ N(0, sigma^2 I); the sphere's draws come first
    """
    d, T = x.shape[0], value.shape[0] - 1
    g, start = np.empty(d), x.copy()
    value[0], distance[0] = value_gradient(x, params, g), 0.0
    for t in range(T):
        add_sphere_noise(rng, radius, g)
        away = 0.0
        for i in range(d):
            x[i] -= eta * (g[i] + sigma * rng.standard_normal())
            away += (x[i] - start[i]) ** 2
        distance[t + 1] = np.sqrt(away)
        value[t + 1] = value_gradient(x, params, g)
        if not (np.isfinite(value[t + 1]) and np.isfinite(away)):
            return t
    return T


@njit(nogil=True, error_model="numpy")
def coupled_descent(value_gradient, params, v, x, y, eta, radius, sigma, rng, distance, twin_distance, apart):
    """Run the coupling of Definition 5, two runs of `perturbed_descent` from x = y; return how many steps stayed finite.

    They share their noise, but for the component of xi along v, which has opposite signs.
    v (d,)   unit vector, the escape direction;   x, y (d,) overwritten
    distance, twin_distance, apart (T+1,): |x_t - x_0|, |y_t - x_0|, |x_t - y_t|
    """
    d, T = x.shape[0], apart.shape[0] - 1
    g, h, zeta, xi, start = np.empty(d), np.empty(d), np.empty(d), np.empty(d), x.copy()
    for t in range(T + 1):
        here, there, between = 0.0, 0.0, 0.0
        for i in range(d):
            here += (x[i] - start[i]) ** 2
            there += (y[i] - start[i]) ** 2
            between += (x[i] - y[i]) ** 2
        distance[t], twin_distance[t], apart[t] = np.sqrt(here), np.sqrt(there), np.sqrt(between)
        if not np.isfinite(here + there):
            return t - 1
        if t == T:
            break
        value_gradient(x, params, g)
        value_gradient(y, params, h)
        zeta[:] = 0.0
        add_sphere_noise(rng, radius, zeta)
        along = 0.0
        for i in range(d):
            xi[i] = sigma * rng.standard_normal()
            along += v[i] * xi[i]
        for i in range(d):
            x[i] -= eta * (g[i] + zeta[i] + xi[i])
            y[i] -= eta * (h[i] + zeta[i] + xi[i] - 2 * along * v[i])
    return T


@njit(nogil=True, error_model="numpy")
def frozen_psgd(oracle, value_gradient, batch_gradient, params, rows, numbers, rules, x, state, trace, points):
    """Run the earlier private method until samples or steps are used up; return OUT_OF_SAMPLES, STEP_LIMIT or NOT_FINITE.

    rules    eta, threshold, extra, frozen_steps: where the norm of the last estimate is at most the threshold, and the last disturbance was
             at least frozen_steps steps ago, a fresh gradient is estimated and N(0, extra^2 I) is added to it, and stays in later estimates
    The other arguments are as in `gauss_psgd`; a disturbance counts as an escape phase.
    """
    eta, threshold, extra, frozen_steps = rules
    memory, drift, counts, rng = state
    d, limit, m = x.shape[0], trace.shape[0], memory.shape[0] - 1
    g, exact = np.empty(d), np.empty(d)
    norm, thaws = np.inf, 0
    while True:
        near = norm <= threshold and counts[STEPS] >= thaws
        before = counts[FRESH]
        if not oracle(near, x, value_gradient, batch_gradient, params, rows, numbers, memory, drift, counts, rng, g):
            return OUT_OF_SAMPLES
        if near:
            counts[PHASES] += 1
            thaws = counts[STEPS] + frozen_steps
            for i in range(d):
                xi = extra * rng.standard_normal()
                g[i] += xi
                for j in range(m):
                    memory[j, i] += xi
        norm = np.sqrt(squared_norm(g))
        if counts[STEPS] == limit:
            return STEP_LIMIT
        write_trace_row(near, counts[FRESH] > before, x, g, value_gradient, params, counts, trace, points, exact)
        for i in range(d):
            x[i] -= eta * g[i]
        if not np.isfinite(squared_norm(x)):
            return NOT_FINITE
