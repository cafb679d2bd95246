"""Check a page that a user wrote: a theorem and its proof as text, checked like those of the lab.

load_page(file)   what `--module FILE.page` adds to the lab: theorems, proofs, and a claim for each proof; pages beside it may be quoted
check_page(...)   the check of that claim
"""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import ModuleType

from bounds.pages.example import example_mistakes, example_values, find_example, format_values, incompatible_cases, is_in_domain
from bounds.pages.rules import source_position
from bounds.pages.store import Page, Store, store_with_files
from bounds.pages.tokens import BadPage, Mistake, PageErrors
from bounds.pages.tree import parse_page
from bounds.pages.values import PageValues, page_derivation, page_theorem
from bounds.proofs.derivation import Derivation
from bounds.proofs.facts import lemma_quantities, lines_on_unproved_lemmas
from bounds.proofs.lines import Shown, is_definition
from bounds.proofs.support import NOTHING_MADE, proves_integer_T
from bounds.proofs.wellformed import form_error
from paper_checks.record import Record
from paper_checks.shared.steps import check_steps, recheck_page
from paper_checks.verdict import Claim, Finding, Kind, Outcome, Size, claim


def load_page(file: Path, beside: Iterable[Path] = ()) -> ModuleType:
    """Load a user's page as a module with THEOREMS, DERIVATIONS and CLAIMS; raise ValueError if it has mistakes.

    `beside` are other pages of the user, whose symbols it may use and whose lines it may take.
    """
    try:
        pages = _open_pages(file, beside)
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"module = {str(file)!r}: the file cannot be read ({error})") from error
    except KeyError as error:
        raise PageErrors(
            f"the page {str(file)!r} uses {error.args[0]}; the pages of the lab can be used, and those that are given with it"
        ) from error
    except BadPage as error:
        count = f"{len(error.mistakes)} mistakes" if len(error.mistakes) > 1 else "a mistake"
        raise PageErrors(f"the page has {count}\n{error}") from None
    module = ModuleType(file.stem)
    module.__file__ = str(file)
    try:
        statements = {page.key: page_theorem(page) for page in pages if page.kind == "theorem"}
        proofs = {page.key: page_derivation(page, statements.get(page.key)) for page in pages if page.items("proof")}
    except (ValueError, LookupError, TypeError, ArithmeticError, RecursionError) as error:
        raise PageErrors(f"the page {str(file)!r} cannot be understood: {error}") from error
    if mistakes := [one for page in pages if page.key in proofs for one in _domain_mistakes(page, proofs[page.key])]:
        raise PageErrors(f"the page has {len(mistakes)} mistakes\n{BadPage(str(file), pages[0].read.text, mistakes)}")
    module.THEOREMS, module.DERIVATIONS = statements, proofs  # type: ignore[attr-defined]
    module.CLAIMS = tuple(_proof_claim(file, page, proofs.get(page.key)) for page in pages if page.kind in ("theorem", "lemma"))  # type: ignore[attr-defined]
    return module


def _domain_mistakes(page: Page, proof: Derivation) -> Iterator[Mistake]:
    """Yield a Mistake for every symbol that the page defines as a rational number, not 0, outside its domain."""
    known = {PageValues(page).symbol(name): one for name, one in page.symbols.items()}
    for step in proof.lines.values():
        if is_definition(step) and step.rhs.is_Rational and step.lhs in known:
            declared = known[step.lhs]
            if not is_in_domain(declared, Fraction(int(step.rhs.p), int(step.rhs.q)), given=True) and step.rhs != 0:
                yield Mistake(
                    *source_position(page, declared.name), f"{declared.name!r} is defined as {step.rhs}, which is outside its domain"
                )


def _open_pages(file: Path, beside: Iterable[Path]) -> list[Page]:
    """Return all variants on a user's page as Pages, read with the lab's pages and those beside it; raise PageErrors if none."""
    store = _read_store(*((one, one.stat().st_mtime_ns) for one in sorted({file, *beside})))
    found, text = [store.page(key) for key, one in store.files.items() if one == str(file)], store.texts[str(file)]
    if re.search("^(claims|errata) ", text, re.MULTILINE):
        raise PageErrors(
            f"{str(file)!r} is a page of claims or errata, which only papers of the lab have: your own claims are written in Python"
        )
    if not found:
        parse_page(text, str(file))  # raises BadPage: a page without a key has mistakes
    return found


@cache
def _read_store(*files: tuple[Path, int]) -> Store:
    """Return a Store of the lab's pages and the user's files, cached; each file comes with its time of change."""
    return store_with_files([file for file, _ in files])


def _proof_claim(file: Path, page: Page, proof: Derivation | None) -> Claim:
    """Return the Claim that the proof of a page holds, with its check and the outcome that is expected of it."""
    ends = "ends at the bound" if page.kind == "theorem" and not page.is_partial else "holds line by line"
    in_words = any(item.get("reason", {}).get("kind") in ("cited", "argued") for name in ("given", "proof") for item in page.items(name))
    opened = claim(f"{page.key}.proof", page.head("source", "words", "") or str(file), Kind.INEQUALITY)
    if proof is None:
        return (
            opened.says(f"{page.title}: it is proved")
            .inconclusive("the page has no proof of it")
            .examined(report_missing_proof, key=page.key)
        )
    opened = opened.says(f"{page.title}: the proof {ends}")
    in_words = in_words or bool(not form_error(proof) and lines_on_unproved_lemmas(proof, proof.lines))
    opened = opened.consistent("lines are cited or argued in words") if in_words else opened.proved("every line is certified")
    beside = {str(Path(one.read.file).resolve()) for one in page.user_pages.values() if one.read.file != page.read.file}
    return opened.examined(check_page, file=str(file.resolve()), beside=tuple(sorted(beside)), key=page.key, samples=Size(100, 1000))


def report_missing_proof(*, key: str) -> Finding:
    """Return the INCONCLUSIVE finding for a statement whose page has no section `proof`."""
    return Record().leave_open(f"the page has no section 'proof' for {key}: one would settle it")


def check_page(*, file: str, beside: tuple[str, ...] = (), key: str, samples: int) -> Finding:
    """Check that the proof on a user's page holds, by both checkers and an attack, and its assumptions at a point; return a Finding.

    Pages of the user, in the files beside it, from which it takes lines are checked first, in the same way.
    """
    page = next(one for one in _open_pages(Path(file), map(Path, beside)) if one.key == key)
    for one in page.lemmas:
        if one.is_own and (lemma := _check_proof(one, samples)).outcome not in (Outcome.PROVED, Outcome.CONSISTENT):
            record = Record(lemma.numbers, seed=lemma.seed)
            return record.leave_open(f"it takes a line from {one.key}, which is {lemma.outcome.value}: {lemma.sentence}")
    return _check_proof(page, samples)


def _check_proof(page: Page, samples: int) -> Finding:
    """Check that one page's proof, example, cases and integer_T hold; return a Finding, INCONCLUSIVE if something is missing."""
    proof = page_derivation(page)
    if not proof.steps:
        return Record().leave_open(NOTHING_MADE)
    for line in () if form_error(proof) else proof.lines.values():
        if isinstance(line.certificate, Shown) and (letters := lemma_quantities(proof, line.certificate)):
            said = f"{line.name!r} is taken from {line.certificate.derivation}, which takes it from elsewhere, where the meaning of"
            return Record().leave_open(f"{said} {', '.join(sorted(map(str, letters)))} may be used: a line of that page would settle it")
    finding = check_steps(proof, samples=samples, page=page)
    if finding.outcome in (Outcome.REFUTED, Outcome.INCONCLUSIVE):
        return finding
    record = Record(finding.numbers, seed=finding.seed)
    if why := recheck_page(page).get("the example", ""):
        return record.leave_open(f"the second checker does not confirm the example: {why}")
    if not proves_integer_T(proof):
        return record.leave_open("no line is the bound of the section integer_T: one would settle it")
    if page.kind == "theorem" and page.is_partial:
        return record.leave_open("the proof stops before the bound, which is not proved: its lines are checked, and no more")
    if split := next(incompatible_cases(page), None):
        said = f"{split[0]!r} rests on the cases {', '.join(split[1])}, and no point was found where they hold together"
        return record.leave_open(f"{said}: a line for each case would settle it")
    if mistakes := list(example_mistakes(page)):
        return record.leave_open(f"{mistakes[0].message}; other values on the page, in the section 'example', would settle it")
    if example_values(page):
        return finding.also("the assumptions hold together at the example of the page")
    values = find_example(page)
    if values is None:
        said = "no point was found where all that the page assumes holds with room"
        return record.leave_open(f"{said}: a section 'example' with one would settle it")
    return finding.also("the assumptions hold together", example=format_values(values))
