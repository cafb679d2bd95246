"""Exact zeroth-order runs of many settings at once on a quadratic: DPZero and DPGD-0th.

On f(x; x_i) = (x - x_i)' A (x - x_i) / 2 the two-point difference is u' A (x - x_i) for every lam. With the sample mean m,
D = x - m, v_t = A u_t and y_ti = v_t' (x_i - m) it equals v_t' D - y_ti, and only v_t' D depends on the setting. So all settings
share the draws, and those of one spectrum the products y_t = (X - m) v_t; with y_t sorted and its prefix sums at hand the clipped
mean of any setting is two binary searches. Inside a segment of steps D_t = D - sum_k c_k u_k - alpha sigma sum_k w_k, so v_t' D_t
needs only the numbers v_t' u_k and v_t' w_k: the d-vectors of a setting are read and written once a segment, by a matrix product.
The steps of a segment, of all replicates and spectra, are the rows of one product with the data, which is where the time goes.
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

from synthetic.draws import DIRECTIONS, NOISE, FloatArray, draw_directions, generator
from synthetic.grids.settings import Centred, Settings
from synthetic.kernels.grid import coefficients_sorted, coefficients_unsorted

VECTOR_NOISE = {"dpzero": False, "dpgd_0th": True}
FEW = 200  # sorting 10,000 samples takes as long as clipping and adding them some 300 times
SEGMENT = 128  # steps a segment; 128 x n sorted values and prefix sums are 20 MB at n = 10,000
SHORT_SEGMENT = 64  # without prefix sums: replicates and spectra share a product; the numbers v_t' u_k grow with the square of this


@dataclass(frozen=True, eq=False)
class Segment:
    """Draws of b steps of one replicate, and their products with the data for one spectrum."""

    replicate: int
    spectrum: int
    u: FloatArray  # (b, d)
    v: FloatArray  # (b, d), A u
    threshold_scale: FloatArray  # (b,), 1 / |u|: DPGD-0th clips s at C / |u|
    y: NDArray[np.floating]  # (b, n); each row sorted, if there are prefix sums
    prefix: FloatArray  # (b, n + 1), prefix sums of y; (b, 0) without


def _prepare_segments(u: FloatArray, running: list[int], quadratic: Centred, few: bool) -> list[Segment]:
    """Return a `Segment` for each replicate and each running spectrum: u (replicates, b, d) times the data, sorted unless `few`."""
    R, b, d = u.shape
    v = u[:, None] * quadratic.a[running][:, None]  # (replicates, spectra, b, d)
    y = (v.astype(quadratic.samples.dtype, copy=False).reshape(-1, d) @ quadratic.samples.T).reshape(R, len(running), b, -1)
    prefix = np.zeros((R, len(running), b, 0))
    if not few:
        y.sort(axis=-1)
        prefix = np.zeros((*y.shape[:-1], y.shape[-1] + 1))
        np.cumsum(y, axis=-1, out=prefix[..., 1:])
    scale = 1.0 / np.sqrt(np.einsum("rtd,rtd->rt", u, u))
    return [Segment(r, k, u[r], v[r, i], scale[r], y[r, i], prefix[r, i]) for r in range(R) for i, k in enumerate(running)]


def _segments(
    last: list[int], cuts: list[int], draws: Callable[[int], FloatArray], quadratic: Centred, few: bool, threads: int
) -> Iterator[tuple[int, list[Segment]]]:
    """Yield, for each piece of steps between two cuts, its first step and its segments; pieces are prepared ``threads`` ahead.

    last    the last step of each spectrum;   draws   draws(b) returns the next b directions, (replicates, b, d)
    """
    with ThreadPoolExecutor(max_workers=threads) as pool:
        pending: deque[tuple[int, Future[list[Segment]]]] = deque()
        for start, stop in pairwise(cuts):
            u, running = draws(stop - start), [k for k, end in enumerate(last) if start < end]
            if threads == 1:
                yield start, _prepare_segments(u, running, quadratic, few)
                continue
            pending.append((start, pool.submit(_prepare_segments, u, running, quadratic, few)))
            while len(pending) > (threads if stop < cuts[-1] else 0):
                begun, segments = pending.popleft()
                yield begun, segments.result()


def last_offsets(
    quadratic: Centred,
    settings: Settings,
    of: NDArray[np.int64],
    vector: NDArray[np.bool_],
    *,
    seed: int,
    replicates: int,
    direction: str,
    threads: int,
) -> FloatArray:
    """Run zeroth-order settings on a quadratic; return x_T - m of every replicate and setting, (replicates, settings, d).

    of (settings,)       index of the spectrum that a setting runs on; each of the quadratic's spectra is used at least once
    vector (settings,)   whether the noise has d entries (DPGD-0th) or one (DPZero);   the samples may be float32
    """
    d, T, few = quadratic.a.shape[1], settings.T, len(settings) <= FEW
    D = np.tile(quadratic.start, (replicates, len(T), 1))
    along, scalars, vectors = ([generator(seed, r, role) for r in range(replicates)] for role in (DIRECTIONS, NOISE, NOISE))
    last = [int(T[of == k].max()) for k in range(len(quadratic.a))]
    cuts = sorted({0, *(int(t) for t in T), *range(0, max(last), SHORT_SEGMENT if few else SEGMENT)})

    def draws(b: int) -> FloatArray:
        return np.stack([draw_directions(rng, b, d, direction) for rng in along])

    for start, segments in _segments(last, cuts, draws, quadratic, few, threads):
        b, noisy = len(segments[0].u), np.any(vector[T > start])
        z = np.stack([rng.standard_normal(b) for rng in scalars])
        w = np.stack([rng.standard_normal((b, d)) for rng in vectors]) if noisy else np.zeros((replicates, b, 0))
        for g in segments:
            r, live = g.replicate, np.flatnonzero((T > start) & (of == g.spectrum))
            c = np.empty((len(live), b))
            products = (g.threshold_scale, g.v @ g.u.T, g.v @ w[r].T if noisy else np.zeros((b, b)), z[r])
            chosen = (settings.alpha[live], settings.C[live], settings.sigma[live], vector[live])
            (coefficients_unsorted if few else coefficients_sorted)(g.y, g.prefix, *products, *chosen, D[r, live] @ g.v.T, c)
            D[r, live] -= c @ g.u
            shaken = live[vector[live]]
            if len(shaken):
                D[r, shaken] -= (settings.alpha[shaken] * settings.sigma[shaken])[:, None] * w[r].sum(axis=0)
    return D
