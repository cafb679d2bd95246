"""Where in somebody's own file an error came up."""

import inspect
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from traceback import walk_tb
from typing import Any

ROOMS = ("bounds", "synthetic", "paper_checks", "figures", "theory_lab")


def place(error: BaseException, files: Iterable[str | Path]) -> str:
    """Return "FILE:LINE", the innermost line of these files, or of what stands beside them, that an error passed; "" where it passed none.

    A line that Python cannot read counts, and so does one that the error's cause passed.
    """
    folders = {Path(file).resolve().parent for file in files}
    passed: list[tuple[str, int | None]] = []
    for one in filter(None, (error, error.__cause__)):  # the cause came up further inside
        passed += [(frame.f_code.co_filename, line) for frame, line in walk_tb(one.__traceback__)]
        if isinstance(one, SyntaxError) and one.filename:
            passed.append((one.filename, one.lineno))
    inside = [f"{file}:{line}" for file, line in passed if not file.startswith("<") and Path(file).resolve().parent in folders]
    return inside[-1] if inside else ""


def written_at(function: Callable[..., Any]) -> str:
    """Return "FILE:LINE", where a function is written; "" for what is none."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else ""


def file_of(function: Callable[..., Any]) -> str:
    """Return the file in which a function that is not the lab's was written; "" for the lab's, and where there is no file."""
    while isinstance(function, partial):
        function = function.func
    module = getattr(inspect.unwrap(function), "__module__", None) or ""
    found = getattr(sys.modules.get(module), "__file__", None)
    return "" if module.partition(".")[0] in ROOMS or found is None else found
