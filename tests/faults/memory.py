"""Import our packages from sources that are held in memory, some of them changed; and change a page or a table that they read."""

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
    """A module's file, its text and its code."""

    file: Path
    text: str
    code: CodeType


class InMemory(MetaPathFinder, Loader):
    """Finds and loads the modules whose sources it is given, by their names; it leaves all others to Python."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self.sources = sources

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name not in self.sources:
            return None
        file = self.sources[name].file
        folders = [str(file.parent)] if file.name == "__init__.py" else None
        return spec_from_file_location(name, file, loader=self, submodule_search_locations=folders)

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to Python to make the module."""

    def exec_module(self, module: ModuleType) -> None:
        exec(self.sources[module.__name__].code, module.__dict__)

    def get_source(self, name: str) -> str:
        """Return the text of a module: `synthetic.sweeps.sources` asks for it, to know whether a stored result is of the same code."""
        return self.sources[name].text


def read_sources(root: Path) -> dict[str, Source]:
    """Return the sources of our packages by the names of their modules."""
    files = [path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))]
    found = {}
    for file in files:
        name = module_name(file.relative_to(root))
        loader = SourceFileLoader(name, str(file))  # which takes the code from Python's own cache where that is fresh
        code, text = loader.get_code(name), loader.get_source(name)
        assert code is not None, name
        assert text is not None, name
        found[name] = Source(file, text, code)
    return found


def module_name(path: Path) -> str:
    """Return the name of the module that is in a file, given from the root."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def forget_ours() -> None:
    """Remove our packages from the modules that Python has loaded."""
    for name in [name for name in sys.modules if name.partition(".")[0] in PACKAGES]:
        del sys.modules[name]


def change_text(file: Path, text: str) -> None:
    """Let `Path.read_text` return, in this process, a changed text of a file that is not code: our packages read pages and tables so.

    What has read the file before keeps what it read: `bounds.pages.store.lab`, which reads all pages, must be imported anew.
    """
    read = Path.read_text

    def read_text(self: Path, *arguments: Any, **named: Any) -> str:
        return text if self == file else read(self, *arguments, **named)

    Path.read_text = read_text  # type: ignore[method-assign]
