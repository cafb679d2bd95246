"""Local worker processes: a process that dies loses only its own call, which a new process computes again."""

import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

from synthetic.validate import positive_integer, validated

TRIES = 3  # of a call whose process dies: the first, and twice again
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")  # for matrix products and SVDs in a process
CUT_OFF = ("EOFError", "OSError: got end of file", "ConnectionResetError")  # how a message ends if its process dies while sending it
Workers = int | Executor | None  # number of local processes (None: one a core), or an existing executor
MASKS = hasattr(signal, "pthread_sigmask")
LOG = logging.getLogger(__name__)


class WorkerDied(RuntimeError):
    """Error: the process of a call died at every try, or none could be started; the message describes how."""


class LocalProcesses(Executor):
    """Executor that runs calls on processes of this machine, each process in a pool of its own.

    When a process of a `ProcessPoolExecutor` dies, all the calls of that pool are lost, and it is not known which of them was to blame.
    With one process a pool, only the call that it was busy with is lost: it is made again, twice at most, by a new process. One thread
    of this process per worker waits for it and replaces it.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="worker")
        self._own = threading.local()  # .pool of a thread
        self._lock = threading.Lock()
        self._pools: list[ProcessPoolExecutor] = []
        self._ended = ""  # why no further call is made

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run fn(*args, **kwargs) when a process is free; return its future, which raises `WorkerDied` if the process dies at every try."""
        return self._threads.submit(self._call, fn, args, kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Wait for the calls to end, or cancel those that have not begun, then end the processes."""
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)
        for pool in self._pools:
            pool.shutdown(wait=wait)

    def stop(self) -> None:
        """Terminate the processes at once, and with them the calls that they are computing."""
        with self._lock:
            self._ended = self._ended or "the work was stopped"
            pools = tuple(self._pools)
        self._threads.shutdown(wait=False, cancel_futures=True)
        for pool in pools:
            for process in _processes(pool):
                process.terminate()
            pool.shutdown(wait=False)

    def _call(self, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run a call on this thread's process, up to TRIES times on a new process if it dies; return its result."""
        how = ""
        for attempt in range(1, TRIES + 1):
            pool = getattr(self._own, "pool", None) or self._start_pool()
            process = next(iter(_processes(pool)), None)
            try:
                return pool.submit(fn, *args, **kwargs).result()
            except BrokenProcessPool as broken:
                self._remove_pool(pool)
                words = (str(broken.__cause__ or "").strip(" \n'\"").splitlines() or [""])[-1]
                if words and not words.startswith(CUT_OFF):  # it did not die: what it sent cannot be read, and could not be the next time
                    raise WorkerDied(f"the result of its process cannot be read: {words}") from None
                how = _exit_text(process)
                if self._ended:
                    raise WorkerDied(self._ended) from None
                if attempt < TRIES:
                    LOG.warning("a worker process %s: a new one does its work again", how)
        raise WorkerDied(f"its process {how}, {TRIES} times")

    def _start_pool(self) -> ProcessPoolExecutor:
        """Start a pool with one process for this thread and return it once it answers; after TRIES failures refuse all further calls."""
        how = ""
        for _ in range(TRIES):
            with self._lock:
                if self._ended:
                    raise WorkerDied(self._ended)
                pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _prepare_worker, (os.getpid(),))
                with _limit_threads(), _block_interrupts():
                    answer = pool.submit(os.getpid)
                _close_writer(pool)
                self._pools.append(pool)
            process = next(iter(_processes(pool)), None)
            try:
                answer.result()
            except BrokenProcessPool:
                self._remove_pool(pool)
                how = _exit_text(process)
                if "status" in how:  # a script without the line below, say: the same the next time
                    break
            else:
                self._own.pool = pool
                return pool
        with self._lock:
            words = f'a worker process {how} before it began; a script needs the line `if __name__ == "__main__":`'
            self._ended = self._ended or words
        raise WorkerDied(self._ended)

    def _remove_pool(self, pool: ProcessPoolExecutor) -> None:
        """Remove this thread's broken pool from the list and shut it down."""
        self._own.pool = None
        with self._lock:
            self._pools.remove(pool)
        pool.shutdown(wait=False)


@contextmanager
def _limit_threads() -> Iterator[None]:
    """Set the environment so that processes started here compute in one thread, unless it is set already: they share the cores."""
    added = [name for name in ONE_THREAD if name not in os.environ]
    os.environ.update(dict.fromkeys(added, "1"))
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


@contextmanager
def _block_interrupts() -> Iterator[None]:
    """Block Ctrl-C in processes started here until they ignore it; otherwise they would print a traceback."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if MASKS else set()
    try:
        yield
    finally:
        if MASKS:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _close_writer(pool: ProcessPoolExecutor) -> None:
    """Close this process's writing end of a pool's result queue: else a worker's death while it sends a result is never noticed."""
    writer = getattr(getattr(pool, "_result_queue", None), "_writer", None)
    if writer is not None and os.name == "posix":  # elsewhere the process fetches it later
        writer.close()


def _processes(pool: ProcessPoolExecutor) -> list[Any]:
    """Return the processes of a pool as a list."""
    return list((getattr(pool, "_processes", None) or {}).values())


def _exit_text(process: Any) -> str:
    """Return in words how a process ended: "died", "ended with status 1", "was killed by SIGKILL" and so on."""
    deadline = time.monotonic() + 5.0
    while process is not None and process.exitcode is None and time.monotonic() < deadline:
        time.sleep(0.01)  # a thread of its pool collects it too
    code = process.exitcode if process is not None else None
    if code is None:
        return "died"
    if code >= 0:
        return f"ended with status {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"was killed by {name}" + (" (often because memory ran out)" if name == "SIGKILL" else "")


@contextmanager
def open_executor(workers: Workers = None) -> Iterator[Executor]:
    """Open an executor as a context: the given one, which is left open afterwards, or this number of local processes."""
    if hasattr(workers, "submit"):
        yield workers  # type: ignore[misc]
    else:
        with local_processes(workers) as pool:
            yield pool


@validated
@contextmanager
def local_processes(workers: int | None = None) -> Iterator[Executor]:
    """Open an executor of local processes as a context, one thread each; by default one process per core.

    Leaving on an error or Ctrl-C stops the processes at once; what they were computing is not stored and will be computed again.
    """
    if workers is not None:
        positive_integer(workers=workers)
    pool = LocalProcesses(workers or os.cpu_count() or 1)
    try:
        yield pool
    except BaseException:
        pool.stop()
        raise
    pool.shutdown()


def _prepare_worker(parent: int) -> None:
    """Set up a worker process: ignore Ctrl-C, print to stderr, and exit when the parent process is gone."""
    sys.stdout = sys.stderr  # prints of a task are not part of the results
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if MASKS:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
