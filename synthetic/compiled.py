"""Functions that a caller hands over to a kernel: jitted, and what to say where Numba cannot compile them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba import config
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError


def jitted(**functions: Callable[..., Any]) -> None:
    """Raise ValueError unless every argument is a function that Numba compiles; any function where its compiler is switched off."""
    for name, function in functions.items():
        if not isinstance(function, Dispatcher) and not (config.DISABLE_JIT and callable(function)):  # type: ignore[attr-defined]
            raise ValueError(f"{name} = {getattr(function, '__name__', function)!s}: a function under @numba.njit is needed")


@contextmanager
def compiling(name: str) -> Iterator[None]:
    """Say in one sentence that Numba cannot compile the functions of an objective, instead of on two pages."""
    try:
        yield
    except NumbaError as error:
        lines = [line.strip() for line in str(error).splitlines()]
        why = next((line for line in lines if line and not line.startswith("Failed in nopython mode")), type(error).__name__)
        raise ValueError(f"objective = {name!r}: Numba cannot compile its functions: {why}") from None
