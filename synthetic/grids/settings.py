"""Settings (alpha, T, C, sigma) of a grid on a quadratic, and the measures at x_T that DPZero's Figures 1 to 3 compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from synthetic.draws import FloatArray
from synthetic.objectives.sums import Objective


@dataclass(frozen=True, eq=False)
class Settings:
    """List of settings as four arrays of one length: alpha, C, sigma (float64) and T (int64)."""

    alpha: FloatArray
    T: NDArray[np.int64]
    C: FloatArray
    sigma: FloatArray

    def __len__(self) -> int:
        return len(self.alpha)

    def take(self, which: NDArray[np.int64]) -> Settings:
        """Return the settings with the given indices."""
        return Settings(self.alpha[which], self.T[which], self.C[which], self.sigma[which])

    def repeat(self, times: int) -> Settings:
        """Return the list of settings repeated ``times`` times."""
        return Settings.concatenate([self] * times)

    @staticmethod
    def concatenate(lists: Sequence[Settings]) -> Settings:
        """Return several lists of settings concatenated into one."""
        return Settings(*(np.concatenate([getattr(one, f.name) for one in lists]) for f in fields(Settings)))

    @staticmethod
    def product(alphas: FloatArray, horizons: NDArray[np.int64], clips: FloatArray, sigma: FloatArray) -> Settings:
        """Return all combinations of alphas (a,), horizons (h,) and clips (c,), flattened from shape (a, h, c); sigma (h, c)."""
        every = np.broadcast_arrays(alphas[:, None, None], horizons[:, None], clips, sigma)
        return Settings(*(values.ravel() for values in every))


MULTIPLIERS = np.geomspace(1e-7, 1e3, 31)  # mu of the dual bound, relative to the largest squared weight


@dataclass(frozen=True, eq=False)
class Centred:
    """Quadratics on one dataset, centred at its mean m: eigenvalues a (spectra, d), samples x_i - m (n, d), start x_0 - m (d,)."""

    a: FloatArray
    samples: FloatArray
    start: FloatArray

    @staticmethod
    def from_objective(objective: Objective) -> Centred:
        """Return a quadratic objective centred at its data's mean; ValueError for any other objective."""
        if objective.eigenvalues is None:
            raise ValueError(f"objective = {objective.name!r}: the grid engine needs a quadratic; use simulate for other objectives")
        return Centred(objective.eigenvalues[None], objective.data - objective.optimum, objective.x0 - objective.optimum)


@dataclass(frozen=True, eq=False)
class Measures:
    """The four measures (gradient norm and loss, training and test) as functions of D = x - m, m the training mean.

    All are smallest at a point near D = 0.
    a (d,) eigenvalues;   shift (d,) test mean - training mean;   spread: F_S(m), the part of a loss that x does not change
    """

    NAMES: ClassVar[tuple[str, ...]] = ("grad_norm_train", "grad_norm_test", "loss_train", "loss_test")

    a: FloatArray
    shift: FloatArray
    spread_train: float
    spread_test: float

    @staticmethod
    def from_objectives(train: Objective, test: Objective) -> Measures:
        """Return the measures for a training and a test quadratic, which must have the same eigenvalues."""
        if train.eigenvalues is None or test.eigenvalues is None or not np.array_equal(train.eigenvalues, test.eigenvalues):
            raise ValueError("test: a quadratic with the eigenvalues of the training objective is needed")
        return Measures(
            train.eigenvalues,
            test.optimum - train.optimum,
            train.value_and_gradient(train.optimum)[0],
            test.value_and_gradient(test.optimum)[0],
        )

    @staticmethod
    def from_data(a: FloatArray, train: Centred, test: Centred) -> Measures:
        """Return the measures for eigenvalues a (d,) on the centred training and test data, whose own eigenvalues are ignored."""
        spreads = (float(a @ np.einsum("nd,nd->d", z, z)) / (2 * len(z)) for z in (train.samples, test.samples))
        return Measures(a, train.start - test.start, *spreads)

    def evaluate(self, D: FloatArray) -> FloatArray:
        """Return the four measures at the points D = x - m (k, d) as an array (4, k)."""
        return self.lower_bounds(D, np.zeros(len(D)))

    def lower_bounds(self, D: FloatArray, radius: FloatArray) -> FloatArray:
        """Return lower bounds (4, k) of the measures over the balls of radius (k,) around the points D (k, d)."""
        roots = np.empty((4, len(D)))  # of |A (D + h - shift)| and |sqrt(A) (D + h - shift)| over |h| <= radius, for training and test
        for k, shift in enumerate((np.zeros_like(self.shift), self.shift)):
            squares = (D - shift) ** 2
            roots[k] = _norm_lower_bounds(squares, self.a, radius)
            roots[2 + k] = _norm_lower_bounds(squares, np.sqrt(self.a), radius)
        spread = np.array([[self.spread_train], [self.spread_test]])
        return np.concatenate([roots[:2], roots[2:] ** 2 / 2 + spread])


def _norm_lower_bounds(squares: FloatArray, b: FloatArray, radius: FloatArray) -> FloatArray:
    """Return lower bounds (k,) of |B (x + h)| over |h| <= radius (k,), from the squares x_j^2 (k, d); B = diag(b).

    Weak duality: for every mu >= 0, |B (x + h)|^2 >= min_h |B (x + h)|^2 + mu (|h|^2 - radius^2), and that minimum is
    sum_j x_j^2 b_j^2 mu / (b_j^2 + mu) - mu radius^2. The best of some mu is taken; with radius 0 it is |B x| itself.
    A direction with a small b_j is slow to shorten, which the triangle inequality |Bx| - max(b) radius does not see.
    """
    weights = b**2
    norm = np.sqrt(squares @ weights)
    if not np.any(radius):
        return norm
    mu = weights.max() * MULTIPLIERS
    dual = squares @ (weights[:, None] * mu / (weights[:, None] + mu)) - radius[:, None] ** 2 * mu
    return np.maximum(np.sqrt(np.maximum(dual.max(axis=1), 0.0)), norm - b.max() * radius)
