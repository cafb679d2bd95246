"""An objective of one's own: a sum over samples, from a loss and a gradient in Python."""

from __future__ import annotations

import inspect
import math
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
from synthetic.draws import FloatArray
from synthetic.objectives import Objective
from synthetic.validate import array_of, door, is_real, shown

SIGNATURES = {"loss": ("(x, row)", 2, "(x, row, params)", 3), "gradient": ("(x, row)", 2, "(x, row, params, out)", 4)}
LEAST = {"L": 0.0, "ell": 0.0, "r": 1.0, "gap": 0.0, "B": 0.0, "mu": 0.0}  # constants that may be given, and the least that each can be
DIRECTIONS = 50  # along which a gradient is compared with differences: the coordinates, or so many at random
ROWS = 1000  # whose gradients at x0 are compared with L
COMPILED: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


@door
def objective(
    data: ArrayLike,
    loss: Callable[..., Any],
    gradient: Callable[..., Any],
    *,
    x0: ArrayLike | None = None,
    constants: Mapping[str, float] | None = None,
    params: tuple[Any, ...] = (),
    optimum: ArrayLike | None = None,
    name: str = "",
) -> Objective:
    """Return F_S(x) = (1/n) sum_i loss(x, row_i) as an objective that every method for sums runs on.

    data        one sample a row, (n, p)
    loss        loss(x, row) -> float, or loss(x, row, params)
    gradient    gradient(x, row) -> array (d,), or gradient(x, row, params, out), which fills out
    x0          the start, (d,), which cannot be left out
    constants   what is known of F_S by the names of the glossary (L, ell, r, gap, B, mu), which `recommend` asks for; n and d are added
    optimum     a minimiser of F_S; None: the one that a search from x0 finds, which is a local one where F_S is not convex
    Functions that are not jitted are jitted here. Raises ValueError, which names the argument, for what Numba cannot compile, for a
    gradient that is not that of the loss near x0, and for constants that are wrong there.
    """
    if x0 is None:
        raise ValueError("x0 = None: the start is needed, d numbers such as x0=np.zeros(d)")
    start, rows = array_of((None,), x0=x0), array_of((None, None), data=data)
    if not len(rows) or not len(start):
        raise ValueError(f"{'data' if len(start) else 'x0'}: at least one {'row' if len(start) else 'number'} is needed")
    f, g, mean = _compiled(_known(loss=loss), _known(gradient=gradient))
    slope = np.full(len(start), np.nan)
    value = _tried("loss", loss, f, start, rows[0], params)
    _tried("gradient", gradient, g, start, rows[0], params, slope)
    if np.ndim(value):
        raise ValueError(f"loss = {_name(loss)}: one number is needed, and at x0 and the first row of data it returns {np.size(value)}")
    for word, seen in (("loss", np.asarray(value)), ("gradient", slope)):
        if not np.all(np.isfinite(seen)):
            raise ValueError(f"{word}: it is not finite at x0 and the first row of data")
    _compare(_name(gradient), f, g, start, rows[0], params)
    if optimum is None:
        out = np.empty_like(start)
        found = minimize(lambda x: (mean(x, rows, params, out), out.copy()), start, jac=True, method="L-BFGS-B")
        if not np.all(np.isfinite(found.x)) or not np.isfinite(found.fun):
            raise ValueError("optimum: a search from x0 leaves the finite numbers; give optimum= as well")
        optimum = found.x
    known = _constants({} if constants is None else constants, len(start))
    made = Objective(
        name=name or f"{_name(loss)} on n = {len(rows)} rows, d = {len(start)}",
        data=rows,
        params=params,
        loss=f,
        gradient=g,
        value_gradient=mean,
        x0=start,
        optimum=array_of((len(start),), optimum=optimum),
        constants={"n": len(rows), "d": len(start), **known},
    )
    _agree(made)
    return made


def _name(function: Any) -> str:
    return getattr(function, "__name__", "own")


def _constants(given: Mapping[str, float], d: int) -> dict[str, float]:
    """Return the constants; raise ValueError for a name that no theorem here has, and for a value that it cannot have."""
    if not isinstance(given, Mapping):
        raise ValueError(f"constants = {shown(given)}: a dictionary is needed, such as {{'L': 1.0, 'ell': 1.0, 'gap': 2.0}}")
    for name, value in given.items():
        if name not in LEAST:
            raise ValueError(f"constants has {name!r}: one of {', '.join(LEAST)} is needed")
        number = is_real(value) or value == math.inf
        if not number or value < LEAST[name] or (name == "r" and value > d):
            most = f" to d = {d}" if name == "r" else " on, or inf where there is none,"
            raise ValueError(f"constants[{name!r}] = {shown(value)}: a number from {LEAST[name]:g}{most} is needed")
    return {name: float(value) for name, value in given.items()}


def _compare(name: str, f: Any, g: Any, x0: FloatArray, row: FloatArray, params: tuple[Any, ...]) -> None:
    """Raise ValueError unless the gradient of the first row's loss is that of central differences at a point near x0.

    Near, because a loss such as |x| may have its kink at x0. With steps h = 6e-6 (1 + max |x|), about the cube root of the rounding of a
    float, differences are right to about 1e-10 times the second and third derivatives. The tolerance 1e-4 |gradient| + 1e-8 |f| is far
    above that, and far below what a wrong factor or sign makes. Where anything is not finite there, nothing is compared.
    """
    rng, d, slope = np.random.default_rng(0), len(x0), np.empty(len(x0))
    x = x0 + 1e-3 * (1 + np.abs(x0)) * rng.uniform(-1, 1, d)
    along = np.eye(d) if d <= DIRECTIONS else rng.standard_normal((DIRECTIONS, d)) / math.sqrt(d)
    h = 6e-6 * (1 + np.abs(x).max())
    g(x, row, params, slope)
    seen = np.array([(f(x + h * v, row, params) - f(x - h * v, row, params)) / (2 * h) for v in along])
    off, value = np.abs(seen - along @ slope), abs(f(x, row, params))
    if not np.all(np.isfinite([*off, value])) or np.all(off <= 1e-4 * np.linalg.norm(slope) + 1e-8 * value):
        return
    k = int(off.argmax())
    where = f"coordinate {k}" if d <= DIRECTIONS else "a direction at random"
    raise ValueError(
        f"gradient = {name}: the gradient of the loss is needed; near x0, for the first row of data, it is {along[k] @ slope:.6g} along "
        f"{where}, and differences of the loss give {seen[k]:.6g}"
    )


def _agree(made: Objective) -> None:
    """Raise ValueError where L, gap or B is less than what is seen at x0."""
    value = made.value_and_gradient(made.x0)[0]
    longest, out = 0.0, np.empty(made.d)
    for row in made.data[:ROWS]:
        made.gradient(made.x0, row, made.params, out)
        longest = max(longest, float(np.linalg.norm(out)))
    least = {"L": longest, "gap": value - made.value_and_gradient(made.optimum)[0], "B": abs(value)}
    words = {"L": "the longest gradient of a row at x0", "gap": "F_S(x0) - F_S(optimum)", "B": "|F_S(x0)|"}
    for name, seen in least.items():
        if name in made.constants and made.constants[name] < seen * (1 - 1e-9):
            raise ValueError(f"constants[{name!r}] = {made.constants[name]:g}: at least {seen:.6g}, {words[name]}, is needed")


def _known(**functions: Callable[..., Any]) -> tuple[Callable[..., Any], bool]:
    """Return a function, and whether it has the short signature; raise ValueError where it has neither."""
    ((name, function),) = functions.items()
    short, few, long, many = SIGNATURES[name]
    plain = getattr(function, "py_func", function)
    try:
        taken = len(inspect.signature(plain).parameters)
    except (TypeError, ValueError):  # no function, or one of Python's own, such as max
        taken = 0
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
    said = f"{name} = {_name(function)}"
    try:
        return jitted(*arguments)
    except NumbaError as error:
        raise ValueError(f"{said}: Numba cannot compile it: {reason(error)}") from None
    except (TypeError, ValueError, IndexError) as error:
        raise ValueError(
            f"{said}: it fails at x0 and the first row of data, {len(arguments[0])} and {len(arguments[1])} numbers: {error}"
        ) from None
