"""Settings of DP-GD that provably end far away: where all eigenvalues are equal, a run stays in a tube around a linear recursion.

With A = a I, e = A D and y_i = A z_i the step is e' = e - a alpha (G(e) + sigma z), G the mean of the clipped e - y_i. Where every
y_i is clipped at 0, G(e) - G(0) = C M e with a symmetric M, a mean over the segment from 0 to e and over the samples of
(I - g g'/|g|^2) / |g|, g = e - y_i. Its eigenvalues lie between lo(E) and hi(E) for |e| <= E (below), so with kappa in their middle
and eta half their distance, |G(e) - G(0) - C kappa e| <= C eta E. Write b = a alpha C. The recursion
N' = N - b (G(0)/C + kappa N) - a alpha sigma z needs no data, and with the radius h' = |1 - b kappa| h + b eta E, E = |N| + h,
|e - N| <= h holds for ever once it holds: N begins where the run is.

The bounds. sum_i y_i = 0, and Lambda is the largest eigenvalue of the mean of y_i y_i'; m is the smallest |y_i|, S the standard deviation
of the |y_i|^2. |g|^2 = rho - 2q with rho = |e|^2 + |y_i|^2 and q = e'y_i, whose mean is 0 and whose mean square is at most Lambda E^2.

- (rho - 2q)^(-p/2) lies above its tangent at q = 0 and below that plus q^2/2 times its largest second derivative p (p + 2) (m - E)^(-p-4).
- The slope p rho^(-p/2-1) differs between samples by no more than its derivative in |y_i|^2 allows: the mean of slope times q is at
  most p (p + 2)/2 m^(-p-4) S sqrt(Lambda) E.  So the mean of |g|^(-p) is at most mean |y_i|^(-p) + both, and that of 1/|g| at least
  (E^2 + mean |y_i|^2)^(-1/2) (Jensen) less the second.
- By Minkowski the mean of (g'v)^2/|g|^3 is at most (E sqrt(mean |g|^-3) + sqrt(Lambda (m - E)^-3))^2 for |v| = 1.
- A sample that is not clipped at g counts with I; that lowers (I - g g'/|g|^2)/|g| by no more than (1/(m - E) - 1/C)^+.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthetic.draws import FloatArray
from synthetic.grid_settings import Measures
from synthetic.kernels.grid import LOST, follow

CLEAR = 1e-4  # relative, added to Lambda: its rounding


@dataclass(frozen=True, eq=False)
class Tubes:
    """What the bounds take from the data.

    numbers   m, mean |y|^2, mean 1/|y|, mean |y|^-3, S sqrt(Lambda), Lambda;   pull (d,)   G(0)/C
    """

    a: float
    numbers: FloatArray
    pull: FloatArray

    @staticmethod
    def of(a: FloatArray, samples: FloatArray) -> Tubes | None:
        """Return them for eigenvalues a (d,) and the centred data (n, d); None where the eigenvalues differ or a sample is 0."""
        if np.ptp(a) or not a[0]:
            return None
        norm_sq = a[0] ** 2 * np.einsum("nd,nd->n", samples, samples)
        if norm_sq.min() <= 0.0:
            return None
        norm, n = np.sqrt(norm_sq), len(samples)
        single = samples.astype(np.float32)
        largest = a[0] ** 2 * float(np.linalg.eigvalsh(single.T @ single)[-1]) / n * (1 + CLEAR)
        means = [norm.min(), norm_sq.mean(), np.mean(1 / norm), np.mean(norm**-3.0), norm_sq.std() * np.sqrt(largest), largest]
        return Tubes(float(a[0]), np.array(means), -a[0] * ((1 / norm) @ samples) / n)

    def end_far(
        self,
        D: FloatArray,
        step: FloatArray,
        spread: FloatArray,
        cap: FloatArray,
        T: NDArray[np.int64],
        stream: NDArray[np.int64],
        *,
        begun: int,
        noise: Iterable[FloatArray],
        best: FloatArray,
        measures: Measures,
        margin: float,
    ) -> NDArray[np.bool_]:
        """Return which columns cannot end below the best value of any measure.

        D (columns, d)   where they are at step ``begun``;   step alpha C;   spread alpha sigma;   cap   the largest C of a column
        noise            the draws (steps, replicates, d) from there on;   best (replicates, 4)
        """
        N, doomed = self.a * D, np.zeros(len(D), bool)
        h = np.where(cap <= self.numbers[0], margin * np.sqrt(np.einsum("sd,sd->s", N, N)), LOST)
        for z in noise:
            follow(N, h, self.a * step, self.a * spread, cap, T - begun, stream, z, self.pull, self.numbers)
            begun += len(z)
            ended = np.flatnonzero((T <= begun) & (T > begun - len(z)) & (h < LOST))
            if len(ended):
                floor = measures.least(N[ended] / self.a, h[ended] / self.a)
                doomed[ended] = np.all(floor > best[stream[ended]].T * (1 + 1e-6), axis=0)
            if np.all((T <= begun) | (h >= LOST)):
                break
        return doomed
