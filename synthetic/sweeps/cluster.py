"""Calls on a Dask cluster: what is lost with a worker, with the scheduler or with the connection is a missing call, and made again.

Dask blames a call when a worker dies while it has it, the one that killed the worker and those that only waited there, and gives up on it
when that has happened often enough (its setting `distributed.scheduler.allowed-failures`, 3). A scheduler that goes takes every call with
it. Neither is the fault of a call: it is handed in again, to the scheduler that answers then. Only where nothing is finished between so
many tries in a row does the work stop, in one sentence.
"""

import functools
import logging
import pickle
import threading
from collections.abc import Callable, Iterator
from concurrent import futures
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from typing import Any

from threadpoolctl import threadpool_limits

from synthetic.sweeps.sources import OURS, fingerprint
from synthetic.sweeps.workers import WorkerDied
from synthetic.validate import door, positive, positive_integer, shown

ROUNDS = 5  # in a row in which missing calls are handed in again and none is finished
PAUSE = 30.0  # seconds between such rounds
PATIENCE = 10.0  # seconds for which a scheduler may not answer
RESULT = 60.0  # seconds in which a result that is there must come
HANDING = object()  # stands for the future of Dask while a call is handed in
LOG = logging.getLogger(__name__)


class OtherCode(ValueError):
    """A worker would compute something else: it has other sources or libraries."""


class Call:
    """A call that has not ended, with its caller's future, that of Dask while it is handed in, and how often it was lost."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.function, self.args, self.kwargs = function, args, kwargs
        self.future: Future[Any] = Future()
        self.there: Any = None
        self.lost = 0


class Cluster(Executor):
    """Calls on the workers of a Dask scheduler, each in one thread of one worker."""

    def __init__(self, address: str, *, rounds: int = ROUNDS, pause: float = PAUSE) -> None:
        positive_integer(rounds=rounds)
        positive(pause=pause)
        self.address, self.rounds, self.pause = address, rounds, pause
        self.again = 0  # how many calls were handed in again
        self._here, self._lock, self._wake = fingerprint(), threading.RLock(), threading.Event()
        self._calls: set[Call] = set()
        self._fruitless, self._left = 0, threading.Event()
        self._client = _client(address)
        if not self._client.scheduler_info(n_workers=-1)["workers"]:
            LOG.warning("scheduler = %s: it has no workers yet; the work begins when the first one connects", address)
        self._keeper = threading.Thread(target=self._keep, name="cluster", daemon=True)
        self._keeper.start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Hand in a call; its future raises `WorkerDied` where it is lost again and again and nothing else is finished."""
        call = Call(fn, args, kwargs)
        call.there = HANDING
        with self._lock:
            if self._left.is_set():
                raise RuntimeError("the connection to the cluster is closed: no further call is accepted")
            self._calls.add(call)
        self._hand_in(call)
        return call.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the calls end, or cancel them, and leave the cluster; its workers stay."""
        if wait and not cancel_futures:
            futures.wait([call.future for call in list(self._calls)])
        with self._lock:
            self._left.set()
        self._wake.set()
        for call in list(self._calls):
            call.future.cancel()
        with suppress(Exception):  # a scheduler that is gone is left too
            self._client.close(timeout=5)
        self._forget_cancelled()
        self._keeper.join(timeout=5)

    def _hand_in(self, call: Call) -> None:
        """Give a call to the scheduler; where that cannot be done now, it is missing."""
        client, call.there = self._client, HANDING
        try:
            call.there = there = client.submit(remote, self._here, call.function, call.args, call.kwargs, pure=False)
            there.add_done_callback(functools.partial(self._come_back, call))
        except (TypeError, AttributeError, pickle.PicklingError) as error:  # it cannot be sent, now or later
            self._end(call, error=error)
            return
        except Exception as error:  # of the connection
            LOG.info("a call could not be submitted: %s", error)
            call.there = None
        if client is not self._client:  # another was connected meanwhile: what this one was handed is lost
            call.there = None
        if call.there is None:
            self._wake.set()

    def _come_back(self, call: Call, there: Any) -> None:
        """Pass on what became of a call; in a thread of Dask's client."""
        from distributed import KilledWorker

        if call.there is not there:  # handed in again since
            return
        try:
            if there.status == "finished":
                self._end(call, there.result(timeout=RESULT))
            elif there.status == "error" and not isinstance(error := there.exception(timeout=RESULT), KilledWorker):
                self._end(call, error=_told(error))
            else:
                self._lost(call)
        except Exception as error:  # the connection ended while the result was on its way
            LOG.info("a result was lost: %s", error)
            self._lost(call)

    def _lost(self, call: Call) -> None:
        """Note that a call is missing."""
        call.there = None
        call.lost += 1
        self._wake.set()

    def _end(self, call: Call, result: Any = None, error: BaseException | None = None) -> None:
        """Give the caller of a call what he waits for, once: the result of a try that was given up may come late."""
        with self._lock:
            if call not in self._calls:
                return
            self._calls.discard(call)
            self._fruitless = 0
        call.there = None
        if not call.future.set_running_or_notify_cancel():
            return
        if error is None:
            call.future.set_result(result)
        else:
            call.future.set_exception(error)

    def _keep(self) -> None:
        """Hand in what is missing, until the cluster is left: at once, then after a pause; to a scheduler that answers."""
        while not self._left.is_set():
            self._wake.wait(1.0)
            self._wake.clear()
            if self._left.is_set():
                return
            self._forget_cancelled()
            try:
                if self._client.status != "running":
                    self._reconnect()
                missing = [call for call in list(self._calls) if call.there is None]
                if missing and not self._left.is_set():
                    self._once_more(missing)
            except Exception as error:  # nobody would wake up those who wait
                for call in list(self._calls):
                    self._end(call, error=error)

    def _forget_cancelled(self) -> None:
        """Take out the calls that were cancelled, and tell those who wait for them."""
        with self._lock:
            gone = [call for call in self._calls if call.future.cancelled()]
            self._calls.difference_update(gone)
        for call in gone:
            call.future.set_running_or_notify_cancel()
            there, call.there = call.there, None
            if there not in (None, HANDING):
                with suppress(Exception):  # its connection ended, and it with that
                    there.cancel()

    def _once_more(self, missing: list[Call]) -> None:
        """Hand in missing calls, or end them where that has not helped for too many rounds.

        All of them at first. Where that brings nothing, one is to blame, and they are handed in one by one, the one that was lost most
        often at last: each that comes back ends the search, and the one that is left is named.
        """
        with self._lock:
            if self._fruitless and any(call.there is not None for call in self._calls):
                return  # it is not known yet whether the last round was in vain
            self._fruitless += 1
            fruitless = self._fruitless
        if fruitless > self.rounds:
            words = f"its worker on the cluster at {self.address}, or the scheduler, was lost {self.rounds} times in a row"
            worst = max(missing, key=lambda call: call.lost)
            for call in sorted(missing, key=lambda call: call is not worst):
                self._end(call, error=WorkerDied(f"{words}, and nothing else was finished"))
            return
        if fruitless > 1:
            self._left.wait(self.pause)
            missing = [min(missing, key=lambda call: call.lost)]
        LOG.warning("scheduler = %s: %s submitted again", self.address, "1 call" if len(missing) == 1 else f"{len(missing)} calls")
        self.again += len(missing)
        for call in missing:
            self._hand_in(call)

    def _reconnect(self) -> None:
        """Connect to the scheduler that answers at the address; all calls are missing then."""
        with suppress(Exception):
            self._client.close(timeout=1)
        for call in list(self._calls):
            call.there = None
        for _ in range(self.rounds):
            if self._left.is_set() or not self._calls:
                return
            try:
                self._client = _client(self.address)
            except ValueError as error:
                LOG.warning("%s; trying again", error)
                self._left.wait(self.pause)
                continue
            for call in list(self._calls):  # what another thread handed to the old one meanwhile
                if getattr(call.there, "client", self._client) is not self._client:
                    call.there = None
            if self._left.is_set():
                with suppress(Exception):
                    self._client.close(timeout=1)
            return
        for call in list(self._calls):
            self._end(call, error=WorkerDied(f"no scheduler answers at {self.address}, {self.rounds} times in a row"))


def remote(expected: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Make a call on a worker, in one thread, if its code is that of the caller; raise OtherCode if not."""
    if fingerprint() != expected:
        raise OtherCode("a worker has other sources of the lab, or other versions of Python or of libraries: its results would differ")
    with threadpool_limits(1):
        return function(*args, **kwargs)


def _told(error: BaseException) -> BaseException:
    """Return the error of a call; one sentence where a worker lacks the lab."""
    if isinstance(error, ModuleNotFoundError) and str(error.name).split(".")[0] in OURS:
        return OtherCode(f"a worker cannot import {error.name}: install the lab where the workers run, in the same version")
    return error


def _client(address: str) -> Any:
    """Return a client of the scheduler at an address; raise ValueError, in one sentence, where there is none."""
    try:
        from distributed import Client
    except ImportError:
        raise ValueError(
            f"scheduler = {shown(address)}: this needs Dask, which is not installed: python -m pip install 'dask[distributed]'"
        ) from None
    port = address.rpartition(":")[2] if isinstance(address, str) else ""
    if not (port.isdecimal() and 0 < int(port) < 2**16):  # Dask would not answer at all
        raise ValueError(f"scheduler = {shown(address)}: tcp://HOST:PORT with a port below 65536 is needed")
    try:
        return Client(address, timeout=PATIENCE, set_as_default=False, name="theory-lab")
    except (OSError, ValueError, TypeError) as error:
        why = str(error) or type(error).__name__
        raise ValueError(f"scheduler = {shown(address)}: no Dask scheduler answers there ({why})") from None


@door
@contextmanager
def cluster(address: str, *, rounds: int = ROUNDS, pause: float = PAUSE) -> Iterator[Cluster]:
    """Give an executor that computes on a Dask cluster, "tcp://HOST:PORT"; leaving on an error or Ctrl-C cancels what is not finished."""
    pool = Cluster(address, rounds=rounds, pause=pause)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
