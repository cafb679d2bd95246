"""Exact DP-GD runs of many settings at once on a quadratic.

With D = x - m (m the sample mean), e = A D and y_i = A (x_i - m), the gradient of sample i is e - y_i and the clipped mean is
((sum_i w_i) e - sum_i w_i y_i) / n with w_i = min(1, C / |e - y_i|). The settings are columns of two matrix products a step,
and one kernel takes both from a few rows of Y while they are in the cache.
What is provably irrelevant is skipped:

- |e - y_i| <= |e| + |y_i|: a sample with |y_i| <= C - |e| cannot be clipped. The rows of Y are sorted by falling |y_i|, so only
  the first rows of a column are looked at; where none is left the gradient is e.
- While *every* sample of a column is clipped only the products alpha C and alpha sigma matter: settings that share them run as
  one column with weights 1 / |e - y_i|. A setting leaves at the first step at which some |e - y_i| < C, with a copy of D.
- With ``prune`` a setting is dropped once it provably cannot have the smallest value of any of the four measures: the rest of
  its noise is known, and k further steps move it by at most k alpha C.

``precision="single"`` stores Y and multiplies in float32; the iterates, norms of e and sums over blocks stay in float64.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from synthetic.draws import NOISE, FloatArray, chunk, generator
from synthetic.grid_settings import Centred, Measures, Settings
from synthetic.kernels.grid import ROWS, TILE, clipped_sums, move, weigh_columns

METHODS = ("dp_gd",)
NARROW = 256  # up to this d the samples fit the caches anyway, and BLAS products are quicker
BLOCK, NARROW_BLOCK = 40 * TILE, 80 * TILE  # rows whose sums are taken in the chosen precision; sums of blocks are taken in float64
LANES = 4  # partial sums over the blocks of rows, added in a fixed order: the result does not depend on the number of threads
LINE = 64  # bytes of a cache line
PRUNE_EVERY = 32
SAME = 1e-12  # relative difference below which two products of settings count as one: rounding of alpha * C
MARGIN = {"double": 1e-12, "single": 1e-5}  # relative rounding of a norm, kept clear of in every decision to skip


@dataclass(frozen=True, eq=False)
class Samples:
    """Y by falling norm, cut into blocks of rows.

    Rows of zeros (with norm inf, so that their weight is 0) fill the last block up to a multiple of ROWS, columns of zeros fill
    d > NARROW up to whole cache lines.
    """

    y: NDArray[np.floating]  # (rows, width) of the chosen precision
    norm_sq: NDArray[np.floating]  # (rows,) likewise
    norm: FloatArray  # (n,), falling
    edges: NDArray[np.int64]  # block k holds the rows edges[k]..edges[k+1]-1
    rest: FloatArray  # (blocks + 1, d): sum of the rows from edges[k] on
    precision: str

    @staticmethod
    def of(a: FloatArray, centred: FloatArray, precision: str) -> Samples:
        """Return the samples A (x_i - m) of the centred data (n, d)."""
        n, d = centred.shape
        norm_sq = (centred**2) @ a**2
        order = np.argsort(-norm_sq, kind="stable")
        edges = np.array([*range(0, n, NARROW_BLOCK if d <= NARROW else BLOCK), n])
        y = aligned_zeros(-(-n // ROWS) * ROWS, d, np.dtype(np.float32 if precision == "single" else np.float64))
        filled = np.full(len(y), np.inf, y.dtype)
        filled[:n] = norm_sq[order]
        rest = np.zeros((len(edges), d))
        for k, (lo, hi) in reversed(list(enumerate(pairwise(edges)))):
            rows = centred[order[lo:hi]] * a
            y[lo:hi, :d] = rows
            rest[k] = rest[k + 1] + rows.sum(axis=0)
        return Samples(y, filled, np.sqrt(norm_sq[order]), edges, rest, precision)


def aligned_zeros(rows: int, columns: int, dtype: np.dtype) -> NDArray[np.floating]:
    """Return zeros; more than NARROW columns are filled up to whole cache lines, because loads across lines cost twice."""
    if columns <= NARROW:
        return np.zeros((rows, columns), dtype)
    width = -(-columns * dtype.itemsize // LINE) * LINE
    raw = np.zeros(rows * width + LINE, np.uint8)
    start = -raw.ctypes.data % LINE
    return raw[start : start + rows * width].view(dtype).reshape(rows, width // dtype.itemsize)


@dataclass(eq=False)
class Columns:
    """The running columns. A shared column has several members, clips at 1 and steps by alpha C; a single one has one member."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("D", "step", "C", "shared", "spread", "T", "stream")

    D: FloatArray  # (columns, d)
    step: FloatArray  # alpha C of a shared column, alpha of a single one
    C: FloatArray
    shared: NDArray[np.bool_]
    spread: FloatArray  # alpha sigma
    T: NDArray[np.int64]
    stream: NDArray[np.int64]  # which replicate's noise
    members: list[list[int]]  # settings, by number

    def __len__(self) -> int:
        return len(self.members)

    def keep(self, mask: NDArray[np.bool_]) -> Columns:
        """Return the columns under the mask."""
        members = [m for m, stays in zip(self.members, mask, strict=True) if stays]
        return Columns(**{name: getattr(self, name)[mask] for name in self.ARRAYS}, members=members)

    def join(self, other: Columns) -> Columns:
        """Return the columns of both."""
        both = {name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in self.ARRAYS}
        return Columns(**both, members=self.members + other.members)


def _shared_columns(settings: Settings, stream: NDArray[np.int64], start: FloatArray) -> Columns:
    """Return one column for all settings with the same T, stream, alpha C and alpha sigma."""
    step, spread = settings.alpha * settings.C, settings.alpha * settings.sigma
    groups: list[list[int]] = []
    for s in np.lexsort((spread, step, stream, settings.T)):
        first = groups[-1][0] if groups else -1
        same = (
            first >= 0
            and (settings.T[s], stream[s]) == (settings.T[first], stream[first])
            and abs(step[s] - step[first]) <= SAME * step[s]
            and abs(spread[s] - spread[first]) <= SAME * spread[s]
        )
        if same:
            groups[-1].append(int(s))
        else:
            groups.append([int(s)])
    first_of = np.array([g[0] for g in groups])
    ones = np.ones(len(groups))
    return Columns(
        np.tile(start, (len(groups), 1)), step[first_of], ones, ones > 0, spread[first_of], settings.T[first_of], stream[first_of], groups
    )


class Gradients:
    """Clipped mean gradients of columns, on a pool of threads."""

    def __init__(self, samples: Samples, pool: ThreadPoolExecutor | None) -> None:
        self.samples = samples
        self.map: Callable = map if pool is None else pool.map

    def __call__(self, E: FloatArray, C: FloatArray, shared: NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
        """Return the gradients (columns, d), and min_i |e - y_i| of each shared column (inf for the others)."""
        y = self.samples
        n = len(y.norm)
        e_norm = np.sqrt(np.einsum("sd,sd->s", E, E))
        reach = (C - e_norm) * (1 - MARGIN[y.precision])
        rows = np.where(shared, n, np.searchsorted(-y.norm, -reach, side="left"))  # rows with |y_i| > C - |e|
        order = np.argsort(-rows, kind="stable")
        order = order[: int(np.sum(rows > 0))]
        G, nearest = E.copy(), np.full(len(E), np.inf)
        if len(order) == 0:
            return G, nearest
        dtype = y.y.dtype
        e = aligned_zeros(-(-len(order) // 4) * 4, y.y.shape[1], dtype)
        e[: len(order), : E.shape[1]] = E[order]
        parts = (
            e,
            (e_norm[order] ** 2).astype(dtype),
            np.where(shared[order], 1.0, C[order]).astype(dtype),
            np.where(shared[order], np.inf, 1.0).astype(dtype),
            np.searchsorted(-rows[order], -y.edges[:-1], side="left"),  # columns that look at block k: those with rows > edges[k]
        )
        V, total, heaviest = np.zeros((len(order), E.shape[1])), np.zeros(len(order)), np.zeros(len(order))
        for v, t, w in self.map(lambda lane: self._lane(lane, parts), range(LANES)):
            V[: len(v)] += v[:, : E.shape[1]]
            total[: len(t)] += t
            heaviest[: len(w)] = np.maximum(heaviest[: len(w)], w)
        after = np.searchsorted(y.edges, rows[order], side="left")  # first block that the column does not look at
        total += n - y.edges[after]  # the samples there have weight 1
        V += y.rest[after]
        G[order] = (total[:, None] * E[order] - V) / n
        nearest[order] = np.where(shared[order], 1.0 / heaviest, np.inf)  # a shared column clips at 1
        return G, nearest

    @np.errstate(over="ignore", invalid="ignore")  # of the thread that it runs in; a setting that diverges is no mistake
    def _lane(self, lane: int, parts: tuple[Any, ...]) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Sum over every LANES-th block of rows."""
        (e, e_sq, C, cap, looking), y, edges = parts, self.samples.y, self.samples.edges
        columns = int(looking[lane]) if lane < len(looking) else 0
        V, total, heaviest = np.zeros((columns, e.shape[1])), np.zeros(columns), np.zeros(columns)
        v, w = aligned_zeros(columns, e.shape[1], y.dtype), np.empty((len(e), BLOCK), y.dtype)
        for k in range(lane, len(looking), LANES):
            s, size = int(looking[k]), edges[k + 1] - edges[k]
            if s == 0:
                break
            rows = slice(edges[k], -(-edges[k + 1] // ROWS) * ROWS)
            if y.shape[1] <= NARROW:
                w = e[:s] @ y[rows].T
                weigh_columns(w, self.samples.norm_sq[rows], e_sq, C, cap, total[:s])
                V[:s] += w @ y[rows]
            else:
                v[:s] = 0.0
                clipped_sums(e, e_sq, C, cap, y[rows], self.samples.norm_sq[rows], w, v[:s], total[:s])
                V[:s] += v[:s]
            heaviest[:s] = np.maximum(heaviest[:s], w[:s, :size].max(axis=1))
        return V, total, heaviest


def last_offsets(
    quadratic: Centred, settings: Settings, prune: Measures | None, *, seed: int, replicates: int, precision: str, threads: int
) -> FloatArray:
    """Return x_T - m of every replicate and setting, (replicates, settings, d); NaN where a setting was dropped.

    prune   the measures by which the smallest is sought
    """
    a, R, S, d = quadratic.a, replicates, len(settings), len(quadratic.a)
    every = settings.tiled(R)
    result = np.full((R * S, d), np.nan)
    columns = _shared_columns(every, np.repeat(np.arange(R), S), quadratic.start)
    horizons = np.unique(every.T)
    sums = _noise_sums(seed, R, horizons, d) if prune else np.zeros((0, 0, 0))
    best = np.full((R, len(Measures.NAMES)), np.inf)
    noise = [generator(seed, r, NOISE) for r in range(R)]
    size = chunk(int(horizons[-1]), d * R)
    so_far = np.zeros((R, d))
    with ThreadPoolExecutor(max_workers=threads) as pool:
        gradients = Gradients(Samples.of(a, quadratic.samples, precision), pool if threads > 1 else None)
        for t in range(int(horizons[-1])):
            if t % size == 0:
                draws = np.stack([rng.standard_normal((min(size, int(horizons[-1]) - t), d)) for rng in noise], axis=1)
            if not len(columns):
                break
            z = draws[t % size]
            E = columns.D * a
            G, nearest = gradients(E, columns.C, columns.shared)
            columns, G = _split(columns, G, nearest, every, a, gradients)
            move(columns.D, G, columns.step, columns.spread, columns.stream, z)
            so_far += z
            ended = np.equal(columns.T, t + 1)
            if ended.any():
                for column in np.flatnonzero(ended):
                    result[columns.members[column]] = columns.D[column]
                    if prune:
                        r = columns.stream[column]
                        best[r] = np.minimum(best[r], prune.of(columns.D[column][None])[:, 0])
                columns = columns.keep(~ended)
            if prune and len(columns) and (ended.any() or (t + 1) % PRUNE_EVERY == 0):
                columns = columns.keep(~_hopeless(columns, t + 1, horizons, sums, so_far, best, prune))
    return result.reshape(R, S, d)


def _split(
    columns: Columns, G: FloatArray, nearest: FloatArray, settings: Settings, a: FloatArray, gradients: Gradients
) -> tuple[Columns, FloatArray]:
    """Give a column of its own to every member of a shared column that has an unclipped sample; return columns and gradients."""
    safe = nearest * (1 - MARGIN[gradients.samples.precision])
    leaving = [(c, m) for c, members in enumerate(columns.members) for m in members if columns.shared[c] and settings.C[m] > safe[c]]
    if not leaving:
        return columns, G
    home, who = (np.array(part) for part in zip(*leaving, strict=True))
    gone = set(who.tolist())
    columns.members = [[m for m in members if m not in gone] for members in columns.members]
    alpha, alone = settings.alpha[who], np.zeros(len(who), bool)
    spread, members = alpha * settings.sigma[who], [[int(m)] for m in who]
    left = Columns(columns.D[home].copy(), alpha, settings.C[who], alone, spread, settings.T[who], columns.stream[home], members)
    G_alone, _ = gradients(left.D * a, left.C, left.shared)
    stay = np.array([len(m) > 0 for m in columns.members])
    return columns.keep(stay).join(left), np.concatenate([G[stay], G_alone])


def _noise_sums(seed: int, replicates: int, horizons: NDArray[np.int64], d: int) -> FloatArray:
    """Return the sum of the noise before each horizon, (replicates, horizons, d)."""
    sums = np.zeros((replicates, len(horizons), d))
    for r in range(replicates):
        rng, total, t = generator(seed, r, NOISE), np.zeros(d), 0
        for h, end in enumerate(horizons):
            while t < end:
                steps = chunk(int(end - t), d)
                total += rng.standard_normal((steps, d)).sum(axis=0)
                t += steps
            sums[r, h] = total
    return sums


def _hopeless(
    columns: Columns, t: int, horizons: NDArray[np.int64], sums: FloatArray, so_far: FloatArray, best: FloatArray, measures: Measures
) -> NDArray[np.bool_]:
    """Return which columns cannot end below the best value of any measure.

    x_T = x_t - alpha sigma (noise from t to T) - alpha sum of T - t clipped means, and each of these is at most C long.
    """
    ahead = sums[columns.stream, np.searchsorted(horizons, columns.T)] - so_far[columns.stream]
    drift = columns.step * columns.C * (columns.T - t)
    floor = measures.least(columns.D - columns.spread[:, None] * ahead, drift)
    return np.all(floor > best[columns.stream].T * (1 + 1e-6), axis=0)
