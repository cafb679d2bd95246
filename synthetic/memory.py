"""Available memory, checked before a large array is allocated.

`bounds` has the same file, because `bounds` and `synthetic` import nothing of each other.
"""

import math
import os
from contextlib import suppress
from pathlib import Path

from synthetic.validate import short_repr

MEMINFO = Path("/proc/meminfo")
CGROUP, CGROUP_1 = Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/memory")
GROUPS = (  # files of Linux control groups: limit, usage, statistics, and the statistic of memory that is freed on demand
    (CGROUP / "memory.max", CGROUP / "memory.current", CGROUP / "memory.stat", "inactive_file"),
    (CGROUP_1 / "memory.limit_in_bytes", CGROUP_1 / "memory.usage_in_bytes", CGROUP_1 / "memory.stat", "total_inactive_file"),
)
UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB")


def available_memory() -> float:
    """Return how many bytes of memory can be allocated now without swapping; inf where the system does not report it."""
    free = [math.inf]
    with suppress(OSError, KeyError):
        free.append(1024 * _first_numbers(MEMINFO)["MemAvailable"])
    if len(free) == 1:
        with suppress(OSError, ValueError, AttributeError):
            free.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for limit, used, parts, given_back in GROUPS:
        with suppress(OSError, ValueError):  # "max" is no number: there is no limit
            free.append(
                int(limit.read_text(encoding="ascii")) - int(used.read_text(encoding="ascii")) + _first_numbers(parts).get(given_back, 0)
            )
    return max(0, min(free))


def check_memory(size: float, **sizes: object) -> None:
    """Check that `size` bytes of memory are available; if not, raise ValueError with the names and values of `sizes`."""
    if size <= 2**24 or size <= (there := available_memory()):
        return
    named = ", ".join(f"{name} = {short_repr(value)}" for name, value in sizes.items())
    raise ValueError(f"{named}: {format_bytes(size)} of memory are needed, and {format_bytes(there)} are available")


def format_bytes(size: float) -> str:
    """Format a number of bytes with three digits and a unit, for instance "800 GB"."""
    exponent = int(f"{max(size, 1):.2e}".partition("e")[2])  # of the rounded number: 999,999 bytes are 1 MB
    power = min(len(UNITS) - 1, exponent // 3)
    return f"{size / 1000**power:.3g} {UNITS[power]}"


def _first_numbers(path: Path) -> dict[str, int]:
    """Read a file of lines "name number ..."; return the first number of each line by the name."""
    lines = (line.replace(":", " ").split() for line in path.read_text(encoding="ascii").splitlines())
    return {words[0]: int(words[1]) for words in lines if len(words) > 1 and words[1].isdigit()}
