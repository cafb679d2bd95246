"""Processes that die: only the call that one was busy with is made again, by a fresh one."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from synthetic.store import Store
from synthetic.sweep import Cell, run
from synthetic.workers import TRIES, WorkerDied, local_processes
from tests.synthetic.sleepers import dies, unreadable

ROOT = Path(__file__).parents[2]


def calls(folder):
    return {int(path.name): len(path.read_text(encoding="utf-8")) for path in folder.iterdir()}


def cells(folder, deaths):
    return [Cell("tests.synthetic.sleepers:dies", {"x": x, "folder": str(folder), "deaths": deaths.get(x, 0)}) for x in range(6)]


def test_the_cells_of_dead_processes_are_computed_again_and_no_others(tmp_path, caplog):
    folder = tmp_path / "calls"
    folder.mkdir()
    with Store(tmp_path / "a.sqlite") as store:
        found = run(cells(folder, {1: 1, 4: 2}), store, workers=2)
    assert sorted(int(arrays["x"][0]) for arrays in found.values()) == list(range(6))
    assert calls(folder) == {0: 1, 1: 2, 2: 1, 3: 1, 4: 3, 5: 1}
    assert len(caplog.messages) == 3
    assert all("was killed by SIGKILL" in message for message in caplog.messages)


def test_a_cell_whose_process_dies_every_time_is_named_and_what_is_finished_is_kept(tmp_path):
    folder = tmp_path / "calls"
    folder.mkdir()
    wanted = [
        Cell(one.task, one.arguments, cost=float(one.arguments["x"]), label=f"x = {one.arguments['x']}") for one in cells(folder, {0: 9})
    ]
    with Store(tmp_path / "a.sqlite") as store:
        with pytest.raises(WorkerDied, match=r"cell x = 0: its process was killed by SIGKILL .*, 3 times"):
            run(wanted, store, workers=1)
        assert len(store.keys()) == 5
    assert calls(folder)[0] == TRIES


def test_a_process_killed_while_it_waits_is_replaced(tmp_path):
    with local_processes(1) as pool:
        first = pool.submit(os.getpid).result()
        os.kill(first, signal.SIGKILL)
        second = pool.submit(os.getpid).result()
        assert second not in (first, os.getpid())


def test_an_error_that_cannot_be_sent_is_no_death():
    began = time.monotonic()
    with local_processes(1) as pool, pytest.raises(WorkerDied, match=r"cannot be read: TypeError.*missing 1 required"):
        pool.submit(unreadable).result()
    assert time.monotonic() - began < 60


def test_what_is_wrong_with_a_call_is_raised_as_it_is(tmp_path):
    with local_processes(1) as pool, pytest.raises(FileNotFoundError):
        pool.submit(dies, x=1, folder=str(tmp_path / "none"), deaths=0).result()


UNGUARDED = """
from synthetic.workers import local_processes
with local_processes(2) as pool:
    print([future.result() for future in [pool.submit(int) for _ in range(9)]])
"""


def test_a_script_without_its_guard_is_told_so_at_once(tmp_path):
    (tmp_path / "unguarded.py").write_text(UNGUARDED, encoding="utf-8")
    done = subprocess.run([sys.executable, tmp_path / "unguarded.py"], env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True,
                          encoding="utf-8", timeout=120)  # fmt: skip
    assert done.returncode == 1
    assert 'ended with status 1 before it began; a script needs the line `if __name__ == "__main__":`' in done.stderr.splitlines()[-1]
    assert done.stderr.count("WorkerDied: ") == 1
