"""The user's files of commands whose cells other processes compute: what of them a cell uses, and how a worker imports it."""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import decode_source
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from theory_lab.methods import all_methods
from theory_lab.methods.record import Method
from theory_lab.own import error_sentence, user_entries

if TYPE_CHECKING:
    from synthetic.sweeps.carried import Carried
    from synthetic.sweeps.workers import Workers

USED = ("METHODS", "OBJECTIVES", "LANDSCAPES")  # the tables of PARTS that a cell can use


@dataclass(frozen=True)
class OwnFiles:
    """The user's files of a command, as they are when it starts.

    files     path -> (name of its module, SHA-256 of its text)
    versions  path -> hash of its text and of all that it imports; results of another version are not used again
    defines   (table of PARTS, name) -> the path of the file that defines it
    carried   their texts, for the workers
    """

    files: Mapping[str, tuple[str, str]]
    versions: Mapping[str, str]
    defines: Mapping[tuple[str, str], str]
    carried: Carried

    def of_run(self, method: str, listed: str = "", objective: str = "") -> dict[str, str]:
        """Return {path: version} of the files that define a run's method or its objective, an entry of the table `listed`."""
        found = [self.defines.get(("METHODS", method)), self.defines.get((listed, objective))]
        return {path: self.versions[path] for path in dict.fromkeys(found) if path}

    def only(self, paths: Iterable[str]) -> OwnFiles:
        """Return these files without those that are not among `paths`; raise ValueError, in one sentence, for the first of those."""
        used = set(paths)
        for path in self.files:
            if path not in used:
                defined = [name for (_, name), where in self.defines.items() if where == path]
                has = f"it defines {', '.join(defined)}" if defined else "it defines neither a method nor an objective"
                raise ValueError(f"module = {path!r}: nothing of it is used here; {has}; leave --module out, or name what is to be used")
        return self

    def provenance(self) -> dict[str, dict[str, str]]:
        """Return {module: SHA-256 and text} of the files and of the modules that they import, for the provenance of a result."""
        return {one.name: {"sha256": sha256(one.text), "text": one.text} for one in self.carried.modules}

    def changed(self) -> list[str]:
        """Return a sentence for each file whose text is no longer the one that the command started with."""
        return [
            f"{one.file} has changed since the command started; the results are those of the file as it was then"
            for one in self.carried.modules
            if Path(one.file).is_file() and decode_source(Path(one.file).read_bytes()) != one.text
        ]

    @contextmanager
    def carrying(self, workers: Workers) -> Iterator[Workers]:
        """Yield an executor on these workers whose calls can import the files; `workers` themselves where there are no files."""
        from synthetic.sweeps.carried import Carrying
        from synthetic.sweeps.workers import open_executor

        if not self.files:
            yield workers
        else:
            with open_executor(workers) as pool:
                yield Carrying(pool, self.carried)


def noise_remark(method: str) -> str:
    """Return the sentence that says for which releases the noise of a user's method is computed."""
    return (
        f"sigma of {method} is for a method that releases in each step one mean over the batch of contributions of norm at most C, with "
        f"this noise, and nothing else; theory-lab audit {method} attacks that claim."
    )


def sha256(text: str) -> str:
    """Return the SHA-256 of a text, as hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_own(modules: Sequence[ModuleType]) -> OwnFiles:
    """Return the user's imported files, with the text of each and of the modules beside it that it imports.

    Raises ValueError for a page, which defines no method or objective, and for a file that has changed since it was imported.
    """
    from paper_checks.papers import LOADED_FILES
    from synthetic.sweeps.carried import Carried, pack

    if not modules:
        return OwnFiles({}, {}, {}, Carried())
    paths = {module.__name__: str(Path(module.__file__ or "").resolve()) for module in modules}
    for path in paths.values():
        if path.endswith(".page"):
            raise ValueError(f"module = {path!r}: a page defines neither a method nor an objective; leave it out")
    carried = pack(paths)
    texts = {one.name: one.text for one in carried.modules}
    for path in paths.values():
        if LOADED_FILES.get(Path(path)) != hashlib.sha256(Path(path).read_bytes()).hexdigest():
            raise ValueError(f"module = {path!r}: it has changed since it was imported; run the command again")
    defines = {(table, name): paths[one.__name__] for one in modules for table in USED for name in user_entries([one], table)}
    files = {path: (name, sha256(texts[name])) for name, path in paths.items()}
    return OwnFiles(files, {paths[name]: version for name, version in carried.versions}, defines, carried)


def methods_of(files: Mapping[str, str]) -> Mapping[str, Method]:
    """Return the lab's methods and those of the user's files {path: version}, by name; import the files, which the call carries.

    Raises ValueError where a carried file has another version.
    """
    if not files:
        return all_methods()
    from synthetic.sweeps.carried import FINDER

    versions = dict(FINDER.carried.versions)
    for path, version in files.items():
        if versions.get(Path(path).stem, version) != version:
            raise ValueError(f"{path}: a worker has another version of this file; run the command again")
    return all_methods([importlib.import_module(Path(path).stem) for path in files])


@contextmanager
def readable_errors(files: Mapping[str, Any]) -> Iterator[None]:
    """Turn an error that the user's files caused into a ValueError, a sentence with the line: other processes lose the traceback."""
    try:
        yield
    except Exception as error:
        if files and (said := error_sentence(error, map(Path, files))):
            raise ValueError(said) from None
        raise
