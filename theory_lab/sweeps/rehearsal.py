"""Checks before a sweep starts: whether every run can begin, by building its objective and checking its settings.

Each run is called as its cell will call it, and is stopped at its first progress call: then all is checked and no step is made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from theory_lab.methods import METHODS
from theory_lab.methods.record import Method
from theory_lab.methods.sums import SIMULATED
from theory_lab.sweeps.file import Sweep

if TYPE_CHECKING:
    import numpy as np

    from synthetic.sweeps.store import Store
    from synthetic.sweeps.sweep import Cell, Expected

CellIndex = tuple[int, int]  # identifies a cell: the number of its run, and its seed

LARGEST = 10**7  # limit of d n, the entries of an objective's data, above which no extra objective is built


class SettingsChecked(Exception):
    """Raised by the progress callback when a run has checked its settings and is about to compute."""


def check_runs(sweep: Sweep, cells: Mapping[CellIndex, Cell], store: Store, methods: Mapping[str, Method] = METHODS) -> None:
    """Check that every run of a sweep can begin; raise the ValueError of the first run that cannot.

    Runs with a stored cell are skipped, because they have begun before, and so are runs on very large data, and those of a user's method
    that is run by a function of its own, which may not call its progress.
    """
    from theory_lab.sweeps.cells import simulate_json

    done = store.keys()
    for k, (method, options, more, _) in enumerate(sweep.runs):
        seed = sweep.seeds[0]
        if any(cells[k, one].key in done for one in sweep.seeds) or _data_size(options) > LARGEST:
            continue
        if METHODS.get(method) is None and not runs_kernel(methods[method]):
            continue
        try:
            simulate_json(methods[method], {**options, "seed": seed}, more, progress=_stop_run)
        except SettingsChecked:
            continue


def split_cells(
    sweep: Sweep, cells: Mapping[CellIndex, Cell], judge: Callable[[Mapping[CellIndex, Mapping[str, np.ndarray]]], object]
) -> tuple[list[Cell], Callable[[str, Mapping[str, np.ndarray]], Iterable[Cell]], dict[str, Expected]]:
    """Split the cells of a sweep into a first part, one cheap cell per method, and the rest; return (first, then, expected).

    first      the cheapest cell of each method
    then       callback for `synthetic.sweeps.sweep.run`: returns the remaining cells once all first cells are done
    expected   what remains, by the label of its cells, for the estimate of the time left

    `judge` gets the arrays of the first cells, which have all columns, and raises ValueError where the sweep cannot be completed.
    """
    from synthetic.sweeps.sweep import Expected

    first: dict[str, CellIndex] = {}
    for place, cell in cells.items():
        method = sweep.runs[place[0]][0]
        if method not in first or cell.cost < cells[first[method]].cost:
            first[method] = place
    begun = {cells[place].key: place for place in first.values()}
    rest = [cell for cell in cells.values() if cell.key not in begun]
    told: dict[CellIndex, Mapping[str, np.ndarray]] = {}

    def then(key: str, arrays: Mapping[str, np.ndarray]) -> Iterable[Cell]:
        if key not in begun or begun[key] in told:
            return ()
        told[begun[key]] = arrays
        if len(told) < len(begun):
            return ()
        judge(told)
        return rest

    return [cells[place] for place in begun.values()], then, {cell.label: Expected(1, cell.cost) for cell in rest}


def runs_kernel(method: Method) -> bool:
    """Return whether a method is run by the lab, by its kernel: neither of its functions is the user's own."""
    return method.simulated == SIMULATED and method.run == Method.run


def _stop_run(done: int, total: int) -> None:
    """Raise `SettingsChecked` at a run's first progress call, which stops the run before its first step."""
    raise SettingsChecked


def _data_size(options: Mapping[str, Any]) -> float:
    """Return d times n, the number of entries of an objective's data."""
    return math.prod(float(min(options.get(name, 1), 10**18)) for name in ("d", "n"))
