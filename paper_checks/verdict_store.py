"""The store of verdicts: findings of earlier runs, so that an interrupted run continues and a finished one is looked up.

A finding is stored as the page shows it, under a hash of everything that determines it: the key and the arguments of its claim, quick or
full, the sources of the lab and the tables that they read, the sources of the user's own files and of the folder of the claim, and the
versions of Python and the libraries. (What a claim of the user reads is not known here.) The same command, run again after any kind of
end, continues with what an unfinished run has found. When a run has ended, its findings are stored as those of a finished run; a later
run uses these only if it is asked to.
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

from paper_checks.papers import LOADED_FILES
from paper_checks.run import BROKEN_OFF
from paper_checks.verdict import Claim, Finding, Outcome, Plot, Verdict, plain
from synthetic.sweeps.sources import COMPUTING, code_version, version_of
from synthetic.sweeps.store import Store

PACKAGES = tuple(Path(__file__).parents[1] / name for name in ("bounds", "synthetic", "paper_checks"))
LIBRARIES = (*COMPUTING, "flint")
SOURCE_SUFFIXES = (".py", ".page", ".txt")  # of files on which claims depend: sources, and the tables and models that they read
FUNCTION_REPR = re.compile(r"(<function \w+) at 0x[0-9a-f]+>")  # repr of a function at the top of a module
KINDS = {  # of runs: whether full, and whether finished
    (False, False): "quick", (True, False): "full", (False, True): "quick, finished", (True, True): "full, finished",
}  # fmt: skip


class StoredFinding(NamedTuple):
    """A stored finding about a claim, the seconds that its check took, and its date in UTC."""

    finding: Finding
    seconds: float
    when: str


class VerdictStore:
    """The stored findings of one kind of run, quick or full, in a file of results."""

    def __init__(self, store: Store, *, full: bool) -> None:
        self.store, self.full, self.began = store, full, hash_folders(*PACKAGES)

    def key(self, claim: Claim, *, finished: bool = False) -> str:
        """Return the SHA-256 key, as text, under which the finding of a claim is stored, for an unfinished or a finished run."""
        kind = KINDS[self.full, finished]
        text = json.dumps([claim.key, kind, arguments_text(claim, full=self.full), sources_hash(claim.examine), *library_versions()])
        return hashlib.sha256(text.encode()).hexdigest()

    def stored_findings(self, claims: Iterable[Claim], *, finished: bool = False) -> dict[str, StoredFinding]:
        """Return {claim key: StoredFinding} of the stored findings of these claims, from an unfinished or finished run of this code."""
        names = {claim.key: self.key(claim, finished=finished) for claim in claims}
        there, found = self.store.intact_cells(names.values()), {}
        for key, name in names.items():
            if name in there:
                try:
                    found[key] = StoredFinding(finding_from_json(there[name]), self.store.seconds(name), str(there[name]["when"]))
                except (ValueError, TypeError, KeyError, AttributeError):  # not written by this store: treated as missing
                    self.store.forget([name])
        return found

    def store_finding(self, verdict: Verdict) -> None:
        """Store the finding of one verdict as that of an unfinished run, unless its check broke off with an error."""
        claim, finding = verdict.claim, verdict.finding
        if finding.sentence.startswith(BROKEN_OFF):
            return
        arrays = {"finding": np.array(finding_to_json(finding)), "when": np.array(f"{datetime.now(UTC):%Y-%m-%d %H:%M}")}
        self.store.put(self.key(claim), claim.key, KINDS[self.full, False], lab_code_hash(), verdict.seconds, arrays)

    def finish(self, claims: Iterable[Claim]) -> bool:
        """Store the findings of these claims as those of a finished run; return False, and delete them, if the sources changed.

        They replace what a finished run of this kind found about the same claims before. Findings of finished runs of another code are
        deleted, whatever their claims. If the sources of the lab changed during the run, it is not known which version found what, since
        pages are opened when they are needed: then the findings are deleted.
        """
        by_name = {self.key(claim): claim for claim in claims}
        if hash_folders(*PACKAGES) != self.began:
            self.store.forget(by_name)
            return False
        kind, code = KINDS[self.full, True], lab_code_hash()
        cells = [
            (self.key(by_name[name], finished=True), by_name[name].key, kind, code, self.store.seconds(name), arrays)
            for name, arrays in self.store.intact_cells(by_name).items()
        ]
        told = {(cell[1], kind) for cell in cells}
        ended = {KINDS[full, True] for full in (False, True)}
        old = [key for key, (task, of, by) in self.store.cell_records().items() if of in ended and (by != code or (task, of) in told)]
        self.store.exchange([*by_name, *old], cells)
        return True


def arguments_text(claim: Claim, *, full: bool) -> str:
    """Return the arguments of a claim as text that is the same in every process: functions by name, without address."""
    return FUNCTION_REPR.sub(r"\1>", repr(claim.arguments_of(full)))


def lab_code_hash() -> str:
    """Return a SHA-256 hash of the sources of the packages that check claims, and of the library versions."""
    return hashlib.sha256(json.dumps([cached_hash(*PACKAGES), *library_versions()]).encode()).hexdigest()


@cache
def library_versions() -> tuple[str, ...]:
    """Return the versions of Python and of the numerical libraries, as a tuple."""
    return platform.python_version(), *(version_of(one) for one in LIBRARIES)


def sources_hash(examine: Callable[..., Any]) -> str:
    """Return hashes, as one text, of the sources that a check may use: of the lab, of the user's files, and of what these import.

    A user's file counts if it defines the check, and if it was loaded: a check of the lab may be given an object of it.
    """
    function = inspect.unwrap(examine)
    file = Path(inspect.getsourcefile(function) or __file__)
    own = {path.stem: path for path in sorted(LOADED_FILES)}
    if not any(file.is_relative_to(package) for package in PACKAGES):
        own[function.__module__] = file
    found = [cached_hash(*PACKAGES, *(path.parent for path in own.values())), *LOADED_FILES.values()]
    for module in own:
        with suppress(ValueError, ImportError):  # a module that cannot be found, or has no source
            found.append(code_version(module))
    return " ".join(found)


@cache
def cached_hash(*folders: Path) -> str:
    """Return the hash of these folders as `hash_folders` computed it at the first call."""
    return hash_folders(*folders)


def hash_folders(*folders: Path) -> str:
    """Return a SHA-256 hash of the sources and tables in the lab's packages, and of the Python files directly in other folders.

    If the sources of the lab are no files (in an archive, or left out), the hash differs in each process, and a run starts anew.
    """
    digest = hashlib.sha256()
    for folder in folders:
        ours = folder in PACKAGES
        files = sorted(one for one in folder.rglob("*") if one.suffix in SOURCE_SUFFIXES) if ours else sorted(folder.glob("*.py"))
        if ours and all(one.suffix != ".py" for one in files):
            return secrets.token_hex()
        for file in filter(Path.is_file, files):  # not a folder, nor an editor's link to nothing
            digest.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def finding_to_json(finding: Finding) -> str:
    """Return a Finding as JSON text, with numbers and witness converted by `plain`; curves may have points that are not finite."""
    said = {**vars(finding), "outcome": finding.outcome.value, "false_alarm": float(finding.false_alarm)}
    said |= {name: plain(said[name]) for name in ("numbers", "witness", "seed")}
    if plot := finding.plot:
        series = {name: [float(y) for y in values] for name, values in plot.series.items()}
        said["plot"] = {**vars(plot), "x": [float(x) for x in plot.x], "series": series}
    return json.dumps(said)


def finding_from_json(arrays: dict[str, np.ndarray]) -> Finding:
    """Return the Finding that `finding_to_json` wrote, from stored arrays with the text under "finding"."""
    values = json.loads(str(arrays["finding"]))
    plot = values.pop("plot")
    return Finding(**values | {"outcome": Outcome(values["outcome"]), "plot": Plot(**plot) if plot else None})
