"""Exact zeroth-order runs of many settings at once on a quadratic: DPZero and DPGD-0th.

On f(x; x_i) = (x - x_i)' A (x - x_i) / 2 the two-point difference is u' A (x - x_i) for every lam. With the sample mean m,
D = x - m, v_t = A u_t and y_ti = v_t' (x_i - m) it equals v_t' D - y_ti, and only v_t' D depends on the setting. So all settings
share the draws, and those of one spectrum the products y_t = (X - m) v_t; with y_t sorted and its prefix sums at hand the clipped
mean of any setting is two binary searches. Inside a segment of steps D_t = D - sum_k c_k u_k - alpha sigma sum_k w_k, so v_t' D_t
needs only the numbers v_t' u_k and v_t' w_k: the d-vectors of a setting are touched once a segment, by a matrix product.
For FEW settings or less a sum over the samples each is quicker than sorting. Nothing is approximated: float64 throughout, but
for the products (X - m) v_t with ``precision="single"``.
"""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from synthetic.draws import DIRECTIONS, NOISE, FloatArray, directions, generator
from synthetic.grid_settings import Centred, Settings
from synthetic.kernels.grid import direction_coefficients, few_coefficients

VECTOR_NOISE = {"dpzero": False, "dpgd_0th": True}
FEW = 200  # sorting 10,000 samples takes as long as clipping and adding them some 300 times
SEGMENT = 128  # steps a segment; 128 x n sorted values and prefix sums are 20 MB at n = 10,000
LONG_SEGMENT = 512  # without prefix sums


@dataclass(frozen=True, eq=False)
class Segment:
    """The draws of steps start..stop-1 and what they make of the data by the eigenvalues of a spectrum; b = stop - start."""

    spectrum: int
    u: FloatArray  # (b, d)
    v: FloatArray  # (b, d), A u
    threshold_scale: FloatArray  # (b,), 1 / |u|: DPGD-0th clips s at C / |u|
    y: NDArray[np.floating]  # (b, n); each row sorted, if there are prefix sums
    prefix: FloatArray  # (b, n + 1), prefix sums of y; (b, 0) without


def _segment(spectrum: int, u: FloatArray, quadratic: Centred, few: bool) -> Segment:
    v = u * quadratic.a[spectrum]
    y = v.astype(quadratic.samples.dtype, copy=False) @ quadratic.samples.T
    prefix = np.zeros((len(u), 0))
    if not few:
        y.sort(axis=1)
        prefix = np.zeros((len(u), y.shape[1] + 1))
        np.cumsum(y, axis=1, out=prefix[:, 1:])
    return Segment(spectrum, u, v, 1.0 / np.sqrt(np.einsum("td,td->t", u, u)), y, prefix)


def _segments(
    last: list[int], cuts: list[int], draws: Callable[[int], FloatArray], quadratic: Centred, few: bool, threads: int
) -> Iterator[tuple[int, list[Segment]]]:
    """Yield the start of each piece between two cuts and the segments of the spectra that run there, prepared ``threads`` pieces ahead.

    last    the last step of each spectrum;   draws   gives the next so many directions
    """
    pending: deque[tuple[int, list[Future[Segment]]]] = deque()
    with ThreadPoolExecutor(max_workers=threads) as pool:
        for start, stop in pairwise(cuts):
            u, running = draws(stop - start), [k for k, end in enumerate(last) if start < end]
            pending.append((start, [pool.submit(_segment, k, u, quadratic, few) for k in running]))
            while len(pending) > (threads if stop < cuts[-1] else 0):
                begun, segments = pending.popleft()
                yield begun, [one.result() for one in segments]


def last_offsets(
    quadratic: Centred,
    settings: Settings,
    of: NDArray[np.int64],
    vector: NDArray[np.bool_],
    *,
    seed: int,
    replicate: int,
    direction: str,
    threads: int,
) -> FloatArray:
    """Return x_T - m of every setting, (settings, d), on the draws of one replicate.

    of (settings,)       which of the quadratic's spectra a setting is run on, each of them by one at least
    vector (settings,)   whether the noise has d entries (DPGD-0th) or one (DPZero);   the samples may be float32
    """
    d, T, few = quadratic.a.shape[1], settings.T, len(settings) <= FEW
    D = np.tile(quadratic.start, (len(T), 1))
    along = generator(seed, replicate, DIRECTIONS)
    scalars, vectors = (generator(seed, replicate, NOISE) for _ in range(2))
    last = [int(T[of == k].max()) for k in range(len(quadratic.a))]
    cuts = sorted({0, *(int(t) for t in T), *range(0, max(last), LONG_SEGMENT if few else SEGMENT)})
    pieces = _segments(last, cuts, lambda b: directions(along, b, d, direction), quadratic, few, threads)
    for start, segments in pieces:
        b = len(segments[0].u)
        z = scalars.standard_normal(b)
        w = vectors.standard_normal((b, d)) if np.any(vector[T > start]) else np.zeros((b, d))
        for g in segments:
            live = np.flatnonzero((T > start) & (of == g.spectrum))
            c = np.empty((len(live), b))
            draws = (g.threshold_scale, g.v @ g.u.T, g.v @ w.T, z)
            chosen = (settings.alpha[live], settings.C[live], settings.sigma[live], vector[live])
            (few_coefficients if few else direction_coefficients)(g.y, g.prefix, *draws, *chosen, D[live] @ g.v.T, c)
            D[live] -= c @ g.u
            noisy = live[vector[live]]
            D[noisy] -= (settings.alpha[noisy] * settings.sigma[noisy])[:, None] * w.sum(axis=0)
    return D
