"""Exact DP-GD runs of many settings at once on a quadratic.

With D = x - m (m the sample mean), z_i = x_i - m, e = A D and y_i = A z_i, the gradient of sample i is e - y_i and the clipped mean
is ((sum_i w_i) e - A sum_i w_i z_i) / n with w_i = min(1, C / |e - y_i|) and e'y_i = (A e)'z_i. The settings are columns of two matrix
products a step, and one kernel takes both from a few rows of Z while they are in the cache. Only A e, A and |y_i| depend on the spectrum:
settings on quadratics of several spectra are columns of the same products where their data are the same.
What provably does not matter is skipped:

- |e - y_i| <= |e| + |y_i|: a sample with |y_i| <= C - |e| cannot be clipped. The rows of Z are sorted by falling |y_i|, so only
  the first rows of a column are read (of several spectra all, for no order suits all); where none is left the gradient is e.
- While *every* sample of a column is clipped only the products alpha C and alpha sigma matter: settings that share them run as
  one column with weights 1 / |e - y_i|. A setting leaves at the first step at which some |e - y_i| < C, with a copy of D.
- With ``precision="single"`` few columns make many steps by a few passes over the data (`windows`).
- With ``prune`` a setting is dropped once it provably cannot have the smallest value of any of the four measures: the rest of
  its noise is known, and k further steps move it by at most k alpha C.

``precision="single"`` stores Z and multiplies in float32; the iterates, norms of e and sums over blocks stay in float64.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthetic.draws import NOISE, FloatArray, generator, steps_per_chunk
from synthetic.grids.columns import Columns, shared_columns
from synthetic.grids.settings import Centred, Measures, Settings
from synthetic.grids.windows import RENEWED, Linearisation, Slopes, run_window, window_length
from synthetic.kernels.grid import COLUMNS, ROWS, TILE, clip_weights_by_column, clipped_sums, noisy_step

METHODS = ("dp_gd",)
NARROW = 64  # up to this d BLAS products are quicker
MANY = 24  # from so many columns on likewise
BLOCK, NARROW_BLOCK = 40 * TILE, 80 * TILE  # rows whose sums are taken in the chosen precision; sums of blocks are taken in float64
LANES = 4  # partial sums over the blocks of rows, added in a fixed order: the result does not depend on the number of threads
LINE = 64  # bytes of a cache line
PRUNE_EVERY = 32
MARGIN = {"double": 1e-12, "single": 1e-5}  # relative rounding of a norm: every decision to skip keeps this distance


@dataclass(frozen=True, eq=False)
class Samples:
    """Centred samples Z, sorted by falling |y_i| if there is a single spectrum, padded and cut into blocks of rows.

    Rows of zeros (with norm inf, so that their weight is 0) fill the last block up to a multiple of ROWS, columns of zeros fill
    d > NARROW up to whole cache lines.
    """

    a: FloatArray  # (spectra, d)
    z: NDArray[np.floating]  # (rows, width) of the chosen precision
    norm_sq: NDArray[np.floating]  # (spectra, rows) likewise: |y_i|^2
    norm: FloatArray  # (spectra, n), each falling
    edges: NDArray[np.int64]  # block k holds the rows edges[k]..edges[k+1]-1
    rest: FloatArray  # (blocks + 1, d): sum of the rows from edges[k] on
    precision: str

    @staticmethod
    def from_centred(a: FloatArray, centred: FloatArray, precision: str) -> Samples:
        """Sort, pad and cut centred data (n, d) for eigenvalues a (spectra, d); return them as `Samples`."""
        n, d = centred.shape
        norm_sq = a**2 @ (centred**2).T
        order = np.argsort(-norm_sq[0], kind="stable") if len(a) == 1 else np.arange(n)
        edges = np.array([*range(0, n, NARROW_BLOCK if d <= NARROW else BLOCK), n])
        z = aligned_zeros(-(-n // ROWS) * ROWS, d, np.dtype(np.float32 if precision == "single" else np.float64))
        filled = np.full((len(a), len(z)), np.inf, z.dtype)
        filled[:, :n] = norm_sq[:, order]
        rest = np.zeros((len(edges), d))
        for k, (lo, hi) in reversed(list(enumerate(pairwise(edges)))):
            rows = centred[order[lo:hi]]
            z[lo:hi, :d] = rows
            rest[k] = rest[k + 1] + rows.sum(axis=0)
        return Samples(a, z, filled, -np.sort(-np.sqrt(norm_sq), axis=1), edges, rest, precision)

    def needed_rows(self, reach: FloatArray, of: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many leading rows of Z each column has to read, (columns,): those with |y_i| > reach (columns,).

        With several spectra the rows are not sorted: all or none.
        """
        rows = np.zeros(len(reach), np.int64)
        for k, norm in enumerate(self.norm):
            rows[of == k] = np.searchsorted(-norm, -reach[of == k], side="left")
        return rows if len(self.a) == 1 else np.where(rows > 0, self.norm.shape[1], 0)


def aligned_zeros(rows: int, columns: int, dtype: np.dtype) -> NDArray[np.floating]:
    """Return zeros (rows, width): more than NARROW columns are filled up to whole cache lines, for speed."""
    if columns <= NARROW:
        return np.zeros((rows, columns), dtype)
    width = -(-columns * dtype.itemsize // LINE) * LINE
    raw = np.zeros(rows * width + LINE, np.uint8)
    start = -raw.ctypes.data % LINE
    return raw[start : start + rows * width].view(dtype).reshape(rows, width // dtype.itemsize)


class Gradients:
    """Clipped mean gradients of the samples, computed for many columns at once on a pool of threads; call it with their state."""

    def __init__(self, samples: Samples, pool: ThreadPoolExecutor | None) -> None:
        self.samples = samples
        self.map: Callable = map if pool is None else pool.map

    def __call__(self, E: FloatArray, C: FloatArray, shared: NDArray[np.bool_], of: NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
        """Return the clipped mean gradients at E = A D, (columns, d), and min_i |e - y_i| of each shared column (inf for the others)."""
        y = self.samples
        n, d = y.norm.shape[1], E.shape[1]
        e_norm = np.sqrt(np.einsum("sd,sd->s", E, E))
        reach = (C - e_norm) * (1 - MARGIN[y.precision])
        rows = np.where(shared, n, y.needed_rows(reach, of))
        order = np.argsort(-rows, kind="stable")
        order = order[: int(np.sum(rows > 0))]
        G, nearest = E.copy(), np.full(len(E), np.inf)
        if len(order) == 0:
            return G, nearest
        dtype, a = y.z.dtype, y.a[of[order]]
        b = aligned_zeros(-(-len(order) // COLUMNS) * COLUMNS, y.z.shape[1], dtype)
        b[: len(order), :d] = E[order] * a
        parts = (
            b,
            (e_norm[order] ** 2).astype(dtype),
            np.where(shared[order], 1.0, C[order]).astype(dtype),
            np.where(shared[order], np.inf, 1.0).astype(dtype),
            of[order],
            np.searchsorted(-rows[order], -y.edges[:-1], side="left"),  # columns that read block k: those with rows > edges[k]
        )
        V, total, heaviest = np.zeros((len(order), d)), np.zeros(len(order)), np.zeros(len(order))
        for v, t, w in self.map(lambda lane: self._sum_lane(lane, parts), range(LANES)):
            V[: len(v)] += v[:, :d]
            total[: len(t)] += t
            heaviest[: len(w)] = np.maximum(heaviest[: len(w)], w)
        after = np.searchsorted(y.edges, rows[order], side="left")  # first block that the column does not read
        total += n - y.edges[after]  # the samples there have weight 1
        V += y.rest[after]
        G[order] = (total[:, None] * E[order] - a * V) / n
        nearest[order] = np.where(shared[order], 1.0 / heaviest, np.inf)  # a shared column clips at 1
        return G, nearest

    @np.errstate(over="ignore", invalid="ignore")  # a state of each thread; a setting that diverges is no mistake
    def _sum_lane(self, lane: int, parts: tuple[Any, ...]) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Sum w_i z_i and w_i over every LANES-th block of rows; return the sums and the largest weight for the columns that read any."""
        (b, e_sq, C, cap, of, looking), z, edges = parts, self.samples.z, self.samples.edges
        columns = int(looking[lane]) if lane < len(looking) else 0
        V, total, heaviest = np.zeros((columns, b.shape[1])), np.zeros(columns), np.zeros(columns)
        v, w = aligned_zeros(len(b), b.shape[1], z.dtype), np.empty((len(b), BLOCK), z.dtype)
        for k in range(lane, len(looking), LANES):
            s, size = int(looking[k]), edges[k + 1] - edges[k]
            if s == 0:
                break
            rows = slice(edges[k], -(-edges[k + 1] // ROWS) * ROWS)
            norm_sq = self.samples.norm_sq[:, rows]
            if z.shape[1] <= NARROW or s >= MANY:
                w = b[:s] @ z[rows].T
                clip_weights_by_column(w, norm_sq, of, e_sq, C, cap, total[:s])
                V[:s] += w @ z[rows]
            else:
                v[:] = 0.0
                clipped_sums(b, e_sq, C, cap, of, z[rows], norm_sq, w, v, total[:s])
                V[:s] += v[:s]
            heaviest[:s] = np.maximum(heaviest[:s], w[:s, :size].max(axis=1))
        return V, total, heaviest


def last_offsets(
    quadratic: Centred,
    settings: Settings,
    of: NDArray[np.int64],
    prune: Measures | None,
    *,
    seed: int,
    replicates: int,
    precision: str,
    threads: int,
) -> FloatArray:
    """Run DP-GD settings on a quadratic; return x_T - m, (replicates, settings, d), NaN where a setting was dropped.

    of (settings,)   index of the spectrum that a setting runs on
    prune            the measures by which the smallest is sought, where there is one spectrum
    """
    a, R, S, d = quadratic.a, replicates, len(settings), quadratic.a.shape[1]
    every = settings.repeat(R)
    result = np.full((R * S, d), np.nan)
    columns = shared_columns(every, np.tile(of, R), np.repeat(np.arange(R), S), quadratic.start)
    horizons = np.unique(every.T)
    sums = _noise_sums(seed, R, horizons, d) if prune else np.zeros((0, 0, 0))
    best = np.full((R, len(Measures.NAMES)), np.inf)
    noise = [generator(seed, r, NOISE) for r in range(R)]
    size = steps_per_chunk(int(horizons[-1]), d * R)
    so_far = np.zeros((R, d))
    with ThreadPoolExecutor(max_workers=threads) as pool:
        gradients = Gradients(Samples.from_centred(a, quadratic.samples, precision), pool if threads > 1 else None)
        if precision == "single" and prune is None:
            _run_windows(columns, every, gradients, noise, result)
            return result.reshape(R, S, d)
        for t in range(int(horizons[-1])):
            if t % size == 0:
                draws = np.stack([rng.standard_normal((min(size, int(horizons[-1]) - t), d)) for rng in noise], axis=1)
            if not len(columns):
                break
            z = draws[t % size]
            G, nearest = gradients(columns.D * a[columns.of], columns.C, columns.shared, columns.of)
            columns, G = _separate_unclipped_settings(columns, G, nearest, every, gradients)
            noisy_step(columns.D, G, columns.step, columns.spread, columns.stream, z)
            so_far += z
            ended = np.equal(columns.T, t + 1)
            if ended.any():
                for column in np.flatnonzero(ended):
                    result[columns.members[column]] = columns.D[column]
                    if prune:
                        r = columns.stream[column]
                        best[r] = np.minimum(best[r], prune.evaluate(columns.D[column][None])[:, 0])
                columns = columns.keep(~ended)
            if prune and len(columns) and (ended.any() or (t + 1) % PRUNE_EVERY == 0):
                columns = columns.keep(~_provably_worse(columns, t + 1, horizons, sums, so_far, best, prune))
    return result.reshape(R, S, d)


def _run_windows(columns: Columns, settings: Settings, gradients: Gradients, noise: list[np.random.Generator], result: FloatArray) -> None:
    """Run the columns to their ends, a window of steps at a time; write x_T - m of every setting to result (settings, d)."""
    samples, d = gradients.samples, result.shape[1]
    slopes, a, b, t, drawn = Slopes(samples.a, samples.z, samples.norm_sq), samples.a, 1, 0, 0
    place: Linearisation | None = None
    age = 0
    while len(columns):
        if t == drawn:
            size = steps_per_chunk(int(columns.T.max()) - t, d * len(noise))
            begun, drawn = t, t + size
            z = np.stack([rng.standard_normal((size, d)) for rng in noise], axis=1)
        b = min(b, int(columns.T.min()) - t, drawn - t, window_length(len(columns)))
        if place is None or b == 1:
            G, nearest = gradients(columns.D * a[columns.of], columns.C, columns.shared, columns.of)
            before = len(columns)
            columns, G = _separate_unclipped_settings(columns, G, nearest, settings, gradients)
            point = columns.D.copy()
            noisy_step(columns.D, G, columns.step, columns.spread, columns.stream, z[t - begun])
            age, b, t, place = 0, 2 if before == len(columns) else 1, t + 1, None
            if window_length(len(columns)) > 1:
                place = Linearisation(point, G, slopes(point * a[columns.of], columns.C, columns.shared, columns.of))
        else:
            if age == RENEWED:
                place, age = replace(place, slope=slopes(columns.D * a[columns.of], columns.C, columns.shared, columns.of)), 0
            steps = columns.spread[:, None, None] * z[t - begun : t - begun + b, columns.stream].transpose(1, 0, 2)
            where = columns.step, steps, columns.C, columns.shared, columns.of
            found = run_window(gradients, a[columns.of], columns.D, place, *where)
            if not found.settled or _unclipped_members(columns, found.nearest, settings, samples.precision):
                b //= 2
                continue
            columns.D, place, age, t = found.points[:, -1].copy(), found.place, age + 1, t + b
            b = 2 * b if found.passes <= 2 else max(2, b // 2) if found.passes > 3 else b
        ended = np.equal(columns.T, t)
        for column in np.flatnonzero(ended):
            result[columns.members[column]] = columns.D[column]
        columns, place = columns.keep(~ended), place and place.at(~ended)


def _unclipped_members(columns: Columns, nearest: FloatArray, settings: Settings, precision: str) -> list[tuple[int, int]]:
    """Return the pairs (column, member) of shared columns whose member has a sample that it does not clip."""
    safe = nearest * (1 - MARGIN[precision])
    return [(c, m) for c, members in enumerate(columns.members) for m in members if columns.shared[c] and settings.C[m] > safe[c]]


def _separate_unclipped_settings(
    columns: Columns, G: FloatArray, nearest: FloatArray, settings: Settings, gradients: Gradients
) -> tuple[Columns, FloatArray]:
    """Give each setting with an unclipped sample a column of its own, out of a shared one; return all columns and their gradients."""
    leaving = _unclipped_members(columns, nearest, settings, gradients.samples.precision)
    if not leaving:
        return columns, G
    home, who = (np.array(part) for part in zip(*leaving, strict=True))
    gone = set(who.tolist())
    columns.members = [[m for m in members if m not in gone] for members in columns.members]
    alpha, alone = settings.alpha[who], np.zeros(len(who), bool)
    spread, members = alpha * settings.sigma[who], [[int(m)] for m in who]
    where = columns.stream[home], columns.of[home]
    left = Columns(columns.D[home].copy(), alpha, settings.C[who], alone, spread, settings.T[who], *where, members)
    G_alone, _ = gradients(left.D * gradients.samples.a[left.of], left.C, left.shared, left.of)
    stay = np.array([len(m) > 0 for m in columns.members])
    return columns.keep(stay).join(left), np.concatenate([G[stay], G_alone])


def _noise_sums(seed: int, replicates: int, horizons: NDArray[np.int64], d: int) -> FloatArray:
    """Return the sum of the noise before each horizon, (replicates, horizons, d)."""
    sums = np.zeros((replicates, len(horizons), d))
    for r in range(replicates):
        rng, total, t = generator(seed, r, NOISE), np.zeros(d), 0
        for h, end in enumerate(horizons):
            while t < end:
                steps = steps_per_chunk(int(end - t), d)
                total += rng.standard_normal((steps, d)).sum(axis=0)
                t += steps
            sums[r, h] = total
    return sums


def _provably_worse(
    columns: Columns, t: int, horizons: NDArray[np.int64], sums: FloatArray, so_far: FloatArray, best: FloatArray, measures: Measures
) -> NDArray[np.bool_]:
    """Return which columns provably cannot end below the best value of any measure, as booleans (columns,).

    x_T = x_t - alpha sigma (noise from t to T) - alpha sum of T - t clipped means, and each of these is at most C long.
    """
    ahead = sums[columns.stream, np.searchsorted(horizons, columns.T)] - so_far[columns.stream]
    drift = columns.step * columns.C * (columns.T - t)
    floor = measures.lower_bounds(columns.D - columns.spread[:, None] * ahead, drift)
    return np.all(floor > best[columns.stream].T * (1 + 1e-6), axis=0)
