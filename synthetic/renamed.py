"""Modules under their old names, for one version: they are found where they moved, with a DeprecationWarning.

`bounds` and `synthetic` import nothing of each other, so each has this file; a test holds them equal.
"""

import sys
import warnings
from collections.abc import Mapping
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class Renamed(MetaPathFinder, Loader):
    """The finder of modules that moved: `moved` has the new name of each old one."""

    def __init__(self, moved: Mapping[str, str]) -> None:
        self.moved = moved
        self.specs: dict[str, ModuleSpec | None] = {}

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return where a module of an old name is, None for every other."""
        return ModuleSpec(fullname, self) if fullname in self.moved else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module under its new name, and warn."""
        new = self.moved[spec.name]
        warnings.warn(f"{spec.name} is now {new}; its old name goes in version 0.4", DeprecationWarning, stacklevel=2)
        found = import_module(new)
        self.specs[new] = found.__spec__
        return found

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its own specification back: it was run under its new name."""
        module.__spec__ = self.specs[module.__name__]


def keep_old_names(moved: Mapping[str, str]) -> None:
    """Let `import` find modules under their old names."""
    if not any(isinstance(one, Renamed) and one.moved == moved for one in sys.meta_path):
        sys.meta_path.append(Renamed(moved))
