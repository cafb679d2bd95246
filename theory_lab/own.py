"""The user's own files: what `--module FILE` adds to the lab, checked so that no name of the lab is taken."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from bounds.pages.tokens import PageErrors
from theory_lab.methods.record import Function, resolved

if TYPE_CHECKING:
    from paper_checks.errata import Erratum
    from paper_checks.verdict import Claim

PARTS = {  # tables that a file may define: description and class of an entry, and the lab's own table
    "METHODS": ("a method", "theory_lab.methods.record:Method", "theory_lab.methods:METHODS"),
    "THEOREMS": ("a theorem", "bounds.theorem:Theorem", "bounds:THEOREMS"),
    "DERIVATIONS": ("a derivation", "bounds.proofs.derivation:Derivation", "bounds:DERIVATIONS"),
    "OBJECTIVES": ("an objective", "collections.abc:Callable", "theory_lab:NAMES"),
    "LANDSCAPES": ("an objective with saddles", "collections.abc:Callable", "theory_lab:NAMES"),
}
SINGLE = {"METHODS": ("METHOD", "name"), "THEOREMS": ("THEOREM", "key")}  # the name for a single entry, and its attribute for the key
DEFINED = ("CLAIMS", "ERRATA", *PARTS, *(name for name, _ in SINGLE.values()))  # a file must define at least one of these


def load_files(files: Iterable[Path]) -> list[ModuleType]:
    """Import and check the user's own files, each once; return their modules.

    Raises ValueError for a file that is not Python or a page, cannot be imported, or defines an object of the wrong class.
    """
    from paper_checks import papers

    once = dict[Path, Path]()
    for file in files:
        once.setdefault(file.resolve(), file)
    pages = [file for file in once.values() if file.suffix == ".page"]
    found = [papers.load(file, pages) for file in once.values()]
    for module in found:
        if not any(hasattr(module, name) for name in DEFINED):
            raise ValueError(
                f"module = {module.__file__!r}: it defines nothing that the lab uses; at least one of {', '.join(DEFINED)} is needed"
            )
    for name in PARTS:
        user_entries(found, name)
    for paper in sorted({"", *(one.key.partition(".")[0] for module in found for one in getattr(module, "CLAIMS", ()))}):
        all_errata(found, paper)
    return found


def user_entries(modules: Iterable[ModuleType], name: str) -> dict[str, Any]:
    """Return what user files add to a table of PARTS, by name; raise ValueError for a wrong class or a name already taken."""
    word, of, lab = PARTS[name]
    alone, key = SINGLE.get(name, ("", ""))
    found: dict[str, Any] = {}
    for module in modules:
        given = getattr(module, name, {})
        if not isinstance(given, Mapping):
            raise ValueError(f"{name} in {module.__file__}: a dictionary is needed, with {word} for each name")
        entries = [(name, *entry) for entry in given.items()]
        if alone and hasattr(module, alone):
            one = getattr(module, alone)
            entries.append((alone, getattr(one, key, ""), one))
        for where, called, written in entries:
            one = resolve_entry(where, module.__file__, written, proof=name == "DERIVATIONS")
            if not isinstance(one, resolved(of)):
                needed = "a function" if of.endswith("Callable") else f"a {of.replace(':', '.')}"
                more = ""
                if name == "METHODS":
                    more = ", as declare(Class, loop, ...) returns it; several stand in METHODS = {name: record}"
                raise ValueError(f"{where} in {module.__file__}: {needed} is needed{more}")
            if name == "THEOREMS":
                try:
                    assert one.is_well_formed
                except ValueError as error:
                    raise ValueError(f"{where} in {module.__file__}: {error}") from None
            if called in found or called in resolved(lab):
                whose = "another of your files" if called in found else "the lab"
                raise ValueError(f"{where} in {module.__file__}: {whose} already has {word} {called!r}; another name is needed")
            found[called] = one
    return found


def resolve_entry(where: str, file: str | None, given: Any, proof: bool) -> Any:
    """Return the object that a table entry stands for: itself, the object at its address, or the proof that its function returns."""
    from bounds.pages.contents import import_object

    found = given
    if isinstance(given, str):
        try:
            found = import_object(given)
        except (ImportError, AttributeError) as error:
            said = f"{given!r} is not the address of a value, 'module:name' ({type(error).__name__}: {error})"
            raise ValueError(f"{where} in {file}: {said}") from error
    return call_checked(f"{where} in {file}", found, "no arguments") if proof and callable(found) else found


def all_errata(modules: Iterable[ModuleType], paper: str) -> tuple[Erratum, ...]:
    """Return the errata of a paper: the lab's, then those of the user's files, whose claims are about this paper.

    Raises ValueError for a number that occurs twice, for an erratum that names no claim or a claim not in CLAIMS, and for an unknown weight
    or mark.
    """
    from paper_checks import papers
    from paper_checks.errata import MARKS, WEIGHTS
    from paper_checks.verdict import paper_of

    found = {one.number: one for one in papers.errata(paper)}
    for module in modules:
        keys = {claim.key for claim in getattr(module, "CLAIMS", ())}
        for one in getattr(module, "ERRATA", ()):
            said = f"ERRATA in {module.__file__}: {one.number!r}"
            about = {of for of in map(paper_of, keys) if one.claims and all(f"{of}.{name}" in keys for name in one.claims)}
            if len(about) != 1:
                raise ValueError(f"{said} names {', '.join(one.claims) or 'no claim'}: keys of CLAIMS without the paper's name are needed")
            if one.weight not in WEIGHTS or one.mark not in MARKS:
                known = f"one of {', '.join(WEIGHTS)} and one of {', '.join(MARKS)}"
                raise ValueError(f"{said} has weight {one.weight!r} and mark {one.mark!r}: {known} are needed")
            if about != {paper}:
                continue
            if one.number in found:
                raise ValueError(f"{said}: {paper} already has an erratum with this number; another number is needed")
            found[one.number] = one
    return tuple(found.values())


def all_claims(modules: Sequence[ModuleType], paper: str = "") -> tuple[Claim, ...]:
    """Return the claims of the lab, or of one of its papers, followed by those of the user's files.

    Raises ValueError for a key that occurs twice.
    """
    from bounds.papers import PAPERS
    from paper_checks import papers
    from paper_checks.pages import claims as claim_pages

    own = user_claims(modules, {one.key for known in PAPERS for one in claim_pages.written_claims(known)}) if modules else ()
    return (*(papers.claims(paper) if not paper or paper in PAPERS else ()), *own)


def user_claims(modules: Iterable[ModuleType], taken: Iterable[str]) -> tuple[Claim, ...]:
    """Return the claims of the user's files; raise ValueError for a key that is among `taken` or occurs twice."""
    own, keys = tuple(one for module in modules for one in getattr(module, "CLAIMS", ())), {*taken}
    for one in own:
        if one.key in keys:
            raise ValueError(f"CLAIMS: there is already a claim {one.key!r}; another key is needed")
        keys.add(one.key)
    return own


def select_claims(modules: Sequence[ModuleType], select: Sequence[str]) -> tuple[Claim, ...]:
    """Return the claims that match the patterns `select`; without patterns, those of the user's files or, without files, of the lab."""
    from paper_checks import run

    known = all_claims(modules)
    if select or not modules:
        return run.select_claims(known, select)
    own = tuple(one for module in modules for one in getattr(module, "CLAIMS", ()))
    if not own:
        raise ValueError(f"module = {modules[0].__file__!r}: it must define CLAIMS, a tuple of at least one claim")
    return own


def call_checked(what: str, function: Function, needed: str, /, *given: Any, **settings: Any) -> Any:
    """Call a function or the one named 'module:name', and return its result; raise ValueError if it is missing or arguments do not fit.

    what      name of the function in error messages
    needed    description of the positional arguments `given` in error messages
    settings  keyword arguments, as the user gave them
    """
    from bounds.validate import argument_error

    try:
        found = resolved(function)
        signature = inspect.signature(found)
    except (ImportError, AttributeError) as error:
        said = f"{function!r} is not the address of a function, 'module:name' ({type(error).__name__}: {error})"
        raise ValueError(f"{what}: {said}") from error
    except TypeError:
        raise ValueError(f"{what}: a function of {needed} is needed, not {found!r:.80}") from None
    try:
        bound = signature.bind_partial(*given).arguments
    except TypeError:
        raise ValueError(f"{what}: a function of {needed} is needed, but it takes {', '.join(signature.parameters) or 'nothing'}") from None
    rest = [one for name, one in signature.parameters.items() if name not in bound]
    if said := argument_error(signature.replace(parameters=rest), (), settings):
        raise ValueError(f"{said} ({what})")
    return found(*given, **settings)


def error_sentence(error: Exception, files: Iterable[Path] = ()) -> str:
    """Return an error as a sentence, with the line of the user's file that caused it; "" for an internal error of the lab.

    files   the user's files, besides those that `load_files` imported
    """
    text = str(error) if isinstance(error, PageErrors) else " ".join(str(error).split())
    where, own = "", [*files]
    if "paper_checks.papers" in sys.modules:  # else no user file was imported by `load_files`
        from paper_checks import papers

        own += papers.LOADED_FILES
    if own:
        from paper_checks.source_location import error_location

        where = error_location(error, own)
    if isinstance(error, MemoryError):
        text = f"there is not enough memory; smaller numbers are needed{f' ({text})' if text else ''}"
    elif not isinstance(error, ValueError | OSError):
        if not where:
            return ""
        if type(error).__module__.startswith("numba."):
            from synthetic.compiled import error_reason

            text = error_reason(error)
        text = f"{type(error).__name__}: {text}".removesuffix(": ")
    return f"{text} ({where})" if where and where not in text else text
