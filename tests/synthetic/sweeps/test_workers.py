"""Processes that die: only the call that one was busy with is made again, by a fresh one."""

import os
import signal
import subprocess
import sys
import time
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from synthetic.sweeps import workers
from synthetic.sweeps.store import Store
from synthetic.sweeps.sweep import Cell, run
from synthetic.sweeps.workers import TRIES, WorkerDied, local_processes
from tests.synthetic.sweeps.sleepers import dies, dies_while_it_sends, unreadable

ROOT = Path(__file__).parents[3]


def calls(folder):
    return {int(path.name): len(path.read_text(encoding="utf-8")) for path in folder.iterdir()}


def cells(folder, deaths):
    return [Cell("tests.synthetic.sweeps.sleepers:dies", {"x": x, "folder": str(folder), "deaths": deaths.get(x, 0)}) for x in range(6)]


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


def test_a_cell_without_room_is_a_sentence(tmp_path):
    cell = Cell("tests.synthetic.sweeps.sleepers:too_large", {"size": 10**17}, label="large")
    with Store(tmp_path / "a.sqlite") as store, pytest.raises(WorkerDied, match="cell large: not enough memory Unable to allocate"):
        run([cell], store, workers=1)


def test_a_process_killed_while_it_waits_is_replaced(tmp_path):
    with local_processes(1) as pool:
        first = pool.submit(os.getpid).result()
        os.kill(first, signal.SIGKILL)
        second = pool.submit(os.getpid).result()
        assert second not in (first, os.getpid())


def test_a_process_killed_while_it_sends_its_result_is_replaced(tmp_path, caplog):
    with local_processes(1) as pool:
        future = pool.submit(dies_while_it_sends, folder=str(tmp_path), deaths=1)
        assert future.result(timeout=120)["x"][-1] == 8.0
    assert (tmp_path / "sent").read_text(encoding="utf-8") == "xx"
    assert "was killed by SIGKILL" in caplog.text


def test_a_process_begins_with_ctrl_c_blocked(monkeypatch):
    """So it says no traceback when that comes before it can ignore it; then it is ignored, in what it starts too."""
    masks, submit = [], workers.ProcessPoolExecutor.submit

    def seen(self, *given):
        masks.append(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))
        return submit(self, *given)

    monkeypatch.setattr(workers.ProcessPoolExecutor, "submit", seen)
    with local_processes(1) as pool:
        assert pool.submit(signal.getsignal, signal.SIGINT).result() == signal.SIG_IGN
        assert signal.SIGINT not in pool.submit(signal.pthread_sigmask, signal.SIG_BLOCK, ()).result()
    assert masks == [True, False, False]


def test_an_error_that_cannot_be_sent_is_no_death():
    began = time.monotonic()
    with local_processes(1) as pool, pytest.raises(WorkerDied, match=r"cannot be read: TypeError.*missing 1 required"):
        pool.submit(unreadable).result()
    assert time.monotonic() - began < 60


def test_what_is_wrong_with_a_call_is_raised_as_it_is(tmp_path):
    with local_processes(1) as pool, pytest.raises(FileNotFoundError):
        pool.submit(dies, x=1, folder=str(tmp_path / "none"), deaths=0).result()


UNGUARDED = """
from synthetic.sweeps.workers import local_processes
with local_processes(2) as pool:
    print([future.result() for future in [pool.submit(int) for _ in range(9)]])
"""


def test_a_script_without_its_guard_is_told_so_at_once(tmp_path):
    (tmp_path / "unguarded.py").write_text(UNGUARDED, encoding="utf-8")
    done = subprocess.run([sys.executable, tmp_path / "unguarded.py"], env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True,
                          encoding="utf-8", timeout=120)  # fmt: skip
    assert done.returncode == 1
    # a worker may say what it died of after the parent did
    assert 'ended with status 1 before it began; a script needs the line `if __name__ == "__main__":`' in done.stderr
    assert done.stderr.count("WorkerDied: ") == 1


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (0, "ended with status 0"), (1, "ended with status 1"), (-signal.SIGKILL, "was killed by SIGKILL (often because memory ran out)"),
        (-signal.SIGTERM, "was killed by SIGTERM"), (-signal.SIGHUP, "was killed by SIGHUP"), (-1000, "was killed by signal 1000"),
    ],
)  # fmt: skip
def test_how_a_process_ended_is_said_in_words(code, words):
    assert workers._exit_text(SimpleNamespace(exitcode=code)) == words


def test_an_end_that_nobody_collects_is_waited_for_and_then_only_called_one(monkeypatch):
    clock = count()
    monkeypatch.setattr(workers, "time", SimpleNamespace(monotonic=lambda: float(next(clock)), sleep=lambda _: None))
    assert workers._exit_text(SimpleNamespace(exitcode=None)) == workers._exit_text(None) == "died"
    late = iter([None, None, None, 7, 7, 7])
    assert workers._exit_text(type("Late", (), {"exitcode": property(lambda _: next(late))})()) == "ended with status 7"


@pytest.mark.parametrize(("asked", "cores", "made"), [(3, 8, 3), (None, 8, 8), (None, None, 1)])
def test_there_are_as_many_processes_as_asked_or_as_cores(asked, cores, made, monkeypatch):
    done = []

    class Pool:
        def __init__(self, number):
            done.append(number)

        def stop(self):
            done.append("stop")

        def shutdown(self):
            done.append("shutdown")

    monkeypatch.setattr(workers, "LocalProcesses", Pool)
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    with local_processes(asked):
        assert done == [made]
    assert done == [made, "shutdown"]
    with pytest.raises(KeyboardInterrupt), local_processes(asked):
        raise KeyboardInterrupt
    assert done == [made, "shutdown", made, "stop"]


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_no_process_is_left():
    with local_processes(2) as pool:
        numbers = {future.result() for future in [pool.submit(os.getpid) for _ in range(20)]}
        assert all(alive(number) for number in numbers)
    assert not any(alive(number) for number in numbers)  # at once: what is left is waited for


def test_an_error_ends_a_process_in_the_middle_of_its_call():
    found = []

    def fail():
        with local_processes(1) as pool:
            found.append(pool.submit(os.getpid).result())
            found.append(pool.submit(time.sleep, 600))
            while not found[-1].running():
                time.sleep(0.01)
            time.sleep(0.5)  # and its process has it
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    number, sleeping = found
    deadline = time.monotonic() + 20
    while (alive(number) or not sleeping.done()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(number)
    assert sleeping.done()


def test_a_process_computes_in_one_thread_and_this_one_keeps_its_environment(monkeypatch):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    with local_processes(1) as pool:
        found = [pool.submit(os.getenv, name).result() for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")]
    assert found == ["1", "3"]
    assert os.getenv("OPENBLAS_NUM_THREADS") is None
