"""The noise sigma of a sharp plan as a function of T and C: for arbitrary losses, or for Lipschitz losses.

Setting   (n, epsilon, delta); only x_tau and the directions are published, tau uniform on 0..T-1; neighbours replace one record.
Measure   sigma: approximate, for a search at real T and arrays of C; and sufficient, rounded up, at the chosen T and C.
Source    `bounds.privacy.random_iterate` for the clip, `bounds.privacy.random_shifts` and `bounds.dpzero.random_directions` for Lipschitz
          losses.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.privacy.budget import Budget
from bounds.privacy.gaussian import TINY, least_sigma, require_full_precision
from bounds.privacy.random_iterate import LONGEST, largest_mu_uniform, least_epsilon_uniform, least_sigma_uniform
from bounds.privacy.random_shifts import Released, least_sigma_random_shifts, least_unit_sigma
from bounds.validate import positive, validated

ACCOUNTANTS = ("exact", "lipschitz")  # of a sharp plan


@dataclass(frozen=True)
class ClipNoise:
    """The least noise that clipping requires for arbitrary losses; it grows with C."""

    n: float
    budget: Budget

    def approximate_sigma(self, T: Any, C: Any) -> Any:
        """Return an approximate sigma for a search, at real T and arrays of C, which broadcast: its relative error is below 1/T."""
        least = largest_mu_uniform(self.budget, LONGEST) * math.sqrt(LONGEST)
        return 2 * C * np.sqrt(T - 0.5) / (self.n * least)

    def sigma(self, T: int, C: float) -> float:
        """Return a sufficient sigma for x_tau after T steps with clipping at C; for T = 1 that of one release, as x_0 needs none."""
        return self.path_sigma(1, C) if T == 1 else least_sigma_uniform(self.budget, T, self._sensitivity(C))

    def path_sigma(self, T: int, C: float) -> float:
        """Return a sufficient sigma if all iterates x_1..x_T are published, or x_T alone."""
        return least_sigma(self.budget, require_full_precision(math.sqrt(T) * self._sensitivity(C)))

    def clip_epsilon(self, T: int, C: float, sigma: float) -> float:
        """Return the epsilon, rounded up, that clipping guarantees for arbitrary losses at this delta."""
        return least_epsilon_uniform(self.budget.delta, max(self._sensitivity(C) / sigma, TINY), T)

    def _sensitivity(self, C: float) -> float:
        """Return the sensitivity 2 C / n of a mean of clipped vectors."""
        return require_full_precision(2 * C / self.n)


@dataclass(frozen=True)
class LipschitzNoise(ClipNoise):
    """The least noise if every possible record has an L-Lipschitz loss, or that of clipping if less; it does not grow with C."""

    scale: float  # the shift of a step is at most this times |N|, in distribution

    def approximate_sigma(self, T: Any, C: Any) -> Any:
        """Return the smaller of the approximate sigmas of clipping and of Lipschitz losses."""
        return np.minimum(super().approximate_sigma(T, C), self.scale * least_unit_sigma(self.budget, math.ceil(T), "uniform", math.inf))

    def sigma(self, T: int, C: float) -> float:
        """Return the smaller of the sufficient sigmas of clipping and of Lipschitz losses, for x_tau."""
        return super().sigma(T, C) if T == 1 else min(super().sigma(T, C), self._lipschitz_sigma(T, "uniform"))

    def path_sigma(self, T: int, C: float) -> float:
        """Return the smaller of the sufficient sigmas of clipping and of Lipschitz losses, for the whole path."""
        return min(super().path_sigma(T, C), self._lipschitz_sigma(T, "path"))

    def _lipschitz_sigma(self, T: int, released: Released) -> float:
        """Return a sufficient sigma for L-Lipschitz losses, without regard to clipping."""
        return least_sigma_random_shifts(self.budget, T, self.scale, released)


@validated
def lipschitz_scale(method: str, *, n: float, d: float, L: float) -> float:
    """Return the scale of `bounds.privacy.random_shifts` for a method with directions: 2 L sqrt(d / (d - 3)) / n, rounded up.

    Algorithm 1 (dpgd_0th) releases the scalar times u_t, of length sqrt(d), with a noise vector: sqrt(d) times as much.
    """
    if method not in ("dpzero", "dpgd_0th"):
        raise ValueError(f"accountant = 'lipschitz': {method} draws no directions; this accountant is for dpzero and dpgd_0th only")
    positive(n=n, L=L)
    if d < 4:
        raise ValueError(f"d = {d!r}: at least 4 dimensions are needed with accountant = 'lipschitz'")
    return require_full_precision(2 * L / n * math.sqrt(d / (d - 3) * (d if method == "dpgd_0th" else 1))) * (1 + 2.0**-49)
