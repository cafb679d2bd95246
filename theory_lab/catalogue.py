"""What the lab has, by kind and name: what `list`, `show` and the documentation know without loading the theory and the checks.

Reading all statements, claims and errata takes seconds. So what is read is kept in the user's cache folder, under a hash of the sources
and of the versions that it depends on: it is never out of date, and made again where it is not there.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

KINDS = {  # every kind that `list` knows: what it is, and a command that goes on
    "methods": ("algorithms of the papers, and yours", "theory-lab simulate METHOD --help"),
    "oracles": ("how Gauss-PSGD estimates gradients", "theory-lab simulate gauss_psgd --oracle NAME"),
    "objectives": ("functions to run a method on", "theory-lab simulate dpzero --objective NAME"),
    "spectra": ("eigenvalues of the Hessian of an objective", "theory-lab simulate dpzero --spectrum NAME"),
    "figures": ("figures of the papers, drawn again, and more", "theory-lab figure NAME"),
    "models": ("neural networks whose memory is counted", "theory-lab memory --model NAME"),
    "theorems": ("statements of the papers, and sharper ones of the lab", "theory-lab show KEY"),
    "proofs": ("derivations, line by line", "theory-lab show KEY --proof"),
    "claims": ("what the papers claim, each with a verdict", "theory-lab show KEY, theory-lab check KEY"),
    "errata": ("what is wrong in the papers, numbered", "theory-lab show dpzero.E2"),
    "symbols": ("symbols of the formulas and names of parameters", "theory-lab explain SYMBOL"),
    "words": ("words of the field and of the lab", "theory-lab explain WORD"),
}
ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("bounds", "synthetic", "paper_checks", "figures", "theory_lab")
READ = (".py", ".page", ".txt")
GALLERY = "figures/gallery/"  # where the committed reports are
SPECTRA = {
    "flat": "eigenvalues 1, ..., 1",
    "inverse_sqrt": "eigenvalues 1/sqrt(i)",
    "inverse": "eigenvalues 1/i",
    "power:P": "eigenvalues i^-P, such as power:1.2",
}


@dataclass(frozen=True)
class Entry:
    """One thing that the lab has: its kind, its name, what it is in one line, and by label what `show` prints of it."""

    kind: str
    name: str
    words: str
    more: dict[str, Any] = field(default_factory=dict)


def entries(modules: Sequence[ModuleType] = ()) -> list[Entry]:
    """Return all that the lab has; `modules` are files of one's own, with which nothing is kept or read from the cache."""
    if modules:
        return list(read(modules))
    kept = cache_file()
    with contextlib.suppress(OSError, ValueError, TypeError):
        return [Entry(**one) for one in json.loads(kept.read_text(encoding="utf-8"))]
    found = list(read())
    with contextlib.suppress(OSError):
        keep(found, kept)
    return found


def keep(found: Iterable[Entry], file: Path) -> None:
    """Write a catalogue to the cache, where those of other sources are removed."""
    from figures.files import whole

    file.parent.mkdir(parents=True, exist_ok=True)
    with whole(file) as part:
        part.write_text(json.dumps([asdict(one) for one in found]), encoding="utf-8")
    for other in file.parent.glob("catalogue-*.json"):
        if other.name != file.name:
            other.unlink(missing_ok=True)


def cache_file() -> Path:
    """Return the file of the cache for these sources and versions: in $XDG_CACHE_HOME, or in ~/.cache."""
    from bounds.origin import version_of

    digest = hashlib.sha256(f"{platform.python_version()} {version_of('sympy')} {ROOT}".encode())
    for package in PACKAGES:
        for file in sorted(one for one in (ROOT / package).rglob("*") if one.suffix in READ and one.is_file()):
            digest.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + file.read_bytes())
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return folder / "dp-theory-lab" / f"catalogue-{digest.hexdigest()[:20]}.json"


def read(modules: Sequence[ModuleType] = ()) -> Iterator[Entry]:
    """Give all that the lab and files of one's own have, read from the sources."""
    yield from of_methods(modules)
    yield from of_figures(modules)
    yield from of_models()
    yield from of_theory(modules)
    yield from of_claims(modules)
    yield from of_symbols(modules)
    yield from of_words()


def of_methods(modules: Sequence[ModuleType]) -> Iterator[Entry]:
    """Give methods, oracles, objectives and spectra."""
    from theory_lab.methods import known

    methods = known(modules)
    for one in methods.values():
        runs = [word for word, has in (("simulate", True), ("recommend", one.plans), ("predict", one.law)) if has]
        variants = ", ".join(one.plans.columns) if one.plans else ""
        on = f"objectives such as {next(iter(one.kind.table))}" if one.kind else ""
        more = {"method": one.name, "is": one.words, "paper": one.paper, "runs on": on, "variants of its plans": variants}
        more["commands"] = ", ".join(f"theory-lab {word} {one.name} --help" for word in runs)
        yield Entry("methods", one.name, one.words, {label: said for label, said in more.items() if said})
    for name in dict.fromkeys(name for one in methods.values() for name in one.choices("oracle")):
        yield Entry("oracles", name, "gradient estimate of Gauss-PSGD")
    kinds = {name: one.kind for one in methods.values() if one.kind for name in one.kind.table}
    for name, kind in kinds.items():
        said = first_line(kind.made(name))
        takes = ", ".join(kind.takes)
        yield Entry("objectives", name, said, {"objective": name, "is": said, "takes": takes, "in Python": f"theory_lab.{name}"})
    for name, said in SPECTRA.items():
        yield Entry("spectra", name, said)


def first_line(of: Any) -> str:
    """Return the first sentence of a docstring, "" where there is none."""
    return " ".join((getdoc(of) or "").partition("\n\n")[0].split()).rstrip(".")


def of_figures(modules: Sequence[ModuleType]) -> Iterator[Entry]:
    """Give the figures."""
    from theory_lab.methods import figures, known

    for name, one in figures(known(modules).values()).items():
        said = one.titles.get(name, "")
        yield Entry("figures", name, said, {"figure": name, "shows": said, "drawn by": f"theory-lab figure {name}"})


def of_models() -> Iterator[Entry]:
    """Give the models whose memory is counted."""
    for file in sorted((ROOT / "bounds" / "dp_grape" / "models").glob("*.txt")):
        said = file.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")
        yield Entry("models", file.stem, said, {"model": file.stem, "is": said, "memory": f"theory-lab memory --model {file.stem}"})


def of_theory(modules: Sequence[ModuleType]) -> Iterator[Entry]:
    """Give theorems, with all that `show` prints of them, and proofs."""
    import bounds
    from theory_lab.own import table

    theorems = bounds.Library(table(modules, "THEOREMS"), bounds.THEOREMS)
    names = ("key", "title", "source", "claim", "measure", "assumptions", "method", "notes")
    for key in [*bounds.THEOREMS, *(one for one in theorems if one not in bounds.THEOREMS)]:
        one = theorems[key]
        as_json = {name: getattr(one, name) for name in names} | {"latex": one.latex(), "parameters": one.parameters}
        yield Entry("theorems", key, one.title, {"text": one.show(), "json": as_json})
    for key in (*bounds.DERIVATIONS, *table(modules, "DERIVATIONS")):
        said = theorems[key].title if key in theorems else "a result of the lab's own, used in other proofs"
        yield Entry("proofs", key, said)


def of_claims(modules: Sequence[ModuleType]) -> Iterator[Entry]:
    """Give claims, and errata, each with what belongs to it."""
    from bounds.origin import NAME, version_of
    from bounds.papers import PAPERS
    from paper_checks.place import written_at
    from paper_checks.verdict import paper_of
    from theory_lab.own import claims, errata
    from theory_lab.safe_html import anchor

    all_claims = claims(modules)
    papers = tuple(dict.fromkeys(paper_of(one.key) for one in all_claims))
    wrong = {paper: errata(modules, paper) for paper in papers}
    about = {f"{paper}.{name}": one for paper, several in wrong.items() for one in several for name in one.claims}
    for claim in all_claims:
        paper = paper_of(claim.key)
        known = PAPERS.get(paper)
        file, _, line = written_at(claim.examine).rpartition(":")
        where = f"{Path(file).relative_to(ROOT).as_posix() if Path(file).is_relative_to(ROOT) else file}:{line}"
        erratum = about.get(claim.key)
        more = {
            "claim": claim.key,
            "states": claim.words,
            "formula": claim.latex,
            "source": f"{claim.source} of {known.name} ({known.published})" if known else claim.source,
            "text read": known.read if known else "",
            "stated": claim.stated,
            "kind": claim.kind.value,
            "verdict": f"{claim.expected.value}: {claim.why}",
            "instead": claim.correction,
            "repaired by": claim.repaired_by,
            "proofs": " ".join(claim.derivations),
            "erratum": f"{paper}.{erratum.number}: {erratum.words}" if erratum else "",
            "link": f"{GALLERY}{paper.replace('_', '-')}-report.html#{anchor(claim.key)}" if known else "",
            "page": f"reference/{paper.replace('_', '-')}.html#{place('claim', claim.key)} of the documentation" if known else "",
            "cite as": f"{claim.key}, DP Theory Lab {version_of(NAME)}",
            "checked by": f"{where} {claim.examine.__qualname__}",
            "check again": f"theory-lab check {claim.key}",
        }
        yield Entry("claims", claim.key, claim.words, {label: said for label, said in more.items() if said})
    for paper, several in wrong.items():
        for one in several:
            key = f"{paper}.{one.number}"
            more = {"erratum": key, "states": one.words, "weight": one.weight, "mark": one.mark}
            more["claims"] = " ".join(f"{paper}.{name}" for name in one.claims)
            if known := PAPERS.get(paper):
                more |= {"paper": f"{known.titled} ({known.published})", "text read": known.read}
                more["link"] = f"{GALLERY}{paper.replace('_', '-')}-report.html#erratum-{paper}-{one.number}"
                more["page"] = f"reference/{paper.replace('_', '-')}.html#{place('erratum', key)} of the documentation"
            more["cite as"] = f"{key}, DP Theory Lab {version_of(NAME)}"
            yield Entry("errata", key, f"({one.mark}) {one.words}", more)


def place(what: str, name: str) -> str:
    """Return the place of a claim, an erratum or a word on its page of the documentation, such as erratum-dpzero-e2."""
    return f"{what}-" + re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def of_symbols(modules: Sequence[ModuleType]) -> Iterator[Entry]:
    """Give the symbols of the formulas: those that are shared, then those of each paper, then those of files of one's own."""
    from bounds import letters
    from theory_lab.glossary import symbol_facts

    facts = symbol_facts()
    papers = {one.name: "all papers" for one in letters.SHARED}
    papers |= {one.name: paper for paper in letters.PAPERS for one in letters.declared(paper) if one.name not in papers}
    known = {one.name: one for one in letters.LETTERS}
    if modules:
        known = dict(import_module("bounds.symbols").GLOSSARY)
    for name, one in known.items():
        unit, values, others = facts.get(name, ("", "", ""))
        more = {"symbol": name, "LaTeX": one.latex, "means": one.words, "role": one.role, "used by": papers.get(name, "")}
        more |= {"unit": unit, "values": values, "elsewhere": others}
        yield Entry("symbols", name, one.words, {label: said for label, said in more.items() if said})


def of_words() -> Iterator[Entry]:
    """Give the words of the glossary."""
    from theory_lab.glossary import words

    for one in words():
        more = {"word": one.name, "also": ", ".join(one.others), "means": one.text, "see": ", ".join(one.see)}
        first = one.text.partition(". ")[0].rstrip(".")
        yield Entry("words", one.name, first, {label: said for label, said in more.items() if said})
