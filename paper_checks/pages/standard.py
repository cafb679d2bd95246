"""Standard questions: checks that many statements get, each of which is one line of a claim on its page.

    chain dpzero.theorem1                                   every line of this proof
    lines theorem2: base_2 natural; lemma1: end             these lines of the paper's proofs
    witness gauss_psgd.printed_53                           the line that is false as printed, at its witness
    correction gauss_psgd.printed_53 by lemma2: base_2      what holds in its place, by these lines
    untested -- it takes a GPU                              why nothing is tested

Further arguments of the check follow after a comma: `chain dpzero.theorem1, samples = 5 | 100`. The proofs that a question names belong to
its claim.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from bounds.pages.tokens import Mistake
from paper_checks.pages.arguments import CheckCall, fill_placeholders, parse_call
from paper_checks.pages.blocks import split_words
from paper_checks.verdict import Size

SAMPLES = (20, 1000)  # random points at which every line of a proof is tried, in a quick run and in a full one


class Form(NamedTuple):
    """Form of a standard question: how it is written, a regular expression, and the path of the function that answers it."""

    written: str
    pattern: str
    function: str


FORMS = {
    "chain": Form("chain KEY", r"(?P<key>\S+)", "shared.proofs.check_proof"),
    "lines": Form("lines PROOF: LINE LINE; ...", r"(?P<steps>.+)", "shared.proofs.check_lines"),
    "witness": Form("witness KEY", r"(?P<key>\S+)", "shared.witness.check_witness"),
    "correction": Form("correction KEY by PROOF: LINE LINE; ...", r"(?P<key>\S+) +by +(?P<steps>.+)", "shared.witness.check_correction"),
    "untested": Form("untested -- why", "", "shared.tables.report_untested"),
}


def read_question(item: str, line: int, paper: str, names: Mapping[str, Any]) -> tuple[CheckCall, tuple[str, ...]]:
    """Return (CheckCall, keys of proofs) for a standard question such as "chain dpzero.theorem1"; raise Mistake for another form.

    `line` is the item's line on the page, `names` the values that may fill its placeholders. Mistake is raised if it has another form.
    """
    before, words = split_words(item)
    word, _, rest = before.partition(" ")
    subject, _, options = ("", "", rest) if word == "untested" else rest.partition(",")
    form = FORMS[word]
    found = re.fullmatch(form.pattern, fill_placeholders(subject.strip(), names, line))
    if not found or bool(words) != (word == "untested"):
        raise Mistake(line, 1, f"'{form.written}' is needed")
    given = found.groupdict() | ({"sentence": fill_placeholders(words, names, line)} if words else {})
    if word in ("chain", "lines"):
        given["samples"] = sample_counts(paper)
    elif word == "correction":
        given["samples"] = Size(*SAMPLES)
    if word == "lines":
        given["paper"] = paper
    if options:
        given |= parse_call(f"check.it({options})", line, names).arguments
    proofs = (given["key"],) if word == "chain" else named_proofs(paper, given.get("steps", ""))
    return CheckCall(form.function, given), proofs


@cache
def sample_counts(paper: str) -> Size:
    """Return the numbers of random points for a paper's `chain` and `lines`, a Size: its package's SAMPLES, or the default."""
    return Size(*getattr(import_module(f"paper_checks.{paper}"), "SAMPLES", SAMPLES))


def named_proofs(paper: str, steps: str) -> tuple[str, ...]:
    """Return keys of the proofs in a text such as "lemma1: needed slope; to_base_2"; a part without a proof means PAPER.in_place."""
    return tuple(dict.fromkeys(key for key, _ in split_steps(paper, steps)))


def split_steps(paper: str, steps: str) -> list[tuple[str, list[str]]]:
    """Return (key of the proof, names of its lines) for each part of a text such as "lemma1: needed slope; to_base_2", in its order."""
    parts = (part.rpartition(":") for part in steps.split(";") if part.strip())
    return [(f"{paper}.{key.strip() or 'in_place'}", names.split()) for key, _, names in parts]
