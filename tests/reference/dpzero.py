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


def samples_of_steps(samples, T, batches):
    """Return the samples of each of T steps: all of them, or those of batches (T, b), in which -1 stands for none."""
    return [list(samples)] * T if batches is None else [[samples[i] for i in batch if i >= 0] for batch in batches]


def private_mean(raw, C, nominal):
    """Return the sum of the clipped numbers or vectors of a batch over nominal, and the share of the batch that is clipped."""
    return sum(clip_norm(v, C) for v in raw) / nominal, np.mean([is_clipped(v, C) for v in raw]) if raw else 0.0


def dpzero(loss, samples, x, *, alpha, C, sigma, lam, u, z, batches=None, nominal=None):
    """DPZero from x on: directions u (T, d), noise z (T,); a sum over a batch is divided by nominal, by default the number of samples."""
    path, clipped = [x], []
    for u_t, z_t, drawn in zip(u, z, samples_of_steps(samples, len(u), batches), strict=True):
        mean, share = private_mean([two_point_slope(loss, x, u_t, lam, s) for s in drawn], C, nominal or len(samples))
        x = x - alpha * (mean + sigma * z_t) * u_t
        path.append(x)
        clipped.append(share)
    return path, clipped


def dpgd_0th(loss, samples, x, *, alpha, C, sigma, lam, u, z, batches=None, nominal=None):
    """DPGD-0th from x on: directions u (T, d), noise z (T, d); batches and nominal as in `dpzero`."""
    path, clipped = [x], []
    for u_t, z_t, drawn in zip(u, z, samples_of_steps(samples, len(u), batches), strict=True):
        mean, share = private_mean([two_point_slope(loss, x, u_t, lam, s) * u_t for s in drawn], C, nominal or len(samples))
        x = x - alpha * (mean + sigma * z_t)
        path.append(x)
        clipped.append(share)
    return path, clipped


def dp_gd(gradient, samples, x, *, alpha, C, sigma, z, batches=None, nominal=None):
    """DP-GD from x on: noise z (T, d); batches and nominal as in `dpzero`."""
    path, clipped = [x], []
    for z_t, drawn in zip(z, samples_of_steps(samples, len(z), batches), strict=True):
        mean, share = private_mean([gradient(x, s) for s in drawn], C, nominal or len(samples))
        x = x - alpha * (mean + sigma * z_t)
        path.append(x)
        clipped.append(share)
    return path, clipped


def mezo(loss, samples, x, *, alpha, lam, u, batches=None, nominal=None):
    """MeZO from x on, without clipping and noise: directions u (T, d); batches and nominal as in `dpzero`."""
    path = [x]
    for u_t, drawn in zip(u, samples_of_steps(samples, len(u), batches), strict=True):
        x = x - alpha * sum(two_point_slope(loss, x, u_t, lam, s) for s in drawn) / (nominal or len(samples)) * u_t
        path.append(x)
    return path, [0.0] * len(u)
