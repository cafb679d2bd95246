"""Docstrings in several parts, where code and docstrings together would be too long for one file."""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def append_docstring(text: str) -> Callable[[F], F]:
    """Return a decorator that appends a text to the docstring of a function."""

    def append(function: F) -> F:
        """Append the text to the docstring and return the function."""
        function.__doc__ = f"{inspect.cleandoc(function.__doc__ or '')}\n\n{text.strip()}\n"
        return function

    return append
