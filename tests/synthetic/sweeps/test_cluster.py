"""Sweeps on a Dask cluster of separate processes, whose workers, scheduler and driver are killed: nothing is lost, nothing differs."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest

from synthetic.sweeps import cluster as module
from synthetic.sweeps.cluster import OtherCode, cluster
from synthetic.sweeps.store import Store
from synthetic.sweeps.sweep import Cell, run
from synthetic.sweeps.workers import WorkerDied
from tests.synthetic.sweeps import sleepers

ROOT = Path(__file__).parents[3]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s"}
PATIENT = {"rounds": 20, "pause": 1.0}
pytestmark = [pytest.mark.timeout(300), pytest.mark.verify]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def started(*words, **more):
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
        env={**ENVIRONMENT, **more}, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip


class Processes:
    """A scheduler and its workers, as an operator would start them."""

    def __init__(self, workers, allowed=3):
        self.port, self.workers, self.allowed, self.alive = free_port(), workers, allowed, []
        self.start()
        until(self.listens)

    def listens(self):
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
            return True
        return False

    @property
    def address(self):
        return f"tcp://127.0.0.1:{self.port}"

    def start(self):
        more = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(self.allowed)}
        self.scheduler = started("scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard", "--no-show", **more)
        self.alive += [self.scheduler, *(self.worker() for _ in range(self.workers))]

    def worker(self):
        return started("worker", self.address, "--nthreads", "1", "--no-dashboard", "--death-timeout", "60")

    def kill(self, process):
        os.killpg(process.pid, signal.SIGKILL)  # a nanny and its worker
        process.wait()
        self.alive.remove(process)

    def stop(self):
        for process in list(self.alive):
            self.kill(process)


@contextmanager
def processes(workers, **more):
    found = Processes(workers, **more)
    try:
        yield found
    finally:
        found.stop()


def cells(count, folder, seconds=0.3):
    """Return cells each of which says in a file, once for every time, that it began and in which process."""
    return [
        Cell("tests.synthetic.sweeps.sleepers:told_square", {"x": x, "seconds": seconds, "folder": str(folder)}, label=f"x = {x}")
        for x in range(count)
    ]


def begun(folder):
    """Return how often cells were begun, and the processes."""
    lines = [line for file in Path(folder).glob("*.begun") for line in file.read_text(encoding="utf-8").splitlines()]
    return len(lines), [int(line) for line in lines]


def until(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return found


def table(wanted, found):
    """Return the bytes of a sweep's result, in the order of its cells."""
    return b"".join(found[cell.key][name].tobytes() for cell in wanted for name in ("square", "table"))


def local(wanted, tmp_path):
    with Store(tmp_path / "local.sqlite") as store:
        return table(wanted, run(wanted, store, workers=2))


def on(address, wanted, path, progress=None, **more):
    with cluster(address, **{**PATIENT, **more}) as pool, Store(path) as store:
        return table(wanted, run(wanted, store, pool, progress=progress)), pool


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_a_cluster_gives_what_local_processes_give(workers, tmp_path):
    wanted = cells(12, tmp_path, seconds=0.0)
    with processes(workers) as there:
        found, pool = on(there.address, wanted, tmp_path / "a.sqlite")
    assert found == local(wanted, tmp_path)
    assert pool.again == 0


def test_a_worker_that_is_killed_twice_in_mid_cell_loses_nothing(tmp_path):
    """With no failure allowed, Dask blames a cell at the first death of its worker; both are handed in again."""
    wanted, killed = cells(8, tmp_path, seconds=1.0), []

    def kill():
        for _ in range(2):
            pid = until(lambda: set(begun(tmp_path)[1]) - set(killed)).pop()
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)

    with processes(2, allowed=0) as there, ThreadPoolExecutor(1) as beside:
        killing = beside.submit(kill)
        found, pool = on(there.address, wanted, tmp_path / "a.sqlite")
        killing.result()
    twice = begun(tmp_path)[0] - len(wanted)
    print(f"killed {len(killed)} workers, {twice} cells computed twice, {pool.again} submitted again")
    assert len(set(killed)) == 2
    assert 2 <= twice <= 4  # what each of the killed was at, and what it had finished and not yet handed over
    assert pool.again >= 2
    assert found == local(wanted, tmp_path)


def test_a_scheduler_that_is_killed_and_started_again_loses_nothing(tmp_path):
    wanted, done = cells(8, tmp_path, seconds=0.5), []

    with processes(2) as there:

        def kill(progress):
            if progress.done == 2 and not done:
                done.append(progress.done)
                there.stop()
                there.start()

        found, pool = on(there.address, wanted, tmp_path / "a.sqlite", kill)
    twice = begun(tmp_path)[0] - len(wanted)
    print(f"killed the scheduler, {twice} cells computed twice, {pool.again} submitted again")
    assert done == [2]
    assert 0 <= twice <= 4
    assert pool.again == 6
    assert found == local(wanted, tmp_path)


DRIVER = """
import sys
from synthetic.sweeps.cluster import cluster
from synthetic.sweeps.store import Store
from synthetic.sweeps.sweep import run
from tests.synthetic.sweeps.test_cluster import PATIENT, cells, table
if __name__ == "__main__":
    address, folder, path = sys.argv[1:]
    wanted = cells(8, folder, seconds=0.5)
    with cluster(address, **PATIENT) as pool, Store(path) as store:
        print(table(wanted, run(wanted, store, pool, progress=lambda p: print(p.done, flush=True, file=sys.stderr))).hex())
"""


def test_a_driver_that_is_killed_and_started_again_loses_nothing(tmp_path):
    wanted = cells(8, tmp_path, seconds=0.5)
    with processes(2) as there:
        argv = [sys.executable, "-c", DRIVER, there.address, str(tmp_path), str(tmp_path / "a.sqlite")]
        first = subprocess.Popen(argv, env=ENVIRONMENT, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8")
        for line in first.stderr:
            if line.strip() == "3":
                first.kill()
                break
        first.stderr.close()
        first.wait()
        with Store(tmp_path / "a.sqlite") as store:
            kept = len(store.keys())
        again = subprocess.run(argv, env=ENVIRONMENT, cwd=ROOT, stdout=subprocess.PIPE, check=True, encoding="utf-8")
    twice = begun(tmp_path)[0] - len(wanted)
    print(f"killed the driver, {kept} cells kept, {twice} computed twice")
    assert 3 <= kept < 8
    assert 0 <= twice <= 4  # what the workers had: two each at most, of which one waited
    assert bytes.fromhex(again.stdout.strip()) == local(wanted, tmp_path)


def test_a_cell_that_kills_every_worker_ends_the_work_in_one_sentence(tmp_path):
    """The other cells are kept, although Dask blames those that waited behind it too."""
    poison = Cell("tests.synthetic.sweeps.sleepers:dies", {"x": 0, "folder": str(tmp_path), "deaths": 1000}, label="the poison")
    with processes(2, allowed=0) as there, Store(tmp_path / "a.sqlite") as store:
        sentence = r"^cell the poison: its worker .* was lost 4 times in a row, and nothing else was finished$"
        with cluster(there.address, rounds=4, pause=0.2) as pool, pytest.raises(WorkerDied, match=sentence):
            run([*cells(3, tmp_path, seconds=0.2), poison], store, pool)
        assert len(store.keys()) == 3


def test_an_error_in_a_cell_and_a_worker_with_other_code_are_told(tmp_path, monkeypatch):
    with processes(1) as there, Store(tmp_path / "a.sqlite") as store:
        with cluster(there.address, **PATIENT) as pool, pytest.raises(ValueError, match=r"^x = 3: never allowed$"):
            run([Cell("tests.synthetic.sweeps.sleepers:fails", {"x": 3})], store, pool)
        with cluster(there.address, **PATIENT) as pool, pytest.raises(TypeError, match=r"(?i)serializ|pickl"):
            pool.submit(len, threading.Lock()).result(timeout=60)
        monkeypatch.setattr(module, "fingerprint", lambda: "another")
        with cluster(there.address, **PATIENT) as pool, pytest.raises(OtherCode, match=r"^a worker has other sources of the lab"):
            run(cells(1, tmp_path), store, pool)


def test_leaving_on_an_error_cancels_what_is_not_finished(tmp_path):
    with processes(1) as there:
        with suppress(RuntimeError), cluster(there.address, **PATIENT) as pool:
            futures = [pool.submit(sleepers.slow_square, x=x, seconds=0.2) for x in range(20)]
            futures[0].result()
            raise RuntimeError("enough")
        assert sum(one.cancelled() for one in futures) >= 15
        with pytest.raises(RuntimeError, match=r"^the connection to the cluster is closed: no further call is accepted$"):
            pool.submit(len, "")
        with cluster(there.address, **PATIENT) as fresh:
            np.testing.assert_array_equal(fresh.submit(sleepers.slow_square, x=3, seconds=0.0).result()["square"], [9.0])


def test_where_no_scheduler_answers_and_where_dask_is_missing(monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    address = f"tcp://127.0.0.1:{free_port()}"
    with pytest.raises(ValueError, match=r"^scheduler = .tcp://.*: no Dask scheduler answers there \(.*\)$"), cluster(address):
        pass
    with pytest.raises(ValueError, match=r"^scheduler = [^\n]*$"), cluster("ftp://x:1"):
        pass
    for wrong in ("nonsense", "", "tcp://127.0.0.1:99999", "tcp://127.0.0.1:0", "tcp://127.0.0.1:-1", f"tcp://x:{'1' * 9}", None, 8786):
        with pytest.raises(ValueError, match=r"^scheduler = [^\n]*: tcp://HOST:PORT with a port below 65536 is needed$"), cluster(wrong):
            pass
    monkeypatch.setitem(sys.modules, "distributed", None)
    sentence = r"this needs Dask, which is not installed: python -m pip install 'dask\[distributed\]'$"
    with pytest.raises(ValueError, match=sentence), cluster(address):
        pass
