"""Exact zeroth-order runs of many settings at once on a quadratic: DPZero and DPGD-0th.

On f(x; x_i) = (x - x_i)' A (x - x_i) / 2 the two-point difference is u' A (x - x_i) for every lam. With the sample mean m,
D = x - m, v_t = A u_t and y_ti = v_t' (x_i - m) it equals v_t' D - y_ti, and only v_t' D depends on the setting. So all settings
share the directions and the products y_t = (X - m) v_t; with y_t sorted and its prefix sums at hand the clipped mean of any
setting is two binary searches. Inside a segment of steps D_t = D - sum_k c_k u_k - alpha sigma sum_k w_k, so v_t' D_t needs only
the numbers v_t' u_k and v_t' w_k: the d-vectors of a setting are touched once a segment, by a matrix product.
For FEW settings or less a sum over the samples each is quicker than sorting. Nothing is approximated: float64 throughout, but
for the products (X - m) v_t with ``precision="single"``.
"""

from collections import deque
from collections.abc import Iterator
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
    """The draws of steps start..stop-1 and what they make of the data; b = stop - start."""

    start: int
    stop: int
    u: FloatArray  # (b, d)
    v: FloatArray  # (b, d), A u
    threshold_scale: FloatArray  # (b,), 1 / |u|: DPGD-0th clips s at C / |u|
    y: NDArray[np.floating]  # (b, n); each row sorted, if there are prefix sums
    prefix: FloatArray  # (b, n + 1), prefix sums of y; (b, 0) without


def _segment(start: int, stop: int, u: FloatArray, a: FloatArray, centred: NDArray[np.floating], few: bool) -> Segment:
    v = u * a
    y = v.astype(centred.dtype, copy=False) @ centred.T
    prefix = np.zeros((stop - start, 0))
    if not few:
        y.sort(axis=1)
        prefix = np.zeros((stop - start, y.shape[1] + 1))
        np.cumsum(y, axis=1, out=prefix[:, 1:])
    return Segment(start, stop, u, v, 1.0 / np.sqrt(np.einsum("td,td->t", u, u)), y, prefix)


def _segments(
    ends: list[int], seed: int, replicate: int, direction: str, a: FloatArray, centred: NDArray[np.floating], few: bool, threads: int
) -> Iterator[Segment]:
    """Yield the segments up to the last end, cut at every end and every so many steps, prepared ``threads`` ahead."""
    cuts = sorted({*ends, *range(0, ends[-1], LONG_SEGMENT if few else SEGMENT)} | {0})
    along = generator(seed, replicate, DIRECTIONS)
    pending: deque[Future[Segment]] = deque()
    with ThreadPoolExecutor(max_workers=threads) as pool:
        for start, stop in pairwise(cuts):
            pending.append(pool.submit(_segment, start, stop, directions(along, stop - start, len(a), direction), a, centred, few))
            if len(pending) > threads:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def last_offsets(
    quadratic: Centred, settings: Settings, vector: np.ndarray, *, seed: int, replicate: int, direction: str, threads: int
) -> FloatArray:
    """Return x_T - m of every setting, (settings, d), on the draws of one replicate.

    vector (settings,)   whether the noise has d entries (DPGD-0th) or one (DPZero);   the samples may be float32
    """
    a, centred, d = quadratic.a, quadratic.samples, len(quadratic.a)
    order = np.argsort(-settings.T, kind="stable")  # the running settings are a prefix
    alpha, C, sigma, T, is_vector = (
        np.ascontiguousarray(array[order]) for array in (settings.alpha, settings.C, settings.sigma, settings.T, vector)
    )
    D = np.tile(quadratic.start, (len(T), 1))
    scalars = generator(seed, replicate, NOISE)
    vectors = generator(seed, replicate, NOISE)
    ends = sorted({int(t) for t in T})
    for g in _segments(ends, seed, replicate, direction, a, centred, len(T) <= FEW, threads):
        b, live = g.stop - g.start, int(np.sum(g.start < T))
        z = scalars.standard_normal(b)
        w = vectors.standard_normal((b, d)) if is_vector[:live].any() else np.zeros((b, d))
        c = np.empty((live, b))
        few = not g.prefix.shape[1]
        draws = (g.threshold_scale, g.v @ g.u.T, g.v @ w.T, z)
        chosen = (alpha[:live], C[:live], sigma[:live], is_vector[:live])
        (few_coefficients if few else direction_coefficients)(g.y, g.prefix, *draws, *chosen, D[:live] @ g.v.T, c)
        D[:live] -= c @ g.u
        noisy = np.flatnonzero(is_vector[:live])
        D[noisy] -= (alpha[noisy] * sigma[noisy])[:, None] * w.sum(axis=0)
    result = np.empty_like(D)
    result[order] = D
    return result
