"""Find the source location of a planted fault, and return the changed text.

A fault is found by the text of the code, not by its line or its layout: the code may be moved or formatted.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.faults.text import Fault

LAYOUT = re.compile(r"\s+|,(?=\s*[)\]}])")  # white space, and the comma that a formatter adds or removes
SOURCES = (".py", ".page")
BEGIN = re.compile(
    r"^(?P<indent>  )?(?:only [^:\n]*: *)?(?:scope )?(?P<name>[A-Za-z]\w*)", re.MULTILINE
)  # a section of a page, or an item of one
CLAIM = re.compile(
    r"^(?:(?:claim|reading|question|let|printed) |  (?=\w+ = ))(?P<name>[^\s:=]+)", re.MULTILINE
)  # of a page of claims, or a formula
OPENERS = ("line", "claim", "reading", "question")  # calls that open a line of a proof or a claim, whose first argument is its name


def plant(root: Path, fault: Fault) -> tuple[Path, str]:
    """Return the file below `root` that a fault changes, and its changed text; AssertionError unless the old text occurs once."""
    found = list(occurrences_of(root, fault))
    files = [str(path.relative_to(root)) for path, *_ in found]
    assert len(found) == 1, f"{fault.name}: {fault.old!r} occurs {len(found)} times in {fault.place}: {files}"
    path, start, end = found[0]
    source = read_source(path)
    return path, source[:start] + strip_edges(fault.new) + source[end:]


def occurrences_of(root: Path, fault: Fault) -> Iterator[tuple[Path, int, int]]:
    """Yield the file, start and end of every occurrence of the old text of a fault at its source location.

    The location of a fault is a file or a folder. After a colon it names a function, a class, a variable, a method of a class
    ("Grid.best"), or a line of a proof or a claim by its first argument; in a page it names a section, or an item of one: a definition, a
    symbol, a line. Then only this part is searched.
    """
    where, _, name = fault.place.partition(":")
    wanted, _ = strip_layout(strip_edges(fault.old))
    folder = root / where
    for path in sorted(one for one in folder.rglob("*") if one.suffix in SOURCES) if folder.is_dir() else [folder]:
        source = read_source(path)
        text, at = strip_layout(source)
        starts = list(_text_starts(text, wanted))
        spans = list((page_spans if path.suffix == ".page" else code_spans)(source, name)) if name and starts else [(0, len(source))]
        for k in starts:
            start, end = at[k], at[k + len(wanted) - 1] + 1
            for first, last in spans:
                if first <= start and end <= last:
                    yield path, start, end


def _text_starts(text: str, wanted: str) -> Iterator[int]:
    """Yield the start of every occurrence of a text in another, overlapping ones included."""
    start = text.find(wanted)
    while start >= 0:
        yield start
        start = text.find(wanted, start + 1)


@cache
def read_source(path: Path) -> str:
    """Return the text of a source file as it was at the first call for this path."""
    return path.read_text(encoding="utf-8")


def strip_edges(text: str) -> str:
    """Return a text without outer white space and a final comma, which a formatter may change."""
    return text.strip().removesuffix(",")


@cache
def strip_layout(text: str) -> tuple[str, tuple[int, ...]]:
    """Return a text without its layout (white space, trailing commas), and the original position of each character."""
    at: list[int] = []
    start = 0
    for match in LAYOUT.finditer(text):
        at.extend(range(start, match.start()))
        start = match.end()
    at.extend(range(start, len(text)))
    return LAYOUT.sub("", text), tuple(at)


def page_spans(source: str, name: str) -> Iterator[tuple[int, int]]:
    """Yield the spans (start, end) of the sections and items of a page that have a name; each ends before the next one.

    On a page of claims these are the claims, by their keys, the values that the page names, and the printed formulas.
    """
    if re.search(r"^claims ", source, re.MULTILINE):
        claims = [*CLAIM.finditer(source)]
        ends = [*(one.start() for one in claims[1:]), len(source)]
        yield from ((one.start(), end) for one, end in zip(claims, ends, strict=True) if one["name"] == name)
        return
    starts = list(BEGIN.finditer(source))
    for number, match in enumerate(starts):
        section = not match["indent"]
        if match["name"] == name:
            yield match.start(), next((one.start() for one in starts[number + 1 :] if not (section and one["indent"])), len(source))


def code_spans(source: str, name: str) -> Iterator[tuple[int, int]]:
    """Yield the spans (start, end) of the functions, classes, variables, proof lines and claims in Python code that have a name."""
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
                isinstance(child, ast.expr) and opened_name(child) == name
            ):
                yield span(child)
            else:
                yield from below(child, prefix)

    yield from below(ast.parse(source), "")


def opened_name(node: ast.expr) -> str:
    """Return the name of the proof line or claim that a chain of calls opens, "" for any other expression."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in OPENERS and node.args:
        first = node.args[0]
        return str(first.value) if isinstance(first, ast.Constant) else ""
    return ""
