"""Versions of code: hashes of the sources and library versions on which a result depends besides its arguments."""

import ast
import functools
import hashlib
import importlib.util
import pkgutil
import platform
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path

OURS = ("bounds", "figures", "paper_checks", "synthetic", "theory_lab")
ALWAYS = ("numpy", "numba")  # every result goes through them
COMPUTING = (*ALWAYS, "llvmlite", "mpmath", "scipy", "sklearn", "sympy")


@dataclass(frozen=True)
class Source:
    """The source of a module: its text, its file, and whether it is a package; the text of a package without a file is ""."""

    text: str
    file: str
    package: bool


@functools.cache
def code_version(task: str) -> str:
    """Return a hash of all sources that a task "package.module:function" uses, of Python's version and of the libraries' versions.

    Sources are followed through imports anywhere in a file: the lab's packages, the module's own package, and any other module whose file
    is not among the installed libraries; and the whole package of a file that imports by computed names. All pages of a
    package that is followed count, for they are opened by names as well. Of an installed library the version counts.
    Raises ValueError where a module cannot be found or its source cannot be read: whether an old result still holds is not known then.
    """
    return hash_sources(*followed_sources(task))


def hash_sources(sources: Mapping[str, Source], libraries: Iterable[str]) -> str:
    """Return a hash of sources by their names, of the pages of their packages, and of Python's and the libraries' versions."""
    digest = hashlib.sha256(platform.python_version().encode())
    for name in sorted(sources):
        digest.update(name.encode() + b"\0" + sources[name].text.encode() + b"\0")
    for name, text in _pages(sorted({name.partition(".")[0] for name in sources})):
        digest.update(name.encode() + b"\0" + text + b"\0")
    for library in sorted(libraries):
        digest.update(f"{library} {version_of(library)}\0".encode())
    return digest.hexdigest()[:16]


def followed_sources(task: str) -> tuple[dict[str, Source], set[str]]:
    """Return the sources of all modules that a task "package.module:function" uses, by name, and the libraries whose version counts.

    Raises ValueError as `code_version` does.
    """
    module = task.split(":")[0]
    top = module.split(".")[0]
    waiting, sources, libraries = [module], dict[str, Source](), set(ALWAYS)
    while waiting:
        name = waiting.pop()
        if name in sources or not name:
            continue
        if not _is_followed(name, top):
            if name.split(".")[0] not in sys.stdlib_module_names:
                libraries.add(name.split(".")[0])
            continue
        spec = _module_spec(name)
        if spec is None:
            if name == module:
                raise ValueError(f"task = {task!r}: a module that can be imported by this name is needed")
            continue
        package = spec.submodule_search_locations is not None
        sources[name] = source = Source(_source_text(spec), spec.origin or _package_file(spec), package)
        parent = name.rpartition(".")[0]
        waiting += [parent, *_imported_names(source.text, name if package else parent)]
        if "import_module(" in source.text or "__import__(" in source.text:
            waiting += _submodules(name.split(".")[0])
    return sources, libraries


@functools.cache
def fingerprint() -> str:
    """Return a hash of all sources and tables of the lab, of Python's version and of the versions of the computing libraries."""
    digest = hashlib.sha256(platform.python_version().encode())
    for package in OURS:
        spec = _module_spec(package)
        for folder in map(Path, (spec.submodule_search_locations if spec else None) or ()):
            for file in sorted(one for one in folder.rglob("*") if one.suffix in (".py", ".page", ".txt")):
                digest.update(f"{package}/{file.relative_to(folder).as_posix()}\0".encode() + file.read_bytes() + b"\0")
    for library in COMPUTING:
        digest.update(f"{library} {version_of(library)}\0".encode())
    return digest.hexdigest()[:16]


def version_of(library: str) -> str:
    """Return the names and versions of the distributions that provide an imported library, as text; "NAME absent" if not installed."""
    found = []
    for distribution in sorted(set(_distributions().get(library, (library,)))):
        try:
            found.append(f"{distribution} {version(distribution)}")
        except PackageNotFoundError:
            found.append(f"{distribution} absent")
    return ", ".join(found)


_distributions = functools.cache(packages_distributions)


@functools.cache
def _imported_names(source: str, package: str) -> tuple[str, ...]:
    """Return the names, possibly of modules, that a source text in a package imports."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            with suppress(ImportError):  # it reaches above its package: nothing can be imported so
                here = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
                found += [here, *(f"{here}.{alias.name}" for alias in node.names)]
    return tuple(found)


def _submodules(package: str) -> list[str]:
    """Return the names of all modules below a package, at any depth."""
    spec = _module_spec(package)
    found = [f"{package}.{one.name}" for one in pkgutil.iter_modules(spec.submodule_search_locations or ())] if spec else []
    return [name for one in found for name in (one, *_submodules(one))]


def _pages(packages: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of each .page file in the given packages."""
    for package in packages:
        spec = _module_spec(package)
        for folder in map(Path, (spec.submodule_search_locations if spec else None) or ()):
            for file in filter(Path.is_file, sorted(folder.rglob("*.page"))):
                yield f"{package}/{file.relative_to(folder).as_posix()}", file.read_bytes()


def _is_followed(name: str, top: str) -> bool:
    """Return whether a module counts by its source, rather than by the version of its library; `top` is the task's own package."""
    first = name.split(".")[0]
    if first in (*OURS, top):
        return True
    if first in sys.stdlib_module_names:
        return False
    origin = _module_origin(first)
    return bool(origin) and not _is_installed(origin)


def is_installed_module(name: str) -> bool:
    """Return whether a top-level module lies among the installed libraries."""
    origin = _module_origin(name)
    return bool(origin) and _is_installed(origin)


def _module_origin(name: str) -> str:
    """Return the file or folder of a top-level module, "" if it has none."""
    spec = _module_spec(name)
    origin = (spec.origin or next(iter(spec.submodule_search_locations or ()), "")) if spec else ""
    return "" if origin in ("built-in", "frozen") else origin


def _is_installed(origin: str) -> bool:
    """Return whether a file lies among the installed libraries."""
    folders = [Path(sysconfig.get_path(kind)).resolve() for kind in ("purelib", "platlib", "stdlib", "platstdlib")]
    path = Path(origin).resolve()
    return any(path.is_relative_to(folder) for folder in folders) or bool({"site-packages", "dist-packages"} & set(path.parts))


@functools.cache
def _module_spec(name: str) -> ModuleSpec | None:
    """Return the import specification of a module, None if there is none; only parent packages are imported for that."""
    parent = name.rpartition(".")[0]
    package = _module_spec(parent) if parent else None
    if parent and not (package and package.submodule_search_locations):
        return None
    try:
        return importlib.util.find_spec(name)
    except (ImportError, AttributeError, ValueError):  # its parent is no package; it is __main__
        return None


def _package_file(spec: ModuleSpec) -> str:
    """Return the file that a package without one would have."""
    return str(Path(next(iter(spec.submodule_search_locations or ()), ""), "__init__.py"))


def _source_text(spec: ModuleSpec) -> str:
    """Return the source text of a module, from a file or an archive; "" for a package without a file; ValueError if unreadable."""
    if spec.origin is None:
        return ""
    get_source = getattr(spec.loader, "get_source", None)
    source = get_source(spec.name) if get_source else None
    if source is None:
        raise ValueError(
            f"{spec.origin}: the source of {spec.name} cannot be read, so it is not known whether stored results are of the same code; "
            "install the lab, and the module of your task, with their sources"
        )
    return source
