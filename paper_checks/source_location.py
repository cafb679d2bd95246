"""Source locations: the line of a user's file at which an error was raised or a function is defined."""

import inspect
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from traceback import walk_tb
from typing import Any

LAB_PACKAGES = ("bounds", "synthetic", "paper_checks", "figures", "theory_lab")


def error_location(error: BaseException, files: Iterable[str | Path]) -> str:
    """Return "FILE:LINE" of the innermost traceback line in a file that lies in a folder of `files`; "" if there is none.

    A line that Python cannot parse counts, and so does a line in the traceback of the error's cause.
    """
    folders = {Path(file).resolve().parent for file in files}
    passed: list[tuple[str, int | None]] = []
    for one in filter(None, (error, error.__cause__)):  # the cause came up further inside
        passed += [(frame.f_code.co_filename, line) for frame, line in walk_tb(one.__traceback__)]
        if isinstance(one, SyntaxError) and one.filename:
            passed.append((one.filename, one.lineno))
    inside = [f"{file}:{line}" for file, line in passed if not file.startswith("<") and Path(file).resolve().parent in folders]
    return inside[-1] if inside else ""


def definition_location(function: Callable[..., Any]) -> str:
    """Return "FILE:LINE" at which a function is defined; "" for an object without Python code."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else ""


def user_file(function: Callable[..., Any]) -> str:
    """Return the path of the file where a user's function is defined; "" for a function of the lab, or where there is no file."""
    while isinstance(function, partial):
        function = function.func
    module = getattr(inspect.unwrap(function), "__module__", None) or ""
    found = getattr(sys.modules.get(module), "__file__", None)
    return "" if module.partition(".")[0] in LAB_PACKAGES or found is None else found
