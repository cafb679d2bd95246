"""A user's own modules in worker processes: their text travels with each call, so that a worker needs no file and reads none again.

`pack` reads a module and the modules beside it that it imports; `Carrying` is an executor whose calls can import them by their names,
from the text that was packed: a file that is changed meanwhile changes no call.
"""

import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from importlib.abc import ExecutionLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from synthetic.sweeps.sources import COMPUTING, OURS, followed_sources, hash_sources, version_of

LOCK = threading.Lock()


@dataclass(frozen=True)
class CarriedModule:
    """A module as text: its name, the file that tracebacks name, the text, and whether it is a package."""

    name: str
    file: str
    text: str
    package: bool = False


@dataclass(frozen=True)
class Carried:
    """What workers need of a user's files.

    modules    the files and all modules that they import and that are neither installed nor the lab's
    libraries  the versions of the libraries that they import besides the lab's, (library, version)
    versions   of each file, (its module's name, a hash of its text and of all that it imports, as in `code_version`)
    """

    modules: tuple[CarriedModule, ...] = ()
    libraries: tuple[tuple[str, str], ...] = ()
    versions: tuple[tuple[str, str], ...] = ()


def pack(names: Iterable[str]) -> Carried:
    """Read modules of the user, by their names, and those that they import; return what workers need of them.

    Raises ValueError where one of them cannot be found or read.
    """
    modules: dict[str, CarriedModule] = {}
    libraries, versions = dict[str, str](), dict[str, str]()
    for name in names:
        found, used = followed_sources(f"{name}:")
        versions[name] = hash_sources(found, used)
        for one, source in found.items():
            if one.partition(".")[0] not in OURS:
                modules[one] = CarriedModule(one, source.file, source.text, source.package)
        libraries |= {one: version_of(one) for one in used if one not in COMPUTING}
    return Carried(tuple(modules[one] for one in sorted(modules)), tuple(sorted(libraries.items())), tuple(versions.items()))


class CarriedFinder(MetaPathFinder, ExecutionLoader):
    """Finder and loader of the carried modules of this process."""

    def __init__(self) -> None:
        self.carried = Carried()
        self.modules: dict[str, CarriedModule] = {}

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the specification of a carried module; None for any other name."""
        one = self.modules.get(fullname)
        if one is None:
            return None
        inside = [str(Path(one.file).parent)] if one.package else None
        return spec_from_file_location(fullname, one.file, loader=self, submodule_search_locations=inside)

    def get_filename(self, fullname: str) -> str:
        """Return the file of a carried module, which tracebacks name."""
        return self._module(fullname).file

    def get_source(self, fullname: str) -> str:
        """Return the text of a carried module."""
        return self._module(fullname).text

    def is_package(self, fullname: str) -> bool:
        """Return whether a carried module is a package."""
        return self._module(fullname).package

    def _module(self, fullname: str) -> CarriedModule:
        """Return a carried module; raise ImportError, as loaders do, where there is none of this name."""
        if fullname not in self.modules:
            raise ImportError(f"{fullname} is not carried", name=fullname)
        return self.modules[fullname]


FINDER = CarriedFinder()  # of this process


def install(carried: Carried) -> None:
    """Let this process import the carried modules by their names; those of an earlier call that differ are forgotten.

    Modules that this process imported from the same file itself stay. Raises ValueError where another module has one of the names, or
    where a library has another version here.
    """
    with LOCK:
        if carried == FINDER.carried:
            return
        for library, version in carried.libraries:
            if (here := version_of(library)) != version:
                raise ValueError(f"a worker has {here}, and the caller {version}: its results would differ; install the same version")
        modules = {one.name: one for one in carried.modules}
        for name in [name for name, loaded in sys.modules.items() if getattr(loaded, "__loader__", None) is FINDER]:
            del sys.modules[name]
        for name, one in modules.items():
            loaded = sys.modules.get(name)
            if loaded is not None and (where := module_file(loaded)) != one.file:
                raise ValueError(f"{one.file}: a worker has another module called {name!r} ({where or 'of Python'}); rename the file")
        FINDER.carried, FINDER.modules = carried, modules
        if FINDER not in sys.meta_path:
            sys.meta_path.insert(0, FINDER)


def module_file(module: ModuleType) -> str:
    """Return the file of a module, of a package without one that which it would have; "" for a module that is a part of Python."""
    folder = next(iter(getattr(module, "__path__", ())), "")
    return getattr(module, "__file__", None) or (str(Path(folder, "__init__.py")) if folder else "")


def call_carried(carried: Carried, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return function(*args, **kwargs), called in a process that can import the carried modules."""
    install(carried)
    return function(*args, **kwargs)


class Carrying(Executor):
    """An executor that passes calls on to `pool`, each together with the carried modules; closing it leaves `pool` open."""

    def __init__(self, pool: Executor, carried: Carried) -> None:
        self.pool, self.carried = pool, carried
        self.workers = getattr(pool, "workers", None) or getattr(pool, "_max_workers", None)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Submit fn(*args, **kwargs) to the pool, where it can import the carried modules; return its future."""
        return self.pool.submit(call_carried, self.carried, fn, args, kwargs)
