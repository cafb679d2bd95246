"""Import the project's packages from sources in memory, some of them changed; replace the text of a page or table that they read."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

PACKAGES = ("bounds", "synthetic", "paper_checks")


@dataclass(frozen=True)
class Source:
    """The file, the text and the compiled code of a module."""

    file: Path
    text: str
    code: CodeType


class InMemory(MetaPathFinder, Loader):
    """Import hook that loads modules from the given sources, by module name; all others are left to Python."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self.sources = sources

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name not in self.sources:
            return None
        file = self.sources[name].file
        folders = [str(file.parent)] if file.name == "__init__.py" else None
        return spec_from_file_location(name, file, loader=self, submodule_search_locations=folders)

    def create_module(self, spec: ModuleSpec) -> None:
        """Return None: Python creates the module object."""

    def exec_module(self, module: ModuleType) -> None:
        exec(self.sources[module.__name__].code, module.__dict__)

    def get_source(self, name: str) -> str:
        """Return the text of a module: `synthetic.sweeps.sources` compares it with that of stored results."""
        return self.sources[name].text


def read_sources(root: Path) -> dict[str, Source]:
    """Read the sources of the project's packages below a root; return them by module name."""
    files = [path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))]
    found = {}
    for file in files:
        name = module_name(file.relative_to(root))
        loader = SourceFileLoader(name, str(file))  # uses the code in Python's cache where it is up to date
        code, text = loader.get_code(name), loader.get_source(name)
        assert code is not None, name
        assert text is not None, name
        found[name] = Source(file, text, code)
    return found


def module_name(path: Path) -> str:
    """Return the module name of a file, given its path from the root."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def unload_packages() -> None:
    """Remove the project's packages from the loaded modules, so that they are imported again."""
    for name in [name for name in sys.modules if name.partition(".")[0] in PACKAGES]:
        del sys.modules[name]


def change_text(file: Path, text: str) -> None:
    """Make `Path.read_text` return a changed text for one file in this process; pages and tables are read in this way.

    Values that were read before stay: `bounds.pages.store.lab_pages`, which reads all pages, must be imported again.
    """
    read = Path.read_text

    def read_text(self: Path, *arguments: Any, **named: Any) -> str:
        return text if self == file else read(self, *arguments, **named)

    Path.read_text = read_text  # type: ignore[method-assign]
