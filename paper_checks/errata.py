"""The errata of a paper: a numbered list, each entry in one sentence, with the claims that check it.

Claims carry the evidence; an erratum only names them, so that a reader sees twelve wrong lines about one thing as one thing. The status
of an erratum is computed from the verdicts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from bounds.pages.tokens import BadPage, Mistake, Mistakes, nearest
from paper_checks.pages.blocks import Block, split_blocks, split_words
from paper_checks.verdict import Outcome, Verdict

WEIGHTS = {
    "guarantee": "A guarantee that does not hold, or is empty",
    "proof": "A step of a proof that does not hold, or one that is missing",
    "scope": "What is said of the theory, or done in experiments, beyond what it covers",
    "text": "Wording, misprints and details",
}
MARKS = {
    "harmless": "nothing that the paper claims changes",
    "repairable": "it does not hold as printed; with a repair that is known it does, perhaps with other constants or conditions",
    "fatal": "what is claimed is false, says nothing or is left without a proof, and no repair is known",
}
SHOWN, OPEN, HELD, IN_WORDS = "shown", "open", "held", "in words"
STATUSES = {  # printed for an erratum that no witness shows
    OPEN: "not settled",
    HELD: "found by reading; what is claimed under it holds all the same",
    IN_WORDS: "found by reading, not computed",
}


@dataclass(frozen=True)
class Erratum:
    """One error in a paper: what is wrong, how much depends on it, and the keys of the claims that check it.

    number   "E2", unique in its paper; the code and the pages of claims refer to it
    weight   one of WEIGHTS: our judgement of how much depends on it
    words    what is wrong, in one sentence
    claims   keys of the claims that check it, without the name of the paper
    mark     one of MARKS: our judgement of what becomes of the claim that it concerns

    `erratum` opens an entry, and its method `says` adds the words.
    """

    number: str
    weight: str
    words: str
    claims: tuple[str, ...]
    mark: str

    def says(self, words: str) -> Erratum:
        """Return a copy of the erratum with `words`, one sentence on what is wrong in the paper."""
        return replace(self, words=words)


def erratum(number: str, weight: str, mark: str, *claims: str) -> Erratum:
    """Return an Erratum without words, from its number, weight (of WEIGHTS), mark (of MARKS) and the keys of its claims."""
    return Erratum(number, weight, "", claims, mark)


def read_errata(file: Path) -> tuple[Erratum, ...]:
    """Return the errata of a page as a tuple of Erratum, in order; raise BadPage, which lists all mistakes of the page.

    `docs/reference/claim-pages.md` defines the format.
    """
    text, mistakes = file.read_text(encoding="utf-8"), Mistakes()
    found = list[Erratum]()
    try:
        first, *others = split_blocks(text, mistakes) or [Block(1, "")]
        if not first.head.startswith("errata "):
            raise Mistake(first.line, 1, "the page begins with 'errata PAPER -- words'")
        for block in others:
            try:
                found.append(_read_erratum(block))
            except Mistake as mistake:
                mistakes.add(mistake)
    except Mistake as mistake:
        mistakes.add(mistake)
    if mistakes.found:
        raise BadPage(f"{file.parent.name}/{file.name}", text, mistakes.found)
    return tuple(found)


def _read_erratum(block: Block) -> Erratum:
    """Return the erratum that a block of the page describes; raise Mistake where its format is wrong."""
    before, words = split_words(block.head)
    head = re.fullmatch(r"erratum +(\w+): *(\w+), *(\w+)", before)
    if not head or not words:
        raise Mistake(block.line, 1, "'erratum NUMBER: weight, mark -- what is wrong' is needed")
    number, weight, mark = head.groups()
    for which, said, known in ((2, weight, WEIGHTS), (3, mark, MARKS)):
        if said not in known:
            raise Mistake(
                block.line, head.start(which) + 1, f"{said!r} stands here: one of {', '.join(known)} is needed{nearest(said, known)}"
            )
    if len(block.items) != 1 or not block.items[0][1].split(maxsplit=1)[0] == "claims":
        raise Mistake(block.line, 1, f"{number} needs 'claims KEY, ...', keys without the name of the paper, and nothing else")
    line, item = block.items[0]
    claims = [one.strip() for one in item.strip().removeprefix("claims").split(",")]
    if not all(claims):
        raise Mistake(line, 1, "a key is missing between commas")
    return erratum(number, weight, mark, *claims).says(words)


def erratum_status(verdicts: Iterable[Verdict]) -> str:
    """Return the status of an erratum, one of SHOWN, OPEN, HELD and IN_WORDS, from the verdicts of its claims.

    SHOWN if a claim is refuted, OPEN if a claim is inconclusive. Otherwise the erratum was found by reading: HELD if a claim was checked,
    and holds; IN_WORDS if no claim could be checked.
    """
    outcomes = {verdict.outcome for verdict in verdicts}
    found_by_reading = HELD if outcomes & {Outcome.PROVED, Outcome.CONSISTENT} else IN_WORDS
    return SHOWN if Outcome.REFUTED in outcomes else OPEN if Outcome.INCONCLUSIVE in outcomes else found_by_reading
