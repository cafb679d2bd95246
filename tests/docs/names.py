"""Names in backticks in docstrings: find them, and find those that stand for nothing in the lab."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import theory_lab as lab
from bounds import privacy
from theory_lab.catalogue import all_entries

ROOT = Path(__file__).parents[2]
PACKAGES = ("bounds", "synthetic", "paper_checks", "figures", "theory_lab")
OWNERS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
WORD = r"[A-Za-z_]\w*"
PLACEHOLDERS = {"PAPER", "KEY", "NAME", "FILE", "METHOD", "T"}  # a reader fills them in
LISTED = re.compile(
    r"-{0,2}[A-Za-z_][\w.:-]*( [A-Za-z_]\w*)*"
)  # a text in code that may be a name, an option, an address or a list of names
FILES = re.compile(r"[\w*.-]*(?:/[\w*.-]+)+/?|[\w*-]+\.(?:py|page|md|txt|toml|csv)\b(?!\.)|[\w-]+/")


def docstrings(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    """Yield the name of each module ("", at the top), class and function among the nodes of a source, with its docstring."""
    for node in nodes:
        if isinstance(node, OWNERS) and (doc := ast.get_docstring(node, clean=False)):
            yield getattr(node, "name", ""), doc


def quoted(doc: str) -> list[str]:
    """Return what stands in backticks in a docstring, in single or double ones."""
    return [" ".join(span.split()) for span in re.findall(r"`+([^`]+)`+", doc)]


@cache
def sources() -> dict[str, list[ast.AST]]:
    """Return the nodes of the syntax tree of every module of the five packages, the tree first, by its path from the root."""
    files = [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]
    return {str(file.relative_to(ROOT)): [*ast.walk(ast.parse(file.read_text(encoding="utf-8")))] for file in files}


@cache
def paths() -> frozenset[str]:
    """Return the paths of all files and folders of packages, tests and documentation, from the root, with / at the end of a folder."""
    every = [path for folder in (*PACKAGES, "tests", "docs") for path in [ROOT / folder, *(ROOT / folder).rglob("*")]]
    found = {f"{path.relative_to(ROOT)}{'/' if path.is_dir() else ''}" for path in every if "__pycache__" not in path.parts}
    return frozenset(found | {path.name for path in ROOT.iterdir() if path.is_file()})


@cache
def members() -> dict[str, set[str]]:
    """Return the names that each module, package and class defines or imports, by its own name; those of equal names together."""
    found, renamed = defaultdict[str, set[str]](set), list[tuple[str, str]]()
    for path, nodes in sources().items():
        *folders, stem = Path(path).with_suffix("").parts
        module = folders[-1] if stem == "__init__" else stem
        for one, inside in zip(folders, [*folders[1:], stem], strict=True):
            found[one].add(inside)
        for node in nodes:
            if isinstance(node, ast.ImportFrom):
                renamed += [(one.asname, one.name) for one in node.names if one.asname and one.asname != one.name]
            if isinstance(node, ast.ClassDef | ast.Module):
                whose = getattr(node, "name", module)
                for part in node.body:
                    found[whose] |= _defined(part)
                if isinstance(node, ast.ClassDef):
                    found[whose] |= {
                        one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store)
                    }
                    found[whose] |= {*(inherited for base in node.bases if isinstance(base, ast.Name) for inherited in found[base.id])}
    for path in paths():
        if path.endswith(".page"):
            found[Path(path).parent.name].add(Path(path).stem)
    for entry in all_entries():  # keys of theorems, claims, errata; names of methods, objectives, words
        parts = entry.name.split(".")
        for one, inside in pairwise(parts):
            found[one].add(inside)
    for one, original in renamed:
        found[one] |= found.get(original, set())
    found["privacy"] |= {*privacy.__all__}
    found["theory_lab"] |= {*lab.NAMES}
    found["lab"] |= found["theory_lab"]
    return dict(found)


@cache
def attributes() -> dict[str, set[str]]:
    """Return the names that the classes of each module define, by the module's own name: a variable is often called as the module."""
    found = defaultdict[str, set[str]](set)
    for path, nodes in sources().items():
        for node in nodes:
            if isinstance(node, ast.ClassDef):
                found[Path(path).stem] |= members()[node.name]
    return dict(found)


def _defined(part: ast.stmt) -> set[str]:
    """Return the names that a statement at the top of a module or class defines."""
    if isinstance(part, OWNERS):
        return {part.name}
    if isinstance(part, ast.Import | ast.ImportFrom):
        return {(one.asname or one.name).split(".")[0] for one in part.names}
    return {one.id for one in ast.walk(part) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


@cache
def known() -> frozenset[str]:
    """Return every name of the lab: of modules, classes, functions, arguments, attributes, keys, options, files, pages, and of Python."""
    found = {*dir(builtins), *keyword.kwlist, "lab", *PLACEHOLDERS}
    found |= {part for path in paths() for part in re.findall(WORD, path)}
    for owner, inside in members().items():
        found |= {owner, *inside}
    for nodes in sources().values():
        docs = {id(node.body[0].value) for node in nodes
                if isinstance(node, OWNERS) and node.body and isinstance(node.body[0], ast.Expr)}  # fmt: skip
        for node in nodes:
            if isinstance(node, ast.arg | ast.keyword) and node.arg:
                found.add(node.arg)
            elif isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs and LISTED.fullmatch(node.value):
                found |= {*re.findall(WORD, node.value)}
    return frozenset(found)


@cache
def file_exists(written: str) -> bool:
    """Return whether a path ends like that of a file or folder of the lab; * and PAPER stand for anything."""
    pattern = re.escape(written.rstrip("/")).replace(r"\*", "[^/]*").replace("PAPER", "[^/]*").replace("NAME", "[^/]*")
    return any(re.search(rf"(^|/){pattern}/?$", path) for path in paths())


def unknown_names(span: str) -> list[str]:
    """Return the names in a text in backticks that nothing in the lab has: words, pairs a.b where a has no b, and files."""
    if "FILE" in span:
        span = re.sub(r"FILE(\.\w+)?", "", span)
    files = FILES.findall(span)
    missing = [file for file in files if not file_exists(file)]
    text = FILES.sub(" ", re.sub(r"(['\"]).*?\1", " ", span))
    endings = re.findall(r"\*(_\w+)", text)  # *_rest: every name that ends so
    missing += [f"*{ending}" for ending in endings if not any(one.endswith(ending) for one in known())]
    text = re.sub(r"\*_\w+", " ", text)
    for chain in re.findall(rf"(?<![\w\\]){WORD}(?:\.{WORD})*", text):
        parts = chain.split(".")
        missing += [one for one in parts if one not in known()]
        for one, inside in pairwise(parts):
            there = PLACEHOLDERS | (attributes().get(one, set()) if len(parts) == 2 else set())
            if one in members() and one not in PLACEHOLDERS and inside not in members()[one] | there:
                missing.append(f"{one}.{inside}")
    return list(dict.fromkeys(missing))
