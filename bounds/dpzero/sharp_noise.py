"""The noise of a sharp plan as a function of its steps and its threshold: for whatever the losses are, or for losses that are Lipschitz.

Setting   (n, epsilon, delta); x_tau alone is published, tau uniform on 0..T-1, directions and all; neighbours replace one record.
Measure   sigma: roughly, for a search, at real T and arrays of C; and from above at the T and C that were chosen.
Source    `bounds.privacy` for the clip, `bounds.random_shifts` and `bounds.dpzero.random_directions` for Lipschitz losses.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.privacy import epsilon_gaussian, in_full, mu_gaussian, releases_before_uniform_iterate, sigma_gaussian
from bounds.random_shifts import sigma_random_shifts, unit_sigma
from bounds.validate import door, positive

ACCOUNTANTS = ("exact", "lipschitz")  # of a sharp plan


@dataclass(frozen=True)
class ClipNoise:
    """The least noise that the clip needs, whatever the losses are: it grows with C."""

    n: float
    epsilon: float
    delta: float

    def about(self, T: Any, C: Any) -> Any:
        """Return sigma in plain floats, for a search; arrays of C broadcast."""
        return 2 * C * np.sqrt(T - 1.0) / (self.n * mu_gaussian(self.epsilon, self.delta))

    def sigma(self, T: int, C: float) -> float:
        """Return sigma from above; that of one release where there is none."""
        releases = max(1, releases_before_uniform_iterate(T))
        return sigma_gaussian(epsilon=self.epsilon, delta=self.delta, T=releases, sensitivity=in_full(2 * C / self.n))

    def by_the_clip(self, T: int, C: float, sigma: float) -> float:
        """Return the epsilon at this delta that the clip guarantees whatever the losses are, from above."""
        releases = max(1, releases_before_uniform_iterate(T))
        return epsilon_gaussian(delta=self.delta, sigma=sigma, T=releases, sensitivity=in_full(2 * C / self.n))


@dataclass(frozen=True)
class LipschitzNoise(ClipNoise):
    """The least noise where every possible record has an L-Lipschitz loss, or that of the clip if that is less: it does not grow with C."""

    scale: float  # the shift of a step is at most this times |N|, in distribution

    def about(self, T: Any, C: Any) -> Any:
        """Return the smaller of the two."""
        steps = math.ceil(T)
        if steps == 1:
            return 0 * C
        return np.minimum(super().about(T, C), self.scale * unit_sigma(epsilon=self.epsilon, delta=self.delta, T=steps, released="uniform"))

    def sigma(self, T: int, C: float) -> float:
        """Return the smaller of the two."""
        budget = {"epsilon": self.epsilon, "delta": self.delta}
        lipschitz = sigma_random_shifts(**budget, T=max(2, T), scale=self.scale, released="uniform")
        return min(super().sigma(T, C), lipschitz)


@door
def lipschitz_scale(method: str, *, n: float, d: float, L: float) -> float:
    """Return the scale of `bounds.random_shifts` for a method with directions: 2 L sqrt(d / (d - 3)) / n, from above.

    Algorithm 1 (dpgd_0th) releases the scalar times u_t, of length sqrt(d), with a noise vector: sqrt(d) times as much.
    """
    if method not in ("dpzero", "dpgd_0th"):
        raise ValueError(f"accountant = 'lipschitz': {method} draws no directions; it is for dpzero and dpgd_0th")
    positive(n=n, L=L)
    if d < 4:
        raise ValueError(f"d = {d!r}: at least 4 dimensions are needed with accountant = 'lipschitz'")
    return in_full(2 * L / n * math.sqrt(d / (d - 3) * (d if method == "dpgd_0th" else 1))) * (1 + 2.0**-49)
