"""Old names of modules, and of functions in documented modules, for one version, with a DeprecationWarning.

`bounds` and `synthetic` import nothing of each other, so each has a copy of this file.
"""

import sys
import warnings
from collections.abc import Callable, Mapping
from importlib import import_module as import_new  # a call of the plain name would count as any module among the sources of a result
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class Renamed(MetaPathFinder, Loader):
    """Finder and loader for modules that were renamed; `moved` maps each old name to the new one."""

    def __init__(self, moved: Mapping[str, str]) -> None:
        self.moved = moved
        self.specs: dict[str, ModuleSpec | None] = {}

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return a module specification for an old name, None for every other name."""
        return ModuleSpec(fullname, self) if fullname in self.moved else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Import and return the module under its new name, with a DeprecationWarning."""
        new = self.moved[spec.name]
        warnings.warn(f"{spec.name} is now {new}; its old name goes in version 0.4", DeprecationWarning, stacklevel=2)
        found = import_new(new)
        self.specs[new] = found.__spec__
        return found

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its own specification back: it has been executed under its new name."""
        module.__spec__ = self.specs[module.__name__]


def keep_old_names(moved: Mapping[str, str]) -> None:
    """Make `import` find modules under their old names; `moved` maps each old name to the new one."""
    if not any(isinstance(one, Renamed) and one.moved == moved for one in sys.meta_path):
        sys.meta_path.append(Renamed(moved))


def old_names(module: str, **renamed: str) -> Callable[..., Any]:
    """Return a `__getattr__` for a module that finds its functions and classes under old names; `renamed` maps old names to new."""

    def __getattr__(name: str, stacklevel: int = 2) -> Any:
        """Return what now has another name, with a DeprecationWarning for the caller; raise AttributeError for every other name."""
        if name not in renamed:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warnings.warn(f"{module}.{name} is now {renamed[name]}; its old name goes in version 0.4", DeprecationWarning, stacklevel)
        return getattr(sys.modules[module], renamed[name])

    return __getattr__
