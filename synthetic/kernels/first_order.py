"""DP-GD: gradient descent on clipped per-sample gradients with Gaussian noise.

Source    the baseline of DPZero, Section 2.1: x_{t+1} = x_t - alpha ((1/n) sum_i clip_C(grad f(x_t; xi_i)) + z_t).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from synthetic.kernels.vectors import copy_to, norm_sq


@njit(nogil=True, error_model="numpy")
def dp_gd(gradient, value_gradient, data, params, x, alpha, C, sigma, z, batch, value, grad_norm_sq, clipped, tau, x_tau):
    """Arguments as in the zeroth-order kernels; gradient(x, row, params, out); noise z (steps, d) standard normal."""
    steps, d = z.shape
    rows, b = batch.shape
    g, total = np.empty(d), np.empty(d)
    for t in range(steps):
        if t == tau:
            copy_to(x_tau, x)
        total[:] = 0.0
        count = 0
        for k in range(b):
            gradient(x, data[batch[t % rows, k]], params, g)
            norm = np.sqrt(norm_sq(g))
            scale = 1.0
            if norm > C:
                scale = C / norm
                count += 1
            for j in range(d):
                total[j] += scale * g[j]
        for j in range(d):
            x[j] -= alpha * (total[j] / b + sigma * z[t, j])
        value[t] = value_gradient(x, data, params, g)
        grad_norm_sq[t] = norm_sq(g)
        clipped[t] = count / b
        if not (np.isfinite(value[t]) and np.isfinite(grad_norm_sq[t])):
            return t
    return steps
