"""Checks on arguments: one sentence with the name, the value and what is allowed.

Called with keywords, ``positive(sigma=sigma)``, so that the message names the argument. `synthetic` says the same in its
own module, because the two ground floors import nothing of each other.
"""

from __future__ import annotations

import math
from numbers import Integral, Real


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


def fraction(**arguments: object) -> None:
    """Raise ValueError unless every argument lies above 0 and is at most 1."""
    for name, value in arguments.items():
        if isinstance(value, bool) or not isinstance(value, Real) or not 0 < float(value) <= 1:
            raise ValueError(f"{name} = {value!r}: a number above 0 and at most 1 is needed")


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
