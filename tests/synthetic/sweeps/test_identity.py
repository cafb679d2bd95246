"""The digest of code and data in memory: equal for what computes the same, another for each change, and a sentence where it is unknown."""

import functools
import runpy
import subprocess
import sys

import numpy as np
import pytest

from synthetic.methods.dpzero import DP_GD, DPZERO
from synthetic.sweeps.identity import digest

FILE = """
import numpy as np
from numba import njit
{first}
SCALE = {scale}

@njit
def inner(x):
    return {inner}

def make(power):
    def loss(x, row):
        {comment}
        return inner(x) * SCALE + power * {helper}
    return loss

loss = njit(make({power}))
"""
SAME = {"scale": 2.0, "inner": "x + 1.0", "power": 3.0, "helper": "np.sum(x)", "comment": "pass", "first": ""}


def digest_of_file(folder, **changes):
    (folder / "own.py").write_text(FILE.format(**SAME | changes), encoding="utf-8")
    return digest("objective", runpy.run_path(str(folder / "own.py"))["loss"])


def test_a_users_function_counts_with_all_that_it_refers_to(tmp_path):
    first = digest_of_file(tmp_path)
    assert digest_of_file(tmp_path) == first
    assert digest_of_file(tmp_path, comment="# a comment\n        pass", first="import os") == first
    changes = [{"scale": 2.5}, {"inner": "x + 2.0"}, {"inner": "x * 1.0"}, {"power": 4.0}, {"helper": "np.prod(x)"}]
    found = {first, *(digest_of_file(tmp_path, **one) for one in changes)}
    assert len(found) == 1 + len(changes)


def test_a_users_module_counts_by_what_is_used_of_it(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)

    def with_helper(text):
        (tmp_path / "helping_37.py").write_text(text, encoding="utf-8")
        sys.modules.pop("helping_37", None)
        sys.path_importer_cache.clear()
        monkeypatch.setattr(sys, "dont_write_bytecode", True)
        return digest_of_file(tmp_path, first="import helping_37", helper="helping_37.shift(x)")

    one = with_helper("def shift(x):\n    return x + 1\n\nUNUSED = 1\n")
    assert with_helper("def shift(x):\n    return x + 1\n\nUNUSED = 2\n") == one
    assert with_helper("def shift(x):\n    return x + 22\n\nUNUSED = 1\n") != one


def test_another_process_finds_the_same_digest():
    code = "from synthetic.sweeps.identity import digest; from synthetic.methods.dpzero import DPZERO; print(digest('method', DPZERO))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == digest("method", DPZERO) != digest("method", DP_GD)


def test_values_of_another_type_or_shape_are_other_values():
    values = [
        1,
        1.0,
        True,
        "1",
        None,
        (1,),
        [1],
        np.array([1]),
        np.array([1.0]),
        np.array([[1]]),
        np.float32(1),
        {"a": 1},
        {"b": 1},
        -0.0,
        0.0,
    ]
    assert len({digest("objective", one) for one in values}) == len(values)
    once = [1.0]
    assert digest("objective", (once, once)) != digest("objective", (once, 2.0))
    assert digest("objective", functools.partial(max, 1)) != digest("objective", functools.partial(max, 2))
    recursive = []
    recursive.append(recursive)
    assert digest("objective", recursive)


def test_what_cannot_be_compared_later_is_said():
    with pytest.raises(ValueError, match=r"^store: results cannot be kept for this objective, because it refers to Generator"):
        digest("objective", np.random.default_rng(0))

    class Own:
        pass

    with pytest.raises(ValueError, match=r"^store: results cannot be kept for this method, because it refers to <class"):
        digest("method", (1, Own))
