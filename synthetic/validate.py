"""Checks on arguments: one sentence with the name, the value and what is allowed.

Called with keywords, ``positive(sigma=sigma)``, so that the message names the argument. `bounds` says the same in its
own module, because the two ground floors import nothing of each other.
"""

from __future__ import annotations

import math
from numbers import Integral, Real

import numpy as np
from numpy.typing import NDArray


def real(**arguments: object) -> None:
    """Raise ValueError unless every argument is a finite real number."""
    for name, value in arguments.items():
        if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
            raise ValueError(f"{name} = {value!r}: a finite number is needed")


def positive(**arguments: object) -> None:
    """Raise ValueError unless every argument is a finite number above 0."""
    for name, value in arguments.items():
        if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value) or value <= 0:
            raise ValueError(f"{name} = {value!r}: a finite number above 0 is needed")


def non_negative(**arguments: object) -> None:
    """Raise ValueError unless every argument is a finite number of at least 0."""
    for name, value in arguments.items():
        if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value) or value < 0:
            raise ValueError(f"{name} = {value!r}: a finite number of at least 0 is needed")


def inside_unit(**arguments: object) -> None:
    """Raise ValueError unless every argument lies strictly between 0 and 1."""
    for name, value in arguments.items():
        if isinstance(value, bool) or not isinstance(value, Real) or not 0 < float(value) < 1:
            raise ValueError(f"{name} = {value!r}: a number strictly between 0 and 1 is needed")


def positive_integer(**arguments: object) -> None:
    """Raise ValueError unless every argument is an integer of at least 1."""
    for name, value in arguments.items():
        if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
            raise ValueError(f"{name} = {value!r}: an integer of at least 1 is needed")


def one_of(allowed: tuple[str, ...], **arguments: object) -> None:
    """Raise ValueError unless every argument is one of the allowed words."""
    for name, value in arguments.items():
        if value not in allowed:
            raise ValueError(f"{name} = {value!r}: one of {', '.join(allowed)} is needed")


def seed_integer(**arguments: object) -> None:
    """Raise ValueError unless every argument is an integer of at least 0."""
    for name, value in arguments.items():
        if isinstance(value, bool) or not isinstance(value, Integral) or value < 0:
            raise ValueError(f"{name} = {value!r}: an integer of at least 0 is needed")


def array_of(shape: tuple[int | None, ...], **arguments: object) -> NDArray[np.float64]:
    """Return the one argument as a contiguous float64 array; raise ValueError unless it is finite and has the shape.

    A ``None`` in the shape stands for any length of at least 1.
    """
    ((name, value),) = arguments.items()
    try:
        array = np.ascontiguousarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: an array of numbers is needed, got {type(value).__name__}") from None
    wanted = "(" + ", ".join("any length" if k is None else str(k) for k in shape) + ")"
    if len(array.shape) != len(shape) or any(k not in (None, m) for k, m in zip(shape, array.shape, strict=True)) or array.size == 0:
        raise ValueError(f"{name} has shape {array.shape}: shape {wanted} is needed, with at least one entry")
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} has {int(np.sum(~np.isfinite(array)))} entries that are NaN or infinite: finite numbers are needed")
    return array


def positive_array(shape: tuple[int | None, ...], **arguments: object) -> NDArray[np.float64]:
    """Return the one argument as `array_of` does; raise ValueError unless every entry is above 0."""
    array = array_of(shape, **arguments)
    if np.any(array <= 0):
        raise ValueError(f"{next(iter(arguments))} has the entry {float(array.min())!r}: numbers above 0 are needed")
    return array


def positive_integers(**arguments: object) -> NDArray[np.int64]:
    """Return the one argument as an int64 array (k,), k >= 1; raise ValueError unless every entry is an integer of at least 1."""
    ((name, _),) = arguments.items()
    array = array_of((None,), **arguments)
    if np.any(array < 1) or np.any(array != np.floor(array)):
        wrong = array[(array < 1) | (array != np.floor(array))][0]
        raise ValueError(f"{name} has the entry {float(wrong)!r}: integers of at least 1 are needed")
    return array.astype(np.int64)
