"""An objective from a user's data: a sum over samples, from a loss and a gradient written in Python."""

import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from numbers import Real
from types import FunctionType
from typing import Any, Literal, get_args

import numpy as np
from numba import njit
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError
from numpy.typing import ArrayLike
from scipy.optimize import minimize

from synthetic.compiled import error_reason
from synthetic.draws import FloatArray
from synthetic.losses.python import PYTHON, make_arguments
from synthetic.objectives.compilation import (
    COMPILED,
    compile_for,
    jit_once,
    jit_with_index_checks,
    make_mean,
    python_function,
    with_long_signatures,
)
from synthetic.objectives.python_functions import PythonFunctions, check_python_functions, make_functions
from synthetic.objectives.space import Space, checked_space, space_of_shapes
from synthetic.objectives.sums import Objective
from synthetic.validate import array_of, is_real, one_of, short_repr, validated

LOSS = ("(x, row)", 2, "(x, row, params)", 3)
SIGNATURES = {"loss": LOSS, "gradient": ("(x, row)", 2, "(x, row, params, out)", 4)}
OF_ROWS = {"loss": LOSS, "gradient": LOSS}  # of functions of all rows, and of JAX and PyTorch, which fill no array
LEAST = {"L": 0.0, "ell": 0.0, "r": 1.0, "gap": 0.0, "B": 0.0, "mu": 0.0}  # constants that may be given, and the least that each can be
DIRECTIONS = 50  # along which a gradient is compared with differences: the coordinates, or this many random ones
ROWS = 1000  # whose gradients at x0 are compared with L
Framework = Literal["numba", "python", "jax", "torch"]
FRAMEWORKS = get_args(Framework)
FAULTS = ("loss: it is not finite", "loss: it changes x or the row", "gradient: it is not finite", "gradient: it changes x or the row")


class CannotCompile(ValueError):
    """Error: Numba cannot compile a function; `which` of the two it is, "loss" or "gradient", and the reason."""

    def __init__(self, title: str, reason: str) -> None:
        super().__init__(f"{title}: Numba cannot compile this function: {reason}")
        self.which, self.reason = title.split(" ")[0], reason


@validated
def objective(
    data: ArrayLike,
    loss: Callable[..., Any],
    gradient: Callable[..., Any] | None = None,
    *,
    x0: ArrayLike | None = None,
    constants: Mapping[str, float] | None = None,
    params: tuple[Any, ...] = (),
    optimum: ArrayLike | None = None,
    name: str = "",
    shape: Space | Sequence[Sequence[int]] | None = None,
    framework: Framework | None = None,
    vectorized: bool = False,
) -> Objective:
    """Make an objective F_S(x) = (1/n) sum_i loss(x, row_i) from data, a loss and its gradient.

    Every method on sums of losses runs on it. Numba compiles the two functions, unless they are compiled already. Functions that Numba
    cannot compile run as plain Python, which is much slower: the objective's repr and the remarks of runs say so.

    Parameters
    ----------
    data
        One sample a row, an array (n, p).
    loss
        ``loss(x, row)`` or ``loss(x, row, params)``, which returns a float.
    gradient
        ``gradient(x, row)``, which returns an array (d,), or ``gradient(x, row, params, out)``, which fills ``out`` (d,). It can be left
        out with the frameworks "jax" and "torch", which derive it from the loss.
    x0
        Start, an array (d,). It cannot be left out.
    constants
        What is known of F_S, by name: L, ell, r, gap, B and mu, which `recommend` asks for. n and d are added here.
    params
        What the long forms of loss and gradient receive as ``params``.
    optimum
        A minimiser of F_S, an array (d,). By default a search from x0 finds one; where F_S is not convex it is a local one.
    name
        Name for tables and messages.
    shape
        Shapes of the arrays that x holds, each row by row, such as [(3, 4), (4, 2)] for the weights of two layers. By default x is a
        vector. The functions always receive x as (d,); the shapes matter to methods that project matrices.
    framework
        What computes the functions. "numba" compiles them, or refuses; "python" calls them as they are. "jax" and "torch" map functions
        of one row over all rows, in double precision; a gradient is then ``gradient(x, row)`` or ``gradient(x, row, params)``. By default
        Numba where it can, and Python where it cannot.
    vectorized
        True for NumPy functions of all rows at once: ``loss(x, rows)`` returns an array (m,) and ``gradient(x, rows)`` an array (m, d) for
        rows (m, p). Both may take ``params`` as a third argument. They are not compiled.

    Returns
    -------
    Objective
        The objective. It holds copies of data, x0, optimum and the arrays in params.

    Raises
    ------
    ValueError
        With the name of the argument: for a function that reads past a row, changes its arguments, fails, or is not finite; for a gradient
        that is not that of the loss; for constants that are too small; for a framework that is not installed. In a run, for a Python
        function that fails, with the line.

    Notes
    -----
    Both functions are tried at x0 on every row, on copies and with checked indices, also in the compiled functions that they call. The
    gradient is compared with differences of the loss near x0, for the first row. L, gap and B are compared with what is seen at x0. Nothing
    is checked elsewhere, nor are ell, r and mu.

    Examples
    --------
    >>> data = np.array([[1.0, 2.0], [3.0, 6.0]])
    >>> mine = lab.objective(data, lambda x, row: np.sum((x - row) ** 2) / 2, lambda x, row: x - row, x0=np.zeros(2), name="mine")
    >>> mine.optimum.round(6) + 0.0
    array([2., 4.])
    """
    if x0 is None:
        raise ValueError("x0 = None: the start is needed, d numbers such as x0=np.zeros(d)")
    start, rows = _copy_array((None,), x0=x0), _copy_array((None, None), data=data)
    name = name or f"{_function_name(loss)} on n = {len(rows)} rows, d = {len(start)}"
    space = checked_space(name, shape if isinstance(shape, Space) else space_of_shapes(shape), len(start))
    if not isinstance(params, tuple):
        raise ValueError(f"params = {short_repr(params)}: a tuple is needed")
    params = tuple(one.copy() if isinstance(one, np.ndarray) else one for one in params)
    known = _check_constants({} if constants is None else constants, len(start))
    python = _python_functions(loss, gradient, framework, vectorized, start, rows, params)
    if python is None:
        f, g = with_long_signatures(jit_once(loss), jit_once(gradient), _short_signatures(loss, gradient, SIGNATURES))
        mean = make_mean(f, g)
    else:
        (f, g, mean), params = PYTHON, make_arguments(python.handle, rows, len(start))
    if optimum is None:
        out = np.empty_like(start)
        with _explain_errors("optimum: a search from x0 fails"):
            found = minimize(lambda x: (mean(x, rows, params, out), out.copy()), start, jac=True, method="L-BFGS-B")
        if not np.all(np.isfinite(found.x)) or not np.isfinite(found.fun):
            raise ValueError("optimum: a search from x0 reaches values that are not finite; give optimum= as well")
        optimum = found.x
    best, known = _copy_array((len(start),), optimum=optimum), {"n": len(rows), "d": len(start), **known}
    made = Objective(name, rows, params, f, g, mean, x0=start, optimum=best, constants=known, shape=space, python=python)
    _check_constants_at_start(made)
    return made


def _python_functions(
    loss: Any, gradient: Any, framework: str | None, vectorized: bool, x0: FloatArray, data: FloatArray, params: tuple[Any, ...]
) -> PythonFunctions | None:
    """Return functions for the loops of `synthetic.losses.python`, None where Numba compiles them; raise ValueError where a check fails."""
    if framework is not None:
        one_of(FRAMEWORKS, framework=framework)
    derived = framework in ("jax", "torch")
    if vectorized and (derived or framework == "numba"):
        raise ValueError(f"vectorized = True: framework = {framework!r} needs functions of one row; leave one of the two out")
    if gradient is None and not derived:
        ways = "framework='jax' and framework='torch' derive it from the loss of one row"
        raise ValueError(f"gradient = None: a function of (x, row) is needed; {ways}")
    short = _short_signatures(loss, gradient, OF_ROWS if vectorized or derived else SIGNATURES)
    reason = "framework='python' asks for it"
    others = [name for name, one in {"loss": loss, "gradient": gradient}.items() if not isinstance(python_function(one), FunctionType)]
    if framework == "numba" and others:
        raise ValueError(f"{others[0]}: with framework='numba' a function made by def or lambda is needed, jitted or not")
    if others:
        reason = f"Numba compiles functions made by def or lambda, and the {others[0]} is neither"
    elif not vectorized and framework in (None, "numba"):
        try:
            _check_functions(loss, gradient, short, x0, data, params)
        except CannotCompile as error:
            if framework == "numba" or isinstance({"loss": loss, "gradient": gradient}[error.which], Dispatcher):
                raise
            reason = f"Numba cannot compile the {error.which}: {error.reason}"
        else:
            return None
    made = make_functions("python" if framework in (None, "numba") else framework, vectorized, reason, loss, gradient, short, params)
    check_python_functions(made, x0, data)

    def f(x: FloatArray, row: FloatArray, _: Any) -> float:
        return made.loss(x.copy(), row.copy())

    def g(x: FloatArray, row: FloatArray, _: Any, out: FloatArray) -> None:
        out[:] = made.gradient(x.copy(), row.copy())

    _check_gradient(f, g, _function_name(gradient), x0, data[0], ())
    return made


def _function_name(function: Any) -> str:
    """Return a function's name, "own" where it has none."""
    return getattr(function, "__name__", "own")


def _copy_array(shape: tuple[int | None, ...], **arguments: object) -> FloatArray:
    """Return the one argument as `array_of` does, always as a new array that the caller does not share."""
    array = array_of(shape, **arguments)
    return array if isinstance(next(iter(arguments.values())), list | tuple) else array.copy()


def _check_constants(given: Mapping[str, float], d: int) -> dict[str, float]:
    """Return the constants as floats; raise ValueError for a name that no theorem uses, and for a value that it cannot have."""
    if not isinstance(given, Mapping):
        raise ValueError(f"constants = {short_repr(given)}: a dictionary is needed, such as {{'L': 1.0, 'ell': 1.0, 'gap': 2.0}}")
    for name, value in given.items():
        if name not in LEAST:
            raise ValueError(f"constants has the key {name!r}: one of {', '.join(LEAST)} is needed")
        number = is_real(value) or (isinstance(value, Real) and value == math.inf)
        if not number or value < LEAST[name] or (name == "r" and value > d):
            most = f" and at most d = {d}" if name == "r" else ", or inf where there is none,"
            raise ValueError(f"constants[{name!r}] = {short_repr(value)}: a number of at least {LEAST[name]:g}{most} is needed")
    return {name: float(value) for name, value in given.items()}


def _gradient_mismatch(f: Any, g: Any, x0: FloatArray, row: FloatArray, params: tuple[Any, ...]) -> str:
    """Return in words where the gradient of a row's loss differs from central differences at a point near x0; "" where it does not.

    Near, because a loss such as |x| may have its kink at x0. With steps h = 6e-6 (1 + max |x|), about the cube root of the rounding of a
    float, differences are right to about 1e-10 times the second and third derivatives. The tolerance 1e-4 |gradient| + 1e-8 |f| is far
    above that, and far below the error of a wrong factor or sign. Where anything is not finite there, nothing is compared.
    """
    rng, d, slope = np.random.default_rng(0), len(x0), np.empty(len(x0))
    x = x0 + 1e-3 * (1 + np.abs(x0)) * rng.uniform(-1, 1, d)
    along = np.eye(d) if d <= DIRECTIONS else rng.standard_normal((DIRECTIONS, d)) / math.sqrt(d)
    h = 6e-6 * (1 + np.abs(x).max())
    g(x, row, params, slope)
    seen = np.array([(f(x + h * v, row, params) - f(x - h * v, row, params)) / (2 * h) for v in along])
    off, value = np.abs(seen - along @ slope), abs(f(x, row, params))
    if not np.all(np.isfinite([*off, value])) or np.all(off <= 1e-4 * np.linalg.norm(slope) + 1e-8 * value):
        return ""
    k = int(off.argmax())
    where = f"coordinate {k}" if d <= DIRECTIONS else "a random direction"
    return f"it is {along[k] @ slope:.6g} along {where}, but finite differences of the loss give {seen[k]:.6g}"


def _check_constants_at_start(made: Objective) -> None:
    """Raise ValueError where a constant L, gap or B is less than the data show at x0."""
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


def _short_signatures(loss: Any, gradient: Any, allowed: Mapping[str, tuple[str, int, str, int]]) -> dict[str, bool]:
    """Return whether each function has the short signature; raise ValueError where one has neither, or is no function."""
    found = {}
    for name, function in {"loss": loss, "gradient": gradient}.items():
        short, few, long, many = allowed[name]
        plain = python_function(function)
        try:
            taken = sum(one.kind is not one.KEYWORD_ONLY for one in inspect.signature(plain).parameters.values())
        except (TypeError, ValueError):  # no function, or one that does not tell
            taken = few if function is None else 0
        if taken not in (few, many):
            said = getattr(plain, "__name__", None) or short_repr(plain)
            raise ValueError(f"{name} = {said}: a function of {short} or of {long} is needed")
        found[name] = taken == few
    return found


def _check_functions(
    loss: Callable[..., Any],
    gradient: Callable[..., Any],
    short: Mapping[str, bool],
    x0: FloatArray,
    data: FloatArray,
    params: tuple[Any, ...],
) -> None:
    """Raise ValueError unless both functions run on every row at x0, with index checks, and return finite values of the right type.

    They must not change their arguments, and near x0 the gradient must be that of the loss.
    """
    made: dict[Any, Any] = {}
    checked_f, checked_g = (jit_with_index_checks(one, made, COMPILED) for one in (loss, gradient))
    params = tuple(jit_with_index_checks(one, made, one.targetoptions) if isinstance(one, Dispatcher) else one for one in params)
    f, g = with_long_signatures(checked_f, checked_g, short, boundscheck=True)
    at, said = (
        f"at x0 and the first row of data, {len(x0)} and {data.shape[1]} numbers",
        {"loss": _function_name(loss), "gradient": _function_name(gradient)},
    )
    arguments = x0.copy(), data[0].copy(), params
    for which, one, more in (("loss", f, ()), ("gradient", g, (x0.copy(),))):
        try:
            compile_for(one, *arguments, *more)
        except Exception as error:  # not all errors of Numba are NumbaErrors
            raise CannotCompile(f"{which} = {said[which]}", error_reason(error)) from None
    with _explain_errors(f"loss = {said['loss']}: it fails {at}"):
        value = f(x0.copy(), data[0].copy(), params)
    if not isinstance(value, Real) or isinstance(value, bool):
        seen = np.size(value) if np.ndim(value) else short_repr(value)
        raise ValueError(f"loss = {said['loss']}: one number is needed, but at x0 and the first row of data it returns {seen}")
    with _explain_errors(f"gradient = {said['gradient']}: it fails {at}"):
        g(x0.copy(), data[0].copy(), params, np.empty_like(x0))

    @njit(**COMPILED, boundscheck=True)
    def trial(x0, data, params, place):  # type: ignore[no-untyped-def]
        """Return the index of the first fault, or -1; place[0] is the row that was tried last."""
        out = np.empty_like(x0)
        for i in range(data.shape[0]):
            place[0] = i
            x, row = x0.copy(), data[i].copy()
            if not np.isfinite(f(x, row, params)):
                return 0
            if np.any(x != x0) or np.any(row != data[i]):
                return 1
            out[:] = np.nan  # what is not filled stays so
            g(x, row, params, out)
            if not np.all(np.isfinite(out)):
                return 2
            if np.any(x != x0) or np.any(row != data[i]):
                return 3
        return -1

    place = np.zeros(1, dtype=np.int64)
    try:
        fault = trial(x0, data, params, place)
    except Exception as error:
        raise ValueError(f"loss or gradient: one of them fails at x0 and row {place[0]} of data: {_error_text(error)}") from None
    if fault >= 0:
        raise ValueError(f"{FAULTS[fault]} at x0 and row {place[0]} of data")
    _check_gradient(f, g, said["gradient"], x0, data[0], params)


def _check_gradient(f: Any, g: Any, name: str, x0: FloatArray, row: FloatArray, params: tuple[Any, ...]) -> None:
    """Raise ValueError where the gradient of a row is not that of its loss near x0."""
    with _explain_errors("loss or gradient: one of them fails near x0 and the first row of data"), np.errstate(all="ignore"):
        off = _gradient_mismatch(f, g, x0, row.copy(), params)
    if off:
        raise ValueError(f"gradient = {name}: the gradient of the loss is needed; near x0, for the first row of data, {off}")


@contextmanager
def _explain_errors(words: str) -> Iterator[None]:
    """Context manager: turn an error of the caller's function, or of its compilation, into a ValueError of one sentence."""
    try:
        yield
    except NumbaError as error:
        raise CannotCompile(words.split(": ")[0], error_reason(error)) from None
    except Exception as error:  # whatever the caller's function raises
        raise ValueError(f"{words}: {_error_text(error)}") from None


def _error_text(error: Exception) -> str:
    """Return an error as text: its type and message."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
