"""Progress on stderr: a bar on a terminal, plain lines otherwise."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

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
