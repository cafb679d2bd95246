"""Where a sweep stands: what starts first, what follows, what is expected to follow, and the time that is left."""

from concurrent.futures import Executor, Future
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from synthetic.sweeps import sweep
from synthetic.sweeps.store import Store
from synthetic.sweeps.sweep import Cell, Expected, run
from tests.synthetic.sweeps.test_sweep import cells


class Here:
    """An executor that computes in this process, and keeps the order in which it was asked."""

    def __init__(self):
        self.asked = []

    def submit(self, function, task, arguments):
        self.asked.append(arguments["x"])
        future = Future()
        try:
            future.set_result(function(task, arguments))
        except Exception as error:
            future.set_exception(error)
        return future


def test_the_dearest_cells_start_first_and_the_progress_says_how_far_it_is(tmp_path):
    """Costs, counts, labels and the seconds that are left at the rate so far."""
    costs = {0: 1.0, 1: 5.0, 2: 3.0, 3: 2.0}
    wanted = [
        Cell("tests.synthetic.sweeps.sleepers:slow_square", {"x": x, "seconds": 0.0}, cost=c, label=f"x = {x}") for x, c in costs.items()
    ]
    seen, pool = [], Here()
    with Store(tmp_path / "a.sqlite") as store:
        run(wanted[3:], store, Here())
        found = run([*wanted, wanted[0]], store, pool, progress=seen.append)
        assert {key: store.seconds(key) >= 0 for key in found} == dict.fromkeys((cell.key for cell in wanted), True)
    assert pool.asked == [1, 2, 0]
    assert set(found) == {cell.key for cell in wanted}
    assert [(p.done, p.total, p.stored) for p in seen] == [(1, 4, 1), (2, 4, 1), (3, 4, 1), (4, 4, 1)]
    assert (seen[0].label, seen[0].left) == ("", None)
    assert sorted(p.label for p in seen[1:]) == ["x = 0", "x = 1", "x = 2"]
    assert seen[-1].left == 0.0
    assert seen[1].left > 0  # of two cells
    assert all(a.elapsed <= b.elapsed for a, b in pairwise(seen))


@pytest.mark.parametrize("stored", [[], [3], [3, 9], [2, 3, 4, 9, 16, 81], [81]])
def test_what_follows_from_a_cell_begins_when_it_is_done_and_is_counted(stored, tmp_path):
    """From each x below 20 the cell of x^2: the same table whatever was stored, and no cell twice."""

    def of(*numbers):
        return [Cell("tests.synthetic.sweeps.sleepers:slow_square", {"x": x, "seconds": 0.0}) for x in numbers]

    told, seen, pool = [], [], Here()

    def then(key, arrays):
        square = int(arrays["square"][0])
        assert key == of(round(square**0.5))[0].key
        told.append(square)
        return of(square) if square < 400 else []

    with Store(tmp_path / "a.sqlite") as store:
        run(of(*stored), store, Here())
        found = run(of(2, 3, 4), store, pool, progress=seen.append, then=then)
    table = {2: 4, 3: 9, 4: 16, 9: 81, 16: 256, 81: 6561, 256: 65536}
    assert {key: int(arrays["square"][0]) for key, arrays in found.items()} == {of(x)[0].key: square for x, square in table.items()}
    assert sorted(told) == sorted(table.values())
    assert sorted([*pool.asked, *stored]) == sorted(table)
    assert (seen[-1].done, seen[-1].total, seen[-1].left) == (7, 7, 0.0)
    assert seen[-1].stored == len(stored)


@pytest.mark.parametrize(("stored", "known"), [([], 0), ([2], 1), ([2, 4], 1), ([2, 3, 5, 4], 3)])
@pytest.mark.parametrize("count", [3, 5, 0])
def test_cells_that_will_follow_are_counted_from_the_beginning(stored, known, count, tmp_path):
    """Three cells, from each of which one follows: the total is six at once, and at the end what came, also where others were expected."""

    def of(*numbers):
        return [
            Cell("tests.synthetic.sweeps.sleepers:slow_square", {"x": x, "seconds": 0.0}, label="big" if x in (4, 9, 25) else "")
            for x in numbers
        ]

    def then(key, arrays):
        square = int(arrays["square"][0])
        return of(square) if square <= 25 and square != 16 else []

    seen = []
    with Store(tmp_path / "a.sqlite") as store:
        run(of(*stored), store, Here())
        expected = {"big": Expected(count, 1.0), "other": Expected(0, 1.0)}
        run(of(2, 3, 5), store, Here(), progress=seen.append, then=then, expected=expected)
    assert seen[0].total == 3 + max(count, known)
    assert count == 0 or {p.total for p in seen[:-1]} == {3 + count}
    assert (seen[-1].done, seen[-1].total, seen[-1].left) == (6, 6, 0.0)


def test_what_is_expected_weighs_in_the_time_that_is_left(tmp_path, monkeypatch):
    """By a clock that the cells move on: one second a unit of cost, one cell at a time."""
    clock = [100.0]

    class Slow(Executor):
        workers = 1

        def submit(self, function, task, arguments):
            future = Future()
            future.set_result((arguments["x"], {"x": np.array(arguments["x"])}))
            return future

    def wait(pending, return_when):
        one = next(iter(pending))
        clock[0] += one.result()[0]
        return SimpleNamespace(done={one})

    def of(*numbers):
        return [Cell("tests.synthetic.sweeps.sleepers:slow_square", {"x": x}, cost=x, label=f"x = {x}") for x in numbers]

    monkeypatch.setattr(sweep, "wait", wait)
    monkeypatch.setattr(sweep.time, "perf_counter", lambda: clock[0])
    seen = []
    with Store(tmp_path / "a.sqlite") as store:
        run(of(3, 7), store, Slow(), progress=seen.append, then=lambda key, found: of(20) if found["x"] == 3 else [],
            expected={"x = 20": Expected(1, 20.0)})  # fmt: skip
    assert [(p.done, p.total, p.elapsed, p.left) for p in seen] == [(0, 3, 0, None), (1, 3, 7, 23), (2, 3, 10, 20), (3, 3, 30, 0)]


def test_a_sweep_that_has_nothing_to_do_has_nothing_left(tmp_path):
    seen = []
    with Store(tmp_path / "a.sqlite") as store:
        assert run([], store, Here(), progress=seen.append) == {}
        run(cells(1), store, Here())
        run(cells(1), store, Here(), progress=seen.append)
    assert [(p.done, p.total, p.stored, p.left) for p in seen] == [(0, 0, 0, 0.0), (1, 1, 1, 0.0)]
