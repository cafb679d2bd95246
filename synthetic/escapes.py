"""Perturbed descent from a saddle: single runs, and the coupled ones of Gauss-PSGD's Definition 5."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthetic import kernels
from synthetic.compiled import compiling
from synthetic.draws import NOISE, FloatArray, generator
from synthetic.memory import room_for
from synthetic.saddles import Landscape
from synthetic.validate import array_of, door, non_negative, positive, positive_integer, seed_integer, shown


@dataclass(frozen=True, eq=False)
class Escapes:
    """Perturbed descent from a saddle, one row a replicate, NaN after a step that was not finite.

    value, distance (replicates, T+1)   F(x_t) and |x_t - x_0|
    """

    objective: str
    settings: dict[str, Any]
    value: FloatArray
    distance: FloatArray

    def escaped(self, R: float, Gamma: int) -> NDArray[np.bool_]:
        """Which replicates came to the distance R within Gamma steps, (replicates,)."""
        return np.any(self.distance[:, 1 : Gamma + 1] >= R, axis=1)


@door
def escape(
    landscape: Landscape,
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
    """Run T steps of x - eta (grad F + noise) from the saddle (or x0): equations (1), (2), (4) of Gauss-PSGD.

    sigma   standard deviation per coordinate of the Gaussian noise (the paper's r);   zeta   radius of the sphere of the sampling error
    """
    positive(eta=eta)
    non_negative(sigma=sigma, zeta=zeta)
    eta, sigma, zeta = float(eta), float(sigma), float(zeta)  # an int would compile the kernel again
    _counts(landscape, T, replicates, seed, threads)
    start = landscape.saddle if x0 is None else array_of((landscape.d,), x0=x0)
    value, distance = np.full((replicates, T + 1), np.nan), np.full((replicates, T + 1), np.nan)

    def replicate(r: int) -> None:
        rng = generator(seed, r, NOISE)
        reached = kernels.perturbed_descent(
            landscape.value_gradient, landscape.params, start.copy(), eta, zeta, sigma, rng, value[r], distance[r]
        )
        value[r, reached + 1 :] = distance[r, reached + 1 :] = np.nan

    with compiling(landscape.name), ThreadPoolExecutor(max_workers=min(replicates, threads or os.cpu_count() or 1)) as pool:
        list(pool.map(replicate, range(replicates)))
    settings = {"eta": eta, "T": T, "sigma": sigma, "zeta": zeta, "replicates": replicates, "seed": seed}
    return Escapes(landscape.name, settings, value, distance)


@dataclass(frozen=True, eq=False)
class Couples:
    """Coupled sequences (Definition 5), one row a replicate: |x_t - x_0|, |x'_t - x_0| and |x_t - x'_t|, (replicates, T+1)."""

    objective: str
    settings: dict[str, Any]
    distance: FloatArray
    twin_distance: FloatArray
    apart: FloatArray


@door
def couple(
    landscape: Landscape,
    *,
    eta: float,
    T: int,
    sigma: float,
    zeta: float = 0.0,
    replicates: int = 1,
    seed: int = 0,
    threads: int | None = None,
) -> Couples:
    """Run pairs from the saddle whose Gaussian noise is opposite along the escape direction and the same elsewhere (Definition 5)."""
    positive(eta=eta)
    non_negative(sigma=sigma, zeta=zeta)
    eta, sigma, zeta = float(eta), float(sigma), float(zeta)  # an int would compile the kernel again
    _counts(landscape, T, replicates, seed, threads)
    room_for(32 * landscape.d**2, d=landscape.d)
    v = np.ascontiguousarray(np.linalg.eigh(landscape.hessian(landscape.saddle))[1][:, 0])
    distance, twin, apart = (np.full((replicates, T + 1), np.nan) for _ in range(3))

    def replicate(r: int) -> None:
        rng, x, y = generator(seed, r, NOISE), landscape.saddle.copy(), landscape.saddle.copy()
        out = (distance[r], twin[r], apart[r])
        reached = kernels.coupled_descent(landscape.value_gradient, landscape.params, v, x, y, eta, zeta, sigma, rng, *out)
        for row in out:
            row[reached + 1 :] = np.nan

    with compiling(landscape.name), ThreadPoolExecutor(max_workers=min(replicates, threads or os.cpu_count() or 1)) as pool:
        list(pool.map(replicate, range(replicates)))
    settings = {"eta": eta, "T": T, "sigma": sigma, "zeta": zeta, "replicates": replicates, "seed": seed}
    return Couples(landscape.name, settings, distance, twin, apart)


def _counts(landscape: Landscape, T: int, replicates: int, seed: int, threads: int | None) -> None:
    """Raise ValueError unless the landscape is one, the counts are counts, and there is room for the distances of all steps."""
    if not isinstance(landscape, Landscape):
        raise ValueError(f"landscape = {shown(landscape)}: a loss with a saddle is needed, such as random_phase_cosines(d)")
    positive_integer(T=T, replicates=replicates)
    seed_integer(seed=seed)
    if threads is not None:
        positive_integer(threads=threads)
    room_for(24 * replicates * (T + 1), replicates=replicates, T=T)
