"""Map source lines to the tests that run them, and record the seconds of each test, by one run of the suite with coverage."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from tests.mutants.rooms import PACKAGES, ROOT

OUT = ROOT / "out" / "mutants"
TREE, MAP = OUT / "tree", OUT / "map.json"
NEVER = ("tests/test_wheel.py", "tests/test_house.py", "tests/bench", "tests/mutants")  # these tests read the sources or build a wheel
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(TREE), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def copy_tree() -> None:
    """Copy the files that Git lists to TREE, so that no mutant is ever written into the sources, and compile the copy."""
    shutil.rmtree(TREE, ignore_errors=True)
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    for name in subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout.split("\0"):
        if (ROOT / name).is_file():
            (TREE / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, TREE / name)
    subprocess.run([sys.executable, "-m", "compileall", "-q", *PACKAGES], cwd=TREE, check=True)


def update_map(paths: list[str]) -> None:
    """Run the tests of the given files in the copy and update the map; entries of other files stay, failing tests are left out."""
    copy_tree()
    subprocess.run([sys.executable, "-m", "tests.mutants.coverage_map", *paths], cwd=TREE, env=ENVIRONMENT, check=True)
    new = read_map(TREE / MAP.relative_to(ROOT))
    if MAP.exists():
        old, done = read_map(MAP), tuple(paths)
        new["seconds"] |= {test: seconds for test, seconds in old["seconds"].items() if not test.startswith(done)}
        for file, lines in old["lines"].items():
            for line, tests in lines.items():
                kept = [test for test in tests if not test.startswith(done)]
                new["lines"].setdefault(file, {}).setdefault(line, []).extend(kept)
    write_map(new)


def read_map(path: Path = MAP) -> dict[str, Any]:
    """Read a map; return the `seconds` of each test, quickest first, and the tests by file and line (`lines`)."""
    found = json.loads(path.read_text(encoding="utf-8"))
    names = list(found["seconds"])
    lines = {file: {line: [names[k] for k in places] for line, places in lines.items()} for file, lines in found["lines"].items()}
    return {"seconds": found["seconds"], "lines": lines}


def write_map(found: dict[str, Any]) -> None:
    """Write a map to its file; each test in `lines` is stored as its position in the list of tests."""
    seconds = dict(sorted(found["seconds"].items(), key=lambda one: one[1]))
    place = {test: k for k, test in enumerate(seconds)}
    lines = {
        file: {line: sorted(place[t] for t in set(tests) if t in place) for line, tests in lines.items()}
        for file, lines in found["lines"].items()
    }
    MAP.parent.mkdir(parents=True, exist_ok=True)
    MAP.write_text(json.dumps({"seconds": seconds, "lines": lines}), encoding="utf-8")


class CoverageRecorder:
    """Pytest plugin: give each test a coverage context, and record its seconds and whether it failed."""

    def __init__(self) -> None:
        import coverage

        self.coverage = coverage.Coverage(source=[str(ROOT / name) for name in PACKAGES], data_file=None, config_file=False)
        self.seconds: dict[str, float] = defaultdict(float)
        self.failed: set[str] = set()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Switch the coverage context to a test that starts."""
        self.coverage.switch_context(nodeid)

    def pytest_runtest_logreport(self, report) -> None:
        """Record the seconds of a test, and whether it failed."""
        self.seconds[report.nodeid] += report.duration
        if report.outcome != "passed":
            self.failed.add(report.nodeid)

    def save(self) -> None:
        """Write the map of the tests that passed."""
        data = self.coverage.get_data()
        lines = {str(Path(file).relative_to(ROOT)): data.contexts_by_lineno(file) for file in data.measured_files()}
        seconds = {test: round(seconds, 3) for test, seconds in self.seconds.items() if test not in self.failed}
        write_map({"seconds": seconds, "lines": lines})


if __name__ == "__main__":
    import pytest

    recorder = CoverageRecorder()
    recorder.coverage.start()
    pytest.main(["-p", "no:xdist", "--no-header", "--tb=line", *(f"--ignore={name}" for name in NEVER), *sys.argv[1:]], plugins=[recorder])
    recorder.coverage.stop()
    recorder.save()
