"""The record of a planted fault, and the reader of fault files.

A file holds blocks, with blank lines between them:

    noise with half its standard deviation      the name of the fault
    in bounds/privacy/gaussian.py:sigma_of    a file (code or a page) or a folder; after a colon a name there, see `plant`
    - return C * sigma                          the old text, which occurs there exactly once
    + return C * sigma / 2                      the new text; none: the old text is removed
    noticed by dpzero.lemma_2_2.up_to_83        the claims, separated by commas, the quickest first; at least one must notice

A line that starts with # is a comment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
IN, OLD, NEW, CLAIMS = "in ", "-", "+", "noticed by "
ORDER = (IN, OLD, NEW, CLAIMS)


@dataclass(frozen=True)
class Fault:
    """A planted fault: replace `old`, which occurs exactly once in `place`, by `new`; one of `claims` must notice.

    paper, subject   folder and name of the file that the fault is in
    """

    name: str
    place: str
    old: str
    new: str
    claims: tuple[str, ...]
    paper: str = ""
    subject: str = ""


@cache
def load_faults(folder: Path = FOLDER) -> tuple[Fault, ...]:
    """Read the faults of all papers; raise ValueError where a file is malformed or two faults have the same name."""
    files = sorted(folder.glob("*/*.txt"))
    faults = tuple(fault for file in files for fault in read_faults(file.read_text(encoding="utf-8"), file.parent.name, file.stem))
    repeated = sorted(name for name, count in Counter(fault.name for fault in faults).items() if count > 1)
    if repeated:
        raise ValueError(f"{repeated[0]!r}: two planted faults have this name")
    return faults


def read_faults(text: str, paper: str = "", subject: str = "") -> tuple[Fault, ...]:
    """Parse the text of a fault file; return its faults, or raise ValueError with the line number where it is malformed."""
    return tuple(_read_block(block, paper, subject) for block in _blocks(text))


def _blocks(text: str) -> Iterator[list[tuple[int, str]]]:
    """Yield each block of a text as a list of (line number, line), without comments."""
    block: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            continue
        if line.strip():
            block.append((number, line))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _read_block(block: list[tuple[int, str]], paper: str, subject: str) -> Fault:
    """Parse a block of numbered lines into a fault; raise ValueError where it is malformed."""
    (first, name), *rest = block
    where = f"{paper}/{subject}.txt, line "
    if _line_marker(name) not in ("", IN):  # a name may begin with "in"
        raise ValueError(f"{where}{first}: a fault begins with its name, not with {name!r}")
    found: dict[str, list[str]] = {kind: [] for kind in ORDER}
    before = 0
    for number, line in rest:
        kind = _line_marker(line)
        if not kind:
            raise ValueError(f"{where}{number}: {line!r} is none of 'in PLACE', '- old text', '+ new text', 'noticed by CLAIMS'")
        if ORDER.index(kind) < before or (kind in (IN, CLAIMS) and found[kind]):
            raise ValueError(f"{where}{number}: a fault has its place, its old text, its new text and its claims, in this order")
        before = ORDER.index(kind)
        found[kind].append(line[2:] if kind in (OLD, NEW) else line.removeprefix(kind).strip())
    for kind, words in ((IN, "a place, 'in ...'"), (OLD, "an old text, '- ...'"), (CLAIMS, "claims, 'noticed by ...'")):
        if not found[kind]:
            raise ValueError(f"{where}{first}: the fault {name!r} needs {words}")
    old, new = "\n".join(found[OLD]), "\n".join(found[NEW])
    if old == new:
        raise ValueError(f"{where}{first}: the fault {name!r} changes nothing")
    claims = tuple(one.strip() for one in found[CLAIMS][0].split(","))
    if not all(claims):
        raise ValueError(f"{where}{first}: the fault {name!r} has a comma too many between its claims")
    return Fault(name, found[IN][0], old, new, claims, paper, subject)


def _line_marker(line: str) -> str:
    """Return the marker of the part of a fault that a line holds (IN, OLD, NEW or CLAIMS), "" for a name."""
    return next((kind for kind in (IN, CLAIMS) if line.startswith(kind)), next((k for k in (OLD, NEW) if line[:2].rstrip() == k), ""))
