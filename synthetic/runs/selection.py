"""Selection of one point of a trajectory on held-out samples: Algorithm 4 of Gauss-PSGD, and the AboveThreshold baseline.

Source    Gauss-PSGD, Algorithm 4 and Appendix D; AboveThreshold: Dwork, Roth (2014), Algorithm 1 and Theorem 3.23.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from synthetic.draws import FloatArray, generator
from synthetic.kernels.selection import accept_query, draw_limit_noise
from synthetic.memory import check_memory
from synthetic.objectives.saddles import SaddleObjective, check_saddle_objective, smallest_eigenvalue
from synthetic.objectives.separable_saddles import random_phase_cosines
from synthetic.runs.psgd import gauss_psgd
from synthetic.validate import array_of, non_negative, positive, positive_integer, seed_integer, validated_strictly

HELD_OUT, RELEASE = 2**20, 2**19  # roles of the held-out samples of client 0, and of the noise of a release


@dataclass(frozen=True, eq=False)
class Selection:
    """Result of a selection: the index of the chosen point, and the values compared at every point up to it.

    chosen                 index of the chosen point; None where no point passed: the algorithm then outputs nothing
    grad_norm, smallest    (looked,) what was compared: noisy gradient norms, noisy smallest eigenvalues
    gradient_noise, hessian_noise   (looked,) norms of the noise in them, after averaging over the clients
    """

    chosen: int | None
    grad_norm: FloatArray
    smallest: FloatArray
    gradient_noise: FloatArray
    hessian_noise: FloatArray

    def __repr__(self) -> str:
        chosen = "no point passed" if self.chosen is None else f"point {self.chosen}"
        return f"Selection({chosen}; {len(self.grad_norm)} looked at)"


@validated_strictly
def select(
    landscape: SaddleObjective,
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
    """Choose the first point of a trajectory whose noisy gradient norm and noisy smallest Hessian eigenvalue meet two limits.

    Gradients and Hessians are means over held-out samples, which are drawn here and used for every point.

    Parameters
    ----------
    landscape
        An objective with a saddle, such as `random_phase_cosines`.
    points
        The trajectory, an array (T, d).
    n
        Held-out samples of each client.
    sigma_gradient
        Standard deviation per coordinate of the noise that each client adds to its gradient, at least 0.
    sigma_hessian
        The same for the upper triangle of its Hessian; the lower triangle mirrors it.
    gradient_limit
        Largest gradient norm that is accepted, above 0.
    curvature_limit
        The smallest eigenvalue must be at least minus this, which is above 0.
    seed, replicate
        Seed and stream of samples and noise, integers of at least 0.

    Returns
    -------
    Selection
        ``chosen``, the index of the point, or None where no point meets the limits; and what was compared at every point up to it.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    Algorithm 4 of Gauss-PSGD. No privacy is computed here: it depends on both sigma, n and the number of points.
    `bounds.gauss_psgd.selection` calibrates them.

    Examples
    --------
    >>> problem = lab.random_phase_cosines(2)
    >>> points = np.array([problem.saddle, problem.x0, [np.pi, 0.0]])  # the last is a minimum
    >>> limits = {"gradient_limit": 0.5, "curvature_limit": 0.2}
    >>> lab.select(problem, points, n=1000, sigma_gradient=0.01, sigma_hessian=0.01, **limits).chosen
    2
    """
    check_saddle_objective(landscape)
    path = array_of((None, landscape.d), points=points)
    non_negative(sigma_gradient=sigma_gradient, sigma_hessian=sigma_hessian)
    positive(gradient_limit=gradient_limit, curvature_limit=curvature_limit)
    rows, rng, m = _draw_held_out(landscape, n, seed, replicate), generator(seed, replicate, RELEASE), landscape.clients

    def look(gradient: FloatArray, hessian: FloatArray) -> tuple[bool, list[float]]:
        """Return whether the noisy derivatives meet the limits, and the four values that `Selection` keeps."""
        released, (theta, H) = noisy_derivatives(rng, gradient, hessian, m, sigma_gradient, sigma_hessian)
        norm, smallest = float(np.linalg.norm(released[0])), smallest_eigenvalue(released[1])
        seen = [norm, smallest, float(np.linalg.norm(theta)), float(np.linalg.norm(H, 2))]
        return norm <= gradient_limit and smallest >= -curvature_limit, seen

    return _select_first(landscape, path, rows, look)


@validated_strictly
def above_threshold(
    landscape: SaddleObjective,
    points: FloatArray,
    *,
    n: int,
    epsilon: float,
    gradient_limit: float,
    curvature_limit: float,
    seed: int = 0,
    replicate: int = 0,
) -> Selection:
    """Choose the first point of a trajectory that AboveThreshold accepts, with epsilon-differential privacy.

    Only the index ``chosen`` is private. The noise does not grow with d.

    Parameters
    ----------
    landscape
        An objective with a saddle, with one client and finite constants L and ell.
    points
        The trajectory, an array (T, d).
    n
        Held-out samples, which are drawn here and used for every point.
    epsilon
        Privacy of the choice, above 0, for one data set of n samples.
    gradient_limit
        Largest gradient norm that is accepted, above 0.
    curvature_limit
        The smallest Hessian eigenvalue must be at least minus this, which is above 0.
    seed, replicate
        Seed and stream of samples and noise, integers of at least 0.

    Returns
    -------
    Selection
        ``chosen``, the index of the point, or None where none is accepted. The other values are exact, and not private.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name, and for more than one client: the method needs all data in one place.

    Notes
    -----
    The query is the larger of (|gradient| - gradient_limit) / L and (-curvature_limit - smallest eigenvalue) / ell. One replaced record
    moves it by at most 2/n. A point is accepted where query plus noise is at most the noisy limit 0. The Laplace noise has scale 8 / (n
    epsilon) on each query and 4 / (n epsilon) on the limit (Dwork, Roth 2014, Algorithm 1 and Theorem 3.23). ``gradient_noise`` and
    ``hessian_noise`` of the result are the absolute value of the query's noise, times L and times ell.

    Examples
    --------
    >>> problem = lab.random_phase_cosines(2)
    >>> points = np.array([problem.saddle, problem.x0, [np.pi, 0.0]])  # the last is a minimum
    >>> lab.above_threshold(problem, points, n=1000, epsilon=5.0, gradient_limit=0.5, curvature_limit=0.2).chosen
    2
    """
    check_saddle_objective(landscape)
    path = array_of((None, landscape.d), points=points)
    positive(epsilon=epsilon, gradient_limit=gradient_limit, curvature_limit=curvature_limit)
    positive(L=landscape.constants["L"], ell=landscape.constants["ell"])  # an infinite one would hide the query in the noise
    if landscape.clients != 1:
        raise ValueError(f"landscape: it has {landscape.clients} clients; AboveThreshold needs all data together, so a single client")
    rows, rng = _draw_held_out(landscape, n, seed, replicate), generator(seed, replicate, RELEASE)
    limit, L, ell = draw_limit_noise(n, float(epsilon), rng), landscape.constants["L"], landscape.constants["ell"]

    def look(gradient: FloatArray, hessian: FloatArray) -> tuple[bool, list[float]]:
        """Return whether the noisy query is accepted, and the four values that `Selection` keeps."""
        norm, smallest = float(np.linalg.norm(gradient)), smallest_eigenvalue(hessian)
        accepted, noise = accept_query(
            threshold_query(norm, smallest, gradient_limit, curvature_limit, L, ell), limit, n, float(epsilon), rng
        )
        return accepted, [norm, smallest, abs(noise) * L, abs(noise) * ell]

    return _select_first(landscape, path, rows, look)


def threshold_query(norm: float, smallest: float, gradient_limit: float, curvature_limit: float, L: float, ell: float) -> float:
    """Return the query of `above_threshold`: the larger scaled excess of |gradient| and of -(smallest eigenvalue) over its limit.

    norm, smallest   the exact gradient's norm and the exact Hessian's smallest eigenvalue
    """
    return max((norm - gradient_limit) / L, (-curvature_limit - smallest) / ell)


def noisy_derivatives(
    rng: np.random.Generator, gradient: FloatArray, hessian: FloatArray, m: int, sigma_gradient: float, sigma_hessian: float
) -> tuple[tuple[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]:
    """Return what `select` releases, gradient (d,) and Hessian (d, d) with Gaussian noise averaged over m clients, and that noise."""
    d = len(gradient)
    theta = sigma_gradient * rng.standard_normal((m, d)).mean(axis=0)
    H = np.mean([_draw_symmetric(rng, d) for _ in range(m)], axis=0) * sigma_hessian
    return (gradient + theta, hessian + H), (theta, H)


def _select_first(
    landscape: SaddleObjective, path: FloatArray, rows: list[FloatArray], look: Callable[..., tuple[bool, list[float]]]
) -> Selection:
    """Return as `Selection` the first point of a path (T, d) that `look` accepts, and what it saw up to there.

    look(gradient, hessian) returns whether a point is accepted, and four values; rows are the held-out samples of each client.
    """
    seen: list[list[float]] = []
    accepted = False
    while not accepted and len(seen) < len(path):
        accepted, values = look(*mean_derivatives(landscape, rows, path[len(seen)]))
        seen.append(values)
    return Selection(len(seen) - 1 if accepted else None, *np.array(seen).T)


def _draw_held_out(landscape: SaddleObjective, n: int, seed: int, replicate: int) -> list[FloatArray]:
    """Draw n held-out samples of every client of an objective with a saddle; return a list of arrays (n, p), one per client."""
    positive_integer(n=n)
    seed_integer(seed=seed, replicate=replicate)
    check_memory(16 * n * landscape.clients * landscape.d + 64 * landscape.d**2, n=n, clients=landscape.clients, d=landscape.d)
    return [landscape.draw(generator(seed, replicate, HELD_OUT + j), n, j) for j in range(landscape.clients)]


def mean_derivatives(landscape: SaddleObjective, rows: list[FloatArray], x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return gradient (d,) and Hessian (d, d) of the empirical risk at x (d,), the mean over the clients' samples."""
    g, gradient, hessian = np.empty(landscape.d), np.zeros(landscape.d), np.zeros((landscape.d, landscape.d))
    for client in rows:
        landscape.batch_gradient(x, client, landscape.params, g)
        gradient += g / len(rows)
        hessian += landscape.batch_hessian(x, client) / len(rows)
    return gradient, hessian


def _draw_symmetric(rng: np.random.Generator, d: int) -> FloatArray:
    """Draw a symmetric matrix (d, d) whose entries on and above the diagonal are independent standard normal."""
    upper = np.triu(rng.standard_normal((d, d)))
    return upper + np.triu(upper, 1).T


def selection_cell(
    *,
    landscape: Mapping[str, Any],
    run: Mapping[str, Any],
    T: int,
    n: int,
    rules: Mapping[str, Mapping[str, float]],
    replicates: int,
    seed: int,
) -> dict[str, np.ndarray]:
    """Choose among the first T points of Gauss-PSGD runs by each rule; return errors, choices and noise norms, each (replicates,).

    run      arguments of `gauss_psgd`, which keeps at most T steps;   n   held-out samples of each client
    rules    arguments of `select` by the name of the rule, or, for the name "above_threshold", of that function
    own/error, RULE/error   `sosp_error` of the point that the run itself returns, and of the chosen point; inf where there is none
    RULE/chosen             index of the chosen point, -1 where none
    RULE/gradient_noise, RULE/hessian_noise   norms of the noise at the first point, which no choice has influenced
    """
    place = random_phase_cosines(**landscape)
    found = gauss_psgd(place, **run, limit=T, keep_points=True, replicates=replicates, seed=seed, threads=1)
    out: dict[str, list[float]] = {"own/error": []}
    with threadpool_limits(1):  # one thread a cell, in the eigenvalues too
        for r in range(replicates):
            out["own/error"].append(place.sosp_error(found.x[r]) if found.returned[r] else np.inf)
            points = found.points[r, : found.steps[r]]
            for name, numbers in rules.items():
                rule: Any = above_threshold if name == "above_threshold" else select
                seen = rule(place, points, n=n, **numbers, seed=seed, replicate=r)
                values = {
                    "chosen": -1 if seen.chosen is None else seen.chosen,
                    "error": np.inf if seen.chosen is None else place.sosp_error(points[seen.chosen]),
                    "gradient_noise": seen.gradient_noise[0],
                    "hessian_noise": seen.hessian_noise[0],
                }
                for key, value in values.items():
                    out.setdefault(f"{name}/{key}", []).append(float(value))
    return {name: np.array(values) for name, values in out.items()}
