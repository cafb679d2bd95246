"""The catalogue: all named things of the lab by kind, for `list`, `show`, `explain` and the documentation. Pages are read on demand."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from paper_checks.errata import Erratum
    from paper_checks.verdict import Claim

KINDS = {  # every kind of `list`: its description, and a command for more
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
GALLERY = "figures/gallery/"  # folder of the committed reports
SPECTRA = {
    "flat": "eigenvalues 1, ..., 1",
    "inverse_sqrt": "eigenvalues 1/sqrt(i)",
    "inverse": "eigenvalues 1/i",
    "power:P": "eigenvalues i^-P, such as power:1.2",
}


class Entry:
    """A named thing of the lab: its kind, its name, a line about it, and the facts that `show` prints, by label.

    Facts that take long to compute are given as a function, which is called on demand. `about` has the keys of the proofs of a claim, or of
    the claims of an erratum.
    """

    def __init__(
        self,
        kind: str,
        name: str,
        words: str,
        more: Mapping[str, Any] | Callable[[], Mapping[str, Any]] | None = None,
        about: tuple[str, ...] = (),
    ) -> None:
        self.kind, self.name, self.words, self.about = kind, name, words, about
        self._more = more

    @property
    def more(self) -> dict[str, Any]:
        """The facts that `show` prints, by label."""
        if callable(self._more):
            self._more = self._more()
        return dict(self._more or {})

    def __repr__(self) -> str:
        return f"Entry({self.kind}: {self.name}, {self.words!r})"


class Catalogue:
    """The entries of the lab and of the user's own files; each kind is read on demand."""

    def __init__(self, modules: Sequence[ModuleType] = ()) -> None:
        self.modules = modules
        self.found: dict[str, list[Entry]] = {}

    def of(self, *kinds: str) -> list[Entry]:
        """Return the entries of the given kinds as a list; a kind is read on its first use."""
        for kind in kinds:
            if kind not in self.found:
                together, reader = next((one, reader) for one, reader in READERS.items() if kind in one)
                self.found |= {one: [] for one in together}
                for entry in reader(self.modules):
                    self.found[entry.kind].append(entry)
        return [one for kind in kinds for one in self.found[kind]]


def all_entries(modules: Sequence[ModuleType] = ()) -> list[Entry]:
    """Return all entries of the lab and of the user's own files `modules`."""
    return catalogue(modules).of(*KINDS)


def catalogue(modules: Sequence[ModuleType] = ()) -> Catalogue:
    """Return the catalogue of the lab and of the user's own files `modules`; without files it is cached."""
    return Catalogue(modules) if modules else lab_catalogue()


@cache
def lab_catalogue() -> Catalogue:
    """Return the catalogue of the lab alone, without user files; it is cached."""
    return Catalogue()


def method_entries(modules: Sequence[ModuleType]) -> Iterator[Entry]:
    """Yield the catalogue's entries of methods, of gradient oracles, of objectives and of spectra, with the facts that `show` prints."""
    from theory_lab import NAMES
    from theory_lab.methods import METHODS, all_methods

    methods = all_methods(modules)
    for one in methods.values():
        runs = [word for word, has in (("simulate", True), ("recommend", one.plans), ("predict", one.law)) if has]
        variants = ", ".join(one.plans.columns) if one.plans else ""
        on = f"objectives such as {next(iter(one.kind.table))}" if one.kind else ""
        more: dict[str, Any] = {"method": one.name, "is": one.words, "paper": one.paper, "runs on": on, "variants of its plans": variants}
        more["commands"] = ", ".join(f"theory-lab {word} {one.name} --help" for word in runs)
        if one.declared:
            name = one.declared.__name__
            more["in Python"] = f"lab.{name}(...)" if METHODS.get(one.name) is one else f"{name}(...)"
            more["settings"] = "\n".join(f"{field.name}: {field.described}" for field in one.declared.fields)
            more["schema"] = one.declared.schema()
        yield Entry("methods", one.name, one.words, {label: said for label, said in more.items() if said})
    for name in dict.fromkeys(name for one in methods.values() for name in one.choices("oracle")):
        yield Entry("oracles", name, "gradient estimate of Gauss-PSGD")
    kinds = {name: one.kind for one in methods.values() if one.kind for name in one.kind.table}
    for name, kind in kinds.items():
        said = first_paragraph(read_docstring(kind.table[name]))
        facts = {"objective": name, "is": said, "takes": ", ".join(kind.takes)}
        if name in NAMES:
            facts["in Python"] = f"theory_lab.{name}"
        yield Entry("objectives", name, said, {label: text for label, text in facts.items() if text})
    for name, said in SPECTRA.items():
        yield Entry("spectra", name, said)


def first_paragraph(text: str) -> str:
    """Return the first paragraph of a docstring on one line, without its full stop."""
    return " ".join(text.partition("\n\n")[0].split()).rstrip(".")


def read_docstring(of: Any) -> str:
    """Return the docstring of a function or "module:name", "" if it has none; a Python file is parsed and not imported, if possible."""
    if isinstance(of, str):
        module, _, name = of.partition(":")
        file = ROOT / f"{module.replace('.', '/')}.py"
        found = {one.name: one for one in syntax_tree(file).body if isinstance(one, ast.FunctionDef)} if file.is_file() else {}
        if name in found:
            return ast.get_docstring(found[name]) or ""
    from theory_lab.methods.record import resolved

    return getdoc(resolved(of)) or ""


@cache
def syntax_tree(file: Path) -> ast.Module:
    """Return the syntax tree of a Python file, cached."""
    return ast.parse(file.read_text(encoding="utf-8"))


def figure_entries(modules: Sequence[ModuleType]) -> Iterator[Entry]:
    """Yield the catalogue's entries of figures: name, what it shows, and the command that draws it."""
    from theory_lab.methods import all_methods, figures_by_name

    for name, one in figures_by_name(all_methods(modules).values()).items():
        said = one.titles.get(name, "")
        yield Entry("figures", name, said, {"figure": name, "shows": said, "drawn by": f"theory-lab figure {name}"})


def model_entries(modules: Sequence[ModuleType]) -> Iterator[Entry]:
    """Yield the catalogue's entries of neural networks whose memory can be computed, one for each file in bounds/dp_grape/models."""
    for file in sorted((ROOT / "bounds" / "dp_grape" / "models").glob("*.txt")):
        said = file.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")
        yield Entry("models", file.stem, said, {"model": file.stem, "is": said, "memory": f"theory-lab memory --model {file.stem}"})


def theory_entries(modules: Sequence[ModuleType]) -> Iterator[Entry]:
    """Yield the entries of theorems, with all that `show` prints, and of proofs."""
    import bounds
    from bounds.pages.store import lab_pages
    from theory_lab.own import user_entries

    theorems = bounds.Library(user_entries(modules, "THEOREMS"), bounds.THEOREMS)
    titles = {key: lab_pages().title(key) for key in bounds.THEOREMS}
    titles |= {key: theorems[key].title for key in theorems if key not in titles}

    def more(key: str) -> dict[str, Any]:
        one = theorems[key]
        names = ("key", "title", "source", "claim", "measure", "assumptions", "method", "notes")
        return {
            "text": one.show(),
            "json": {name: getattr(one, name) for name in names} | {"latex": one.latex(), "parameters": one.parameters},
        }

    for key, title in titles.items():
        yield Entry("theorems", key, title, partial(more, key))
    for key in (*bounds.DERIVATIONS, *user_entries(modules, "DERIVATIONS")):
        yield Entry("proofs", key, titles.get(key, "a result of the lab's own, used in other proofs"))


def claim_entries(modules: Sequence[ModuleType]) -> Iterator[Entry]:
    """Yield the entries of claims and errata, each linked to the other."""
    from bounds.papers import PAPERS
    from paper_checks.pages.claims import written_claims
    from paper_checks.verdict import paper_of
    from theory_lab.own import all_errata, user_claims

    pages = [one for paper in PAPERS for one in written_claims(paper)]
    of_pages = [({**BLANK, **one.given}, partial(check_location, *one.check)) for one in pages]
    own = [
        ({name: getattr(one, name) for name in BLANK}, partial(user_check_location, one))
        for one in user_claims(modules, {one.key for one in pages})
    ]
    papers = tuple(dict.fromkeys(paper_of(given["key"]) for given, _ in (*of_pages, *own)))
    wrong = {paper: all_errata(modules, paper) for paper in papers}
    about = {f"{paper}.{name}": one for paper, several in wrong.items() for one in several for name in one.claims}
    for given, by in (*of_pages, *own):
        more = partial(claim_facts, given, by, about.get(given["key"]))
        yield Entry("claims", given["key"], given["words"], more, about=given["derivations"])
    for paper, several in wrong.items():
        for one in several:
            claims = tuple(f"{paper}.{name}" for name in one.claims)
            yield Entry("errata", f"{paper}.{one.number}", f"({one.mark}) {one.words}", partial(erratum_facts, paper, one), about=claims)


BLANK: dict[str, Any] = {"key": "", "words": "", "latex": "", "source": "", "stated": "", "kind": "", "expected": "", "why": ""}
BLANK |= {"correction": "", "repaired_by": "", "derivations": ()}


def claim_facts(given: Mapping[str, Any], by: Callable[[], str], erratum: Erratum | None) -> dict[str, Any]:
    """Return the facts that `show` prints of a claim with fields `given`; by() returns where its check is written."""
    from bounds.origin import NAME, installed_version
    from bounds.papers import PAPERS

    key, paper = given["key"], given["key"].partition(".")[0]
    known = PAPERS.get(paper)
    more = {
        "claim": key,
        "states": given["words"],
        "formula": given["latex"],
        "source": f"{given['source']} of {known.name} ({known.published})" if known else given["source"],
        "text read": known.read if known else "",
        "stated": given["stated"],
        "kind": given["kind"].value,
        "verdict": f"{given['expected'].value}: {given['why']}",
        "instead": given["correction"],
        "repaired by": given["repaired_by"],
        "proofs": " ".join(given["derivations"]),
        "erratum": f"{paper}.{erratum.number}: {erratum.words}" if erratum else "",
        "link": f"{GALLERY}{paper.replace('_', '-')}-report.html#{html_anchor(key)}" if known else "",
        "page": f"reference/{paper.replace('_', '-')}.html#{link_target('claim', key)} of the documentation" if known else "",
        "cite as": f"{key}, DP Theory Lab {installed_version(NAME)}",
        "checked by": by(),
        "check again": f"theory-lab check {key}",
    }
    return {label: said for label, said in more.items() if said}


def erratum_facts(paper: str, one: Erratum) -> dict[str, Any]:
    """Return the facts that `show` prints of an erratum of a paper."""
    from bounds.origin import NAME, installed_version
    from bounds.papers import PAPERS

    key = f"{paper}.{one.number}"
    more = {"erratum": key, "states": one.words, "weight": one.weight, "mark": one.mark}
    more["claims"] = " ".join(f"{paper}.{name}" for name in one.claims)
    if known := PAPERS.get(paper):
        more |= {"paper": f"{known.name_and_title} ({known.published})", "text read": known.read}
        more["link"] = f"{GALLERY}{paper.replace('_', '-')}-report.html#erratum-{paper}-{one.number}"
        more["page"] = f"reference/{paper.replace('_', '-')}.html#{link_target('erratum', key)} of the documentation"
    more["cite as"] = f"{key}, DP Theory Lab {installed_version(NAME)}"
    return more


def check_location(module: str, name: str) -> str:
    """Return the source location and the name of a check function of the lab, "FILE:LINE NAME"."""
    return f"{function_location(module, name)} {name}"


def function_location(module: str, name: str) -> str:
    """Return the source location of a function of the lab, "FILE:LINE" from the root, without importing it."""
    file = f"{module.replace('.', '/')}.py"
    return f"{file}:{function_lines(ROOT / file).get(name, 1)}"


def function_lines(file: Path) -> dict[str, int]:
    """Return the first line of each function of a Python file, by name; decorators count as part of the function."""
    found = [one for one in syntax_tree(file).body if isinstance(one, ast.FunctionDef)]
    return {one.name: min([one.lineno, *(decorator.lineno for decorator in one.decorator_list)]) for one in found}


def user_check_location(claim: Claim) -> str:
    """Return the source location and the name of the function that checks a user's own claim."""
    from paper_checks.source_location import definition_location

    file, _, line = definition_location(claim.examine).rpartition(":")
    return f"{Path(file).relative_to(ROOT).as_posix() if Path(file).is_relative_to(ROOT) else file}:{line} {claim.examine.__qualname__}"


def html_anchor(key: str) -> str:
    """Return a key as an HTML anchor of the report: dots become hyphens, other special characters ~hex~, so that no two are alike."""
    return "".join("-" if sign == "." else sign if re.fullmatch(r"[A-Za-z0-9_]", sign) else f"~{ord(sign):x}~" for sign in key)


def link_target(what: str, name: str) -> str:
    """Return the link target of a claim, an erratum or a word in the documentation, such as erratum-dpzero-e2."""
    return f"{what}-" + re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def symbol_entries(modules: Sequence[ModuleType]) -> Iterator[Entry]:
    """Yield the entries of symbols: shared ones, then those of each paper, then those of the user's own files."""
    from bounds import letters
    from theory_lab.glossary import symbol_facts

    facts = symbol_facts()
    papers = {one.name: "all papers" for one in letters.SHARED}
    papers |= {one.name: paper for paper in letters.PAPERS for one in letters.declared_symbols(paper) if one.name not in papers}
    known = {one.name: one for one in letters.LETTERS}
    if modules:
        known = dict(import_module("bounds.symbols").GLOSSARY)
    for name, one in known.items():
        unit, values, others = facts.get(name, ("", "", ""))
        more = {"symbol": name, "LaTeX": one.latex, "means": one.words, "role": one.role, "used by": papers.get(name, "")}
        more |= {"unit": unit, "values": values, "elsewhere": others}
        yield Entry("symbols", name, one.words, {label: said for label, said in more.items() if said})


def word_entries(modules: Sequence[ModuleType]) -> Iterator[Entry]:
    """Yield the catalogue's entries of the glossary: each word with its explanation, other names and related words."""
    from theory_lab.glossary import words

    for one in words():
        more = {"word": one.name, "also": ", ".join(one.others), "means": one.text, "see": ", ".join(one.see)}
        first = one.text.partition(". ")[0].rstrip(".")
        yield Entry("words", one.name, first, {label: said for label, said in more.items() if said})


READERS: Mapping[tuple[str, ...], Callable[[Sequence[ModuleType]], Iterator[Entry]]] = {  # the kinds of entries that each function yields
    ("methods", "oracles", "objectives", "spectra"): method_entries,
    ("figures",): figure_entries,
    ("models",): model_entries,
    ("theorems", "proofs"): theory_entries,
    ("claims", "errata"): claim_entries,
    ("symbols",): symbol_entries,
    ("words",): word_entries,
}
