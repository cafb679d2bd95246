"""Pytest plugin for test levels: select the tests of a level, record their CPU costs, and print a summary. Loaded by conftest.py.

    quick     while you work          tests of `test` that are cheap by the record of costs
    test      what CI runs            all but tests marked `verify`; of tests marked `sample(n)`, n cases
    verify    before a release        everything

The record, `tests/costs.txt`, has one line for each test function: CPU seconds of all its cases together, how many there were, its name.
`make costs` writes it. `tests/budgets.toml` has the budget of each level and package by that record; `tests/test_costs.py` checks it.
"""

from __future__ import annotations

import gc
import hashlib
import resource
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
RECORD = HERE / "costs.txt"
LEVELS = ("quick", "test", "verify")
SLOWEST = 20  # number of tests that are listed at the end of a run


@dataclass(frozen=True)
class Cost:
    """The cost of a test function: CPU seconds of all its cases, and their number."""

    seconds: float
    cases: int

    @property
    def each(self) -> float:
        """Return the mean CPU seconds of a case."""
        return self.seconds / self.cases


def case_function(nodeid: str) -> str:
    """Return the test function of a case: "tests/bounds/test_a.py::test_b[case]" gives "bounds/test_a.py::test_b"."""
    return nodeid.partition("[")[0].removeprefix("tests/")


def package_of(nodeid: str) -> str:
    """Return the package that a test case checks: the first folder of its path, "all" for files directly in tests/."""
    path = case_function(nodeid).partition("::")[0]
    return path.partition("/")[0] if "/" in path else "all"


def read_costs(path: Path = RECORD) -> dict[str, Cost]:
    """Read the recorded costs; return them by test function, {} where the file does not exist."""
    if not path.exists():
        return {}
    rows = (line.split(maxsplit=2) for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    return {name: Cost(float(seconds), int(cases)) for seconds, cases, name in rows}


def write_costs(costs: Mapping[str, Cost], path: Path = RECORD) -> None:
    """Write the record of costs, sorted by test function."""
    lines = ["# CPU seconds of all cases of a test function, cases, function; written by `make costs`"]
    lines += [f"{cost.seconds:9.3f} {cost.cases:5d} {name}" for name, cost in sorted(costs.items())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_budgets() -> dict[str, Any]:
    """Return the budgets of levels and packages, in CPU seconds, from budgets.toml."""
    return tomllib.loads((HERE / "budgets.toml").read_text(encoding="utf-8"))


def name_hash(name: str) -> str:
    """Return the hash of a name, by which samples are sorted: a pseudo-random order that depends on the name alone."""
    return hashlib.sha256(name.encode()).hexdigest()


def select_tests(level: str, items: Iterable[Any], costs: Mapping[str, Cost]) -> list[Any]:
    """Return the collected tests that run at a level, in their order; `costs` decide what is quick."""
    items = list(items)
    if level == "verify":
        return items
    allowed = {item.nodeid for item in items if item.get_closest_marker("verify") is None}
    for cases in sampled_cases(items).values():
        size = cases[0].get_closest_marker("sample").args[0]
        allowed -= {item.nodeid for item in sorted(cases, key=lambda item: name_hash(item.nodeid))[size:]}
    if level == "quick":
        most = read_budgets()["quick"]
        new = Cost(0.0, 1)
        dear = {
            name for name in map(case_function, allowed) if (c := costs.get(name, new)).each > most["case"] or c.seconds > most["function"]
        }
        allowed = {name for name in allowed if case_function(name) not in dear}
    return [item for item in items if item.nodeid in allowed]


def sampled_cases(items: Iterable[Any]) -> dict[str, list[Any]]:
    """Return the cases of tests that are marked `sample(n)`, by test function."""
    found = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sample") is not None:
            found[case_function(item.nodeid)].append(item)
    return found


def cpu_seconds() -> float:
    """Return the CPU seconds that this process and its finished children have used."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options --level and --record-costs to pytest."""
    group = parser.getgroup("levels")
    group.addoption("--level", choices=LEVELS, default="test", help="which tests run (default: test)")
    group.addoption("--record-costs", action="store_true", help="write what the tests cost to tests/costs.txt")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests that do not run at the level, and record the size of each sample."""
    level = config.getoption("level")
    kept = select_tests(level, items, read_costs())
    chosen = {item.nodeid for item in kept}
    left_out = [item for item in items if item.nodeid not in chosen]
    for cases in sampled_cases(items).values():
        of = sum(item.nodeid in chosen for item in cases)
        for item in cases:
            item.user_properties.append(("sample", f"{of} of {len(cases)}"))
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Any:
    """Record the CPU time at the start of a test."""
    item.stash[BEGAN] = cpu_seconds()
    yield
    gc.collect(1)
    gc.freeze()  # or the garbage collector would scan all loaded modules again and again


BEGAN = pytest.StashKey[float]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Add the CPU seconds of a test to its last report, and those that it reports for a process that outlives it (`cpu_seconds`).

    CPU time of processes that end with the fixtures of a module counts for no test.
    """
    reported = sum(seconds for name, seconds in item.user_properties if name == "cpu_seconds")
    item.user_properties.append(("cpu", cpu_seconds() - item.stash[BEGAN] + reported))


def cpu_by_case(reports: Iterable[Any]) -> dict[str, float]:
    """Return the CPU seconds in test reports, by case."""
    return {one.nodeid: seconds for one in reports for name, seconds in one.user_properties if name == "cpu"}


def total_costs(seconds: Mapping[str, float]) -> dict[str, Cost]:
    """Sum the CPU seconds of cases; return the costs by test function."""
    totals: dict[str, float] = defaultdict(float)
    for nodeid, one in seconds.items():
        totals[case_function(nodeid)] += one
    cases = Counter(map(case_function, seconds))
    return {name: Cost(total, cases[name]) for name, total in totals.items()}


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print the CPU time of each package, the slowest tests and the size of each sample; write the record if asked."""
    reports = [one for several in terminalreporter.stats.values() for one in several if getattr(one, "when", "") == "teardown"]
    seconds = cpu_by_case(reports)
    if not seconds:
        return
    write = terminalreporter.write_line
    rooms: dict[str, list[float]] = defaultdict(list)
    for nodeid, one in seconds.items():
        rooms[package_of(nodeid)].append(one)
    write("")
    write(f"{'package':>14} {'tests':>6} {'CPU s':>8}")
    for room, several in sorted(rooms.items(), key=lambda pair: -sum(pair[1])):
        write(f"{room:>14} {len(several):6d} {sum(several):8.1f}")
    write(f"{'together':>14} {len(seconds):6d} {sum(seconds.values()):8.1f}")
    write(f"the {SLOWEST} slowest:")
    for nodeid, one in sorted(seconds.items(), key=lambda pair: -pair[1])[:SLOWEST]:
        write(f"{one:8.2f} s  {nodeid[:120]}")
    samples = {case_function(one.nodeid): value for one in reports for name, value in one.user_properties if name == "sample"}
    for name, value in sorted(samples.items()):
        write(f"sample: {value} cases of {name}")
    if config.getoption("record_costs"):
        write_costs(update_costs(read_costs(), total_costs(seconds), config.getoption("level")))
        write(f"costs written to {RECORD}")


def update_costs(before: Mapping[str, Cost], now: Mapping[str, Cost], level: str) -> dict[str, Cost]:
    """Return the record of costs updated with new measurements; tests whose file no longer exists are removed.

    A quick run can only raise costs: in it, tests compile kernels that other tests compile before them in a longer run.
    """
    known = {name: cost for name, cost in before.items() if (HERE / name.partition("::")[0]).exists()}
    if level == "quick":
        now = {name: cost for name, cost in now.items() if name not in known or cost.each > known[name].each}
    return known | dict(now)
