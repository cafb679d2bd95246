"""The claims and errata of the papers, and of files that users add."""

import hashlib
import importlib
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType

from bounds import papers
from paper_checks.errata import Erratum, read_errata
from paper_checks.pages import claims as claim_pages
from paper_checks.pages.claims import FOLDER
from paper_checks.source_location import error_location
from paper_checks.verdict import Claim

PAPERS = tuple(papers.PAPERS)
LOADED_FILES: dict[Path, str] = {}  # loaded files, and a hash of each at that time


def claims(paper: str = "") -> tuple[Claim, ...]:
    """Return the claims of one paper, or of every paper if `paper` is ""."""
    return tuple(claim for one in ([paper] if paper else PAPERS) for claim in claim_pages.claims(one))


def errata(paper: str) -> tuple[Erratum, ...]:
    """Return the errata of a paper, in the order of their numbers; () for a file of the user."""
    return read_errata(FOLDER / paper / "errata.page") if paper in PAPERS else ()


def vocabulary(paper: str) -> dict[str, str]:
    """Return the words of a paper's report that need an explanation, {word: explanation}; {} for a file of the user."""
    return dict(getattr(importlib.import_module(f"paper_checks.{paper}"), "VOCABULARY", {})) if paper in PAPERS else {}


def load(file: Path, beside: Iterable[Path] = ()) -> ModuleType:
    """Load a user's file, a page or Python file, as a module with claims; raise ValueError if it is missing, changed or wrong.

    What it prints meanwhile goes to stderr. A page may quote the pages `beside` it.
    Raises ValueError if the file cannot be imported, if it has changed since it was imported, or if its CLAIMS or ERRATA are no tuple of
    claims or errata.
    """
    path = file.resolve()
    if path.suffix == ".page":
        if not path.is_file():
            raise ValueError(f"module = {str(file)!r}: an existing page is needed")
        from paper_checks.pages.own import load_page as load_page  # imported here: a page needs SymPy

        now = hashlib.sha256(path.read_bytes()).hexdigest()
        module = load_page(file, [one for one in beside if one.is_file() and one.resolve() != path])
        LOADED_FILES[path] = now
        return module
    if path.suffix != ".py" or not path.is_file():
        raise ValueError(f"module = {str(file)!r}: an existing Python file is needed")
    if not path.stem.isidentifier():
        raise ValueError(f"module = {str(file)!r}: a file name that is a Python identifier is needed, such as my_theorem.py")
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    try:
        now = hashlib.sha256(path.read_bytes()).hexdigest()
        changed = path.stem in sys.modules and LOADED_FILES.get(path, now) != now
        with redirect_stdout(sys.stderr):
            module = importlib.import_module(path.stem)
    except (Exception, SystemExit) as error:
        where = error_location(error, [path])
        said = f"it cannot be imported ({type(error).__name__}: {error})"
        raise ValueError(f"module = {str(file)!r}: {said}{f', {where}' if where else ''}") from error
    if Path(module.__file__ or "").resolve() != path:
        raise ValueError(f"module = {str(file)!r}: another module is called {path.stem!r} ({module.__file__}); rename the file")
    if changed:
        raise ValueError(f"module = {str(file)!r}: it has changed since it was imported; restart Python")
    LOADED_FILES[path] = now
    for name, kind, words in (("CLAIMS", Claim, "claims"), ("ERRATA", Erratum, "errata")):
        own = getattr(module, name, ())
        if not isinstance(own, tuple | list) or not all(isinstance(one, kind) for one in own):
            raise ValueError(f"module = {str(file)!r}: its {name} must be a tuple of {words}")
    return module
