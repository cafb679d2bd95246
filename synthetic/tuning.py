"""Settings that are best in law: alpha, T and C in the continuum, chosen on runs that exist in no data set.

No data are touched, so that no privacy is spent. All settings that are compared share their draws; the error of the one that is chosen is
told from draws that chose nothing.

At a number of steps the noise is proportional to C, and where every sample is clipped only alpha C matters: so the search goes by alpha C
and by C, both in units of what is clipped. It compares a coarse net of both at T_max, T_max / 2, T_max / 4, ..., then finer ones around
the best horizons, and at last horizons between them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from synthetic.draws import FloatArray
from synthetic.estimate import Interval, clustered_mean
from synthetic.grid_settings import Settings
from synthetic.in_law import MEASURES, METHODS, Conditions, last
from synthetic.in_law_zeroth import VECTOR_NOISE
from synthetic.validate import door, one_of, positive_integer

STEP = 3.0  # between neighbours of the coarse net; a finer one has the square root of the one before
COARSE = 4  # replicates of the coarse net
FINER = (8, 16, 64, 64)  # of the finer ones
HORIZONS = (6, 3, 2, 1)  # how many of the best horizons go on to each of these
ROUGH, CLOSE = 0.02, 0.005  # tolerance of DP-GD's weights in the coarse net and in the finer ones: the same for all that are compared
BETWEEN = (0.7, 0.8, 0.9, 1.0, 1.15, 1.3)  # times the best of these horizons: the last ones that are compared
FRESH = 2**20  # added to the seed: the draws that tell the result


@dataclass(frozen=True)
class Tuned:
    """A setting with its noise, and the error that is predicted for it."""

    alpha: float
    T: int
    C: float
    sigma: float
    measure: str
    error: Interval
    searched: int  # settings that were compared


@door
def tuned(
    method: str,
    conditions: Conditions,
    noise: Callable[[int], float],
    T_max: int,
    *,
    measure: str = "grad_norm_test",
    threads: int | None = None,
) -> Tuned:
    """Return the setting of a method with the least predicted error at x_T among T <= T_max.

    noise    noise(T): sigma over C of T releases;   measure   one of MEASURES
    """
    one_of(METHODS, method=method)
    one_of(MEASURES, measure=measure)
    positive_integer(T_max=T_max)
    search = _Search(method, conditions, noise, measure, threads)
    horizons = [T_max]
    while horizons[-1] > 1:
        horizons.append(-(-horizons[-1] // 2))
    nets = {T: search.best([(a, c, T) for a, c in product(search.reaches(T), search.clips())], COARSE) for T in horizons}
    factor = STEP
    for count, replicates in zip(HORIZONS, FINER, strict=True):
        factor = np.sqrt(factor)
        kept = sorted(nets.values(), key=lambda found: found[1])[:count]
        nets = {point[2]: search.best(_around(point, factor), replicates) for point, _ in kept}
    (reach, C, T), _ = min(nets.values(), key=lambda found: found[1])
    ladder = sorted({min(T_max, max(1, round(T * share))) for share in BETWEEN})
    (reach, C, T), _ = search.best([(reach * share, C, t) for t in ladder for share in (0.85, 1.0, 1.18)], replicates)
    alpha = reach / C
    fresh = replace(conditions, seed=conditions.seed + FRESH)
    values = search.values([(reach, C, T)], fresh)
    error = clustered_mean(values) if fresh.replicates > 1 else Interval(float(values[0, 0]), -np.inf, np.inf, 0.95)
    return Tuned(alpha, T, C, noise(T) * C, measure, error, search.searched)


Point = tuple[float, float, int]  # alpha C, C, T


class _Search:
    """The nets of one search, and what they cost."""

    def __init__(self, method: str, conditions: Conditions, noise: Callable[[int], float], measure: str, threads: int | None) -> None:
        self.method, self.conditions, self.noise, self.measure, self.threads = method, conditions, noise, measure, threads
        self.searched = 0

    def scale(self) -> float:
        """Return the size of what is clipped at the optimum: of slopes, |A u|, of DPGD-0th times |u|; of DP-GD, a gradient."""
        groups = self.conditions.groups
        size = float(np.sqrt(groups.value**2 @ groups.size))
        return size * np.sqrt(groups.d) if VECTOR_NOISE.get(self.method, False) else size

    def clips(self) -> FloatArray:
        """Return thresholds from where all samples are clipped to where none is."""
        far = np.hypot(1.0, self.conditions.distance)
        return self.scale() * STEP ** np.arange(-3.0, np.ceil(np.log(4 * far) / np.log(STEP)) + 1)

    def reaches(self, T: int) -> FloatArray:
        """Return alpha C: for alpha as large as keeps the largest eigenvalue stable, down to where x_0 is hardly left in T steps."""
        groups = self.conditions.groups
        top = float(groups.value.max())
        highest = 6.0 / top if self.method not in VECTOR_NOISE else 6.0 / (groups.trace + 2 * top)
        lowest = min(highest, 1.0 / (T * top)) / 30
        steps = int(np.ceil(np.log(highest / lowest) / np.log(STEP)))
        return self.scale() * highest * STEP ** -np.arange(float(steps + 1))

    def values(self, points: list[Point], conditions: Conditions) -> FloatArray:
        """Return the measure of every replicate and point, (replicates, points)."""
        reach, C, T = (np.array(column) for column in zip(*points, strict=True))
        sigma = np.array([self.noise(int(t)) for t in T]) * C
        self.searched += len(points)
        settings = Settings(reach / C, T.astype(np.int64), C, sigma)
        return last((self.method,), settings, conditions, threads=self.threads)[self.method][MEASURES.index(self.measure)]

    def best(self, points: list[Point], replicates: int) -> tuple[Point, float]:
        """Return the best of some points and its mean error; a setting that diverges has inf."""
        rough = max(ROUGH if replicates <= COARSE else CLOSE, self.conditions.tolerance)
        values = self.values(points, replace(self.conditions, replicates=replicates, tolerance=rough))
        with np.errstate(over="ignore", invalid="ignore"):
            means = np.nan_to_num(values.mean(axis=0), nan=np.inf, posinf=np.inf)
        k = int(np.argmin(means))
        return points[k], float(means[k])


def _around(point: Point, factor: float) -> list[Point]:
    """Return the neighbours of a point, two to each side in alpha C and one in C."""
    reach, C, T = point
    return [(reach * factor**i, C * factor ** (2 * j), T) for i in (-2, -1, 0, 1, 2) for j in (-1, 0, 1)]
