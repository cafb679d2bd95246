"""Start and query the process that checks claims on changed sources, see `server`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from tests.faults.plant import plant
from tests.faults.text import Fault
from tests.papers import PAPERS, of

ROOT = Path(__file__).parents[2]
# these claims run many steps and need the compiler; for the others checking without it is quicker than compiling
COMPILED = frozenset(f"{paper}.{key}" for paper in PAPERS for key in of(paper, "ledger.COMPILED"))
ENVIRONMENT = {
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "NUMBA_OPT": "1",  # compiled code runs briefly here: less optimisation saves a sixth of the time
}


@dataclass(frozen=True)
class Answer:
    """The result of checking claims: outcome, recorded outcome and sentence by key (`found`), and CPU seconds."""

    found: Mapping[str, tuple[str, str, str]]
    seconds: float

    @property
    def differing(self) -> dict[str, tuple[str, str, str]]:
        """Return the claims whose outcome is not the recorded one, by key."""
        return {key: one for key, one in self.found.items() if one[0] != one[1]}


class Checker:
    """The process that checks claims; it is started once. Use it in a `with` statement."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        command = [sys.executable, "-m", "tests.faults.server", str(root)]
        environment = {**os.environ, **ENVIRONMENT}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", cwd=ROOT, env=environment)

    def __enter__(self) -> Checker:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def try_fault(self, fault: Fault) -> Answer:
        """Plant a fault and check its claims until an outcome differs from the recorded one; return the answer."""
        file, text = plant(self.root, fault)
        return self.request(file.relative_to(self.root).as_posix(), text, fault.claims, compiled=bool(COMPILED.intersection(fault.claims)))

    def try_unchanged(self, claims: Iterable[str], *, compiled: bool) -> Answer:
        """Check claims on the unchanged sources; return the answer."""
        return self.request("", "", claims, compiled=compiled, every=True)

    def request(self, file: str, text: str, claims: Iterable[str], *, compiled: bool, every: bool = False) -> Answer:
        """Check claims with one file changed; return the answer, or raise RuntimeError where they cannot be checked.

        every   go on after a claim whose outcome differs
        """
        assert self.process.stdin
        assert self.process.stdout
        request = {"file": file, "text": text, "claims": list(claims), "compiled": compiled, "all": every}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process that checks claims ended with status {self.process.wait()}")
        said = json.loads(line)
        if "error" in said:
            raise RuntimeError(f"the claims were not checked: {said['error']}")
        return Answer({key: tuple(one) for key, one in said["found"].items()}, said["seconds"])
