"""Kernels of DPZero: its two-point Algorithms 1 and 2, MeZO, and the baseline DP-GD.

Source    Zhang, Li, Thekumparampil, Oh, He: "DPZero", Algorithms 1 and 2; MeZO is Algorithm 2 without clipping and noise;
          DP-GD, Section 2.1: x_{t+1} = x_t - alpha ((1/n) sum_i clip_C(grad f(x_t; xi_i)) + z_t).

The arguments of a kernel are those of `synthetic.methods.record`, and
    lam                     smoothing of the two-point difference
    u (steps, d)            directions
    z (steps, d), z_along (steps,)   standard normal noise: in every coordinate, or along u
In the private methods a sample whose slope or gradient is not finite (or whose gradient is too long for its norm to be finite) counts as
0, and as clipped: so no sample adds more than C to the sum over a batch, whatever it is. The sum is divided by `nominal`, whatever the
size of the batch is: so a replaced sample moves the mean by at most 2 C / nominal, and an empty batch leaves the noise alone.
The values written to value and grad_norm_sq influence no step: they are exact, not private, and one sample can make them NaN.
"""

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from synthetic.kernels.vectors import copy_to, squared_norm
from synthetic.renamed import old_names


@njit(nogil=True, error_model="numpy")
def two_points(x, lam, u):
    """Return the points x + lam u and x - lam u, for x and u of shape (d,)."""
    plus, minus = np.empty(x.shape[0]), np.empty(x.shape[0])
    for j in range(x.shape[0]):
        plus[j] = x[j] + lam * u[j]
        minus[j] = x[j] - lam * u[j]
    return plus, minus


@njit(nogil=True, error_model="numpy")
def mean_clipped_slope(loss, data, params, plus, minus, lam, C, length, rows, nominal):
    """Return the sum of the slopes (f(plus) - f(minus)) / (2 lam), clipped to |s| <= C / length, over nominal, and the share clipped.

    rows (b,) are the indices of the batch in data, -1 where there is none; of an empty batch both numbers are 0. C = inf clips nothing,
    and leaves what is not finite as it is.
    """
    total, count, there = 0.0, 0, 0
    for k in rows:
        if k < 0:
            continue
        there += 1
        row = data[k]
        s = (loss(plus, row, params) - loss(minus, row, params)) / (2 * lam)
        if not np.isfinite(s) and np.isfinite(C):  # abs(NaN) > C is false
            count += 1
            continue
        if abs(s) * length > C:
            s = np.sign(s) * C / length
            count += 1
        total += s
    return total / nominal, count / max(there, 1)


@njit(nogil=True, error_model="numpy")
def record_and_check(value_gradient, data, params, x, t, value, grad_norm_sq):
    """Write F_S(x) and |grad F_S(x)|^2 after step t to value[t] and grad_norm_sq[t]; return whether |x|^2 is finite."""
    g = np.empty(x.shape[0])
    value[t] = value_gradient(x, data, params, g)
    grad_norm_sq[t] = squared_norm(g)
    return np.isfinite(squared_norm(x))


@njit(nogil=True, error_model="numpy")
def dpzero(loss, value_gradient, data, params, x, alpha, lam, C, sigma, u, z_along, batch, nominal, value, grad_norm_sq, clipped, tau,
           x_tau):  # fmt: skip
    """Run Algorithm 2 (DPZero): clipped scalar slopes, scalar noise along the direction; return how many steps ended finite."""
    steps, d = u.shape
    for t in range(steps):
        if t == tau:
            copy_to(x_tau, x)
        plus, minus = two_points(x, lam, u[t])
        slope, clipped[t] = mean_clipped_slope(loss, data, params, plus, minus, lam, C, 1.0, batch[t % batch.shape[0]], nominal)
        for j in range(d):
            x[j] -= alpha * (slope + sigma * z_along[t]) * u[t, j]
        if not record_and_check(value_gradient, data, params, x, t, value, grad_norm_sq):
            return t
    return steps


@njit(nogil=True, error_model="numpy")
def dpgd_0th(loss, value_gradient, data, params, x, alpha, lam, C, sigma, u, z, batch, nominal, value, grad_norm_sq, clipped, tau, x_tau):
    """Run Algorithm 1 (DPGD-0th): vector clipping and noise in every coordinate; return how many steps ended finite.

    The vector s u is clipped to length C: clip_C(s u) = (sign(s) C / |u|) u where it is longer.
    """
    steps, d = u.shape
    for t in range(steps):
        if t == tau:
            copy_to(x_tau, x)
        plus, minus = two_points(x, lam, u[t])
        slope, clipped[t] = mean_clipped_slope(
            loss, data, params, plus, minus, lam, C, np.sqrt(squared_norm(u[t])), batch[t % batch.shape[0]], nominal
        )
        for j in range(d):
            x[j] -= alpha * (slope * u[t, j] + sigma * z[t, j])
        if not record_and_check(value_gradient, data, params, x, t, value, grad_norm_sq):
            return t
    return steps


@njit(nogil=True, error_model="numpy")
def mezo(loss, value_gradient, data, params, x, alpha, lam, u, batch, nominal, value, grad_norm_sq, tau, x_tau):
    """Run MeZO: zeroth-order descent with two-point estimates, neither clipped nor private; return how many steps ended finite."""
    steps, d = u.shape
    for t in range(steps):
        if t == tau:
            copy_to(x_tau, x)
        plus, minus = two_points(x, lam, u[t])
        slope, _ = mean_clipped_slope(loss, data, params, plus, minus, lam, np.inf, 1.0, batch[t % batch.shape[0]], nominal)
        for j in range(d):
            x[j] -= alpha * slope * u[t, j]
        if not record_and_check(value_gradient, data, params, x, t, value, grad_norm_sq):
            return t
    return steps


@njit(nogil=True, error_model="numpy")
def dp_gd(gradient, value_gradient, data, params, x, alpha, C, sigma, z, batch, nominal, value, grad_norm_sq, clipped, tau, x_tau):
    """Run DP-GD: descent on clipped per-sample gradients, noise in every coordinate; return how many steps ended finite."""
    steps, d = z.shape
    g, total = np.empty(d), np.empty(d)
    for t in range(steps):
        if t == tau:
            copy_to(x_tau, x)
        total[:] = 0.0
        count, there = 0, 0
        for k in batch[t % batch.shape[0]]:
            if k < 0:
                continue
            there += 1
            gradient(x, data[k], params, g)
            norm = np.sqrt(squared_norm(g))
            if not np.isfinite(norm):  # 0 * inf would be NaN
                count += 1
                continue
            scale = 1.0
            if norm > C:
                scale = C / norm
                count += 1
            for j in range(d):
                total[j] += scale * g[j]
        for j in range(d):
            x[j] -= alpha * (total[j] / nominal + sigma * z[t, j])
        clipped[t] = count / max(there, 1)
        if not record_and_check(value_gradient, data, params, x, t, value, grad_norm_sq):
            return t
    return steps


if not TYPE_CHECKING:  # it would give every misspelt name a type
    __getattr__ = old_names(__name__, still_finite="record_and_check")
