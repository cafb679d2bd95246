"""Digests of objects: of the data and the code of an objective or a kernel, as they are in memory.

What belongs to the lab counts by the version of its sources, what belongs to an installed library by its version. A user's own function
counts by its compiled code, its constants, and all that it refers to, so that it may stand in a file, a notebook or a script.
"""

import dataclasses
import functools
import hashlib
import platform
import sys
from collections.abc import Iterator, Mapping
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher

from synthetic.declared.fields import Declaration
from synthetic.sweeps.sources import OURS, code_version, is_installed_module, version_of
from synthetic.validate import short_repr


def digest(name: str, value: Any) -> str:
    """Return a hash of a value, hexadecimal digits; two values with one hash compute the same.

    Raises ValueError, which names the argument `name`, where the value holds an object of a kind whose contents are not known.
    """
    hashed = hashlib.sha256(platform.python_version().encode())
    seen: dict[int, int] = {}
    for part in _parts(name, value, seen, []):
        hashed.update(part + b"\0")
    return hashed.hexdigest()


def _parts(name: str, value: Any, seen: dict[int, int], held: list[Any]) -> Iterator[bytes]:
    """Yield bytes that determine a value. What may refer to itself is yielded once, then by its number in `seen`, which is by id."""
    if value is None or isinstance(value, bool | int | float | complex | str | bytes):
        yield f"{type(value).__name__} {value!r}".encode()
        return
    if id(value) in seen:
        yield f"again {seen[id(value)]}".encode()
        return
    if isinstance(value, FunctionType | Dispatcher | list | Mapping):  # of a tuple it depends on the compiler whether it is one object
        seen[id(value)] = len(seen)
        held.append(value)  # so that no other object gets its id
    yield type(value).__name__.encode()
    inside: list[Any] = []
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "biufcSU":
        yield f"{value.dtype.str} {value.shape}".encode()
        yield np.ascontiguousarray(value).tobytes()
    elif isinstance(value, list | tuple):
        inside = [len(value), *value]
    elif isinstance(value, set | frozenset):
        yield from sorted(digest(name, one).encode() for one in value)
    elif isinstance(value, Mapping):
        inside = [len(value), *(part for pair in value.items() for part in pair)]
    elif isinstance(value, functools.partial):
        inside = [value.func, value.args, value.keywords]
    elif isinstance(value, Dispatcher):
        inside = [value.py_func, sorted(value.targetoptions.items())]
    elif isinstance(value, FunctionType):
        inside = [value.__code__, value.__defaults__, value.__kwdefaults__, *(cell.cell_contents for cell in value.__closure__ or ())]
        known = _version_of_module(value.__module__, value.__globals__)
        yield known.encode()
        names = () if known else referenced_names(value.__code__)
        inside += [part for one in names if one in value.__globals__ for part in (one, _within(value.__globals__[one], names))]
    elif isinstance(value, CodeType):
        yield value.co_code
        inside = [*value.co_names, value.co_varnames, value.co_freevars, *value.co_consts]
    elif isinstance(value, type) and issubclass(value, Declaration):
        yield repr(
            [value.key, *((one.name, one.rule, None if one.needed else one.default, one.needed, str(one.type)) for one in value.fields)]
        ).encode()
    elif isinstance(value, ModuleType | type | BuiltinFunctionType | np.ufunc):
        module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None) or "builtins"
        known = _version_of_module(module)
        if not known:
            raise ValueError(_refusal(name, value))
        yield f"{getattr(value, '__qualname__', value.__name__)} {known}".encode()
    elif isinstance(value, _Attributes):
        inside = [part for pair in value.pairs for part in pair]
    elif dataclasses.is_dataclass(value):
        inside = [type(value).__qualname__, *((one.name, getattr(value, one.name)) for one in dataclasses.fields(value))]
    else:
        raise ValueError(_refusal(name, value))
    for one in inside:
        yield from _parts(name, one, seen, held)


def _refusal(name: str, value: Any) -> str:
    """Return the message for an object whose contents are not known."""
    return (
        f"store: results cannot be kept for this {name}, because it refers to {short_repr(value)}, whose contents are not known to be the "
        "same the next time; leave store out, or use numbers, arrays and functions only"
    )


@dataclasses.dataclass(frozen=True)
class _Attributes:
    """Attributes of a user's module that a function may refer to: pairs of name and value."""

    pairs: tuple[tuple[str, Any], ...]


def _within(value: Any, names: tuple[str, ...]) -> Any:
    """Return a global of a function; for a user's module, those of its attributes that are among the function's names."""
    if isinstance(value, ModuleType) and not _version_of_module(value.__name__):
        return _Attributes(tuple((one, _within(getattr(value, one), names)) for one in names if hasattr(value, one)))
    return value


def referenced_names(code: CodeType) -> tuple[str, ...]:
    """Return the names of globals and attributes in a function's code, those of functions inside it included, sorted."""
    inner = [name for one in code.co_consts if isinstance(one, CodeType) for name in referenced_names(one)]
    return tuple(sorted({*code.co_names, *inner}))


def _version_of_module(name: str | None, variables: Mapping[str, Any] | None = None) -> str:
    """Return the version of a module of the lab or of a library, "" for a user's module; `variables` are those of the real one."""
    first = (name or "").partition(".")[0]
    module = sys.modules.get(name or "")
    if module is None or (variables is not None and vars(module) is not variables):
        return ""
    if first in OURS:
        return code_version(f"{name}:it")
    if first in sys.stdlib_module_names:
        return first  # Python's version is in the hash
    return version_of(first) if is_installed_module(first) else ""
