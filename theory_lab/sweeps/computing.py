"""Options --workers and --scheduler of long commands: compute on local processes or on a Dask cluster."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from theory_lab.methods.record import whole

if TYPE_CHECKING:
    from synthetic.sweeps.workers import Workers


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options --workers and --scheduler to a parser."""
    parser.add_argument("--workers", type=whole, metavar="K", help="number of processes, one core each (default: all cores)")
    words = "compute on the workers of this Dask scheduler, tcp://HOST:PORT, instead of here"
    parser.add_argument("--scheduler", metavar="ADDRESS", help=words)


def check_options(arguments: argparse.Namespace, carried: bool = False) -> None:
    """Raise ValueError for invalid or contradictory values of --workers and --scheduler.

    carried   whether the command sends the text of the user's files to the workers
    """
    if arguments.workers is not None and arguments.workers < 1:
        raise ValueError(f"workers = {arguments.workers}: an integer of at least 1 is needed")
    if arguments.scheduler is not None and arguments.workers is not None:
        raise ValueError(f"workers = {arguments.workers}: a scheduler has its own workers; leave --workers or --scheduler out")
    if arguments.scheduler is not None and arguments.own and not carried:
        raise ValueError(f"scheduler = {arguments.scheduler!r}: its workers cannot import the file of --module; leave one of the two out")


@contextmanager
def open_workers(arguments: argparse.Namespace) -> Iterator[Workers]:
    """Yield the workers for a command: an executor on the Dask cluster, or the number of local processes."""
    if arguments.scheduler is None:
        yield arguments.workers
    else:
        from synthetic.sweeps.cluster import cluster

        with cluster(arguments.scheduler) as pool:
            yield pool
