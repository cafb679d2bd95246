"""Jitted loss, gradient and mean that call Python functions, for objectives that Numba does not compile.

A kernel asks for one row after another: loss(x, row, params). Functions that compute many rows in one call answer it from a cache. The
first question at a point x computes a block of rows, and the questions about the other rows are answered from there, without Python.
Where kernels ask for few rows at a point, as with small batches, whole blocks do not pay, and rows are computed one by one.

The objective's params are `Arguments`. Every replicate of a run has a cache of its own, so that threads do not disturb each other.
"""

from typing import Any, NamedTuple, Protocol
from weakref import WeakValueDictionary

import numpy as np
from numba import njit, objmode
from numpy.typing import NDArray

OPTIONS: dict[str, Any] = {"error_model": "numpy"}  # without nogil, for which Numba warns of object mode; that of the kernel counts
SLOTS = {"losses": 4, "gradients": 1}  # points that are kept: a two-point method asks for two losses of each row in turn
BLOCK_BYTES = 2**24  # of the rows of a block, and of their gradients
PAYS = 50  # a call for one row costs about as much as this many rows of a block
TRIES = 16  # blocks in a row that did not pay, after which rows are computed one by one


class Stopped(Exception):
    """Error: the run ends because another of its replicates failed, or because of Ctrl-C."""


class Functions(Protocol):
    """Python functions of an objective; x (d,), row (p,), rows (m, p). What they are given they may change or keep.

    vectorized   whether many rows in one call take less time than as many calls
    """

    vectorized: bool

    def loss(self, x: Any, row: Any) -> float:
        """Return the loss of a row."""

    def gradient(self, x: Any, row: Any) -> Any:
        """Return the gradient (d,) of a row."""

    def losses(self, x: Any, rows: Any) -> Any:
        """Return the losses (m,) of rows."""

    def gradients(self, x: Any, rows: Any) -> Any:
        """Return the gradients (m, d) of rows."""

    def mean(self, x: Any, rows: Any) -> tuple[float, Any]:
        """Return the mean loss of rows and its gradient (d,)."""


FUNCTIONS: WeakValueDictionary[int, Functions] = WeakValueDictionary()  # by the handle in `Arguments`


class Cache(NamedTuple):
    """The values of blocks of rows at the last points.

    points (slots, d)        x of a slot;   marks (slots, 2)   its block of rows, -1 for none, and how many questions it has answered
    turn (2,)                the slot that is filled next, and how many slots in a row answered too few questions
    values (slots, m, k)     of the m rows of a block, k = 1 for losses and d for gradients; m = 0: nothing is kept
    """

    points: NDArray[np.float64]
    marks: NDArray[np.int64]
    turn: NDArray[np.int64]
    values: NDArray[np.float64]


class Arguments(NamedTuple):
    """The params of an objective of Python functions.

    handle        of the functions in FUNCTIONS;   data (n, p)   the objective's own array
    stopped (1,)  not 0: the run has to end, so that the next question raises `Stopped`
    """

    handle: int
    data: NDArray[np.float64]
    stopped: NDArray[np.int64]
    losses: Cache
    gradients: Cache


def make_arguments(handle: int, data: NDArray[np.float64], d: int) -> Arguments:
    """Return arguments without a cache: each row is computed by a call of its own."""
    return Arguments(handle, data, np.zeros(1, np.int64), _make_cache(d, 0, 1, "losses"), _make_cache(d, 0, d, "gradients"))


def block_rows(d: int, p: int) -> int:
    """Return how many rows (p,) with gradients (d,) are computed by one call."""
    return max(1, BLOCK_BYTES // (8 * max(d, p)))


def _make_cache(d: int, rows: int, width: int, name: str) -> Cache:
    """Return an empty cache of blocks of `rows` rows."""
    slots = SLOTS[name]
    marks = np.zeros((slots, 2), np.int64)
    marks[:, 0] = -1
    return Cache(np.zeros((slots, d)), marks, np.zeros(2, np.int64), np.zeros((slots, rows, width)))


def params_of_replicate(params: Arguments, stopped: NDArray[np.int64]) -> Arguments:
    """Return the arguments of a replicate of a run, with a new cache for functions of many rows, from those of the objective.

    stopped (1,)   0, shared by all replicates; set to 1 it ends them
    """
    (n, p), d = params.data.shape, params.losses.points.shape[1]
    rows = min(n, block_rows(d, p)) if FUNCTIONS[params.handle].vectorized else 0
    return params._replace(stopped=stopped, losses=_make_cache(d, rows, 1, "losses"), gradients=_make_cache(d, rows, d, "gradients"))


def call_loss(handle: int, x: NDArray[np.float64], row: NDArray[np.float64]) -> float:
    """Return the loss of a row, from the Python function."""
    return FUNCTIONS[handle].loss(x.copy(), row.copy())


def call_gradient(handle: int, x: NDArray[np.float64], row: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Fill out (d,) with the gradient of a row, from the Python function."""
    out[:] = FUNCTIONS[handle].gradient(x.copy(), row.copy())


def call_losses(handle: int, x: NDArray[np.float64], rows: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Fill out (m or more, 1) with the losses of rows (m, p), from the Python function."""
    out[: len(rows), 0] = FUNCTIONS[handle].losses(x.copy(), rows.copy())


def call_gradients(handle: int, x: NDArray[np.float64], rows: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Fill out (m or more, d) with the gradients of rows (m, p), from the Python function."""
    out[: len(rows)] = FUNCTIONS[handle].gradients(x.copy(), rows.copy())


def call_mean(handle: int, x: NDArray[np.float64], data: NDArray[np.float64], out: NDArray[np.float64]) -> float:
    """Return F_S(x) and fill out (d,) with its gradient, from the Python functions."""
    value, out[:] = FUNCTIONS[handle].mean(x.copy(), data)
    return value


@njit(**OPTIONS)
def ask_loss(handle, x, row):
    """Call `call_loss` from compiled code. One block in object mode in a function of its own: several in one are not compiled rightly."""
    with objmode(value="float64"):
        value = call_loss(handle, x, row)
    return value


@njit(**OPTIONS)
def ask_gradient(handle, x, row, out):
    """Call `call_gradient` from compiled code."""
    with objmode():
        call_gradient(handle, x, row, out)


@njit(**OPTIONS)
def ask_losses(handle, x, rows, out):
    """Call `call_losses` from compiled code."""
    with objmode():
        call_losses(handle, x, rows, out)


@njit(**OPTIONS)
def ask_gradients(handle, x, rows, out):
    """Call `call_gradients` from compiled code."""
    with objmode():
        call_gradients(handle, x, rows, out)


@njit(**OPTIONS)
def ask_mean(handle, x, data, out):
    """Call `call_mean` from compiled code."""
    with objmode(value="float64"):
        value = call_mean(handle, x, data, out)
    return value


@njit(**OPTIONS)
def row_number(row, data):
    """Return the number i for which row is data[i] itself, known by its address in memory; -1 for any other array."""
    size = data.shape[1] * 8
    offset = np.int64(row.ctypes.data) - np.int64(data.ctypes.data)
    if row.shape[0] != data.shape[1] or row.strides[0] != 8 or offset < 0 or offset >= data.shape[0] * size or offset % size != 0:
        return -1
    return offset // size


@njit(**OPTIONS)
def find_slot(x, block, cache):
    """Return the slot that holds the values of a block of rows at x, -1 if none does. NaN equals NaN."""
    for s in range(cache.marks.shape[0]):
        same = cache.marks[s, 0] == block
        for j in range(x.shape[0]):
            if not same:
                break
            kept = cache.points[s, j]
            same = kept == x[j] or (np.isnan(kept) and np.isnan(x[j]))
        if same:
            return s
    return -1


@njit(**OPTIONS)
def empty_slot(cache):
    """Return the slot to be filled next, emptied; -1 where blocks do not pay."""
    s = cache.turn[0]
    if cache.turn[1] < TRIES and cache.marks[s, 0] >= 0:
        cache.turn[1] = 0 if cache.marks[s, 1] * PAYS >= cache.values.shape[1] else cache.turn[1] + 1
    if cache.turn[1] >= TRIES:
        return -1
    cache.turn[0] = (s + 1) % cache.marks.shape[0]
    cache.marks[s, 0], cache.marks[s, 1] = -1, 0
    return s


@njit(**OPTIONS)
def occupy_slot(s, x, block, cache):
    """Note in the cache that slot s holds the values of a block at x."""
    cache.marks[s, 0] = block
    for j in range(x.shape[0]):
        cache.points[s, j] = x[j]


@njit(**OPTIONS)
def python_loss(x, row, params):
    """Return the loss of a row at x (d,);  params are `Arguments`."""
    if params.stopped[0] != 0:
        raise Stopped
    cache = params.losses
    m = cache.values.shape[1]
    i = row_number(row, params.data) if m > 0 else -1
    if i < 0:
        return ask_loss(params.handle, x, row)
    block = i // m
    s = find_slot(x, block, cache)
    if s < 0:
        s = empty_slot(cache)
        if s < 0:
            return ask_loss(params.handle, x, row)
        ask_losses(params.handle, x, params.data[block * m : block * m + m], cache.values[s])
        occupy_slot(s, x, block, cache)
    cache.marks[s, 1] += 1
    return cache.values[s, i - block * m, 0]


@njit(**OPTIONS)
def python_gradient(x, row, params, out):
    """Fill out (d,) with the gradient of a row at x (d,);  params are `Arguments`."""
    if params.stopped[0] != 0:
        raise Stopped
    cache = params.gradients
    m = cache.values.shape[1]
    i = row_number(row, params.data) if m > 0 else -1
    if i < 0:
        ask_gradient(params.handle, x, row, out)
        return
    block = i // m
    s = find_slot(x, block, cache)
    if s < 0:
        s = empty_slot(cache)
        if s < 0:
            ask_gradient(params.handle, x, row, out)
            return
        ask_gradients(params.handle, x, params.data[block * m : block * m + m], cache.values[s])
        occupy_slot(s, x, block, cache)
    cache.marks[s, 1] += 1
    for j in range(out.shape[0]):
        out[j] = cache.values[s, i - block * m, j]


@njit(**OPTIONS)
def python_value_gradient(x, data, params, out):
    """Return F_S(x) and fill out (d,) with its gradient;  params are `Arguments`."""
    if params.stopped[0] != 0:
        raise Stopped
    return ask_mean(params.handle, x, data, out)


PYTHON = python_loss, python_gradient, python_value_gradient
