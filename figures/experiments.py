"""What the experiments of all figures do alike: seeds of their parts, cells through the store, fitted exponents, checks of their fields."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from synthetic import validate
from synthetic.estimate import Interval, loglog_slope
from synthetic.sweeps.store import Store
from synthetic.sweeps.sweep import Cell, Progress, run
from synthetic.sweeps.workers import Workers

Report = Callable[[str, Progress], None] | None


def child_seed(seed: int, *keys: int) -> int:
    """Return a seed for the part of an experiment with these numbers; parts never share draws."""
    return int(np.random.SeedSequence(seed, spawn_key=keys).generate_state(1, np.uint64)[0])


def compute(
    words: str, cells: Mapping[Any, Sequence[Cell]], store: Store, *, workers: Workers = None, progress: Report = None, pool: Any = None
) -> dict[Any, dict[str, np.ndarray]]:
    """Run groups of cells through the store, on a pool if one is given; return for each its cells' arrays, joined along the replicates.

    words    what progress calls them
    """
    everything = [cell for group in cells.values() for cell in group]
    report = None if progress is None else lambda p: progress(words, p)
    found = run(everything, store, pool, workers=workers, progress=report)
    return {
        key: {name: np.concatenate([found[cell.key][name] for cell in group]) for name in found[group[0].key]}
        for key, group in cells.items()
    }


def stage(name: str, number: int, of: int) -> str:
    """Return what progress calls a stage of an experiment whose cells are not known before the stage ahead of it is done."""
    return f"{name} (stage {number} of {of})"


def exponent(x: Sequence[float], y: Sequence[float]) -> Interval | None:
    """Return the fitted exponent of the finite points, or None for fewer than three of them."""
    finite = [(a, b) for a, b in zip(x, y, strict=True) if math.isfinite(b) and b > 0]
    return loglog_slope(np.array([a for a, _ in finite]), np.array([b for _, b in finite])) if len(finite) >= 3 else None


def as_json(interval: Interval | None) -> list[float] | None:
    """Return value, low, high."""
    return None if interval is None else [interval.value, interval.low, interval.high]


def checked(experiment: Any, **checks: str) -> None:
    """Make the fields of an experiment plain numbers; raise ValueError where one cannot be meant: positive="eta chi" checks both so."""
    validate.plain_fields(experiment)
    for check, names in {**checks, "seed_integer": "seed"}.items():
        for name in names.split():
            shape = ((None,),) if check == "positive_array" else ()
            getattr(validate, check)(*shape, **{name: getattr(experiment, name)})
