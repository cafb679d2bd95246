"""The HTML report about a run of claims: one self-contained page that needs no network, and no script to be read."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.resources import files
from types import ModuleType
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from bounds import origin
from bounds.papers import PAPERS
from paper_checks import papers
from paper_checks.errata import MARKS, STATUSES, WEIGHTS, erratum_status
from paper_checks.run import count_outcomes
from paper_checks.verdict import STATED, Outcome, Verdict, paper_of, plain
from theory_lab import own
from theory_lab.catalogue import html_anchor
from theory_lab.report.derivations import paper_name, paper_totals, verdict_derivations
from theory_lab.report.safe_html import mathml, plot_image, security_policy, template_value

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

FOLDED = (Outcome.PROVED, Outcome.CONSISTENT)  # outcomes whose evidence the style sheet hides in print


def report_page(
    verdicts: Sequence[Verdict],
    *,
    seconds: float,
    full: bool,
    resumed: int = 0,
    reused: str = "",
    modules: Sequence[ModuleType] = (),
) -> str:
    """Return the HTML report on verdicts, as text: errata first, then the claims paper by paper.

    seconds    running time of the checks, in full or, without `full`, quick
    resumed    number of verdicts that an unfinished earlier run had computed
    reused     sentence about verdicts that are from finished runs; empty where none is
    modules    the user's own imported files
    """
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=template_value,
        loader=FunctionLoader(read_resource),
    )
    environment.filters |= {"mathml": mathml, "shown": evidence_text, "in_full": exact_text, "picture": plot_image, "anchor": html_anchor}
    environment.filters |= {"sentence": format_sentence, "prose": replace_inequalities, "at_most": probability_text, "of_all": count_text}
    errata = erratum_rows(verdicts, modules)
    erratum_of = {v.claim.key: one for one in errata for v in one["verdicts"]}
    keys = paper_keys(verdicts)
    papers_ = paper_rows(verdicts, errata)
    script, style, proofs = read_resource("page.js"), read_resource("page.css"), verdict_derivations(verdicts)
    return environment.get_template("page.html.j2").render(
        verdicts=verdicts,
        errata=errata,
        erratum_of=erratum_of,
        others=[v for v in verdicts if v.outcome is Outcome.REFUTED and v.claim.key not in erratum_of],
        weights=WEIGHTS,
        statuses=STATUSES,
        marks=mark_counts(errata),
        unexpected=count_outcomes(verdicts)["unexpected"],
        counts=outcome_counts(verdicts),
        stated=STATED,
        meanings={outcome.value: text for outcome, text in MEANINGS.items()},
        vocabulary=explained_words(keys, marked=any(one["erratum"].mark for one in errata)),
        about=page_subject(keys),
        several=len(keys) > 1,
        of_papers=papers_,
        of_claims=sum(one["of_claims"] for one in papers_),
        of_errata=sum(len(own.all_errata(modules, key)) for key in keys),
        on_page={v.claim.key for v in verdicts},
        papers=[PAPERS[key] for key in keys if key in PAPERS],
        derivations={name: [proof for proof in proofs if proof["paper"] == name] for name in dict.fromkeys(one["paper"] for one in proofs)},
        derivation_keys={proof["key"] for proof in proofs},
        proof_totals=paper_totals(proofs),
        seconds=seconds,
        full=full,
        resumed=resumed,
        reused=reused,
        folded=bool(proofs) or any(v.outcome in FOLDED for v in verdicts),
        alarm=sum(v.finding.false_alarm for v in verdicts),
        about_figures=any(".figure" in v.claim.key for v in verdicts),
        version=origin.installed_version(origin.NAME),
        commit=origin.source_commit(),
        versions={name: number for name, number in origin.installed_versions().items() if name != origin.NAME},
        policy=security_policy(script, style),
        script=Markup(script),
        style=Markup(style),
    )


def read_resource(name: str) -> str:
    """Return the text of a file of the report: a template, the script or the style."""
    return (files("theory_lab.report") / name).read_text(encoding="utf-8")


def outcome_counts(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Return one row per outcome that occurs: its number of claims, in all and by how they are stated (printed, reading, question)."""
    rows = []
    for outcome in sorted({v.outcome for v in verdicts}, key=lambda one: one.value):
        of = [v.claim.stated for v in verdicts if v.outcome is outcome]
        rows.append({"outcome": outcome.value, "all": len(of)} | {kind: of.count(kind) for kind in STATED})
    return rows


def paper_keys(verdicts: Iterable[Verdict]) -> list[str]:
    """Return the keys of the papers that the verdicts are about: the lab's papers in their usual order, then those of user files."""
    found = {paper_of(v.claim.key) for v in verdicts}
    return [*(key for key in PAPERS if key in found), *sorted(found - set(PAPERS))]


def page_subject(keys: Sequence[str]) -> str:
    """Return the subject of a report in words: name and title of a single paper, or the names of several."""
    names = [paper_name(key) for key in keys]
    if len(keys) == 1 and keys[0] in PAPERS:
        return PAPERS[keys[0]].name_and_title
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def paper_rows(verdicts: Sequence[Verdict], errata: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return one row per paper of a report: name, HTML anchor, verdicts, counts by outcome, number of claims, errata and their marks.

    The HTML anchor has a colon, which no result of `html_anchor` has.
    """
    rows = []
    for key in paper_keys(verdicts):
        mine = [v for v in verdicts if paper_of(v.claim.key) == key]
        wrong = [one for one in errata if one["paper"] == key]
        row = {"name": paper_name(key), "anchor": f"claims:{html_anchor(key)}", "verdicts": mine, "of_claims": count_claims(mine, key)}
        rows.append(row | {"counts": Counter(v.outcome.value for v in mine), "errata": len(wrong), "marks": mark_counts(wrong)})
    return rows


def count_claims(verdicts: Sequence[Verdict], key: str) -> int:
    """Return the total number of claims of a paper; for a paper of a user file, the number of these verdicts."""
    return sum(paper_of(claim.key) == key for claim in papers.claims()) if key in PAPERS else len(verdicts)


def count_text(count: int, total: int, word: str) -> str:
    """Return a count in words, such as "3 of the 10 claims", or "10 claims" where count = total."""
    return f"{count}{f' of the {total}' if count < total else ''} {word}{'' if max(count, total) == 1 else 's'}"


def mark_counts(errata: Sequence[dict[str, Any]]) -> list[str]:
    """Return the numbers of errata by mark, as "3 fatal", the most serious mark first; marks without errata are left out."""
    found = [one["erratum"].mark for one in errata]
    return [f"{found.count(mark)} {mark}" for mark in reversed(MARKS) if mark in found]


def explained_words(keys: Sequence[str], *, marked: bool) -> dict[str, dict[str, str]]:
    """Return the words that a report on these papers explains, with meanings, by heading: "" for shared words, else the paper's name."""
    shared = {word: meaning for word, meaning in VOCABULARY.items() if marked or word not in MARKS}
    of = {key: papers.vocabulary(key) for key in keys}
    if len(keys) == 1:
        return {"": shared | of[keys[0]]}
    return {"": shared} | {paper_name(key): words for key, words in of.items() if words}


def erratum_rows(verdicts: Sequence[Verdict], modules: Sequence[ModuleType] = ()) -> list[dict[str, Any]]:
    """Return one row per erratum that the verdicts check, the most serious first: erratum, paper, name, anchor, verdicts, status.

    In a report on several papers the name includes the paper, and errata of equal weight are ordered by mark.
    """
    by_key = {v.claim.key: v for v in verdicts}
    keys = paper_keys(verdicts)
    rows = []
    for paper in keys:
        for erratum in own.all_errata(modules, paper):
            mine = [by_key[key] for key in (f"{paper}.{name}" for name in erratum.claims) if key in by_key]
            name = erratum.number if len(keys) == 1 else f"{paper_name(paper)} {erratum.number}"
            row = {"erratum": erratum, "paper": paper, "name": name, "anchor": f"erratum-{paper}-{erratum.number}", "verdicts": mine}
            rows += [row | {"status": erratum_status(mine), "order": list(WEIGHTS).index(erratum.weight)}] if mine else []
    marks = ["", *MARKS] if len(keys) > 1 else []
    return sorted(rows, key=lambda row: (row["order"], -marks.index(row["erratum"].mark) if marks else 0))


def evidence_text(value: Any) -> str:
    """Format evidence as text: numbers with six digits, lists and dictionaries joined."""
    value = plain(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return ", ".join(evidence_text(entry) for entry in value)
    if isinstance(value, dict):
        return "; ".join(f"{key}: {evidence_text(entry)}" for key, entry in value.items())
    return str(value)


def exact_text(value: Any) -> str:
    """Format a value of a witness exactly, so that substituting the printed number shows that the claim is false."""
    value = plain(value)
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if isinstance(value, list):
        return ", ".join(exact_text(entry) for entry in value)
    if isinstance(value, dict):
        return "; ".join(f"{key}: {exact_text(entry)}" for key, entry in value.items())
    return evidence_text(value)


def format_sentence(text: str) -> str:
    """Format a text as a sentence: a capital letter, unless it begins with a symbol, and a full stop."""
    first = text.partition(" ")[0]
    begun = text[:1].upper() + text[1:] if len(first) > 1 and first.isalpha() else text
    return replace_inequalities(begun + ("" if text.endswith((".", "!", "?")) else "."))


def replace_inequalities(text: str) -> str:
    """Return a text with <= and >= replaced by the single characters for them."""
    return text.replace("<=", "\u2264").replace(">=", "\u2265")


def probability_text(probability: float) -> str:
    """Format a probability with two significant digits, rounded up."""
    if probability == 0:
        return "0"
    unit = 10.0 ** (math.floor(math.log10(probability)) - 1)
    return f"{math.ceil(probability / unit * (1 - 1e-12)) * unit:.2g}"
