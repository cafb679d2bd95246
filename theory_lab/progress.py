"""Progress on stderr: a bar on a terminal, plain lines otherwise."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synthetic.sweep import Progress


def clock(seconds: float | None) -> str:
    """Return 0:07, 12:30 or 1:05:00; "?" where the time is not known."""
    if seconds is None:
        return "?"
    minutes, s = divmod(round(seconds), 60)
    hours, m = divmod(minutes, 60)
    return f"{hours}:{m:02d}:{s:02d}" if hours else f"{m}:{s:02d}"


def line(stage: str, p: Progress) -> str:
    """Return one line of progress."""
    rate = (p.done - p.stored) / p.elapsed * 60 if p.elapsed > 0 else 0.0
    stored = f", {p.stored} from the store" if p.stored else ""
    return f"{stage}: {p.done}/{p.total} cells{stored}, {rate:.1f} a minute, {clock(p.elapsed)} gone, {clock(p.left)} left  {p.label}"


QUIET, BETWEEN = 3.0, 10.0  # seconds: what is over sooner is not shown, and between two plain lines


def teller(most: int | None = None) -> Callable[[str, bool], None]:
    """Return a function that says a text on stderr: a line each, or on a terminal one line, cut to `most` characters, until the last."""
    terminal = sys.stderr.isatty()

    def tell(text: str, last: bool) -> None:
        print(f"\r\033[K{text[:most]}" if terminal else text, end="" if terminal and not last else "\n", file=sys.stderr, flush=True)

    return tell


def watching(what: str, now: Callable[[], float] = time.monotonic) -> Callable[[int, int], None]:
    """Return a function that shows how far a run is and how long it will take: one line on a terminal, plain lines otherwise.

    The clock starts at its first call: what comes before is mostly compiling and says nothing of what is left.
    """
    terminal, tell = sys.stderr.isatty(), teller()
    first: tuple[int, float] | None = None
    last: float | None = None

    def show(done: int, total: int) -> None:
        nonlocal first, last
        at = now()
        first = first or (done, at)
        gone, steps = at - first[1], done - first[0]
        early = gone < QUIET if last is None else at - last < (0.2 if terminal else BETWEEN) and done < total
        if early or not steps:
            return
        bar = f"  [{'#' * (30 * done // total):30}]" if terminal else ""
        left = clock(gone * (total - done) / steps)
        tell(f"theory-lab: {what}: {done} of {total}, {clock(gone)} gone, {left} left{bar}", done == total)
        last = at

    return show


@contextmanager
def reporter() -> Iterator[Callable[[str, Progress], None]]:
    """Give a function that shows where a sweep stands."""
    if not sys.stderr.isatty():
        yield lambda stage, p: print(line(stage, p), file=sys.stderr, flush=True)
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    with Bar(TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[text]}"), console=Console(stderr=True)) as bar:
        tasks = {}

        def show(stage: str, p: Progress) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, text="")
            bar.update(tasks[stage], completed=p.done, total=p.total, text=line(stage, p).partition(": ")[2])

        yield show
