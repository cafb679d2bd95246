"""Compile user functions with Numba, run kernels on threads, and turn Numba's errors into one sentence."""

import os
import re
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numba import config, jit
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError, NumbaExperimentalFeatureWarning

from synthetic.validate import short_repr

T = TypeVar("T")


def check_jitted(**functions: Callable[..., Any]) -> None:
    """Raise ValueError unless every argument is a Numba-compiled function (any function where Numba is switched off)."""
    for name, function in functions.items():
        if not isinstance(function, Dispatcher) and not (config.DISABLE_JIT and callable(function)):  # type: ignore[attr-defined]
            raise ValueError(f"{name} = {getattr(function, '__name__', function)!s}: a function under @numba.njit is needed")


@cache
def add_index_checks(function: Callable[..., int]) -> Callable[..., Any]:
    """Return a user's kernel loop compiled again with index checks; return the lab's own loops and plain functions unchanged.

    Without the checks an index out of bounds reads or writes foreign memory. The lab's own loops are compared with references by tests.
    """
    if not isinstance(function, Dispatcher) or str(function.py_func.__module__).partition(".")[0] == __name__.partition(".")[0]:
        return function
    return jit(**{**function.targetoptions, "boundscheck": True})(function.py_func)


def run_loop(name: str, function: Callable[..., int], steps: int, *given: Any) -> int:
    """Run a kernel's loop on its arguments (`given`) and return for how many of its `steps` the iterate stayed finite.

    Raises ValueError where a user's loop indexes outside an array or does not return an integer from 0 to steps.
    """
    with explain_index_errors(name), explain_names(name, function):
        reached = add_index_checks(function)(*given)
    if not isinstance(reached, int | np.integer) or not 0 <= reached <= steps:
        raise ValueError(f"kernel {name}: its loop must return how many steps ended finite, 0 to {steps}, not {reached!r}")
    return int(reached)


def call_driver(name: str, driver: Callable[..., None], *given: Any) -> None:
    """Call a compiled function that calls a kernel's loop many times, with the loop and its arguments, a tuple, among `given`.

    Raises ValueError where a user's loop indexes outside an array. Numba warns of a tuple that begins with a function; it is not unified
    with the others, so the warning does not apply.
    """
    with explain_index_errors(name), warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)
        driver(*given)


@contextmanager
def explain_index_errors(name: str) -> Iterator[None]:
    """Context manager: turn an IndexError of a kernel's loop into a ValueError that names the kernel and the remedy."""
    try:
        yield
    except IndexError as error:
        raise ValueError(
            f"kernel {name}: its loop leaves an array ({error}); arrays of steps have a row for each step of this call, which may be fewer "
            "than T: write range(len(z)), not range(T)"
        ) from None


@contextmanager
def explain_names(name: str, function: Any) -> Iterator[None]:
    """Context manager: turn a name that a kernel's loop uses and nobody defines into a ValueError that says where and what to do."""
    code = getattr(function, "py_func", function).__code__
    where = f"{Path(code.co_filename).resolve()}:{code.co_firstlineno}"
    try:
        yield
    except NumbaError as error:
        if not (found := re.search(r"NameError: name '(\w+)' is not defined", str(error))):
            raise
        said = f"its loop {code.co_name} uses {found[1]!r}, which is no argument of it and is not defined in its file"
        raise ValueError(f"kernel {name}: {said}; add it to the arguments, or correct its spelling ({where})") from None
    except AttributeError as error:  # Numba reports a function that a module does not have without its own class of errors
        raise ValueError(f"kernel {name}: Numba cannot compile its loop {code.co_name}: {error} ({where})") from error


@contextmanager
def explain_compile_errors(name: str) -> Iterator[None]:
    """Context manager: turn a Numba compilation error inside it into a ValueError that names the objective and the reason."""
    try:
        yield
    except NumbaError as error:
        raise ValueError(
            f"objective = {name!r}: Numba cannot compile what runs on it: {error_reason(error)}{error_location(error)}"
        ) from None


def error_reason(error: Exception) -> str:
    """Return the first informative line of a Numba error message, which is the reason why it cannot compile."""
    lines = [line.strip() for line in str(error).splitlines()]
    return next((line for line in lines if line and not line.startswith("Failed in nopython mode")), type(error).__name__)


def error_location(error: Exception) -> str:
    """Return " (FILE:LINE)", the innermost source location that a Numba error message names, or "" where it names none."""
    named = re.findall(r'File "([^"<>]+)", line (\d+)', str(error))
    return f" ({Path(named[0][0]).resolve()}:{named[0][1]})" if named else ""


def run_replicates(
    name: str,
    replicate: Callable[[int], T],
    replicates: int,
    threads: int | None,
    progress: Callable[[int, int], None] | None = None,
    stop: Callable[[], None] | None = None,
) -> list[T]:
    """Call replicate(r) for r = 0, ..., replicates - 1 on threads and return the results in order; threads=None uses all cores.

    ``name`` is the objective's, for error messages. ``progress(done, total)`` is called after each replicate. Raises ValueError unless it
    is a function or None. ``stop()``, if given, is called where a replicate fails, or on Ctrl-C, so that the others can end; the error that
    came first is raised.
    """
    check_progress(progress)
    found: list[T] = []
    errors: list[BaseException] = []

    def call(r: int) -> T:
        """Return replicate(r); note its error and stop the others."""
        try:
            return replicate(r)
        except BaseException as error:
            errors.append(error)
            if stop:
                stop()
            raise

    with explain_compile_errors(name), ThreadPoolExecutor(max_workers=thread_count(replicates, threads)) as pool:
        try:
            for one in pool.map(call, range(replicates)):
                found.append(one)
                if progress:
                    progress(len(found), replicates)
        except BaseException as error:
            if stop:
                stop()
            raise (errors[0] if isinstance(error, Exception) and errors else error) from None
    return found


def check_progress(progress: object) -> None:
    """Raise ValueError unless progress is None or a function, to be called as progress(done, total)."""
    if progress is not None and not callable(progress):
        raise ValueError(f"progress = {short_repr(progress)}: a function of two numbers, done and total, is needed")


def thread_count(replicates: int, threads: int | None) -> int:
    """Return how many replicates run at the same time: `threads` or all cores, at most the number of replicates."""
    return min(replicates, threads or os.cpu_count() or 1)
