"""Settings that are best in law: alpha, T and C in the continuum, chosen on runs that exist in no data set.

No data are touched, so that no privacy is spent. All settings that are compared share their draws; the error of the one that is chosen is
told from draws that chose nothing.

At a number of steps the noise is proportional to C, and where every sample is clipped only alpha C matters: so the search goes by alpha C
and by C, both in units of what is clipped. It compares a coarse net of both at T_max, T_max / 2, T_max / 4, ..., then finer ones around
the best, where C is so small that every sample is clipped and where it is not, numbers of steps between, and at last the least of a
parabola. What it finds is the least up to a per cent or two, and three where runs vary much (d = 50 and below): smaller differences
between numbers of steps are within their noise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, product

import numpy as np

from synthetic.draws import FloatArray
from synthetic.estimate import Interval, clustered_mean
from synthetic.grid_settings import Settings
from synthetic.groups import Groups
from synthetic.in_law import MEASURES, METHODS, Conditions, last
from synthetic.in_law_zeroth import VECTOR_NOISE
from synthetic.validate import door, one_of, positive_integer

STEP = 3.0  # between neighbours of the coarse net; a finer one has the root of the step before in alpha C, and that step itself in C
SMALLEST = STEP**-3.0  # C in units of what is clipped: all samples are, but for 3 %, which costs a few times 1e-4 of the error
NOWHERE = 1e-12  # times the least alpha C that is worth a try: steps that change no digit
COARSE = 4  # replicates of the coarse net
FINER = ((4, 8), (3, 16))  # of the finer ones: how many of the best go on, and replicates
BETWEEN = (0.71, 1.41)  # times the best T, that are tried at last
DUEL, JUDGES = 3, 128  # how many points are compared at last, on how many replicates
WIDE = 0.15  # of bins in the nets: the best settings of neighbouring eigenvalues are alike, and there are far fewer groups
ROUGH, CLOSE = 0.1, 0.03  # tolerance of DP-GD's weights in the coarse net and in the finer ones: the same for all that are compared
FRESH = 2**20  # added to the seed: the draws that tell the result

Point = tuple[float, float, int]  # alpha C, C, T
Found = tuple[Point, float]  # and its mean error
Net = list[Point]  # that are compared


@dataclass(frozen=True)
class Tuned:
    """A setting with its noise, and the error that is predicted for it."""

    alpha: float
    T: int
    C: float
    sigma: float
    measure: str
    error: Interval
    searched: int  # settings that were run, some of them twice and more


@door
def tuned(
    method: str,
    conditions: Conditions,
    noise: Callable[[int], float],
    T_max: int,
    *,
    fixed: bool = False,
    measure: str = "grad_norm_test",
    threads: int | None = None,
) -> Tuned:
    """Return the setting of a method with the least predicted error at x_T among T <= T_max.

    noise    noise(T): sigma over C of T releases;   fixed   T_max itself, and no less;   measure   one of MEASURES
    """
    one_of(METHODS, method=method)
    one_of(MEASURES, measure=measure)
    positive_integer(T_max=T_max)
    search = Search(method, conditions, noise, measure, threads)
    horizons = [T_max]
    while horizons[-1] > 1 and not fixed:
        horizons.append(-(-horizons[-1] // 2))
    found = search.best([net for T in horizons for net in search.coarse(T)], COARSE)
    factor = STEP
    for count, replicates in FINER:
        factor = np.sqrt(factor)
        found = search.around(_first(found, count), factor, replicates)
    if not fixed:
        reach, C, T = _first(found, 1)[0]
        others = {T_max, *(min(T_max, max(1, round(T * share))) for share in BETWEEN)} - {point[2] for point, _ in found}
        found += search.around([(reach, C, other) for other in sorted(others)], factor, replicates)
    found = search.around(_first(found, DUEL), np.sqrt(factor), replicates)
    found = search.best([_first(found, DUEL)], JUDGES)  # what nets share is their draws, of which numbers of steps have not the same
    reach, C, T = search.between(_first(found, 1)[0], np.sqrt(factor))
    fresh = replace(conditions, seed=conditions.seed + FRESH)
    error = clustered_mean(search.values([(reach, C, T)], fresh))
    return Tuned(reach / C, T, C, noise(T) * C, measure, error, search.searched)


def _first(found: list[Found], count: int) -> list[Point]:
    """Return so many of the points, the best first."""
    return [point for point, _ in sorted(found, key=lambda one: one[1])[:count]]


@dataclass
class Search:
    """The nets of one search, and how many settings they had."""

    method: str
    conditions: Conditions
    noise: Callable[[int], float]
    measure: str
    threads: int | None
    searched: int = 0

    @property
    def unit(self) -> float:
        """The size of what is clipped at the optimum: of slopes, |A u|, of DPGD-0th times |u|; of DP-GD, a gradient."""
        groups = self.conditions.groups
        size = float(np.sqrt(groups.value**2 @ groups.size))
        return size * np.sqrt(groups.d) if VECTOR_NOISE.get(self.method, False) else size

    @cached_property
    def wide(self) -> Groups:
        """The spectrum in wide bins."""
        return self.conditions.groups.wider(WIDE)

    def coarse(self, T: int) -> list[Net]:
        """Return nets over all that can be meant at a number of steps: where all samples are clipped, and elsewhere.

        C up to where x_0 clips nothing; alpha from where the largest eigenvalue is hardly stable to where x_0 is hardly left, and so small
        that it is not left at all, which is best where the noise of any other step costs more than it gains.
        """
        groups = self.conditions.groups
        top, far = float(groups.value.max()), np.hypot(1.0, self.conditions.distance)
        clips = self.unit * SMALLEST * STEP ** np.arange(np.ceil(np.log(4 * far / SMALLEST) / np.log(STEP)) + 1)
        highest = 6.0 / top if self.method not in VECTOR_NOISE else 6.0 / (groups.trace + 2 * top)
        lowest = min(highest, 1.0 / (T * top)) / 30
        reaches = self.unit * highest * STEP ** -np.arange(np.ceil(np.log(highest / lowest) / np.log(STEP)) + 1)
        reaches = np.append(reaches, NOWHERE * reaches[-1])
        return [[(float(a), float(c), T) for a, c in product(reaches, some)] for some in (clips[:1], clips[1:])]

    def around(self, points: list[Point], factor: float, replicates: int) -> list[Found]:
        """Return the best of each point and its neighbours, two to each side in alpha C, and one in C but for the smallest."""
        nets = []
        for reach, C, T in points:
            clips = (0,) if self.unit * SMALLEST * 1.0001 > C else (-1, 0, 1)
            nets.append([(reach * factor**i, C * factor ** (2 * j), T) for i in (-2, -1, 0, 1, 2) for j in clips])
        return self.best(nets, replicates)

    def best(self, nets: list[Net], replicates: int) -> list[Found]:
        """Return the best of each net and its mean error."""
        if not nets:
            return []
        points = [point for net in nets for point in net]
        means = self.means(points, replicates)
        starts = np.cumsum([0, *(len(net) for net in nets)])
        found = [start + int(np.argmin(means[start:stop])) for start, stop in pairwise(starts)]
        return [(points[k], float(means[k])) for k in found]

    def between(self, point: Point, factor: float) -> Point:
        """Return the point with the alpha C at which a parabola fitted to the log errors around it is least, if it is among them."""
        reach, C, T = point
        x = np.arange(-2.0, 3.0)
        means = self.means([(reach * factor**i, C, T) for i in x], JUDGES)
        if not np.all(np.isfinite(means)):
            return point
        bend, slope, _ = np.polyfit(x, np.log(means), 2)
        least = -slope / (2 * bend) if bend > 0 else np.inf
        return (reach * factor**least, C, T) if abs(least) <= 2 else point

    def means(self, points: list[Point], replicates: int) -> FloatArray:
        """Return the mean errors of some points while it searches, (points,); a setting that diverges has inf."""
        rough = max(ROUGH if replicates == COARSE else CLOSE, self.conditions.tolerance)
        values = self.values(points, replace(self.conditions, groups=self.wide, replicates=replicates, tolerance=rough))
        with np.errstate(over="ignore", invalid="ignore"):
            return np.nan_to_num(values.mean(axis=0), nan=np.inf, posinf=np.inf)

    def values(self, points: list[Point], conditions: Conditions) -> FloatArray:
        """Return the measure of every replicate and point, (replicates, points)."""
        reach, C, T = (np.array(column) for column in zip(*points, strict=True))
        self.searched += len(points)
        settings = Settings(reach / C, T.astype(np.int64), C, np.array([self.noise(int(t)) for t in T]) * C)
        return last((self.method,), settings, conditions, threads=self.threads)[self.method][MEASURES.index(self.measure)]
