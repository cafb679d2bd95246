"""Choose one point of a trajectory on held-out samples: Algorithm 4 of Gauss-PSGD, and the AboveThreshold baseline.

Source    Gauss-PSGD, Algorithm 4 and Appendix D; AboveThreshold: Dwork, Roth (2014), Algorithm 1 and Theorem 3.23.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh

from synthetic.draws import FloatArray, generator
from synthetic.memory import room_for
from synthetic.saddles import Landscape
from synthetic.validate import array_of, non_negative, positive, positive_integer, seed_integer, strict_door

HELD_OUT, RELEASE = 2**20, 2**19  # roles of the held-out samples of client 0, and of the noise of a release


@dataclass(frozen=True, eq=False)
class Selection:
    """What a selection saw and chose.

    chosen                 number of the chosen point, None where none passed: the algorithm then outputs nothing
    grad_norm, smallest    (looked,) what was compared: noisy gradient norms, noisy smallest eigenvalues
    gradient_noise, hessian_noise   (looked,) norms of the noise in them, after averaging over the clients
    """

    chosen: int | None
    grad_norm: FloatArray
    smallest: FloatArray
    gradient_noise: FloatArray
    hessian_noise: FloatArray


@strict_door
def select(
    landscape: Landscape,
    points: FloatArray,
    *,
    n: int,
    sigma_gradient: float,
    sigma_hessian: float,
    gradient_limit: float,
    curvature_limit: float,
    seed: int = 0,
    replicate: int = 0,
) -> Selection:
    """Return the first point whose noisy gradient norm is at most a limit and whose noisy smallest eigenvalue is at least -limit.

    points (T, d)    the trajectory;   n   held-out samples of each client, used for every point
    sigma_gradient   standard deviation per coordinate of each client's noise on its gradient
    sigma_hessian    the same for the upper triangle of its Hessian, which is made symmetric
    gradient_limit, curvature_limit    the two thresholds of Algorithm 4
    """
    path = array_of((None, landscape.d), points=points)
    non_negative(sigma_gradient=sigma_gradient, sigma_hessian=sigma_hessian)
    positive(gradient_limit=gradient_limit, curvature_limit=curvature_limit)
    rows, rng, (m, d) = _held_out(landscape, n, seed, replicate), generator(seed, replicate, RELEASE), (landscape.clients, landscape.d)
    seen: list[tuple[float, float, float, float]] = []
    chosen = None
    for t, x in enumerate(path):
        gradient, hessian = _means(landscape, rows, x)
        theta = sigma_gradient * rng.standard_normal((m, d)).mean(axis=0)
        H = np.mean([_symmetric(rng, d) for _ in range(m)], axis=0) * sigma_hessian
        norm = float(np.linalg.norm(gradient + theta))
        smallest = _smallest(hessian + H)
        seen.append((norm, smallest, float(np.linalg.norm(theta)), float(np.linalg.norm(H, 2))))
        if norm <= gradient_limit and smallest >= -curvature_limit:
            chosen = t
            break
    return Selection(chosen, *np.array(seen).T)


@strict_door
def above_threshold(
    landscape: Landscape,
    points: FloatArray,
    *,
    n: int,
    epsilon: float,
    gradient_limit: float,
    curvature_limit: float,
    seed: int = 0,
    replicate: int = 0,
) -> Selection:
    """Return the first point that AboveThreshold accepts: epsilon-private for one data set of n samples, without noise that grows with d.

    The query is the worse of (|gradient| - limit) / L and (-limit - smallest eigenvalue) / ell, which one record moves by at most 2/n;
    the point is accepted where it is at most 0, up to Laplace noise of scale 4 / (n epsilon) on the limit and 8 / (n epsilon) on each
    query. Only for one client: the exact values of all the data are needed in one place. Private is `chosen` alone: the values in
    `Selection` are exact, and its noise is that of the query.
    """
    path = array_of((None, landscape.d), points=points)
    positive(epsilon=epsilon, gradient_limit=gradient_limit, curvature_limit=curvature_limit)
    positive(L=landscape.constants["L"], ell=landscape.constants["ell"])  # an infinite one would hide the query in the noise
    if landscape.clients != 1:
        raise ValueError(f"landscape: it has {landscape.clients} clients; AboveThreshold needs all data in one place, so 1")
    rows, rng = _held_out(landscape, n, seed, replicate), generator(seed, replicate, RELEASE)
    limit = rng.laplace(scale=4 / (n * epsilon))
    seen: list[tuple[float, float, float, float]] = []
    chosen = None
    for t, x in enumerate(path):
        gradient, hessian = _means(landscape, rows, x)
        norm, smallest = float(np.linalg.norm(gradient)), _smallest(hessian)
        query = max((norm - gradient_limit) / landscape.constants["L"], (-curvature_limit - smallest) / landscape.constants["ell"])
        noise = rng.laplace(scale=8 / (n * epsilon))
        seen.append((norm, smallest, abs(noise) * landscape.constants["L"], abs(noise) * landscape.constants["ell"]))
        if query + noise <= limit:
            chosen = t
            break
    return Selection(chosen, *np.array(seen).T)


def _held_out(landscape: Landscape, n: int, seed: int, replicate: int) -> list[FloatArray]:
    positive_integer(n=n)
    seed_integer(seed=seed, replicate=replicate)
    room_for(16 * n * landscape.clients * landscape.d + 64 * landscape.d**2, n=n, clients=landscape.clients, d=landscape.d)
    return [landscape.draw(generator(seed, replicate, HELD_OUT + j), n, j) for j in range(landscape.clients)]


def _means(landscape: Landscape, rows: list[FloatArray], x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return gradient (d,) and Hessian (d, d) of the empirical risk, the mean over the clients."""
    g, gradient, hessian = np.empty(landscape.d), np.zeros(landscape.d), np.zeros((landscape.d, landscape.d))
    for client in rows:
        landscape.batch_gradient(x, client, landscape.params, g)
        gradient += g / len(rows)
        hessian += landscape.batch_hessian(x, client) / len(rows)
    return gradient, hessian


def _symmetric(rng: np.random.Generator, d: int) -> FloatArray:
    """Return a symmetric matrix whose entries on and above the diagonal are independent and standard normal."""
    upper = np.triu(rng.standard_normal((d, d)))
    return upper + np.triu(upper, 1).T


def _smallest(matrix: FloatArray) -> float:
    return float(eigh(matrix, eigvals_only=True, subset_by_index=[0, 0])[0])
