"""Pytest plugin that resumes an interrupted run: tests that passed with the same sources are not run again."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("bounds", "synthetic", "paper_checks", "figures", "theory_lab", "docs", "tests")
FILES = (
    "pyproject.toml",
    "constraints-test.txt",
    "constraints-docs.txt",
    "README.md",
    "Makefile",
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
)
MADE = {"__pycache__", ".pyc"}


def fingerprint(root: Path = ROOT) -> str:
    """Return the SHA-256 of all files that the outcome of a test can depend on: sources, documentation and tests."""
    paths = [
        path for folder in FOLDERS for path in (root / folder).rglob("*") if path.is_file() and not MADE & {path.suffix, path.parent.name}
    ]
    total = hashlib.sha256()
    for path in sorted([*paths, *(root / name for name in FILES)]):
        if path != root / "tests" / "costs.txt":
            total.update(f"{path.relative_to(root)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()


def read_passed(path: Path, sources: str) -> set[str]:
    """Read the names of passed tests from a file; return an empty set if it was written for other sources."""
    if not path.exists():
        return set()
    first, *names = path.read_text(encoding="utf-8").split("\n")
    return set(names[:-1]) if first == sources else set()  # a last line without line break was cut off by a kill


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option --resume FILE to pytest."""
    words = "keep the names of tests that passed in this file, and do not run again those that passed with the same sources"
    parser.getgroup("levels").addoption("--resume", metavar="FILE", type=Path, help=words)


def pytest_configure(config: pytest.Config) -> None:
    """Read the passed tests in the main process and start the writer there; a worker gets them from the main process."""
    path = config.getoption("resume")
    if path is None:
        return
    if hasattr(config, "workerinput"):
        passed = set(config.workerinput["passed"])
    else:
        sources = fingerprint()
        passed = read_passed(path, sources)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{one}\n" for one in (sources, *sorted(passed))), encoding="utf-8")
        config.pluginmanager.register(PassedWriter(path), "resume-writer")
    config.stash[PASSED] = passed


PASSED = pytest.StashKey[set[str]]()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Send the names of passed tests to a worker of pytest-xdist."""
    node.workerinput["passed"] = sorted(node.config.stash.get(PASSED, set()))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests that have passed."""
    passed = config.stash.get(PASSED, set())
    left_out = [item for item in items if item.nodeid in passed]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item.nodeid not in passed]


class PassedWriter:
    """Pytest plugin that appends the name of a test to a file as soon as its last phase has passed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write a test that passed in all its phases; a skipped test is not written, so it runs again."""
        if not report.passed:
            self.failed.add(report.nodeid)
        elif report.when == "teardown" and report.nodeid not in self.failed:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f"{report.nodeid}\n")
