"""Columns of DP-GD runs in a grid: settings that run at the same time, some of them sharing a column for a while."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from synthetic.draws import FloatArray
from synthetic.grids.settings import Settings

SAME = 1e-12  # relative difference below which two products of settings count as one: rounding of alpha * C


@dataclass(eq=False)
class Columns:
    """Running columns of a grid, arrays with one row per column.

    A shared column has several members, clips at 1 and steps by alpha C; a single column has one member.
    """

    ARRAYS: ClassVar[tuple[str, ...]] = ("D", "step", "C", "shared", "spread", "T", "stream", "of")

    D: FloatArray  # (columns, d)
    step: FloatArray  # alpha C of a shared column, alpha of a single one
    C: FloatArray
    shared: NDArray[np.bool_]
    spread: FloatArray  # alpha sigma
    T: NDArray[np.int64]
    stream: NDArray[np.int64]  # index of the replicate whose noise it gets
    of: NDArray[np.int64]  # index of its spectrum
    members: list[list[int]]  # indices of the settings

    def __len__(self) -> int:
        return len(self.members)

    def keep(self, mask: NDArray[np.bool_]) -> Columns:
        """Return the columns selected by a mask (columns,)."""
        members = [m for m, stays in zip(self.members, mask, strict=True) if stays]
        return Columns(**{name: getattr(self, name)[mask] for name in self.ARRAYS}, members=members)

    def join(self, other: Columns) -> Columns:
        """Return these columns followed by the other ones."""
        both = {name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in self.ARRAYS}
        return Columns(**both, members=self.members + other.members)


def shared_columns(settings: Settings, of: NDArray[np.int64], stream: NDArray[np.int64], start: FloatArray) -> Columns:
    """Group settings with the same T, stream, spectrum, alpha C and alpha sigma into shared columns that start at `start` (d,)."""
    step, spread = settings.alpha * settings.C, settings.alpha * settings.sigma
    groups: list[list[int]] = []
    for s in np.lexsort((spread, step, of, stream, settings.T)):
        first = groups[-1][0] if groups else -1
        same = (
            first >= 0
            and (settings.T[s], stream[s], of[s]) == (settings.T[first], stream[first], of[first])
            and abs(step[s] - step[first]) <= SAME * step[s]
            and abs(spread[s] - spread[first]) <= SAME * spread[s]
        )
        if same:
            groups[-1].append(int(s))
        else:
            groups.append([int(s)])
    leads = np.array([g[0] for g in groups])
    ones, D = np.ones(len(groups)), np.tile(start, (len(groups), 1))
    return Columns(D, step[leads], ones, ones > 0, spread[leads], settings.T[leads], stream[leads], of[leads], groups)
