"""Shared steps of the experiments behind figures: seeds, cells through the store, fitted exponents, checks of fields."""

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
    """Return the seed (64 bits) of the part of an experiment with the given keys, spawned from `seed`; no two parts share draws."""
    return int(np.random.SeedSequence(seed, spawn_key=keys).generate_state(1, np.uint64)[0])


def compute_groups(
    words: str, cells: Mapping[Any, Sequence[Cell]], store: Store, *, workers: Workers = None, progress: Report = None, pool: Any = None
) -> dict[Any, dict[str, np.ndarray]]:
    """Run groups of cells that are missing in the store; return each group's arrays by name, joined along the replicates.

    words    the name of these cells in progress reports;   pool   worker processes to use, by default new ones
    """
    everything = [cell for group in cells.values() for cell in group]
    report = None if progress is None else lambda p: progress(words, p)
    found = run(everything, store, pool, workers=workers, progress=report)
    return {
        key: {name: np.concatenate([found[cell.key][name] for cell in group]) for name in found[group[0].key]}
        for key, group in cells.items()
    }


def stage_label(name: str, number: int, of: int) -> str:
    """Return the name of a stage in progress reports: "name (stage 1 of 2)"."""
    return f"{name} (stage {number} of {of})"


def fit_exponent(x: Sequence[float], y: Sequence[float]) -> Interval | None:
    """Fit y ~ x^p to the finite positive points by least squares in logarithms; return p with its interval, or None below 3 points."""
    finite = [(a, b) for a, b in zip(x, y, strict=True) if math.isfinite(b) and b > 0]
    return loglog_slope(np.array([a for a, _ in finite]), np.array([b for _, b in finite])) if len(finite) >= 3 else None


def json_interval(interval: Interval | None) -> list[float] | None:
    """Return an interval as the list [value, low, high] for JSON, None for None."""
    return None if interval is None else [interval.value, interval.low, interval.high]


def check_experiment(experiment: Any, **checks: str) -> None:
    """Convert an experiment's fields to plain numbers in place; raise ValueError if a field fails its check of `synthetic.validate`.

    checks   names of fields by the check of `synthetic.validate`, as in positive="eta chi"; `seed` is always checked
    """
    validate.convert_fields(experiment)
    for check, names in {**checks, "seed_integer": "seed"}.items():
        for name in names.split():
            shape = ((None,),) if check == "positive_array" else ()
            getattr(validate, check)(*shape, **{name: getattr(experiment, name)})
