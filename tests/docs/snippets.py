"""Find the snippets of README and of the pages in docs/, run them, and compare their output with that on the page.

    ```console            `$ command`, then its output; run in order, in a folder that the page has for itself
    ```{testcode}         Python, run in order in one namespace; ```{testoutput} has what the code before it prints
    ```{code-cell}        Python of a notebook, run in order; its output is made when the documentation is built
    ```sh                 commands that are not run, such as those of a cluster; those of the lab must still parse
    ```python             Python that is not run, but for a block below `<!-- run -->`; it must still compile

A comment in front of a fence says more: `<!-- file: NAME -->` writes the block to that file of the page's folder, `<!-- slow -->` runs the
block in `make verify` only. In an output, `...` stands for anything, as in doctest.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FENCE = re.compile(
    r"^(?P<marks>(?:<!-- [^\n]* -->\n)*)(?P<ticks>`{3,})(?P<kind>\{[\w-]+\}|[\w-]+)[^\n]*\n(?P<body>.*?)^(?P=ticks)$", re.M | re.S
)
LIKE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
RUN = ("console", "{testcode}", "{code-cell}")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: kind, text, line of its fence, start of the text in the page, and the comments in front of it."""

    kind: str
    body: str
    line: int
    start: int  # of the body, in the page
    marks: tuple[str, ...]

    @property
    def slow(self) -> bool:
        """Whether the block runs in `make verify` only."""
        return "slow" in self.marks

    @property
    def runs(self) -> bool:
        """Whether the block is run."""
        return self.kind in RUN or "run" in self.marks

    @property
    def file(self) -> str:
        """The name of the file that the block is written to, "" for none."""
        return next((mark.removeprefix("file:").strip() for mark in self.marks if mark.startswith("file:")), "")

    @property
    def code(self) -> str:
        """The Python of a block, without the options of its directive."""
        return re.sub(r"\A(?::[\w-]+:[^\n]*\n)+\n?", "", self.body)


def pages() -> list[Path]:
    """Return the paths of README and of every page of docs/."""
    written = [path for path in (ROOT / "docs").rglob("*.md") if not any(part.startswith("_") for part in path.relative_to(ROOT).parts)]
    return [ROOT / "README.md", *sorted(written)]


def blocks(text: str) -> list[Block]:
    """Return the fenced blocks of a page."""
    found = []
    for one in FENCE.finditer(text):
        marks = tuple(re.findall(r"<!-- (.*?) -->", one["marks"]))
        found.append(Block(one["kind"], one["body"], text.count("\n", 0, one.start("ticks")) + 1, one.start("body"), marks))
    return found


def commands_as_written(body: str) -> list[tuple[str, str]]:
    """Return the (command, expected output) pairs of a console block; commands keep their line breaks."""
    parts = re.split(r"^\$ ((?:.*\\\n)*.*)\n?", body, flags=re.M)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def commands(body: str) -> list[tuple[str, str]]:
    """Return the (command, expected output) pairs of a console block, each command on one line."""
    return [(in_one_line(command), output) for command, output in commands_as_written(body)]


def in_one_line(command: str) -> str:
    """Return a command on one line, without its line breaks."""
    return re.sub(r"\\\n\s*", "", command)


def run_command(command: str) -> str:
    """Run a command in the current folder; return its standard output, and its standard error too where it fails."""
    words = shlex.split(command)
    if words[0] != "theory-lab" or {"|", ">", "<", "&&"} & set(words) or ";" in command:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(["bash", "-c", command], capture_output=True, encoding="utf-8", check=False, env={**os.environ, "PATH": path})
        return done.stdout + (done.stderr if done.returncode else "")
    from theory_lab.cli import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main(words[1:])
        except SystemExit as left:
            status = int(left.code or 0)
    return out.getvalue() + (err.getvalue() if status else "")


def outputs_agree(expected: str, got: str) -> bool:
    """Return whether an output equals the expected one, up to white space and the parts that `...` stands for."""
    return doctest.OutputChecker().check_output(expected.rstrip() + "\n", got.rstrip() + "\n", LIKE)


@dataclass(frozen=True)
class Difference:
    """An output that differs from the page: line of the block, command, expected output and actual output."""

    line: int
    command: str
    expected: str
    got: str

    def __str__(self) -> str:
        """Return both outputs as text for a test report."""
        return f"line {self.line}: {self.command}\n--- the page has\n{self.expected}\n--- it prints\n{self.got}"


def run_python(code: str, namespace: dict[str, object], where: str) -> str:
    """Run Python code in a namespace and return what it prints; `where` names it in tracebacks."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, where, "exec"), namespace)
    return out.getvalue()


@contextlib.contextmanager
def page_imports(folder: Path) -> Iterator[None]:
    """Context manager: allow imports from a page's folder, and at the end unload its modules, so that pages can reuse file names."""
    import matplotlib

    here, paths = folder.resolve(), list(sys.path)
    sys.path.insert(0, str(here))
    try:
        with matplotlib.rc_context():  # a page may set a style
            yield
    finally:
        sys.path[:] = paths
        for name, module in list(sys.modules.items()):
            if (file := getattr(module, "__file__", None)) and Path(file).resolve().is_relative_to(here):
                del sys.modules[name]


def differences(text: str, folder: Path, *, slow: bool) -> Iterator[Difference]:
    """Run the blocks of a page in a folder, slow ones only if `slow`; yield the outputs that differ from the page."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    printed, last = "", None
    with contextlib.chdir(folder), page_imports(folder):
        for block in blocks(text):
            if block.file:
                Path(block.file).parent.mkdir(parents=True, exist_ok=True)
                Path(block.file).write_text(block.code, encoding="utf-8")
            if block.slow and not slow:
                last = None
                continue
            if block.kind == "console":
                for command, expected in commands(block.body):
                    if not outputs_agree(expected, got := run_command(command)):
                        yield Difference(block.line, command, expected, got)
            elif block.runs and not block.file:
                printed, last = run_python(block.code, namespace, f"line {block.line}"), block
            elif block.kind == "{testoutput}" and last is not None and not outputs_agree(block.code, printed):
                yield Difference(block.line, "{testoutput}", block.code, printed)
