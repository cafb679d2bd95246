"""Perturbed gradient descent from a saddle: single runs, and the coupled runs of Gauss-PSGD's Definition 5."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthetic import kernels
from synthetic.compiled import run_replicates
from synthetic.draws import NOISE, FloatArray, generator
from synthetic.memory import check_memory
from synthetic.objectives.saddles import SaddleObjective, check_saddle_objective
from synthetic.objectives.separable_saddles import random_phase_cosines
from synthetic.validate import array_of, non_negative, positive, positive_integer, seed_integer, validated


@dataclass(frozen=True, eq=False)
class Escapes:
    """Result of `escape`: values and distances from the start, one row per replicate, NaN after a step that was not finite.

    value, distance (replicates, T+1)   F(x_t) and |x_t - x_0|
    """

    objective: str
    settings: dict[str, Any]
    value: FloatArray
    distance: FloatArray

    def __repr__(self) -> str:
        return f"Escapes({self.objective}: {self.value.shape[0]} x {self.value.shape[1] - 1} (replicates, steps))"

    def escaped(self, R: float, Gamma: int) -> NDArray[np.bool_]:
        """Return which replicates reached the distance R from the start within Gamma steps, as booleans (replicates,)."""
        return np.any(self.distance[:, 1 : Gamma + 1] >= R, axis=1)


@validated
def escape(
    landscape: SaddleObjective,
    *,
    eta: float,
    T: int,
    sigma: float,
    zeta: float = 0.0,
    replicates: int = 1,
    seed: int = 0,
    x0: FloatArray | None = None,
    threads: int | None = None,
) -> Escapes:
    """Run perturbed gradient descent from a saddle: T steps of x - eta (grad F(x) + noise); return F(x_t) and |x_t - x_0|.

    Parameters
    ----------
    landscape
        An objective with a saddle, such as `random_phase_cosines`.
    eta
        Step size, above 0.
    T
        Number of steps.
    sigma
        Standard deviation per coordinate of the Gaussian noise, at least 0. The paper writes r.
    zeta
        Radius of the sphere on which the sampling error is uniform, at least 0.
    replicates
        Number of independent runs.
    seed
        Seed of the noise, an integer of at least 0.
    x0
        Start, an array (d,). By default the saddle.
    threads
        Threads for the replicates; the result does not depend on them. By default all cores.

    Returns
    -------
    Escapes
        ``value``, F(x_t), and ``distance``, |x_t - x_0|, each an array (replicates, T+1), NaN after a step that was not finite.
        ``escaped(R, Gamma)`` returns which replicates came to the distance R within Gamma steps.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    Equations (1), (2) and (4) of Gauss-PSGD. The gradient is exact: samples and a private oracle are in ``simulate("gauss_psgd", ...)``.

    Examples
    --------
    >>> runs = lab.escape(lab.random_phase_cosines(5), eta=0.1, T=100, sigma=0.01, replicates=4)
    >>> runs.distance.shape
    (4, 101)
    >>> runs.escaped(1.0, 100)
    array([ True,  True,  True,  True])
    """
    check_saddle_objective(landscape)
    start = landscape.saddle if x0 is None else array_of((landscape.d,), x0=x0)

    def descend(*given: Any) -> int:
        """Run one perturbed descent; write F(x_t) and |x_t - x_0| to its rows, and return how many steps were finite."""
        return int(kernels.perturbed_descent(landscape.value_gradient, landscape.params, start.copy(), *given))

    return Escapes(*_run_replicates(landscape, descend, 2, threads, eta=eta, T=T, sigma=sigma, zeta=zeta, replicates=replicates, seed=seed))


@dataclass(frozen=True, eq=False)
class Couples:
    """Result of `couple`: distances of two coupled sequences x_t, x'_t (Definition 5), each (replicates, T+1).

    distance, twin_distance, apart   |x_t - x_0|, |x'_t - x_0| and |x_t - x'_t|; NaN after a step that was not finite
    """

    objective: str
    settings: dict[str, Any]
    distance: FloatArray
    twin_distance: FloatArray
    apart: FloatArray

    def __repr__(self) -> str:
        return f"Couples({self.objective}: {self.apart.shape[0]} x {self.apart.shape[1] - 1} (replicates, steps))"


@validated
def couple(
    landscape: SaddleObjective,
    *,
    eta: float,
    T: int,
    sigma: float,
    zeta: float = 0.0,
    replicates: int = 1,
    seed: int = 0,
    threads: int | None = None,
) -> Couples:
    """Run pairs of perturbed descents from a saddle, with opposite Gaussian noise along the escape direction; return their distances.

    In all other directions the two runs of a pair have the same noise. The direction of escape is the eigenvector of the Hessian at the
    saddle with the smallest eigenvalue.

    Parameters
    ----------
    landscape
        An objective with a saddle, such as `random_phase_cosines`.
    eta
        Step size, above 0.
    T
        Number of steps.
    sigma
        Standard deviation per coordinate of the Gaussian noise, at least 0.
    zeta
        Radius of the sphere on which the sampling error is uniform, at least 0. It is the same for both runs.
    replicates
        Number of independent pairs.
    seed
        Seed of the noise, an integer of at least 0.
    threads
        Threads for the replicates; the result does not depend on them. By default all cores.

    Returns
    -------
    Couples
        ``distance``, |x_t - x_0|, ``twin_distance``, |x'_t - x_0|, and ``apart``, |x_t - x'_t|, each an array (replicates, T+1), NaN after
        a step that was not finite.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    The coupled sequences of Definition 5 of Gauss-PSGD.

    Examples
    --------
    >>> pairs = lab.couple(lab.random_phase_cosines(5), eta=0.1, T=100, sigma=0.01, replicates=2)
    >>> bool(np.all(pairs.apart[:, 100] > 100 * pairs.apart[:, 1]))
    True
    """
    check_saddle_objective(landscape)
    check_memory(32 * landscape.d**2, d=landscape.d)
    v = np.ascontiguousarray(np.linalg.eigh(landscape.hessian(landscape.saddle))[1][:, 0])

    def descend(*given: Any) -> int:
        """Run one coupled pair; write its three distances to its rows, and return how many steps were finite."""
        x, y = landscape.saddle.copy(), landscape.saddle.copy()
        return int(kernels.coupled_descent(landscape.value_gradient, landscape.params, v, x, y, *given))

    return Couples(*_run_replicates(landscape, descend, 3, threads, eta=eta, T=T, sigma=sigma, zeta=zeta, replicates=replicates, seed=seed))


def _run_replicates(
    landscape: SaddleObjective, descend: Callable[..., int], count: int, threads: int | None, **settings: Any
) -> tuple[Any, ...]:
    """Validate the settings and run a descent for every replicate; return name, settings and `count` arrays (replicates, T+1).

    descend(eta, zeta, sigma, rng, *rows) writes its rows and returns how many steps were finite; the rest is NaN.
    """
    T, replicates, seed = settings["T"], settings["replicates"], settings["seed"]
    positive(eta=settings["eta"])
    non_negative(sigma=settings["sigma"], zeta=settings["zeta"])
    positive_integer(T=T, replicates=replicates)
    seed_integer(seed=seed)
    if threads is not None:
        positive_integer(threads=threads)
    check_memory(24 * replicates * (T + 1), replicates=replicates, T=T)
    numbers = [float(settings[name]) for name in ("eta", "zeta", "sigma")]  # an int would compile the kernel again
    rows = np.full((count, replicates, T + 1), np.nan)

    def replicate(r: int) -> None:
        reached = descend(*numbers, generator(seed, r, NOISE), *rows[:, r])
        rows[:, r, reached + 1 :] = np.nan

    run_replicates(landscape.name, replicate, replicates, threads)
    return landscape.name, settings, *rows


def escape_cell(*, landscape: Mapping[str, Any], R: float, Gamma: int, **settings: Any) -> dict[str, np.ndarray]:
    """Run `escape` from the saddle; return under "escaped" which runs reached the distance R within Gamma steps, (replicates,)."""
    runs = escape(random_phase_cosines(**landscape), T=Gamma, **settings, threads=1)
    return {"escaped": runs.escaped(R, Gamma)}


def path_cell(*, landscape: Mapping[str, Any], times: Sequence[int], **settings: Any) -> dict[str, np.ndarray]:
    """Run `escape` and `couple`; return distance from the saddle, drop of F and distance between coupled runs, (replicates, times)."""
    place, at, last = random_phase_cosines(**landscape), list(times), max(times)
    runs, pairs = escape(place, T=last, **settings, threads=1), couple(place, T=last, **settings, threads=1)
    return {"distance": runs.distance[:, at], "drop": runs.value[:, :1] - runs.value[:, at], "apart": pairs.apart[:, at]}
