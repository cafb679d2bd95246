"""What is wrong in a paper, in a numbered list: each entry in one sentence, with the claims that examine it.

Claims carry the evidence; an erratum only names them, so that a reader sees twelve wrong lines about one thing as one thing. What
became of an erratum is read off the verdicts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

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
SHOWN, OPEN, HELD, SAID = "shown", "open", "held", "in words"
STATUSES = {  # what a page says of an erratum that no witness shows
    OPEN: "not settled",
    HELD: "found by reading; what is claimed under it holds all the same",
    SAID: "found by reading, not computed",
}


@dataclass(frozen=True)
class Erratum:
    """One thing that is wrong.

    number   "E2", unique in its paper; the code and the ledgers refer to it
    weight   one of WEIGHTS: our judgement of how much hangs on it
    words    what is wrong, in one sentence
    claims   keys of the claims that examine it, without the name of the paper
    mark     one of MARKS: our judgement of what becomes of the claim that it touches

    `erratum` opens one, and `says` closes it with its words.
    """

    number: str
    weight: str
    words: str
    claims: tuple[str, ...]
    mark: str

    def says(self, words: str) -> Erratum:
        """Return the erratum with what is wrong."""
        return replace(self, words=words)


def erratum(number: str, weight: str, mark: str, *claims: str) -> Erratum:
    """Open an erratum: its number, how much hangs on it, what becomes of the claim, and the claims that examine it."""
    return Erratum(number, weight, "", claims, mark)


def listed(text: str) -> tuple[Erratum, ...]:
    """Return the errata of a text, each from a line that is not indented: "E1 (text, harmless) what is wrong [its claims]".

    Raises ValueError for an entry that is not so.
    """
    found = []
    for entry in re.split(r"\n(?=\S)", text.strip()):
        parts = re.fullmatch(r"(\S+) \((\w+), (\w+)\) (.+) \[([^][]+)\]", " ".join(entry.split()))
        if not parts:
            raise ValueError(f"erratum = {entry:.60}: NUMBER (weight, mark) what is wrong [claims] is needed")
        number, weight, mark, words, claims = parts.groups()
        found.append(erratum(number, weight, mark, *claims.split()).says(words))
    return tuple(found)


def status(verdicts: Iterable[Verdict]) -> str:
    """Return what became of an erratum whose claims have these verdicts.

    SHOWN if one is refuted, OPEN if one is inconclusive. Else it was found by reading: HELD if a claim was examined, and holds; SAID if
    none could be.
    """
    outcomes = {verdict.outcome for verdict in verdicts}
    found_by_reading = HELD if outcomes & {Outcome.PROVED, Outcome.CONSISTENT} else SAID
    return SHOWN if Outcome.REFUTED in outcomes else OPEN if Outcome.INCONCLUSIVE in outcomes else found_by_reading
