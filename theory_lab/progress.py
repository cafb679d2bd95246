"""Progress on stderr: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synthetic.sweeps.sweep import Progress


def format_duration(seconds: float | None) -> str:
    """Format seconds as 0:07, 12:30 or 1:05:00; None as "?"."""
    if seconds is None:
        return "?"
    minutes, s = divmod(round(seconds), 60)
    hours, m = divmod(minutes, 60)
    return f"{hours}:{m:02d}:{s:02d}" if hours else f"{m}:{s:02d}"


def progress_line(stage: str, p: Progress) -> str:
    """Return a line about the progress of a sweep: cells done, rate, time elapsed and time left."""
    rate = (p.done - p.stored) / p.elapsed * 60 if p.elapsed > 0 else 0.0
    stored = f", {p.stored} from the store" if p.stored else ""
    left = f"{format_duration(p.left)} left" + (" of this stage" if "(stage " in stage else "")
    return f"{stage}: {p.done}/{p.total} cells{stored}, {rate:.1f} per minute, {format_duration(p.elapsed)} elapsed, {left}  {p.label}"


QUIET, BETWEEN = 3.0, 10.0  # seconds: shorter work shows no progress; interval between plain lines


def progress_printer(most: int | None = None) -> Callable[[str, bool], None]:
    """Return a function (text, last) that prints progress on stderr, each time on a new line, or on a terminal over the same line.

    On a terminal the text is cut to `most` characters, and the line ends where `last`.
    """
    terminal = sys.stderr.isatty()

    def tell(text: str, last: bool) -> None:
        print(f"\r\033[K{text[:most]}" if terminal else text, end="" if terminal and not last else "\n", file=sys.stderr, flush=True)

    return tell


def progress_callback(what: str, now: Callable[[], float] = time.monotonic) -> Callable[[int, int], None]:
    """Return a callback (done, total) that shows the progress of a run on stderr, with the time elapsed and the time left.

    The clock starts at the first step that is done: the time before is mostly compilation, and says nothing about the time left.
    """
    terminal, tell = sys.stderr.isatty(), progress_printer()
    first: tuple[int, float] | None = None
    last: float | None = None

    def show(done: int, total: int) -> None:
        nonlocal first, last
        if not done:
            return
        at = now()
        first = first or (done, at)
        gone, steps = at - first[1], done - first[0]
        early = gone < QUIET if last is None else at - last < (0.2 if terminal else BETWEEN) and done < total
        if early or not steps:
            return
        bar = f"  [{'#' * (30 * done // total):30}]" if terminal else ""
        left = format_duration(gone * (total - done) / steps)
        tell(f"theory-lab: {what}: {done} of {total}, {format_duration(gone)} elapsed, {left} left{bar}", done == total)
        last = at

    return show


class RateLimit:
    """A rate limit for plain lines of progress: the first, the last, and at most one every BETWEEN seconds."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now, self._last = now, float("-inf")

    def is_due(self, last: bool) -> bool:
        """Return whether a line may be printed now, and if so restart the interval; `last` lines are always printed."""
        at = self._now()
        if not last and at - self._last < BETWEEN:
            return False
        self._last = at
        return True


class Reporter:
    """Shows the progress of sweeps, stage by stage, and summarises them at the end."""

    def __init__(self, show: Callable[[str, Progress], None], now: Callable[[], float] = time.monotonic) -> None:
        self._show, self._now = show, now
        self._began, self._stage = now(), ""
        self._sweeps: list[Progress] = []

    def __call__(self, stage: str, p: Progress) -> None:
        """Record and show the progress `p` of a stage."""
        if self._sweeps and stage == self._stage and p.elapsed >= self._sweeps[-1].elapsed:  # a later report of the same sweep
            self._sweeps.pop()
        self._sweeps.append(p)
        self._stage = stage
        self._show(stage, p)

    def summary(self, store: object, written: object) -> str:
        """Return a sentence: cells computed and taken from the store, the time it took, and where cells and files are."""
        stored = sum(p.stored for p in self._sweeps)
        computed = sum(p.done for p in self._sweeps) - stored
        cells = "1 cell" if computed == 1 else f"{computed} cells"
        taken = format_duration(self._now() - self._began)
        return f"{cells} computed and {stored} taken from the store in {taken}; the cells are kept in {store}, the files are in {written}"


@contextmanager
def open_reporter(now: Callable[[], float] = time.monotonic) -> Iterator[Reporter]:
    """Yield a `Reporter` of sweeps that draws bars on a terminal and prints plain lines elsewhere."""
    if not sys.stderr.isatty():
        seldom: dict[str, RateLimit] = {}

        def tell(stage: str, p: Progress) -> None:
            if seldom.setdefault(stage, RateLimit(now)).is_due(p.done == p.total):
                print(progress_line(stage, p), file=sys.stderr, flush=True)

        yield Reporter(tell, now)
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    with Bar(TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[text]}"), console=Console(stderr=True)) as bar:
        tasks = {}

        def show(stage: str, p: Progress) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, text="")
            bar.update(tasks[stage], completed=p.done, total=p.total, text=progress_line(stage, p).partition(": ")[2])

        yield Reporter(show, now)
