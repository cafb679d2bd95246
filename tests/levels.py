"""Which tests run at which level, what they cost, and what is printed at the end of a run: a plugin of pytest, loaded by conftest.py.

    quick     while you work          tests of `test` that the record of costs shows to be cheap
    test      what CI runs            all but what is marked `verify`; of tests marked `sample(n)`, n cases
    verify    before a release        everything

The record, `tests/costs.txt`, has one line for each test function: CPU seconds of all its cases together, how many there were, its name.
`make costs` writes it. `tests/budgets.toml` says what a level and a package may cost by that record; `tests/test_costs.py` holds it.
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
SLOWEST = 20  # tests that are named at the end of a run


@dataclass(frozen=True)
class Cost:
    """CPU seconds of all cases of one test function, and how many there were."""

    seconds: float
    cases: int

    @property
    def each(self) -> float:
        """Return the seconds of one case."""
        return self.seconds / self.cases


def function_of(nodeid: str) -> str:
    """Return the name of the test function of a case: "bounds/test_a.py::test_b" of "tests/bounds/test_a.py::test_b[case]"."""
    return nodeid.partition("[")[0].removeprefix("tests/")


def room_of(nodeid: str) -> str:
    """Return the package that a test is about: its folder, "all" for the files beside the folders."""
    path = function_of(nodeid).partition("::")[0]
    return path.partition("/")[0] if "/" in path else "all"


def read_costs(path: Path = RECORD) -> dict[str, Cost]:
    """Return the recorded costs by test function; none where there is no record."""
    if not path.exists():
        return {}
    rows = (line.split(maxsplit=2) for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    return {name: Cost(float(seconds), int(cases)) for seconds, cases, name in rows}


def write_costs(costs: Mapping[str, Cost], path: Path = RECORD) -> None:
    """Write a record, in the order of the names."""
    lines = ["# CPU seconds of all cases of a test function, cases, function; written by `make costs`"]
    lines += [f"{cost.seconds:9.3f} {cost.cases:5d} {name}" for name, cost in sorted(costs.items())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_budgets() -> dict[str, Any]:
    """Return what each level and package may cost."""
    return tomllib.loads((HERE / "budgets.toml").read_text(encoding="utf-8"))


def by_hash(name: str) -> str:
    """Return what samples are sorted by: it depends on the name of a case alone, and on nothing that a name says."""
    return hashlib.sha256(name.encode()).hexdigest()


def runs_at(level: str, items: Iterable[Any], costs: Mapping[str, Cost]) -> list[Any]:
    """Return the tests that run at a level, in the order in which they were collected."""
    items = list(items)
    if level == "verify":
        return items
    allowed = {item.nodeid for item in items if item.get_closest_marker("verify") is None}
    for cases in sampled(items).values():
        size = cases[0].get_closest_marker("sample").args[0]
        allowed -= {item.nodeid for item in sorted(cases, key=lambda item: by_hash(item.nodeid))[size:]}
    if level == "quick":
        most = read_budgets()["quick"]
        new = Cost(0.0, 1)
        dear = {
            name for name in map(function_of, allowed) if (c := costs.get(name, new)).each > most["case"] or c.seconds > most["function"]
        }
        allowed = {name for name in allowed if function_of(name) not in dear}
    return [item for item in items if item.nodeid in allowed]


def sampled(items: Iterable[Any]) -> dict[str, list[Any]]:
    """Return the cases of the tests that are marked `sample(n)`, by test function."""
    found = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sample") is not None:
            found[function_of(item.nodeid)].append(item)
    return found


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its children that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take --level and --record-costs."""
    group = parser.getgroup("levels")
    group.addoption("--level", choices=LEVELS, default="test", help="which tests run (default: test)")
    group.addoption("--record-costs", action="store_true", help="write what the tests cost to tests/costs.txt")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what does not run at the level, and remember what was sampled."""
    level = config.getoption("level")
    kept = runs_at(level, items, read_costs())
    chosen = {item.nodeid for item in kept}
    left_out = [item for item in items if item.nodeid not in chosen]
    for cases in sampled(items).values():
        of = sum(item.nodeid in chosen for item in cases)
        for item in cases:
            item.user_properties.append(("sample", f"{of} of {len(cases)}"))
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Any:
    """Remember how much CPU time had been used when a test began."""
    item.stash[BEGAN] = cpu_seconds()
    yield
    gc.collect(1)
    gc.freeze()  # what is loaded by now stays: the collector would look through all of it again and again


BEGAN = pytest.StashKey[float]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Add the CPU seconds of a test to its last report, with those that a process reports which goes on after it (`cpu_seconds`).

    What ends with the fixtures of a module, such as that process, is no test's.
    """
    reported = sum(seconds for name, seconds in item.user_properties if name == "cpu_seconds")
    item.user_properties.append(("cpu", cpu_seconds() - item.stash[BEGAN] + reported))


def measured(reports: Iterable[Any]) -> dict[str, float]:
    """Return the CPU seconds of the tests that were run, by case."""
    return {one.nodeid: seconds for one in reports for name, seconds in one.user_properties if name == "cpu"}


def total_costs(seconds: Mapping[str, float]) -> dict[str, Cost]:
    """Return the costs of test functions from those of their cases."""
    totals: dict[str, float] = defaultdict(float)
    for nodeid, one in seconds.items():
        totals[function_of(nodeid)] += one
    cases = Counter(map(function_of, seconds))
    return {name: Cost(total, cases[name]) for name, total in totals.items()}


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print the time of each package, the slowest tests, and the size of each sample."""
    reports = [one for several in terminalreporter.stats.values() for one in several if getattr(one, "when", "") == "teardown"]
    seconds = measured(reports)
    if not seconds:
        return
    write = terminalreporter.write_line
    rooms: dict[str, list[float]] = defaultdict(list)
    for nodeid, one in seconds.items():
        rooms[room_of(nodeid)].append(one)
    write("")
    write(f"{'package':>14} {'tests':>6} {'CPU s':>8}")
    for room, several in sorted(rooms.items(), key=lambda pair: -sum(pair[1])):
        write(f"{room:>14} {len(several):6d} {sum(several):8.1f}")
    write(f"{'together':>14} {len(seconds):6d} {sum(seconds.values()):8.1f}")
    write(f"the {SLOWEST} slowest:")
    for nodeid, one in sorted(seconds.items(), key=lambda pair: -pair[1])[:SLOWEST]:
        write(f"{one:8.2f} s  {nodeid[:120]}")
    samples = {function_of(one.nodeid): value for one in reports for name, value in one.user_properties if name == "sample"}
    for name, value in sorted(samples.items()):
        write(f"sample: {value} cases of {name}")
    if config.getoption("record_costs"):
        write_costs(updated(read_costs(), total_costs(seconds), config.getoption("level")))
        write(f"costs written to {RECORD}")


def updated(before: Mapping[str, Cost], now: Mapping[str, Cost], level: str) -> dict[str, Cost]:
    """Return a record with what was measured now; costs of files that are gone are forgotten.

    A quick run only raises costs: it shows which tests compile what others have compiled before them in a longer run.
    """
    known = {name: cost for name, cost in before.items() if (HERE / name.partition("::")[0]).exists()}
    if level == "quick":
        now = {name: cost for name, cost in now.items() if name not in known or cost.each > known[name].each}
    return known | dict(now)
