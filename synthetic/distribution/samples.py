"""Effect of n samples on a run in distribution: where the run starts, where clipping makes it settle, how it is measured.

Samples x_i ~ N(x*, I). Without clipping a method settles at their mean m, and D = x - m moves as if there were no samples at all. A clipped
mean is the mean of the clipped values and vanishes elsewhere, at a centre c: near the optimum the part of a clipped value that is linear
in the sample moves with m (Stein's lemma), the rest adds an error of its own, with the variance `excess` / n in a coordinate. So
D = x - c, c - x* ~ N(0, (1 + excess) / n), and given c, m - x* has the mean (c - x*) / (1 + excess): to first order in 1/n.
Neglected: that excess and the errors of single steps are those at the optimum, and that the errors of different steps share nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from synthetic.draws import FloatArray, generator
from synthetic.groups import Groups

SAMPLE = 4  # role of these draws in a replicate


@dataclass(frozen=True, eq=False)
class Sample:
    """Random numbers of one replicate that stay fixed during a run: the position of centre and means, by groups of eigenvalues.

    Each array is (G,): standard normals for one coordinate of a group, chi-square numbers (`*_rest`) for its other coordinates.

    distance    |x_0 - x*| / sqrt(d): every coordinate starts at this distance
    """

    groups: Groups
    n: float
    distance: float
    centre: FloatArray
    centre_rest: FloatArray
    cosine: FloatArray  # between the part of D and the part of x_0 - x* that are not along D_0
    near: FloatArray  # for the error of the training mean
    near_rest: FloatArray
    far: FloatArray  # for that of the test mean
    far_rest: FloatArray
    least: tuple[float, float]  # F_S at the mean of its samples: training, test

    @staticmethod
    def draw_replicate(groups: Groups, n: float, distance: float, seed: int, replicate: int) -> Sample:
        """Draw the fixed random numbers of a replicate for spectrum groups, n samples and a start at `distance` per coordinate."""
        k, rng = groups.size, generator(seed, replicate, SAMPLE)
        normals = rng.standard_normal((4, len(k)))
        rests = [draw_chi_square(rng, k - 1) for _ in range(3)]
        side = draw_chi_square(rng, k - 2)
        cosine = np.where(k > 1, normals[3] / np.sqrt(normals[3] ** 2 + side), 0.0)
        least = tuple(float(groups.value @ (draw_chi_square(rng, k * (n - 1)) if np.isfinite(n) else k)) / 2 for _ in range(2))
        train, test = (one / n if np.isfinite(n) else one for one in least)
        return Sample(groups, n, distance, normals[0], rests[0], cosine, normals[1], rests[1], normals[2], rests[2], (train, test))

    def run_start(self, excess: FloatArray) -> RunStart:
        """Return the start of a run as lengths by groups, seen from the centre at which clipping settles; excess (G,)."""
        deviation, away = np.sqrt((1 + excess) / self.n), self.distance * np.sqrt(self.groups.size)
        along, aside = away + deviation * self.centre, deviation * np.sqrt(self.centre_rest)
        length = np.hypot(along, aside)
        with np.errstate(invalid="ignore"):
            shares = [np.where(length > 0, part / length, 0.0) for part in (along, aside)]
        return RunStart(self, excess, length, away * shares[0], away * shares[1])


@dataclass(frozen=True, eq=False)
class RunStart:
    """Start D_0 = x_0 - c of a run, by groups (G,): its length, and the parts of x_0 - x* along D_0 and orthogonal to it."""

    sample: Sample
    excess: FloatArray
    length: FloatArray
    along: FloatArray
    aside: FloatArray

    def measures(self, p: FloatArray, q: FloatArray) -> FloatArray:
        """Return the four measures (4, ...), as in `Measures.NAMES`, at D given by its parts p along D_0 and q aside, (..., G)."""
        s, a = self.sample, self.sample.groups.value
        share = self.excess / (1 + self.excess)
        train = self._squared_distances(p, q, share, share / s.n, s.near, s.near_rest)
        test = self._squared_distances(p, q, 1.0, 1 / s.n, s.far, s.far_rest)
        # sums, since a matrix product rounds differently for other numbers of settings
        norms = [np.sqrt((squares * a**2).sum(axis=-1)) for squares in (train, test)]
        return np.stack([*norms, *((squares * a).sum(axis=-1) / 2 + least for squares, least in zip((train, test), s.least, strict=True))])

    def _squared_distances(
        self, p: FloatArray, q: FloatArray, share: FloatArray | float, variance: FloatArray | float, normal: FloatArray, rest: FloatArray
    ) -> FloatArray:
        """Return |D + share (c - x*) - e|^2 by groups, (..., G), with e ~ N(0, variance I): squared distances from a data mean.

        The mean's regression on the centre c has this slope and error.
        """
        along, aside = p + share * (self.along - self.length), share * self.aside
        square = along**2 + q**2 + aside**2 + 2 * q * aside * self.sample.cosine
        deviation = np.sqrt(variance)
        return (np.sqrt(np.maximum(square, 0.0)) + deviation * normal) ** 2 + deviation**2 * rest


def draw_chi_square(rng: np.random.Generator, freedom: FloatArray, rows: int | None = None) -> FloatArray:
    """Draw chi-square numbers with the given degrees of freedom (G,): (G,) or (rows, G), 0 where there is no degree of freedom."""
    some = np.flatnonzero(freedom > 0)
    found = np.zeros(freedom.shape if rows is None else (rows, *freedom.shape))
    found[..., some] = rng.chisquare(freedom[some], None if rows is None else (rows, len(some)))
    return found


def chunk_edges(ends: list[int], T: NDArray[np.int64], steps: int) -> list[int]:
    """Return the sorted steps at which chunks begin or stop: all ends, every T below the last end, and every `steps` steps."""
    return sorted({0, *ends, *(int(t) for t in T if t < ends[-1]), *range(0, ends[-1], steps)})


def chunk_ranges(ends: list[int], T: NDArray[np.int64], steps: int, late: bool) -> Iterator[tuple[int, int, int]]:
    """Yield (begin, stop, live) for chunks of steps up to the last end; live is how many of the settings, by falling T, run there.

    late    all settings end with the longest, the others begin later
    """
    begins = T[0] - T if late else np.zeros_like(T)
    for begin, stop in pairwise(chunk_edges(ends, begins if late else T, steps)):
        yield begin, stop, int(np.sum((begins <= begin) & (begin < begins + T)))
