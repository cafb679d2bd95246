"""Sweeps that survive kills, interrupts, damage and full disks."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from synthetic.sweeps import sweep
from synthetic.sweeps.store import Store, StoreError
from synthetic.sweeps.sweep import Cell, run
from tests.synthetic.sweeps import sleepers

ROOT = Path(__file__).parents[3]


def cells(count, seconds=0.0):
    return [Cell("tests.synthetic.sweeps.sleepers:slow_square", {"x": x, "seconds": seconds}, label=f"x = {x}") for x in range(count)]


def in_threads(wanted, path, progress=None):
    with Store(path) as store, ThreadPoolExecutor(2) as pool:
        return run(wanted, store, pool, progress=progress)


def test_results_come_back_and_are_not_computed_again(tmp_path, monkeypatch):
    seen = []
    first = in_threads(cells(4), tmp_path / "a.sqlite", seen.append)
    assert [p.done for p in seen] == [0, 1, 2, 3, 4]
    assert seen[-1].left == 0
    monkeypatch.setattr(sweep, "execute", None)
    again = in_threads(cells(4), tmp_path / "a.sqlite", seen.append)
    assert (seen[-1].done, seen[-1].stored) == (4, 4)
    for cell in cells(4):
        assert first[cell.key]["square"][0] == cell.arguments["x"] ** 2
        np.testing.assert_array_equal(first[cell.key]["table"], again[cell.key]["table"])


def test_the_key_holds_everything_that_determines_the_result():
    a, b = cells(2)
    assert a.key != b.key
    assert a.key == cells(2)[0].key
    assert a.key != Cell("tests.synthetic.sweeps.sleepers:fails", a.arguments).key


class Ending(Executor):
    """An executor that computes at once, but cancels its first call, and takes no more than so many."""

    def __init__(self, most):
        self.futures, self.most = [], most

    def submit(self, function, *arguments):
        if len(self.futures) == self.most:
            raise RuntimeError("no more is taken")
        future = Future()
        if self.most > 3 and not self.futures:
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_result(function(*arguments))
        self.futures.append(future)
        return future


@pytest.mark.parametrize(("most", "error", "kept"), [(2, RuntimeError, 2), (4, CancelledError, 3)])
def test_an_executor_that_takes_no_more_or_cancels_a_call_keeps_the_finished_ones(most, error, kept, tmp_path):
    with Store(tmp_path / "a.sqlite") as store:
        with pytest.raises(error):
            run(cells(4), store, Ending(most))
        assert len(store.keys()) == kept


def test_cells_that_end_between_the_wait_and_an_error_are_kept(tmp_path, monkeypatch):
    """One call fails; the others end once `wait` has returned."""
    futures = []

    class Late(Executor):
        def submit(self, function, task, arguments):
            futures.append((Future(), arguments))
            return futures[-1][0]

    def wait(pending, return_when):
        first, *others = futures
        first[0].set_exception(ValueError("never allowed"))
        for future, arguments in others:
            future.set_result((0.0, {"x": np.array([arguments["x"]])}))
        return SimpleNamespace(done={first[0]})

    monkeypatch.setattr(sweep, "wait", wait)
    with Store(tmp_path / "a.sqlite") as store:
        with pytest.raises(ValueError, match="never allowed"):
            run(cells(4), store, Late())
        assert len(store.keys()) == 3


def test_an_error_in_a_cell_keeps_the_finished_ones(tmp_path):
    wanted = [*cells(3), Cell("tests.synthetic.sweeps.sleepers:fails", {"x": 1}, cost=0.5)]
    with pytest.raises(ValueError, match="x = 1: never allowed"):
        in_threads(wanted, tmp_path / "a.sqlite")
    with Store(tmp_path / "a.sqlite") as store:
        assert len(store.keys()) >= 1


SCRIPT = """
import sys
from synthetic.sweeps.store import Store
from synthetic.sweeps.sweep import run
from tests.synthetic.sweeps.test_sweep import cells
if __name__ == "__main__":
    with Store(sys.argv[1]) as store:
        run(cells(12, 0.25), store, workers=2, progress=lambda p: print(p.done, flush=True))
"""


def default_interrupt():
    """Take Ctrl-C as from a terminal, also where the tests are a script's background job, whose children inherit that it is ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def start_and_wait(path, tmp_path, finished):
    """Start the script in a process of its own, and return it when a number of cells are finished."""
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, tmp_path / "script.py", path], stdout=subprocess.PIPE, encoding="utf-8", cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True, preexec_fn=default_interrupt,
    )  # fmt: skip
    while int(process.stdout.readline()) < finished:
        pass
    return process


def test_a_killed_run_resumes_to_the_bit_identical_table_and_leaves_no_process(tmp_path):
    path = tmp_path / "a.sqlite"
    process = start_and_wait(path, tmp_path, 3)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    with Store(path) as store:
        kept = len(store.keys())
    assert 3 <= kept < 12
    deadline = time.monotonic() + 20
    while _group_alive(process.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not _group_alive(process.pid)
    resumed = in_threads(cells(12, 0.25), path)
    whole = in_threads(cells(12, 0.25), tmp_path / "b.sqlite")
    for key, arrays in whole.items():
        for name, array in arrays.items():
            np.testing.assert_array_equal(array, resumed[key][name])


def _group_alive(pid):
    try:
        os.killpg(pid, 0)
    except ProcessLookupError:
        return False
    return (
        any(_state(p) not in "ZX" for p in Path("/proc").iterdir() if p.name.isdigit() and _group(p) == pid)
        if Path("/proc").exists()
        else True
    )


def _stat(process):
    try:
        return (process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return ["X", "0", "0"]


def _state(process):
    return _stat(process)[0]


def _group(process):
    return int(_stat(process)[2])


def test_an_interrupt_ends_at_once_and_keeps_what_is_finished(tmp_path):
    path = tmp_path / "a.sqlite"
    process = start_and_wait(path, tmp_path, 2)
    process.send_signal(signal.SIGINT)
    process.stdout.read()
    process.stdout.close()
    assert process.wait(timeout=20) != 0
    with Store(path) as store:
        assert 2 <= len(store.keys()) < 12


def test_foreign_corrupt_and_unwritable_files_are_refused_in_one_sentence(tmp_path):
    foreign = tmp_path / "foreign.sqlite"
    with sqlite3.connect(foreign) as db:
        db.execute("CREATE TABLE t (x)")
    db.close()
    with pytest.raises(StoreError, match="was not made by the lab"):
        Store(foreign)
    (tmp_path / "text.sqlite").write_text("hello " * 500, encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be opened as a file of results"):
        Store(tmp_path / "text.sqlite")
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path / "file" / "a.sqlite")
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path)


def test_a_damaged_store_is_noticed(tmp_path):
    path = tmp_path / "a.sqlite"
    in_threads(cells(6), path)
    content = bytearray(path.read_bytes())
    content[5000:12000] = b"\xff" * 7000
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"damaged|cannot be"):
        Store(path)


def test_a_full_disk_loses_nothing_that_was_finished(tmp_path):
    """SQLite's page limit stands in for the disk: the same error, at a place of our choosing."""
    path = tmp_path / "a.sqlite"
    big = {"big": np.zeros(200_000)}
    with Store(path) as store:
        store.put("one", "t", "{}", "c", 0.0, big)
        pages = store._db.execute("PRAGMA page_count").fetchone()[0]
        store._db.execute(f"PRAGMA max_page_count = {pages + 10}")
        with pytest.raises(StoreError, match=r"cannot be written .*full.*\. Earlier cells are kept"):
            store.put("two", "t", "{}", "c", 0.0, big)
    with Store(path) as store:
        assert store.keys() == {"one"}
        np.testing.assert_array_equal(store.get("one")["big"], big["big"])
        with pytest.raises(KeyError):
            store.get("two")


def test_a_task_is_timed():
    began = time.perf_counter()
    seconds, arrays = sweep.execute("tests.synthetic.sweeps.sleepers:slow_square", {"x": 3, "seconds": 0.05})
    assert 0.05 <= seconds <= time.perf_counter() - began
    assert arrays["square"][0] == 9


def test_a_store_gives_back_arrays_of_every_kind_and_forgets_what_it_is_told_to(tmp_path):
    arrays = {
        "f": np.linspace(0, 1, 6).reshape(2, 3).T,
        "i": np.array([[1, -2]], dtype=np.int16),
        "b": np.array([True, False]),
        "s": np.array(2.5),
    }
    with Store(tmp_path / "deep" / "a.sqlite") as store:
        for key in ("one", "two"):
            store.put(key, "task", "{}", "code", 1.25, arrays)
        for name, array in store.get("one").items():
            np.testing.assert_array_equal(array, arrays[name])
            assert (array.dtype, array.shape) == (arrays[name].dtype, arrays[name].shape)
            array[...] = 0  # a copy of its own
        np.testing.assert_array_equal(store.get("one")["f"], arrays["f"])
        assert store.seconds("two") == 1.25
        store.put("one", "task", "{}", "code", 2.5, {"f": np.zeros(1)})
        assert store.seconds("one") == 2.5
        store.forget(["one", "never there"])
        assert store.keys() == {"two"}
        with pytest.raises(KeyError):
            store.get("one")
        assert set(store.get("two")) == set(arrays)


@pytest.mark.parametrize("what", ["nothing", "a number", "a list", "a mask", "objects", "dates", "no name"])
def test_what_a_store_would_not_give_back_as_it_was_is_refused(what, tmp_path):
    """A mask was lost without a word, dates and objects were written and then called damaged."""
    with pytest.raises(ValueError, match=r"^task = 'tests.synthetic.sweeps.sleepers:returning': it must return a dictionary of arrays"):
        in_threads([Cell("tests.synthetic.sweeps.sleepers:returning", {"what": what})], tmp_path / "a.sqlite")
    with Store(tmp_path / "a.sqlite") as store:
        assert not store.keys()


def test_arrays_of_any_length_come_back_as_they_were(tmp_path):
    (found,) = in_threads([Cell("tests.synthetic.sweeps.sleepers:returning", {"what": "arrays"})], tmp_path / "a.sqlite").values()
    for name, array in sleepers.returning("arrays").items():
        np.testing.assert_array_equal(found[name], array)
        assert (found[name].shape, found[name].dtype) == (array.shape, array.dtype)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("task", [None, 3, "", ":", "module", "module:", "a:b:c", "a:f g"]),
        ("arguments", [None, "x", [("x", 1)], {1: 2}, {"x": float("nan")}, {"x": np.int64(1)}, {"x": object()}]),
        ("cost", [None, -1, float("nan"), "1", True]),
    ],
)
def test_a_cell_that_cannot_be_meant_is_refused_when_it_is_made(name, wrong):
    good = {"task": "tests.synthetic.sweeps.sleepers:slow_square", "arguments": {"x": 1}, "cost": 1.0}
    for value in wrong:
        with pytest.raises(ValueError, match=f"^{name} = "):
            Cell(**{**good, name: value})


@pytest.mark.parametrize("workers", [0, -1, 1.5, "2", float("nan"), True])
def test_a_number_of_workers_that_cannot_be_meant_is_refused(workers, tmp_path):
    """With nan of them no process was ever started, and the sweep waited for ever."""
    with Store(tmp_path / "a.sqlite") as store, pytest.raises(ValueError, match=r"^workers = "):
        run(cells(1), store, workers=workers)
