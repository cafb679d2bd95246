"""What the tests of `theory-lab sweep` share: its call, and cells that are computed in this process, which is started already."""

import csv
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from theory_lab.cli import main
from theory_lab.sweeps.computing import open_workers


@contextmanager
def in_this_process(arguments):
    """Give a thread to compute in where the command would start processes."""
    if arguments.scheduler:
        with open_workers(arguments) as pool:
            yield pool
    else:
        with ThreadPoolExecutor(1) as pool:
            yield pool


def called(folder, *more, name="plain"):
    return [
        "sweep",
        str(folder / f"{name}.toml"),
        "--out",
        str(folder / "out"),
        "--store",
        str(folder / "s.sqlite"),
        "--workers",
        "1",
        *more,
    ]


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def run(text, folder, *more):
    (folder / "one.toml").write_text(text, encoding="utf-8")
    return main(called(folder, *more, name="one"))


ONE = 'method = "dp_gd"\nd = 3\nn = 9\nalpha = 0.1\nT = 2\nC = 1.0\n'
