"""Two-point zeroth-order methods: Algorithms 1 and 2 of DPZero, and MeZO.

Source    Zhang, Li, Thekumparampil, Oh, He: "DPZero", Algorithms 1 and 2; MeZO is Algorithm 2 without clipping and noise.

What the three kernels share
    loss, value_gradient    jitted functions of an objective, with its data and params
    x (d,)                  the iterate, overwritten
    u (steps, d)            directions;   batch (rows, b) indices of the samples: step t uses row t mod rows
    value, grad_norm_sq     (steps,): F_S and |grad F_S|^2 after each step
    clipped (steps,)        fraction of the batch that was clipped in the step
    tau, x_tau (d,)         before step tau of this chunk the iterate is copied to x_tau; tau outside the chunk copies nothing
They return how many steps ended in finite numbers; a smaller number than ``steps`` means that the next one did not.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from synthetic.kernels.vectors import copy_to, norm_sq


@njit(nogil=True, error_model="numpy")
def dpzero(loss, value_gradient, data, params, x, alpha, lam, C, sigma, u, z, batch, value, grad_norm_sq, clipped, tau, x_tau):
    """Algorithm 2: scalar clipping, scalar noise z (steps,) standard normal along the direction."""
    steps, d = u.shape
    rows, b = batch.shape
    plus, minus, g = np.empty(d), np.empty(d), np.empty(d)
    for t in range(steps):
        if t == tau:
            copy_to(x_tau, x)
        for j in range(d):
            plus[j] = x[j] + lam * u[t, j]
            minus[j] = x[j] - lam * u[t, j]
        total, count = 0.0, 0
        for k in range(b):
            row = data[batch[t % rows, k]]
            s = (loss(plus, row, params) - loss(minus, row, params)) / (2 * lam)
            if abs(s) > C:
                s = C * np.sign(s)
                count += 1
            total += s
        for j in range(d):
            x[j] -= alpha * (total / b + sigma * z[t]) * u[t, j]
        value[t] = value_gradient(x, data, params, g)
        grad_norm_sq[t] = norm_sq(g)
        clipped[t] = count / b
        if not (np.isfinite(value[t]) and np.isfinite(grad_norm_sq[t])):
            return t
    return steps


@njit(nogil=True, error_model="numpy")
def dpgd_0th(loss, value_gradient, data, params, x, alpha, lam, C, sigma, u, z, batch, value, grad_norm_sq, clipped, tau, x_tau):
    """Algorithm 1: the vector s u is clipped to length C, noise z (steps, d) standard normal in every coordinate."""
    steps, d = u.shape
    rows, b = batch.shape
    plus, minus, g = np.empty(d), np.empty(d), np.empty(d)
    for t in range(steps):
        if t == tau:
            copy_to(x_tau, x)
        for j in range(d):
            plus[j] = x[j] + lam * u[t, j]
            minus[j] = x[j] - lam * u[t, j]
        norm_u = np.sqrt(norm_sq(u[t]))
        total, count = 0.0, 0
        for k in range(b):
            row = data[batch[t % rows, k]]
            s = (loss(plus, row, params) - loss(minus, row, params)) / (2 * lam)
            if abs(s) * norm_u > C:
                s = np.sign(s) * C / norm_u  # clip_C(s u) = (sign(s) C / |u|) u
                count += 1
            total += s
        for j in range(d):
            x[j] -= alpha * (total / b * u[t, j] + sigma * z[t, j])
        value[t] = value_gradient(x, data, params, g)
        grad_norm_sq[t] = norm_sq(g)
        clipped[t] = count / b
        if not (np.isfinite(value[t]) and np.isfinite(grad_norm_sq[t])):
            return t
    return steps


@njit(nogil=True, error_model="numpy")
def mezo(loss, value_gradient, data, params, x, alpha, lam, u, batch, value, grad_norm_sq, tau, x_tau):
    """Zeroth-order gradient descent with the two-point estimate, neither clipped nor private."""
    steps, d = u.shape
    rows, b = batch.shape
    plus, minus, g = np.empty(d), np.empty(d), np.empty(d)
    for t in range(steps):
        if t == tau:
            copy_to(x_tau, x)
        for j in range(d):
            plus[j] = x[j] + lam * u[t, j]
            minus[j] = x[j] - lam * u[t, j]
        total = 0.0
        for k in range(b):
            row = data[batch[t % rows, k]]
            total += (loss(plus, row, params) - loss(minus, row, params)) / (2 * lam)
        for j in range(d):
            x[j] -= alpha * (total / b) * u[t, j]
        value[t] = value_gradient(x, data, params, g)
        grad_norm_sq[t] = norm_sq(g)
        if not (np.isfinite(value[t]) and np.isfinite(grad_norm_sq[t])):
            return t
    return steps
