"""Objectives that meet Assumptions 3.1 and 3.5 of DPZero: every sample L-Lipschitz and ell-smooth, -H <= Hessian <= H, Tr(H) <= r ell.

    pseudo_huber    convex, unbounded;   L = ell = 1 after scaling, r the effective rank of the spectrum
    cosine          not convex, bounded (Theorem 3 asks for a bound B), smallest value in closed form
    logistic        convex, unbounded;   regression on bounded features of a chosen spectrum

`gap` is F_S(x_0) minus a certified lower bound of F_S^*: exact for `cosine`, from convexity for the other two. It never
understates the true gap, so that a theorem evaluated with it is still true.
"""

from __future__ import annotations

import numpy as np

from synthetic.draws import FloatArray, data_generator
from synthetic.kernels import lipschitz_losses as losses
from synthetic.memory import room_for
from synthetic.objectives import Objective, spectrum_values
from synthetic.validate import array_of, positive_integer, seed_integer, strict_door

ITERATIONS = 500


@strict_door
def pseudo_huber(spectrum: str | FloatArray, d: int, n: int, seed: int, x0: FloatArray | None = None) -> Objective:
    """Return f(x; x_i) = sqrt(1 + (x - x_i)' A (x - x_i)), A diagonal with largest eigenvalue 1, x_i ~ N(1, I).

    With q = (x - x_i)' A (x - x_i): |gradient|^2 = (x - x_i)' A^2 (x - x_i) / (1 + q) < max(a) = 1, so L = 1; the Hessian is
    A / sqrt(1 + q) minus a rank-one matrix A v v' A / (1 + q)^(3/2) and lies between 0 and A, so H = A, ell = 1, r = Tr(A).
    The minimiser is a weighted mean of the samples; it lies in their box, which certifies F_S^*.
    """
    a, start, data = _common(spectrum, d, n, seed, x0)
    data += 1.0
    x = data.mean(axis=0)
    for _ in range(ITERATIONS):  # weighted means of the samples decrease F_S (Weiszfeld); each is a better start for the certificate
        weights = 1.0 / np.sqrt(1.0 + ((x - data) ** 2) @ a)
        previous, x = x, weights @ data / weights.sum()
        if np.max(np.abs(x - previous)) <= 1e-13 * (1 + np.max(np.abs(x))):
            break
    gradient = np.empty(d)
    value = float(losses.pseudo_huber_value_gradient(x, data, (a,), gradient))
    furthest = np.maximum(data.max(axis=0) - x, x - data.min(axis=0))
    smallest = value - float(np.abs(gradient) @ furthest)  # F_S(y) >= F_S(x) + gradient'(y - x) for every y in the box
    gap = float(losses.pseudo_huber_value_gradient(start, data, (a,), gradient)) - smallest
    return Objective(
        name=f"pseudo-Huber, {_word(spectrum)} spectrum, d = {d}",
        data=data,
        params=(a,),
        loss=losses.pseudo_huber_loss,
        gradient=losses.pseudo_huber_gradient,
        value_gradient=losses.pseudo_huber_value_gradient,
        x0=start,
        optimum=x,
        constants={"n": n, "d": d, "r": float(a.sum()), "L": 1.0, "ell": 1.0, "gap": gap, "B": np.inf, "mu": 0.0},
    )


@strict_door
def cosine(spectrum: str | FloatArray, d: int, n: int, seed: int, x0: FloatArray | None = None) -> Objective:
    """Return f(x; x_i) = sum_j h_j (1 - cos(x_j - x_ij)) with h the spectrum, largest value 1, x_i ~ N(1, I).

    The gradient is h_j sin(.), so L = |h|; the Hessian is diag(h_j cos(.)), so H = diag(h), ell = 1, r = sum(h). The mean of
    exp(i x_ij) over the samples is R_j exp(i theta_j), so F_S = sum_j h_j (1 - R_j cos(x_j - theta_j)): F_S^* = sum_j h_j (1 - R_j)
    at theta, and 0 <= F_S <= sum_j h_j (1 + R_j) = B.
    """
    h, start, data = _common(spectrum, d, n, seed, x0)
    data += 1.0
    mean = np.exp(1j * data).mean(axis=0)
    R, theta = np.abs(mean), np.angle(mean)
    return Objective(
        name=f"cosine, {_word(spectrum)} spectrum, d = {d}",
        data=data,
        params=(h, R, theta),
        loss=losses.cosine_loss,
        gradient=losses.cosine_gradient,
        value_gradient=losses.cosine_value_gradient,
        x0=start,
        optimum=theta,
        constants={
            "n": n,
            "d": d,
            "r": float(h.sum()),
            "L": float(np.sqrt(h @ h)),
            "ell": 1.0,
            "gap": float(h @ (R * (1.0 - np.cos(start - theta)))),
            "B": float(h @ (1.0 + R)),
            "mu": 0.0,
        },
    )


@strict_door
def logistic(spectrum: str | FloatArray, d: int, n: int, seed: int, x0: FloatArray | None = None) -> Objective:
    """Return f(x; row) = log(1 + exp(-row'x)), row = label times features, features +-sqrt(a_j / Tr A), so of length 1.

    Labels are 1 with probability 1 / (1 + exp(-features'w)), w = (1, ..., 1). |gradient| < |row| = 1, so L = 1; the Hessian of a
    sample is at most row row' / 4, so ell = 1/4. The Hessian of F_S is at most the mean M of row row' / 4, of trace 1/4 and largest
    eigenvalue m; raised to 1/4 in its first direction it is an H with norm ell and trace 1/4 + 1/4 - m, so r = 2 - 4 m.
    F_S^* is certified by Newton's method and the self-concordance of the logistic loss, at worst by F_S^* >= 0.
    """
    a, start, normals = _common(spectrum, d, n, seed, x0)
    features = np.sign(normals) * np.sqrt(a / a.sum())
    chance = data_generator(seed + 2**40).random(n)
    data = features * np.where(chance < 1.0 / (1.0 + np.exp(-features.sum(axis=1))), 1.0, -1.0)[:, None]
    room_for(32 * min(d, n) ** 2, n=n, d=d)
    largest = float(np.linalg.eigvalsh(data.T @ data if d <= n else data @ data.T)[-1]) / (4 * n)
    x, smallest = _logistic_minimum(data)
    gradient = np.empty(d)
    gap = float(losses.logistic_value_gradient(start, data, (0.0,), gradient)) - smallest
    return Objective(
        name=f"logistic, {_word(spectrum)} spectrum, d = {d}",
        data=data,
        params=(0.0,),
        loss=losses.logistic_loss,
        gradient=losses.logistic_gradient,
        value_gradient=losses.logistic_value_gradient,
        x0=start,
        optimum=x,
        constants={
            "n": n, "d": d, "r": max(1.0, 2.0 - 4.0 * largest), "L": 1.0, "ell": 0.25, "gap": gap, "B": np.inf, "mu": 0.0,
        },
    )  # fmt: skip


def _logistic_minimum(data: FloatArray) -> tuple[FloatArray, float]:
    """Return a point x near the minimiser and a certified lower bound of the smallest value, which is at least 0.

    Along a segment of length s the third derivative of the logistic loss bounds the Hessian from below by exp(-s max|row|) times
    the one at x (Bach 2010, Electronic Journal of Statistics 4, Proposition 1). So on the ball of radius 1 / max|row| F_S is
    mu-strongly convex, mu = (smallest eigenvalue at x) / e; if |gradient| < mu / (2 max|row|) the minimiser lies in that ball and
    F_S^* >= F_S(x) - |gradient|^2 / (2 mu).
    """
    n, d = data.shape
    x, gradient = np.zeros(d), np.empty(d)
    value = float(losses.logistic_value_gradient(x, data, (0.0,), gradient))
    lowest = 0.0
    for _ in range(60 if d <= n else 0):
        share = 1.0 / (1.0 + np.exp(data @ x))
        hessian = (data * (share * (1 - share))[:, None]).T @ data / n
        least = float(np.linalg.eigvalsh(hessian)[0]) - 1e-14
        mu, length = least / np.e, float(np.linalg.norm(gradient))
        if least > 0 and length < mu / 2:
            lowest = max(lowest, value - length**2 / (2 * mu) - 1e-14)
        if least <= 0 or length <= 1e-14:
            break
        step, scale = np.linalg.solve(hessian, gradient), 1.0
        while scale > 1e-6 and float(losses.logistic_value_gradient(x - scale * step, data, (0.0,), gradient)) > value:
            scale /= 2
        x = x - scale * step
        value = float(losses.logistic_value_gradient(x, data, (0.0,), gradient))
    return x, lowest


def _common(spectrum: str | FloatArray, d: int, n: int, seed: int, x0: FloatArray | None) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the spectrum with largest value 1, the start, and standard normal draws (n, d)."""
    positive_integer(d=d, n=n)
    seed_integer(seed=seed)
    room_for(32 * n * d, n=n, d=d)  # the largest: data, their exponentials, which are complex, and one more
    a = spectrum_values(spectrum, d)
    start = np.zeros(d) if x0 is None else array_of((d,), x0=x0)
    return a / a.max(), start, data_generator(seed).standard_normal((n, d))


def _word(spectrum: str | FloatArray) -> str:
    return spectrum if isinstance(spectrum, str) else "given"
