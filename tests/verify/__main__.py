"""Run all tests in parts, and print a table with the counts of passed and failed tests and the time of each part.

    python -m tests.verify [--workers K] [PART ...]      (make verify, make verify PART=faults; PART=list names the parts)

An interrupted part continues where it stopped: tests that passed with the same sources are not run again. `out/verify` has the results.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[2]
OUT = ROOT / "out" / "verify"
PARTS = {
    "faults": ("all planted faults", ["tests/test_planted_faults.py", "tests/faults"]),
    "checks": ("every claim at its full size", ["tests/verify/test_checks.py"]),
    "galleries": ("every committed figure drawn again and compared", ["tests/verify/test_galleries.py"]),
    "clusters": (
        "work on a cluster, with workers killed",
        ["tests/synthetic/sweeps/test_cluster.py", "tests/synthetic/sweeps/test_cluster_calls.py"],
    ),
    "kills": ("commands and workers that are killed", ["tests/theory_lab/test_broken_runs.py", "tests/synthetic/sweeps/test_workers.py"]),
    "latex": ("tables and statements compiled by LaTeX", ["tests/theory_lab/test_latex.py", "tests/bounds/typeset/test_words.py"]),
    "browsers": ("pages in a browser", ["tests/verify/test_browsers.py"]),
    "docs": ("the documentation: every snippet, every link, pages in a browser", ["tests/docs", "tests/verify/test_site.py"]),
    "tests": ("all other tests", ["tests"]),
}
NOTHING_LEFT = 5  # exit status of pytest when it has run no test


@dataclass(frozen=True)
class Result:
    """The result of a part: counts of tests, seconds of wall and CPU time, exit status of pytest."""

    part: str
    passed: int
    failed: int
    skipped: int
    kept: int
    wall: float
    cpu: float
    status: int

    @property
    def outcome(self) -> str:
        """The outcome as text: "passed", "FAILED" or "passed before"."""
        if self.status == NOTHING_LEFT and self.kept:
            return "passed before"
        return "passed" if self.status == 0 else "FAILED"


def pytest_files(part: str) -> list[str]:
    """Return the files that pytest runs for a part; the last part ignores the files of the others."""
    files = PARTS[part][1]
    if part == "tests":
        files = files + [f"--ignore={one}" for name, (_, several) in PARTS.items() if name != part for one in several]
    return files


def run_part(part: str, workers: int) -> Result:
    """Run a part with pytest on some worker processes, and return its result."""
    kept_in, report = OUT / f"{part}.passed", OUT / f"{part}.xml"
    report.unlink(missing_ok=True)
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        str(workers),
        "--dist",
        "loadfile" if part == "tests" else "loadgroup",
        "--level",
        "verify",
        "--resume",
        kept_in,
        f"--junit-xml={report}",
    ]
    status = subprocess.run([*command, *pytest_files(part)], cwd=ROOT).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    if report.exists():
        suite = ElementTree.parse(report).getroot().find("testsuite")
        counts = {name: int(suite.get(name, 0)) for name in counts} if suite is not None else counts
    failed = counts["failures"] + counts["errors"]
    passed = counts["tests"] - failed - counts["skipped"]
    kept = len(kept_in.read_text(encoding="utf-8").splitlines()) - 1 - passed if kept_in.exists() else 0
    return Result(part, passed, failed, counts["skipped"], max(kept, 0), time.perf_counter() - began, cpu, status)


def results_table(results: list[Result]) -> str:
    """Return the table of results as text, with a last line of total times."""
    lines = [f"{'part':<10} {'passed':>7} {'before':>7} {'failed':>7} {'skipped':>7} {'wall min':>9} {'CPU min':>8}  outcome"]
    for one in results:
        numbers = f"{one.passed:7d} {one.kept:7d} {one.failed:7d} {one.skipped:7d} {one.wall / 60:9.1f} {one.cpu / 60:8.1f}"
        lines.append(f"{one.part:<10} {numbers}  {one.outcome}")
    wall, cpu = sum(one.wall for one in results) / 60, sum(one.cpu for one in results) / 60
    return "\n".join([*lines, f"{'together':<10} {'':31} {wall:9.1f} {cpu:8.1f}"])


def main() -> int:
    """Run the requested parts; return 0 if all passed, 1 if one failed, 130 after Ctrl-C; a wrong call exits with 2."""
    parser = argparse.ArgumentParser(prog="python -m tests.verify", description="Run everything there is, in parts.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}, or list, which names them (default: all)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes of pytest")
    arguments = parser.parse_args()
    if arguments.parts == ["list"]:
        print("\n".join(f"{part:<10} {words}" for part, (words, _) in PARTS.items()))
        return 0
    for part in arguments.parts:
        if part not in PARTS:
            parser.error(f"PART = {part!r}: one of {', '.join(PARTS)} is needed")
    OUT.mkdir(parents=True, exist_ok=True)
    results: list[Result] = []
    interrupted = False
    try:
        for part in arguments.parts or PARTS:
            print(f"== {part}: {PARTS[part][0]}", flush=True)
            results.append(run_part(part, arguments.workers))
    except KeyboardInterrupt:
        interrupted = True
        print("\ninterrupted; what has passed is kept, the same command goes on", file=sys.stderr)
    words = results_table(results)
    print(words)
    (OUT / "summary.txt").write_text(words + "\n", encoding="utf-8")
    if interrupted:
        return 130
    return int(any(one.outcome == "FAILED" for one in results))


if __name__ == "__main__":
    sys.exit(main())
