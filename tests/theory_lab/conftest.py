"""A file of one's own, which several tests write."""

import itertools
import sys

import pytest

NUMBERS = itertools.count()


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Return a function that writes a module of this text below `tmp_path`, where "FILE:" is its name, and returns its path."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))

    def write(text):
        name = f"of_mine_{next(NUMBERS)}"  # a module is imported once per process
        file = tmp_path / f"{name}.py"
        file.write_text(text.replace("FILE:", f"{name}:"), encoding="utf-8")
        return str(file)

    return write
