"""One self-contained HTML page about a run of claims: no network, no script needed to read it."""

from __future__ import annotations

import math
import platform
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined
from latex2mathml.converter import convert
from markupsafe import Markup

import bounds
from bounds.derivation import Derivation
from bounds.symbols import latex
from figures.evidence import svg
from paper_checks import papers
from paper_checks.errata import WEIGHTS, status
from paper_checks.run import summary
from paper_checks.verdict import Outcome, Verdict, plain

VERSIONS = ("dp-theory-lab", "numpy", "scipy", "sympy", "numba", "mpmath", "dp-accounting")
MEANINGS = {
    Outcome.PROVED: "established by computer algebra, with its certificate",
    Outcome.CONSISTENT: "simulation or search tried to refute it and could not",
    Outcome.REFUTED: "false, with a witness that anyone can substitute",
    Outcome.INCONCLUSIVE: "not settled; the result says what would settle it",
    Outcome.NOT_TESTABLE: "out of reach here; the result says why",
}


def page(verdicts: Sequence[Verdict], *, seconds: float, full: bool, resumed: int = 0) -> str:
    """Return the page; resumed says how many verdicts are from an unfinished run before this one."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {
        "mathml": mathml,
        "shown": shown,
        "svg": lambda plot: Markup(svg(plot)),
        "anchor": anchor,
        "sentence": sentence,
        "prose": prose,
        "at_most": at_most,
    }
    counts, errata = summary(verdicts), found_errata(verdicts)
    erratum_of = {v.claim.key: one for one in errata for v in one["verdicts"]}
    template = environment.from_string((files("theory_lab") / "report.html.j2").read_text(encoding="utf-8"))
    return template.render(
        verdicts=verdicts,
        errata=errata,
        erratum_of=erratum_of,
        others=[v for v in verdicts if v.outcome is Outcome.REFUTED and v.claim.key not in erratum_of],
        weights=WEIGHTS,
        unexpected=counts.pop("unexpected"),
        counts=counts,
        meanings={outcome.value: text for outcome, text in MEANINGS.items()},
        papers=sorted({v.claim.key.split(".")[0] for v in verdicts}),
        derivations=derivations(verdicts),
        seconds=seconds,
        full=full,
        resumed=resumed,
        alarm=sum(v.finding.false_alarm for v in verdicts),
        about_figures=any(".figure" in v.claim.key for v in verdicts),
        versions={"Python": platform.python_version(), **{name: version(name) for name in VERSIONS}},
    )


def found_errata(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Return the errata of the papers of these verdicts, the heaviest first, each with its verdicts; those without any are left out."""
    by_key = {v.claim.key: v for v in verdicts}
    names = sorted({key.split(".")[0] for key in by_key})
    rows = []
    for paper in names:
        for erratum in papers.errata(paper):
            mine = [by_key[key] for key in (f"{paper}.{name}" for name in erratum.claims) if key in by_key]
            name = erratum.number if len(names) == 1 else f"{paper} {erratum.number}"
            row = {"erratum": erratum, "name": name, "anchor": f"erratum-{paper}-{erratum.number}", "verdicts": mine}
            rows += [row | {"status": status(mine), "order": list(WEIGHTS).index(erratum.weight)}] if mine else []
    return sorted(rows, key=lambda row: row["order"])


def derivations(verdicts: Iterable[Verdict]) -> list[dict[str, Any]]:
    """Return the derivations that the claims refer to, each once, with sides in LaTeX."""
    keys = dict.fromkeys(key for v in verdicts for key in v.claim.derivations)
    return [derivation_rows(bounds.DERIVATIONS[key]) for key in keys if key in bounds.DERIVATIONS]


def derivation_rows(derivation: Derivation) -> dict[str, Any]:
    """Return title, source and steps of a derivation."""
    steps = [
        {
            "number": step.number,
            "statement": step.statement,
            "formula": f"{latex(step.lhs)} {RELATIONS[step.relation]} {latex(step.rhs)}" if step.is_formula else "",
            "reason": step.reason,
            "certificate": type(step.certificate).__name__,
        }
        for step in derivation.steps
    ]
    return {"key": derivation.key, "title": derivation.title, "source": derivation.source, "steps": steps}


RELATIONS = {"=": "=", "<=": r"\le", ">=": r"\ge", "<": "<", ">": ">"}


@lru_cache(maxsize=4096)
def mathml(formula: str) -> Markup:
    """Return a formula in LaTeX as MathML."""
    return Markup(convert(formula)) if formula else Markup("")


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


def anchor(key: str) -> str:
    """Return a key as a name inside the page."""
    return key.replace(".", "-")
