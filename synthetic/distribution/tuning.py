"""Tuning: the setting (alpha, T, C) of a method with the least error predicted in distribution, alpha and C from a continuum.

No data are read, so that no privacy is spent. All settings that are compared share their draws; the error of the chosen one is estimated
from draws that were not used to choose it.

At a number of steps the noise is proportional to C, and where every sample is clipped only alpha C matters: so the search goes by alpha C
and by C, both in units of what is clipped. It compares a coarse net of both at T_max, T_max / 2, T_max / 4, ..., then finer ones around
the best of all and of each small number of steps, where C is so small that every sample is clipped and where it is not, then numbers of
steps between, and at last the minimum of a polynomial in alpha C. Errors are often flat in T: the caller may state what share of the error
fewer steps may cost. Runs of different length share their last draws, which decide their errors. The result is the minimum up to about a
per cent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise, product

import numpy as np

from synthetic.distribution.quadratic import MEASURES, METHODS, Conditions, final_measures
from synthetic.distribution.zeroth_order import VECTOR_NOISE
from synthetic.draws import FloatArray
from synthetic.estimate import SIZE, Interval, clustered_mean
from synthetic.grids.settings import Settings
from synthetic.groups import Groups
from synthetic.validate import non_negative, one_of, positive_integer, validated

STEP = 3.0  # ratio of neighbours in the coarse net; a finer net has the root of the last ratio in alpha C, and that ratio itself in C
SMALLEST = STEP**-5.0  # C in units of what is clipped: all but 0.3 % of the samples are
LOWEST = STEP**-2.0  # least C, in these units, of nets where not all samples are clipped
NOWHERE = 1e-12  # times the least useful alpha C: steps that change no digit
COARSE = 4  # replicates of the coarse net
FINER = ((4, 8), (4, 16))  # finer nets: how many of the best points they surround, and replicates
FINE = STEP**0.5 ** len(FINER)  # ratio of neighbours in alpha C in the last of these nets
CHEAP = 16  # T of at most T_max / CHEAP has finer nets of its own, which cost little: its best point lies between coarse points
BETWEEN = (0.71, 1.41)  # times the best T: tried at the end
DUEL, JUDGES = 4, (32, 1024)  # number of points compared at the end, and replicates: doubled until the points can be distinguished
APART, CLEAR = 2e-3, 2.0  # distinguished: differences known to that share of the error, or above so many standard errors
LEAST = (32, 128)  # replicates of the points through which the polynomial is fitted
SHORT = 10  # steps, up to which DP-GD may gain by a stepsize at which longer runs diverge
WIDE = 0.15  # width of bins in the nets: the best settings hardly depend on it, and there are far fewer groups
ROUGH, CLOSE = 0.1, 0.03  # tolerance of DP-GD's weights in the nets and at the end: the same for all points that are compared
FRESH = 2**20  # added to the seed: the draws from which the result's error is estimated

Point = tuple[float, float, int]  # alpha C, C, T
Found = tuple[Point, float]  # and its mean error
Net = list[Point]  # compared with each other


@dataclass(frozen=True, eq=False)
class TunedSetting:
    """Result of tuning: a setting with its noise, and the error predicted for it on fresh runs.

    error    confidence interval of the mean error at x_T;   values   the fresh runs' measures at x_T, (4, replicates)
    """

    alpha: float
    T: int
    C: float
    sigma: float
    measure: str
    error: Interval
    searched: int  # settings that were run, some of them twice and more
    values: FloatArray = field(repr=False)


@validated
def tune(
    method: str,
    conditions: Conditions,
    noise: Callable[[int], float],
    T_max: int,
    *,
    fixed: bool = False,
    tie: float = 0.0,
    measure: str = "grad_norm_test",
    threads: int | None = None,
) -> TunedSetting:
    """Search the setting (alpha, T, C) of a method with the least predicted error at x_T among T <= T_max; return it with its error.

    noise    noise(T): sigma over C of T releases;   fixed   use T_max itself, no fewer steps;   measure   one of MEASURES
    tie      a share of the error that fewer steps may cost: they are halved while they cost no more
    """
    one_of(METHODS, method=method)
    one_of(MEASURES, measure=measure)
    positive_integer(T_max=T_max)
    non_negative(tie=tie)
    search = Search(method, conditions, noise, measure, threads)
    horizons = [T_max]
    while horizons[-1] > 1 and not fixed:
        horizons.append(-(-horizons[-1] // 2))
    coarse = search.best_of_nets([net for T in horizons for net in search.coarse_nets(T)], COARSE)
    found = search.refine(coarse)
    for T in horizons:
        found += search.search_horizon(T, coarse) if T <= T_max / CHEAP else []
    if not fixed:
        reach, C, T = _best_points(found, 1)[0]
        others = {T_max, *(min(T_max, max(1, round(T * share))) for share in BETWEEN)} - {point[2] for point, _ in found}
        found += search.search_around([(reach, C, other) for other in sorted(others)], FINE, FINER[-1][1])
    best = search.pick_best(_best_points(search.search_finest(found), DUEL))
    if tie > 0 and not fixed:
        best = search.shorten(best, coarse, tie)
    reach, C, T = search.interpolate_minimum(best, np.sqrt(FINE))
    fresh = replace(conditions, seed=conditions.seed + FRESH)
    values = search.measure_values([(reach, C, T)], fresh)[:, :, 0]
    error = clustered_mean(values[MEASURES.index(measure)][:, None], within=SIZE)
    return TunedSetting(reach / C, T, C, noise(T) * C, measure, error, search.searched, values)


def _best_points(found: list[Found], count: int) -> list[Point]:
    """Return the `count` points with the smallest errors, the best first."""
    return [point for point, _ in sorted(found, key=lambda one: one[1])[:count]]


@dataclass
class Search:
    """Search for the best setting: nets of points (alpha C, C, T) are compared by their mean errors in distribution.

    searched    number of settings that were run
    """

    method: str
    conditions: Conditions
    noise: Callable[[int], float]
    measure: str
    threads: int | None
    searched: int = 0
    known: dict[int, list[Found]] = field(default_factory=dict)  # by T: what `search_horizon` has found

    @property
    def clip_unit(self) -> float:
        """Return the size of what is clipped at the optimum: |A u| for slopes (DPGD-0th: times |u|), a gradient norm for DP-GD."""
        groups = self.conditions.groups
        size = float(np.sqrt(groups.value**2 @ groups.size))
        return size * np.sqrt(groups.d) if VECTOR_NOISE.get(self.method, False) else size

    @property
    def start_ratio(self) -> float:
        """Return the ratio of the clipped quantity's size at x_0 to its size at the optimum."""
        return float(np.hypot(1.0, self.conditions.distance))

    @cached_property
    def wide_groups(self) -> Groups:
        """Return the spectrum in wide bins, which make runs in the nets cheaper."""
        return self.conditions.groups.with_wider_bins(WIDE)

    def coarse_nets(self, T: int) -> list[Net]:
        """Return two coarse nets of points over the whole plausible range at T steps: all samples clipped, and not all clipped.

        C up to where x_0 clips nothing; alpha from where the largest eigenvalue is hardly stable to where x_0 is hardly left, and so small
        that it is not left at all, which is best where the noise of any other step costs more than it gains.
        """
        groups = self.conditions.groups
        top = float(groups.value.max())
        clips = self.clip_unit * LOWEST * STEP ** np.arange(np.ceil(np.log(4 * self.start_ratio / LOWEST) / np.log(STEP)) + 1)
        highest = 6.0 / top if self.method not in VECTOR_NOISE else 6.0 / (groups.trace + 2 * top)
        lowest = min(highest, 1.0 / (T * top)) / 30
        reaches = self.clip_unit * highest * STEP ** -np.arange(np.ceil(np.log(highest / lowest) / np.log(STEP)) + 1)
        reaches = np.append(reaches, NOWHERE * reaches[-1])
        return [[(float(a), float(c), T) for a, c in product(reaches, some)] for some in ([self.clip_unit * SMALLEST], clips)]

    def search_around(self, points: list[Point], factor: float, replicates: int) -> list[Found]:
        """Return the best point among each point and its neighbours, with its error.

        Neighbours are two to each side in alpha C, and one in C (none at the smallest C).
        """
        nets = []
        for reach, C, T in points:
            clips = (0,) if self.clip_unit * SMALLEST * 1.0001 > C else (-1, 0, 1)
            nets.append([(reach * factor**i, C * factor ** (2 * j), T) for i in (-2, -1, 0, 1, 2) for j in clips])
        return self.best_of_nets(nets, replicates)

    def refine(self, found: list[Found]) -> list[Found]:
        """Return the best points with their errors after finer and finer nets around the best of the given points."""
        factor = STEP
        for count, replicates in FINER:
            factor = np.sqrt(factor)
            found = self.search_around(_best_points(found, count), factor, replicates)
        return found

    def search_finest(self, found: list[Found]) -> list[Found]:
        """Return the best points with their errors in the finest nets around the best of the given points."""
        return self.search_around(_best_points(found, DUEL), np.sqrt(FINE), FINER[-1][1])

    def search_horizon(self, T: int, coarse: list[Found]) -> list[Found]:
        """Return the best points at T steps after all finer nets around the coarse ones; each T is searched once."""
        if T not in self.known:
            self.known[T] = self.search_finest(self.refine([one for one in coarse if one[0][2] == T]))
        return self.known[T]

    def best_of_nets(self, nets: list[Net], replicates: int) -> list[Found]:
        """Return the best point of each net and its mean error, on `replicates` runs."""
        if not nets:
            return []
        nets = [[point for point in net if self.can_settle(point)] for net in nets]
        points = [point for net in nets for point in net]
        means = self.mean_errors(points, replicates)
        starts = np.cumsum([0, *(len(net) for net in nets)])
        found = [start + int(np.argmin(means[start:stop])) for start, stop in pairwise(starts)]
        return [(points[k], float(means[k])) for k in found]

    def can_settle(self, point: Point) -> bool:
        """Return whether a point's run can settle much nearer to the optimum than x_0; true for few steps and zeroth-order methods.

        Along the largest eigenvalue a DP-GD oscillates where alpha a E min(1, C / |gradient|) = 2: samples' gradients are as
        long as alpha a C / 2, as at x_0 for what is left out here. Such runs need new weights at every step, which takes nearly all of a
        net's time.
        """
        reach, C, T = point
        nearest = reach * float(self.conditions.groups.value.max()) / 2
        return self.method in VECTOR_NOISE or T <= SHORT or nearest <= self.start_ratio * max(C, self.clip_unit)

    def pick_best(self, points: list[Point]) -> Point:
        """Return the best of some points, on as many replicates as are needed to distinguish them."""
        return points[int(np.argmin(self.compare_points(points, *JUDGES).mean(axis=0)))]

    def compare_points(self, points: list[Point], replicates: int, most: int) -> FloatArray:
        """Return the errors of points, (replicates, points), doubling the replicates until the best is known or there are `most`."""
        values = self.search_errors(points, replicates, CLOSE)
        while len(values) < most:
            best = int(np.argmin(values.mean(axis=0)))
            rivals = values[:, np.isfinite(values).all(axis=0)] - values[:, [best]]
            error = rivals.std(axis=0, ddof=1) / np.sqrt(len(values))
            if np.all(error <= np.maximum(APART * values[:, best].mean(), rivals.mean(axis=0) / CLEAR)):
                break
            values = np.concatenate([values, self.search_errors(points, len(values), CLOSE, first=len(values))])
        return values

    def shorten(self, best: Point, coarse: list[Found], tie: float) -> Point:
        """Return the point with the fewest steps whose error exceeds that of `best` by at most the share `tie`, by bisection over T.

        Below the best T the error falls with T: if T steps are too few, so are all smaller numbers.
        """
        horizons = sorted({point[2] for point, _ in coarse if point[2] < best[2]})
        enough = best
        while horizons:
            middle = len(horizons) // 2
            point = _best_points(self.search_horizon(horizons[middle], coarse), 1)[0]
            errors = self.compare_points([point, best], *JUDGES).mean(axis=0)
            if errors[0] <= (1 + tie) * errors[1]:
                enough, horizons = point, horizons[:middle]
            else:
                horizons = horizons[middle + 1 :]
        return enough

    def interpolate_minimum(self, point: Point, factor: float) -> Point:
        """Return the point with the alpha C that minimises a polynomial fitted to the log errors around it."""
        reach, C, T = point
        x = np.arange(-2.0, 3.0)
        with np.errstate(over="ignore"):
            means = self.compare_points([(reach * factor**i, C, T) for i in x], *LEAST).mean(axis=0)
        if not np.all(np.isfinite(means)):
            return point
        fine = np.linspace(-2, 2, 401)
        least = fine[np.argmin(np.polyval(np.polyfit(x, np.log(means), 4), fine))]
        return reach * factor**least, C, T

    def mean_errors(self, points: list[Point], replicates: int) -> FloatArray:
        """Return the mean errors of the points of a net, (points,); inf for a setting that diverges."""
        with np.errstate(over="ignore"):
            found: FloatArray = self.search_errors(points, replicates, ROUGH).mean(axis=0)
        return found

    def search_errors(self, points: list[Point], replicates: int, tolerance: float, first: int = 0) -> FloatArray:
        """Return the error of each replicate and setting, (replicates, points); inf if a run diverges. Runs share their last draws."""
        tolerance = max(tolerance, self.conditions.tolerance)
        conditions = replace(self.conditions, groups=self.wide_groups, replicates=replicates, first=first, tolerance=tolerance)
        values = self.measure_values(points, conditions, late=True)[MEASURES.index(self.measure)]
        return np.nan_to_num(values, nan=np.inf, posinf=np.inf)

    def measure_values(self, points: list[Point], conditions: Conditions, late: bool = False) -> FloatArray:
        """Return the measures of every replicate and point, (4, replicates, points); late: with shared last draws."""
        reach, C, T = (np.array(column) for column in zip(*points, strict=True))
        self.searched += len(points)
        settings = Settings(reach / C, T.astype(np.int64), C, np.array([self.noise(int(t)) for t in T]) * C)
        return final_measures((self.method,), settings, conditions, late=late, threads=self.threads)[self.method]
