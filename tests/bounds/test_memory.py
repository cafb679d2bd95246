"""How much memory there is, as the theorems ask for it: `synthetic` has a file of its own with the same functions, tested there."""

import math

import pytest

from bounds import memory
from bounds.memory import available_memory, check_memory, format_bytes


@pytest.fixture
def files(monkeypatch, tmp_path):
    info, limit, used, parts = (tmp_path / name for name in ("meminfo", "max", "current", "stat"))
    monkeypatch.setattr(memory, "MEMINFO", info)
    monkeypatch.setattr(memory, "GROUPS", ((limit, used, parts, "inactive_file"),))
    monkeypatch.setattr(memory.os, "sysconf", lambda name: {"SC_PHYS_PAGES": 700, "SC_PAGE_SIZE": 4096}[name])
    return {"info": info, "limit": limit, "used": used, "parts": parts}


def test_what_the_system_says_is_there(files):
    assert available_memory() == 700 * 4096  # no file: all that the machine has
    files["info"].write_text("MemTotal:  900 kB\nMemAvailable:  500 kB\nHugePages_Total\n", encoding="ascii")
    assert available_memory() == 500 * 1024
    files["limit"].write_text("max\n", encoding="ascii")
    files["used"].write_text("5000\n", encoding="ascii")
    files["parts"].write_text("anon 1\ninactive_file 1000\n", encoding="ascii")
    assert available_memory() == 500 * 1024
    files["limit"].write_text("10000\n", encoding="ascii")
    assert available_memory() == 10000 - 5000 + 1000
    files["parts"].write_text("anon 1\n", encoding="ascii")
    assert available_memory() == 10000 - 5000
    files["used"].write_text("20000\n", encoding="ascii")
    assert available_memory() == 0  # more is used than allowed


def test_a_system_that_says_nothing_has_room(files, monkeypatch):
    monkeypatch.delattr(memory.os, "sysconf")
    assert available_memory() == math.inf
    check_memory(1e30, n=1)


def test_room_is_asked_for_above_16_MiB_only(files):
    files["info"].write_text("MemAvailable: 50000 kB\n", encoding="ascii")
    check_memory(50_000 * 1024, n=1)
    with pytest.raises(ValueError, match=r"^n = 3, d = 4: 51\.2 MB of memory are needed, and 51\.2 MB are available$"):
        check_memory(50_000 * 1024 + 1, n=3, d=4)
    files["info"].write_text("MemAvailable: 1 kB\n", encoding="ascii")
    check_memory(2**24, n=1)
    with pytest.raises(ValueError, match=r"1\.02 kB are available"):
        check_memory(2**24 + 1, n=1)


def test_bytes_in_words():
    sizes = {
        0: "0 bytes",
        1: "1 bytes",
        999: "999 bytes",
        1e3: "1 kB",
        1e6: "1 MB",
        8e11: "800 GB",
        3e12: "3 TB",
        1e24: "1 YB",
        1.5e28: "1.5e+04 YB",
    }
    assert {size: format_bytes(size) for size in sizes} == sizes
