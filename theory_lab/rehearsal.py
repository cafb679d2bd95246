"""What a sweep finds out before it works: whether each run can begin, by making its objective and checking its settings.

A run is called as its cell will call it, and stopped when it says that everything is checked and no step is made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from theory_lab.sweep_file import Sweep

if TYPE_CHECKING:
    import numpy as np

    from synthetic.sweeps.store import Store
    from synthetic.sweeps.sweep import Cell, Expected

Place = tuple[int, int]  # of a cell: the number of its run, and its seed

LARGEST = 10**7  # numbers of an objective's data, d n: a larger one is not made twice


class Begun(Exception):
    """A run has checked its settings and is about to work."""


def rehearse(sweep: Sweep, cells: Mapping[Place, Cell], store: Store) -> None:
    """Raise the ValueError of the first run that cannot begin; those of which a cell is stored have begun before."""
    from theory_lab.sweeping import told_of

    done = store.keys()
    for k, (method, options, more, _) in enumerate(sweep.runs):
        seed = sweep.seeds[0]
        if any(cells[k, one].key in done for one in sweep.seeds) or _size(options) > LARGEST:
            continue
        try:
            told_of(method, {**options, "seed": seed}, more, progress=_begin)
        except Begun:
            continue


def in_two(
    sweep: Sweep, cells: Mapping[Place, Cell], judge: Callable[[Mapping[Place, Mapping[str, np.ndarray]]], object]
) -> tuple[list[Cell], Callable[[str, Mapping[str, np.ndarray]], Iterable[Cell]], dict[str, Expected]]:
    """Return the cells to begin with, one of each method, what then follows, and what of it a `synthetic.sweeps.sweep` expects.

    The first are those that take the least work. `judge` is told their arrays, which have all columns, and raises what speaks against them
    before the rest is begun.
    """
    from synthetic.sweeps.sweep import Expected

    first: dict[str, Place] = {}
    for place, cell in cells.items():
        method = sweep.runs[place[0]][0]
        if method not in first or cell.cost < cells[first[method]].cost:
            first[method] = place
    begun = {cells[place].key: place for place in first.values()}
    rest = [cell for cell in cells.values() if cell.key not in begun]
    told: dict[Place, Mapping[str, np.ndarray]] = {}

    def then(key: str, arrays: Mapping[str, np.ndarray]) -> Iterable[Cell]:
        if key not in begun or begun[key] in told:
            return ()
        told[begun[key]] = arrays
        if len(told) < len(begun):
            return ()
        judge(told)
        return rest

    return [cells[place] for place in begun.values()], then, {cell.label: Expected(1, cell.cost) for cell in rest}


def _begin(done: int, total: int) -> None:
    raise Begun


def _size(options: Mapping[str, Any]) -> float:
    return math.prod(float(min(options.get(name, 1), 10**18)) for name in ("d", "n"))
