"""Compile a user's loss and gradient with Numba: as they are, with index checks, in the signatures of kernels, and their mean."""

from collections.abc import Iterator, Mapping
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import jit, njit, typeof
from numba.core.dispatcher import Dispatcher

COMPILED: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def python_function(function: Any) -> Any:
    """Return the Python function of a jitted one; any other object unchanged."""
    return function.py_func if isinstance(function, Dispatcher) else function


def jit_once(function: Any) -> Any:
    """Return the function jitted, unless it is already."""
    return function if isinstance(function, Dispatcher) else njit(**COMPILED)(function)


def jit_with_index_checks(function: Any, made: dict[Any, Any], options: Mapping[str, Any]) -> Any:
    """Return a function jitted with index checks, and with it the jitted functions that it calls.

    `made` maps functions to their checked versions, and is extended.
    """
    if function in made:
        return made[function]
    plain = python_function(function)
    names, cells = set(_referenced_names(plain.__code__)), tuple(CellType() for _ in plain.__closure__ or ())
    inside = dict(plain.__globals__)
    copy = FunctionType(plain.__code__, inside, plain.__name__, plain.__defaults__, cells)
    copy.__kwdefaults__ = plain.__kwdefaults__
    made[function] = jit(**{**options, "boundscheck": True})(copy)

    def within(value: Any) -> Any:
        """Return a global or closure value with the jitted functions in it replaced by checked ones."""
        if isinstance(value, Dispatcher):
            return jit_with_index_checks(value, made, value.targetoptions)
        if isinstance(value, ModuleType) and (called := [name for name in names if isinstance(getattr(value, name, None), Dispatcher)]):
            other = ModuleType(value.__name__)
            vars(other).update(vars(value) | {name: within(getattr(value, name)) for name in called})
            return other
        return value

    inside |= {name: within(inside[name]) for name in names & inside.keys()}
    for cell, of in zip(cells, plain.__closure__ or (), strict=True):
        cell.cell_contents = within(of.cell_contents)
    return made[function]


def _referenced_names(code: CodeType) -> Iterator[str]:
    """Yield the names of globals and attributes in a function's code, including functions inside it."""
    yield from code.co_names
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _referenced_names(one)


def with_long_signatures(f: Any, g: Any, short: Mapping[str, bool], **options: Any) -> tuple[Any, Any]:
    """Return the jitted pair loss(x, row, params), gradient(x, row, params, out) of functions that may have the short signatures."""
    short_f, short_g = f, g
    if short["loss"]:
        f = njit(**COMPILED, **options)(lambda x, row, params: short_f(x, row))
    if short["gradient"]:

        @njit(**COMPILED, **options)
        def g(x, row, params, out):  # type: ignore[no-untyped-def]
            out[:] = short_g(x, row)

    return f, g


def compile_for(function: Any, *arguments: Any) -> None:
    """Compile a jitted function for arguments of these types, without calling it; what Numba raises if it cannot is raised."""
    if isinstance(function, Dispatcher):  # not where Numba is switched off
        function.compile(tuple(typeof(one) for one in arguments))


def make_mean(f: Any, g: Any) -> Any:
    """Return the jitted function mean(x, data, params, out) -> F_S(x), which fills out with its gradient, from f and g of a row."""

    @njit(**COMPILED)
    def mean(x, data, params, out):  # type: ignore[no-untyped-def]
        total, one = 0.0, np.empty_like(out)
        out[:] = 0.0
        for i in range(data.shape[0]):
            total += f(x, data[i], params)
            g(x, data[i], params, one)
            out += one
        out /= data.shape[0]
        return total / data.shape[0]

    return mean
