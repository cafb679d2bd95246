"""An objective of one's own: a sum over samples, from a loss and a gradient in Python."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numba import njit
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError
from numpy.typing import ArrayLike
from scipy.optimize import minimize

from synthetic.compiled import reason
from synthetic.objectives import Objective
from synthetic.validate import array_of

SIGNATURES = {"loss": ("(x, row)", 2, "(x, row, params)", 3), "gradient": ("(x, row)", 2, "(x, row, params, out)", 4)}
COMPILED: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def objective(
    data: ArrayLike,
    loss: Callable[..., Any],
    gradient: Callable[..., Any],
    *,
    x0: ArrayLike,
    constants: Mapping[str, float] | None = None,
    params: tuple[Any, ...] = (),
    optimum: ArrayLike | None = None,
    name: str = "",
) -> Objective:
    """Return F_S(x) = (1/n) sum_i loss(x, row_i) as an objective that every method for sums runs on.

    data        one sample a row, (n, p)
    loss        loss(x, row) -> float, or loss(x, row, params)
    gradient    gradient(x, row) -> array (d,), or gradient(x, row, params, out), which fills out
    x0          the start, (d,)
    constants   what is known of F_S by the names of the glossary (L, ell, r, gap, B, mu), which `recommend` asks for; n and d are added
    optimum     a minimiser of F_S; None: the one that a search from x0 finds, which is a local one where F_S is not convex
    Functions that are not jitted are jitted here. Raises ValueError, which names the argument, for what Numba cannot compile.
    """
    start, rows = array_of((None,), x0=x0), array_of((None, None), data=data)
    if not len(rows) or not len(start):
        raise ValueError(f"{'data' if len(start) else 'x0'}: at least one {'row' if len(start) else 'number'} is needed")
    f, g, mean = _compiled(_known(loss=loss), _known(gradient=gradient))
    slope = np.full(len(start), np.nan)
    value = _tried("loss", loss, f, start, rows[0], params)
    _tried("gradient", gradient, g, start, rows[0], params, slope)
    for word, seen in (("loss", np.asarray(value)), ("gradient", slope)):
        if not np.all(np.isfinite(seen)):
            raise ValueError(f"{word}: it is not finite at x0 and the first row of data")
    if optimum is None:
        out = np.empty_like(start)
        found = minimize(lambda x: (mean(x, rows, params, out), out.copy()), start, jac=True, method="L-BFGS-B")
        if not np.all(np.isfinite(found.x)) or not np.isfinite(found.fun):
            raise ValueError("optimum: a search from x0 leaves the finite numbers; give optimum= as well")
        optimum = found.x
    return Objective(
        name=name or f"{getattr(loss, '__name__', 'own')} on n = {len(rows)} rows, d = {len(start)}",
        data=rows,
        params=params,
        loss=f,
        gradient=g,
        value_gradient=mean,
        x0=start,
        optimum=array_of((len(start),), optimum=optimum),
        constants={"n": len(rows), "d": len(start), **(constants or {})},
    )


def _known(**functions: Callable[..., Any]) -> tuple[Callable[..., Any], bool]:
    """Return a function, and whether it has the short signature; raise ValueError where it has neither."""
    ((name, function),) = functions.items()
    short, few, long, many = SIGNATURES[name]
    plain = getattr(function, "py_func", function)
    taken = len(inspect.signature(plain).parameters) if callable(plain) else 0
    if taken not in (few, many):
        raise ValueError(f"{name} = {getattr(plain, '__name__', repr(plain)[:40])}: a function of {short} or of {long} is needed")
    return function, taken == few


@lru_cache(maxsize=64)
def _compiled(loss: tuple[Callable[..., Any], bool], gradient: tuple[Callable[..., Any], bool]) -> tuple[Any, Any, Any]:
    """Return loss(x, row, params), gradient(x, row, params, out) and their means over the data, jitted."""
    f, g = (one if isinstance(one, Dispatcher) else njit(**COMPILED)(one) for one in (loss[0], gradient[0]))
    short_f, short_g = f, g
    if loss[1]:
        f = njit(**COMPILED)(lambda x, row, params: short_f(x, row))
    if gradient[1]:

        @njit(**COMPILED)
        def g(x, row, params, out):  # type: ignore[no-untyped-def]
            out[:] = short_g(x, row)

    value, slope = f, g

    @njit(**COMPILED)
    def mean(x, data, params, out):  # type: ignore[no-untyped-def]
        total, one = 0.0, np.empty_like(out)
        out[:] = 0.0
        for i in range(data.shape[0]):
            total += value(x, data[i], params)
            slope(x, data[i], params, one)
            out += one
        out /= data.shape[0]
        return total / data.shape[0]

    return f, g, mean


def _tried(name: str, function: Callable[..., Any], jitted: Any, *arguments: Any) -> Any:
    """Return what a function gives; raise ValueError, in one sentence that names it, where it cannot be compiled or does not fit."""
    said = f"{name} = {getattr(function, '__name__', name)}"
    try:
        return jitted(*arguments)
    except NumbaError as error:
        raise ValueError(f"{said}: Numba cannot compile it: {reason(error)}") from None
    except (TypeError, ValueError, IndexError) as error:
        raise ValueError(f"{said}: it fails at x0 and the first row of data: {error}") from None
