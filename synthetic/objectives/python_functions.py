"""Loss and gradient of a user that Numba does not compile: plain Python, NumPy on all rows at once, JAX or PyTorch.

`RowByRow` and `Vectorized` are what the loops of `synthetic.losses.python` call. An error of the user's function becomes a
`FunctionError`, one sentence with the line of the user's file.
"""

import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import numpy as np

from synthetic.draws import FloatArray
from synthetic.losses.python import FUNCTIONS, block_rows
from synthetic.objectives.frameworks import ManyRows, jax_functions, torch_functions
from synthetic.validate import short_repr

COMPARED = 20  # rows that vectorized functions compute once more, each by a call of its own
ARRAYS = {"jax": "jax", "jaxlib": "jax", "torch": "torch"}  # packages of arrays, and their framework
REMARKS = {
    "row by row": "loss and gradient run as plain Python, row by row, about 100 times slower than compiled code, because {}; functions of "
    "all rows at once (vectorized=True) or framework='jax' are faster",
    "python": "loss and gradient run in NumPy on all rows at once, about 3 times slower than compiled code",
    "jax": "loss and gradient run in JAX on all rows at once, about 5 times slower than compiled code",
    "torch": "loss and gradient run in PyTorch on all rows at once, about 10 times slower than compiled code",
}


class FunctionError(ValueError):
    """Error of a user's function, or of what it returns: `start` and `rest` of the sentence, between which a place may be named."""

    def __init__(self, start: str, rest: str) -> None:
        super().__init__(start, rest)
        self.start, self.rest = start, rest

    def __str__(self) -> str:
        return f"{self.start}{self.rest}"

    def at(self, place: str) -> str:
        """Return the sentence with a place, such as "at x0 and row 3 of data"."""
        return f"{self.start} {place}{self.rest}"


def error_text(error: BaseException) -> str:
    """Return an error as text: its type and the first line of its message."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


def error_place(error: BaseException, function: Any) -> str:
    """Return " (FILE:LINE)", the innermost line of the function's own file that an error came through; "" where there is none."""
    code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
    file = getattr(code, "co_filename", "")
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f" ({file}:{lines[-1]})" if lines else ""


class PythonFunctions(ABC):
    """Python functions of an objective, known to compiled loops by their handle.

    framework     "python", "jax" or "torch"
    remark        sentence for reports of a run: how the functions are computed, and how much slower that is
    vectorized    whether they compute many rows in one call
    """

    vectorized = False

    def __init__(self, framework: str, remark: str, loss: Any, gradient: Any) -> None:
        self.framework, self.remark = framework, remark
        self.given = {"loss": loss, "gradient": loss if gradient is None else gradient}
        self.handle = uuid4().int >> 66  # such that no other process has the same
        FUNCTIONS[self.handle] = self

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a pickled object, which loops of this process find under its handle."""
        self.__dict__.update(state)
        FUNCTIONS[self.handle] = self

    def title(self, which: str) -> str:
        """Return "loss = NAME" for the loss or the gradient."""
        return f"{which} = {getattr(self.given[which], '__name__', None) or short_repr(self.given[which])}"

    def call(self, which: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return function(*arguments), without NumPy's warnings of what is not finite; raise FunctionError for an error inside it."""
        try:
            with np.errstate(all="ignore"):
                return function(*arguments)
        except Exception as error:  # whatever the caller's function raises
            said = f": {error_text(error)}{error_place(error, self.given[which])}"
            raise FunctionError(f"{self.title(which)}: it fails", said) from error

    def numbers(self, which: str, value: Any, shape: tuple[int, ...]) -> FloatArray:
        """Return what a function returned as an array of this shape; raise FunctionError where it is none of real numbers."""
        package = type(value).__module__.partition(".")[0]
        if package in ARRAYS and self.framework == "python":
            rest = f" it returns an array of {package}: with framework={ARRAYS[package]!r} it can be used"
            raise FunctionError(f"{self.title(which)}: an array of NumPy or a float is needed, but", rest)
        try:
            array = np.asarray(value)
        except Exception:  # a sequence of unequal lengths
            array = np.empty((), object)
        if self.framework != "python" and array.dtype == np.float32:
            raise FunctionError(f"{self.title(which)}: numbers of double precision are needed, but", " it returns float32")
        if array.shape == shape and array.dtype.kind in "fiu":
            return array.astype(np.float64, copy=False)
        wanted = f"an array of shape {shape} is" if shape else "one number is"
        seen = f"shape {array.shape}" if array.dtype.kind in "fiu" and shape else str(array.size) if array.ndim else short_repr(value)
        raise FunctionError(f"{self.title(which)}: {wanted} needed, but", f" it returns {seen}")

    @abstractmethod
    def loss(self, x: FloatArray, row: FloatArray) -> float:
        """Return the loss of a row."""

    @abstractmethod
    def gradient(self, x: FloatArray, row: FloatArray) -> FloatArray:
        """Return the gradient (d,) of a row."""

    @abstractmethod
    def losses(self, x: FloatArray, rows: FloatArray) -> FloatArray:
        """Return the losses (m,) of rows (m, p)."""

    @abstractmethod
    def gradients(self, x: FloatArray, rows: FloatArray) -> FloatArray:
        """Return the gradients (m, d) of rows (m, p)."""

    @abstractmethod
    def mean(self, x: FloatArray, rows: FloatArray) -> tuple[float, FloatArray]:
        """Return the mean loss of rows (m, p) and its gradient (d,)."""


class RowByRow(PythonFunctions):
    """Functions of one row: loss(x, row), and gradient(x, row) or gradient(x, row, params, out)."""

    def __init__(self, remark: str, loss: Any, gradient: Any, short: dict[str, bool], params: tuple[Any, ...]) -> None:
        super().__init__("python", remark, loss, gradient)
        self.short, self.params = short, params

    def loss(self, x: FloatArray, row: FloatArray) -> float:
        """Return the loss of a row."""
        value = self.call("loss", self.given["loss"], x, row, *(() if self.short["loss"] else (self.params,)))
        return value if type(value) in (float, np.float64) else float(self.numbers("loss", value, ()))

    def gradient(self, x: FloatArray, row: FloatArray) -> FloatArray:
        """Return the gradient (d,) of a row."""
        if self.short["gradient"]:
            return self.numbers("gradient", self.call("gradient", self.given["gradient"], x, row), x.shape)
        out = np.full(len(x), np.nan)  # what is not filled stays so
        self.call("gradient", self.given["gradient"], x, row, self.params, out)
        return out

    def losses(self, x: FloatArray, rows: FloatArray) -> FloatArray:
        """Return the losses (m,) of rows (m, p)."""
        return np.array([self.loss(x.copy(), row) for row in rows])

    def gradients(self, x: FloatArray, rows: FloatArray) -> FloatArray:
        """Return the gradients (m, d) of rows (m, p)."""
        return np.array([self.gradient(x.copy(), row) for row in rows])

    def mean(self, x: FloatArray, rows: FloatArray) -> tuple[float, FloatArray]:
        """Return the mean loss of rows (m, p) and its gradient (d,), summed in the order of the rows."""
        total, out = 0.0, np.zeros(len(x))
        for row in rows:
            total += self.loss(x.copy(), row.copy())
            out += self.gradient(x.copy(), row.copy())
        return total / len(rows), out / len(rows)


class Vectorized(PythonFunctions):
    """Functions of many rows, of NumPy arrays or mapped over the rows by a framework."""

    vectorized = True

    def __init__(self, framework: str, remark: str, loss: Any, gradient: Any, short: dict[str, bool], params: tuple[Any, ...]) -> None:
        super().__init__(framework, remark, loss, gradient)
        self.recipe = loss, gradient, short, params
        self.functions = FRAMEWORKS[framework](*self.recipe)

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: the user's functions, not those that a framework made of them."""
        return {name: value for name, value in self.__dict__.items() if name != "functions"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a pickled object."""
        super().__setstate__(state)
        self.functions = FRAMEWORKS[self.framework](*self.recipe)

    def loss(self, x: FloatArray, row: FloatArray) -> float:
        """Return the loss of a row."""
        return float(self.losses(x, row[None])[0])

    def gradient(self, x: FloatArray, row: FloatArray) -> FloatArray:
        """Return the gradient (d,) of a row."""
        return self.gradients(x, row[None])[0]

    def losses(self, x: FloatArray, rows: FloatArray) -> FloatArray:
        """Return the losses (m,) of rows (m, p)."""
        return self.numbers("loss", self.call("loss", self.functions[0], x, rows), (len(rows),))

    def gradients(self, x: FloatArray, rows: FloatArray) -> FloatArray:
        """Return the gradients (m, d) of rows (m, p)."""
        return self.numbers("gradient", self.call("gradient", self.functions[1], x, rows), (len(rows), len(x)))

    def mean(self, x: FloatArray, rows: FloatArray) -> tuple[float, FloatArray]:
        """Return the mean loss of rows (m, p) and its gradient (d,), summed block by block."""
        total, out = 0.0, np.zeros(len(x))
        size = block_rows(len(x), rows.shape[1])
        for first in range(0, len(rows), size):
            values, slope = self.call("gradient", self.functions[2], x.copy(), rows[first : first + size].copy())
            total += float(self.numbers("loss", values, ()))
            out += self.numbers("gradient", slope, x.shape)
        return total / len(rows), out / len(rows)


def numpy_functions(loss: Any, gradient: Any, short: dict[str, bool], params: tuple[Any, ...]) -> ManyRows:
    """Return losses, gradients and sums of a user's functions of all rows."""
    more = {which: () if short[which] else (params,) for which in short}

    def losses(x: FloatArray, rows: FloatArray) -> Any:
        return loss(x, rows, *more["loss"])

    def gradients(x: FloatArray, rows: FloatArray) -> Any:
        return gradient(x, rows, *more["gradient"])

    def sums(x: FloatArray, rows: FloatArray) -> Any:
        values = np.asarray(losses(x.copy(), rows.copy()))
        return values.sum(), np.asarray(gradients(x, rows)).sum(axis=0)

    return losses, gradients, sums


FRAMEWORKS = {"python": numpy_functions, "jax": jax_functions, "torch": torch_functions}


def make_functions(
    framework: str, vectorized: bool, reason: str, loss: Any, gradient: Any, short: dict[str, bool], params: tuple[Any, ...]
) -> PythonFunctions:
    """Return a user's functions for compiled loops; `reason`, why functions of one row are not compiled, is for their remark."""
    if framework == "python" and not vectorized:
        return RowByRow(REMARKS["row by row"].format(reason), loss, gradient, short, params)
    return Vectorized(framework, REMARKS[framework], loss, gradient, short, params)


def _check_blocks(functions: PythonFunctions, x0: FloatArray, data: FloatArray) -> None:
    """Raise ValueError unless functions of many rows return finite numbers, and for a row the same alone as among others."""
    size = block_rows(len(x0), data.shape[1])
    both = (("loss", functions.loss, functions.losses), ("gradient", functions.gradient, functions.gradients))
    for first in range(0, len(data), size):
        rows = data[first : first + size]
        for which, of_row, of_rows in both:
            try:
                values = of_rows(x0.copy(), rows.copy())
                alone = [of_row(x0.copy(), row.copy()) for row in rows[: 0 if first else COMPARED]]
            except FunctionError as error:
                raise ValueError(error.at(f"at x0 and rows of data, {len(x0)} and {data.shape[1]} numbers")) from None
            finite = np.isfinite(values).reshape(len(rows), -1).all(axis=1)
            if not finite.all():
                raise ValueError(f"{which}: it is not finite at x0 and row {first + int(finite.argmin())} of data")
            for i, one in enumerate(alone):
                if not np.allclose(one, values[i], rtol=1e-6, atol=1e-9 * float(np.abs(values).max())):
                    said = f"one number for each row is needed, but at x0 and row {i} of data it gives another alone than among others"
                    raise ValueError(f"{functions.title(which)}: {said}")


def check_python_functions(functions: PythonFunctions, x0: FloatArray, data: FloatArray) -> None:
    """Raise ValueError unless the functions return finite numbers at x0 on every row, and change neither x nor the row."""
    if functions.vectorized:
        _check_blocks(functions, x0, data)
        return
    for i, given in enumerate(data):
        place = f"at x0 and row {i} of data" if i else f"at x0 and the first row of data, {len(x0)} and {data.shape[1]} numbers"
        for which, function in (("loss", functions.loss), ("gradient", functions.gradient)):
            x, row = x0.copy(), given.copy()
            try:
                found = function(x, row)
            except FunctionError as error:
                raise ValueError(error.at(place)) from None
            if not np.all(np.isfinite(found)):
                raise ValueError(f"{which}: it is not finite at x0 and row {i} of data")
            if np.any(x != x0) or np.any(row != given):
                raise ValueError(f"{which}: it changes x or the row at x0 and row {i} of data")
