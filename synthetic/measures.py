"""What Figures 1 to 3 of DPZero plot at the last iterate of a quadratic: gradient norm and loss, training and test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from synthetic.draws import FloatArray
from synthetic.objectives import Objective


@dataclass(frozen=True, eq=False)
class Measures:
    """The four measures as functions of D = x - m, m the training mean; all of them smallest at a point near D = 0.

    a (d,) eigenvalues;   shift (d,) test mean - training mean;   spread: F_S(m), the part of a loss that x does not change
    """

    NAMES: ClassVar[tuple[str, ...]] = ("grad_norm_train", "grad_norm_test", "loss_train", "loss_test")

    a: FloatArray
    shift: FloatArray
    spread_train: float
    spread_test: float

    @staticmethod
    def between(train: Objective, test: Objective) -> Measures:
        """Return the measures of a pair of quadratics with the same eigenvalues."""
        if train.eigenvalues is None or test.eigenvalues is None or not np.array_equal(train.eigenvalues, test.eigenvalues):
            raise ValueError("test: a quadratic with the eigenvalues of the training objective is needed")
        return Measures(
            train.eigenvalues,
            test.optimum - train.optimum,
            train.value_and_gradient(train.optimum)[0],
            test.value_and_gradient(test.optimum)[0],
        )

    def of(self, D: FloatArray) -> FloatArray:
        """Return the measures (4, k) at the points D (k, d)."""
        return self.least(D, np.zeros(len(D)))

    def least(self, D: FloatArray, radius: FloatArray) -> FloatArray:
        """Return lower bounds (4, k) of the measures over the balls of the given radius (k,) around D (k, d).

        |A (D + h - s)| >= |A (D - s)| - max(a) |h|, and the same for sqrt(A), whose squared norm is twice the loss.
        """
        top = self.a.max()
        values = np.empty((4, len(D)))
        sides: tuple[tuple[FloatArray, float], ...] = ((np.zeros_like(self.shift), self.spread_train), (self.shift, self.spread_test))
        for k, (shift, spread) in enumerate(sides):
            squares = (D - shift) ** 2
            gradient, energy = np.sqrt(squares @ self.a**2), np.sqrt(squares @ self.a)
            values[k] = np.maximum(gradient - top * radius, 0.0)
            values[2 + k] = np.maximum(energy - np.sqrt(top) * radius, 0.0) ** 2 / 2 + spread
        return values
