"""Remaining time of a sweep, estimated from the costs of its cells and the seconds of those that have ended."""

from __future__ import annotations

from concurrent.futures import Executor


class Pace:
    """Estimate of the remaining time of a sweep, from the seconds per unit of cost of the cells that have ended.

    The progress of a running cell is not known, but it counts: workers are busy from the first cell on, so that the whole work takes its
    seconds on one worker, divided by the number of workers, from when it began.
    """

    def __init__(self, workers: int | None) -> None:
        """Start with no cells; `workers` compute at the same time, None if their number is not known and is estimated."""
        self.workers = workers
        self.cells, self.cost, self.seconds, self.began = 0, 0.0, 0.0, float("inf")

    def record_cell(self, at: float, seconds: float, cost: float) -> None:
        """Record that a cell of the given cost, which took `seconds`, has ended at time `at`."""
        self.cells += 1
        self.cost += cost
        self.seconds += seconds
        self.began = min(self.began, at - seconds)  # not from the start of the processes, which no cell needs

    def remaining_seconds(self, now: float, cost: float, cells: int) -> float | None:
        """Return the estimated seconds for so many further cells, of this cost in all, at time `now`; None if nothing has ended."""
        if cells == 0:
            return 0.0
        if self.cells == 0:
            return None
        gone = now - self.began
        together = self.workers or max(1.0, self.seconds / gone if gone > 0 else 1.0)
        more = cost * self.seconds / self.cost if self.cost > 0 else cells * self.seconds / self.cells
        together = min(together, self.cells + cells)
        waiting = more * max(0.0, cells - together) / cells  # cells that have not begun are still to be done in full
        return max(waiting / together, (self.seconds + more) / together - gone)


def worker_count(executor: Executor) -> int | None:
    """Return how many calls an executor runs at the same time, or None if it has no such attribute."""
    found = getattr(executor, "workers", None) or getattr(executor, "_max_workers", None)
    return found if isinstance(found, int) else None
