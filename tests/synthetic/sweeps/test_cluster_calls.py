"""What becomes of the calls of a cluster, whatever Dask does: with a client that does as it is told, and no process at all."""

import threading
import time
from concurrent import futures

import pytest

from synthetic.sweeps import cluster as module
from synthetic.sweeps.cluster import Cluster
from synthetic.sweeps.workers import WorkerDied

ADDRESS = "tcp://there:8786"


class There:
    """A future of Dask, which ends when a test says so."""

    def __init__(self, client, args):
        self.client, self.args, self.status, self.told, self.cancels = client, args, "pending", [], 0

    def add_done_callback(self, tell):
        self.told.append(tell)

    def end(self, status="finished", value=None):
        self.status, self.value = status, value
        for tell in self.told:
            tell(self)

    def result(self, timeout):
        if isinstance(self.value, Exception):
            raise self.value
        return self.value

    def exception(self, timeout):
        return self.value

    def cancel(self):
        self.cancels += 1
        if self.client.status != "running":
            raise RuntimeError(f"the client is {self.client.status}")


class Client:
    """A client of Dask that keeps what it is handed; `whatever` happens then."""

    def __init__(self):
        self.status, self.handed, self.whatever = "running", [], lambda there: None

    def submit(self, function, *args, pure):
        assert (function, pure) == (module.remote, False)
        if self.status != "running":
            raise RuntimeError(f"the client is {self.status}")
        there = There(self, args)
        self.handed.append(there)
        self.whatever(there)
        return there

    def scheduler_info(self, n_workers):
        return {"workers": {"one": None}}

    def close(self, timeout):
        self.status = "closed"


@pytest.fixture
def clients(monkeypatch):
    """The clients that were made, the last one at the end; what the next ones do is in `next`, exceptions are raised."""
    made, coming = [], []

    def client(address):
        assert address == ADDRESS
        one = coming.pop(0) if coming else Client()
        if isinstance(one, Exception):
            raise one
        made.append(one)
        return one

    monkeypatch.setattr(module, "_connect", client)
    monkeypatch.setattr(module, "fingerprint", lambda: "ours")
    return made, coming


@pytest.fixture
def pool(clients):
    found = Cluster(ADDRESS, rounds=3, pause=0.05)
    yield found
    found.shutdown(wait=False, cancel_futures=True)
    assert not found._keeper.is_alive()


def until(condition):
    deadline = time.monotonic() + 20
    while not (found := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return found


def test_a_call_is_handed_in_with_the_code_of_this_side(pool, clients):
    future = pool.submit(pow, 2, 3, mod=5)
    (there,) = clients[0][0].handed
    assert there.args == ("ours", pow, (2, 3), {"mod": 5})
    there.end(value=3)
    assert future.result(timeout=5) == 3
    assert pool.again == 0


def test_a_cancelled_call_ends_for_those_who_wait_for_it(pool, clients):
    """Else `wait`, and leaving the cluster, would wait for ever."""
    future = pool.submit(len, "")
    assert future.cancel()
    assert not futures.wait([future], timeout=20).not_done
    assert clients[0][0].handed[0].cancels == 1
    other = pool.submit(len, "")
    other.cancel()
    pool.shutdown()
    assert not futures.wait([other], timeout=0).not_done


def test_leaving_ends_the_calls_for_those_who_wait_for_them(pool):
    future = pool.submit(len, "")
    with futures.ThreadPoolExecutor(1) as beside:
        waiting = beside.submit(futures.wait, [future], 20)
        pool.shutdown(wait=False, cancel_futures=True)
        assert not waiting.result().not_done
    with pytest.raises(RuntimeError, match=r"^the connection to the cluster is closed: no further call is accepted$"):
        pool.submit(len, "")


def test_a_call_that_cannot_be_cancelled_there_does_not_end_the_keeper(pool, clients):
    first = clients[0][0]
    future, other = pool.submit(len, ""), pool.submit(len, "a")
    first.status = "closed"
    future.cancel()
    again = until(lambda: len(clients[0]) == 2 and clients[0][1].handed)
    again[0].end(value=1)
    assert other.result(timeout=20) == 1


def test_an_error_that_nobody_thought_of_ends_the_calls_and_is_told(pool, clients):
    clients[1].append(KeyError("scheduler"))
    future = pool.submit(len, "")
    clients[0][0].status = "closed"
    with pytest.raises(KeyError, match="scheduler"):
        future.result(timeout=20)
    assert pool._keeper.is_alive()


def test_what_is_handed_to_a_client_that_is_left_is_handed_in_again(pool, clients, monkeypatch):
    """Between the end of the old one and the first answer of the new."""
    first, connecting, go = clients[0][0], threading.Event(), threading.Event()
    make = module._connect

    def slowly(address):
        connecting.set()
        go.wait(20)
        return make(address)

    monkeypatch.setattr(module, "_connect", slowly)
    pool.submit(len, "")
    first.status = "closed"
    pool._wake.set()
    connecting.wait(20)
    first.status = "running"  # it takes what it will never hand on
    future = pool.submit(len, "ab")
    go.set()
    again = until(lambda: len(clients[0]) == 2 and len(clients[0][1].handed) == 2 and clients[0][1].handed)
    for there in again:
        there.end(value=len(there.args[2][0]))
    assert future.result(timeout=20) == 2


def test_a_result_that_comes_late_is_not_given_twice(pool, clients, caplog):
    """The first try is given up while its result is on its way, and the second ends too."""
    first = clients[0][0]
    future = pool.submit(len, "")
    (call,) = pool._calls
    there = first.handed[0]
    pool._mark_missing(call)
    again = until(lambda: len(first.handed) == 2 and first.handed[1])
    pool._resolve_call(call, 1)
    call.there = again
    again.end(value=2)
    assert future.result(timeout=20) == 1
    assert there is not again
    assert not caplog.records or "unexpected state" not in caplog.text
    assert (call.lost, pool._calls) == (1, set())


def test_a_lost_call_is_handed_in_again_and_what_is_in_vain_ends_in_one_sentence(clients):
    pool = Cluster(ADDRESS, rounds=3, pause=0.05)
    first = clients[0][0]
    poison = pool.submit(len, "poison")
    others = [pool.submit(len, "a"), pool.submit(len, "b")]

    def lost(there):
        if there.args[2] == ("poison",):
            threading.Timer(0.01, there.end, ["lost"]).start()
        else:
            threading.Timer(0.02, there.end, ["finished", 1]).start()

    first.whatever = lost
    for there in list(first.handed):
        there.end("cancelled")
    assert [other.result(timeout=20) for other in others] == [1, 1]
    began = time.monotonic()
    with pytest.raises(WorkerDied, match=r"^its worker on the cluster at tcp://there:8786, or the scheduler, was lost 3 times in a row"):
        poison.result(timeout=20)
    assert time.monotonic() - began > 0.05  # a pause between rounds in vain
    # once at first, at most once before another call is finished and once before the next one is, then three rounds in vain
    assert 4 <= len([there for there in first.handed if there.args[2] == ("poison",)]) <= 6
    pool.shutdown()


def test_where_all_is_lost_again_and_again_calls_are_tried_one_by_one_and_the_worst_is_told_first(clients):
    pool = Cluster(ADDRESS, rounds=3, pause=0.05)
    first = clients[0][0]
    calls = [pool.submit(len, str(k)) for k in range(3)]
    ended = []
    for k, future in enumerate(calls):
        future.add_done_callback(lambda _, k=k: ended.append(k))
    first.whatever = lambda there: threading.Timer(0.01, there.end, ["lost"]).start()
    for there in list(first.handed):
        there.end("lost")
    for future in calls:
        with pytest.raises(WorkerDied):
            future.result(timeout=20)
    tries = [there.args[2][0] for there in first.handed[3:]]
    assert sorted(tries[:3]) == ["0", "1", "2"]  # all of them once more
    assert len(tries) == 5  # then one a round
    assert pool.again == 5
    assert str(ended[0]) in tries[3:]
    pool.shutdown()


def test_no_scheduler_that_answers_ends_the_calls(pool, clients):
    clients[1].extend(ValueError("scheduler = there: no Dask scheduler answers there") for _ in range(3))
    future = pool.submit(len, "")
    clients[0][0].status = "closed"
    with pytest.raises(WorkerDied, match=r"^no scheduler answers at tcp://there:8786, 3 times in a row$"):
        future.result(timeout=20)
    assert len(clients[0]) == 1


def test_a_result_that_cannot_be_fetched_is_lost_and_an_error_is_passed_on(pool, clients):
    first = clients[0][0]
    future, other = pool.submit(len, "a"), pool.submit(len, "b")
    first.handed[0].end(value=TimeoutError())
    until(lambda: len(first.handed) == 3)
    first.handed[2].end(value=1)
    first.handed[1].end("error", ZeroDivisionError("x"))
    assert future.result(timeout=20) == 1
    with pytest.raises(ZeroDivisionError, match="x"):
        other.result(timeout=20)


def test_a_worker_without_the_lab_is_told_and_one_without_another_module_too():
    told = module._readable_error(ModuleNotFoundError("No module named 'bounds'", name="bounds.privacy"))
    assert str(told) == "a worker cannot import bounds.privacy: install the lab where the workers run, in the same version"
    other = ModuleNotFoundError("No module named 'mine'", name="mine")
    assert module._readable_error(other) is other


def test_a_cluster_that_has_no_workers_yet_is_told(clients, monkeypatch, caplog):
    monkeypatch.setattr(Client, "scheduler_info", lambda self, n_workers: {"workers": {}})
    Cluster(ADDRESS).shutdown()
    assert "it has no workers yet; the work begins when the first one connects" in caplog.text
