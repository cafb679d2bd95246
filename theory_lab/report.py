"""One self-contained HTML page about a run of claims: no network, no script needed to read it."""

import math
from collections.abc import Sequence
from importlib.metadata import version
from importlib.resources import files
from types import ModuleType
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from bounds import origin
from bounds.papers import PAPERS
from paper_checks import papers
from paper_checks.errata import MARKS, STATUSES, WEIGHTS, status
from paper_checks.run import summary
from paper_checks.verdict import STATED, Outcome, Verdict, paper_of, plain
from theory_lab import own
from theory_lab.report_derivations import derivations, paper_totals
from theory_lab.safe_html import anchor, finalized, mathml, picture, policy

MEANINGS = {
    Outcome.PROVED: "established by computer algebra, with its certificate",
    Outcome.CONSISTENT: "simulation or search tried to refute it and could not",
    Outcome.REFUTED: "false, with a witness that anyone can substitute",
    Outcome.INCONCLUSIVE: "not settled; the result says what would settle it",
    Outcome.NOT_TESTABLE: "out of reach here; the result says why",
}
VOCABULARY = {
    "printed": "the paper says so, in a formula or in words; told here in our words and, where it is a formula, in the paper's letters",
    "reading": "what we take a sentence of the paper to mean, where it can be taken in several ways; if it is refuted, the reading is",
    "question": "asked by us and said by no paper, such as whether a constant can be smaller; if it is refuted, the answer is no, and "
    "nobody erred, unless an erratum names it",
    **MARKS,
    "repaired": "a claim about our correction of a printed one, whose key begins in the same way with printed",
}


def page(verdicts: Sequence[Verdict], *, seconds: float, full: bool, resumed: int = 0, modules: Sequence[ModuleType] = ()) -> str:
    """Return the page; resumed says how many verdicts are from an unfinished run before this one, modules are files of one's own."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=finalized, loader=FunctionLoader(part)
    )
    environment.filters |= {one.__name__: one for one in (mathml, shown, picture, anchor, sentence, prose, at_most)}
    errata = found_errata(verdicts, modules)
    erratum_of = {v.claim.key: one for one in errata for v in one["verdicts"]}
    keys = sorted({paper_of(v.claim.key) for v in verdicts})
    script, style, proofs = part("report.js"), part("report.css"), derivations(verdicts)
    return environment.get_template("report.html.j2").render(
        verdicts=verdicts,
        errata=errata,
        erratum_of=erratum_of,
        others=[v for v in verdicts if v.outcome is Outcome.REFUTED and v.claim.key not in erratum_of],
        weights=WEIGHTS,
        statuses=STATUSES,
        marks=counted_marks(errata),
        unexpected=summary(verdicts)["unexpected"],
        counts=counted(verdicts),
        stated=STATED,
        meanings={outcome.value: text for outcome, text in MEANINGS.items()},
        vocabulary=vocabulary(keys, marked=any(one["erratum"].mark for one in errata)),
        names=[PAPERS[key].name if key in PAPERS else key for key in keys],
        of_claims=ledgered(verdicts, keys),
        of_errata=sum(len(own.errata(modules, key)) for key in keys),
        on_page={v.claim.key for v in verdicts},
        papers=[PAPERS[key] for key in keys if key in PAPERS],
        derivations=proofs,
        derivation_keys={proof["key"] for proof in proofs},
        proof_totals=paper_totals(proofs),
        seconds=seconds,
        full=full,
        resumed=resumed,
        alarm=sum(v.finding.false_alarm for v in verdicts),
        about_figures=any(".figure" in v.claim.key for v in verdicts),
        version=version(origin.NAME),
        commit=origin.commit(),
        versions={name: number for name, number in origin.versions().items() if name != origin.NAME},
        policy=policy(script, style),
        script=Markup(script),
        style=Markup(style),
    )


def part(name: str) -> str:
    """Return a file of the page: a template, its script or its style."""
    return (files("theory_lab") / name).read_text(encoding="utf-8")


def counted(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Return for each outcome how many claims have it: those printed, our readings, our questions, and all."""
    rows = []
    for outcome in sorted({v.outcome for v in verdicts}, key=lambda one: one.value):
        of = [v.claim.stated for v in verdicts if v.outcome is outcome]
        rows.append({"outcome": outcome.value, "all": len(of)} | {kind: of.count(kind) for kind in STATED})
    return rows


def ledgered(verdicts: Sequence[Verdict], keys: Sequence[str]) -> int:
    """Return how many claims the ledgers of these papers have; of a file of one's own, those that were examined."""
    known = [claim.key for claim in papers.claims()] if any(key in PAPERS for key in keys) else []
    own = [v.claim.key for v in verdicts if paper_of(v.claim.key) not in PAPERS]
    return len(own) + sum(paper_of(key) in keys for key in known)


def counted_marks(errata: Sequence[dict[str, Any]]) -> list[str]:
    """Return "3 fatal" and so on, the heaviest first; nothing where no erratum is marked."""
    found = [one["erratum"].mark for one in errata]
    return [f"{found.count(mark)} {mark}" for mark in reversed(MARKS) if mark in found]


def vocabulary(keys: Sequence[str], *, marked: bool) -> dict[str, str]:
    """Return the words that a page about these papers explains."""
    words = {word: meaning for word, meaning in VOCABULARY.items() if marked or word not in MARKS}
    return words | {word: meaning for key in keys for word, meaning in papers.vocabulary(key).items()}


def found_errata(verdicts: Sequence[Verdict], modules: Sequence[ModuleType] = ()) -> list[dict[str, Any]]:
    """Return the errata of the papers of these verdicts, the heaviest first, each with its verdicts; those without any are left out."""
    by_key = {v.claim.key: v for v in verdicts}
    names = sorted({paper_of(key) for key in by_key})
    rows = []
    for paper in names:
        for erratum in own.errata(modules, paper):
            mine = [by_key[key] for key in (f"{paper}.{name}" for name in erratum.claims) if key in by_key]
            name = erratum.number if len(names) == 1 else f"{paper} {erratum.number}"
            row = {"erratum": erratum, "name": name, "anchor": f"erratum-{paper}-{erratum.number}", "verdicts": mine}
            rows += [row | {"status": status(mine), "order": list(WEIGHTS).index(erratum.weight)}] if mine else []
    return sorted(rows, key=lambda row: row["order"])


def shown(value: Any) -> str:
    """Return a piece of evidence as text: numbers with six digits."""
    value = plain(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return ", ".join(shown(entry) for entry in value)
    if isinstance(value, dict):
        return "; ".join(f"{key}: {shown(entry)}" for key, entry in value.items())
    return str(value)


def sentence(text: str) -> str:
    """Return a text as a sentence: a capital letter unless it begins with a symbol, and a full stop."""
    first = text.partition(" ")[0]
    begun = text[:1].upper() + text[1:] if len(first) > 1 and first.isalpha() else text
    return prose(begun + ("" if text.endswith((".", "!", "?")) else "."))


def prose(text: str) -> str:
    """Return a text with the signs of print for <= and >=."""
    return text.replace("<=", "\u2264").replace(">=", "\u2265")


def at_most(probability: float) -> str:
    """Return a probability with two digits, rounded up."""
    if probability == 0:
        return "0"
    unit = 10.0 ** (math.floor(math.log10(probability)) - 1)
    return f"{math.ceil(probability / unit * (1 - 1e-12)) * unit:.2g}"
