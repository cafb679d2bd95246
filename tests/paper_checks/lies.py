"""Planted faults: each is one change of the sources that makes some claim false, or a false one true, or a check blind.

A lie is applied to a copy of the packages; one of the claims that it names must then come out differently from its ledger.
A lie is anchored to what the code says, not to where it stands or how it is laid out: moving or formatting the code does not lose it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LAYOUT = re.compile(r"\s+|,(?=\s*[)\]}])")  # white space, and the comma that a formatter adds or takes away


@dataclass(frozen=True)
class Lie:
    """Replace `old`, which occurs exactly once in `where`, by `new`; one of `claims` must notice.

    `where` is a file or a folder; after a colon it names a function, a class, a variable, a method of one ("Grid.best"), or a line of a
    proof or a claim by its first argument: then `old` is looked for there only.
    """

    name: str
    where: str
    old: str
    new: str
    claims: tuple[str, ...]


def plant(root: Path, lie: Lie) -> Path:
    """Apply a lie to the sources below `root` and return the file that it is in; AssertionError unless it has exactly one place."""
    found = list(places(root, lie))
    assert len(found) == 1, f"{lie.name}: {lie.old!r} occurs {len(found)} times in {lie.where}: {[str(path) for path, *_ in found]}"
    path, start, end = found[0]
    source = path.read_text(encoding="utf-8")
    path.write_text(source[:start] + bare(lie.new) + source[end:], encoding="utf-8")
    return path


def places(root: Path, lie: Lie) -> Iterator[tuple[Path, int, int]]:
    """Yield file, start and end of every place where a lie can be told."""
    where, _, name = lie.where.partition(":")
    wanted, _ = packed(bare(lie.old))
    for path in sorted((root / where).rglob("*.py")) if (root / where).is_dir() else [root / where]:
        source = path.read_text(encoding="utf-8")
        for first, last in named(source, name) if name else [(0, len(source))]:
            text, at = packed(source[first:last])
            start = text.find(wanted)
            while start >= 0:
                yield path, first + at[start], first + at[start + len(wanted) - 1] + 1
                start = text.find(wanted, start + 1)


def bare(text: str) -> str:
    """Return a text without what a formatter may put around it."""
    return text.strip().removesuffix(",")


def packed(text: str) -> tuple[str, list[int]]:
    """Return a text without its layout, and where each of its characters was."""
    gone = {k for match in LAYOUT.finditer(text) for k in range(*match.span())}
    at = [k for k in range(len(text)) if k not in gone]
    return "".join(text[k] for k in at), at


def named(source: str, name: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of what has a name in a file."""
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def span(node: ast.expr | ast.stmt) -> tuple[int, int]:
        ends = (starts[node.lineno - 1] + node.col_offset, starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0))
        first, last = (len(source.encode()[:end].decode()) for end in ends)
        return first, last

    def below(node: ast.AST, prefix: str) -> Iterator[tuple[int, int]]:
        for child in ast.iter_child_nodes(node):
            own = getattr(child, "name", "")
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                if f"{prefix}{own}" == name:
                    yield span(child)
                yield from below(child, f"{prefix}{own}." if isinstance(child, ast.ClassDef) else "")
                continue
            targets = child.targets if isinstance(child, ast.Assign) else [child.target] if isinstance(child, ast.AnnAssign) else []
            if (isinstance(child, ast.stmt) and name in {one.id for one in targets if isinstance(one, ast.Name)}) or (
                isinstance(child, ast.expr) and opened(child) == name
            ):
                yield span(child)
            else:
                yield from below(child, prefix)

    yield from below(ast.parse(source), "")


def opened(node: ast.expr) -> str:
    """Return the name of a line or of a claim in chain notation, "" of anything else."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("line", "claim", "reading", "question")
        and node.args
    ):
        first = node.args[0]
        return str(first.value) if isinstance(first, ast.Constant) else ""
    return ""
