"""What an unfinished run of claims has found: the same command, run again after any kind of end, goes on from there.

A finding is kept as the page shows it, under a hash of everything that determines it: the key and the arguments of its claim, quick or
full, the sources of the lab, of the folder that the claim is in and of files of one's own, and the versions of what computes. When a
run has ended its findings are taken out again, so that a complete one is never answered from memory.
"""

import hashlib
import inspect
import json
import platform
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from paper_checks.papers import IMPORTED
from paper_checks.run import BROKEN
from paper_checks.verdict import Claim, Finding, Outcome, Plot, Verdict, plain
from synthetic.sources import code_version, version_of
from synthetic.store import Store

PACKAGES = tuple(Path(__file__).parents[1] / name for name in ("bounds", "synthetic", "paper_checks"))
LIBRARIES = ("numpy", "scipy", "sympy", "mpmath", "numba", "dp_accounting", "flint", "sklearn")


class Journal:
    """The findings of one kind of run, quick or full, in a file of results."""

    def __init__(self, store: Store, *, full: bool) -> None:
        self.store, self.full = store, full

    def key(self, claim: Claim) -> str:
        """Return the name under which a claim's finding is kept."""
        text = json.dumps([claim.key, self.full, repr(claim.arguments_of(self.full)), sources(claim.examine), *versions()])
        return hashlib.sha256(text.encode()).hexdigest()

    def kept(self, claims: Iterable[Claim]) -> dict[str, tuple[Finding, float]]:
        """Return what is known of these claims, by their keys: the finding, and the seconds that it took."""
        names = {claim.key: self.key(claim) for claim in claims}
        there, found = self.store.sound(names.values()), {}
        for key, name in names.items():
            if name in there:
                try:
                    found[key] = read(there[name]), self.store.seconds(name)
                except (ValueError, TypeError, KeyError, AttributeError):  # no finding that was ever written here: as if it were not there
                    self.store.forget([name])
        return found

    def keep(self, verdict: Verdict) -> None:
        """Write down what was found, unless the examination broke off."""
        claim, finding = verdict.claim, verdict.finding
        if finding.sentence.startswith(BROKEN):
            return
        kind, arrays = "full" if self.full else "quick", {"finding": np.array(written(finding))}
        self.store.put(self.key(claim), claim.key, kind, sources(claim.examine), verdict.seconds, arrays)

    def forget(self, claims: Iterable[Claim]) -> None:
        """Take the findings about these claims out: the run has ended."""
        self.store.forget(self.key(claim) for claim in claims)


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
    """Return a hash of the Python files in the packages of the lab, and of those directly in any other folder.

    Where the sources of the lab are no files (in an archive, or left out), what they say is not known: the hash is then another in each
    process, and a run begins anew.
    """
    digest = hashlib.sha256()
    for folder in folders:
        files = sorted(folder.rglob("*.py") if folder in PACKAGES else folder.glob("*.py"))
        if not files and folder in PACKAGES:
            return secrets.token_hex()
        for file in filter(Path.is_file, files):  # not a folder, nor an editor's link to nothing
            digest.update(file.name.encode() + b"\0" + file.read_bytes())
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
