"""What runs of claims have found: an unfinished one goes on from there, and a finished one answers who asks for it.

A finding is kept as the page shows it, under a hash of everything that determines it: the key and the arguments of its claim, quick or
full, the sources of the lab and the tables that they read, the sources of the folder that the claim is in and of files of one's own, and
the versions of what computes. (What a claim of one's own reads is not known here.) The same command, run again after any kind of end,
goes on from what an unfinished run has found. When a run has ended its findings are put down as those of a finished one, from which a
run takes what it is told to take, and otherwise nothing.
"""

import hashlib
import inspect
import json
import platform
import re
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from paper_checks.papers import IMPORTED
from paper_checks.run import BROKEN
from paper_checks.verdict import Claim, Finding, Outcome, Plot, Verdict, plain
from synthetic.sweeps.sources import COMPUTING, code_version, version_of
from synthetic.sweeps.store import Store

PACKAGES = tuple(Path(__file__).parents[1] / name for name in ("bounds", "synthetic", "paper_checks"))
LIBRARIES = (*COMPUTING, "flint")
READ = (".py", ".page", ".txt")  # endings of what claims rest on in a package: sources, and the tables and models that they read
FUNCTION = re.compile(r"(<function \w+) at 0x[0-9a-f]+>")  # at the top of a module
KINDS = {  # of runs: whether full, and whether finished
    (False, False): "quick", (True, False): "full", (False, True): "quick, finished", (True, True): "full, finished",
}  # fmt: skip


class Found(NamedTuple):
    """What a run before this one found about a claim, the seconds that it took, and when it was found, in UTC."""

    finding: Finding
    seconds: float
    when: str


class Journal:
    """The findings of one kind of run, quick or full, in a file of results."""

    def __init__(self, store: Store, *, full: bool) -> None:
        self.store, self.full, self.began = store, full, hashed(*PACKAGES)

    def key(self, claim: Claim, *, finished: bool = False) -> str:
        """Return the name under which a claim's finding of an unfinished run is kept, or of a finished one."""
        kind = KINDS[self.full, finished]
        text = json.dumps([claim.key, kind, arguments(claim, full=self.full), sources(claim.examine), *versions()])
        return hashlib.sha256(text.encode()).hexdigest()

    def kept(self, claims: Iterable[Claim], *, finished: bool = False) -> dict[str, Found]:
        """Return what an unfinished run, or a finished one, of the same code has found about these claims, by their keys."""
        names = {claim.key: self.key(claim, finished=finished) for claim in claims}
        there, found = self.store.sound(names.values()), {}
        for key, name in names.items():
            if name in there:
                try:
                    found[key] = Found(read(there[name]), self.store.seconds(name), str(there[name]["when"]))
                except (ValueError, TypeError, KeyError, AttributeError):  # no finding that was ever written here: as if it were not there
                    self.store.forget([name])
        return found

    def keep(self, verdict: Verdict) -> None:
        """Write down what was found just now, unless the examination broke off."""
        claim, finding = verdict.claim, verdict.finding
        if finding.sentence.startswith(BROKEN):
            return
        arrays = {"finding": np.array(written(finding)), "when": np.array(f"{datetime.now(UTC):%Y-%m-%d %H:%M}")}
        self.store.put(self.key(claim), claim.key, KINDS[self.full, False], code_of_lab(), verdict.seconds, arrays)

    def finish(self, claims: Iterable[Claim]) -> bool:
        """Put down what was found about these claims as findings of a finished run: the run has ended. Return whether that was done.

        They stand in place of what a finished run of this kind found about the same claims before. Findings of finished runs of another
        code are taken out, of whatever claims. Where the sources of the lab were changed while the run went on, it is not known which of
        them found what, since pages are opened when they are needed: then what was found is taken out.
        """
        by_name = {self.key(claim): claim for claim in claims}
        if hashed(*PACKAGES) != self.began:
            self.store.forget(by_name)
            return False
        kind, code = KINDS[self.full, True], code_of_lab()
        cells = [
            (self.key(by_name[name], finished=True), by_name[name].key, kind, code, self.store.seconds(name), arrays)
            for name, arrays in self.store.sound(by_name).items()
        ]
        told = {(cell[1], kind) for cell in cells}
        ended = {KINDS[full, True] for full in (False, True)}
        old = [key for key, (task, of, by) in self.store.labels().items() if of in ended and (by != code or (task, of) in told)]
        self.store.exchange([*by_name, *old], cells)
        return True


def arguments(claim: Claim, *, full: bool) -> str:
    """Return the arguments of a claim as text, the same in every process: of a function its name, for its source is in the key."""
    return FUNCTION.sub(r"\1>", repr(claim.arguments_of(full)))


def code_of_lab() -> str:
    """Return a hash of the sources of the lab that examine claims, and of the versions of what computes."""
    return hashlib.sha256(json.dumps([hash_of(*PACKAGES), *versions()]).encode()).hexdigest()


@cache
def versions() -> tuple[str, ...]:
    """Return the versions of Python and of the libraries that compute."""
    return platform.python_version(), *(version_of(one) for one in LIBRARIES)


def sources(examine: Callable[..., Any]) -> str:
    """Return a hash of the sources of the lab, and of those beside any file of one's own and of what that imports.

    Such is the file of a function that is another's, and every one that was loaded: a claim whose function is the lab's may hand it
    an object of theirs.
    """
    function = inspect.unwrap(examine)
    file = Path(inspect.getsourcefile(function) or __file__)
    own = {path.stem: path for path in sorted(IMPORTED)}
    if not any(file.is_relative_to(package) for package in PACKAGES):
        own[function.__module__] = file
    found = [hash_of(*PACKAGES, *(path.parent for path in own.values())), *IMPORTED.values()]
    for module in own:
        with suppress(ValueError, ImportError):  # a module that no name finds, or without its source
            found.append(code_version(module))
    return " ".join(found)


@cache
def hash_of(*folders: Path) -> str:
    """Return what `hashed` returned when it was first asked for these folders."""
    return hashed(*folders)


def hashed(*folders: Path) -> str:
    """Return a hash of the Python files in the packages of the lab and of what they read, and of those directly in any other folder.

    Where the sources of the lab are no files (in an archive, or left out), what they say is not known: the hash is then another in each
    process, and a run begins anew.
    """
    digest = hashlib.sha256()
    for folder in folders:
        ours = folder in PACKAGES
        files = sorted(one for one in folder.rglob("*") if one.suffix in READ) if ours else sorted(folder.glob("*.py"))
        if ours and all(one.suffix != ".py" for one in files):
            return secrets.token_hex()
        for file in filter(Path.is_file, files):  # not a folder, nor an editor's link to nothing
            digest.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def written(finding: Finding) -> str:
    """Return a finding as JSON, numbers and witness as `plain` has them; a curve may have points that are not finite."""
    said = {**vars(finding), "outcome": finding.outcome.value, "false_alarm": float(finding.false_alarm)}
    said |= {name: plain(said[name]) for name in ("numbers", "witness", "seed")}
    if plot := finding.plot:
        series = {name: [float(y) for y in values] for name, values in plot.series.items()}
        said["plot"] = {**vars(plot), "x": [float(x) for x in plot.x], "series": series}
    return json.dumps(said)


def read(arrays: dict[str, np.ndarray]) -> Finding:
    """Return the finding that `written` wrote."""
    values = json.loads(str(arrays["finding"]))
    plot = values.pop("plot")
    return Finding(**values | {"outcome": Outcome(values["outcome"]), "plot": Plot(**plot) if plot else None})
