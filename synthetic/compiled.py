"""Kernels and the functions that a caller hands over to them: jitted, run on threads, and what to say where Numba cannot compile them."""

import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numba import config, jit
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError

from synthetic.validate import shown

T = TypeVar("T")


def jitted(**functions: Callable[..., Any]) -> None:
    """Raise ValueError unless every argument is a function that Numba compiles; any function where its compiler is switched off."""
    for name, function in functions.items():
        if not isinstance(function, Dispatcher) and not (config.DISABLE_JIT and callable(function)):  # type: ignore[attr-defined]
            raise ValueError(f"{name} = {getattr(function, '__name__', function)!s}: a function under @numba.njit is needed")


@cache
def guarded(function: Callable[..., int]) -> Callable[..., Any]:
    """Return a loop of one's own compiled so that an index out of bounds is an error; one of the lab's, which tests compare, as it is.

    Without that an index out of bounds reads or writes memory of something else.
    """
    if not isinstance(function, Dispatcher) or str(function.py_func.__module__).partition(".")[0] == __name__.partition(".")[0]:
        return function
    return jit(**{**function.targetoptions, "boundscheck": True})(function.py_func)


def run_loop(name: str, function: Callable[..., int], steps: int, *given: Any) -> int:
    """Run the loop of a kernel and return how many of its steps ended finite.

    Raises ValueError where a loop of one's own leaves an array, or returns something else.
    """
    try:
        reached = guarded(function)(*given)
    except IndexError as error:
        raise ValueError(
            f"kernel {name}: its loop leaves an array ({error}); arrays of steps have a row for each step of this call, which may be fewer "
            "than T: write range(len(z)), not range(T)"
        ) from None
    if not isinstance(reached, int | np.integer) or not 0 <= reached <= steps:
        raise ValueError(f"kernel {name}: its loop must return how many steps ended finite, 0 to {steps}, not {reached!r}")
    return int(reached)


@contextmanager
def compiling(name: str) -> Iterator[None]:
    """Say in one sentence what Numba cannot compile of a run on an objective, its functions or the kernel, instead of on two pages."""
    try:
        yield
    except NumbaError as error:
        raise ValueError(f"objective = {name!r}: Numba cannot compile what runs on it: {reason(error)}{line_of(error)}") from None


def reason(error: Exception) -> str:
    """Return why Numba cannot compile something: the first line of its message that says so."""
    lines = [line.strip() for line in str(error).splitlines()]
    return next((line for line in lines if line and not line.startswith("Failed in nopython mode")), type(error).__name__)


def line_of(error: Exception) -> str:
    """Return " (FILE:LINE)", the first line, which is the innermost, that Numba's message names; "" where it names none."""
    named = re.findall(r'File "([^"<>]+)", line (\d+)', str(error))
    return f" ({Path(named[0][0]).resolve()}:{named[0][1]})" if named else ""


def on_threads(
    name: str, replicate: Callable[[int], T], replicates: int, threads: int | None, progress: Callable[[int, int], None] | None = None
) -> list[T]:
    """Return what every replicate 0, 1, ... of a run on the objective of this name returns; all cores unless told otherwise.

    ``progress`` is told how many replicates of how many are done. Raises ValueError unless it is a function.
    """
    told(progress)
    found = []
    with compiling(name), ThreadPoolExecutor(max_workers=at_once(replicates, threads)) as pool:
        for one in pool.map(replicate, range(replicates)):
            found.append(one)
            if progress:
                progress(len(found), replicates)
    return found


def told(progress: object) -> None:
    """Raise ValueError unless a run can tell its progress to this."""
    if progress is not None and not callable(progress):
        raise ValueError(f"progress = {shown(progress)}: a function of two numbers, done and total, is needed")


def at_once(replicates: int, threads: int | None) -> int:
    """Return how many replicates run at the same time."""
    return min(replicates, threads or os.cpu_count() or 1)
