"""Reference implementations of runs in distribution: full vectors in R^d, one step at a time, integrals by SciPy's quadrature.

A spectrum is given as eigenvalues a (d,) and the list of the coordinates of each group, `members`.
"""

from itertools import pairwise

import numpy as np
from scipy import integrate, stats


def clipped_moments(s, v, C):
    """Return the mean of clip_C(s + v g), g ~ N(0, 1), and its variance minus the squared covariance with g, by quadrature."""
    if v == 0.0 or np.isinf(C):
        return (np.clip(s, -C, C), 0.0)
    kinks = sorted({min(max((bound - s) / v, -12.0), 12.0) for bound in (-C, C)} | {-12.0, 12.0})

    def expected(h):
        pieces = pairwise(kinks)
        return sum(integrate.quad(lambda g: h(g) * stats.norm.pdf(g), low, high, epsabs=1e-13, epsrel=1e-11)[0] for low, high in pieces)

    mean = expected(lambda g: np.clip(s + v * g, -C, C))
    linear = expected(lambda g: np.clip(s + v * g, -C, C) * g)
    variance = expected(lambda g: (np.clip(s + v * g, -C, C) - mean) ** 2)
    return mean, max(0.0, variance - linear**2)


def axis_components(D, axis, members):
    """Return for every group the component p of D along the axis (a unit vector in the group), and the length q of the remainder."""
    p = np.array([D[m] @ axis[m] for m in members])
    return p, np.array([np.linalg.norm(D[m] - along * axis[m]) for m, along in zip(members, p, strict=True)])


def orthonormal_frame(D, axis, u, members):
    """Return an orthonormal frame (3, d) of every group: axis, remainder of D, remainder of u; zeros where a remainder vanishes."""
    found = np.zeros((3, len(D)))
    for m in members:
        known = [axis[m]]
        for k, vector in enumerate((D[m], u[m]), start=1):
            rest = vector - sum((vector @ e) * e for e in known)
            norm = np.linalg.norm(rest)
            if norm > 1e-9 * max(np.linalg.norm(vector), 1e-300):
                found[k, m] = rest / norm
                known.append(found[k, m])
        found[0, m] = axis[m]
    return found


def zeroth_order_steps(a, D, axis, members, *, u, z, w, sampled, alpha, C, sigma, vector, spread, shrink):
    """Run DPZero, or DPGD-0th (`vector`), from D (d,) with directions u (T, d), noise z (T,) or w (T, d).

    Return the path of D, and for each step the arguments of the kernel.

    shrink   deviation of a sample's coordinate, sqrt(1 - 1/n)
    """
    path, given = [D], []
    for u_t, z_t, w_t, g in zip(u, z, w, sampled, strict=True):
        e = orthonormal_frame(D, axis, u_t, members)
        parts = [np.array([u_t[m] @ e[k, m] for m in members]) for k in range(3)]
        noise = [np.array([w_t[m] @ e[k, m] for m in members]) for k in range(3)]
        beyond = np.array([np.linalg.norm(w_t[m] - e[:, m].T @ (e[:, m] @ w_t[m])) for m in members])
        length, v = np.linalg.norm(u_t), shrink * np.linalg.norm(a * u_t)
        given.append((*parts, v, length, z_t, np.array([*noise, beyond]), g))
        mean, nonlinear = clipped_moments(u_t @ (a * D), v, C / length if vector else C)
        mean += np.sqrt(spread * nonlinear) * g
        D = D - alpha * (mean * u_t + sigma * w_t if vector else (mean + sigma * z_t) * u_t)
        path.append(D)
    return path, given


def mean_clip_factor(a_sq, k, E, e, C, power=1, points=2**17):
    """Return E min(1, C / sqrt(q))^power for q = sum of a_sq chi-square(k, E) + e chi-square(2), from its density by FFT.

    q needs about six degrees of freedom: with fewer its density is too rough for a grid, see `one_group_clip_factor`.
    """
    a_sq, k, E = np.append(a_sq, e), np.append(k, 2.0), np.append(E, 0.0)
    mean, deviation = a_sq @ (k + E), np.sqrt(2 * a_sq**2 @ (k + 2 * E))
    low = max(0.0, mean - 12 * deviation)
    width = mean + max(14 * deviation, 90 * a_sq.max()) - low
    s = 2j * np.pi * np.arange(points // 2 + 1) / width
    log = -s * low
    for one, freedom, noncentral in zip(a_sq, k, E, strict=True):
        log = log - freedom / 2 * np.log1p(-2 * s * one) + s * one * noncentral / (1 - 2 * s * one)
    density = np.fft.irfft(np.conj(np.exp(log)), points)
    q = low + width / points * np.arange(points)
    return float(density @ np.minimum(1.0, C / np.sqrt(np.maximum(q, 1e-300))) ** power)


def one_group_clip_factor(k, E, C, power=1):
    """Return E min(1, C / sqrt(q))^power for q noncentral chi-square with k degrees of freedom, by quadrature of SciPy's density."""
    r, mass = np.polynomial.legendre.leggauss(400)
    top = np.sqrt(E) + np.sqrt(k) + 12
    total = 0.0
    for low, high in ((0.0, min(C, top)), (min(C, top), top)):  # over sqrt(q), whose density is smooth for k >= 1
        at = low + (high - low) * (r + 1) / 2
        density = stats.ncx2.pdf(at**2, k, E) if E > 0 else stats.chi2.pdf(at**2, k)
        total += (high - low) / 2 * float(mass @ (density * 2 * at * np.minimum(1.0, C / at) ** power))
    return total


def linear_steps(a, vectors, factor_of, *, z, matrix, sigma, centre):
    """Run a linear step from vectors (m, d), D = x - centre and the state, with noise z (T, d); return the path.

    matrix   of x, the state and the noisy mean gradient; DP-GD has ((1, -alpha),)
    factor_of(D) (d,) is the mean clipping factor of each coordinate.
    """
    path = [vectors]
    for z_t in z:
        g = factor_of(vectors[0]) * a * vectors[0] + sigma * z_t
        x, *state = vectors[0] + centre, *vectors[1:]
        x, *state = np.asarray(matrix) @ np.array([x, *state, g])
        vectors = np.array([x - centre, *state])
        path.append(vectors)
    return path


def orthogonal_axes(vectors, axis, members):
    """Return for vectors (m, d) the axes (m, d) of every group that Gram and Schmidt find beside its axis, zeros where there is none."""
    found = np.zeros_like(vectors)
    for group in members:
        known = [axis[group]]
        for j, vector in enumerate(vectors[:, group]):
            for _ in range(2):  # the second time removes rounding errors
                vector = vector - sum((vector @ e) * e for e in known)
            norm = np.linalg.norm(vector)
            if len(known) < len(group) and norm > 1e-12:
                found[j, group] = vector / norm
                known.append(found[j, group])
            elif len(known) < len(group):  # any axis
                spare = np.linalg.svd(np.array(known))[2][-1]
                found[j, group] = spare
                known.append(spare)
    return found
