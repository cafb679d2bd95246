"""Lists of settings (alpha, T, C, sigma): the columns of a grid, or the few that are run again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from synthetic.draws import FloatArray


@dataclass(frozen=True, eq=False)
class Settings:
    """Arrays of one length: alpha, C, sigma as float64, T as int64."""

    alpha: FloatArray
    T: NDArray[np.int64]
    C: FloatArray
    sigma: FloatArray

    def __len__(self) -> int:
        return len(self.alpha)

    def tiled(self, times: int) -> Settings:
        """Return the list ``times`` times over."""
        return Settings(np.tile(self.alpha, times), np.tile(self.T, times), np.tile(self.C, times), np.tile(self.sigma, times))

    @staticmethod
    def product(alphas: FloatArray, horizons: NDArray[np.int64], clips: FloatArray, sigma: FloatArray) -> Settings:
        """Return all combinations, ordered as an array of shape (alphas, horizons, clips); sigma (horizons, clips)."""
        shape = (len(alphas), len(horizons), len(clips))

        def spread(values: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
            return np.broadcast_to(np.expand_dims(values, axes), shape).ravel()

        return Settings(spread(alphas, (1, 2)), spread(horizons, (0, 2)), spread(clips, (0, 1)), spread(sigma, (0,)))
