"""Calls on a Dask cluster: a call that is lost with a worker, the scheduler or the connection is submitted again.

Dask blames a call when a worker dies while it has it, the one that killed the worker and those that only waited there, and gives up on it
when that has happened often enough (its setting `distributed.scheduler.allowed-failures`, 3). A scheduler that ends takes every call with
it. Neither is the fault of a call: it is submitted again, to the scheduler that answers then. Only where nothing is finished in a number
of such rounds in a row does the work stop, with an error of one sentence.
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
from synthetic.validate import positive, positive_integer, short_repr, validated

ROUNDS = 5  # in a row in which missing calls are submitted again and none is finished
PAUSE = 30.0  # seconds between such rounds
PATIENCE = 10.0  # seconds for which a scheduler may not answer
RESULT = 60.0  # seconds in which a finished result must arrive
HANDING = object()  # in place of the future of Dask while a call is being submitted
LOG = logging.getLogger(__name__)


class OtherCode(ValueError):
    """Error: a worker has other sources or library versions than the caller, so its results would differ."""


class Call:
    """A call that has not ended: its function and arguments, the caller's future, Dask's future, and how often it was lost."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.function, self.args, self.kwargs = function, args, kwargs
        self.future: Future[Any] = Future()
        self.there: Any = None
        self.lost = 0


class Cluster(Executor):
    """Executor that runs each call in one thread of one worker of a Dask scheduler, and submits lost calls again."""

    def __init__(self, address: str, *, rounds: int = ROUNDS, pause: float = PAUSE) -> None:
        positive_integer(rounds=rounds)
        positive(pause=pause)
        self.address, self.rounds, self.pause = address, rounds, pause
        self.again = 0  # how many calls were submitted again
        self._here, self._lock, self._wake = fingerprint(), threading.RLock(), threading.Event()
        self._calls: set[Call] = set()
        self._fruitless, self._left = 0, threading.Event()
        self._client = _connect(address)
        if not self._client.scheduler_info(n_workers=-1)["workers"]:
            LOG.warning("scheduler = %s: it has no workers yet; the work begins when the first one connects", address)
        self._keeper = threading.Thread(target=self._resubmit_loop, name="cluster", daemon=True)
        self._keeper.start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Submit fn(*args, **kwargs); return its future, which raises `WorkerDied` if the call is lost in too many rounds."""
        call = Call(fn, args, kwargs)
        call.there = HANDING
        with self._lock:
            if self._left.is_set():
                raise RuntimeError("the connection to the cluster is closed: no further call is accepted")
            self._calls.add(call)
        self._submit_call(call)
        return call.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Wait for the calls to end, or cancel them, and disconnect from the cluster; its workers keep running."""
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

    def _submit_call(self, call: Call) -> None:
        """Submit a call to the scheduler; if that fails for now, mark it as missing."""
        client, call.there = self._client, HANDING
        try:
            call.there = there = client.submit(remote, self._here, call.function, call.args, call.kwargs, pure=False)
            there.add_done_callback(functools.partial(self._finish_call, call))
        except (TypeError, AttributeError, pickle.PicklingError) as error:  # it can never be sent
            self._resolve_call(call, error=error)
            return
        except Exception as error:  # of the connection
            LOG.info("a call could not be submitted: %s", error)
            call.there = None
        if client is not self._client:  # another was connected meanwhile: calls submitted to this one are lost
            call.there = None
        if call.there is None:
            self._wake.set()

    def _finish_call(self, call: Call, there: Any) -> None:
        """Pass the outcome of a Dask future on to its call, in a thread of Dask's client."""
        from distributed import KilledWorker

        if call.there is not there:  # submitted again since
            return
        try:
            if there.status == "finished":
                self._resolve_call(call, there.result(timeout=RESULT))
            elif there.status == "error" and not isinstance(error := there.exception(timeout=RESULT), KilledWorker):
                self._resolve_call(call, error=_readable_error(error))
            else:
                self._mark_missing(call)
        except Exception as error:  # the connection ended while the result was on its way
            LOG.info("a result was lost: %s", error)
            self._mark_missing(call)

    def _mark_missing(self, call: Call) -> None:
        """Mark a call as missing, and wake the thread that submits missing calls."""
        call.there = None
        call.lost += 1
        self._wake.set()

    def _resolve_call(self, call: Call, result: Any = None, error: BaseException | None = None) -> None:
        """Set the result or the error of a call's future, once: the result of an earlier try may come late."""
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

    def _resubmit_loop(self) -> None:
        """Submit missing calls until the cluster is left, in a thread: at once, then after a pause, to a scheduler that answers."""
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
                    self._resubmit(missing)
            except Exception as error:  # nobody would wake up those who wait
                for call in list(self._calls):
                    self._resolve_call(call, error=error)

    def _forget_cancelled(self) -> None:
        """Remove the calls whose futures were cancelled, and cancel them on the cluster."""
        with self._lock:
            gone = [call for call in self._calls if call.future.cancelled()]
            self._calls.difference_update(gone)
        for call in gone:
            call.future.set_running_or_notify_cancel()
            there, call.there = call.there, None
            if there not in (None, HANDING):
                with suppress(Exception):  # its connection may have ended
                    there.cancel()

    def _resubmit(self, missing: list[Call]) -> None:
        """Submit missing calls again, or end them with an error after too many rounds in which nothing was finished.

        All of them in the first round. If that finishes nothing, one is to blame, and they are submitted one by one, the one that was lost
        most often at last: each that is finished ends the search, and the one that is left is named.
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
                self._resolve_call(call, error=WorkerDied(f"{words}, and nothing else was finished"))
            return
        if fruitless > 1:
            self._left.wait(self.pause)
            missing = [min(missing, key=lambda call: call.lost)]
        LOG.warning("scheduler = %s: %s submitted again", self.address, "1 call" if len(missing) == 1 else f"{len(missing)} calls")
        self.again += len(missing)
        for call in missing:
            self._submit_call(call)

    def _reconnect(self) -> None:
        """Connect again to the scheduler's address and mark all calls as missing; end them with an error if none answers."""
        with suppress(Exception):
            self._client.close(timeout=1)
        for call in list(self._calls):
            call.there = None
        for _ in range(self.rounds):
            if self._left.is_set() or not self._calls:
                return
            try:
                self._client = _connect(self.address)
            except ValueError as error:
                LOG.warning("%s; trying again", error)
                self._left.wait(self.pause)
                continue
            for call in list(self._calls):  # submitted to the old client by another thread meanwhile
                if getattr(call.there, "client", self._client) is not self._client:
                    call.there = None
            if self._left.is_set():
                with suppress(Exception):
                    self._client.close(timeout=1)
            return
        for call in list(self._calls):
            self._resolve_call(call, error=WorkerDied(f"no scheduler answers at {self.address}, {self.rounds} times in a row"))


def remote(expected: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run a call on a worker, in one thread; raise OtherCode unless the worker's `fingerprint` is the expected one."""
    if fingerprint() != expected:
        raise OtherCode("a worker has other sources of the lab, or other versions of Python or of libraries: its results would differ")
    with threadpool_limits(1):
        return function(*args, **kwargs)


def _readable_error(error: BaseException) -> BaseException:
    """Return the error of a call; if a worker lacks one of the lab's packages, an OtherCode error that names it."""
    if isinstance(error, ModuleNotFoundError) and str(error.name).split(".")[0] in OURS:
        return OtherCode(f"a worker cannot import {error.name}: install the lab where the workers run, in the same version")
    return error


def _connect(address: str) -> Any:
    """Connect to the Dask scheduler at an address and return the client; raise ValueError, in one sentence, if that fails."""
    try:
        from distributed import Client
    except ImportError:
        raise ValueError(
            f"scheduler = {short_repr(address)}: this needs Dask, which is not installed: python -m pip install 'dask[distributed]'"
        ) from None
    port = address.rpartition(":")[2] if isinstance(address, str) else ""
    if not (port.isdecimal() and 0 < int(port) < 2**16):  # Dask would not answer at all
        raise ValueError(f"scheduler = {short_repr(address)}: tcp://HOST:PORT with a port below 65536 is needed")
    try:
        return Client(address, timeout=PATIENCE, set_as_default=False, name="theory-lab")
    except (OSError, ValueError, TypeError) as error:
        why = str(error) or type(error).__name__
        raise ValueError(f"scheduler = {short_repr(address)}: no Dask scheduler answers there ({why})") from None


@validated
@contextmanager
def cluster(address: str, *, rounds: int = ROUNDS, pause: float = PAUSE) -> Iterator[Cluster]:
    """Open an executor on the Dask scheduler at "tcp://HOST:PORT", as a context; an error or Ctrl-C cancels unfinished calls."""
    pool = Cluster(address, rounds=rounds, pause=pause)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
