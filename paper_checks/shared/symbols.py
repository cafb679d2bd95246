"""A paper's own letters in evidence: a ledger computes in the glossary's names, and says what it found in those of the paper.

And whether an algorithm lists the letters that its lines use.
"""

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Any

import sympy as sp

from paper_checks.verdict import Finding, consistent, refuted


@dataclass(frozen=True)
class Spelling:
    """What a paper calls the quantities of the glossary: `names` has the paper's letter by the glossary's name, where the two differ.

    `in_text` are those of the paper's letters of more than one character that may replace a word of a sentence.
    """

    names: Mapping[str, str]
    in_text: tuple[str, ...] = ()

    def letter(self, symbol: Any) -> str:
        """Return what the paper calls the quantity that a letter of the glossary stands for."""
        return self.names.get(str(symbol), str(symbol))

    def told(self, text: str) -> str:
        """Return a sentence in which the problem's and the schedule's quantities have the paper's letters."""
        names = "|".join(name for name, one in self.names.items() if len(one) == 1 or one in self.in_text)
        return re.sub(rf"\b({names})\b", lambda found: self.names[found.group()], text) if names else text

    def lettered(self, numbers: Mapping[str, Any]) -> dict[str, Any]:
        """Return numbers by the paper's letters."""
        return {self.letter(name): value for name, value in numbers.items()}

    def written(self, expression: Any) -> str:
        """Return an expression as text in the paper's letters."""
        held = sp.sympify(expression)
        return str(sp.sstr(held.xreplace({one: sp.Symbol(self.letter(one)) for one in held.free_symbols})))


def listed_inputs(listed: Set[Any], lines: Iterable[Any], *, computed: Set[Any], spelling: Spelling) -> Finding:
    """Return REFUTED where the lines of an algorithm, as expressions, use letters that are neither listed as inputs nor computed."""
    used: set[Any] = set().union(*(sp.sympify(line).free_symbols for line in lines)) - computed
    missing, idle = sorted(map(spelling.letter, used - listed)), sorted(map(spelling.letter, listed - used))
    numbers = {"listed": tuple(sorted(map(spelling.letter, listed))), "used": tuple(sorted(map(spelling.letter, used)))}
    if missing:
        witness = {"used and not listed": ", ".join(missing), "listed and not used": ", ".join(idle) or "none"}
        return refuted(f"not among the inputs: {', '.join(missing)}", {**numbers, "listed and not used": idle}, witness)
    return consistent("every letter is listed", {**numbers, "listed and not used": idle})
