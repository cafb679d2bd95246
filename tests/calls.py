"""How tests call the command line: its exit status in this process, and what it prints in one of its own that loads nothing heavy."""

import subprocess
import sys
from pathlib import Path

from theory_lab.cli import main

ROOT = Path(__file__).parents[1]
LIGHT = """
import sys
from theory_lab.cli import main
try:
    main(sys.argv[1:])
except SystemExit as end:
    assert not end.code
heavy = {"numpy", "scipy", "sympy", "numba", "matplotlib", "rich"} & set(sys.modules)
assert not heavy, heavy
"""


def exit_status(argv):
    """Run a command in this process and return its exit status, whether it returns or exits."""
    try:
        return main(argv)
    except SystemExit as end:
        return end.code


def print_lightly(*argv):
    """Run a command in a process of its own, fail if it loads one of the heavy libraries, and return what it prints."""
    call = [sys.executable, "-c", LIGHT, *argv]
    return subprocess.run(call, check=True, capture_output=True, encoding="utf-8", cwd=ROOT).stdout
