"""The README's Python runs, and its commands exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text()


@pytest.mark.slow
def test_the_python_runs(capsys):
    for block in re.findall(r"```python\n(.*?)```", TEXT, re.S):
        exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out


def test_the_commands_parse_and_the_make_targets_exist():
    from theory_lab.cli import parser

    commands = re.findall(r"`theory-lab ([a-z][^`]*)`", TEXT)
    assert commands
    for command in commands:
        parser().parse_args(command.split())
    targets = set(re.findall(r"^([a-z0-9]+):", (ROOT / "Makefile").read_text(), re.M))
    assert set(re.findall(r"`?make ([a-z0-9]+)", TEXT)) <= targets


def test_the_pictures_are_committed():
    pictures = re.findall(r"\((figures/[^)]*\.png)\)", TEXT)
    assert pictures
    for picture in pictures:
        assert (ROOT / picture).exists(), picture
