"""The cells of the synthetic experiment of DPZero: JSON arguments in, arrays out, one thread."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from synthetic.grid import grids, last_iterates
from synthetic.measures import Measures
from synthetic.objectives import Objective, quadratic
from synthetic.settings import Settings


def train_and_test(spectrum: str, d: int, n: int, dataset: int) -> tuple[Objective, Objective]:
    """Return the training and the test quadratic of a dataset number: seeds 2 dataset and 2 dataset + 1."""
    return quadratic(spectrum, d, n, 2 * dataset), quadratic(spectrum, d, n, 2 * dataset + 1)


def grid_cell(
    *, methods: Sequence[str], spectrum: str, d: int, n: int, dataset: int, seed: int, alphas: Sequence[float],
    horizons: Sequence[int], clips: Sequence[float], sigma: Sequence[Sequence[float]], direction: str, precision: str, prune: bool,
) -> dict[str, np.ndarray]:  # fmt: skip
    """Return the four measures, (alphas, horizons, clips), of every method, as "method/measure"."""
    train, test = train_and_test(spectrum, d, n, dataset)
    found = grids(
        tuple(methods), train, test=test, alphas=np.array(alphas), horizons=np.array(horizons), clips=np.array(clips),
        sigma=np.array(sigma), seed=seed, direction=direction, precision=precision, prune=prune, threads=1,
    )  # fmt: skip
    return {f"{method}/{name}": getattr(grid, name) for method, grid in found.items() for name in Measures.NAMES}


def replay_cell(
    *, methods: Sequence[str], spectrum: str, d: int, n: int, dataset: int, seed: int, replicates: int, alpha: Sequence[float],
    T: Sequence[int], C: Sequence[float], sigma: Sequence[float], direction: str, precision: str,
) -> dict[str, np.ndarray]:  # fmt: skip
    """Run settings again on a fresh dataset: the measures of each method, (4, replicates, settings)."""
    train, test = train_and_test(spectrum, d, n, dataset)
    settings = Settings(np.array(alpha), np.array(T, dtype=np.int64), np.array(C), np.array(sigma))
    found = last_iterates(
        tuple(methods), train, settings, seed=seed, replicates=replicates, direction=direction, precision=precision, threads=1
    )
    measures = Measures.between(train, test)
    return {method: measures.of(D.reshape(-1, d)).reshape(4, *D.shape[:2]) for method, D in found.items()}
