"""Try a mutant: write it into the copy of the tree, run the tests that could detect it in a fork, and return which test failed."""

from __future__ import annotations

import ast
import importlib
import os
import re
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.mutants.coverage_map import TREE
from tests.mutants.rooms import ROOMS, ROOT
from tests.mutants.sites import Mutant

HEAVY = ("pytest", "hypothesis", "numpy", "scipy.stats", "scipy.optimize", "scipy.linalg", "sympy", "mpmath", "numba", "matplotlib.figure",
         "sklearn.datasets", "flint", "rich.table", "jinja2", "latex2mathml.converter")  # fmt: skip
BUDGET = 30.0  # the most recorded seconds of tests for one mutant, the quickest first
BROKEN = "the tests could not be started"
LIMIT = 300.0  # seconds after which a fork counts as hung, which catches endless loops


def tests_of(mutant: Mutant, known: dict[str, Any]) -> list[str]:
    """Return the tests to try on a mutant, within BUDGET seconds, from a map of coverage.

    In this order, each group quickest first: tests with the module as parameter; tests that run the line; tests in files that import the
    module; tests that run the module or one that imports it (coverage does not see compiled kernels); tests of the room.
    """
    lines, seconds = known["lines"].get(mutant.file, {}), known["seconds"]
    low, high = _statement_lines(mutant.file, mutant.line)
    near = {test for line in range(low, high + 1) for test in lines.get(str(line), ())}
    name = mutant.file.removesuffix(".py").rpartition("/")[2]
    imports = re.compile(rf"^(from|import) .*\b{name}\b", re.M)
    users = {
        one for one in {*known["lines"], *(test.split("::")[0] for test in seconds)} if imports.search((ROOT / one).read_text("utf-8"))
    }
    file = {test for one in (mutant.file, *users) for tests in known["lines"].get(one, {}).values() for test in tests}
    direct = {test for test in seconds if test.split("::")[0] in users}
    own = {test for test in seconds if f"[{mutant.file.removesuffix('.py').replace('/', '.')}]" in test}
    room = [test for prefix in ("tests/test_values", *ROOMS[mutant.room][1]) for test in seconds if test.startswith(prefix)]
    chosen, left = [], BUDGET
    for test in dict.fromkeys([*(test for some in (own, near, direct, file) for test in sorted(some, key=seconds.get)), *room]):
        if seconds[test] <= left:
            left -= seconds[test]
            chosen.append(test)
    return chosen


def _statement_lines(file: str, line: int) -> tuple[int, int]:
    """Return the first and last line of the innermost statement at a line; for a compound statement, of its head."""
    best = (line, line)
    for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno or node.lineno
            if node.lineno <= line <= last:
                best = (node.lineno, last)
    return best


class ChosenTests:
    """Pytest plugin: run only the chosen tests, in their order, and record the first that fails."""

    def __init__(self, names: list[str]) -> None:
        self.place = {name: k for k, name in enumerate(names)}
        self.failed = ""

    def pytest_collection_modifyitems(self, items) -> None:
        """Keep only the chosen tests, in their order."""
        items[:] = sorted((item for item in items if item.nodeid in self.place), key=lambda item: self.place[item.nodeid])

    def pytest_runtest_logreport(self, report) -> None:
        """Record the first test that failed."""
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_collectreport(self, report) -> None:
        """Record a test file that cannot be imported as a failure."""
        if report.failed and not self.failed:
            self.failed = report.nodeid


def prepare() -> None:
    """Import the heavy libraries once, and make the project's packages come from the copy of the tree."""
    os.environ |= {"PYTHONPATH": str(TREE), "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    sys.dont_write_bytecode = True
    for name in HEAVY:
        importlib.import_module(name)
    sys.path[:] = [str(TREE), *(p for p in sys.path if Path(p or ".").resolve() != ROOT)]


def try_mutant(mutant: Mutant, tests: list[str]) -> tuple[str, str, float]:
    """Run tests on a mutant in a fork; return "killed", "survived" or "hung" (after LIMIT s), the failed test, and the seconds."""
    if not tests:
        return "survived", "", 0.0
    began, path = time.monotonic(), TREE / mutant.file
    kept, times = path.read_bytes(), path.stat()
    reader, writer = os.pipe()
    path.write_text(mutant.code(), encoding="utf-8")
    child, ended = os.fork(), 0
    if not child:
        os.setsid()
        _run_child(tests, writer)
    try:
        os.close(writer)
        while not (ended := os.waitpid(child, os.WNOHANG)[0]) and time.monotonic() < began + LIMIT:
            time.sleep(0.05)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # and the processes that the tests have started
        if not ended:
            os.waitpid(child, 0)
        path.write_bytes(kept)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    with os.fdopen(reader, encoding="utf-8") as said:
        by = said.read()
    seconds = time.monotonic() - began
    if by.startswith(BROKEN):
        raise RuntimeError(by)
    if not ended:
        return "hung", "", seconds
    return ("survived", "", seconds) if by == "nothing" else ("killed", by or "the interpreter ended", seconds)


def _run_child(tests: list[str], writer: int) -> None:
    """Run the tests in this forked process, write the name of the failed test to a pipe, and exit."""
    import pytest

    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    os.chdir(TREE)
    for name in [name for name in sys.modules if name.split(".")[0] == "tests"]:
        del sys.modules[name]  # so that the tests of the copy are imported
    chosen, quiet = ChosenTests(tests), ["-p", "no:xdist", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    try:
        status = pytest.main(["-x", *quiet, *dict.fromkeys(name.split("::")[0] for name in tests)], plugins=[chosen])
        said = chosen.failed or ("nothing" if status in (0, 5) else f"pytest ended with {status}")
    except BaseException as error:  # an error of this program, which `try_mutant` must not count as a kill
        said = f"{BROKEN}: {error!r}"
    os.write(writer, said.encode())
    os._exit(0)
