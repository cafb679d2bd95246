"""Windows of DP-GD steps on few columns: many steps by few passes over the data, guessed linearly, then corrected until exact.

A step of few columns reads all samples for little arithmetic. But D_{t+1} = D_t - step G(D_t) - noise_t with known noise, and G is close to
linear over some steps: G(P) + S (D - P) with slopes S, one a coordinate. So a window of steps is guessed by that line, G is computed at
all its points in one pass, as one matrix product, and the window is run again with the line through each point and its exact
gradient. This is repeated until the points stand still: what they then satisfy is the recursion of the steps itself, whatever the slopes,
which decide only how soon. The points differ from it by the last change, below SETTLED in relative terms, times the share of a change
that a repetition leaves, some hundredths: by about 1e-6; measures of the cells of Figure 1 differ by 4e-7 from those of single steps.
After k repetitions the first k steps are exact, so that it always ends.

The slopes are those of the clipped mean at the beginning of a window, from every SPARSE-th sample.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthetic.draws import FloatArray
from synthetic.kernels.grid import rerun_steps

WIDE = 192  # points in one product, enough for matrix products to be quick
LONGEST = 64  # steps of a window
FEW = 6  # columns; of more, single steps take no longer than the two or three passes of a window
SETTLED = 1e-4  # relative change of a gradient e = A D
PATIENCE = 6  # repetitions after which a window is begun again with half its steps
SPARSE = 8  # the slopes are computed from every such sample
RENEWED = 4  # windows between two computations of the slopes

Look = Callable[[FloatArray, FloatArray, NDArray[np.bool_], NDArray[np.int64]], tuple[FloatArray, FloatArray]]


@dataclass(frozen=True, eq=False)
class Linearisation:
    """Linearisation of the clipped mean gradients of columns: points, gradients there, and diagonal slopes, each (columns, d)."""

    point: FloatArray
    gradient: FloatArray
    slope: FloatArray

    def at(self, which: NDArray[np.integer] | NDArray[np.bool_]) -> Linearisation:
        """Return the linearisation restricted to some columns, given by indices or a mask."""
        return Linearisation(self.point[which], self.gradient[which], self.slope[which])


class Slopes:
    """Estimate of the diagonal slopes of clipped mean gradients from every SPARSE-th sample; call it with the columns' state."""

    def __init__(self, a: FloatArray, samples: NDArray[np.floating], norm_sq: NDArray[np.floating]) -> None:
        self.a, self.norm_sq = a, norm_sq[:, ::SPARSE]
        self.z = np.ascontiguousarray(samples[::SPARSE, : a.shape[1]])
        self.squares = self.z**2

    def __call__(self, E: FloatArray, C: FloatArray, shared: NDArray[np.bool_], of: NDArray[np.int64]) -> FloatArray:
        """Return the slopes of the clipped mean gradients at E = A D, (columns, d).

        They are a (mean of w - w (e - y)^2 / |e - y|^2), where the second term counts clipped samples only.
        """
        a, y_sq = self.a[of], self.norm_sq[of]
        counted = np.isfinite(y_sq)
        distance_sq = (E**2).sum(axis=1)[:, None] + y_sq - 2 * (E * a).astype(self.z.dtype) @ self.z.T
        distance = np.sqrt(np.maximum(distance_sq, 1e-30))
        clipped = (distance > C[:, None]) | shared[:, None]
        w = np.where(clipped, C[:, None] / distance, 1.0) * counted
        share = np.where(clipped & counted, w / distance**2, 0.0).astype(self.z.dtype)
        squares = E**2 * share.sum(axis=1)[:, None] - 2 * E * a * (share @ self.z) + a**2 * (share @ self.squares)
        slope: FloatArray = a * (w.sum(axis=1)[:, None] - squares) / counted.sum(axis=1)[:, None]
        return slope


def window_length(columns: int) -> int:
    """Return how many steps a window may have for this number of columns (runs side by side); 1 where single steps are faster."""
    return min(LONGEST, WIDE // columns) if columns <= FEW else 1


@dataclass(frozen=True, eq=False)
class Window:
    """Result of a window of b steps: the path of every column, and what the next window needs.

    points (columns, b + 1, d)   the path;   place   the linearisation at its end
    nearest (columns,)           distance of the nearest sample on the way;   passes   how often all points were computed
    settled                      whether the path has converged; if not, it must not be used
    """

    points: FloatArray
    place: Linearisation
    nearest: FloatArray
    passes: int
    settled: bool


def run_window(
    look: Look,
    a: FloatArray,
    D: FloatArray,
    place: Linearisation,
    step: FloatArray,
    noise: FloatArray,
    C: FloatArray,
    shared: NDArray[np.bool_],
    of: NDArray[np.int64],
) -> Window:
    """Run b steps of DP-GD from D (columns, d) with noise (columns, b, d), by passes over all points at once; return a `Window`.

    look   returns the gradients at points and the distance of the nearest sample, as `first_order.Gradients`;   a (columns, d)
    """
    columns, b, d = noise.shape
    each = np.repeat(np.arange(columns), b)
    G, points = np.repeat(place.gradient[:, None], b, axis=1), np.empty((columns, b + 1, d))
    rerun_steps(D, G, place.slope, step, noise, np.repeat(place.point[:, None], b, axis=1), points)
    for passes in range(1, PATIENCE + 1):
        old, points = points, np.empty_like(points)
        E = (old[:, :b] * a[:, None]).reshape(-1, d)
        found, distance = look(E, C[each], shared[each], of[each])
        G = found.reshape(columns, b, d)
        rerun_steps(D, G, place.slope, step, noise, old, points)
        change = np.linalg.norm((points - old) * a[:, None], axis=2) / np.linalg.norm(points * a[:, None], axis=2)
        settled = passes >= b or bool(np.all(change <= SETTLED))  # a NaN settles nothing
        if settled:
            break
    at = points[:, b - 1]
    last = G[:, b - 1] + place.slope * (at - old[:, b - 1])
    return Window(points, Linearisation(at, last, place.slope), distance.reshape(columns, b).min(axis=1), passes, settled)
