"""The formulas of the sharp theorem for steps with P directions, for floats, arrays or letters, and schedules for which it is least.

Nothing here imports SymPy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bounds.dpzero.sharp_numbers import Point


@dataclass(frozen=True, kw_only=True)
class Stage(Point):
    """A stage and a problem in the glossary's letters: T steps of one size from F - F* = gap; see `bounds.dp_zopo.smooth`.

    `spread` is 1 for Gaussian directions, d / (d - 3) on the sphere; `sampling` is (n - B) / (B (n - 1)), 0 for full batches; `split` is
    any positive number.
    """

    P: Any
    sampling: Any
    split: Any
    mu: Any
    spread: Any = 1.0

    @property
    def ratio(self) -> Any:
        """The threshold c over the spread of what is clipped."""
        return self.C / (self.L * self.functions.sqrt(self.spread))

    def tilt(self, c: Any) -> Any:
        """Return b, how far clipping and smoothing turn the mean step away from the gradient."""
        return self.L * self.spread * self.beyond(c) + self.lam * self.ell * self.functions.sqrt(self.r)

    @property
    def curved(self) -> Any:
        """The part of omega by smoothing."""
        return self.lam * self.ell / 2 * self.functions.sqrt(self.r * (self.r + 2) * (self.r + 4))

    def of_samples(self, share: Any) -> Any:
        """Return a bound on E X^2 w / ell for X odd and L-Lipschitz, E X^2 = share L^2, through y = share r."""
        return self.L**2 * (share * self.r + 2 * self.functions.sqrt(share * self.r))

    def rest(self, psi: Any) -> Any:
        """Return omega."""
        return self.curved + self.functions.sqrt(self.of_samples(self.spread * psi))

    @property
    def square(self) -> Any:
        """K_2."""
        return 1 + (self.r + 1) / self.P

    def cross(self, omega: Any, b: Any, others: Any) -> Any:
        """Return K_1."""
        return self.functions.sqrt(self.r + 2) * omega / self.P + others * b

    def constant(self, omega: Any, b: Any, others: Any) -> Any:
        """Return K_0: what clipping and smoothing change, the batch, and the noise."""
        drawn = self.sampling * (self.of_samples(self.spread) / self.P + others * self.spread * self.L**2)
        return omega**2 / self.P + others * b**2 + drawn + self.sigma**2 * self.r / self.P

    def slope(self, square: Any) -> Any:
        """Return A."""
        return self.alpha * (2 - self.alpha * self.ell * square) / 2

    def pull(self, b: Any, cross: Any) -> Any:
        """Return Q."""
        return self.alpha * (b + self.alpha * self.ell * cross)

    def shrinks(self, slope: Any) -> Any:
        """Return x, the share that a step takes off F - F*."""
        return 2 * self.mu * slope * self.split / (1 + self.split)

    def adds(self, slope: Any, pull: Any, constant: Any) -> Any:
        """Return what a step adds."""
        return pull**2 * (1 + self.split) / (4 * slope) + self.alpha**2 * self.ell * constant / 2
