"""Where work is computed: on local processes, or on a Dask cluster. The options of the commands that work for long."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from theory_lab.methods.record import whole

if TYPE_CHECKING:
    from synthetic.sweeps.workers import Workers


def add_options(parser: argparse.ArgumentParser) -> None:
    """Give a command its options."""
    parser.add_argument("--workers", type=whole, metavar="K", help="number of processes, one core each (default: all cores)")
    words = "compute on the workers of this Dask scheduler, tcp://HOST:PORT, instead of here"
    parser.add_argument("--scheduler", metavar="ADDRESS", help=words)


def check(arguments: argparse.Namespace) -> None:
    """Raise ValueError for options that cannot be meant."""
    if arguments.workers is not None and arguments.workers < 1:
        raise ValueError(f"workers = {arguments.workers}: an integer of at least 1 is needed")
    if arguments.scheduler is not None and arguments.workers is not None:
        raise ValueError(f"workers = {arguments.workers}: a scheduler has its own workers; leave --workers or --scheduler out")
    if arguments.scheduler is not None and arguments.own:
        raise ValueError(f"scheduler = {arguments.scheduler!r}: its workers cannot import the file of --module; leave one of the two out")


@contextmanager
def engaged(arguments: argparse.Namespace) -> Iterator[Workers]:
    """Give what computes: an executor on a cluster, or how many local processes."""
    if arguments.scheduler is None:
        yield arguments.workers
    else:
        from synthetic.sweeps.cluster import cluster

        with cluster(arguments.scheduler) as pool:
            yield pool
