"""Tasks for the tests of the sweep."""

import os
import signal
import struct
import time
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np


def slow_square(*, x, seconds):
    time.sleep(seconds)
    return {"square": np.array([float(x) ** 2]), "table": np.random.default_rng(x).standard_normal((2, 3))}


def fails(*, x):
    raise ValueError(f"x = {x}: never allowed")


def dies(*, x, folder, deaths):
    """Kill this process at the first calls; the calls are counted in a file."""
    calls = Path(folder) / str(x)
    with calls.open("a", encoding="utf-8") as file:
        file.write("x")
    if len(calls.read_text(encoding="utf-8")) <= deaths:
        os.kill(os.getpid(), signal.SIGKILL)
    return {"x": np.array([x])}


class Unreadable(Exception):
    """Cannot be made again from what it was pickled to."""

    def __init__(self, one, two):
        super().__init__(f"{one} {two}")


def unreadable():
    raise Unreadable(1, 2)


def too_large(*, size):
    return {"x": np.ones(size)}


def returning(what):
    """Return what no cell may return, or nearly."""
    array = np.array([1.0, 2.0])
    return {
        "nothing": None,
        "a number": {"y": 3.0},
        "a list": {"y": [1.0, 2.0]},
        "a mask": {"y": np.ma.array(array, mask=[False, True])},
        "objects": {"y": np.array([object()])},
        "dates": {"y": np.array(["2020-01-01"], dtype="M8[D]")},
        "no name": {3: array},
        "arrays": {"y": array, "none": array[:0], "word": np.array("a"), "one": np.array(True)},
    }[what]


def told_square(*, x, seconds, folder):
    """Say in a file that it began, in which process, before the work."""
    with (Path(folder) / f"{x}.begun").open("a", encoding="utf-8") as file:
        file.write(f"{os.getpid()}\n")
    return slow_square(x=x, seconds=seconds)


def dies_while_it_sends(*, folder, deaths):
    """Kill this process in the middle of its result, at the first calls."""
    calls = Path(folder) / "sent"
    with calls.open("a", encoding="utf-8") as file:
        file.write("x")

    def part(self, data):
        os.write(self.fileno(), struct.pack("!i", len(data)) + bytes(data[:9]))
        os.kill(os.getpid(), signal.SIGKILL)

    if len(calls.read_text(encoding="utf-8")) <= deaths:
        Connection._send_bytes = part
    return {"x": np.arange(9.0)}
