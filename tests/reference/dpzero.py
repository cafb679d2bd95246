"""Reference implementations of DPZero's kernels: plain NumPy, one sample and one step at a time, on given random draws.

loss(x, sample) and gradient(x, sample) are those of a sample. Each method returns the list of iterates x_0, x_1, ... and the fraction of
clipped samples at every step.
"""

import numpy as np

from tests.reference.gauss_psgd import (  # noqa: F401 - tests look up the reference of every kernel here
    ada_dp_spider,
    coupled_descent,
    dp_spider,
    exact,
    frozen_psgd,
    gauss_psgd,
    perturbed_descent,
    query_dp_spider,
    sgd,
)


def clip_norm(v, C):
    """Return clip_C(v) = v min(1, C / |v|) of a scalar or vector; 0 where v is not finite."""
    if not np.all(np.isfinite(v)):
        return np.zeros_like(v)
    norm = np.linalg.norm(v)
    return v if norm <= C else v * (C / norm)


def is_clipped(v, C):
    """Return whether |v| > C, or v has no norm."""
    return not np.linalg.norm(v) <= C  # True for NaN


def two_point_slope(loss, x, u, lam, sample):
    """Return the two-point estimate of the slope of a sample's loss at x along u, with smoothing lam."""
    return (loss(x + lam * u, sample) - loss(x - lam * u, sample)) / (2 * lam)


def dpzero(loss, samples, x, *, alpha, C, sigma, lam, u, z):
    """DPZero from x on: directions u (T, d), noise z (T,)."""
    path, clipped = [x], []
    for u_t, z_t in zip(u, z, strict=True):
        raw = [two_point_slope(loss, x, u_t, lam, s) for s in samples]
        clipped.append(np.mean([is_clipped(v, C) for v in raw]))
        x = x - alpha * (np.mean([clip_norm(v, C) for v in raw]) + sigma * z_t) * u_t
        path.append(x)
    return path, clipped


def dpgd_0th(loss, samples, x, *, alpha, C, sigma, lam, u, z):
    """DPGD-0th from x on: directions u (T, d), noise z (T, d)."""
    path, clipped = [x], []
    for u_t, z_t in zip(u, z, strict=True):
        raw = [two_point_slope(loss, x, u_t, lam, s) * u_t for s in samples]
        clipped.append(np.mean([is_clipped(v, C) for v in raw]))
        x = x - alpha * (np.mean([clip_norm(v, C) for v in raw], axis=0) + sigma * z_t)
        path.append(x)
    return path, clipped


def dp_gd(gradient, samples, x, *, alpha, C, sigma, z):
    """DP-GD from x on: noise z (T, d)."""
    path, clipped = [x], []
    for z_t in z:
        raw = [gradient(x, s) for s in samples]
        clipped.append(np.mean([is_clipped(v, C) for v in raw]))
        x = x - alpha * (np.mean([clip_norm(v, C) for v in raw], axis=0) + sigma * z_t)
        path.append(x)
    return path, clipped


def mezo(loss, samples, x, *, alpha, lam, u):
    """MeZO from x on, without clipping and noise: directions u (T, d)."""
    path = [x]
    for u_t in u:
        x = x - alpha * np.mean([two_point_slope(loss, x, u_t, lam, s) for s in samples]) * u_t
        path.append(x)
    return path, [0.0] * len(u)
