"""The command ``theory-lab new``: write a commented page with a small theorem, to change into the user's own; no Python is needed."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from types import ModuleType

from bounds.strict_json import strict_json

DESCRIBED = (
    "Write a page with a small theorem and its proof to change into your own. The page is text and needs no Python. Example: "
    "theory-lab new theorem momentum, then theory-lab check momentum.page"
)
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def add_options(parser: argparse.ArgumentParser, modules: Sequence[ModuleType]) -> None:
    """Add the options of `theory-lab new` to its parser."""
    parser.add_argument("kind", choices=("theorem",), metavar="KIND", help="what to write: theorem")
    parser.add_argument("name", metavar="NAME", help="its name: letters, digits and _; the key is my.NAME, the file NAME.page")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the file to write (default: NAME.page in this folder)")
    parser.add_argument("--json", action="store_true", help="print the key and the file as JSON")
    parser.set_defaults(run="theory_lab.commands.new:run_new")


def run_new(arguments: argparse.Namespace) -> int:
    """Run the command `new`: write the page and print how to check it; raise ValueError for an invalid name or an existing file."""
    if not NAME.fullmatch(arguments.name):
        raise ValueError(f"name = {arguments.name!r}: a letter, then letters, digits and _ are needed")
    file = arguments.out or Path(f"{arguments.name}.page")
    if file.suffix != ".page":
        raise ValueError(f"out = {str(file)!r}: a file that ends in .page is needed")
    text = resources.files("theory_lab").joinpath("new_theorem.page").read_text(encoding="utf-8")
    page = text.replace("my.NAME", f"my.{arguments.name}").replace("FILE.page", str(file))
    try:
        with file.open("x", encoding="utf-8") as place:
            place.write(page)
    except FileExistsError:
        raise ValueError(f"out = {str(file)!r}: the file exists and is not overwritten; another name is needed") from None
    except OSError as error:
        raise ValueError(f"out = {str(file)!r}: it cannot be written ({error.strerror or error})") from None
    if arguments.json:
        print(strict_json({"key": f"my.{arguments.name}", "file": str(file)}))
    else:
        print(f"wrote {file}; check it with: theory-lab check {file}")
    return 0
