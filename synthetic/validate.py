"""Checks on arguments: one sentence with the name, the value and what is allowed.

Called with keywords, ``positive(sigma=sigma)``, so that the message names the argument. `bounds` has the same in its
own module, because `bounds` and `synthetic` import nothing of each other.
"""

import dataclasses
import functools
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from contextvars import ContextVar
from difflib import get_close_matches
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any, ParamSpec, TypeGuard, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

P = ParamSpec("P")
R = TypeVar("R")
INSIDE = ContextVar("INSIDE", default=0)  # how many validated calls are open, one inside the other


def validated(function: Callable[P, R], *, strict: bool = False) -> Callable[P, R]:
    """Decorate a function: convert each number among its arguments to the equal Python int or float before the call.

    So no formula computes in the precision, or the range, of a caller's number type (float32, int8, int64). Arrays and sequences are not
    converted: `float_array` checks them. Raises ValueError for a number that no Python number equals, such as Fraction(1, 3), and where the
    arguments are so extreme that the function leaves floating point; TypeError, with a sentence, for arguments that the function does not
    have.
    """
    signature = inspect.signature(function)
    names = tuple(signature.parameters)

    @functools.wraps(function)
    def behind(*args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function with Python numbers; translate errors of floating point, and wrong arguments, into a sentence."""
        positional = [to_python_number(names[min(i, len(names) - 1)], value) for i, value in enumerate(args)]
        named = {name: to_python_number(name, value) for name, value in kwargs.items()}
        nested = INSIDE.set(INSIDE.get() + 1)
        try:
            with np.errstate(over="raise", divide="raise", invalid="raise") if strict else nullcontext():
                return function(*positional, **named)
        except (ArithmeticError, ValueError) as error:
            if INSIDE.get() > 1 or (isinstance(error, ValueError) and not str(error).startswith(("math domain error", "expected a "))):
                raise  # a sentence already, or to be said by the outermost validated function, whose names are the caller's
            given = {**dict(zip(names, positional, strict=False)), **named}
            numbers = {name: v for name, v in given.items() if isinstance(v, int | float | list | tuple | np.ndarray)}
            said = ", ".join(f"{name} = {short_repr(v)}" for name, v in numbers.items() if not isinstance(v, bool))
            needed = "cannot be computed in floating point with these numbers, less extreme ones are needed"
            raise ValueError(f"{said}: {function.__name__} {needed}") from error
        except TypeError:
            if said := argument_error(signature, positional, named):
                raise TypeError(said) from None
            raise
        finally:
            INSIDE.reset(nested)

    return behind


def argument_error(signature: inspect.Signature, positional: Sequence[object], named: Mapping[str, object]) -> str:
    """Return a sentence that names the argument of a call that a function does not accept or lacks; "" if all fit."""
    try:
        signature.bind(*positional, **named)
    except TypeError:
        pass
    else:
        return ""
    known = {name: one for name, one in signature.parameters.items() if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)}
    places = [name for name, one in known.items() if one.kind is not one.KEYWORD_ONLY]
    for name, value in named.items():
        if name not in known:
            nearest = "".join(f"; the nearest is {one}" for one in get_close_matches(name, known, 1))
            return f"{name} = {short_repr(value)}: no such argument{nearest}; the arguments are {', '.join(known)}"
        if name in places[: len(positional)]:
            return f"{name} = {short_repr(value)}: given twice, by position and by name"
    if len(positional) > len(places):
        rest = ", ".join(f"{name}=..." for name in known if name not in places and name not in named)
        left = f"give the others by name: {rest}" if rest else "there are no others"
        return f"{short_repr(positional[len(places)])}: too many arguments by position, at most {len(places)} are allowed; {left}"
    needed = [name for name, one in known.items() if one.default is one.empty]
    missing = next(name for name in needed if name not in named and name not in places[: len(positional)])
    words = [word for word in get_args(known[missing].annotation) if isinstance(word, str)]
    allowed = f"; {missing} is one of {', '.join(words)}" if words else ""
    return f"{missing} is missing: {', '.join(needed)} {'is' if len(needed) == 1 else 'are'} needed{allowed}"


def validated_strictly(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function as `validated` does, and also refuse NumPy overflow, division by 0 and invalid values.

    Not for runs, which may diverge.
    """
    return validated(function, strict=True)


def convert_fields(record: Any) -> None:
    """Convert the numbers in the fields of a frozen dataclass to Python numbers; a list or a vector becomes a tuple of numbers."""
    for field in dataclasses.fields(record):
        value = getattr(record, field.name)
        value = tuple(value) if isinstance(value, list) or (isinstance(value, np.ndarray) and value.ndim == 1) else value
        made = (
            tuple(to_python_number(field.name, one) for one in value) if isinstance(value, tuple) else to_python_number(field.name, value)
        )
        object.__setattr__(record, field.name, made)


def to_python_number(name: str, value: Any) -> Any:
    """Return a number as the Python int, float or bool that equals it, anything else unchanged; ValueError where none equals it."""
    if type(value) in (int, float, bool, str, type(None)):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    if not isinstance(value, Real):
        return value
    try:
        number = float(value)
        same = number != number or (_as_fraction(number) == _as_fraction(value) if isinstance(value, Rational) else bool(number == value))
    except OverflowError:
        same = False
    if not same:
        raise ValueError(f"{name} = {short_repr(value)}: no float is equal to it; round it with float(), to the safe side")
    return number


def _as_fraction(value: Any) -> Fraction:
    """Return a float or rational number as an exact Fraction."""
    return Fraction(value) if isinstance(value, float) else Fraction(int(value.numerator), int(value.denominator))


def short_repr(value: object) -> str:
    """Return the repr of a value on one line, to show in an error message; a very long one is shortened."""
    if isinstance(value, int) and abs(value) >= 10**40:
        size = f"an integer of about {int(value.bit_length() * math.log10(2)) + 1} digits"
        return size if is_real(value) else f"{size}, which no float holds"
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an integer in it has more digits than Python writes out, or it is of a class that fails to say what it is
        text = f"a {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."


def is_real(value: object) -> TypeGuard[float]:
    """Return whether a value is a finite number that a float can hold; a bool is not."""
    try:
        return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False


def make_check(words: str, fits: Callable[[Any], bool]) -> Callable[..., None]:
    """Return a function that checks its keyword arguments with `fits` and raises ValueError, "name = value: ... is needed"."""

    def check(**arguments: object) -> None:
        """Check every argument; raise ValueError with the name and value of the first that does not fit."""
        for name, value in arguments.items():
            if not fits(value):
                raise ValueError(f"{name} = {short_repr(value)}: {words} is needed")

    return check


real = make_check("a finite number", is_real)
positive = make_check("a finite number above 0", lambda value: is_real(value) and value > 0)
non_negative = make_check("a finite number of at least 0", lambda value: is_real(value) and value >= 0)
inside_unit = make_check("a number strictly between 0 and 1", lambda value: is_real(value) and 0 < float(value) < 1)
positive_integer = make_check("an integer of at least 1", lambda value: is_real(value) and isinstance(value, Integral) and value >= 1)
seed_integer = make_check(
    "an integer of at least 0", lambda value: isinstance(value, Integral) and not (isinstance(value, bool) or value < 0)
)
flag = make_check("True or False", lambda value: isinstance(value, bool))


def one_of(allowed: tuple[str, ...], **arguments: object) -> None:
    """Check that every keyword argument is one of the allowed words; raise ValueError that lists them if not."""
    make_check(f"one of {', '.join(allowed)}", lambda value: isinstance(value, str) and value in allowed)(**arguments)


def require_finite(*values: float) -> tuple[float, ...]:
    """Return computed values as floats; raise OverflowError unless all are finite, which `validated` turns into a ValueError."""
    if not all(math.isfinite(value) for value in values):
        raise OverflowError(f"{values}: not finite")
    return tuple(float(value) for value in values)


def array_of(shape: tuple[int | None, ...], **arguments: object) -> NDArray[np.float64]:
    """Return the one argument as a contiguous float64 array; raise ValueError unless it is finite and has the shape.

    A ``None`` in the shape stands for any length of at least 1. Masked, complex, boolean and text arrays are no numbers here, and one
    whose numbers float64 does not hold is refused.
    """
    ((name, value),) = arguments.items()
    array = float_array(name, value)
    wanted = "(" + ", ".join("any length" if k is None else str(k) for k in shape) + ")"
    if len(array.shape) != len(shape) or any(k not in (None, m) for k, m in zip(shape, array.shape, strict=True)) or array.size == 0:
        raise ValueError(f"{name} has shape {array.shape}: shape {wanted} is needed, with at least one entry")
    with np.errstate(over="ignore"):
        total = float(array.sum())  # which needs no second array
    if not math.isfinite(total) and not np.all(np.isfinite(array)):
        raise ValueError(f"{name} has {int(np.sum(~np.isfinite(array)))} entries that are NaN or infinite: finite numbers are needed")
    return array


def float_array(name: str, value: object) -> NDArray[np.float64]:
    """Return a contiguous float64 array equal to an array or list of any shape; ValueError unless it holds real numbers only."""
    if isinstance(value, np.ndarray) and value.dtype == np.float64 and value.ndim and not isinstance(value, np.ma.MaskedArray):
        return np.ascontiguousarray(value)
    if isinstance(value, list | tuple) and any(isinstance(one, np.ma.MaskedArray) for one in value):
        raise ValueError(f"{name}: an array of numbers is needed, got masked arrays")
    try:
        given = np.asarray(value)
        if given.dtype == object:
            given = np.array([to_python_number(name, one) for one in given.ravel()]).reshape(given.shape)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: an array of numbers is needed, got {type(value).__name__}") from None
    if isinstance(value, np.ma.MaskedArray) or (given.dtype.kind not in "iuf" and given.size):
        kind = "a masked array" if isinstance(value, np.ma.MaskedArray) else f"{type(value).__name__} of {given.dtype}"
        raise ValueError(f"{name}: an array of numbers is needed, got {kind}")
    if given.ndim == 0:  # which ascontiguousarray would make an array of one entry
        raise ValueError(f"{name} = {short_repr(to_python_number(name, given[()]))}: an array or a list of numbers is needed")
    with np.errstate(over="ignore", invalid="ignore"):
        array = np.ascontiguousarray(given, dtype=np.float64)
        same = np.array_equal(array.astype(given.dtype), given, equal_nan=True)  # there and back: int64 and float64 compare as float64
    if not same:
        raise ValueError(f"{name}: some entries are equal to no float64; round them with astype(float), to the safe side")
    return array


def positive_array(shape: tuple[int | None, ...], **arguments: object) -> NDArray[np.float64]:
    """Return the one argument as `array_of` does; raise ValueError unless every entry is above 0."""
    array = array_of(shape, **arguments)
    if np.any(array <= 0):
        raise ValueError(f"{next(iter(arguments))} has the entry {float(array.min())!r}: numbers above 0 are needed")
    return array


def positive_integers(**arguments: object) -> NDArray[np.int64]:
    """Return the one argument as an int64 array (k,), k >= 1; raise ValueError unless every entry is an integer from 1 to 2^53."""
    ((name, _),) = arguments.items()
    array = array_of((None,), **arguments)
    bad = (array < 1) | (array > 2.0**53) | (array != np.floor(array))
    if np.any(bad):
        limit = "integers of at least 1" if array[bad][0] <= 2.0**53 else "integers of at most 2^53"
        raise ValueError(f"{name} has the entry {float(array[bad][0])!r}: {limit} are needed")
    return array.astype(np.int64)
