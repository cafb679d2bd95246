"""Sweeps: run many cells of work on any executor, and store each result in one SQLite file as it ends.

A cell is the name of a function and its arguments. Its key is a hash of everything that determines the result: the arguments
(seeds among them), the sources that the function uses, and the versions of the libraries that these import. The same command, run again
after any kind of end, computes only the cells that are missing.
"""

import hashlib
import importlib
import json
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from synthetic.sweeps.pace import Pace, worker_count
from synthetic.sweeps.sources import code_version
from synthetic.sweeps.store import Store, is_storable
from synthetic.sweeps.workers import WorkerDied, Workers, open_executor
from synthetic.validate import non_negative, short_repr


@dataclass(frozen=True, eq=False)
class Cell:
    """A unit of work: the call ``task(**arguments) -> {name: array}``.

    task         "package.module:function"
    arguments    JSON values only
    cost         relative running time: the most expensive cells start first
    label        its name in a progress line
    """

    task: str
    arguments: Mapping[str, Any]
    cost: float = 1.0
    label: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError for a task or arguments that cannot be sent to a process or hashed."""
        module, _, function = self.task.partition(":") if isinstance(self.task, str) else ("",) * 3
        if not all(part.isidentifier() for part in [*module.split("."), function]):
            raise ValueError(f"task = {short_repr(self.task)}: the name of a function is needed, as in 'package.module:function'")
        if not isinstance(self.arguments, Mapping) or not all(isinstance(name, str) for name in self.arguments):
            raise ValueError(f"arguments = {short_repr(self.arguments)}: a dictionary of values by their names is needed")
        try:
            json.dumps(dict(self.arguments), allow_nan=False)
        except (TypeError, ValueError) as error:
            raise ValueError(f"arguments = {short_repr(dict(self.arguments))}: JSON values are needed ({error})") from None
        non_negative(cost=self.cost)

    @property
    def key(self) -> str:
        """Return a hash of the task, its arguments and the version of the code, as hexadecimal digits."""
        text = json.dumps([self.task, self.arguments, code_version(self.task)], sort_keys=True, allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Expected:
    """Cells that will be added when others have ended: their number, and the likely cost of each."""

    count: int
    cost: float

    def __post_init__(self) -> None:
        """Raise ValueError for a negative number or cost."""
        non_negative(count=self.count, cost=self.cost)


@dataclass(frozen=True)
class Progress:
    """State of a sweep: cells done of all, how many of them came from the store, seconds elapsed and estimated to be left.

    Cells that are expected to be added later count in the total from the beginning.
    """

    done: int
    total: int
    stored: int
    elapsed: float
    left: float | None
    label: str


def execute(task: str, arguments: Mapping[str, Any]) -> tuple[float, dict[str, np.ndarray]]:
    """Call the task "package.module:function" with the arguments; return its seconds and its arrays by name. Executors run this."""
    began = time.perf_counter()
    module, _, name = task.partition(":")
    found = getattr(importlib.import_module(module), name)(**arguments)
    if not isinstance(found, Mapping) or not all(isinstance(name, str) and is_storable(array) for name, array in found.items()):
        raise ValueError(f"task = {task!r}: it must return a dictionary of arrays of numbers, booleans or text, not {short_repr(found)}")
    return time.perf_counter() - began, dict(found)


def failed(future: Future[Any]) -> bool:
    """Return whether a future that has ended has no result: it was cancelled or raised an error."""
    return future.cancelled() or future.exception() is not None


def run(
    cells: Iterable[Cell],
    store: Store,
    executor: Executor | None = None,
    *,
    workers: Workers = None,
    progress: Callable[[Progress], None] | None = None,
    then: Callable[[str, dict[str, np.ndarray]], Iterable[Cell]] | None = None,
    expected: Mapping[str, Expected] | None = None,
) -> dict[str, dict[str, np.ndarray]]:
    """Compute the cells that the store lacks on an executor, store each as it ends, and return the arrays of all cells by key.

    ``then(key, arrays)`` is called with the result of each cell, also of those stored before, and returns the cells that can be computed
    now: no core waits for the last cell of a stage when the next has begun. ``expected`` gives by their labels the cells that `then` will
    add, so that the progress counts them from the beginning, each until it comes.

    ``executor``: anything with the interface of `concurrent.futures.Executor`; by default local processes, ``workers`` of them.
    Whatever ends the call early (an error in a cell, Ctrl-C, a kill) leaves the finished cells in the store. A local process that dies
    is replaced and its cell computed again; where that happens three times to a cell, WorkerDied is raised, as where
    its memory does not suffice.
    """
    wanted: dict[str, Cell] = {}
    stored: dict[str, dict[str, np.ndarray]] = {}
    to_follow = dict(expected or {})
    began, done, cost_left = time.perf_counter(), 0, 0.0
    pace = Pace(None)
    pending: dict[Future[tuple[float, dict[str, np.ndarray]]], str] = {}

    def admit(more: Iterable[Cell]) -> list[str]:
        """Add cells, and those that follow from stored ones; return the keys of the missing cells, the most expensive first."""
        nonlocal done, cost_left
        fresh = {key: cell for cell in more if (key := cell.key) not in wanted}
        wanted.update(fresh)
        for cell in fresh.values():
            if cell.label in to_follow and to_follow[cell.label].count:
                one = to_follow[cell.label]
                to_follow[cell.label] = Expected(one.count - 1, one.cost)
        sound = store.intact_cells(fresh)
        stored.update(sound)
        done += len(sound)
        missing = sorted((key for key in fresh if key not in sound), key=lambda key: -wanted[key].cost)
        cost_left += sum(wanted[key].cost for key in missing)
        return missing + [later for key in sound if then for later in admit(then(key, stored[key]))]

    def report(label: str) -> None:
        """Call `progress` with the state of the sweep; `label` is that of the cell that ended."""
        if progress:
            now, unfinished = time.perf_counter(), bool(missing or pending)
            more = list(to_follow.values()) if unfinished else []  # where all is done, nothing will follow
            total = len(wanted) + sum(one.count for one in more)
            left = pace.remaining_seconds(now, cost_left + sum(one.count * one.cost for one in more), total - done)
            progress(Progress(done, total, len(stored), now - began, left, label))

    def keep(future: Future[tuple[float, dict[str, np.ndarray]]]) -> str:
        """Store the result of a call that has ended and return its key; raise its error."""
        key = pending[future]
        cell = wanted[key]
        try:
            seconds, arrays = future.result()
        except (WorkerDied, BrokenExecutor, MemoryError) as error:
            words = f"not enough memory {error}".strip() if isinstance(error, MemoryError) else error
            raise WorkerDied(f"cell {cell.label or cell.task}: {words}") from None
        arguments = json.dumps(cell.arguments, sort_keys=True)
        store.put(key, cell.task, arguments, code_version(cell.task), seconds, arrays)
        pace.record_cell(time.perf_counter(), seconds, cell.cost)
        del pending[future]
        return key

    missing = admit(cells)
    report("")
    if missing:
        with open_executor(workers if executor is None else executor) as pool:
            pace.workers = worker_count(pool)
            try:
                while missing or pending:
                    for key in missing:
                        pending[pool.submit(execute, wanted[key].task, dict(wanted[key].arguments))] = key
                    missing = []
                    ended = wait(pending, return_when=FIRST_COMPLETED).done
                    for future in sorted(ended, key=failed):  # what is finished is kept before an error
                        key = keep(future)
                        done, cost_left = done + 1, cost_left - wanted[key].cost
                        missing += admit(then(key, store.get(key))) if then else []
                        report(wanted[key].label)
            except BaseException:
                for future in pending:
                    future.cancel()
                for future in [one for one in pending if one.done() and not failed(one)]:
                    with suppress(Exception):  # the first error is the one to raise
                        keep(future)
                raise
    return {key: stored[key] if key in stored else store.get(key) for key in wanted}
