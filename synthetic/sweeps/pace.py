"""How long the rest of a sweep takes, by the costs of its cells and by the seconds of those that have ended."""

from __future__ import annotations

from concurrent.futures import Executor


class Pace:
    """Seconds a unit of cost on one worker, as the cells that have ended show them.

    What a cell in the making has behind it is not known, but counts: workers are busy from the first cell on, so that the whole work lasts
    its seconds on one worker, by the number of workers, from when it began.
    """

    def __init__(self, workers: int | None) -> None:
        """`workers`: how many compute at the same time; None where that is not known, and is seen by how busy they were."""
        self.workers = workers
        self.cells, self.cost, self.seconds, self.began = 0, 0.0, 0.0, float("inf")

    def ended(self, at: float, seconds: float, cost: float) -> None:
        """Take in that a cell which lasted some seconds has ended at a time."""
        self.cells += 1
        self.cost += cost
        self.seconds += seconds
        self.began = min(self.began, at - seconds)  # before the first cell begins processes start, which says nothing of what is left

    def left(self, now: float, cost: float, cells: int) -> float | None:
        """Return the seconds that are left for so many more cells of this cost in all; None where nothing is known."""
        if cells == 0:
            return 0.0
        if self.cells == 0:
            return None
        gone = now - self.began
        together = self.workers or max(1.0, self.seconds / gone if gone > 0 else 1.0)
        more = cost * self.seconds / self.cost if self.cost > 0 else cells * self.seconds / self.cells
        together = min(together, self.cells + cells)
        waiting = more * max(0.0, cells - together) / cells  # of cells that have not begun nothing is done, whatever the others take
        return max(waiting / together, (self.seconds + more) / together - gone)


def workers_of(executor: Executor) -> int | None:
    """Return how many calls an executor makes at the same time, None where it does not say."""
    found = getattr(executor, "workers", None) or getattr(executor, "_max_workers", None)
    return found if isinstance(found, int) else None
